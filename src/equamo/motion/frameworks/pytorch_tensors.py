"""Conversion of user arguments to tensors for an operator, with errors that name the argument."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, final

from ...basics.wording import brief
from ...errors import EvaluationError
from ...mechanics.equations.state_reader import listed
from ...robot.model.state_space import StatePart


@final
@dataclass(frozen=True)
class TensorReader:
    """Reader of one argument of a function: a tensor (…, n) on the CPU or a GPU."""

    torch: Any
    place: str  # name of the function, for messages
    argument: str
    names: tuple[str, ...]  # of the entries
    is_number: bool = False  # passed without the last dimension, of size 1
    quaternions: tuple[tuple[int, int], ...] = ()  # start and end of each

    def read(self, x: Any, dtype: Any, device: Any) -> Any:
        """Check a tensor, and scale its unit quaternions to length 1."""
        if self.is_number and isinstance(x, Real):
            x = self.torch.tensor(float(x), dtype=dtype, device=device)
        self.check(self.argument, x, dtype, device)
        if self.is_number:
            return x.unsqueeze(-1)
        n = len(self.names)
        if x.ndim < 1 or x.shape[-1] != n:
            raise EvaluationError(
                f"{self.place}: {self.argument} must have shape (…, {n}) (entries: "
                f"{listed(self.names) or 'none'}), got {tuple(x.shape)}."
            )
        for (
            start,
            stop,
        ) in self.quaternions:  # x/|x|, whose derivatives are those of the coordinates
            part = x[..., start:stop]
            unit = part / self.torch.linalg.vector_norm(part, dim=-1, keepdim=True)
            x = self.torch.cat([x[..., :start], unit, x[..., stop:]], dim=-1)
        return x

    def dtype(self, x: Any, valid: Sequence[Any]) -> Any:
        """Dtype of a tensor, which must be one of the valid ones."""
        if not isinstance(x, self.torch.Tensor):
            return valid[0]
        if x.dtype not in valid:
            raise EvaluationError(
                f"{self.place}: {self.argument} must have dtype {' or '.join(map(str, valid))}, got "
                f"{x.dtype}; convert it with .to({valid[0]})."
            )
        return x.dtype

    def read_names(
        self, entries: Mapping[str, Any], places: Sequence[int], default: Any, dtype: Any
    ) -> Any:
        """{name: number or tensor} as a tensor (…, n), with default values for the others."""
        columns = [self._column(name, x, dtype, default.device) for name, x in entries.items()]
        shape = broadcast_shape(
            self.torch, self.place, {n: x.shape for n, x in zip(entries, columns, strict=True)}
        )
        new = self.torch.stack([x.expand(shape) for x in columns], dim=-1)
        index = self.torch.tensor(places, dtype=self.torch.int64, device=default.device)
        return default.expand(*shape, len(self.names)).index_copy(-1, index, new)

    def _column(self, name: str, x: Any, dtype: Any, device: Any) -> Any:
        if isinstance(x, Real):
            return self.torch.tensor(float(x), dtype=dtype, device=device)
        what = f"{self.argument}[{name!r}]"
        self.check(what, x, dtype, device, "a number or a tensor")
        return x

    def check(self, what: str, x: Any, dtype: Any, device: Any, kind: str = "a tensor") -> None:
        """Check that something is a tensor of a dtype on a device, the CPU or an NVIDIA GPU."""
        if not isinstance(x, self.torch.Tensor):
            raise EvaluationError(
                f"{self.place}: {what} must be {kind}, got {brief(x)}; use torch.as_tensor."
            )
        if x.layout != self.torch.strided:
            raise EvaluationError(
                f"{self.place}: {what} must be a dense tensor, got {x.layout}; convert it with "
                ".to_dense()."
            )
        if x.dtype != dtype:
            raise EvaluationError(
                f"{self.place}: {what} must have dtype {dtype}, got {x.dtype}; all tensors "
                "of a call must have the same dtype."
            )
        if x.device.type not in ("cpu", "cuda", "meta"):
            raise EvaluationError(
                f"{self.place}: {what} must be on the CPU or a CUDA device, got device {x.device}; move "
                "it with .cpu()."
            )
        if x.device != device:
            raise EvaluationError(
                f"{self.place}: {what} must be on device {device}, got device {x.device}; all tensors "
                "of a call must be on the same device."
            )


def spans(part: StatePart) -> tuple[tuple[int, int], ...]:
    """Places of unit quaternions, which are consecutive coordinates of a joint."""
    return tuple((min(g), max(g) + 1) for g in part.quaternions)


def broadcast_shape(torch: Any, place: str, shapes: Mapping[str, Sequence[int]]) -> Any:
    """Common shape of leading dimensions."""
    try:
        return torch.broadcast_shapes(*shapes.values())
    except RuntimeError:
        each = ", ".join(f"{name} has {tuple(shape)}" for name, shape in shapes.items())
        raise EvaluationError(
            f"{place}: leading dimensions must be compatible, got {each}."
        ) from None
