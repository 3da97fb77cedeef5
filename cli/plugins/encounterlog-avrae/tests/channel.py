"""Small combats of our own, in rows as the bot would have recorded them."""

import json
from copy import deepcopy
from typing import Any

from encounterlog.importers.games import PLAIN, Game
from encounterlog.importers.transcript import Transcript
from encounterlog.log.opening import parse_event as event_of
from encounterlog.words.facts import fact_sentence
from encounterlog_avrae.recordings import read

Row = dict[str, Any]


class Channel:
    """Rows as the bot would have recorded them."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.list: list[Row] = []
        self.round = 0
        self.current: int | None = None

    def row(self, kind: str, **fields: Any) -> None:
        self.rows.append({"combat_id": "c", "event_type": kind, "timestamp": 1.5 + len(self.rows), **fields})

    def message(self, content: str, bot: bool = False, embeds: tuple[Row, ...] = (), number: int = 0) -> None:
        self.row("message", message_id=number, author_bot=bot, content=content, embeds=list(embeds))

    def say(self, content: str, *embeds: Row) -> None:
        """Let the bot say something."""
        self.message(content, bot=True, embeds=embeds, number=1000 + len(self.rows))

    def run(self, caster: Row, results: list[Row], number: int, targets: tuple[Row, ...] = ()) -> None:
        """Let the bot run an automation with these results on each target."""
        each = [{"type": "target_iteration", "target_id": one["id"], "results": results} for one in targets]
        result = {"type": "root", "children": [{"type": "target", "results": each}]}
        sides = {"caster": deepcopy(caster), "targets": deepcopy(list(targets))}
        self.row("automation_run", interaction_id=number, automation_result=result, **sides)

    def state(self, number: int) -> None:
        seen = "\n".join(f"  {one['init']:>2}: {one['name']} {one['seen']}" for one in self.list)
        data = {"combatants": deepcopy(self.list), "round": self.round, "current": self.current}
        self.row("combat_state_update", probable_interaction_id=number, data=data, human_readable=f"```md\n{seen}```")

    def command(self, name: str, content: str, number: int, state: bool = True, caster: Row | None = None) -> None:
        self.message(content, number=number)
        if state:
            self.state(number)
        self.row("command", message_id=number, content=content, command_name=name, caster=caster)

    def join(self, name: str, init: int, hp: int = 20, kind: str = "monster", number: int = 1) -> Row:
        one = {
            "name": name,
            "id": f"id of {name}",
            "type": kind,
            "init": init,
            "effects": [],
            "seen": f"<{hp}/{hp} HP>",
        }
        self.list = sorted([*self.list, one], key=lambda other: -int(other["init"]))
        self.command("init madd", f"!i madd {name}", number)
        return one

    def read(self, game: Game = PLAIN) -> Transcript:
        return read([json.dumps(row) for row in self.rows], game=game)


def two() -> tuple[Channel, Row, Row]:
    channel = Channel()
    ada, orc = channel.join("Ada", 15, kind="player"), channel.join("Orc 1", 9)
    return channel, ada, orc


def last(channel: Channel) -> tuple[dict[str, Any], Transcript]:
    transcript = channel.read()
    found = [fact.event for fact in transcript.facts if fact.event["type"] != "checked"]
    return found[-1], transcript


def events(transcript: Transcript, kind: str) -> list[dict[str, Any]]:
    return [fact.event for fact in transcript.facts if fact.event["type"] == kind]


def told(transcript: Transcript) -> list[str]:
    """List the sentences of an import, without statements."""
    return [fact_sentence(event_of(one.event)) for one in transcript.facts if one.event["type"] != "checked"]
