"""Operators that change one definition: each gives other ways to read the sentence that it states. No game is named here.

=============== =================================================================================
operator        what it changes
=============== =================================================================================
`bound`         a bound of a comparison, or a number, by one; a number doubled, waived, at most or at least one
`quantity`      ``any`` and ``all``, ``min`` and ``max``; a sum that counts once; the first one, two or three of several, or the
                last; once, not again and again
`connective`    ``and`` and ``or``; plus and minus, ``|`` and ``&``
`part`          one of several conditions, addends, sets or entries left out
`restriction`   a condition of a comprehension left out; one more for it, for a branch, an answer or a legal action; nothing
                happens where a condition holds
`effect`        one of several effects left out, or one more
`order`         two statements, or entries of a list, that follow one another exchanged; a statement first or last, or once for
                all of a loop, not for each; several taken in the opposite order, or as they come
`choice`        a choice between two values, or of an ``if``, always made in the same way, or the other way; another answer, or
                the end of the game; what is offered can be declined
`condition`     a condition, also one that is returned or passed on, taken as always or as never true
`names`         a name, or what a pattern says, exchanged for another one of its group, which the game states; a function for
                another one of its file with the same signature; all of a definition at once
=============== =================================================================================

What a game states for them is its `Vocabulary`. Without one the operators change only what every program has. A change that says
too much can be made only where a condition holds (`tetrasolve.lint.beside`).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from tetrasolve.errors import ArgumentError
from tetrasolve.lint.changes import Change, Definition, definitions, extent
from tetrasolve.lint.patterns import filled, matched
from tetrasolve.lint.vocabulary import Scope, Vocabulary, scope

Piece = tuple[ast.AST, str]  # what is replaced, and the text that takes its place

_BOUNDS: Mapping[type[ast.cmpop], str] = MappingProxyType({ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"})
# The bound moved the other way than by its sign
_SIGNS: Mapping[type[ast.cmpop], str] = MappingProxyType(
    {ast.Lt: "< {} - 1", ast.LtE: "<= {} + 1", ast.Gt: "> {} + 1", ast.GtE: ">= {} - 1"}
)
_PARTNERS = MappingProxyType({"any": "all", "all": "any", "min": "max", "max": "min"})
_OPPOSITES: Mapping[type[ast.operator], ast.operator] = MappingProxyType(
    {ast.Add: ast.Sub(), ast.Sub: ast.Add(), ast.BitOr: ast.BitAnd(), ast.BitAnd: ast.BitOr()}
)
_FIRST = (1, 2, 3)  # of several
_NO_WORDS = Vocabulary()


def changes(path: str, text: str, name: str, words: Vocabulary = _NO_WORDS) -> Iterator[tuple[str, Change]]:
    r"""Every change of a definition of this file that an operator makes, with the name of the operator.

    :raises ArgumentError: when the file has no such definition.

    >>> for operator, change in changes("a.py", "def f(n):\n    return n < 3", "f"):
    ...     print(operator, change.after.strip())
    bound return n <= 3
    bound return n < 4
    bound return n < 2
    bound return n < 0
    bound return n < 6
    condition return True
    condition return False
    """
    node = definitions(text).get(name)
    if node is None:
        raise ArgumentError("definition", name, f"one of {path}")
    place, called = Places(path, text, name), scope(node, words, text)
    seen = {("", "", 0)}
    for operator, pieces in OPERATORS.items():
        for old, new in pieces(node, called):
            change, mark = place.change(old, new)
            if mark not in seen and (mark[0] or mark[1]):
                seen.add(mark)
                yield operator, change


class Places:
    """Where the pieces of a definition stand in the text."""

    def __init__(self, path: str, text: str, name: str) -> None:
        self._path, self._text, self._name = path, text, name
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self._start, self._end = extent(text, name)

    def change(self, node: ast.AST, new: str) -> tuple[Change, tuple[str, str, int]]:
        """The change of the lines of a node, so that the text is easy to read and seldom stands there twice.

        With it what is replaced, by what, and where, without what both have in common: equal for changes that give the same text.
        """
        first, last = node.lineno - 1, node.end_lineno - 1  # type: ignore[attr-defined]  # expressions and statements have both
        head = self._lines[first].encode()[: node.col_offset].decode()  # type: ignore[attr-defined]
        tail = self._lines[last].encode()[node.end_col_offset :].decode()  # type: ignore[attr-defined]
        begin, stop = self._starts[first], self._starts[last + 1]
        before, after = self._text[begin:stop], head + new + tail
        cut = max(0, stop - self._end)  # the definition can end before its last line does
        before, after = before[: len(before) - cut], after[: len(after) - cut]
        skip = max(0, self._start - begin)
        before, after, begin = before[skip:], after[skip:], begin + skip
        number, at = 0, self._start - 1
        while at < begin:
            at, number = self._text.index(before, at + 1, self._end), number + 1
        return Change(self._path, self._name, before, after, number), _least(before, after, begin)


def _least(before: str, after: str, begin: int) -> tuple[str, str, int]:
    """What is replaced, by what, and where, without what both begin and end with."""
    same = next(
        (i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    before, after = before[same:], after[same:]
    common = min(len(before), len(after))
    rest = next((i for i in range(common) if before[-1 - i] != after[-1 - i]), common)
    return before[: len(before) - rest], after[: len(after) - rest], begin + same


# -- operators -------------------------------------------------------------------------------------------------


_NO_RULES = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Delete)  # errors and words: what they say is no rule


def code(node: Definition) -> Iterator[ast.AST]:
    """The nodes of a definition without its decorators, its signature, its docstrings, and what is said in errors."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef):
                yield from code(statement)
            elif not _is_text(statement):
                yield from _walk(statement)
    elif node.value is not None:
        yield from _walk(node.value)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    waiting = [node]
    while waiting:
        inner = waiting.pop(0)
        if not isinstance(inner, _NO_RULES):
            yield inner
            waiting += ast.iter_child_nodes(inner)


