"""Concentration: the work or effect on which a combatant concentrates, its end, and limits of movement."""

from collections.abc import Iterator

from eventstore.events import EffectEnded, EffectStarted, Moved
from projections.address import NOTHING
from projections.because import NOTHING_CITED, Because, Cites, Derived, asked_options
from projections.fight import Combatant
from projections.folds.concentration import let_go
from projections.folds.effects import end
from projections.mechanics.concentration import concentrated
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.vile_darkness import works
from projections.rulesets.vile_darkness.disturbances import LOSS, ends_others, spare
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import Casting, VileAct, VileState
from projections.rulesets.vile_darkness.table import SPELLS, entry_of


@derives("concentration.maintain-notation", on=EffectStarted, phase="effects")
def effect_is_maintained(state: VileState, fact: Reading[EffectStarted]) -> None:
    """Let the source of an effect maintain it, if fact or entry says that it takes concentration."""
    act, event, who = fact.act, fact.event, fact.who
    entry = entry_of(state, who, event.effect)
    if not event.concentration and not (entry and entry.concentration):
        return
    own = [key for key in state.effects if key[0] == fact.seq]
    for key in own:
        state.effects[key].concentration, state.effects[key].source = True, who
    if act and (broken := works.completes(state, act)) and works.over(state, act):
        end(state, own, Because(state.rules.effect_rules, (fact.seq,), of=(works.status(state, broken),)))
    else:
        ends_others(state, who, fact.seq)


@derives("incantation.needs-concentration", "concentration.second-ends-first", "incantation.broken-is-lost")
def concentration(state: VileState, one: Combatant) -> tuple[str, Because]:
    """Return the work or effect on which a combatant concentrates, with the reason; "", with the reason for the last
    end, without one.
    """
    own = [each for each in state.works_of.get(one.id, ()) if works.needs_concentration(state, each).value]
    casting = works.under_way(state, own)
    asked = [works.needs_concentration(state, each) for each in works.bare_under_way(state, one.id)]
    why: tuple[Cites, ...] = (casting, *asked)
    if casting.value:
        last = casting.value[-1]
        rules = ("concentration.second-ends-first",) if last.seq in state.round.ended else ()
        return last.name, Because((*rules, "incantation.needs-concentration"), (last.seq,), why)
    why = (*why, works.taken_back(state, one.id, *SPELLS))
    held = [state.effects[key] for key in concentrated(state.effects, one.id)]
    if held:
        begun = Derived(held, Because((), (held[-1].seq,), (state.spared.get(held[-1].seq, NOTHING_CITED),)))
        return held[-1].name, Because(effect_is_maintained.rules, (), (begun, *why))
    let_go = Derived(held, state.released.get(one.id, NOTHING_CITED))
    ended = last_end(state, own)
    none = Because(("incantation.needs-concentration",), (one.joined,))
    return "", Because(of=(let_go, ended, none, *why))


def bare_concentration(state: VileState, who: str) -> str:
    """Return the work or effect on which a combatant concentrates, without a reason."""
    busy = [each.name for each in works.bare_under_way(state, who) if works.needs_concentration(state, each).value]
    held = [state.effects[key].name for key in concentrated(state.effects, who)]
    return [NOTHING, *held, *busy][-1]


def last_end(state: VileState, own: list[Casting]) -> Because:
    """Return why the last of the works that would reach into this round ended, and why its spell is used up."""
    here = [each for each in own if not works.is_past(state, each)]
    ends = [(found.value, each, found) for each in here if (found := works.why_over(state, each)).value]
    if not ends:
        return NOTHING_CITED
    _, last, found = max(ends, key=lambda each: state.at(each[0].seq))
    used = works.use_of(state, last)
    rules = ("concentration.second-ends-first",) if last.seq in state.round.ended else ()
    rules = (*rules, *found.because.rules, *(used.because.rules if used else ()))
    return Because(tuple(dict.fromkeys(rules)), of=(found,))


# ---------------------------------------------------------------- movement while maintaining

WALK = "walk"


def mode_of(act: VileAct) -> str:
    """Return the mode of a move; without one, walking."""
    return act.action.plain_manner[0] if act.action.manner else WALK


@derives("concentration.half-move", "concentration.native-fly-swim")
def limit(state: VileState, act: VileAct) -> float | None:
    """Return the feet a round that a combatant may cover in the mode of a move while it maintains an effect.

    It is half of its rate, or all of it in a native mode; None if the rate is unknown.
    """
    sheet, mode = state.combatants[act.combatant].sheet, mode_of(act)
    rate = sheet.speeds.get(mode, sheet.speeds.get(WALK))
    if rate is None:
        return None
    native = mode != WALK and mode in {each.casefold() for each in sheet.native_modes}
    return float(rate) if native else rate / 2


def walked(state: VileState, act: VileAct) -> float:
    """Return the feet that a combatant has covered in this mode in the round, up to and with a move."""
    return float(act.feet + sum(_walks(state, act).values()))


def _walks(state: VileState, act: VileAct) -> dict[int, float]:
    """Return the feet of each move of the round in the same mode up to this one while its doer maintained an effect."""
    moves = [each for each in state.round.acts_of.get(act.combatant, ()) if state.precedes(each.seq, act.seq)]
    return {each.seq: each.feet for each in moves if each.maintains and mode_of(each) == mode_of(act)}


@derives(LOSS, on=Moved, phase="consequences")
def a_long_walk_breaks_by_option(state: VileState, fact: Reading[Moved]) -> None:
    """End the maintained effects of a combatant that goes too far, by option."""
    act = fact.act
    if act is None:
        return
    most = limit(state, act)
    if most is None or walked(state, act) <= most:
        return
    if state.option("over-half-move") == "breaks":
        let_go(state, act.combatant, Because((LOSS,), (fact.seq,)))
    else:
        spare(state, act.combatant, asked_options())


@checks_by("concentration.half-move", "concentration.native-fly-swim", on=Moved)
def maintainers_go_no_further(state: VileState, fact: Reading[Moved]) -> Iterator[Fault]:
    """Yield a fault for a combatant who goes too far while it maintains an effect."""
    act = state.round.acts.get(fact.seq)
    if act is None or not act.maintains:
        return
    most, went = limit(state, act), walked(state, act)
    if most is None or not went > most >= went - act.feet:
        return
    if state.option("over-half-move") != "breaks" and not _let_go(state, act):
        rule = "concentration.half-move" if mode_of(act) == WALK else "concentration.native-fly-swim"
        says = f"{act.combatant} goes {went:g} ft while it maintains an effect"
        records = (
            act.maintains,
            *_walks(state, act),
            *state.combatants[act.combatant].records("speeds", "native_modes"),
        )
        yield Fault((rule,), says, f"{most:g} ft at most", f"{went:g} ft", tuple(sorted({act.seq, *records})))


def _let_go(state: VileState, act: VileAct) -> bool:
    """Return whether a record ends an effect of a combatant in the slot of its move."""
    later = [each for each in state.moments.values() if state.precedes(act.seq, each.seq)]
    whose = (None, act.combatant)
    ends = [each for each in later if isinstance(each.event, EffectEnded) and each.event.source in whose]
    moment = state.moments[act.seq].point
    return any(each.cause == act.seq or each.point == moment for each in ends)
