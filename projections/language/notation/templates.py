"""Facts from the templates of a form, filled with the values that a line gives."""

from collections.abc import Iterator

from eventstore.events import TAGS
from projections.language.notation import filling, forms
from projections.language.notation.forms import Form
from projections.language.notation.line_context import LineContext
from projections.open_types import Facts, Fields, Json


def members_of(values: Fields, *, together: bool) -> Facts:
    """Return the values of a repetition, for each of several combatants named together, or once for all."""
    if "members" not in values:
        return [values]
    first, *others = values["members"]
    if together:
        return [values | {"who": first, "together": others}]
    return [values | {"who": who} for who in values["members"]]


def facts_of_form(context: LineContext, form: Form, values: Fields) -> Facts:
    """Return the facts that a form makes of one repetition's values."""
    for fill in form.each:
        filling.FILLS[fill](context, values)
    if form.copies:
        return filling.copies(context, values)
    sums = forms.of(context.state.rules.rules).sums
    return [made for template in form.makes for made in _to_each(template, values, sums=sums)]


def _to_each(template: Fields, values: Fields, *, sums: bool) -> Iterator[Fields]:
    """Yield the fact of a template; for an outcome with several targets, one fact for each, all with the same cause."""
    several = values.get("each", ()) if template.get("target") == "$target" else ()
    for place, who in enumerate(several or (values.get("target"),)):
        made = _spread(_fill(template, values | {"target": who}), sums=sums)
        yield made | {"cause": made["cause"] - place} if "cause" in made else made


def _spread(fact: Fields, *, sums: bool) -> Fields:
    """Return a fact in which modifiers that came with a die, or parts that came with an amount, are fields.

    Where the game `sums` up a sheet's modifiers, the number typed after a die is their sum, and the total is recorded.
    """
    die = fact.get("die")
    if sums and isinstance(die, dict) and "modifiers" in die and "total" in TAGS[fact["type"]].__struct_fields__:
        added = sum(each["amount"] for each in die["modifiers"])
        return fact | {"die": die["die"], "total": _shown(die["die"]) + added}
    for key, beside in (("die", "modifiers"), ("check", "modifiers"), ("amount", "parts")):
        value = fact.get(key)
        if isinstance(value, dict) and beside in value:
            fact = fact | {key: value["die" if beside == "modifiers" else "amount"], beside: value[beside]}
    return fact


def _shown(die: Fields) -> int:
    return sum(face for place, face in enumerate(die["faces"]) if place not in die.get("dropped", ()))


def _fill(template: object, values: Fields) -> Json:
    if isinstance(template, dict):
        filled = {key: _fill(item, values) for key, item in template.items()}
        return {key: item for key, item in filled.items() if item is not None and item not in ((), {})}
    if isinstance(template, str) and template.startswith("$"):
        return values.get(template[1:])
    return template
