"""Fixed text around the functions of a generated NumPy module.

It is repeated here on purpose instead of imported from the target: a reader that compares a text with
the output of the printer would not read it.
"""

from __future__ import annotations

from typing import Final

ARRAY: Final = '''
def _array(given, size, name):
    """Convert an argument to an array whose last axis has `size` entries."""
    array = np.asarray(given, dtype=DTYPE)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ValueError(f"{name} must have shape ({size},) or (N, {size}), got {array.shape}")
    return array
'''

RESULT: Final = '''
def _result(entries, shape, *arguments):
    """Stack the entries in one array, batch axis first."""
    batch = np.broadcast_shapes(*(x.shape[:-1] for x in arguments))
    result = np.empty((*batch, len(entries)), dtype=DTYPE)
    for k, entry in enumerate(entries):
        result[..., k] = entry
    return result.reshape((*batch, *shape))[()]
'''

# ROBOT and TOLERANCE stand for what it prints.
SELFTEST: Final = '''
def selftest():
    """Compare with golden vectors, singly and as a batch; return the number of mismatches."""
    missed, worst = 0, 0.0
    for function, arguments, expected, allowed in GOLDEN:
        arguments = [np.array(x, dtype=DTYPE) for x in arguments]
        # A function without arguments has no batch.
        batch = function(*arguments) if arguments else [function()] * len(allowed)
        for k, bound in enumerate(allowed):
            for result in (function(*(x[k] for x in arguments)), batch[k]):
                error = np.abs(np.ravel(result).astype(np.float64) - expected[k]).max()
                if not error <= bound:
                    missed += 1
                    print(f"{function.__name__}, vector {k}: error {error}, allowed {bound}")
                elif bound > 0:
                    worst = max(worst, error / bound)
    print(f"ROBOT: {len(GOLDEN)} functions, {sum(len(x[3]) for x in GOLDEN)} golden vectors, "
          f"{missed} missed, largest error {worst:.2g} of the TOLERANCE allowed")
    return missed
'''

# In a module with a function of several results.
RESULTS: Final = '''
def _results(found):
    """Convert the results of a function to a tuple."""
    return found if isinstance(found, tuple) else (found,)
'''

SELFTEST_OF_SEVERAL: Final = '''
def selftest():
    """Compare with golden vectors, singly and as a batch; return the number of mismatches."""
    missed, worst = 0, 0.0
    for function, arguments, expected, allowed in GOLDEN:
        arguments = [np.array(x, dtype=DTYPE) for x in arguments]
        # A function without arguments has no batch.
        batch = _results(function(*arguments) if arguments else function())
        for k, bounds in enumerate(allowed):
            single = _results(function(*(x[k] for x in arguments)))
            many = [x[k] for x in batch] if arguments else batch
            for j, bound in enumerate(bounds):
                for result in (single[j], many[j]):
                    error = np.abs(np.ravel(result).astype(np.float64) - expected[k][j]).max()
                    if not error <= bound:
                        missed += 1
                        print(f"{function.__name__}, result {j}, vector {k}: error {error}, "
                              f"allowed {bound}")
                    elif bound > 0:
                        worst = max(worst, error / bound)
    print(f"ROBOT: {len(GOLDEN)} functions, {sum(len(x[3]) for x in GOLDEN)} golden vectors, "
          f"{missed} missed, largest error {worst:.2g} of the TOLERANCE allowed")
    return missed
'''

MAIN: Final = """
if __name__ == "__main__":
    raise SystemExit(selftest() != 0)
"""
