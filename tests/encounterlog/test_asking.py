"""What can be asked of a log is said once: command, endpoint, method and schema follow from the table of questions."""

import inspect
from pathlib import Path

import click
import pytest

import encounterlog as el
from encounterlog.aio import AsyncLog
from encounterlog.ask import QUESTIONS, Kind, question_named
from encounterlog.cli.main import COMMANDS, load_command as command_of
from encounterlog.forks import Readable
from encounterlog.schemas import OUTPUTS
from encounterlog.service.routes import ROWS
from tests.tables import for_each

ROOT = Path(__file__).parents[2]

METHODS = {
    "show": "state", "replay": "replay", "why": "why", "may": "may", "blame": "blame", "first": "first", "audit": "audit",
}  # fmt: skip
"""The methods of a log that ask a question, by its name."""


@for_each("name", QUESTIONS)
def test_a_question_is_a_command_and_an_endpoint_with_its_arguments(name: str) -> None:
    asked, command = question_named(name), command_of(name)
    params = {each.name: each for each in command.params}
    assert (command.name, inspect.cleandoc(command.help or "")) == (name, inspect.cleandoc(asked.explains))
    assert ("as_of" in params) == asked.has_as_of
    for one in asked.arguments:
        found = params[one.field]
        assert isinstance(found, click.Argument) == one.positional
        assert one.positional or (found.opts, found.help) == ([f"--{one.name.replace('_', '-')}"], one.says)
        assert found.required == (one.needed and not one.command_asks)
    asked = question_named(name)
    (row,) = (each for each in ROWS if each.path == f"/v1/encounters/{{name}}/{name}")
    parameters = {each.name: each for each in row.parameters if not each.header}
    wanted = {each.name: each.needed for each in asked.arguments if not each.for_people}
    assert {each: found.needed for each, found in parameters.items() if each != "as_of"} == wanted
    assert ("as_of" in parameters) == asked.has_as_of
    assert row.says == f"{QUESTIONS[name]} As encounter {name} --json."
    assert row.gives == name
    assert OUTPUTS[name] is asked.answer_type()
    lists = {each.name for each in asked.arguments if each.kind in (Kind.TEXTS, Kind.NUMBERS, Kind.FACTS)}
    assert {each for each, found in parameters.items() if found.schema["type"] == "array"} == lists


@pytest.mark.parametrize("name", METHODS)
def test_a_question_is_a_method_with_the_same_arguments(name: str) -> None:
    names = {"where": "at"}
    # what is left out of a method stands in its value: the timelines, what is missing, and facts to be filtered
    fields = [
        names.get(each.field, each.field)
        for each in question_named(name).arguments
        if each.positional or each.name == "at"
    ]
    for kind in (el.Log, AsyncLog):
        assert sorted(inspect.signature(getattr(kind, METHODS[name])).parameters) == sorted(["self", *fields])


def test_questions_are_listed_and_methods_of_both_kinds_of_logs() -> None:
    assert {name: COMMANDS[name].says for name in QUESTIONS} == QUESTIONS
    own = {name for name in vars(Readable) if not name.startswith("_")} - {"replay"}
    assert own >= {*METHODS.values()} - {"replay"}
    for name in own:
        assert not inspect.iscoroutinefunction(getattr(el.Log, name))
        assert inspect.iscoroutinefunction(getattr(AsyncLog, name))
        assert inspect.getdoc(getattr(AsyncLog, name)) == inspect.getdoc(getattr(el.Log, name))
