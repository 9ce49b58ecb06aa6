"""Making puzzles from played games, and the shipped collection by its recipe.

A game is played by the plain greedy policy of `tetrasolve.finem.greedy` on the reference rules. Its positions are asked about in an
order drawn from the seed of the game; the first question of each kind that has one sharp answer becomes a puzzle, if the reference
rules confirm it, and the stand-alone checker where certificates cover it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

from tetrasolve import strict
from tetrasolve.certify.checking import CONFIRMED
from tetrasolve.errors import OutOfTimeError, PuzzleError
from tetrasolve.exact.deadline import is_over, stop_of
from tetrasolve.files import write_text
from tetrasolve.finem import rules
from tetrasolve.finem.game import new_game
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import Position, State
from tetrasolve.finem.puzzle.certificate import certificate_of, certified
from tetrasolve.finem.puzzle.kinds import PLAN, Kind, kind, kinds
from tetrasolve.finem.puzzle.puzzle import Entry, Puzzle, is_sharp
from tetrasolve.finem.puzzle.solving import Ranked, confirm, solve
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.puzzles.making import QuestionCounts, following
from tetrasolve.stop import Stop, Stopped

PLAYER = "greedy"
EACH_SECONDS = 60.0  # of a question; one that takes longer is left out
QUESTIONS = 3  # of a kind that are asked in a game
MOST_STEPS = 2000  # of a game; none is nearly as long


def played(level: str, seed: int | str) -> list[Position]:
    """The positions of a game in which something is asked for, in the order of the game."""
    random = rules.seeded(f"puzzle {level} {seed}")
    state: State = new_game(Ruleset.from_text(level), f"{seed}").start
    found = []
    for _ in range(MOST_STEPS):
        if not isinstance(state, Position):
            break
        found.append(state)
        node = rules.node(state)
        option = rules.sample(state, random) if node.is_chance else POLICIES[PLAYER](state, node)
        state = rules.take(state, option)
    return found


def made(
    row: Kind,
    level: str,
    seed: int | str,
    *,
    stop: Stop | None = None,
    seconds_each: float = EACH_SECONDS,
    tally: QuestionCounts | None = None,
) -> Puzzle | None:
    """The first puzzle of a kind that a game has, in an order drawn from its seed; None where it has none.

    Its questions are counted in `tally`.

    :raises PuzzleError: when the reference rules do not confirm an answer, which would be a mistake of the library.
    """
    tally = tally if tally is not None else QuestionCounts()
    asked = [question for position in _starts(row, played(level, seed)) for question in row.questions(position)]
    Random(f"order {level} {seed}").shuffle(asked)
    for question in asked[:QUESTIONS]:
        if is_over(stop):
            return None
        tally.asked += 1
        tally.say()
        try:
            found = solve(question, seconds=seconds_each, cancel=stop)
        except OutOfTimeError:
            tally.too_long += 1
            continue
        tally.verdicts[found.verdict] += 1
        if not found.is_unique:
            continue
        if not is_sharp(found):
            tally.blunt += 1
            continue
        if trouble := _trouble(found, stop):
            raise PuzzleError(f"{question.position}: {trouble}; please report this")
        return None if is_over(stop) else Puzzle(question, _source(level, seed), found)
    return None


def _source(level: str, seed: int | str) -> str:
    """Where the puzzles of a game come from."""
    return f"{level}, greedy game {seed}"


def _trouble(found: Ranked, stop: Stop | None) -> str:
    """What the reference rules or the stand-alone checker object to; nothing where the time ran out, which the caller sees."""
    try:
        trouble = confirm(found, cancel=stop)
        said = CONFIRMED if trouble or certificate_of(found)[0] is None else certified(found, stop)
    except (OutOfTimeError, Stopped):
        return ""
    return trouble or ("" if said == CONFIRMED else said)


def _starts(row: Kind, positions: list[Position]) -> Iterator[Position]:
    """Of the actions the positions in which a turn begins, or half of it is over."""
    for position in positions:
        if row.form != PLAN or position.left in (2, 4):
            yield position


def new_puzzles(
    level: str,
    seed: int,
    *,
    count: int = 1,
    names: tuple[str, ...] = (),
    games: int = 100,
    stop: Stop | None = None,
    tally: QuestionCounts | None = None,
    before: Sequence[Entry] = (),
) -> Iterator[Puzzle]:
    """Puzzles from games with this seed and the next ones, one of each kind in a game at most.

    Questions are counted in `tally`. `before` are puzzles that were made so earlier, in their order: the next ones follow the last
    of them, and there are at most `count` together.

    :raises PuzzleError: when there is no such kind, or the last of `before` is not of these games.
    """
    rows = [kind(name) for name in names] or list(kinds().values())
    number = len(before)
    if number >= count:
        return
    searches: Iterable[tuple[int, Kind]] = ((seed + game, row) for game in range(games) for row in rows)
    if before:
        last = before[-1]
        searches = following(
            searches,
            (last.source, last.question.kind.name),
            lambda search: (_source(level, search[0]), search[1].name),
            last.source,
            lambda: is_over(stop),
        )
    for game, row in searches:
        if is_over(stop):
            return
        found = made(row, level, game, stop=stop, tally=tally)
        if found is not None:
            number += 1
            yield found
        if number == count:
            return


# -- the recipe --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a recipe: how many puzzles of a kind, from games of which level, and how many of these at most."""

    kind: str
    level: str
    number: int
    games: int


