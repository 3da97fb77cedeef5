"""Titles and adjectives before a name, which say nothing that a fact holds: Sir Bo, the ugly orc, poor old Ana."""

from collections.abc import Sequence

from projections.reader.dictionary import listed
from projections.reader.tags import Item

TITLES = frozenset(
    listed(
        """
    sir, ser, lord, lady, dame, madam, madame, mistress, master, mister, mr, mr., mrs, mrs., ms, dr, dr., doctor, brother, sister, father, mother, uncle, aunt,
    auntie, granny, grandpa, saint, st, st., king, queen, prince, princess, baron, baroness, duke, duchess, reverend, abbot, abbess, captain, cap'n, capt, capt.,
    sergeant, sgt, sgt., lieutenant, lt, lt., commander, professor, prof, prof., brave sir, good sir, ol', ole, comrade, cousin
    """
    )
)
ADJECTIVES = frozenset(
    listed(
        """
    poor, brave, bold, noble, valiant, fearless, gallant, heroic, mighty, sturdy, stout, burly, hulking, lanky, lumbering, towering, massive, huge, enormous, big, little,
    small, tiny, tall, fat, skinny, scrawny, plump, stocky, bulky, beefy, muscular, ugly, hideous, foul, filthy, dirty, smelly, stinky, stinking, rotten, rotting, mangy, scruffy, ragged,
    grimy, greasy, slimy, hairy, scaly, toothy, bearded, bald, one-eyed, scarred, lame, old, aged, elderly, wily, crafty, cunning, clever, sly, sneaky, stupid, dumb, dim-witted,
    foolish, silly, hapless, unlucky, lucky, unfortunate, wretched, miserable, pathetic, puny, feeble, cowardly, craven, timid, nervous, frantic, desperate, weary,
    angry, furious, enraged, irate, grumpy, surly, sullen, snarling, growling, roaring, howling, screaming, screeching, hissing, drooling, slavering, leering, grinning, cackling,
    sneering, charging, advancing, approaching, oncoming, lunging, attacking, fleeing, retreating, staggering, limping, wounded, injured, hurt, battered, bruised, bloody, bleeding,
    vicious, savage, ferocious, fierce, brutal, cruel, nasty, mean, evil, wicked, vile, dread, dreaded, terrible, dreadful, fearsome, deadly, dangerous, annoying, pesky, irritating, damned,
    damn, bloody, goddamn, stubborn, stoic, calm, quiet, loyal, faithful, trusty, good, dear, beloved, lovely, beautiful, pretty, handsome, graceful, nimble, agile, quick, swift, slow,
    nearest, closest, armored, armoured, unarmored, armed, unarmed, heavily armored, cloaked, hooded, masked, robed, startled, confused-looking, shocked, bewildered-looking, hungry, thirsty, drunken, drunk, sleepy,
    tired, exhausted-looking, mad, crazy, crazed, wild-eyed, insane, remaining, surviving, last remaining, last surviving, would-be, unsuspecting, unwitting, helpless-looking, gigantic, colossal, monstrous
    """
    )
)
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
    return plain and (item.text in TITLES or item.text in ADJECTIVES)
