"""``tetrasolve puzzle ask``: whether a question about a position of one's own is a puzzle."""

from __future__ import annotations

import click

from tetrasolve.certify.checking import CONFIRMED
from tetrasolve.cli.common import json_option, require_writable, seconds_option, write_file
from tetrasolve.cli.puzzleasking import Made, echo_asked
from tetrasolve.cli.puzzleoptions import question_options
from tetrasolve.errors import PuzzleError, shown
from tetrasolve.exact.deadline import stop_of
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle.kinds import MISTAKE, Question, kind
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, certified, solve

OF_MISTAKE = "an aim, a colon and the actions of the turn, like 'kill britannia: move belgica; end'"


@click.command("ask")
@position_options
@question_options("The province that is asked about; of a mistake, the aim, a colon and the actions of the turn.")
@json_option
@seconds_option
def ask(
    position: str,
    name: str,
    target: str | None,
    source: str,
    out: str | None,
    as_json: bool,
    seconds: float | None,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> int:
    """Ask a question about POSITION, and say whether it has one answer.

    Where it has two, the second is printed. The stand-alone checker confirms a puzzle whose question certificates cover. Exit code
    1: it is no puzzle; 3: out of time.
    """
    question = _question(find_position(position, find_board(board), seed, fleets), name, target)
    if out is not None:
        require_writable(out)
    stop = stop_of(seconds)
    found = solve(question, cancel=stop)
    puzzle = Puzzle(question, source, found).graded(cancel=stop) if found.is_unique else None
    proof = "" if puzzle is None else certified(puzzle, stop, board)
    if puzzle is not None and puzzle.certificate is not None and proof != CONFIRMED:
        raise PuzzleError(f"the checker does not confirm this puzzle, please report this: {proof}")
    if puzzle is not None and out is not None:
        write_file(out, f"{puzzle.line()}\n")
    text = str(question) if puzzle is None else puzzle.text
    made = None if puzzle is None else Made(puzzle.data(), str(puzzle.grade), proof)
    return echo_asked(text, found, found.other, made, as_json=as_json)


def _question(position: Position, name: str, target: str | None) -> Question:
    """The question of this kind about a province of the position.

    :raises PuzzleError: when the position gives rise to none, or not with this target.
    """
    row = kind(name)
    place = None if target is None or row.form == MISTAKE else position.board.find(target)
    asked = target if place is None else place.id
    found = row.question_about(position, asked)
    if found is None:
        if row.form == MISTAKE and target is None:
            raise PuzzleError(f"--target missing: expected {OF_MISTAKE}")
        if row.form == MISTAKE:
            raise PuzzleError(
                f"kind {row.name}: with imperium Galerius pays after the dice, so no action is a mistake alone"
            )
        known = [str(question.target) for question in row.questions(position) if question.target is not None]
        if not known:
            reason = row.obstacle(position)
            if not reason:  # it has no target
                raise PuzzleError(f"--target {shown(target)}: kind {row.name} has none")
            raise PuzzleError(f"kind {row.name}: the position gives rise to no such question: {reason}")
        raise PuzzleError(f"--target {shown(target) if target else 'missing'}: expected {', '.join(known)}")
    return found
