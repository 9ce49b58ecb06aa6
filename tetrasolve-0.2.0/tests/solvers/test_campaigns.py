"""Campaigns: a search, CP-SAT and a third way by the kernel and the reference rules agree."""

from __future__ import annotations

from random import Random
from typing import cast

import numpy as np
import pytest
from moduleturns import positions
from scatter import RECIPES, any_readings, scattered

from tetrasolve.errors import IllegalActionError, IllegalPositionError, ObjectiveError, RulesetError, TetrasolveError
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import SECURE, Kind, Outcome, move
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.builder import build
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.kernel import WON
from tetrasolve.tetrarchia.numbers import UNREST
from tetrasolve.tetrarchia.pieces import NO_PIECES, BarbarianDiscs, Counts, Goths, Helper
from tetrasolve.tetrarchia.plan.answer import DisagreementError, Status
from tetrasolve.tetrarchia.plan.campaign import (
    Campaign,
    CampaignResult,
    DiceError,
    PhaseDice,
    read_dice,
    read_goal,
    solve_campaign,
)
from tetrasolve.tetrarchia.plan.campaign.bound import divided
from tetrasolve.tetrarchia.plan.campaign.chain import solve_cpsat
from tetrasolve.tetrarchia.plan.campaign.dice import StatedDice
from tetrasolve.tetrarchia.plan.campaign.question import handed_over
from tetrasolve.tetrarchia.plan.campaign.replay import replay
from tetrasolve.tetrarchia.plan.campaign.search import Search, solve_search
from tetrasolve.tetrarchia.plan.campaign.solving import agreed
from tetrasolve.tetrarchia.plan.objective import LeastIp, criterion
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset

BOARD = Board.standard()
NEVER = (99, 0)
EACH_WITHOUT_ACTIONS = ("goths", "usurpator", "roma-aeterna", "barbaria", "", "goths usurpator roma-aeterna barbaria")
SLOW = {1, 5, 7}  # random cases of the first ones in which garrisons decide what attacks can end in


def seeds(quick: int, all_of_them: int) -> list[object]:
    """So many random cases with all tests, the others with the slow ones."""
    first = [seed for seed in range(all_of_them) if seed not in SLOW][:quick]
    return [pytest.param(seed, marks=() if seed in first else pytest.mark.slow) for seed in range(all_of_them)]


def any_position(random: Random, *, armies: bool = True) -> Position:
    """A position after any recipe, at any of three levels, some with other readings."""
    while True:
        ruleset = Ruleset.from_text(random.choice(("4211", "5300", "3122")))
        if random.random() < 0.3:
            ruleset = any_readings(ruleset, random)
        position = scattered(random.choice(list(RECIPES)), ruleset, random, BOARD)
        if position.is_won or (position.armies and not armies):
            continue
        return position


def any_goal(random: Random, position: Position) -> str:
    discs = sorted(position.revolts | position.unrest) or ["roma"]
    free = [border for border in BOARD.borders if border not in position.secured]
    return random.choice(
        [
            f"reach {random.choice(BOARD.ids)}",
            f"secure {random.choice(free)}",
            f"secure {random.choice(free)}",
            f"clear {', '.join(random.sample(discs, min(2, len(discs))))}",
        ]
    )


def any_stated(random: Random, position: Position) -> tuple[tuple[str, Outcome], ...]:
    return tuple((a, random.choice(list(Outcome))) for a in position.armies if random.random() < 0.7)


def any_dice(random: Random) -> PhaseDice:
    faces = [random.randint(1, 6) for _ in range(6)]
    echo = "".join(f" {face}" for face in faces[2:])
    return read_dice(f"activity {faces[0]} {faces[1]}; echo{echo}; check {random.choice((1, 4))}*")[0]


def same(first: CampaignResult, second: CampaignResult) -> bool:
    """Whether two engines say the same, and both for sure."""
    sure = {Status.OPTIMAL_PROVED, Status.INFEASIBLE_PROVED}
    return first.status in sure and (first.status, first.value) == (second.status, second.value)


