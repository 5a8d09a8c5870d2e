"""Conversion of states that users pass to arrays; the only place that looks at such arguments.

An argument is a sequence, an array (n,), a batch (N, n) in any order and with any strides, or
{name: number} with the others at home, where a number may be N numbers for a batch. There are two
levels:

    read                     checks names, shapes and dtypes only: for compiled functions
    read_state, read_states  also accept exact numbers and text such as "pi/2"; all must be finite, and
                             unit quaternions are normalised: for simulate, linearize, pictures …
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, Final, cast, final

from ...algebra.arrays import NDArray, np
from ...algebra.expr import Expr
from ...basics.wording import brief, counted, with_article
from ...errors import EvaluationError, UnknownEntryError
from ...robot.model.arguments import number
from ...robot.model.state_space import StatePart
from ...robot.model.unit_quaternions import OFF

Array = NDArray[Any]
Floats = NDArray[np.float64]

KINDS: Final = {
    "U": "text",
    "S": "bytes",
    "O": "objects",
    "c": "complex numbers",
}  # not real numbers
NUMBERS: Final = "biuf"  # kinds of dtypes that are real numbers
SHOWN: Final = 8  # most names in a message


@final
@dataclass(frozen=True, slots=True)
class Reader:
    """Reader of one argument of a function.

    >>> from equamo.robot.library import load
    >>> Reader("simulate", load("rr_arm").state_space.q).read({"q2": 0.5})
    array([0. , 0.5])
    """

    place: str  # name of the function, for messages
    part: StatePart
    argument: str = ""  # name of the argument, if it differs from that of the part
    exact: bool = False  # whether Fractions, expressions without symbols and text are accepted

    @property
    def name(self) -> str:
        return self.argument or self.part.argument

    # -- names, shapes and dtypes ----------------------------------------------------------------------
    def default(self) -> Floats:
        """Home values; NaN for a parameter without a value."""
        return np.array([np.nan if x is None else x for x in self.part.numbers])

    def read(self, value: Any) -> Array:
        """Read an array (n,) or (N, n); None is an error here."""
        if isinstance(value, Mapping):
            return self.read_names(cast(Mapping[Any, Any], value))
        array = self._numbers(value, self.name)
        if array.ndim not in (1, 2) or array.shape[-1] != self.part.size:
            raise self.shape_error(array.shape)
        return array

    def read_or_home(self, value: Any) -> Array:
        """Read an array (n,) or (N, n), with home values for None."""
        return self.default() if value is None else self.read(value)

    def read_names(self, entries: Mapping[Any, Any]) -> Floats:
        """Read {name: number} as (n,), or as (N, n) if a name has N numbers."""
        columns: dict[int, Array] = {}
        for key, x in entries.items():
            name = self.entry(key)
            column = self._numbers(x, f"{self.name}[{name!r}]")
            if column.ndim > 1:
                raise EvaluationError(
                    f"{self.place}: {self.name}[{name!r}] must be a number, or N numbers for a batch, "
                    f"with shape () or (N,), got {column.shape}."
                )
            columns[self.part.position[name]] = column
        names = self.part.names
        size = batch_size(self.place, {names[i]: x for i, x in columns.items()}, ndim=1)
        filled = np.empty((*(() if size is None else (size,)), self.part.size))
        filled[...] = self.default()
        for i, column in columns.items():
            filled[..., i] = column
        return filled

    def table(self, value: Any) -> Mapping[Any, Any]:
        """Return an argument {name: number}, empty for None, before its names are checked."""
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            entry = with_article(self.part.kind)
            raise EvaluationError(
                f"{self.place}: {self.name} must be {{name of {entry}: number}}, got {brief(value)}."
            )
        return cast(Mapping[Any, Any], value)

    def names_of(self, entries: Mapping[Any, Any]) -> list[str]:
        """Names of the entries in an argument {name: number}."""
        return [self.entry(key) for key in entries]

    def entry(self, key: Any) -> str:
        """Name of an entry, from text or a symbol; an error suggests the nearest names."""
        name = key.name if isinstance(key, Expr) else key
        if not isinstance(name, str) or name not in self.part.position:
            raise UnknownEntryError(
                self.part.kind, name, self.part.names, f"{self.name} of {self.place}"
            )
        return name

    def read_given(self, value: Any) -> dict[str, float]:
        """Read {name: finite number} of the named entries, without home values."""
        table = self.table(value)
        names, array = self.names_of(table), self.read_names(table)
        if array.ndim != 1:
            raise EvaluationError(
                f"{self.place}: {self.name} must have one number per {self.part.kind}, got a batch of "
                f"{len(array)}."
            )
        numbers = {n: float(array[self.part.position[n]]) for n in names}
        for n, x in numbers.items():
            if not isfinite(x):
                raise self._not_finite(n, x)
        return numbers

    # -- finite numbers and unit quaternions -----------------------------------------------------------
    def read_state(self, value: Any, advice: str = "") -> Floats:
        """Read one state (n,), home for None: finite, with unit quaternions."""
        array = self.read_or_home(value)
        if array.ndim != 1:
            raise EvaluationError(
                f"{self.place}: {self.name} must be one state of shape ({self.part.size},), got "
                f"{array.shape}{advice and '; '}{advice}."
            )
        return self.unit_length(self.finite(array))

    def read_states(self, value: Any) -> Floats:
        """Read one state (n,) or a batch (N, n), home for None: finite, with unit quaternions."""
        return self.unit_length(self.finite(self.read_or_home(value)))

    def finite(self, array: Array) -> Floats:
        """Convert an array to float64 and check that it is finite; the last axis has the names."""
        bad = np.argwhere(~np.isfinite(array))
        if len(bad):
            *row, k = (int(i) for i in bad[0])
            which = f" in row {', '.join(map(str, row))}" if row else ""
            raise self._not_finite(self.part.names[k], float(array[tuple(bad[0])]), which)
        return native(array, "float64")

    def unit_length(self, array: Array) -> Floats:
        """Copy with quaternions normalised; an error if one was not nearly of length 1."""
        result = np.array(array, dtype=np.float64)
        rows = np.atleast_2d(result)  # a view
        for group in self.part.quaternions:
            columns = list(group)
            if not len(rows):
                break
            length = np.linalg.norm(rows[:, columns], axis=1)
            worst = int(np.argmax(np.abs(length - 1)))
            if not abs(length[worst] - 1) <= OFF:
                names = ", ".join(self.part.names[k] for k in columns)
                which = f" in row {worst}" if array.ndim == 2 else ""
                raise EvaluationError(
                    f"{self.place}: the quaternion ({names}){which} must have length 1, got "
                    f"{length[worst]:.6g}."
                )
            rows[:, columns] /= length[:, None]
        return result

    # -- messages --------------------------------------------------------------------------------------
    def shape_error(self, shape: Sequence[int]) -> EvaluationError:
        """Error for a wrong shape, with the valid shape and its entries."""
        return EvaluationError(
            f"{self.place}: {self.name} must have {self._sizes()}, got {tuple(shape)}."
        )

    def _not_finite(self, name: str, x: float, which: str = "") -> EvaluationError:
        return EvaluationError(
            f"{self.place}: {self.name}[{name!r}]{which} must be a finite number, got {x}."
        )

    def _sizes(self) -> str:
        n = self.part.size
        return f"shape ({n},) or (N, {n}) (entries: {listed(self.part.names) or 'none'})"

    # -- numbers ---------------------------------------------------------------------------------------
    def _numbers(self, value: Any, what: str) -> Array:
        """Convert to real numbers: float32 stays, anything else becomes float64."""
        if isinstance(value, np.ma.MaskedArray):
            raise EvaluationError(
                f"{self.place}: {what} must not be a masked array; fill its masked entries first."
            )
        try:
            array: Array = np.asarray(value)
        except Exception as error:  # a user's object can raise anything when it is read
            raise EvaluationError(
                f"{self.place}: {what} cannot be read as numbers: {type(value).__name__} "
                f"({error!s:.80})."
            ) from error
        if self.exact and array.dtype.kind in "OU":
            array = self._exact(value, array, what)
        if array.dtype.kind not in NUMBERS:
            raise self._not_numbers(value, array, what)
        single = array.dtype.kind == "f" and array.dtype.itemsize == 4
        return native(array, "float32" if single else "float64")

    def _exact(self, value: Any, array: Array, what: str) -> Floats:
        """Convert exact numbers and text to floats."""
        numbers = np.empty(array.shape)
        for place, x in np.ndenumerate(array):
            try:
                numbers[place] = x if isinstance(x, float) else float(number(what, x))
            except Exception:  # a user's object can raise anything
                if isinstance(x, (int, Fraction)):
                    raise EvaluationError(
                        f"{self.place}: {what} must be below 1.8e308 in magnitude."
                    ) from None
                raise self._not_numbers(value, array, what) from None
        return numbers

    def _not_numbers(self, value: Any, array: Array, what: str) -> EvaluationError:
        sizes = "" if what != self.name else f" with {self._sizes()}"
        number = "real numbers" if what == self.name else "a real number, or N real numbers"
        return EvaluationError(
            f"{self.place}: {what} must be {number}{sizes}, got {brief(value)} "
            f"({KINDS.get(array.dtype.kind, array.dtype)})."
        )


def native(array: Array, dtype: str) -> Array:
    """Convert an array to the native form of a dtype; no copy if it already has it."""
    if array.dtype == dtype and array.dtype.isnative and array.flags.aligned:
        return array
    with np.errstate(all="ignore"):
        return array.astype(dtype)


def batch_size(place: str, arrays: Mapping[str, Array], ndim: int = 2) -> int | None:
    """Size N of a batch; None for one state. An array with fewer axes is used for every state."""
    sizes = {name: x.shape[0] for name, x in arrays.items() if x.ndim == ndim}
    if len(set(sizes.values())) > 1:
        each = ", ".join(f"{name} has {n}" for name, n in sizes.items())
        raise EvaluationError(
            f"{place}: batches must have the same size, got different sizes: {each}."
        )
    return next(iter(sizes.values()), None)


def listed(names: Sequence[str]) -> str:
    """Write the first names of a state."""
    return ", ".join(names[:SHOWN]) + " …" * (len(names) > SHOWN)


def no_value(
    place: str, robot: str, names: Iterable[str], advice: str = "pass values={}"
) -> EvaluationError:
    """Error for all parameters without a value; `{}` in the advice stands for the values.

    `robot` is empty for expressions without a robot.

    >>> str(no_value("simulate", "arm", ["l"]))
    "simulate: no value for 1 parameter of robot 'arm': 'l'; pass values={'l': …}."
    """
    missing, of = list(names), f" of robot {robot!r}" if robot else ""
    quoted = ", ".join(map(repr, missing))
    values = ", ".join(f"{n!r}: …" for n in missing[:3]) + ", …" * (len(missing) > 3)
    return EvaluationError(
        f"{place}: no value for {counted(len(missing), 'parameter')}{of}: {quoted}; "
        f"{advice.replace('{}', f'{{{values}}}')}."
    )
