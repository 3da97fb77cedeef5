"""Commands that begin and end effects."""

import re

from encounterlog.importers.fireball.command import Command, all_meant
from encounterlog.importers.fireball.screens import Shown
from encounterlog.importers.fireball.words import clean, word


def start_effect(command: Command) -> None:
    """Begin an effect as typed, on all that are named."""
    words = command.words
    if len(words) < 2:
        return
    args = words[2:]
    targets = [words[0], *(args[place + 1] for place, one in enumerate(args[:-1]) if one == "-t")]
    for who in dict.fromkeys(found for one in targets for found in all_meant(command, one)):
        held = [one.name.casefold() for one in command.teller.ledger.on(who)]
        if word(words[1]).casefold() not in held:
            command.teller.start_effect(command.row, who, _typed_effect(command, words[1], who), None)


def _typed_effect(command: Command, name: str, who: str) -> Shown:
    duration = command.option("-dur")
    shown = _on_screen(command, name, who)
    rounds = int(duration) if duration is not None and re.fullmatch(r"\d{1,9}", duration) else None
    return Shown(
        key=shown.key if shown else f"{command.row.line} {who} {name}",
        name=name,
        bearer=who,
        duration=rounds,
        end_round=None,
        at_end="end" in command.words,
        of="",
        concentration="conc" in command.words,
        parent=shown.parent if shown else "",
        rest=None,
    )


def _on_screen(command: Command, name: str, who: str) -> Shown | None:
    """Find what the bot calls an effect just typed, for those that follow it."""
    for figure in command.screen.figures if command.screen else []:
        if command.teller.here(figure.key) == who:
            return next((one for one in figure.effects if one.name == clean(name)), None)
    return None


def end_effect(command: Command) -> None:
    """End the effects named, or all; those that the state still shows were kept."""
    words = command.words
    for who in all_meant(command, words[0]) if words else []:
        effects = command.teller.ledger.on(who)
        if len(words) > 1:
            wanted = word(words[1]).casefold()
            effects = [one for one in effects if one.name.casefold() == wanted] or [
                one for one in effects if wanted in one.name.casefold()
            ][:1]
        still = _still_shown(command, who)
        command.teller.end_effects(command.row, [one for one in effects if one.name not in still], command.said)


def _still_shown(command: Command, who: str) -> set[str]:
    """List the effects that the state still shows: the bot asks before it removes, and people may say no."""
    for figure in command.screen.figures if command.screen else []:
        if command.teller.here(figure.key) == who:
            return {word(one.name) for one in figure.effects}
    return set()
