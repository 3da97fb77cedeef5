"""Rolls as Foundry keeps them: JSON with a list of terms, each die with its results."""

import json
from math import floor
from typing import Any

from encounterlog.importers.fireball.dice import PrintedRoll, Term
from encounterlog.importers.fireball.words import objects, whole
from encounterlog.importers.foundry.world import number


def rolls_of(message: dict[str, Any]) -> list[PrintedRoll]:
    """List the rolls of a message; up to version 9 it has one, as `roll`."""
    found = message.get("rolls") or [message.get("roll")]
    return [roll for one in found if (roll := _roll(one)) is not None] if isinstance(found, list) else []


def _roll(text: object) -> PrintedRoll | None:
    """Read a roll; where it is no plain sum, only its dice and its total.

    A total with a fraction is rounded down: that of an initiative has the score by which the system breaks ties.
    """
    try:
        value = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    options = value.get("options")
    kind = options.get("type") if isinstance(options, dict) else None
    terms = _terms(objects(value.get("terms")), kind if isinstance(kind, str) else "")
    exact = number(value.get("total"))
    total = None if exact is None else floor(exact)
    if total is None or sum(term.amount for term in terms) != total:
        terms = [term for term in terms if term.dice]
    return PrintedRoll(terms, total) if terms or total is not None else None


def _terms(terms: list[dict[str, Any]], kind: str) -> list[Term]:
    found: list[Term] = []
    sign = 1
    for term in terms:
        options = term.get("options")
        flavor = options.get("flavor") if isinstance(options, dict) else None
        note = flavor if isinstance(flavor, str) else kind
        if term.get("operator") in ("+", "-"):
            sign = -1 if term["operator"] == "-" else 1
        elif (dice := _dice(term)) is not None:
            kept = sum(face for place, face in enumerate(dice["faces"]) if place not in dice.get("dropped", []))
            found.append(Term(sign * kept, dice, note))
            sign = 1
        elif term.get("class") == "NumericTerm" and (amount := whole(term.get("number"))) is not None:
            found.append(Term(sign * amount, None, note))
            sign = 1
    return found


def _dice(term: dict[str, Any]) -> dict[str, Any] | None:
    results, faces = objects(term.get("results")), term.get("faces")
    shown = [whole(one.get("result")) for one in results]
    if not results or None in shown or not isinstance(faces, int):
        return None
    modifiers = [one for one in term.get("modifiers") or [] if isinstance(one, str)]
    found: dict[str, Any] = {
        "notation": f"{term.get('number', len(results))}d{faces}{''.join(modifiers)}",
        "faces": shown,
    }
    dropped = [place for place, one in enumerate(results) if one.get("active") is False]
    return found | {"dropped": dropped} if dropped else found
