"""An import: the facts of a recorded combat in a new log, and their agreement with its recorded states."""

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from encounterlog.errors import Refused
from encounterlog.importers import ANY, IMPORTERS, load_importer
from encounterlog.importers.games import list_games_with_imports
from encounterlog.importers.mapping import read_mapping
from encounterlog.importers.transcript import BadSource, Fact, Repair, Transcript
from encounterlog.log import opening
from encounterlog.log.logs import LogView, replay_log
from encounterlog.log.opening import keys_with_documents
from encounterlog.places.stores import check_free, create_of_lines, create_store, open_store
from encounterlog.places.time_and_chance import current_time
from encounterlog.words.facts import fact_sentence
from encounterlog.words.layout import format_numbers
from encounterlog.words.phrases import value_in_words
from eventstore.address import LogAddress
from eventstore.copying import Copy, encode_lines
from eventstore.errors import Malformed
from eventstore.events import Checked, EncounterOpened
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Draft
from eventstore.store import MOST_EVENTS
from eventstore.wording import visible
from projections.judging.refusals import find_refusals
from projections.judging.statements import Judged, judge_statement, mark_outdated
from projections.occurrence import SOURCE, Occurrence
from projections.replay.replay import empty_state
from projections.ruleset.documents import Documents
from projections.rulesets import keys
from projections.state import State

KINDS = ("order", "turn", "round", "name", "hp", "hp_max", "temp", "effects", "left", "counters")
"""The kinds of values that are compared, in the order of a report."""
CALLED = {"name": "names", "hp_max": "maximum", "temp": "temporary points", "left": "durations"}
"""The kinds whose names in a report are others."""
MOST_LINES = 8  # the most lines of the source that a record names


class Respect(Struct, frozen=True):
    """The agreement of facts and states in one kind of value, counted in states.

    A state agrees by itself, or because a value was set right (explained by a row or not), or it differs. `agree`
    counts the states that do not differ, `stated` those that have any such value.
    """

    name: str
    agree: int
    states: int
    stated: int
    by_itself: int
    with_cause: int
    without_cause: int


class Difference(Struct, frozen=True):
    """A value on which a state and the facts differ: the state's line, both values, and what last touched it."""

    line: int
    event: int
    address: str
    stated: str
    derived: str
    cause: str


class Trouble(Struct, frozen=True):
    """A row of the source that was not understood, or only in part."""

    line: int
    what: str


class SetRight(Struct, frozen=True):
    """A value that was set right to what the source shows: its address, the record, and the line that explains it."""

    line: int
    event: int
    address: str
    cause: int | None
    says: str


class Imported(Struct, frozen=True):
    """The outcome of an import; `repairs` are all values that were set right, `left_out` counts messages of talk.

    `after_end` counts the rows of the source after the end of the fight, which are no part of it, `ignored` the lines that a mapping leaves out.
    `begins` says what is special about the beginning, if anything; `unexplained` counts the repairs without a cause.
    `head` is the end of the new log, as SEQ:HASH; `same` says that the source was a log, which was copied byte for
    byte.
    """

    file: str
    title: str
    records: int
    states: int
    respects: tuple[Respect, ...]
    differences: tuple[Difference, ...]
    unexplained: int
    repairs: tuple[SetRight, ...]
    problems: tuple[Trouble, ...]
    left_out: int
    head: str
    same: bool = False
    begins: str = ""
    after_end: int = 0
    ignored: int = 0


def run_import(
    kind: str,
    source: LogAddress,
    file: LogAddress,
    title: str | None,
    by: str,
    *,
    network_drive: bool = False,
    talk: bool = False,
    ruleset: str = "",
    mapping: str = "",
    edition: str = "",
) -> Imported:
    """Import a recording into a new log and compare, or copy a log; leave no file behind if that fails."""
    check_free(file)
    read = _read_source(kind, source, talk=talk, ruleset=ruleset, mapping=mapping)
    if isinstance(read, Copy):
        _documents_of_edition(edition, "")
        return _copy_log(file, read, title, network_drive=network_drive)
    read = _add_stat_blocks(read, edition)
    head = opening.make_opening(opening.ruleset_named(read.ruleset), title or read.title, read.options)
    drafts = _make_drafts(read.facts)
    if found := find_refusals(empty_state(head), drafts, 1):
        lines = (format_numbers(read.facts[one.place].lines) for one in found[:20])
        details = [f"line {line}, {one.field}: {one.reason}" for line, one in zip(lines, found, strict=False)]
        raise Refused("refused", f"{len(found)} facts of the source are refused", details=details)
    whole = [Draft(head, at=drafts[0].at if drafts else None), *drafts]
    batches = [whole[start : start + MOST_EVENTS] for start in range(0, len(whole), MOST_EVENTS)]
    create_store(file, *batches, by=by, at=current_time(), network_drive=network_drive)
    return _compare_with_recording(file, read, drafts)