def _bound(node: Definition, called: Scope) -> Iterator[Piece]:
    for inner in code(node):
        if isinstance(inner, ast.Compare) and len(inner.ops) == 1 and type(inner.ops[0]) in _BOUNDS:
            sign = _BOUNDS[type(inner.ops[0])]
            left, right = ast.unparse(inner.left), ast.unparse(inner.comparators[0])
            yield inner, f"{left} {sign} {right}"
            if not isinstance(inner.comparators[0], ast.Constant):
                yield inner, f"{left} {_SIGNS[type(inner.ops[0])].format(right)}"
        elif isinstance(inner, ast.Constant) and type(inner.value) is int:
            yield inner, str(inner.value + 1)
            if inner.value > 0:
                yield inner, str(inner.value - 1)
            if inner.value > 1:
                yield inner, "0"
                yield inner, str(2 * inner.value)
        elif _is_read(inner) and any(matched(count, inner) is not None for count in called.words.counts):
            number = ast.unparse(inner)
            for text in (
                f"{number} + 1",
                f"{number} - 1",
                f"2 * {number}",
                "0",
                f"min({number}, 1)",
                f"max({number}, 1)",
            ):
                yield inner, f"({text})"


def _is_read(node: ast.AST) -> bool:
    """Whether a node is an expression whose value is taken."""
    return isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))


def _quantity(node: Definition, called: Scope) -> Iterator[Piece]:
    del called
    for inner in code(node):
        match inner:
            case ast.Call(func=ast.Name(id="any" | "all" | "min" | "max" as name) as func):
                yield func, _PARTNERS[name]
            case ast.Call(func=ast.Name(id="sum"), args=[_, *_]):
                yield inner, f"min({ast.unparse(inner)}, 1)"
        if isinstance(inner, (ast.For, ast.comprehension)):
            several = ast.unparse(inner.iter)
            yield from ((inner.iter, f"list({several})[:{number}]") for number in _FIRST)
            yield inner.iter, f"list({several})[-1:]"
        elif isinstance(inner, ast.While) and isinstance(last := inner.body[-1], ast.Assign):
            yield last, f"return {ast.unparse(last.value)}"  # once


