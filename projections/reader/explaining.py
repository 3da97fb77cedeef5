"""Why a line is not recorded: the words that were not understood, or what is missing, with lines that would be understood."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from eventstore.form import visible
from projections.grammar import forms, line_context, names
from projections.grammar.forms import Form, Forms, literals
from projections.grammar.line_context import LineContext, unplaced
from projections.grammar.moments import has_turns
from projections.grammar.tokens import NotUnderstood, Token, is_slip
from projections.reader import frames, whole
from projections.reader.decision import Decision
from projections.reader.dictionary import Sense
from projections.reader.lexicon import ARTICLES
from projections.reader.scene import People
from projections.reader.spelling import may_be_a_verb, nearest_words, with_words, words_of_forms
from projections.reader.tags import Item

MOST_WORDS = 3
"""The most words that a refusal lists as not understood."""
_ROLLING = re.compile(r"\s*(everyone |everybody |all )?rolls?( for)? (initiative|init)\W*", re.IGNORECASE)
_TOTAL, _ROLL = re.compile(r"([^=]+)=-?\d+(?:\.\d\d)?"), re.compile(r"[^=]*[^=\d]\d+")
_FIELD = re.compile(r"[a-z_]+=.+")
_BEFORE_WHOM = ("strike", "shoot", "hit", "miss", "cast", "kill", "fell", "contest")


class Unread(Struct, frozen=True):
    """A line that is not recorded: the error of the form that matches most of it, its tokens, and what the reader found in it."""

    error: NotUnderstood
    context: LineContext
    line: str
    found: Decision

    @property
    def table(self) -> Forms:
        """The forms of the game."""
        return forms.of(self.context.state.rules.rules)

    @property
    def first(self) -> Token:
        """The first token."""
        return self.error.tokens[0]

    @property
    def at(self) -> Token:
        """The token at which the form's error is."""
        return next((each for each in self.error.tokens if each.end >= self.error.column), self.error.tokens[-1])

    @property
    def items(self) -> Sequence[Item]:
        """The items that the reader made of its words; none if the line is no sentence."""
        return self.found.items if self.line[: self.first.start].strip() == "" else ()

    @property
    def unknown(self) -> list[Item]:
        """The words that are in no table and in nobody's name."""
        known = words_of_forms(self.context.state.rules.rules) | line_context.kinds(self.context.state)
        found = [item for item in self.items if _is_unknown(item) and item.text not in known]
        return found or [item for one, item in pairwise(self.items) if one.is_verb(*_BEFORE_WHOM) and _is_guessed(item)]

    @property
    def begins_form(self) -> bool:
        """Whether the line begins with a word of the forms."""
        return not self.first.quoted and self.first.text in forms.words(self.context.state.rules.rules)

    @property
    def as_note(self) -> tuple[str, ...]:
        """The line as a remark, if it has no numbers."""
        return () if re.search(r"\d", self.line) else (f"note {self.line.strip()}",)

    def error_at(self, start: int, why: str, hint: str = "", offers: tuple[str, ...] = ()) -> NotUnderstood:
        """Return an error at a place of the line, with the lines that it may stand for."""
        made = NotUnderstood(start + 1, why, hint, offers)
        made.readings, made.unread = self.error.readings, self.error.unread
        return made

    def token_of(self, item: Item) -> tuple[int, int, str]:
        """Return where the word of an item stands, such as orc-7 for a part of it, and that word."""
        token = next((each for each in self.error.tokens if each.start <= item.start < each.end), None)
        if token is None or (token.start < item.start and token.text[0] != "-") or token.text.endswith("'s"):
            return item.start, item.end, item.typed
        text = token.text.rstrip(",:;.!?")
        return token.start, token.start + len(text), text

    def respelt(self, words: Iterable[tuple[int, int, str, bool]]) -> tuple[str, ...]:
        """Return the line with each of these words that has a slip spelt as a name, or else as any word; at most two
        lines, none if no word has a slip.
        """
        near = [
            (start, end, found)
            for start, end, word, is_any in words
            if (found := nearest_words(self.context, word, verbs=is_any)[:2])
        ]
        ways = max((len(found) for _, _, found in near), default=0)
        return tuple(
            with_words(self.line, ((start, end, found[min(way, len(found) - 1)]) for start, end, found in near))
            for way in range(ways)
        )


