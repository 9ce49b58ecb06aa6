"""Games that are steered to a position in which two values of a reading differ: the dice and Rome's turns are chosen for it.

Games at random (`tetrasolve.tetrarchia.lint.reached`) seldom come to a table with a figure, a disc and an army in certain places.
But every face can be rolled, and Rome can wait. So of each finding the smallest position is the *pattern*: what of it is not yet
on the table is missing, and farther away where an army or an Emperor has a longer way. Each turn ends, and each roll falls, where
least is missing; whatever else lies on the table may stay there. A game is kept at its first position in which the values differ
by both engines, as those at random are. That none is found does not prove that there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Protocol

from tetrasolve.errors import TetrasolveError
from tetrasolve.exact.batches import Progress
from tetrasolve.exact.deadline import check, is_over, stop_of
from tetrasolve.lint.findings import Finding
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.action import Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game, new_game
from tetrasolve.tetrarchia.lint.compare import Engines, Pair, differences, with_value
from tetrasolve.tetrarchia.lint.courses import course
from tetrasolve.tetrarchia.lint.reached import Records, reachable_pairs
from tetrasolve.tetrarchia.lint.small import REBELS, table_of
from tetrasolve.tetrarchia.plan.graph import MOST_STATES
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.record import write_record
from tetrasolve.tetrarchia.rules import Fall, GivenCourse
from tetrasolve.tetrarchia.ruleset import Ruleset

TURNS = 12  # of a game
LOOKED_AT = 40  # states of a turn, those with the least missing, in which the values are compared
NEAR = 3  # of these are moved on from, so that a turn is not always ended in the same way
MOST_NODES = 4_000  # of a turn that are looked at
MOST_REVOLTS = 9  # in a phase that is compared by the reference rules

Missing = tuple[int, int]  # pieces that are missing, and how far those are that have to come


class Pattern:
    """The pieces of a position that a game is to have."""

    def __init__(self, wanted: Position) -> None:
        self.wanted, self._board = wanted, wanted.board

    def missing(self, state: Position | Fall) -> Missing:
        """What of the pattern is missing; less is nearer."""
        if isinstance(state, Fall):
            return 99, 0
        wanted, count, far = self.wanted, 0, 0
        for place, disc in wanted.discs.items():
            if state.discs.get(place) != disc:
                count, far = count + 1, far + self._disc_is_far(state, place, disc)
        for army in wanted.armies:
            if army not in state.armies:
                count, far = count + 1, far + self._army_is_far(state, army)
        for figure, place in wanted.romans.items():
            if state.romans.get(figure) != place:
                count += 1
                far += self._figure_is_far(state, figure, place)
        count += len(wanted.emperors) - len(state.emperors)
        count += len({*wanted.fleets} - {*state.fleets})
        for has, needs in ((state.glory, wanted.glory), (state.removed, wanted.removed)):
            count += sum(max(0, number - has.get(who, 0)) for who, number in needs.items())
        count += wanted.goths != state.goths and wanted.goths is not None
        pirates = (wanted.pieces.pirates, state.pieces.pirates)
        count += 2 * (pirates[0] is not None and pirates[1] is not None and pirates[0].zone != pirates[1].zone)
        return count, far

    def _disc_is_far(self, state: Position, place: str, disc: str) -> int:
        """A revolt is nearer where unrest lies; a garrison where no revolt is in the way."""
        if disc == "revolt":
            return 0 if state.has_unrest(place) else 1 + state.is_protected(place)
        return 1 if state.has_revolt(place) else 0

    def _army_is_far(self, state: Position, army: str) -> int:
        return min((_steps(self._board, other, army) for other in state.armies), default=30)

    def _figure_is_far(self, state: Position, figure: str, place: str | None) -> int:
        where = state.romans.get(figure)
        if place is None or where is None:
            return 12
        return links(self._board, where).get(place, 12)


@cache
def arrows(board: Board) -> dict[str, tuple[str, ...]]:
    """The way of an army from each province, that one included."""
    ways = {}
    for place in board.ids:
        way: list[str] = [place]
        while (after := board[way[-1]].arrow) is not None and after not in way:
            way.append(after)
        ways[place] = tuple(way)
    return ways


def _steps(board: Board, army: str, target: str) -> int:
    """The steps of an army to a province on its way; 20 where it is not on it."""
    way = arrows(board)[army]
    return way.index(target) if target in way else 20


@cache
def links(board: Board, origin: str) -> dict[str, int]:
    """The number of links from a province to each other one."""
    found, edge = {origin: 0}, [origin]
    for place in edge:
        for other in board.neighbours(place):
            if other not in found:
                found[other] = found[place] + 1
                edge.append(other)
    return found


# -- one game ----------------------------------------------------------------------------------------------------------


class Sought:
    """What games for a finding are to come to: a position in which its values differ by both engines."""

    def __init__(self, finding: Finding, board: Board, stop: Stop | None) -> None:
        assert finding.position is not None, "it has a position"
        self.pair = Pair(finding.reading, *finding.values)
        self.wanted = Position.parse(finding.position, board)
        self.board, self.stop = board, stop
        self.in_phase = self.wanted.phase is Phase.BARBARIAN
        self.extensions = table_of(self.wanted).extensions
        self._engines = Engines(table_of(self.wanted))

    def is_at(self, position: Position) -> bool:
        """Whether the values differ here.

        :raises Stopped: when the flag is set.
        """
        state: Any = fast.state_of(position, rebels=True)
        if position.phase is Phase.BARBARIAN and (len(position.revolts) > MOST_REVOLTS or self._engines.is_slow(state)):
            return False
        if any(with_value(position, self.pair.reading, value).status() for value in self.pair.values):
            return False
        return bool(self._engines.differing(state, [self.pair], self.stop)) and bool(
            differences(position, self.pair, self.stop)
        )

    def turn(self, position: Position) -> Any:
        """The states of a turn; None where the kernel cannot list them.

        :raises Stopped: when the flag is set.
        """
        kernel: Any = fast.kernel_for(self.board, position.ruleset, rebels=True)
        state: Any = fast.state_of(position, rebels=True)
        try:
            return whole.Turn(kernel, state, MOST_STATES, stop=self.stop)
        except whole.KernelError:
            return None

    def ruleset(self, level: str) -> Ruleset:
        """A level with the modules and variants of the finding's table."""
        return Ruleset.from_text("+".join((level, *self.extensions)))


