"""What a line gives before it is checked: the values of a form's slots, and facts as JSON."""

from typing import Any

Values = dict[str, Any]
"""The values of the slots of a form, by their names."""
Fields = dict[str, Any]
"""The fields of a fact, or of a part of one, as JSON."""
Facts = list[Fields]
"""Facts as JSON, in their order."""
