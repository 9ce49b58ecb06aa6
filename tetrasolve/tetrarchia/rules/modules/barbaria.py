"""Variant 6, Barbaria (rulebook pages 15 and 16): a player for the Barbarians, who spends discs in their phase.

He wins where the Emperors lose, so the end of the game needs no further rule. His gray discs are unrest discs and his black
one is a revolt disc; they are not in the reserve (`Position.gray`, `Position.black`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import BLACK_DISCS, GRAY_DISCS
from tetrasolve.tetrarchia.pieces import BARBARIAN_DISCS, BarbarianDiscs, Piece
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import activity, advance
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, EchoRegion, Uprising
from tetrasolve.tetrarchia.rules.advance import Clash, Crossing
from tetrasolve.tetrarchia.rules.battle import battle
from tetrasolve.tetrarchia.rules.chance import passes
from tetrasolve.tetrarchia.rules.choices import BARBARIAN, NO, Reroll
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.hooks import AdvanceRules, Decisions, SetUpRules, TurnRules
from tetrasolve.tetrarchia.rules.questions import after_revolts, seen
from tetrasolve.tetrarchia.rules.registry import register
from tetrasolve.tetrarchia.rules.reserve import put_revolts
from tetrasolve.tetrarchia.rules.revolts import Spreading
from tetrasolve.tetrarchia.rules.shortest import chosen_ways, shortest_way
from tetrasolve.tetrarchia.rules.step import Choice, Rolling, Step, Then


# Rule p15-barbaria-player
@register("barbaria")
class Barbaria(SetUpRules, Decisions, AdvanceRules, TurnRules):
    """The Barbarian player: the uses of his discs."""

    # Rule p15-barbaria-discs
    def pieces(self, board: Board, armies: tuple[str, ...]) -> Mapping[str, Piece]:
        """Four gray discs and a black one (page 15)."""
        del board, armies
        return {BARBARIAN_DISCS: BarbarianDiscs(BLACK_DISCS, GRAY_DISCS)}

    def handler(self) -> str:
        """The Barbarian player handles dice and pieces in his phase (page 15)."""
        return BARBARIAN

    # Rule p15-barbaria-refill
    def new_turn(self, position: Position) -> Position:
        """At the first Emperor's turn he gets gray discs up to four, as far as the reserve has some [I-REFILL] (page 15)."""
        if position.to_move != position.board.emperors[0].id:
            return position
        if position.ruleset.readings["I-REFILL"] == "none" and position.gray + position.reserve_unrest < GRAY_DISCS:
            return position
        gray = min(GRAY_DISCS, position.gray + position.reserve_unrest)
        return position.with_barbarian_discs(gray, position.black)

    def fallen(self, position: Position) -> Fall | None:
        """At the first Emperor's turn, where the reserve has too few gray discs for him, if that is a fall [I-REFILL]."""
        falls = position.ruleset.readings["I-REFILL"] == "falls"
        refills = falls and position.to_move == position.board.emperors[0].id
        return Fall.NO_UNREST_LEFT if refills and position.gray + position.reserve_unrest < GRAY_DISCS else None

    # Rule p15-barbaria-black
    def opening(self, position: Position, number: int, resting: frozenset[str], then: Then) -> Choice | None:
        """The black disc, once a game, before a step of the phase or at its beginning [I-BLACK-WHEN] (page 15)."""
        if not position.black or (number > 1 and position.ruleset.readings["I-BLACK-WHEN"] == "start"):
            return None
        return _black(position, f"spend the black disc before step {number}?", resting, then)

    def between(self, position: Position, armies: tuple[str, ...], then: Then) -> Choice | None:
        """The black disc before the next army advances, and after the last [I-BLACK-WHEN]."""
        if not position.black or position.ruleset.readings["I-BLACK-WHEN"] != "armies":
            return None
        left = next((army for army in armies if not army.isdigit()), None)
        asks = f"spend the black disc before the army of {left} advances?"
        return _black(position, asks if left else "spend the black disc after the advance?", frozenset(), then)

    def rerolls(self, position: Position) -> bool:
        """While he has a gray disc."""
        return position.gray > 0

    def rolled(self, step: Rolling, faces: tuple[int, ...], result: Step) -> Reroll | None:
        """Rolling all dice again for a gray disc (page 15); not where they are rolled again in any case."""
        stands = isinstance(step, EchoProvince) and step.stands
        return None if result == step or stands else Reroll(step, faces, result, _spent, _is_poor, _both_dice(step))

    def marching(self, position: Position, armies: tuple[str, ...], chosen: str, cleared: bool) -> Choice | None:
        """An army stays where it is, or goes another way, for a gray disc (page 15)."""
        advancing = Advance(position, armies, chosen, cleared)
        return advancing if position.gray and advancing.has_options else None

    # Rule p15-barbaria-cancel
    def crossed(self, position: Position, armies: tuple[str, ...], target: str, cleared: bool) -> Choice | None:
        """An army that has passed a check can still be stopped for a gray disc [I-CANCEL-WHEN], or turned [I-TURN-WHEN]."""
        late = LateCancel(position, armies, target, cleared)
        return late if position.gray and len(late.options) > 1 else None

    # Rule p15-barbaria-turn
    def halted(self, position: Position, armies: tuple[str, ...]) -> Choice | None:
        """An army that a check has stopped on its usual way can still be turned for a gray disc [I-TURN-WHEN]."""
        late = LateTurn(position, armies)
        return late if position.gray and len(late.options) > 1 else None

    # Rule p15-barbaria-turn
    def way(self, position: Position, army: str) -> tuple[str, int] | None:
        """An army that was turned goes the shortest way to Roma where no arrow leads on (page 15)."""
        return shortest_way(position, army)