def _copy_log(file: LogAddress, copy: Copy, title: str | None, *, network_drive: bool) -> Imported:
    if title is not None:
        raise Refused("usage", "a log that is copied keeps its title", "leave out --title")
    first, torn = next(iter(copy)).event, copy.found.problem
    create_of_lines(file, encode_lines(copy), network_drive=network_drive)
    called = first.title if isinstance(first, EncounterOpened) else ""
    problems = (Trouble(torn.line, f"{torn.why}; the rest of the log was not copied"),) if torn else ()
    nothing = (0, (), (), 0, ())  # no states, so nothing is compared or set right
    return Imported(visible(str(file)), called, copy.records, *nothing, problems, 0, str(copy.head), same=True)


def _read_source(kind: str, source: LogAddress, *, talk: bool, ruleset: str, mapping: str) -> Transcript | Copy:
    check_ruleset(kind, ruleset)
    _check_mapped(kind, mapping)
    if talk and not IMPORTERS[kind].talks:
        talkers = [name for name, row in IMPORTERS.items() if row.talks]
        raise Refused("usage", f"{kind} has no talk to keep", f"{', '.join(talkers)}: these have")
    if not isinstance(source, str) and kind != "jsonl":
        raise Refused("usage", f"{source}: recordings of {kind} are files", "encounter import jsonl copies a log")
    try:
        read = load_importer(kind, talk=talk, ruleset=ruleset, mapping=Path(mapping) if mapping else None)
        return read(Path(source) if isinstance(source, str) else source)
    except BadSource as error:
        raise Refused("refused", visible(f"{source}: {error}"), visible(error.hint)) from None


def _documents_of_edition(edition: str, ruleset: str) -> Documents | None:
    """Return the rule documents of a ruleset; raise Refused for an edition that there is not, or of another game."""
    documents = opening.ruleset_named(ruleset).documents() if ruleset else None
    if edition and documents is None:
        raise Refused("usage", f"--edition goes with --ruleset {keys_with_documents()}", "other games have no editions")
    if edition and documents and edition not in documents.editions:
        says = f"{visible(edition[:40])} is no edition"
        raise Refused("usage", says, f"there are {' and '.join(documents.editions)}")
    return documents


def _add_stat_blocks(read: Transcript, edition: str) -> Transcript:
    documents = _documents_of_edition(edition, read.ruleset)
    if documents is None:
        return read
    chosen = edition or read.options.get("edition", documents.editions[0])
    rolled = [one.event for one in reversed(read.facts) if one.event["type"] == "initiative_rolled"]
    bonuses = {each["combatant"]: each["bonus"] for each in rolled if "combatant" in each and "bonus" in each}
    facts = []
    for fact in read.facts:
        event = fact.event
        if event["type"] == "combatant_joined":
            rolls = {"initiative": bonuses[event["combatant"]]} if event["combatant"] in bonuses else {}
            named = documents.name_of_sheet(event.get("name", event["combatant"]), chosen, rolls | event["sheet"])
            event = event | {"sheet": named | event["sheet"]} if named else event
        facts.append(fact._replace(event=event))
    return read._replace(facts=facts, options=read.options | {"edition": chosen})


def check_mapping(kind: str, mapping: str, ruleset: str) -> None:
    """Raise Refused for a mapping that is missing, not needed, or wrong for its ruleset or this one."""
    _check_mapped(kind, mapping)
    if mapping:
        try:
            read_mapping(Path(mapping), ruleset)
        except BadSource as error:
            raise Refused("refused", visible(str(error)), visible(error.hint)) from None


def _check_mapped(kind: str, mapping: str) -> None:
    if IMPORTERS[kind].mapped != bool(mapping):
        says = f"what the lines of {kind} mean is not known" if not mapping else f"recordings of {kind} need no mapping"
        raise Refused("usage", says, "encounter import events SOURCE FILE --map MAPPING")


def check_ruleset(kind: str, ruleset: str) -> None:
    """Raise Refused for a ruleset for which this importer writes no log."""
    games = IMPORTERS[kind].games
    if IMPORTERS[kind].mapped or not ruleset:
        return
    if not games:
        raise Refused("usage", f"{kind} keeps the ruleset of its source", "leave out --ruleset")
    if games == ANY and (ruleset not in keys() or opening.ruleset_named(ruleset).recordings is None):
        games = list_games_with_imports()
    if games != ANY and ruleset not in games:
        says = f"recordings of {kind} are not imported for {ruleset}"
        raise Refused("usage", says, f"--ruleset {' or '.join(games)}")


