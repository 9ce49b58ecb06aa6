"""Advice on the discs that Galerius can pay after the dice of his own attack have been rolled (Imperium, page 14).

Each way to pay is played by the reference rules, and the rest of the turn after it is searched by the policy `POLICY`; where no
turn is left, phases are rolled. The value of a way is that of the best rest of the turn: an opinion of the evaluation, no proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tetrasolve.errors import IllegalActionError, OutOfTimeError
from tetrasolve.exact.deadline import is_over, public_question, stop_of
from tetrasolve.exact.opinion import DIGITS
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import Action, Kind, Outcome, ordered
from tetrasolve.tetrarchia.hint.basis import RAW_VALUES, Basis, basis_of
from tetrasolve.tetrarchia.hint.players import borrow
from tetrasolve.tetrarchia.kernel import FALLEN, Player
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall

POLICY = "expectimax"
MOST_WAYS = 256  # those with the fewest discs
PHASES = 72  # rolled where the attack was the end of the turn
LISTED = 8  # ways that the text shows


@dataclass(frozen=True, slots=True)
class Way:
    """Discs to pay for an attack, its outcome then, and the chance in [0, 1] that Rome wins after it, as the evaluation sees it."""

    payments: tuple[str, ...]
    outcome: Outcome
    value: float

    def as_data(self) -> dict[str, Any]:
        """The way as JSON data."""
        return {"payments": [*self.payments], "outcome": str(self.outcome), "value": round(self.value, DIGITS)}

    def __str__(self) -> str:
        paid = f"pay {', '.join(self.payments) or 'nothing'}: {self.outcome}"
        return f"{paid}; Rome wins {100 * self.value:.1f} % (evaluation, raw value)"


@dataclass(frozen=True, slots=True)
class PaymentAdvice:
    """The ways to pay for an attack whose dice are known, the best for Rome first; of equal ones the one with the fewest discs.

    The status is ``interrupted`` where the time ran out before all ways were searched, and ``complete`` otherwise. `left_out`
    is the number of ways with more discs that were not looked at.
    """

    attack: Action
    ways: tuple[Way, ...]
    left_out: int
    seed: int
    basis: Basis
    status: Literal["complete", "interrupted"] = "complete"

    @property
    def best(self) -> Way:
        """The best way."""
        return self.ways[0]

    def as_data(self) -> dict[str, Any]:
        """The advice as JSON data."""
        return {
            "kind": "evaluation", "status": self.status, "attack": str(self.attack), "ways": [way.as_data() for way in self.ways],
            "left_out": self.left_out, "seed": self.seed, "basis": self.basis.as_data(),
        }  # fmt: skip

    def __str__(self) -> str:
        rows = [f"{rank}. {way}" for rank, way in enumerate(self.ways[:LISTED], start=1)]
        more = max(0, len(self.ways) - LISTED) + self.left_out
        rest = [f"and {more} more"] if more > 0 else []
        return "\n".join(
            ["what to pay in all, and the best rest of the turn after it", str(self.basis), RAW_VALUES, *rows, *rest]
        )


@public_question
def advise_on_payment(
    position: Position,
    army: str,
    faces: tuple[int, ...],
    *,
    payments: tuple[str, ...] = (),
    seed: int = 0,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> PaymentAdvice:
    """The ways to pay for an attack by the active Emperor on the army there, or on the ``"pirates"``, after these two dice.

    `payments` are already made, and part of every way. After `seconds`, or when `cancel` is set, the ways searched so far are
    compared, those with fewer discs first.

    :raises IllegalActionError: when the attack is not legal, nothing can be paid for it, or one of the dice is no face.
    :raises OutOfTimeError: when the time ran out before one way was searched.

    >>> start = "4211+imperium G:6 -/nor/-/rom 12 rha rha - -/dac/-/num "
    >>> position = Position.parse(start + 'removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}')
    >>> for way in advise_on_payment(position, "rhaetia", (1, 3)).ways[:2]:
    ...     print(*way.payments, way.outcome)
    reserve dacia victory
    reserve reserve victory
    """
    position.ruleset.require_kernel()
    position.ruleset.require_standard_numbers()
    stop = stop_of(seconds, cancel)
    found: list[Way] = []
    ways = _ways(position, army, faces, payments)
    with borrow(position.board, position.ruleset, rebels=bool(position.rebels)) as player:
        for action in ways[:MOST_WAYS]:
            if is_over(stop):
                break
            try:
                value = _value(rules.play(position, action), player, seed, stop)
            except Stopped:
                break
            assert action.outcome is not None
            found.append(Way(action.payments, action.outcome, value))
    if not found:
        raise OutOfTimeError(f"advice on '{ways[0]}': the time ran out before one way to pay was searched")
    is_whole = len(found) == len(ways[:MOST_WAYS])
    found.sort(key=lambda way: -way.value)  # stable: of equal ones the fewest discs first
    return PaymentAdvice(
        Action(Kind.ATTACK, army),
        tuple(found),
        max(0, len(ways) - MOST_WAYS),
        seed,
        basis_of(position),
        "complete" if is_whole else "interrupted",
    )


def _ways(position: Position, army: str, faces: tuple[int, ...], payments: tuple[str, ...]) -> list[Action]:
    """The attack with these payments, and with every way to pay on; those with fewer discs first."""
    roll = rules.attack_roll(position, army, None, payments)
    if faces not in roll.faces:
        raise IllegalActionError(Action(Kind.ATTACK, army), f"the dice {faces}: expected two faces from 1 to 6")
    found = [roll.result(faces)]
    seen = {payments}
    for action in found:  # which grows
        if action.outcome is Outcome.VICTORY:  # he stops: the kernel knows this value of I-GALERIUS-WON alone
            continue
        for disc in rules.boosts(position, None, action.payments, army):
            paid = ordered((*action.payments, disc), position.board)
            if paid not in seen:
                seen.add(paid)
                found.append(rules.attack_roll(position, army, None, paid).result(faces))
    if len(found) == 1:
        raise IllegalActionError(found[0], "no disc can be paid for it")
    return found


def _value(position: Position | Fall, player: Player, seed: int, stop: Stop | None) -> float:
    """The chance that Rome wins with the best rest of this turn, as the policy sees it."""
    if isinstance(position, Fall):
        return 0.0
    if position.is_won:
        return 1.0
    state = fast.state_of(position, rebels=bool(position.rebels))
    if position.phase is Phase.ROMAN:
        return player.think(state, seed, top=1, policy=POLICY, stop=stop)[0][0]
    ends = [player.phase(state, PHASES * seed + number, stop=stop) for number in range(PHASES)]
    return sum(0.0 if end.result == FALLEN else player.value(end) for end in ends) / PHASES
