"""Small logs and generated events for the tests of the store."""

import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from msgspec import inspect

from eventstore.chain import START, chain_line, encode_metadata
from eventstore.events import (
    EVENT_TYPES,
    NEWEST,
    CombatantJoined,
    DamageDealt,
    EncounterOpened,
    Fact,
    Noted,
    RoundStarted,
)
from eventstore.form import REFERENCE_FIELDS
from eventstore.reading import Walk
from eventstore.record import KNOWN, AnyEvent, Draft, Recorded, encode
from eventstore.shapes import ID_PATTERN, LARGEST
from eventstore.writing import make_lines

AT = "2026-11-20T19:04:05.123456Z"
OPENING = EncounterOpened(format=1, encounter="q7k2", title="Ford", ruleset="osric", revision=1, options={})
GOLDEN = Path(__file__).parent / "golden" / "format-1.jsonl"
"""The golden lines of the first version of every type."""

FIRST_VERSIONS = tuple(KNOWN[name] for name in NEWEST)
"""Every type in its first version, whose tag is the bare name."""


def counted() -> Callable[[int], bytes]:
    """Return a source of salts that are all different and the same in every run."""
    made = 0

    def entropy(size: int) -> bytes:
        nonlocal made
        made += 1
        return b"".join((made * 1000 + place).to_bytes(16, "big") for place in range(size // 16))

    return entropy


def drafts(*events: AnyEvent) -> list[Draft]:
    return [Draft(event) for event in events]


def log_of(*batches: Sequence[Draft], by: str = "gm") -> bytes:
    entropy, place, data = counted(), START, b""
    for batch in batches:
        lines = make_lines(batch, place, by=by, at=AT, entropy=entropy)
        place, data = lines.end, data + lines.data
    return data


def small_log() -> bytes:
    """Return four records in three batches, with a key, a secret and text beyond ASCII in them."""
    return log_of(
        drafts(OPENING),
        [
            Draft(CombatantJoined(combatant="orc-1", side="orcs", sheet={"hp": 6}), key="joining"),
            Draft(Noted(text='Übt „Pfeil“\n"3/4"'), secret=True),
        ],
        drafts(DamageDealt(target="orc-1", amount=2)),
    )


def walk(data: bytes, path: Path = Path("log.jsonl")) -> Walk:
    return Walk(str(path), BytesIO(data), len(data))


def read(data: bytes) -> list[Recorded]:
    return list(walk(data))


def rehashed(lines: Sequence[bytes]) -> bytes:
    """Return lines as a forger would leave them: whatever they say, digest and chain fit."""
    from hashlib import sha256

    previous, out = sha256(b"encounterlog 1").hexdigest(), b""
    for line in lines:
        cut = line.index(b',"digest":"') + 11
        body = line[cut + 66 : line.rindex(b',"hash":"')]
        head = line[:cut] + sha256(body).hexdigest().encode() + b'"'
        previous = sha256(previous.encode() + head).hexdigest()
        out += head + b"," + body + b',"hash":"' + previous.encode() + b'"}\n'
    return out


def example(event: type[Fact]) -> str:
    return next(line.strip() for line in (event.__doc__ or "").splitlines() if line.strip().startswith("{"))


def rounds(first: int, count: int) -> list[Draft]:
    return drafts(*(RoundStarted(round=number) for number in range(first, first + count)))


# ---------------------------------------------------------------- generated events

_letters = st.characters(exclude_categories=["Cs"])
_text = st.text(_letters, max_size=20).map(lambda text: unicodedata.normalize("NFC", text))
_whole = st.integers(-LARGEST, LARGEST)
_id = st.from_regex(ID_PATTERN.replace("$", r"\Z").replace("+", "{1,4}").replace("*", "{0,2}"), fullmatch=True)
_sheet = st.dictionaries(
    _text.filter(bool),
    st.recursive(_whole | st.booleans() | _text, lambda inner: st.lists(inner, max_size=3), max_leaves=4),
    max_size=3,
)


@cache
def events() -> st.SearchStrategy[Any]:
    return st.one_of(*(_struct(inspect.type_info(event)) for event in EVENT_TYPES))


def _struct(info: Any) -> st.SearchStrategy[Any]:
    return st.builds(_event_of(info), **{field.name: _field(field) for field in info.fields})


def _event_of(info: Any) -> Callable[..., Any]:
    def make(**fields: Any) -> Any:
        return info.cls(**{name: value for name, value in fields.items() if value is not ...})

    return make


def _field(field: Any) -> st.SearchStrategy[Any]:
    if field.name == "sheet":
        return _sheet
    made = _value(field.type)
    if field.name in REFERENCE_FIELDS:
        made = made.filter(lambda reference: reference != 0)
    return made if field.required else st.just(...) | made


def _value(info: Any) -> st.SearchStrategy[Any]:
    if isinstance(info, inspect.Metadata):
        return _id if (info.extra_json_schema or {}).get("pattern") == ID_PATTERN else _value(info.type)
    if isinstance(info, inspect.StrType):
        if info.pattern:
            return st.from_regex(info.pattern.replace("$", r"\Z"), fullmatch=True)
        return _text.filter(lambda text: len(text) >= (info.min_length or 0))
    return _VALUES[type(info)](info)


_VALUES: dict[type, Callable[[Any], st.SearchStrategy[Any]]] = {
    inspect.NoneType: lambda _: st.just(...),
    inspect.BoolType: lambda _: st.booleans(),
    inspect.IntType: lambda info: st.integers(info.ge, info.le),
    inspect.LiteralType: lambda info: st.sampled_from(info.values),
    inspect.UnionType: lambda info: st.one_of(*map(_value, info.types)),
    inspect.VarTupleType: lambda info: st.lists(_value(info.item_type), max_size=3).map(tuple),
    inspect.TupleType: lambda info: st.tuples(*map(_value, info.item_types)),
    inspect.DictType: lambda info: st.dictionaries(_value(info.key_type), _value(info.value_type), max_size=3),
    inspect.StructType: lambda info: st.deferred(lambda: _struct(info)),
}


def line_of(draft: Draft, seq: int, at: str, by: str, batch: tuple[int, int] | None, salt: str, previous: str) -> bytes:
    return chain_line(draft, encode(draft.event), seq, encode_metadata(draft.at or at, by), batch, salt, previous)
