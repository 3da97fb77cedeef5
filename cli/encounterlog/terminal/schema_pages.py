"""What `encounter schema` prints: pages for people, or JSON Schema."""

from encounterlog.lineups import parties
from encounterlog.schemas import pages as page
from encounterlog.schemas import schemas
from encounterlog.terminal import output
from eventstore.versions import KNOWN
from projections.ruleset.ruleset import Ruleset


def facts(kind: str | None, *, as_json: bool) -> None:
    """Print the types of facts, or one type."""
    if as_json:
        output.json(schemas.of_type(KNOWN[kind]) if kind else schemas.everything())
    else:
        output.lines(page.fact(KNOWN[kind]) if kind else page.overview())


def sheet(rules: Ruleset, *, as_json: bool) -> None:
    """Print the fields of a combatant's sheet."""
    output.json(schemas.of_sheet(rules)) if as_json else output.lines(page.sheet(rules))


def party(*, as_json: bool) -> None:
    """Print a party for `encounter new`."""
    output.json(schemas.of_party()) if as_json else output.lines(page.party(parties.EXAMPLE))
