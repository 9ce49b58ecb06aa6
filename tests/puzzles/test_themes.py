"""Each theme by hand: lines that have it, and lines that nearly have it."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from moduletable import extended
from tabletop import make_position

from tetrasolve.errors import PuzzleError
from tetrasolve.puzzles.themes import require_themes
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.plan import read_plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle import unique
from tetrasolve.tetrarchia.puzzle.collection import Entry, shipped
from tetrasolve.tetrarchia.puzzle.lines import Line, line_of, lines, read_actions
from tetrasolve.tetrarchia.puzzle.themes import DECOY, has_decoy, has_theme, themes, themes_of


def at(place: str, **more: Any) -> Position:
    """Diocletian stands there."""
    others = more.pop("others", {})
    return make_position(at={"diocletian": place, **others}, **more)


def played(position: Position, text: str) -> Line:
    """The line of these actions."""
    actions: list[Action] = []
    now = position
    for part in filter(None, text.split("; ")):
        actions.append(rules.parse(now, part))
        after = rules.play(now, actions[-1])
        assert isinstance(after, Position)
        now = after
    return line_of(position, actions)


BESIDE_BRITANNIA = at("belgica", ip=3, armies="britannia")
HELD = at("belgica", ip=3, armies="britannia", garrisons={"galerius": "belgica"})
BESIDE_LIBYA = at("cyrenaica", armies="libya")
TWO_ARMIES = at("cyrenaica", armies="libya aegyptus", revolts="aegyptus")
OUTSIDE = make_position(at={})
WITH_DUX = extended("dux", {"dux": "rhaetia"}, "maximian", {"maximian": "noricum"})

CASES = [
    ("sea-crossing", True, at("africa"), "move sardinia"),
    ("sea-crossing", False, at("africa"), "move sicilia"),  # by sea, but beside a broken link
    ("sea-crossing", False, at("africa"), "move numidia; sail 2>1"),
    ("fleet-first", True, at("narbonensis", fleets=(3,)), "sail 3>2; move sardinia"),
    ("fleet-first", True, at("africa", fleets=(3,)), "sail 3>2; move sicilia"),  # cheaper than the broken link
    ("fleet-first", False, at("narbonensis"), "move sardinia; sail 2>1"),
    ("fleet-first", False, at("narbonensis", fleets=(1,)), "sail 1>2; move lugdunensis"),
    ("passing-through", True, at("narbonensis", others={"galerius": "lugdunensis"}), "move lugdunensis; move belgica"),
    ("passing-through", True, make_position(at={"galerius": "roma"}), "enter roma; move etruria"),
    ("passing-through", False, at("narbonensis", others={"galerius": "belgica"}), "move lugdunensis; secure"),
    ("broken-link", True, at("narbonensis", fleets=(1,)), "move cisalpina"),
    ("broken-link", True, BESIDE_BRITANNIA, "attack britannia: draw"),
    ("broken-link", False, at("narbonensis", fleets=(2,)), "move cisalpina"),  # a fleet takes him there for 1 IP
    ("broken-link", False, BESIDE_LIBYA, "attack libya: draw"),
    (
        "chain-of-garrisons",
        True,
        at("cyrenaica", armies="libya", garrisons={"diocletian": "cyrenaica tripolitania aegyptus"}),
        "attack libya: draw",
    ),
    (
        "chain-of-garrisons",
        False,
        at("cyrenaica", armies="libya", garrisons={"diocletian": "cyrenaica tripolitania numidia"}),
        "attack libya: draw",
    ),
    (
        "chain-of-garrisons",
        False,
        at("cyrenaica", armies="libya", garrisons={"galerius": "cyrenaica tripolitania aegyptus"}),
        "attack libya: draw",
    ),
    (
        "joined-chain",
        True,
        at("cyrenaica", armies="libya", garrisons={"diocletian": "tripolitania aegyptus"}),
        "secure; attack libya: draw",
    ),
    ("joined-chain", False, BESIDE_LIBYA, "secure; attack libya: draw"),
    (
        "joined-chain",
        False,
        at("cyrenaica", armies="libya", garrisons={"diocletian": "tripolitania"}),
        "secure; attack libya: draw",
    ),
    ("garrison-first", True, BESIDE_LIBYA, "secure; attack libya: draw"),
    ("garrison-first", False, BESIDE_LIBYA, "attack libya: draw; secure"),
    (
        "garrison-first",
        False,
        at("numidia", armies="libya"),
        "secure; move africa; move tripolitania; attack libya: draw",
    ),
    ("support", True, at("cyrenaica", armies="libya", others={"galerius": "aegyptus"}), "attack libya: victory"),
    ("support", False, at("cyrenaica", armies="libya", others={"galerius": "africa"}), "attack libya: victory"),
    ("waiting", True, at("roma"), ""),
    ("waiting", True, OUTSIDE, "enter roma"),
    ("waiting", False, at("roma", ip=0), ""),
    ("waiting", False, at("roma"), "move etruria"),
    ("subdue-before-secure", True, at("dacia", unrest="dacia"), "remove; secure"),
    ("subdue-before-secure", True, at("dacia", revolts="dacia"), "reduce; remove; secure"),
    ("subdue-before-secure", False, at("thracia", unrest="thracia"), "remove; move macedonia; secure"),
    ("quiet-move", True, at("thracia"), "secure; move macedonia"),
    ("quiet-move", True, at("thracia"), "move macedonia; sail 2>1"),
    ("quiet-move", False, at("thracia"), "move macedonia; secure"),
    ("quiet-move", False, at("thracia"), "sail 2>1"),
    ("quiet-move", False, WITH_DUX, "secure; dux: move cisalpina"),
    ("sacrifice", True, HELD, "attack britannia: defeat"),
    ("sacrifice", False, HELD, "attack britannia: victory"),
    ("sacrifice", False, BESIDE_BRITANNIA, "secure; attack britannia: defeat"),
    ("last-ip", True, at("thracia", ip=2), "move macedonia; secure"),
    ("last-ip", False, at("thracia", ip=3), "move macedonia; secure"),
    ("last-ip", False, at("thracia", ip=0), ""),
    ("lone-survivor", True, at("thracia"), "secure"),
    ("lone-survivor", True, OUTSIDE, "enter roma; secure"),
    ("lone-survivor", False, at("thracia", others={"galerius": "dacia"}), "secure"),
    ("lone-survivor", False, WITH_DUX, "secure"),
    ("undermining", True, at("cyrenaica", armies="libya", revolts="cyrenaica"), "remove; attack libya: draw"),
    ("undermining", True, at("cyrenaica", armies="libya", revolts="cyrenaica"), "reduce; attack libya: draw"),
    (
        "undermining",
        False,
        at("numidia", armies="libya", revolts="numidia"),
        "remove; move africa; move tripolitania; attack libya: draw",
    ),
    ("undermining", False, at("cyrenaica", armies="libya", unrest="cyrenaica"), "remove; attack libya: draw"),
    (
        "supporter-first",
        True,
        TWO_ARMIES,
        "attack aegyptus: victory; move cyrenaica; attack libya: draw",
    ),
    ("supporter-first", True, TWO_ARMIES, "attack aegyptus: victory; attack libya: draw"),
    ("supporter-first", False, TWO_ARMIES, "attack aegyptus: draw; attack libya: draw"),
    (
        "supporter-first",
        False,
        at("roma", armies="etruria libya", revolts="etruria"),
        "attack etruria: victory; move tripolitania; attack libya: draw",
    ),
    ("half-measure", True, at("dacia", revolts="dacia"), "reduce"),
    ("half-measure", False, at("dacia", revolts="dacia"), "reduce; remove"),
    ("half-measure", False, at("dacia", revolts="dacia thracia", unrest="macedonia"), "remove"),
    ("return", True, OUTSIDE, "enter bithynia"),
    ("return", False, at("bithynia"), "secure"),
    ("into-revolt", True, at("thracia", revolts="macedonia"), "move macedonia; remove"),
    ("into-revolt", False, at("thracia", unrest="macedonia"), "move macedonia; remove"),
    ("into-revolt", False, at("thracia", revolts="thracia"), "remove; move macedonia"),
    ("switchback", True, at("thracia"), "move macedonia; secure; move thracia"),
    ("switchback", True, OUTSIDE, "enter roma; move etruria; move roma"),
    ("switchback", False, at("thracia"), "move macedonia; move achaia"),
    ("switchback", False, BESIDE_LIBYA, "attack libya: draw; attack libya: draw"),
    ("consolidation", True, BESIDE_LIBYA, "attack libya: victory; secure"),
    ("consolidation", False, BESIDE_LIBYA, "secure; attack libya: victory"),
    ("consolidation", False, BESIDE_LIBYA, "attack libya: victory; move aegyptus; secure"),
    ("second-attempt", True, BESIDE_LIBYA, "attack libya: draw; secure; attack libya: victory"),
    ("second-attempt", False, TWO_ARMIES, "attack aegyptus: draw; attack libya: draw"),
    ("second-attempt", False, BESIDE_LIBYA, "attack libya: draw; secure"),
    ("two-battles", True, TWO_ARMIES, "attack aegyptus: draw; attack libya: draw"),
    ("two-battles", False, TWO_ARMIES, "attack libya: draw; attack libya: draw"),
    ("other-way", True, BESIDE_LIBYA, "attack libya: draw; secure"),
    ("other-way", False, BESIDE_LIBYA, "attack libya: draw; attack libya: draw"),
    ("other-way", False, BESIDE_LIBYA, "attack libya: victory; secure"),
    ("other-way", False, BESIDE_LIBYA, "attack libya: draw; secure; attack libya: defeat"),
    ("other-way", True, TWO_ARMIES, "attack aegyptus: draw; attack libya: draw; move tripolitania"),
    ("helping-hand", True, WITH_DUX, "dux: move cisalpina"),
    ("helping-hand", False, WITH_DUX, "move pannonia_inferior"),
]


@pytest.mark.parametrize(("theme", "expected", "position", "text"), CASES)
def test_a_theme_is_found_in_the_lines_that_have_it(theme: str, expected: bool, position: Position, text: str) -> None:
    assert has_theme(theme, [played(position, text)]) is expected


def test_each_theme_has_cases_of_both_kinds() -> None:
    cases = Counter((theme, expected) for theme, expected, _, _ in CASES)
    assert {*cases} == {(theme, expected) for theme in themes() if theme != DECOY for expected in (True, False)}


def test_a_decoy_is_a_cheaper_plan_with_a_smaller_chance() -> None:
    """Without a garrison the attack is cheaper and less likely to succeed; under Galerius's there is one way only."""
    assert DECOY in themes_of(unique(BESIDE_BRITANNIA, "kill britannia"))
    assert DECOY not in themes_of(unique(HELD, "kill britannia"))  # the other plan pays for more
    assert DECOY not in themes_of(unique(at("belgica", ip=2, armies="britannia"), "kill britannia"))  # or has no chance
    assert DECOY not in themes_of(unique(BESIDE_BRITANNIA, "least p_uprising"))


