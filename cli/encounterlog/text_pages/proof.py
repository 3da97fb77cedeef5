"""The pages of `encounter rules … --run` and `--uncovered`: clauses played step by step."""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from encounterlog.core.opening import ruleset_named
from encounterlog.errors import Refused, misspelt
from encounterlog.text.facts import sentence
from encounterlog.text.layout import alarm, clip, count, heading, one_line, table, wrap
from encounterlog.text.naming import Voice
from encounterlog.text_pages import audit
from encounterlog.text_pages.rules import LOG
from eventstore.events import SegmentReached
from projections.proving.plays import Expectation, Play
from projections.proving.proof import Played, row_of, run
from projections.proving.rulebook import Gap, plays, prove_clause, uncovered
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import keys


class Page(NamedTuple):
    """A page as data and as lines, and whether everything on it ended as expected."""

    data: Any
    lines: list[str]
    proven: bool


def page(key: str | None, rule: str | None, gaps: bool) -> Page:
    """Return the page of a clause, a whole rulebook or its gaps, played; raise Refused if there is no such clause."""
    if key == LOG:
        raise Refused("usage", f"{LOG} has no plays", "its clauses are proven by the tests of the program")
    if gaps:
        return _uncovered([ruleset_named(each) for each in ([key] if key else keys())])
    if key is None:
        raise Refused("usage", "--run needs a ruleset", f"installed are {', '.join(keys())}")
    rules = ruleset_named(key)
    return _rulebook(rules) if rule is None else _clause(rules, rule)


def _uncovered(rulesets: list[Ruleset]) -> Page:
    found = [(rules.key, gap) for rules in rulesets for gap in uncovered(rules)]
    data = [{"ruleset": key, "about": g.about, "says": g.says, "source": g.source, "line": g.line} for key, g in found]
    return Page({"uncovered": data}, [_gap(key, gap) for key, gap in found], not found)


def _gap(key: str, gap: Gap) -> str:
    where = f" ({gap.source}, line {gap.line})" if gap.source else ""
    return f"{key}: {gap.about}: {gap.says}{where}"


def _rulebook(rules: Ruleset) -> Page:
    """Prove every clause, and measure the time that each takes."""
    rows, data, proven = [], [], True
    start = time.perf_counter()
    for clause in rules.catalogue().rule:
        began = time.perf_counter()
        proof = prove_clause(rules, clause)
        took = 1000 * (time.perf_counter() - began)
        word = "proven" if proof.proven else alarm("not proven")
        rows.append((clause.id, word, f"{len(proof.cases)} + {len(proof.breaches)}", f"{took:.1f} ms"))
        data.append({"rule": clause.id, "proven": proof.proven, "milliseconds": round(took, 3)})
        proven = proven and proof.proven
    took = 1000 * (time.perf_counter() - start)
    total = f"{count(len(rows), 'clause')} in {took:.0f} ms; the columns are cases + breaches, and the time of each"
    return Page({"ruleset": rules.key, "clauses": data, "milliseconds": round(took, 3)}, [*table(rows), total], proven)


def _clause(rules: Ruleset, name: str) -> Page:
    """Play the cases and breaches of a clause, or the alternatives of an option."""
    found = [play for play in plays(rules) if play.name[0] == name]
    if not found:
        known = dict.fromkeys(play.name[0] for play in plays(rules))
        raise misspelt(f"clause or option of {rules.key}", name, known, f"encounter rules {rules.key} lists them")
    played = [run(play) for play in found]
    lines = list(_head(rules, name))
    for each in played:
        lines += ["", *_play(each, rules)]
    data = {"rule": name, "plays": [_as_data(each) for each in played]}
    return Page(data, lines, all(each.proven for each in played))


def _head(rules: Ruleset, name: str) -> Iterator[str]:
    clause, option = rules.catalogue().clause(name), rules.catalogue().find_option(name)
    yield heading(name)
    says = clause.says if clause else option.says if option else ""
    yield from wrap(one_line(says), "  ")


def _as_data(each: Played) -> dict[str, Any]:
    play = each.play
    return {
        "kind": play.kind,
        "name": play.name,
        "source": play.source,
        "line": play.line,
        "says": play.says,
        "options": play.options,
        "facts": [{"row": row.row, "event": row.event} for row in play.facts],
        "findings": [{"row": row_of(play, finding.event), "finding": finding} for finding in each.findings],
        "proven": each.proven,
        "failures": each.failures,
    }


def _play(each: Played, rules: Ruleset) -> Iterator[str]:
    """Yield a play: the facts in words, the expectations after each, and the findings of the audit."""
    play = each.play
    yield heading(" ".join((play.kind, *play.name[1:]))) + f" ({play.source}, line {play.line})"
    yield from wrap(one_line(play.says), "  ") if play.says else ()
    for option, value in play.options.items():
        yield f"  option {option} = {value}"
    called = {row.event.combatant: row.event.name or row.event.combatant for row in play.joined}  # type: ignore[attr-defined]
    yield clip(f"  with {', '.join(called.values())}")
    name = Voice(rules, lambda who: called.get(who, who))
    for place in range(len(play.facts) + 1):
        yield from _fact(play, place, name) if place else ()
        yield from (f"        {words}" for words in _expected(play, place))
    for finding in each.findings:
        yield from (f"  {line}" for line in audit.block(finding, rules) if line)
    yield f"  {_verdict(each)}"
    yield from ("  " + alarm(f"line {failure.line}: {failure.says}") for failure in each.failures)


def _fact(play: Play, place: int, name: Voice) -> Iterator[str]:
    row = play.facts[place - 1]
    seq = 1 + len(play.joined) + place
    segment = getattr(row.event, "segment", None)
    where = "" if segment is None or isinstance(row.event, SegmentReached) else f"in {segment}: "
    yield clip(f"  {seq:>3}  {where}{sentence(row.event, name)}")


def _expected(play: Play, place: int) -> Iterator[str]:
    for each in play.expectations:
        if each.after == place and each.verb not in ("finding", "none"):
            yield clip(f"so {_words(each)}")


def _words(each: Expectation) -> str:
    """Return an expectation in words."""
    if each.verb == "value":
        address, value, rule = each.words
        return f"{address} is {value}{f', by {rule}' if rule else ''}"
    if each.verb == "timeline":
        who, name, status, at, due = each.words
        parts = (f"{who}{f' ({name})' if name else ''} is {status}", at and f"in {at}", due and f"due in {due}")
        return " ".join(part for part in parts if part)
    names = {"order": "the order is", "due": "due in", "rows": "acting in"}
    return " ".join((names[each.verb], ": ".join(each.words)))


def _verdict(each: Played) -> str:
    findings = count(len(each.findings), "finding") if each.findings else "no finding"
    return f"{findings}, as expected" if each.proven else alarm(f"{findings}; not as expected")
