"""Ed25519: keys as OpenSSH and PEM have them, signing, proving. Alone imports cryptography, which is an optional extra."""

import warnings
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

import click

from encounterlog.edge.failures import USAGE, Failure
from encounterlog.signing.signatures import Signature
from eventstore import files
from eventstore.chain import Anchor
from eventstore.form import visible

_INSTALL = "pip install 'cryptography[ssh]>=42'"

try:
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization as forms
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
except ImportError:
    raise Failure(USAGE, "signatures need the library cryptography, which is not installed", _INSTALL) from None

_LARGEST = 1 << 16
_OTHER = "is a key of another kind; signatures are Ed25519"
_HOW = "ssh-keygen -t ed25519 -f KEY makes a pair, KEY and KEY.pub"


def private_key(path: Path) -> Ed25519PrivateKey:
    """Read the key to sign with, asking for its passphrase where it has one; raise Failure."""
    data = _read(path)
    if b"PRIVATE KEY-----" not in data:
        public = data.startswith((b"ssh-", b"ecdsa-", b"sk-")) or b"PUBLIC KEY-----" in data
        _refuse(path, "is a public key; its private one signs" if public else "is no private key")
    load = forms.load_ssh_private_key if b"OPENSSH PRIVATE" in data else forms.load_pem_private_key
    try:
        key = _loaded(path, lambda: load(data, None))
    except TypeError:
        word = _passphrase(path)
        key = _loaded(path, lambda: load(data, word), "cannot be read with this passphrase", "try again")
    return key if isinstance(key, Ed25519PrivateKey) else _refuse(path, _OTHER)


def public_key(path: Path) -> Ed25519PublicKey:
    """Read the key to prove signatures with; raise Failure."""
    data = _read(path).strip()
    if b"PRIVATE KEY-----" in data:
        _refuse(path, "is a private key, to be kept to oneself", "name the public one; of KEY it is KEY.pub")
    if data.startswith(b"-----BEGIN PUBLIC KEY-----"):
        key = _loaded(path, lambda: forms.load_pem_public_key(data))
    elif b"\n" in data:
        _refuse(path, "is no public key, or several", "one key in a file")
    else:
        key = _loaded(path, lambda: forms.load_ssh_public_key(data))
    return key if isinstance(key, Ed25519PublicKey) else _refuse(path, _OTHER)


def signed(encounter: str, head: Anchor, key: Ed25519PrivateKey) -> Signature:
    """Sign where a log ends."""
    draft = Signature(encounter, head, fingerprint(key.public_key()), "")
    return Signature(draft.encounter, draft.anchor, draft.key, key.sign(draft.statement.encode()).hex())


def proves(signature: Signature, key: Ed25519PublicKey) -> bool:
    """Whether the owner of this key signed what a signature states."""
    try:
        key.verify(bytes.fromhex(signature.digits), signature.statement.encode())
    except InvalidSignature:
        return False
    return True


def fingerprint(key: Ed25519PublicKey) -> str:
    """Return the fingerprint of a key as ssh-keygen -l prints it."""
    raw = key.public_bytes(forms.Encoding.Raw, forms.PublicFormat.Raw)
    blob = b"".join(len(part).to_bytes(4, "big") + part for part in (b"ssh-ed25519", raw))
    return "SHA256:" + b64encode(sha256(blob).digest()).decode().rstrip("=")


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST)
    except (OSError, ValueError) as error:
        _refuse(path, files.reason(error), "--key names the file of a key")


def _passphrase(path: Path) -> bytes:
    with warnings.catch_warnings(action="ignore"):  # where there is no terminal, it says so itself
        word: str = click.prompt(f"Passphrase of {visible(str(path))}", hide_input=True, err=True)
    return word.encode()


def _loaded(path: Path, load: Callable[[], Any], why: str = "is no key that can be read", hint: str = _HOW) -> Any:
    """Load a key; raise TypeError where it wants a passphrase."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of kinds that are refused anyway
            return load()
    except UnsupportedAlgorithm as error:
        _refuse(path, f"cannot be read: {str(error).lower()}", f"{_INSTALL}, or another key")
    except ValueError:
        _refuse(path, why, hint)


def _refuse(path: Path, why: str, hint: str = _HOW) -> NoReturn:
    raise Failure(USAGE, visible(f"{path}: {why}"), hint)