# Rule p15-barbaria-gray
def _spent(position: Position) -> Position:
    """Return a gray disc to the reserve."""
    return position.with_barbarian_discs(position.gray - 1, position.black)


def _both_dice(step: Rolling) -> EchoRegion | None:
    """The roll of both dice of an echo, the first if it was the only one, once [I-REROLL-ECHO]; None for other rolls."""
    readings = step.position.ruleset.readings
    if readings["I-REROLL-ECHO"] == "last" or not isinstance(step, (EchoRegion, EchoProvince)):
        return None
    if isinstance(step, EchoProvince) and step.arrived:
        return None  # the Goths have come with the first
    return EchoRegion(step.position, step.resting, step.origin, stands=readings["I-REROLL"] == "stands")


def _is_poor(step: Rolling, faces: tuple[int, ...]) -> bool:
    """Whether these faces have no effect for the Barbarians."""
    highest = step.position.ruleset.numbers["blocked"]
    match step:
        case Spreading() | Uprising():
            return not passes(faces[0], highest=highest)
        case Crossing():
            return not passes(faces[0], step.bonus, highest)
        case Activity():
            return activity.is_untouched(step.position, step.position.board.at(faces[0], faces[1]))
        case EchoProvince():
            return activity.is_untouched(step.position, step.position.board.at(step.region, faces[0]))
        case Clash():
            return step.fight.outcome(faces[0], faces[1]) is Outcome.VICTORY
    return False


# -- the black disc --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _OfTheBarbarian(Choice):
    """A choice of the Barbarian player at this position."""

    now: Position

    @property
    def position(self) -> Position:
        """The current position."""
        return self.now

    @property
    def decider(self) -> str:
        """The Barbarian player."""
        return BARBARIAN


