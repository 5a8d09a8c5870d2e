"""Immutable mappings, so that checked data stays valid."""

from __future__ import annotations

from collections.abc import (
    Callable,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    ValuesView,
)
from types import MappingProxyType
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class ReadOnly(Mapping[K, V]):
    """Immutable copy of a mapping; it can be copied, pickled and merged with `|`.

    >>> table = ReadOnly({"m": 1})
    >>> table["m"] = 2
    Traceback (most recent call last):
      ...
    TypeError: 'ReadOnly' object does not support item assignment
    >>> table | {"l": 3}
    {'m': 1, 'l': 3}
    """

    __slots__ = ("_table",)

    def __init__(self, table: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        self._table: Mapping[K, V]
        object.__setattr__(self, "_table", MappingProxyType(dict(table)))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed; change a copy, dict(…).")

    def __getitem__(self, key: K) -> V:
        return self._table[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    # Views of the table itself, because those of Mapping call __getitem__ for each item.
    def keys(self) -> KeysView[K]:
        return self._table.keys()

    def values(self) -> ValuesView[V]:
        return self._table.values()

    def items(self) -> ItemsView[K, V]:
        return self._table.items()

    # From the table, so that a subclass may raise its own error for a missing key.
    def __contains__(self, key: object) -> bool:
        return key in self._table

    def get(self, key: K, default: Any = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self._table.get(key, default)

    def __or__(self, other: Mapping[Any, Any]) -> dict[Any, Any]:
        return {**self, **other} if isinstance(other, Mapping) else NotImplemented  # pyright: ignore

    def __ror__(self, other: Mapping[Any, Any]) -> dict[Any, Any]:
        return {**other, **self} if isinstance(other, Mapping) else NotImplemented  # pyright: ignore

    def __repr__(self) -> str:
        return repr(dict(self._table))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return type(self), (dict(self._table),)
