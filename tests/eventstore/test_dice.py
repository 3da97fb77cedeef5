"""Fair dice by the scheme of FORMAT.md: its test vectors, and no face more probable than another."""

import re
from collections import Counter
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

import eventstore
from eventstore.dice import LENGTH, faces_of_link, link_of, steps_between
from eventstore.errors import Malformed
from eventstore.form import event_of, read_json
from tests.eventstore import dice_verifier

SECRET = sha256(b"encounterlog test secret").digest()
FORMAT = Path(eventstore.__file__).with_name("FORMAT.md").read_text(encoding="utf-8")
VECTORS = re.findall(r"^\| (\d) \| `(\w{64})` \| `(.+)` \| `(\d*)d(\d+)` \| ([\d, ]+) \|$", FORMAT, re.MULTILINE)


def test_the_page_on_the_format_has_three_vectors_of_a_chain() -> None:
    assert [number for number, *_ in VECTORS] == ["1", "2", "3"]
    assert SECRET.hex() in FORMAT
    assert link_of(SECRET, 0).hex() in FORMAT


@pytest.mark.parametrize(("number", "link", "word", "count", "sides", "shown"), VECTORS)
def test_a_vector_of_the_page_is_what_both_implementations_draw(
    number: str, link: str, word: str, count: str, sides: str, shown: str
) -> None:
    wanted = tuple(map(int, shown.split(", ")))
    given = link_of(SECRET, int(number))
    assert given.hex() == link
    assert faces_of_link(given, int(number), word, int(sides), int(count or 1)) == wanted
    assert tuple(dice_verifier.faces(given, int(number), word, int(sides), int(count or 1))) == wanted


def test_each_link_is_the_hash_of_the_next_one_up_to_the_secret() -> None:
    links = [link_of(SECRET, number, 20) for number in range(21)]
    assert links[-1] == SECRET
    assert all(sha256(later).digest() == earlier for earlier, later in pairwise(links))
    with pytest.raises(ValueError, match="the chain has 20 links, and roll 21 is beyond them"):
        link_of(SECRET, 21, 20)


def test_the_distance_of_two_links_is_known_where_one_follows_the_other() -> None:
    first, third = link_of(SECRET, 1), link_of(SECRET, 3)
    assert steps_between(first, third, 5) == 2
    assert steps_between(first, first, 0) == 0
    assert steps_between(third, first, 5) is None
    assert steps_between(first, third, 1) is None


def test_values_that_would_favour_low_faces_are_skipped() -> None:
    """With 3 · 2^30 sides a quarter of all values is beyond the largest multiple; taken all the same, faces of the first third would come twice as often."""
    sides = 3 << 30
    shown = faces_of_link(link_of(SECRET, 1), 1, "ford", sides, 600)
    thirds = Counter((face - 1) * 3 // sides for face in shown)
    assert all(160 <= thirds[third] <= 240 for third in range(3)), thirds


def test_faces_of_many_rolls_are_spread_evenly() -> None:
    counts = Counter(faces_of_link(link_of(SECRET, LENGTH - 1), number, "word", 20, 1)[0] for number in range(4000))
    assert sorted(counts) == list(range(1, 21))
    chi = sum((count - 200) ** 2 / 200 for count in counts.values())
    assert chi < 43.8  # the value that 19 degrees of freedom exceed in one of a thousand cases


def test_another_word_number_or_link_gives_other_faces() -> None:
    link, other = link_of(SECRET, 1), link_of(SECRET, 2)
    shown = {
        faces_of_link(*given, 1000, 6) for given in ((link, 1, "a"), (link, 1, "b"), (link, 2, "a"), (other, 1, "a"))
    }
    assert len(shown) == 4


def test_a_link_that_is_no_hash_is_malformed() -> None:
    with pytest.raises(Malformed, match="link"):
        event_of(read_json('{"type":"dice_committed","holder":"gm","link":"ABC"}'))
