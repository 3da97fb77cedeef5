"""The beginning of a dice chain at a service, which stores the secret beside the log."""

from encounterlog.core import chains
from encounterlog.service.bodies import beginning_of
from encounterlog.service.calls import Call, Reply, document
from eventstore.chain import Anchor


def begin(call: Call) -> Reply:
    """Begin a chain of dice for open rolls and one for secret ones; the name of the token holds the secret."""
    asked = beginning_of(call.body)
    with call.writing() as seen:
        records = chains.begin(
            seen, by=call.token.by or call.token.role, seed=asked.seed or None, because=asked.because or None
        )
    end = Anchor(records[-1].seq, records[-1].hash)
    return document({"first": end.seq - 1, "last": end.seq, "head": str(end), "again": False, "findings": []}, 201, end)
