"""The Barbarian phase under best play: what its players can reach at most by their decisions.

Barbaria gives the Barbarians a player, Imperium gives Constantius and Galerius choices in their phase. A *side* of a question
says what each of them aims at with one figure:

=================== ==================================================================================
``p_lost``          each plays for himself: the Barbarian player aims at the most, the Emperors the least
``most p_lost``     all want the most: no way to decide gives more
``least p_lost``    all want the least: no way to decide gives less
=================== ==================================================================================

So for ``p_uprising`` and ``e_revolts``. A linear evaluation (``revolt=-3 fallen=-100``) is what the Emperors want the most of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, cast

from tetrasolve.errors import ArgumentError, ObjectiveError, RulesetError, shown
from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.exact.contest import TooManyStatesError
from tetrasolve.exact.deadline import public_question, share, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tables import as_text
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import GRAY_DISCS
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES, FiguresDisagreeError, RiskStatus
from tetrasolve.tetrarchia.phase.rounding import BEST_PLAY_ROUNDING, Known
from tetrasolve.tetrarchia.plan.evaluation import Evaluation, read_evaluation
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Figures
from tetrasolve.tetrarchia.rules.choices import NO
from tetrasolve.tetrarchia.rules.optimum import Aim, BestPhase, Decision, What, best_phase
from tetrasolve.tetrarchia.status import require_kernel

FIGURES = ("p_lost", "p_uprising", "e_revolts")
WORTH = "worth"
MOST_STATES = 4_000  # rolls, choices and results that the reference rules solve in about a second
MOST_PRICE = 10**6
REFERENCE_SHARE = 0.3  # of the time that is left after the kernel's value
LEAST_STAKE = Fraction(1, 10**9)  # decisions of less are not shown


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the decisions of a phase: a figure or an evaluation, and who aims at the most of it."""

    what: What
    barbarian_most: bool
    rome_most: bool
    evaluation: Evaluation | None = None

    def __str__(self) -> str:
        figure = self.what if self.evaluation is None else str(self.evaluation)
        if self.barbarian_most != self.rome_most:
            return figure
        return f"{'most' if self.rome_most else 'least'} {figure}"

    def aim(self, price: Fraction) -> Aim:
        """The same for the reference rules, where each disc costs `price`."""
        worth = None if self.evaluation is None else self.evaluation.of
        return Aim(self.what, self.barbarian_most, self.rome_most, price, worth)

    def range(self, position: Position) -> tuple[Fraction, Fraction]:
        """Bounds of any result."""
        if self.evaluation is not None:
            size = Fraction(self.evaluation.size(position.board))
            return -size, size
        return Fraction(0), Fraction(len(position.board.ids) if self.what == "e_revolts" else 1)


def read_wanted(text: str, board: Board) -> Wanted:
    """A question from its text form, as in `best_play`.

    :raises ObjectiveError: when it cannot be read; it says what was expected.
    """
    head, _, rest = text.strip().partition(" ")
    together = head.casefold() if head.casefold() in ("most", "least") and rest else None
    words = rest.strip() if together else text.strip()
    if "=" in words:
        what, evaluation = WORTH, read_evaluation(words, board)
    elif words in FIGURES:
        what, evaluation = words, None
    else:
        expected = f"{', '.join(FIGURES)} or an evaluation like revolt=-3, after 'most' or 'least' if all want the same"
        raise ObjectiveError(f"{shown(text)} is nothing that decisions can aim at: expected {expected}")
    barbarian = together == "most" if together else evaluation is None
    rome = together == "most" if together else evaluation is not None
    return Wanted(cast(What, what), barbarian, rome, evaluation)


@dataclass(frozen=True, slots=True)
class Opening:
    """The first decisions of a phase, with the value of what follows.

    `black`: each option of the black disc at its beginning, by its name in a record. `dice`: if the phase then begins with the
    dice of the activity, the value of each province that they may name, and `again` that of rolling them again; each is empty or
    None where there is no such choice.
    """

    black: Mapping[str, float]
    dice: Mapping[str, float]
    again: float | None

    def as_data(self) -> dict[str, Any]:
        """The values as JSON data."""
        return {"black": dict(self.black), "dice": dict(self.dice), "again": self.again}