def _connective(node: Definition, called: Scope) -> Iterator[Piece]:
    del called
    for inner in code(node):
        if isinstance(inner, ast.BoolOp):
            other: ast.boolop = ast.Or() if isinstance(inner.op, ast.And) else ast.And()
            yield inner, f"({ast.unparse(ast.BoolOp(other, inner.values))})"
        elif isinstance(inner, ast.BinOp) and type(inner.op) in _OPPOSITES:
            yield inner, f"({ast.unparse(ast.BinOp(inner.left, _OPPOSITES[type(inner.op)], inner.right))})"


def _part(node: Definition, called: Scope) -> Iterator[Piece]:
    del called
    for inner in code(node):
        match inner:
            case ast.BoolOp(values=values):
                for out in values:
                    left = [value for value in values if value is not out]
                    yield inner, f"({ast.unparse(left[0] if len(left) == 1 else ast.BoolOp(inner.op, left))})"
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.BitOr() | ast.BitAnd() as joint, left=first, right=second):
                yield inner, f"({ast.unparse(first)})"
                if not isinstance(joint, ast.Sub):
                    yield inner, f"({ast.unparse(second)})"
            case (
                ast.Tuple(elts=entries, ctx=ast.Load()) | ast.List(elts=entries, ctx=ast.Load()) | ast.Set(elts=entries)
            ):
                yield from ((inner, _without(inner, out)) for out in entries if len(entries) > 1)
            case ast.Call(func=ast.Name(id="min" | "max"), args=[_, _] as entries):
                yield from ((inner, f"({ast.unparse(entry)})") for entry in entries)


def _without(several: ast.Tuple | ast.List | ast.Set, out: ast.expr) -> str:
    left = [entry for entry in several.elts if entry is not out]
    ends = "[]" if isinstance(several, ast.List) else "{}" if isinstance(several, ast.Set) else "()"
    comma = "," if isinstance(several, ast.Tuple) else ""
    return f"{ends[0]}{''.join(f'{ast.unparse(entry)}, ' for entry in left).rstrip(' ,')}{comma}{ends[1]}"


def _restriction(node: Definition, called: Scope) -> Iterator[Piece]:
    for inner in code(node):
        for part in getattr(inner, "generators", ()):
            for test in part.ifs:
                yield test, "True"
            for sense in _senses(part.target, called):
                yield part.iter, f"{ast.unparse(part.iter)} if {sense}"
                yield part.iter, f"{ast.unparse(part.iter)} if not ({sense})"
        if isinstance(inner, (ast.If, ast.While)):
            test = ast.unparse(inner.test)
            for sense in _senses(inner.test, called) or _senses(node, called):
                yield inner.test, f"({test}) and {sense}"
                yield inner.test, f"({test}) and not ({sense})"
                yield inner.test, f"({test}) or {sense}"
    yield from _answers(node, called)
    yield from _nothing(node, called)


def _nothing(node: Definition, called: Scope) -> Iterator[Piece]:
    """Nothing happens where a condition holds: a function that gives a position gives back what it was given."""
    if not isinstance(node, ast.FunctionDef) or called.table not in {argument.arg for argument in node.args.args}:
        return
    ends = [inner.value for inner in code(node) if isinstance(inner, ast.Return) and inner.value is not None]
    first = next((s for s in node.body if not _is_text(s)), None)
    given = {argument.arg for argument in node.args.args}
    if any(_is_table(value, called.words) for value in ends) and isinstance(
        first, (ast.Assign, ast.If, ast.For, ast.Return)
    ):
        margin = " " * first.col_offset
        for sense in called.said(
            *([one for one in called.called(kind) if one.partition(".")[0] in given] for kind in _kinds(called))
        ):
            yield _before(first), f"if {sense}:\n{margin}    return {called.table}\n{margin}"


def _kinds(called: Scope) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return called.words.places, called.words.figures


def _before(statement: ast.stmt) -> ast.AST:
    """The place before a statement."""
    node = ast.Pass()
    node.lineno = node.end_lineno = statement.lineno
    node.col_offset = node.end_col_offset = statement.col_offset
    return node


def _senses(node: ast.AST, called: Scope) -> list[str]:
    """What can be said of the places and figures that an expression names, and of the position if it names some."""
    names = {ast.unparse(inner) for inner in ast.walk(node) if isinstance(inner, (ast.Name, ast.Attribute))}
    places = [place for place in called.words.places if place in names]
    figures = [figure for figure in called.words.figures if figure in names]
    return called.said(places, figures)


