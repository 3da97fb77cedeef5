"""`encounter demo` and `new`: the first log, and a disputed round that comes with the program."""

import shlex
import tomllib
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, cast
from urllib.parse import unquote

from msgspec import Struct, to_builtins

from encounterlog.ask import audit as audit_page, show as show_page, why as why_page
from encounterlog.cli import output
from encounterlog.cli.options import LOG, By, File, NetworkDrive, argument, command, option
from encounterlog.errors import Refused, misspelt_word
from encounterlog.log.campaigns import campaign_option
from encounterlog.log.entering import tell_line
from encounterlog.log.folded_log import kept_view
from encounterlog.log.logs import LogView
from encounterlog.log.opening import create_log, keys_with_documents, make_opening, parse_options, ruleset_named
from encounterlog.places.stores import check_free, is_served, open_store
from encounterlog.words.layout import wrap
from encounterlog.words.refusals import refusal_of
from eventstore.address import LogAddress, Url, is_url, name_of, stem_of
from eventstore.errors import StoreError
from eventstore.events import EncounterOpened
from eventstore.record import Draft
from eventstore.wording import visible
from projections.judging.audit import audit
from projections.rulesets import keys

if TYPE_CHECKING:
    from encounterlog.lineups.lineups import LineUp
    from encounterlog.places.remote import RemoteStore

QUARRELS = Path(__file__).with_name("quarrels.toml")
_PARTY = "A party in TOML, an encounter or stat blocks of Improved Initiative, Open5e (.json) or Obsidian (.md, .yaml), or another log, whose party goes on with its remaining points; may be repeated."
_FOES = 'Foes who join, such as "goblin*6 hp=5", or such a file, a stat block also as FILE*6; may be repeated.'
_MONSTERS = (
    'Monsters of the reference documents of the ruleset who join as foes, such as "goblin*4, ogre"; may be repeated.'
)
_CAMPAIGN = "A campaign's own monsters and spells, for a ruleset with reference documents: a folder of TOML and JSON files; its name and the hash of its contents are written into the log."
_DICE = "Begin a chain of dice, as encounter dice FILE start does, and draw from it."
_SEED = "Roll the numbers of foes, and make the secret of --dice, from a seed, for scripts."


@command(
    argument("file", type=LOG, required=False),
    option("--ruleset KEY", "The game whose quarrel is played; by default osric.", default="osric"),
)
def demo(file: LogAddress | None, ruleset: str, by: By) -> None:
    """Play through a disputed round that comes with the program: type it, show it, ask why, audit it.

    A mage begins a spell, an orc hits him, and the table argues: is the spell lost? With FILE the log is kept there, to
    continue with; otherwise it is created in a temporary folder and deleted.
    """
    quarrels = tomllib.loads(QUARRELS.read_text("utf-8"))
    if (quarrel := quarrels.get(ruleset)) is None:
        raise misspelt_word("game with a quarrel", ruleset, quarrels, f"there is one of each of {', '.join(quarrels)}")
    with TemporaryDirectory(prefix="encounter-demo-") if file is None else nullcontext("") as folder:
        path = file or str(Path(folder, "demo.jsonl"))
        check_free(path, "name a file that does not exist yet")
        shown = shlex.quote(str(file or name_of(path)))
        create_log(path, [make_opening(ruleset_named(ruleset), quarrel["title"], {})], by)
        for line in (*quarrel["meet"], *quarrel["typed"]):
            tell_line(kept_view(path), line, by=by, roll=None)
        output.print_lines([f"{quarrel['title']} ({ruleset})", *quarrel["says"], ""])
        output.print_lines(["Typed at the table, after who meets whom:", *(f"    {line}" for line in quarrel["typed"])])
        picture = show_page.round_picture(show_page.make_view(LogView(path), None, every=False))
        output.print_lines(["", f"$ encounter show {shown}", *picture])
        output.print_lines(["", f"$ encounter why {shown} {quarrel['ask']} --short"])
        past = why_page.replay_past(LogView(path), None)
        answers = why_page.answer_question(past, quarrel["ask"].split(), thorough=False)
        output.print_lines(line for each in why_page.answers_as_sentences(answers, past.state) for line in wrap(each))
        output.print_lines(["", f"$ encounter audit {shown}", *audit_page.format_audit(audit(LogView(path)))])
    keeps = f"encounter demo {shown} --ruleset {ruleset}   keeps the log, to go on with"
    goes_on = f"encounter replay {shown}   every fact, and what it changed" if file else keeps
    output.print_lines(["", f"Next: {goes_on}"])


