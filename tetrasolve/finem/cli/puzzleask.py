"""``tetrasolve --game et-finem puzzle ask``: whether a question about a position of one's own is a puzzle."""

from __future__ import annotations

import click

from tetrasolve.certify.checking import CONFIRMED
from tetrasolve.cli.common import json_option, require_writable, seconds_option, write_file
from tetrasolve.cli.puzzleasking import Made, echo_asked
from tetrasolve.cli.puzzleoptions import question_options
from tetrasolve.errors import PuzzleError, shown
from tetrasolve.exact.deadline import answering, stop_of
from tetrasolve.finem.cli.positions import find_game, position_options
from tetrasolve.finem.position import Position
from tetrasolve.finem.puzzle.certificate import certified
from tetrasolve.finem.puzzle.grade import grade
from tetrasolve.finem.puzzle.kinds import Question, kind, question_about
from tetrasolve.finem.puzzle.puzzle import Puzzle, line_of
from tetrasolve.finem.puzzle.solving import confirm, solve
from tetrasolve.finem.text import NAMES


@click.command("ask")
@position_options
@question_options("The tribe that is asked about, like E or espadas.", "TRIBE")
@json_option
@seconds_option
def ask(
    position: str,
    seed: int | None,
    name: str,
    target: str | None,
    source: str,
    out: str | None,
    as_json: bool,
    seconds: float | None,
) -> int:
    """Ask a question about POSITION, and say whether it has one answer.

    Where it has two, the second is printed. The reference rules confirm a puzzle, and so does the stand-alone checker where
    certificates cover it. Exit code 1: it is no puzzle; 3: out of time.
    """
    question = _question(find_game(position, seed).position, name, target)
    if out is not None:
        require_writable(out)
    stop = stop_of(seconds)
    found = solve(question, cancel=stop)
    if not found.is_unique:
        return echo_asked(str(question), found, found.other, None, as_json=as_json)
    graded = grade(found, cancel=stop)
    data = Puzzle(question, source, found).data(stop, graded)
    with answering(f"'{question}'", "the checker was done"):
        proof = certified(found, stop)
    trouble = confirm(found, cancel=stop) or ("" if data["certificate"] is None or proof == CONFIRMED else proof)
    if trouble:
        raise PuzzleError(f"this puzzle is not confirmed, please report this: {trouble}")
    if out is not None:
        write_file(out, f"{line_of(data)}\n")
    return echo_asked(str(question), found, found.other, Made(data, str(graded), proof), as_json=as_json)


def _question(position: Position, name: str, target: str | None) -> Question:
    """The question of this kind in a position, about a tribe where the kind asks about one.

    :raises PuzzleError: when the position gives rise to none, or not with this target.
    """
    asked = next((tribe for tribe, said in NAMES.items() if target is not None and target in (tribe, said)), target)
    known = [question.target for question in kind(name).questions(position)]
    if known and asked not in known:
        tribes = [f"{tribe} ({NAMES[tribe]})" for tribe in known if tribe is not None]
        if not tribes:
            raise PuzzleError(f"--target {shown(target)}: kind {name} has none")
        raise PuzzleError(f"--target {shown(target) if target else 'missing'}: expected {', '.join(tribes)}")
    return question_about(name, asked, position)
