"""The card of the chosen one: what is done from it is counted in clicks and keys, as other trackers are."""

import pytest

from eventstore.events import (
    ActionTaken,
    Amended,
    AttackRolled,
    CombatantJoined,
    ConditionGained,
    DamageDealt,
    RulingMade,
    SaveRolled,
)
from tests.browser.cards import BEGINNING, INPUTS, Joins, begins, events, master
from tests.browser.person import Person
from tests.browser.support import BARRIERS, expect, tells
from tests.encounterlog.service.served import Served
from tests.waiting import until


@pytest.fixture
def gm(joins: Joins, server: Served) -> Person:
    """Return a game master of 5e, whose goblin-1 has the turn."""
    one = master(joins, server, *BEGINNING)
    one.page.wait_for_selector(".deed")
    one.page.evaluate(INPUTS)
    return one


pytestmark = pytest.mark.browser


def inputs(one: Person) -> int:
    found: int = one.page.evaluate("window.inputs")
    return found


def wait(server: Served, kind: type, number: int) -> None:
    """Wait until the log has so many events of a kind."""
    until(lambda: len(events(server, kind)) >= number)


def test_damage_to_one_is_two_clicks_and_says_whose_it_was(gm: Person, server: Served) -> None:
    expect(gm.page.locator("#pad")).to_be_hidden()  # nobody is chosen: it is the turn of goblin-1
    gm.choose("ana")
    gm.page.get_by_role("button", name="7 damage to Ana", exact=True).click()
    wait(server, DamageDealt, 1)
    gm.sees_all()
    assert inputs(gm) == 2
    assert gm.points("ana") == "24 of 31 hp"
    assert events(server, DamageDealt) == [DamageDealt(target="ana", amount=7, source="goblin-1")]


def test_an_attack_of_a_monster_is_three_clicks_and_hits_by_armour_class(gm: Person, server: Served) -> None:
    gm.page.click(".deed:has-text('Scimitar')")
    gm.page.click("[data-target=ana]")
    gm.page.click("#roll-here")
    gm.page.wait_for_selector("#answer .rolled")
    gm.sees_all()
    assert inputs(gm) == 3
    (rolled,) = events(server, AttackRolled)
    face, total = rolled.die.faces[0], rolled.die.faces[0] + 4
    hits = face != 1 and (face == 20 or total >= 12)
    assert rolled.hit is hits
    assert ("misses" in gm.page.inner_text("#answer .rolled")) is not hits
    assert any(("hits" if hits else "misses") in each for each in gm.deeds())
    dealt = events(server, DamageDealt)
    assert len(dealt) == int(hits)
    assert gm.points("ana") == f"{31 - sum(each.amount for each in dealt)} of 31 hp"
    assert [each.action.name for each in events(server, ActionTaken)] == ["scimitar"]


def test_an_attack_of_which_only_the_die_was_typed_hits_by_armour_class(gm: Person, server: Served) -> None:
    for die in ("3", "14"):
        gm.page.click(".deed:has-text('Scimitar')")
        gm.page.click("[data-target=ana]")
        gm.page.get_by_label("d20").fill(die)
        gm.page.keyboard.press("Enter")
        wait(server, AttackRolled, 1 if die == "3" else 2)
        gm.page.wait_for_selector(".blow", state="detached" if die == "3" else "attached")
    gm.page.wait_for_selector(".blow :text('hits Ana')")
    gm.page.locator(".blow").get_by_label("damage").fill("4")
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector(".blow", state="detached")
    gm.sees_all()
    assert [each.hit for each in events(server, AttackRolled)] == [False, True]
    assert gm.points("ana") == "27 of 31 hp"
    assert gm.deeds()[:2] == ["goblin-1 hits Ana for 4: 27 of 31", "goblin-1 misses Ana"]


