"""The law of non-interference for every ruleset: a fight of each, some of whose facts are secret, and others in their places."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import structs, to_builtins

from eventstore import jsonl
from eventstore.events import CombatantJoined, EncounterOpened, Event
from eventstore.form import event_of, read_json
from eventstore.record import Draft
from projections.proving.enc import parse
from projections.proving.proof import records_of
from projections.rulesets import find
from tests.encounterlog.golden_exports import FIGHTS
from tests.encounterlog.service.interference import AT, followed, masked
from tests.encounterlog.service.interference_of_rulesets import asked, sent
from tests.encounterlog.service.served import Served
from tests.hidden import named, schema_names

FACTS = (
    '{"type":"noted","text":"x"}', '{"type":"struck","event":5}', '{"type":"round_ended"}', '{"type":"round_started","round":9}',
    '{"type":"ruling_made","ruling":"reveal","decision":"seen","event":4}', '{"type":"effect_started","effect":"sleep","targets":["WHO"]}',
    '{"type":"checked","values":{"WHO.hp":3}}', '{"type":"damage_dealt","target":"WHO","amount":99}',
    '{"type":"amended","event":6,"replacement":{"type":"noted","text":"y"}}',
)  # fmt: skip
"""What may be secret besides facts of the fight itself."""


def fight_of(key: str) -> list[Event]:
    play = parse(FIGHTS[key].read_bytes(), FIGHTS[key].name)[0]
    first, *events = [record.event for record in records_of(play) if record.event is not None]
    assert isinstance(first, EncounterOpened)
    options = {each.name: each.values[0] for each in find(key).catalogue().option} | first.options
    return [structs.replace(first, encounter="0123456789abcdef", options=options), *events]


def people(events: Sequence[Event]) -> list[str]:
    return [event.combatant for event in events if isinstance(event, CombatantJoined)]


def answers(client: httpx.Client, name: str, who: str, other: str, last: int) -> Iterator[tuple[str, Any]]:
    """Yield what a player is answered: reading, following, writing, and reading again."""
    base = str(client.base_url)
    for question in asked(who, other, last):
        place = question.replace("/e/NAME", base.replace(f"/v1/encounters/{name}/", f"/e/{name}"))
        yield question, masked(client.get(place))
    yield "events", list(followed(client, last))
    for place, value in sent(who, other):
        yield f"{place} {value}", masked(client.post(place, json=value))
    for question in ("show", "audit", "log"):
        yield f"{question} after", masked(client.get(question))


def seen(server: Served, name: str, events: Sequence[Event], secret: dict[int, Any], token: str) -> dict[str, Any]:
    """Return what a player is answered of a log in which some facts are secret."""
    path: Path = server.folder / f"{name}.jsonl"
    path.unlink(missing_ok=True)
    chance = random.Random(7)
    made = [Draft(secret.get(place, event), secret=place in secret) for place, event in enumerate(events)]
    store = jsonl.create(path, made[:1], by="gm", at=AT, entropy=chance.randbytes)
    for draft in made[1:]:
        store.append([draft], by="gm", at=AT, mode="flushed")
    store.close()
    first, other, *_ = people(events)
    with server.client(token, name) as client:
        return dict(answers(client, name, first, other, len(events)))


@pytest.mark.in_turn(6)
@pytest.mark.slow
@pytest.mark.parametrize("key", FIGHTS)
def test_a_player_of_any_ruleset_cannot_tell_secrets_apart(server: Served, key: str, whole: bool) -> None:
    events, name = fight_of(key), f"law-{key}"
    who = people(events)[0]
    token, _ = server.token("player", name, combatants=(who,), by="Ann", writes=True)
    further: list[Any] = [event_of(read_json(fact.replace("WHO", who).encode())) for fact in FACTS]
    further += map(named, random.Random(key).sample(schema_names([*events]), len(further)))
    # a joining stays public: who joins in secret in one of the logs, and never in the other, is named by what is public in both
    told = [place for place, event in enumerate(events) if place and not isinstance(event, CombatantJoined)]
    for turn in range(10 if whole else 1):
        chance = random.Random(f"{key} {turn}")
        places = chance.sample(told, 4)
        pairs = [(place, chance.choice(events[1:]), chance.choice(further)) for place in places]
        one, two = (seen(server, name, events, {pair[0]: pair[side] for pair in pairs}, token) for side in (1, 2))
        for question, found in one.items():
            assert found == two[question], (question, [(place, *map(to_builtins, both)) for place, *both in pairs])


@pytest.mark.slow
def test_who_sees_secrets_can_tell_them_apart(server: Served) -> None:
    events, token = fight_of("plain"), server.token("gm", "law-gm")[0]
    place = len(events) - 2
    notes = (event_of(read_json(f'{{"type":"noted","text":"{text}"}}'.encode())) for text in ("this", "that"))
    one, two = (seen(server, "law-gm", events, {place: each}, token) for each in notes)
    assert {"log", "records", "events", "/e/NAME/data"} <= {
        question for question in one if one[question] != two[question]
    }
