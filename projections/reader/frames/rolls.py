"""Rolls: saves, checks, morale, contests, death saves."""

from functools import partial

from eventstore.events import DamageDealt
from projections.grammar.line_context import Demand
from projections.open_types import Fields
from projections.reader.clauses import SHORT_SAVES
from projections.reader.frames.blows import HIGHEST, damages, dice
from projections.reader.parts import Part
from projections.reader.shared import OF_ALL, common_outcome, open_rolls
from projections.reader.slots import OUTCOMES, Slots, Thread, Told

MOST_DEATH_SAVES = 3
"""The most death saves of a kind that are counted."""


def _outcome(slots: Slots) -> bool | None:
    """Take whether a roll succeeds; None if the clause does not say."""
    not_at = next(
        (
            at
            for at, part in enumerate(slots.parts)
            if at not in slots.used and part.role == "word" and part.is_("not") and part.text not in ("no", "without")
        ),
        -1,
    )
    good = [
        at
        for at, part in enumerate(slots.parts)
        if at not in slots.used
        and part.role == "word"
        and (part.is_("success") or part.item.is_verb("succeed"))
        and not _introduces(slots, at)
        and not (at and slots.parts[at - 1].text == "to")
        and not (part.item.is_verb("deal") and _is_asked(slots))
    ]
    bad = [
        at
        for at, part in enumerate(slots.parts)
        if at not in slots.used
        and part.role == "word"
        and (part.is_("failure") or part.item.is_verb("fail"))
        and not part.is_("success")
    ]
    if bad:
        for at in bad:
            slots.take(at)
        return False
    if good:
        for at in good:
            slots.take(at)
        if not_at >= 0:
            slots.take(not_at)
            return False
        return True
    return None


def _introduces(slots: Slots, at: int) -> bool:
    """Say whether a word only introduces a roll, as in makes a save, or makes his morale check with the total after it."""
    if slots.parts[at].text not in ("make", "makes", "made", "making", "rolls", "tries"):
        return False
    behind = at + 1
    if behind < len(slots.parts) and slots.parts[behind].is_("save", "save_kind"):
        return any(part.number is not None for part in slots.parts)  # ana and bo make dex saves: 9 and 17
    article = behind < len(slots.parts) and slots.parts[behind].text in ("a", "an", "the")
    the = article and slots.parts[behind].text == "the"
    while (
        behind < len(slots.parts)
        and slots.parts[behind].role == "word"
        and slots.parts[behind].is_("filler", "skill", "save_kind")
    ):
        behind += 1
    if the and behind < len(slots.parts) and slots.parts[behind].is_("save"):
        return any(
            part.text in ("roll", "rolls", "rolled", ":") for part in slots.parts[behind:]
        )  # makes the save with a 15
    return article and behind < len(slots.parts) and slots.parts[behind].is_("save", "check", "skill")


def _is_list(slots: Slots) -> bool:
    """Say whether a clause lists several rolls with their outcomes: g1 9f g2 16s."""
    told = [part for part in slots.parts if part.role != "mark" and not part.is_("and")]
    ones = list(zip(*[iter(told)] * 3, strict=False))
    return len(told) == 3 * len(ones) > 3 and all(
        who.role == "who"
        and number.role in ("bare", "roll")
        and went.role == "word"
        and went.item.is_verb("succeed", "fail")
        for who, number, went in ones
    )


def _cause(thread: Thread) -> Fields:
    return (
        {"cause": max(thread.act, thread.roll)}
        if thread.act >= 0 and thread.follows in ("blow", "cast", "contest")
        else {}
    )


MAY_ASK = ("cast", "use", "blow", "deed")
"""The frames of acts that a difficulty can follow, for the save that they allow."""


def _may_ask(thread: Thread) -> bool:
    """Say whether the last act may allow a save: it is a spell, or has another combatant as its target."""
    return thread.frame == "cast" or (thread.frame in MAY_ASK and bool(thread.target) and thread.target != thread.actor)


