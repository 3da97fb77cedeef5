"""`encounter head`, `sign`, `verify`, `repair`, and logs of a database: `backup`, `restore`, `migrate`, `remove`."""

from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Annotated

from msgspec import structs

from encounterlog import signing as signatures
from encounterlog.ask import dice as dice_page
from encounterlog.cli import output
from encounterlog.cli.failures import DIFFERENCE, FINE, UNREADABLE, print_error
from encounterlog.cli.options import FOLDER, By, Database, File, Json, NetworkDrive, argument, command, option, whole
from encounterlog.errors import Refused
from encounterlog.log import upkeep
from encounterlog.places import databases
from encounterlog.places.stores import open_store
from encounterlog.words.facts import record_in_words
from encounterlog.words.layout import clip, count_noun, format_numbers, wrap
from encounterlog.words.refusals import refusal_of_problem
from eventstore.address import LogAddress
from eventstore.chain import Anchor
from eventstore.damage import verify_walk
from eventstore.errors import WrongVersion
from eventstore.record import Recorded
from eventstore.spool import Once
from eventstore.store import Verified
from projections.explaining.fairness import check_fairness

Folder = Annotated[Path, argument("folder", type=FOLDER)]
_TO = "The file to add the signature to; by default FILE.sig beside the log; - only prints it, as is done for a log that is no file."
_YES = "With --older-than: remove them; otherwise they are only listed. The --anchor of one log is a yes already."
UNANCHORED = "unanchored: an --anchor or a signature shows if its end was cut or rewritten"
COMPARED = {
    "matches": "the anchor matches: nothing before it was changed",
    "cut off": "the anchor is beyond the end: records were cut off after it was taken, or it belongs to another log",
    "rewritten": "the hash at the anchor differs: the log was rewritten, or it is another log",
    "not reached": "the anchor is after the fault",
}
SHOWN: dict[signatures.Shows, str] = {
    "proven": "proven, records 1 to {seq} were signed by the owner of the key",
    "cut off": "cut off, record {seq} was signed and is no longer there",
    "rewritten": "rewritten, record {seq} is not the one that was signed",
    "not reached": "not reached, record {seq} comes after the fault",
    "another log": "signs another log",
    "another key": "by another key, not looked into",
    "not genuine": "not genuine, the owner of the key did not sign this line",
    "no signature": "is no signature",
}


@command()
def head(file: File, as_json: Json) -> None:
    """Print the end of the log FILE as SEQ:HASH.

    Keep it elsewhere, as in a message to the players: it is an anchor. encounter verify FILE --anchor SEQ:HASH later
    proves that nothing before it was changed or cut off.
    """
    output.print_value(open_store(file).head(), lambda end: [str(end)], as_json)


@command(
    option("--key PRIVATE", "The file of an Ed25519 key: OpenSSH or PEM.", required=True),
    option("--to SIGNATURES", _TO),
)
def sign(file: File, key: Path, to: Path | None, as_json: Json) -> None:
    """Sign the end of the log FILE after verifying every line.

    The signature is one line; it is printed and added to FILE.sig. With it and the public key, encounter verify FILE
    --key proves that the log up to this record is the one that was signed, and shows whether it was cut off or rewritten
    since.
    """
    signing = _import_ed25519()
    signature = signing.sign_head(*signatures.verified_end(file), signing.private_key(key))
    path = to or (signatures.signature_file(file) if isinstance(file, str) else Path("-"))
    name = None if str(path) == "-" else str(path)
    new = signatures.add_signature(path, str(signature)) if name else False
    done = signatures.Signed(str(signature), str(signature.anchor), signature.key, name, new)
    output.print_value(done, lambda _: [str(signature)], as_json)
    if name and not as_json:
        output.print_notes([f"{'added to' if new else 'already in'} {name}"])


