"""What the tests of golden exports share with others."""

from pathlib import Path

from tests.projections.stage import FIXTURES

FIGHTS = {
    "osric": FIXTURES / "osric/s01-halvaine-twice.enc",
    "vile-darkness": FIXTURES / "vile-darkness/s03-a-tie-in-the-wrong-order.enc",
    "nameless-journey": FIXTURES / "nameless-journey/s01-one-plain-round.enc",
    "semiautomagic": FIXTURES / "semiautomagic/s02-draws-draws-again-and-late-arrivals-that-draw.enc",
    "definition-master": FIXTURES / "definition-master/s07-criticals.enc",
    "plain": Path(__file__).with_name("ford.enc"),
}
