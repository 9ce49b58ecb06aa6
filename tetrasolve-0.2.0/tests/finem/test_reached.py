"""`status` against what games reach, with a small deck: all of it in one direction, and in the first campaign in both."""

from itertools import combinations
from random import Random

import pytest

from tetrasolve.finem import rules
from tetrasolve.finem.layout import REGIONS
from tetrasolve.finem.position import Dice, Phase, Position, Result, Step
from tetrasolve.finem.ruleset import Ruleset

RULESETS = (
    "introductory",
    "standard?E-ORDER=dice-first,E-WIN=phase",
    "introductory?E-WHEN=after,E-CIVIL=return,E-PACIFY=free",
    "standard?E-TRIBUNE=invasion,E-EXCHANGE=may",
)
CAMPAIGN = [step for step in Step if step.phase is Phase.CAMPAIGN]


def some_turn(ruleset: str, seed: int, turn: int) -> Position:
    """The beginning of a turn of a game whose player decides at random."""
    random, begun = Random(f"{ruleset} {seed}"), 1
    state = rules.random_set_up(Ruleset.from_text(ruleset), seed)
    assert isinstance(state, Position)
    while begun < turn:
        following = rules.take(state, random.choice(rules.node(state).options))
        if isinstance(following, Result):
            return some_turn(ruleset, seed + 1000, turn)
        begun += following.step is Step.ACT and state.phase is Phase.ROLE
        state = following
    return state


def reached(start: Position, deck: set[str], most: int) -> set[Position]:
    """What can follow in a turn in which only these cards come and the player passes, or rides; at most so many positions."""
    found, waiting = {start}, [start]
    while waiting and len(found) < most:
        state = waiting.pop()
        node = rules.node(state)
        options = [option for option in node.options if option in deck] if node.is_chance else node.options
        if state.step is Step.ACT:
            options = [option for option in options if option in ("pass", "ride") or option.startswith("pacify")]
        if state.phase is Phase.ROLE:
            continue
        for option in options:
            after = rules.take(state, option)
            if isinstance(after, Position) and after not in found:
                found.add(after)
                waiting.append(after)
    return found


@pytest.mark.parametrize("ruleset", RULESETS)
def test_all_that_follows_in_a_turn_with_a_small_deck_can_occur(ruleset: str) -> None:
    """Every position of the turn, not a sample: events, crises, exchanges, civil wars, invasions and outbreaks."""
    for turn, cards in ((1, 5), (3, 5)):
        start = some_turn(ruleset, 1, turn)
        deck = set(Random(f"{ruleset} {turn}").sample(REGIONS, cards))
        for position in reached(start, deck, most=1200):
            assert position.status() == (), (str(position), [str(reason) for reason in position.status()])


@pytest.mark.parametrize("ruleset", RULESETS[:2])
@pytest.mark.parametrize(
    "draws", [pytest.param(2000, id="some"), pytest.param(100_000, id="many", marks=pytest.mark.slow)]
)
def test_in_the_first_campaign_what_can_occur_is_what_is_reached(ruleset: str, draws: int) -> None:
    """Steps, hands, cards out, declines, dice and marks with a deck of six: no reason just where a game comes.

    At random; all 800,000 combinations were tried once, and it holds for each.
    """
    start = some_turn(ruleset, 1, 1)
    deck = ("O5", "O6", "CR", "ES", "E6", "BC")
    positions = {one for one in reached(start, {*deck}, most=10**6) if one.phase is Phase.CAMPAIGN}
    assert len(positions) > 50
    dice: list[Dice] = [
        (1, 1, 1, 1),
        (2, 2, 2, 1),
        (3, 2, 1, 1),
        (2, 1, 3, 1),
        (2, 1, 2, 1),
        (3, 1, 2, 1),
        (1, 2, 3, 1),
    ]
    marks = [(None, False), ("C7", False), (None, True)]
    outs = [out for number in range(7) for out in combinations(deck, number)]
    random = Random(draws)
    for _ in range(draws):
        out = random.choice(outs)
        protected, is_quiet = random.choice(marks)
        one = start.replace(
            step=random.choice(CAMPAIGN),
            left=0,
            hand=random.choice([hand for number in range(4) for hand in combinations(out, number)]),
            out=frozenset(out),
            decline=random.choice((1, 2, 3, 4)),
            dice=random.choice(dice),
            protected=protected,
            is_quiet=is_quiet,
        )
        assert (one.status() == ()) == (one in positions), (str(one), [str(reason) for reason in one.status()])
    assert all(position.status() == () for position in positions)
