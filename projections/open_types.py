"""Names for values without a single type: the state of a ruleset, a value in JSON, values by their names."""

from typing import Any, TypeAlias

RulesState: TypeAlias = Any
"""The state of a ruleset: its functions name its own class, which those that call them for every ruleset do not know."""
Json: TypeAlias = Any
"""A value as JSON, such as that of an address or of a slot of a form: a number, a text, a list, an object, or null."""
Fields: TypeAlias = dict[str, Any]
"""Values in JSON by their names: the fields of a fact, the parts of a key, the values of a form."""
Facts: TypeAlias = list[Fields]
"""Facts as JSON, in their order."""