def _answers(node: Definition, called: Scope) -> Iterator[Piece]:
    """One more condition of what is legal, or of what a function says of a place: at its last statement."""
    if not isinstance(node, ast.FunctionDef) or node.returns is None or not isinstance(node.body[-1], ast.Return):
        return
    last, kind = node.body[-1], ast.unparse(node.returns)
    senses = called.said(called.called(called.words.places), called.called(called.words.figures))
    for sense in senses:
        if kind == "str | None":
            for said in (sense, f"not ({sense})"):
                yield last, f"if {said}:\n{' ' * (last.col_offset + 4)}return 'not here'\n{_joined(last, indent=True)}"
        elif kind == "bool" and last.value is not None:
            value = ast.unparse(last.value)
            for said in (f"({value}) and {sense}", f"({value}) and not ({sense})", f"({value}) or {sense}"):
                yield last.value, said


def _effect(node: Definition, called: Scope) -> Iterator[Piece]:
    effects = called.words.effects
    for inner in code(node):
        match inner:
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                yield inner, "pass"
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _names(value):
                yield inner, "pass"
            case ast.Call(func=ast.Attribute(value=ast.Call() as rest)):
                yield inner, ast.unparse(rest)  # one of several methods in a row
            case ast.Call(func=ast.Attribute(value=rest, attr=name)) if name in effects:
                yield inner, ast.unparse(rest)
            case ast.Call(func=ast.Name(id=name), args=[rest, *_]) if name in effects:
                yield inner, ast.unparse(rest)
    yield from _additions(node, called)


def _additions(node: Definition, called: Scope) -> Iterator[Piece]:
    """One more effect, on what is given back or passed on to another effect."""
    words, sites = called.words, dict[int, ast.expr]()
    for inner in code(node):
        match inner:
            case ast.Return(value=ast.Call() as value) if _is_table(value, words):
                sites[id(value)] = value
            case ast.Return(value=ast.Name(id=name) as value) if name in words.tables:
                sites[id(value)] = value
            case ast.Call(func=ast.Name(), args=[(ast.Call() | ast.Name()) as value, *_]) if _is_table(value, words):
                sites[id(value)] = value
    for site in sites.values():
        for more in words.additions:
            for place in called.called(words.places) if "{place}" in more else (None,):
                for figure in called.called(words.figures) if "{figure}" in more else (None,):
                    said = called.filled(more, place, figure)
                    if said is not None:
                        yield site, f"{ast.unparse(site)}{said}"


def _is_table(value: ast.expr, words: Vocabulary) -> bool:
    """Whether an expression is a position: a name for one, or an effect on one."""
    match value:
        case ast.Name(id=name):
            return name in words.tables
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name in words.effects
    return False


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _order(node: Definition, called: Scope) -> Iterator[Piece]:
    del called
    for inner in [node, *code(node)]:
        for body in (getattr(inner, "body", None), getattr(inner, "orelse", None)):
            for first, second in pairwise(body if isinstance(body, list) else ()):
                if _can_move(first) and _can_move(second) and not isinstance(inner, ast.ClassDef):
                    yield _span(first, second), _joined(second, first)
            if isinstance(body, list) and not isinstance(inner, ast.ClassDef):
                yield from _moved(body)
        if isinstance(inner, ast.For):
            yield inner.iter, f"list({ast.unparse(inner.iter)})[::-1]"
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "sorted":
            yield inner, f"{ast.unparse(inner)}[::-1]"
            yield inner, f"list({ast.unparse(inner.args[0])})"
        elif isinstance(inner, (ast.Tuple, ast.List)) and isinstance(inner.ctx, ast.Load) and len(inner.elts) > 1:
            yield from ((inner, _exchanged(inner, at)) for at in range(len(inner.elts) - 1))