def save(slots: Slots) -> Told | None:
    """Fill the frame of a save: Dorn saves vs poison with 12, wis save 8 fails, Pike fails with 5."""
    thread = slots.thread
    if len(open_rolls(thread)) > 1 and not slots.whom() and any(part.text in OF_ALL for part in slots.parts):
        return None  # of three, both fail
    if due := _all_due(slots):
        return due
    leads = next((part.text for part in slots.parts if part.role != "mark"), "")
    slots.guesses += leads == "only" and not thread.facts  # of the others it says nothing
    named = slots.has("save") or slots.has_verb("save") or (slots.has("concentration") and slots.has("check"))
    kinds = [at for at, part in enumerate(slots.parts) if part.role == "word" and part.is_("save_kind")]
    keeps = _keeps_concentration(slots)
    named = named or keeps or _is_list(slots)
    demand = _demand(slots)
    said = {slots.parts[at].says("save_kind") for at in kinds}
    alike = demand is not None and all((demand.save or each).startswith(each) for each in said)
    named = named or (alike and _tells_of_a_roll_alone(slots))
    pictured = any(
        part.role == "word" and part.item.is_verb("succeed") and part.item.is_verb("move") for part in slots.parts
    )
    slots.guesses += pictured and not any(part.number for part in slots.parts)  # leaps aside
    slots.guesses += slots.has("half") and demand is not None and _hurt_in_full(slots, demand.seq)
    if not named and kinds and thread.frame != "save":
        strong = any(
            slots.parts[at].says("save_kind") in ("fort", "ref", "will")
            or slots.parts[at].text in ("dex", "con", "wis", "str", "int", "cha")
            for at in kinds
        )
        named = (
            (strong or slots.has_role("dc"))
            and (
                slots.has_role("dc", "against") or slots.has("success", "failure") or slots.has_verb("succeed", "fail")
            )
            and (slots.has_role("bare", "roll") or (_may_ask(thread) and not slots.whom()))
        )
        concentrating = _rolls_to_concentrate(slots, said)
        if not (named or concentrating) and not (
            said <= {*_ABILITIES} and slots.has_role("bare", "roll") and _outcomes(slots)
        ):
            return None
        named = named or concentrating
        slots.guesses += not named  # rolls a nine on dexterity and fails, which may be a check
        named = True
    named = named or _answers_a_spell(slots)
    again = not named and (thread.frame == "save" or _goes_on_with_saves(slots))
    if not named and not again:
        return None
    if again and not (
        slots.has("success", "failure")
        or slots.has_verb("succeed", "fail")
        or slots.has_role("bare", "roll")
        or _goes_otherwise(slots)
    ):
        return None
    if slots.has("initiative") or (slots.has_verb("strike", "shoot") and not named):
        return None
    if again and slots.has_verb("strike", "shoot", "cast", "move", "leave", "take", "heal"):
        return None
    if again and not slots.whom() and thread.said.get("death") and _counts_saves(slots):
        return Told("save", lambda _: None)
    settled = bool(thread.facts) and "succeeded" in thread.facts[-1]
    if again and settled and not slots.whom() and not slots.has_role("bare", "roll"):
        return None  # save fails, held
    if _is_of_an_ability(slots):
        return None
    if any(part.text in _NOBODY for part in slots.parts):
        return None
    _drop_end_of_turn(slots)
    death = any(part.role == "word" and part.says("save_kind") == "death" for part in slots.parts)
    counted = _counted(slots) if death else None
    if _saves_another(slots):
        return None
    asked = slots.word("save_purpose")
    purpose = asked.says("save_purpose") if asked else _purpose(slots)
    kind = _kind_of(slots, [at for at in kinds if at not in slots.used], asked)
    wrestled = _maneuver(thread) if kind in ("", "str", "dex") else ""
    concentrates = slots.has("concentration") or _keeps_up(slots)
    dc = slots.number("dc") or slots.number("against") or slots.number("needed") or (thread.asked if again else None)
    _drop_whose_power(slots)
    asks = dc is not None and dc.role == "dc" and (not thread.facts or _may_ask(thread))
    of_nobody = (thread.frame == "cast" or asks) and not slots.whom()
    if (
        ((of_nobody and not (_they_save(slots) or _tells_of_all(slots))) or _is_asked(slots))
        and named
        and not slots.has("success", "failure")
        and not slots.has_role("roll", "bare")
    ):
        return _announced(slots, kind, dc)
    two, hurt = _two_dice(slots), None
    pairs = _pairs(slots) or _each_went(slots) or _each_rolled(slots)
    shared = _outcome(slots) if pairs is None else None
    shared = counted if shared is None else shared
    if pairs is None and shared is None and again and _goes_otherwise(slots):
        slots.words("not")
        shared = not thread.facts[-1]["succeeded"]
    if pairs is None:
        number = None if two else slots.number("roll", "bare", "amount")
        if number is not None and number.role == "amount" and slots.has_verb("take"):
            hurt, number = number, None  # takes 5 on a failed save
            slots.guesses += 1
        free = [at for at in slots.free() if slots.parts[at].joined not in ("from",)] or slots.free()
        owners = [at for at in free if slots.parts[at].owner]
        chosen = owners[0] if owners else free[0] if free else None
        whom = slots.people(chosen) if chosen is not None else (thread.target or thread.actor if thread.facts else ())
        if not whom and not slots.options:
            return None
        spared = _spared(slots)
        for at in slots.free() if number is None and not owners and len(_outcomes(slots)) == 1 else ():
            whom += slots.people(at)
        if slots.free():
            return None
        if (
            shared is None
            and not death
            and _saves(slots)
            and not any(_introduces(slots, at) for at in range(len(slots.parts)))
            and dc is None
            and (number is None or number.role == "roll" or _says_it_saved(slots, number))
            and not any(part.text == "total" for part in slots.parts)
        ):
            shared = True
        if number is None and shared is None and two is None:
            return None
        slots.guesses += (
            bool(shared) and number is not None and number.value < LOWEST_SUCCESS and not slots.has("success")
        )
        slots.guesses += keeps and number is None and two is None
        if number is not None and len(whom) > 1:
            slots.guesses += 1
        whom = tuple(who for who in whom if who not in spared)
        pairs = [(who, number, shared) for who in whom or ("?",)]
        pairs += [(who, None, None if shared is None else not shared) for who in spared]
    if slots.numbers("roll", "bare", "amount", "damage", "points"):
        return None
    halved = [part.text for part in slots.words("half")]
    slots.guesses += "half" in halved and not thread.facts  # saved so half, the number of which is unknown
    slots.words(
        "save",
        "save_kind",
        "check",
        "concentration",
        "against",
        "rolled",
        "spell_word",
        "spell",
        "succeed",
        "fail",
        "initiative",
        "type",
        "make",
    )
    unread = slots.unread("become", "check", "both", "for_each")
    purpose = purpose or wrestled
    demanded: Fields = {}
    if demand is not None and demand.save and kind in ("", demand.save) and not concentrates:
        demanded = {"save": demand.save, "cause": slots.scene.back_to(demand.seq)}

    def tell(thread: Thread, purpose: str = purpose) -> None:
        for who, number, outcome in pairs:
            if again and number is None and _completed(thread, who, outcome):
                continue
            thread.add(
                {
                    "type": "save_rolled",
                    "combatant": who,
                    **({"purpose": purpose} if purpose and not death else {}),
                    **_save_fields(thread, kind, death=death, concentrates=concentrates),
                    **(
                        two
                        if two
                        else {"die": {"notation": "d%", "faces": [number.value]}}
                        if number is not None and death and _is_of_a_hundred(thread, number)
                        else _thrown(number)
                        if dc is None or (number and number.number and number.number.summed)
                        else {"total": number.value}
                        if number
                        else {}
                    ),
                    **({"dc": dc.value} if dc else {}),
                    **_succeeds(number, dc, outcome),
                    **_cause(thread),
                    **(demanded if not purpose and not death else {}),
                }
            )
            if hurt is not None:
                thread.add({"type": "damage_dealt", "target": who, "amount": abs(hurt.value)})
        thread.said["save"] = kind
        thread.said["death"] = death
        thread.asked = dc if dc is not None and dc.role == "dc" else thread.asked
        thread.target = tuple(who for who, _, _ in pairs)

    acts = death and len(pairs) == 1 and _is_due_in_a_turn(slots)
    first = Told("save", tell, unread=unread, guesses=slots.guesses, options=slots.options, acts=acts)
    owed = _asked_by_a_blow(slots, kind, {who for who, _, _ in pairs}) if not (purpose or thread.facts) else ""
    if owed:
        first.others = (Told("save", partial(tell, purpose=owed), unread=unread, guesses=slots.guesses),)
    return first


def _is_due_in_a_turn(slots: Slots) -> bool:
    """Say whether the game has a form for a death save by which a turn begins, as an act does."""
    forms = slots.scene.table.form
    return any(form.acts and any(each.get("purpose") == "death" for each in form.makes) for form in forms)


LOWEST_SUCCESS = 8
"""The lowest number with which a save may be taken as successful, where the words may only mean that it was rolled."""


def _says_it_saved(slots: Slots, number: Part) -> bool:
    """Say whether "saves" reports the outcome of a roll, and not only that it is a save: saves vs poison, 15; dex 17 saves."""
    at = slots.parts.index(number)
    return (at > 0 and slots.parts[at - 1].text == ",") or any(
        part.item.is_verb("save") for part in slots.parts[at + 1 :]
    )


def _is_of_a_hundred(thread: Thread, number: Part) -> bool:
    """Say whether a death roll is above 20, in a game whose example of one shows a die of a hundred."""
    rolls = (form for form in thread.scene.table.form if any(each.get("purpose") == "death" for each in form.makes))
    plain = number.number is not None and number.number.die is None and not number.number.summed
    return plain and 20 < number.value <= 100 and any("d%" in form.example for form in rolls)