def explained(context: LineContext, line: str, error: NotUnderstood, found: Decision | None = None) -> NotUnderstood:
    """Return the refusal of a line that fits no form and that the reader `found` to be uncertain: the first of
    `EXPLANATIONS` that applies, else the form's error.
    """
    if error.offers or not error.tokens:
        return error
    unread = Unread(error, context, line, found or Decision())
    return next((made for each in EXPLANATIONS if (made := each(unread)) is not None), error)


# ---------------------------------------------------------------- what the line begins with


def _of_the_program(line: Unread) -> NotUnderstood | None:
    """Return the error of a command of the program, or of a word that corrects nothing by itself."""
    word = line.first.text.casefold().rstrip(",:;.!")
    if line.first.quoted or line.begins_form:
        return None
    if command := line.table.commands.get(word):
        return line.error_at(line.first.start, f"{line.first.text} is a command, and no line", command)
    instead = line.table.instead.get(word) if not line.error.readings else None
    return (
        line.error_at(line.first.start, f"{word} says that something was wrong, but not what", instead)
        if instead
        else None
    )


def _of_a_form(line: Unread) -> NotUnderstood | None:
    """Return the error of a line that begins with a word of the forms, with an example of the nearest form."""
    if not line.begins_form:
        return None
    error, first, tokens, state = line.error, line.first, line.error.tokens, line.context.state
    word = first.text.casefold()
    meant = names.combatants(state, first.text)
    if meant and not re.match(r"\d*d[\d%]", line.at.text):
        who = visible(state.combatants[meant[0]].name[:60])
        hint = f"{first.text} is a word of the grammar; for {who} write more of the name, or :{first.text}"
        return line.error_at(error.column - 1, error.why, hint)
    joined = tokens[1].text.casefold() if len(tokens) > 1 and word in ("join", "add", "joins") else ""
    nearest = _nearest_form(line)
    if joined in state.combatants:
        hint = f"{joined} is in the fight: `sheet {joined} hp=14` says more of {joined}, and another one needs another name"
    elif nearest.carries and not (len(tokens) > 1 and tokens[1].text.isdecimal()):
        hint = f"a record is named by its number, as in {nearest.example}; each line shows those of its facts, encounter log FILE in a shell all"
    else:
        hint = error.hint or f"such as: {nearest.example}"
    return line.error_at(error.column - 1, error.why, hint, _respelt_at(line))


def _nearest_form(line: Unread) -> Form:
    """Return the form that begins with the first word of a line, and shares the most words with it."""
    found = forms.beginning(line.context.state.rules.rules, line.first.text)
    typed = {each.text for each in line.error.tokens[:3]}
    return max(found, key=lambda form: max(len(typed & literals(nodes)) for nodes in form.nodes))


def _of_initiative(line: Unread) -> NotUnderstood | None:
    """Return the error of a line such as `all roll initiative`, which has no dice; it offers the line that rolls them
    here, where that is possible.
    """
    if not _ROLLING.fullmatch(line.line):
        return None
    here = line.context.state.here()
    those = unplaced(line.context) if has_turns(line.context) else (each.side or each.id for each in here)
    dice = " ".join(f"{each}:{line.table.initiative}" for each in dict.fromkeys(those))
    offers = (f"i {dice}",) if line.context.roll and dice else ()
    hint = f"such as: {line.table.evening['initiative'][0]}; i b:d20 rolls a die here"
    return line.error_at(line.first.start, "this does not say what was rolled", hint, offers)


