"""Line-ups: who is in the fight from the start, from parties, encounters that other tools keep, and lines of the grammar.

Imported only if there is a line-up.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import to_builtins

from encounterlog.errors import Refused
from encounterlog.lineups import encounters, parties, parties_of_logs
from encounterlog.lineups.encounters import Found
from encounterlog.lineups.parties import Member, Party
from encounterlog.log import drawn_dice
from encounterlog.log.campaigns import read_text
from encounterlog.log.drawn_dice import LineupDice, make_word_source
from encounterlog.log.entering import parse_line
from encounterlog.log.opening import keys_with_documents, raise_as_refused
from encounterlog.places.time_and_chance import make_roller
from encounterlog.words.layout import count_noun
from eventstore.address import LogAddress
from eventstore.events import CombatantJoined, DiceDrawn, DiceRolled, EncounterOpened, Noted
from eventstore.form import is_id
from eventstore.paths import plain_path
from eventstore.record import Draft, upcast
from eventstore.shapes import Dice
from eventstore.wording import visible
from projections.language.notation import names
from projections.language.notation.printing import print_joining
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from projections.language.notation.tokens import quote
from projections.views.carried import Carried

MOST = 1000  # the most combatants of a line-up
LONG_NUMBER = r"\d{1000}"  # digits of a number that is too long for a sheet, and for the parsers of files
FILES = (".toml", ".json", ".md", ".yaml", ".yml")
"""The ends of files' names; anything else that --foes takes is a line of the grammar."""
IMPLIED = frozenset({"creature", "proficiency"})
"""The fields of a sheet that follow from a stat block and are not written in it."""


class LineUp(NamedTuple):
    """The facts by which everybody joins, and the fields of the files that have no place in them."""

    joining: list[Draft]
    left_out: list[str]

    def lines(self) -> Iterator[str]:
        """Yield the number of combatants who joined, and of the dice rolled for that."""
        yield f"{count_noun(sum(isinstance(one.event, CombatantJoined) for one in self.joining), 'combatant')} joined"
        yield from (one.event.text for one in self.joining if isinstance(one.event, Noted))
        if drawn := sum(isinstance(one.event, DiceDrawn) for one in self.joining):
            yield f"{count_noun(drawn, 'roll')} drawn from the chain of dice"


class _Lines:
    """A line-up while it is read: its table, and the facts that it makes."""

    def __init__(
        self, opening: EncounterOpened, dice: LineupDice, here: Sequence[CombatantJoined] = (), *, hidden: bool = False
    ) -> None:
        self.table, self.dice, self.hidden = Table(make_records([opening, *here], 1), script=True), dice, hidden
        self.edition = opening.options.get("edition", "")
        self.found: list[Draft] = []
        self.left_out: dict[str, None] = {}
        self.unfit: dict[str, str] = {}

    def add_line(self, line: str, *, hidden: bool = False) -> None:
        parsed = parse_line(self.table, line)
        self.table.take(make_records(parsed.facts, len(self.table.records) + 1))
        secret = hidden or self.hidden
        self.found += [Draft(fact, secret=secret) for fact in parsed.facts]  # type: ignore[arg-type]  # members of the union
        if len(self.found) > MOST:
            raise Refused("refused", f"more than {MOST:,} combatants in a line-up", "let the others join later")

    def tell_fact(self, fact: dict[str, Any], *, hidden: bool = False) -> None:
        self.add_line(json.dumps(fact, ensure_ascii=False), hidden=hidden)

    def add_party(self, party: Carried, called: str) -> None:
        """Let the party of another log join with its remaining points; raise Refused for an id that is taken."""
        state = self.table.done.state
        joining = (draft.event.combatant for draft in party.drafts if isinstance(draft.event, CombatantJoined))
        for who in (who for who in joining if who in state.combatants or who in state.sides):
            hint = "name one side of it, FILE#SIDE, or let the other join later under another id"
            raise Refused("refused", f"{visible(called)}: the id {who} is taken", hint)
        self.table.take(make_records([upcast(draft.event) for draft in party.drafts], len(self.table.records) + 1))
        self.found += party.drafts
        self.left_out |= dict.fromkeys(map(visible, party.behind))

    def roll(self, notation: str, hidden: bool) -> str:
        return self.dice.throw(notation, hidden=hidden or self.hidden)

    def line_up(self) -> LineUp:
        """Return the newcomers, with the proofs of dice that were drawn from a chain."""
        rolls = [place for place, draft in enumerate(self.found) if isinstance(draft.event, DiceRolled)]
        proofs = [Draft(each, secret=each.hidden) for each in self.dice.make_proofs(rolls, len(self.found))]
        left_out = [*self.left_out]
        if self.unfit:
            *most, last = self.unfit
            names = f"{', '.join(most)} and {last}: no such fields" if most else f"{last}: no such field"
            left_out.append(f"{names} on the sheets of {self.unfit[last]}")
        return LineUp([*self.found, *proofs], left_out)


