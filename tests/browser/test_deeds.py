"""Deeds on an exported page: a sentence each, whose facts fold out."""

from pathlib import Path

import pytest

from tests.browser.conftest import FOUGHT, Open
from tests.browser.support import BARRIERS, expect, exported
from tests.encounterlog.support import log_of

pytestmark = pytest.mark.browser


def test_a_deed_is_one_sentence_and_its_facts_fold_out(folder: Path, show: Open, axe: str) -> None:
    log = log_of(folder / "deeds.jsonl", FOUGHT + BLOW, "plain", "The ford")
    page = show(exported(log), "#e1")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    deeds = page.locator("#events > li.deed summary").all_inner_texts()
    assert deeds == ["Ana hits Ogre for 6: 14 of 20"]
    facts = page.locator("#events .deed ol li")
    assert facts.count() == 3
    expect(facts.first).to_be_hidden()
    page.click("#events .deed summary")
    expect(facts.first).to_be_visible()
    page.evaluate(axe)
    assert page.evaluate(BARRIERS) == []
    page.click("#events .deed summary")
    page.evaluate("location.hash = '#e6'")  # an event that is linked to is seen
    page.wait_for_selector("#events [aria-current] a[href='#e6']", state="visible")
    page.keyboard.press("PageUp")
    expect(facts.first).to_be_hidden()


BLOW = """\
{"type":"action_taken","combatant":"ana","action":"attack"}
{"type":"attack_rolled","combatant":"ana","target":"ogre","hit":true,"cause":-1}
{"type":"damage_dealt","target":"ogre","amount":6,"cause":-1}
"""
