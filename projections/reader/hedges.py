"""Words that leave a report open: a guess, a plan, a bound, a share, a total so far. Such a line is asked about with its reading, not recorded at once."""

import re
from collections.abc import Sequence

from eventstore.events import (
    ActionTaken,
    AttackRolled,
    CombatantLeft,
    ConditionGained,
    ConditionLost,
    DamageDealt,
    EffectStarted,
    Fact,
    Healed,
    Moved,
    ResourceChanged,
    RulingMade,
    SaveRolled,
    TurnEnded,
    TurnStarted,
)

POINTS = (DamageDealt, Healed)
OUTCOMES = (*POINTS, AttackRolled, CombatantLeft, ConditionGained, ConditionLost, EffectStarted, RulingMade)
MARGINS = "(?:short|shy|under|over|too (?:low|high|few|little|much))"
"""Words behind the number by which a roll misses or exceeds what it needs."""

HEDGES: tuple[tuple[str, tuple[type[Fact], ...], int], ...] = (
    (r"\b(probably|hopefully|presumably|i guess|i suppose)\b", OUTCOMES, 1),
    (r"\b(at least|at most|more than|less than|over|about|around|roughly) \d", POINTS, 1),
    (r"\b(so far|already|all told so far)\b|\b(had|has|have) (taken|lost) \d", (*POINTS, AttackRolled), 1),
    (r"\bdoubled?\b", POINTS, 1),
    (r"\bbetween (them|the (two|three)|[\w-]+ and [\w-]+)\b|\b(in )?total\b|\baltogether\b", (DamageDealt,), 2),
    (r"\b(for|takes?|loses?) \d+ ?[-/] ?\d", (DamageDealt,), 1),
    (r"\bat -\d|\bbut only\b", (DamageDealt,), 2),
    (r"\b(all|everyone|everybody)\b.*\b(but|bar)\b", (SaveRolled,), 1),
    (r"\b(or|else)( takes?)? \d", (SaveRolled,), 1),
    (r"\b(actually|wait),? no\W*$|\bdoes (that|it) (hit|miss)\b", OUTCOMES, 1),
    (r"\b(has|have|had|gets?|got)\b.*\breaction( back)?\W*$", (ActionTaken,), 1),
    (r"\bturn next\b|\bafter [\w-]+['’]s turn\W*$|\bnext turn\W*$", (TurnStarted,), 1),
    (r"\band (then )?(takes?|took|loses?|lost) \d", (AttackRolled,), 1),
    (r"\b(dodg|evad|parr|block|avoid|resist)\w* .*['’]s (attack|hit|blow)", (AttackRolled,), 1),
    (r"\bis \d+ ?(ft|feet|foot|m|metres?|squares?)\b.*\b(away|up|off|high)\b", (Moved,), 1),
    (
        r"\b(dead set|hell-?bent|bent|keen|intent) on\b|\b(has|have|had|gets?|got) the (drop|jump|better|edge) o[fn]\b",
        OUTCOMES,
        1,
    ),
    (r"\b(trips?|tripped|stumbles?|stumbled) (over|on)\b", (ConditionGained,), 1),
    (r"\bfor\W*$", (ActionTaken, AttackRolled), 1),
    (r"\bbut\b.*\b(parr|block|dodg|deflect|absorb|resist|evad)\w*", (DamageDealt,), 1),
    (r"[, ]right$", OUTCOMES, 1),
    (r"\bforg[eo]t\w*\b.*\b(was|were)\b", OUTCOMES, 1),
    (
        rf"\b(beats?|exceeds?|tops?|clears?)\b.*\bby \d|\b\d+ {MARGINS}\b",
        (AttackRolled,),
        1,
    ),
    (r"\b(looses?|shoots?|fires?|throws?|swings?|hurls?|makes?) \d+ (at|on|against)\b", (DamageDealt,), 2),
    (r"\b(each|every|per) (turn|round)\b", POINTS, 1),
    (
        r"\bhits? .*\band (goes|went|drops|dropped|dives|lies|lay) (prone|down flat|to the ground)\b",
        (ConditionGained,),
        1,
    ),
    (r"\btaking \d", (DamageDealt,), 2),
    (r"\b(gets?|got|helps?|pulls?) [\w-]+ up\b", (TurnStarted,), 1),
    (r"\bnever\b|\bhad (been|hit|struck|missed|killed|healed)\b", OUTCOMES, 1),
    (r"\b(was|were)\b.*\bbut\b.*\bnow\b", OUTCOMES, 1),
    (r"\b(was|were) (at|on) \d", POINTS, 1),
    (
        r"\b(fails?|failed|makes?|made) \d (more )?(death )?saves\b|\b\d more (death )?(saves|fails|failures)\b",
        (AttackRolled, SaveRolled),
        1,
    ),
    (r"\b(grappl|grab|pin|wrestl|restrain|net|seiz)\w*\b.*\b(escapes?|escaped|gets away)\b", (CombatantLeft,), 1),
    (r"\b(run|runs|ran) [\w-]+ (down|over)\b", (Moved,), 1),
    (r"\brounds? (of|in) .*\b(left|remaining)\b", (ConditionGained,), 1),
    (r"\b(maintain|sustain|keep|kept)(s|ed)?\b", (EffectStarted,), 1),
    (r"^\W*(the )?[\w-]+ [\w-]+ for \d+,? (and )?(the )?[\w-]+ for \d", (AttackRolled,), 2),
    (r"\bsaves? (his|her|its|their) \w", (SaveRolled,), 1),
    (r"\blands? on\b(?!.*\d)|\band [\w-]+ too\W*$", (AttackRolled,), 1),
    (r"\b(leaves?|left) (it|that) (at|be|there|alone)\b", (CombatantLeft,), 1),
    (r"\b(rolls?|takes?|took) over\b", (TurnEnded,), 1),
    (r"\b(falls?|fell|drops?|dropped) to (his|her|its|their) knees?\b", (RulingMade,), 1),
    (r"\d-?ish\b|~ ?\d", POINTS, 1),
    (r"\bstay(s|ed)? (down|out)\b", (RulingMade,), 1),
    (r"\b(soak|absorb)(s|ed)? \d", (DamageDealt,), 1),
    (r"\b\d+/\d+ hits?\b", (DamageDealt,), 2),
    (r"\btakes? (the|an?) (hit|blow|arrow|bolt|shot|swing)\b", (DamageDealt,), 2),
    (r"^\W*on \d+,? ", (AttackRolled,), 1),
    (r"^\W*when(ever)?\b", OUTCOMES, 1),
    (r"\b(is|was|are|were|gets?|got) saved\b", (SaveRolled,), 1),
    (r"\bgets? away from\b", (CombatantLeft,), 1),
    (r"\b\d+ (gold|silver|gp|sp|cp|coins?)\b", (DamageDealt, ResourceChanged), 1),
)
"""The words of each kind, the facts that they leave open, and how many of these there are at least."""


