"""What the functions of a kernel call, and which readings they ask for: read from its sources, by the names in them.

A function is taken to call every function and method that it names before a bracket or by its address, methods of any class if
the class is not known, and the constructors of classes. Where it reads a field of the board's tables, it is taken to call what sets
that field, since values of readings can be in tables. So what is not found to be called is not called; what is found need not be.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "ext"
INCLUDE = re.compile(r'^include "([^"]+)"', re.MULTILINE)
CLASS = re.compile(r"cdef class (\w+)")
FUNCTION = re.compile(r" *(?:cdef|cpdef|def)\b[^=]*?\b([A-Za-z_]\w*)\(")
CALL = re.compile(r"(self\.|\.)?\b([A-Za-z_]\w*)(?=\()|&([a-z_]\w*)")
TABLES = r"\b(?:B|board|self\.board|tables\.board)(?:\.|->)"
FIELD = re.compile(TABLES + r"(\w+)")
SETS = re.compile(TABLES + r"(\w+)(?:\[[^=]*\])* *[|&+-]?=(?!=)")
READING = re.compile(r"\bI_[A-Z_]+\b")
# It sets two fields itself, from its arguments; the functions that it calls set all others, and are reached by their fields
CONSTRUCTOR = "Tables.__cinit__"


class Calls:
    """The calls of one kernel."""

    def __init__(self, kernel: str) -> None:
        self.calls: dict[str, set[str]] = {}
        self.fields: dict[str, set[str]] = defaultdict(set)
        self.asks: dict[str, set[str]] = defaultdict(set)
        self.sets: dict[str, set[str]] = defaultdict(set)
        self.methods: dict[str, set[str]] = defaultdict(set)
        for name in included(kernel):
            self._read((SOURCES / name).read_text("utf-8"))
        for name in self.calls:
            if "." in name:
                self.methods[name.partition(".")[2]].add(name)

    def _read(self, text: str) -> None:
        owner, open_ = "", ("", 0)  # the class, and the function with its indentation
        for line in text.split("\n"):
            code = line.split("#")[0].rstrip()
            indent = len(code) - len(code.lstrip())
            if not code:
                continue
            if found := CLASS.match(code):
                owner, open_ = found[1], ("", 0)
                continue
            closes = code.lstrip().startswith(")")
            if not indent and not closes and not code.startswith("@"):
                owner = ""
            if open_[0] and indent <= open_[1] and not closes:
                open_ = ("", 0)
            found = FUNCTION.match(code)
            if found and not open_[0]:
                open_ = (f"{owner}.{found[1]}" if owner else found[1], indent)
                self.calls.setdefault(open_[0], set())
            elif open_[0]:
                self._take(open_[0], code)

    def _take(self, name: str, code: str) -> None:
        for before, called, address in CALL.findall(code):
            self.calls[name].add(address or before + called)
        self.fields[name] |= {*FIELD.findall(code)}
        self.asks[name] |= {*READING.findall(code)}
        for field in SETS.findall(code):
            self.sets[field].add(name)

    def called_by(self, name: str) -> Iterator[str]:
        """The functions that a function calls, and those that set the tables that it reads."""
        owner = name.partition(".")[0]
        for call in self.calls[name] if name != CONSTRUCTOR else ():
            before, _, called = call.rpartition(".")
            if before == "self" and f"{owner}.{called}" in self.calls:
                yield f"{owner}.{called}"
            elif call[0] == "." or before:
                yield from self.methods[called]
            elif call in self.calls:
                yield call
            elif f"{call}.__cinit__" in self.calls:
                yield f"{call}.__cinit__"
        for field in self.fields[name]:
            yield from self.sets[field]

    def asked_from(self, roots: Sequence[str]) -> set[str]:
        """The readings that these functions, and all that they can call, ask for: ``I-FRESH``."""
        seen, waiting = {*roots}, [*roots]
        while waiting:
            fresh = {*self.called_by(waiting.pop())} - seen
            seen |= fresh
            waiting += fresh
        return {name.replace("_", "-") for function in seen for name in self.asks[function]}


def included(name: str) -> Iterator[str]:
    """A source and all that it includes."""
    yield name
    for other in INCLUDE.findall((SOURCES / name).read_text("utf-8")):
        yield from included(other)


@cache
def calls_of(kernel: str) -> Calls:
    """The calls of ``whole.pyx`` or ``kernel.pyx``."""
    return Calls(kernel)
