"""`make test-core`: what needs a missing library or program is sorted out, and nothing else is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core_only import ONE_IN, is_sampled, needs
from inner_pytest import inner_pytest

FILES = {
    "tests/test_library.py": "import no_such_library\ndef test_a(): pass",
    "tests/test_one.py": """
import subprocess, sys
import pytest

def test_good(): pass

def test_library():
    import no_such_library

def test_program():
    subprocess.run(["no-such-program", "-c"])

def test_message():
    with pytest.raises(ValueError) as caught:
        try:
            import no_such_library
        except ImportError:
            raise ValueError("install it") from None
    assert "other" in str(caught.value)

def test_subprocess():
    program = [sys.executable, "-c", "import no_such_library"]
    done = subprocess.run(program, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

def test_handled():
    with pytest.raises(ImportError):
        import no_such_library

def test_fails():
    assert 1 + 1 == 3

def test_file():
    open("no_such_file")

def test_skipped():
    pytest.skip()
""",
}


def test_what_is_missing_is_sorted_out(tmp_path: Path) -> None:
    options = "-n", "2", "-p", "no:cacheprovider", "tests"
    done = inner_pytest(tmp_path, FILES, *options, CI="true", EQUAMO_CORE="1", EQUAMO_TEST_ALL="1")
    assert "3 failed, 2 passed, 5 needs" in done.stdout.splitlines()[-1], done.stdout
    assert "    1 no-such-program\n    4 no_such_library\n" in done.stdout
    assert done.returncode == 1


def test_errors_with_another_cause() -> None:
    with pytest.raises(FileNotFoundError) as missing_file:
        subprocess.run([sys.executable, "-V"], cwd="no_such_folder", check=True)
    assert needs(missing_file.value) is None
    assert (
        needs(ModuleNotFoundError("No module named 'equamo.nothing'", name="equamo.nothing"))
        is None
    )
    assert needs(ImportError("cannot import name 'x' from 'numpy'", name="numpy")) is None
    assert needs(None) is None


def test_the_sample_is_the_same_on_every_platform() -> None:
    names = [f"tests/formats/test_toml.py::test_trees[{k}]" for k in range(400)]
    chosen = [x for x in names if is_sampled(x)]
    assert abs(len(chosen) - 400 / ONE_IN) < 40
    assert [is_sampled(x.replace("/", "\\")) for x in names] == [is_sampled(x) for x in names]
