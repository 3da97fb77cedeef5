"""The HTML replay as a file, and the picture as SVG: what is in them, of what log, and what is refused."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from encounterlog.exporters.html import SCRIPTS, read_source
from projections.rulesets import keys
from tests.encounterlog.attacks import hostile
from tests.encounterlog.fights import log_of_play
from tests.encounterlog.support import append, encounter, log_of, opened, quarrel, shown
from tests.projections.stage import script, scripts

SVG = "{http://www.w3.org/2000/svg}"


class Read(HTMLParser):
    """The elements of a page, each with its attributes and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), []))

    def handle_endtag(self, tag: str) -> None:
        self.elements.append((f"/{tag}", {}, []))  # what follows belongs to what is around it

    def handle_data(self, data: str) -> None:
        if self.elements:
            self.elements[-1][2].append(data)

    def of(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, "".join(text)) for name, attributes, text in self.elements if name == tag]


def exported(log: Path, *words: object) -> str:
    done = encounter("export", "html", log, "--to", log.with_suffix(".html"), *words)
    assert done.exit_code == 0, done.stderr
    return log.with_suffix(".html").read_text()


def data(page: str) -> dict[str, Any]:
    text = next(text for attributes, text in Read(page).of("script") if attributes.get("id") == "data")
    value: dict[str, Any] = json.loads(text)
    return value


def state_at(page: dict[str, Any], place: int) -> dict[str, Any]:
    """Return the state at a place by the differences alone."""
    found: dict[str, Any] = {}
    for changes in page["steps"][: place + 1]:
        for address, value, why in changes:
            name = page["addresses"][address]
            found.pop(name, None)
            if (value, why) != (None, -1):
                found[name] = [value, why]
    return found


# ---------------------------------------------------------------- the page


def test_a_page_loads_nothing_and_its_policy_allows_itself_alone(folder: Path) -> None:
    read = Read(exported(quarrel(folder / "q.jsonl")))
    policy = next(a["content"] for a, _ in read.of("meta") if a.get("http-equiv") == "Content-Security-Policy") or ""
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    script = next(text for attributes, text in read.of("script") if attributes.get("type") == "module")
    for text, directive in ((script, "script-src"), (read.of("style")[0][1], "style-src")):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    named = [a[name] for _, a, _ in read.elements for name in ("src", "href", "action", "data") if a.get(name)]
    assert {each for each in named if not str(each).startswith("#")} == {"data:,"}
    assert not [name for _, a, _ in read.elements for name in a if name.startswith("on") or name == "style"]


def test_the_code_of_the_page_is_small_and_makes_no_markup_of_text() -> None:
    code = "".join(map(read_source, (*SCRIPTS, "page.css", "page.html")))
    assert len(code.encode()) < 300_000
    words = (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "fetch(",
        "import ",
    )
    assert [word for word in words if word in code] == []


@pytest.mark.in_turn(7)
@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in keys() if scripts(key)])
def test_the_data_of_a_page_are_at_most_eight_times_the_log(folder: Path, key: str) -> None:
    for path in scripts(key)[:3]:
        log = log_of_play(folder / f"{path.stem}.jsonl", script(path)[0])
        page = exported(log)
        found = next(text for attributes, text in Read(page).of("script") if attributes.get("id") == "data")
        assert len(found.encode()) <= 8 * log.stat().st_size


def test_the_states_of_a_page_are_those_of_show_with_their_reasons(folder: Path) -> None:
    log = quarrel(folder / "q.jsonl")
    page = data(exported(log))
    for place, (seq, *_) in enumerate(page["events"]):
        view, state = shown(log, "--at", seq), state_at(page, place)
        assert {who: state[f"{who}.hp"][0] for who in view["combatants"]} == {
            who: one["hp"] for who, one in view["combatants"].items()
        }
    page = data(exported(log_of_play(folder / "a.jsonl", script(scripts("definition-master")[-1])[0])))
    many = data(exported(log_of(folder / "b.jsonl", _many(200), "plain")))
    assert many["bases"]
    for each in (page, many):
        for place, base in each["bases"]:
            whole = {each["addresses"][address]: [value, why] for address, value, why in base}
            assert whole == state_at(each, place)
    log = log_of(folder / "two.jsonl", TWICE, "5e")
    page = data(exported(log))
    assert page["weighed"]["bo.hp"] == {"looked_at": [3]}
    whole = json.loads(encounter("why", log, "bo.hp", "--json").stdout)["answers"][0]
    assert whole["weighed"]["looked_at"] == [3]


