"""Pages of monsters and spells, in numbers."""

from collections.abc import Iterator, Sequence

from projections.rulesets.fifth_edition.srd.records import Action, Area, Damage, Duration, Monster, Save, Spell


def lines(one: Monster | Spell, edition: str) -> Iterator[str]:
    """Yield the lines of a monster or a spell."""
    yield f"{one.name} ({edition}:{one.id})" if isinstance(one, Monster) else f"{one.name} ({edition})"
    yield from (f"  {line}" for line in (_monster(one) if isinstance(one, Monster) else _spell(one)) if line)


def brief(one: Monster | Spell) -> str:
    """Return the words that distinguish a monster or a spell in a list."""
    if isinstance(one, Monster):
        return _listed(_number("{} hp", one.hp), _number("ac {}", one.ac), _row("cr", one.cr))
    return f"spell of level {one.level}"


def _monster(one: Monster) -> Iterator[str]:
    yield _listed(f"{one.size} {one.type}".strip(), _row("cr", one.cr))
    dice = f" ({one.hit_dice})" if one.hit_dice else ""
    initiative = "" if one.initiative is None else f"initiative {one.initiative:+}"
    yield _listed(_number("ac {}", one.ac), _number(f"{{}} hp{dice}", one.hp), initiative)
    yield _row("speed", _feet(one.speeds))
    yield ", ".join(f"{name[:3]} {score}" for name, score in one.abilities.items())
    yield _row("saves", _bonuses(one.saves))
    yield _row("skills", _bonuses(one.skills))
    yield _row("senses", ", ".join(f"{name} {number}" for name, number in one.senses.items()))
    for sort in ("vulnerabilities", "resistances", "immunities"):
        more = [
            f"{', '.join(each.types)} (unless {' or '.join(each.unless)})" for each in one.qualified if each.to == sort
        ]
        yield _row(sort, "; ".join([*([", ".join(getattr(one, sort))] if getattr(one, sort) else []), *more]))
    yield _row("immune to being", ", ".join(one.immune_conditions))
    yield _row("traits", ", ".join(one.traits))
    yield _row("multiattack", "; or ".join(_counts(each) for each in one.multiattack))
    yield from (_action(each) for each in one.actions)
    if one.cast:
        spells = [*one.cast.spells, *(f"{name} {number}/day" for name, number in one.cast.daily.items())]
        slots = f"; slots {', '.join(map(str, one.cast.slots))}" if one.cast.slots else ""
        dc = "" if one.cast.dc is None else f", dc {one.cast.dc}"
        yield _row("casts", f"{one.cast.ability}{dc}{slots}: {', '.join(spells)}".removeprefix(", "))
    yield _row("legendary actions", str(one.legendary or ""))
    yield _row("legendary resistance", f"{one.legendary_resistance}/day" if one.legendary_resistance else "")


def _action(one: Action) -> str:
    often = (
        f"{one.uses}/day"
        if one.uses
        else f"recharge {one.recharge}"
        if one.recharge
        else "after a rest"
        if one.rest
        else ""
    )
    cost = "" if one.cost == "action" else one.cost
    head = _listed(cost, often)
    attack = f"{one.attack} attack {one.hit:+}" if one.hit is not None else ""
    reach = f"reach {one.reach}" if one.reach is not None else ""
    far = f"range {'/'.join(map(str, one.range))}" if one.range else ""
    parts = (attack, reach, far, _damage(one.damage), _save(one.save), _area(one.area), ", ".join(one.conditions))
    said = _listed(*parts)
    return f"{one.name}{f' ({head})' if head else ''}{f': {said}' if said else ''}"


def _spell(one: Spell) -> Iterator[str]:
    level = f"level {one.level} {one.school}" if one.level else f"{one.school} cantrip"
    marks = [*(["ritual"] if one.ritual else []), *(["concentration"] if one.concentration else [])]
    yield _listed(level.strip(), one.cost or _time(one.time), *marks)
    yield _row("range", _number("{} ft" if isinstance(one.range, int) else "{}", one.range))
    yield _row("components", ", ".join(one.components))
    yield _row("duration", _time(one.duration))
    yield _row("attack", one.attack)
    yield _row("save", _save(one.save))
    yield _row("damage", _damage(one.damage))
    steps = [f"{each.step} {each.type}".strip() for each in one.damage if each.step] + (
        [one.healing_step] if one.healing_step else []
    )
    yield _row("each level above", " and ".join(f"+{each}" for each in steps))
    yield _row("at levels", ", ".join(f"{level}: {dice}" for level, dice in one.by_level.items()))
    yield _row("area", _area(one.area))
    yield _row("conditions", ", ".join(one.conditions))
    yield _row("heals", one.healing)
    yield _row(
        "targets", str(one.targets or "") + (f", {one.targets_step} more each level above" if one.targets_step else "")
    )


def _listed(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _number(form: str, value: int | str | None) -> str:
    """Return a value in words; "" if it is not known."""
    return "" if value is None else form.format(value)


def _row(name: str, said: str) -> str:
    return f"{name} {said}" if said else ""


def _feet(speeds: dict[str, int | bool]) -> str:
    return ", ".join(mode if feet is True else f"{mode} {feet}" for mode, feet in speeds.items())


def _bonuses(those: dict[str, int]) -> str:
    return ", ".join(f"{name} {number:+}" for name, number in those.items())


def _counts(those: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in those.items())


def _damage(parts: Sequence[Damage]) -> str:
    return " + ".join(f"{each.dice} {each.type or ' or '.join(each.types)}".strip() for each in parts)


def _save(save: Save | None) -> str:
    if save is None:
        return ""
    half = {"half": ", half on a success", "none": "", "other": ""}[save.success]
    return f"{save.ability} save{f' dc {save.dc}' if save.dc is not None else ''}{half}"


def _area(area: Area | None) -> str:
    return f"{area.feet} ft {area.shape}" if area else ""


def _time(time: Duration | None) -> str:
    return "" if time is None else f"{time.amount} {time.unit}{'s' * (time.amount != 1)}" if time.amount else time.unit