def _asked_by_a_blow(slots: Slots, kind: str, whom: set[str]) -> str:
    """Return the purpose of a save of this kind that the game may ask for after damage of half a combatant's maximum or
    more; "" if it asks for none.
    """
    state, hurt = slots.scene.state, slots.scene.context.memory.hurt
    one = state.combatants[next(iter(whom))] if len(whom) == 1 and whom <= slots.scene.ids else None
    if one is None or not one.hp_max or 2 * hurt.get(one.id, 0) < one.hp_max:
        return ""
    purposes = [str(fact["purpose"]) for fact in _saves_of_forms(slots) if fact.get("save") == kind]
    return purposes[0] if len(purposes) == 1 else ""


def _saves_of_forms(slots: Slots) -> list[Fields]:
    """Return the saves that have a purpose and a form of the game."""
    makes = (fact for form in slots.scene.table.form for fact in form.makes if fact.get("type") == "save_rolled")
    return [fact for fact in makes if "purpose" in fact and not str(fact["purpose"]).startswith("$")]


def _demand(slots: Slots) -> Demand | None:
    """Return the save that an act of the turn allows all combatants in the first clause of a line; None without one."""
    whom = {who for at in slots.whom() for who in slots.parts[at].people.ids} if not slots.thread.facts else set()
    demands = slots.scene.context.memory.demands
    found = [demands.get(who) for who in whom]
    return found[0] if found and all(each == found[0] for each in found) else None


def _hurt_in_full(slots: Slots, act: int) -> bool:
    """Say whether damage since an act is recorded of somebody in the clause, which a save for half would halve: saves with a 16 for half."""
    whom = {who for at in slots.whom() for who in slots.parts[at].people.ids}
    latest = slots.scene.context.memory.latest
    return any(
        seq > act and isinstance(told.event, DamageDealt) and told.event.target in whom for seq, told in latest.items()
    )


def _all_due(slots: Slots) -> Told | None:
    """Fill the frame of the saves of all whom one act of the turn allows one, by their common outcome: none of them save; they all fail."""
    demands = slots.scene.context.memory.demands
    if slots.thread.facts or len(demands) < 2 or len({each.seq for each in demands.values()}) != 1:
        return None
    if not all(slots.parts[at].is_("everyone") for at in slots.free()):
        return None
    if (outcome := common_outcome(slots.parts)) is None:
        return None
    slots.used |= {*range(len(slots.parts))}

    def tell(thread: Thread) -> None:
        for who, demand in demands.items():
            named = {"save": demand.save, "cause": slots.scene.back_to(demand.seq)} if demand.save else {}
            thread.add({"type": "save_rolled", "combatant": who, "succeeded": outcome, **named})
        thread.target = tuple(demands)

    return Told("save", tell)


def _tells_of_a_roll_alone(slots: Slots) -> bool:
    """Say whether a clause has only rolls or their outcomes: Brakk rolled 8; Wim fails with a 3; orc 1 rolls 4, orc 2 rolls 9."""
    told = [part for part in slots.parts if part.role != "mark" and part.text not in _ARTICLES]
    words = [part for part in told[1:] if part.role in ("word", "pronoun")]
    plain = all(
        part.is_("filler", "rolled", "gain", "adverb", "success", "failure", "not", "save_kind", "with", "to", "and")
        or part.is_("for", "half")  # makes it with a 16 for half
        or part.item.is_verb("succeed", "fail")
        for part in words
    )
    numbers = [part.role for part in told if part.number is not None]
    fails = any(part.item.is_verb("succeed", "fail") or part.is_("success", "failure") for part in words)
    counted = len(numbers) == sum(len(part.people.ids) for part in told if part.role == "who")
    goes = {*numbers} <= {"bare", "roll"} and counted and (fails or any(part.is_("rolled", "gain") for part in told))
    return told[:1] != [] and told[0].role == "who" and plain and (goes or (fails and not numbers))


def _answers_a_spell(slots: Slots) -> bool:
    """Say whether a clause has only names and outcomes, after a spell that is known to allow a save: web on the orcs, o1 and o2 fail."""
    thread = slots.thread
    rolls = _rolls_of_the_target(slots)
    if not (thread.frame == "cast" or thread.label) or not (slots.whom() or rolls or _tells_of_all(slots)):
        return False
    if slots.has_role("amount", "damage") or (slots.has_role("bare", "roll") and not (rolls or _outcomes(slots))):
        return False
    if not (rolls or slots.has("success", "failure") or slots.has_verb("succeed", "fail")):
        return False
    if thread.label:
        return not slots.has_verb("strike", "shoot", "cast")
    cast = next(fact for fact in reversed(thread.facts) if "action" in fact)
    state = slots.scene.state
    known = state.rules.spell(state, cast["combatant"], cast["action"].get("name", ""))
    return known is not None and known.allows_save is not None


def _goes_on_with_saves(slots: Slots) -> bool:
    """Say whether a clause has another combatant's roll and its outcome, after the consequence of a save: g1 got 7, restrained, g2 got 14, ok."""
    saves = any(fact["type"] == "save_rolled" for fact in slots.thread.facts)
    rolled = slots.has_role("bare", "roll") and (
        slots.has("success", "failure") or slots.has_verb("succeed", "fail") or slots.thread.asked is not None
    )
    plain = not (slots.has("hit", "miss", "damage", "points", "skill", "check") or slots.has_role("damage", "amount"))
    return saves and slots.thread.frame in OUTCOMES and bool(slots.whom()) and rolled and plain


def _goes_otherwise(slots: Slots) -> bool:
    """Say whether a clause reports only that another save has the other outcome than the one before: the chief saves, the worg doesn't."""
    told = [part for part in slots.parts if part.role != "mark" and not part.is_("and", "filler")]
    before: Fields = slots.thread.facts[-1] if slots.thread.facts else {}
    return [part.role for part in told] == ["who", "word"] and told[1].is_("not") and "succeeded" in before


def _tells_of_all(slots: Slots) -> bool:
    """Say whether a clause has only an outcome for all targets of a spell: both fail, they all save; for the only one: fails."""
    told = [part for part in slots.parts if part.role != "mark"]
    plain = all(part.role == "pronoun" or part.is_("both", "everyone", "filler") for part in told[:-1])
    goes = bool(told) and told[-1].role == "word" and told[-1].item.is_verb("succeed", "fail", "save")
    one = len(told) == 1 and len(slots.thread.target) == 1 and slots.thread.target != slots.thread.actor
    return goes and plain and (one or (len(told) > 1 < len(slots.thread.target))) and slots.thread.frame == "cast"


