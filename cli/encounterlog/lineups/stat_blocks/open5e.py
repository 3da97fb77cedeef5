"""Stat blocks of Open5e (JSON): a creature of the first or second version of its interface, or a page of them."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from encounterlog.lineups.stat_blocks.block import Block, Feature
from encounterlog.lineups.stat_blocks.figures import at, challenge, of_abilities, of_skills, speeds
from encounterlog.lineups.stat_blocks.improved import LONGEST
from projections.rulesets.fifth_edition.figures import ABILITIES


class Given(BaseModel):
    """The data of Open5e, without the fields that we do not know, and without empty texts, which it also has in place of
    lists.
    """

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def filled(cls, given: Any) -> Any:
        """Return the fields that are filled in."""
        if not isinstance(given, dict):
            return given
        return {key: value for key, value in given.items() if value is not None and value != ""}


class Limit(Given):
    """How often an action can be used."""

    type: str = ""
    param: int | None = Field(default=None, ge=0, le=1000)


class Act(Given):
    """A trait or an action."""

    name: str = Field(max_length=LONGEST)
    desc: str = Field(default="", max_length=LONGEST)
    action_type: str = ""
    usage_limits: Limit = Limit()

    def feature(self, cost: str = "") -> Feature:
        """Return it as a feature; the number of uses a day is in its name, as other tools write it."""
        limit = self.usage_limits
        daily = limit.type == "PER_DAY" and limit.param and "/day" not in self.name.casefold()
        return Feature(f"{self.name} ({limit.param}/day)" if daily else self.name, self.desc, cost)


Acts = tuple[Act, ...]
Scores = dict[str, int | float | None]
MANY: Any = Field(default=(), strict=False)


class Damage(Given):
    """A creature's resistances and immunities, in the second version, as they are shown."""

    damage_resistances_display: str = ""
    damage_vulnerabilities_display: str = ""
    damage_immunities_display: str = ""
    condition_immunities_display: str = ""


class Creature(Given):
    """A creature, of either version."""

    name: str = Field(min_length=1, max_length=120)
    size: str | dict[str, Any] = ""
    armor_class: int = Field(ge=0, le=1000)
    hit_points: int = Field(ge=0, le=10**9)
    initiative_bonus: int | None = Field(default=None, ge=-1000, le=1000)
    proficiency_bonus: int | None = Field(default=None, ge=0, le=100)
    ability_scores: Scores = {}
    saving_throws: Scores = {}
    skills: Scores = {}
    skill_bonuses: Scores = {}
    speed: dict[str, Any] | str = {}
    challenge_rating: str | float | int | None = None
    challenge_rating_decimal: str | float | int | None = None
    damage_resistances: str = ""
    damage_vulnerabilities: str = ""
    damage_immunities: str = ""
    condition_immunities: str = ""
    resistances_and_immunities: Damage | None = None
    special_abilities: Acts = MANY
    traits: Acts = MANY
    actions: Acts = MANY
    bonus_actions: Acts = MANY
    reactions: Acts = MANY
    legendary_actions: Acts = MANY
    spell_list: tuple[str, ...] = MANY
    strength: int | None = None
    dexterity: int | None = None
    constitution: int | None = None
    intelligence: int | None = None
    wisdom: int | None = None
    charisma: int | None = None
    strength_save: int | None = None
    dexterity_save: int | None = None
    constitution_save: int | None = None
    intelligence_save: int | None = None
    wisdom_save: int | None = None
    charisma_save: int | None = None

    def block(self) -> Block:
        """Return it as a stat block; raise ValueError for a text that is no number."""
        scores = [(name, getattr(self, name)) for name in ABILITIES] + _given(self.ability_scores)
        saves = [(name, getattr(self, f"{name}_save")) for name in ABILITIES] + _given(self.saving_throws)
        damage = self.resistances_and_immunities
        size = self.size.get("name", "") if isinstance(self.size, dict) else self.size
        features = self._features()

        def told(field: str) -> tuple[str, ...] | None:
            """Return a text; an empty one means nothing in a block without features, which was made for its hit points."""
            text: str = getattr(damage, f"{field}_display") if damage else getattr(self, field)
            return (text,) if text or features else None

        rating = self.challenge_rating_decimal if self.challenge_rating is None else self.challenge_rating
        return Block(
            name=self.name,
            hp=self.hit_points,
            ac=self.armor_class,
            initiative=self.initiative_bonus,
            size=str(size),
            abilities=at("ability_scores", of_abilities, _given(dict(scores))),
            saves=at("saving_throws", of_abilities, _filled(_given(dict(saves)))),
            skills=at("skills", of_skills, _filled(_given(self.skills or self.skill_bonuses))),
            challenge=challenge(rating),
            proficiency=self.proficiency_bonus,
            speeds=at("speed", speeds, self.speed),
            resistances=told("damage_resistances"),
            vulnerabilities=told("damage_vulnerabilities"),
            immunities=told("damage_immunities"),
            conditions=told("condition_immunities"),
            features=features or None,
            legendary=tuple(each.name for each in self._of("legendary")),
            listed=tuple(each.rstrip("/").rpartition("/")[2].replace("-", " ") for each in self.spell_list),
        )

    def _of(self, cost: str) -> tuple[Act, ...]:
        """Return the actions of a cost: those of their own list, and those that the second version marks so."""
        lists = {"bonus": self.bonus_actions, "reaction": self.reactions, "legendary": self.legendary_actions}
        marked = {"bonus": "BONUS_ACTION", "reaction": "REACTION", "legendary": "LEGENDARY_ACTION"}
        if cost == "action":
            return tuple(each for each in self.actions if each.action_type not in marked.values())
        return (*lists[cost], *(each for each in self.actions if each.action_type == marked[cost]))

    def _features(self) -> tuple[Feature, ...]:
        traits = (each.feature() for each in (*self.special_abilities, *self.traits))
        acts = (each.feature(cost) for cost in ("action", "bonus", "reaction") for each in self._of(cost))
        return (*traits, *acts)


def _given(scores: Scores) -> list[tuple[str, Any]]:
    return [(name, score) for name, score in scores.items() if score is not None]


def _filled(bonuses: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return bonuses; none where all abilities or skills have 0, as some creatures that nobody filled in."""
    return bonuses if len(bonuses) < len(ABILITIES) or any(bonus for _, bonus in bonuses) else []
