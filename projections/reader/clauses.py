"""The clauses of a line. It is cut where a sentence ends, and where a new verb, state or subject begins."""

from collections.abc import Sequence
from itertools import takewhile

from msgspec import structs

from projections.reader.fight_over import end_of_fight
from projections.reader.lexicon import ARTICLES
from projections.reader.parts import LIKEWISE, Part
from projections.reader.shared import OF_ALL, goes_for_all

_STRONG = (".", ";", "!", "!!", "...", "…")
_WEAK = (
    ",",
    "and",
    "but",
    "then",
    "&",
    "+",
    "-",
    "–",
    "—",
    ":",
    "=",
    "while",
    "plus",
    "(",
    "so",
    "->",
    "n",
    "who",
    "which",
)
ACTS = (
    "strike",
    "shoot",
    "cast",
    "leave",
    "move",
    "heal",
    "rise",
    "break_free",
    "recover",
    "wake",
    "kill",
    "fell",
    "delay",
    "hold",
    "surrender",
    "drink",
    "deed",
    "use",
    "impose",
    "self_state",
    "fall_prone",
    "contest",
    "hide",
    "spend",
    "regain",
    "bring_to",
    "voice",
    "gain",
)
"""Verbs that begin a clause after another verb."""
_GOES_ON = ("but", "then", "also", "so", "now", "still", "promptly", "immediately")
"""Words before a verb whose subject stands in the clause before."""
_BLOWS = ("strike", "shoot", "cast", "contest", "hit", "miss")
_NO_BLOWS = tuple(kind for kind in ACTS if kind not in _BLOWS)
"""Verbs of acts that a hit follows as an act of its own: runs up to gob and hits him."""
SHORT_SAVES = ("str", "dex", "con", "int", "wis", "cha", "fort", "ref", "will")
"""The short names of saves, which mean a save when a number and an outcome follow: con 8 fails."""
CONDITIONS = (
    "if",
    "for when",
    "whenever",
    "in case",
    "unless",
    "until",
    "until after",
    "till",
    "til",
    "'til",
    "as long as",
    "because",
    "since",
)
"""The words before a clause that is not one of its own: it is a condition or a reason, and does not happen now."""
BEFALLS = ("take", "fall", "die", "come_round", "save")
"""Verbs for something that happens to their subject."""


POINTING = ("it was", "that was", "this was", "that", "it", "this", "is", "'s", "was", "were", *ARTICLES)
"""Words that point back at what was told before: that is, it was a."""


def clauses(parts: Sequence[Part]) -> list[list[Part]]:
    """Return the clauses of a line."""
    found: list[list[Part]] = [[]]
    place = 0
    while place < len(parts):
        part = parts[place]
        now = found[-1]
        if _is_awaited_too(parts, place, now) or (part.role == "who" and _is_next(parts, place, now)):
            now.append(part)
        elif end_of_fight(parts, place):
            found.append([*parts[place:]])  # with how it went
            break
        elif (part.text in _STRONG or _is_apart(parts, place)) and part.role == "mark":
            if (
                now
                and not _is_next(parts, place + 1, now)
                and _ends(parts, place)
                and not _goes_on_with_initiative(parts, place, now)
            ):
                found.append([])
        elif part.text == ":" and [each.role for each in now] == ["who", "word"] and now[-1].is_("turn"):
            found.append([])  # ogre turn: ogre hits bo
        elif part.role == "who" and [each.role for each in now] == ["segment"]:
            found.append([part])  # seg 6 Ana hits gob
        elif part.role in _CLOCK and any(each.role in _CLOCK for each in now):
            found.append([part])  # rd 1 done rd 2
        elif part.role == "who" and _is_first_of_round(parts, place, now):
            found.append([part])  # round 2 begins with ana
        elif part.role == "who" and _takes_over(parts, place, now):
            found.append([part])  # that's ana done bo's up
        elif _saves_behind_a_spell(parts, place, now):
            found.append([part])  # casts web dc 13 dex orc fails
        elif part.role == "who" and _is_struck_too(parts, place, now):
            by = next((each for each in _striking(now) if each.text == "by"), None)
            found.append(
                [*_striking(now), structs.replace(part, joined="from") if by else part]
            )  # b hits o for 6 and m for 3
        elif (
            (part.role == "who" and not part.owner and now and _begins_with_subject(parts, place, now))
            or (part.role == "pronoun" and _begins_with_pronoun(parts, place, now))
            or (_is_bare_blow(now) and _is_bare_blow(parts[place : place + 3]))
        ):
            found.append([part])
        elif now and part.text in _WEAK and part.role in ("mark", "word") and _begins(parts, place + 1, now):
            found.append([])
            if part.text in ("(", "who", "which"):
                found[-1].append(part)
            elif _is_spell_as_verb(parts, place + 1):
                found[-1] += [each for each in now if each.role == "who"][:1]
        elif _has_rolls(now) and goes_for_all(parts[place:]) and not _is_of_one_attacker(now, parts[place:]):
            found.append([part])  # orc 1 rolls 4, orc 2 rolls 9, both fail
        elif now and part.text in _ARROWS and _begins_after_arrow(parts, place, now):
            found.append([])
        elif now and part.role in ("damage", "loss") and _save_is_told(now):
            found.append([now.pop(), part] if now[-1].text == "for" else [part])  # both fail for 20
        elif (
            part.role == "temporary"
            and _verb_in(now, "cast", "drink", "use", "deed")
            and not _verb_in(now, "gain", "give")
        ):
            while now[-1].text in ("for", ",", ":", "->", "="):
                now.pop()
            found.append([part])  # casts aid on Bo, 5 temp hp
        elif (now and part.role == "word" and _begins_state(parts, place, now)) or (
            now and part.role == "left" and _tells(now) and now[-1].text not in ("with", "on", "at")
        ):
            found.append([part])
        else:
            now.append(part)
        place += 1
    told = [_without_a_comma(each) for each in found if any(part.role != "mark" for part in each)]
    return _with_saves(_with_subjects_of_passives(_with_beginnings(told)))