def test_whether_an_attack_hits_is_asked_for_each_target_if_unknown(gm: Person, server: Served) -> None:
    for name in ("Cy", "Di"):
        gm.tell(f"join {name} party hp=20")
    gm.page.click(".deed:has-text('Scimitar')")
    for who in ("cy", "di"):
        gm.page.click(f"[data-target={who}]")
    gm.page.get_by_label("d20").fill("9")
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector(".blow :text('Does it hit Cy?')")
    gm.page.click(".blow button:text-is('It misses')")
    gm.page.wait_for_selector(".blow :text('Does it hit Di?')")
    gm.page.click(".blow button:has-text('roll damage')")
    gm.page.wait_for_selector(".blow", state="detached")
    gm.sees_all()
    assert [(each.target, each.hit) for each in events(server, AttackRolled)] == [("cy", False), ("di", True)]
    (dealt,) = events(server, DamageDealt)
    assert gm.deeds()[:2] == [f"goblin-1 hits Di for {dealt.amount}: {20 - dealt.amount} of 20", "goblin-1 misses Cy"]


def asked_whether_it_hits(joins: Joins, server: Served) -> Person:
    """Return a game master whom the page asks whether Ana's sword hits, in a game without armour classes."""
    tells(server, "sheet ana weapon=sword", "i ana15 ogre9", "next")
    gm = joins("gm", by="gm")
    gm.page.click(".deed:has-text('sword')")
    gm.page.click("[data-target=ogre]")
    gm.page.click("#roll-here")
    gm.page.wait_for_selector(".blow :text('Does it hit Ogre?')")
    return gm


def test_a_roll_of_which_the_game_cannot_tell_the_hit_gets_the_answer(joins: Joins, server: Served) -> None:
    gm = asked_whether_it_hits(joins, server)
    gm.page.click(".blow button:text-is('It misses')")
    gm.page.wait_for_selector(".blow", state="detached")
    gm.sees_all()
    (amended,) = events(server, Amended)
    assert (amended.replacement.target, amended.replacement.hit) == ("ogre", False)
    assert gm.deeds()[0] == "Ana misses Ogre"


def test_a_question_about_a_roll_waits_on_every_card_and_outlasts_the_page(joins: Joins, server: Served) -> None:
    gm = asked_whether_it_hits(joins, server)
    gm.page.keyboard.press("Escape")
    gm.page.wait_for_selector(".blow", state="detached")
    asked = ".left .deed:has-text('Does it hit Ogre?')"
    gm.page.wait_for_selector(asked)
    gm.choose("ogre")
    gm.page.wait_for_selector(asked)
    for _ in range(2):  # also where it was taken up, and not answered
        gm.page.reload()
        gm.page.click(asked)
        gm.page.wait_for_selector(".blow :text('Does it hit Ogre?')")
    gm.page.click(".blow button:text-is('It misses')")
    gm.page.wait_for_selector(".blow", state="detached")
    expect(gm.page.locator(".left")).to_have_count(0)
    gm.sees_all()
    assert len(events(server, AttackRolled)) == 1
    assert [each.replacement.hit for each in events(server, Amended)] == [False]


def test_a_question_about_a_typed_die_waits_where_another_deed_is_begun(gm: Person, server: Served) -> None:
    gm.tell("join Cy party hp=20")
    gm.page.click(".deed:has-text('Scimitar')")
    gm.page.click("[data-target=cy]")
    gm.page.get_by_label("d20").fill("9")
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector(".blow :text('Does it hit Cy?')")
    gm.page.click(".deeds .deed:has-text('Shortbow')")
    gm.page.wait_for_selector(".blow :text('at whom?')")
    gm.page.click(".left .deed:has-text('Scimitar: 9')")
    gm.page.wait_for_selector(".blow :text('Does it hit Cy?')")
    gm.page.keyboard.press("Escape")
    gm.page.click(".left .end")
    gm.page.wait_for_selector(".left", state="detached")
    gm.page.reload()
    gm.page.wait_for_selector(".deeds")
    expect(gm.page.locator(".left")).to_have_count(0)
    assert events(server, AttackRolled) == []


def test_an_attack_goes_on_after_a_lost_connection_and_rolls_nothing_twice(gm: Person, server: Served) -> None:
    gm.tell("sheet ana ac=2")  # so that every face but a 1 hits
    gm.page.click(".deed:has-text('Scimitar')")
    gm.page.click("[data-target=ana]")
    gm.page.get_by_label("d20").fill("9")
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector(".blow :text('hits Ana')")
    gm.context.set_offline(True)
    gm.page.click(".blow button:text-is('Roll damage')")
    gm.page.wait_for_selector("#answer .wrong:has-text('No connection')")
    gm.context.set_offline(False)
    gm.page.click(".blow button:text-is('Roll damage')")  # it is asked again
    gm.page.wait_for_selector(".blow", state="detached")
    gm.sees_all()
    assert len(events(server, AttackRolled)) == len(events(server, DamageDealt)) == 1


