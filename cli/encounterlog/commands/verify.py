"""`encounter verify`: check a log line by line, and compare it with an anchor and signatures."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from encounterlog.errors import Refused
from encounterlog.exporters.heads import head_of
from encounterlog.signing import signatures
from encounterlog.storage.stores import open_store
from encounterlog.terminal import failures, options, output
from encounterlog.terminal.failures import DIFFERENCE, FINE
from encounterlog.text.layout import clip, count, numbers, wrap
from encounterlog.text.refusals import of_problem
from encounterlog.text_pages.signatures import page
from eventstore.address import LogAddress
from eventstore.chain import Anchor
from eventstore.record import Recorded
from eventstore.spool import Once
from eventstore.store import Verified
from eventstore.verify import verification

if TYPE_CHECKING:
    from encounterlog.signing.signatures import Proof
    from projections.explaining.fairness import Fairness

SAYS = {
    "matches": "the anchor matches: nothing before it was changed",
    "cut off": "the anchor is beyond the end: records were cut off after it was taken, or it belongs to another log",
    "rewritten": "the hash at the anchor differs: the log was rewritten, or it is another log",
    "not reached": "the anchor is after the fault",
}
"""The result of comparing a log with an anchor, in words."""
UNANCHORED = "unanchored: an --anchor or a signature shows if its end was cut or rewritten"


@click.command()
@options.file
@click.option("--anchor", type=options.Anchored(), help="An earlier output of encounter head, kept elsewhere.")
@click.option(
    "--key",
    metavar="PUBLIC",
    type=options.FilePath(),
    help="The file of an Ed25519 public key, OpenSSH or PEM, to check signatures with.",
)
@click.option(
    "--export",
    "out",
    metavar="OUT",
    type=options.FilePath(),
    help="Say whether this export names a head of the log: in OUT itself, or in OUT.head beside it.",
)
@click.option("--signature", metavar="FILE|LINE", help="The signatures to check; by default those in FILE.sig.")
@click.option("--dice", is_flag=True, help="Check every roll that was drawn from a chain of dice, too.")
@options.as_json
def command(
    file: LogAddress,
    anchor: Anchor | None,
    key: Path | None,
    out: Path | None,
    signature: str | None,
    dice: bool,
    as_json: bool,
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
    head = _head(key, signature, out, anchor)
    store = open_store(file, shows=True)
    records = Once(store.read()) if key or dice else store.read()
    found = verification(records, head)
    proof = _proof(file, key, signature, records, found) if key else None
    fair = _fairness(records) if dice else None
    verdict, document = _of_dice(fair)
    if as_json:
        output.json(_json(file, found, proof) | document)
    else:
        notes = [note for note in _notes(file, found, proof) if out is None or note not in SAYS.values()]
        output.lines([_figures(found), *_of_export(out, head, found), *notes, *verdict])
    return _code(file, found, proof) or (DIFFERENCE if fair and not fair.holds else FINE)


def _head(key: Path | None, signature: str | None, out: Path | None, anchor: Anchor | None) -> Anchor | None:
    """Return the head to compare the log with, an export's or an anchor; raise Refused for options that exclude each other."""
    if signature is not None and key is None:
        raise Refused("usage", "--signature needs the key of the signer", "--key PUBLIC")
    if out is None:
        return anchor
    if anchor is not None:
        raise Refused("usage", "--export and --anchor both name a head", "give one of them")
    return head_of(out)


def _figures(found: Verified) -> str:
    figures = f"{count(found.records, 'record')} in {count(found.batches, 'append')}"
    return f"good up to the fault: {figures}" if found.problem else figures


def _fairness(records: Iterable[Recorded]) -> "Fairness":
    """Return where the dice of a log come from, up to its first fault."""
    from projections.explaining.fairness import fairness
    from projections.explaining.past import readable

    return fairness(readable(records))


def _of_dice(fair: "Fairness | None") -> tuple[list[str], dict[str, Any]]:
    """Return the verdict on the dice, for people and as JSON; nothing where it was not asked for."""
    if fair is None:
        return [], {}
    from encounterlog.text_pages import fairness as page

    return page.verdict(fair), {"dice": page.document(fair)}


def _proof(file: LogAddress, key: Path, signature: str | None, records: Iterable[Recorded], found: Verified) -> "Proof":
    from encounterlog.signing import ed25519 as signing

    public = signing.public_key(key)
    lines = signatures.read(file, signature)
    return signatures.judged(lines, signing.fingerprint(public), partial(signing.proves, key=public), records, found)


def _notes(file: LogAddress, found: Verified, proof: "Proof | None") -> list[str]:
    lines = [f"head {found.head}"] if found.head else []
    lines += [clip(f"withheld: {numbers(found.withheld)}")] if found.withheld else []
    lines += [clip(f"of unknown type: {numbers(found.unknown)}")] if found.unknown else []
    lines += [SAYS[found.anchor]] if found.anchor in SAYS else []
    lines += _proven(found, proof) if proof else _unchecked(file)
    if found.problem or not _sound(found, proof):
        return lines
    return [*lines, *([UNANCHORED] if found.anchor == "unanchored" and proof is None else []), "sound"]


def _of_export(out: Path | None, head: Anchor | None, found: Verified) -> list[str]:
    """Return in words whether an export still belongs to the log."""
    if out is None or head is None:
        return []
    later = found.records - head.seq
    since = f" at record {head.seq}; {count(later, 'record')} came since" if later else " as it is now"
    says = {
        "matches": f"{out} names the head of this log{since}",
        "not reached": f"{out} was made from a log with {count(head.seq, 'record')}; this one cannot be read so far",
    }
    never = f"{out} was not made from this log: no record {head.seq} of it has that hash"
    unchecked = [f"what else {out} says was not checked"] if found.anchor == "matches" else []
    return [line for words in (says.get(found.anchor, never), *unchecked) for line in wrap(words)]


def _unchecked(file: LogAddress) -> list[str]:
    number = signatures.unchecked(file)
    return (
        [f"{count(number, 'signature')} in {signatures.beside(file)}, not checked: --key PUBLIC does"] if number else []
    )


def _proven(found: Verified, proof: "Proof") -> list[str]:
    return page(proof, found.records)


def _sound(found: Verified, proof: "Proof | None") -> bool:
    return found.sound and (proof is None or proof.holds)


def _code(file: LogAddress, found: Verified, proof: "Proof | None") -> int:
    if found.problem:
        return failures.say(of_problem(file, found.problem))
    return failures.FINE if _sound(found, proof) else failures.DIFFERENCE


def _json(file: LogAddress, found: Verified, proof: "Proof | None") -> dict[str, Any]:
    value: dict[str, Any] = structs.asdict(found)
    value["head"] = str(found.head) if found.head else None
    value["problem"] = structs.asdict(found.problem) if found.problem else None
    value["key"], value["signatures"] = (proof.key, proof.signatures) if proof else (None, ())
    value["unchecked"] = 0 if proof else signatures.unchecked(file)
    return value | {"sound": _sound(found, proof)}
