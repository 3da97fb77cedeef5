"""The facts of one automation run of the bot: attacks, saves, damage, effects and counters, with their dice."""

import re
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from encounterlog.importers.words import as_object, make_word, normalize_text, parse_whole_number
from encounterlog.importers.writing import Event, dice_fields
from encounterlog_avrae.printed import Title, after_name, parts, read_roll, read_title, roll_fields
from encounterlog_avrae.replies import Typed, embeds, reply_text, title_of
from encounterlog_avrae.rows import SourceRow
from encounterlog_avrae.snapshots import ShownEffect, effects_of
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
        self.caster = as_object(row.body.get("caster"))
        self.actor = writer.here(self.caster.get("id")) or writer.exactly(self.caster.get("name"))
        self.act: int | None = None
        self.named = _as_list(row.body.get("targets"))
        self.sides = [self.caster, *map(as_object, self.named)]
        self.known = {one.key: one for side in self.sides for one in effects_of(side, str(side.get("id", "")))}
        self.dealt: set[str] = set()
        self.title = self._title_of_act(typed)
        self.source = self._owner_of_effect(typed.effect) if typed.effect else self.actor

    def _title_of_act(self, typed: Typed) -> Title:
        """Return the act as the bot announces it, else as it was typed."""
        for embed in embeds(self.reply) if self.reply else []:
            said = after_name(title_of(embed), normalize_text(str(self.caster.get("name", ""))))
            if said and (found := read_title(said)):
                return found
        return Title(typed.kind, typed.name or "an action", typed.name)

    def transcribe(self) -> None:
        """Add the act, then its results, then everything else that the row shows of the combatants concerned."""
        self._add_act()
        self._drop_concentration()
        children = _as_list(self.row.body["automation_result"].get("children"))
        self._add_hidden_effects(children)
        for child in children:
            self._add_result(child, None, self.act)
        self._end_vanished_effects()
        for side in self.sides:  # the run explains the points that it changed
            who, hp = self.writer.here(side.get("id")), parse_whole_number(side.get("hp"))
            if who is not None and hp is not None:
                temp = parse_whole_number(side.get("temp_hp")) or 0
                self.writer.mend_points(self.row, who, hp, temp, self.row if who in self.dealt else None)

    def _add_act(self) -> None:
        # its effects on its actor are given by its results
        aimed = [one for one in _walk(self.row.body["automation_result"]) if one.get("target_type") != "self"]
        targets = list(dict.fromkeys(who for one in aimed if (who := self.writer.here(one.get("target_id")))))
        if self.actor is None:
            whom = " and ".join(map(self.writer.name, targets))
            says = f"{self._outsider_name()}, who is not in the fight, {_act_words(self.title, whom)}"
            self.act = self.writer.note(self.row, says, *self.others)
        else:
            action: Event = {"kind": self.title.kind, "name": make_word(self.title.name)}
            action |= {"targets": targets} if targets else {}
            event = {"type": "action_taken", "combatant": self.actor, "action": action}
            self.act = self.writer.add(self.row, event, *self.others)
        self.writer.seen.acts |= {reply.line: self.act for reply in self.others}

    def _outsider_name(self) -> str:
        """Return the name of an actor who is not in the fight."""
        name = normalize_text(str(self.caster.get("name") or "an unnamed caster"))
        titles = map(title_of, embeds(self.reply)) if self.reply else ()
        found = (re.match(rf"An? {re.escape(name)}\b", one) for one in titles)
        return next((one[0] for one in found if one), name)

    def _owner_of_effect(self, key: str) -> str | None:
        """Find the owner of an effect: the actor of the act that began it or its parent, else the bearer of the parent."""
        effect = self.writer.effect(key)
        top = effect
        while top is not None and (above := self.writer.fight.begun_by(top.parent)):
            top = above
        if effect is None or top is None:
            return None
        return self.writer.actor_of(top) or (None if top is effect else top.source or top.bearer)

    # the kinds of result

    def _add_result(self, result: object, target: Result | None, cause: int | None) -> None:
        if not isinstance(result, dict):
            self.writer.problem(self.row, "has an automation result that is no object")
            return
        kind = result.get("type")
        add = self._KINDS.get(kind) if isinstance(kind, str) else None
        if add is None:
            self.writer.problem(self.row, f"has an automation result of the unknown kind {make_word(kind)!r}")
        (add or Run._add_children)(self, result, target, cause)

    def _add_children(self, result: Result, target: Result | None, cause: int | None) -> None:
        for child in _as_list(result.get("children")) + _as_list(result.get("results")):
            self._add_result(child, target, cause)

    def _add_iteration(self, result: Result, _target: Result | None, cause: int | None) -> None:
        for child in _as_list(result.get("results")):
            self._add_result(child, result, cause)

    def _add_attack(self, result: Result, target: Result | None, cause: int | None) -> None:
        roll, who = roll_fields(result.get("to_hit_roll")), self._find_target(target)
        judged = _stated_values(result, ac="ac", hit="did_hit")
        if who is None or not judged.get("ac"):  # the bot has 0 where there is none
            judged.pop("ac", None)
        if who is None and judged.get("hit") is True:  # nobody was attacked
            del judged["hit"]
        if self.actor is None:  # one who is not in the fight, so that the roll is no combatant's
            means = f" with {self.title.means}" if self.title.means else ""
            purpose = f"{self._outsider_name()}'s attack{means}{f' at {self.writer.name(who)}' if who else ''}"
            judged = {{"ac": "dc", "hit": "succeeded"}[name]: one for name, one in judged.items()}
            event: Event = {"type": "dice_rolled", "purpose": make_word(purpose)} | roll | judged
        else:
            critical = {"critical": True} if result.get("did_crit") is True else {}
            event = self.writer.attack(self.actor, who, self.title.means) | roll | judged | critical
        self._add_children(result, target, self.writer.add(self.row, event, cause=cause))

    def _add_save(self, result: Result, target: Result | None, cause: int | None) -> None:
        index = cause
        if (who := self._find_target(target)) is not None:
            save = make_word(str(result.get("ability", "")).removesuffix("Save"))
            event: Event = {"type": "save_rolled", "combatant": who, "save": save}
            event |= roll_fields(result.get("save_roll")) | _stated_values(result, dc="dc", succeeded="did_save")
            index = self.writer.add(self.row, event, cause=cause)
        self._add_children(result, target, index)

    def _add_check(self, result: Result, target: Result | None, cause: int | None) -> None:
        purpose = make_word(result.get("skill_name") or result.get("skill_key") or "check")
        roll, against = roll_fields(result.get("check_roll")), roll_fields(result.get("contest_roll"))
        who = self._find_target(target)
        if who is not None and self.actor is not None and who != self.actor and "die" in against:
            own = {"combatant": self.actor, "using": make_word(result.get("contest_skill_name") or "check")} | against
            other = {"combatant": who, "using": purpose} | roll
            event: Event = {"type": "contest_rolled", "contenders": [own, other]}
            did = result.get("did_succeed")
            if isinstance(did, bool) and result.get("contest_did_tie") is not True:
                event["winner"] = who if did else self.actor
        else:
            event = {"type": "dice_rolled", "purpose": purpose} | ({"combatant": who} if who else {}) | roll
            event |= _stated_values(result, dc="dc", succeeded="did_succeed")
        self._add_children(result, target, self.writer.add(self.row, event, cause=cause))

    def _add_roll(self, result: Result, _target: Result | None, cause: int | None) -> None:
        roll = read_roll(result.get("roll"))
        if roll is not None and any(term.dice for term in roll.terms):
            purpose = make_word(self.title.means or self.title.name)
            event: Event = {"type": "dice_rolled", "purpose": purpose} | dice_fields(roll)
            self.writer.add(self.row, event | ({"combatant": self.actor} if self.actor else {}), cause=cause)

    def _add_damage(self, result: Result, target: Result | None, cause: int | None) -> None:
        amount = parse_whole_number(result.get("damage"))
        if amount is None:
            self.writer.problem(self.row, "has damage that is no whole number")
        elif who := self._find_concerned(f"{abs(amount)} {'healing' if amount < 0 else 'damage'}", target, cause):
            self.dealt.add(who)
            given = self._with_source(result.get("damage_roll"), amount, "healing" if amount < 0 else "damage")
            self.writer.hurt(self.row, who, amount, cause, **given)

    def _add_temporary(self, result: Result, target: Result | None, cause: int | None) -> None:
        amount = parse_whole_number(result.get("amount"))
        if amount is None:
            self.writer.problem(self.row, "has temporary hit points that are no whole number")
        elif who := self._find_concerned(f"{amount} temporary hit points", target, cause):
            self.dealt.add(who)
            event = {"type": "healed", "target": who, "amount": max(amount, 0), "temporary": True}
            event |= self._with_source(result.get("amount_roll"), amount, "points")
            self.writer.add(self.row, event, cause=cause)

    def _add_effect(self, result: Result, target: Result | None, cause: int | None) -> None:
        shown = next(effects_of({"effects": [result.get("effect")]}, ""), None)
        if shown is None:
            self.writer.problem(self.row, "has an effect without a name")
            return
        who = self._find_concerned(f"the effect {shown.name}", target, cause, self.known.get(shown.key))
        if who is not None and self.writer.effect(shown.key) is None:
            self.writer.start_effect(self.row, who, shown._replace(of=shown.of or who), cause)

    def _effect_removed(self, result: Result, _target: Result | None, cause: int | None) -> None:
        for name in ("removed_effect", "removed_parent"):
            if effect := self.writer.effect(str(as_object(result.get(name)).get("id"))):
                self.writer.end_effects(self.row, [effect], "removed", cause=cause)

    def _add_counter(self, result: Result, _target: Result | None, cause: int | None) -> None:
        name, used = result.get("counter_name"), parse_whole_number(result.get("used_amount"))
        left = parse_whole_number(result.get("counter_remaining"))
        if name is not None and used and left is not None and self.actor and result.get("skipped") is not True:
            resource = f"level {name} spell slot" if str(name).isdigit() else make_word(name)
            self.writer.use(self.row, self.actor, resource, -used, left, cause)

    # what the row shows besides its results

    def _add_hidden_effects(self, children: list[Any]) -> None:
        """Add effects that the row shows on the combatants concerned without a result: a spell's concentration."""
        made = {str(as_object(one.get("effect")).get("id")) for one in _walk({"children": children})}
        for shown in self.known.values():
            bearer = self.writer.here(shown.bearer)
            new = shown.concentration and shown.key not in made and not self.writer.has_begun(shown.key)
            if bearer and new:
                self.writer.start_effect(self.row, bearer, shown, self.act)

    def _drop_concentration(self) -> None:
        """End the effects of the actor that the bot says were dropped for concentration on another."""
        text = reply_text(self.reply) if self.reply else ""
        said = [found["one"] or found["two"] for found in _DROPPED.finditer(text)]
        names = {make_word(name) for one in said for name in (one, *one.split(", "))}
        for result in _walk(self.row.body["automation_result"]):
            names |= {make_word(as_object(one).get("name")) for one in _as_list(result.get("conc_conflict"))}
        held = [one for one in self.writer.fight.on(self.actor) if one.name in names] if self.actor else []
        why = "dropped for concentration on another effect"
        self.writer.end_effects(self.row, held, why, *self.others, cause=self.act)

    def _end_vanished_effects(self) -> None:
        """End the effects that the combatants concerned no longer have after the run, though no result ended them."""
        for side in self.sides:
            bearer = self.writer.here(side.get("id"))
            if bearer is None or not isinstance(side.get("effects"), list):
                continue
            names = {make_word(one.name) for one in effects_of(side, bearer)}
            for gone in [one for one in self.writer.fight.on(bearer) if one.name not in names]:
                says = f"{gone.name} is over for {self.writer.name(bearer)}"
                self.writer.repair(self.row, f"{bearer}.effects", says, None)
                self.writer.end_effects(self.row, [gone], "not among its effects after the run", cause=self.act)

    # small things

    def _find_target(self, target: Result | None) -> str | None:
        """Find the combatant that a result is about: by the bot's id, else by the name under which it was targeted."""
        if target is None:
            return None
        if (found := self.writer.here(target.get("target_id"))) is not None:
            return found
        return self.actor if target.get("target_type") == "self" else self.writer.exactly(self._target_name(target))

    def _target_name(self, target: Result) -> str:
        """Return the name under which a combatant was targeted; "" where nobody was."""
        if target.get("target_type") == "self":
            return str(self.caster.get("name", ""))
        key, place = target.get("target_id"), target.get("target_index")
        same = [one for one in self.sides if key is not None and one.get("id") == key]
        at = self.named[place : place + 1] if type(place) is int and place >= 0 else []
        found: Any = (same or at or [""])[0]
        return normalize_text(str(found.get("name", "") if isinstance(found, dict) else found))

    def _find_concerned(
        self, what: str, target: Result | None, cause: int | None, held: ShownEffect | None = None
    ) -> str | None:
        """Find the combatant that a result is about, the bearer of an effect that is held; if nobody in the fight has it, note that."""
        who = self.writer.here(held.bearer) if held else self._find_target(target)
        if who is None:
            name = self._target_name(target) if target else ""
            whom = f"for {name}, who is not in the fight" if name else "at nobody in particular"
            self.writer.note(self.row, f"{what} {whom}", about=cause)
        return who

    def _with_source(self, printed: object, amount: int, name: str) -> Event:
        """Return the source of an amount, with its parts if those of its printed roll add up to it."""
        found: Event = {"source": self.source} if self.source else {}
        roll = read_roll(printed)
        adds_up = roll and roll.terms and sum(term.amount for term in roll.terms) == amount
        return found | {"parts": parts(roll, name, -1 if name == "healing" else 1)} if roll and adds_up else found

    _KINDS: ClassVar[dict[str, Callable[["Run", Result, Result | None, int | None], None]]] = {
        **dict.fromkeys(("root", "target", "condition", "spell", "castspell", "cast_spell"), _add_children),
        **dict.fromkeys(("variable", "set_variable", "text"), _add_children),  # which have none
        "target_iteration": _add_iteration,
        "attack": _add_attack,
        "save": _add_save,
        "check": _add_check,
        "roll": _add_roll,
        "damage": _add_damage,
        "temphp": _add_temporary,
        "ieffect": _add_effect,
        "remove_ieffect": _effect_removed,
        "counter": _add_counter,
        "usecounter": _add_counter,
    }


def _stated_values(result: Result, **fields: str) -> Event:
    """Return the statements of a result that are whole numbers or booleans."""
    found = {field: result.get(name) for field, name in fields.items()}
    return {
        field: value
        for field, value in found.items()
        if isinstance(value, bool) or parse_whole_number(value) is not None
    }


def _walk(result: Result) -> Iterator[Result]:
    yield result
    for child in _as_list(result.get("children")) + _as_list(result.get("results")):
        if isinstance(child, dict):
            yield from _walk(child)


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _act_words(title: Title, whom: str) -> str:
    """Return an act in words after the name of its actor."""
    if title.kind == "attack":
        return f"attacks{f' {whom}' if whom else ''} with {title.name}"
    verbs = {"cast": "casts ", "other": "uses "}
    return f"{verbs.get(title.kind, '')}{title.name}{f' at {whom}' if whom else ''}"