def test_a_spell_that_asks_for_saves_halves_the_damage_of_who_saves(joins: Joins, server: Served) -> None:
    gm = master(
        joins,
        server,
        "join Ana party hp=60 ac=12",
        "join Bo party hp=60 ac=13",
        "join adult-red-dragon foes",
        "r",
        "i adult-red-dragon=20 ana=15 bo=9",
        "next",
    )
    gm.page.click(".deed:has-text('Fire Breath')")
    for who in ("ana", "bo"):
        gm.page.click(f"[data-target={who}]")
    gm.page.get_by_label("Bo saves").check()
    gm.page.locator(".blow").get_by_label("damage").fill("41")
    gm.page.keyboard.press("Enter")
    wait(server, DamageDealt, 2)
    gm.sees_all()
    assert (gm.points("ana"), gm.points("bo")) == ("19 of 60 hp", "40 of 60 hp")
    gm.page.click(".deed:has-text('Fire Breath')")
    gm.page.click("[data-target=ana]")
    gm.page.click("#roll-here")
    wait(server, DamageDealt, 3)
    assert [each.dc for each in events(server, SaveRolled)] == [21]


def test_a_condition_is_given_and_ended_by_a_click_in_the_grid(gm: Person, server: Served) -> None:
    gm.choose("bo")
    gm.page.click("[data-kind=condition]")
    names = gm.page.locator("#grid button").all_text_contents()
    assert len(names) == 15 == len({*names})  # those of the game, and no other word that the log knows
    gm.page.fill("#lasts", "2")
    gm.page.click("[data-condition=prone]")
    wait(server, ConditionGained, 1)
    gm.sees_all()
    assert "prone (2 rounds)" in gm.page.inner_text("#state [data-who=bo]")
    gm.choose("bo")
    gm.page.click(".chip .end")
    gm.page.wait_for_selector("#state [data-who=bo] .chip", state="detached")


def test_twenty_rows_are_in_view_at_800_pixels_and_nothing_covers_them(joins: Joins, server: Served) -> None:
    gm = master(joins, server, "join goblin*19 foes", "join Ana party hp=9")
    rows = gm.page.locator("#state [data-who]")
    assert rows.count() == 20
    boxes = [rows.nth(number).bounding_box() for number in range(20)]
    line = gm.page.locator("#line-form").bounding_box()
    assert line is not None
    assert all(box is not None and box["y"] >= 0 and box["y"] + box["height"] <= line["y"] for box in boxes)


def test_a_monster_of_the_tables_joins_with_four_clicks_and_keys(joins: Joins, server: Served) -> None:
    gm = master(joins, server)
    gm.page.evaluate(INPUTS)
    gm.page.click("[data-start=monsters]")
    gm.page.keyboard.type("og")
    gm.page.wait_for_selector("[data-monster=ogre]")
    gm.page.keyboard.press("Enter")
    gm.page.wait_for_selector("#state [data-who=ogre]")
    assert inputs(gm) == 4
    assert gm.points("ogre") == "59 of 59 hp"


@pytest.mark.parametrize("width", [390, 768])
def test_an_empty_fight_opens_on_its_first_steps(joins: Joins, server: Served, width: int) -> None:
    begins(server, "5e")
    gm = joins("gm", by="gm", how={"viewport": {"width": width, "height": 844}})
    expect(gm.page.locator(".start")).to_be_visible()
    beside = expect(gm.page.locator("#state, #tabs [data-tab=state] >> visible=true"))
    beside.to_have_attribute(
        "id" if width == 768 else "data-tab", "state"
    )  # a tablet has the order beside it, and no tab


