"""Games to a position in which two values of a reading differ, by beam search: of many games at a time the nearest go on.

One game that is steered (`tetrasolve.tetrarchia.lint.steered`) goes where least is missing at once, and stays there when the way
leads past something worse: an army comes nearer at the price of a revolt on its way. Here some games are played side by side,
each from the nearest of some set-ups. Each turn is ended in several ways, each phase is rolled in two, and the games whose tables
are nearest to the smallest position of the finding go on. A table is nearer with fewer pieces beside the pattern, too: where
little lies on the table, a phase can be compared exactly; and where its armies have equally far to go, since none waits for
another. Who stands or secures a province does not count, since each Emperor can do what the finding needs. The values are compared
during turns and before phases, no matter in which the smallest position is.

That no game is found does not prove that there is none; a game that is found need not be the shortest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from heapq import nsmallest
from math import inf
from random import Random
from typing import Any

from tetrasolve.errors import TetrasolveError
from tetrasolve.exact.deadline import check
from tetrasolve.lint.findings import Finding
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game, new_game
from tetrasolve.tetrarchia.lint.courses import course
from tetrasolve.tetrarchia.lint.steered import Sought, arrows, links, play_to
from tetrasolve.tetrarchia.masks import rows_of
from tetrasolve.tetrarchia.numbers import ARMIES_A_LEVEL
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, GivenCourse

WIDTH = 6  # games that go on from one turn to the next
TURNS = 26  # of a game
ENDS = 3  # of a turn, the nearest; one more is drawn
STATES = 15_000  # of a turn that are looked at
SET_UPS = 24  # that are rolled for each game; the nearest begins it
REVOLTS, BY_REFERENCE = 9, 5  # at most in a phase that is compared, and where the reference rules alone play a value
NOWHERE = 12  # links to a province, for a figure that is not on the board
OFF_THE_WAY, NONE = 25, 30  # steps to a province of an army that never comes there, and where there is no army

# How far a table is from the pattern: by what is missing, by what has to come nearer, and by what lies there beside it. An army a
# step nearer outweighs the revolt that it leaves behind, else it never comes. The numbers were found by trial.
REVOLT, UNREST, ARMY, STANDS, SECURED, GOTHS = 4.0, 1.0, 2.0, 1.2, 2.4, 2.0
STEP, LINK, NO_ARMY = 1.3, 0.25, 3.0
BESIDE_REVOLT, BESIDE_ARMY, BESIDE_UNREST = 1.0, 1.2, 0.1
LATER = 2.0  # for each step that an army has to go more than another: one that comes first does not wait
DISC = 0.8  # of the Barbarian player's that is to be spent
NOISE = 0.8  # at most, of the second of two ways to roll a phase


class Nearness:
    """How far tables are from a position; less is nearer."""

    def __init__(self, wanted: Position) -> None:
        self._wanted: Any = fast.state_of(wanted, rebels=True)
        self._stands = _places(self._wanted)
        self._secured = _secured(self._wanted)
        self._armies = [*rows_of(self._wanted.armies)]
        self._links, self._ways = _tables(wanted.board)

    def __call__(self, state: Any) -> float:
        """Of a state of the kernel with modules."""
        wanted, secured = self._wanted, _secured(state)
        missing = wanted.revolts & ~state.revolts
        far = REVOLT * missing.bit_count() - UNREST * (missing & state.unrest).bit_count()
        far += UNREST * (wanted.unrest & ~state.unrest).bit_count()
        far += GOTHS * (wanted.goths != state.goths)
        far += DISC * max(0, state.gray + state.black - wanted.gray - wanted.black)
        armies = [*rows_of(state.armies)]
        steps = [
            min((self._ways[other].get(army, OFF_THE_WAY) for other in armies), default=NONE) for army in self._armies
        ]
        far += sum(ARMY + STEP * step for step in steps if step)
        if steps:
            far += LATER * (max(steps) - min(steps))
        far += NO_ARMY * max(0, len(self._armies) - len(armies))
        there = _places(state)
        far += sum(STANDS + self._away(place, there) for place in self._stands if place not in there)
        far += sum(SECURED + self._away(place, there) for place in rows_of(self._secured & ~secured))
        far += BESIDE_REVOLT * (state.revolts & ~wanted.revolts).bit_count()
        far += BESIDE_ARMY * (state.armies & ~wanted.armies).bit_count()
        return float(far + BESIDE_UNREST * state.unrest.bit_count())

    def _away(self, place: int, there: Sequence[int]) -> float:
        """How far the nearest of the Emperors, who stand there, has to go to a province."""
        return LINK * min((self._links[place][other] for other in there), default=NOWHERE)

    def of(self, position: Position | Fall) -> float:
        """Of a position; the fall of the Empire is farthest."""
        return inf if isinstance(position, Fall) else self(fast.state_of(position, rebels=True))


def _places(state: Any) -> list[int]:
    """Where the Emperors on the board stand."""
    return [place for place in state.emperors if place != whole.OFF]


def _secured(state: Any) -> int:
    """The provinces with a garrison."""
    mask = 0
    for garrisons in state.garrisons:
        mask |= garrisons
    return mask


@cache
def _tables(board: Board) -> tuple[list[list[int]], list[dict[int, int]]]:
    """The links between any two provinces, and the steps of an army from each to those on its way."""
    between = [[links(board, place).get(other, NOWHERE) for other in board.ids] for place in board.ids]
    steps = [{board.order[other]: step for step, other in enumerate(arrows(board)[place])} for place in board.ids]
    return between, steps


class Beam:
    """Games for one finding."""

    def __init__(self, finding: Finding, board: Board, stop: Stop | None) -> None:
        self._sought = Sought(finding, board, stop)
        self._near = Nearness(self._sought.wanted)
        self._looked_at: set[str] = set()  # positions that were compared

    def game(self, seed: int, longest: int) -> Game | None:
        """A game that comes to a position in which the values differ, with fewer than `longest` events; None where none was found.

        :raises Stopped: when the flag is set.
        """
        sought = self._sought
        random = Random(f"beam {sought.pair.id} {seed}")
        games = [self._begun(random) for _ in range(WIDTH)]
        for _ in range(TURNS):
            games = [game for game in games if len(game.played) < longest]
            ended = list[Game]()
            for after in (after for game in games for after in self._turns(game, random)):
                if after.position.phase is Phase.ROMAN:  # left there, since the values differ
                    return after
                ended.append(after)
            ended = self._nearest(ended, 2 * WIDTH)
            for game in ended:
                if self._is_there(game):
                    return game
            games = self._nearest([after for game in ended for after in self._phases(game, random)], WIDTH)
        return None

    def _begun(self, random: Random) -> Game:
        """The nearest of some set-ups, at levels that bring few revolts."""
        wanted, board = self._sought.wanted, self._sought.board
        games = []
        for _ in range(SET_UPS):
            ruleset = self._sought.ruleset(f"4{len(wanted.fleets)}0{random.choice(range(ARMIES_A_LEVEL[1] + 1))}")
            games.append(new_game(ruleset, random.getrandbits(32), wanted.fleets, board=board))
        return min(games, key=lambda game: self._near.of(game.position))

    def _turns(self, game: Game, random: Random) -> Iterable[Game]:
        """The game after its turn, ended in some ways; or in the middle of the turn, where the values differ there."""
        turn = self._sought.turn(game.position)
        if turn is None:
            return
        ranked = [(self._near(turn.state(node)), node) for node in range(min(turn.nodes, STATES))]
        ends = [one for one in ranked if turn.may_end(one[1])]
        chosen = nsmallest(ENDS, ends)
        chosen += [random.choice(ends)] if ends else []
        chosen += nsmallest(ENDS, ranked)
        for _, node in dict.fromkeys(chosen):
            check(self._sought.stop)
            after = game.copy()
            try:
                if not play_to(after, turn, node) or after.is_over:
                    continue
                if after.position.phase is Phase.ROMAN and not self._is_there(after):
                    after.end()
            except TetrasolveError:  # a way that the kernel has and a record has not, or a turn that may not end here
                continue
            yield after

    def _phases(self, game: Game, random: Random) -> Iterable[Game]:
        """The game after its Barbarian phase, rolled in two ways."""
        for noise in (0.0, NOISE):
            after = game.copy()
            worth = lambda state, noise=noise: self._near.of(state) + random.random() * noise  # noqa: E731  # of one loop
            given = GivenCourse(course(game.position, worth, self._sought.stop))
            after.barbarians(given, given.decide)
            if not after.is_over:
                yield after

    def _nearest(self, games: Sequence[Game], count: int) -> list[Game]:
        """So many games on different tables."""
        tables = {str(game.position): game for game in reversed(games)}
        return nsmallest(count, tables.values(), key=lambda game: self._near.of(game.position))

    def _is_there(self, game: Game) -> bool:
        """Whether the values differ at the game's position, where that was not asked before and can be said soon."""
        position = game.position
        most = BY_REFERENCE if self._sought.pair.by_reference else REVOLTS
        if position.phase is Phase.BARBARIAN and len(position.revolts) > most:
            return False
        if (text := str(position)) in self._looked_at:
            return False
        self._looked_at.add(text)
        return self._sought.is_at(position)