def _rolls_of_the_target(slots: Slots) -> bool:
    """Say whether a clause has only the roll of a spell's one target, or how it went: he only got an 8, gob rolls 5, she fails."""
    if len(slots.thread.target) != 1 or slots.thread.target == slots.thread.actor:
        return False
    named = slots.parts[0].people.ids == slots.thread.target and slots.has_role("roll")  # gob rolls 5
    if slots.whom() and not named:
        return False
    told = [part for part in slots.parts if part.role not in ("mark", "pronoun", "who")]
    numbers = [part.role for part in told if part.role != "word"]
    subject = named or any(part.role == "pronoun" and part.is_("pronoun_subject") for part in slots.parts)
    went = any(part.role == "pronoun" and part.text in ("he", "she", "they") for part in slots.parts) and not numbers
    return (
        subject
        and (numbers in (["bare"], ["roll"]) or went)
        and all(
            part.is_("filler", "adverb", "rolled", "success", "failure", "not") for part in told if part.role == "word"
        )
    )


def _completed(thread: Thread, who: str, outcome: bool | None) -> bool:
    """Give the last save its outcome, and say whether the clause is about that: so he passed, she keeps it."""
    last: Fields = thread.facts[-1] if thread.facts else {"type": ""}
    told = last["type"] == "save_rolled" and last["combatant"] == who and "succeeded" not in last
    if told and outcome is not None:
        last["succeeded"] = outcome
    return told and outcome is not None


def _saves_another(slots: Slots) -> bool:
    """Say whether a combatant rescues another: Ana saves Bo."""
    verb = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("save")), -1)
    behind = slots.parts[verb + 1] if 0 <= verb < len(slots.parts) - 1 else None
    if any(part.item.is_verb("succeed", "fail", "save") for part in slots.parts[verb + 2 : verb + 3]):
        return False  # goblin 1 saves, the rest fail
    return behind is not None and behind.role == "who" and any(part.role == "who" for part in slots.parts[:verb])


def _they_save(slots: Slots) -> bool:
    """Say whether the combatants of the line save: both save, they all save."""
    at = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("save")), 0)
    told = any(part.role == "pronoun" or part.is_("both", "everyone", "for_each") for part in slots.parts[:at])
    return told and _saves(slots)


_MODALS = ("must", "need", "needs", "have to", "has to", "should", "gotta", "please", "will", "may", "can", "gets")
"""Words before a verb that ask for its act, which is not done yet."""


def _is_asked(slots: Slots) -> bool:
    """Say whether a save is asked for, without an outcome: she must make a strength save, Bo makes a dex save."""
    verb = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("deal")), -1)
    behind = slots.parts[verb + 1].text if 0 <= verb < len(slots.parts) - 1 else ""
    saves = next(
        (at for at, part in enumerate(slots.parts) if part.role == "word" and part.text in ("save", "saves")), 0
    )
    if verb < 0 and any(part.text in _MODALS for part in slots.parts[:saves] if part.role == "word"):
        return True  # Bo must save
    return verb >= 0 and (
        behind in ("a", "an") or any(part.role == "word" and part.text in _MODALS for part in slots.parts[:verb])
    )


def _announced(slots: Slots, kind: str, dc: Part | None) -> Told:
    """Fill the frame of saves that are asked for, and reported later: Dexterity saves against DC 14."""
    slots.words("save", "save_kind", "against", "check", "succeed", "type", "spell", "needed", "will")
    whom = tuple(who for at in slots.free() for who in slots.people(at))

    def tell(thread: Thread) -> None:
        thread.said["save"], thread.asked = kind, dc
        thread.target = whom or thread.target
        act = thread.facts[thread.act] if thread.act >= 0 else {}
        allowed = act.get("action", {}).get("allows_save", {})
        if "action" in act and (dc or allowed or kind):
            act["action"]["allows_save"] = {
                **({"save": kind} if kind else {}),
                **allowed,
                **({"dc": dc.value} if dc else {}),
            }

    return Told("save", tell, unread=slots.unread())


def _counts_saves(slots: Slots) -> bool:
    """Say whether a clause only counts the saves reported before: that is one success."""
    numbers = [part for part in slots.parts if part.number is not None or part.role == "ordinal"]
    words = [part for part in slots.parts if part.role == "word" and not part.is_("success", "failure")]
    few = all(part.role == "ordinal" or part.value <= MOST_DEATH_SAVES for part in numbers)
    return len(numbers) == 1 and few and all(part.is_("filler", "become", "save") for part in words)


_NOBODY = ("neither", "none", "nobody", "no one", "nor")
"""Words after which the report is about others than those named."""


def _saves(slots: Slots) -> bool:
    """Say whether "saves" is the verb of the clause, and not the noun for a roll: Ana saves, but not rolled an 8 for the dex save."""
    at = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("save")), -1)
    before = slots.parts[at - 1] if at > 0 else None
    if at < 0 or before is None:
        return at == 0
    if any(part.text in _DUTIES for part in slots.parts[:at]):
        return False  # must save
    named = before.is_("save_kind") and before.role == "word"
    if named and at > 1 and slots.parts[at - 2].text in _ARTICLES:
        return False
    return before.text not in (*_ARTICLES, "for", "on") and not (named and slots.parts[at].text == "save")


_ARTICLES = ("the", "a", "an", "his", "her", "its", "their")
_DUTIES = ("must", "should", "has to", "have to", "had to", "needs to", "need to", "to")
"""Words before what somebody still has to do."""


def _drop_end_of_turn(slots: Slots) -> None:
    """Take the time at which a save is repeated: at the end of her turn."""
    for at, part in enumerate(slots.parts):
        behind = [each for each in slots.parts[at + 1 : at + 4] if each.text not in _ARTICLES]
        if part.text == "end" and [each.text for each in behind[:2]] == ["of", "turn"]:
            slots.used |= {*range(at, at + 4 if len(behind) < 3 else at + 3)}


def _counted(slots: Slots) -> bool | None:
    """Take the count of death saves of a kind after a roll, which follows from the rolls; return the outcome if one
    kind is counted: 13, success, 1 of 3; a 12, that's one success.
    """
    rolled = next((at for at, part in enumerate(slots.parts) if part.number is not None), len(slots.parts))
    kinds: set[bool] = set()
    for at in range(rolled + 1, len(slots.parts)):
        part = slots.parts[at]
        if part.role != "bare" or not part.value <= MOST_DEATH_SAVES:
            continue
        if part.text.endswith(f"/{MOST_DEATH_SAVES}"):
            slots.take(at)
        if at + 1 == len(slots.parts):
            break
        behind = slots.parts[at + 1]
        most = slots.parts[at + 2] if at + 2 < len(slots.parts) else None
        if behind.text in ("of", "out of", "/") and most is not None and most.value == MOST_DEATH_SAVES:
            slots.used |= {at, at + 1, at + 2}
        elif behind.role == "word" and (behind.is_("success", "failure") or behind.item.is_verb("fail")):
            slots.used |= {at, at + 1}
            kinds.add(behind.is_("success"))
    for at, part in enumerate(slots.parts):
        if part.role == "ordinal" and part.item.values and part.item.values[0] <= MOST_DEATH_SAVES:
            slots.take(at)  # second death save
    return kinds.pop() if len(kinds) == 1 and "still" not in {part.text for part in slots.parts} else None


