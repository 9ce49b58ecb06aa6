"""Strict readers for JSON and TOML from outside: size, depth, duplicate keys and numbers are checked in linear time.

Both readers refuse text above a size limit, values nested deeper than a limit, and numbers with too many digits. A key that
occurs twice in one object is an error, as are NaN and infinite numbers in JSON. Depth is
checked before the text is parsed: no input can exhaust the stack.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from itertools import accumulate
from types import MappingProxyType, UnionType
from typing import Any, TypeGuard, TypeVar, get_args, get_origin, get_type_hints

from tetrasolve.errors import TetrasolveError, named, shown

DEPTH = 32  # levels of objects and arrays
SIZE = 10**7  # characters (of text) or bytes
DIGITS = 4300  # of a number: Python's own limit, which keeps conversion fast

# Possessive quantifiers: a string that does not end matches up to the end of the text, and nothing is scanned twice.
_JSON_STRINGS = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_JSON_BRACKETS = re.compile(r"[\[{\]}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_STEP = {"[": 1, "{": 1, "]": -1, "}": -1}
_TOML_TOKENS = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:""")?'  # strings of several lines
    r"|'''(?:[^']++|'(?!''))*+(?:''')?"
    r'|"(?:[^"\\\n]++|\\.)*+"?'  # strings of one line
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+"
    r"|[\[{\]}.=,\n]",
    re.DOTALL,
)


class StrictError(TetrasolveError, ValueError):
    """Text that a strict reader refuses; `where` names the key where that is known, `expected` what is allowed.

    `is_syntax` is true for malformed text, false for text that breaks a limit or repeats a key; `found` is the value that was
    refused, where there is one.
    """

    def __init__(
        self,
        problem: str,
        *,
        where: str | None = None,
        expected: str | None = None,
        is_syntax: bool = False,
        found: object = None,
    ) -> None:
        self.problem, self.where, self.expected, self.is_syntax = problem, where, expected, is_syntax
        self.found = problem if found is None else found
        text = f"{where}: {problem}" if where else problem
        super().__init__(f"{text}, expected {expected}" if expected else text)


# -- JSON --------------------------------------------------------------------------------------------------------------


def read_json(
    text: str | bytes, *, depth: int = DEPTH, size: int = SIZE, digits: int = DIGITS, any_unicode: bool = False
) -> Any:
    """The value of a JSON text.

    >>> read_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> read_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    tetrasolve.strict.StrictError: a: occurs twice, expected each key once

    :param depth: how many levels of objects and arrays may be nested.
    :param size: the most characters, or bytes where `text` is bytes (UTF-8).
    :param any_unicode: whether bytes may be UTF-16 or UTF-32 too.
    :param digits: the most digits of one number.
    :raises StrictError: when the text is not JSON, breaks a limit, repeats a key or holds NaN or an infinite number.
    """
    text = _decoded(text, size, json.detect_encoding(text) if any_unicode and isinstance(text, bytes) else "utf-8")
    _check_depth(text, depth)

    def whole(number: str) -> int:
        if len(number) > digits:
            raise StrictError(f"a number of {len(number):,} digits", expected=f"at most {digits:,} digits")
        return int(number)

    def fraction(number: str) -> float:
        value = float(number) if len(number) <= digits else math.inf
        if not math.isfinite(value):
            raise StrictError(f"the number {shown(number, 20)} is out of range", expected="a finite number")
        return value

    try:
        return json.loads(
            text, object_pairs_hook=_each_key_once, parse_constant=_no_constant, parse_int=whole, parse_float=fraction
        )
    except json.JSONDecodeError as error:
        raise StrictError(f"not JSON: {error}", is_syntax=True) from None
    except RecursionError:  # only when the caller's own stack is almost full
        raise StrictError("nested too deep", expected=f"at most {depth} levels") from None


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        seen: set[str] = set()
        for key, value in pairs:
            if key in seen:
                raise StrictError("occurs twice", where=named(key), expected="each key once", found=value)
            seen.add(key)
    return table


def _no_constant(name: str) -> Any:
    raise StrictError(f"{name} is not a number of JSON", expected="a finite number", found=name)


