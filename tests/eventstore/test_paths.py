import py_compile
import re
import zipfile
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from pkgutil import iter_modules

import pytest
from hypothesis import given, strategies as st

from eventstore.errors import Malformed, NotThere
from eventstore.jsonl import JsonlStore
from eventstore.paths import beside, ending_in, folder_of, modules_in, name_of, plain

PATHS = st.text("a./~ü", max_size=12) | st.lists(st.sampled_from(["", ".", "..", "a", ".b", "c.d"])).map("/".join)


@given(PATHS.filter(lambda text: text and not text.endswith(("/", "/."))))
def test_a_path_as_text_is_the_text_of_the_path(text: str) -> None:
    assert plain(text) == plain(Path(text)) == str(Path(text))


@pytest.mark.parametrize("take", [plain, JsonlStore])
@pytest.mark.parametrize("text", ["ford.jsonl/", "ford.jsonl//", "ford.jsonl/.", "./", "/"])
def test_a_path_that_only_a_folder_can_have_is_none_of_a_file(take: Callable[[str], object], text: str) -> None:
    with pytest.raises(Malformed, match=f"address: {re.escape(text)} names a folder"):
        take(text)


@pytest.mark.parametrize("take", [plain, JsonlStore])
def test_an_empty_text_names_no_file(take: Callable[[str], object]) -> None:
    with pytest.raises(Malformed, match="no file name given"):
        take("")


@given(PATHS)
def test_folder_and_name_of_a_file_are_those_of_its_path(text: str) -> None:
    path = Path(text) / "ford.jsonl"
    assert (folder_of(str(path)), name_of(str(path))) == (str(path.parent), path.name)
    assert beside(str(path), "other") == beside(path, "other") == str(path.with_name("other"))
    assert ending_in(path, ".json") == str(path.with_suffix(".json"))


@pytest.mark.parametrize("text", ["./none.jsonl", "././none.jsonl"])
def test_a_store_calls_its_file_by_its_path_without_needless_parts(text: str) -> None:
    store = JsonlStore(text)
    assert store.path == Path("none.jsonl")
    with pytest.raises(NotThere, match=r"^none.jsonl: is not there"):
        store.head()


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
