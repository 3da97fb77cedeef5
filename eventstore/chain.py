"""The chain that binds records: digest of the payload, hash over the line before, anchors.

    digest = SHA-256 of the bytes  "event":{…},"salt":"…"
    hash   = SHA-256 of the hash before (64 hex digits) and the bytes  {"seq":…,"digest":"…"

Both cover bytes as they are in the line, never a re-encoding. FORMAT.md is the specification.
"""

import re
from hashlib import sha256

from msgspec import Struct

from eventstore.malformed import Malformed
from eventstore.record import Draft, Recorded, encode

GENESIS = sha256(b"encounterlog 1").hexdigest()
"""The hash before the first record."""

DIGEST, _HASH = b',"digest":"', b',"hash":"'
TO_CUT = len(DIGEST) + 64 + len(b'"')
"""The length from the beginning of the digest's key to the end of what the hash covers."""
TAIL = len(_HASH) + 64 + len(b'"}')


class Anchor(Struct, frozen=True, gc=False):
    """A place in a log that cannot be moved: a seq and the hash of that record."""

    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash}"

    @classmethod
    def parse(cls, text: str) -> "Anchor":
        """Read SEQ:HASH; raise Malformed."""
        found = re.fullmatch(r"(?!0+:)([0-9]{1,16}):([0-9a-f]+)", text.strip())
        if found is None or len(found[2]) != 64:
            wrong = f"has {len(found[2])} digits behind the colon, not 64" if found else "is not SEQ:HASH"
            raise Malformed("anchor", wrong, "encounter head FILE prints one")
        return cls(int(found[1]), found[2])


class LogPosition(Struct, frozen=True, gc=False):
    """A place in a log after a record: byte offset, seq, hash."""

    offset: int
    seq: int
    hash: str


START = LogPosition(0, 0, GENESIS)


class Broken(Exception):
    """The reason why a line does not fit the chain."""


def encode_metadata(at: str, by: str) -> bytes:
    """Return the bytes of `at` and `by`, which most records of an append have in common."""
    return b'"at":%b,"by":%b' % (encode(at), encode(by))


def chain_line(
    draft: Draft, event: bytes, seq: int, metadata: bytes, batch: tuple[int, int] | None, salt: str, previous: str
) -> bytes:
    """Return the line of a draft whose event and metadata are encoded, with its newline.

    `salt` is 32 hex digits, `previous` the hash before. The envelope is put together from its parts; the tests hold it against what `encode` makes of the record.
    """
    body = b'"event":%b,"salt":"%b"' % (event, salt.encode())
    head = b'{"seq":%d,%b%b%b%b,"digest":"%b"' % (
        seq,
        metadata,
        b"" if draft.key is None else b',"key":%b' % encode(draft.key),
        b"" if batch is None else b',"batch":[%d,%d]' % batch,
        b"" if draft.secret is False else b',"secret":%b' % encode(draft.secret),
        sha256(body).hexdigest().encode(),
    )
    own = sha256(previous.encode() + head).hexdigest()
    return b'%b,%b,"hash":"%b"}\n' % (head, body, own.encode())


def verify_line(line: bytes, previous: str) -> str:
    """Check a line (without its newline) against the hash before it and return its own hash; raise Broken."""
    cut = line.find(DIGEST) + TO_CUT
    tail = len(line) - TAIL
    if line[tail : tail + len(_HASH)] != _HASH or cut > tail:
        raise Broken("not in the form of a record")
    own = line[-66:-2].decode("ascii", "replace")
    if cut < tail and sha256(line[cut + 1 : tail]).hexdigest().encode() != line[cut - 65 : cut - 1]:
        raise Broken("its event was changed: the digest does not match")
    if sha256(previous.encode() + line[:cut]).hexdigest() != own:
        raise Broken("the chain breaks here: its envelope was changed, or another line stood here")
    return own


def follows_hash(line: bytes, record: Recorded, previous: str) -> bool:
    """Return whether a line (without its newline), decoded as this record, follows the hash before it.

    If re-encoding the record gives the line, this is equivalent to `verified`, and faster.
    """
    cut = line.find(DIGEST) + TO_CUT
    if record.salt is not None and sha256(line[cut + 1 : -TAIL]).hexdigest() != record.digest:
        return False
    return sha256(previous.encode() + line[:cut]).hexdigest() == record.hash


def withhold_payload(line: bytes) -> bytes:
    """Return a line (with its newline, as is the result) without event and salt; digest and chain still verify."""
    cut = line.find(DIGEST) + TO_CUT
    return line[:cut] + line[-1 - TAIL :]
