"""The weapon of a blow whose line names none, or only its ammunition: by the verb, and by the attacker's weapons."""

from collections.abc import Callable

from projections.grammar.line_context import is_in_hand, named_kind, weapon_of, weapons
from projections.reader.scene import Scene


def by_verb(scene: Scene, who: str, verb: str) -> str:
    """Return the weapon that a verb implies, such as bite, or needs instead of the attacker's last one, which cannot be
    used for it; "" where it implies none.
    """
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
    """Return the weapon that an arrow was shot with: the one in hand if it shoots, else one of the sheet that does, else the arrow's own name."""
    usual = weapon_of(scene.context, who) if who in scene.state.combatants else None
    return next((each for each in (usual, *own(scene, who)) if each and _is_missile(scene, each)), ammunition)


def is_ammunition(scene: Scene, name: str) -> bool:
    """Say whether a name is that of ammunition."""
    return name in scene.table.words.get("ammunition", ())


def is_known(scene: Scene, who: str, name: str) -> bool:
    """Say whether a word is known to name a weapon: in the tables, in the log, or on the attacker's sheet."""
    named = scene.table.words.get("weapon", ())
    return any(each in named for each in (name, *name.split())) or named_kind(scene.context, who, name) is not None


def own(scene: Scene, who: str) -> list[str]:
    """Return the weapons on a combatant's sheet."""
    one = scene.state.combatants.get(who)
    return weapons(one) if one else []


def _is_missile(scene: Scene, weapon: str) -> bool:
    """Say whether a weapon is known to shoot."""
    return any(each in scene.table.words.get("missile", ()) for each in weapon.casefold().split())


def _is_shot(scene: Scene, weapon: str) -> bool:
    """Say whether a weapon may be shot: it shoots, or is unknown."""
    said = weapon.casefold()
    known = any(each in scene.table.words.get("weapon", ()) for each in (said, *said.split()))
    return not known or _is_missile(scene, weapon)


_FITS: dict[str, Callable[[Scene, str], bool]] = {
    "melee-verb": lambda scene, weapon: not _is_missile(scene, weapon),
    "shot-verb": _is_shot,
    "thrown-verb": lambda scene, weapon: not _is_missile(scene, weapon) or "dart" in weapon.casefold(),
}
"""Whether a weapon may be that of a blow, by the table of its verb (forms.toml)."""