def _spared(slots: Slots) -> tuple[str, ...]:
    """Take those for whom the contrary holds: all save except Ana."""
    at = slots.where("except")
    named = [place for place in slots.free() if place > at >= 0]
    if not named or not all(part.is_("and", "filler", "except") for part in slots.parts[at : named[0]]):
        return ()
    slots.take(at)
    return slots.people(named[0])


def _is_of_an_ability(slots: Slots) -> bool:
    """Say whether a clause is about a check of an ability, and not a save: strength check 12."""
    at = _named_check(slots)[0]
    return at >= 0 and slots.parts[at].is_("save_kind") and not slots.has("save", "concentration")


_CHECKS = ("check", "checks", "chk", "test", "tests")
_ABILITIES = ("str", "dex", "con", "int", "wis", "cha")


def _named_check(slots: Slots) -> tuple[int, int]:
    """Return where the name of a check that is in no table begins and ends: an ability, or the word right before it; -1
    and -1 without one: courage check.
    """
    end = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.text in _CHECKS), -1)
    named = slots.parts[end - 1] if end > 0 else None
    if named is None or named.role != "word" or named.is_("skill", "concentration", "save", "initiative", "surprise"):
        return -1, -1
    if named.is_("save_kind") and named.says("save_kind") in _ABILITIES:
        return end - 1, end
    if not named.text.isalpha() or (named.item.senses and not named.is_("save_kind", "spell", "type")):
        return -1, -1
    start = end - 1
    while start and slots.parts[start - 1].role == "word" and not slots.parts[start - 1].item.senses:
        start -= 1
    return start, end


def _drop_whose_power(slots: Slots) -> None:
    """Take the source of the power that a save is made against: against the ghoul's claws."""
    versus = slots.where("against")
    for at in slots.free(owner=True):
        if 0 <= versus < at and len(slots.free()) > 1:
            slots.take(at)
            for behind in range(at + 1, len(slots.parts)):
                if slots.parts[behind].role != "word" or slots.parts[behind].is_("success", "failure"):
                    break
                slots.take(behind)


def _save_fields(thread: Thread, kind: str, *, death: bool, concentrates: bool) -> Fields:
    if death and (thread.scene.table.clock == "turn"):
        return {"purpose": "death"}
    owed = thread.scene.table.means.get("owed-save", {}).get("concentration", "")
    if concentrates and owed and (kind == "concentration" or owed.startswith(kind)):
        return {"save": next(each for each in SHORT_SAVES if owed.startswith(each)), "purpose": "concentration"}
    return {"save": kind} if kind else {}


def _keeps_concentration(slots: Slots) -> bool:
    """Say whether a clause is about a save for concentration, without the word, in a game in which one is owed: conc 14, keeps concentration."""
    at = slots.where("concentration")
    if at < 0 or "owed-save" not in slots.scene.table.means or len(slots.whom()) > 1:
        return False
    if slots.has("spell", "effect", "condition", "points") or slots.has_verb(
        "cast", "strike", "shoot", "take", "spoil"
    ):
        return False
    rolled = slots.has_role("bare", "roll")
    holds = any(part.role == "word" and part.item.is_verb("succeed", "concentrate") for part in slots.parts[:at])
    return (rolled and not slots.has_role("duration")) or (holds and not slots.thread.facts and bool(slots.whom()))


def _rolls_to_concentrate(slots: Slots, kinds: set[str]) -> bool:
    """Say whether a clause has only a roll of the kind that the game asks of whoever concentrates, by the one who was struck last and does so: Mira con 9."""
    owed = slots.scene.table.means.get("owed-save", {}).get("concentration", "")
    whom = {who for at in slots.whom() for who in slots.parts[at].people.ids}
    roles = [part.role for part in slots.parts if part.role != "mark" and not part.is_("rolled", "filler")]
    alike = bool(owed) and all(owed.startswith(each) for each in kinds)
    return alike and roles == ["who", "word", "bare"] and whom == {slots.scene.owes_concentration}


def _keeps_up(slots: Slots) -> bool:
    """Say whether whoever saves is said to keep a spell on which they concentrate: con save 14, keeps bless."""
    whom = {who for at in slots.whom() for who in slots.parts[at].people.ids}
    whom = whom or {*(slots.thread.target if slots.thread.facts else ())}
    running = slots.scene.state.effects.values()
    kept_up = {each.called for each in running if each.concentration and each.source in whom}
    named = any(part.role == "word" and part.is_("effect") and part.text in kept_up for part in slots.parts)
    return named and slots.has_verb("succeed")


def _maneuver(thread: Thread) -> str:
    """Return the maneuver that a save after it decides, as the save's purpose; "" without one."""
    kind = thread.facts[thread.act].get("action", {}).get("kind", "") if thread.act >= 0 else ""
    return kind if thread.follows == "contest" and kind in thread.scene.kinds else ""


def _two_dice(slots: Slots) -> Fields | None:
    """Take the two dice of a roll with advantage or disadvantage: adv 14 7; None without them. Advantage without both is a guess."""
    cues = slots.words("advantage", "disadvantage")
    numbers = [at for at, part in enumerate(slots.parts) if part.role in ("bare", "roll") and part.number]
    if not cues:
        return None
    faces = [slots.parts[at].value for at in numbers]
    if len(numbers) != 2 or not all(0 < face <= HIGHEST for face in faces):
        slots.guesses += bool(numbers)
        return None
    for at in numbers:
        slots.take(at)
    best = cues[0].is_("advantage")
    dropped = faces.index(min(faces) if best else max(faces))
    return {"die": {"notation": "2d20kh1" if best else "2d20kl1", "faces": faces, "dropped": [dropped]}}


def _each_rolled(slots: Slots) -> list[tuple[str, Part | None, bool | None]] | None:
    """Take the rolls of several combatants named together, one for each, with a common outcome if there is one: ana and bo dex saves 9 and 18."""
    whom, rolls = slots.free(), [at for at, part in enumerate(slots.parts) if part.role in ("bare", "roll")]
    aimed = slots.thread.target
    if not whom and slots.thread.frame == "cast" and 1 < len(aimed) == len(rolls):
        return _rolls_of_those_aimed_at(slots, aimed, rolls)
    if len(whom) != 1 or len(rolls) < 2 or rolls[0] < whom[0] or not _is_told_in_order(slots.parts[whom[0]]):
        return None
    if len(slots.parts[whom[0]].people.ids) != len(rolls) or len(_outcomes(slots)) > 2:
        return None
    numbers = [slots.take(at) for at in rolls]
    went = _outcome(slots)
    return [(who, number, went) for who, number in zip(slots.people(whom[0]), numbers, strict=True)]


