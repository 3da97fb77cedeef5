"""Ed25519: keys of OpenSSH and PEM, signing, proving. The only module that imports cryptography, an optional extra."""

import warnings
from base64 import b64decode, b64encode
from collections.abc import Callable
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any, NoReturn

import click

from encounterlog.errors import Refused, how_to_install, missing_extra
from encounterlog.signing import Signature
from eventstore import files
from eventstore.chain import Anchor
from eventstore.wording import visible

try:
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization as forms
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
except ImportError:
    raise missing_extra("usage", "signatures need the library cryptography, which is not installed", "sign") from None

_PRIME = 2**255 - 19
_OF_ORDER_8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_SMALL = frozenset({0, 1, _PRIME - 1, _OF_ORDER_8, _PRIME - _OF_ORDER_8})
"""The y coordinates of the eight points whose order is 1, 2, 4 or 8."""
NAMESPACE = "encounterlog"  # the purpose of the signatures: those made for another purpose prove nothing here
_MAGIC, _HASH, _KIND = b"SSHSIG", b"sha512", b"ssh-ed25519"
_LARGEST = 1 << 16
_OTHER = "is a key of another kind; signatures are Ed25519"
_HOW = "ssh-keygen -t ed25519 -f KEY makes a pair, KEY and KEY.pub"


def private_key(path: Path) -> Ed25519PrivateKey:
    """Read the key to sign with, asking for its passphrase if it has one; raise Refused."""
    data = _read_key_file(path)
    if b"PRIVATE KEY-----" not in data:
        public = data.startswith((b"ssh-", b"ecdsa-", b"sk-")) or b"PUBLIC KEY-----" in data
        _refuse(path, "is a public key; signing needs the private one" if public else "is not a private key")
    load = forms.load_ssh_private_key if b"OPENSSH PRIVATE" in data else forms.load_pem_private_key
    try:
        key = _load_key(path, lambda: load(data, None))
    except TypeError:
        with warnings.catch_warnings(action="ignore"):  # where there is no terminal, it says so itself
            try:
                word = click.prompt(f"Passphrase of {visible(str(path))}", hide_input=True, err=True).encode()
            except click.Abort as error:
                if not isinstance(error.__context__, EOFError):
                    raise
                _refuse(path, "its passphrase was not given: the input ended", "type it, or pipe it in as one line")
        key = _load_key(path, lambda: load(data, word), "cannot be read with this passphrase", "try again")
    return key if isinstance(key, Ed25519PrivateKey) else _refuse(path, _OTHER)


def public_key(path: Path) -> Ed25519PublicKey:
    """Read the key to prove signatures with; raise Refused."""
    data = _read_key_file(path).strip()
    if b"PRIVATE KEY-----" in data:
        _refuse(path, "is a private key, which nobody else should see", "name the public one; of KEY it is KEY.pub")
    if data.startswith(b"-----BEGIN PUBLIC KEY-----"):
        key = _load_key(path, lambda: forms.load_pem_public_key(data))
    elif b"\n" in data:
        _refuse(path, "is not one public key", "one key in a file")
    else:
        key = _load_key(path, lambda: forms.load_ssh_public_key(data))
    if not isinstance(key, Ed25519PublicKey):
        _refuse(path, _OTHER)
    if (int.from_bytes(_raw_key(key), "little") & (2**255 - 1)) % _PRIME in _SMALL:  # in any encoding
        _refuse(path, "is a key of small order, for which anybody can sign")
    return key


def sign_head(encounter: str, head: Anchor, key: Ed25519PrivateKey) -> Signature:
    """Return the signature on a log's end."""
    public = key.public_key()
    draft = Signature(encounter, head, key_fingerprint(public), "")
    proof = key.sign(_signed_message(draft.statement))
    return Signature(encounter, head, draft.key, _wrap_signature(_raw_key(public), proof))


def proves_signature(signature: Signature, key: Ed25519PublicKey) -> bool:
    """Return whether the owner of this key signed what a signature states."""
    proof = b64decode(signature.proof)[-64:]
    if _wrap_signature(_raw_key(key), proof) != signature.proof:  # of another key, or in another form
        return False
    try:
        key.verify(proof, _signed_message(signature.statement))
    except InvalidSignature:
        return False
    return True


def _raw_key(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(forms.Encoding.Raw, forms.PublicFormat.Raw)


def _read_key_file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST)
    except (OSError, ValueError) as error:
        _refuse(path, files.system_message(error), "--key names the file of a key")


def _load_key(path: Path, load: Callable[[], Any], why: str = "is not a readable key", hint: str = _HOW) -> Any:
    """Load a key; raise TypeError if it needs a passphrase."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of kinds that are refused anyway
            return load()
    except UnsupportedAlgorithm as error:
        _refuse(path, f"cannot be read: {str(error).lower()}", f"another key, or {how_to_install('sign')}")
    except ValueError:
        _refuse(path, why, hint)


def _refuse(path: Path, why: str, hint: str = _HOW) -> NoReturn:
    raise Refused("usage", visible(f"{path}: {why}"), hint)


def _signed_message(statement: str) -> bytes:
    digest = sha512(f"{statement}\n".encode()).digest()
    return _MAGIC + b"".join(map(_ssh_string, (NAMESPACE.encode(), b"", _HASH, digest)))


def _wrap_signature(public: bytes, signature: bytes) -> str:
    """Return an Ed25519 signature, of 64 bytes, with the public key, of 32, in the form of OpenSSH, in Base64."""
    proof = _ssh_string(_KIND) + _ssh_string(signature)
    parts = (_ssh_string(_KIND) + _ssh_string(public), NAMESPACE.encode(), b"", _HASH, proof)
    return b64encode(_MAGIC + (1).to_bytes(4, "big") + b"".join(map(_ssh_string, parts))).decode()


def key_fingerprint(key: Ed25519PublicKey) -> str:
    """Return the fingerprint of a key as ssh-keygen -l prints it."""
    blob = _ssh_string(_KIND) + _ssh_string(_raw_key(key))
    return "SHA256:" + b64encode(sha256(blob).digest()).decode().rstrip("=")


def _ssh_string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data