def _check_depth(text: str, depth: int) -> None:
    if text.count("[") + text.count("{") <= depth:
        return
    levels = accumulate(map(_STEP.__getitem__, _JSON_BRACKETS.findall(_JSON_STRINGS.sub("", text))))
    if max(levels, default=0) > depth:
        raise StrictError(f"nested more than {depth} levels deep", expected=f"at most {depth} levels")


# -- TOML --------------------------------------------------------------------------------------------------------------


def read_toml(text: str | bytes, *, depth: int = DEPTH, size: int = SIZE) -> dict[str, Any]:
    r"""The tables of a TOML text; TOML itself allows each key once.

    >>> read_toml('[sea]\nzones = ["a", "b"]')
    {'sea': {'zones': ['a', 'b']}}

    :param depth: how many levels of arrays and inline tables may be nested, and how many parts a dotted key may have.
    :param size: the most characters, or bytes where `text` is bytes (UTF-8).
    :raises StrictError: when the text is not TOML or breaks a limit.
    """
    import tomllib  # here: most commands read no TOML of a user's

    text = _decoded(text, size)
    if (found := _SURROGATE.search(text)) is not None:  # a text of JSON may have some; nothing could write it as UTF-8
        raise StrictError(f"not TOML: half a character (at position {found.start()})", is_syntax=True)
    _check_toml_depth(text, depth)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StrictError(f"not TOML: {error}", is_syntax=True) from None
    except ValueError:  # int() on thousands of digits
        raise StrictError("a number of too many digits", expected=f"at most {DIGITS:,} digits") from None
    except RecursionError:  # only when the caller's own stack is almost full
        raise StrictError("nested too deep", expected=f"at most {depth} levels") from None


def _check_toml_depth(text: str, depth: int) -> None:
    level = dots = 0
    for match in _TOML_TOKENS.finditer(text):
        token = match[0]
        if token == ".":  # noqa: S105  # a token of TOML
            dots += 1
            if dots >= depth:
                raise StrictError(f"a key of more than {depth} parts", expected=f"at most {depth} parts")
        elif token in ("[", "{"):
            level, dots = level + 1, 0
            if level > depth:
                raise StrictError(f"nested more than {depth} levels deep", expected=f"at most {depth} levels")
        elif token in ("]", "}"):
            level, dots = max(level - 1, 0), 0
        elif token in ("=", ",", "\n"):
            dots = 0


def _decoded(text: str | bytes, size: int, encoding: str = "utf-8-sig") -> str:
    if len(text) > size:
        unit = "bytes" if isinstance(text, bytes) else "characters"
        raise StrictError(f"more than {size:,} {unit}", expected=f"at most {size:,}")
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeDecodeError as error:
        name = "UTF-8" if encoding.startswith("utf-8") else encoding.upper()
        raise StrictError(f"not {name} text ({error.reason} at byte {error.start})", is_syntax=True) from None


# -- types of values ---------------------------------------------------------------------------------------------------


def texts_in(value: object) -> Iterator[str]:
    """All texts in JSON data, keys too; how deep they are is limited by the reader.

    >>> list(texts_in({"kind": ["win", 3]}))
    ['kind', 'win']
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.items():
            yield from texts_in(list(item))
    elif isinstance(value, list):
        for part in value:
            yield from texts_in(part)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is an integer; true and false are not.

    >>> is_whole(3), is_whole(True), is_whole(3.0)
    (True, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a finite number; true, false, nan and inf are not."""
    return is_whole(value) or (isinstance(value, float) and math.isfinite(value))


def number(value: object, where: str, least: float, most: float) -> float:
    """A finite number within bounds.

    :raises StrictError: when it is something else.
    """
    if not is_number(value) or not least <= value <= most:
        raise StrictError(f"found {shown(value)}", where=where, expected=f"a number from {least:g} to {most:g}")
    return float(value)


def whole(value: object, where: str, least: int, most: int) -> int:
    """An integer within bounds.

    :raises StrictError: when it is something else.
    """
    if not is_whole(value) or not least <= value <= most:
        raise StrictError(f"found {shown(value)}", where=where, expected=f"a whole number from {least} to {most}")
    return value


def text(value: object, where: str) -> str:
    """A string.

    :raises StrictError: when it is something else.
    """
    if not isinstance(value, str):
        raise StrictError(f"found {shown(value)}", where=where, expected="text")
    return value


