"""What the tests of served logs share with others."""

from typing import Any

from hypothesis import strategies as st

from encounterlog.service.streams import ServedLog, hold_log
from eventstore.events import (
    Amended,
    CombatantJoined,
    DamageDealt,
    EncounterOpened,
    Fact,
    Inserted,
    Noted,
    RoundStarted,
    RulingMade,
    Struck,
)
from eventstore.record import Draft
from projections.views.view import show

OPENING = Draft(EncounterOpened(format=1, encounter="q7k2", title="Ford", ruleset="plain", revision=1, options={}))
WHO = ("ana", "ogre", "wraith")
START = [Draft(CombatantJoined(combatant=who, side=who, sheet={"hp": 20}), secret=who == "wraith") for who in WHO]
SEQS = st.integers(1, 14)
FACTS: st.SearchStrategy[Fact] = st.one_of(
    st.builds(DamageDealt, target=st.sampled_from(WHO), amount=st.integers(0, 12)),
    st.builds(RoundStarted, round=st.integers(1, 4)),
    st.builds(Noted, text=st.sampled_from(("rain", "mud"))),
)
EVENTS = st.one_of(
    FACTS,
    st.builds(Struck, event=SEQS),
    st.builds(Amended, event=SEQS, replacement=FACTS),
    st.builds(Inserted, after=SEQS, fact=FACTS),
    st.builds(RulingMade, ruling=st.just("reveal"), decision=st.just("so"), event=SEQS, reason=st.just("seen")),
    st.builds(RulingMade, ruling=st.just("waiver"), decision=st.just("so"), event=SEQS, reason=st.just("so be it")),
)


def seen(known: ServedLog, *, secrets: bool) -> tuple[Any, ...]:
    """Return what an audience sees of a log: records, state, findings, and the lines that can be taken back."""
    with hold_log(known):
        found = known.view(secrets=secrets, alone=True)
        assert found.folded is not None
        lines = found.folded.table.memory.lines
        return found.records, show(found.folded.table.done.state), found.folded.audit_log().findings, [*lines]