def _moved(body: list[ast.stmt]) -> Iterator[Piece]:
    """A statement of a block first or last in it; one of a loop once for all, before or after it; one beside it for each."""
    free = [statement for statement in body if _can_move(statement)]
    for statement in free:
        others = [other for other in free if other is not statement]
        if len(others) > 1 and pairwise_adjacent(body, free):
            if statement not in free[:2]:
                yield _span(free[0], free[-1]), _joined(statement, *others)
            if statement not in free[-2:]:
                yield _span(free[0], free[-1]), _joined(*others, statement)
    for at, loop in enumerate(body):
        if isinstance(loop, ast.For) and not loop.orelse:
            first, last = loop.body[0], loop.body[-1]
            if len(loop.body) > 1 and _can_move(last):
                yield loop, _joined(_with_body(loop, loop.body[:-1]), last)
            if len(loop.body) > 1 and _can_move(first):
                yield loop, _joined(first, _with_body(loop, loop.body[1:]), like=loop)
            if at + 1 < len(body) and _can_move(body[at + 1]):
                yield _span(loop, body[at + 1]), _joined(_with_body(loop, [*loop.body, body[at + 1]]))
            if at and _can_move(body[at - 1]):
                yield _span(body[at - 1], loop), _joined(_with_body(loop, [body[at - 1], *loop.body]))


def pairwise_adjacent(body: list[ast.stmt], some: list[ast.stmt]) -> bool:
    """Whether some statements of a block follow one another without others between them."""
    start = body.index(some[0])
    return body[start : start + len(some)] == some


def _with_body(loop: ast.For, body: list[ast.stmt]) -> ast.stmt:
    """A loop with other statements in it."""
    return ast.copy_location(ast.For(loop.target, loop.iter, body, []), loop)


def _exchanged(several: ast.Tuple | ast.List, at: int) -> str:
    """A list with two neighbours exchanged."""
    entries = [*several.elts]
    entries[at : at + 2] = entries[at + 1], entries[at]
    return ast.unparse(type(several)(entries, ast.Load()))


def _can_move(statement: ast.stmt) -> bool:
    """Whether it does something, and is neither a docstring nor the end of the function."""
    return isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For)) and not _is_text(statement)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _span(first: ast.stmt, second: ast.stmt) -> ast.AST:
    """A node that reaches from one statement to the end of the other."""
    node = ast.Pass()
    node.lineno, node.col_offset = first.lineno, first.col_offset
    node.end_lineno, node.end_col_offset = second.end_lineno, second.end_col_offset
    return node


def _joined(*statements: ast.stmt, indent: bool = False, like: ast.stmt | None = None) -> str:
    """Statements as text, indented as the first of them is, or as another one; the first line too where that is asked for."""
    margin = " " * (like or statements[0]).col_offset
    text = f"\n{margin}".join(line for statement in statements for line in ast.unparse(statement).splitlines())
    return margin + text if indent else text


def _choice(node: Definition, called: Scope) -> Iterator[Piece]:
    for inner in code(node):
        if isinstance(inner, ast.IfExp):
            yield inner, f"({ast.unparse(inner.body)})"
            yield inner, f"({ast.unparse(inner.orelse)})"
            yield inner, f"({ast.unparse(ast.IfExp(inner.test, inner.orelse, inner.body))})"
        elif isinstance(inner, ast.If):
            yield inner.test, "True"
            yield inner.test, "False"
    if (
        isinstance(node, ast.FunctionDef)
        and node.returns is not None
        and ast.unparse(node.returns) == "tuple[str, ...]"
    ):
        given = [inner.value for inner in code(node) if isinstance(inner, ast.Return) and inner.value is not None]
        yield from ((value, f"(*{ast.unparse(value)}, {waiver})") for value in given for waiver in called.waivers)
    answers = [inner for inner in code(node) if isinstance(inner, ast.Return) and _is_step(inner.value)]
    for one in answers:
        for other in answers:
            assert one.value is not None and other.value is not None
            if ast.dump(one.value) != ast.dump(other.value):
                yield one.value, ast.unparse(other.value)
        yield from ((one.value, end) for end in called.ends if one.value is not None)


def _is_step(value: ast.expr | None) -> bool:
    """Whether an answer says what happens: a call, a name, or a choice between such, and no word."""
    return isinstance(value, (ast.Call, ast.Name, ast.Attribute, ast.IfExp))


