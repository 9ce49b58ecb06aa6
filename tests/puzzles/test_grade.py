"""Grades: their figures against play by the reference rules, the rule, what is stored, checked, filtered and forged."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from functools import cache
from io import StringIO
from typing import Any

import pytest
from tabletop import make_position

from tetrasolve.errors import OutOfTimeError, PuzzleError
from tetrasolve.puzzles.effort import chance, effort, uniform
from tetrasolve.puzzles.lines import GRADES
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.replay import value_at
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.puzzle import Uniqueness, unique
from tetrasolve.tetrarchia.puzzle.attempt import within_reach
from tetrasolve.tetrarchia.puzzle.collection import COLUMNS, csv_text, read_line, select
from tetrasolve.tetrarchia.puzzle.grade import grade, rule, shares, turn_seen
from tetrasolve.tetrarchia.puzzle.kinds import kind, questions
from tetrasolve.tetrarchia.puzzle.lines import lines
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, check, solve
from tetrasolve.tetrarchia.rules import Fall

BOARD = Board.standard()
BESIDE = make_position(
    at={"diocletian": "belgica"}, ip=3, armies="britannia", garrisons={"galerius": "belgica"}, board=BOARD
)
AWAY = make_position(
    at={"diocletian": "lugdunensis"}, ip=4, armies="britannia", garrisons={"galerius": "belgica"}, board=BOARD
)
REVOLTS = make_position(at={"diocletian": "belgica"}, ip=3, revolts="aquitania lugdunensis", board=BOARD)


def puzzle_of(position: Position, name: str, target: str | None = None) -> Puzzle:
    (question,) = (q for q in questions(position, (name,)) if q.target == target)
    return Puzzle(question, "by hand", solve(question))


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return puzzle_of(AWAY, "kill", "britannia").graded()


# -- figures by the reference rules --------------------------------------------------------------------------------


def random_chance(found: Uniqueness) -> Fraction:
    """The chance that uniformly random legal play is the answer, by the reference rules alone."""
    asked = [*found.objective.terms].index(found.gap.term) + 1  # type: ignore[union-attr, arg-type]  # there is one answer

    @cache
    def best(state: Position | Fall, paid: int) -> tuple[Fraction, ...]:
        return within_reach(state, found.objective, paid, None)[:asked]

    @cache
    def right(state: Position | Fall, paid: int) -> Fraction:
        if isinstance(state, Fall) or state.is_won or state.phase is not Phase.ROMAN:
            return Fraction(1)
        choices, aim = [], best(state, paid)
        if rules.may_end(state):
            ended = tuple(value_at(term, state, paid, None) for term in found.objective.terms)[:asked]
            choices.append(Fraction(ended == aim))
        attacks = set()
        for action in rules.legal_actions(state):
            if action.kind is not Kind.ATTACK:
                after, cost = rules.play(state, action), paid + rules.cost(state, action)
                choices.append(right(after, cost) if best(after, cost) == aim else Fraction(0))
            elif action.place not in attacks:
                attacks.add(action.place)
                faces = rules.attack_roll(state, action.place, action.figure).results  # type: ignore[arg-type]
                ends = [(rules.play(state, one), paid + rules.cost(state, one)) for one in faces]
                means = [sum(row) / len(ends) for row in zip(*(best(*end) for end in ends), strict=True)]
                whole = Fraction(1)
                for end in set(ends):
                    whole *= right(*end)
                choices.append(whole if tuple(means) == aim else Fraction(0))
        return sum(choices, Fraction(0)) / len(choices)

    return right(found.position, 0)


@pytest.mark.parametrize("ip", [2, 3])
def test_the_chance_of_random_play_is_that_of_the_reference_rules(ip: int) -> None:
    position = BESIDE.replace(ip=ip)
    found = unique(position, "kill britannia then least ip")
    turn = turn_seen(found)
    question = puzzle_of(position, "kill", "britannia").question
    figures = grade(question, found).figures
    assert figures is not None
    assert figures.random == pytest.approx(float(random_chance(found)), rel=1e-5)
    assert all(any(choice.is_right for choice in choices) for choices in turn.region.values())


def test_a_solver_that_errs_less_finds_it_more_often(puzzle: Puzzle) -> None:
    assert isinstance(puzzle.solution, Uniqueness)
    turn = turn_seen(puzzle.solution)
    found = [chance(turn.region, shares(turn, noise)) for noise in (0.001, 0.05, 0.2, 0.8, 1000)]
    assert found == sorted(found, reverse=True)
    assert found[0] == pytest.approx(1) and found[-1] == pytest.approx(
        chance(turn.region, uniform(turn.region)), rel=0.1
    )


def test_the_figures_say_what_the_answer_is_like(puzzle: Puzzle) -> None:
    figures = puzzle.grade.figures
    assert figures is not None and isinstance(puzzle.solution, Uniqueness)
    played = list(lines(AWAY, puzzle.solution.plan))
    assert (figures.length, figures.branches) == (max(len(line.steps) for line in played), len(played))
    assert 0 < figures.random < 1 / figures.tries <= 1
    assert all(figures.lines[name] >= figures.ranks[name] >= 1 for name in ("discs", "evaluation", "turn"))


def test_who_looks_as_far_as_the_answer_is_long_goes_through_one_line(puzzle: Puzzle) -> None:
    assert isinstance(puzzle.solution, Uniqueness) and puzzle.grade.figures is not None
    turn = turn_seen(puzzle.solution)
    length = puzzle.grade.figures.length
    found = [effort(turn.region, turn.worths(ahead, turn.discs)).lines for ahead in (1, length)]
    assert found[1] == 1 <= found[0]


def test_an_army_beside_is_easier_than_one_further_away() -> None:
    near = puzzle_of(BESIDE.replace(ip=2), "kill", "britannia").graded().grade
    far = puzzle_of(AWAY, "kill", "britannia").graded().grade
    assert near.figures is not None and far.figures is not None
    assert near.figures.tries < far.figures.tries and near.number == 1 < (far.number or 0)


# -- the rule ------------------------------------------------------------------------------------------------------


def test_the_effort_decides_and_each_grade_is_ten_times_as_much() -> None:
    bounds = rule().effort
    assert list(bounds) == sorted(set(bounds)) and len(bounds) == len(GRADES) - 1
    assert [rule().grade(most) for most in (1, *bounds)] == [1, *GRADES[:-1]]
    assert [rule().grade(most * 1.001) for most in (*bounds, 1e300)] == [*GRADES[1:], GRADES[-1]]


def test_the_effort_is_between_the_tries_of_both_solvers(puzzle: Puzzle) -> None:
    figures = puzzle.grade.figures
    assert figures is not None and figures.tries < figures.effort < 1 / figures.random
    assert figures.effort**2 == pytest.approx(figures.tries / figures.random)


def test_the_finder_is_the_weakest_solver_within_the_lines_of_the_rule(puzzle: Puzzle) -> None:
    for made in (puzzle, puzzle_of(BESIDE.replace(ip=2), "kill", "britannia").graded()):
        figures = made.grade.figures
        assert figures is not None
        needed = {"random": 1 / figures.random, **figures.lines, "search": 0}
        assert figures.finder == next(name for name in rule().ladder if needed[name] <= rule().lines)
        assert made.grade.number == rule().grade(figures.effort)


def test_the_same_question_has_the_same_grade(puzzle: Puzzle) -> None:
    assert puzzle_of(AWAY, "kill", "britannia").graded().grade == puzzle.grade


def test_questions_without_a_plan_have_no_grade() -> None:
    (question,) = questions(BESIDE, ("chance-uprising",))
    made = Puzzle(question, "by hand", solve(question)).graded()
    assert made.data()["grade"] is None and "no plan" in str(made.grade)


def test_two_answers_have_no_grade() -> None:
    position = make_position(at={"diocletian": "aquitania"}, ip=4, armies="britannia", board=BOARD)
    question = kind("kill").question_about(position, "britannia")
    assert question is not None
    with pytest.raises(PuzzleError, match="this is no puzzle: two answers"):
        grade(question, unique(position, question.objective))


def test_without_time_a_grade_is_unknown_and_not_guessed(puzzle: Puzzle) -> None:
    assert isinstance(puzzle.solution, Uniqueness)
    with pytest.raises(OutOfTimeError, match=r"the grade of .*: the time ran out"):
        grade(puzzle.question, puzzle.solution, seconds=0)
    late = puzzle.graded(seconds=0)
    assert late.data()["grade"] == "unknown" and late.data()["figures"] is None
    stop = Stop()
    stop.set()
    assert "cancelled" in puzzle.graded(cancel=stop).grade.reason


@pytest.mark.parametrize(("rules", "pieces"), [("+mare-nostrum+via-romana", ""), ("+dux", " dux=null")])
def test_turns_with_modules_have_grades(rules: str, pieces: str) -> None:
    level, rest = str(AWAY).split(" ", 1)
    position = Position.parse(f"{level}{rules} {rest}{pieces}", BOARD)
    made = puzzle_of(position, "kill", "britannia").graded()
    assert position.ruleset.extensions and made.grade.number in GRADES
    assert check(made.question, made.data()).trouble == ""


# -- files ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def without_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate says nothing about grades, and each of its checks takes a process."""
    monkeypatch.setattr("tetrasolve.tetrarchia.puzzle.puzzle.certified", lambda *_: "not asked")


