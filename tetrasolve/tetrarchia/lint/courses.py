"""Whole games whose dice are chosen: kindly, so that Rome wins, or cruelly, so that it falls.

Such a game shows what can happen, not how likely it is: each of its faces can be rolled. In a phase the dice are chosen roll by
roll, by what the position after it is worth (`kind`, `cruel`); in a battle they give the outcome that is best for Rome, where it
can be rolled. The reference rules play every step, and the record of the game replays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Any

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, REMOVE, SECURE, Action, Kind, Outcome
from tetrasolve.tetrarchia.game import Game, new_game, new_scenario
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Choice, Fall, GivenCourse, roman
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.rules.step import Step
from tetrasolve.tetrarchia.ruleset import Ruleset

MOST_TURNS = 90  # of a game; those that were needed are below
FAR = 99  # farther than any way on the board

Worth = Callable[[Position | Fall], tuple[Any, ...]]  # the least is chosen


def game_of(table: str, seed: int, fleets: tuple[int, ...] | None = None) -> Game:
    """A game at the set-up of a table, a ruleset like ``4211+dux`` or the name of a scenario.

    :raises RulesetError: when there is no such table.
    """
    if table in rules.scenarios():
        return new_scenario(table, seed, fleets)
    return new_game(Ruleset.from_text(table), seed, fleets)


# -- dice of a phase ---------------------------------------------------------------------------------------------------


def kind(state: Position | Fall) -> tuple[Any, ...]:
    """Few armies, revolts and unrest, and all figures of Rome on the board."""
    if isinstance(state, Fall):
        return (1,)
    return (0, len(state.armies), len(state.revolts), len(state.unrest), -len(state.romans), _march(state))


def cruel(state: Position | Fall) -> tuple[Any, ...]:
    """A fall; else many armies, close to Roma, and many revolts."""
    if isinstance(state, Fall):
        return (0,)
    return (1, -len(state.armies), _march(state), -len(state.revolts), -len(state.unrest))


def _march(position: Position) -> int:
    return sum(position.board.distance_to_roma.get(army, FAR) for army in position.armies)


def course(position: Position, worth: Worth, stop: Stop | None = None) -> tuple[int | str, ...]:
    """The faces and answers of a Barbarian phase in which each roll and choice has the result of the least worth.

    A step does not come again while another one can follow: else echoes that change nothing could go on for ever.

    :raises Stopped: when `stop` is set before.
    """
    step: Step = rules.begin(position)
    taken: list[int | str] = []
    met: list[Step] = []
    while not isinstance(step, (Position, Fall)):
        check(stop)
        options: list[tuple[tuple[int | str, ...], Step]]
        if isinstance(step, Choice):
            options = [((name,), step.after(name)) for name in step.options]
        else:
            roll = step.roll()
            pairs = zip(roll.faces, roll.results, strict=True)
            options = [(faces, landed(step, faces, result)) for faces, result in pairs]
        met.append(step)
        fresh = [option for option in options if option[1] not in met]
        made, step = min(fresh or options, key=lambda option: worth(_state(option[1])))
        taken += made
    return tuple(taken)


def _state(step: Step) -> Position | Fall:
    return step if isinstance(step, (Position, Fall)) else step.position


def phase(game: Game, worth: Worth, stop: Stop | None = None) -> None:
    """Play the Barbarian phase of a game with these dice."""
    given = GivenCourse(course(game.position, worth, stop))
    game.barbarians(given, given.decide)


# -- turns -------------------------------------------------------------------------------------------------------------


def ways(
    position: Position, stop: Stop | None = None, goal: str | None = None
) -> dict[str, tuple[int, tuple[Action, ...]]]:
    """Each province where the active Emperor can come by entering and moving: the most IP that are left there, and a way.

    With a `goal` only those that are no farther.
    """
    found: dict[str, tuple[int, tuple[Action, ...]]] = {}
    tie = count()
    waiting: list[tuple[int, int, Position, tuple[Action, ...]]] = [(-position.ip, next(tie), position, ())]
    while waiting:
        check(stop)
        left, _, here, way = heappop(waiting)
        place = here.here
        if place is not None:
            if place in found:
                continue
            if not here.is_shared:
                found[place] = (-left, way)
                if place == goal:
                    break
        for action in _steps(here):
            if action.place not in found:
                after = rules.play(here, action)
                if isinstance(after, Position) and (after.ip < here.ip or action.kind is Kind.ENTER):
                    heappush(waiting, (-after.ip, next(tie), after, (*way, action)))
    return found


def _steps(position: Position) -> list[Action]:
    """The ways to enter, or the moves of the active Emperor."""
    if position.here is None:
        return [action for action in rules.legal_actions(position) if action.kind is Kind.ENTER]
    return [move for move in roman.moves(position, position.here) if rules.objection(position, move) is None]


def distances(position: Position, goals: Iterable[str]) -> dict[str, int]:
    """Roughly how many IP each province is from the nearest goal: by links, broken ones twice, and by sea with a fleet."""
    board, found = position.board, dict.fromkeys(goals, 0)
    waiting = [(0, place) for place in found]
    while waiting:
        far, place = heappop(waiting)
        if far > found[place]:
            continue
        sea = {other for zone in board[place].zones if zone in position.fleets for other in board.coast[zone]}
        steps = {**dict.fromkeys(sea, 1), **{n: 1 + link.broken for n, link in board.neighbours(place).items()}}
        for other, length in steps.items():
            if far + length < found.get(other, FAR):
                found[other] = far + length
                heappush(waiting, (far + length, other))
    return found


def battle_faces(position: Position, army: str, wanted: Outcome) -> tuple[int, int] | None:
    """Faces with which the active Emperor's attack has this outcome; None where none has, or where he may not attack."""
    if rules.objection(position, Action(Kind.ATTACK, army)) is not None:
        return None
    roll = rules.attack_roll(position, army)
    results = zip(roll.faces, roll.results, strict=True)
    return next(((r, b) for (r, b), action in results if action.outcome is wanted), None)