def _is_told_in_order(whom: Part) -> bool:
    """Say whether several combatants are named one by one, so that rolls may be theirs in this order: orcs 1 and 2, and not the orcs."""
    return whom.people.listed or sum(piece.isdigit() for piece in whom.text.split()) == len(whom.people.ids)


def _rolls_of_those_aimed_at(
    slots: Slots, aimed: tuple[str, ...], rolls: list[int]
) -> list[tuple[str, Part | None, bool | None]] | None:
    """Take the rolls of a spell's targets, one for each, with each outcome or a common one: web on g1 and g2, dex saves 9 fail, 17 ok."""
    went = [
        at for at in _outcomes(slots) if at > rolls[0] and (_saves(slots) or not slots.parts[at].item.is_verb("save"))
    ]
    each = len(went) == len(rolls) and all(
        at < end for at, end in zip(went, [*rolls[1:], len(slots.parts)], strict=True)
    )
    if went and not each and (len(went) > 1 or went[0] < rolls[-1]):
        return None
    outcomes = [slots.parts[at].is_("success") or slots.parts[at].item.is_verb("succeed", "save") for at in went]
    for at in (*went, *rolls):
        slots.take(at)
    shared = outcomes[0] if outcomes else None
    told = [*outcomes] if each else [shared] * len(rolls)
    return [(who, slots.parts[at], one) for who, at, one in zip(aimed, rolls, told, strict=True)]


def _kind_of(slots: Slots, kinds: list[int], asked: Part | None) -> str:
    """Return the kind of a save: the one named, else the one that was `asked` for, else that of the save before it in the line."""
    said = [slots.parts[at].says("save_kind") for at in kinds] or _unknown_kind(slots)
    if "concentration" in said and len(said) > 1:
        said.remove("concentration")
    if "death" in said and slots.scene.table.clock == "turn":
        return ""
    if said:
        return slots.scene.table.means.get("save", {}).get(said[0], said[0])
    if asked is not None:
        purpose = asked.says("save_purpose")
        return next((str(fact.get("save", "")) for fact in _saves_of_forms(slots) if fact["purpose"] == purpose), "")
    if slots.has("concentration"):
        return "concentration"
    return str(slots.thread.said.get("save", "")) if slots.thread.frame == "save" else ""


def _unknown_kind(slots: Slots) -> list[str]:
    """Take the name of a save that is in no table: the word right before save, or right after it: nerve save 9."""
    at = slots.where("save")
    for place in (at - 1, at + 1):
        if at >= 0 and 0 <= place < len(slots.parts):
            part = slots.parts[place]
            if part.role == "word" and not part.item.senses and part.text.isalpha():
                return [slots.take(place).text]
    return []


def _purpose(slots: Slots) -> str:
    """Take the thing that a save is made against, if it is no kind of save or another kind is named: vs fireball, a fort save vs poison."""
    versus = slots.where("against")
    behind = versus + 1
    if (
        versus < 0
        or behind >= len(slots.parts)
        or slots.parts[behind].role != "word"
        or slots.parts[behind].is_("success", "failure")
    ):
        return ""
    part = slots.parts[behind]
    kinds = [at for at, each in enumerate(slots.parts) if each.role == "word" and each.is_("save_kind")]
    if part.is_("save_kind") and kinds == [behind]:
        return ""
    if part.is_("filler") and not part.is_("spell"):
        return ""
    return slots.take(behind).text


def _pairs(slots: Slots) -> list[tuple[str, Part | None, bool | None]] | None:
    """Take pairs of names and rolls: will saves kex 9 urk 17; None if there are not several."""
    whom = slots.free()
    rolls = [at for at, part in enumerate(slots.parts) if part.role in ("bare", "roll")]
    if len(whom) < 2 or len(whom) != len(rolls):
        return None
    order = sorted([*((at, "w") for at in whom), *((at, "n") for at in rolls)])
    if "".join(mark for _, mark in order) != "wn" * len(whom):
        return None
    found: list[tuple[str, Part | None, bool | None]] = []
    for place, (who_at, roll_at) in enumerate(zip(whom, rolls, strict=True)):
        end = whom[place + 1] if place + 1 < len(whom) else len(slots.parts)
        outcome: bool | None = None
        for at in range(roll_at + 1, end):
            part = slots.parts[at]
            if part.role == "word" and (part.is_("success", "failure") or part.item.is_verb("succeed", "fail")):
                outcome = part.is_("success") or part.item.is_verb("succeed")
                slots.take(at)
        found += [(who, slots.take(roll_at), outcome) for who in slots.people(who_at)]
    return found


def _outcomes(slots: Slots) -> list[int]:
    """Return the places of the words for a save's outcome."""
    return [
        at
        for at, part in enumerate(slots.parts)
        if part.role == "word" and (part.is_("success", "failure") or part.item.is_verb("succeed", "fail", "save"))
    ]


def _each_went(slots: Slots) -> list[tuple[str, Part | None, bool | None]] | None:
    """Take names, each with the outcome of its save after it, and no rolls: z1 fails, z2 fails, z3 saves; None if they are no such list."""
    whom, outcomes = slots.free(), _outcomes(slots)
    order = "".join(mark for _, mark in sorted([*((at, "w") for at in whom), *((at, "o") for at in outcomes)]))
    if len(whom) < 2 or order != "wo" * len(whom) or slots.has_role("bare", "roll"):
        return None
    found: list[tuple[str, Part | None, bool | None]] = []
    for who_at, at in zip(whom, outcomes, strict=True):
        part = slots.take(at)
        went = part.is_("success") or part.item.is_verb("succeed", "save")
        found += [(who, None, went) for who in slots.people(who_at)]
    return found


def _thrown(number: Part | None) -> Fields:
    return dice(number.number) if number is not None else {}


def _succeeds(number: Part | None, dc: Part | None, outcome: bool | None) -> Fields:
    if outcome is None and number is not None and dc is not None:
        outcome = number.value >= dc.value
    return {"succeeded": outcome} if outcome is not None else {}