def _make_drafts(facts: Sequence[Fact]) -> list[Draft]:
    drafts, counted = list[Draft](), Counter[tuple[int, ...]]()
    for place, fact in enumerate(facts):
        counted[fact.lines] += 1
        number = counted[fact.lines]  # which of the facts of these lines it is
        key = f"{SOURCE}{format_numbers(fact.lines[:MOST_LINES])}{f'/{number}' if number > 1 else ''}"
        try:
            event: Any = opening.parse_event(fact.event)
        except Malformed as error:
            raise Refused("refused", f"line {format_numbers(fact.lines)} of the source: {error}", error.hint) from None
        back = {name: getattr(event, name, None) for name in REFERENCE_FIELDS}
        absolute = {name: place + 2 + ref for name, ref in back.items() if ref is not None and ref < 0}
        drafts.append(Draft(structs.replace(event, **absolute), at=fact.at, key=key, secret=fact.secret))
    return drafts


def _compare_with_recording(file: LogAddress, read: Transcript, drafts: Sequence[Draft]) -> Imported:
    log, stated = LogView(file, shows="comparing"), dict[int, list[Judged]]()

    def observe_fact(state: State, fact: Occurrence[Any]) -> None:
        if isinstance(fact.event, Checked):
            stated[fact.seq] = list(judge_statement(state, fact))

    done = replay_log(log, before=observe_fact)
    verdicts = [*mark_outdated(log, done, chain.from_iterable(stated.values()))]
    return Imported(
        file=visible(str(file)),
        title=done.state.title,
        records=done.records,
        states=read.states,
        respects=tuple(_agreement_by_kind([*stated], verdicts, read.repairs)),
        differences=tuple(_describe_difference(one, read.facts, drafts) for one in verdicts if not one.agrees),
        unexplained=len(read.unexplained),
        repairs=tuple(
            SetRight(line, fact + 2, where, cause or None, says) for fact, where, line, cause, says in read.repairs
        ),
        problems=tuple(Trouble(one.line, one.what) for one in read.problems),
        left_out=read.left_out,
        head=str(open_store(file).head()),
        begins=read.begins,
        after_end=read.after_end,
        ignored=read.ignored,
    )


def _agreement_by_kind(
    states: Sequence[int], verdicts: Iterable[Judged], repairs: Iterable[Repair]
) -> Iterator[Respect]:
    agrees: dict[tuple[int, str], bool] = {}  # whether all values of a kind agree in a state
    explained = defaultdict[tuple[int, str], set[bool]](set)  # whether the repairs since the state before have causes
    for each in verdicts:
        key = each.fact.seq, value_kind(each.address)
        agrees[key] = agrees.get(key, True) and each.agrees
    for one in repairs if states else ():
        state = states[min(bisect(states, one.fact + 2), len(states) - 1)]
        explained[state, value_kind(one.address)].add(bool(one.cause))
    there = {kind for _, kind in (*agrees, *explained)}
    for kind in [*(kind for kind in KINDS if kind in there), *sorted(there - set(KINDS))]:
        causes = [explained.get((state, kind), set()) for state in states if agrees.get((state, kind), True)]
        yield Respect(
            name=CALLED.get(kind, kind),
            agree=len(causes),
            states=len(states),
            stated=sum((state, kind) in agrees for state in states),
            by_itself=causes.count(set()),
            with_cause=causes.count({True}),
            without_cause=sum(False in each for each in causes),
        )


def value_kind(address: str) -> str:
    """Return an address's kind of value: hp for `nitar.hp`, durations for `nitar.effects.Frightened`."""
    if "." not in address:
        return address
    field = address.partition(".")[2]
    return {"effects": "left", "resources": "counters"}.get(field.partition(".")[0], field) if "." in field else field


def _describe_difference(one: Judged, facts: Sequence[Fact], drafts: Sequence[Draft]) -> Difference:
    seq, derived = one.fact.seq, one.derived
    found = value_in_words(derived.value) if derived else "no such value"
    last = max((each for each in (derived.because.events if derived else ()) if 1 < each < seq), default=0)
    cause = f"last set in line {facts[last - 2].lines[0]}: {fact_sentence(drafts[last - 2].event)}" if last else ""
    return Difference(facts[seq - 2].lines[0], seq, one.address, value_in_words(one.stated), found, cause)