def wrong(trouble: str) -> list[str]:
    """The keys that differ."""
    return re.findall(r"(?:^|; )(\w+): the file says ", trouble)


def forged(puzzle: Puzzle, **changes: Any) -> str:
    """What `check` says of a file with something else in it."""
    return check(puzzle.question, {**puzzle.data(), **changes}).trouble


@pytest.mark.usefixtures("without_checker")
def test_a_stored_grade_is_checked(puzzle: Puzzle) -> None:
    own, figures = puzzle.grade.number, puzzle.data()["figures"]
    assert forged(puzzle) == ""
    for other in (*(set(GRADES) - {own}), True, float(own or 0), str(own), None, 0, 6, [own]):
        assert wrong(forged(puzzle, grade=other)) == ["grade"]
    for name, value in figures.items():
        changed = {
            **figures,
            name: "random" if isinstance(value, str) else {} if isinstance(value, dict) else value * 2 + 1,
        }
        assert wrong(forged(puzzle, figures=changed)) == ["figures"], name
    assert wrong(forged(puzzle, figures=None)) == ["figures"]
    assert wrong(forged(puzzle, grade="unknown")) == ["grade"]  # with figures it says something
    assert wrong(forged(puzzle, figures={**figures, "rating": 1500})) == ["figures"]