def check(slots: Slots) -> Told | None:
    """Fill the frame of a check: Pip stealth 17, morale of the hobs: 2d6 = 9 fail."""
    at = slots.where("skill")
    at, end = (at, at + 1) if at >= 0 else _named_check(slots)
    if at < 0 or slots.has("save", "hit", "miss", "damage", "initiative") or slots.has_verb("strike", "shoot", "cast"):
        return None
    if several := _pairs(slots):
        return _checks_of_several(slots, " ".join(slots.take(place).text for place in range(at, end)), several)
    number = slots.number("roll", "bare", "amount")
    dc = slots.number("dc", "against", "needed")
    percent = slots.number("percent") if number is not None else None
    outcome = _outcome(slots)
    if outcome is None:
        outcome = _came_of_it(slots)
    if outcome is None and number is not None and percent is not None:
        outcome = number.value <= percent.value  # morale 55 %, rolled 41
    free = slots.free()
    if number is not None and number.role == "bare" and percent is None and slots.parts[at].text == "ml":
        return None  # orc 1 ML 9, which is no roll
    if number is None and (outcome is None or not slots.has("morale") or not free):
        return None  # of morale the outcome may be all that is said
    if slots.numbers("roll", "bare", "amount", "damage", "points") or len(free) > 1:
        return None
    morale = slots.parts[at].is_("morale")
    purpose = " ".join("morale" if morale else slots.take(place).text for place in range(at, end))
    people = slots.parts[free[0]].who if free else None
    before = slots.thread.target if slots.thread.frame == "gained" else slots.thread.actor
    whom = slots.people(free[0]) if free else (before if slots.thread.facts else ())
    slots.words("skill", "check", "rolled", "save_kind", "deed", "hide", "succeed", "fail", "against")
    unread = slots.unread()
    follows = slots.thread.frame == "deed" and slots.thread.act >= 0 and not slots.has("morale")
    cause = {"cause": slots.thread.act} if follows else {}

    def tell(thread: Thread) -> None:
        fact: Fields = {"type": "dice_rolled", "purpose": purpose}
        if people is not None and people.side and len(whom) != 1:
            fact["side"] = people.side
        elif len(whom) == 1:
            fact["combatant"] = whom[0]
        elif whom and len({thread.scene.side_of(who) for who in whom}) == 1:
            side = thread.scene.side_of(whom[0])
            if side and set(thread.scene.of_side(side)) == set(whom):
                fact["side"] = side
        fact |= _thrown(number) if number else {}
        fact |= {"dc": dc.value} if dc and purpose != "morale" else {}
        if outcome is not None:
            fact["succeeded"] = outcome
        elif number and dc and purpose != "morale":
            fact["succeeded"] = number.value >= dc.value
        apart = number is None and not {"side", "combatant"} & fact.keys()
        for each in whom if apart and whom else (None,):
            thread.add({**fact, **({"combatant": each} if each else {}), **cause})
        if whom:
            thread.actor, thread.target = whom, whom

    return Told("check", tell, unread=unread, guesses=slots.guesses, options=slots.options)


def _checks_of_several(slots: Slots, purpose: str, pairs: list[tuple[str, Part | None, bool | None]]) -> Told:
    """Return a check that several combatants make, each with a roll: fear test: Ana 4 fails, Bo 15 ok."""
    dc = slots.number("dc", "against", "needed")
    slots.words("check", "rolled", "deed", "succeed", "fail", "against")

    def tell(thread: Thread) -> None:
        for who, number, outcome in pairs:
            fact = {"type": "dice_rolled", "purpose": purpose, "combatant": who, **_thrown(number)}
            fact |= {"dc": dc.value} if dc and purpose != "morale" else {}
            thread.add(fact | _succeeds(number, None if purpose == "morale" else dc, outcome))

    return Told("check", tell, unread=slots.unread(), guesses=slots.guesses, options=slots.options)


TURNING = "turn undead"
"""What a cleric does to the undead with a roll."""


def turning(slots: Slots) -> Told | None:
    """Fill the frame of a combatant who turns the undead with a roll: Tessaly turns undead, 14, no effect; Cy turning, d20 is 11, works."""
    words = [(at, part) for at, part in enumerate(slots.parts) if part.role == "word"]
    at = next((at for at, part in words if part.says("deed") == "turn" or part.text == TURNING), -1)
    free = slots.free(owner=False)
    if at < 0 or slots.scene.declaring or not free or free[0] > at or slots.thread.facts:
        return None
    behind = slots.parts[at + 1 : at + 2]
    undead = [place for place, part in enumerate(slots.parts) if part.text in ("undead", TURNING)]
    if not (slots.parts[at].text == "turning" or undead or (behind and behind[0].role == "who")):
        return None
    if slots.has("save", "hit", "miss", "damage", "initiative", "next") or slots.has_verb("strike", "shoot", "cast"):
        return None
    actor = slots.people(free[0])
    whom = tuple(who for place in slots.free() for who in slots.people(place))
    slots.guesses += not (undead or slots.parts[at].text == "turning")  # the target of turning may be no undead
    number = slots.number("roll", "bare")
    if number is None or len(actor) != 1 or set(actor) & set(whom) or slots.numbers("roll", "bare", "amount", "damage"):
        return None
    slots.used |= {at, *undead, *(place for place, part in enumerate(slots.parts) if part.role == "dice")}
    went = _outcome(slots)
    if went is None:
        went = False if slots.words("fizzled") else True if slots.words("begin_it") else None
    slots.words("rolled", "check")
    outcome: Fields = {} if went is None else {"succeeded": went}
    known = "turn" in slots.scene.kinds
    named = {"kind": "turn"} if known else {"kind": "other", "name": TURNING}

    def tell(thread: Thread) -> None:
        action = {**named, **({"targets": list(whom)} if whom else {})}
        thread.act = thread.add({"type": "action_taken", "combatant": actor[0], "action": action})
        told = {"type": "dice_rolled", "purpose": TURNING, "combatant": actor[0], **_thrown(number), **outcome}
        thread.add({**told, "cause": thread.act})
        thread.actor, thread.target = actor, whom

    return Told("turning", tell, unread=slots.unread("become"), guesses=slots.guesses, acts=True, options=slots.options)


_SOUGHT = ("stable", "hidden")
"""The states that a check is made for."""


def _came_of_it(slots: Slots) -> bool | None:
    """Take the outcome of a check, if the clause gives it: the morale breaks, not stable; None otherwise."""
    at = slots.where("condition")
    if at > 0 and slots.parts[at].says("condition") in _SOUGHT and slots.parts[at - 1].is_("not"):
        slots.used |= {at - 1, at}
        return False
    told = {at: MORALE[part.text] for at, part in enumerate(slots.parts) if slots.has("morale") and part.text in MORALE}
    slots.used |= {*told}
    return all(told.values()) if told else None


MORALE = {
    **dict.fromkeys(("break", "breaks", "broke", "broken", "cracks", "crack", "collapses", "snaps"), False),
    **dict.fromkeys(("hold", "holds", "held", "stand", "stands", "stood", "steady", "unshaken", "intact"), True),
}
"""Words for those whose morale fails, or holds."""


