"""The boards next to a board: each differs in what its name says, and in nothing that is certain."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from tetrasolve.tetrarchia.board import Board, Evidence
from tetrasolve.tetrarchia.boardcheck import check
from tetrasolve.tetrarchia.facts.boardrows import all_rows
from tetrasolve.tetrarchia.facts.changes import DIFFER, Change, both, neighbourhood, uncertain_rows
from tetrasolve.tetrarchia.facts.families import CLAIMS

BOARD = Board.standard()
NEAR = neighbourhood(BOARD)
# by the kind of a change, with which words the rows of the board that differ may begin
WORDS = {
    "links": "link",
    "kinds": "link",
    "arrows": "arrow",
    "zones": "province",
    "regions": "province",
    "numbers": "number",
}


def differing(change: Change) -> set[str]:
    return set(all_rows(change.apply(BOARD))) ^ set(all_rows(BOARD))


def test_each_change_has_its_name_and_makes_another_board() -> None:
    boards = [change.apply(BOARD) for change in NEAR.changes]

    assert len({change.name for change in NEAR.changes}) == len(boards) == len(set(boards))
    assert BOARD not in boards


@pytest.mark.parametrize("kind", DIFFER)
def test_what_differs_is_of_the_kind_that_the_change_says(kind: str) -> None:
    changes = [change for change in NEAR.changes if kind in change.kinds]

    assert kind in CLAIMS.rows and changes
    for change in changes:
        words = {row.partition(" ")[0] for row in differing(change)}
        assert words and words <= {WORDS[name] for name in change.kinds}, change.name


def test_no_change_contradicts_what_is_certain() -> None:
    for change in NEAR.changes:
        assert check(change.apply(BOARD)) == (), change.name
        assert 0 < change.doubt < 1
        assert set(change.rows) <= uncertain_rows(BOARD).keys()


def test_every_uncertain_row_was_looked_at() -> None:
    """What stands for no change is impossible altogether, and counted."""
    asked = {row for change in NEAR.changes for row in change.rows}
    left = set(uncertain_rows(BOARD)) - asked

    assert sum(NEAR.impossible.values()) >= len(left)
    assert all(BOARD.link("roma", name) for name in ("etruria", "lucania"))
    assert {row.split()[0] for row in asked} == {"link", "kind", "no", "arrow", "zones", "region", "number"}


def test_links_are_taken_away_and_turned_one_by_one() -> None:
    for change in NEAR.about(["kinds"]):
        (old,) = differing(change) & set(all_rows(BOARD))
        (new,) = differing(change) - set(all_rows(BOARD))
        assert {old.rpartition(" ")[0]} == {new.rpartition(" ")[0]}
    absent = [change for change in NEAR.changes if change.name.endswith("absent")]
    assert len(absent) > 30
    for change in absent:
        assert len(change.apply(BOARD).links) == len(BOARD.links) - 1 and len(differing(change)) == 1


def test_a_row_that_is_certain_is_not_changed() -> None:
    sure = Evidence("board", 1.0)
    links = tuple(replace(link, exists=sure, kind=sure) for link in BOARD.links)
    provinces = {
        name: replace(place, evidence={claim: sure for claim in place.evidence})
        for name, place in BOARD.provinces.items()
    }
    known = replace(BOARD, links=links, provinces=provinces, no_links=())

    assert known == BOARD and uncertain_rows(known) == {}
    assert list(DIFFER["links"](known)) == list(DIFFER["zones"](known)) == []
    assert {change for differ in DIFFER.values() for change in differ(known)} == set()


def test_two_changes_in_either_order() -> None:
    random = Random("two changes")
    tried = 0
    for first, second in random.sample(list(combinations(NEAR.changes, 2)), 60):
        one, other = both(BOARD, first, second), both(BOARD, second, first)
        if set(first.rows) & set(second.rows):
            assert one is None is other
        if one is not None and other is not None and not {"arrows"} & (first.kinds | second.kinds):
            assert one == other
            tried += 1
    assert tried > 20
