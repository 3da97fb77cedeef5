"""What a blow is struck with where its line names no weapon, or only what is shot: by its verb, and by the weapons of whoever strikes."""

from collections.abc import Callable

from projections.grammar.line_context import is_in_hand, named_kind, weapon_of, weapons
from projections.reader.scene import Scene


def by_verb(scene: Scene, who: str, verb: str) -> str:
    """Return the weapon that a verb says, such as bite, or that it needs in the place of the one of before, which is none for it; "" where it says nothing."""
    means = scene.table.means
    forms = (verb, f"{verb}s", f"{verb}es")
    carried = [each for each in own(scene, who) if each]
    for form in forms:
        if natural := means.get("verb-weapon", {}).get(form):
            return next((each for each in carried if each.casefold().startswith(natural.removesuffix("s"))), natural)
    usual = weapon_of(scene.context, who) if who in scene.state.combatants else None
    for reach, fits in _FITS.items():
        called = next((means[reach][form] for form in forms if form in means.get(reach, {})), "")
        if called and usual is not None and not (is_in_hand(scene.table, usual) and fits(scene, usual)):
            return next((each.casefold() for each in carried if fits(scene, each)), called)
    return ""


def shot_with(scene: Scene, who: str, ammunition: str) -> str:
    """Return what an arrow was shot with: the weapon in hand if it shoots, else one of the sheet that does, else its own name."""
    usual = weapon_of(scene.context, who) if who in scene.state.combatants else None
    return next((each for each in (usual, *own(scene, who)) if each and _is_missile(scene, each)), ammunition)


def is_ammunition(scene: Scene, name: str) -> bool:
    """Say whether a name is that of what is shot."""
    return name in scene.table.words.get("ammunition", ())


def is_known(scene: Scene, who: str, name: str) -> bool:
    """Say whether a word is known to name a weapon: in the tables, by the log, or on the sheet of whoever strikes."""
    named = scene.table.words.get("weapon", ())
    return any(each in named for each in (name, *name.split())) or named_kind(scene.context, who, name) is not None


def own(scene: Scene, who: str) -> list[str]:
    """Return the weapons on somebody's sheet."""
    one = scene.state.combatants.get(who)
    return weapons(one) if one else []


def _is_missile(scene: Scene, weapon: str) -> bool:
    """Say whether a weapon is known to shoot."""
    return any(each in scene.table.words.get("missile", ()) for each in weapon.casefold().split())


def _is_shot(scene: Scene, weapon: str) -> bool:
    """Say whether a weapon may be shot: one that shoots, or that is not known."""
    said = weapon.casefold()
    known = any(each in scene.table.words.get("weapon", ()) for each in (said, *said.split()))
    return not known or _is_missile(scene, weapon)


_FITS: dict[str, Callable[[Scene, str], bool]] = {
    "melee-verb": lambda scene, weapon: not _is_missile(scene, weapon),
    "shot-verb": _is_shot,
    "thrown-verb": lambda scene, weapon: not _is_missile(scene, weapon) or "dart" in weapon.casefold(),
}
"""Whether a weapon may be the one of a blow, by the table of its verb (forms.toml)."""
