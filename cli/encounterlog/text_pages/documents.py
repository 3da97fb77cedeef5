"""Pages of reference documents, as `encounter srd` prints them."""

from collections.abc import Iterator, Sequence

from encounterlog.errors import Refused
from projections.ruleset.documents import Documents, Record

Listed = dict[str, tuple[Record, ...]]
"""Records by their kinds."""


def names(listed: dict[str, list[str]]) -> Iterator[str]:
    """Yield the names of all records, each below its kind."""
    for kind, those in listed.items():
        yield f"{len(those)} {kind if len(those) != 1 else kind.removesuffix('s')}"
        yield from (f"  {name}" for name in those)


def several(documents: Documents, said: str, found: Sequence[Record]) -> Iterator[str]:
    """Yield those that a name may stand for."""
    yield f"{said} may be"
    for one in found:
        brief = documents.brief(one)
        yield f"  {one.id:<28}{f'  {brief}' if brief else ''}".rstrip()


def unknown(documents: Documents, said: str, where: str, records: Listed) -> Refused:
    """Return the refusal of a name that no record has, with the nearest as the hint."""
    near = [one.name for one in documents.nearest(records, said)]
    hint = f"did you mean {', '.join(near)}?" if near else "encounter srd --names lists them"
    return Refused("refused", f"{where} has no {' or '.join(documents.kinds)} {said[:60]!r}", hint)
