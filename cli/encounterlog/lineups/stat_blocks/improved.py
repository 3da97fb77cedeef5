"""Stat blocks of Improved Initiative (JSON): one, several, a saved encounter's, a character's, or a whole export."""

from typing import Any

from msgspec import structs
from pydantic import BaseModel, ConfigDict, Field

from encounterlog.lineups.stat_blocks.block import Block, Feature, modifier
from encounterlog.lineups.stat_blocks.figures import at, challenge, of_abilities, of_skills, speeds
from projections.rulesets.fifth_edition.figures import ABILITIES, SIZES

LONGEST = 20_000
"""The most characters of a text in a stat block."""


class Given(BaseModel):
    """The data of another tool, without the fields that we do not know."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class Number(Given):
    """A value with its notes, of which the notes are left aside."""

    Value: int = Field(ge=0, le=10**9)


class Bonus(Given):
    """A bonus by its name."""

    Name: str = Field(max_length=120)
    Modifier: int = Field(ge=-1000, le=1000)


class Said(Given):
    """A trait or an action."""

    Name: str = Field(max_length=LONGEST)
    Content: str = Field(default="", max_length=LONGEST)


class Scores(Given):
    """The ability scores."""

    Str: int = Field(ge=0, le=1000)
    Dex: int = Field(ge=0, le=1000)
    Con: int = Field(ge=0, le=1000)
    Int: int = Field(ge=0, le=1000)
    Wis: int = Field(ge=0, le=1000)
    Cha: int = Field(ge=0, le=1000)

    def named(self) -> dict[str, int]:
        """Return the scores by the names of the abilities."""
        return dict(zip(ABILITIES, (self.Str, self.Dex, self.Con, self.Int, self.Wis, self.Cha), strict=True))


Texts = tuple[str, ...]
Saids = tuple[Said, ...]
MANY: Any = Field(default=(), strict=False, max_length=200)


class StatBlock(Given):
    """A stat block. One without traits and actions was made for its hit points: its empty lists, scores of 10 and a bonus of 0 say nothing."""

    Name: str = Field(min_length=1, max_length=120)
    Type: str = Field(default="", max_length=200)
    HP: Number | None = None
    AC: Number | None = None
    InitiativeModifier: int | None = Field(default=None, ge=-(10**6), le=10**6)
    Speed: Texts = MANY
    Abilities: Scores | None = None
    DamageVulnerabilities: Texts = MANY
    DamageResistances: Texts = MANY
    DamageImmunities: Texts = MANY
    ConditionImmunities: Texts = MANY
    Saves: tuple[Bonus, ...] = MANY
    Skills: tuple[Bonus, ...] = MANY
    Challenge: str = Field(default="", max_length=40)
    Traits: Saids = MANY
    Actions: Saids = MANY
    BonusActions: Saids = MANY
    Reactions: Saids = MANY
    LegendaryActions: Saids = MANY
    Player: str = ""

    def block(self) -> Block:
        """Return it as a stat block; raise ValueError for a text that is no number."""
        sorts = {"": self.Traits, "action": self.Actions, "bonus": self.BonusActions, "reaction": self.Reactions}
        features = tuple(Feature(each.Name, each.Content, cost) for cost, those in sorts.items() for each in those)
        scores = self.Abilities.named() if self.Abilities else {}
        scores = scores if features or {*scores.values()} != {10} else {}
        empty = () if features else None
        bonus = self.InitiativeModifier
        initiative = bonus + modifier(scores["dexterity"]) if bonus is not None and scores else bonus or None
        return Block(
            name=self.Name,
            hp=self.HP.Value if self.HP else None,
            ac=self.AC.Value if self.AC else None,
            initiative=initiative,
            played=self.Player != "",
            # such as `Small humanoid (goblinoid), neutral evil`
            size=first if (first := self.Type.partition(" ")[0].casefold()) in SIZES else "",
            abilities=scores,
            saves=at("Saves", of_abilities, [(each.Name, each.Modifier) for each in self.Saves]),
            skills=at("Skills", of_skills, [(each.Name, each.Modifier) for each in self.Skills]),
            challenge=challenge(self.Challenge) if features and not self.Player else None,
            speeds=at("Speed", speeds, self.Speed),
            resistances=self.DamageResistances or empty,
            vulnerabilities=self.DamageVulnerabilities or empty,
            immunities=self.DamageImmunities or empty,
            conditions=self.ConditionImmunities,
            features=features or None,
            legendary=tuple(each.Name for each in self.LegendaryActions),
        )


class Kept(Given):
    """The holder of a stat block and of its creature's points now: a character, who also has a name, or a combatant."""

    StatBlock: StatBlock
    Name: str = Field(default="", max_length=120)
    CurrentHP: int | None = Field(default=None, ge=-(10**9), le=10**9)
    PersistentCharacterId: str | None = None

    def block(self) -> Block:
        """Return its stat block, with the points that it has now."""
        block = self.StatBlock.block()
        now = self.CurrentHP if self.CurrentHP is not None else block.hp
        played = block.played or self.Name != "" or self.PersistentCharacterId is not None
        return structs.replace(block, hp=now, most=block.hp, played=played)
