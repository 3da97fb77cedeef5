"""Concealment: the combatants whose joining players do not know, and whether a record concerns one of them.

In a record, ids, the parts of the addresses of stated values and the words of people count. A word of the game counts in free
text alone: anywhere else it is the game's, as the name of a condition, and a combatant may have it as a name, too. Nor does the
opening of a log count, or the sheet of a visible combatant who joins. Free text names a combatant by a whole name, by
its plural, by the kind (`the ghouls` are ghoul-1 and ghoul-2), or by a part of a name (`the knight` is the Black
Knight). A word of free text is no secret if players know it otherwise: from the title of the log, or from the joining
of a visible combatant whose name or sheet has it, recorded by a keeper of secrets. Nor do the words of a player in a
fact that players may record: they write what they know, and if a note of theirs were withheld, they would see that they
had guessed a name. A log does not say who is a player, so these are all that neither opened it nor let a combatant join
in secret; what a game master records under another name, the application marks as secret.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec import Struct

from eventstore.events import Checked, CombatantJoined, Correction, EncounterOpened, Fact, RulingMade, name_of
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS
from eventstore.record import Recorded, encode, encode_record, event_text
from eventstore.withholding import Withhold
from projections.stream.corrections import stated_fact
from projections.stream.names import forms, short_names, spellings

OF_THE_FORM = frozenset({"type", "ruling", "notation", "link", "word", "holder", "giver", "hash", "srd"})
"""The fields whose words are the log's own and name nobody."""
FREE = frozenset({"text", "decision", "reason", "awaiting", "detail", "words"})
"""The fields of free text; words in other fields name things, mostly of the game."""
REMARKS = frozenset({"notes"})
"""The entries of a sheet that are free text; all other entries name things."""
SIDES = frozenset({"side", "sides"})
_IDS = (ID_FIELDS | ID_LIST_FIELDS) - SIDES
STATED, ADDRESSED = "stated", "addressed"
"""The fields of stated values, and of the parts of addresses and values that may also be words of the game."""
OF_NOBODY = re.compile(r"(round|second)\.\d|(options|effects|distance|contest)\.")
"""The beginning of an address with dots whose first part is no combatant."""
MASTERS = RulingMade | Correction | Checked
"""The facts that no player may record."""


class Concealed(Struct, frozen=True):
    """The hidden combatants by their ids, the sides without any visible combatant, and their names. `others` are the ids of
    visible combatants that contain one of their names; `keepers` opened the log, or let a combatant join in secret.
    """

    ids: frozenset[str] = frozenset()
    sides: frozenset[str] = frozenset()
    names: Mapping[str, frozenset[str]] = {}
    """Who is called by each name that counts in free text; names are case-folded."""
    others: frozenset[str] = frozenset()
    keepers: frozenset[str] = frozenset()
    traces: tuple[str, ...] = ()
    """The words, case-folded, that a line about one of them contains."""

    def __bool__(self) -> bool:
        """Whether anybody is hidden."""
        return bool(self.ids)

    def concerned(self, record: Recorded) -> frozenset[str]:
        """Return the hidden combatants, and the sides with hidden members only, that a record concerns."""
        if not self.ids or record.withheld or isinstance(record.event, EncounterOpened):
            return frozenset()
        text = event_text(encode_record(record))
        line = text.decode().casefold()
        if not any(trace in line for trace in self.traces):
            return frozenset()
        says = record.secret or record.by in self.keepers or isinstance(record.event, MASTERS)
        return frozenset(self._found_in(msgspec.json.decode(text), "", says=says))

    def concerned_by(self, event: Fact) -> frozenset[str]:
        """Return the hidden combatants and wholly hidden sides that a fact by a keeper of secrets concerns."""
        return frozenset(self._found_in(msgspec.to_builtins(event), "", says=True)) if self.ids else frozenset()

    def _found_in(self, value: object, field: str, *, says: bool) -> Iterator[str]:
        """Yield the combatants whom a field's value concerns; `says` is true if its texts count."""
        if isinstance(value, str):
            yield from self._ids_in_text(value, field, says=says)
        elif isinstance(value, list | tuple):
            for each in value:
                yield from self._found_in(each, field, says=says)
        elif isinstance(value, dict) and field == "sheet":
            for name, item in value.items():
                yield from self._found_in(item, "text" if name in REMARKS else name, says=says)
        elif isinstance(value, dict):
            joins = value.get("type") == name_of(CombatantJoined)
            for name, item in value.items():
                if field == "values":
                    yield from self._concerned_in_statement(name, item, says=says)
                elif not (joins and name == "sheet"):
                    yield from self._found_in(item, name, says=says)

    def _concerned_in_statement(self, address: str, value: object, *, says: bool) -> Iterator[str]:
        """Yield the combatants whom a stated value concerns: by parts of its address, if that has several, or by itself."""
        who, *parts = address.split(".")
        if not OF_NOBODY.match(address):
            yield from self._ids_in_text(who, STATED if parts else ADDRESSED, says=says)
        yield from self._found_in(parts, ADDRESSED, says=says)
        yield from self._found_in(value, ADDRESSED if parts else STATED, says=says)

    def _ids_in_text(self, text: str, field: str, *, says: bool) -> Iterator[str]:
        if field in _IDS or field == STATED:
            yield from self.ids & {text}
        if field in SIDES or field == STATED:
            yield from self.sides & {text}
        if field not in OF_THE_FORM | _IDS | SIDES and self._may_name(text.casefold(), field):
            if field == ADDRESSED:
                yield from self.ids & {text}
            if says:
                yield from (who for name in self._names_in_text(text.casefold()) for who in self.names[name])

    def _may_name(self, text: str, field: str) -> bool:
        """Return whether a text may name somebody; a word of the game where one is expected does not."""
        return any(name in text for name in (*self.names, *self.ids)) and (field in FREE or not _is_of_the_game(text))

    def _names_in_text(self, text: str) -> Iterator[str]:
        said = text
        for other in self.others:
            said = _whole_word_pattern(other).sub(" ", said)
        for name in self.names:
            if name in said and _whole_word_pattern(name).search(said):
                yield name