def test_themes_are_looked_for_in_each_line_of_the_answer() -> None:
    position = at("cyrenaica", ip=3, armies="libya")
    found = unique(position, "kill libya")
    both = tuple(lines(position, found.plan))
    assert sum(line.chance for line in both) == 1 and len(both) > 1
    assert {line.end for line in both} == {end for _, end, _ in found.ends}
    expected = {theme for theme in themes() if theme != DECOY and any(has_theme(theme, [line]) for line in both)}
    assert set(themes_of(found)) - {DECOY} == expected >= {"second-attempt", "garrison-first"}


def test_each_theme_is_said_in_both_languages() -> None:
    assert len(themes()) >= 15
    for name, theme in themes().items():
        assert name.replace("-", "").isalpha() and name == name.lower()
        assert {*theme.title} == {*theme.meaning} == {"en", "es"}
        assert all(text.endswith(".") and text[0].isupper() for text in theme.meaning.values())
    assert len({theme.title["es"] for theme in themes().values()}) == len(themes())


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(PuzzleError, match="'mate': expected one of sea-crossing, fleet-first"):
        require_themes(["support", "mate"], themes())


# -- held against what was read by hand ------------------------------------------------------------------------------

DATA = Path(__file__).parent / "data"
AGREE = 0.95  # of the cases that a rule says yes to, and of all that were read
CASES_OF_A_THEME = 30  # that its rule says yes to


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def by_id() -> dict[str, Entry]:
    return {entry.id: entry for entry in shipped()}