def _condition(node: Definition, called: Scope) -> Iterator[Piece]:
    """Where `choice` decides a branch, this decides each condition, also in what is returned; `part` does those that are joined."""
    del called
    joined = {id(value) for inner in code(node) if isinstance(inner, ast.BoolOp) for value in inner.values}
    for inner in code(node):
        is_denied = isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.Not)
        if (is_denied or isinstance(inner, (ast.Compare, ast.BoolOp))) and id(inner) not in joined:
            yield inner, "True"
            yield inner, "False"


def _exchange(node: Definition, called: Scope) -> Iterator[Piece]:
    """Names and what patterns say, each where it stands, and then everywhere in the definition."""
    found = list(_exchanges(node, called))
    yield from found
    if not isinstance(node, ast.FunctionDef) or not (body := [s for s in node.body if not _is_text(s)]):
        return
    texts = Counter((ast.unparse(old), new) for old, new in found)
    for (old, new), count in texts.items():
        if count > 1 and old.isidentifier() | ("." in old):
            whole = ast.parse(new, mode="eval").body
            changed = [_Everywhere(old, whole).visit(deepcopy(statement)) for statement in body]
            yield _span(body[0], body[-1]), _joined(*changed)


class _Everywhere(ast.NodeTransformer):
    """Puts an expression in place of another one, wherever its value is taken."""

    def __init__(self, old: str, new: ast.expr) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, (ast.Name, ast.Attribute)) and _is_read(node) and ast.unparse(node) == self._old:
            return self._new
        return node if isinstance(node, _NO_RULES) else self.generic_visit(node)


def _exchanges(node: Definition, called: Scope) -> Iterator[Piece]:
    words = called.words
    for inner in code(node):
        if not isinstance(inner, ast.expr) or not _is_read(inner):
            continue
        if isinstance(inner, ast.Attribute):
            for other in _others(inner.attr, words.groups):
                yield inner, f"{ast.unparse(inner.value)}.{other}"
        if isinstance(inner, ast.Name):
            yield from ((inner, other) for other in _others(inner.id, words.groups))
            yield from ((inner, other) for other in _others(inner.id, called.functions))
        if isinstance(inner, (ast.Name, ast.Attribute)):
            kin = _others(ast.unparse(inner), called.kinds)
            known = {other for other in kin if other in called.texts or other.endswith(words.always)}
            yield from ((inner, other) for other in sorted(known))
        for pattern, *others in words.rewrites:
            if (parts := matched(pattern, inner)) is not None:
                yield from ((inner, f"({filled(other, parts)})") for other in others)
    for one, other in _siblings(node):
        for inner in code(node):
            if isinstance(inner, ast.Name) and inner.id == one and isinstance(inner.ctx, ast.Load):
                yield inner, other


def _others(name: str, groups: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for group in groups:
        if name in group:
            yield from (other for other in group if other != name)


def _siblings(node: Definition) -> Iterator[tuple[str, str]]:
    """Names of one kind: parameters with the same annotation, names assigned together, and those of one comprehension."""
    families: list[list[str]] = []
    if isinstance(node, ast.FunctionDef):
        kinds: dict[str, list[str]] = {}
        for argument in node.args.args:
            kinds.setdefault(ast.unparse(argument.annotation) if argument.annotation else "", []).append(argument.arg)
        families += [names for kind, names in kinds.items() if kind]
    for inner in code(node):
        if isinstance(inner, ast.Tuple) and isinstance(inner.ctx, ast.Store):
            families.append([entry.id for entry in inner.elts if isinstance(entry, ast.Name)])
        generators = [part.target.id for part in getattr(inner, "generators", ()) if isinstance(part.target, ast.Name)]
        families.append(generators)
    for family in families:
        yield from ((one, other) for one in family for other in family if one != other)


OPERATORS: Mapping[str, Callable[[Definition, Scope], Iterator[Piece]]] = MappingProxyType(
    {
        "bound": _bound,
        "quantity": _quantity,
        "connective": _connective,
        "part": _part,
        "restriction": _restriction,
        "effect": _effect,
        "order": _order,
        "choice": _choice,
        "condition": _condition,
        "names": _exchange,
    }
)