class Steered:
    """Games for one finding."""

    def __init__(self, finding: Finding, board: Board, stop: Stop | None) -> None:
        self._sought = Sought(finding, board, stop)
        self.pattern = Pattern(self._sought.wanted)

    def game(self, seed: int, longest: int) -> Game | None:
        """A game that comes to a position in which the values differ, with fewer than `longest` events; None where none was found.

        :raises Stopped: when the flag is set.
        """
        sought = self._sought
        random, wanted = Random(f"steered {sought.pair.id} {seed}"), sought.wanted
        level = f"4{len(wanted.fleets)}{random.choice((0, 1, 2))}{random.choice((0, 1, 2))}"
        fleets = wanted.fleets if seed % 2 == 0 else None
        game = new_game(sought.ruleset(level), seed, fleets, board=sought.board)
        while not game.is_over and len(game.played) < longest:
            check(sought.stop)
            position = game.position
            if position.phase is Phase.ROMAN:
                if not self._turn(game, random):
                    return None
                if game.position.phase is Phase.ROMAN:
                    return game
            else:
                if sought.in_phase and sought.is_at(position):
                    return game
                given = GivenCourse(course(position, self.pattern.missing, sought.stop))
                game.barbarians(given, given.decide)
        return None

    def _turn(self, game: Game, random: Random) -> bool:
        """Play to a state of the turn in which the values differ, else to the end of the turn; whether there is one."""
        position, sought = game.position, self._sought
        turn = sought.turn(position)
        if turn is None:
            return False
        nodes = range(min(turn.nodes, MOST_NODES))
        ranked = sorted((self.pattern.missing(_position(turn, node, position)), node) for node in nodes)
        if not sought.in_phase:
            for _, node in ranked[:LOOKED_AT]:
                there = _position(turn, node, position)
                if there.phase is Phase.ROMAN and sought.is_at(there):
                    return play_to(game, turn, node)
        ends = [node for _, node in ranked if turn.may_end(node)][:NEAR]
        if not ends:
            return False
        if not play_to(game, turn, random.choice(ends) if len(game.played) > 0 else ends[0]):
            return False
        if not game.is_over and game.position.phase is Phase.ROMAN:
            game.end()
        return True


def _position(turn: Any, node: int, like: Position) -> Position:
    return fast.to_position(turn.state(node), like.board, like.ruleset)


def play_to(game: Game, turn: Any, node: int) -> bool:
    """Play the actions that lead to a state of the turn; whether the records of games can hold them."""
    before: dict[int, tuple[int, int]] = {0: (0, 0)}
    edge = [0]
    for here in edge:
        if node in before:
            break
        for code, _, after in turn.edges_from(here):
            if after not in before:
                before[after] = (here, code)
                edge.append(after)
    if node not in before:
        return False
    codes = []
    while node:
        node, code = before[node]
        codes.append(code)
    for code in reversed(codes):
        action = fast.to_action(code, game.position.board)
        if action.kind is Kind.ATTACK:
            if action.outcome is None or action.payments or not _attack(game, action):
                return False
        else:
            game.act(action)
    return True


def _attack(game: Game, action: Any) -> bool:
    roll = rules.attack_roll(game.position, action.place, action.figure)
    pairs = zip(roll.faces, roll.results, strict=True)
    faces = next((faces for faces, result in pairs if result.outcome is action.outcome), None)
    if faces is None:
        return False
    game.attack(action.place, rules.GivenDice(faces), action.figure)
    return action.outcome is not Outcome.DEFEAT or game.position.phase is Phase.BARBARIAN


# -- many --------------------------------------------------------------------------------------------------------------


class Seeker(Protocol):
    """Looks for games for one finding."""

    def game(self, seed: int, longest: int) -> Game | None:
        """A game of fewer than `longest` events to a position in which the values differ; None where none was found."""
        ...


def missing_records(
    path: Path,
    findings: Sequence[Finding],
    seeker: Callable[[Finding, Board, Stop | None], Seeker] = Steered,
    *,
    games: int,
    seed: int = 0,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[Records, bool]:
    """Look `games` times for a game for each finding that has no record in the file, and keep it; whether all was done.

    :raises OSError: when the file cannot be written.
    """
    stop, board, found = stop_of(seconds, cancel), Board.standard(), Records.kept(path)
    wanted = [finding for finding in reachable_pairs(findings) if REBELS not in finding.table]
    for number, finding in enumerate(wanted):
        if finding.id not in found.rows:
            game = _first_game(seeker(finding, board, stop), range(seed, seed + games))
            if game is not None:
                found.rows[finding.id] = write_record(game).splitlines()
            found.write(path)
        if is_over(stop):
            return found, False
        if progress is not None:
            progress("findings", number + 1, len(wanted))
    return found, True


def _first_game(seeker: Seeker, seeds: range) -> Game | None:
    for seed in seeds:
        try:
            game = seeker.game(seed, TURNS * 8)
        except Stopped:
            return None
        except TetrasolveError:  # a way that the kernel has and a record has not
            continue
        if game is not None:
            return game
    return None
