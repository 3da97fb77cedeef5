"""The facts of a form, from its templates and the values of a line; and what that may omit because it is understood: the weapon in hand, the last target."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import get_args, get_origin

from msgspec import structs, to_builtins

from eventstore.events import TAGS, ActionTaken
from eventstore.form import is_id
from projections.folds.moves import next_up
from projections.folds.order import order_of, round_rows
from projections.language.notation import forms, names
from projections.language.notation.line_context import (
    Gap,
    LineContext,
    declared_by,
    foe_of,
    kinds,
    named_kind,
    weapon_of,
)
from projections.language.notation.tokens import quote, word
from projections.open_types import Facts, Fields, Json
from projections.state import State
from projections.time import Point


def complete_blow(context: LineContext, values: Fields) -> None:
    """Complete a blow: as declared, if that is rolled, else an attack with the weapon in hand, at the last target."""
    who, given = values["who"], values.get("action", {})
    declared = declared_by(context, who)
    if declared is None or declared.kind in rolled_kinds(context):
        given = as_declared(context, who, given)
    values["action"] = complete_attack(context, who, given)
    targets = values["action"]["targets"]
    if len(targets) > 1:
        raise Gap("one roll is against one target", "write a line for each target")
    values["target"] = targets[0]
    name_parts(values)


def name_parts(values: Fields) -> None:
    """Give the dice of an amount the name of the action."""
    amount, action = values.get("amount"), values["action"]
    if isinstance(amount, dict):
        first, *rest = amount["parts"]
        values["amount"] = amount | {"parts": [first | {"name": action.get("name") or action["kind"]}, *rest]}


def as_declared(context: LineContext, who: str, given: Fields) -> Fields:
    """Return an action completed by the declared one, if it has no kind and contradicts nothing that was declared."""
    declared: Fields = to_builtins(declared_by(context, who)) or {}
    agrees = all(key in ("targets", "time") or declared.get(key, item) == item for key, item in given.items())
    if not agrees or "kind" in given:
        return given
    context.assumed.update(declared.keys() - given.keys() - {"kind", "targets"})
    return declared | given


def complete_attack(context: LineContext, who: str, given: Fields) -> Fields:
    """Return an attack with the implied weapon and target."""
    found = add_weapon(context, who, {"kind": _rolled_kind(context, who, given), **given})
    if not found.get("targets"):
        foe = foe_of(context, who)
        if foe is None:
            raise Gap(f"nobody says whom {who} attacks", f"such as: {who} orc-1 14 6")
        found["targets"] = [foe]
    return found


def _rolled_kind(context: LineContext, who: str, given: Fields) -> str:
    """Return the kind of a blow: that of the thing it names, if the game rolls it; raise Gap for a feature, which is not rolled."""
    kind = named_kind(context, who, str(given["name"])) if "name" in given and "kind" not in given else None
    rolled = rolled_kinds(context)
    if kind == "ability" and kind not in rolled:
        raise Gap(f"{given['name']} is a feature, and no blow", f"such as: {who} {quote(given['name'])}")
    return kind if kind in rolled else "attack"


def rolled_kinds(context: LineContext) -> list[str]:
    """Return the kinds of acts that the game rolls as blows."""
    return forms.of(context.state.rules.rules).rolls.split()


def add_weapon(context: LineContext, who: str, action: Fields) -> Fields:
    """Return an attack by a combatant with the weapon in hand, unless it names another; any other action as it is."""
    if action["kind"] != "attack" or "name" in action or who not in context.state.combatants:
        return action
    context.assumed.add("name")
    return {"name": weapon_of(context, who), **action}


def complete_act(context: LineContext, values: Fields) -> None:
    """Complete an act: as declared; the kind of the thing named on the sheet; the weapon in hand."""
    who = values["who"]
    given = as_declared(context, who, values.get("action", {}))
    if not given:
        raise Gap(f"{who} has declared nothing", f"such as: {who} attack, or {who} cast sleep")
    values["action"] = complete_action(context, who, given)


def complete_declaration(context: LineContext, values: Fields) -> None:
    """Complete a declaration: the kind of the thing named on the sheet, the weapon in hand."""
    values["action"] = complete_action(context, values["who"], values["action"])


def complete_action(context: LineContext, who: str, given: Fields) -> Fields:
    """Return an action with its kind, and an attack with the weapon in hand."""
    if "kind" not in given:
        name = str(given.get("name") or "")
        kind = named_kind(context, who, name) if name else "attack"
        kind = kind or ("cast" if "time" in given else None)
        if kind is None:
            kind = "other" if "other" in kinds(context.state) else "cast"
            raise Gap(
                f"nothing says what kind of action {name} is", f"the kind stands before it: {who} {kind} {quote(name)}"
            )
        given = {"kind": kind, **given}
    return add_weapon(context, who, given)


def _assume_value(context: LineContext, values: Fields, name: str, value: object) -> None:
    if name not in values:
        values[name] = value
        context.assumed.add(name)


def set_round(context: LineContext, values: Fields) -> None:
    """Give the number of the round that begins."""
    _assume_value(context, values, "round", context.state.clock.round + 1)


def this_round(context: LineContext, values: Fields) -> None:
    """Set the number of the current round; raise Gap if it is over, or none has begun."""
    clock = context.state.clock
    if not (clock.round or clock.open or context.memory.begins or context.script):
        raise Gap("no round has begun", "r begins round 1")
    if "round" not in values and clock.round and not clock.open:
        raise Gap(f"round {clock.round} has ended", f"r begins round {clock.round + 1}")
    _assume_value(context, values, "round", clock.round or None)


def set_turn(context: LineContext, values: Fields) -> None:
    """Set the combatant whose turn is due; a turn that is running does not begin again."""
    who, clock = values.get("who"), context.state.clock
    if who is not None and who == clock.turn and not context.script:
        raise Gap(f"it is the turn of {who} already", f"done {who} ends it")
    if who is None:
        who = next_up(context.state)
        if who is None:
            raise Gap("nothing says whose turn is next", "name the combatant")
        values["who"] = who
        context.assumed.add("combatant")


def another_segment(context: LineContext, values: Fields) -> None:
    """Refuse the segment that the clock shows already."""
    point, surprise = context.state.clock.point, context.state.clock.point.round == 0
    if values["segment"] == point.segment and not context.script and not surprise:
        raise Gap(f"the clock shows segment {point.segment} already", f"seg {point.segment + 1} moves it on")


def complete_effect(context: LineContext, values: Fields) -> None:
    """Complete an effect: what a combatant has begun and is due first, else its last act or declaration, and its targets."""
    who, state = values["source"], context.state
    works = [row for row in round_rows(state) if row.combatant == who and row.due and row.status == "begun"]
    row = min(works, key=lambda each: each.due or each.point, default=None)
    act = state.moments[row.events[0]] if row and row.events[0] in state.moments else None
    begun, seq = context.memory.begun.get(who) or declared_by(context, who), context.memory.began.get(who)
    if act and isinstance(act.event, ActionTaken):
        begun, seq = act.event.action, act.seq
    if begun is None:
        raise Gap(f"{who} has begun nothing", f"such as: effect sleep by {who}")
    _assume_value(context, values, "effect", begun.name or begun.kind)
    if not context.script and values["effect"].casefold() == (begun.name or begun.kind).casefold():
        values["act"] = seq
    values["each"] = values.setdefault("targets", list(begun.targets))
    due = next((row.due for row in reversed(round_rows(context.state)) if row.combatant == who and row.due), None)
    if due and _is_past(context.state, due):
        _assume_value(context, values, "segment", due.segment)


def _is_past(state: State, due: Point) -> bool:
    """Say whether something was due in a segment of this round that the clock does not reach any more, or never does."""
    now = state.clock.point
    is_ahead = state.clock.open and due.segment >= now.segment and forms.of(state.rules.rules).clock == "segment"
    return bool(due.segment) and due.round == now.round and not is_ahead


def set_bonus(context: LineContext, values: Fields) -> None:
    """Set the initiative bonus from a combatant's sheet."""
    sheet = context.state.combatants[values["who"]].sheet
    known = (getattr(sheet, name, None) for name in ("dexterity", "initiative"))
    values.setdefault("bonus", next((number for number in known if number is not None), None))