def recipe_text() -> str:
    """The recipe of the shipped collection."""
    return resources.files("tetrasolve.finem").joinpath("data/collection.toml").read_text("utf-8")


def read_recipe(text: str) -> tuple[int, list[Part]]:
    """The seed and the parts of a recipe.

    :raises PuzzleError: when it is none.
    """
    try:
        data = strict.read_toml(text)
        parts = [Part(**row) for row in data["part"]]
        seed = strict.whole(data["seed"], "seed", 0, 10**9)
    except (strict.StrictError, KeyError, TypeError) as error:
        raise PuzzleError(f"recipe: {error}, expected a seed and parts with kind, level, number and games") from None
    for part in parts:
        kind(part.kind)
        Ruleset.from_text(part.level)
    return seed, parts


def make_collection(
    path: Path,
    text: str | None = None,
    *,
    seconds: float | None = None,
    cancel: Stop | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> bool:
    """Make the collection of a recipe (none: that of the library) in a file, and beside it, as ``.json``, how far it is.

    Both are written after each puzzle; the same call goes on where it was stopped, and the result does not depend on that. False:
    it is not complete yet.

    :raises PuzzleError: when the file beside it is of another recipe.
    :raises OSError: when a file cannot be written.
    """
    recipe = recipe_text() if text is None else text
    seed, parts = read_recipe(recipe)
    stop = stop_of(seconds, cancel)
    beside = path.with_suffix(".json")
    digest = sha256(recipe.encode()).hexdigest()[:16]
    state: dict[str, Any] = {"recipe": digest, "seed": seed, "complete": False, "parts": [[0, 0] for _ in parts]}
    lines: list[list[str]] = [[] for _ in parts]
    if beside.exists():
        state = json.loads(beside.read_text("utf-8"))
        if state.get("recipe") != digest:
            raise PuzzleError(f"{beside}: it is of another recipe")
        rows = path.read_text("utf-8").splitlines() if path.exists() else []
        for number, (_, count) in enumerate(state["parts"]):
            lines[number], rows = rows[:count], rows[count:]

    def keep() -> None:
        write_text(path, "".join(f"{line}\n" for part in lines for line in part))
        write_text(beside, json.dumps(state, indent=1) + "\n")

    for number, part in enumerate(parts):
        row = kind(part.kind)
        while state["parts"][number][0] < part.games and len(lines[number]) < part.number:
            game = state["parts"][number][0]
            found = made(row, part.level, f"{seed} {part.kind} {game}", stop=stop)
            if is_over(stop):
                return False
            state["parts"][number][0] = game + 1
            if found is not None:
                lines[number].append(found.line())
                state["parts"][number][1] = len(lines[number])
                keep()
            say(f"{part.kind}: {len(lines[number])} of {part.number} puzzles, {game + 1} games")
    state["complete"] = True
    keep()
    return True
