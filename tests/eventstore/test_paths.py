import py_compile
import zipfile
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from pkgutil import iter_modules

import pytest
from hypothesis import given, strategies as st

from eventstore.errors import Malformed
from eventstore.jsonl import JsonlStore
from eventstore.paths import modules_in, plain_path

PATHS = st.text("a./~ü", max_size=12) | st.lists(st.sampled_from(["", ".", "..", "a", ".b", "c.d"])).map("/".join)


@given(PATHS.filter(lambda text: text and not text.endswith(("/", "/."))))
def test_a_path_as_text_is_the_text_of_the_path(text: str) -> None:
    assert plain_path(text) == plain_path(Path(text)) == str(Path(text))


@pytest.mark.parametrize("take", [plain_path, JsonlStore])
def test_an_empty_text_names_no_file(take: Callable[[str], object]) -> None:
    with pytest.raises(Malformed, match="no file name given"):
        take("")


def test_the_modules_of_a_package_are_those_that_python_finds(tmp_path: Path) -> None:
    """Compiled ones without source, extensions, packages in it; and all of them in an archive as well."""
    package = tmp_path / "game"
    for name in ("__init__.py", "acts.py", "inner/__init__.py", "inner/deep.py", "data/table.py", "a-b.py"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text("")
    py_compile.compile(str(package / "acts.py"), str(package / "turns.pyc"))
    py_compile.compile(str(package / "__init__.py"))  # its copy stands in __pycache__, and makes no package of that
    for name in (f"fast{EXTENSION_SUFFIXES[0]}", "slow.so", "rules.toml", ".hidden.py"):
        (package / name).write_bytes(b"")
    assert modules_in(str(package)) == ["a-b", "acts", "fast", "inner", "slow", "turns"]
    assert modules_in(str(package)) == sorted(found.name for found in iter_modules([str(package)]))
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.write(package / "acts.py", "game/acts.py")
    assert modules_in(str(tmp_path / "games.zip" / "game")) == ["acts"]