_MANY = r"(.*\S)\s*\*([-+]?[\d.]*\d)"


def join_copies(context: LineContext, values: Fields) -> Facts:
    """Return the facts by which one combatant joins, or several of a kind: goblin*6."""
    with_it = {"square": "placed", "total": "initiative_rolled"}
    found: Facts = []
    for one in _make_joining(context, values):
        given = [(kind, name) for name, kind in with_it.items() if values.get(name)]
        found += [one, *({"type": kind, "combatant": one["combatant"], name: values[name]} for kind, name in given)]
    return found


def changed_sheet(context: LineContext, values: Fields) -> None:
    """Make the fields of a sheet from the changes typed; a part of a field, such as one ability, leaves the others."""
    values["sheet"] = _listed_sheet(context, values["sheet"], context.state.combatants[values["combatant"]].sheet)


def _listed_sheet(context: LineContext, said: Fields, sheet: object) -> Fields:
    try:
        found = context.state.rules.listed(context.state, said, sheet)
    except ValueError as error:
        raise Gap(*map(str, error.args if error.args[1:] else (error, "leave out one of the two"))) from None
    lists = _list_fields(context.state.rules.sheet)
    return {key: value.split(",") if key in lists and isinstance(value, str) else value for key, value in found.items()}


@cache
def _list_fields(sheet: type) -> frozenset[str]:
    """Return the fields of a sheet that are lists of words."""
    kinds = {one.name: one.type for one in structs.fields(sheet)}
    return frozenset(
        name for name, kind in kinds.items() if get_origin(kind) in (tuple, list) and str in get_args(kind)
    )


