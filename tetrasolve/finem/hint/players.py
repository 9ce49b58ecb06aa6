"""Policies for whole games, by name, and players that carry them out in the kernel.

============== ========================================================================================================
policy         how it decides
============== ========================================================================================================
``random``     every option has the same chance
``discs``      the plain greedy policy of `tetrasolve.finem.greedy`, which looks at no evaluation
``greedy``     the end of the actions, and the option of each other decision, that the evaluation finds best
``expectimax`` the best of several, by the mean value, over sampled cards, of the best end of the next turn's actions; in
               24 samples each card comes once at each place
``search``     the same, with twice as many samples for the better half of them
============== ========================================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tetrasolve.errors import ArgumentError
from tetrasolve.finem.fast import engine_of
from tetrasolve.finem.hint.weights import EvaluationWeights, shipped
from tetrasolve.finem.kernel import Player, State
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.stop import Stop


@dataclass(frozen=True, slots=True)
class Effort:
    """How a search plays choices out.

    The first of `rounds` plays `samples` continuations of each of the `candidates` that the evaluation finds best; each
    further one plays twice as many of the better half, all with the same luck. Whole multiples of 24 samples are spread most
    evenly: in them each card comes once at each place of a turn, and each role four times. A continuation ends after
    `horizon` further turns, which ``greedy`` plays, with the value of the best end of the next actions. The evaluation's
    value of a candidate itself counts like `prior` continuations, so that few of them do not outweigh it. Candidates whose
    value is more than `margin` below the best are left out, after each round at half of the margin before.
    """

    candidates: int
    samples: int
    rounds: int
    horizon: int
    margin: float
    prior: float

    @property
    def numbers(self) -> tuple[int, int, int, int, float, float]:
        """As the kernel takes them."""
        return self.candidates, self.samples, self.rounds, self.horizon, self.margin, self.prior


EFFORTS: Mapping[str, Effort] = {
    "expectimax": Effort(candidates=4, samples=24, rounds=1, horizon=0, margin=0.04, prior=12),
    "search": Effort(candidates=4, samples=24, rounds=2, horizon=0, margin=0.04, prior=12),
}
KERNEL = {"random": "random", "discs": "discs", "greedy": "value"}  # policies that have no effort
POLICIES = (*KERNEL, *EFFORTS)


def numbers_of(policy: str) -> dict[str, Any]:
    """What the results of a policy depend on, as JSON data.

    :raises ArgumentError: when there is no such policy.
    """
    if policy in KERNEL:
        return {"policy": policy}
    if policy not in EFFORTS:
        raise ArgumentError("policy", policy, f"one of {', '.join(POLICIES)}")
    return {"policy": policy, **asdict(EFFORTS[policy])}


def player_of(ruleset: Ruleset, weights: EvaluationWeights | None = None) -> Player:
    """A player of the kernel for a ruleset, with the shipped weights unless others are given; it serves one call at a time."""
    return Player(engine_of(ruleset), (weights or shipped()).networks())


def games(
    ruleset: Ruleset,
    policy: str,
    seed: int,
    first: int,
    number: int,
    *,
    weights: EvaluationWeights | None = None,
    start: State | None = None,
    stop: Stop | None = None,
) -> Sequence[tuple[str, int]]:
    """How games end that a policy plays, and their turns; game `n` has the same cards for every policy.

    >>> games(Ruleset("standard"), "discs", 1, 0, 2) == games(Ruleset("standard"), "discs", 1, 0, 2)
    True

    :param start: the state that they begin at; None: set-ups.
    :raises ArgumentError: when there is no such policy.
    :raises Stopped: after a stop, with the games known.
    """
    if policy not in POLICIES:
        raise ArgumentError("policy", policy, f"one of {', '.join(POLICIES)}")
    player = player_of(ruleset, weights)
    effort = EFFORTS[policy].numbers if policy in EFFORTS else ()
    return player.games(KERNEL.get(policy, "search"), seed, first, number, effort=effort, start=start, stop=stop)
