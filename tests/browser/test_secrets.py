"""The box of a game master by which what is sent is kept from players: every way of sending, ticked and not."""

import re
from collections.abc import Callable, Iterator

import pytest

from eventstore.record import Recorded
from projections.language.notation.line_context import ClockFact
from tests.browser.cards import Joins
from tests.browser.person import Person
from tests.browser.support import expect
from tests.encounterlog.service.served import Served

pytestmark = pytest.mark.browser

Way = Callable[[Person], object]
GREMLINS = (
    b'side = "foes"\n[[member]]\nname = "Gremlin"\nsheet = {hp = 3}\n[[member]]\nname = "Imp"\nsheet = {hp = 2}\n'
)


def types(line: str) -> Way:

    def do(gm: Person) -> None:
        gm.page.fill("#line", line)
        gm.page.press("#line", "Enter")

    return do


def types_and_clicks(gm: Person) -> None:
    gm.page.fill("#line", "ogre -1")
    gm.page.click("#send")


def brings_back(gm: Person) -> None:
    gm.page.fill("#line", "")
    gm.page.press("#line", "ArrowUp")
    gm.page.press("#line", "Enter")


def takes_an_offer(gm: Person) -> None:
    types("ogre takess 1")(gm)
    gm.page.click("#answer .offers button:has-text('ogre takes 1')")


def hand(kind: str, *those: str, fills: dict[str, str] | None = None, choice: str = "") -> Way:
    """Choose rows, say what happens to them, and send it."""

    def do(gm: Person) -> None:
        gm.choose(*those)
        gm.page.click(f"[data-kind={kind}]")
        for name, value in (fills or {}).items():
            gm.page.fill(f"#{name}", value)
        if choice:
            gm.page.click(f"#choices button:text-is('{choice}')")
        gm.page.click("#send")

    return do


def acts(gm: Person) -> None:
    gm.choose("ana")
    gm.page.click("[data-kind=acts]")
    gm.choose("ogre")
    gm.page.keyboard.type("14 1")
    gm.page.keyboard.press("Enter")


def rolls_for_the_others(gm: Person) -> None:
    """Roll initiative for those who have none, which is sent at once."""
    gm.page.focus("#next")
    gm.page.keyboard.press("i")
    gm.page.click("#roll-others")


def panel(key: str, fills: dict[str, str]) -> Way:

    def do(gm: Person) -> None:
        gm.page.focus("#next")
        gm.page.keyboard.press(key)
        for name, value in fills.items():
            gm.page.fill(name, value)
        gm.page.click("#send")

    return do


def reads_a_file(*, ticks_later: bool) -> Way:
    """Let those of a file join; the box is ticked, or not, before or after the file was read."""

    def do(gm: Person) -> None:
        ticked = gm.page.is_checked("#secret")
        gm.page.set_checked("#secret", ticked and not ticks_later)
        gm.page.focus("#next")
        gm.page.keyboard.press("j")
        gm.page.set_input_files("#block", {"name": "band.toml", "mimeType": "text/plain", "buffer": GREMLINS})
        gm.page.wait_for_selector("#lineup pre")
        if ticked and ticks_later:
            gm.page.check("#secret")
            gm.page.wait_for_selector("#lineup :text('secret join')")
        gm.page.click("#tell-all")

    return do


def corrects(kind: str, line: str) -> Way:

    def do(gm: Person) -> None:
        gm.unfold()
        gm.page.locator("#events li:has-text('takes 1 damage') .correct").last.click()
        expect(gm.page.locator("#line")).to_have_value(re.compile("^amend"))
        gm.page.click(f"[data-correction={kind}]")
        gm.page.focus("#line")
        gm.page.keyboard.press("End")
        gm.page.keyboard.type(line)
        gm.page.keyboard.press("Enter")

    return do


def key(letter: str) -> Way:

    def do(gm: Person) -> None:
        gm.page.focus("#next")
        gm.page.keyboard.press(letter)

    return do


