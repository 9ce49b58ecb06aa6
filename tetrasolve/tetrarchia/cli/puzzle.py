"""``tetrasolve puzzle``: make, check, list, show and solve puzzles with one answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from tetrasolve.cli.common import SECONDS, echo_json, exact, json_option, read_input, seconds_option, write_file
from tetrasolve.errors import OutOfTimeError, PuzzleError
from tetrasolve.exact.deadline import is_over, stop_of
from tetrasolve.tetrarchia.game import Game, new_game, new_scenario
from tetrasolve.tetrarchia.plan.tree import read_plan
from tetrasolve.tetrarchia.puzzle.attempt import attempt
from tetrasolve.tetrarchia.puzzle.kinds import Question, kinds
from tetrasolve.tetrarchia.puzzle.making import QuestionCounts, make
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, certified, check, read_collection
from tetrasolve.tetrarchia.puzzle.text import attempt_lines
from tetrasolve.tetrarchia.puzzle.unique import Verdict, unique
from tetrasolve.tetrarchia.ruleset import Ruleset

REFUTED, UNKNOWN = 1, 3
CONFIRMED = "confirmed"

kind_option = click.option(
    "--kind", "names", metavar="KIND", multiple=True, help="Only this kind: win, secure, kill, pirates, uprising."
)
number_option = click.option(
    "--number", type=click.IntRange(1), default=1, show_default=True, help="Which puzzle of the file."
)


@click.group("puzzle")
def command() -> None:
    """Puzzles: questions about a turn that have one answer.

    One answer: every plan that ends the turn in another way is worse, by a gap that is exact and proved. A FILE has one puzzle a
    line, in JSON; - is standard input.
    """


@command.command()
@click.argument("level", required=False)
@click.option("--scenario", "war", metavar="NAME", help="A historical scenario, like danubian-wars, in place of LEVEL.")
@click.option("--seed", type=int, required=True, help="Seed of the first game; further games have the next seeds.")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="How many puzzles.")
@click.option("--turns", type=click.IntRange(1), default=12, show_default=True, help="Turns of a game, at most.")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="Games, at most.")
@kind_option
@click.option("--blunt", is_flag=True, help="Also puzzles in which other answers are worse in the IP paid only.")
@click.option("--each", type=SECONDS, default=20, show_default=True, help="Seconds for one question, at most.")
@click.option("--out", metavar="FILE", default="-", help="The file (default: standard output).")
@seconds_option
def new(
    level: str | None,
    war: str | None,
    seed: int,
    count: int,
    turns: int,
    games: int,
    names: tuple[str, ...],
    blunt: bool,
    each: float,
    out: str,
    seconds: float | None,
) -> int:
    """Make puzzles from games of LEVEL, like 4211 or 4222+dux, played by greedy Emperors.

    Each puzzle whose question certificates cover is confirmed by the stand-alone checker. Exit code 1: the games have
    fewer puzzles; 3: out of time.
    """
    if (level is None) == (war is None):
        raise click.UsageError("give either a LEVEL like 4211 or --scenario NAME")
    stop, tally, refuted = stop_of(seconds), QuestionCounts(), []

    def keep(puzzle: Puzzle) -> bool:
        said = certified(puzzle)
        if puzzle.certificate is not None and said != CONFIRMED:
            refuted.append(said)
        return not refuted

    made = make(
        _games(level, war, seed, games), count=count, turns=turns, kinds=names, sharp=not blunt, seconds_each=each,
        stop=stop, tally=tally, keep=keep,
    )  # fmt: skip
    found = [puzzle.line() for puzzle in made]
    if refuted:
        raise PuzzleError(f"the checker does not confirm a puzzle, please report this: {refuted[0]}")
    click.echo(f"{len(found)} of {count} puzzles; {tally}", err=True)
    if found:
        write_file(out, "".join(f"{line}\n" for line in found))
    if len(found) == count:
        return 0
    return UNKNOWN if is_over(stop) else REFUTED


def _games(level: str | None, war: str | None, seed: int, count: int) -> Iterator[tuple[str, int, Game]]:
    for number in range(seed, seed + count):
        if war is not None:
            yield f"scenario {war}, seed {number}", number, new_scenario(war, number)
        else:
            assert level is not None
            yield f"level {level}, seed {number}", number, new_game(Ruleset.from_text(level), number)


def _read(path: str) -> list[tuple[Question, str, dict[str, Any]]]:
    return read_collection(read_input(path), "standard input" if path == "-" else path)


@command.command("check")
@click.argument("file")
@json_option
@seconds_option
def check_file(file: str, as_json: bool, seconds: float | None) -> int:
    """Work out every puzzle of FILE again, and have the stand-alone checker confirm its certificate.

    Exit code 1: one has no answer, two answers or another one than the file says; 3: out of time.
    """
    rows: list[dict[str, Any]] = []
    stop, code = stop_of(seconds), 0
    for number, (question, _, data) in enumerate(_read(file), start=1):
        try:
            done = check(question, data, cancel=stop)
        except OutOfTimeError as error:
            rows.append({"number": number, "status": "unknown", "reason": str(error)})
            code = code or UNKNOWN
            continue
        is_good = not done.trouble and (done.certified == CONFIRMED or data["certificate"] is None)
        code = code if is_good else REFUTED
        second = str(done.solution.other) if done.solution.verdict is Verdict.TWO_ANSWERS else None
        rows.append(
            {
                "number": number,
                "status": "one answer" if is_good else "wrong",
                "reason": done.trouble or None,
                "second_answer": second,
                "certificate": done.certified or None,
            }
        )
    if as_json:
        echo_json(rows)
        return code
    for row in rows:
        second, proof = row.get("second_answer"), row.get("certificate")
        parts = [row["reason"], second and f"second answer: {second}", proof and f"certificate: {proof}"]
        click.echo(f"{row['number']}: {row['status']}: {'; '.join(part for part in parts if part)}")
    return code


@command.command("list")
@click.argument("file")
@kind_option
@click.option("--module", metavar="NAME", help="Only with this module or variant.")
@click.option("--sharp", is_flag=True, help="Only sharp ones.")
@json_option
def list_file(file: str, names: tuple[str, ...], module: str | None, sharp: bool, as_json: bool) -> None:
    """List the puzzles of FILE with their questions, as the file has them."""
    if unknown := set(names) - set(kinds()):
        raise PuzzleError(f"kind {min(unknown)}: expected one of {', '.join(kinds())}")
    rows = []
    for number, (question, source, data) in enumerate(_read(file), start=1):
        if names and question.kind.name not in names:
            continue
        if (module and module not in question.position.ruleset.extensions) or (sharp and data.get("sharp") is not True):
            continue
        row = {"number": number, "kind": question.kind.name, "question": _text(question, data), "source": source}
        rows.append({**row, "position": str(question.position)})
    if as_json:
        echo_json(rows)
        return
    for row in rows:
        click.echo(f"{row['number']}: {row['kind']}: {row['question']} ({row['source']})")


@command.command()
@click.argument("file")
@number_option
@click.option("--answer", is_flag=True, help="With the answer, worked out again.")
@json_option
@seconds_option
def show(file: str, number: int, answer: bool, as_json: bool, seconds: float | None) -> None:
    """Show a puzzle of FILE: the question, the position and, with --answer, the answer and the best other plan."""
    question, source, text = _one(file, number)
    found = unique(question.position, question.objective, seconds=seconds) if answer else None
    if as_json:
        data: dict[str, Any] = {"question": text, "position": str(question.position), "source": source}
        if found is not None:
            data |= {"verdict": found.verdict, "answer": str(found.plan), "objective": str(found.objective)}
            data["gap"] = None if found.gap is None else {"term": str(found.gap.term), **exact(found.gap.amount)}
        echo_json(data)
        return
    click.echo(text)
    click.echo(str(question.position))
    click.echo(f"({source})")
    if found is not None:
        click.echo(str(found))


@command.command()
@click.argument("file")
@number_option
@click.option("--try", "tried", metavar="PLAN", required=True, help="The plan that you try, as `plan` prints one.")
@json_option
@seconds_option
def solve(file: str, number: int, tried: str, as_json: bool, seconds: float | None) -> int:
    """Try an answer to a puzzle of FILE, and see which step of it gives something up, after which dice.

    Exit code 1: it is not the answer.
    """
    question, _, _ = _one(file, number)
    plan = read_plan(tried, question.position.board)
    found = unique(question.position, question.objective, seconds=seconds)
    if not found.is_unique:
        raise PuzzleError(f"this is no puzzle: {found.sentence}")
    result = attempt(found, plan, seconds=seconds)
    if as_json:
        lost = result.mistake
        terms = [str(term) for term in found.objective.terms]
        echo_json(
            {
                "right": result.is_right,
                "values": [{"term": t, **exact(v)} for t, v in zip(terms, result.values, strict=True)],
                "mistake": None
                if lost is None
                else {
                    "after": [{"outcome": outcome, **exact(chance)} for outcome, chance in lost.after],
                    "step": lost.step,
                    "within_reach": [{"term": t, **exact(v)} for t, v in zip(terms, lost.before, strict=True)],
                    "left": [{"term": t, **exact(v)} for t, v in zip(terms, lost.left, strict=True)],
                },
            }
        )
    else:
        for line in attempt_lines(found, result):
            click.echo(line)
    return 0 if result.is_right else REFUTED


def _text(question: Question, data: dict[str, Any]) -> str:
    """The question as the file has it, if it says more than its kind does."""
    text = data.get("question")
    return text if isinstance(text, str) and text.startswith(str(question)) else str(question)


def _one(file: str, number: int) -> tuple[Question, str, str]:
    found = _read(file)
    if number > len(found):
        raise PuzzleError(f"{file}: there is no puzzle {number}; it has {len(found)}")
    question, source, data = found[number - 1]
    return question, source, _text(question, data)
