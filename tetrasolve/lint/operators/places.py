"""Where the pieces of a definition stand in the text of a file, and the changes that replace them."""

from __future__ import annotations

import ast

from tetrasolve.lint.changes import Change, extent


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