# -- two engines ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", seeds(5, 40))
def test_search_and_cpsat_agree_on_frozen_turns(seed: int) -> None:
    """Two turns, with attacks that end as stated, under any readings."""
    random = Random(f"frozen {seed}")
    position = any_position(random)
    goal = read_goal(any_goal(random, position))
    campaign = Campaign(position, goal, any_stated(random, position), most_turns=2)

    assert same(solve_search(campaign), solve_cpsat(campaign, strengthen=False))


@pytest.mark.parametrize("seed", seeds(2, 40))
def test_search_and_cpsat_agree_on_routes_of_one_emperor(seed: int) -> None:
    random = Random(f"alone {seed}")
    position = any_position(random)
    goal = read_goal(f"reach {random.choice(BOARD.ids)}")
    campaign = Campaign(
        position.replace(ip=min(2, position.ip) if position.here else 6), goal, alone=True, most_turns=2
    )

    assert same(solve_search(campaign), solve_cpsat(campaign, strengthen=False))


# -- a third method --------------------------------------------------------------------------------------------------


def two_turns(campaign: Campaign) -> tuple[int, int]:
    """The value of a campaign of at most two turns: all ends of the first by the kernel, the rest by its plans."""
    position = campaign.position
    kernel = fast.kernel_for(BOARD, position.ruleset)
    if campaign.is_met_already:
        return (0, 0)
    values = [NEVER]
    for end in kernel.end_states(fast.state_of(position)):
        table = fast.to_position(end, BOARD, position.ruleset)
        paid = position.ip - table.ip
        if campaign.goal.is_met(table):
            values.append((1, paid))
        elif end.result != WON:
            values += [(2, paid + more) for more in _second(campaign, table.replace(phase=Phase.BARBARIAN, ip=0))]
    return min(values)


def _second(campaign: Campaign, table: Position) -> list[int]:
    after: Position | Fall = handed_over(table, alone=campaign.alone)
    if campaign.dice is not None:
        try:
            after = rules.sample(table, StatedDice(campaign.dice[0]))
        except DiceError:
            return []
    if isinstance(after, Fall):
        return []
    turn_of = fast.engine_for(after.ruleset).Turn
    turn = turn_of(fast.kernel_for(BOARD, after.ruleset), fast.state_of(after))
    criteria = [found for found in (criterion(campaign.goal, after), criterion(LeastIp(), after)) if found is not None]
    met, ip = turn.solve(criteria).values
    return [-ip[0]] if met == (1, 1) else []


def short_turn(random: Random) -> Position:
    """A position without armies in which the active Emperor is on the board and has an IP or two."""
    while True:
        position = any_position(random, armies=False)
        if position.here is not None and not position.is_shared:
            return position.replace(ip=random.randint(1, 2))


@pytest.mark.parametrize("seed", seeds(6, 40))
def test_frozen_turns_are_as_the_kernel_says(seed: int) -> None:
    random = Random(f"third method {seed}")
    position = short_turn(random)
    campaign = Campaign(position, read_goal(any_goal(random, position)), most_turns=2, alone=seed == 0)

    assert (solve_search(campaign).value or NEVER) == two_turns(campaign)


def with_pieces(position: Position, random: Random) -> Position:
    """The same with modules that change no action but attacks, their discs often all of the unrest in the reserve."""
    names = random.sample(["goths", "usurpator", "roma-aeterna", "barbaria"], random.randint(1, 4))
    pieces: dict[str, object] = {"goths": Goths(None)} if "goths" in names else {}
    left = UNREST - len(position.unrest)
    if "barbaria" in names:
        gray = random.randint(0, min(4, left))
        pieces["barbarian_discs"] = BarbarianDiscs(random.randint(0, 1), gray)
        left -= gray
    if "roma-aeterna" in names:
        glory = dict.fromkeys(position.emperors, 0)
        glory["galerius"] = random.choice((0, left, max(0, left - 1)))
        pieces["glory"] = Counts.of(glory)
    old = position.ruleset
    numbers = (old.garrisons, old.fleets, old.revolts, old.armies)
    variants = frozenset(names) - {"goths"}
    ruleset = Ruleset(*numbers, frozenset(names) & {"goths"}, variants, old.interpretations)
    return position.replace(ruleset=ruleset, pieces=pieces)


