"""The form of OpenSSH's signatures (PROTOCOL.sshsig), so that `ssh-keygen -Y verify` can check them on its own."""

from base64 import b64decode, b64encode
from hashlib import sha256, sha512

NAMESPACE = "encounterlog"
"""The purpose of the signatures: those made for another purpose prove nothing here."""

_MAGIC, _HASH, _KIND = b"SSHSIG", b"sha512", b"ssh-ed25519"
_VERSION = (1).to_bytes(4, "big")


def covered(message: bytes) -> bytes:
    """Return the bytes that a signature of a message covers."""
    return _MAGIC + b"".join(map(_string, (NAMESPACE.encode(), b"", _HASH, sha512(message).digest())))


def wrapped(public: bytes, signature: bytes) -> str:
    """Return an Ed25519 signature, of 64 bytes, with the public key, of 32, in the form of OpenSSH, in Base64."""
    proof = _string(_KIND) + _string(signature)
    parts = (key_blob(public), NAMESPACE.encode(), b"", _HASH, proof)
    return b64encode(_MAGIC + _VERSION + b"".join(map(_string, parts))).decode()


def unwrapped(text: str, public: bytes) -> bytes | None:
    """Return the 64 bytes of a signature in that form; None unless it is of this key and in exactly this form."""
    signature = b64decode(text)[-64:]
    return signature if wrapped(public, signature) == text else None


def key_blob(public: bytes) -> bytes:
    """Return a public key as OpenSSH writes it."""
    return _string(_KIND) + _string(public)


def fingerprint(public: bytes) -> str:
    """Return the fingerprint of a public key as ssh-keygen -l prints it."""
    return "SHA256:" + b64encode(sha256(key_blob(public)).digest()).decode().rstrip("=")


def _string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data