@command(
    option("--anchor SEQ:HASH", "An earlier output of encounter head, kept elsewhere.", "head", type=Anchor.parse),
    option("--key PUBLIC", "The file of an Ed25519 public key, OpenSSH or PEM, to check signatures with."),
    option("--export OUT", "Say whether this export names a head of the log: in OUT itself, or in OUT.head beside it."),
    option("--signature FILE|LINE", "The signatures to check; by default those in FILE.sig.", "given"),
    option("--dice", "Check every roll that was drawn from a chain of dice, too."),
)
def verify(
    file: File, head: Anchor | None, key: Path | None, export: Path | None, given: str | None, dice: bool, as_json: Json
) -> int:
    """Check every line of the log FILE: form, digests, the chain from each record to the next.

    The chain alone cannot show that the end of a log was cut off or rewritten. An --anchor can, and so can a signature
    made by encounter sign, with the public --key of the signer. The exit code is 3 if the log is damaged, 1 if it is
    intact but contradicts the anchor or a signature, or if no valid signature of the key is found.

    An --export belongs to the log if it names the log's head, or an earlier one. The rest of the export is not
    checked. The exit code is 1 if the log never had that head.

    With --dice each roll is right or wrong by the chain that encounter dice began; a link left out or used twice,
    another secret, a second chain, and an unused drawing are reported, each with exit code 1.
    """
    if given is not None and key is None:
        raise Refused("usage", "--signature needs the key of the signer", "--key PUBLIC")
    if export is not None and head is not None:
        raise Refused("usage", "--export and --anchor both name a head", "give one of them")
    if export:
        from encounterlog.exporters.exporting import head_of  # only for an export: it loads the replay

        head = head_of(export)
    walked = open_store(file, shows=True).read()
    records = Once(walked) if key or dice else walked
    found = verify_walk(records, head)
    proof = None
    if key:
        signing = _import_ed25519()
        public = signing.public_key(key)
        lines, proves = signatures.read_signatures(file, given), partial(signing.proves_signature, key=public)
        proof = signatures.judge_signatures(lines, signing.key_fingerprint(public), proves, records, found)
    fair = check_fairness(islice(records, found.records)) if dice else None
    is_sound = found.sound and (proof is None or proof.holds)
    if as_json:
        value = structs.asdict(found) | {"head": str(found.head) if found.head else None}
        value |= {"key": proof.key, "signatures": proof.signatures} if proof else {"key": None, "signatures": ()}
        value |= {"unchecked": 0 if proof else signatures.count_signatures(file), "sound": is_sound}
        output.print_json(value | ({"dice": dice_page.fairness_as_json(fair)} if fair else {}))
    else:
        compared = _compare_export(export, head, found) if export and head else []
        verdict = dice_page.format_dice_verification(fair) if fair else []
        output.print_lines([*_verified_page(file, found, proof, compared), *verdict])
    if found.problem:
        return print_error(refusal_of_problem(file, found.problem))
    return FINE if is_sound and (fair is None or fair.holds) else DIFFERENCE


def _import_ed25519() -> ModuleType:
    from encounterlog.signing import ed25519  # an extra, without which help can be read

    return ed25519


def _verified_page(file: LogAddress, found: Verified, proof: signatures.Proof | None, compared: list[str]) -> list[str]:
    figures = f"{count_noun(found.records, 'record')} in {count_noun(found.batches, 'append')}"
    lines = [f"good up to the fault: {figures}" if found.problem else figures, *compared]
    lines += [f"head {found.head}"] if found.head else []
    lines += [clip(f"withheld: {format_numbers(found.withheld)}")] if found.withheld else []
    lines += [clip(f"of unknown type: {format_numbers(found.unknown)}")] if found.unknown else []
    lines += [COMPARED[found.anchor]] if found.anchor in COMPARED and not compared else []
    if proof:
        lines.append(f"signatures by {proof.key}")
        lines += (f"  line {one.line}: {SHOWN[one.shows].format(seq=one.seq)}" for one in proof.signatures)
        last = max((one.seq for one in proof.signatures if one.shows == "proven"), default=0)
        unsigned = [f"  the records after {last} are not signed"] if last < found.records else []
        lines += unsigned if last else ["  nothing is proven by this key"]
    elif number := signatures.count_signatures(file):
        counted = f"{count_noun(number, 'signature')} in {signatures.signature_file(file)}"
        lines.append(f"{counted}, not checked: --key PUBLIC does")
    if found.sound and (proof is None or proof.holds):
        lines += [UNANCHORED] if found.anchor == "unanchored" and proof is None else []
        lines.append("sound")
    return lines


