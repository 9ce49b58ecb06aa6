"""Changes made in the running program: the code of functions and the values of constants, in place.

Every module that has imported a function or a constant sees the change. There is no way back: a process that has taken a
change ends with it, so changes are made in a child process.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tetrasolve.errors import ArgumentError
from tetrasolve.lint.changes import Definition, definitions, without_words


def patch(module: ModuleType, new: str) -> None:
    """Let a module do what the source text `new` says; it may differ in functions and in constants.

    :raises ArgumentError: when nothing differs, or something else than functions and constants does.
    """
    path = Path(str(module.__file__))
    old, wanted = definitions(path.read_text("utf-8")), definitions(new)
    changed = [name for name in wanted if name in old and without_words(wanted[name]) != without_words(old[name])]
    inner = [name for name in changed if not any(other.startswith(name + ".") for other in changed)]
    if not inner or old.keys() != wanted.keys():
        raise ArgumentError("change", path.name, "a change of functions and constants that has an effect")
    codes = _by_name(path, new)
    for name in inner:
        node = wanted[name]
        if "." not in name and hasattr(node, "value"):
            _set_constant(module, name, node)
        elif name in codes:
            _set_code(module, name, codes[name])
        else:
            raise ArgumentError("change", name, "a function or a constant")
    forget()


def code_of(path: Path, text: str, name: str) -> CodeType | None:
    """The code of the function with this name in the text of a file; None where there is none."""
    return _by_name(path, text).get(name)


def function_of(module: ModuleType, name: str) -> FunctionType | None:
    """The function with this name, ``Class.method`` for what a class holds; None where there is none."""
    found: Any = module
    for part in name.split("."):
        found = vars(found).get(part)
    return _function(found)


def _by_name(path: Path, text: str) -> dict[str, CodeType]:
    return {code.co_qualname: code for code in _codes(compile(text, str(path), "exec"))}


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def _set_constant(module: ModuleType, name: str, node: Definition) -> None:
    """Evaluate a constant again, in its module and in all that have imported it."""
    _, after, holders = _constant(module, name, node)
    for other, called in holders:
        vars(other)[called] = after


def constant(module: ModuleType, name: str, new: str) -> tuple[Any, Any, list[tuple[ModuleType, str]]]:
    """The value of a constant of a module, what it would be in the source text `new`, the modules that have it, and as what."""
    return _constant(module, name, definitions(new)[name])


def _constant(module: ModuleType, name: str, node: Definition) -> tuple[Any, Any, list[tuple[ModuleType, str]]]:
    before = vars(module)[name]
    value = getattr(node, "value")  # noqa: B009  # not every definition has one
    source = compile(_expression(value), str(module.__file__), "eval")
    after = eval(source, vars(module))  # noqa: S307  # our own source text
    holders = {(module, name): None}
    for other in list(sys.modules.values()):
        same = [called for called, value in [*vars(other).items()] if value is before]
        holders |= {(other, called): None for called in same if called == name or isinstance(before, _OWN)}
    return before, after, [*holders]


_OWN = (dict, list, set)  # of these no other constant is the same one by chance, whatever a module calls it


def _expression(node: Any) -> str:
    import ast

    return ast.unparse(node)


def _set_code(module: ModuleType, name: str, code: CodeType) -> None:
    """Give the function with this name this code."""
    function = function_of(module, name)
    if function is None or function.__code__.co_freevars != code.co_freevars:
        raise ArgumentError("change", name, "a function without variables of another function")
    function.__code__ = code


def _function(found: Any) -> FunctionType | None:
    """The function below a property, a cache or a method of a class."""
    for part in ("fget", "func", "__func__", "__wrapped__"):
        if not isinstance(found, FunctionType) and hasattr(found, part):
            found = getattr(found, part)
    return found if isinstance(found, FunctionType) else None


def forget() -> None:
    """Empty every cache of every function."""
    gc.unfreeze()  # objects that were frozen are not listed
    for found in gc.get_objects():
        if isinstance(found, functools._lru_cache_wrapper):  # noqa: SLF001  # the only name of that type
            found.cache_clear()
