"""The strategy behind all readers: a valid document, or a new one, and a few edits."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

from fuzz.edits import Edit, edit_bytes, edit_nesting, edit_text, edit_words


def documents(
    seeds: Sequence[bytes], *edits: Edit, anywhere: Sequence[Edit] = (edit_bytes, edit_nesting)
) -> st.SearchStrategy[bytes]:
    """Documents made from `seeds` by up to three of the `edits`; now and then one of `anywhere`."""

    @st.composite
    def document(draw: Any) -> bytes:
        r: Random = draw(st.randoms(use_true_random=False))
        data = r.choice(list(seeds))
        for _ in range(r.choice((1, 1, 1, 0, 2, 2, 3))):
            rare = anywhere and r.random() < 0.08
            data = r.choice(list(anywhere if rare else edits))(data, r)
        return data

    return document()


def texts(seeds: Sequence[bytes], *edits: Edit) -> st.SearchStrategy[bytes]:
    """Documents in a language of words."""
    return documents(seeds, edit_text, edit_words, *edits)
