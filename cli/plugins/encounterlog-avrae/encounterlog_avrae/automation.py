"""The facts of one automation run of the bot: attacks, saves, damage, effects and counters, with their dice."""

import re
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from encounterlog.importers.words import clean, whole, word
from encounterlog.importers.writing import Event, PrintedRoll, thrown
from encounterlog_avrae.printed import Title, after_name, parts, read_roll, read_title, roll_of_total
from encounterlog_avrae.replies import Typed, embeds, reply_text
from encounterlog_avrae.rows import SourceRow
from encounterlog_avrae.snapshots import ShownEffect, effects_of, read_effect
from encounterlog_avrae.writer import Writer

Result = dict[str, Any]

_DROPPED = re.compile(
    r"^Dropped (?P<one>.+) due to concentration\.$|^\*\*Concentration[^*]*\*\*: dropped (?P<two>.+)$", re.MULTILINE
)
"""The bot's words for effects that ended because their bearer concentrates on another."""


class Run:
    """One automation run: who runs it, and the place of its act in the transcript."""

    def __init__(self, writer: Writer, row: SourceRow, reply: SourceRow | None, typed: Typed) -> None:
        self.writer = writer
        self.row = row
        self.reply = reply
        self.others = (reply,) if reply else ()
        self.caster = _combatant(row.body.get("caster"))
        self.actor = writer.here(self.caster.get("id")) or writer.exactly(self.caster.get("name"))
        self.act: int | None = None
        self.named = _list(row.body.get("targets"))
        self.sides = [self.caster, *(_combatant(one) for one in self.named)]
        self.known: dict[str, ShownEffect] = {one.key: one for side in self.sides for one in _shown(side)}
        self.dealt: set[str] = set()
        self.title = _title(reply, str(self.caster.get("name", "")), typed)
        self.source = self._owner(typed.effect) if typed.effect else self.actor

    def transcribe(self) -> None:
        """Add the act, then its results, then everything else that the row shows of the combatants concerned."""
        self._add_act()
        self._drop_concentration()
        children = _list(self.row.body["automation_result"].get("children"))
        self._add_hidden_effects(children)
        for child in children:
            self._add(child, None, self.act)
        self._end_vanished_effects()
        self._mend_points()

    def _add_act(self) -> None:
        targets = self._aimed_at()
        if self.actor is None:
            whom = " and ".join(map(self.writer.name, targets))
            says = f"{self._outsider()}, who is not in the fight, {_does(self.title, whom)}"
            self.act = self.writer.note(self.row, says, *self.others)
        else:
            action: Event = {"kind": self.title.kind, "name": word(self.title.name)}
            action |= {"targets": targets} if targets else {}
            event = {"type": "action_taken", "combatant": self.actor, "action": action}
            self.act = self.writer.add(self.row, event, *self.others)
        self.writer.seen.acts |= {reply.line: self.act for reply in self.others}

    def _outsider(self) -> str:
        """Return the name of an actor who is not in the fight."""
        name = clean(str(self.caster.get("name") or "an unnamed caster"))
        titles = [clean(str(one.get("title", ""))) for one in embeds(self.reply)] if self.reply else []
        return next(
            (one[: one.index(name) + len(name)] for one in titles if re.match(rf"An? {re.escape(name)}\b", one)), name
        )

    def _aimed_at(self) -> list[str]:
        """List the targets of the act; its effects on its actor are given by its results."""
        aimed = [one for one in _walk(self.row.body["automation_result"]) if one.get("target_type") != "self"]
        return list(dict.fromkeys(who for one in aimed if (who := self.writer.here(one.get("target_id")))))

    def _owner(self, key: str) -> str | None:
        """Find the owner of an effect: the actor of the act that began it or its parent, else the bearer of the parent."""
        effect = self.writer.effect(key)
        top = effect
        while top is not None and (above := self.writer.fight.begun_by(top.parent)):
            top = above
        if effect is None or top is None:
            return None
        actor = self.writer.actor_of(self.writer.place_of(top))
        return actor or (None if top is effect else top.source or top.bearer)

    # the kinds of result

    def _add(self, result: object, target: Result | None, cause: int | None) -> None:
        if not isinstance(result, dict):
            self.writer.problem(self.row, "has an automation result that is no object")
            return
        kind = result.get("type")
        add = self._KINDS.get(kind) if isinstance(kind, str) else None
        if add is not None:
            add(self, result, target, cause)
            return
        self.writer.problem(self.row, f"has an automation result of the unknown kind {word(kind)!r}")
        self._pass_on(result, target, cause)

    def _pass_on(self, result: Result, target: Result | None, cause: int | None) -> None:
        for child in _list(result.get("children")) + _list(result.get("results")):
            self._add(child, target, cause)

    def _nothing(self, _result: Result, _target: Result | None, _cause: int | None) -> None:
        """Skip text and variables, which are no facts of the fight."""

    def _iteration(self, result: Result, _target: Result | None, cause: int | None) -> None:
        for child in _list(result.get("results")):
            self._add(child, result, cause)

    def _attack(self, result: Result, target: Result | None, cause: int | None) -> None:
        rolled = thrown(read_roll(result.get("to_hit_roll")))
        if self.actor is None:
            event = self._roll_of_an_outsider(rolled, result, target)
        else:
            event = {"type": "attack_rolled", "combatant": self.actor} | self._at(target)
            event |= {"name": self.writer.means(self.actor, word(self.title.means))} if self.title.means else {}
            event |= rolled | self._judged(result, target)
        self._pass_on(result, target, self.writer.add(self.row, event, cause=cause))

    def _judged(self, result: Result, target: Result | None) -> Event:
        """Return whether an attack hit, or nothing if nobody was attacked, and the armour class, if there is one."""
        who = self._who(target)
        stated = _stated(result, ac="ac", hit="did_hit")
        if who is None or not stated.get("ac"):  # the bot has 0 where there is none
            stated.pop("ac", None)
        if who is None and stated.get("hit") is True:
            del stated["hit"]
        return stated | ({"critical": True} if result.get("did_crit") is True else {})

    def _roll_of_an_outsider(self, rolled: Event, result: Result, target: Result | None) -> Event:
        """Make the attack roll of a combatant who is not in the fight, and so no combatant's."""
        who = self._who(target)
        means = f" with {self.title.means}" if self.title.means else ""
        purpose = f"{self._outsider()}'s attack{means}{f' at {self.writer.name(who)}' if who else ''}"
        judged = {
            {"ac": "dc", "hit": "succeeded"}.get(name, ""): one for name, one in self._judged(result, target).items()
        }
        judged.pop("", None)
        return {"type": "dice_rolled", "purpose": word(purpose)} | rolled | judged

    def _save(self, result: Result, target: Result | None, cause: int | None) -> None:
        index = cause
        if (who := self._who(target)) is not None:
            event: Event = {"type": "save_rolled", "combatant": who}
            event["save"] = word(str(result.get("ability", "")).removesuffix("Save"))
            event |= thrown(read_roll(result.get("save_roll"))) | _stated(result, dc="dc", succeeded="did_save")
            index = self.writer.add(self.row, event, cause=cause)
        self._pass_on(result, target, index)

    def _check(self, result: Result, target: Result | None, cause: int | None) -> None:
        purpose = word(result.get("skill_name") or result.get("skill_key") or "check")
        rolled = thrown(read_roll(result.get("check_roll")))
        who, against = self._who(target), thrown(read_roll(result.get("contest_roll")))
        if who is not None and self.actor is not None and who != self.actor and "die" in against:
            own = {"combatant": self.actor, "using": word(result.get("contest_skill_name") or "check")} | against
            event: Event = {
                "type": "contest_rolled",
                "contenders": [own, {"combatant": who, "using": purpose} | rolled],
            }
            event |= self._won(result, who)
        else:
            event = {"type": "dice_rolled", "purpose": purpose} | ({"combatant": who} if who else {}) | rolled
            event |= _stated(result, dc="dc", succeeded="did_succeed")
        self._pass_on(result, target, self.writer.add(self.row, event, cause=cause))

    def _won(self, result: Result, who: str) -> Event:
        """Report the winner of a contest that the actor began with another; nobody, if the bot calls it a tie."""
        did = result.get("did_succeed")
        if result.get("contest_did_tie") is True or not isinstance(did, bool):
            return {}
        return {"winner": who if did else self.actor}

    def _roll(self, result: Result, _target: Result | None, cause: int | None) -> None:
        rolled = read_roll(result.get("roll"))
        if rolled is None or not any(term.dice for term in rolled.terms):
            return
        event: Event = {"type": "dice_rolled", "purpose": word(self.title.means or self.title.name)} | thrown(rolled)
        if self.actor is not None:
            event["combatant"] = self.actor
        self.writer.add(self.row, event, cause=cause)

    def _damage(self, result: Result, target: Result | None, cause: int | None) -> None:
        amount, who = whole(result.get("damage")), self._who(target)
        if amount is None:
            self.writer.problem(self.row, "has damage that is no whole number")
        elif who is None:
            self._aside(f"{abs(amount)} {'healing' if amount < 0 else 'damage'}", target, cause)
        else:
            self.dealt.add(who)
            roll = roll_of_total(read_roll(result.get("damage_roll")), amount)
            given = self._from(roll, "healing", -1) if amount < 0 else self._from(roll, "damage")
            self.writer.hurt(self.row, who, amount, cause, **given)

    def _temporary(self, result: Result, target: Result | None, cause: int | None) -> None:
        amount, who = whole(result.get("amount")), self._who(target)
        if amount is None:
            self.writer.problem(self.row, "has temporary hit points that are no whole number")
        elif who is None:
            self._aside(f"{amount} temporary hit points", target, cause)
        else:
            self.dealt.add(who)
            event = {"type": "healed", "target": who, "amount": max(amount, 0), "temporary": True}
            roll = roll_of_total(read_roll(result.get("amount_roll")), amount)
            self.writer.add(self.row, event | self._from(roll, "points"), cause=cause)

    def _effect(self, result: Result, target: Result | None, cause: int | None) -> None:
        given = result.get("effect")
        shown = read_effect(given, "") if isinstance(given, dict) else None
        if shown is None:
            self.writer.problem(self.row, "has an effect without a name")
            return
        held = self.known.get(shown.key)
        who = self.writer.here(held.bearer) if held else self._who(target)
        if who is None:
            self._aside(f"the effect {shown.name}", target, cause)
        elif self.writer.effect(shown.key) is None:
            self.writer.start_effect(self.row, who, shown._replace(of=shown.of or who), cause)

    def _effect_removed(self, result: Result, _target: Result | None, cause: int | None) -> None:
        for field in ("removed_effect", "removed_parent"):
            given = result.get(field)
            effect = self.writer.effect(str(given.get("id"))) if isinstance(given, dict) else None
            if effect is not None:
                self.writer.end_effects(self.row, [effect], "removed", cause=cause)

    def _counter(self, result: Result, _target: Result | None, cause: int | None) -> None:
        name, used = result.get("counter_name"), whole(result.get("used_amount"))
        left = whole(result.get("counter_remaining"))
        if name is None or not used or left is None or self.actor is None or result.get("skipped") is True:
            return
        resource = f"level {name} spell slot" if str(name).isdigit() else word(name)
        self.writer.use(self.row, self.actor, resource, -used, left, cause)

    # what the row shows besides its results

    def _add_hidden_effects(self, children: list[Any]) -> None:
        """Add effects that the row shows on the combatants concerned without a result: a spell's concentration."""
        results = [one.get("effect") for one in _walk({"children": children})]
        made = {str(one.get("id")) for one in results if isinstance(one, dict)}
        for shown in self.known.values():
            bearer = self.writer.here(shown.bearer)
            new = shown.concentration and shown.key not in made and not self.writer.has_begun(shown.key)
            if bearer and new:
                self.writer.start_effect(self.row, bearer, shown, self.act)

    def _drop_concentration(self) -> None:
        """End the effects of the actor that the bot says were dropped for concentration on another."""
        said = (
            [found["one"] or found["two"] for found in _DROPPED.finditer(reply_text(self.reply))] if self.reply else []
        )
        names = {word(name) for text in said for name in (text, *text.split(", "))}
        for result in _walk(self.row.body["automation_result"]):
            names |= {word(_combatant(one).get("name")) for one in _list(result.get("conc_conflict"))}
        held = [one for one in self.writer.fight.on(self.actor) if one.name in names] if self.actor else []
        why = "dropped for concentration on another effect"
        self.writer.end_effects(self.row, held, why, *self.others, cause=self.act)

    def _end_vanished_effects(self) -> None:
        """End the effects that the combatants concerned no longer have after the run, though no result ended them."""
        for side in self.sides:
            bearer = self.writer.here(side.get("id"))
            if bearer is None or not isinstance(side.get("effects"), list):
                continue
            names = {word(one.name) for one in _shown(side)}
            for gone in [one for one in self.writer.fight.on(bearer) if one.name not in names]:
                says = f"{gone.name} is over for {self.writer.name(bearer)}"
                self.writer.repair(self.row, f"{bearer}.effects", says, None)
                self.writer.end_effects(self.row, [gone], "not among its effects after the run", cause=self.act)

    def _mend_points(self) -> None:
        """Set the points of the combatants concerned right; the run explains those that it changed."""
        for side in self.sides:
            who, hp, temp = self.writer.here(side.get("id")), whole(side.get("hp")), whole(side.get("temp_hp"))
            if who is not None and hp is not None:
                self.writer.mend_points(self.row, who, hp, temp or 0, self.row if who in self.dealt else None)

    # small things

    def _who(self, target: Result | None) -> str | None:
        """Find the combatant that a result is about: by the bot's id, else by the name under which it was targeted."""
        if target is None:
            return None
        if (found := self.writer.here(target.get("target_id"))) is not None:
            return found
        if target.get("target_type") == "self":
            return self.actor
        return self.writer.exactly(self._target_name(target))

    def _target_name(self, target: Result | None) -> str:
        """Return the name under which a combatant was targeted; "" where nobody was."""
        if target is None:
            return ""
        if target.get("target_type") == "self":
            return str(self.caster.get("name", ""))
        key, place = target.get("target_id"), target.get("target_index")
        same = [one for one in self.sides if key is not None and one.get("id") == key]
        at = self.named[place : place + 1] if type(place) is int and place >= 0 else []
        found: Any = (same or at or [""])[0]
        return clean(str(found.get("name", "") if isinstance(found, dict) else found))

    def _at(self, target: Result | None) -> Event:
        who = self._who(target)
        return {"target": who} if who else {}

    def _from(self, roll: PrintedRoll | None, name: str, sign: int = 1) -> Event:
        found: Event = {"source": self.source} if self.source else {}
        return found | {"parts": parts(roll, name, sign)} if roll and roll.terms else found

    def _aside(self, what: str, target: Result | None, cause: int | None) -> None:
        """Note a result that nobody in the fight has."""
        name = self._target_name(target)
        whom = f"for {name}, who is not in the fight" if name else "at nobody in particular"
        self.writer.note(self.row, f"{what} {whom}", about=cause)

    _KINDS: ClassVar[dict[str, Callable[["Run", Result, Result | None, int | None], None]]] = {
        **dict.fromkeys(("root", "target", "condition", "spell", "castspell", "cast_spell"), _pass_on),
        **dict.fromkeys(("variable", "set_variable", "text"), _nothing),
        "target_iteration": _iteration,
        "attack": _attack,
        "save": _save,
        "check": _check,
        "roll": _roll,
        "damage": _damage,
        "temphp": _temporary,
        "ieffect": _effect,
        "remove_ieffect": _effect_removed,
        "counter": _counter,
        "usecounter": _counter,
    }