@dataclass(frozen=True, slots=True)
class BlackDisc(_OfTheBarbarian):
    """The choice to spend the black disc at the moment that `asks` names; the phase goes on with `then`."""

    asks: str
    resting: frozenset[str]
    then: Then

    @property
    def question(self) -> str:
        """Whether he spends it, and when."""
        return self.asks

    # Rule p16-barbaria-black-place
    def places(self) -> Iterator[str]:
        """The empty provinces [I-BLACK-EMPTY] that are not capitals [I-BLACK-CAPITALS], without borders [I-BLACK-PLACE]."""
        board, readings = self.position.board, self.position.ruleset.readings
        closed = {emperor.capital for emperor in board.emperors}
        if readings["I-BLACK-CAPITALS"] == "all":
            closed.add(board.roma)
        borders_too = readings["I-BLACK-PLACE"] == "any"
        no_disc = readings["I-BLACK-EMPTY"] == "no-disc"
        for place in board.ids:
            empty = place not in self.position.discs if no_disc else self.position.is_empty(place)
            if place not in closed and empty and (borders_too or not board[place].is_border):
                yield place

    # Rule p16-barbaria-black-army
    def borders(self) -> Iterator[str]:
        """The empty borders, while no army is on the board; others for the Goths [I-BLACK-GOTHS]."""
        if self.position.armies:
            return
        goths_too = self.position.ruleset.readings["I-BLACK-GOTHS"] == "any"
        for border in self.position.board.borders:
            if self.position.is_empty(border) or (goths_too and activity.goths_expel(self.position, border)):
                yield border

    @property
    def options(self) -> tuple[str, ...]:
        """``no``, ``black:`` with each province for a revolt there, ``army:`` with each border for an army instead."""
        return NO, *map("black:{}".format, self.places()), *map("army:{}".format, self.borders())

    def after(self, option: str) -> Step:
        """The step of the phase, after a revolt or an army has come."""
        what, _, place = option.partition(":")
        if what == "black":
            return self._revolt(place)
        return self._army(place) if what == "army" else self.then(self.position, self.resting)

    def _revolt(self, place: str) -> Step:
        placed = put_revolts(self._without_disc(), [place])
        assert not isinstance(placed, Fall), "the disc that he spends is the one that is placed"
        return after_revolts(placed, seen(self.position), self.resting, self.then)

    def _army(self, border: str) -> Step:
        arrived = activity.arrival(self._without_disc(), border)
        assert arrived is not None, "the border is empty, or the Goths come"
        waits = self.position.ruleset.readings["I-BLACK-FRESH"] == "waits"
        fresh = self.resting | {border} if waits else activity.with_fresh(self.position, border, self.resting)
        return self.then(arrived, fresh)

    def _without_disc(self) -> Position:
        return self.position.with_barbarian_discs(self.position.gray, self.position.black - 1)

    def eager(self) -> int:
        """Always spend it: the first army where one can come, else the first revolt."""
        revolts = sum(1 for _ in self.places())
        return 1 + revolts if any(self.borders()) else 1


def _black(position: Position, asks: str, resting: frozenset[str], then: Then) -> BlackDisc | None:
    """The choice to spend the black disc, where there is a province for it."""
    black = BlackDisc(position, asks, resting, then)
    return black if any(black.places()) or any(black.borders()) else None


# -- the way of an army ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Advance(_OfTheBarbarian):
    """The choice whether the first of these armies advances, stays, or goes another way.

    `chosen`: where its way begins, if he has chosen it [I-SHORTEST]; `cleared`: nobody blocks it any more [I-BLOCK-ORDER].
    """

    armies: tuple[str, ...]
    chosen: str = ""
    cleared: bool = False

    @property
    def question(self) -> str:
        """The army, and its next province."""
        way = "is blocked" if self._is_blocked else f"advances to {self._target}"
        return f"the army of {self.armies[0]} {way}; another way?"

    @property
    def _target(self) -> str | None:
        return self.chosen or advance.way(self.position, self.armies[0])[0]

    @property
    def _is_blocked(self) -> bool:
        return self._target is None or self._target in self.position.armies

    @property
    def has_options(self) -> bool:
        """Whether there are other options than ``no``."""
        return not self._is_blocked or bool(self.turns())

    def turns(self) -> tuple[str, ...]:
        """The provinces that it can be turned to: linked to its own inside the Empire, without an army.

        Whether borders are among them: [I-TURN-BORDERS]; provinces whose arrow leads to its own: [I-TURN-BACK]; whether an
        army whose way is blocked turns: [I-TURN-BLOCKED].
        """
        position, (army, *_), usual = self.position, self.armies, self._target
        board = position.board
        readings = position.ruleset.readings
        if board[army].is_border or (self._is_blocked and readings["I-TURN-BLOCKED"] == "stays"):
            return ()
        near = [place for place in board.neighbours(army) if place != usual and place not in position.armies]
        near = [place for place in near if place not in chosen_ways(position, army)]  # he goes there without a disc
        if readings["I-TURN-BACK"] == "forbidden":
            near = [place for place in near if board[place].arrow != army]
        out = readings["I-TURN-BORDERS"] == "may"
        return tuple(sorted((p for p in near if out or not board[p].is_border), key=board.order.__getitem__))

    # Rule p15-barbaria-cancel, p15-barbaria-turn, p15-barbaria-turn-broken
    @property
    def options(self) -> tuple[str, ...]:
        """``no``, ``cancel`` where its way is free, and ``turn:`` with each province that it can be turned to."""
        cancel = () if self._is_blocked else ("cancel",)
        return NO, *cancel, *map("turn:{}".format, self.turns())

    def after(self, option: str) -> Step:
        """The step after it advances, stays, or goes another way, where a broken link can stop it."""
        what, _, place = option.partition(":")
        if what == NO:
            return advance.march(self.position, self.armies, self.chosen, cleared=self.cleared)
        spent = _spent(self.position)
        return advance.towards(spent, self.armies, place) if place else advance.onward(spent, self.armies[1:])

    def eager(self) -> int:
        """Turn around an army in its way, and around a general who is more likely to win than to lose; else advance."""
        if self._target in self.position.armies:
            return self._first_turn(bool) or 0
        general = next((who for who, where in self.position.generals.items() if where == self._target), None)
        if general is None:
            return 0
        chances = battle(self.position, general, self.armies[0]).chances()
        if chances.get(Outcome.VICTORY, 0) <= chances.get(Outcome.DEFEAT, 0):
            return 0
        return self._first_turn(lambda place: place not in self.position.generals.values()) or 1

    def _first_turn(self, suits: Callable[[str], bool]) -> int | None:
        """The number of the first option to turn to a suitable province."""
        before = 1 if self._is_blocked else 2
        return next((before + i for i, place in enumerate(self.turns()) if suits(place)), None)


