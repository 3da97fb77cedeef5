"""Questions that are typed where a line could stand, and help: the forms, those of a word, those of a field."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from encounterlog.ask import blame, may, why
from encounterlog.errors import Refused
from encounterlog.log.logs import LogView
from encounterlog.words.layout import fill, heading, width, wrap
from eventstore.errors import Malformed
from eventstore.wording import nearest, visible
from projections.judging.known_words import known
from projections.language.describing import list_themes
from projections.language.notation import forms
from projections.language.notation.forms import Form
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table
from projections.ruleset.ruleset import Ruleset


def answer_typed(log: LogView, parsed: Parsed, table: Table, opens: Callable[[Form], bool] | None = None) -> list[str]:
    """Return the answer to a question or a request for help; nothing for an empty line. `opens` says which forms help lists."""
    if parsed.rest == "help":
        taught = table.memory.taught.items() if parsed.words.strip() == "words" else ()
        own = (f"{word} means {means} (record {seq}; forget {word} takes it back)" for word, (means, seq) in taught)
        return [*format_help(table.done.state.rules, parsed.words, opens), *own]
    if parsed.rest not in ("why", "who"):
        return []
    words = [*(["who"] if parsed.rest == "who" else []), *parsed.words.split()]
    try:
        if words[:1] == ["blame"]:
            address, where = why.split_point(words[1:])
            found = blame.ask(log.reread(), " ".join(address), where)
        elif words[:1] == ["may"] and (words[1:] or "may" not in table.done.state.combatants):
            (_, *who), where = why.split_point(words)
            found = may.ask(log.reread(), " ".join(who), where)
        else:
            question = [word for word in words if word not in ("--all", "--short")]
            found = why.ask(log.reread(), " ".join(question), every="--all" in words, short="--short" in words)
    except Malformed as error:
        raise Refused("refused", str(error), error.hint) from None
    return [*found.lines()]


TOPICS = {  # the lines that are no forms, by the names or the sign under which help finds them: an example, and its meaning
    "secret reveal hide players": ("secret b -6", "secret, in front of a line, withholds it from the players; reveal makes it known."),
    "@": ("b o 14 6 @4", "@4 is the moment of a line, if the clock does not give it: a segment, a second; @E a slot of the round."),
    "^": ("b -6 ^", "^ makes the last fact the cause of this one, ^2 the one before."),
    "=": ("b o 14 6 cost=reaction", "key=value sets any field of the facts that the line leaves open; a key is as short as it is unique."),
    "name names prefix colon :": ("o1 -3", ("A name is typed as far as it is unique: b for Brand, o1 for orc-1. "
        "A name that is also a word of the grammar stands after a colon: :round -3.")),
    "several all everybody list": ("all orcs -2", "Several are joined by commas, o1,o2 -2, or are a kind or a side: all orcs, all foes."),
    "words quotes quoted": ('b attack "long sword" o', "Quote a name of several words, or join them by _: long_sword."),
    "dice die roll rolled": ("b o d20+5", ("Dice without faces are rolled here; faces stand after a colon: d20:14, or 2d20kh1:10x,18, "
        "where x was dropped. A bare number is a die's face.")),
    "#": ("# later", "# begins a comment, which is not written."),
    "{": ('{"type":"noted","text":"A fact."}', "A line of JSON is a fact as encounter append takes it; encounter schema lists the fields."),
    "tab offer offers": ("b ogrre 14 6", ("A line that is refused is answered with lines that will do, or with its readings; in encounter play, "
        "and after encounter add at a terminal, Enter writes the first of them, 2 and 3 the others. Without a key nothing is written.")),
    "quit exit q end": ("quit", "quit ends encounter play, and so does Ctrl-D; typed lines are written already."),
}  # fmt: skip
LONGEST = 30  # the longest example that stands beside its meaning
Row = tuple[str, str, str]  # a part of the grammar, an example, and its meaning


def format_help(rules: Ruleset, words: str = "", opens: Callable[[Form], bool] | None = None) -> list[str]:
    """Return the help: without words all forms in short; of `all` every form, else those with the words; or only those that `opens` allows."""
    own = tuple(filter(opens, forms.of(rules.rules).form))
    topics = [each for each in TOPICS if not (opens and each in ("secret reveal hide players", "^"))]
    if not words:
        parts: dict[str, list[str]] = {}
        for form in own:
            parts.setdefault(form.part, []).append(form.example)
        short = (fill([f"{part}: {first}", *rest], "", "    ", " | ") for part, (first, *rest) in parts.items())
        evening = [] if opens else [each for each in forms.of(rules.rules).evening.values() if any(each)]
        wide = max((width(line) for line, _ in evening), default=0)  # of what is typed on a first evening
        first_lines = (wrap(says, " " * (wide + 4), f"  {line:<{wide}}  ") for line, says in evening)
        further = ["", "help WORD explains the forms with that word, help all every form"]
        return [*chain(*first_lines), *([] if opens else [""]), *chain(*short), *further]
    if words == "all":
        return list(_full_lines([*_form_rows(own), *(("Everywhere", *TOPICS[each]) for each in topics)]))
    said = [] if opens else [*_sentence_shapes_with_word(rules, words)]
    names = (each for each in topics if (words.casefold() in each.split() if each[0].isalpha() else each in words))
    about, typed = (("Everywhere", *TOPICS[each]) for each in names), _best_matching_forms(own, words, alone=not said)
    if found := [*about, *_form_rows(typed), *said, *_meanings_of_word(rules, words)]:
        return list(_full_lines(found))
    there = {word for form in own for nodes in form.nodes for word in forms.fixed_words(nodes)}
    hint = nearest(words.casefold(), there | {name for topic in TOPICS for name in topic.split()})
    says = f"no form of notation has the word {visible(words[:60])}"
    return wrap(f"{says}{f'; {hint}' if hint else ''}; help all lists all")


def _form_rows(table: Sequence[Form]) -> list[Row]:
    reads = (f" The example: {form.reads}." if form.reads else "" for form in table)
    return [(form.part, form.example, f"{form.says}{also}") for form, also in zip(table, reads, strict=True)]


def _meanings_of_word(rules: Ruleset, words: str) -> Iterator[Row]:
    spelt, some = words.casefold(), known(rules.rules)
    typed = f'"{spelt}"' if " " in spelt else spelt
    if spelt in some.kinds:
        yield "Acting", f"b {typed} o", f"{spelt} is a kind of action of this game."
    for row in rules.catalogue().action:
        if row.get("kind") == "attack" and row.get("slot") == "trigger":
            cost, note = str(row.get("cost", row.get("type"))), str(row.get("note", row.get("notes")))
            if spelt.replace(" ", "-") in {cost, *cost.split("-"), *re.findall(r"[\w-]+", note.casefold())}:
                yield "Acting", f"b attack o 14 6 cost={cost}", note
    if spelt in some.conditions:
        yield "States", f"g is {typed}", f"{spelt} is a condition."


def _full_lines(rows: Sequence[Row]) -> Iterator[str]:
    wide = max((width(example) for _, example, _ in rows if width(example) <= LONGEST), default=LONGEST)
    for place, part in enumerate(dict.fromkeys(part for part, _, _ in rows)):
        yield from ([""] if place else [])
        yield heading(part or "Lines")
        for _, example, says in (row for row in rows if row[0] == part):
            beside = width(example) <= wide
            yield from () if beside else wrap(example, "  ")
            start = f"  {example}{' ' * (wide - width(example))}  " if beside else None
            yield from wrap(says, " " * (wide + 4), start)


def _sentence_shapes_with_word(rules: Ruleset, words: str) -> Iterator[Row]:
    for shape in (shape for theme in list_themes(rules.rules) for shape in theme.shapes if shape.example):
        adjuncts = (each for patterns in shape.adjuncts.values() for each in patterns)
        verbs = (each for sort in shape.synonyms.values() for each in sort)
        said = (shape.example, shape.name, *shape.patterns, *adjuncts, *verbs)
        sought = {words, words.removesuffix("s")}
        has = (each for each in said if any(_contains_words(each.replace("|", " "), word) for word in sought))
        if first := next(has, ""):
            also = "" if first in (shape.example, shape.name) else f" Also: {first}."
            yield "Sentences", shape.example, f"{shape.says}{also}"


def _best_matching_forms(table: Sequence[Form], words: str, *, alone: bool) -> list[Form]:
    """Return the forms in which a word is typed, and that are described with it; if these are `alone` and none, those with its beginning."""
    typed = [form for form in table if any(words in forms.fixed_words(nodes) for nodes in form.nodes)]
    forms_of = zip(table, [" ".join(str(fact["type"]) for fact in form.makes) for form in table], strict=True)
    texts = [" ".join((one.name, *one.patterns, one.says, one.example, of)) for one, of in forms_of]
    begun = [form for form, text in zip(table, texts, strict=True) if words.casefold() in text.casefold()]
    named = [form for form, text in zip(table, texts, strict=True) if _contains_words(text, words)]
    return [*typed, *(form for form in named if form not in typed)] or (begun if alone else [])


def _contains_words(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words.casefold())}(?!\w)", text.casefold()) is not None