def contest(slots: Slots) -> Told | None:
    """Fill the frame of a contest: Ana trips Urk 15 vs 11, Orsk shoves the bandit 17 v 9."""
    at = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("contest")), -1)
    if at < 0 or slots.scene.declaring:
        return None
    held = slots.parts[at].is_("condition") and at > 0 and slots.parts[at - 1].is_("become")
    if held and any(part.role == "who" and part.joined == "from" for part in slots.parts[at:]):
        return None  # bo is grappled by the ogre
    about = slots.parts[at].says("contest")
    cost = slots.cost()
    behind = [place for place in slots.free() if place > at]
    if len(slots.free()) == 1 and behind:
        actor = slots.thread.actor if slots.thread.facts else slots.on_turn()
    else:
        actor = slots.people(slots.free()[0]) if slots.free() else ()
    if all(part.number is None for part in slots.parts):
        return _attempt(slots, about, actor, cost)
    whom = slots.free()
    one, other = slots.number("bare", "roll"), slots.number("against")
    if other is None and one is not None and slots.has("to", "against"):
        other = slots.number("bare")
    if one is None or other is None or len(whom) != 1 or slots.numbers("bare", "roll", "damage", "amount"):
        return None
    using = _used(slots, one)
    target = slots.people(whom[0])
    if len(actor) != 1 or len(target) != 1 or slots.options:
        return None
    won, paid = _won(slots), {"cost": cost} if cost else {}
    slots.guesses += won is not None and one.value != other.value and won != (one.value > other.value)
    state = slots.word("condition") if about == "shove" and (won or one.value > other.value) else None
    slots.words("contest", "strike", "rolled", "against", "impose", "check", "skill", "pushed", "to", *_BY_USE)
    unread = slots.unread("become")

    heads = len(slots.whom()) > 1 and at < min(slots.whom()) and not slots.thread.facts

    def tell(thread: Thread) -> None:
        kind = about if about in thread.scene.kinds else "other"
        action: Fields = {"kind": kind, "targets": [target[0]], **({} if kind == about else {"name": about}), **paid}
        if not heads:  # trip: orc 14 vs Bo 9 does not say which of them acts
            thread.act = thread.add({"type": "action_taken", "combatant": actor[0], "action": action})
        rolls = [{"combatant": who, **_compared(thread, part)} for who, part in ((actor[0], one), (target[0], other))]
        rolls[0] |= {"using": using} if using else {}
        winner = {} if won is None else {"winner": actor[0] if won else target[0]}
        caused = {} if heads else {"cause": thread.act}
        thread.add({"type": "contest_rolled", "about": about, "contenders": rolls, **winner, **caused})
        if state is not None:  # shoves the orc prone, 17 to 12
            fact = {"type": "condition_gained", "condition": state.says("condition"), "targets": [target[0]]}
            thread.add({**fact, "source": actor[0], **caused})
        thread.actor, thread.target = actor, target

    return Told("contest", tell, unread=unread, guesses=slots.guesses, acts=not heads)


_BY_USE = ("use", "spend")
"""Verbs beside the cost of an act: uses his reaction to grapple the orc."""


def _used(slots: Slots, number: Part) -> str:
    """Return the skill with which the first party of a contest rolls this number; "" if none is named before it."""
    before = slots.parts[: slots.parts.index(number)]
    return next((part.text for part in before if part.role == "word" and part.is_("skill")), "")


def _compared(thread: Thread, part: Part) -> Fields:
    """Return one of two compared rolls: in a game that gives totals, its total."""
    number = part.number
    as_total = number is not None and number.die is None and "called-total" in thread.scene.table.words
    return {"total": part.value} if as_total else dice(number)


def _attempt(slots: Slots, about: str, actor: tuple[str, ...], cost: str) -> Told | None:
    """Return a maneuver without a roll, or before one: Ana shoves the orc."""
    whom = slots.free()
    if len(whom) != 1 or about not in slots.scene.kinds:
        return None
    target = slots.people(whom[0])
    if len(actor) != 1 or len(target) != 1 or slots.options or actor == target:
        return None
    slots.words("contest", "impose", "pushed", "to", *_BY_USE)

    def tell(thread: Thread) -> None:
        action = {"kind": about, "targets": [target[0]], **({"cost": cost} if cost else {})}
        thread.act = thread.add({"type": "action_taken", "combatant": actor[0], "action": action})
        thread.actor, thread.target = actor, target

    return Told("contest", tell, unread=slots.unread("become"), guesses=slots.guesses, acts=True)


def _won(slots: Slots) -> bool | None:
    """Take the word for how a contest ends for whoever acts; None without one."""
    for at, part in enumerate(slots.parts):
        if part.role == "word" and part.text in (*_WINS, *_LOSES):
            slots.take(at)
            return part.text in _WINS
    return None


_WINS = ("wins", "win", "won", "succeeds", "succeed", "succeeded", "success", "works")
_LOSES = ("loses", "lose", "lost", "fails", "fail", "failed", "failure", "resisted", "resists")
"""Words for whoever acts, and wins or loses a contest."""


def confirmation(slots: Slots) -> Told | None:
    """Fill the frame of the roll that confirms a threat, the roller's last attack roll: confirm 18, Bo confirms the crit with a 12, misses."""
    scene, free = slots.scene, slots.free()
    if slots.thread.facts or len(free) > 1 or slots.has("save", "initiative"):
        return None
    who = slots.people(free[0]) if free else (scene.turn,)
    roll = scene.context.memory.rolls.get(who[0], 0) if len(who) == 1 else 0
    threat = scene.state.moments.get(roll)
    target = getattr(threat.event, "target", None) if threat else None
    number = slots.number("roll", "bare", "amount")
    if threat is None or target is None or getattr(threat.event, "confirms", None) or number is None:
        return None
    hit = False if slots.words("miss", "failure") else True if slots.words("hit", "success") else None
    hurts = slots.numbers("damage")
    sort = slots.word("type") if hurts else None
    hurt = [(part.value, sort.says("type") if sort else "") for part in hurts]
    slots.words("confirm", "critical", "to_hit", "rolled", "damage", "check", "threat")
    if slots.numbers("bare", "amount", "points", "loss", "gain") or len(hurt) > 1:
        return None

    def tell(thread: Thread) -> None:
        outcome: Fields = {"hit": hit} if hit is not None else {}
        told = {"type": "attack_rolled", "combatant": who[0], "target": target, **dice(number.number), **outcome}
        thread.roll = thread.add({**told, "confirms": roll - (scene.state.seq + 1)})
        thread.facts += [fact | {"cause": thread.roll} for fact in damages(target, hurt)]
        thread.actor, thread.target = who, (target,)

    return Told("confirmation", tell, unread=slots.unread(), guesses=slots.guesses, options=slots.options)


def dice_alone(slots: Slots) -> Told | None:
    """Fill the frame of dice alone, with their result and their purpose."""
    numbers = [at for at, part in enumerate(slots.parts) if part.number is not None and part.number.notation]
    if (
        len(numbers) != 1
        or slots.has_verb("strike", "shoot", "take", "heal")
        or slots.has("hit", "miss", "damage", "save", "initiative")
    ):
        return None
    return None


FILLS = {
    "confirmation": confirmation,
    "save": save,
    "check": check,
    "turning": turning,
    "contest": contest,
    "dice": dice_alone,
}
