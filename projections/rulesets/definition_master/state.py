"""The additional state of Definition Master, by subject: turns and acts, health, combat."""

from msgspec import field

from projections.mechanics.turnlist import Turn
from projections.rulesets.definition_master.state_of_combat import Combat
from projections.rulesets.definition_master.state_of_combat import Roll as AttackRoll
from projections.rulesets.definition_master.state_of_health import Dealt, Health, Hit
from projections.rulesets.definition_master.state_of_turns import Act, Flow
from projections.state import Round, State


class MasterRound(Round):
    """A round with its turns, acts, attack rolls, hits and damage, in the order in which they were recorded."""

    turns: list[Turn] = []
    acts: list[Act] = []
    rolls: dict[int, AttackRoll] = {}
    hits: dict[int, Hit] = {}
    dealt: dict[int, Dealt] = {}


class MasterState(State):
    """The state of a fight by Definition Master."""

    flow: Flow = field(default_factory=Flow)
    health: Health = field(default_factory=Health)
    combat: Combat = field(default_factory=Combat)