@pytest.mark.parametrize("seed", seeds(6, 40))
def test_modules_without_actions_are_as_the_kernel_says(seed: int) -> None:
    """All ends of the first turn and the best second one by the kernel that plays them, with few discs of unrest left."""
    random = Random(f"modules {seed}")
    position = short_turn(random)
    position = with_pieces(position, random)
    assert not position.status()
    campaign = Campaign(position, read_goal(any_goal(random, position)), most_turns=2, alone=seed == 0)

    assert (solve_search(campaign).value or NEVER) == two_turns(campaign)


@pytest.mark.parametrize("text", EACH_WITHOUT_ACTIONS)
def test_modules_without_actions_have_the_actions_of_the_base_game(text: str) -> None:
    """But attacks: the same are legal, cost the same, and change the rest of the position alike."""
    for position in positions(text, 12):
        used = position.ruleset
        kept = [(name, value) for name, value in used.interpretations if not READINGS[name].needs]
        level = Ruleset(used.garrisons, used.fleets, used.revolts, used.armies).with_readings(kept)
        base = position.replace(ruleset=level, pieces=NO_PIECES)
        actions = [action for action in rules.legal_actions(position) if action.kind is not Kind.ATTACK]
        theirs = [action for action in rules.legal_actions(base) if action.kind is not Kind.ATTACK]
        if position.reserve_unrest:
            assert actions == theirs
        assert set(actions) <= set(theirs)
        for action in actions:
            after, same_after = rules.play(position, action), rules.play(base, action)
            if isinstance(after, Fall):  # by reducing with no unrest left [I-RESERVE]
                assert not position.reserve_unrest
                continue
            assert isinstance(same_after, Position)
            assert after.pieces == position.pieces
            assert after.replace(ruleset=base.ruleset, pieces=NO_PIECES) == same_after


@pytest.mark.parametrize(("left", "more"), [(0, True), (9, False)])
def test_discs_of_glory_are_no_unrest(left: int, more: bool) -> None:
    """A revolt cannot be reduced while the reserve has no unrest, so the cheapest way costs more; the rules replay it."""
    movement, goal = example("movement"), read_goal("secure sarmatia")
    glory = dict.fromkeys(movement.emperors, 0) | {"galerius": UNREST - len(movement.unrest) - left}
    position = movement.replace(ruleset=Ruleset.from_text("4211+roma-aeterna"), pieces={"glory": Counts.of(glory)})
    assert not position.status()
    value = solve_search(Campaign(position, goal)).value
    assert value is not None
    assert (value > (2, 8)) == more and (more or value == (2, 8))


