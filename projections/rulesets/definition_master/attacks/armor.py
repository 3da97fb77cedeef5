"""Armor class by its parts: what counts against which attack, and which rule a wrong number leans on."""

from collections.abc import Iterable

from projections.because import Because, Derived, terms
from projections.mechanics.grants import words
from projections.rulesets.definition_master.attacks.combat_tables import armor_parts
from projections.rulesets.definition_master.attacks.stances import added, ended, in_force
from projections.rulesets.definition_master.attacks.wield import SHIELD, sort_of
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_combat import HITS, Manner, Piece
from projections.rulesets.ruleset import derives

BASE = 10
SPARE = "wield.duplicates-no-benefit"


def components(state: MasterState, who: str) -> dict[str, int]:
    """Return the parts of somebody's armour class over 10; one that is given as a whole has a single part."""
    sheet = state.combatants[who].sheet
    own = {"whole": sheet.ac - BASE} if isinstance(sheet.ac, int) else dict(sheet.ac)
    return own | {f"{name} {SHIELD}": amount for name, amount in sheet.shields.items()}


@derives("wield.duplicates-no-benefit", "wield.duplicate-which-applies")
def spare_shields(state: MasterState, who: str) -> dict[str, Because]:
    """Return the shields that do not count because another does: the one that a ruling names, else the better one."""
    none, which = spare_shields.rules
    parts = components(state, who)
    own = sorted((name for name in parts if sort_of((), name) == SHIELD), key=lambda name: -parts[name])
    for fact in reversed(state.rulings):
        said = words(f"{fact.event.subject or ''} {fact.event.decision}")
        chosen = [one for one in own if {*words(one)} - {SHIELD} <= {*said}]
        if chosen and who in (fact.event.combatants or (who,)):
            return {name: Because((which,), (fact.seq,)) for name in own if name != chosen[0]}
    return {name: Because((none,), state.combatants[who].records("ac")) for name in own[1:]}


def part_kind(name: str) -> str:
    """Return the part of the table that a component of a sheet is, by the words of its name."""
    said = words(name)
    if sort_of((), name) == SHIELD:
        return SHIELD
    return next((kind for kind in ("natural", *armor_parts()) if kind in said), "dexterity" if "dex" in said else name)


def pieces(state: MasterState, who: str, touch: bool = False, flat: Derived[bool] | None = None) -> list[Piece]:
    """Return the parts of somebody's armour class with whether each counts against a touch, or while flat-footed."""
    spare, found = spare_shields(state, who), list[Piece]()
    own = Because((), state.combatants[who].records("ac"))
    for name, amount in components(state, who).items():
        row = armor_parts().get(part_kind(name))
        if name in spare:
            found.append(Piece(name, amount, SPARE, spare[name], counts=False))
        elif touch and row is not None and not row.touch:
            found.append(Piece(name, amount, row.rule, own, counts=False))
        elif flat is not None and flat.value and part_kind(name) == "dexterity" and amount > 0:
            found.append(Piece(name, amount, next(iter(flat.because.rules), HITS), flat.because, counts=False))
        else:
            found.append(Piece(name, amount, HITS, own))
    found += [
        Piece(row.name, row.amount, row.rule, Because((), (each.seq,))) for row, each in in_force(state, who, "ac")
    ]
    return found + [Piece(name, amount, HITS, because) for name, amount, because in added(state, who, "ac")]


def summed(found: Iterable[Piece], rules: tuple[str, ...] = ()) -> Derived[int]:
    """Return an armour class of these parts; its reason names those that count and the rules of those that do not."""
    own = list(found)
    total = BASE + sum(each.amount for each in own if each.counts)
    named = (rule for each in own if each.rule != HITS for rule in each.because.rules or (each.rule,))
    cited = dict.fromkeys((*named, *rules, HITS))
    because = sum((each.because for each in own), Because())
    of = terms(total, ("base", BASE), *((each.name, each.amount) for each in own if each.counts))
    return Derived(total, Because(tuple(cited), because.events, because.options, (*because.of, *of)))


def armor(state: MasterState, who: str, touch: bool = False, flat: Derived[bool] | None = None) -> Derived[int]:
    """Return somebody's armour class as it is now, against a touch or not; a ruling goes first."""
    address = f"{who}.{'touch' if touch else 'flat-footed' if flat and flat.value else 'ac'}"
    if covered := state.ruled.get(address):
        return Derived(covered.value, Because(of=(covered,)))
    found = summed(pieces(state, who, touch, flat), ("touch.armor-ignored",) if touch else ())
    over = ended(state, who)
    return Derived(found.value, found.because + Because(of=over)) if over else found


def is_touch(manner: Manner) -> bool:
    """Say whether an attack of this manner only has to touch."""
    return manner in ("melee-touch", "ranged-touch")
