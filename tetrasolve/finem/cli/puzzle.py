"""``tetrasolve --game et-finem puzzle``: make, check, list, show and solve puzzles with one answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tetrasolve.cli.booklets import book_command
from tetrasolve.cli.common import echo_json, json_option, read_input, require_writable, seconds_option
from tetrasolve.cli.puzzlecommands import alike_command, csv_command, shrink_command
from tetrasolve.cli.puzzlemaking import count_option, games_option, resume_option, write_as_made
from tetrasolve.cli.puzzleoptions import (
    SHIPPED,
    asked_answer,
    file_argument,
    grade_option,
    kind_option,
    name_of,
    number_option,
    source_option,
    text_of,
    theme_option,
    try_option,
)
from tetrasolve.cli.puzzlereports import unique
from tetrasolve.errors import OutOfTimeError
from tetrasolve.exact.certainty import fraction_data
from tetrasolve.exact.deadline import stop_of
from tetrasolve.finem.cli.puzzleask import ask
from tetrasolve.finem.puzzle.booklet import booklet
from tetrasolve.finem.puzzle.construction import shrink
from tetrasolve.finem.puzzle.distance import alike
from tetrasolve.finem.puzzle.grade import grade
from tetrasolve.finem.puzzle.kinds import CARD, CHANCE, DECISION, PLAN, Question, kinds
from tetrasolve.finem.puzzle.making import make_collection, new_puzzles
from tetrasolve.finem.puzzle.puzzle import (
    LANGUAGES,
    Entry,
    Puzzle,
    check,
    chosen_entry,
    csv_text,
    helps,
    read_collection,
    select,
    shipped_text,
)
from tetrasolve.finem.puzzle.solving import solve as solve_question
from tetrasolve.finem.puzzle.themes import themes, themes_of
from tetrasolve.finem.rules import node
from tetrasolve.finem.text import position_text
from tetrasolve.puzzles.construction import Shrunk
from tetrasolve.puzzles.making import QuestionCounts
from tetrasolve.stop import Stop

REFUTED, UNKNOWN = 1, 3
PLANS = "actions with ; between"  # how answers are written
EXPECTED = {PLAN: PLANS, CARD: "a card, as C5", CHANCE: "a fraction, as 5/36"}  # of each form but of decisions


def _read(file: str) -> list[Entry]:
    return read_collection(text_of(file, shipped_text), name_of(file))


def _expected(question: Question) -> str:
    """How an answer to a question is written."""
    if question.kind.form == DECISION:
        return "one of " + ", ".join(sorted(node(question.position).options))
    return EXPECTED[question.kind.form]


@click.group("puzzle")
def command() -> None:
    """Puzzles: questions about a turn that have one answer.

    One answer: every other one has another exact number; the gap to the next is stated. Plans that lead to the same situation
    but for the pawn are one. A FILE has one puzzle a line, in JSON; - is standard input, and without one it is the collection that
    ships with the library.
    """


command.add_command(ask)


@command.command()
@click.argument("level", required=False)
@click.option("--seed", type=int, help="Seed of the first game; further games have the next seeds.")
@count_option
@games_option
@kind_option
@click.option(
    "--recipe", metavar="FILE", help="Make the collection of a recipe in --out; `shipped` is that of the library."
)
@click.option("--out", metavar="FILE", default="-", help="The file (default: standard output).")
@resume_option
@seconds_option
def new(
    level: str | None, seed: int | None, count: int, games: int, names: tuple[str, ...], recipe: str | None, out: str,
    resume: bool, seconds: float | None,
) -> int:  # fmt: skip
    """Make puzzles from games of LEVEL, like standard or expert+cap3, played by the plain greedy policy.

    Each is confirmed by the reference rules, and written when it is found; the same command with --resume goes on. With --recipe
    it always goes on. Exit code 1: the games have fewer puzzles; 3: out of time.
    """
    if recipe is not None:
        if level is not None or seed is not None or resume or out == "-":
            raise click.UsageError("--recipe goes with --out FILE, and with neither LEVEL nor --seed nor --resume")
        require_writable(out)
        text = None if recipe == SHIPPED else read_input(recipe)
        is_whole = make_collection(Path(out), text, seconds=seconds, say=lambda line: click.echo(line, err=True))
        return 0 if is_whole else UNKNOWN
    if level is None or seed is None:
        raise click.UsageError("give a LEVEL like standard with --seed, or --recipe FILE")
    if resume and out == "-":
        raise click.UsageError("--resume goes with --out FILE")
    require_writable(out)
    before = _read(out) if resume and Path(out).exists() else []
    stop, tally = stop_of(seconds), QuestionCounts()
    made = new_puzzles(level, seed, count=count, names=names, games=games, stop=stop, tally=tally, before=before)
    return write_as_made(
        out, [entry.line() for entry in before], _lines(made, stop), count=count, tally=tally, stop=stop
    )


def _lines(made: Iterator[Puzzle], stop: Stop | None) -> Iterator[str]:
    """The lines of puzzles as they are made; one that is not graded in time is none, and the last."""
    for puzzle in made:
        try:
            line = puzzle.line(stop)
        except OutOfTimeError:
            return
        yield line


@command.command("check")
@file_argument
@json_option
@seconds_option
def check_file(file: str, as_json: bool, seconds: float | None) -> int:
    """Work out every puzzle of FILE again, by the kernel, the reference rules and the stand-alone checker.

    A puzzle that has no certificate says why; the checker takes a minute or two for a plan. Exit code 1: one is not as the file
    says; 3: out of time.
    """
    stop = stop_of(seconds)
    rows, code = [], 0
    for number, entry in enumerate(_read(file), start=1):
        try:
            done = check(entry, cancel=stop)
            trouble, said = done.trouble, done.certified
            code = max(code, REFUTED if trouble else 0)
        except OutOfTimeError as error:
            trouble, said, code = str(error), "", UNKNOWN
        row = {"number": number, "id": entry.id, "kind": entry.question.kind.name, "trouble": trouble}
        rows.append({**row, "certificate": said})
        if not as_json:
            click.echo(
                f"{number} {entry.id} {entry.question.kind.name}: {trouble or f'confirmed; certificate: {said}'}"
            )
        if code == UNKNOWN:
            break
    if as_json:
        echo_json({"puzzles": rows})
    return code


@command.command("list")
@file_argument
@kind_option
@theme_option
@grade_option
@json_option
def list_file(
    file: str, names: tuple[str, ...], motifs: tuple[str, ...], grades: tuple[int, ...], as_json: bool
) -> int:
    """List the puzzles of FILE with their grades and questions; exit code 1: none is chosen."""
    found = list(select(_read(file), kinds=names, themes=motifs, grades=grades))
    if as_json:
        echo_json({"puzzles": [{"number": number, "id": entry.id, **entry.data} for number, entry in found]})
        return 0 if found else REFUTED
    for number, entry in found:
        click.echo(f"{number:4} {entry.id} {entry.question.kind.name:12} {entry.grade or '-'} {entry.question}")
    return 0 if found else REFUTED


@command.command()
@file_argument
@number_option
@click.option("--answer", is_flag=True, help="With the answer, worked out again.")
@source_option
@json_option
@seconds_option
def show(file: str, number: int, answer: bool, with_source: bool, as_json: bool, seconds: float | None) -> None:
    """Show a puzzle of FILE: the question, the position, how to answer and, with --answer, the answer and the next best."""
    entry = chosen_entry(_read(file), number)
    stop = stop_of(seconds)
    found = solve_question(entry.question, cancel=stop) if answer else None
    graded = grade(found, cancel=stop) if found is not None and found.is_unique else None
    expected = _expected(entry.question)
    if as_json:
        asked = {"id": entry.id, "question": str(entry.question), "position": str(entry.question.position)}
        asked |= {"to_answer": expected, "source": entry.source}
        echo_json(
            asked
            if found is None
            else {
                **asked,
                "answer": found.answer,
                "other": found.other,
                "verdict": found.verdict,
                "themes": list(themes_of(found)),
                **({} if graded is None else graded.data()),
            }
        )
        return
    click.echo(f"puzzle {entry.id}, {entry.question.kind.name}\n{entry.question}\n")
    click.echo(position_text(entry.question.position))
    click.echo(f"to answer: {expected}")
    if with_source:
        click.echo(f"source: {entry.source}")
    if found is not None:
        click.echo(f"\n{found.sentence}")
        for name, value in found.options[:2]:
            click.echo(f"  {name}: {value}")
        click.echo(f"themes: {', '.join(themes_of(found)) or 'none'}")
        if graded is not None:
            click.echo(f"grade: {graded}")


@command.command()
@file_argument
@number_option
@try_option(PLANS)
@json_option
@seconds_option
def solve(file: str, number: int, tried: str | None, as_json: bool, seconds: float | None) -> int:
    """Try an answer to a puzzle of FILE, and see how far it is from the best one.

    Exit code 1: it is not the answer.
    """
    question = chosen_entry(_read(file), number).question
    if tried is None:
        tried = asked_answer(f"{question}\n\n{position_text(question.position)}", _expected(question))
    found = solve_question(question, seconds=seconds)
    found.require_answer(tried)
    right, value = found.is_right(tried), found.number_of(tried)
    if as_json:
        echo_json({"right": right, "number": None if value is None else fraction_data(value)})
    elif right:
        click.echo(f"right: {found.options[0][1]}")
    else:
        click.echo("not the answer" if value is None else f"not the answer: {value}, the best is {found.options[0][1]}")
    return 0 if right else REFUTED


def _shrunk(entry: Entry, stop: Stop | None) -> Shrunk[Puzzle]:
    found = unique(solve_question(entry.question, cancel=stop))
    return shrink(Puzzle(entry.question, entry.source, found), cancel=stop)


def _line(puzzle: Puzzle, source: str, _: Stop | None) -> str:
    return replace(puzzle, source=source).line()  # its grade is worked out after the deadline, too


def _alike(entries: Sequence[Entry], below: int, seconds: float | None) -> Iterator[tuple[int, int, int]]:
    return alike((entry.question for entry in entries), below, seconds=seconds)


command.add_command(shrink_command("cube", _read, _shrunk, _line))
command.add_command(alike_command(_read, _alike))
command.add_command(csv_command("id, position, question, answer, gap, themes, source, grade", _read, csv_text))


@command.command("help")
@file_argument
@number_option
@click.option("--steps", type=click.IntRange(1), default=1, show_default=True, help="So many steps, or all there are.")
@click.option("--language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], show_default=True, help="Language.")
@json_option
def show_help(file: str, number: int, steps: int, language: str, as_json: bool) -> None:
    """Show steps of help with a puzzle of FILE: each gives away a little more, and the last one is the answer."""
    found = helps(solve_question(chosen_entry(_read(file), number).question), language)[:steps]
    click.echo(json.dumps({"help": found}, ensure_ascii=False) if as_json else "\n".join(found))


@command.command("kinds")
@click.option(
    "--language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], show_default=True, help="Of the questions."
)
@json_option
def list_kinds(language: str, as_json: bool) -> None:
    """List the kinds of puzzles with their questions."""
    rows = {name: row.said(language) for name, row in kinds().items()}
    if as_json:
        echo_json({"kinds": rows})
        return
    for name, question in rows.items():
        click.echo(f"{name:12} {question}")


@command.command("themes")
@click.option("--language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], show_default=True, help="Language.")
@json_option
def list_themes(language: str, as_json: bool) -> None:
    """List the themes of puzzles, which are found in their answers by rules."""
    if as_json:
        echo_json({"themes": {name: row.meaning[language] for name, row in themes().items()}})
        return
    for name, row in themes().items():
        click.echo(f"{name:16} {row.title[language]}: {row.meaning[language]}")


def _filters(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in (grade_option, theme_option, kind_option):
        function = option(function)
    return function


def _chosen(
    entries: Sequence[Entry], *, names: tuple[str, ...], motifs: tuple[str, ...], grades: tuple[int, ...]
) -> list[Entry]:
    return [entry for _, entry in select(entries, kinds=names, themes=motifs, grades=grades)]


command.add_command(book_command("Et finem Imperii Romani puzzles", _filters, _read, _chosen, booklet), "book")