WAYS: tuple[tuple[str, Way], ...] = (
    ("a line", types("ogre -1")),
    ("a remark", types('" The bridge creaks.')),
    ("several sentences", types("ana hits ogre for 1, ogre misses ana")),
    ("the button behind the line", types_and_clicks),
    ("a line that was brought back", brings_back),
    ("an offer", takes_an_offer),
    ("damage", hand("damage", "ana", "ogre", fills={"amount": "1"})),
    ("healing", hand("healing", "ana", fills={"amount": "1"})),
    ("a condition", hand("condition", "ogre", fills={"condition": "prone"})),
    ("the end of a condition", hand("condition", "ogre", choice="no longer prone")),
    ("a roll", hand("rolls", "ana", fills={"purpose": "stealth", "thrown": "d20"})),
    ("hiding", hand("sight", "ogre")),
    ("an act", acts),
    ("initiative", panel("i", {"[data-roll=ana]": "15"})),
    ("initiative of the others", rolls_for_the_others),
    ("the order", hand("order", "ana", fills={"total": "3"})),
    ("a newcomer", panel("j", {"#newcomer": "Zed", "#side": "foes", "#hp": "5"})),
    ("several newcomers", panel("j", {"#newcomer": "3 bats", "#side": "foes", "#hp": "2"})),
    ("a file", reads_a_file(ticks_later=False)),
    ("a file that was read before", reads_a_file(ticks_later=True)),
    ("an amendment", corrects("amend", "0")),
    ("a strike", corrects("strike", "")),
    ("an insertion", corrects("insert", "ana -1")),
    ("the next turn", key("n")),
    ("undo", key("u")),
    ("redo", key("y")),
    ("the button of the next turn", lambda gm: gm.page.click("#next")),
    ("the end of the round", key("e")),
    ("the beginning of the round", key("r")),
    ("somebody who leaves", hand("leaves", "ogre")),
)  # fmt: skip


def records(server: Served) -> list[Recorded]:
    return list(server.shelf.store(server.name).read())


def sentences(one: Person) -> list[str]:
    """Return the log that a page shows, without the numbers, as players count only what they know, and without the points of foes."""
    return [re.sub(r" with \d+ hp$", "", each.partition(" ")[2]) for each in one.told()]


def sent(gm: Person, server: Served, way: Way, *, ticked: bool) -> list[Recorded]:
    """Send something in one of the ways, with the box ticked or not, and return what was recorded."""
    before = len(records(server))
    gm.page.evaluate("document.getElementById('answer').replaceChildren()")
    gm.page.set_checked("#secret", ticked)
    way(gm)
    gm.page.wait_for_selector("#answer pre:not([aria-hidden])", timeout=15_000)
    gm.sees_all()
    return records(server)[before:]


def kept(written: list[Recorded]) -> list[str]:
    """Return what the page says of how much of a line was kept from players."""
    secret = sum(each.secret for each in written)
    if secret == len(written):
        return ["Kept from players."]
    return [f"Kept from players: {secret} of {len(written)} facts."] if secret else []


CLOCK = re.compile(r"round \d+ (begins|is over)|the round is over|the turn of", re.IGNORECASE)
"""That the clock moves is no secret."""


@pytest.fixture
def proposer(server: Served) -> Iterator[Callable[[str], None]]:
    """Return the function by which a player proposes a line."""
    token, _ = server.token("player", combatants=("ana",), by="Ann", writes=True)
    with server.client(token) as client:

        def propose(line: str) -> None:
            assert client.post("/lines", json={"line": line}).status_code == 202

        yield propose


