"""Solves campaigns by one engine, or by both, whose answers must agree."""

from __future__ import annotations

from dataclasses import replace

from tetrasolve.errors import ObjectiveError, TetrasolveError, shown
from tetrasolve.exact.deadline import public_question
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.answer import DisagreementError, Status
from tetrasolve.tetrarchia.plan.campaign.dice import PhaseDice, read_dice
from tetrasolve.tetrarchia.plan.campaign.question import MOST_TURNS, Campaign, read_goal
from tetrasolve.tetrarchia.plan.campaign.result import CampaignResult, Progress
from tetrasolve.tetrarchia.plan.campaign.turns import solve_turns
from tetrasolve.tetrarchia.plan.objective import Goal
from tetrasolve.tetrarchia.plan.solvers import libraries
from tetrasolve.tetrarchia.plan.task import NO_ATTACK, Stated, read_attacks
from tetrasolve.tetrarchia.position import Phase, Position

SEARCH, TURNS, CPSAT, BOTH = "search", "turns", "cpsat", "both"
ENGINES = (SEARCH, TURNS, CPSAT, BOTH)
SURE = (Status.OPTIMAL_PROVED, Status.INFEASIBLE_PROVED)


@public_question
def solve_campaign(
    campaign: Campaign,
    *,
    engine: str = SEARCH,
    seconds: float | None = None,
    cancel: Stop | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> CampaignResult:
    """The fewest turns, then the least IP, until the goal of a campaign is met.

    `engine` is ``search``, ``cpsat`` or ``both``: then CP-SAT must find the same without the bound of the search, and each has
    half of the `seconds` (wall time, None: no limit). ``turns`` searches whole turns in the kernel, with all modules and a weaker
    bound; the ``search`` leaves campaigns to it that it does not know. `cancel` ends it earlier. `seed` is for CP-SAT.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> from tetrasolve.tetrarchia.plan.campaign.question import read_goal
    >>> result = solve_campaign(Campaign(example("movement"), read_goal("secure sarmatia")))
    >>> str(result.status), result.value
    ('optimal_proved', (2, 8))

    :raises DiceError: when no plan fits the stated dice because they run out, or CP-SAT cannot take them.
    :raises DisagreementError: when the engines contradict each other, or the reference rules an engine.
    :raises RulesetError: when CP-SAT is asked for a campaign with modules.
    :raises TetrasolveError: when there is no such engine.
    :raises MissingExtraError: when a library that an engine needs is not installed.
    """
    if engine not in ENGINES:
        raise TetrasolveError(f"engine {shown(engine)}: there are {', '.join(ENGINES)}")
    if engine == TURNS or (engine == SEARCH and campaign.needs_turns):
        return solve_turns(campaign, seconds=seconds, cancel=cancel, progress=progress)
    with libraries():
        from tetrasolve.tetrarchia.plan.campaign.search import solve_search

        if engine == SEARCH:
            return solve_search(campaign, seconds=seconds, cancel=cancel, progress=progress)
        from tetrasolve.tetrarchia.plan.campaign.chain import requires, solve_cpsat

        if engine == CPSAT:
            return solve_cpsat(campaign, seconds=seconds, cancel=cancel, seed=seed, progress=progress)
        requires(campaign)
        half = None if seconds is None else seconds / 2
        first = solve_search(campaign, seconds=half, cancel=cancel, progress=progress)
        second = solve_cpsat(campaign, seconds=half, cancel=cancel, seed=seed, progress=progress, strengthen=False)
        return agreed(first, second)


def agreed(first: CampaignResult, second: CampaignResult) -> CampaignResult:
    """The combined result of two engines.

    :raises DisagreementError: when one found a plan that the other excludes.
    """
    for one, other in ((first, second), (second, first)):
        excluded = other.status is Status.INFEASIBLE_PROVED or (other.bound or (0, 0)) > (one.value or (0, 0))
        if one.value is not None and excluded:
            raise DisagreementError(
                f"campaign of '{one.campaign.position}' for '{one.campaign.goal}': {one.engine} says {one.status} "
                f"{one.value}, {other.engine} {other.status} {other.bound}; please report this"
            )
    known = sorted((first, second), key=lambda result: (result.status not in SURE, result.value or (10**6, 0)))
    best = known[0]
    bounds = [result.bound for result in known if result.bound is not None]
    bound = None if best.status is Status.INFEASIBLE_PROVED else max(bounds)
    closed = best.status in SURE or best.value == bound
    return replace(
        best,
        status=best.status if best.status in SURE else Status.OPTIMAL_PROVED if closed else best.status,
        bound=bound,
        engine=f"{first.engine} and {second.engine}",
        seconds=first.seconds + second.seconds,
        nodes=first.nodes + second.nodes,
        version=f"{first.version}; {second.version}",
        seed=second.seed,
    )


@public_question
def campaign(
    position: Position,
    goal: Goal | str,
    *,
    stated: str | None = None,
    dice: tuple[PhaseDice, ...] | str | None = None,
    alone: bool = False,
    turns: int | None = None,
    engine: str = SEARCH,
    seconds: float | None = None,
    cancel: Stop | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> CampaignResult:
    """The fewest turns, then the least IP, until a goal is met.

    `goal` is ``"victory"`` or a goal of an objective such as ``"secure sarmatia and clear dacia"``. `stated` gives attacks with
    their outcomes (``"victory@narbonensis"``); no others are made. `dice` states the Barbarian phases between the turns, a line
    a phase; without it the position does not change between turns. With `alone` only the active Emperor takes turns. `turns` is
    the largest number of turns (default: `MOST_TURNS`, 24, or as many as the dice allow). `engine`, `seconds`, `cancel`, `seed` and
    `progress` are those of `solve_campaign`.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> campaign(example("movement"), "secure sarmatia").value
    (2, 8)

    :raises ObjectiveError: if the goal or the stated attacks cannot be read.
    :raises DiceError: if the dice cannot be read, or no plan fits them.
    :raises MissingExtraError: if a library that the engine needs is not installed.
    """
    phases = read_dice(dice) if isinstance(dice, str) else dice
    most = MOST_TURNS if phases is None else len(phases) + (position.phase is Phase.ROMAN)
    asked = Campaign(
        position=position,
        goal=read_goal(goal, position.board) if isinstance(goal, str) else goal,
        stated=NO_ATTACK if stated is None else _stated(stated, position.board),
        dice=phases,
        alone=alone,
        most_turns=most if turns is None else turns,
    )
    return solve_campaign(asked, engine=engine, seconds=seconds, cancel=cancel, seed=seed, progress=progress)


def _stated(text: str, board: Board) -> Stated:
    attacks = read_attacks(text, board)
    if attacks is None:
        raise ObjectiveError(
            f"stated attacks {shown(text)}: expected the outcome of each, like victory@narbonensis, since a campaign has no dice"
        )
    return attacks