@cache
def found_in(puzzle: str) -> frozenset[str]:
    """The themes that the rules find in a shipped puzzle, from its answer and the values that the file says."""
    entry = by_id()[puzzle]
    position, data = entry.question.position, entry.data
    played = tuple(lines(position, read_plan(data["answer"], position.board)))
    values, others = (tuple(Fraction(row["exact"]) for row in data[name]) for name in ("values", "other_values"))
    answer = SimpleNamespace(objective=entry.question.objective, values=values, other_values=others)
    return frozenset(
        name
        for name in themes()
        if (has_decoy(answer) if name == DECOY else has_theme(name, played))  # type: ignore[arg-type]  # its values
    )


def readings() -> Iterator[tuple[str, bool, bool]]:
    """All cases that were read: the theme, what its rule says, and what was seen.

    Puzzles of the collection (`hand-read-themes.csv`), and lines of play that `bench/theme_cases.py` drew with a seed from games,
    the best plans of small questions and constructed positions (`hand-read-lines.csv`). Lines were judged from the position and the
    actions in words, those with the theme among others, before anybody looked at what the rule says.
    """
    for row in rows("hand-read-themes.csv"):
        yield row["theme"], row["theme"] in found_in(row["puzzle"]), row["verdict"] == "yes"
    for row in rows("hand-read-lines.csv"):
        position = read_position(row["position"])
        line = line_of(position, read_actions(row["actions"], position.board) if row["actions"] else ())
        yield row["theme"], has_theme(row["theme"], [line]), row["verdict"] == "yes"


