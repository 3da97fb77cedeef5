"""python -m tests.tools.campaigns [NAME…] [--seed N] [--at-once N]: runs what is drawn by chance, and prints what each campaign said.

`.ci/run` always runs the same; here another seed draws other examples, places, fights and faults. A nightly run takes its number
as the seed. The exit code is 1 if a campaign found something.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

ROOMS = ("plain", "osric", "nameless-journey", "semiautomagic", "vile-darkness", "definition-master", "mechanics", "folds", "scheduling",
         "judging")  # fmt: skip
"""The rooms of which places are changed: all but the store and the language, whose tests take minutes."""
JUDGED = ("plain", "osric", "nameless-journey", "semiautomagic")
"""The rulesets whose reasons are judged as a whole; those of the others take an hour."""
CAMPAIGNS = {
    "chance": "pytest -n 0 -m hypothesis --hypothesis-profile=ci --hypothesis-seed={seed}", "turns": "pytest -n 1 -m slow --hypothesis-seed={seed}",
    "faults": "tests.faults --short --parts 3 --part {seed}", "places": "tests.tools.unnoticed --places {room} --sample 5 --jobs 1 --seed {seed}",
    "reasons": "tests.tools.reasons {judged}", "causes": "tests.tools.causes --rounds 25", "lawful": "tests.lawful --rounds 50 --seed {seed}",
    "hidden": "tests.hidden --logs 200 --first {seed}", "assistant": "tests.hidden --assistant --logs 100 --first {seed}",
    "mutations": "tests.language.mutations 5000 {seed}",
}  # fmt: skip
"""Each campaign as the words behind `python -m`."""


def command(name: str, seed: int) -> list[str]:
    """Return the words behind `python -m` that run a campaign with a seed."""
    return CAMPAIGNS[name].format(seed=seed, room=ROOMS[seed % len(ROOMS)], judged=JUDGED[seed % len(JUDGED)]).split()


def run(name: str, seed: int) -> bool:
    """Run a campaign, print what it said, and return whether it found nothing."""
    words, start = command(name, seed), time.monotonic()
    own = os.environ | {"LAWFUL_SEED": str(seed)}
    done = subprocess.run([sys.executable, "-m", *words], env=own, capture_output=True, text=True, check=False)
    verdict = "nothing found" if done.returncode == 0 else f"FAILED with exit code {done.returncode}"
    print(f"=== {name}: {verdict} in {time.monotonic() - start:.0f} s: python -m {' '.join(words)}")
    print(done.stdout, done.stderr, sep="", flush=True)
    return done.returncode == 0


def main(words: Sequence[str] | None = None) -> int:
    """Run the campaigns that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.campaigns", description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CAMPAIGNS))
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--at-once", type=int, default=2, metavar="N", help="how many are run side by side")
    asked = parser.parse_args(words)
    if unknown := [name for name in asked.names if name not in CAMPAIGNS]:
        parser.error(f"there is no campaign {unknown[0]}; there are {', '.join(CAMPAIGNS)}")
    with ThreadPoolExecutor(asked.at_once) as threads:
        clean = [*threads.map(run, asked.names or CAMPAIGNS, [asked.seed] * len(CAMPAIGNS))]
    return 0 if all(clean) else 1


if __name__ == "__main__":
    sys.exit(main())
