"""--json: every output follows the schema that `encounter schema --json` publishes, and so does every line of a log."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from encounterlog import schemas
from encounterlog.ask import QUESTIONS
from encounterlog.log import appending as examples
from eventstore.events import EVENT_TYPES, Fact
from tests.encounterlog.json_schema import faults
from tests.encounterlog.support import BREACH, append, encounter, quarrel
from tests.tables import for_each

RECORDED = Path(__file__).parents[2] / "fixtures" / "recordings" / "horror.jsonl"
WORLD = Path(__file__).parents[2] / "fixtures" / "plain" / "foundry" / "version-13"


SCRIPTS = sorted((Path(__file__).parents[2] / "fixtures" / "osric").glob("*.enc"))[:3]


@pytest.fixture(scope="module")
def root() -> dict[str, Any]:
    value: dict[str, Any] = json.loads(encounter("schema", "--json").stdout)
    return value


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("made")
    osric = quarrel(folder / "halvaine.jsonl")
    append(osric, BREACH + '{"event":{"type":"noted","text":"Somebody listens."},"secret":true,"key":"k"}')
    append(osric, '{"type":"amended","event":19,"replacement":{"type":"damage_dealt","target":"halvaine","amount":1}}')
    append(osric, '{"type":"struck","event":22,"reason":"nobody was there"}')
    append(osric, '{"type":"ruling_made","ruling":"waiver","event":21,"decision":"be it so"}')
    plain = folder / "plain.jsonl"
    shutil.copy(RECORDED, plain)
    return [osric, plain]


@pytest.fixture
def logs(folder: Path, made: list[Path]) -> list[Path]:
    return [Path(shutil.copy(log, folder)) for log in made]


def check(value: Any, name: str, root: dict[str, Any]) -> None:
    assert faults(value, root["$defs"][name], root) == []


@pytest.mark.parametrize("words", ["show", "show --all", "audit", "verify", "head"])
def test_an_output_follows_its_schema(logs: list[Path], root: dict[str, Any], words: str) -> None:
    verb, *more = words.split()
    for log in logs:
        done = encounter(verb, log, "--json", *more)
        assert done.exit_code in (0, 1)
        check(json.loads(done.stdout), verb, root)


@pytest.mark.parametrize(("verb", "words"), [("log", ()), ("log", ("--struck",)), ("replay", ())])
def test_each_line_of_a_listing_follows_its_schema(
    logs: list[Path], root: dict[str, Any], verb: str, words: tuple[str]
) -> None:
    for log in logs:
        lines = encounter(verb, log, "--json", *words).stdout.splitlines()
        assert len(lines) > 20
        for line in lines:
            check(json.loads(line), verb, root)


def test_lists_statistics_records_and_explanations_follow_their_schemas(logs: list[Path], root: dict[str, Any]) -> None:
    (logs[0].parent / "diary.jsonl").write_text("Dear diary\n")
    done = encounter("list", logs[0].parent, "--json")
    check(json.loads(done.stdout), "list", root)
    for log in logs:
        check(json.loads(encounter("stats", log, "--json").stdout), "stats", root)
    for log in logs:
        for line in log.read_bytes().splitlines():
            check(json.loads(line), "record", root)
    for question in (("halvaine.hp",), ("brand", "before", "orc-1"), ("finding", "1"), ("orc-1", "cannot", "act")):
        check(json.loads(encounter("why", logs[0], *question, "--json").stdout), "why", root)
    for log, address in ((logs[0], "halvaine.hp"), (logs[0], "order"), (logs[1], "sh1.hp")):
        check(json.loads(encounter("blame", log, address, "--json").stdout), "blame", root)
    for log in logs:
        check(json.loads(encounter("may", log, "--json").stdout), "may", root)
    for expression in ("halvaine.hp < 9", "halvaine.hp > 99"):
        check(json.loads(encounter("first", logs[0], expression, "--json").stdout), "first", root)
    struck = encounter("whatif", logs[0], "--strike", "18", "--json")
    check(json.loads(struck.stdout), "whatif", root)
    check(json.loads(encounter("diff", logs[0], "4", "@20", "--json").stdout), "diff", root)


@for_each("kind", EVENT_TYPES)
def test_the_example_of_a_type_is_a_line_for_append(root: dict[str, Any], kind: type[Fact]) -> None:
    example = json.loads(examples.example_line(kind))
    check(example, "input", root)
    check({"event": example, "secret": True}, "input", root)
    assert faults(example | {"nonsense": 1}, root["$defs"]["input"], root) != []
    own = json.loads(encounter("schema", example["type"], "--json").stdout)
    assert faults(example, own, own) == []


def test_the_schema_has_no_nulls_leads_somewhere_and_is_described(root: dict[str, Any]) -> None:
    for kind in EVENT_TYPES:
        assert '"null"' not in json.dumps(root["$defs"][kind.__name__])

    def references(value: Any) -> list[str]:
        if isinstance(value, dict):
            own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
            return own + [each for one in value.values() for each in references(one)]
        return [each for one in value for each in references(one)] if isinstance(value, list) else []

    wanted = {one.removeprefix("#/$defs/") for one in references(root)}
    assert wanted <= set(root["$defs"])
    help_of_schema = " ".join(encounter("schema", "--help").stdout.split()).replace(" and ", ", ")
    assert ", ".join(name for name in schemas.OUTPUTS if name not in QUESTIONS) in help_of_schema
    assert "of each command that asks a question" in help_of_schema
    assert ", ".join(schemas.OUTPUTS) in root["description"]
    assert {*schemas.OUTPUTS, "record", "input", "event"} <= set(root["$defs"])


def test_imports_runs_copies_and_signatures_follow_their_schemas(root: dict[str, Any], logs: list[Path]) -> None:
    done = encounter("import", "foundry", WORLD, "fight.jsonl", "--json")
    check(json.loads(done.stdout), "import", root)
    found = [json.loads(line) for line in encounter("run", *SCRIPTS, "--json").stdout.splitlines()]
    assert len(found) >= len(SCRIPTS)
    for one in found:
        check(one, "run", root)
    torn = logs[0].with_name("torn.jsonl")
    torn.write_bytes(logs[0].read_bytes()[:-20])
    for place, log in enumerate((*logs, torn)):
        words = ("--withhold", "3", "--withhold", "secret", "--json")
        check(json.loads(encounter("export", "jsonl", log, "--to", f"{place}.out", *words).stdout), "export", root)
        check(json.loads(encounter("import", "jsonl", log, f"{place}.jsonl", "--json").stdout), "import", root)
    key, log = Ed25519PrivateKey.generate(), logs[0]
    Path("gm").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    Path("gm.pub").write_bytes(key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH))
    for to in ((), ("--to", "-")):
        check(json.loads(encounter("sign", log, "--key", "gm", "--json", *to).stdout), "sign", root)
    check(json.loads(encounter("verify", log, "--key", "gm.pub", "--json").stdout), "verify", root)
    check(json.loads(encounter("verify", logs[1], "--key", "gm.pub", "--json").stdout), "verify", root)
