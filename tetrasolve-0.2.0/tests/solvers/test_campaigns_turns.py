"""Campaigns with all modules, variants, rebels and scenarios, against the other search and against all sequences of actions."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from moduletable import extended, rebel_army
from moduleturns import EACH, TOGETHER, positions

from tetrasolve.errors import ObjectiveError
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import END, Kind, Outcome
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.plan.answer import Status
from tetrasolve.tetrarchia.plan.campaign import Campaign, CampaignResult, campaign, read_dice, read_goal
from tetrasolve.tetrarchia.plan.campaign.dice import DiceError, StatedDice
from tetrasolve.tetrarchia.plan.campaign.question import handed_over
from tetrasolve.tetrarchia.plan.campaign.relaxed import NEVER, Relaxed
from tetrasolve.tetrarchia.plan.campaign.search import solve_search
from tetrasolve.tetrarchia.plan.campaign.turns import TurnSearch, solve_turns
from tetrasolve.tetrarchia.plan.objective import LeastIp, criterion
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall

NONE = (99, 0)
SURE = {Status.OPTIMAL_PROVED, Status.INFEASIBLE_PROVED}


def goal_for(position: Position, random: Random) -> str:
    """A goal near the figures, sometimes one of a module."""
    board, used = position.board, position.ruleset.extensions
    here = position.here or board.roma
    near = [here, *board.neighbours(here)]
    more = [f"deploy {name}" for name in ("dux", "vicarius") if name in used] + ["kill pirates"] * ("pirates" in used)
    discs = [place for place in near if position.has_revolt(place) or position.has_unrest(place)]
    borders = [border for border in board.borders if border not in position.secured]
    return random.choice(
        [
            f"secure {random.choice(near)}",
            f"clear {random.choice(discs or near)}",
            f"reach {random.choice(near)}",
            f"secure {random.choice(borders)}",
            *more,
        ]
    )


def stated_for(position: Position, random: Random) -> tuple[tuple[str, Outcome], ...]:
    pirates = ["pirates"] if position.pieces.pirates is not None else []
    return tuple((army, random.choice(list(Outcome))) for army in (*position.armies, *pirates) if random.random() < 0.7)


# -- all sequences of actions --------------------------------------------------------------------------------------


def ends_of(asked: Campaign, position: Position) -> dict[Position, int]:
    """The ends of a turn by the legal actions of the reference rules, each with the least IP paid."""
    found: dict[Position, int] = {}
    seen: dict[Position, int] = {position: 0}
    waiting = [position]
    while waiting:
        waiting.sort(key=seen.__getitem__, reverse=True)
        now = waiting.pop()
        paid = seen[now]
        if now.is_won or now.phase is Phase.BARBARIAN:
            found[now] = min(paid, found.get(now, paid))
            continue
        if rules.may_end(now):
            after = rules.play(now, END)
            assert isinstance(after, Position)
            found[after] = min(paid, found.get(after, paid))
        for action in rules.legal_actions(now):
            if action.kind is Kind.ATTACK and (action.place, action.outcome) not in asked.stated:
                continue
            after, price = rules.play(now, action), paid + rules.cost(now, action)
            if isinstance(after, Position) and price < seen.get(after, 99):
                seen[after] = price
                waiting.append(after)
    return found


def is_met(asked: Campaign, end: Position) -> bool:
    return asked.goal.is_met(end)


def by_hand(asked: Campaign) -> tuple[int, int]:
    """The value of at most two turns: the first by the reference rules, the second by the kernel without bounds."""
    if asked.is_met_already:
        return (0, 0)
    values = [NONE]
    for end, paid in ends_of(asked, asked.position).items():
        if is_met(asked, end):
            values.append((1, paid))
        elif not end.is_won and asked.most_turns == 2:
            values += [(2, paid + more) for more in second(asked, end.replace(phase=Phase.BARBARIAN, ip=0))]
    return min(values)


def second(asked: Campaign, end: Position) -> list[int]:
    try:
        after = (
            handed_over(end, alone=asked.alone) if asked.dice is None else rules.sample(end, StatedDice(asked.dice[0]))
        )
    except DiceError:
        return []
    if isinstance(after, Fall):
        return []
    search = TurnSearch(asked)
    state = fast.state_of(after, rebels=search.rebels)
    met, ip = search.graph(state).solve([criterion(asked.goal, after), criterion(LeastIp(), after)]).values  # type: ignore[list-item]
    return [-ip[0]] if met == (1, 1) else []


def value(found: CampaignResult) -> tuple[int, int]:
    assert found.status in SURE
    return found.value or NONE


def cases(extensions: str, count: int, most_ip: int) -> list[tuple[Position, Random]]:
    found = []
    for number, position in enumerate(positions(extensions, 500, most_ip)):
        random = Random(f"campaign {extensions} {number}")
        if position.here is not None and position.phase is Phase.ROMAN and not position.is_won:
            found.append((position, random))
        if len(found) == count:
            break
    return found


SETS = (*EACH, *TOGETHER)


def one_turn(extensions: str, count: int, most_ip: int) -> None:
    """The kernel's graph and the bound of the search against the reference rules, with attacks that end as stated."""
    for position, random in cases(extensions, count, most_ip):
        goal = read_goal(goal_for(position, random))
        asked = Campaign(position, goal, stated_for(position, random), most_turns=1)
        expected = by_hand(asked)
        assert value(solve_turns(asked)) == expected, asked
        relaxed, state = Relaxed(asked), fast.state_of(position)
        most = position.ip + relaxed.ip(state.to_move) - 6
        if expected[0] == 1:
            assert relaxed.rest(state, {state.to_move: most}) <= expected[1], asked