def _compare_export(out: Path, head: Anchor, found: Verified) -> list[str]:
    if found.anchor == "not reached":
        made = f"{out} was made from a log with {count_noun(head.seq, 'record')}"
        return wrap(f"{made}; this one cannot be read so far")
    if found.anchor != "matches":
        return wrap(f"{out} was not made from this log: no record {head.seq} of it has that hash")
    later = found.records - head.seq
    since = f" at record {head.seq}; {count_noun(later, 'record')} came since" if later else " as it is now"
    return [*wrap(f"{out} names the head of this log{since}"), *wrap(f"what else {out} says was not checked")]


@command(
    option("--dry-run", "Only show the plan; the exit code is 1 if there is something to do."),
    examples="encounter repair ford.jsonl --dry-run     show what is wrong and what would be done",
)
def repair(file: File, dry_run: bool, network_drive: NetworkDrive, by: By, as_json: Json) -> int:
    """Keep the intact part of the log FILE, set the rest aside, and record the repair.

    Everything before the first fault is kept, in whole appends. The rest is moved to a file beside the log,
    FILE.damaged-SEQ-N (or FILE.torn-SEQ-N after an interrupted append), and the log notes its line, reason and SHA-256.
    If an editor only added line ends, blanks or a byte order mark, all records are kept, and the original file is set
    aside.

    Nothing is ever overwritten. The exit code is 3 if nothing can be kept; the file is then left as it is.
    """
    found, lost = upkeep.repair_log(file, by, dry_run=dry_run, network_drive=network_drive)
    output.print_value(found, lambda _: _page_of_repair(found, lost), as_json)
    return DIFFERENCE if dry_run and found.problem else FINE


def _page_of_repair(found: upkeep.Repaired, lost: Sequence[Recorded]) -> list[str]:
    if found.problem is None or found.aside is None:
        return [*wrap(f"{found.file}: nothing to repair"), f"{count_noun(found.records, 'record')}, up to {found.kept}"]
    would = "" if found.done else "would be "
    where = f"{found.file}, line {found.problem.line} (byte {found.problem.offset})"
    what = f"the {'file as it was' if found.mended else 'rest'}, {count_noun(found.aside.bytes, 'byte')}"
    whole = f"{count_noun(len(found.whole), 'line')} {'is a whole record' if len(found.whole) == 1 else 'are whole records'}"
    more = len(found.whole) - len(lost)
    return [
        *wrap(f"{where}: {found.problem.why}", "    ", ""),
        f"{would}kept: {count_noun(found.records, 'record')}, up to {found.kept}",
        *(wrap(f"{would}corrected: {', '.join(found.mended)}", "    ", "") if found.mended else []),
        *wrap(f"{would}set aside: {what}, into {found.aside.file}", "    ", ""),
        *([clip(f"of the rest, {whole}: {format_numbers(found.whole)}")] if found.whole else []),
        *(clip(f"{n:>5}  {one.by}: {record_in_words(one)}") for n, one in zip(found.whole, lost, strict=False)),
        *([f"       … and {more:,} more"] if more > 0 else []),
        *wrap(f"{would}noted: {found.note}", "    ", ""),
        f"the log ends now at {found.head}" if found.done else "nothing was changed",
    ]


@command(examples="encounter backup postgresql://encounters@db.example/tables backup-2026-11-21")
def backup(database: Database, folder: Folder, as_json: Json) -> int:
    """Copy each log of DATABASE into a file of FOLDER, NAME.jsonl, byte for byte, and verify it.

    Others may write meanwhile: each file ends with a whole append. The lines of a damaged log are copied as they are,
    and the exit code is 3; encounter repair keeps the intact part of such a file. No file is overwritten: take a new
    folder. The printed heads are anchors: kept elsewhere, they show whether a restored log is the same. Tokens are
    not copied.
    """
    return _print_logs(upkeep.backup_database(database, folder), as_json)