class Opening(Struct):
    """What is said of a new encounter, and of who joins it."""

    ruleset: Annotated[str | None, option("--ruleset KEY", "The ruleset, required; encounter rules lists them.")]
    title: Annotated[str, option("--title", "The title of the encounter; by default the name of the file.", default="")]
    chosen: tuple[str, ...]
    parties: Annotated[tuple[str, ...], option("--party FILE", _PARTY, "parties")]
    foes: Annotated[tuple[str, ...], option("--foes TEXT", _FOES)]
    monsters: Annotated[tuple[str, ...], option("--monsters NAMES", _MONSTERS)]
    campaign: Annotated[str | None, option("--campaign FOLDER", _CAMPAIGN)]
    roll_hp: Annotated[bool, option("--roll-hp", "Roll the hit points of --monsters, each for itself.")]
    dice: Annotated[bool, option("--dice", _DICE)]
    seed: Annotated[str | None, option("--seed TEXT", _SEED)]


@command(
    option("--option NAME=VALUE", "The reading of an open point of the rules; may be repeated.", "chosen"),
    examples='encounter new ford.jsonl --ruleset osric --title "The ford"',
)
def new(file: File, wanted: Opening, network_drive: NetworkDrive, by: By) -> None:
    """Create FILE, the log of a new encounter.

    The first record has the ruleset, its revision and every option, so the log itself says how to read it. An
    existing file is never overwritten. At a service, https://HOST/e/NAME, it takes the token of the operator, or of a
    game master there, in ENCOUNTER_TOKEN, and prints the link for the new game master; --party may then be another encounter there,
    https://HOST/e/OTHER, or one of its sides, https://HOST/e/OTHER#SIDE.

    A party is a file in TOML; encounter schema party shows one. Another tool's encounter gives names, hit points,
    armour class and initiative, a stat block every field that the sheets of the ruleset have; a hidden combatant
    joins in secret. FILE#NAME picks one of several in a file. Dice for a number of combatants, such as 1d4: Goblin,
    are rolled and recorded.
    """
    wanted.monsters = tuple(name for each in wanted.monsters for part in each.split(",") if (name := part.strip()))
    if wanted.roll_hp and not wanted.monsters:
        raise Refused("usage", "--roll-hp rolls for --monsters, and none are named", 'such as --monsters "goblin*4"')
    if wanted.campaign is not None and isinstance(file, Url):
        raise Refused("usage", "--campaign is for a log in a file", "a campaign's folder stands beside it")
    if wanted.ruleset is None:
        hint = f"plain suits any game; installed are {', '.join(keys())}; encounter rules names the game of each"
        raise Refused("usage", "missing option '--ruleset'", hint)
    if isinstance(file, Url) and is_served(file):
        _create_at_service(file, wanted.ruleset, wanted, by)
        return
    rules = ruleset_named(wanted.ruleset)
    readings = parse_options(rules, wanted.chosen)
    if wanted.campaign is not None:
        if (documents := rules.documents()) is None:
            says = f"--campaign goes with {keys_with_documents()}, not with {rules.key}"
            raise Refused("usage", says, "--party and --foes take sheets")
        readings |= campaign_option(documents, wanted.campaign)
    title = wanted.title if wanted.title.strip() else visible(stem_of(file)) or "An encounter"
    event = make_opening(rules, title, readings)
    check_free(file, "choose another name, or: encounter append FILE")
    chains, lineup = _initial_drafts(file, event, by, wanted)
    create_log(file, [event, *chains, *(lineup.joining if lineup else ())], by, network_drive=network_drive)
    output.print_lines([f"{file} opened on {rules.key}, revision {rules.revision}"])
    if isinstance(file, str) and Path(file).suffix != ".jsonl":
        output.print_notes(["hint: logs are usually called .jsonl; encounter list finds them by that"])
    output.print_lines([f"a chain of dice is begun; {by} holds its secret"] if chains else [])
    if lineup:
        output.print_lines(lineup.lines())
        output.print_notes([f"left out: {each}" for each in lineup.left_out])


