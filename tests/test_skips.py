"""Under CI a skipped test is a failure, with and without workers."""

from pathlib import Path

import pytest

from inner_pytest import inner_pytest

FILES = {
    "tests/test_one.py": "import pytest\ndef test_skipped(): pytest.skip()\ndef test_good(): pass",
    "tests/test_file.py": "import pytest\npytest.importorskip('no_such_module')",
    "tests/test_xfail.py": "import pytest\n@pytest.mark.xfail\ndef test_bad(): assert False",
    "src/one.py": '"""\n>>> 1 / 0  # doctest: +SKIP\n"""',
}


@pytest.mark.parametrize("workers", ["0", "2"])
@pytest.mark.parametrize("ci", ["", "true"])
def test_a_skip_fails_under_ci(ci: str, workers: str, tmp_path: Path) -> None:
    done = inner_pytest(tmp_path, FILES, "-n", workers, "--continue-on-collection-errors", CI=ci)
    summary = done.stdout.splitlines()[-1]
    expected = "2 failed, 1 passed, 1 xfailed, 1 error" if ci else "1 passed, 3 skipped, 1 xfailed"
    assert expected in summary, done.stdout
    assert done.returncode == (1 if ci else 0)
