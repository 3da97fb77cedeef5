"""A log in which every text is an attack on whoever reads an export of it, for the tests of all formats."""

import json
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

from encounterlog.log import opening
from eventstore.errors import Malformed
from eventstore.events import EVENT_TYPES, Correction, EncounterClosed, EncounterOpened
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS, REFERENCE_FIELDS
from eventstore.record import Draft
from projections.rulesets import find
from tests.eventstore.logs import example

ATTACKS = (
    "</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>", '"><svg onload=alert(3)>', "' onmouseover='alert(4)",
    "[a](javascript:alert(5))", "javascript:alert(6)", "![a](https://evil.example/7.png)", "https://evil.example/8", "discord.gg/evil9",
    "@everyone @here <@10> <@&10> <#10> </x:10>", '=HYPERLINK("https://evil.example/11";"a")', "+cmd|' /C calc'!A12", "-2+3+cmd|' /C calc'!A13",
    "@SUM(1+14)*cmd|' /C calc'!A14", "\t=1+15", "\r\n=1+16", "|a|b|17|", 'a\n# Owned 18\n\n---\nhead: "1:' + "0" * 64 + '"', "```\n-----\n19",
    "^e-0001 [[note20]] ![[embed20]] %%20%% <% tp.20 %> $= 20", "\u202egpj.exe21\u2066", "\x1b[31mred22\x07", "../../../etc/passwd23",
    "C:\\con\\24\u0000", "{{24}} ${24} #{24}", "[[/roll 25d6]] @UUID[Actor.25] &Reference[x25]", "שלום 26", "-# head 1:" + "1" * 64,
    "*a* _b_ ~~c~~ ||d|| `e` ==f== 28", "<!--29--><![CDATA[29]]>", "&lt;b&gt;30&#x41;", "😀" * 40 + "31", "\ufeff\u200b32", "1. a 33", "- 34",
)  # fmt: skip
TITLE = "</title><script>alert('title')</script>"


def facts() -> list[dict[str, Any]]:
    """Return facts of every type, each attack in turn in every place where text may stand, and as a name."""
    attacks = cycle(ATTACKS)
    found = [
        _joined("ana", ATTACKS[0], "party"),
        _joined("bo", ATTACKS[1], "orcs"),
        {"type": "round_started", "round": 1},
    ]
    for place, attack in enumerate(ATTACKS):
        who = f"x{place}"
        found += [_joined(who, attack, "party" if place % 2 else "orcs")]
        found += [{"type": "turn_started", "combatant": who}]
        found += [{"type": "action_taken", "combatant": who, "action": {"kind": "attack", "name": attack}}]
        found += [{"type": "damage_dealt", "target": "ana", "amount": 1, "source": who, "cause": -1}]
        found += [{"type": "condition_gained", "condition": attack, "targets": [who], "source": who}]
        found += [{"type": "noted", "text": attack}]
    for kind in EVENT_TYPES:
        if kind not in (EncounterOpened, EncounterClosed, *Correction.__args__):
            fact = json.loads(example(kind))
            found.append(_attacked(fact, attacks) | {name: -1 for name in REFERENCE_FIELDS if name in fact})
    return [fact for fact in found if fact.get("round", 1) == 1]


def _joined(who: str, name: str, side: str) -> dict[str, Any]:
    return {"type": "combatant_joined", "combatant": who, "name": name, "side": side, "sheet": {"hp": 99}}


def _attacked(fact: dict[str, Any], attacks: Iterator[str]) -> dict[str, Any]:
    """Return a fact with attacks for texts, where it is a fact then, and ana for everybody."""
    for name, value in fact.items():
        if name in ID_FIELDS:
            fact[name] = "ana" if name != "side" else "party"
        elif name in ID_LIST_FIELDS:
            fact[name] = ["party"] if name == "sides" else ["ana"]
        elif isinstance(value, str) and name != "type" and _is_fact(fact | {name: "x y"}):
            fact[name] = next(attacks)
    return fact


def _is_fact(fact: dict[str, Any]) -> bool:
    try:
        opening.parse_event(fact)
    except Malformed:
        return False
    return True


def hostile(path: Path, *, secret: bool = False) -> Path:
    """Make a log of attacks; with `secret` the notes are."""
    head = opening.make_opening(find("plain"), TITLE, {})
    drafts = [Draft(opening.parse_event(fact), secret=secret and fact["type"] == "noted") for fact in facts()]
    opening.create_log(str(path), [head, *drafts], "gm")
    return path
