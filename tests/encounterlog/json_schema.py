"""Whether a value follows a schema that is published, by a library that shares no code with the project."""

from typing import Any

from jsonschema import Draft202012Validator


def faults(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> list[str]:
    """Return in what a value does not follow a schema, whose references lead into the root."""
    Draft202012Validator.check_schema(schema)
    return [
        f"{each.json_path}: {each.message:.200}"
        for each in Draft202012Validator(root).evolve(schema=schema).iter_errors(value)
    ]