@pytest.mark.parametrize("extensions", SETS)
def test_one_turn_is_the_cheapest_of_all_sequences_of_actions(extensions: str) -> None:
    one_turn(extensions, 5, 1)


@pytest.mark.slow
@pytest.mark.parametrize("extensions", SETS)
def test_one_longer_turn_is_the_cheapest_of_all_sequences_of_actions(extensions: str) -> None:
    one_turn(extensions, 12, 3 if len(extensions.split()) < 4 else 2)


def two_turns(extensions: str, count: int, most_ip: int) -> None:
    for position, random in cases(extensions, count, most_ip):
        goal = read_goal(goal_for(position, random))
        alone = random.random() < 0.3
        asked = Campaign(position, goal, stated_for(position, random), alone=alone, most_turns=2)
        assert value(solve_turns(asked)) == by_hand(asked), asked


@pytest.mark.parametrize("extensions", EACH)
def test_two_turns_are_the_cheapest_of_all(extensions: str) -> None:
    two_turns(extensions, 1, 0 if extensions in ("vicarius", "imperium") else 1)


@pytest.mark.slow
@pytest.mark.parametrize("extensions", SETS)
def test_many_campaigns_of_two_turns_are_the_cheapest_of_all(extensions: str) -> None:
    two_turns(extensions, 8, 1)


@pytest.mark.slow
@pytest.mark.parametrize("extensions", SETS)
def test_campaigns_with_dice_are_the_cheapest_of_all(extensions: str) -> None:
    for position, random in cases(extensions, 8, 1):
        dice = None
        if random.random() < 0.5:
            faces = [random.randint(1, 6) for _ in range(12)]
            dice = read_dice("dice: " + " ".join(map(str, faces)))
        goal = read_goal(goal_for(position, random))
        asked = Campaign(position, goal, stated_for(position, random), dice=dice, most_turns=2)
        try:
            assert value(solve_turns(asked)) == by_hand(asked), asked
        except DiceError:
            assert by_hand(asked) == NONE


@pytest.mark.parametrize("extensions", ["", "goths", "roma-aeterna usurpator barbaria"])
def test_both_searches_agree_where_both_know_the_rules(extensions: str) -> None:
    """Frozen turns without attacks: the other search has another bound and other turns."""
    for position, random in cases(extensions, 6, 6):
        goal = read_goal(goal_for(position, random))
        asked = Campaign(position, goal, most_turns=2)
        assert not asked.needs_turns
        assert value(solve_turns(asked)) == value(solve_search(asked)), asked


def test_dice_between_turns_with_modules() -> None:
    """The usurper's province has a word of its own; nobody spends discs in the phases."""
    checked = Counter[bool]()
    for extensions in ("usurpator", "goths pirates", "barbaria imperium", "dux vicarius", ""):
        for position, random in cases(extensions, 2, 0):
            faces = [random.randint(1, 6) for _ in range(8)]
            echo = " ".join(map(str, faces[2:6]))
            text = f"activity {faces[0]} {faces[1]}; echo {echo}; check {faces[6]}*; usurper {faces[7]}; battle 3 4*"
            asked = Campaign(position, read_goal(goal_for(position, random)), dice=read_dice(text), most_turns=2)
            try:
                assert value(solve_turns(asked)) == by_hand(asked), asked
            except DiceError:
                assert by_hand(asked) == NONE
            checked[by_hand(asked) != NONE] += 1
    assert checked[True] >= 3


# -- examples ------------------------------------------------------------------------------------------------------


def test_the_dux_is_deployed_and_subdues() -> None:
    """He costs 2 IP in a province next to the Emperor, and subdues where he stands (page 12)."""
    position = extended("dux", to_move="diocletian", at={"diocletian": "asia"}, revolts="galatia", ip=6)
    assert campaign(position, "deploy dux").value == (1, 2)
    with pytest.raises(ObjectiveError, match="the module dux is not in use"):
        campaign(extended("vicarius", to_move="diocletian", at={"diocletian": "asia"}), "deploy dux")