@command(examples="encounter restore backup-2026-11-21 postgresql://encounters@db.example/tables")
def restore(folder: Folder, database: Database, as_json: Json) -> int:
    """Create a log in DATABASE from each file NAME.jsonl of FOLDER, verified, byte for byte.

    An existing log with these records, or with more after them, is left as it is; if one with other records has the
    name, nothing at all is created. The exit code is 3 if a file is damaged; it is left out.
    """
    return _print_logs(upkeep.restore_database(folder, database), as_json)


def _print_logs(done: upkeep.Moves | upkeep.Ageing, as_json: bool) -> int:
    lines = upkeep.format_moves(done) if isinstance(done, upkeep.Moves) else upkeep.page_of_old(done)
    output.print_value(done, lambda _: lines, as_json)
    return UNREADABLE if any(log.problem for log in done.logs) else FINE


@command(
    option("--serve ROLE", "Let this role read and append, and neither change nor remove a record; may be repeated."),
    examples="encounter migrate postgresql://owner@db.example/tables --serve encounters",
)
def migrate(database: Database, serve: tuple[str, ...], as_json: Json) -> None:
    """Bring the tables in DATABASE, postgresql://OWNER@HOST/DATABASE, to the version of this program.

    The role that runs this owns the tables. With tables of this version it does nothing, and two people may run it at
    once. On a database without the tables every other command ends with exit code 2 and names this one.
    """
    done = databases.open_database(databases.only_database(database)).migrate(serve)
    says = f"migrated: {', '.join(map(str, done))}" if done else "nothing to do"
    lines = [f"{database}: {says}", *(f"{role} may read and append" for role in serve)]
    output.print_value({"database": str(database), "done": done, "serving": serve}, lambda _: lines, as_json)


@command(
    option("--anchor SEQ:HASH", "The end of the log, as encounter head prints it.", type=Anchor.parse),
    option("--older-than DAYS", "All logs of a database without an append for so many days.", type=whole(1, 36_500)),
    option("--yes", _YES),
    examples="encounter remove postgresql://owner@db.example/tables/ford --anchor 17:4f1c…\n"
    "encounter remove postgresql://owner@db.example/tables --older-than 730 --yes",
)
def remove(file: File, anchor: Anchor | None, older_than: int | None, yes: bool, as_json: Json) -> int:
    """Remove the log FILE, postgresql://OWNER@HOST/DATABASE/NAME, for ever.

    The log must end with the --anchor, so that nobody removes a log unseen. Only the owner of the tables can remove
    it; the role that serves them may not. Export it first: encounter export jsonl FILE --to OUT.

    With --older-than DAYS, FILE is postgresql://OWNER@HOST/DATABASE: every log whose last record was written longer ago is listed
    with its end and, with --yes, removed. A damaged log is left alone, and the exit code is 3. To keep logs no longer than that, let a
    timer run it.
    """
    if not databases.is_one(file):
        hint = "the owner of the database can remove it there"
        hint = "a file is removed as any other" if isinstance(file, str) else hint
        raise Refused("usage", f"{file}: only a log in a database is removed by this", hint)
    if anchor is not None and older_than is not None:
        raise Refused("usage", "--anchor is for one log, --older-than for all of a database", "give one of them")
    if older_than is not None:
        return _print_logs(upkeep.remove_stale_logs(databases.only_database(file), older_than, remove=yes), as_json)
    if anchor is None:
        says = "give --anchor SEQ:HASH of one log, or --older-than DAYS of a database"
        raise Refused("usage", says, "encounter head FILE")
    try:
        databases.database_of_log(file).remove(file, anchor)
    except WrongVersion as error:
        error.hint = "look at the log as it is now; encounter head FILE prints its end"
        raise
    page = [f"{file}: removed, with {anchor.seq} records"]
    output.print_value({"file": str(file), "removed": str(anchor)}, lambda _: page, as_json)
    return FINE
