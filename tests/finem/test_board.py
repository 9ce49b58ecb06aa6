"""The map of a ruleset: its data, its text and its picture."""

from __future__ import annotations

import json
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from tetrasolve.cli.main import run
from tetrasolve.errors import ArgumentError, RulesetError
from tetrasolve.finem.board import Board
from tetrasolve.finem.boardpicture import board_svg
from tetrasolve.finem.draw import centre_of
from tetrasolve.finem.game import new_game
from tetrasolve.finem.layout import GRID, REGIONS
from tetrasolve.finem.ruleset import Ruleset

SVG = "{http://www.w3.org/2000/svg}"
DEALT = "E5E7CRESERE6ECC5C6CCCSC7O6O7OCORO5OSB6B7BSBRB5BC"
BOARDS = {
    "standard": 28,
    f"standard@{DEALT}": 28,
    "expert+cap3+corner": 28,
    "introductory+sphere": 36,
    "expert+sphere?E-SPHERE=skip": 38,
    f"expert+sphere+corner?E-SPHERE=skip@{DEALT}": 38,
}


def board(text: str) -> Board:
    return Board.of(Ruleset.from_text(text))


def distances(pairs: list[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """Moves between all regions, by Floyd and Warshall."""
    far = {(one, other): 0 if one == other else 99 for one in REGIONS for other in REGIONS}
    far |= dict.fromkeys(pairs, 1) | {(other, one): 1 for one, other in pairs}
    for way in REGIONS:
        far |= {(a, b): min(n, far[a, way] + far[way, b]) for (a, b), n in far.items()}
    return far


@pytest.mark.parametrize("text", BOARDS)
def test_the_data_of_a_map(text: str) -> None:
    """Neighbours are beside it in the map that is shown; what is across is at both ends of a row or a column."""
    found = board(text)
    data = json.loads(json.dumps(found.as_data()))
    place = {card: (r, c) for r, row in enumerate(data["map"]) for c, card in enumerate(row) if card != "."}
    assert len(data["pairs"]) == BOARDS[text] and sorted(place) == sorted(REGIONS)
    listed: set[tuple[str, str]] = set()
    for row in data["regions"]:
        name = row["region"]
        assert (row["row"] - 1, row["column"] - 1) == place[name]
        assert (row["tribe"], row["rank"]) == (name[0], name[1])
        beside = {
            other for other in REGIONS if sum(abs(a - b) for a, b in zip(place[name], place[other], strict=True)) == 1
        }
        assert set(row["neighbours"]) == beside
        for other in row["across"]:
            (r, c), (s, d) = sorted((place[name], place[other]))
            assert (r == s and (c, d) == (0, 3)) or (c == d and r == 0 and s >= 6)
        listed |= {(name, other) for other in (*row["neighbours"], *row["across"])}
    assert listed == {pair for one, other in data["pairs"] for pair in ((one, other), (other, one))}
    assert listed == {(one, other) for one, near in found.ruleset.layout.neighbours.items() for other in near}


@pytest.mark.parametrize("text", BOARDS)
def test_moves_are_the_shortest_ways(text: str) -> None:
    found = board(text)
    far = distances([*found.pairs])
    for name in REGIONS:
        assert {(name, other): number for number, row in enumerate(found.moves(name)) for other in row} == {
            pair: number for pair, number in far.items() if pair[0] == name
        }


def test_the_sphere_is_narrower() -> None:
    """The most moves between two regions, in both ways."""
    widest = {text: max(len(board(text).moves(name)) - 1 for name in REGIONS) for text in BOARDS}
    assert widest["standard"] == max(distances([*board("standard").pairs]).values())
    assert widest["standard"] > widest["introductory+sphere"] >= widest["expert+sphere?E-SPHERE=skip"]


def test_the_text_lists_each_region_with_what_is_adjacent() -> None:
    lines = str(board("introductory+sphere")).splitlines()
    assert lines[0] == "introductory+sphere: 24 regions, 36 adjacent pairs"
    assert lines[1] == "start C7, border gap"
    assert lines[2].split() == ["E5", "E7", "ES", "ER"]
    rows = {line.split()[0]: line.split()[3:] for line in lines[11:]}
    assert {name: set(cells) for name, cells in rows.items()} == {
        name: set(near) for name, near in board("introductory+sphere").ruleset.layout.neighbours.items()
    }
    assert "across" not in str(board("standard")) and "E5 or ER" in str(board("standard+corner"))


def test_the_text_of_a_region() -> None:
    text = board("introductory+sphere").region_text("E5")
    assert "adjacent   E6 E7\nacross     ER\nsame rank  O5 C5 B5\n1 move     E6 E7 ER\n" in text
    assert "start" not in text and "the pawn can begin here" in board("standard").region_text("C7")
    for wrong in ("E8", "e5", "", 5):
        with pytest.raises(ArgumentError, match="region: expected"):
            board("standard").region_text(wrong)  # type: ignore[arg-type]


def test_a_start_may_be_a_card() -> None:
    """[E-START]"""
    assert board(f"standard?E-START=card@{DEALT}").starts == ("C7",)
    assert board(f"standard@{DEALT}").starts == (DEALT[20:22],)


@pytest.mark.parametrize("text", BOARDS)
def test_a_picture_has_a_line_for_each_pair(text: str) -> None:
    """From centre to centre; across the border two that point away from each other, with names. Nothing is cut off."""
    found = board(text)
    root = ET.fromstring(board_svg(found, width=800))  # noqa: S314  # ours
    left, top, width, height = map(float, root.get("viewBox", "").split())
    assert root.get("width") == "800"
    where = {centre_of(place): name for name, place in found.ruleset.layout.place.items()}
    drawn, stubs = set(), 0
    for one in root.iter(f"{SVG}line"):
        ends = [complex(float(one.get(f"x{n}", "")), float(one.get(f"y{n}", ""))) for n in "12"]
        assert all(left < end.real < left + width and top < end.imag < top + height for end in ends)
        if one.get("stroke-dasharray"):
            stubs += 1
        else:
            drawn.add(frozenset(where[end] for end in ends))
    beside = {frozenset((name, other)) for name, region in found.regions.items() for other in region.neighbours}
    across = Counter(other for region in found.regions.values() for other in region.across)
    assert drawn == beside and stubs == across.total() == 2 * (BOARDS[text] - 28)
    labels = Counter(one.text for one in root.iter(f"{SVG}text"))
    assert labels == Counter(GRID.printed) + across
    for one in root.iter(f"{SVG}text"):
        at = complex(float(one.get("x", "")), float(one.get("y", "")))
        assert left + 6 < at.real < left + width - 6 and top + 6 < at.imag < top + height
    thick = [one for one in root.iter(f"{SVG}rect") if one.get("stroke-width") == "3"]
    assert len(thick) == len(found.starts)


def test_names_across_stand_at_the_right_edges() -> None:
    """Over the first row stand the names of the last rows, and the other way round."""
    root = ET.fromstring(board_svg(board("expert+sphere?E-SPHERE=skip")))  # noqa: S314  # ours
    small = [one for one in root.iter(f"{SVG}text") if one.get("font-size") == "11"]
    above = {one.text for one in small if float(one.get("y", "")) < 20}
    assert above == {"B6", "B5", "BC", "BR"}
    at_left = {one.text for one in small if float(one.get("x", "")) < 20}
    assert at_left == {"ER", "EC", "CR", "OR", "OS", "BR"}


def test_a_seed_deals_the_map_of_its_game(capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(3):
        assert run(["--game", "et-finem", "board", "show", "standard?E-MAP=dealt", "--seed", str(seed), "--json"]) == 0
        dealt = new_game(Ruleset.from_text("standard?E-MAP=dealt"), seed).start.ruleset  # type: ignore[union-attr]
        assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(Board.of(dealt).as_data()))
    with pytest.raises(RulesetError):
        board("standard?E-MAP=dealt")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["show", "standard", "--seed", "3"], "it requires E-MAP=dealt"),
        (["show", "standard?E-MAP=dealt"], "the set-up deals the map"),
        (["show", "expert"], "requires an option"),
        (["show", "standard@E5"], "expected 24 cards"),
        (["show", "--region", "X9"], "X9"),
        (["svg", "nothing"], "nothing"),
        (["svg", "--out", "."], "."),
    ],
)
def test_what_is_refused(words: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--game", "et-finem", "board", *words]) == 2
    shown = capsys.readouterr()
    assert problem in shown.err and "Traceback" not in shown.err and not shown.out
