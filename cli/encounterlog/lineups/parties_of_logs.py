"""The party of another log: the combatants who go on from its fight, with their remaining points."""

from collections.abc import Sequence

from msgspec import structs

from encounterlog.errors import Refused
from encounterlog.log.logs import LogView, replay_log
from encounterlog.places.stores import parse_address
from eventstore.address import LogAddress, is_url
from eventstore.paths import plain_path
from eventstore.record import Draft, Recorded, upcast
from eventstore.wording import visible
from projections.fight import Combatant
from projections.language.notation.line_context import taught_word
from projections.ruleset.ruleset import Ruleset
from projections.state import State
from projections.stream.audience import for_players
from projections.views.carried import Carried, carry_over, side_of_players

LOG = ".jsonl"  # the end of the name of a log's file


def is_log(given: str) -> bool:
    """Say whether the value of --party is a log, at a URL or by the end of its name, and no file of a line-up."""
    return is_url(given) or given.rpartition("#")[0].lower().endswith(LOG) or given.lower().endswith(LOG)


def party_of(given: str, rules: Ruleset) -> Carried:
    """Return the party of FILE, or of FILE#SIDE; raise Refused, or what the store raises for a log that cannot be read."""
    whole = given.lower().endswith(LOG) and "#" not in given.rpartition("/")[2]
    place, _, wanted = (given, "", "") if whole or "#" not in given else given.rpartition("#")
    where: LogAddress = parse_address(place) if is_url(place) else plain_path(place)
    return party_of_log(LogView(where), visible(str(where)), wanted, rules)


def party_of_log(log: LogView, called: str, wanted: str, rules: Ruleset, *, openly: bool = False) -> Carried:
    """Return the party of a log, under the name that errors give it: a side, or the combatants with a name; raise Refused. The
    log is verified whole. One that withholds records is refused, as its end is not known. If it is asked for `openly`, a
    combatant unknown to players cannot be wanted, and no error names one.
    """
    records: Sequence[Recorded] = list(log)
    state = replay_log(log).state
    if state.rules.key != rules.key:
        says = f"{called} is on {state.rules.key}, and this encounter on {rules.key}"
        raise Refused("refused", says, f"a party goes on in the same ruleset; open it on {state.rules.key}")
    if state.unread:
        says = f"{called}: record {state.unread[0]} is withheld or of an unknown type"
        raise Refused("refused", says, "a party is taken from a log that can be read whole, as the game master can")
    secret = frozenset(each.seq for each in for_players(records) if each.withheld)
    end = records[-1]
    known = [one for one in state.combatants.values() if not (openly and one.joined in secret)]
    chosen = _choose_combatants(state, known, called, wanted)
    those = [one for one in state.combatants.values() if one.id in chosen]
    found = carry_over(state, records, those, secret, f"from encounter {state.encounter}, as of {end.seq}:{end.hash}")
    if not found.drafts:
        behind = found.known if openly else found.behind
        raise Refused("refused", f"{called}: nobody goes on{': ' if behind else ''}{'; '.join(behind)}")
    stand = (each for each in records if each.seq not in state.struck_by and not each.secret)
    taught = (Draft(upcast(each.event)) for each in stand if each.event and taught_word(each.event))
    return structs.replace(found, drafts=(*found.drafts, *taught))


def _choose_combatants(state: State, known: Sequence[Combatant], called: str, wanted: str) -> frozenset[str]:
    """Return the `known` combatants who are on the wanted side, or have that name; by default those on the players' side. Raise Refused."""
    folded, sides = wanted.casefold(), dict.fromkeys(one.side for one in known)
    if not sides:
        raise Refused("refused", f"{called}: nobody has joined in it", "a party is the side of an encounter")
    side = (folded if folded in sides else None) if wanted else side_of_players(sides)
    if side is not None:
        return frozenset(one.id for one in state.combatants.values() if one.side == side)
    if found := {one.id for one in known if wanted and folded in (one.id, one.name.casefold())}:
        return frozenset(found)
    says = f"no side {visible(wanted[:60])!r}" if wanted else "no side is the players' by its name"
    hint = f"its sides are {', '.join(sides)}; {called}#{next(iter(sides))} is one of them"
    raise Refused("refused", f"{called}: {says}", hint)