def _join_monster(lines: _Lines, said: str, *, rolls: bool) -> None:
    """Let a monster join, or several of a kind, such as goblin*4; raise Refused for a name that stands for none or several."""
    state = lines.table.done.state
    documents = state.rules.documents()
    if documents is None:
        says = f"--monsters goes with {keys_with_documents()}, not with {state.rules.key}"
        raise Refused("usage", says, "--foes takes any name")
    name, _, number = said.rpartition("*") if re.search(r"\*\d{1,3}$", said) else (said, "", "1")
    with raise_as_refused():
        one = documents.creature_joining(state, name.strip())
    points = [_parse_die(lines.roll(one.hit_dice, False)) for _ in range(int(number))] if rolls and one.hit_dice else []
    several = f"*{number}" if int(number) != 1 else ""
    lines.add_line(f"join {one.id}{several} foes {' '.join(f'{field}={value}' for field, value in one.named.items())}")
    joined = [each.event.combatant for each in lines.found if isinstance(each.event, CombatantJoined)][-int(number) :]
    for who, thrown in zip(joined, points, strict=False):
        total = max(1, sum(thrown["faces"]) + one.bonus)
        added = {"modifiers": [{"name": one.bonus_from, "amount": one.bonus}]} if one.bonus else {}
        lines.tell_fact({"type": "dice_rolled", "combatant": who, "purpose": "hit points", "die": thrown} | added)
        lines.tell_fact({"type": "sheet_changed", "combatant": who, "sheet": {"hp": total, "hp_max": total}})


def _parse_die(thrown: str) -> dict[str, Any]:
    notation, _, faces = thrown.partition(":")
    return {"notation": notation, "faces": [int(face) for face in faces.split(",")]}


def parse_lineup(
    here: tuple[EncounterOpened, *tuple[CombatantJoined, ...]],
    name: str,
    text: str,
    side: str,
    count: int,
    dice: LineupDice,
    *,
    hidden: bool = False,
) -> tuple[LineUp, list[str]]:
    """Return the combatants who join by the text of a file, with a stat block so many, and the lines that say so; raise Refused.
    The end of its name says what the file is. If they are all `hidden`, their dice are secret, too.
    """
    opening, *others = here
    lines = _Lines(opening, dice, others, hidden=hidden)
    if not 1 <= count <= MOST:
        raise Refused("usage", f"{count} of a kind", f"1 to {MOST:,} can join at once")
    suffix = Path(name).suffix.lower()
    if suffix not in FILES:
        says = f"{visible(name[:60])}: its ending does not give its format"
        raise Refused("usage", says, f"it can be {', '.join(FILES)}")
    try:
        read = _parse_combatants(suffix, text, "", lines, count)
    except ValueError as error:
        raise Refused("refused", f"{visible(name[:60])}: {error}") from None
    _join_combatants(lines, visible(name[:60]), read, side)
    found = lines.line_up()
    return found, [*filter(None, map(_join_line, found.joining))]


def _join_line(draft: Draft) -> str:
    fact, secret = draft.event, "secret " if draft.secret else ""
    if isinstance(fact, CombatantJoined):
        return f"{secret}{print_joining(to_builtins(fact))}"
    if isinstance(fact, DiceRolled) and isinstance(fact.die, Dice):
        return f"{secret}dice {quote(fact.purpose or '')} {fact.die.notation}:{','.join(map(str, fact.die.faces))}"
    return f'" {fact.text}' if isinstance(fact, Noted) and fact.event is None else ""


def _join_combatants(lines: _Lines, called: str, read: Party | Found, side: str) -> None:
    party, rolled, left_out = read if isinstance(read, Found) else (read, [], [])
    lines.left_out |= dict.fromkeys(left_out)
    given = party.side if "side" in party.model_fields_set else side
    for place, member in enumerate(party.member, 1):
        fitting = _fit_to_ruleset(lines, member) if isinstance(read, Found) else member
        try:
            for fact in _join_facts(lines.table, fitting, given):
                lines.tell_fact(fact, hidden=member.hidden)
        except (Refused, TypeError) as error:  # TypeError: a date, which TOML has and a sheet has not
            failure = error if isinstance(error, Refused) else Refused("refused", f"sheet: {error}".lower())
            says = f"{called}: member {place}, {visible(member.name[:60])}: {failure.says}"
            raise Refused(failure.kind, says, failure.hint) from None
    for one in rolled:
        added = {"modifiers": [{"name": "more", "amount": one.bonus}]} if one.bonus else {}
        fact = {"type": "dice_rolled", "purpose": f"how many {one.kind}"[:120], "die": _parse_die(one.thrown)}
        lines.tell_fact(fact | added, hidden=one.hidden)
        shown = f"{one.thrown}{one.bonus:+}" if one.bonus else one.thrown
        lines.tell_fact({"type": "noted", "text": f"rolled here: {shown}", "event": -1}, hidden=one.hidden)


