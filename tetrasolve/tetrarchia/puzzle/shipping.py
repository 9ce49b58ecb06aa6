"""Making the shipped collection: ``python -m tetrasolve.tetrarchia.puzzle.shipping``, which `make puzzles` runs.

The parts of the recipe (`tetrasolve.tetrarchia.puzzle.recipe`) go on by turns, so that a run that is stopped early has puzzles of
all kinds. Whatever stops it, the next run goes on from its checkpoint. Without one, parts whose recipe and policy are those of the
collection that is there go on from it. The number of processes changes nothing, nor does a cluster (``--cluster``).
"""

from __future__ import annotations

import json
import lzma
import sys
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from tetrasolve import files, strict
from tetrasolve.cli.collections import Run, run_script
from tetrasolve.errors import PuzzleError
from tetrasolve.exact.batches import Stage
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.deadline import check, is_over
from tetrasolve.exact.executor import Executor
from tetrasolve.puzzles.ranked import Verdict
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.hint.played import greedy_policy
from tetrasolve.tetrarchia.plan.tree import read_plan
from tetrasolve.tetrarchia.puzzle.collection import Entry, read_line
from tetrasolve.tetrarchia.puzzle.distance import distance
from tetrasolve.tetrarchia.puzzle.kinds import TURN, Question
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, Solution
from tetrasolve.tetrarchia.puzzle.ranked import Ranked
from tetrasolve.tetrarchia.puzzle.recipe import PuzzlesOfGame, RecipePart, is_confirmed, puzzles_of_game, recipe
from tetrasolve.tetrarchia.puzzle.unique import Gap, Uniqueness

FORMAT = "tetrasolve-collection/1"
ROUNDS = 10  # in each a tenth of every part
LARGEST = 10**7  # bytes of a file of the collection, as in its tests
AT_ONCE = 4  # games a process between two looks at whether there are enough
BEGUN = {"lines": [], "games": 0, "asked": 0, "too_long": 0, "seconds": 0.0}

Say = Callable[[str], None]


class Making:
    """The parts of a recipe under way."""

    def __init__(self, parts: Sequence[RecipePart], checkpoint: Checkpoint | None = None) -> None:
        self.parts = tuple(parts)
        self.stages = {
            part.kind: Stage(part.kind, puzzles_of_game, part, partial(with_game, part), checkpoint) for part in parts
        }

    def begin_with(self, lines: Sequence[str], made: dict[str, Any]) -> int:
        """Go on from a collection that was made before, in parts that have no game yet; gives how many puzzles were taken.

        A part whose recipe is another one now begins again, and so do all when the policy that plays the games is another one. More
        puzzles can be wanted than before, unless there were enough: then those too many of the last game are not kept. A puzzle
        without a certificate gets one, or is left out.
        """
        if made.get("format") != FORMAT or made.get("policy") != greedy_policy():
            return 0
        taken = 0
        for part in self.parts:
            stage, row = self.stages[part.kind], made["parts"].get(part.kind, {})
            own = [line for line in lines if _question(line).kind.name == part.kind]
            if (
                stage.done == 0
                and row.get("games")
                and row.get("recipe") == part.digest()
                and row["puzzles"] == len(own)
                and (len(own) < row["wanted"] or row["wanted"] == part.count)
            ):
                numbers = {key: row[key] for key in ("games", "asked", "too_long")}
                kept = [found for found in map(with_certificate, own) if found is not None]
                stage.begin_at(row["games"], {**BEGUN, "lines": kept, **numbers})
                taken += len(kept)
        return taken

    def total(self, part: RecipePart) -> dict[str, Any]:
        """What there is of a part."""
        return self.stages[part.kind].total or BEGUN

    def is_done(self, part: RecipePart, share: float = 1) -> bool:
        """Whether this share of a part is made, or of its games played."""
        found = self.total(part)
        return len(found["lines"]) >= share * part.count or self.stages[part.kind].done >= share * part.games

    def run(
        self,
        executor: Executor | None = None,
        *,
        stop: Stop | None = None,
        say: Say = lambda _: None,
        kinds: Collection[str] = (),
    ) -> bool:
        """Play on until all parts, or those of these kinds, are done, or `stop` is set: then it is false."""
        workers = getattr(executor, "workers", 1)
        try:
            for number in range(1, ROUNDS + 1):
                for part in self.parts:
                    if kinds and part.kind not in kinds:
                        continue
                    self._to(part, number / ROUNDS, executor, workers * AT_ONCE, stop)
                    found = self.total(part)
                    say(
                        f"round {number} of {ROUNDS}: {part.kind}: {len(found['lines'])} of {part.count}, {found['games']} games"
                    )
        except Stopped:
            return False
        return True

    def _to(self, part: RecipePart, share: float, executor: Executor | None, games: int, stop: Stop | None) -> None:
        stage = self.stages[part.kind]
        while not self.is_done(part, share):
            check(stop)
            if not stage.run_to(min(stage.done + games, part.games), executor, is_over=lambda: is_over(stop)):
                check(stop)

    def lines(self) -> list[str]:
        """The puzzles so far, part by part."""
        return [line for part in self.parts for line in self.total(part)["lines"]]

    def made(self) -> dict[str, Any]:
        """What the collection was made by and what it took, as JSON data."""
        kept = ("games", "asked", "too_long")
        found = {
            part.kind: {"recipe": part.digest(), "wanted": part.count, "puzzles": len(self.total(part)["lines"])}
            | {key: self.total(part)[key] for key in kept}
            for part in self.parts
        }
        return {
            "format": FORMAT,
            "policy": greedy_policy(),
            "complete": all(self.is_done(part) for part in self.parts),
            "parts": found,
        }