# ---------------------------------------------------------------- hostile text


TWICE = """\
{"type":"combatant_joined","combatant":"bo","sheet":{"hp":9}}
{"type":"damage_dealt","target":"bo","amount":2}
{"type":"damage_dealt","target":"bo","amount":20}
"""


def test_hostile_text_stands_in_title_and_data_alone_and_escaped(folder: Path) -> None:
    log = hostile(folder / "a.jsonl")
    page = exported(log)
    kinds = [(tag, sorted(attributes)) for tag, attributes, _ in Read(page).elements]
    plain = [(tag, sorted(attributes)) for tag, attributes, _ in Read(exported(opened(folder / "b.jsonl"))).elements]
    assert kinds == plain
    assert not re.findall("[\u2028\u2029\u202a-\u202e\u2066\ufeff]", page)
    words = [event[2] for event in data(page)["events"]]
    assert any("\u2068שלום 26\u2069" in each for each in words)
    assert all(each.count("\u2068") == each.count("\u2069") for each in words)
    assert any("\\u202egpj.exe" in each for each in words)
    root = svg(log)
    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags <= {"svg", "metadata", "title", "desc", "style", "rect", "text", "line", "g", "path"}
    assert not [name for each in root.iter() for name in each.attrib if name.startswith("on") or "href" in name]
    assert any("<img src=x" in (each.text or "") for each in root.iter())


def test_what_players_may_not_see_is_nowhere_in_their_page(folder: Path) -> None:
    log = quarrel(folder / "q.jsonl")
    secret = {"event": {"type": "noted", "text": "A fourth orc waits."}, "secret": True}
    append(log, json.dumps(secret))
    assert "fourth orc" in exported(log)
    log.with_suffix(".html").unlink()
    page = exported(log, "--for", "players")
    assert ("fourth orc" in page, "*withheld*" in page, data(page)["for"]) == (False, True, "players")


# ---------------------------------------------------------------- SVG


def svg(log: Path, *words: object) -> ET.Element:
    done = encounter("export", "svg", log, *words)
    assert done.exit_code == 0, done.stderr
    return ET.fromstring(done.stdout)


def test_a_picture_is_of_the_last_round_or_of_those_that_are_wanted(folder: Path) -> None:
    log = log_of_play(folder / "a.jsonl", script(next(p for p in scripts("osric") if "s12" in p.name))[0])
    titles = [(svg(log, *words).findtext(f"{SVG}title") or "").rpartition(", ")[2] for words in ((), ("--round", "2"))]
    assert titles == ["round 3", "round 2"]
    assert (svg(log, "--round", "1-2").findtext(f"{SVG}title") or "").endswith("round 1 and round 2")
    done = encounter("export", "svg", log, "--round", "9")
    assert (done.exit_code, done.stderr) == (
        2,
        "encounter: no such round: this log has 3 rounds\nhint: encounter log FILE lists every fact\n",
    )


def _many(count: int) -> list[dict[str, Any]]:
    joined = {"type": "combatant_joined", "combatant": "ana", "sheet": {"hp": 900}}
    return [joined, *({"type": "damage_dealt", "target": "ana", "amount": 1 + n % 3} for n in range(count))]


@pytest.mark.slow
def test_a_page_whose_rows_stand_outside_memory_is_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = [log_of_play(folder / f"{key}.jsonl", script(scripts(key)[-1])[0]) for key in keys()]
    again = [{"type": "round_started", "round": number} for number in (1, 2, 3, 1, 2)]
    joined = {"type": "combatant_joined", "combatant": "ana", "sheet": {"hp": 9}}
    logs.append(log_of(folder / "again.jsonl", [joined, *again], "plain"))
    held = {"type": "effect_started", "effect": "haze", "source": "ana", "targets": ["ana"], "concentration": True}
    ends = {"type": "effect_ended", "effect": "haze", "targets": ["ana"]}
    far = [{"type": "round_started", "round": number} for number in (5, 30_000_000, 2)]
    logs.append(log_of(folder / "far.jsonl", [joined, far[0], held, far[1], ends, far[2]], "5e"))
    whole = [data(exported(log)) for log in logs]
    monkeypatch.setattr("encounterlog.exporters.html.rows.KEPT", 1)
    monkeypatch.setattr("eventstore.spool.GROUP", 2)
    for log, page in zip(logs, whole, strict=True):
        log.with_suffix(".html").unlink()
        assert data(exported(log)) == page, log.name
