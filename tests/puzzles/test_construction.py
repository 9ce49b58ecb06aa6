"""Pieces that can go, and how far two puzzles are apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest
from tabletop import make_position

from tetrasolve.errors import OutOfTimeError, TooLargeError
from tetrasolve.puzzles.making import QuestionCounts
from tetrasolve.puzzles.matching import apart
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle import construction
from tetrasolve.tetrarchia.puzzle.construction import blemishes, pieces, shrink
from tetrasolve.tetrarchia.puzzle.distance import MOST, OTHER_KIND, TARGET, alike, distance
from tetrasolve.tetrarchia.puzzle.kinds import Question, kind
from tetrasolve.tetrarchia.puzzle.lines import line_of
from tetrasolve.tetrarchia.puzzle.making import PlayedTurn, make
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, solve
from tetrasolve.tetrarchia.puzzle.ranked import Ranked

BOARD = Board.standard()


def ask(position: Position, name: str = "kill", target: str | None = "britannia") -> Question:
    question = kind(name).question_about(position, target)
    assert question is not None
    return question


def puzzle_of(position: Position) -> Puzzle:
    question = ask(position)
    return Puzzle(question, "by hand", solve(question))


def beside(**more: str) -> Position:
    """An army in Britannia, and a garrison of Galerius that keeps the Emperor from placing his own first."""
    return make_position(
        at={"diocletian": "belgica", **({"galerius": more.pop("galerius")} if "galerius" in more else {})},
        ip=3,
        armies=f"britannia {more.pop('armies', '')}",
        garrisons={"galerius": "belgica"},
        board=BOARD,
        **more,
    )


# -- pieces that can go ------------------------------------------------------------------------------------------


def test_pieces_far_away_are_blemishes_and_those_of_the_answer_are_not() -> None:
    """Without the garrison he would secure first, without the army nothing is asked; the rest changes nothing."""
    puzzle = puzzle_of(beside(galerius="aegyptus", armies="persia", revolts="dacia", unrest="syria"))
    expected = {"revolt in dacia", "unrest in syria", "army in persia", "galerius in aegyptus"}
    assert set(blemishes(puzzle)) == expected


def test_a_shrunk_puzzle_has_the_same_answer_and_no_blemish() -> None:
    puzzle = puzzle_of(beside(galerius="aegyptus", armies="persia", revolts="dacia", unrest="syria"))
    done = shrink(puzzle)
    assert done.is_complete and len(done.removed) == 4 and done.puzzle.question.position == beside()
    assert str(done.puzzle.solution.plan) == str(puzzle.solution.plan)  # type: ignore[union-attr]  # both ask for a plan
    assert blemishes(done.puzzle) == () and shrink(done.puzzle).removed == ()


def test_a_supporter_is_needed() -> None:
    """Galerius beside the army doubles the value: without him the chances are others."""
    with_him = puzzle_of(beside(galerius="lugdunensis"))
    position = make_position(at={"diocletian": "cyrenaica", "galerius": "aegyptus"}, ip=1, armies="libya", board=BOARD)
    question = ask(position, target="libya")
    assert blemishes(Puzzle(question, "by hand", solve(question))) == ()
    assert blemishes(with_him) == ("galerius in lugdunensis",)  # not linked to Britannia


def test_a_revolt_under_an_army_goes_only_after_it() -> None:
    """A position that cannot occur is no puzzle: the revolt stays while the army stands on it."""
    puzzle = puzzle_of(beside(armies="syria", revolts="syria"))
    assert blemishes(puzzle) == ("army in syria",)
    assert set(shrink(puzzle).removed) == {"army in syria", "revolt in syria"}


def test_a_piece_that_changes_the_number_of_a_ranked_answer_stays() -> None:
    """Rhaetia is the likeliest without the revolts too, but with another chance."""
    position = make_position(
        at={"diocletian": "roma"}, ip=2, revolts="numidia cisalpina", unrest="epirus rhaetia baetica", board=BOARD
    )
    question = ask(position, "likely-revolt", None)
    puzzle = Puzzle(question, "by hand", solve(question))
    assert set(blemishes(puzzle)) == {"unrest in epirus", "unrest in baetica"}
    done = shrink(puzzle)
    assert isinstance(puzzle.solution, Ranked) and isinstance(done.puzzle.solution, Ranked)
    assert done.puzzle.solution.options[0] == puzzle.solution.options[0]


def test_what_is_too_large_without_a_piece_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_: object, **__: object) -> None:
        raise TooLargeError("too large")

    puzzle = puzzle_of(beside(revolts="dacia"))
    monkeypatch.setattr(construction, "solve", too_large)
    done = shrink(puzzle)
    assert (done.puzzle, done.removed, done.is_complete) == (puzzle, (), False)
    with pytest.raises(TooLargeError):
        blemishes(puzzle)


def test_without_time_the_puzzle_stays_as_far_as_it_came() -> None:
    puzzle = puzzle_of(beside(revolts="dacia"))
    done = shrink(puzzle, seconds=0)
    assert not done.is_complete and done.puzzle == puzzle and done.removed == ()
    with pytest.raises(OutOfTimeError):
        blemishes(puzzle, seconds=0)


def test_the_active_emperor_is_no_piece_that_can_go() -> None:
    assert [str(piece.name) for piece in pieces(beside(galerius="roma"))] == ["belgica", "britannia", "galerius"]


# -- how far apart -----------------------------------------------------------------------------------------------


def test_the_cheapest_matching_is_that_of_all_matchings() -> None:
    random = Random("matching")
    for _ in range(60):
        first, second = ([random.randrange(12) for _ in range(random.randrange(5))] for _ in range(2))
        few, many = sorted((first, second), key=len)
        cheapest = min(
            sum(min(abs(a - b), 4) for a, b in zip(few, chosen, strict=True)) for chosen in permutations(many, len(few))
        )
        assert apart(first, second, lambda a, b: abs(a - b), 4) == cheapest + 4 * (len(many) - len(few))


def test_the_distance_knows_the_map() -> None:
    here = ask(beside(revolts="dacia"))
    assert distance(here, here) == 0
    assert distance(here, ask(beside())) == MOST  # a piece more
    assert distance(here, ask(beside(revolts="moesia_superior"))) == 2  # a broken link away
    assert distance(here, ask(beside(revolts="africa"))) == MOST  # as far as no piece at all
    assert distance(ask(beside(revolts="africa")), ask(beside(revolts="sardinia"))) == 2  # by sea
    assert distance(here, ask(beside(unrest="dacia"))) == 2 * MOST  # another piece


def test_another_question_is_apart_in_the_same_position() -> None:
    position = beside(armies="persia")
    kill = ask(position)
    assert distance(kill, ask(position, "uprising", None)) == OTHER_KIND + TARGET * MOST
    assert distance(kill, ask(position, "kill", "persia")) == TARGET * MOST


def test_the_distance_is_a_metric() -> None:
    random, places = Random("metric"), [p.id for p in BOARD.provinces.values() if not p.is_border and p.id != "belgica"]
    found = [ask(beside(revolts=" ".join(random.sample(places, 4)))) for _ in range(6)]
    for one, other, third in permutations(found, 3):
        assert distance(one, other) == distance(other, one) <= distance(one, third) + distance(third, other)


def test_pairs_of_puzzles_are_compared_until_the_flag_is_set() -> None:
    """What was found before is given; the flag is looked at while puzzles are read and between two pairs."""
    one = ask(beside())
    stop, read = Stop(), []

    def puzzles() -> Iterator[Question]:
        for number in range(10**6):
            read.append(number)
            if number == 5:
                stop.set()
            yield one

    with pytest.raises(OutOfTimeError, match="before all pairs were compared"):
        next(alike(puzzles(), 8, cancel=stop))
    assert len(read) == 6

    later = Stop()
    found = alike([one] * 4, 8, cancel=later)
    assert [next(found), next(found)] == [(1, 2, 0), (1, 3, 0)]
    later.set()
    with pytest.raises(OutOfTimeError, match="it was cancelled"):
        list(found)
    with pytest.raises(OutOfTimeError, match="the time ran out"):
        list(alike([one] * 4, 8, seconds=0))
    assert len(list(alike([one] * 4, 8, seconds=1e6))) == 6


def test_the_same_position_of_another_emperor_is_alike() -> None:
    first = make_position(at={"diocletian": "belgica"}, ip=3, armies="britannia", board=BOARD)
    second = make_position("maximian", at={"maximian": "belgica"}, ip=3, armies="britannia", board=BOARD)
    far = make_position(at={"diocletian": "cyrenaica"}, ip=3, armies="britannia libya", board=BOARD)
    assert list(alike([ask(first), ask(far), ask(second)], 8)) == [(1, 3, 0)]


def test_makers_leave_out_what_is_alike() -> None:
    tally = QuestionCounts()
    position = make_position(at={"diocletian": "belgica"}, ip=3, armies="britannia", unrest="syria", board=BOARD)
    turns = [PlayedTurn(f"turn {turn}", position, line_of(position, ())) for turn in (1, 2)]
    made = list(make(turns, count=9, kinds=("kill",), shrunk=True, apart=1, tally=tally))
    assert [puzzle.source for puzzle in made] == ["turn 1"] and tally.alike == 1
    assert "1 too near another puzzle" in str(tally) and not made[0].question.position.unrest
    assert len(list(make(turns, count=9, kinds=("kill",)))) == 2
