"""The two kernels are one source compiled twice: no rule is written in one file for the one and in another for the other.

A name that both define, each in a file of its own, is either a *hook*, which the shared source calls where a module changes a
rule, or it stores and counts and is listed here with its reason.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

# Files whose functions are hooks: the base game's form of what a module changes, at most so many lines of code each
HOOKS = ("bare.pxi", "basechain.pxi", "undecided.pxi")
LINES_OF_A_HOOK = 8

SORTED_BY_REVOLTS = "the base game keeps positions by their revolts, in 8 bytes; with modules it keeps the 96 bytes"
COUNTED = "of outcomes that are only counted the base game keeps eight bytes each, in packed.pxi"
LISTED = "the base game counts actions with the predicates of roman.pxi; with modules they are listed. See decision 18"
STORAGE: Mapping[str, str] = {
    "State": "a position as a Python value: the fields that each kernel has",
    "state_of": "makes a `State`",
    "Sweep": SORTED_BY_REVOLTS,
    "sweep_open": SORTED_BY_REVOLTS,
    "sweep_close": SORTED_BY_REVOLTS,
    "sweep_size": SORTED_BY_REVOLTS,
    "sweep_restart": SORTED_BY_REVOLTS,
    "sweep_failed": SORTED_BY_REVOLTS,
    "only_count": COUNTED,
    "sweep_settle": COUNTED,
    "number_gathered": COUNTED,
    "packed_mass": COUNTED,
    "catch_fire": "loops over the outcomes of spread.pxi",
    "sweep": "loops over kept positions, for each of which activity.pxi has the rules",
    "first_uprising": "loops over kept positions",
    "next_uprising": "loops over kept positions",
    "count_uprisings": "loops over kept positions",
    "advance": "hands a kept position to advance.pxi; the base game keeps the ways to advance where no Emperor is in the way",
    "exact_unit": "a whole number that all divisions of a step go into",
    "exact_figures": "puts the steps together as fractions",
    "_ExactChain": "puts the steps together as fractions",
    "count_actions": LISTED,
    "count_last_two": LISTED,
    "random_action": LISTED,
    "Answers": "of the Barbarian player: the dice of the base game have a place for them, and nobody gives any",
}

DEFINITION = re.compile(
    r"^(?:cdef|cpdef|def)\s+(?:inline\s+)?(?:(?:struct|class)\s+(\w+)|[^(=]*?(\w+)\()", re.MULTILINE
)


def definitions(text: str) -> dict[str, str]:
    """The functions, classes and structures of a file, each with its source."""
    found = {}
    for part in re.split(r"\n(?=\S)", text):
        match = DEFINITION.match(part)
        if match:
            found[match[1] or match[2]] = part
    return found


def build(ext: Path, module: str) -> dict[str, tuple[str, str]]:
    """All definitions of a kernel: file and source by name."""
    found: dict[str, tuple[str, str]] = {}
    for name in re.findall(r'^include "([^"]+)"', (ext / module).read_text("utf-8"), re.MULTILINE):
        for defined, source in definitions((ext / name).read_text("utf-8")).items():
            found[defined] = (name, source)
    return found


@pytest.fixture(scope="module")
def forked(root: Path) -> dict[str, tuple[str, str]]:
    """What both kernels define in different files: file and source in the base game."""
    base, whole = build(root / "ext", "kernel.pyx"), build(root / "ext", "whole.pyx")
    return {name: base[name] for name in base if name in whole and base[name][0] != whole[name][0]}


def test_only_hooks_and_storage_are_written_twice(forked: Mapping[str, tuple[str, str]]) -> None:
    twice = {name for name, (file, _) in forked.items() if file not in HOOKS}

    assert twice <= set(STORAGE), (
        "a rule belongs into a file that both kernels include, with a hook where a module changes it"
    )
    assert set(STORAGE) <= set(forked), "no longer written twice: take it out of the list"


def test_hooks_are_short(forked: Mapping[str, tuple[str, str]]) -> None:
    long = {
        name: lines
        for name, (file, source) in forked.items()
        if file in HOOKS and name not in STORAGE and "struct" not in source.split("\n", 1)[0]
        if (lines := code_lines(source)) > LINES_OF_A_HOOK
    }

    assert long == {}


def code_lines(source: str) -> int:
    """Lines of a function's body, without its docstring and comments."""
    body = re.sub(r'"""[\s\S]*?"""', "", source).split("noexcept nogil:\n")[-1]
    return sum(1 for line in body.split("\n") if line.strip() and not line.strip().startswith("#"))


def test_the_check_sees_what_is_written_twice() -> None:
    seen = definitions("cdef inline int one(int a) noexcept nogil:\n    return a\n\n\ncdef struct Two:\n    int b\n")

    assert list(seen) == ["one", "Two"]
    assert code_lines(seen["one"]) == 1
