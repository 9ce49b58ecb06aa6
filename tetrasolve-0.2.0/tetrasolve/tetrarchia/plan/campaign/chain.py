"""Campaigns as one layered model of consecutive turns, solved by CP-SAT.

The rules of a turn are those of `plan.model`; a Barbarian phase with stated dice is in `phase`. For each number of turns,
from the smallest on, the solver proves that the goal cannot be met, or finds the plan with the least IP.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial

from tetrasolve.errors import RulesetError
from tetrasolve.exact.deadline import is_over, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.numbers import IP_A_TURN
from tetrasolve.tetrarchia.plan.campaign.dice import DiceError
from tetrasolve.tetrarchia.plan.campaign.expand import Scope
from tetrasolve.tetrarchia.plan.campaign.phase import phase
from tetrasolve.tetrarchia.plan.campaign.question import Campaign
from tetrasolve.tetrarchia.plan.campaign.replay import checked
from tetrasolve.tetrarchia.plan.campaign.result import CampaignResult, Progress, Steps, Value, status_of
from tetrasolve.tetrarchia.plan.campaign.search import Search
from tetrasolve.tetrarchia.plan.model.formula import FALSE, TRUE, Formula, Lit, Sum
from tetrasolve.tetrarchia.plan.model.goals import wanted
from tetrasolve.tetrarchia.plan.model.table import OTHER, Deed, Table, Thing
from tetrasolve.tetrarchia.plan.model.turn import TurnModel
from tetrasolve.tetrarchia.position import Phase

Places = Mapping[str, Mapping[str, Lit]]  # for each Emperor the literals of his places


class Chain:
    """A number of turns as one formula: the goal is met at the end of the last, and the Empire has not fallen.

    `paid` is minus the IP paid in all turns.
    """

    def __init__(self, campaign: Campaign, turns: int, scope: Scope, stop: Stop | None = None) -> None:
        self.campaign, self.formula, self.scope = campaign, Formula(stop), scope
        position = campaign.position
        self.board, self.ruleset = position.board, position.ruleset
        table = Table({thing: lit for thing, lit in Table.of(position).things.items() if thing[0] != OTHER})
        places: Places = {e: {} if p is None else {p: TRUE} for e, p in position.emperors.items()}
        self.turns: list[TurnModel] = []
        for number in range(turns):
            dice = campaign.phase_before(number)
            if dice is not None:
                table, places = phase(self.formula, self.board, self.ruleset, table, places, dice)
            turn = self._turn(number, table, places)
            self.turns.append(turn)
            table = Table({thing: lit for thing, lit in turn.end.table.things.items() if thing[0] != OTHER})
            ends = {place: turn.at_end(place) for place in self.board.ids}
            places = {**places, turn.emperor: {place: lit for place, lit in ends.items() if lit != FALSE}}
            self.formula.clause(-turn.fallen)
            if number + 1 < turns:
                self.formula.clause(-turn.end.won)  # no turn follows a victory
        for lit in wanted(self.turns[-1], campaign.goal):
            self.formula.clause(lit)
        self.paid = Sum.of((-1, turn.paid(least)) for turn in self.turns for least in range(1, turn.ip + 1))

    def _turn(self, number: int, table: Table, places: Places) -> TurnModel:
        mover = self.campaign.mover(number)
        first = number == 0 and self.campaign.position.phase is Phase.ROMAN
        others: dict[Thing, Lit] = {
            (OTHER, place): self.formula.any_of(places[e].get(place, FALSE) for e in places if e != mover)
            for place in self.board.ids
        }
        all_things: dict[Thing, Lit] = {**table.things, **others}
        things = {thing: lit for thing, lit in all_things.items() if lit != FALSE}
        return TurnModel(
            self.formula,
            self.board,
            self.ruleset,
            mover,
            Table(things),
            places[mover],
            self.formula.all_of(-lit for lit in places[mover].values()),
            self.campaign.position.ip if first else IP_A_TURN,
            {army: (outcome,) for army, outcome in self.campaign.stated},
            matters=self._matters,
            name=f"turn {number}: ",
        )

    def _matters(self, deed: Deed, place: str) -> bool:
        """Whether an action in a province can be useful for the goal."""
        here = 1 << self.board.order[place]
        where = {Kind.SECURE: self.scope.secure, Kind.REMOVE: self.scope.remove}
        return bool(where.get(deed.action.kind, here) & here)

    def steps(self, true: Collection[Lit]) -> tuple[Steps, ...]:
        """The actions of each turn in a solution."""
        return tuple(turn.actions(true) for turn in self.turns)


# -- solving ---------------------------------------------------------------------------------------------------


@dataclass
class _Run:
    """The state of a run: the best plan and the bound so far."""

    steps: tuple[Steps, ...] | None = None
    value: Value | None = None
    bound: Value | None = (1, 0)
    closed: bool = False
    nodes: int = 0


def solve_cpsat(
    campaign: Campaign,
    *,
    seconds: float | None = None,
    cancel: Stop | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    strengthen: bool = True,
) -> CampaignResult:
    """The answer of CP-SAT; `seconds` or `cancel` end it, `progress` gets the best value and bound so far.

    With `strengthen` it starts from the lower bound of the search, which is sound but makes it less independent.
    `CampaignResult.nodes` are branches of its search.

    :raises RulesetError: as `requires`.
    :raises DiceError: when the phases with these dice cannot be modelled: see `requires`.
    """
    from tetrasolve.tetrarchia.plan.model.cpsat import CpSat  # ortools is slow to import

    requires(campaign)
    started = time.monotonic()
    stop = stop_of(seconds, cancel)
    run = _Run()
    if campaign.is_met_already:
        run = _Run((), (0, 0), (0, 0), closed=True)
    search = Search(campaign)
    version = CpSat.version
    for turns in range(1, campaign.most_turns + 1):
        if run.closed:
            break
        run.bound = (turns, 0)
        if is_over(stop):
            break
        try:
            least = search.least(turns, stop) if strengthen else 0
        except Stopped:
            break
        if least is None:
            continue
        run.bound = (turns, least)
        try:
            chain = Chain(campaign, turns, search.turns.scope(last=turns == 1), stop)
            engine = CpSat(chain.formula, seed)
        except Stopped:
            break
        engine.demand(chain.paid.scaled(-1), least)
        report = partial(_report, progress, chain, turns)
        found = engine.maximise(chain.paid, stop, report)
        run.nodes += engine.nodes
        if found.true is not None:
            run.steps, run.value = chain.steps(found.true), (turns, -chain.paid.value(found.true.__contains__))
        if found.bound is not None:
            run.bound = (turns, max(least, -found.bound))
        run.closed = found.closed and found.true is not None
        if not found.closed or found.true is not None:
            break
    else:
        run.closed = True
    if run.closed:
        run.bound = run.value
    return CampaignResult(
        campaign=campaign,
        status=status_of(run.value, closed=run.closed),
        plans=None if run.steps is None else checked(campaign, run.steps, run.value, "cpsat"),
        value=run.value,
        bound=run.bound,
        engine="cpsat",
        seconds=time.monotonic() - started,
        nodes=run.nodes,
        version=version,
        seed=seed,
    )


def _report(progress: Progress | None, chain: Chain, turns: int, true: frozenset[Lit], limit: int | None) -> None:
    if progress is not None:
        progress((turns, -chain.paid.value(true.__contains__)), (turns, 0 if limit is None else -limit))


def requires(campaign: Campaign) -> None:
    """Refuse a campaign with modules, or whose phases cannot be modelled: which broken links are checked depends on the discs.

    :raises RulesetError: when modules, variants or rebels are in use: the other engines take them.
    :raises DiceError: unless all checks of a phase have the same result (``check 1*``) and battles are not stated.
    """
    position = campaign.position
    if position.ruleset.extensions or position.rebels:
        raise RulesetError(
            "CP-SAT takes campaigns without modules, variants and rebels; the engines search and turns take them"
        )
    for number, dice in enumerate(campaign.dice or (), start=1):
        if dice.all_checks is None or dice.battle.faces or dice.rolled.faces:
            raise DiceError(
                f"phase {number} ({dice}): CP-SAT takes checks that all fall alike, like 'check 1*', and no battles; "
                "the search takes all dice"
            )
