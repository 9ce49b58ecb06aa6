"""Phase of the role: a card is drawn for the next turn, or the Emperor names it; then the next turn begins."""

from __future__ import annotations

from tetrasolve.finem import numbers
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.position import WON, Position, Result, State, Step
from tetrasolve.finem.rules.tribes import PREFECT, all_pacified, end_of_phase, pacify
from tetrasolve.finem.ruleset import ROLES

EMPEROR = "emperor"
TRAVELLERS = ("consul", EMPEROR)  # who travel by their role


def begin(position: Position) -> State:
    """The beginning of the phase: all cards of the turn go back to the deck; four pacified tribes win before [E-WIN]."""
    after = position.replace(
        step=Step.APPOINT if position.role == EMPEROR and not names_at_once(position) else Step.ROLE,
        left=0,
        hand=(),
        out=frozenset(),
        protected=None,
        is_quiet=False,
        has_exchanged=False,
    )
    return Result(WON) if all_pacified(after) else after


def names_at_once(position: Position) -> bool:
    """Whether the Emperor names a role when his card is drawn [E-EMPEROR-WHEN]."""
    return position.ruleset.readings["E-EMPEROR-WHEN"] == "at-once"


def travels_besides(position: Position) -> bool:
    """Whether the Emperor's card brings the Consul's travel besides the role that is named [E-EMPEROR-TRAVEL]."""
    return names_at_once(position) and position.ruleset.readings["E-EMPEROR-TRAVEL"] == "besides"


def options(position: Position) -> tuple[str, ...]:
    """The roles that can come, or that the Emperor can name [E-EMPEROR]."""
    others_only = position.step is Step.APPOINT and position.ruleset.readings["E-EMPEROR"] == "other"
    return tuple(role for role in ROLES if not (others_only and role == EMPEROR))


def take(position: Position, role: str) -> State:
    """The next turn, in this role; a Prefect may pacify as soon as he comes [E-PREFECT].

    Where the Emperor names a role at once, his card is none by itself [E-EMPEROR-WHEN]; the player may travel as he does besides
    the role that he names [E-EMPEROR-TRAVEL].
    """
    if role == EMPEROR and position.step is Step.ROLE and names_at_once(position):
        return position.replace(role=role, step=Step.APPOINT)
    travels = position.step is Step.APPOINT and role not in TRAVELLERS and travels_besides(position)
    after: State = position.replace(role=role, step=Step.ACT, left=numbers.ACTIONS, has_travel=travels)
    if role != PREFECT or position.ruleset.readings["E-PREFECT"] not in ("standing", "found"):
        return after
    for tribe in TRIBES:
        if isinstance(after, Position) and after.die(tribe) >= numbers.PREFECT_AT:
            after = pacify(after, tribe)
    return end_of_phase(after) if isinstance(after, Position) else after