def _is_count(context: LineContext, called: str, group: str) -> bool:
    """Say whether the word in the place of a name is a number of creatures named after it, which the game's tables have
    or may have: join 4 goblins.
    """
    from projections.language.table import NUMBERS  # only where somebody joins

    return (called.isdecimal() or called.casefold() in NUMBERS) and any(context.state.rules.kinds(context.state, group))


def _refuse_side(context: LineContext, called: str, group: str) -> None:
    """Raise Gap if the word in the place of a side is none: it is a number, belongs to one behind the name, or is part of
    a name in the game's tables, as in join dire wolf.
    """
    if group in context.state.sides:
        return
    if _is_count(context, called, group):
        raise Gap(f"{called} is a number, and no name", f"several of a kind: join {group}*4")
    if group.isdecimal():
        raise Gap(f"{group} is a number, and no side", f"for hit points: join {called} hp={group}")
    words, many = f"{called} {group}", re.fullmatch(_MANY, group)
    if context.state.rules.kinds(context.state, f"{called} {many[1]}" if many else words)[0]:
        raise Gap(f"{words} is one name, and needs quotation marks", f'such as: join "{words}" foes')


def _make_joining(context: LineContext, values: Fields) -> Facts:
    called, many = values["new"], re.fullmatch(_MANY, values["new"])
    if not context.script and values.get("group"):
        _refuse_side(context, called, values["group"])
    listed, kind = _listed_sheet(context, values.get("sheet", {}), None), many[1] if many else called
    rules, of_a_kind = context.state.rules, many is not None or values.get("of_a_kind", False)
    alone = names.folded(values.get("group") or "") == NO_SIDE
    said = "" if alone else values.get("group") or ""
    try:
        common: Fields = {"sheet": rules.recognized(context.state, kind, said, of_a_kind, listed)}
    except ValueError as error:
        raise Gap(*map(str, error.args)) from None
    if not alone and (side := said or rules.usual_side(context.state, common["sheet"])):
        word = names.folded(side)
        common["side"] = word if word in context.state.sides else names.id_of(side, ())
    taken = {*context.state.combatants, *context.state.sides}
    if many is None:
        exact = is_id(called)
        if names.exact_matches(context.state, called) and not (context.script and not exact):
            free = names.free_name(context.state, called)
            raise Gap(names.has_joined(context.state, called), f"such as: join {free}")
        who = called if exact else names.id_of(called, taken)
        return [{"type": "combatant_joined", "combatant": who, **({} if exact else {"name": called}), **common}]
    base = names.id_of(many[1], ())
    first = 2 if base in context.state.combatants else 1  # the ogre is the first of them
    number = int(many[2]) if many[2].isdecimal() and len(many[2]) < 4 else 0
    if not 1 <= number <= MOST_COPIES:
        raise Gap(f"{many[2][:40]} of a kind cannot join at once", f"1 to {MOST_COPIES}")
    found = []
    for _ in range(number):
        while f"{base}-{first}" in taken:
            first += 1
        taken.add(f"{base}-{first}")
        own = {} if base == many[1] else {"name": f"{many[1]} {first}"}
        found.append({"type": "combatant_joined", "combatant": f"{base}-{first}", **own, **common})
    return found


