"""The input of a frame: the parts of a clause, which of them its slots took, and what the line has reported so far."""

from collections.abc import Callable, Iterator

from msgspec import Struct, field

from projections.open_types import Facts, Fields
from projections.reader.parts import Part
from projections.reader.scene import Scene, distinct

FILLERS = (
    "filler",
    "adverb",
    "and",
    "become",
    "with",
    "to",
    "from",
    "for",
    "pronoun_subject",
    "pronoun_object",
    "will",
)
"""Words that add nothing to the fact of a frame."""
COSTS = {
    "opportunity": "opportunity",
    "cost_reaction": "reaction",
    "cost_bonus": "bonus",
    "cost_legendary": "legendary",
    "cost_lair": "lair",
}
"""The costs of an act, by the kinds of words for them."""
OTHERS_COSTS = ("opportunity", "cost_reaction", "cost_legendary", "cost_lair")
"""Words for the cost of an act in another combatant's turn."""
MARKS = frozenset(",.;:!()[]/\\&+-–—'\"…...><=|")


OUTCOMES = ("save", "damage", "gained")
"""The frames of an act's consequences."""


class Thread(Struct):
    """The report of a line so far: actor, targets, facts, and which of these are the last act, roll, save and outcome.

    A `cause` in `facts` is the place of another fact of the line. `doubts` are the places of facts that may have
    another meaning.
    """

    scene: Scene
    facts: Facts = field(default_factory=list)
    actor: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    act: int = -1
    roll: int = -1
    frame: str = ""
    lead: str = ""
    """The frame of the last act, as opposed to its consequences."""
    hurt: dict[str, int] = field(default_factory=dict)
    said: Fields = field(default_factory=dict)
    unsaid: str = ""
    """The weapon of the last blow, where the line does not say it."""
    asked: Part | None = None
    """The difficulty of the saves that were asked for."""
    apart: bool = False
    """Whether the last damage was told of each of several by name, so that what follows without a name befalls the last."""
    label: str = ""
    """The spell at the beginning of a line that goes on to report its effects."""

    @property
    def follows(self) -> str:
        """The frame of the act that the current clause follows from: that of the clause before, or of the act that this one answers."""
        return self.lead if self.frame in OUTCOMES else self.frame

    def open_blow(self, who: str) -> int:
        """Return the place of the combatant's blow that has no result in the line yet; -1 without one."""
        met = {fact["cause"] for fact in self.facts if fact["type"] == "attack_rolled" and "cause" in fact}
        own = (at for at, fact in enumerate(self.facts) if fact["type"] == "action_taken" and fact["combatant"] == who)
        return next((at for at in own if self.facts[at]["action"]["kind"] == "attack" and at not in met), -1)

    def told(self, frame: str) -> None:
        """Record that a clause was read by a frame."""
        self.lead = self.follows if frame in OUTCOMES else frame
        self.frame = frame

    def add(self, fact: Fields) -> int:
        """Add a fact; return its place."""
        self.facts.append(fact)
        return len(self.facts) - 1


class Told(Struct):
    """The meaning of a clause by one frame: the change of the thread, the words that no slot took, and how much is guessed."""

    frame: str
    tell: Callable[[Thread], None]
    unread: tuple[str, ...] = ()
    guesses: int = 0
    acts: bool = False
    others: tuple["Told", ...] = ()
    """Further meanings that are as likely."""
    options: tuple[str, ...] = ()
    """The combatants that an ambiguous name can mean."""
    either: bool = False
    """Whether the subject may as well be the attacker instead of the target, or the other way round."""
    why: str = ""
    open: bool = False
    """Whether a roll has no outcome, which counts as a guess unless a later clause gives it."""


