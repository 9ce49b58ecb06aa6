"""The peers: Stockfish, python-chess and OpenSpiel, each measured inside one process that has started before."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from types import TracebackType
from typing import Any, Self

from benchkit.facts import version
from benchkit.race import BenchError, Clock, Contestant

# https://www.chessprogramming.org/Perft_Results, initial position
CHESS_PERFT = {1: 20, 2: 400, 3: 8_902, 4: 197_281, 5: 4_865_609, 6: 119_060_324}

STOCKFISH_PLACES = "/usr/games"  # where Debian puts it, which is not on everybody's path


class Stockfish:
    """A running Stockfish. It counts the last ply of a perft without playing it."""

    def __init__(self, wall: bool, command: str | None = None) -> None:
        found = shutil.which(command or "stockfish") or shutil.which(command or "stockfish", path=STOCKFISH_PLACES)
        if found is None:
            raise BenchError("Stockfish is missing (on Debian: apt install stockfish); the rest is measured without it")
        self.process = subprocess.Popen([found], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 # it
        self.wall = wall
        try:
            self.tell("uci")
            self.name = self.line_with("id name").removeprefix("id name ")
            self.line_with("uciok")
            self.tell("setoption name Threads value 1")
            self.tell("isready")
            self.line_with("readyok")
        except BenchError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends that process."""
        self.process.kill()
        self.process.communicate()

    def tell(self, command: str) -> None:
        """Sends a line; that nobody listens any more is found out by the caller that waits for the answer."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()

    def line_with(self, text: str) -> str:
        """Reads up to the line that holds this text."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if text in line:
                return line.strip()
        raise BenchError(f"Stockfish ended before it sent {text!r}")

    @cached_property
    def build(self) -> str:
        """How it was compiled, in its own words."""
        self.tell("compiler")
        return self.line_with("settings include").partition(":")[2].strip()

    def clock(self) -> float:
        """Processor seconds of that process, or wall seconds."""
        return time.perf_counter() if self.wall else process_clock(self.process.pid)

    def perft(self, depth: int) -> dict[str, int]:
        """Leaves from the initial position."""
        self.tell(f"go perft {depth}")
        nodes = int(self.line_with("Nodes searched").partition(":")[2])
        if nodes != CHESS_PERFT[depth]:
            raise BenchError(f"Stockfish: perft {depth} is {CHESS_PERFT[depth]}, it says {nodes}")
        return {"nodes": nodes}

    def contestant(self, depth: int) -> Contestant:
        """Its perft from the initial position."""
        return Contestant(f"Stockfish, perft {depth}", lambda: self.perft(depth), self.clock)


def process_clock(pid: int) -> float:
    """Processor seconds of another process; the number of its clock is made as Linux makes it.

    :raises OSError: where clocks are not numbered so.
    """
    return time.clock_gettime(~pid << 3 | 2)


def own_clock(wall: bool) -> Clock:
    """The clock of this process."""
    return time.perf_counter if wall else time.process_time


def python_chess(depth: int, wall: bool) -> Contestant:
    """Perft from the initial position in Python, its last ply counted.

    :raises BenchError: when it is not installed.
    """
    try:
        chess: Any = import_module("chess")
    except ImportError:
        raise BenchError("python-chess is missing (pip install chess); the rest is measured without it") from None
    board = chess.Board()

    def leaves(left: int) -> int:
        if left == 1:
            return int(board.legal_moves.count())
        found = 0
        for move in board.legal_moves:
            board.push(move)
            found += leaves(left - 1)
            board.pop()
        return found

    def perft() -> dict[str, int]:
        nodes = leaves(depth)
        if nodes != CHESS_PERFT[depth]:
            raise BenchError(f"python-chess: perft {depth} is {CHESS_PERFT[depth]}, got {nodes}")
        return {"nodes": nodes}

    return Contestant(f"python-chess, perft {depth}", perft, own_clock(wall))


class OpenSpiel:
    """Random games of backgammon, played by the C++ of OpenSpiel without a step in Python."""

    def __init__(self, seed: int, games: int, wall: bool) -> None:
        try:
            self.spiel: Any = import_module("pyspiel")
        except ImportError:
            raise BenchError("OpenSpiel is missing (pip install open-spiel); the rest is measured without it") from None
        self.game = self.spiel.load_game("backgammon")
        self.seed, self.games, self.wall = seed, games, wall

    @cached_property
    def states_a_game(self) -> float:
        """Mean number of states that a game of `bots` goes through, rolls of dice among them, the first one not."""
        return self.bots()["states"] / self.games

    def bots(self) -> dict[str, int]:
        """One call a game: two bots that choose uniformly. The states are read off each game's history."""
        players = [self.spiel.make_uniform_random_bot(player, self.seed + player) for player in range(2)]
        states = 0
        for number in range(self.games):
            state = self.game.new_initial_state()
            self.spiel.evaluate_bots(state, players, self.seed + number)
            states += len(state.history())
        return {"games": self.games, "states": states}

    def rollouts(self) -> Callable[[], dict[str, int]]:
        """One call for all games: a tree search of one simulation, whose evaluator plays them from the first move.

        It tells no lengths, so its states are its games times `states_a_game`, which stands for the same policy.
        """
        evaluator = self.spiel.RandomRolloutEvaluator(self.games, self.seed)
        exploration, simulations, megabytes = 2.0, 1, 1
        bot = self.spiel.MCTSBot(self.game, evaluator, exploration, simulations, megabytes, False, self.seed, False)
        begin = self.game.new_initial_state()
        begin.apply_action(begin.legal_actions()[0])  # any first roll: a search begins where somebody decides
        states = round(self.games * self.states_a_game)

        def run() -> dict[str, int]:
            bot.mcts_search(begin)
            return {"games": self.games, "states": states}

        return run

    def contestants(self) -> list[Contestant]:
        """Both ways to have its C++ play."""
        clock = own_clock(self.wall)
        return [
            Contestant("OpenSpiel, bots", self.bots, clock),
            Contestant("OpenSpiel, rollouts", self.rollouts(), clock),
        ]


def peer_versions(stockfish: Stockfish | None) -> dict[str, str | None]:
    """Of all that can be measured against."""
    return {
        "python-chess": version("chess"),
        "open-spiel": version("open-spiel"),
        "stockfish": f"{stockfish.name} ({stockfish.build})" if stockfish else None,
    }