def with_game(part: RecipePart, total: dict[str, Any] | None, result: PuzzlesOfGame) -> dict[str, Any]:
    """The total of a part after one game more; a puzzle that is too near one before it is left out, and so are those too many."""
    total = {**(total or BEGUN)}
    if len(total["lines"]) >= part.count:
        return total  # games that were under way when there were enough
    lines = list(total["lines"])
    for line in result["lines"]:
        own = _question(line)
        if len(lines) < part.count and all(distance(own, _question(other)) >= part.apart for other in lines):
            lines.append(line)
    numbers = {"asked": total["asked"] + result["asked"], "too_long": total["too_long"] + result["too_long"]}
    seconds = round(total["seconds"] + result["seconds"], 3)
    return {"lines": lines, "games": total["games"] + 1, **numbers, "seconds": seconds}


def solution_of(entry: Entry) -> Solution:
    """What a line of a collection says is the answer, as a claim: nothing is worked out again.

    :raises PuzzleError: when the line does not say it.
    """
    data, question = entry.data, entry.question
    try:
        if question.kind.form != TURN:
            options = tuple((str(row["option"]), Fraction(row["exact"])) for row in data["options"])
            return Ranked(question, str(data["numbers"]), options, Verdict.ONE_ANSWER)
        values, others = (tuple(Fraction(row["exact"]) for row in data[key]) for key in ("values", "other_values"))
        board = question.position.board
        return Uniqueness(
            position=question.position,
            objective=question.objective,
            stated=None,
            verdict=Verdict.ONE_ANSWER,
            plan=read_plan(data["answer"], board),
            values=values,
            kept=Fraction(1),
            ends=(),
            other=read_plan(data["other"], board),
            other_values=others,
            other_kept=Fraction(1),
            other_ends=(),
            gap=Gap(None, Fraction(data["gap"]["exact"])),
            nodes=int(data["states"]),
            seconds=0.0,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise PuzzleError(f"the collection: a puzzle does not say what its answer is: {error}") from None


def with_certificate(line: str) -> str | None:
    """A line with its certificate; None: there is none within the limits of the stand-alone checker.

    A line without one has the answer that it states certified: the checker works that out again, so nothing has to be solved here.

    :raises PuzzleError: when the checker refuses it.
    """
    entry = read_line(line, "the collection")
    if entry.data.get("certificate") is not None:
        return line
    puzzle = Puzzle(entry.question, str(entry.data["source"]), solution_of(entry))
    if puzzle.certificate is None or not is_confirmed(puzzle):
        return None
    return json.dumps(entry.data | {"certificate": puzzle.certificate.text()}, separators=(",", ":"))


@lru_cache(maxsize=4096)
def _question(line: str) -> Question:
    return read_line(line, "the collection").question


def write(path: Path, lines: Sequence[str]) -> None:
    """Write a compressed collection; equal puzzles give equal bytes."""
    text = "".join(f"{line}\n" for line in lines)
    files.write_bytes(path, lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def read(path: Path) -> tuple[list[str], dict[str, Any]]:
    """The puzzles of a compressed collection, and what it was made by.

    :raises PuzzleError: when they are not what `write` has written.
    :raises OSError: when a file cannot be read.
    """
    try:
        lines = files.unpack(files.read_bytes(path, LARGEST)).decode().splitlines()
    except ValueError as error:
        raise PuzzleError(f"{path}: cannot be read as a collection: {error}") from None
    made = strict.read_json(files.read_bytes(_beside(path), LARGEST))
    if not isinstance(made, dict) or not isinstance(made.get("parts"), dict):
        raise PuzzleError(f"{_beside(path)}: does not say what a collection was made by")
    return lines, made


def _beside(path: Path) -> Path:
    return path.with_suffix("").with_suffix(".json")


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; exit code 3: the time was over before the collection was complete."""
    parts = recipe()
    task = {"format": FORMAT, "policy": greedy_policy(), "parts": [part.data() for part in parts]}

    def make(run: Run) -> tuple[bool, int]:
        making = Making(parts, run.checkpoint)
        if run.out.exists():
            run.say(f"{making.begin_with(*read(run.out))} taken from {run.out}")
        is_done = making.run(run.executor, stop=run.stop, say=run.say, kinds=run.kinds)
        write(run.out, making.lines())
        files.write_text(_beside(run.out), json.dumps(making.made(), indent=1) + "\n")
        return is_done, len(making.lines())

    return run_script("puzzles", __doc__ or "", task, make, argv, [part.kind for part in parts])


if __name__ == "__main__":
    sys.exit(main())