NOBODY = Concealed()
_NUMBER = re.compile(r"[ _-]?\d+\Z")


def _is_of_the_game(text: str) -> bool:
    """Return whether a case-folded text is a word in one of the games, perhaps numbered: slot-1."""
    from projections.stream.game_words import game_words  # only where a word may be a name

    words = game_words()
    return not words.isdisjoint((text, _NUMBER.sub("", text)))


def _whole_word_pattern(name: str) -> re.Pattern[str]:
    """Return a pattern that finds a name as a whole word: ghoul also in ghoul1, ghoul_1 and ghoul-1."""
    goes_on = r"[^\W\d_]" if name[-1:].isalpha() else r"[^\W_]"
    return re.compile(rf"(?<![^\W_]){re.escape(name)}(?!{goes_on})")


def find_concealed(records: Iterable[Recorded], revealed: frozenset[int], struck: Iterable[int]) -> Concealed:
    """Return the hidden combatants: those with a secret joining that is not revealed, and with no other joining that
    stands.

    `struck` are the records that are taken out as players see it.
    """
    known = frozenset(Withhold(secrets=True, revealed=revealed).seqs_shown(records))
    standing = known.difference(struck)
    openly = list[tuple[Recorded, CombatantJoined]]()
    hidden = list[CombatantJoined]()
    keeping, sides, title = secret_keepers(records), set[str](), ""
    for record in records:
        if isinstance(record.event, EncounterOpened):
            title = record.event.title
        if joined := joining(record.event):
            if record.seq in standing:
                openly.append((record, joined))
            if record.seq in known:
                sides.add(joined.side or joined.combatant)  # also of one that was struck: players have read it
            else:
                hidden.append(joined)
    visible = {one.combatant for _, one in openly}
    hidden = [one for one in hidden if one.combatant not in visible]
    if not hidden:
        return NOBODY
    known_by = [joined for record, joined in openly if record.by in keeping]
    said = "\n".join([title, *(text for one in known_by for text in _texts(one))]).casefold()
    names = _names_not_known(hidden, visible, said, "\n".join(one.combatant for one in known_by))
    own = frozenset(one.side or one.combatant for one in hidden) - sides
    ids = frozenset(one.combatant for one in hidden)
    spelled = {spelling for who in visible for spelling in (*spellings(who), who.replace("-", " "))}
    others = frozenset(who for who in spelled if any(name in who for name in names))
    traces = {encode(each)[1:-1].decode().casefold() for each in (*ids, *own, *names)}
    called = {name: frozenset(those) for name, those in names.items()}
    return Concealed(ids, own, called, others, keeping, tuple(traces))


def secret_keepers(records: Iterable[Recorded]) -> frozenset[str]:
    """Return the names of those who opened a log or let a combatant join in secret."""
    opens = (EncounterOpened,)
    those = (each for each in records if isinstance(each.event, opens) or (each.secret and joining(each.event)))
    return frozenset(record.by for record in those)


def joining(event: Fact | None) -> CombatantJoined | None:
    """Return the joining that an event states, perhaps by a correction; None if it states none."""
    return inner if isinstance(inner := stated_fact(event), CombatantJoined) else None


def _names_not_known(
    hidden: list[CombatantJoined], visible: set[str], known: str, ids_known: str
) -> dict[str, set[str]]:
    """Return the hidden combatants by those of their names that are not in `known` texts.

    A word that is no whole name is known from the ids of visible combatants, too.
    """
    names = dict[str, set[str]]()
    for one in hidden:
        for name in _whole_names(one):
            if name not in visible and not _whole_word_pattern(name).search(known):
                names.setdefault(name, set()).add(one.combatant)
    words = f"{known}\n{ids_known}"
    for one in hidden:
        for name in (each for whole_name in _whole_names(one) for each in (whole_name, *short_names(whole_name))):
            if not any(_whole_word_pattern(form).search(words) for form in forms(name)):
                for form in forms(name):
                    names.setdefault(form, set()).add(one.combatant)
    return names


def _whole_names(one: CombatantJoined) -> frozenset[str]:
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