def test_a_garrison_is_sent() -> None:
    """For a link, in place of a way there and back (page 14)."""
    position = extended(
        "via-romana", to_move="diocletian", at={"diocletian": "asia"}, garrisons={"diocletian": "asia"}, ip=1
    )
    place = next(
        action.place for action in rules.legal_actions(position) if action.kind is Kind.TRANSFER and action.place
    )
    found = campaign(position, f"secure {place}")
    assert found.value == (1, 1) and found.plans is not None
    assert [str(step) for step in found.plans[0].steps] == [f"transfer {place}"]


def test_maximian_pays_for_an_ip_that_the_plan_pays_again() -> None:
    """His disc gives him 1 IP (page 14), so that 7 can be paid in a turn; nobody else has it, and it is for one turn."""
    position = extended("imperium", to_move="maximian", at={"diocletian": "asia", "maximian": "noricum"}, ip=0)
    found = campaign(position, f"reach {next(iter(position.board.neighbours('noricum')))}", turns=1)
    assert found.value == (1, 1) and found.plans is not None
    assert any(step.kind is Kind.IMPERIUM for step in found.plans[0].steps)
    alone = Campaign(position, read_goal("reach noricum and secure noricum"), alone=True, most_turns=3)
    assert value(solve_turns(alone)) == (1, 1)


def test_pirates_are_killed_where_that_is_stated() -> None:
    position = extended("pirates", {"pirates": 2}, to_move="diocletian", at={"diocletian": "asia"}, fleets=(1,), ip=6)
    found = campaign(position, "kill pirates", stated="victory@pirates", turns=3)
    assert found.status is Status.OPTIMAL_PROVED and found.plans is not None
    assert any(str(step) == "attack pirates: victory" for plan in found.plans for step in plan.steps)
    assert campaign(position, "kill pirates", turns=3).status is Status.INFEASIBLE_PROVED
    assert campaign(position, "kill pirates", stated="defeat@pirates", turns=2).status is Status.INFEASIBLE_PROVED


def test_rebels_fall_to_stated_attacks_with_a_fleet() -> None:
    position = extended(
        "", {"rebels": {"libya": rebel_army(fleet=2)}}, at={"diocletian": "cyrenaica"}, armies="libya", revolts="libya",
        fleets=(3,),
    )  # fmt: skip
    found = campaign(position, "kill libya", stated="victory@libya", turns=2)
    assert found.value == (1, 3)  # a fleet sails to zone 2, and the link is broken


@pytest.mark.parametrize("name", rules.scenarios())
def test_each_scenario_has_campaigns(name: str) -> None:
    position = rules.rolled_scenario(name, 3).position
    place = next(iter(position.board.neighbours(position.here or position.board.roma)))
    found = campaign(position, f"reach {place}")
    assert found.status is Status.OPTIMAL_PROVED and found.value is not None
    again = campaign(position, f"reach {place}", engine="turns")
    assert again.value == found.value


# -- bounds and limits ---------------------------------------------------------------------------------------------


def test_what_cannot_be_done_is_said_at_once() -> None:
    position = extended("dux", {"dux": "dead"}, to_move="diocletian", at={"diocletian": "asia"})
    assert campaign(position, "deploy dux").status is Status.INFEASIBLE_PROVED
    assert Relaxed(Campaign(position, read_goal("deploy dux"))).price(fast.state_of(position)) >= NEVER


def test_without_time_or_room_there_are_bounds() -> None:
    position = rules.random_set_up(example("fight").ruleset.with_extensions(["dux"]), 3)
    flag = Stop()
    flag.set()
    stopped = campaign(position, "victory", cancel=flag)
    assert (stopped.status, stopped.bound) == (Status.UNKNOWN, (1, 0))
    full = solve_turns(Campaign(position, read_goal("secure sarmatia")), most_nodes=10)
    assert full.status is Status.FEASIBLE and full.value is not None and full.bound is not None
    best = solve_turns(Campaign(position, read_goal("secure sarmatia")))
    assert best.status is Status.OPTIMAL_PROVED and best.value is not None
    assert full.bound <= best.value <= full.value


def test_a_won_game_has_no_further_turn() -> None:
    """The last border: with a further goal that is not met then, nothing follows."""
    board = example("movement").board
    *secured, last = board.borders
    position = extended(
        "dux", to_move="diocletian", at={"diocletian": last},
        garrisons={"diocletian": " ".join(secured[:3]), "galerius": " ".join(secured[3:])}, ip=2,
    )  # fmt: skip
    assert campaign(position, "victory").value == (1, 2)
    both = f"secure {last} and deploy dux"  # he has 2 IP in the first turn, and who secures the border wins
    assert campaign(position, both, turns=1).status is Status.INFEASIBLE_PROVED
    assert campaign(position, both, turns=2, alone=True).value == (2, 4)