@pytest.mark.usefixtures("without_checker")
def test_an_unknown_grade_claims_nothing_and_is_repaired(puzzle: Puzzle) -> None:
    data = {**puzzle.data(), "grade": "unknown", "figures": None}
    found = check(puzzle.question, data)
    assert found.trouble == "" and found.puzzle is not None and found.puzzle.grade == puzzle.grade
    older = {key: value for key, value in data.items() if key not in ("grade", "figures")}
    assert check(puzzle.question, older).trouble == ""


def test_a_grade_that_a_kind_does_not_have_is_refused() -> None:
    (question,) = questions(REVOLTS, ("chance-uprising",))
    made = Puzzle(question, "by hand", solve(question)).graded()
    assert forged(made) == "" and wrong(forged(made, grade=2)) == ["grade"]


def test_puzzles_are_filtered_by_grade(puzzle: Puzzle) -> None:
    rows = [puzzle.data(), {**puzzle.data(), "grade": "unknown"}, {**puzzle.data(), "grade": True}]
    entries = [read_line(json.dumps(row), "here") for row in rows]
    assert puzzle.grade.number is not None
    assert [entry.grade for entry in entries] == [puzzle.grade.number, None, None]
    assert [number for number, _ in select(entries, grades=[puzzle.grade.number])] == [1]
    assert not list(select(entries, grades=[*(set(GRADES) - {puzzle.grade.number})]))
    assert len(list(select(entries, grades=GRADES))) == 1 and len(list(select(entries))) == 3
    with pytest.raises(PuzzleError, match="grade 6: expected one of 1, 2, 3, 4, 5"):
        list(select(entries, grades=[6]))


def test_the_table_has_grade_and_figures(puzzle: Puzzle) -> None:
    broken = {**puzzle.data(), "grade": "unknown", "figures": {"tries": "=1", "finder": 3}}
    entries = [read_line(json.dumps(row), "here") for row in (puzzle.data(), broken)]
    one, other = csv.DictReader(StringIO(csv_text(entries)))
    assert set(one) == set(COLUMNS) and puzzle.grade.figures is not None
    assert (one["Grade"], one["Finder"]) == (str(puzzle.grade.number), puzzle.grade.figures.finder)
    assert float(one["Tries"]) == puzzle.grade.figures.tries and int(one["Length"]) == puzzle.grade.figures.length
    assert other["Grade"] == other["Tries"] == other["Finder"] == other["Branches"] == ""
