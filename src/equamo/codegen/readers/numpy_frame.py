"""What stands around the functions of a generated NumPy module, word by word.

It is written here once more and not taken from the target: a reader that compares a text with what
the printer would print does not read it.
"""

from __future__ import annotations

from typing import Final

ARRAY: Final = '''
def _array(given, size, name):
    """The argument as an array whose last axis has `size` entries."""
    array = np.asarray(given, dtype=DTYPE)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ValueError(f"{name} has the shape ({size},) or (N, {size}), not {array.shape}")
    return array
'''

RESULT: Final = '''
def _result(entries, shape, *arguments):
    """The entries as one array, batch axis first."""
    batch = np.broadcast_shapes(*(x.shape[:-1] for x in arguments))
    result = np.empty((*batch, len(entries)), dtype=DTYPE)
    for k, entry in enumerate(entries):
        result[..., k] = entry
    return result.reshape((*batch, *shape))[()]
'''

# ROBOT and TOLERANCE stand for what it prints.
SELFTEST: Final = '''
def selftest():
    """Compare with golden vectors, one by one and as a batch; returns how many were missed."""
    missed, worst = 0, 0.0
    for function, arguments, expected, allowed in GOLDEN:
        arguments = [np.array(x, dtype=DTYPE) for x in arguments]
        # What takes no argument has no batch.
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

MAIN: Final = """
if __name__ == "__main__":
    raise SystemExit(selftest() != 0)
"""
