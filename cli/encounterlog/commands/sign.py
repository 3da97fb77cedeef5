"""`encounter sign`: sign the end of a log."""

from pathlib import Path

import click

from encounterlog.signing import signatures
from encounterlog.terminal import options, output
from eventstore.address import LogAddress


@click.command()
@options.file
@click.option(
    "--key",
    required=True,
    metavar="PRIVATE",
    type=options.FilePath(),
    help="The file of an Ed25519 key: OpenSSH or PEM.",
)
@click.option(
    "--to",
    metavar="SIGNATURES",
    type=options.FilePath(),
    help="The file to add the signature to; by default FILE.sig beside the log; - only prints it, as is done for a log that is no file.",
)
@options.as_json
def command(file: LogAddress, key: Path, to: Path | None, as_json: bool) -> None:
    """Sign the end of the log FILE after verifying every line.

    The signature is one line; it is printed and added to FILE.sig. With it and the public key, encounter verify FILE
    --key proves that the log up to this record is the one that was signed, and shows whether it was cut off or rewritten
    since.
    """
    from encounterlog.signing import ed25519 as signing  # an extra, without which help can be read

    encounter, head = signatures.end_of(file)
    signature = signing.signed(encounter, head, signing.private_key(key))
    path = to or (signatures.beside(file) if isinstance(file, str) else Path("-"))
    name = None if str(path) == "-" else str(path)
    new = signatures.add(path, str(signature)) if name else False
    if as_json:
        output.json(signatures.Signed(str(signature), str(signature.anchor), signature.key, name, new))
        return
    output.lines([str(signature)])
    if name:
        output.notes([f"{'added to' if new else 'already in'} {name}"])
