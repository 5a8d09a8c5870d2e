"""Old names still work, and say what they are called now."""

import pytest

from equamo.renamed import renamed


@renamed(smooth="smoothing", width="smoothing")
def run(q: int, smoothing: int = 0) -> tuple[int, int]:
    """Return the arguments."""
    return q, smoothing


def test_a_new_name_gives_no_warning() -> None:
    assert run(1, smoothing=2) == run(1, 2) == (1, 2)  # warnings are errors here


@pytest.mark.parametrize("old", ["smooth", "width"])
def test_an_old_name_works_and_warns(old: str) -> None:
    with pytest.warns(DeprecationWarning, match=rf"run\(\): '{old}' is now 'smoothing'") as caught:
        assert run(1, **{old: 2}) == (1, 2)
    assert caught[0].filename == __file__  # the caller is told, not the decorator


def test_both_names_are_an_error() -> None:
    with pytest.raises(TypeError, match="'smooth' is the old name of 'smoothing'"):
        run(1, smooth=1, smoothing=2)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    with pytest.warns(match="smooth"), pytest.raises(TypeError, match="multiple"):
        run(1, 2, smooth=1)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def test_the_function_is_still_itself() -> None:
    assert run.__name__ == "run"
    assert run.__doc__ == "Return the arguments."
