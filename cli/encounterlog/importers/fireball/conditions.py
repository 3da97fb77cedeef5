"""Commands that begin and end effects."""

import re

from encounterlog.importers.fireball.arguments import Options
from encounterlog.importers.fireball.command import Command, all_meant, meant
from encounterlog.importers.fireball.replies import embeds, fields, reply_text
from encounterlog.importers.fireball.snapshots import ShownEffect
from encounterlog.importers.fireball.words import clean, word
from projections.mechanics.conditions import Effect


def start_effect(command: Command) -> None:
    """Begin an effect as typed, on all who are named and do not have one of that name."""
    words = command.words
    if len(words) < 2:
        return
    options = Options(words[2:])
    targets = [words[0], *options.all("t")]
    for who in dict.fromkeys(found for one in targets for found in all_meant(command, one)):
        if not _was_there(command, who, words[1]):
            command.writer.start_effect(command.row, who, _typed_effect(command, options, words[1], who), None)


def _was_there(command: Command, who: str, name: str) -> bool:
    """Say whether the bot left an effect as it was: its answer says so, else the facts do."""
    if (reply := command.outcome.reply) is not None:
        own = [text for embed in embeds(reply) for text in fields(embed, command.writer.name(who))]
        return "Effect already exists." in (own or reply_text(reply).split("\n"))
    return word(name).casefold() in [one.name.casefold() for one in command.writer.fight.on(who)]


def _typed_effect(command: Command, options: Options, name: str, who: str) -> ShownEffect:
    duration = options.last("dur")
    shown = _shown_effect(command, name, who)
    rounds = int(duration) if duration is not None and re.fullmatch(r"\d{1,9}", duration) else None
    return ShownEffect(
        key=shown.key if shown else f"{command.row.line} {who} {name}",
        name=clean(name),
        bearer=who,
        duration=rounds,
        end_round=None,
        at_end="end" in options,
        of="",
        concentration="conc" in options,
        parent=shown.parent if shown else _typed_parent(command, options),
        rest=None,
    )


def _typed_parent(command: Command, options: Options) -> str:
    """Return the bot's id of a new effect's parent, typed as COMBATANT|EFFECT."""
    name, _, effect = (options.last("parent") or "").partition("|")
    above = meant(command, name) if effect else None
    held = command.writer.fight.on(above) if above else []
    return next((command.writer.key_of(one) for one in held if effect.casefold() in one.name.casefold()), "")


def _shown_effect(command: Command, name: str, who: str) -> ShownEffect | None:
    """Find the bot's own data of the effect that was typed last, for later commands."""
    shown = command.shown(who)
    return next((one for one in shown.effects if one.name == clean(name)), None) if shown else None


def end_effect(command: Command) -> None:
    """End the effects named, or all, as far as the bot says so; it asks before it removes, and people may say no."""
    words = command.words
    for who in all_meant(command, words[0]) if words else []:
        named = words[1] if len(words) > 1 else ""
        removed = _said_removed(command, who) if command.outcome.reply else _not_shown(command, who, named)
        command.writer.end_effects(command.row, removed, command.said)


def _said_removed(command: Command, who: str) -> list[Effect]:
    """List the effects on a combatant that the answer says were removed."""
    held, name = command.writer.fight.on(who), re.escape(command.writer.name(who))
    text = reply_text(command.outcome.reply) if command.outcome.reply else ""
    if re.search(rf"^All effects removed from {name}\.$", text, re.MULTILINE):
        return held
    gone = re.findall(rf"^Effect (.+) removed from {name}\.$", text, re.MULTILINE)
    return [one for one in held if one.name.casefold() in [word(each).casefold() for each in gone]]


def _not_shown(command: Command, who: str, named: str) -> list[Effect]:
    """List the effects that a command without an answer names and the state after it lacks."""
    held, wanted = command.writer.fight.on(who), word(named).casefold()
    if named:
        exact = [one for one in held if one.name.casefold() == wanted]
        held = exact or [one for one in held if wanted in one.name.casefold()][:1]
    shown = command.shown(who)
    still = {word(one.name) for one in shown.effects} if shown else set()
    return [one for one in held if one.name not in still]