class Slots:
    """The parts of a clause, and which of them the slots of a frame took."""

    def __init__(self, parts: list[Part], thread: Thread) -> None:
        self.parts, self.thread, self.scene = parts, thread, thread.scene
        self.used: set[int] = set()
        self.guesses = 0
        self.options: tuple[str, ...] = ()
        self.passive = False
        self.either = False
        """Whether a report without a name is about the attacker or about the target."""

    # ------------------------------------------------------------ looking

    def has(self, *kinds: str) -> bool:
        """Say whether the clause has a word of one of these kinds."""
        return any(part.role == "word" and part.is_(*kinds) for part in self.parts)

    def has_verb(self, *kinds: str) -> bool:
        """Say whether the clause has a verb of one of these kinds."""
        return any(part.role == "word" and part.item.is_verb(*kinds) for part in self.parts)

    def has_role(self, *roles: str) -> bool:
        """Say whether a part has one of these roles."""
        return any(part.role in roles for part in self.parts)

    def has_everyone(self) -> bool:
        """Say whether a word names all in the fight: everyone."""
        return any(part.role == "who" and part.is_("everyone") for part in self.parts)

    def where(self, *kinds: str) -> int:
        """Return the place of the first word of one of these kinds; -1 without one."""
        return next((at for at, part in enumerate(self.parts) if part.role == "word" and part.is_(*kinds)), -1)

    def whom(self) -> list[int]:
        """Return the places of the names."""
        return [at for at, part in enumerate(self.parts) if part.role == "who"]

    # ------------------------------------------------------------ taking

    def take(self, at: int) -> Part:
        """Take a part."""
        self.used.add(at)
        return self.parts[at]

    def words(self, *kinds: str) -> list[Part]:
        """Take all words of these kinds."""
        return [
            self.take(at)
            for at, part in enumerate(self.parts)
            if part.role in ("word", "ordinal") and at not in self.used and part.is_(*kinds)
        ]

    def word(self, *kinds: str) -> Part | None:
        """Take the first word of one of these kinds; None without one."""
        at = next(
            (
                at
                for at, part in enumerate(self.parts)
                if part.role == "word" and at not in self.used and part.is_(*kinds)
            ),
            -1,
        )
        return self.take(at) if at >= 0 else None

    def numbers(self, *roles: str) -> list[Part]:
        """Take all numbers of these roles."""
        return [self.take(at) for at, part in enumerate(self.parts) if at not in self.used and part.role in roles]

    def number(self, *roles: str) -> Part | None:
        """Take the first number of one of these roles, in the order of the roles."""
        for role in roles:
            for at, part in enumerate(self.parts):
                if part.role == role and at not in self.used:
                    return self.take(at)
        return None

    def people(self, at: int) -> tuple[str, ...]:
        """Take the name at a place; an ambiguous name is a doubt."""
        part = self.take(at)
        if part.people.options and (part.people.listed or not part.people.ids):
            self.options = part.people.options
            return ()
        return part.people.ids

    def free(self, *joined: str, owner: bool | None = None) -> list[int]:
        """Return the places of the names not taken; given how a name is joined to the verb, only of those joined so."""
        return [
            at
            for at in self.whom()
            if at not in self.used
            and (not joined or self.parts[at].joined in joined)
            and (owner is None or self.parts[at].owner is owner)
        ]

    def rest(self, at: int) -> str:
        """Take all parts from a place on; return them as typed."""
        taken = [self.take(place) for place in range(at, len(self.parts))]
        return (
            " ".join(f"{part.item.typed}'s" if part.owner else part.item.typed for part in taken)
            .replace(" ,", ",")
            .replace(" 's", "'s")
            .replace(" .", ".")
            .strip(" .,:;")
        )

    def unread(self, *fillers: str) -> tuple[str, ...]:
        """Return the meaningful words that no slot took."""
        return tuple(
            part.item.typed
            for at, part in enumerate(self.parts)
            if at not in self.used
            and not (part.role == "mark" and part.text in MARKS)
            and not (part.role == "word" and part.is_(*FILLERS, *fillers))
            and part.role != "pronoun"
            and not (part.role == "mark" and part.is_("filler", "to", "and"))
        )

    # ------------------------------------------------------------ combatants

    def pair(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the meanings of two names that nothing joins, the likelier first: both get what the clause reports, or
        the first gives it to the second; none without such names.

        Each is the giver, if there is one, and the receivers. A number between the names makes a gift likelier.
        """
        free = self.free()
        if len(free) != 2 or any(self.parts[at].joined or self.parts[at].owner for at in free):
            return []
        between = [part for part in self.parts[free[0] + 1 : free[1]] if part.text != ","]
        listed = free[1] - free[0] > 1 and not between
        if any(part.number is None for part in between) or any(
            len(self.parts[at].people.ids) != 1 or self.parts[at].people.options for at in free
        ):
            return []
        (giver,), (whom,) = (self.people(at) for at in free)
        both, given = ("", (giver, whom)), (giver, (whom,))
        return [both] if listed else [given, both] if between else [both, given]

    def subject(self, verb: int) -> tuple[str, ...]:
        """Take the actor: the name before the verb, or after "by"; the owner of the thing that acts; else the last actor of the line."""
        before = [at for at in self.free() if at < verb or verb < 0]
        plain = [at for at in before if self.parts[at].joined in ("", "for")] or before
        if plain:
            return self.people(plain[0])
        return self.by_pronoun(verb, acts=True)

    def on_turn(self) -> tuple[str, ...]:
        """Return the combatant on turn where no name stands before the verb that begins a line: dash, grapple the orc; nobody otherwise."""
        first = next((part for part in self.parts if part.role != "mark" and not part.is_(*COSTS)), None)
        begins = first is not None and first.role == "word" and first.item.is_verb()
        others = self.has("react", *OTHERS_COSTS)
        if self.thread.facts or not begins or others or self.scene.declaring or not self.scene.turn:
            return ()
        return (self.scene.turn,)

    def by_pronoun(self, verb: int, *, acts: bool) -> tuple[str, ...]:
        """Return the meaning of the pronoun before the verb, or the last actor of the line; nobody if that is uncertain."""
        thread = self.thread
        pronoun = any(part.role == "pronoun" and part.is_("pronoun_subject") for part in self.parts[: max(verb, 0)])
        object_ = any(part.role == "pronoun" and part.is_("pronoun_object") for part in self.parts[verb + 1 :])
        if (
            pronoun
            and acts
            and not (object_ and verb >= 0)  # he misses her
            and not self._is_of_the_act(verb)
            and not self._settles_an_open_blow(verb)
            and thread.actor
            and thread.target
            and thread.actor != thread.target
        ):
            self.guesses += 1
        return thread.actor if acts else (thread.target or thread.actor)

    def pointed_at(self, actors: tuple[str, ...]) -> tuple[str, ...]:
        """Return whom a pronoun behind a blow means: the last target or actor of the line, who is on the other side; of two that is a guess."""
        thread, scene = self.thread, self.scene
        told = [group for group in dict.fromkeys((thread.target, thread.actor)) if group and group != actors]
        sides = {scene.side_of(who) for who in actors if who in scene.ids}
        foes = [group for group in told if not sides & {scene.side_of(who) for who in group if who in scene.ids}]
        self.guesses += len(told) > 1 and len(foes) != 1  # ana heals bo, the orc hits her
        return (foes or told or [()])[0]

    def _is_of_the_act(self, verb: int) -> bool:
        """Say whether the pronoun before a verb is the act before it, and no person: but it missed."""
        part = self.parts[verb - 1] if verb > 0 else None
        critical = verb < 0 and self.has("critical") and not self.whom()
        named = critical and any(each.text in ("it", "that", "which") for each in self.parts)  # it is a critical
        return named or (
            part is not None and part.text in ("it", "that", "which") and self.parts[verb].is_("hit", "miss")
        )

    def _settles_an_open_blow(self, verb: int) -> bool:
        """Say whether somebody only misses, or rolls and hits, behind a blow of theirs that has no outcome yet: Ana swings
        at gob, but she misses; she rolled 19 and hit.
        """
        if verb < 0 or self.whom() or len(self.thread.actor) != 1:
            return False
        rolls = any(part.role == "roll" for part in self.parts[:verb]) and self.parts[verb].is_("hit")
        return (rolls or self.parts[verb].item.is_verb("miss")) and self.thread.open_blow(self.thread.actor[0]) >= 0

    def duration(self) -> Fields:
        """Take a duration."""
        part = self.number("duration")
        return {"duration": {"amount": part.value, "unit": part.unit}} if part else {}

    def until(self) -> str:
        """Take "until" and the words after it; return them as typed, "" without one."""
        at = self.where("until")
        if at < 0 or (at + 1 < len(self.parts) and at == len(self.parts) - 1):
            return ""
        said = self.rest(at + 1)
        self.take(at)
        return f"{self.parts[at].item.typed} {said}"

    def cost(self) -> str:
        """Take the cost of an act; "" if there is none."""
        for kind, cost in COSTS.items():
            if self.words(kind):
                return cost
        if self.words("react"):
            return "reaction"
        self.words("cost_free", "cost_action")
        return ""


def each(ids: tuple[str, ...]) -> Iterator[str]:
    """Yield ids without repetitions."""
    yield from distinct(ids)
