"""`why`: the answers as people read them, short, in full and as JSON; questions that are none."""

import json
from pathlib import Path

import pytest
from msgspec import structs
from syrupy.assertion import SnapshotAssertion

from encounterlog.ask import why as explanations, why as page
from encounterlog.ask.why import facts_in_sentences
from encounterlog.words.layout import width
from projections.explaining.past import Past
from projections.explaining.striking import WORK
from projections.explaining.why import Able, Value, explain_value, weigh_answers
from projections.folds.addresses import all_addresses
from projections.proving.proof import records_of
from projections.time import Where
from tests.encounterlog.fights import fixture
from tests.encounterlog.support import append, encounter, log_of, log_of_lines, opened
from tests.projections.logs import fact, hit, joins, records
from tests.projections.stage import one_in, script, scripts

TEN = "osric/s12-ten-in-three-rounds"
QUESTIONS = (
    ("bram.segment", "--at", "r2s3"), ("ada.hp",), ("ada.hp", "--short"), ("ada", "cannot", "act"), ("order", "--short"),
    ("bram", "before", "gog", "--at", "60"), ("gog", "before", "ada", "--at", "r3", "--short"),
    ("halvaine.casting", "--at", "80"), ("ada.status", "--all"), ("turn",), ("options.tie-handling",),
)  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_an_answer(folder: Path, snapshot: SnapshotAssertion, question: tuple[str, ...]) -> None:
    done = encounter("why", fixture(folder, TEN), *question)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "--all" in question or len(done.stdout.splitlines()) <= 12
    assert done.stdout == snapshot


def test_waivers_sheets_and_corrections_are_named_in_answers(folder: Path) -> None:
    log = fixture(folder, "definition-master/s15-two-grapples")
    assert encounter("ruling", log, "waiver", "the rope held", "--event", "57").exit_code == 0
    told = " ".join(encounter("why", log, "finding", "@57").stdout.split())
    assert "It is waived: " in told
    assert "the rope held" in told
    joined = '{"type":"combatant_joined","combatant":"ana","sheet":{"hp":14,"ac":16,"size":"small"}}'
    log = log_of(folder / "a.jsonl", joined, "5e")
    assert "the sheet of ana says size small" in encounter("why", log, "what is ana's size").stderr
    assert "the armor class on the sheet: 16" in encounter("why", log, "what is ana's ac").stdout
    for word in ("__class__", "__doc__", "sheet"):
        assert "sheet of ana" not in encounter("why", log, f"what is ana's {word}").stderr
    log = log_of(folder / "a-3.jsonl", CORRECTED, "plain")
    told = " ".join(encounter("why", log, "ana.hp").stdout.split())
    assert "14 - 1 = 13: Ana\\x1b[31m takes 1 damage from bo (no cause was recorded) (event 4, as amended by 7)" in told
    assert "A correction decided: event 5 is struck (she parried) by event 6 (gm); without that it would be 6." in told
    assert (
        "event 4 is amended by event 7 (gm): Ana\\x1b[31m takes 1 damage from bo (misread); without that it would be 10."
        in told
    )
    assert "A correction" not in encounter("why", log, "ana.hp", "--as-of", "5").stdout
    assert "A correction" not in encounter("why", log, "bo.hp").stdout


