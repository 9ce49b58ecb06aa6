"""The Barbarian phase under best play: at each choice the best option of its player, at each roll the exact expectation.

The Barbarian player spends gray discs and the black one (Barbaria), Constantius and Galerius discs of their own (Imperium). Each
disc that is spent is missing from the position, so the play ends. It comes back to one only by an uprising that changes nothing,
after which the echo is rolled again; `tetrasolve.exact.contest` solves that exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from tetrasolve.exact import Distribution, absorb
from tetrasolve.exact.choices import Chance, End
from tetrasolve.exact.contest import Node, Optimum, Pick, optimum
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.activity import Activity
from tetrasolve.tetrarchia.rules.barbarian import begin
from tetrasolve.tetrarchia.rules.choices import BARBARIAN, NO, Reroll
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.rules.step import Choice, Rolling, Step, unmarked

What: TypeAlias = Literal["p_lost", "p_uprising", "e_revolts", "worth"]
PhaseStep: TypeAlias = "Step | bool"  # whether there was an uprising, where nothing else is asked


@dataclass(frozen=True, slots=True)
class Aim:
    """What the players of a phase want: the most or the least of a figure, and no more discs spent than it is worth.

    `what`: a figure as in `Figures`, or ``worth``, the expected `worth` of the result. `price`: what each disc costs who
    spends it, in the unit of the figure; 0 lets one phase spend them all.
    """

    what: What
    barbarian_most: bool
    rome_most: bool
    price: Fraction = Fraction(0)
    worth: Callable[[Position | Fall], int | Fraction] | None = None

    def value(self, end: Position | Fall) -> Fraction:
        """The value of a result, without the price of discs."""
        is_lost = isinstance(end, Fall)
        match self.what:
            case "p_lost":
                return Fraction(is_lost)
            case "e_revolts":
                return Fraction(0 if isinstance(end, Fall) else len(end.revolts))
            case "worth":
                assert self.worth is not None, "a worth is asked for"
                return Fraction(self.worth(end))
        return Fraction(0)

    def wants_most(self, choice: Choice) -> bool:
        """Whether the decider of a choice aims at the most."""
        return self.barbarian_most if choice.decider == BARBARIAN else self.rome_most


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice of a phase under best play.

    `values` is what each option leads to, with its price, and `reached` how often the choice is met.
    """

    choice: Choice
    best: str
    values: dict[str, Fraction]
    reached: Fraction

    @property
    def stake(self) -> Fraction:
        """The difference between the best option and the worst."""
        return max(self.values.values()) - min(self.values.values())


@dataclass(frozen=True)
class BestPhase:
    """A phase solved for an aim: its `value` under best play, and the best option of every choice."""

    aim: Aim
    start: Step
    solved: Optimum[PhaseStep]

    @property
    def value(self) -> Fraction:
        """The value of the phase, less the price of the discs that are spent."""
        return self.solved.values[self.start]

    def decide(self, choice: Choice) -> int:
        """Best play as a policy; no where nothing is left to gain."""
        return choice.options.index(self.solved.picks.get(choice, NO))

    def decisions(self) -> tuple[Decision, ...]:
        """The choices that are met under best play, the most often met first."""

        def step(state: PhaseStep) -> Distribution[PhaseStep] | None:
            found = node(state, self.aim)
            if isinstance(found, Chance):
                return found.outcomes
            return Distribution.point(found.options[self.solved.picks[state]][1]) if isinstance(found, Pick) else None

        first: PhaseStep = self.start
        met = absorb(first, step).visits
        found = [
            Decision(state, self.solved.picks[state], self._values(state), visits)
            for state, visits in met.items()
            if isinstance(state, Choice)
        ]
        return tuple(sorted(found, key=lambda one: (-one.reached, one.choice.question)))

    def _values(self, choice: Choice) -> dict[str, Fraction]:
        found = node(choice, self.aim)
        assert isinstance(found, Pick)
        return {name: gain + self.solved.values[state] for name, (gain, state) in found.options.items()}


def best_phase(position: Position, aim: Aim, *, most_states: int | None = None, stop: Stop | None = None) -> BestPhase:
    """The Barbarian phase of this position under best play.

    :raises IllegalPositionError: as `outcomes`.
    :raises TooManyStatesError: when it has more than `most_states` rolls, choices and results.
    :raises Stopped: when `stop` is set before it is solved.
    """
    return best_from(begin(position), aim, most_states=most_states, stop=stop)


def best_from(start: Step, aim: Aim, *, most_states: int | None = None, stop: Stop | None = None) -> BestPhase:
    """The rest of a phase under best play, from one of its steps."""
    return BestPhase(aim, start, optimum(start, lambda state: node(state, aim), most_states=most_states, stop=stop))


def node(state: PhaseStep, aim: Aim) -> Node[PhaseStep]:
    """What follows a step: a roll, a choice, or the end."""
    if isinstance(state, bool):
        return End(Fraction(state))
    if isinstance(state, (Position, Fall)):
        return End(aim.value(state))
    if isinstance(state, Choice):
        most = aim.wants_most(state)
        price = -aim.price if most else aim.price
        options = {name: (price if name != NO else Fraction(0), _after(state, name, aim)) for name in state.options}
        return Pick(options, most)
    roll = state.roll()
    return Chance(
        Distribution.uniform(
            _landed(state, faces, result, aim) for faces, result in zip(roll.faces, roll.results, strict=True)
        )
    )


def _after(choice: Choice, option: str, aim: Aim) -> PhaseStep:
    if option == NO and aim.what == "p_uprising" and isinstance(choice, Reroll):
        return _or_uprising(choice.rolled, choice.faces, choice.result)
    return choice.after(option)


def _landed(step: Rolling, faces: tuple[int, ...], result: Step, aim: Aim) -> PhaseStep:
    landing = landed(step, faces, result)
    if aim.what == "p_uprising" and not isinstance(landing, Reroll):
        return _or_uprising(step, faces, landing)
    return landing


def _or_uprising(step: Rolling, faces: tuple[int, ...], result: Step) -> PhaseStep:
    """Whether there is an uprising, if these are the faces of the activity; the first roll of it decides."""
    rolled = unmarked(step)
    if isinstance(rolled, Activity):
        return rolled.position.has_revolt(rolled.position.board.at(*faces))
    return result