@pytest.mark.parametrize("ticked", [True, False])
def test_whatever_is_sent_under_the_ticked_box_is_secret_nothing_else(
    joins: Joins, server: Served, proposer: Callable[[str], None], *, ticked: bool
) -> None:
    gm, player = joins("gm", by="gm"), joins("player", combatants=("ana",))
    first, told = len(records(server)), sentences(player)

    def accepts(gm: Person) -> None:
        proposer("ana hits ogre for 1")
        gm.page.click("#proposals button:text-is('Accept')")

    for name, way in (("a proposal", accepts), *WAYS):
        written = sent(gm, server, way, ticked=ticked)
        assert [each.secret for each in written] == [
            ticked and not isinstance(each.event, ClockFact) for each in written
        ], name
        assert written, name
        assert gm.page.locator("#answer .kept").all_inner_texts() == kept(written), name
        expect(gm.page.locator("#secret")).not_to_be_checked()
    token, _ = server.token("player", combatants=("ana",))
    with server.client(token) as client:
        withheld = [b'"event"' not in line for line in client.get("/records").content.splitlines()]
    assert withheld == [each.secret for each in records(server)]
    assert len(withheld) > first + len(WAYS) - 2
    player.sees_all()
    news = sentences(player)
    if ticked:
        assert [each for each in news if not CLOCK.search(each) and each not in told] == []
    else:
        assert news == sentences(gm)
    assert bool([body for body in player.received if b"Gremlin" in body or b"creaks" in body]) is not ticked


def test_the_box_is_red_while_ticked_until_something_was_written(joins: Joins, server: Served) -> None:
    gm = joins("gm", by="gm")
    colour = "getComputedStyle(document.getElementById('hide')).color"
    before = gm.page.evaluate(colour)
    gm.page.fill("#line", "ogre -1")
    gm.page.wait_for_selector("#will pre")
    assert "(secret)" not in gm.page.inner_text("#will")
    gm.page.focus("#next")
    gm.page.keyboard.press("s")
    gm.page.wait_for_selector("#will :text('(secret)')")
    assert gm.page.evaluate(colour) != before
    for line, answer in (("ogre takess 1", ".wrong"), ("?ogre", "pre:not([aria-hidden])")):
        gm.page.evaluate("document.getElementById('answer').replaceChildren()")
        types(line)(gm)
        gm.page.wait_for_selector(f"#answer {answer}")
        assert gm.page.is_checked("#secret"), line
    assert [each.secret for each in sent(gm, server, types("ogre -1"), ticked=True)] == [True]
    assert gm.page.evaluate(colour) == before


def test_what_the_page_sends_of_a_hidden_one_is_secret_the_round_is_not(joins: Joins, server: Served) -> None:
    gm, player = joins("gm", by="gm"), joins("player", combatants=("ana",))
    gm.tell("secret join Wraith foes hp=9")
    for way, line, secrets in (
        (panel("i", {"[data-roll=ana]": "9", "[data-roll=ogre]": "5", "[data-roll=wraith]": "15"}), "i ana=9 ogre=5 wraith=15", 1),
        (key("r"), "", 0),
        (key("n"), "", 1),
        (key("e"), "", 0),
        (key("r"), "", 0),
        (hand("damage", "ogre", "wraith", fills={"amount": "2"}), "ogre,wraith -2", 1),
        (hand("condition", "wraith", fills={"condition": "prone"}), "wraith is prone", 1),
        (hand("leaves", "wraith"), "wraith leaves", 1),
    ):  # fmt: skip
        written = sent(gm, server, way, ticked=False)
        assert sum(each.secret for each in written) == secrets, written
        assert ("kept from players: Wraith is hidden" in gm.page.inner_text("#answer pre")) is bool(secrets)
        gm.page.press("#line", "ArrowUp")
        assert not line or gm.page.input_value("#line") == line
        gm.page.fill("#line", "")
    player.sees_all()
    assert player.page.inner_text("#clock") == gm.page.inner_text("#clock") == "Round 3"
    assert not [body for body in player.received if b"raith" in body]


def test_what_players_can_infer_is_said_once(joins: Joins) -> None:
    gm = joins("gm", by="gm")
    infers = gm.page.locator("#answer :text('can infer that somebody is hidden')")
    gm.tell("secret join wraith foes hp=9")
    expect(gm.page.locator("#events li:has-text('wraith joins') em")).to_have_text("(secret)")
    gm.tell("turn wraith")
    expect(infers).to_contain_text("a turn of nobody")
    gm.tell("wraith hits ana -3")
    expect(infers).to_contain_text("damage from nobody")
    gm.tell("wraith hits ana -2")
    expect(gm.page.locator("#answer .kept")).to_be_visible()
    expect(infers).to_have_count(0)
