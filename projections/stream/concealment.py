"""Concealment: the combatants whose joining players do not know, and whether a record concerns one of them.

In a record, ids, the addresses of stated values and the words of free text count. A word of the game does not count
where one is expected, such as the kind of an action: a combatant may have it as a name. Nor does the sheet of a visible
combatant who joins. Free text names a combatant by a whole name, by its plural, by the kind (`the ghouls` are ghoul-1
and ghoul-2), or by a part of a name (`the knight` is the Black Knight). A word of free text is no secret if players
know it otherwise: from the title of the log, or from the joining of a visible combatant whose name or sheet has it,
recorded by a keeper of secrets. Nor does the text of a writer who keeps no secrets: players write what they know, and
if a note of theirs were withheld, they would see that they had guessed a name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec import Struct

from eventstore.events import Amended, CombatantJoined, EncounterOpened, Fact, Inserted, name_of
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS
from eventstore.record import Recorded, encode, event_text, written
from eventstore.withholding import Withhold
from projections.stream.names import forms, parts, spellings

OF_THE_LOG = frozenset({"encounter", "ruleset"})
"""The fields whose ids name no combatant."""
OF_THE_FORM = frozenset({"type", "ruling", "notation", "link", "word", "holder", "giver", "hash", "title", "options"})
"""The fields whose words are the log's own and name nobody."""
OF_THE_GAME = frozenset({
    "kind", "unit", "rule", "phase", "mode", "medium", "cost", "line", "damage_type", "to", "at", "using", "components", "manner",
})  # fmt: skip
"""The fields for words of the game; in JSON they can have any word."""
FREE = frozenset({"text", "decision", "reason", "awaiting", "detail", "words"})
"""The fields of free text; words in other fields name things."""
REMARKS = frozenset({"notes"})
"""The entries of a sheet that are free text; all other entries name things."""
SIDES = frozenset({"side", "sides"})
_IDS = (ID_FIELDS | ID_LIST_FIELDS) - SIDES - OF_THE_LOG


class Concealed(Struct, frozen=True):
    """The hidden combatants by their ids, the sides without any visible combatant, and their names. `others` are the ids of
    visible combatants that contain one of their names; `keepers` opened the log, or let a combatant join in secret.
    """

    ids: frozenset[str] = frozenset()
    sides: frozenset[str] = frozenset()
    names: Mapping[str, frozenset[str]] = {}
    """Who is called by each name that counts in free text; names are case-folded."""
    parts: frozenset[str] = frozenset()
    """The names that are not whole: plurals, kinds, parts."""
    others: frozenset[str] = frozenset()
    keepers: frozenset[str] = frozenset()
    traces: tuple[str, ...] = ()
    """The words, case-folded, that a line about one of them contains."""

    def __bool__(self) -> bool:
        """Whether anybody is hidden."""
        return bool(self.ids)

    def concerned(self, record: Recorded) -> frozenset[str]:
        """Return the hidden combatants, and the sides with hidden members only, that a record concerns."""
        if not self.ids or record.withheld:
            return frozenset()
        text = event_text(written(record))
        line = text.decode().casefold()
        if not any(trace in line for trace in self.traces):
            return frozenset()
        return frozenset(self._in(msgspec.json.decode(text), "", says=record.by in self.keepers))

    def concerned_by(self, event: Fact) -> frozenset[str]:
        """Return the hidden combatants, and the sides with hidden members only, that a fact by a keeper of secrets
        concerns.
        """
        return frozenset(self._in(msgspec.to_builtins(event), "", says=True)) if self.ids else frozenset()

    def _in(self, value: object, field: str, *, says: bool) -> Iterator[str]:
        """Yield the combatants whom a field's value concerns; `says` is true if its texts count."""
        if isinstance(value, str):
            yield from self._named(value, field, says=says)
        elif isinstance(value, list | tuple):
            for each in value:
                yield from self._in(each, field, says=says)
        elif isinstance(value, dict) and field == "sheet":
            for name in REMARKS & value.keys():
                yield from self._in(value[name], "text", says=says)
        elif isinstance(value, dict):
            joins = value.get("type") == name_of(CombatantJoined)
            for name, item in value.items():
                if field == "values":
                    yield from self.ids & {name.partition(".")[0]}
                if not (joins and name == "sheet"):
                    yield from self._in(item, "stated" if field == "values" else name, says=says)

    def _named(self, text: str, field: str, *, says: bool) -> Iterator[str]:
        if field in _IDS:
            yield from self.ids & {text}
        elif field in SIDES:
            yield from self.sides & {text}
        elif field not in OF_THE_FORM:
            if field == "stated":
                yield from self.ids & {text}
            if says:
                yield from (who for name in self._said(text.casefold(), field) for who in self.names[name])

    def _said(self, text: str, field: str) -> Iterator[str]:
        """Yield the names that a field's text has as whole words; a word of the game that names a thing of the game is
        no name.
        """
        if not any(name in text for name in self.names):
            return
        said = text
        for other in self.others:
            said = _whole(other).sub(" ", said)
        for name in self.names:
            if name in said and _whole(name).search(said):
                may_be_of_game = field in OF_THE_GAME or (name in self.parts and field not in FREE)
                if not (may_be_of_game and _is_of_the_game(text)):
                    yield name


