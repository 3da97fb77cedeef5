"""Random logs for laws: everything that a table could say, in any order, corrections of anything included."""

from hypothesis import strategies as st

from eventstore.shapes import LARGEST
from tests.projections import logs
from tests.projections.logs import fact

WHO = st.sampled_from(("ana", "bo", "cy", "dov"))
NAME = st.sampled_from(("haze", "Hex", "hex", "prone"))
SMALL = st.integers(-3, 12)
WILD = st.one_of(SMALL, st.sampled_from((LARGEST, -LARGEST)))
SEQ = st.integers(-3, 45).filter(bool)
UNIT = st.sampled_from(("round", "minute", "second", "segment", "day", "heartbeat"))
SPAN = st.fixed_dictionaries(
    {"amount": st.integers(-1, 3), "unit": UNIT}, optional={"of": WHO, "at": st.sampled_from(("start", "end", "noon"))}
)
STATED = st.one_of(SMALL, st.booleans(), st.sampled_from(("none", "out", "ana", "")), st.lists(WHO, max_size=3))
ADDRESS = st.one_of(
    st.sampled_from(("order", "turn", "round", "segment", "phase", "options.concentration", "mood", "ana.", ".hp")),
    st.builds(
        "{}.{}".format,
        WHO,
        st.sampled_from(
            (
                *("hp", "hp_max", "temp", "nld", "status", "name", "side", "effects", "conditions", "casting"),
                *("concentration", "effects.haze", "effects.Hex", "mood"),
            )
        ),
    ),
)


def _some(**fields: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({}, optional=fields)


def _fact(type_: str, rest: st.SearchStrategy[dict[str, object]], **fields: object) -> st.SearchStrategy[str]:
    needed = {k: v if isinstance(v, st.SearchStrategy) else st.just(v) for k, v in fields.items()}
    return st.builds(lambda own, more: fact(type_, **own, **more), st.fixed_dictionaries(needed), rest)


_NONE = _some()
_MOMENT = {"segment": st.integers(0, 11), "second": st.integers(0, 7), "cause": SEQ}

JOINING = st.builds(logs.joins, WHO, st.one_of(st.none(), WILD), st.sampled_from((None, "heroes", "orcs")))
FACTS = st.one_of(
    JOINING,
    _fact("sheet_changed", _NONE, combatant=WHO, sheet=_some(hp=WILD, hp_max=SMALL, temp=SMALL)),
    _fact("sheet_changed", _NONE, combatant=WHO, sheet=st.just({"hp": "nine"})),
    _fact("combatant_left", _NONE, combatant=WHO),
    _fact("encounter_closed", _NONE),
    _fact("encounter_closed.2", _some(reason=st.sampled_from(("fled", "talked out")))),
    _fact("round_started", _NONE, round=st.integers(0, 4)),
    _fact("round_ended", _NONE),
    _fact("phase_reached", _NONE, phase=st.sampled_from(("A", "GF"))),
    _fact("segment_reached", _NONE, segment=st.integers(0, 11)),
    _fact("turn_started", _some(together=st.lists(WHO, max_size=2)), combatant=WHO),
    _fact("turn_ended", _NONE, combatant=WHO),
    _fact("time_passed", _NONE, time=st.one_of(SMALL, SPAN.map(lambda s: {k: s[k] for k in ("amount", "unit")}))),
    _fact("initiative_rolled", _some(total=SMALL, bonus=SMALL, die=SMALL, tie_with=st.lists(WHO)), combatant=WHO),
    _fact("initiative_rolled", _NONE, side=st.sampled_from(("heroes", "orcs")), die=SMALL),
    _fact("surprise_rolled", _NONE, side=st.sampled_from(("heroes", "orcs")), die=SMALL),
    _fact(
        "action_declared", _NONE, combatant=WHO, action=_some(name=NAME, time=SMALL).map(lambda a: a | {"kind": "cast"})
    ),
    _fact(
        "action_taken",
        _some(segment=st.integers(0, 11), trigger=SEQ),
        combatant=WHO,
        action=st.sampled_from(({"kind": "cast", "name": "haze", "time": 2}, {"kind": "attack", "targets": ["bo"]})),
    ),
    _fact("action_abandoned", _NONE, combatant=WHO),
    _fact("attack_rolled", _some(**_MOMENT, target=WHO), combatant=WHO),
    _fact("damage_dealt", _some(**_MOMENT, nonlethal=st.just(True)), target=WHO, amount=WILD),
    _fact("healed", _some(**_MOMENT, temporary=st.just(True)), target=WHO, amount=WILD),
    _fact("resource_changed", _some(left=SMALL), combatant=WHO, resource=NAME, amount=WILD),
    _fact(
        "effect_started",
        _some(source=WHO, targets=st.lists(WHO, max_size=3), duration=SPAN, concentration=st.just(True), parent=SEQ),
        effect=NAME,
    ),
    _fact("effect_ended", _some(targets=st.lists(WHO, max_size=2)), effect=NAME),
    _fact("condition_gained", _some(duration=SPAN), condition=NAME, targets=st.lists(WHO, max_size=3)),
    _fact("condition_lost", _NONE, condition=NAME, targets=st.lists(WHO, max_size=3)),
    _fact("checked", _NONE, values=st.dictionaries(ADDRESS.filter(bool), STATED, max_size=3)),
    _fact("ruling_made", _NONE, ruling="override", decision="so", values=st.dictionaries(ADDRESS, STATED, max_size=3)),
    _fact("ruling_made", _some(event=SEQ), ruling="waiver", decision="so"),
    _fact("ruling_made", _NONE, ruling="tie", decision="so", combatants=st.lists(WHO, max_size=3)),
)
CORRECTIONS = st.one_of(
    _fact("struck", _NONE, event=SEQ), st.builds(logs.amend, SEQ, FACTS), st.builds(logs.insert, SEQ, FACTS)
)
OPENING = tuple(logs.joins(who, 10, side) for who, side in (("ana", "heroes"), ("bo", "orcs"), ("cy", "orcs")))


def stories(least: int = 10, most: int = 30) -> st.SearchStrategy[list[str]]:
    """Return a strategy for the facts of a log: three have joined, then anything happens."""
    anything = st.lists(st.one_of(FACTS, FACTS, FACTS, CORRECTIONS), min_size=least, max_size=most)
    return anything.map(lambda told: [*OPENING, *told])