def _initial_drafts(
    address: LogAddress, event: EncounterOpened, by: str, wanted: Opening
) -> "tuple[tuple[Draft, ...], LineUp | None]":
    """Return the beginning of a chain of dice, if one is wanted, and the line-up, if anybody joins; raise Refused."""
    joins = bool(wanted.parties or wanted.foes or wanted.monsters)
    if not (wanted.dice or joins):
        return (), None
    from encounterlog.lineups.lineups import lineup_with_dice

    who = {name: getattr(wanted, name) for name in ("parties", "foes", "monsters", "roll_hp", "seed")}
    chains, lineup = lineup_with_dice(address, event, by, **who, chained=wanted.dice)
    return chains, lineup if joins else None


def _create_at_service(address: Url, ruleset: str, wanted: Opening, by: str) -> None:
    if wrong := [pair for pair in wanted.chosen if "=" not in pair]:
        raise Refused("usage", f"--option {wrong[0][:80]!r} is not NAME=VALUE", f"encounter rules {ruleset}")
    if wanted.dice:
        says = "a service keeps the secret of its dice itself: --dice is for a file"
        hint = f"create it without; then, with the link that is printed: encounter dice {address} start"
        raise Refused("usage", says, hint)
    place = address.given.rpartition("/e/")[0]
    named = [each.rpartition("/e/") for each in wanted.parties]
    party = next((unquote(other) for base, _, other in named if place and base == place), "")  # perhaps with #SIDE
    if party and (wanted.foes or wanted.monsters or len(wanted.parties) > 1):
        says = "the party of an encounter there joins alone, without another --party, --foes and --monsters"
        hint = f"create it with that one; then, with the link that is printed: encounter add {address} join …"
        raise Refused("usage", says, hint)
    lineup = None
    if not party and (wanted.parties or wanted.foes or wanted.monsters):  # from files here, before anything is created
        if away := [each for each in wanted.parties if is_url(each) and is_served(Url(each))]:
            there = visible(away[0][:120])
            hint = f"encounter export jsonl {there.partition('#')[0]} --to one.jsonl; then: --party one.jsonl"
            raise Refused("usage", f"--party {there} is no encounter of the service of {address}", hint)
        rules = ruleset_named(ruleset)
        event = make_opening(rules, wanted.title or "An encounter", parse_options(rules, wanted.chosen))
        lineup = _initial_drafts(address, event, by, wanted)[1]
    readings = dict(pair.split("=", 1) for pair in wanted.chosen)
    body = {"ruleset": ruleset, "title": wanted.title, "options": readings, "by": by}
    service = cast("RemoteStore", open_store(address))
    made = service.ask("PUT", "", body | ({"party": party} if party else {}))
    output.print_lines([f"{address} opened on {ruleset}", str(made.get("link", ""))])
    output.print_notes([f"left out: {visible(str(each))}" for each in made.get("left_out", ())])
    output.print_notes(["the link is for the game master, shown only this once; commands read it from ENCOUNTER_TOKEN"])
    if lineup is None:
        return
    facts = [{"event": to_builtins(each.event), "secret": each.secret} for each in lineup.joining]
    try:
        service.ask("POST", "records", facts, authorization=f"Bearer {made.get('token', '')}")
    except (Refused, StoreError) as error:
        refused = refusal_of(error)
        refused.says = f"it is open, but nobody has joined: {refused.says}"
        raise refused from None
    output.print_lines(lineup.lines())
    output.print_notes([f"left out: {each}" for each in lineup.left_out])
