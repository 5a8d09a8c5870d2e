"""No module is over 400 lines."""

from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
LIMIT = 400


def too_long(root: Path) -> dict[str, int]:
    sizes = {
        str(path.relative_to(root)): len(path.read_text(encoding="utf-8").splitlines())
        for path in root.rglob("*.py")
    }
    return {name: size for name, size in sizes.items() if size > LIMIT}


def test_no_module_is_over_the_limit() -> None:
    assert not too_long(SOURCE)


def test_a_long_module_is_found(tmp_path: Path) -> None:
    (tmp_path / "short.py").write_text("x = 1\n" * LIMIT)
    (tmp_path / "long.py").write_text("x = 1\n" * (LIMIT + 1))
    assert too_long(tmp_path) == {"long.py": LIMIT + 1}
