"""Questions about a phase, a garrison and a turn that was played: their numbers by the reference rules, and cases by hand."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from tabletop import make_position

from tetrasolve.errors import HouseRuleError, OutOfTimeError, PuzzleError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, SECURE, Outcome, attack
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game, new_game
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.puzzle import Verdict
from tetrasolve.tetrarchia.puzzle.collection import read_line
from tetrasolve.tetrarchia.puzzle.kinds import Question, kind, kinds, questions
from tetrasolve.tetrarchia.puzzle.lines import line_of, read_actions
from tetrasolve.tetrarchia.puzzle.making import PlayedTurn, greedy_turns, make, mistakes, recorded_turns
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, check, solve
from tetrasolve.tetrarchia.puzzle.ranked import Ranked, ranked
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import Ruleset

BOARD = Board.standard()


def position_with(**more: Any) -> Position:
    return make_position(at={"diocletian": "roma"}, ip=2, board=BOARD, **more)


THREATENED = position_with(
    armies="etruria", revolts="etruria lucania", unrest="numidia africa", garrisons={"diocletian": "epirus"}
)
QUIET = position_with(revolts="numidia africa achaia", unrest="dacia syria", garrisons={"diocletian": "epirus"})
BESIDE = make_position(at={"diocletian": "belgica"}, ip=3, armies="britannia", board=BOARD)


def asked(name: str, position: Position) -> Ranked:
    (question,) = kind(name).questions(position)
    return ranked(question)


def outcomes(position: Position) -> dict[Position | Fall, Fraction]:
    """The ends of the phase by the reference rules."""
    return dict(rules.outcomes(position.replace(phase=Phase.BARBARIAN, ip=0)).items())


# -- the coming phase --------------------------------------------------------------------------------------------


def test_the_chance_of_an_uprising_is_that_of_the_reference_rules() -> None:
    found = asked("chance-uprising", QUIET)
    assert found.is_unique and Fraction(found.answer) == rules.uprising_chance(
        QUIET.replace(phase=Phase.BARBARIAN, ip=0)
    )
    assert found.gap is None and found.sentence == "one answer: the number is exact"


def test_the_chance_of_a_fall_is_that_of_the_outcomes() -> None:
    found = asked("chance-fall", THREATENED)
    falls = sum(chance for end, chance in outcomes(THREATENED).items() if isinstance(end, Fall))
    assert found.is_unique and Fraction(found.answer) == falls > 0
    assert asked("chance-fall", QUIET).verdict is Verdict.DECIDED  # it cannot fall


def test_a_fraction_may_be_written_in_any_way() -> None:
    found = asked("chance-uprising", QUIET)
    number = Fraction(found.answer)
    assert found.is_right(f"{number.numerator * 3}/{number.denominator * 3}")
    assert not any(
        found.is_right(text) for text in ("1/2", "roma", "1/0", "1/00", "", "1e999999999", "-1/12", "1" * 5000, "0.083")
    )


def test_the_likeliest_revolt_is_counted_in_the_outcomes() -> None:
    counts: Counter[str] = Counter()
    for end, chance in outcomes(QUIET).items():
        if isinstance(end, Position):
            for place in end.revolts - QUIET.revolts:
                counts[place] += chance  # type: ignore[assignment]  # chances are fractions
    found = asked("likely-revolt", QUIET)
    assert dict(found.options) == counts
    (first, most), (_, second) = counts.most_common(2)
    assert (found.verdict is Verdict.ONE_ANSWER) == (most != second)
    assert found.options[0][1] == most and (found.answer == first or most == second)


def test_the_best_garrison_is_that_of_the_reference_rules() -> None:
    found = asked("garrison-revolts", QUIET)
    free = [place for place in BOARD.provinces if place not in QUIET.discs]
    worth = {
        place: rules.figures(QUIET.with_disc(place, "diocletian").replace(phase=Phase.BARBARIAN, ip=0)).e_revolts
        for place in free
    }
    assert dict(found.options) == worth and found.options[0][1] == min(worth.values())
    assert found.is_unique == (list(worth.values()).count(min(worth.values())) == 1)


def test_without_a_garrison_left_nothing_is_asked() -> None:
    position = position_with(garrisons={"diocletian": "epirus achaia asia syria"})
    assert not list(questions(position, ("garrison-fall", "garrison-revolts")))


def test_a_garrison_can_hold_roma() -> None:
    """Beside the Emperor who meets the army it counts in the battle; the others change nothing."""
    found = asked("garrison-fall", THREATENED.replace(discs={"etruria": "revolt"}))
    assert found.is_unique and found.answer == "lucania"
    assert found.number_of("Lucania") == found.options[0][1] < Fraction(5, 12) == found.number_of("roma")
    assert found.number_of("nowhere") is None and not found.is_right("roma")
    with pytest.raises(PuzzleError, match=r"'nowhere': expected one of .*roma"):
        found.require_answer("nowhere")


def test_equal_options_are_two_answers() -> None:
    found = asked("likely-revolt", THREATENED)
    assert found.verdict is Verdict.TWO_ANSWERS and {found.answer, found.other} == {"africa", "numidia"}
    assert found.gap is None and found.sentence.startswith("two answers: ")
    assert asked("garrison-revolts", QUIET).verdict is Verdict.TWO_ANSWERS


def test_what_changes_nothing_is_no_solution() -> None:
    assert asked("garrison-revolts", position_with()).verdict is Verdict.NO_SOLUTION
    assert asked("likely-revolt", position_with()).verdict is Verdict.DECIDED


def test_holding_roma_is_asked_where_an_army_can_enter_it() -> None:
    assert [str(q.objective) for q in questions(THREATENED, ("roma",))] == ["least p_lost then least ip"]
    assert not list(questions(QUIET, ("roma",)))
    assert not list(questions(position_with(armies="cisalpina", revolts="cisalpina"), ("roma",)))  # two advances away


def test_no_phase_is_asked_about_where_the_turn_cannot_end() -> None:
    shared = make_position(at={"diocletian": "roma", "galerius": "roma"}, legal=False, board=BOARD)
    assert not list(questions(shared, ("chance-uprising", "likely-revolt", "garrison-revolts")))


def test_a_question_that_is_out_of_time_says_so() -> None:
    for name in ("likely-revolt", "garrison-revolts", "chance-fall"):
        (question,) = kind(name).questions(QUIET)
        with pytest.raises(OutOfTimeError, match="before there was an answer"):
            ranked(question, seconds=0)


@pytest.mark.parametrize("name", kinds())
def test_house_rules_are_refused_by_every_kind(name: str) -> None:
    """Certificates do not know them; else a puzzle about a phase would be made that the checker cannot read."""
    position = QUIET.replace(ruleset=Ruleset.from_text("4211?attack=1"))
    aims = {"mistake": "kill britannia: secure; end"} | {n: "britannia" for n in kinds() if kind(n).targets != "all"}
    target = aims.get(name)
    with pytest.raises(HouseRuleError, match=r"attack=1: .*expected a ruleset without house"):
        list(kind(name).questions(position))
    with pytest.raises(HouseRuleError):
        kind(name).question_about(position, target)
    with pytest.raises(HouseRuleError):
        solve(Question(kind(name), target, position))
    line = {"format": "tetrasolve-puzzle/1", "kind": name, "target": target, "position": str(position), "source": ""}
    with pytest.raises(PuzzleError, match="line 1: attack=1: "):
        read_line(json.dumps(line), "line 1")


# -- mistakes ----------------------------------------------------------------------------------------------------


def played(text: str, position: Position = BESIDE) -> Ranked:
    question = kind("mistake").question_about(position, text)
    assert isinstance(question, Question)
    return ranked(question)


def test_the_action_that_gives_something_up_is_the_mistake() -> None:
    """He attacks before he has secured: 5/12 in place of 7/12."""
    found = played("kill britannia: attack britannia: defeat")
    assert found.verdict is Verdict.DECIDED  # there is one action only
    found = played("kill britannia: attack britannia: draw; secure; end")
    assert (
        found.is_unique
        and found.answer == "1: attack britannia: draw"
        and found.gap == Fraction(7, 12) - Fraction(5, 12)
    )
    assert [number for _, number in found.options[1:]] == [0, 0]


def test_dice_are_not_to_blame() -> None:
    found = played("kill britannia: secure; attack britannia: defeat")
    assert found.verdict is Verdict.NO_SOLUTION and {number for _, number in found.options} == {Fraction(0)}


def test_a_turn_with_two_mistakes_is_no_puzzle() -> None:
    position = make_position(at={"diocletian": "belgica"}, ip=5, armies="britannia", board=BOARD)
    found = played("kill britannia: attack britannia: draw; end", position)
    assert found.verdict is Verdict.TWO_ANSWERS
    assert [name for name, _ in found.options] == ["2: end", "1: attack britannia: draw"]


def test_ending_the_turn_too_early_is_a_mistake() -> None:
    found = played("kill britannia: secure; end")
    assert found.is_unique and found.options == (("2: end", Fraction(7, 12)), ("1: secure", Fraction(0)))
    assert found.is_right("2") and found.is_right("2: end") and not found.is_right("1") and not found.is_right("3")
    assert found.is_right("end") and not found.is_right("secure")
    found.require_answer("secure")
    with pytest.raises(PuzzleError, match="'3': expected one of 1: secure, 2: end"):
        found.require_answer("3")


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("kill britannia: move roma", "neither a link nor a fleet"),
        ("kill britannia: attack britannia", "not complete"),
        ("kill britannia: fly", "is no action"),
        ("kill britannia", "is no action"),
        ("be happy: secure; end", "is no objective"),
        ("kill pirates: secure; end", "pirates"),
        ("kill britannia then most value army=-1: secure; end", "expected one goal"),
        ("kill britannia subject to keep 1 garrison: secure; end", "expected one goal"),
        ("least p_lost: secure; end", "expected one goal"),
        ("kill britannia: end; end", "the Emperor's turn is over"),
        (7, "gives rise to no such question"),
    ],
)
def test_what_is_no_turn_is_refused(target: object, reason: str) -> None:
    line = {"format": "tetrasolve-puzzle/1", "kind": "mistake", "target": target, "position": str(BESIDE), "source": ""}
    with pytest.raises(PuzzleError, match=reason):
        read_line(json.dumps(line), "line 1")


# -- files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "target", "position"),
    [("chance-uprising", None, QUIET), ("mistake", "kill britannia: secure; end", BESIDE)],
)
def test_such_a_puzzle_is_a_line_that_reads_back_and_is_checked(
    name: str, target: str | None, position: Position
) -> None:
    question = kind(name).question_about(position, target)
    assert question is not None
    puzzle = Puzzle(question, "by hand", ranked(question))
    read, source, data = read_line(puzzle.line(), "line 1")
    assert (read, source, data["themes"], data["sharp"]) == (question, "by hand", [], True)
    assert check(read, data).trouble == ""
    assert check(read, data | {"answer": "1: secure"}).trouble.startswith(
        'answer: the file says "1: secure", expected '
    )


def test_mistakes_are_found_in_turns_that_went_for_an_aim() -> None:
    """He attacked before he secured; a walk to another province is no attempt to destroy the army."""
    actions = read_actions("attack britannia: draw; secure", BOARD)
    went, walked = (line_of(BESIDE, line) for line in (actions, read_actions("move lugdunensis; secure", BOARD)))
    turns = [PlayedTurn("went", BESIDE, went), PlayedTurn("walked", BESIDE, walked)]
    found = list(make(turns, count=9, kinds=("mistake",)))
    assert [(puzzle.source, puzzle.question.target) for puzzle in found] == [
        ("went", "kill britannia: attack britannia: draw; secure; end")
    ]
    assert list(make(greedy_turns([("seed 7", 7, new_game(Ruleset.from_text("4222"), 7))], 1), count=0)) == []


def test_a_turn_that_is_not_over_has_no_mistake() -> None:
    game = Game(BESIDE)
    for action, faces in ((attack("britannia", Outcome.DRAW), (4, 4)), (SECURE, ())):
        game.act(action, faces)
    (turn,) = recorded_turns("game", game)
    assert not turn.was_ended and [str(step.action) for step in turn.line.steps] == ["attack britannia: draw", "secure"]
    assert len(list(make([turn._replace(was_ended=True)], count=9, kinds=("mistake",)))) == 1
    assert list(make([turn], count=9, kinds=("mistake",))) == []


def test_leaving_a_province_is_no_attempt_to_secure_it() -> None:
    position = make_position(at={"diocletian": "britannia"}, ip=3, board=BOARD)
    left, stayed = (line_of(position, read_actions(text, BOARD)) for text in ("move belgica", "secure"))
    assert [q.target for q in mistakes(position, left)] == []
    assert [q.target for q in mistakes(position, stayed)] == ["secure britannia: secure; end"]


def test_without_options_no_answer_is_right() -> None:
    (question,) = kind("likely-revolt").questions(QUIET)
    assert not Ranked(question, "chance", (), Verdict.DECIDED).is_right("roma")


def test_the_turns_of_a_record_are_those_that_were_played() -> None:
    """Two turns, the second of which is not over."""
    game = Game(BESIDE)
    for action, faces in ((SECURE, ()), (attack("britannia", Outcome.DRAW), (3, 4)), (END, ())):
        game.act(action, faces)
    game.barbarians(rules.RandomDice("record"))
    assert isinstance(game.state, Position)
    second = game.state
    game.act(rules.legal_actions(second)[0])
    found = list(recorded_turns("game", game))
    assert [turn.source for turn in found] == ["game, turn 1", "game, turn 2"]
    assert [turn.position for turn in found] == [BESIDE, second]
    assert [str(step.action) for step in found[0].line.steps] == ["secure", "attack britannia: draw", "end"]
    made = list(make(found[:1], count=9, kinds=("mistake",)))
    assert not [puzzle for puzzle in made if puzzle.question.target is None]