def _saves_behind_a_spell(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether the report of a save begins without a mark behind a spell with its difficulty, or its target: casts web dc 13 dex orc fails; casts web on gob fails dex."""
    spell = any(each.role == "word" and each.is_("spell") for each in now[1:])
    if not (spell or _verb_in(now, "cast")) or any(part.text in _WEAK for part in now[-1:]):
        return False
    part = parts[place]
    if part.role == "word" and part.item.is_verb("fail", "succeed") and now[-1].role == "who":
        behind = parts[place + 1 : place + 2]
        return bool(behind) and behind[0].role == "word" and behind[0].is_("save_kind", "save")
    if part.role != "who" or part.owner or part.joined or not any(each.role == "dc" for each in now):
        return False
    ahead = [
        each
        for each in parts[place + 1 : place + 6]
        if each.role != "who" and each.text not in ("and", "&", "both", "all")
    ]
    return bool(ahead) and ahead[0].role == "word" and ahead[0].item.is_verb("fail", "succeed", "save")


def _without_a_comma(clause: list[Part]) -> list[Part]:
    """Return a clause without the comma or dash at its end, behind which then or and begins the next one."""
    last = len(clause)
    while clause[last - 1].role == "mark" and clause[last - 1].text in (",", "-", "–", "—"):
        last -= 1
    return clause[:last]


def _has_rolls(now: Sequence[Part]) -> bool:
    """Say whether a clause has a number that may be rolled, and no outcome of it."""
    numbers = any(part.role in ("bare", "roll") for part in now)
    kinds = ("success", "failure", "hit", "miss")
    return numbers and not any(part.role == "word" and part.is_(*kinds) and not part.is_("filler") for part in now)


def _is_of_one_attacker(now: Sequence[Part], behind: Sequence[Part]) -> bool:
    """Say whether what goes for all is an outcome of the several blows of one: attacks ana twice, 8 and 11, both miss."""
    whom = [part for part in now if part.role == "who"]
    outcome = any(part.role == "word" and part.is_("hit", "miss") for part in behind[:3])
    outcome = outcome and sum(part.role in ("bare", "roll") for part in now) > 1
    return outcome and len(whom) == 2 and len(whom[0].people.ids) == 1 and _verb_in(now, "strike", "shoot")


_ARROWS = ("→", "=>", "⇒")
"""Marks that can stand before the result of something."""


def _begins_after_arrow(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether a state follows an arrow, as the result of the act before it: ducks behind the crates → hidden."""
    behind = parts[place + 1] if place + 1 < len(parts) else None
    state = behind is not None and behind.role == "word" and behind.is_("condition", "status_dead", "status_down")
    return state and _tells(now)


def _is_next(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether a line ends with the name of the next combatant: next!! Okko."""
    told = [part for part in now if part.role != "mark" and not part.is_("filler")]
    behind = [part.role for part in parts[place:] if part.role != "mark"]
    return bool(told) and behind == ["who"] and all(part.role == "word" and part.is_("next") for part in told)


_CLOCK = ("round", "segment")
"""The roles of numbers that are times of the fight."""
_OF_THE_CLOCK = (
    "filler",
    "become",
    "begin",
    "finish",
    "end",
    "next",
    "first",
    "turn",
    "turn_over",
    "fight",
    "round",
    "segment",
)
"""The kinds of words by which a round or a segment begins or ends."""


def _is_first_of_round(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether a name is only that of the first combatant in a round that begins: r2 ana, round 2 begins with ana, rd 2, ana's up."""
    behind = [part for part in parts[place + 1 : place + 4] if part.text != "'s"]
    ends = next((at for at, part in enumerate(behind) if part.role == "mark"), len(behind))
    alone = all(part.role != "who" and part.is_(*_OF_THE_CLOCK, "up") for part in behind[:ends])
    names_it = any(part.role == "round" or part.is_("round") for part in now)
    return alone and names_it and all(part.role == "mark" or part.is_(*_OF_THE_CLOCK, "with") for part in now)


def _tells_time(parts: Sequence[Part], place: int) -> bool:
    """Say whether the sentence at a place reports only that a round or a segment begins or ends: so that is the end of the first round."""
    ends = next(
        (at for at in range(place, len(parts)) if parts[at].role == "mark" or parts[at].text == "and"), len(parts)
    )
    said = parts[place:ends]
    if any(part.role == "word" and part.is_("turn") for part in said) and _only_ends_a_turn(said):
        return True
    clocks = any(part.role in _CLOCK or (part.role == "word" and part.is_(*_CLOCK)) for part in said)
    return clocks and all(
        part.role in (*_CLOCK, "ordinal")
        or (part.role == "who" and part.people.group and not part.owner)  # foes on seg 5
        or (part.role == "word" and part.is_(*_OF_THE_CLOCK))
        for part in said
    )


def _only_ends_a_turn(said: Sequence[Part]) -> bool:
    """Say whether words report only that the current turn is over: end of turn, and that's her turn."""
    ends = any(part.is_("turn_over") or part.item.is_verb("finish") or part.text in ("that", "that's") for part in said)
    return ends and all(
        part.role == "pronoun" or (part.role == "word" and part.is_("filler", "turn", "turn_over", "finish", "become"))
        for part in said
    )


def _takes_over(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether a combatant's turn begins after a report about another one: Ana done Bo up, Ana has had her go, now it is Bo's turn."""
    behind = [
        part for part in parts[place + 1 : place + 5] if part.text not in ("'s", "is", "are", "you", "your", "now")
    ]
    next_ = bool(behind) and behind[0].role == "word" and behind[0].is_("up", "next", "turn")
    alone = len(behind) < 2 or behind[1].role == "mark" or behind[1].is_("filler")
    others = any(part.role == "who" for part in now) and any(part.is_("turn", "turn_over", "finish") for part in now)
    return next_ and alone and others and parts[place].joined == ""


def _is_struck_too(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether a name after "and", with a number and no verb, is another target of the same blow: hits the ogre for 6 and the orc for 3."""
    joined = [part.text for part in parts[:place] if not part.is_("filler") or part.text in ("and", "&")]
    behind = [part for part in parts[place + 1 : place + 3] if part.text != "for"]
    ends = next(
        (at for at in range(place + 1, len(parts)) if parts[at].text in _STRONG or parts[at].text in _WEAK), len(parts)
    )
    return (
        joined[-1:] in (["and"], ["&"])
        and behind[:1] != []
        and behind[0].number is not None
        and len(_striking(now)) > 0
        and any(part.number is not None for part in now)
        and not any(
            part.role == "word" and part.item.is_verb() and not part.is_("filler") for part in parts[place + 1 : ends]
        )
    )


def _striking(now: Sequence[Part]) -> list[Part]:
    """Return the attacker and the verb of a clause, without the target; an empty list if the clause is not about a blow at a target."""
    verb = next(
        (at for at, part in enumerate(now) if part.role == "word" and part.item.is_verb("strike", "shoot", "hit")), -1
    )
    if verb < 0 or not any(part.role == "who" for part in now[verb + 1 :]):
        return []
    if now[verb + 1].text == "by":
        return [*now[: verb + 2]]  # gob is hit by ana for 5 and bo for 3
    return [*(part for part in now[:verb] if part.role == "who"), now[verb]]


def _with_saves(found: list[list[Part]]) -> list[list[Part]]:
    """Return clauses in which consecutive saves of several combatants are one clause: gob fails, Bo saves."""
    told = [[part for part in clause if part.role != "mark" and not part.is_("and", "filler")] for clause in found]
    went = [
        [part.role for part in each] == ["who", "word"] and each[1].item.is_verb("succeed", "fail", "save")
        for each in told
    ]
    saves = any(each and told[at][1].item.is_verb("save") for at, each in enumerate(went))
    first = next((at for at, each in enumerate(went) if each), 0)
    count = next((at for at, each in enumerate(went[first:]) if not each), len(went) - first)
    if not saves or count < 2:
        return found
    return [
        *found[:first],
        [part for clause in found[first : first + count] for part in clause],
        *found[first + count :],
    ]


def _is_awaited_too(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether a part belongs to an awaited condition: it follows "and", "or" or a comma, names no new subject and
    has no number: if orc moves and attacks bo.
    """
    cue = next((at for at, each in enumerate(now) if each.role == "word" and each.is_("when")), -1)
    if cue < 0 or not _verb_in(now[:cue], "hold", "delay") or not _tells(now[cue + 1 :]):
        return False
    if parts[place].text in _STRONG or any(each.text == "," for each in now[cue:] if parts[place].role == "who"):
        return False
    if parts[place].text in (",", "and", "then", "but") and place + 1 < len(parts):
        ends = next((at for at in range(place + 1, len(parts)) if parts[at].text in _STRONG), len(parts))
        behind = parts[place + 1]
        return not (parts[place].text != "and" and behind.role == "who") and all(
            each.number is None for each in parts[place:ends]
        )
    return parts[place].number is None


_BARE_BLOW = ("who", "who", "number")


def _is_bare_blow(parts: Sequence[Part]) -> bool:
    """Say whether parts begin as a blow in short form: attacker, target, number."""
    roles = tuple("number" if part.number is not None else part.role for part in parts if part.text not in ("and", ","))
    return roles[:3] == _BARE_BLOW and not any(part.owner for part in parts[:2])


def _with_subjects_of_passives(found: list[list[Part]]) -> list[list[Part]]:
    """Return clauses in which a verb without a subject, behind a clause in the passive voice, has the subject of that
    clause, and not whoever did it: bo is bitten by gob for 5 and drinks a potion.
    """
    made: list[list[Part]] = []
    struck: Part | None = None
    for clause in found:
        told = [part for part in clause if part.role != "mark" and not part.is_("and") and part.text not in _GOES_ON]
        first = told[0] if told else None
        verb = first is not None and first.role == "word" and first.text not in _WEAK
        goes_on = verb and first is not None and (first.item.is_verb() or first.is_("become", "status_down", "regain"))
        if struck is not None and goes_on:
            made.append([struck, *clause])
            continue
        struck = told[0] if _is_passive(told) else None
        made.append(clause)
    return made


def _has_a_subject_before(parts: Sequence[Part], place: int) -> bool:
    """Say whether a word behind a clause in the passive voice tells something else of its subject: is hit by gob and
    hits back, and missed by the orc; not is attacked by gob and hit for 5.
    """
    part, behind = parts[place], parts[place + 1 : place + 2]
    other = bool(behind) and (behind[0].text == "by" or (behind[0].role == "who" and not behind[0].joined))
    return part.item.is_verb(*_BLOWS) and not _is_noun(parts, place) and (other or part.text.endswith("s"))


def _is_passive(told: Sequence[Part]) -> bool:
    """Say whether words begin with somebody to whom another does something: bo is bitten by gob."""
    by = next((at for at, part in enumerate(told) if part.role == "who" and part.joined == "from"), 0)
    verbs = [part for part in told[1:by] if part.role == "word" and part.item.is_verb(*_BLOWS)]
    subject = by > 0 and told[0].role == "who" and not told[0].owner and not told[0].joined
    return subject and told[1].is_("become") and bool(verbs) and told[by - 1].text == "by"


def _with_beginnings(found: list[list[Part]]) -> list[list[Part]]:
    """Return clauses in which the circumstances of an act are joined to it: with a natural 20, she strikes."""
    made: list[list[Part]] = []
    held: list[Part] = []
    for clause in found:
        whole = [*held, *clause]
        if made and _says_only_how(made[-1]) and clause[0].number is not None:
            made[-1] = [*made[-1], *whole]  # Nyx CRIT!!! 20 on the ogre, 14 damage
            held = []
            continue
        rest = [part for part in whole if part.text not in POINTING]
        if made and _kills(made[-1]) and _is_only_damage(rest, []):
            made[-1] = [*made[-1], *rest]  # kills gob. That was 9 damage
            held = []
            continue
        if made and _lacks_its_damage(made[-1]) and _is_only_damage(whole, ["to"]):
            made[-1] = [*made[-1], *whole]  # ana: 24, crit! 19 damage on gob
            held = []
            continue
        bare = not any(
            part.role == "who"
            or (
                part.role == "word"
                and (
                    not part.is_("filler", "with", "and", "rolled", "nat", "adverb", "for") or part.item.is_verb("take")
                )
                and part.item.senses != ()
            )
            for part in whole
        )
        if (
            bare
            and any(part.role in ("roll", "bare", "amount", "points", "damage") for part in whole)
            and clause is not found[-1]
            and not (made and _save_is_told(made[-1]))  # gob fails for 20, ana saves for 10
        ):
            if made and _lacks_a_roll(made[-1]) and any(part.role == "roll" for part in whole):
                made[-1] = [*made[-1], *whole]  # attacks bo. He rolls a 7.
                held = []
            elif any(part.text in _SUBJECTS for part in whole):
                made.append(whole)  # he got an 8, so he is paralyzed
                held = []
            else:
                held = whole
        else:
            made.append(whole)
            held = []
    return made


def _says_only_how(clause: Sequence[Part]) -> bool:
    """Say whether a clause names somebody and calls out a critical, and tells nothing else: Nyx CRIT."""
    told = [part for part in clause if part.role != "mark"]
    return [part.role for part in told] == ["who", "word"] and told[1].is_("critical") and not told[0].owner


def _lacks_its_damage(clause: Sequence[Part]) -> bool:
    """Say whether a clause has only the attacker and the roll of a blow that hits or is critical, and its target follows."""
    told = [part for part in clause if part.role != "mark"]
    hits = any(part.role == "word" and part.is_("critical", "hit") for part in told)
    hits = hits and not any(part.is_("become") or part.text in ("got", "gets") for part in told)  # was hit on a 14
    people = [part for part in told if part.role == "who"]
    numbers = [part.role for part in told if part.number is not None]
    return hits and len(people) == 1 and people == told[:1] and numbers in (["bare"], ["roll"])


def _kills(clause: Sequence[Part]) -> bool:
    """Say whether a clause tells that somebody kills another, without a number: ana kills gob with her bow."""
    return _verb_in(clause, "kill") and not any(part.number is not None for part in clause)


def _is_only_damage(clause: Sequence[Part], joined: list[str]) -> bool:
    """Say whether a clause reports only damage, to those whose names are joined to it: 19 damage on gob."""
    told = [part for part in clause if part.role != "mark"]
    numbers = [part.role for part in told if part.number is not None]
    people = [part.joined for part in told if part.role == "who"]
    words = [part for part in told if part.role == "word"]
    return (
        numbers == ["damage"] and people == joined and all(part.is_("filler", "damage", "type", "to") for part in words)
    )


def _lacks_a_roll(clause: Sequence[Part]) -> bool:
    """Say whether a clause is about a blow and has no number."""
    return _verb_in(clause, "strike", "shoot") and all(part.number is None for part in clause)


def _is_apart(parts: Sequence[Part], place: int) -> bool:
    """Say whether a slash stands between spaces, and so separates sentences: spider 1 hits bo / spider 2 misses."""
    if parts[place].text != "/" or not 0 < place < len(parts) - 1 or parts[place + 1].role == "damage":
        return False  # 25 to hit / 9 damage
    return parts[place - 1].item.end < parts[place].item.start and parts[place].item.end < parts[place + 1].item.start


def _goes_on_with_initiative(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether a list of initiatives continues after a mark: initiative: Ana 19; Bo 16."""
    behind = [part for part in parts[place + 1 :] if part.role != "mark" and not part.is_("filler")]
    roles = [part.role for part in behind[:2]]
    last = len(behind) == len(roles) or behind[2].role != "word"
    return last and roles == ["who", "bare"] and any(part.role == "word" and part.is_("initiative") for part in now)


def _save_is_told(now: Sequence[Part]) -> bool:
    """Say whether a clause has a save and its outcome, so that the following words are its consequence."""
    while now and (now[-1].text in ("for", ",", "and", "so") or (now[-1].role == "word" and now[-1].is_("half"))):
        now = now[:-1]  # saves, takes half, 5
    if not now:
        return False  # and 3 cold
    words = [part for part in now if part.role == "word"]
    of_whom = all(
        part.role in ("who", "pronoun") or part.is_("both", "everyone") or part.text in OF_ALL for part in now[:-1]
    )
    of_whom = of_whom and (len(now) > 1 or (words[:1] == now and now[0].item.is_verb("succeed", "fail")))
    if of_whom and words[-1:] == [now[-1]] and now[-1].item.is_verb("succeed", "fail", "save"):
        return True  # fireball on the orcs: orc 1 fails 24 fire; both fail 24 fire each
    if any(part.is_("save") for part in words) and any(part.role in ("bare", "roll") for part in now):
        return True  # dex save 12, 28 fire
    if [(part.role, part.text) for part in now[1:]] == [("roll", "rolls")] and now[0].role == "who":
        return True  # gob rolls 5, 8 radiant
    return any(part.is_("save", "save_kind") for part in words) and (
        any(part.is_("success", "failure") or part.item.is_verb("succeed", "fail") for part in words)
        or any(part.role in ("dc", "against") for part in now)
    )


def _ends(parts: Sequence[Part], place: int) -> bool:
    """Say whether a mark ends a sentence: something follows, and it is more than an outcome of the words before it."""
    behind = [part for part in parts[place + 1 :] if part.role != "mark"]
    if not behind:
        return False
    first = behind[0]
    if first.role in _CLOCK and any(part.is_("round", "segment") or part.role in _CLOCK for part in parts[:place]):
        return True  # end of the round. Round 4.
    if first.role in _CLOCK and _tells_time(parts, place + 1):
        return True  # the ogre misses. Round 2 begins.
    if _passes(parts, parts.index(first, place)):
        return True  # Bo hides. 3 minutes pass.
    if (
        first.role == "word"
        and first.is_("hit", "miss", "success", "failure")
        and not any(part.role == "word" and part.is_("hit", "miss", "success", "failure") for part in parts[:place])
    ):
        return False
    return first.number is None or first.role == "dc" or any(part.role == "who" for part in behind[:3])


def _verb_in(now: Sequence[Part], *kinds: str) -> bool:
    return any(
        part.role == "word" and part.item.is_verb(*kinds) and not _is_noun(now, at) for at, part in enumerate(now)
    )


def _is_noun(parts: Sequence[Part], at: int) -> bool:
    """Say whether a word that can be a verb is the name of a weapon or a spell here: after "with", after an article or
    at the end, and not after "will".
    """
    part = parts[at]
    if not part.is_("weapon", "spell", "feature", "type", "damage", "item", "ammunition", "points", "skill"):
        return False
    before = parts[at - 2 if at > 1 and parts[at - 1].text in ("both", "all", "each") else at - 1] if at else None
    if part.item.is_verb("leave") and before is not None and before.text in ("and", ",", "then", "&"):
        return False  # wakes, bolts into the night
    behind = parts[at + 1] if at + 1 < len(parts) else None
    if before is not None and at and parts[at - 1].text in ("both", "they", "all") and part.item.is_verb("fall"):
        return False  # both fall
    if before is None:
        return behind is None or behind.role != "who"
    if before.role == "who" and before.owner:
        return True
    if before.role == "word" and before.is_("will"):
        return False  # Aldo will attack the orc, Wren will cast sleep
    if behind is None or not (before.role == "who" or before.text in ("and", "then", ",", "&")):
        return True
    inflected = part.is_("strike") and part.text != part.item.value("strike")
    if behind.text == "," and inflected:
        return False  # Aldo attacks, Wren casts sleep
    return not (behind.role == "who" or behind.is_("to", "filler", "pronoun_object"))


def _tells(now: Sequence[Part]) -> bool:
    """Say whether a clause already reports something: a verb, an outcome, a number, a state, a feature that is used."""
    uses = _verb_in(now, "use") and any(part.role == "word" and part.is_("feature") for part in now)
    begun = any(part.text in ("new", "next") for part in now) and _tells_time(now, 0)  # a new round, and gob takes 1
    turns = any(part.is_("feature") and part.item.typed.casefold().startswith("turn") for part in now)  # turns undead
    return (
        uses
        or begun
        or turns
        or any(
            (part.number is not None and part.role not in ("ordinal",))
            or (
                part.role == "word"
                and (
                    (part.item.is_verb() and not part.is_("filler") and not _is_noun(now, at))
                    or part.is_(
                        "condition",
                        "status_dead",
                        "hit",
                        "miss",
                        "success",
                        "failure",
                        "spell",
                        "effect",
                        "become",
                        "weapon",
                    )
                )
            )
            or part.role == "square"
            for at, part in enumerate(now)
        )
    )


def is_likewise(parts: Sequence[Part]) -> bool:
    """Say whether parts are a combatant for whom the report about another one holds, too: gnoll 5 too."""
    return len(parts) == 2 and parts[0].role == "who" and parts[1].text in LIKEWISE


_PASSES = ("pass", "passes", "passed", "elapse", "elapses", "go by", "goes by", "later")


def _passes(parts: Sequence[Part], place: int) -> bool:
    """Say whether only time passes in the sentence at a place: 3 minutes pass, one turn later."""
    said = [*takewhile(lambda part: part.role != "mark", parts[place:])]
    return [part.role for part in said[:1]] == ["duration"] and " ".join(part.text for part in said[1:]) in _PASSES


def _tells_whose_turn(parts: Sequence[Part], place: int) -> bool:
    """Say whether the sentence at a place reports only whose turn it is: it is Ana's turn, next is the orc."""
    said = [*takewhile(lambda part: part.role != "mark" and not part.is_("and"), parts[place:])]
    at = next((at for at, part in enumerate(said) if part.role == "who"), 0)
    led = all(part.role == "pronoun" or part.is_("filler", "become") for part in said[:at])
    if at == len(said) - 1 > 0 and said[0].text in ("next", "up next", "next up"):
        return all(
            part.is_("next", "become") or part.text in (*ARTICLES, "comes") for part in said[:at]
        )  # next is the orc
    owned = at > 0 and led and said[at].owner and any(part.is_("become") for part in said[:at])
    return owned and len(said) == at + 2 and said[-1].role == "word" and said[-1].is_("turn")


def _says_what_is_left(parts: Sequence[Part], place: int) -> bool:
    """Say whether a clause consists of the points that are left: takes 5, and is at 10."""
    told = [*takewhile(lambda part: part.role != "mark", parts[place:])]
    first = next((at for at, part in enumerate(told) if part.text in _AT), -1)
    led = told[: max(first, 0)]
    is_ = any(part.is_("become") for part in led) and all(
        part.role == "pronoun" or part.is_("become", "filler") for part in led
    )
    behind = [part.role for part in told[first + 1 :]]
    return first > 0 and is_ and behind in (["bare"], ["points"])


def _is_nothing_from(now: Sequence[Part]) -> bool:
    """Say whether a clause has only that no points came from somebody: 0 from the ogre."""
    told = [part for part in now if part.text not in ARTICLES]
    return [part.role for part in told] == ["bare", "word", "who"] and told[0].value == 0 and told[1].is_("from")


_AT = ("at", "on", "now at", "down to", "now on")


_SPELLS = ("effect", "spell", "concentration", "spell_word")


def _behind_its_noun(parts: Sequence[Part], place: int) -> Sequence[Part]:
    """Return the part behind a spell, and behind the noun for it: bless ends, the sleep spell ends."""
    noun = any(part.is_("spell_word") for part in parts[place + 1 : place + 2])
    return parts[place + 1 + noun : place + 2 + noun]


def _begins(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether a clause begins after a comma, "and", "but" or a colon."""
    begin = place - 1
    if any(part.number is not None for part in now) and _says_what_is_left(parts, place):
        return True
    if _is_nothing_from(now) and parts[place].item.is_verb("strike", "shoot", "miss") and parts[place].role == "word":
        return False  # 0 from the ogre, swung at Juno and missed
    if (_passes(parts, place) or _tells_whose_turn(parts, place)) and _tells(now):
        return True
    if _tells_time(parts, place) and any(each.role != "mark" and not each.is_("filler") for each in now):
        return True
    while place < len(parts) and (
        parts[place].text in _WEAK
        or parts[place].role == "mark"
        or (
            parts[place].role == "word"
            and parts[place].is_("filler", "adverb")
            and not parts[place].item.is_verb(*ACTS, *BEFALLS, "hit", "miss")
            and (
                not parts[place].is_("become", "condition", "failure", "success", "save_kind")
                or parts[place].text == "now"
            )
        )
    ):
        place += 1
    if place >= len(parts):
        return False
    part = parts[place]
    if part.role == "who" and parts[place - 1].text in ("'s", "is") and any(each.role == "round" for each in now):
        return True  # it's round two and it's ana
    if part.role == "who" and is_likewise(parts[place : place + 2]):
        return _tells(now)
    if part.role == "who":
        return _begins_with_subject(parts, place, now) if not part.owner else _tells(now) and part.joined == ""
    if part.role == "pronoun":
        behind = parts[place + 1] if place + 1 < len(parts) else None
        acts = behind is not None and behind.role == "word" and (behind.item.is_verb() or behind.is_("become"))
        if behind is not None and behind.is_("save_kind", "save") and not acts:
            return _is_passive([each for each in now if each.role != "mark"])  # but makes her con save
        if behind is not None and behind.role == "word" and behind.is_(*_SPELLS) and not part.is_("pronoun_subject"):
            ends = _behind_its_noun(parts, place + 1)
            return _tells(now) and bool(ends) and ends[0].item.is_verb("end")  # and her bless ends
        return part.is_("pronoun_subject") and (acts or _rolls_a_save(parts, place, now)) and _tells(now)
    if part.role in ("round", "segment"):
        return _tells(now)
    if part.role == "dc":
        return parts[place - 1].role == "mark" and _asks_for_a_save(parts, place, now)
    if part.role != "word":
        return False
    if part.is_("skill") and parts[place - 1].text == "," and any(each.number for each in parts[place + 1 : place + 3]):
        return _verb_in(now, *_NO_BLOWS)  # hides behind a pillar, stealth 19
    if part.item.is_verb("spoil", "end_it") and any(each.is_(*_SPELLS) for each in parts[place + 1 : place + 4]):
        return _tells(now)  # con save 7 fails, loses bless
    if part.item.is_verb("take") and any(each.is_("save") or each.item.is_verb("save") for each in now):
        return any(each.number is not None for each in parts[place:])  # saves, takes half, 5
    if not _tells(now):
        return False
    if _is_passive([each for each in now if each.role != "mark"]) and _has_a_subject_before(parts, place):
        return True
    if _begins_a_save(parts, place + part.is_("both", "for_each"), now):
        return True
    if part.is_(*_SPELLS, "ailment", "cure") and any(
        each.item.is_verb("end", "end_it", "spoil", "begin_it")
        or (each.text in ("gone", "over") and part.is_("ailment"))
        for each in _behind_its_noun(parts, place)
    ):
        return True
    if part.item.is_verb() and any(each.text == "who" for each in parts[begin:place]):
        outcome = _verb_in(now, "strike", "shoot") and any(each.text == "by" for each in now)
        return not (
            outcome and part.is_("hit", "miss")
        )  # hits gob for 5, who then hits back; is attacked by bo, who misses
    if part.is_("hit", "miss") and not part.item.is_verb("strike", "shoot"):
        behind = next((each for each in parts[place + 1 :] if each.text not in ARTICLES), None)
        aimed = behind is not None and (behind.role == "who" or behind.is_("pronoun_object"))
        if aimed and part.item.is_verb("hit") and parts[place - 1].text == "then" and _verb_in(now, "cast"):
            return True  # casts bless, then hits gob
        own = (_verb_in(now, *_NO_BLOWS) and not _verb_in(now, *_BLOWS)) or _strikes_another(now, behind)
        return aimed and part.item.is_verb("hit") and own
    if part.item.is_verb("dodged") and place > 0 and parts[place - 1].is_("become"):
        return False
    if _is_spell_as_verb(parts, place):
        return True
    if part.is_("weapon") and _is_noun(parts, place):
        return False
    if part.item.is_verb(*ACTS) and not _is_noun(parts, place):
        if part.is_("damage", "points", "type", "success", "failure", "hit", "half"):
            return False
        behind = parts[place + 1] if place + 1 < len(parts) else None
        named = (
            behind is not None
            and behind.role == "word"
            and behind.is_("success", "failure", "skill", "round", "turn", "segment")
            and not behind.is_("filler")
        )
        return not named
    if part.item.is_verb("take", "deal") and not _verb_in(now, "take", "deal"):
        return part.item.is_verb("take") and part.text not in ("for",) and not part.is_("for")
    if part.item.is_verb("fall") and (place + 1 == len(parts) or parts[place + 1].role == "mark"):
        return True  # misses and falls
    if part.is_("become") and not part.item.is_verb(*ACTS):
        ahead = place + 1
        while (
            ahead < len(parts)
            and parts[ahead].role == "word"
            and parts[ahead].is_("filler", "become", "adverb", "not")
            and not parts[ahead].is_("condition")
        ):
            ahead += 1
        if _verb_in(now, *_BLOWS) and _is_struck_by(parts[ahead - 1 : ahead + 4]):
            return True  # hits gob for 8 and is missed by the orc
        return (
            ahead < len(parts)
            and parts[ahead].role == "word"
            and parts[ahead].is_("condition", "status_dead", "status_down")
            and not parts[ahead].is_("filler")
        )
    return _is_state(parts, place, now)


def _strikes_another(now: Sequence[Part], whom: Part | None) -> bool:
    """Say whether somebody who casts a spell on others is told to hit one at whom it is not aimed: casts bless on Ana and hits gob."""
    aimed = {who for part in now if part.role == "who" and part.joined == "to" for who in part.people.ids}
    named = whom is not None and whom.role == "who" and bool(whom.people.ids)
    return _verb_in(now, "cast") and bool(aimed) and named and aimed.isdisjoint(whom.people.ids if whom else ())


def _is_spell_as_verb(parts: Sequence[Part], place: int) -> bool:
    """Say whether the name of a spell is a verb with its target: stands up and fire bolts gob."""
    said = parts[place : place + 2]
    return len(said) == 2 and said[0].is_("inflected") and said[0].is_("spell") and said[1].role == "who"


def _is_struck_by(parts: Sequence[Part]) -> bool:
    """Say whether words say by whom somebody is struck or missed: hit by the orc."""
    said = [part for part in parts if part.text not in ARTICLES]
    verb = next((at for at, part in enumerate(said) if part.item.is_verb("strike", "shoot", "hit", "miss")), -1)
    return 0 <= verb < len(said) - 2 and said[verb + 1].text == "by" and said[verb + 2].role == "who"


def _begins_a_save(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether an outcome begins a clause about a save after something else: fails (his) con save; both fail, after a spell."""
    if (
        place >= len(parts)
        or not parts[place].item.is_verb("succeed", "fail")
        or any(each.is_("save", "save_kind") for each in now)
    ):
        return False
    if _verb_in(now, "cast") and parts[place - 1].is_("both", "everyone", "for_each"):
        return True
    if _is_told_alone(parts, place) and any(part.role == "who" and part.joined == "to" for part in now) and _casts(now):
        return True
    ahead = [part for part in parts[place + 1 : place + 5] if part.role == "word" and not part.is_("filler")][:2]
    known = bool(ahead) and (ahead[0].is_("save", "save_kind") or not ahead[0].item.senses)
    return known and any(each.is_("save") for each in ahead)


def _rolls_a_save(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether the subject at a place rolls for a save behind anything but a save without a roll: bane on gob, he rolls an 8 on his wis save."""
    if any(part.role == "word" and part.is_("save") for part in now) and not any(part.number for part in now):
        return False
    ahead = list(takewhile(lambda part: part.role != "mark", parts[place + 1 :]))
    rolls = bool(ahead) and (ahead[0].is_("rolled") or ahead[0].text in ("gets", "got", "has"))
    return (
        rolls and any(part.is_("save") and part.role == "word" for part in ahead) and any(part.number for part in ahead)
    )


def _asks_for_a_save(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether a difficulty begins a clause about the save that an act allows: breathes on bo, dc 12 con; uses its breath, DC 13 dex save."""
    kind = parts[place + 1 : place + 2]
    acts = _verb_in(now, "strike", "shoot", "cast", "deed") or _casts(now)
    acts = acts or any(part.role == "word" and (part.item.is_verb("use") or part.is_("feature")) for part in now)
    asked = any(part.role == "word" and part.is_("save") for part in now)
    return acts and not asked and any(part.role == "word" and part.is_("save_kind") for part in kind)


def _is_told_alone(parts: Sequence[Part], place: int) -> bool:
    """Say whether a word stands alone between marks: casts toll the dead on gob, fails, 9 necrotic."""
    return parts[place - 1].role == "mark" and all(part.role == "mark" for part in parts[place + 1 : place + 2])


def _casts(now: Sequence[Part]) -> bool:
    """Say whether a clause is about a spell at a target: casts bane on gob; toll the dead on gob."""
    spell = next((at for at, part in enumerate(now) if part.role == "word" and part.is_("spell")), len(now))
    return _verb_in(now, "cast", "spell_verb") or any(part.joined == "to" for part in now[spell:])


def _is_state(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether a state, a fall or a save begins at a place, after something else."""
    part = parts[place]
    kinds = (each for each in now if each.role == "word" and each.is_("save", "save_kind"))
    if part.is_("save_kind", "save") and all(each.is_("concentration") and _casts(now) for each in kinds):
        ahead = [each for each in parts[place : place + 5] if each.text not in (",", ":")][:3]
        tries = any(each.role == "word" and each.is_("will") for each in now)
        told = ahead[-1]
        goes = told.role == "word" and (told.is_("success", "failure") or told.item.is_verb("succeed", "fail", "save"))
        if (
            (part.text in SHORT_SAVES or part.is_("concentration"))
            and not (tries and parts[place + 2 : place + 3] and parts[place + 2].role == "mark")
            and len(ahead) > 2
            and ahead[1].role in ("bare", "dc")
            and goes
        ):
            return True
        roles = [each.role for each in ahead[1:]]
        if roles in (["bare", "dc"], ["roll", "dc"], ["dc", "bare"], ["dc", "roll"]):
            return True
        checks = part.is_("concentration") and len(ahead) > 1 and ahead[1].is_("check")
        return checks or (any(each.role == "word" and each.is_("save") for each in ahead) and not part.is_("success"))
    if part.is_("damage") and not part.is_("condition"):
        return False
    if any(each.is_("check") and each.role == "word" for each in parts[place + 1 : place + 2]) and not part.is_("save"):
        return not any(each.role == "word" and each.is_("check") for each in now)  # runs to Bo, medicine check 8
    if part.is_("not") and any(each.role == "word" and each.is_("condition") for each in parts[place + 1 : place + 2]):
        return not any(each.role == "word" and each.is_("condition", "not", "check", "skill") for each in now)
    if part.item.is_verb("come_round") or (part.is_("recovered") and parts[place - 1].text == ","):
        return any(each.number is not None for each in now)
    if part.is_("condition", "status_dead") or part.item.is_verb("die", "kill", "fell"):
        if part.is_("type") and any(each.number is not None for each in now[-1:]):
            return False
        if any(
            each.is_("become", "not", "impose", "will") or each.item.is_verb("end", "end_it", "fall_prone", "rise")
            for each in now[-3:]
            if each.role == "word"
        ) and not (
            any(each.number is not None for each in now) or (part.item.is_verb("die") and parts[place - 1].is_("and"))
        ):
            return False
        return not part.is_("spell", "save_kind") or part.is_("status_dead")
    return (
        part.is_("status_down")
        and (part.item.is_verb("fall", "fell") or part.text in ("down", "ko", "ko'd", "out"))
        and not part.is_("to")
    )


def _is_lone_blow(now: Sequence[Part]) -> bool:
    """Say whether a clause tells of a blow with one number, which ends it, and of no outcome."""
    numbers = [part for part in now if part.number is not None]
    lone = len(numbers) == 1 and numbers[0] is now[-1] and numbers[0].role == "bare"
    return (
        lone
        and _verb_in(now, "strike", "shoot")
        and not any(part.role == "word" and part.is_("hit", "miss") for part in now)
    )


def _begins_state(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether a state or a save begins without a mark: 18 hit 8 dmg KO, vm on capt wis sv 8 fails 3 psy."""
    part = parts[place]
    if part.is_("status_dead") and place + 1 == len(parts) and _is_lone_blow(now):
        return False  # Odrik mauls the ghast 24 dead
    outcome = any(each.role in ("damage", "amount", "bare", "roll", "points", "loss") for each in now) or any(
        each.role == "word" and each.is_("hit", "failure", "success") for each in now
    )
    before = now[-1]
    ends = parts[place + 1].item if place + 1 < len(parts) else None
    if outcome and part.is_("effect") and ends is not None and (ends.is_("not") or ends.is_verb("end", "end_it")):
        return not before.is_("filler", "to", "against", "with")  # con save 6 failed bless gone
    if (
        before.role == "word"
        and before.is_("become", "not", "filler", "with", "to", "from", "adverb", "against")
        and (not before.is_("failure", "success", "hit") or before.text in ("no", "not"))
    ):
        return False
    if (
        part.is_("save_kind")
        and not before.item.is_verb("succeed", "fail")
        and not any(each.role == "word" and each.is_("save", "save_kind", "become") for each in now)
    ):
        behind = parts[place + 1 : place + 2]
        return bool(behind) and behind[0].is_("save") and sum(each.role == "who" for each in now) > 1
    if not outcome or part.is_(
        "type",
        "to",
        "towards",
        "miss",
        "hit",
        "success",
        "failure",
        "half",
        "points",
        "damage",
        "with",
        "skill",
        "save",
        "save_kind",
        "spell",
        "initiative",
        "for",
    ):
        return False
    if any(each.role == "word" and each.is_("save", "initiative") for each in now) and not any(
        each.is_("failure") for each in now if each.role == "word"
    ):
        return False
    if not (
        part.is_("condition", "status_dead")
        or (part.is_("status_down") and part.text in ("ko", "ko'd", "down", "drops", "falls", "dies"))
    ):
        return False
    after = parts[place + 1] if place + 1 < len(parts) else None
    return not (after is not None and after.role == "who" and part.item.is_verb("kill", "fell", "impose"))


def _begins_with_subject(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether a name begins a clause: no preposition joins it, the clause before it is complete, and it is the subject of something."""
    part = parts[place]
    before = next((each for each in reversed(now) if each.text not in ARTICLES), None)
    if part.joined in ("to", "with", "from") or (before and before.text in CONDITIONS):
        return False
    if before and before.role == "word" and before.is_("when") and _verb_in(now, "hold", "delay"):
        return False  # readies an attack as soon as gob moves
    if not (_tells(now) or _aims_only(now)):
        return False
    marked = parts[place - 1].text in (*_WEAK, *_STRONG) or (
        parts[place - 1].is_("filler") and place > 1 and parts[place - 2].text in (*_WEAK, *_STRONG)
    )
    behind = parts[place + 1] if place + 1 < len(parts) else None
    if behind is None:
        return False
    if (
        before is not None
        and before.role == "word"
        and not marked
        and (before.item.is_verb() or before.is_("filler", "to", "towards", "with", "from", "for", "against"))
    ):
        return False
    if parts[place - 1].role == "who" and not any(each.role == "word" and each.item.is_verb() for each in now[1:]):
        return False  # entangle: gob orc restrained
    at = place + 1
    if (
        marked
        and behind.text in ("on", "at", "now at")
        and [each.role for each in parts[at + 1 :]] in (["points"], ["bare"])
    ):
        return True  # hits bo for 18, bo on 12 hp
    if marked and behind.is_("to") and [each.role for each in parts[at + 1 : at + 3]] == ["who", "bare"]:
        return sum(each.role == "who" for each in now) > 1  # orc 1 at bo 8 misses, orc 2 at bo 17 hits
    while (
        at < len(parts)
        and parts[at].role == "word"
        and parts[at].is_("filler", "adverb")
        and not parts[at].item.is_verb()
        and not parts[at].is_("become", "success", "failure")
    ):
        at += 1
    behind = parts[at] if at < len(parts) else behind
    if _rolls_a_save(parts, place, now):
        return True
    if behind.role == "word" and (
        behind.item.is_verb()
        or behind.is_(
            "become",
            "condition",
            "status_dead",
            "status_down",
            "hit",
            "miss",
            "spell",
            "cure",
            "feature",
            "failure",
            "success",
            "save",
            "save_kind",
            "weapon",
            "opportunity",
            "will",
        )
        or (behind.is_("not") and marked)
    ):
        return marked or (behind.item.is_verb(*ACTS, *BEFALLS, "hit", "miss") and not _open_verb(now))
    if behind.role == "word" and behind.is_("not") and _verb_in(now, "save", "succeed", "fail"):
        return all(each.role == "mark" for each in parts[at + 1 : at + 2])  # the chief saves, the worg doesn't
    if behind.role in ("loss", "gain") and marked:
        return True
    told = parts[at + 1] if at + 1 < len(parts) else None
    if marked and behind.role == "bare" and told is not None and told.role == "word" and told.is_("hit", "miss"):
        return _verb_in(now, "strike", "shoot", "hit", "miss") or any(each.is_("hit", "miss") for each in now)
    if behind.role == "roll" and behind.text in ("rolls", "rolled") and marked and _verb_in(now, "cast", "use", "deed"):
        return True  # casts sacred flame on gob, gob rolls 5
    if marked and behind.role == "temporary" and parts[place + 1].text in ("has", "gets", "gains"):
        return True  # gob flees, Bo has 5 temporary hit points
    if marked and any(each.role == "square" for each in now):
        return any(each.role == "square" for each in parts[at : at + 2])
    if behind.text in (":", "'s", ">", "->") and marked:
        return True
    return (
        marked
        and behind.role == "word"
        and behind.is_("to")
        and any(each.role == "who" for each in parts[at : at + 3])
        and not _open_verb(now)
    )


def _aims_only(now: Sequence[Part]) -> bool:
    """Say whether a clause has only somebody on somebody else, which is an attack: Ana on gob."""
    told = [part for part in now if part.role != "mark" and part.text not in (*ARTICLES, "again", "still", "too")]
    return [part.role for part in told] == ["who", "word", "who"] and told[1].text in ("on", "at", "vs", "against")


_SUBJECTS = ("he", "she", "they")
"""The pronouns that are never objects."""


def _begins_with_pronoun(parts: Sequence[Part], place: int, now: Sequence[Part]) -> bool:
    """Say whether he, she or they begin a clause without a mark before them, and it is not about the roll of a blow
    that has no number: stabs gob she is poisoned, shoots gob he got a 19.
    """
    if parts[place].text not in _SUBJECTS or not _tells(now) or now[-1].text in (*CONDITIONS, *_AS):
        return False
    behind = [part for part in parts[place + 1 :] if not (part.role == "word" and part.is_("filler", "adverb"))][:1]
    rolls = _lacks_a_roll(now) and bool(behind) and behind[0].role in ("roll", "bare")
    return place + 1 < len(parts) and parts[place + 1].role == "word" and not rolls


_AS = ("as", "that", "than", "when", "while", "where", "how", "what", "once", "before", "after")
"""Words before a clause that describes another clause and belongs to it."""


def _open_verb(now: Sequence[Part]) -> bool:
    """Say whether the last verb of a clause still lacks its object."""
    return bool(now) and now[-1].role == "word" and now[-1].item.is_verb("strike", "shoot", "hit", "miss", "kill")
