"""Choices: whatever is decided, the phase has one exact distribution and every disc is somewhere."""

from functools import cache
from random import Random

import pytest
from moduletable import extended, random_start
from tabletop import random_action

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, RandomDice
from tetrasolve.tetrarchia.rules.registry import rule_modules_of

CHOICES = ("imperium", "barbaria")
GAMES, QUICK = 60, 20  # games, and those that always run
ANSWERS = {"no", "reroll", "cancel", "turn", "black", "army", "block", "boost"}


def with_choices(start):
    """The same start with both variants."""
    ruleset = start.ruleset.with_extensions((), CHOICES)
    pieces = {
        key: value
        for module in rule_modules_of(ruleset).set_up
        for key, value in module.pieces(start.board, start.armies).items()
    }
    return start.replace(ruleset=ruleset, pieces={**pieces, **start.pieces.plain()})


def anything(random, seen=None):
    """A player who chooses at random."""

    def decide(choice):
        options = choice.options
        assert options[0] == "no"
        assert len(options) == len(set(options)) > 1
        assert 0 <= choice.eager() < len(options)
        assert choice.decider in (*choice.position.emperors, "barbarian")
        answer = random.randrange(len(options))
        if seen is not None:
            seen.add(options[answer].partition(":")[0])
        return answer

    return decide


@cache
def game(number):
    """The tables of a game in which everybody chooses at random, and what was decided."""
    random = Random(f"choices {number}")
    table, dice, seen = with_choices(random_start(random)), RandomDice(number), set()
    tables = []
    for _ in range(60):
        tables.append(table)
        if table.is_won:
            break
        if table.phase is Phase.BARBARIAN:
            table = rules.sample(table, dice, anything(random, seen))
        else:
            action = random_action(table, random) or END
            if action == END and not rules.may_end(table):
                break
            table = rules.play(table, action)
        if isinstance(table, Fall):
            break
    return tables, seen


def supply(position):
    """Where the discs are that anybody has."""
    glory = sum(position.glory.values())
    discs = {
        "unrest": len(position.unrest) + glory + position.gray + position.reserve_unrest,
        "revolt": len(position.revolts) + position.black + position.reserve_revolts,
    }
    for emperor in position.emperors:
        lying = len(position.garrisons(emperor))
        discs[emperor] = lying + position.removed[emperor] + position.reserve_garrisons(emperor)
    return discs


@pytest.mark.sampled(2)
@pytest.mark.program
@pytest.mark.parametrize(
    "number", [*range(QUICK), *(pytest.param(number, marks=pytest.mark.slow) for number in range(QUICK, GAMES))]
)
def test_what_can_be_decided_leads_to_what_can_occur(number):
    """Every table of a game is legal, and no disc is lost or found."""
    for table in game(number)[0]:
        assert table.status() == (), [str(reason) for reason in table.status()]
        garrisons = dict.fromkeys(table.emperors, table.ruleset.garrisons)
        assert supply(table) == {"unrest": 21, "revolt": 21} | garrisons
        assert Position.parse(str(table), table.board) == table
        assert Position.from_json(table.to_json(), table.board) == table


@pytest.mark.program
def test_everything_is_decided_in_some_game():
    """The games are long enough for every kind of answer."""
    seen = set()
    for number in range(5 * GAMES):  # some answers are possible in few games only
        seen |= game(number)[1]
        if seen == ANSWERS:
            break

    assert seen == ANSWERS


COMBINED = {
    "": {},
    "dux+vicarius": {"dux": "cisalpina", "vicarius": "epirus"},
    "goths+usurpator": {"goths": "rhaetia"},
    "pirates+roma-aeterna": {},
    "mare-nostrum+via-romana": {},
}


@pytest.mark.program
@pytest.mark.parametrize("others", COMBINED)
def test_whatever_the_policy_chances_sum_to_one(others):
    """For the two named ones, and one that is as good as random but always answers alike."""

    def fickle(choice):
        return sum(map(ord, choice.question)) % len(choice.options)

    names = "+".join(filter(None, ("barbaria+imperium", others)))
    pieces = {"barbarian_discs": {"gray": 2, "black": 1}} | COMBINED[others]
    at = {"diocletian": "asia", "constantius": "etruria"} | ({} if "dux" in others else {"galerius": "cisalpina"})
    table = extended(names, pieces, at=at, barbarian=True, revolts="rhaetia", armies="rhaetia", unrest="dacia")
    for policy in (rules.decline, rules.eager, fickle):
        solved = rules.solve(table, policy)
        figures = solved.figures()
        assert sum(chance for _, chance in solved.ends.items()) == 1
        assert 0 < figures.p_uprising <= figures.e_uprisings
        assert figures.p_uprising == rules.uprising_chance(table, policy)
        assert 0 <= figures.p_new_army <= 1
        for end in solved.ends:
            assert isinstance(end, Fall) or (end.status() == () and supply(end)["unrest"] == 21)


@pytest.mark.program
@pytest.mark.parametrize("policy", rules.POLICIES)
def test_the_distribution_is_that_of_the_game(policy):
    """Phases are rolled; each result and each chance are what the distribution says."""
    table = extended(
        "barbaria+imperium",
        {"barbarian_discs": {"gray": 1}},
        at={"diocletian": "asia", "galerius": "cisalpina"},
        barbarian=True,
        revolts="rhaetia noricum",
        armies="rhaetia",
        garrisons={"galerius": "etruria"},
    )
    decide, dice, rolls = rules.POLICIES[policy], RandomDice("distribution"), 400
    ends = rules.outcomes(table, decide)
    counts = {}
    for _ in range(rolls):
        end = rules.sample(table, dice, decide)
        counts[end] = counts.get(end, 0) + 1

    assert set(counts) <= set(ends)
    for end, chance in ends.items():
        spread = 5 * (rolls * chance * (1 - chance)) ** 0.5 + 1
        assert abs(counts.get(end, 0) - rolls * chance) <= spread


@pytest.mark.program
def test_equal_choices_are_equal():
    """They are values, like rolls."""
    table = with_choices(random_start(Random(3))).replace(phase=Phase.BARBARIAN, ip=0)
    one, other = rules.begin(table), rules.begin(table)

    assert isinstance(one, rules.Choice)
    assert one == other
    assert hash(one) == hash(other)
    assert one.after("no") == other.after("no")
