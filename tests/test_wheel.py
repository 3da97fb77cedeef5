"""What is installed has its data with it: rulebooks, the demonstration, type markers."""

import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

import projections
from projections.rulesets import RULESETS, package_of

ROOT = Path(__file__).parents[1]
RULEBOOKS = [Path(str(projections.__file__)).parent / "rulesets" / package_of(key) for key in RULESETS]
DATA = {
    "eventstore": ["py.typed"],
    "projections": [
        *("py.typed", "judging/log.toml"),
        *(f"rulesets/{folder.name}/rules.toml" for folder in RULEBOOKS),
        *(f"rulesets/{path.parents[1].name}/rulebook/{path.name}" for one in RULEBOOKS for path in one.rglob("*.enc")),
    ],
    "encounterlog": ["py.typed", "demo/quarrel.jsonl", "demo/breach.jsonl", "importers/fireball/transcription.py"],
}


@pytest.mark.parametrize("package", DATA)
def test_a_package_has_its_data_beside_it(package: str) -> None:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    missing = [name for name in DATA[package] if not (Path(spec.origin).parent / name).is_file()]
    assert missing == []


@pytest.mark.parametrize("folder", RULEBOOKS, ids=lambda folder: folder.name)
def test_a_ruleset_has_its_rulebook_beside_it(folder: Path) -> None:
    assert list(folder.glob("rulebook/*.enc"))


def test_the_wheel_holds_the_three_packages_and_nothing_else(tmp_path: Path) -> None:
    build = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed")
    if not (ROOT / "pyproject.toml").exists():
        pytest.skip("run against a wheel, away from the source")
    (path,) = build.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = zipfile.ZipFile(path).namelist()
    tops = {name.partition("/")[0] for name in names if ".dist-info" not in name}
    assert tops == set(DATA)
    for package, files in DATA.items():
        assert {f"{package}/{name}" for name in files} <= set(names)
    assert not [name for name in names if "__pycache__" in name]
    tables = [name for name in names if name.startswith("projections/") and name.endswith(".toml")]
    assert {name.replace(".toml", ".json") for name in tables} <= set(names)