def table(value: object, where: str, required: Iterable[str], optional: Iterable[str] = ()) -> Mapping[str, Any]:
    """An object with all required keys, and no other keys than the optional ones.

    :raises StrictError: when it is something else; the first wrong key is named.
    """
    if not isinstance(value, dict):
        raise StrictError(f"found {shown(value)}", where=where, expected="an object")
    needed = tuple(required)
    allowed = (*needed, *optional)
    for key in value:
        if key not in allowed:
            raise StrictError("unknown key", where=f"{where}: {named(key)}", expected=f"one of {', '.join(allowed)}")
    for key in needed:
        if key not in value:
            raise StrictError("missing", where=f"{where}: {key}", expected="this key")
    return value


# -- records -----------------------------------------------------------------------------------------------------------

R = TypeVar("R")


def record(kind: type[R], value: object, where: str) -> R:
    """A dataclass from an object with its fields, each of its type; a field with the default None may be left out.

    Types are text (printable, not empty), whole numbers from 0 on, other such dataclasses, `Mapping`, and tuples. A pair of
    a value and a tuple is one list.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Sea:
    ...     zones: tuple[int, ...]
    ...     name: str | None = None
    >>> record(Sea, {"zones": [1, 2]}, "a sea")
    Sea(zones=(1, 2), name=None)
    >>> record(Sea, {"zones": [1, "2"]}, "a sea")
    Traceback (most recent call last):
    tetrasolve.strict.StrictError: zones of a sea: found '2', expected a whole number from 0 on

    :raises StrictError: when it is something else; the wrong field is named.
    """
    types = _types(kind)  # type: ignore[arg-type]  # classes are hashable
    table = value if isinstance(value, dict) else {}
    needed = {field.name for field in fields(kind) if field.default is MISSING}  # type: ignore[arg-type]  # a dataclass
    if not isinstance(value, dict) or not needed <= set(table) <= set(types):
        found = ", ".join(map(str, table)) if isinstance(value, dict) else shown(value)
        raise StrictError(f"found {found}", where=where, expected=", ".join(types))
    return kind(**{name: _typed(types[name], part, f"{name} of {where}") for name, part in table.items()})


@cache
def _types(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _typed(kind: Any, value: Any, where: str) -> Any:
    """A value of a type of a record."""
    if isinstance(kind, UnionType):
        kind = next(part for part in get_args(kind) if part is not type(None))
    if kind is str and not (isinstance(value, str) and value and value.isprintable()):
        raise StrictError(f"found {shown(value)}", where=where, expected="printable text")
    if kind is int and not (is_whole(value) and value >= 0):
        raise StrictError(f"found {shown(value)}", where=where, expected="a whole number from 0 on")
    if kind in (str, int):
        return value
    origin, parts = get_origin(kind), get_args(kind)
    if origin is None:
        return record(kind, value, where)
    if origin is not tuple:
        if not isinstance(value, dict):
            raise StrictError(f"found {shown(value)}", where=where, expected="an object")
        return MappingProxyType(
            {key: _typed(parts[1], part, f"{shown(key)} of {where}") for key, part in value.items()}
        )
    if not isinstance(value, list):
        raise StrictError(f"found {shown(value)}", where=where, expected="a list")
    if parts[-1] is ...:
        return tuple(_typed(parts[0], part, where) for part in value)
    if get_origin(parts[1]) is tuple:
        value = [*value[:1], value[1:]]
    if len(value) != len(parts):
        raise StrictError(f"found {shown(value)}", where=where, expected=f"{len(parts)} values")
    return tuple(_typed(part, one, where) for part, one in zip(parts, value, strict=True))


def plain(value: Any) -> Any:
    """What `record` reads, as objects and lists; fields that are None are left out.

    >>> plain({"sea": (1, (2, 3))})
    {'sea': [1, 2, 3]}
    """
    if is_dataclass(value):
        named_parts = ((field.name, getattr(value, field.name)) for field in fields(value))
        return {name: plain(part) for name, part in named_parts if part is not None}
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, tuple):
        parts = [plain(part) for part in value]
        return [parts[0], *parts[1]] if len(parts) == 2 and isinstance(parts[1], list) else parts
    return value