def _read_file(path: Path, lines: _Lines, count: int) -> Party | Found:
    """Return the combatants in the file of a line-up, with a stat block so many; raise Refused with its path and the fault's path in it."""
    stem, mark, name = path.name.partition("#")
    file, name = (path.with_name(stem), name) if mark and not path.exists() else (path, "")
    try:
        return _parse_combatants(file.suffix.lower(), read_text(file), name, lines, count)
    except (OSError, ValueError) as error:
        wrong = not isinstance(error, OSError) and file.suffix.lower() == ".toml"
        hint = "encounter schema party shows a party" if wrong else ""
        raise Refused("refused", f"{path}: {getattr(error, 'strerror', None) or error}", hint) from None


def _parse_combatants(suffix: str, text: str, name: str, lines: _Lines, count: int) -> Party | Found:
    """Return the combatants in a text, only those of one encounter or stat block if its name is given; raise ValueError, also for a
    number that is too long for parsers.
    """
    if long := re.search(LONG_NUMBER, text):
        raise ValueError(f"line {text.count(chr(10), 0, long.start()) + 1} has too large a number: at most 16 digits")
    if suffix == ".json":
        return encounters.parse_json(text, name, lines.edition, count)
    if suffix in (".md", ".yaml", ".yml"):
        return encounters.parse_note(text, name, lines.roll, lines.edition, count)
    encounters.check_single(count, "a party, of which a member has a count")
    return parties.parse_party(text)


def _join_facts(table: Table, member: Member, side: str) -> Iterator[dict[str, Any]]:
    taken = {*table.done.state.combatants, *table.done.state.sides}
    base = member.id or names.id_of(member.name, taken if member.count == 1 else ())
    if member.count == 1 and base in taken:
        raise Refused("refused", f"the id {base} is taken", "give each an id of its own, or none")
    state, group = table.done.state, member.side or side
    try:
        sheet = state.rules.listed(state, member.sheet, None)
    except ValueError as error:
        says, hint = error.args if error.args[1:] else (error, "leave out one of the two")
        raise Refused("refused", f"the sheet of {visible(member.name[:60])}: {says}", str(hint)) from None
    common = {"side": group if is_id(group) else names.id_of(group, ()), "sheet": sheet}
    free = (number for number in range(1, MOST * 2) if f"{base}-{number}" not in taken)
    for _ in range(member.count):
        number = next(free) if member.count > 1 else 0
        who, called = (f"{base}-{number}", f"{member.name} {number}") if number else (base, member.name)
        named = {"name": called} if names.folded(called) != who or called != called.casefold() else {}
        yield {"type": "combatant_joined", "combatant": who, **named, **common}


def _fit_to_ruleset(lines: _Lines, member: Member) -> Member:
    rules = lines.table.done.state.rules
    known = {field.name: field.type for field in msgspec.structs.fields(rules.sheet)}
    sheet: dict[str, Any] = {}
    for name, value in member.sheet.items():
        place = "dexterity" if name == "initiative" and name not in known else name
        try:
            msgspec.convert(value, known[place])
            sheet[place] = value
        except (KeyError, msgspec.ValidationError):
            if name not in IMPLIED:
                lines.unfit.setdefault(name, rules.key)
    return member.model_copy(update={"sheet": sheet})


def lineup_with_dice(
    address: LogAddress,
    opening: EncounterOpened,
    by: str,
    parties: Sequence[str],
    foes: Sequence[str],
    monsters: Sequence[str],
    roll_hp: bool,
    seed: str | None,
    *,
    chained: bool,
) -> tuple[tuple[Draft, ...], LineUp]:
    """Return the facts that begin a chain of dice, if one is wanted, and the line-up, whose dice are drawn from it; raise Refused
    with the path of the fault.
    """
    begun = drawn_dice.make_commitments(address, 1, by=by, seed=seed) if chained else ()
    records = make_records([opening, *(draft.event for draft in begun)], 1)
    lines = _Lines(opening, LineupDice(address, records, make_roller(seed), make_word_source(seed)))
    for each in parties:
        if parties_of_logs.is_log(each):
            lines.add_party(parties_of_logs.party_of(each, lines.table.done.state.rules), each)
        else:
            path = Path(plain_path(each))
            _join_combatants(lines, str(path), _read_file(path, lines, 1), "party")
    for said in foes:
        file, _, number = said.rpartition("*") if re.search(r"\*\d{1,9}$", said) else (said, "", "1")
        first, _, rest = said.strip().partition(" ")
        if re.sub(r"#.*|/+$", "", file).lower().endswith(FILES):
            path = Path(plain_path(file))
            _join_combatants(lines, str(path), _read_file(path, lines, int(number)), "foes")
        elif first:
            lines.add_line(f"join {first} foes {rest}".rstrip())
        else:
            raise Refused("usage", "--foes names nobody", 'such as --foes "goblin*6 hp=5"')
    for each in monsters:
        _join_monster(lines, each, rolls=roll_hp)
    return begun, lines.line_up()
