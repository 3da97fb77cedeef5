"""`encounter sign`: a signature of where a log ends."""

from pathlib import Path

import click

from encounterlog.edge import options


@click.command()
@options.file
@click.option(
    "--key",
    required=True,
    metavar="PRIVATE",
    type=click.Path(path_type=Path),
    help="The file of an Ed25519 key: OpenSSH or PEM.",
)
@click.option(
    "--to",
    metavar="SIGNATURES",
    type=click.Path(path_type=Path),
    help="Where to add the signature, else FILE.sig beside the log; - only prints it.",
)
@options.as_json
def command(file: Path, key: Path, to: Path | None, as_json: bool) -> None:
    """Sign where the log FILE ends, once every line of it is verified.

    It prints one line, to be passed on, and adds it to FILE.sig. With the public key, encounter verify FILE --key shows
    from it that the log up to this record is the one that was signed, and whether it was cut off or rewritten since.
    """
    from encounterlog.edge import output
    from encounterlog.signing import ed25519 as signing
    from encounterlog.signing import signatures

    encounter, head = signatures.end_of(file)
    signature = signing.signed(encounter, head, signing.private_key(key))
    path = to or signatures.beside(file)
    name = None if str(path) == "-" else str(path)
    new = signatures.add(path, str(signature)) if name else False
    if as_json:
        output.json(signatures.Signed(str(signature), str(signature.anchor), signature.key, name, new))
        return
    output.lines([str(signature)])
    if name:
        output.notes([f"{'added to' if new else 'it is already in'} {name}"])