def test_the_first_steps_lead_from_an_empty_log_to_the_first_turn(joins: Joins, server: Served, axe: str) -> None:
    gm = master(joins, server)
    gm.page.click("[data-start=party]")
    for typed in ("Ana", "party", "31"):
        gm.page.keyboard.type(typed) if typed != "party" else None
        gm.page.keyboard.press("Tab")
    gm.page.press("#hp", "Enter")
    gm.page.wait_for_selector("#state [data-who=ana]")
    assert [each.sheet["creature"] for each in events(server, CombatantJoined)] == ["character"]
    gm.page.wait_for_function("() => document.activeElement.id === 'newcomer'")  # the next one can be typed
    gm.page.click("#joining .done")
    gm.page.click("[data-start=monsters]")
    gm.page.fill("#search", "gobl")
    gm.page.fill("#how-many", "2")
    gm.page.click("[data-monster=goblin]")
    gm.page.wait_for_selector("#state [data-who=goblin-2]")
    gm.page.evaluate(axe)
    assert gm.page.evaluate(BARRIERS) == []
    gm.page.keyboard.press("Escape")
    gm.page.click("[data-start=round].main")
    gm.page.click("[data-start=initiative].main")
    gm.page.keyboard.type("25")
    gm.page.click("#roll-others")
    gm.page.click("[data-start=begin].main")
    gm.page.wait_for_selector("#state [data-who=ana][aria-current]")
    expect(gm.page.locator(".start")).to_have_count(0)


def test_an_invitation_has_a_link_and_a_code_and_lets_a_player_in(gm: Person, axe: str) -> None:
    gm.page.click("#menu-button")
    gm.page.click("#invite")
    gm.page.click("[data-invite=bo]")
    gm.page.wait_for_selector(".qr path")
    gm.page.evaluate(axe)
    assert gm.page.evaluate(BARRIERS) == []
    link = gm.page.input_value(".invitation input")
    phone = gm.context.browser.new_context(viewport={"width": 390, "height": 780})
    page = phone.new_page()
    page.goto(link)
    page.get_by_role("button", name="Join").click()
    page.wait_for_selector("#card-head h2:has-text('Bo')")
    expect(page.locator("#card")).to_be_visible()
    phone.close()


@pytest.mark.usefixtures("gm")
def test_a_player_gets_the_card_of_nobody_else(server: Served, joins: Joins) -> None:
    player = joins("player", combatants=("bo",), writes=True)
    token, _ = server.token("player", combatants=("bo",))
    with server.client(token, encounter="") as client:
        assert client.get(f"/e/{server.name}/card?who=goblin-1").status_code == 403
        own = client.get(f"/e/{server.name}/card?who=bo")
        assert own.status_code == 200
        assert "others" not in own.json()
    player.choose("goblin-1")
    expect(player.page.locator(".deed, #card-controls:visible")).to_have_count(0)


def test_a_drag_in_the_order_moves_and_says_so(gm: Person) -> None:
    gm.page.drag_and_drop("#state [data-who=goblin-2]", "#state [data-who=bo]")
    gm.page.wait_for_selector("#state li:nth-child(3)[data-who=goblin-2]")
    gm.page.wait_for_selector("#events :text('moved in the order'), #events :text('ruling')")


def side(one: Person, who: str) -> str:
    one.choose(who)
    found: str = one.page.inner_text("#side-of")
    return found


def test_a_monster_changes_sides_by_a_click_and_a_key_and_back_by_undo(gm: Person, server: Served) -> None:
    assert side(gm, "goblin-2") == "foes"
    gm.page.click("#side-of")
    expect(gm.page.locator("#line")).to_have_value("goblin-2 changes sides")
    gm.page.keyboard.press("Enter")
    wait(server, RulingMade, 1)
    gm.sees_all()
    assert [one.values for one in events(server, RulingMade)] == [{"goblin-2.side": "party"}]
    assert side(gm, "goblin-2") == "party"
    gm.tell("undo")
    assert side(gm, "goblin-2") == "foes"


def test_a_line_says_on_which_side_a_monster_is_and_players_see_it(gm: Person, joins: Joins) -> None:
    bo = joins("player", combatants=("bo",))
    gm.tell("goblin-1 and goblin-2 are on the side raiders")
    assert [side(gm, who) for who in ("goblin-1", "goblin-2")] == ["raiders", "raiders"]
    bo.sees_all()
    bo.page.wait_for_selector(".who")
    expect(bo.page.locator("#side-of")).to_have_count(0)


def test_of_a_value_what_was_only_looked_at_is_asked_for_and_stands_folded(gm: Person) -> None:
    gm.tell("ana casts bless on bo")
    gm.choose("ana")
    gm.page.click("#card [data-address='ana.concentration']")
    gm.page.wait_for_selector("#because details")
    assert gm.page.inner_text("#because summary").startswith("Also looked at: ")
