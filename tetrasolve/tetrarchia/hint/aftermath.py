"""What the coming phase does after a plan: its outcomes by what has happened in them, each with the evaluation of what is left.

A *happening* is seen on the table after the phase: a revolt or an army where none was at the end of the turn, an Emperor who is
removed, the fall of the Empire; and each outcome of an attack of the plan. Where players decide in the phase nobody uses a disc, as
for the figures of a plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.hint.players import borrow
from tetrasolve.tetrarchia.hint.prospects import Prospects, before_phase
from tetrasolve.tetrarchia.kernel import Player, State
from tetrasolve.tetrarchia.masks import rows_of
from tetrasolve.tetrarchia.phase.rounding import Known
from tetrasolve.tetrarchia.plan.replay import made_by_dice
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall

if TYPE_CHECKING:
    from tetrasolve.tetrarchia.kernel import Weights  # a name of the stub only

Happening: TypeAlias = tuple[
    str, str, str
]  # revolt, army, removed, fall or attack; where or who; the outcome of an attack
FALL: Happening = ("fall", "", "")
CHECK_EVERY = 1000  # outcomes: a millisecond of work
ROUNDOFF = 2.0**-30  # far above the rounding of a sum of chances in doubles, far below what is shown


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The evaluation of the positions after the phase: its mean, and for each happening its chance and the mean with it.

    Chances are sums of doubles; `chance_of` has those of happenings in fractions, where a fraction is known.
    """

    value: float
    chances: Mapping[Happening, float]
    values: Mapping[Happening, float]


def aftermath(position: Position, found: Prospects, stop: Stop | None = None) -> Aftermath:
    """The aftermath of a plan with these prospects for the turn that begins with `position`.

    :raises Stopped: when `stop` is set before all outcomes are evaluated.
    """
    chances: dict[Happening, float] = {}
    worth: dict[Happening, float] = {}
    total = 0.0
    with borrow(position.board, position.ruleset, rebels=bool(position.rebels)) as player:
        for line, (share, end, _) in zip(_lines(position, found.plan), found.ends, strict=True):
            for happened, chance, value in _outcomes(position, player, end, stop):
                total += float(share) * chance * value
                for happening in {*line, *happened}:
                    chances[happening] = chances.get(happening, 0.0) + float(share) * chance
                    worth[happening] = worth.get(happening, 0.0) + float(share) * chance * value
    return Aftermath(total, chances, {happening: worth[happening] / chances[happening] for happening in chances})


def _lines(position: Position | Fall, plan: Plan) -> Iterator[tuple[Happening, ...]]:
    """The attacks along each line of a plan, in the order of the ends of its turn."""
    for action in plan.steps:
        assert isinstance(position, Position)
        position = rules.play(position, action)
    if plan.fork is None or isinstance(position, Fall):
        yield ()
        return
    for outcome, _, branch in plan.fork.branches:
        for _, attack, rest in made_by_dice(position, plan.fork, outcome, branch):
            for line in _lines(rules.play(position, attack), rest):
                yield (("attack", plan.fork.army, str(outcome)), *line)


def _outcomes(
    position: Position, player: Player, end: Position | Fall, stop: Stop | None
) -> Iterator[tuple[list[Happening], float, float]]:
    """For each outcome of the phase after this end what has happened, its chance, and the evaluation."""
    if isinstance(end, Fall):
        yield [FALL], 1.0, 0.0
        return
    if end.is_won:
        yield [], 1.0, 1.0
        return
    before = before_phase(end)
    state = fast.state_of(before, rebels=bool(position.rebels))
    engine = fast.kernel_for(position.board, position.ruleset, rebels=bool(position.rebels))
    for number, (after, chance) in enumerate(engine.outcomes(state, stop=stop)):
        if number % CHECK_EVERY == 0:
            check(stop)
        if after.result == kernel.OPEN:
            yield list(_happened(before, state, after)), chance, player.value(after)
        else:
            yield [FALL], chance, 0.0


def _happened(before: Position, state: State, after: State) -> Iterator[Happening]:
    names = before.board.ids
    for kind, old, new in (("revolt", state.revolts, after.revolts), ("army", state.armies, after.armies)):
        for row in rows_of(new & ~old):
            yield kind, names[row], ""
    on_board = len(names)
    for emperor, here, there in zip(before.board.emperors, state.emperors, after.emperors, strict=True):
        if here < on_board <= there:
            yield "removed", emperor.id, ""


# -- exact chances ---------------------------------------------------------------------------------------------


def chance_of(
    position: Position, found: Prospects, happening: Happening, rough: float, stop: Stop | None = None
) -> Known:
    """The chance of a happening after a plan: exact where the kernel has it in fractions, else an interval around `rough`.

    In the base game it is exact. With modules, variants and rebels that of an outcome of an attack is, and that of a fall as far as
    the figures of the plan are.

    :raises Stopped: when `stop` is set before it is known.
    """
    kind, place, _ = happening
    if kind == "attack":
        shares = (
            share
            for line, (share, _, _) in zip(_lines(position, found.plan), found.ends, strict=True)
            if happening in line
        )
        return Exact(sum(shares, Fraction(0)))
    if kind == "fall" and "p_lost" in found.known:
        return found.known["p_lost"]
    if kind == "fall" or fast.engine_for(position.ruleset, rebels=bool(position.rebels)) is not kernel:
        return Interval(Fraction(max(rough - ROUNDOFF, 0.0)), Fraction(min(rough + ROUNDOFF, 1.0)))
    ends = ((share, before_phase(end)) for share, end, _ in found.ends if isinstance(end, Position) and not end.is_won)
    return Exact(sum((share * _exactly(end, kind, place, stop) for share, end in ends), Fraction(0)))


def _exactly(before: Position, kind: str, place: str, stop: Stop | None) -> Fraction:
    """The exact chance of a revolt, an army or a removed Emperor that was not so at this end of a turn of the base game."""
    board = before.board
    weights: Weights
    if kind == "removed":
        if before.emperors[place] is None:
            return Fraction(0)
        rows = [[int(emperor.id == place)] * len(board.ids) for emperor in board.emperors]
        weights = None, None, None, None, rows, -1, 0, 0  # 0 while he is on the board, else -1
    elif place in (before.revolts if kind == "revolt" else before.armies):
        return Fraction(0)
    else:
        row = [int(name == place) for name in board.ids]
        weights = (row if kind == "revolt" else None), None, None, (row if kind == "army" else None), None, 0, 0, 0
    engine = fast.kernel_for(board, before.ruleset)
    return abs(Fraction(*kernel.expect_exact(engine, fast.state_of(before), weights, stop=stop)))