def test_what_only_the_search_turn_by_turn_knows_goes_to_it() -> None:
    movement = example("movement")
    goths = movement.replace(ruleset=Ruleset.from_text("4211+goths"), pieces={"goths": Goths(None)})
    goal = read_goal("secure sarmatia")
    assert solve_search(Campaign(goths, goal)).value == solve_search(Campaign(movement, goal)).value == (2, 8)
    assert solve_campaign(Campaign(goths, goal)).engine == "search"
    rolled = Campaign(goths, goal, dice=read_dice("activity 1 1; check 1*"), most_turns=2)
    assert solve_campaign(rolled).engine == "turns"
    with pytest.raises(RulesetError, match="CP-SAT takes campaigns without modules"):
        solve_cpsat(Campaign(goths, goal))
    dux = movement.replace(ruleset=Ruleset.from_text("4211+dux+goths"), pieces={"dux": Helper(), "goths": Goths(None)})
    found = solve_campaign(Campaign(dux, goal))
    assert (found.engine, found.status, found.value) == ("turns", Status.OPTIMAL_PROVED, (2, 8))
    with pytest.raises(RulesetError, match="CP-SAT takes campaigns without modules"):
        solve_campaign(Campaign(dux, goal), engine="both")


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_turns_with_dice_are_as_the_kernel_and_the_rules_say(seed: int) -> None:
    """A Barbarian phase between two turns: by the search, by CP-SAT's sentences, by the reference rules."""
    random = Random(f"dice {seed}")
    position = short_turn(random)
    campaign = Campaign(position, read_goal(any_goal(random, position)), dice=(any_dice(random),), most_turns=2)
    expected = two_turns(campaign)

    assert (solve_cpsat(campaign, strengthen=False).value or NEVER) == expected
    try:
        assert (solve_search(campaign).value or NEVER) == expected
    except DiceError:
        assert expected == NEVER


# -- the bound -----------------------------------------------------------------------------------------------------


def test_a_division_is_the_cheapest_of_all() -> None:
    import numpy as np

    random = Random(1)
    first, second = (np.array([random.randint(0, 30) for _ in range(32)], np.int16) for _ in range(2))
    parts = [[sub for sub in range(32) if not sub & ~whole] for whole in range(32)]
    cheapest = [min(first[sub] + second[whole ^ sub] for sub in parts[whole]) for whole in range(32)]

    assert divided(first, second).tolist() == cheapest


def crowded() -> Search:
    """The search for a victory with so many tasks that its bounds are large tables."""
    return Search(Campaign(build("5322", seed=1).position, read_goal("victory")))


@pytest.mark.parametrize("part", ["divided", "needs", "ends", "useful"])
def test_each_part_of_a_campaign_looks_at_the_flag(part: str) -> None:
    """Tables of bounds and single turns can take seconds each: every one ends when the flag is set, with nothing half done."""
    search, stop = crowded(), Stop()
    table, costs = search.ground.pack(search.campaign.position), np.zeros(1 << search.jobs.size, np.int16)
    found = {table: 0}
    work = {
        "divided": lambda: divided(costs, costs, stop),
        "needs": lambda: search.needs.of(0, 1, table.places[0], stop),
        "ends": lambda: search.turns.ends(0, table, 5, last=False, stop=stop),
        "useful": lambda: search.turns._useful(0, table, found, stop),
    }[part]
    stop.set()
    with pytest.raises(Stopped):
        work()
    assert len(search.needs.tables) == len(search.needs.off) == 1 and not search.turns._known


class _SetAfter:
    """A flag that is set when it was looked at so many times."""

    def __init__(self, looks: int) -> None:
        self.looks, self.seen = looks, 0

    def check(self) -> None:
        self.seen += 1
        if self.seen > self.looks:
            raise Stopped("deadline")


def test_dividing_many_tasks_looks_at_the_flag_on_the_way() -> None:
    """Not only before it begins: by hand, 16 tasks are divided in 81 parts of 12."""
    costs, never, early = np.zeros(1 << 16, np.int16), _SetAfter(10**6), _SetAfter(60)
    divided(costs, costs, cast("Stop", never))
    assert never.seen == 81 + 27 + 9 + 3 + 1
    with pytest.raises(Stopped):
        divided(costs, costs, cast("Stop", early))


def test_a_crowded_campaign_without_time_enough_is_unknown() -> None:
    position = build("5322", seed=1).position
    found = solve_campaign(Campaign(position, read_goal("victory")), seconds=0.2)
    assert (found.status, found.plans) == (Status.UNKNOWN, None)
    assert found.bound is not None