_PLAN = (
    r"(?<!that )(?<!it )\b((will|gonna|going to|is to) (take|lose|suffer|heal|be (?!\d)|hit|kill|die|flee|leave|fall)|"
    r"(must|has to|have to|needs? to) [a-z])"
)


def hedged(line: str, facts: Sequence[Fact]) -> bool:
    """Say whether words of a line leave open what its facts would record as certain."""
    said = line.casefold()
    rolled = any(
        isinstance(fact, SaveRolled) or (isinstance(fact, AttackRolled) and (fact.die or fact.total)) for fact in facts
    )
    if not rolled and any(isinstance(fact, OUTCOMES) for fact in facts) and re.search(_PLAN, said):
        return True
    return _saves_leave_open(facts) or any(
        sum(isinstance(fact, kinds) for fact in facts) >= least and re.search(words, said) is not None
        for words, kinds, least in HEDGES
    )


def _saves_leave_open(facts: Sequence[Fact]) -> bool:
    """Say whether combatants of whom some save and some fail take the same damage: gob saves, the orc fails, 12 damage."""
    hurt = {fact.target: fact.amount for fact in facts if isinstance(fact, DamageDealt)}
    saves = {fact.combatant: fact.succeeded for fact in facts if isinstance(fact, SaveRolled)}
    met = {saves[who] for who in hurt if who in saves}
    return {True, False} <= met and len({*hurt.values()}) == 1