NOBODY = Concealed()


def _is_of_the_game(text: str) -> bool:
    """Return whether a text is a word in one of the games."""
    from projections.stream.game_words import game_words  # only where a word may be a name

    return text.casefold() in game_words()


def _whole(name: str) -> re.Pattern[str]:
    """Return a pattern that finds a name as a whole word: ghoul also in ghoul1, ghoul_1 and ghoul-1."""
    goes_on = r"[^\W\d_]" if name[-1:].isalpha() else r"[^\W_]"
    return re.compile(rf"(?<![^\W_]){re.escape(name)}(?!{goes_on})")


def concealed(records: Iterable[Recorded], revealed: frozenset[int], struck: Iterable[int]) -> Concealed:
    """Return the hidden combatants: those with a secret joining that is not revealed, and with no other joining that
    stands.

    `struck` are the records that are taken out as players see it.
    """
    known = frozenset(Withhold(secrets=True, revealed=revealed).shown(records))
    standing, openly, hidden = (
        known.difference(struck),
        list[tuple[Recorded, CombatantJoined]](),
        list[CombatantJoined](),
    )
    keepers, sides, title = set[str](), set[str](), ""
    for record in records:
        if isinstance(record.event, EncounterOpened):
            keepers, title = {record.by}, record.event.title
        if joined := joining(record.event):
            if record.secret:
                keepers.add(record.by)
            if record.seq in standing:
                openly.append((record, joined))
            if record.seq in known:
                sides.add(joined.side or joined.combatant)  # also of one that was struck: players have read it
            else:
                hidden.append(joined)
    ids = {one.combatant for one in hidden} - {one.combatant for _, one in openly}
    if not ids:
        return NOBODY
    known_by = [joined for record, joined in openly if record.by in keepers]
    return _called(
        [one for one in hidden if one.combatant in ids],
        {one.combatant for _, one in openly},
        "\n".join([title, *(text for one in known_by for text in _texts(one))]).casefold(),
        "\n".join(one.combatant for one in known_by),
        frozenset(sides),
        frozenset(keepers),
    )


def joining(event: Fact | None) -> CombatantJoined | None:
    """Return the joining that an event states, perhaps by a correction; None if it states none."""
    inner = event.replacement if isinstance(event, Amended) else event.fact if isinstance(event, Inserted) else event
    return inner if isinstance(inner, CombatantJoined) else None


def _called(
    hidden: list[CombatantJoined],
    visible: set[str],
    known: str,
    ids_known: str,
    sides: frozenset[str],
    keepers: frozenset[str],
) -> Concealed:
    """Return the hidden combatants with the names that are not in `known` texts; `sides` are those of which players know.

    A word that is no whole name is known from the ids of visible combatants, too.
    """
    names = dict[str, set[str]]()
    for one in hidden:
        for name in _whole_names(one):
            if name not in visible and not _whole(name).search(known):
                names.setdefault(name, set()).add(one.combatant)
    whole, words = frozenset(names), f"{known}\n{ids_known}"
    for one in hidden:
        for name in (each for whole_name in _whole_names(one) for each in (whole_name, *parts(whole_name))):
            if not any(_whole(form).search(words) for form in forms(name)):
                for form in forms(name):
                    names.setdefault(form, set()).add(one.combatant)
    own = frozenset(one.side or one.combatant for one in hidden) - sides
    ids = frozenset(one.combatant for one in hidden)
    spelled = {spelling for who in visible for spelling in (*spellings(who), who.replace("-", " "))}
    others = frozenset(who for who in spelled if any(name in who for name in names))
    traces = {encode(each)[1:-1].decode().casefold() for each in (*ids, *own, *names)}
    called = {name: frozenset(those) for name, those in names.items()}
    return Concealed(ids, own, called, frozenset(names) - whole, others, keepers, tuple(traces))


def _whole_names(one: CombatantJoined) -> frozenset[str]:
    """Return the whole names of a combatant, case-folded."""
    said = (one.combatant, one.combatant.replace("-", " "), one.name or "")
    return frozenset(each for name in said if name for each in spellings(name.casefold()))


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of a joining whose words players then know: all but its id and the notes on its sheet."""
    if isinstance(value, Struct):
        value = msgspec.to_builtins(value)
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in REMARKS | {"combatant"}:
                yield from (str(name), *_texts(item))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
