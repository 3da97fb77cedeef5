"""Reveals of several records, or of a combatant: the rulings that make secrets known to all."""

import re
from collections.abc import Iterator, Sequence

from msgspec import to_builtins

from eventstore.events import ConditionLost, Fact, RulingMade
from eventstore.record import Recorded
from projections.language.notation import names
from projections.language.notation.line_context import Gap
from projections.language.notation.tokens import Token
from projections.state import State
from projections.stream.audience import audience

_SEVERAL = r"\d{1,9}(,\d{1,9})*"


def reveal_rulings(records: Sequence[Recorded], state: State, words: str) -> list[Fact]:
    """Return the rulings that reveal what a line names: records by their numbers, or all secrets about a combatant.

    A hidden combatant without a secret is no longer hidden; raise Gap if there is neither. The rest of the line is the
    decision. Raises NotUnderstood for an unknown name.
    """
    what, _, decision = words.partition(" ")
    if re.fullmatch(_SEVERAL, what):
        seqs, says = [int(each) for each in what.split(",")], "revealed"
    else:
        who = names.read_combatant(state, Token(what, len("reveal "), len("reveal ") + len(what)))
        seqs, says = [*_secrets_naming(records, state, who)], f"{state.combatants[who].name} is revealed"
        hidden = next(
            (each.name for each in state.conditions.values() if (each.bearer, each.called) == (who, "hidden")), ""
        )
        if not seqs and hidden:
            return [ConditionLost(condition=hidden, targets=(who,))]
        if not seqs:
            raise Gap(f"nothing about {who} is secret", "reveal 12 reveals a record by its number")
    return [RulingMade(ruling="reveal", event=seq, decision=decision or says) for seq in dict.fromkeys(seqs)]


def _secrets_naming(records: Sequence[Recorded], state: State, who: str) -> Iterator[int]:
    """Yield the secret records that name a combatant and are neither struck nor revealed; while the combatant is
    hidden, words that name it count, too.
    """
    hidden = audience(records).hidden
    known = {
        record.event.event
        for record in records
        if isinstance(record.event, RulingMade)
        and record.event.ruling == "reveal"
        and record.seq not in state.struck_by
    }
    for record in records:
        if (
            record.secret
            and record.seq not in known
            and record.seq not in state.struck_by
            and (_is_naming(to_builtins(record.event), who) or who in hidden.concerned(record))
        ):
            yield record.seq


def _is_naming(value: object, who: str) -> bool:
    if isinstance(value, dict | list | tuple):
        return any(_is_naming(each, who) for each in (value.values() if isinstance(value, dict) else value))
    return bool(value == who)