def _of_dice_and_totals(line: Unread) -> NotUnderstood | None:
    """Return the error of a line of initiative with both dice and totals, at the first of the second kind."""
    state = line.context.state
    rolls = line.error.tokens[line.first.text == "i" :]
    totals = [each for each in rolls if (found := _TOTAL.fullmatch(each.text)) and names.combatants(state, found[1])]
    dice = [each for each in rolls if _ROLL.fullmatch(each.text) and not names.combatants(state, each.text)]
    if not (totals and dice and len(totals) + len(dice) == len(rolls)):
        return None
    mixed = max(totals[0], dice[0], key=lambda each: each.start)
    return line.error_at(
        mixed.start, "dice and totals for initiative do not stand in one line", "write a line for each"
    )


# ---------------------------------------------------------------- what the reader found


def _of_a_value(line: Unread) -> NotUnderstood | None:
    """Return the error of the form where it is about a value, or says what is missing, and the reader found no other meaning."""
    at, marked = line.error.column - 1, line.at.text[-1:] in tuple(";,:.!?") and not line.at.quoted
    return None if line.error.vague or marked or any(_is_read(item, at) for item in line.items) else line.error


def _of_a_slip(line: Unread) -> NotUnderstood | None:
    """Return the error of a name or a word with a slip, which offers the line with the right spelling."""
    slips = [item for item in line.items if item.is_("misspelt") or (item.who and _is_slip_of(item.who, item.typed))]
    if not slips or line.unknown:
        return None
    near = [(each, each.value("misspelt") or next(iter(each.who.ids if each.who else ()), "")) for each in slips]
    offers = (with_words(line.line, ((each.start, each.end, word) for each, word in near if word)),)
    typed = visible(slips[0].typed[:40])
    why = f"there is no combatant {typed}" if slips[0].who else _not_understood([typed])
    return line.error_at(slips[0].start, why, "", offers)


def _of_a_question(line: Unread) -> NotUnderstood | None:
    """Return the error of a question that is none of those that can be asked."""
    if not line.items or not whole.is_question(line.items, line.line):
        return None
    who = next(iter(line.context.state.combatants), "b")
    hint = f"ask for one thing of one combatant, such as: what is {who}'s hp; ?{who} says all, ?order and ?may ask for more"
    return line.error_at(line.first.start, "this question is not understood", hint)


def _of_nobody(line: Unread) -> NotUnderstood | None:
    """Return the error of a sentence about no combatant, such as "the rain starts", which offers it as a note."""
    words = [item for item in line.items if item.kind == "word" and not item.is_("filler")]
    if len(words) < 2 or any(item.who for item in line.items) or line.error.column > line.first.start + 1:
        return None
    things = (item for one, item in pairwise(line.items) if one.text == "the" and _is_unknown(item))
    if whole.may_be_a_deed(line.items) and not any(item.typed.islower() for item in things):
        return None
    return line.error_at(line.first.start, "this names no combatant", "", (f"note {line.line.strip()}",))