@pytest.mark.slow
def test_every_value_of_every_encounter_is_explained_in_twelve_lines(whole: bool) -> None:
    asked = 0
    plays = [play for path in scripts() for play in script(path)]
    for play in plays if whole else one_in(36, plays, 8):
        records = records_of(play)
        for where in (None, Where(seq=len(records) // 2)):
            past = Past(records, where)
            able = [[who, "cannot", "act"] for who in past.state.combatants]
            for question in (*([address] for address in all_addresses(past.state)), *able):
                answers = explanations.answer_question(past, question, thorough=False, variants=False)
                assert not isinstance(answers[0], Able) or answers[0].due or answers[0].hindrances, question
                lines = page.format_answers(answers, past.state, every=False)
                assert 1 < len(lines) <= 12, question
                assert max(map(width, lines)) <= 98
                assert len(page.answers_as_sentences(answers, past.state)) == 1
                asked += 1
    assert asked > 100


CORRECTED = """\
{"type":"combatant_joined","combatant":"ana","name":"Ana\\u001b[31m","sheet":{"hp":14}}
{"type":"combatant_joined","combatant":"bo","sheet":{"hp":9}}
{"type":"damage_dealt","target":"ana","amount":4,"source":"bo"}
{"type":"damage_dealt","target":"ana","amount":7,"source":"bo"}
{"type":"struck","event":5,"reason":"she parried"}
{"type":"amended","event":4,"replacement":{"type":"damage_dealt","target":"ana","amount":1,"source":"bo"},"reason":"misread"}
"""


@pytest.mark.parametrize(("question", "says"), [
    ((), "no question\nhint: ask for an address"),
    (("heroes",), "which value of heroes? Say heroes.surprise, or another: segment\nhint"),
    (("no.such.clause",), "no clause or combatant is called no.such.clause\nhint: ask for"),
    (("log.joinin",), "no clause or combatant is called log.joinin (did you mean log.joining"),
    (("ada", "before", "gok"), "there is no combatant gok\nhint: did you mean gog?"),
    (("ada", "before", "ada"), "ada is named twice"),
    (("finding", "999"), "there is no finding 999 here\nhint: encounter audit FILE numbers them"),
    (("ada.hp", "--at", "9999"), "WHERE: this log has no record 9999\nhint: it ends at 110"),
    (("\x1b[31m",), "there is no value \\x1b[31m here"),
])  # fmt: skip
def test_what_is_no_question_ends_with_2_and_a_hint(folder: Path, question: tuple[str, ...], says: str) -> None:
    done = encounter("why", fixture(folder, TEN), *question)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"encounter: {says}")


# ---------------------------------------------------------------- disputed states

CELLAR = """\
{"type":"combatant_joined","combatant":"ana","name":"Ana","sheet":{"hp":18}}
{"type":"combatant_joined","combatant":"kex","name":"Kex","sheet":{"hp":22}}
{"type":"action_taken","combatant":"kex","action":{"kind":"attack","name":"axe","targets":["ana"]}}
{"type":"damage_dealt","target":"ana","amount":8,"cause":-1}
{"type":"checked","values":{"ana.hp":10}}
{"type":"action_taken","combatant":"kex","action":{"kind":"attack","name":"axe","targets":["ana"]}}
{"type":"damage_dealt","target":"ana","amount":7,"cause":-1}
{"type":"checked","values":{"ana.hp":6}}
{"type":"checked","values":{"ana.hp":10}}
"""


def test_of_a_disputed_state_it_says_where_the_two_accounts_part(folder: Path) -> None:
    log = log_of(folder / "cellar.jsonl", CELLAR, "plain")
    told = encounter("audit", log).stdout
    assert told.endswith("where a stated value and the facts differ: encounter why FILE finding 1\n")
    assert encounter("why", log, "finding", "2").stdout.startswith("""\
ana.hp is stated as 10, but the facts give 3. It is a breach, finding 2 of the audit, at event 10.
Expected 3 hp, found 10 hp.
Both accounts of ana.hp last agreed at event 6, on 10.
They have differed since the statement of event 9.
    8  10 -> 3 by gm: Ana takes 7 damage after Kex attacks Ana with an axe
They differ from event 8 on: 3 by the facts, 10 as stated.
Without event 8 it would be as stated.
""")
    (answer,) = json.loads(encounter("why", log, "finding", "2", "--json").stdout)["answers"]
    (one,) = answer["partings"]
    assert (one["agreed"], one["differed"], one["parted"], one["without"]) == (6, 9, 8, [8])


def test_an_answer_says_what_was_not_tried() -> None:
    log = records(joins("ulf", 10), hit("ulf", 3), *(fact("noted", text="so") for _ in range(WORK)), hit("ulf", 2))
    past = Past(log)
    (answer,) = weigh_answers(past, [one] if (one := explain_value(past, "ulf.hp", variants=False)) else [])
    assert isinstance(answer, Value)
    told = " ".join(facts_in_sentences(answer.facts, str, every=False, weighed=answer.weighed))
    assert "(Whether 1 earlier fact decides was not tried.)" in told
    untried = structs.replace(answer.weighed, decides=(), untried=(2, 3, len(log)))
    told = " ".join(facts_in_sentences(answer.facts, str, every=False, weighed=untried))
    assert "(Whether each of these decides was not tried.)" in told


def test_reasons_of_damage_concentration_and_conditions_that_never_held(tmp_path: Path) -> None:
    made = log_of_lines(tmp_path / "massive.jsonl", "5e", ("join cleric party hp=12 creature=character", "cleric -24"))
    told = " ".join(encounter("why", made, "cleric.status").stdout.split())
    assert "It depends on cleric.hp, which is 0. It depends on cleric.hp_max, which is 12." in told
    made = opened(tmp_path / "over.jsonl", "5e")
    bless = fact("effect_started", effect="bless", source="bo", targets=["ana"], concentration=True)
    append(
        made, "\n".join((joins("ana", 30), joins("bo", 20, creature="character"), bless, hit("bo", 22), hit("bo", 60)))
    )
    told = " ".join(encounter("why", made, "bo.concentration").stdout.split())
    assert told.startswith("Bo concentrates on nothing, because bo takes 22 damage ")
    assert "By now it would be so without event 5, too." in told
    assert "takes 22 damage" in encounter("why", made, "bo.concentration", "--short").stdout
    made = opened(tmp_path / "held.jsonl", "definition-master")
    append(
        made, "\n".join((joins("ana"), joins("gru"), fact("condition_gained", condition="grappled", targets=["ana"])))
    )
    assert "because ana becomes grappled" not in encounter("why", made, "ana.grappled").stdout
