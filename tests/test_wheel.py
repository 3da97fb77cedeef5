"""What is installed has its data with it: rulebooks, the demonstration, type markers."""

import subprocess
import sys
import venv
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
        *(f"rulesets/fifth_edition/srd/{each}" for each in ("2014/monsters.jsonl", "2024/spells.jsonl")),
        *(f"rulesets/{folder.name}/rules.toml" for folder in RULEBOOKS),
        *(f"rulesets/{path.parents[1].name}/rulebook/{path.name}" for one in RULEBOOKS for path in one.rglob("*.enc")),
    ],
    "encounterlog": ["py.typed", "cli/quarrels.toml", "importers/foundry.py", "ruleset_tools/template/pyproject.toml"],
}


@pytest.mark.parametrize("package", DATA)
def test_a_package_has_its_data_and_a_ruleset_its_rulebook_beside_it(package: str) -> None:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    missing = [name for name in DATA[package] if not (Path(spec.origin).parent / name).is_file()]
    assert missing == []
    assert all([*folder.glob("rulebook/*.enc")] for folder in RULEBOOKS)


@pytest.mark.slow
def test_the_wheel_holds_the_three_packages_and_nothing_else(tmp_path: Path) -> None:
    build = pytest.importorskip(
        "hatchling.builders.wheel", reason="hatchling is not installed: pip install '.[test-full]'"
    )
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
    assert "projections/language/sentences.json" in names


@pytest.mark.in_turn(3)
@pytest.mark.slow
def test_a_started_ruleset_is_proven_in_an_empty_environment(tmp_path: Path) -> None:
    pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed: pip install '.[test-full]'")
    if not (ROOT / "pyproject.toml").exists():
        pytest.skip("run against a wheel, away from the source")
    venv.create(tmp_path / "venv")
    python, encounter = (tmp_path / "venv" / "bin" / name for name in ("python", "encounter"))
    pip = (sys.executable, "-m", "pip", "--quiet", "--python", python)
    build = ("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir")
    run(tmp_path, *pip[:4], *build, tmp_path / "dist", ROOT, ROOT / "cli" / "plugins" / "encounterlog-rulelab")
    run(tmp_path, *pip, "install", "--no-compile", *(tmp_path / "dist").glob("*.whl"), "pytest")
    run(tmp_path, encounter, "rules", "--start", "rope-duel", tmp_path / "game")
    run(tmp_path, *pip[:4], *build, tmp_path / "own", tmp_path / "game")
    run(tmp_path, *pip, "install", "--no-compile", *(tmp_path / "own").glob("*.whl"))
    (tmp_path / "game" / "rope_duel").rename(tmp_path / "game" / "away")  # what is tested is what was installed
    assert "4 passed" in run(tmp_path / "game", python, "-m", "pytest", "-q", "tests")
    for proof in (["--uncovered"], ["--unnoticed"], ["--unnoticed", "--places"], ["--reasons", "--plays"]):
        run(tmp_path, encounter, "rules", "rope-duel", *proof)


def run(folder: Path, *words: object) -> str:
    """Run a command that has to succeed, with nothing of this environment, and return what it prints."""
    clean = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
    done = subprocess.run(list(map(str, words)), cwd=folder, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}"
    return done.stdout
