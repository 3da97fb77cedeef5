"""The peer pydantic: records as its models, with the event as a union that `type` tells apart, read from bytes.

The models are made from our own structs, so that they always have the same fields; limits of numbers and lengths are left out.
"""

from collections.abc import Callable
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct, structs
from pydantic import BaseModel, ConfigDict, Field, create_model

from eventstore.record import Recorded


def reader() -> Callable[[bytes], object]:
    """Return the function that reads a line."""
    return _model(Recorded).model_validate_json


@cache
def _model(kind: type[Struct]) -> type[BaseModel]:
    hints, tag = get_type_hints(kind), kind.__struct_config__.tag
    given: dict[str, Any] = {each.name: (_typed(hints[each.name]), _default(each)) for each in structs.fields(kind)}
    if tag:
        given["type"] = (Literal[tag], ...)
    return create_model(kind.__name__, __config__=ConfigDict(extra="forbid", frozen=True), **given)


def _default(one: structs.FieldInfo) -> Any:
    return ... if one.default is NODEFAULT and one.default_factory is NODEFAULT else Field(default=_given(one))


def _given(one: structs.FieldInfo) -> Any:
    return one.default if one.default_factory is NODEFAULT else one.default_factory()


def _typed(hint: Any) -> Any:
    """Return a type with models in the place of structs, and with the bound of a type variable."""
    if isinstance(hint, TypeVar):
        return _typed(hint.__bound__)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return _model(hint)
    inner = get_args(hint)
    if not inner:
        return hint
    within = tuple(map(_typed, inner))
    if get_origin(hint) not in (Union, UnionType):
        return get_origin(hint)[within]
    own, union = [each for each in inner if each is not type(None)], reduce(or_, within)
    tagged = [
        each for each in own if isinstance(each, type) and issubclass(each, Struct) and each.__struct_config__.tag
    ]
    return Annotated[union, Field(discriminator="type")] if len(tagged) == len(own) > 1 else union