@pytest.mark.parametrize("seed", seeds(2, 40))
def test_the_bound_is_never_above_the_optimum(seed: int) -> None:
    """What the first look says is needed at least, against CP-SAT, which does not get it."""
    random = Random(f"bound {seed}")
    position = any_position(random)
    campaign = Campaign(position, read_goal(any_goal(random, position)), any_stated(random, position), most_turns=2)
    found = solve_cpsat(campaign, strengthen=False)
    search = Search(campaign)

    for turns in range(1, 3):
        least = search.least(turns)
        if found.value is not None and found.value[0] == turns:
            assert least is not None
            assert least <= found.value[1]


# -- what is proved ------------------------------------------------------------------------------------------------


def test_the_fastest_victory_of_a_set_up() -> None:
    """Nine turns are enough, eight are not: both proved, and the nine replayed."""
    position = new_game(Ruleset.from_text("5300"), 1).start
    victory = read_goal("victory")
    found = solve_campaign(Campaign(position, victory), engine="search")
    fewer = solve_campaign(Campaign(position, victory, most_turns=8))

    assert (found.status, found.value, found.bound) == (Status.OPTIMAL_PROVED, (9, 51), (9, 51))
    assert found.plans is not None
    state = rules.play(found.plans[-1].position, found.plans[-1].steps[0])
    for action in found.plans[-1].steps[1:]:
        assert isinstance(state, Position)
        state = rules.play(state, action)
    assert isinstance(state, Position)
    assert state.is_won
    assert (fewer.status, fewer.value, fewer.bound) == (Status.INFEASIBLE_PROVED, None, None)


def test_a_border_under_an_army_is_never_secured_unless_it_is_attacked() -> None:
    position = new_game(Ruleset.from_text("4211"), 1).start
    (army,) = position.armies
    assert army == "germania_magna"
    goal = read_goal("secure germania_magna")
    blocked = Campaign(position, goal, most_turns=3)
    free = Campaign(position, goal, ((army, Outcome.VICTORY),), most_turns=3)

    assert solve_search(blocked).status is Status.INFEASIBLE_PROVED
    assert solve_cpsat(blocked, strengthen=True).status is Status.INFEASIBLE_PROVED
    assert solve_search(free).status is Status.OPTIMAL_PROVED


def test_a_campaign_continues_from_the_barbarian_phase() -> None:
    """Frozen, the next Emperor begins; with dice the phase comes first, and the turns are one fewer."""
    position = example("ambush")
    assert position.phase is Phase.BARBARIAN
    campaign = Campaign(position, read_goal("reach roma"))

    assert campaign.mover(0) == rules_next(position)
    assert solve_search(campaign).status is Status.OPTIMAL_PROVED
    with pytest.raises(DiceError, match="allow 1 turns, not 2"):
        Campaign(position, read_goal("reach roma"), dice=read_dice("activity 4 1"), most_turns=2)


def rules_next(position: Position) -> str:
    return handed_over(position).to_move


def test_what_is_so_already_takes_no_turn() -> None:
    position = example("movement")
    for engine in ("search", "cpsat", "both"):
        found = solve_campaign(Campaign(position, read_goal(f"reach {position.here}")), engine=engine)

        assert (found.status, found.value, found.plans) == (Status.OPTIMAL_PROVED, (0, 0), ())


@pytest.mark.parametrize("engine", ["search", "cpsat"])
def test_without_time_nothing_is_proved(engine: str) -> None:
    position = new_game(Ruleset.from_text("5300"), 1).start
    found = solve_campaign(Campaign(position, read_goal("victory")), engine=engine, seconds=0)

    assert found.status in (Status.UNKNOWN, Status.FEASIBLE)
    assert found.bound is not None


def test_progress_is_reported() -> None:
    reports: list[tuple[object, object]] = []
    campaign = Campaign(new_game(Ruleset.from_text("5300"), 1).start, read_goal("victory"))
    solve_search(campaign, progress=lambda found, bound: reports.append((found, bound)))

    assert reports
    assert reports == sorted(reports, key=lambda stated: stated[1])  # type: ignore[arg-type,return-value]  # the bound only grows