def _of_words(line: Unread) -> NotUnderstood | None:
    """Return the error of the words that no frame took, or else that are in no table, at the first of them; it offers the line with similar words."""
    unknown, unread = line.unknown, line.error.unread
    offers = line.respelt((*line.token_of(each), may_be_a_verb(line.items, each)) for each in unknown)
    words = [item for item in line.items if item.typed in unread]
    joins = all(each.form == "join" for each in line.error.readings)
    if joins or (offers and not words):
        words = unknown or words
    if not words:
        return line.error_at(_place_of(unread[0], line.line), _not_understood(unread), "", offers) if unread else None
    first, place = words[0], line.items.index(words[0])
    start, _, typed = line.token_of(first) if first in unknown else (first.start, 0, first.typed)
    before = next((each for each in reversed(line.items[:place]) if each.text not in ARTICLES), None)
    behind = line.items[place + 1] if place + 1 < len(line.items) else None
    before = None if start == line.first.start else before
    typed, who = visible(typed[:40]), next(iter(line.context.state.combatants), "")
    there = names.who_is_there(line.context.state)
    if before is None and first.is_verb() and not first.is_("spell", "correction") and who:
        return line.error_at(start, "this does not say who does it", f"who does it stands first: {who} {typed}", offers)
    if len(words) > 1 or first not in unknown:
        said = [line.token_of(each)[2] if each in unknown else each.typed for each in words]
        return line.error_at(start, _not_understood(said), "", offers)
    if before is None and typed.islower() and (behind is None or behind.who):
        return line.error_at(start, f"{typed} is no word that begins a line, and nobody's name", there, offers)
    owned = before is not None and before.text == "'s"
    if before is None or owned or typed[:1].isupper() or _leads_to_a_name(before):
        hint = f"what has its own hit points joins: join {typed}" if owned else there
        return line.error_at(start, f"there is no combatant {typed}", hint, offers)
    if before.who is not None:
        hint = f'an action is quoted by its name: {before.typed} "{typed}"; a state stands after is: {before.typed} is prone'
        return line.error_at(start, f"{typed} is no word for what a combatant does here", hint, offers or line.as_note)
    return line.error_at(start, _not_understood([typed]), "", offers)


def _leads_to_a_name(item: Item) -> bool:
    """Say whether a combatant's name can be expected after a word or a mark."""
    return item.is_verb(*_BEFORE_WHOM) or (item.is_("to", "from") and item.text != "of") or item.kind == "mark"


def _is_slip_of(whom: People, typed: str) -> bool:
    """Say whether a combatant's name was read with a slip."""
    word = names.folded(typed)
    if whom.plural and word.endswith("s"):
        word = word[:-1]
    parts = (part for who in (*whom.ids, *whom.options) for part in (who, *who.split("-")) if not who.startswith(word))
    return len(word) > 2 and any(is_slip(word, part) for part in parts)


def _of_readings(line: Unread) -> NotUnderstood | None:
    """Return the error of a line that has possible meanings and no word that was not understood."""
    if not line.error.readings:
        return None
    if said := re.search(r"(?i)\b(dis)?advantage\b", line.line):
        hint = f"{said[0]} is given with both dice, after the target: {said[0][:3].lower()} 14 7; with a total, leave it out"
        return line.error_at(said.start(), "this does not say what both dice show", hint)
    several = len(line.error.readings) > 1
    return line.error_at(line.first.start, "this can mean several things" if several else "this is not certain")


def _of_what_ends(line: Unread) -> NotUnderstood | None:
    """Return the error of a line that ends an effect that does not run, or gives a casting time without its spell."""
    text, who = line.line.strip(), next(iter(line.context.state.combatants), "m")
    if found := re.fullmatch(r"(?i)(?:(\w+)\s+)?casting time:?\s+(\d+)", text):
        hint = f"it stands in the line of the spell, such as: {found[1] or who} casts web, casting time {found[2]}"
        return line.error_at(line.first.start, "this does not say what is cast", hint)
    found = re.fullmatch(r"(?i)(\w[\w' -]*?) (ends|ended|is over|expires|wears off)", text)
    if not found or any(item.who for item in line.items):
        return None
    why, hint = f"no effect called {found[1].casefold()} is running", "?NAME.effects asks what runs on a combatant"
    return line.error_at(line.first.start, why, hint)


def _of_a_clause(line: Unread) -> NotUnderstood | None:
    """Return the error of the clause that the reader could not read: what its frame lacks, else the clause itself."""
    clause = line.found.stuck if line.items else ()
    said = [part.item for part in clause if part.role != "mark"] or [*line.items]
    if not said:
        return None
    start, who = said[0].start, next(iter(line.context.state.combatants), "")
    if asked := frames.lacking(clause, begins=start == line.first.start):
        verb = next((item.typed for item in said if item.is_verb()), "")
        hint = f"who does it stands first: {who} {visible(verb[:40])}" if asked == "who does it" and who else ""
        return line.error_at(start, f"this does not say {asked}", hint)
    ends = line.error.column > len(line.line.rstrip()) or (
        line.at is line.error.tokens[-1] and not line.at.text.isalpha()
    )
    if line.error.vague and (ends or not any(item.who for item in line.items)):
        return None
    blow = f"no attack is rolled in this game: such as {line.first.text} attack, with -5 for the damage"
    unrolled = not line.table.rolls and re.fullmatch(r"\d{1,2}", line.at.text)
    text = visible(line.line[start : said[-1].end][:60])
    return line.error_at(start, f"this is not understood: {text}", blow if unrolled else "", line.as_note)