NO_OPENING = Opening({}, {}, None)


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The Barbarian phase of `position` under best play for what is `wanted`, where each disc spent costs its player `price`.

    `value` is the figure under best play, less the price of what is spent: exact, or in an interval. `by_policy` is the figure
    under each stated policy, and `opening` the worth of what comes first, both in doubles. `figures` are all figures under best
    play, and `decisions` the choices that are met, the most often met first, where the reference rules solve the phase, too; None
    and empty where it is too large for them. `status` is ``interrupted`` where more time would have given more.
    """

    position: Position
    wanted: Wanted
    price: Fraction
    value: Known
    by_policy: Mapping[str, float]
    opening: Opening
    figures: Figures | None
    decisions: tuple[Decision, ...]
    methods: tuple[str, ...]
    status: RiskStatus = "complete"

    @property
    def kind(self) -> str:
        """``exact`` or ``interval``."""
        return self.value.kind

    def as_data(self) -> dict[str, Any]:
        """The answer as JSON data."""
        figures = None
        if self.figures is not None:
            names = ("p_uprising", "e_uprisings", "p_lost", "p_new_army", "e_revolts")
            figures = {name: Exact(getattr(self.figures, name)).as_data() for name in names}
        return {
            "position": str(self.position),
            "status": self.status,
            "kind": self.kind,
            "methods": list(self.methods),
            "policy": "best",
            "objective": str(self.wanted),
            "price": str(self.price),
            "value": self.value.as_data(),
            "by_policy": dict(self.by_policy),
            "opening": self.opening.as_data(),
            "figures": figures,
            "decisions": [_decision_data(one) for one in self.decisions],
        }

    def __str__(self) -> str:
        from tetrasolve.tetrarchia.risk.besttext import best_tables

        return as_text(best_tables(self))


def _named(names: Iterable[str], values: Iterable[float | None]) -> dict[str, float]:
    return {name: value for name, value in zip(names, values, strict=True) if value is not None}


def _decision_data(one: Decision) -> dict[str, Any]:
    return {
        "decider": one.choice.decider,
        "question": one.choice.question,
        "best": one.best,
        "reached": Exact(one.reached).as_data(),
        "options": {name: Exact(value).as_data() for name, value in one.values.items()},
    }


@public_question
def best_play(
    position: Position,
    objective: str = "p_lost",
    *,
    price: Fraction | int = 0,
    most_states: int = MOST_STATES,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> BestPlay:
    """The Barbarian phase that follows if the active Emperor ends his turn now, where all decide as well as possible.

    `objective` is one of ``p_lost``, ``p_uprising``, ``e_revolts`` or an evaluation: each plays for himself. After ``most`` or
    ``least`` all want the same: the most, or the least, that decisions can reach. `price` is what each disc that is spent costs
    its player, in the unit of the figure; with 0 one phase may spend them all. The reference rules take part where the phase has
    at most `most_states` rolls, choices and results. After `seconds`, or when `cancel` is set, bounds come back: those of the
    figure itself, and of stated policies.

    :raises IllegalPositionError: when the position cannot occur, or no Barbarian phase can follow it.
    :raises RulesetError: when the rules in use leave nothing to decide in that phase.
    :raises ObjectiveError: when the objective cannot be read.
    :raises ValueError: when `seconds` or the price is below 0.
    """
    require_kernel(position)
    rules.begin(position)
    require_choices(position)
    require_price(price)
    wanted = read_wanted(objective, position.board)
    return _Question(position, wanted, Fraction(price), most_states, stop_of(seconds, cancel)).answer()


def require_choices(position: Position) -> None:
    """Refuse rules that leave nothing to decide in a Barbarian phase.

    :raises RulesetError: when neither Imperium nor Barbaria is in use.
    """
    if not WITH_CHOICES & position.ruleset.extensions:
        raise RulesetError(f"'{position.ruleset}' leaves nothing to decide: only imperium and barbaria give choices")


def require_price(price: Fraction | int) -> None:
    """Refuse a price that is out of range.

    :raises ArgumentError: which says what was expected.
    """
    if not 0 <= price <= MOST_PRICE:
        raise ArgumentError("price", price, f"a number from 0 to {MOST_PRICE}")


class _Question:
    """What is known so far."""

    def __init__(
        self, position: Position, wanted: Wanted, price: Fraction, most_states: int, stop: Stop | None
    ) -> None:
        self.position, self.wanted, self.price, self.most_states, self.stop = position, wanted, price, most_states, stop
        self.kernel, self.state = fast.kernel_of(position), fast.to_state(position)
        low, high = wanted.range(position)
        spent = price * (GRAY_DISCS + 1 + len(position.board.emperors) * position.ruleset.garrisons)
        self.low, self.high = low - spent, high + spent
        self.error = (max(abs(low), abs(high)) + spent) * BEST_PLAY_ROUNDING
        self.by_policy: dict[str, float] = {}
        self.methods: tuple[str, ...] = ()
        self.opening = NO_OPENING
        self.solved: BestPhase | None = None

    def answer(self) -> BestPlay:
        """The answer, complete or as far as the time allowed."""
        status: RiskStatus = "complete"
        value: Known
        figures, decisions = None, tuple[Decision, ...]()
        try:
            self.policies()
            if self.stop is not None:
                self.with_fewer_discs()
            self.take(self.by_kernel(0, black_kept=False))
            self.by_reference()
            if self.solved is not None:
                figures = rules.solve(self.position, self.solved.decide, self.stop).figures()
                decisions = self.solved.decisions()
        except Stopped:
            status = "interrupted"
        value = Interval(self.low, self.high) if self.solved is None else Exact(self.solved.value)
        return BestPlay(
            self.position,
            self.wanted,
            self.price,
            value,
            self.by_policy,
            self.opening,
            figures,
            tuple(one for one in decisions if one.stake > LEAST_STAKE),
            self.methods,
            status,
        )

    # -- bounds

    def policies(self) -> None:
        """The figure under stated policies: a bound, where all who decide want the same."""
        if self.wanted.evaluation is not None:
            return
        for number, policy in enumerate(rules.POLICIES):
            value = self.kernel.phase(self.state, number, stop=self.stop)[self.wanted.what]
            self.by_policy[policy] = value
            if policy == "decline" or not self.price:
                self.bound(value, self.side())

    def side(self) -> Literal["low", "high", "none"]:
        """What a policy's value is to the value of best play: a bound from below or above, or none."""
        extensions = self.position.ruleset.extensions
        deciders = {
            self.wanted.barbarian_most if name == "barbaria" else self.wanted.rome_most
            for name in WITH_CHOICES & extensions
        }
        return "none" if len(deciders) > 1 else "low" if True in deciders else "high"

    def with_fewer_discs(self) -> None:
        """Bounds that take less time: the Barbarian player keeps some of his discs, first all of them."""
        side: Literal["low", "high"] = "low" if self.wanted.barbarian_most else "high"
        for gray_kept in range(self.position.gray, 0, -1):
            self.bound(self.by_kernel(gray_kept, black_kept=True)["value"], side)

    def bound(self, value: float, side: Literal["low", "high", "none"]) -> None:
        """Take a bound from one side."""
        if side == "low":
            self.low = max(self.low, Fraction(value) - self.error)
        elif side == "high":
            self.high = min(self.high, Fraction(value) + self.error)

    # -- the value

    def by_kernel(self, gray_kept: int, *, black_kept: bool) -> whole.BestPhase:
        """The phase by the kernel, where the Barbarian player keeps these discs."""
        evaluation, wanted = self.wanted.evaluation, self.wanted
        return whole.best_phase(
            cast(whole.Kernel, self.kernel),  # choices are in it only
            cast(whole.State, self.state),
            wanted.what,
            1 if wanted.barbarian_most else -1,
            1 if wanted.rome_most else -1,
            float(self.price),
            gray_kept,
            black_kept,
            None if evaluation is None else evaluation.tables(self.position.board),
            stop=self.stop,
        )

    def take(self, found: whole.BestPhase) -> None:
        """The value, up to rounding, and the first decisions."""
        self.bound(found["value"], "low")
        self.bound(found["value"], "high")
        self.methods = ("kernel",)
        ids, borders = self.position.board.ids, self.position.board.borders
        names = (NO, *map("black:{}".format, ids), *map("army:{}".format, borders))
        black = {} if found["black"] is None else _named(names, found["black"])
        dice = {} if found["activity"] is None or found["again"] is None else _named(ids, found["activity"])
        self.opening = Opening(black, dice, found["again"] if dice else None)

    def by_reference(self) -> None:
        """The exact value by the reference rules, if the phase is not too large; the kernel's must be the same."""
        wanted = self.wanted
        aim = wanted.aim(self.price)
        stop = share(self.stop, REFERENCE_SHARE)
        try:
            solved = best_phase(self.position, aim, most_states=self.most_states, stop=stop)
        except TooManyStatesError:
            return
        if not self.low <= solved.value <= self.high:
            numbers = f"{solved.value} by the reference rules and {float(self.low)} to {float(self.high)} by the kernel"
            raise FiguresDisagreeError(f"{wanted} of '{self.position}' under best play: {numbers}; please report this")
        self.solved, self.methods = solved, ("kernel", "reference")