class Turn:
    """What the active Emperor does in his turn: the nearest of what is to be done, as long as he can pay."""

    def __init__(self, game: Game, secures: Collection[str], stop: Stop | None = None) -> None:
        self._game, self._secures, self._stop = game, secures, stop

    def play(self, park: str | None = None) -> None:
        """Play it to its end; with nothing to do he goes to `park`."""
        while not self._game.is_over and self._game.position.phase is Phase.ROMAN:
            if not self._sail() and not self._work():
                self._leave(park)
                return

    def _sail(self) -> bool:
        """Bring a fleet nearer to a zone without which rebels cannot be attacked."""
        position = self._game.position
        wanted = {rebel.fleet for rebel in position.rebels.values()}
        for zone in sorted(wanted - {*position.fleets}):
            for action in rules.legal_actions(position) if position.here is not None else ():
                if action.kind is Kind.SAIL and action.zones is not None:
                    origin, target = action.zones
                    if origin not in wanted and abs(zone - target) < abs(zone - origin):
                        self._game.act(action)
                        return True
        return False

    def _work(self) -> bool:
        """Do one thing of those that can be done in this turn, that which leaves the most IP."""
        position = self._game.position
        best: tuple[int, tuple[Action, ...], str] | None = None
        for place, (left, way) in ways(position, self._stop).items():
            for what, price in self._tasks(position, place):
                if price <= left and (best is None or left - price > best[0]):
                    best = (left - price, way, what)
        if best is None:
            return False
        _, way, what = best
        for action in way:
            self._game.act(action)
        if what in (str(REMOVE), str(SECURE)):
            self._game.act(REMOVE if what == str(REMOVE) else SECURE)
        else:
            faces = battle_faces(self._game.position, what, Outcome.VICTORY)
            assert faces is not None, "it was looked at"
            self._game.attack(what, rules.GivenDice(faces))
        return True

    def _tasks(self, position: Position, place: str) -> Iterator[tuple[str, int]]:
        """What is to be done in a province, with its price."""
        there = position.with_emperor(position.to_move, place)
        if place in position.revolts or place in position.unrest:
            yield str(REMOVE), 2 if place in position.revolts else 1
        elif position.reserve_garrisons(position.to_move) and place in self._secures and _can_secure(position, place):
            yield str(SECURE), 2 if position.board[place].is_border else 1
        for army in position.armies:
            link = position.board.link(place, army)
            if link is not None and battle_faces(there, army, Outcome.VICTORY) is not None:
                yield army, 1 + link.broken + (army in position.revolts)

    def _goals(self, position: Position) -> set[str]:
        free = {place for place in self._secures if _can_secure(position, place)}
        near = {other for army in position.armies for other in position.board.neighbours(army)}
        open_ = free if position.reserve_garrisons(position.to_move) else set()
        return (open_ | position.revolts | position.unrest | near) - {*position.armies}

    def _leave(self, park: str | None) -> None:
        """Go as near as possible to what is to be done, or to `park`, and end the turn."""
        position = self._game.position
        goals = self._goals(position) or ({park} if park else set())
        far = distances(position, goals)
        stay = {p: way for p, (_, way) in ways(position, self._stop).items() if p not in position.revolts}
        if goals and stay:
            for action in stay[min(stay, key=lambda p: (far.get(p, FAR), len(stay[p])))]:
                self._game.act(action)
        elif not rules.may_end(position) and stay:
            for action in min(stay.values(), key=len):
                self._game.act(action)
        self._game.act(END)


def _can_secure(position: Position, place: str) -> bool:
    """Whether a garrison may be placed there, if there is one in the reserve."""
    board = position.board
    calm = not board[place].is_border or not any(p in position.revolts for p in board.members(board[place].region))
    return calm and place not in position.discs


def won_game(game: Game, *, stop: Stop | None = None) -> Game:
    """Play a game on with kind dice until Rome wins, or for `MOST_TURNS`; a game that is not won is open or lost.

    :raises Stopped: when `stop` is set before.
    """
    for _ in range(MOST_TURNS):
        Turn(game, game.start.board.borders, stop).play()
        if not game.is_over:
            phase(game, kind, stop)
        if game.is_over:
            break
    return game


def lost_game(game: Game, *, stop: Stop | None = None) -> Game:
    """Play a game on with cruel dice, while all Emperors end their turns at once, until Rome falls, or for `MOST_TURNS`.

    :raises Stopped: when `stop` is set before.
    """
    for _ in range(MOST_TURNS):
        idle_turn(game, (), stop)
        if not game.is_over:
            phase(game, cruel, stop)
        if game.is_over:
            break
    return game


def idle_turn(game: Game, avoid: Collection[str] = (), stop: Stop | None = None) -> None:
    """End a turn at once: an Emperor who must enter does so in his capital, else in Roma, and goes on only where he must.

    If he can, he ends in none of the provinces of `avoid`.
    """
    position = game.position
    if not rules.may_end(position):
        capital = next(emperor.capital for emperor in position.board.emperors if emperor.id == position.to_move)
        found = ways(position, stop)
        if found:
            place = min(found, key=lambda p: (p in avoid, len(found[p][1]), p != capital, position.board.order[p]))
            for action in found[place][1]:
                game.act(action)
    game.act(END)