def _stated(result: Result, **fields: str) -> Event:
    """Return the statements of a result that are whole numbers or booleans."""
    found = {field: result.get(name) for field, name in fields.items()}
    return {field: value for field, value in found.items() if isinstance(value, bool) or whole(value) is not None}


def _walk(result: Result) -> Iterator[Result]:
    yield result
    for child in _list(result.get("children")) + _list(result.get("results")):
        if isinstance(child, dict):
            yield from _walk(child)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _combatant(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _shown(side: dict[str, Any]) -> list[ShownEffect]:
    key = str(side.get("id", ""))
    return [found for one in effects_of(side) if (found := read_effect(one, key))]


def _title(reply: SourceRow | None, caster: str, typed: Typed) -> Title:
    """Return the act as the bot announces it, else as it was typed."""
    for embed in embeds(reply) if reply else []:
        said = after_name(clean(str(embed.get("title", ""))), clean(caster))
        if said and (found := read_title(said)):
            return found
    return Title(typed.kind, typed.name or "an action", typed.name)


def _does(title: Title, whom: str) -> str:
    """Return an act in words after the name of its actor."""
    if title.kind == "attack":
        return f"attacks{f' {whom}' if whom else ''} with {title.name}"
    verbs = {"cast": "casts ", "other": "uses "}
    return f"{verbs.get(title.kind, '')}{title.name}{f' at {whom}' if whom else ''}"
