"""Questions asked in the table grammar: ?m, ?order, why is mira low, who is next, help; answered as the commands answer them."""

from collections.abc import Callable, Sequence

from encounterlog.core.logs import LogView
from encounterlog.errors import Refused
from encounterlog.reading import addressing, explanations
from encounterlog.reading.open_to import open_to
from encounterlog.text_pages import blame as blame_page
from encounterlog.text_pages import help as forms_in_words
from encounterlog.text_pages import may as may_page
from encounterlog.text_pages import why as why_page
from eventstore.errors import Malformed
from projections.language.notation.forms import Form
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table


def answered(log: LogView, parsed: Parsed, table: Table, opens: Callable[[Form], bool] | None = None) -> list[str]:
    """Return the answer to a question or a request for help; nothing for an empty line. `opens` says which forms help lists."""
    if parsed.rest == "help":
        taught = table.memory.taught.items() if parsed.words.strip() == "words" else ()
        own = (f"{word} means {means} (record {seq}; forget {word} takes it back)" for word, (means, seq) in taught)
        return [*forms_in_words.page(table.done.state.rules, parsed.words, opens), *own]
    if parsed.rest not in ("why", "who"):
        return []
    words = [*(["who"] if parsed.rest == "who" else []), *parsed.words.split()]
    try:
        if words[:1] == ["blame"]:
            return _blamed(log, words[1:])
        if words[:1] == ["may"] and (words[1:] or "may" not in table.done.state.combatants):
            return _may(log, words[1:])
        return _why(log, words)
    except Malformed as error:
        raise Refused("refused", str(error), error.hint) from None


def _why(log: LogView, words: Sequence[str]) -> list[str]:
    """Return what encounter why prints."""
    words = words[1:] if words[:1] == ["why"] else words
    every, short = "--all" in words, "--short" in words
    question, where = explanations.split_point([word for word in words if word not in ("--all", "--short")])
    if not question:
        raise Refused("usage", "no question", explanations.ASK)
    past = explanations.past_of(log.reread(), where)
    found = explanations.answers(past, question, thorough=every, variants=not short)
    first = addressing.coming_round(past.state, question)
    brief = short or explanations.is_short(found) or first != ""
    return why_page.lines(found, past.state, every=every, short=brief, first=first)


def _may(log: LogView, words: Sequence[str]) -> list[str]:
    """Return what encounter may prints."""
    (_, *who), where = explanations.split_point(["may", *words])
    found, past = open_to(log.reread(), " ".join(who), where)
    return may_page.page(found, past)


def _blamed(log: LogView, words: Sequence[str]) -> list[str]:
    """Return what encounter blame prints."""
    address, where = explanations.split_point(words)
    found, done = explanations.blamed(log.reread(), " ".join(address), where)
    return blame_page.page(found, done.state)
