"""Best play in the Barbarian phase, by both engines: what is asked of both, and how their answers are compared."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from tetrasolve.exact.contest import TooManyStatesError
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.plan.evaluation import read_evaluation
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.optimum import Aim, BestPhase, best_phase

WORTH = "revolt=-3 revolt@roma=-20 unrest=-1 garrison=2 garrison:galerius=4 army=-5 emperor=6 constant=10 fallen=-200"
SIDES = ((1, -1), (-1, 1), (1, 1), (-1, -1))  # what the Barbarian player and the Emperors want: most, or least
PRICES = (Fraction(0), Fraction(0), Fraction(1, 64), Fraction(2))
CLOSE = 1e-10  # of values of up to 10; those of a worth are up to 20 times as large


@dataclass(frozen=True)
class Question:
    """What both engines are asked."""

    what: str
    barbarian: int
    rome: int
    price: Fraction

    @staticmethod
    def random(random: Random) -> Question:
        """Any of them."""
        what = random.choice(("p_lost", "p_uprising", "e_revolts", "worth"))
        return Question(what, *random.choice(SIDES), random.choice(PRICES))

    def aim(self, position: Position) -> Aim:
        """As the reference is asked."""
        worth = read_evaluation(WORTH, position.board).of if self.what == "worth" else None
        return Aim(self.what, self.barbarian > 0, self.rome > 0, self.price, worth)  # type: ignore[arg-type]

    def by_kernel(self, position: Position, **spared: int) -> float:
        """The kernel's value."""
        weights = read_evaluation(WORTH, position.board).tables(position.board) if self.what == "worth" else None
        engine, state = fast.kernel_of(position), fast.to_state(position)
        price = float(self.price)
        found = whole.best_phase(engine, state, self.what, self.barbarian, self.rome, price, weights=weights, **spared)
        return found["value"]


def compare_best(position: Position, question: Question, most_states: int) -> BestPhase | None:
    """The phase solved by the reference, whose value the kernel has, too; None where it has too many states.

    Best play as a policy must have the value that it claims: the distribution under it is solved again, as for any policy.
    """
    aim = question.aim(position)
    try:
        found = best_phase(position, aim, most_states=most_states)
    except TooManyStatesError:
        return None
    assert abs(question.by_kernel(position) - found.value) <= CLOSE * (20 if question.what == "worth" else 1), position
    if not question.price:
        assert value_under(position, aim, found.decide) == found.value, position
    return found


def value_under(position: Position, aim: Aim, decide: rules.Decide) -> Fraction:
    """The value of a phase under a policy, where discs have no price."""
    solved = rules.solve(position, decide)
    return solved.figures().p_uprising if aim.what == "p_uprising" else solved.ends.expectation(aim.value)
