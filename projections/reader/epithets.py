"""Titles and adjectives before a name, which say nothing that a fact holds: Sir Bo, the ugly orc, poor old Ana."""

from collections.abc import Sequence

from projections.reader.dictionary import listed
from projections.reader.tags import Item

EPITHETS = frozenset(
    listed(
        """
    sir, ser, lord, lady, dame, madam, madame, mistress, mister, mr, mr., mrs, mrs., ms, dr, dr., doctor, brother, sister, father, mother, uncle,
    aunt, auntie, granny, grandpa, saint, st, st., king, queen, prince, princess, baron, baroness, duke, duchess, reverend, abbot, abbess, captain,
    cap'n, capt, capt., sergeant, sgt, sgt., lieutenant, lt, lt., commander, professor, prof, prof., ol', ole, comrade, cousin,
    brave, bold, noble, valiant, fearless, gallant, heroic, sturdy, stout, burly, hulking, lanky, towering, enormous, little, small, tall, fat,
    skinny, scrawny, plump, stocky, bulky, beefy, muscular, ugly, hideous, foul, filthy, dirty, smelly, stinky, stinking, rotten, rotting, mangy,
    scruffy, ragged, grimy, greasy, slimy, hairy, scaly, toothy, bearded, bald, one-eyed, scarred, lame, old, aged, elderly, wily, crafty, cunning,
    clever, sly, sneaky, stupid, dumb, dim-witted, foolish, silly, hapless, unlucky, lucky, unfortunate, wretched, cowardly, craven, timid, nervous,
    frantic, desperate, weary, angry, furious, irate, grumpy, surly, sullen, snarling, screeching, hissing, drooling, slavering, leering, grinning,
    cackling, sneering, oncoming, bruised, bloody, vicious, ferocious, fierce, evil, wicked, vile, dread, dreaded, fearsome, deadly, dangerous,
    annoying, pesky, irritating, damned, damn, goddamn, stubborn, stoic, calm, quiet, loyal, faithful, trusty, dear, beloved, pretty, handsome,
    graceful, nimble, agile, quick, swift, nearest, closest, armored, armoured, unarmored, armed, unarmed, cloaked, hooded, masked, robed, startled,
    confused-looking, bewildered-looking, hungry, thirsty, drunken, sleepy, exhausted-looking, mad, crazy, crazed, wild-eyed, remaining, surviving,
    would-be, unsuspecting, unwitting, helpless-looking, gigantic, colossal
    """
    )
)
"""Titles, and adjectives beside those that praise a number."""
_STATES = frozenset(["condition", "status_dead", "status_down", "both", "everyone", "not", "except"])


def without_epithets(items: Sequence[Item]) -> list[Item]:
    """Return items without the titles and adjectives right before the name of one combatant."""
    made: list[Item] = []
    for item in items:
        if item.who and not item.who.plural:
            while made and _describes(made[-1]):
                made.pop()
        made.append(item)
    return made


def _describes(item: Item) -> bool:
    """Say whether a word before a name only describes whom it names, and is no state, name or verb of its own."""
    plain = item.kind == "word" and item.who is None and not item.is_(*_STATES) and not item.is_verb()
    return plain and (item.text in EPITHETS or item.is_("praise"))
