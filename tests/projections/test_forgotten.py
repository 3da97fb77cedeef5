"""A fact that was forgotten at first, and inserted later, comes to the same as if it had been told in its place."""

import pytest
from msgspec import structs

from eventstore.events import Checked, Correction, Inserted
from eventstore.record import Recorded
from projections.proving.proof import records_of
from projections.stream.corrections import absolute
from tests.projections.forgotten import come_to, fact_of, forgettable, references
from tests.projections.stage import Script, every_script, one_in

EACH, EACH_IN_SAMPLE = 8, 256
"""Of so many records of a play one is forgotten."""


@pytest.mark.in_turn(4)
@pytest.mark.slow
@every_script()
def test_what_was_forgotten_and_inserted_comes_to_what_it_would_have(plays: Script, whole: bool) -> None:
    for play in plays:
        records = [structs.replace(each, event=absolute(fact_of(each), each.seq)) for each in records_of(play)]
        if any(isinstance(each.event, Correction | Checked) for each in records):
            continue  # what was stated before a correction is judged more leniently than what was stated after it
        late = one_in(EACH if whole else EACH_IN_SAMPLE, forgettable(records), play.line)
        in_place = come_to(records) if late else ()
        for seq in late:
            assert come_to(forgotten(records, seq)) == in_place, f"{play.source}, line {play.line}, record {seq}"


def forgotten(records: list[Recorded], seq: int) -> list[Recorded]:
    """Return a log in which a record was forgotten at first, and inserted at the end."""
    rest = records[: seq - 1]
    for each in records[seq:]:
        moved = {name: to - (to > seq) for name, to in references(each).items()}
        rest.append(structs.replace(each, seq=each.seq - 1, event=structs.replace(fact_of(each), **moved)))
    late = Inserted(after=seq - 1, fact=fact_of(records[seq - 1]))
    return [*rest, structs.replace(records[-1], seq=len(records), event=late)]
