"""The derived values of health that can be stated: failures, wounds, what a roll needs, what a day gives back."""

from typing import Any

from projections.address import NOTHING, Address, a_count, a_number_or_none
from projections.because import Because, Derived
from projections.folds import vitals as common
from projections.rulesets.definition_master.attacks.damage import comes_to
from projections.rulesets.definition_master.attacks.things import thing, things
from projections.rulesets.definition_master.health.death import chosen, needs
from projections.rulesets.definition_master.health.massive import dc_of
from projections.rulesets.definition_master.health.recovery import nld_rate, rate
from projections.rulesets.definition_master.maneuvers.swallow import swallowed_by
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_health import Failure
from projections.rulesets.ruleset import derives


@derives("death.three-in-a-row")
def failures(state: MasterState, who: str) -> Derived[int]:
    """Return how many death saves somebody has failed in a row since it fell."""
    one, body = state.combatants[who], state.health.of(who)
    rules = body.failures[-1].because.rules if body.failures else failures.rules
    counted = tuple(each.because for each in body.failures)
    forgot = (body.forgot,) if body.forgot else ()
    because = Because(rules, () if counted else (one.joined,), body.options, (*counted, *forgot, one.standing))
    return Derived(len(counted), because)


def set_failures(state: MasterState, who: str, value: int, seq: int) -> None:
    """Let a ruling say how many death saves somebody has failed."""
    state.health.of(who).failures = tuple(Failure(seq, Because(("log.ruling",), (seq,))) for _ in range(value))
    common.stands(state, state.combatants[who])


@derives("incapacitation.wound-at-zero", "incapacitation.wound-chosen-by-gm")
def wounds(state: MasterState, who: str) -> Derived[list[str]]:
    """Return the wounds of somebody in the GM's words."""
    found = state.health.of(who).wounds
    return Derived(list(found.values()), Because(wounds.rules, tuple(found) or (state.combatants[who].joined,)))


def death_dc(state: MasterState, who: str) -> Derived[Any]:
    """Return what the next death roll of somebody has to reach; none if none is due."""
    found, standing = needs(state, who), state.combatants[who].standing
    if found is None:
        return Derived(NOTHING, Because(("death.table-chooses-one-type",), (), chosen(state), (standing,)))
    return Derived(found.value, Because(of=(found, standing)))


@derives("massive.dc-attacker-hit-dice", "massive.half-maximum")
def massive_dc(state: MasterState, who: str) -> Derived[Any]:
    """Return the DC of the save against massive damage that somebody owes; none if it owes none."""
    _, half = massive_dc.rules
    hit = state.health.last.get(who)
    found = dc_of(state, hit) if hit and hit.massive and not hit.saved else None
    events = (hit.saved,) if hit and hit.massive and hit.saved else (state.combatants[who].joined,)
    none = Because((half,), events, state.chosen("massive-source"))
    return Derived(found.value, Because(of=(found, none))) if found else Derived(NOTHING, none)


def last_damage(state: MasterState, who: str) -> Derived[Any]:
    """Return what the last damage that somebody dealt comes to by its parts; none if it has dealt none."""
    dealt = state.health.blows.get(who)
    if dealt is None:
        return Derived(NOTHING, Because(("damage.after-hit",), (state.combatants[who].joined,)))
    return comes_to(state, dealt)


def blamed(state: MasterState, who: str, stated: Any) -> str:
    """Return the rule that a wrong status breaks: of death if somebody is called dead, of a failure that was left out."""
    status, failed = state.combatants[who].status, state.health.of(who).failures
    if str(stated).casefold() == "dead":
        return {"dying": "death.three-in-a-row", "unconscious": "swallow.death"}.get(status, "")
    left_out = str(stated) == f"dying({len(failed) - 1})" and not all(each.rolled for each in failed)
    return "massive.failure-counts-first-save" if left_out else ""


def _wants_type(state: MasterState, value: object) -> str:
    option = state.rules.catalogue().find_option("death-roll")
    known = option.values if option else ()
    return "" if value in known else f"one of {', '.join(known)}"


STATUS = next(each for each in common.ADDRESSES if each.pattern == "<who>.status")
_FIXED = "it follows from the sheet"
ADDRESSES = (
    Address(STATUS.pattern, STATUS.read, says=STATUS.says, wants=STATUS.wants, rule=STATUS.rule, blames=blamed),
    Address("<who>.failures", failures, says="death saves failed in a row", wants=a_count, rule=set_failures),
    Address("<who>.wounds", wounds, says="the wounds of somebody", fixed="condition_gained names a wound"),
    Address("<who>.death-dc", death_dc, says="what the next death roll has to reach", wants=a_number_or_none),
    Address("<who>.massive-dc", massive_dc, says="the DC of a save against massive damage", wants=a_number_or_none),
    Address(
        "<who>.damage", last_damage, says="what the last damage of somebody comes to", fixed="it follows from dice"
    ),
    Address("<who>.swallowed-by", swallowed_by, says="inside whom somebody is", fixed="it follows from the contest"),
    Address(
        "<who>.things.<name>",
        thing,
        says="the damage that a thing has taken",
        fixed="it follows from damage",
        places=things,
    ),
    Address("<who>.recovery", rate, says="hit points regained in an untreated day", fixed=_FIXED),
    Address("<who>.nld-recovery", nld_rate, says="non-lethal damage that a day takes off", fixed=_FIXED),
    Address(
        "options.death-roll",
        lambda state: Derived(
            chosen(state)["death-roll"], Because(("death.table-chooses-one-type",), (1,), chosen(state))
        ),
        says="the kind of death roll that the table uses",
        wants=_wants_type,
    ),
)
