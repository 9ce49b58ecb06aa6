"""Games that are kept as witnesses: won and lost ones of many tables, and waiting play, under which a game has no end.

*Waiting play*: all revolts and unrest are removed, all garrisons are on provinces, and each Emperor is on a place of his own, from
which he can reach each province without a garrison that the dice can name, remove an unrest there, and come back in one turn. The
positions with at most one unrest, there, are closed: every face of every die of the phase leads to another one of them. Rome never
falls, and never wins, since it does not secure the borders.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path

from tetrasolve.errors import FindingError
from tetrasolve.exact.batches import Progress
from tetrasolve.exact.deadline import check, stop_of
from tetrasolve.files import unpack, write_bytes
from tetrasolve.stop import Stop
from tetrasolve.strict import StrictError, read_json
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, REMOVE
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.lint.compare import agree
from tetrasolve.tetrarchia.lint.courses import (
    MOST_TURNS,
    Turn,
    distances,
    game_of,
    kind,
    lost_game,
    phase,
    ways,
    won_game,
)
from tetrasolve.tetrarchia.position import UNREST_DISC, Phase, Position, next_emperor, start_of_turn
from tetrasolve.tetrarchia.record import write_record
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, all_levels

FORMAT = 1
STORED = "data/witness-games.json.xz"
SEEDS = 3  # set-ups that are tried for each end
WAITING, HOMES = (
    "4211",
    ("roma", "etruria", "lucania", "sicilia"),
)  # coasts of zone 2, one step by sea from a dozen provinces


def named(board: Board) -> tuple[str, ...]:
    """The provinces that two dice name, in their order."""
    return tuple(board.at(region, number) for region in FACES for number in FACES)


class NotClosedError(Exception):
    """A position of waiting play that has another next position, or from which no turn leads back."""


@dataclass(frozen=True)
class Waiting:
    """Waiting play from a position at the start of a turn; `turns` has by Emperor and province what he does about unrest there."""

    start: Position
    turns: Mapping[str, Mapping[str, str]]

    @property
    def open(self) -> tuple[str, ...]:
        """The provinces that dice can name and where an unrest can come."""
        return tuple(p for p in named(self.start.board) if not self.start.is_protected(p))

    def positions(self) -> Iterator[Position]:
        """All positions at the start of a turn: by active Emperor, without unrest and with one."""
        now = self.start
        for _ in now.board.emperors:
            yield now
            yield from (now.with_disc(place, UNREST_DISC) for place in self.open)
            now = start_of_turn(now, next_emperor(now))

    def check(self, stop: Stop | None = None) -> tuple[int, int]:
        """How many positions and results of phases there are; every one leads to one of them, by both engines.

        :raises NotClosedError: where one does not.
        :raises EnginesDifferError: when the kernel has other results of a phase.
        :raises Stopped: when `stop` is set before.
        """
        known, results = {*self.positions()}, 0
        now = self.start
        if now.revolts or now.unrest or now.armies or now.phase is not Phase.ROMAN or now.rules_in_use or now.status():
            raise NotClosedError("it does not begin at a turn of the base game without revolts, unrest and armies")
        for position in self.positions():
            check(stop)
            after = self._after(position)
            agree(after, stop)
            for result in rules.outcomes(after, cancel=stop):
                results += 1
                if result not in known:
                    raise NotClosedError(f"'{after}' can become '{result}'")
        return len(known), results

    def _after(self, position: Position) -> Position:
        """The position after the turn; it is not the end of the game."""
        for place in position.unrest:
            for text in self.turns.get(position.to_move, {}).get(place, "end").split("; ")[:-1]:
                after = rules.play(position, rules.parse(position, text))
                if not isinstance(after, Position) or after.is_won:
                    raise NotClosedError(f"'{position}' ends with {text}")
                position = after
        after = rules.play(position, END)
        assert isinstance(after, Position), "the end of a turn ends no game"
        return after


def turns_of(start: Position, stop: Stop | None = None) -> dict[str, dict[str, str]]:
    """What each Emperor does about an unrest in each province where one can come: there, remove, and back.

    :raises NotClosedError: where he cannot.
    :raises Stopped: when `stop` is set before.
    """
    found: dict[str, dict[str, str]] = {}
    for position in Waiting(start, {}).positions():
        home = position.here
        for place in position.unrest:
            now, done = position, []
            for target, last in ((place, (REMOVE,)), (home, ())):
                known = ways(now, stop, target)
                if target is None or target not in known:
                    raise NotClosedError(f"{target} cannot be reached in '{now}'")
                for action in (*known[target][1], *last):
                    after = rules.play(now, action)
                    assert isinstance(after, Position), "moves and removals end no game"
                    done.append(str(action))
                    now = after
            found.setdefault(position.to_move, {})[place] = "; ".join((*done, str(END)))
    return found


def waiting_game(game: Game, homes: Mapping[str, str], stop: Stop | None = None) -> Position:
    """Play a game on with kind dice until waiting play begins, with this position.

    :param homes: the place of each Emperor.
    :raises NotClosedError: when it has not begun after `MOST_TURNS`.
    :raises Stopped: when `stop` is set before.
    """
    start = game.start
    guarded = guards(start, tuple(homes.values()))
    for _ in range(MOST_TURNS):
        Turn(game, guarded, stop).play(homes[game.position.to_move])
        phase(game, kind, stop)
        now = game.state
        if not isinstance(now, Position):
            break
        left = now.revolts or now.unrest or now.armies or any(place not in now.discs for place in guarded)
        if not left and dict(now.emperors) == dict(homes):
            return now
    raise NotClosedError(f"'{game.state}' does not wait")


def guards(position: Position, homes: Sequence[str]) -> tuple[str, ...]:
    """The provinces for garrisons: those that dice can name, without a printed disc, the farthest from `homes` first."""
    board, far = position.board, distances(position, homes)
    places = [place for place in named(board) if not board[place].printed]
    places.sort(key=lambda place: (-far[place], board.order[place]))
    return tuple(places[: position.ruleset.garrisons * len(board.emperors)])


# -- stored ------------------------------------------------------------------------------------------------------------


@dataclass
class Witnesses:
    """Records of games, by table: one that is won, one that is lost; and of one to waiting play, with its turns."""

    won: dict[str, list[str]] = field(default_factory=dict)
    lost: dict[str, list[str]] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    turns: dict[str, dict[str, str]] = field(default_factory=dict)

    def write(self, path: Path) -> None:
        """Write them, whole."""
        text = json.dumps({"format": FORMAT, **asdict(self)}, indent=0) + "\n"
        write_bytes(path, lzma.compress(text.encode(), preset=9))

    @classmethod
    def read(cls, data: bytes, source: str) -> Witnesses:
        """Those in the bytes of a file.

        :raises FindingError: when it is no such file.
        """
        try:
            rows = read_json(unpack(data).decode())
            if rows.pop("format") != FORMAT:
                raise FindingError(f"{source}: expected witnesses of format {FORMAT}")
            return cls(**rows)
        except (AttributeError, KeyError, TypeError, ValueError, lzma.LZMAError, StrictError) as error:
            raise FindingError(f"{source}: holds no witnesses ({type(error).__name__})") from None


@cache
def stored_witnesses() -> Witnesses:
    """The witnesses that come with the library.

    :raises FindingError: when the file cannot be read.
    """
    return Witnesses.read(resources.files("tetrasolve.tetrarchia").joinpath(STORED).read_bytes(), STORED)


def all_tables() -> tuple[str, ...]:
    """The tables of which there are witnesses: levels, scenarios, and each module and variant alone and together."""
    levels = [str(level) for level in all_levels()]
    alone = [f"4211+{name}" for name in (*MODULES, *VARIANTS)]
    return (*levels, *rules.scenarios(), *alone, "+".join(("4211", *MODULES)), "+".join(("4211", *VARIANTS)))


def make_witnesses(
    path: Path,
    tables: Sequence[str],
    *,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> Witnesses:
    """Find what is missing in a file of witnesses, which is written after each; those that are not found stay missing.

    :raises Stopped: when the time is over; what was found until then is in the file.
    """
    stop = stop_of(seconds, cancel)
    found = Witnesses.read(path.read_bytes(), str(path)) if path.exists() else Witnesses()
    for number, table in enumerate(tables):
        for kept, play in ((found.won, won_game), (found.lost, lost_game)):
            game = None if table in kept else _ended(table, play, "won" if kept is found.won else "fallen", stop)
            if game is not None:
                kept[table] = write_record(game).splitlines()
                found.write(path)
        if progress is not None:
            progress("tables", number + 1, len(tables))
    if not found.waiting:
        game = game_of(WAITING, 1, (1, 2))
        start = waiting_game(game, dict(zip(game.start.emperors, HOMES, strict=True)), stop)
        found.waiting, found.turns = write_record(game).splitlines(), turns_of(start, stop)
        found.write(path)
    return found


def _ended(table: str, play: Callable[..., Game], wanted: str, stop: Stop | None) -> Game | None:
    """A game of a table that ends as wanted, from one of a few set-ups; None where none did."""
    for seed in range(SEEDS):
        game = play(game_of(table, seed), stop=stop)
        if game.result.startswith(wanted):
            return game
    return None
