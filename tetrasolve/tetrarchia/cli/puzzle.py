"""``tetrasolve puzzle``: make, check, list, show and solve puzzles with one answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any

import click

from tetrasolve.certify.checking import CONFIRMED
from tetrasolve.cli.common import (
    SECONDS,
    echo_json,
    json_option,
    read_input,
    require_writable,
    seconds_option,
    write_file,
)
from tetrasolve.cli.puzzlecommands import alike_command, csv_command, shrink_command
from tetrasolve.cli.puzzlemaking import count_option, games_option, resume_option, write_as_made
from tetrasolve.cli.puzzleoptions import (
    asked_answer,
    file_argument,
    kind_option,
    name_of,
    number_option,
    source_option,
    text_of,
    try_option,
)
from tetrasolve.cli.puzzlereports import APART, unique
from tetrasolve.errors import (
    ActionError,
    IllegalPositionError,
    ObjectiveError,
    OutOfTimeError,
    PuzzleError,
    TooLargeError,
)
from tetrasolve.exact.certainty import fraction_data
from tetrasolve.exact.deadline import stop_of
from tetrasolve.puzzles.construction import Shrunk
from tetrasolve.puzzles.making import QuestionCounts
from tetrasolve.puzzles.ranked import Verdict
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.cli.positions import find_board
from tetrasolve.tetrarchia.cli.puzzleask import ask
from tetrasolve.tetrarchia.cli.puzzlebook import book
from tetrasolve.tetrarchia.cli.puzzlefiles import filter_options, read_puzzles
from tetrasolve.tetrarchia.game import Game, new_game, new_scenario
from tetrasolve.tetrarchia.hint.comparison import read_for
from tetrasolve.tetrarchia.puzzle.attempt import attempt
from tetrasolve.tetrarchia.puzzle.collection import Broken, Entry, csv_text, read_to_check, select, shipped_text
from tetrasolve.tetrarchia.puzzle.composing import compositions
from tetrasolve.tetrarchia.puzzle.construction import shrink
from tetrasolve.tetrarchia.puzzle.distance import alike
from tetrasolve.tetrarchia.puzzle.help import LANGUAGES, helps
from tetrasolve.tetrarchia.puzzle.kinds import TURN, Question, kinds
from tetrasolve.tetrarchia.puzzle.making import PlayedTurn, greedy_turns, make, recorded_turns
from tetrasolve.tetrarchia.puzzle.puzzle import (
    OTHER_BOARD,
    Checked,
    Puzzle,
    certified,
    check,
)
from tetrasolve.tetrarchia.puzzle.puzzle import solve as solve_question
from tetrasolve.tetrarchia.puzzle.ranked import Ranked
from tetrasolve.tetrarchia.puzzle.text import attempt_data, attempt_lines
from tetrasolve.tetrarchia.puzzle.themes import themes, themes_of
from tetrasolve.tetrarchia.puzzle.unique import Uniqueness
from tetrasolve.tetrarchia.record import read_record
from tetrasolve.tetrarchia.ruleset import Ruleset
from tetrasolve.tetrarchia.text import position_text

REFUTED, UNKNOWN = 1, 3
PLANS = "a plan as `plan` prints one"  # how answers are written
EXPECTED = {
    TURN: PLANS,
    "chance": "a fraction, as 5/36",
    "mistake": "the number of an action, or the action",
}  # of a puzzle of each form; of all others a province


def _expected(question: Question) -> str:
    """How an answer to a question is written."""
    return EXPECTED.get(question.kind.form, "a province")


@click.group("puzzle")
def command() -> None:
    """Puzzles: questions about a turn that have one answer.

    One answer: every plan that ends the turn in another way is worse, by a gap that is exact and proved. A FILE has one puzzle a
    line, in JSON; - is standard input, and without one it is the collection that ships with the library.
    """


command.add_command(ask)
command.add_command(book)


@command.command()
@click.argument("level", required=False)
@click.option("--scenario", "war", metavar="NAME", help="A historical scenario, like danubian-wars, in place of LEVEL.")
@click.option("--record", metavar="FILE", help="The record of a game, in place of LEVEL.")
@click.option("--seed", type=int, help="Seed of the first game; further games have the next seeds.")
@count_option
@click.option("--turns", type=click.IntRange(1), default=12, show_default=True, help="Turns of a game, at most.")
@games_option
@kind_option
@click.option(
    "--compose",
    type=click.IntRange(1),
    metavar="NUMBER",
    help="Ask about so many late positions composed from each turn, in place of its own; for three-win.",
)
@click.option("--shrink", "shrunk", is_flag=True, help="Take off every piece that can go.")
@click.option(
    "--apart",
    type=click.IntRange(0),
    default=APART,
    show_default=True,
    help="Steps on the map from other puzzles, at least.",
)
@click.option("--blunt", is_flag=True, help="Also puzzles in which other answers are worse in the IP paid only.")
@click.option("--each", type=SECONDS, default=20, show_default=True, help="Seconds for one question, at most.")
@click.option("--out", metavar="FILE", default="-", help="The file (default: standard output).")
@resume_option
@seconds_option
def new(
    level: str | None,
    war: str | None,
    record: str | None,
    seed: int | None,
    count: int,
    turns: int,
    games: int,
    names: tuple[str, ...],
    compose: int | None,
    shrunk: bool,
    apart: int,
    blunt: bool,
    each: float,
    out: str,
    resume: bool,
    seconds: float | None,
) -> int:
    """Make puzzles from games of LEVEL, like 4211 or 4222+dux, played by greedy Emperors.

    Each puzzle whose question certificates cover is confirmed by the stand-alone checker, and written when it is found; the same
    command with --resume goes on. Exit code 1: the games have fewer puzzles; 3: out of time.
    """
    if (level, war, record).count(None) != 2:
        raise click.UsageError("give either a LEVEL like 4211, --scenario NAME or --record FILE")
    if (seed is None) == (record is None):
        raise click.UsageError("give --seed for new games, and only for these")
    if resume and (out == "-" or compose is not None):  # positions composed from one turn have one source
        raise click.UsageError("--resume goes with --out FILE, and not with --compose")
    require_writable(out)
    before = read_puzzles(out) if resume and Path(out).exists() else []
    stop, tally = stop_of(seconds), QuestionCounts()

    def keep(puzzle: Puzzle) -> bool:
        try:
            said = certified(puzzle, stop)
        except OutOfTimeError:  # no puzzle: the search ends here
            return False
        if puzzle.certificate is not None and said != CONFIRMED:
            raise PuzzleError(f"the checker does not confirm a puzzle, please report this: {said}")
        return True

    played = _turns(level, war, record, seed, games, turns)
    if compose is not None:
        played = (
            made for turn in played for made in compositions(turn, compose, Random(f"compose {turn.source}"), stop)
        )
    made = make(
        played, count=count, kinds=names, sharp=not blunt, shrunk=shrunk, apart=apart,
        seconds_each=each,
        stop=stop, tally=tally, keep=keep, before=before,
    )  # fmt: skip
    return write_as_made(
        out,
        [entry.line() for entry in before],
        (puzzle.line() for puzzle in made),
        count=count,
        tally=tally,
        stop=stop,
    )


def _turns(
    level: str | None, war: str | None, record: str | None, seed: int | None, count: int, turns: int
) -> Iterator[PlayedTurn]:
    """The turns of a record, or of so many new games."""
    if record is not None:
        return recorded_turns(f"record {record}", read_record(read_input(record)))
    assert seed is not None
    return greedy_turns(_games(level, war, seed, count), turns)


def _games(level: str | None, war: str | None, seed: int, count: int) -> Iterator[tuple[str, int, Game]]:
    for number in range(seed, seed + count):
        if war is not None:
            yield f"scenario {war}, seed {number}", number, new_scenario(war, number)
        else:
            assert level is not None
            yield f"level {level}, seed {number}", number, new_game(Ruleset.from_text(level), number)


@command.command("check")
@file_argument
@click.option("--board", metavar="FILE", help="A board file: which puzzles does its change of rows break?")
@click.option("--repair", metavar="FILE", help="Write the puzzles that have one answer to this file, as they are now.")
@json_option
@seconds_option
def check_file(file: str, board: str | None, repair: str | None, as_json: bool, seconds: float | None) -> int:
    """Work out every puzzle of FILE again, and have the stand-alone checker confirm its certificate.

    A line that is no puzzle is wrong, and the others are checked. Exit code 1: one has no answer, two answers or another one than
    the file says; 3: out of time.
    """
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    stop, code = stop_of(seconds), 0
    entries = read_to_check(text_of(file, shipped_text), name_of(file), None if board is None else find_board(board))
    for number, entry in enumerate(entries, start=1):
        done, reason = None, ""
        if isinstance(entry, Broken):
            row, _ = _checked(None, entry.reason)
            rows.append({"number": number, **row})
            code = REFUTED
            continue
        try:
            done = check(entry.question, entry.data, changed_board=board is not None, cancel=stop)
        except (OutOfTimeError, TooLargeError) as error:
            rows.append({"number": number, "status": "unknown", "reason": str(error)})
            lines.append(entry.line())
            code = code or UNKNOWN
            continue
        except (IllegalPositionError, ObjectiveError) as error:
            reason = str(error)
        row, line = _checked(done, reason)
        rows.append({"number": number, **row})
        lines += [] if line is None else [line]
        code = code if row["status"] == "one answer" else REFUTED
    if repair is not None:
        write_file(repair, "".join(f"{line}\n" for line in lines))
    if as_json:
        echo_json(rows)
        return code
    for row in rows:
        second, proof = row.get("second_answer"), row.get("certificate")
        parts = [row["reason"], second and f"second answer: {second}", proof and f"certificate: {proof}"]
        click.echo(f"{row['number']}: {row['status']}: {'; '.join(part for part in parts if part)}")
    if repair is not None:
        click.echo(f"{len(lines)} of {len(rows)} puzzles written to {repair}")
    return code


def _checked(done: Checked | None, reason: str) -> tuple[dict[str, Any], str | None]:
    """What is said of a puzzle, and its line in a repaired file; None: it is dropped."""
    if done is None:
        return {"status": "wrong", "reason": reason, "second_answer": None, "certificate": None}, None
    proved = done.certified in (CONFIRMED, OTHER_BOARD) or (done.puzzle is not None and done.puzzle.certificate is None)
    is_good = not done.trouble and proved
    second = str(done.solution.other) if done.solution.verdict is Verdict.TWO_ANSWERS else None
    row = {
        "status": "one answer" if is_good else "wrong",
        "reason": done.trouble or None,
        "second_answer": second,
        "certificate": done.certified or None,
    }
    return row, done.puzzle.line() if done.puzzle is not None and proved else None


@command.command("list")
@file_argument
@filter_options
@json_option
def list_file(
    file: str,
    names: tuple[str, ...],
    motifs: tuple[str, ...],
    grades: tuple[int, ...],
    module: str | None,
    sharp: bool,
    as_json: bool,
) -> int:
    """List the puzzles of FILE with their questions, as the file has them; exit code 1: none is chosen."""
    rows = []
    for number, entry in select(
        read_puzzles(file), kinds=names, themes=motifs, grades=grades, module=module, sharp=sharp
    ):
        row = {"number": number, "kind": entry.question.kind.name, "question": entry.text, "source": entry.source}
        rows.append({**row, "themes": entry.themes, "grade": entry.grade, "position": str(entry.question.position)})
    if as_json:
        echo_json(rows)
        return 0 if rows else REFUTED
    for row in rows:
        click.echo(f"{row['number']}: {row['kind']}: {row['question']} ({row['source']})")
    return 0 if rows else REFUTED


@command.command()
@file_argument
@number_option
@click.option("--answer", is_flag=True, help="With the answer, worked out again.")
@source_option
@json_option
@seconds_option
def show(file: str, number: int, answer: bool, with_source: bool, as_json: bool, seconds: float | None) -> None:
    """Show a puzzle of FILE: the question, the position, how to answer and, with --answer, the answer and the best other plan."""
    entry = _one(file, number)
    question, source, text = entry.question, entry.source, entry.text
    stop = stop_of(seconds)
    found = solve_question(question, cancel=stop) if answer else None
    made = Puzzle(question, source, found).graded(cancel=stop) if found is not None and found.is_unique else None
    expected = _expected(question)
    if as_json:
        data: dict[str, Any] = {
            "question": text, "position": str(question.position), "to_answer": expected, "source": source,
        }  # fmt: skip
        if found is not None:
            data["verdict"] = found.verdict
            if made is not None:
                again = made.data()
                data |= {key: value for key, value in again.items() if key not in ("format", "certificate", "version")}
        echo_json(data)
        return
    click.echo(text)
    click.echo(position_text(question.position))
    click.echo(f"to answer: {expected}")
    if with_source:
        click.echo(f"source: {source}")
    if found is not None:
        click.echo(str(found))
        if isinstance(found, Uniqueness):
            click.echo(f"themes: {', '.join(themes_of(found)) or 'none'}")
        if made is not None:
            click.echo(f"grade: {made.grade}")


def _shrunk(entry: Entry, stop: Stop | None) -> Shrunk[Puzzle]:
    found = unique(solve_question(entry.question, cancel=stop))
    return shrink(Puzzle(entry.question, entry.source, found), cancel=stop)


def _line(puzzle: Puzzle, source: str, stop: Stop | None) -> str:
    return replace(puzzle, source=source).graded(cancel=stop).line()


def _alike(entries: Sequence[Entry], below: int, seconds: float | None) -> Iterator[tuple[int, int, int]]:
    return alike((entry.question for entry in entries), below, seconds=seconds)


command.add_command(shrink_command("piece", read_puzzles, _shrunk, _line))
command.add_command(alike_command(read_puzzles, _alike))
command.add_command(
    csv_command("id, position, question, answer, gap, themes, source, grade, its figures", read_puzzles, csv_text)
)


@command.command("kinds")
@json_option
def list_kinds(as_json: bool) -> None:
    """List the kinds of puzzles with their questions."""
    if as_json:
        echo_json([{"name": row.name, "form": row.form, "question": row.question} for row in kinds().values()])
        return
    for row in kinds().values():
        click.echo(f"{row.name}: {row.question}")


@command.command("themes")
@click.option("--language", type=click.Choice(["en", "es"]), default="en", show_default=True, help="Of the texts.")
@json_option
def list_themes(language: str, as_json: bool) -> None:
    """List the themes with what they mean; rules find them in the answer."""
    if as_json:
        echo_json(
            [{"name": row.name, "title": dict(row.title), "meaning": dict(row.meaning)} for row in themes().values()]
        )
        return
    for row in themes().values():
        click.echo(f"{row.name}: {row.title[language]}. {row.meaning[language]}")


@command.command()
@file_argument
@number_option
@try_option(PLANS)
@json_option
@seconds_option
def solve(file: str, number: int, tried: str | None, as_json: bool, seconds: float | None) -> int:
    """Try an answer to a puzzle of FILE, and see which step of it gives something up, after which dice.

    An attack at the end of a plan may leave its branches out.
    Where no plan is asked for, --try is a fraction, a province, or the number of an action.

    Exit code 1: it is not the answer.
    """
    entry = _one(file, number)
    question = entry.question
    if tried is None:
        tried = asked_answer(f"{entry.text}\n{position_text(question.position)}", _expected(question))
    plan = read_for(question.position, tried) if question.kind.form == TURN else None
    found = unique(solve_question(question, seconds=seconds))
    if isinstance(found, Ranked):
        return _answered(found, tried, as_json)
    assert plan is not None
    result = attempt(found, plan, seconds=seconds)
    if as_json:
        echo_json(attempt_data(found, result))
    else:
        for line in attempt_lines(found, result):
            click.echo(line)
    return 0 if result.is_right else REFUTED


@command.command("help")
@file_argument
@number_option
@click.option("--steps", type=click.IntRange(1), default=1, show_default=True, help="So many steps, or all there are.")
@click.option("--language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], show_default=True, help="Language.")
@json_option
def show_help(file: str, number: int, steps: int, language: str, as_json: bool) -> None:
    """Show steps of help with a puzzle of FILE: each gives away a little more, and the last one is the answer."""
    entry = _one(file, number)
    try:
        found = helps(entry, language)
    except ActionError as error:
        raise PuzzleError(f"{name_of(file)}, puzzle {number}: the answer that it states: {error}") from None
    if as_json:
        echo_json({"of": len(found), "steps": [asdict(step) for step in found[:steps]]})
        return
    for count, step in enumerate(found[:steps], start=1):
        click.echo(f"{count}/{len(found)} {step.text}")


def _answered(found: Ranked, tried: str, as_json: bool) -> int:
    """Whether an option is the answer; where it is not, its number beside the best one."""
    found.require_answer(tried)
    is_right, number = found.is_right(tried), found.number_of(tried)
    if as_json:
        echo_json({"right": is_right, "number": None if number is None else fraction_data(number)})
    elif is_right:
        click.echo("right: this is the answer")
    else:
        click.echo(
            "wrong" if number is None else f"wrong: {found.numbers}: {number}, and {found.options[0][1]} elsewhere"
        )
    return 0 if is_right else REFUTED


def _one(file: str, number: int) -> Entry:
    found = read_puzzles(file)
    if number > len(found):
        raise PuzzleError(f"{name_of(file)}: there is no puzzle {number}; it has {len(found)}")
    return found[number - 1]