def _late_turns(position: Position, armies: tuple[str, ...]) -> tuple[str, ...]:
    """The provinces that the first of these armies can be turned to after the check of its usual way [I-TURN-WHEN]."""
    late = position.ruleset.readings["I-TURN-WHEN"] == "after"
    return tuple(map("turn:{}".format, Advance(position, armies).turns())) if late else ()


def _turned(position: Position, armies: tuple[str, ...], option: str) -> Step:
    """The step after the first of these armies is turned for a gray disc."""
    return advance.towards(_spent(position), armies, option.removeprefix("turn:"))


@dataclass(frozen=True, slots=True)
class LateCancel(_OfTheBarbarian):
    """The choice whether the first of these armies, which has passed a check, goes on to `target`.

    `cleared`: nobody blocks it any more [I-BLOCK-ORDER].
    """

    armies: tuple[str, ...]
    target: str
    cleared: bool = False

    @property
    def question(self) -> str:
        """The army, and its next province."""
        if "cancel" not in self.options:
            return f"the army of {self.armies[0]} has passed the link to {self.target}; another way?"
        return f"the army of {self.armies[0]} has passed the link to {self.target}; cancel its advance?"

    @property
    def options(self) -> tuple[str, ...]:
        """``no``; ``cancel`` [I-CANCEL-WHEN]; and where it goes its usual way ``turn:`` with each province [I-TURN-WHEN]."""
        cancel = ("cancel",) if self.position.ruleset.readings["I-CANCEL-WHEN"] == "after" else ()
        usual = advance.is_usual(self.position, self.armies[0], self.target)
        return NO, *cancel, *(_late_turns(self.position, self.armies) if usual else ())

    def after(self, option: str) -> Step:
        """The step after it arrives, stays, or goes another way."""
        if option == NO:
            return advance.arrive(self.position, self.armies, self.target, cleared=self.cleared)
        if option == "cancel":
            return advance.onward(_spent(self.position), self.armies[1:])
        return _turned(self.position, self.armies, option)

    def eager(self) -> int:
        """Let it come: its advance was decided before the check."""
        return 0


@dataclass(frozen=True, slots=True)
class LateTurn(_OfTheBarbarian):
    """The choice whether the first of these armies, which a check has stopped on its usual way, goes another way."""

    armies: tuple[str, ...]

    @property
    def question(self) -> str:
        """The army."""
        return f"a broken link has stopped the army of {self.armies[0]}; another way?"

    @property
    def options(self) -> tuple[str, ...]:
        """``no``, and ``turn:`` with each province that it can be turned to [I-TURN-WHEN]."""
        return NO, *_late_turns(self.position, self.armies)

    def after(self, option: str) -> Step:
        """The step after it stays, or goes another way."""
        if option == NO:
            return advance.onward(self.position, self.armies[1:])
        return _turned(self.position, self.armies, option)

    def eager(self) -> int:
        """Turn it, if a disc is to be spent at all: it has stopped."""
        return 1
