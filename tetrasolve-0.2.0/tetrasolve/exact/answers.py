"""Whether what another process answered has the type that its job promises.

The type is the annotation of the job's result. Built-in types are compared exactly (true is no whole number), containers part by
part; of another class the instance itself is wanted, not one of a class below it.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from tetrasolve.errors import shown
from tetrasolve.strict import StrictError


@cache
def promised(job: Callable[..., Any]) -> Any:
    """The type of what a job gives; `Any` where it does not say."""
    return get_type_hints(job).get("return", Any)


def conform(value: object, kind: Any, where: str) -> None:
    """Refuse a value of another type.

    >>> conform([(1, "a")], list[tuple[int, str]], "answer")
    >>> conform([(True, "a")], list[tuple[int, str]], "answer")
    Traceback (most recent call last):
    tetrasolve.strict.StrictError: answer, [0], [0]: found True, expected int

    :raises StrictError: names the part that is wrong.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return
    if is_typeddict(kind):
        _record(value, kind, where)
    elif origin in (Union, types.UnionType):
        _one_of(value, kind, where)
    elif origin is Literal:
        if not any(type(value) is type(part) and value == part for part in parts):
            raise _wrong(value, kind, where)
    elif origin is None:
        if type(value) is not (types.NoneType if kind is None else kind):
            raise _wrong(value, kind, where)
    elif type(value) is not origin:
        raise _wrong(value, kind, where)
    elif origin is dict:
        for key, part in value.items():  # type: ignore[attr-defined]  # it is a dict
            conform(key, parts[0], f"{where}, a key")
            conform(part, parts[1], f"{where}, {shown(key)}")
    elif origin is tuple and parts[-1] is not ...:
        if len(value) != len(parts):  # type: ignore[arg-type]  # it is a tuple
            raise _wrong(value, kind, where)
        _each(zip(value, parts, strict=True), where)  # type: ignore[call-overload]  # as above
    elif origin in (list, tuple, set, frozenset):
        _each(((part, parts[0]) for part in value), where)  # type: ignore[attr-defined]  # one of these
    else:
        raise TypeError(f"{kind} is no type of an answer")


def _each(parts: Iterable[tuple[Any, Any]], where: str) -> None:
    for number, (part, kind) in enumerate(parts):
        conform(part, kind, f"{where}, [{number}]")


def _record(value: object, kind: Any, where: str) -> None:
    fields: Mapping[str, Any] = get_type_hints(kind)
    if type(value) is not dict or value.keys() != fields.keys():
        raise _wrong(value, kind, where)
    for name, part in fields.items():
        conform(value[name], part, f"{where}, {name}")


def _one_of(value: object, kind: Any, where: str) -> None:
    for part in get_args(kind):
        try:
            conform(value, part, where)
        except StrictError:
            continue
        return
    raise _wrong(value, kind, where)


def _wrong(value: object, kind: Any, where: str) -> StrictError:
    name = kind.__name__ if isinstance(kind, type) and get_origin(kind) is None else str(kind)
    return StrictError(f"found {shown(value)}", where=where, expected=name, found=value)