def test_the_rules_agree_with_the_cases_that_were_read() -> None:
    found = Counter(readings())
    for theme in themes():
        right, claimed = found[theme, True, True], found[theme, True, True] + found[theme, True, False]
        assert claimed >= CASES_OF_A_THEME, f"{theme}: {claimed} cases"
        assert right >= AGREE * claimed, f"{theme}: {right} of {claimed}"
        seen, missed = right + found[theme, False, True], found[theme, False, True]
        assert missed <= (1 - AGREE) * seen, f"{theme}: {missed} of {seen} missed"


def test_no_case_was_read_twice() -> None:
    for name, key in (
        ("hand-read-themes.csv", ("theme", "puzzle")),
        ("hand-read-lines.csv", ("theme", "position", "actions")),
    ):
        read = [tuple(row[column] for column in key) for row in rows(name)]
        assert len({*read}) == len(read)
    without = Counter(row["theme"] for row in rows("hand-read-lines.csv") if row["verdict"] == "no")
    assert min(without.values()) >= 4, "lines without the theme are among those that were read"


def test_no_theme_is_missed_in_a_sample() -> None:
    """Thirty puzzles with all themes that were seen in them."""
    read = rows("hand-read-puzzles.csv")
    assert len(read) == 30
    for row in read:
        assert found_in(row["puzzle"]) == set(row["themes"].split()), row["puzzle"]