# ---------------------------------------------------------------- what is no sentence


def _of_a_measure(line: Unread) -> NotUnderstood | None:
    """Return the error of a name with a distance or a square after it, which offers the line with the word of the form that takes such a value."""
    who, *values = line.error.tokens
    if len(values) != 1 or len(names.combatants(line.context.state, who.text)) != 1:
        return None
    if re.fullmatch(r"\d+(ft|m|sq)", values[0].text):
        return line.error_at(values[0].start, line.error.why, line.error.hint, (f"{who.text} goes {values[0].text}",))
    if _FIELD.fullmatch(values[0].text):
        offers = (f"sheet {who.text} {values[0].text}",)
        return line.error_at(line.error.column - 1, line.error.why, line.error.hint, offers)
    return None


def _of_a_picture(line: Unread) -> NotUnderstood | None:
    """Return the error at a picture, which belongs in a remark."""
    if not re.fullmatch(r"[^\w\x00-\x7f\u2010-\u21ff]+", line.at.text):
        return None
    hint = 'a remark stands on a line of its own, after a quotation mark: " The bridge creaks.'
    return line.error_at(line.error.column - 1, line.error.why, hint)


def _of_a_token(line: Unread) -> NotUnderstood | None:
    """Return the form's error, which offers the right spelling of the word there, if that has a slip."""
    offers = _respelt_at(line)
    return line.error_at(line.error.column - 1, line.error.why, "", offers) if offers else None


EXPLANATIONS = (
    _of_the_program,
    _of_initiative,
    _of_dice_and_totals,
    _of_a_form,
    _of_a_measure,
    _of_a_picture,
    _of_a_value,
    _of_a_slip,
    _of_a_question,
    _of_what_ends,
    _of_nobody,
    _of_words,
    _of_readings,
    _of_a_clause,
    _of_a_token,
)
"""What can be said of a line that is not recorded, in the order in which the functions are tried."""


# ---------------------------------------------------------------- words


def _is_read(item: Item, at: int) -> bool:
    """Say whether the reader knows the item at a place: a combatant, a number after a name, a meaningful word."""
    says = item.kind == "word" and item.senses != () and not item.is_("filler")
    return item.start <= at < item.end and (says or (item.who is not None and item.who.ids != ()))


def _is_guessed(item: Item) -> bool:
    """Say whether a word was read as an adverb only for its ending, which a name may have, too: tilly."""
    return item.who is None and item.senses == (Sense("adverb", item.text),)


def _is_unknown(item: Item) -> bool:
    return item.kind == "word" and item.who is None and not item.senses and re.search(r"\w", item.text) is not None


def _not_understood(words: Sequence[str]) -> str:
    """Return the sentence that words are not understood."""
    *others, last = (f'"{visible(each[:40])}"' for each in words[:MOST_WORDS])
    return f"{', '.join(others)} and {last} are not understood" if others else f"{last} is not understood"


def _place_of(word: str, line: str) -> int:
    """Return where a word stands in a line; the beginning of the line if it does not stand there in this form."""
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", line)
    return found.start() if found else max(line.find(word), 0)


def _respelt_at(line: Unread) -> tuple[str, ...]:
    """Return the line with the word at the error spelt as a similar one, where the form only reports that it is none of its words."""
    at = line.at
    return line.respelt([(at.start, at.end, at.text, True)]) if line.error.vague and at.text[:1].isalpha() else ()