MOST_COPIES = 100
"""The most combatants who join by one line."""
NO_SIDE = "none"
"""The words for the side of combatants who join on none, each for themselves."""


def set_targets(_scene: LineContext, values: Fields) -> None:
    """Set the targets of an act whose outcome is on the same line, the same for each."""
    targets = values["action"].get("targets", ())
    if not targets:
        raise Gap("nobody is named whom this befalls", f"such as: {values['who']} orc-1 -5")
    values["each"] = targets
    name_parts(values)


def refuse_gift(_scene: LineContext, values: Fields) -> None:
    """Refuse an attack that would give points back; the line may mean healing by a combatant."""
    who, action = values["who"], values["action"]
    if action["kind"] == "attack":
        healed = f"{action['targets'][0]} +5 source={who}"
        raise Gap("an attack gives no points back", f"such as: {healed}, or {who} cast cure {action['targets'][0]} +5")


def split_initiative(_scene: LineContext, values: Fields) -> None:
    """Divide an initiative roll into die and bonus."""
    values |= values["roll"]


def swap_totals(context: LineContext, values: Fields) -> None:
    """Set the totals of two combatants who exchange them; raise Gap where one has none."""
    totals = {who: slot.key.get("total") for slot in order_of(context.state) for who in slot.combatants}
    for name, who in (("own", values["combatant"]), ("theirs", values["other"])):
        values[name] = totals.get(who)
        if values[name] is None:
            raise Gap(f"{who} has no total of initiative", f"such as: i {who}=14")


def set_shape(context: LineContext, values: Fields) -> None:
    """Set the shape that combatants take as what their effect changes; without points, those that the game knows."""
    points, shapes = values.get("points"), context.state.rules.shapes
    if points is None and shapes:
        points = shapes.points(context.state, values["form"], "source" in values)
    if points is None:
        said = f"form {','.join(values['targets'])} {word(values['form'])} 11"
        raise Gap(f"nothing says how many hit points {values['form']} gives", f"such as: {said}")
    values["modifiers"] = [{"name": values["form"], "amount": points, "to": "form"}]


def revert_shape(context: LineContext, values: Fields) -> None:
    """Set the effect by which a combatant has its present shape; raise Gap where it has its own."""
    who, shapes = values["combatant"], context.state.rules.shapes
    effect = shapes.effect(context.state, who) if shapes else ""
    if not effect:
        raise Gap(f"{who} has its own shape", f"such as: form {who} wolf 11")
    values |= {"effect": effect, "targets": [who]}


def set_recharge(_scene: LineContext, values: Fields) -> None:
    """Set the purpose of a die to recharge a power."""
    values["purpose"] = f"recharge {values['power']}" if "power" in values else "recharge"