def test_both_engines_answer_as_one() -> None:
    found = solve_campaign(Campaign(example("movement"), read_goal("reach persia"), alone=True), engine="both")

    assert (found.engine, found.status, found.value) == ("search and cpsat", Status.OPTIMAL_PROVED, (1, 4))


def test_a_contradiction_between_engines_is_an_error() -> None:
    campaign = Campaign(example("movement"), read_goal("reach persia"), alone=True)
    found = solve_search(campaign)
    wrong = solve_search(Campaign(example("movement"), read_goal("secure sarmatia"), most_turns=1))

    assert wrong.status is Status.INFEASIBLE_PROVED
    with pytest.raises(DisagreementError, match="search says optimal_proved"):
        agreed(found, wrong)


# -- what is refused -----------------------------------------------------------------------------------------------


def test_a_replay_refuses_what_the_rules_refuse() -> None:
    campaign = Campaign(example("movement"), read_goal("reach persia"), alone=True)

    assert [plan.paid for plan in replay(campaign, [(move("syria"), move("persia"))])] == [4]
    with pytest.raises(IllegalActionError, match="is not met"):
        replay(campaign, [(move("syria"),)])
    with pytest.raises(IllegalActionError, match="neither a link nor a fleet"):
        replay(campaign, [(SECURE, move("roma"))])


def test_dice_that_run_out_are_named() -> None:
    """Every end of the first turn leaves a revolt that rises, and nothing is stated for its echo."""
    position = example("movement").replace(ip=0)
    campaign = Campaign(position, read_goal("secure sarmatia"), dice=read_dice("activity 2 1; check 1*"), most_turns=2)

    with pytest.raises(DiceError, match="no face is left for 'echo: region'"):
        solve_search(campaign)
    assert solve_cpsat(campaign).value is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("activity 4 7", "line 1: '4 7': expected faces"),
        ("activity 4", "expected a region and a province"),
        ("\nweather 4", "line 2: 'weather 4': expected activity"),
        ("activity 4 1; activity 4 1", "stated twice"),
        ("activity 4 1; echo 3*", "can be repeated for ever"),
        ("dice: 1 2*", "can be repeated for ever"),
        ("dice: x", "expected faces"),
    ],
)
def test_dice_that_cannot_be_read(text: str, problem: str) -> None:
    with pytest.raises(DiceError) as error:
        read_dice(text)
    assert problem in str(error.value)


def test_dice_read_back_as_they_print() -> None:
    text = "activity 4 2; echo 3 5 1; check 6 1 4*; battle 5 3\ndice: 1 4 2 3\n# a remark\nactivity 1 1"
    phases = read_dice(text)

    assert len(phases) == 3
    assert read_dice("\n".join(map(str, phases))) == phases
    assert [phase.all_checks for phase in read_dice("activity 1 1; check 2*\nactivity 1 1; check 4 6*")] == [
        False,
        True,
    ]


def test_campaigns_that_make_no_sense() -> None:
    position, goal = example("movement"), read_goal("victory")
    with pytest.raises(ObjectiveError, match="stated twice"):
        Campaign(position, goal, (("dacia", Outcome.VICTORY), ("dacia", Outcome.DRAW)))
    with pytest.raises(TetrasolveError, match="there are search, turns, cpsat, both"):
        solve_campaign(Campaign(position, goal), engine="oracle")
    borders = dict(zip(BOARD.borders, ["diocletian"] * 3 + ["galerius"] * 3, strict=True))
    with pytest.raises(IllegalPositionError, match="won"):
        Campaign(position.replace(discs=borders), goal)
    with pytest.raises(ObjectiveError, match="expected victory"):
        read_goal("most value revolt=-1")