def set_roller(context: LineContext, values: Fields) -> None:
    """Set who declares or rolls: a combatant or a side."""
    if who := values.get("who", values.get("party")):
        values["combatant" if who in context.state.combatants else "side"] = who


def set_opening(context: LineContext, values: Fields) -> None:
    """Set the record that a reaction answers: the last one that its combatant can answer now, if there is one."""
    state = context.state
    one = state.combatants[values["who"]]
    latest = sorted(state.triggers.openings, key=state.place_of, reverse=True)
    values["opening"] = next((seq for seq in latest if state.rules.answerable(state, one, seq).value), None)


FILLS: dict[str, Callable[[LineContext, Fields], None]] = {
    "blow": complete_blow,
    "deed": complete_act,
    "plan": complete_declaration,
    "next round": set_round,
    "this round": this_round,
    "next turn": set_turn,
    "another segment": another_segment,
    "casting": complete_effect,
    "bonus": set_bonus,
    "aim": set_targets,
    "gift": refuse_gift,
    "initiative": split_initiative,
    "swap": swap_totals,
    "form": set_shape,
    "revert": revert_shape,
    "recharge": set_recharge,
    "opening": set_opening,
    "roller": set_roller,
    "sheet": changed_sheet,
}
"""The functions that complete a line, by their names in the table of forms."""


# ---------------------------------------------------------------- the facts of a form


def values_of_members(values: Fields, *, together: bool) -> Facts:
    """Return the values of a repetition, for each of several combatants named together, or once for all."""
    if "members" not in values:
        return [values]
    first, *others = values["members"]
    if together:
        return [values | {"who": first, "together": others}]
    return [values | {"who": who} for who in values["members"]]


def facts_of_form(context: LineContext, form: forms.Form, values: Fields) -> Facts:
    """Return the facts that a form makes of one repetition's values."""
    for fill in form.each:
        FILLS[fill](context, values)
    if form.copies:
        return join_copies(context, values)
    sums = forms.of(context.state.rules.rules).sums
    return [made for template in form.makes for made in _fact_for_each(template, values, sums=sums)]


def _fact_for_each(template: Fields, values: Fields, *, sums: bool) -> Iterator[Fields]:
    """Yield the fact of a template; for an outcome with several targets, one fact for each, all with the same cause."""
    several = values.get("each", ()) if template.get("target") == "$target" else ()
    for place, who in enumerate(several or (values.get("target"),)):
        made = _spread_parts(_fill_template(template, values | {"target": who}), sums=sums)
        yield made | {"cause": made["cause"] - place} if "cause" in made else made


def _spread_parts(fact: Fields, *, sums: bool) -> Fields:
    """Return a fact in which modifiers that came with a die, or parts that came with an amount, are fields.

    Where the game `sums` up a sheet's modifiers, the number typed after a die is their sum, and the total is recorded.
    """
    die = fact.get("die")
    if sums and isinstance(die, dict) and "modifiers" in die and "total" in TAGS[fact["type"]].__struct_fields__:
        added = sum(each["amount"] for each in die["modifiers"])
        faces, dropped = die["die"]["faces"], die["die"].get("dropped", ())
        return fact | {"die": die["die"], "total": sum(d for at, d in enumerate(faces) if at not in dropped) + added}
    for key, beside in (("die", "modifiers"), ("check", "modifiers"), ("amount", "parts")):
        value = fact.get(key)
        if isinstance(value, dict) and beside in value:
            fact = fact | {key: value["die" if beside == "modifiers" else "amount"], beside: value[beside]}
    return fact


def _fill_template(template: object, values: Fields) -> Json:
    if isinstance(template, dict):
        filled = {key: _fill_template(item, values) for key, item in template.items()}
        return {key: item for key, item in filled.items() if item is not None and item not in ((), {})}
    if isinstance(template, str) and template.startswith("$"):
        return values.get(template[1:])
    return template
