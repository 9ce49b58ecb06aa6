"""The risk of a phase, against sums by hand and against games."""

from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from tablefinem import ALL_RULESETS, after, table

from tetrasolve.errors import ArgumentError, IllegalPositionError
from tetrasolve.finem import rules
from tetrasolve.finem.examples import examples
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import Phase, Position, Result
from tetrasolve.finem.risk import phase_risk
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.stop import Stop

PERIL = examples()["peril"].replace(left=2, last="CR", out=examples()["peril"].out | {"CR"})
EVENT = table(
    "consul",
    rules="standard",
    dice="2243/-",
    tracks="1/3",
    cubes="O5:O3.O6:O3.C7:C3",
    step="event",
    more="C5.E6.B7 hand=C5.E6.B7",
)


def by_hand(position: Position) -> Fraction:
    """The chance to lose an invasion of up to three cards, over all orders of the deck's first cards."""
    orders = list(permutations(position.deck, position.left))
    lost = 0
    for cards in orders:
        state: Position | Result = position
        for card in cards:
            if isinstance(state, Position):
                state = after(state, card)
        lost += isinstance(state, Result)
    return Fraction(lost, len(orders))


def test_the_risk_of_an_invasion_is_the_sum_over_all_orders() -> None:
    found = phase_risk(PERIL)
    assert found.status == "exact" and found.phase is Phase.INVASION
    assert found.p_lost == by_hand(PERIL) and found.p_won == 0
    assert sum(found.ends.values()) + sum(found.outbreaks.values()) == 1
    assert sum(found.outbreaks.values()) == sum(found.decline.values())


def test_the_cards_that_can_come_weigh_alike() -> None:
    """The chance to lose is the mean of those for each next card; the worst card comes first."""
    found = phase_risk(PERIL, by_card=True)
    assert len(found.by_card) == len(PERIL.deck)
    assert sum(found.by_card.values()) / len(PERIL.deck) == found.p_lost
    assert list(found.by_card.items())[:2] == [("B6", Fraction(1)), ("B7", Fraction(1))]


def test_where_no_card_loses_each_chance_is_zero() -> None:
    found = phase_risk(PERIL.replace(cubes=table(cubes="CR:C1").cubes), by_card=True)
    assert found.p_lost == 0 and set(found.by_card) == set(PERIL.deck) and not any(found.by_card.values())


def test_the_risk_for_a_card_is_that_of_the_position_after_it() -> None:
    """By a second way: each card is taken, and the phase followed from there."""
    before = table("consul", dice="2221/-", tracks="2/3", cubes="O5:O3.O6:O3", step="draw", more="-")
    before = before.replace(hand=("O7", "OS"), out=frozenset(("O7", "OS")))
    found = phase_risk(before, by_card=True)
    for card in ("OC", "C5"):
        state = after(before, card)
        assert isinstance(state, Position)
        assert found.by_card[card] == phase_risk(state).p_lost
    assert found.p_lost == sum(found.by_card.values()) / len(before.deck) > 0


@pytest.mark.parametrize("policy", POLICIES)
def test_the_risk_of_a_campaign_is_that_of_games(policy: str) -> None:
    """After an event with its decisions: sampled by the same policy, the difference is within four standard deviations."""
    found = phase_risk(EVENT, policy)
    random, games, lost = Random(policy), 800, 0
    for _ in range(games):
        state: Position | Result = EVENT
        while isinstance(state, Position) and state.phase is Phase.CAMPAIGN:
            node = rules.node(state)
            state = after(state, random.choice(node.options) if node.is_chance else POLICIES[policy](state, node))
        lost += isinstance(state, Result)
    p = float(found.p_lost)
    assert abs(lost / games - p) <= 4 * (p * (1 - p) / games) ** 0.5 and p > 0


def test_in_the_phase_of_actions_it_is_the_campaign_after_passing() -> None:
    never = {"rules": "introductory?E-EVENT=never", "cubes": "C7:C1", "dice": "2221/-"}
    acting, drawing = (phase_risk(table("consul", step=step, **never)) for step in ("act:2", "draw"))
    assert acting == drawing and acting.phase is Phase.CAMPAIGN
    won = table("prefect", rules="introductory?E-WIN=phase", dice="1111/OCEB", step="act:3")
    assert phase_risk(won).ends == {"won": 1} and phase_risk(won).p_won == 1


def test_what_the_careful_policy_decides() -> None:
    def decided(position: Position) -> str:
        return POLICIES["careful"](position, rules.node(position))

    words = {"more": "C5.E6.B7.O7 hand=C5.E6.B7", "cubes": "C7:C3.BR:B2O1", "dice": "1111/B"}
    assert decided(table("consul", step="resist", **words)) == "remove BR B all"
    assert decided(table("consul", step="resist", **{**words, "dice": "1111/-"})) == "remove C7 C"
    assert (
        decided(table("consul", step="resist", **{**words, "cubes": "O6:O3.E6:E2", "dice": "1111/E"}))
        == "remove E6 E all"
    )
    assert decided(table("consul", step="resist", **{**words, "cubes": "C7:C2.BR:B3"})) == "remove BR B all"
    risen = {"step": "raise", "more": "C5.E6.B7.OS hand=C5.E6.B7"}
    assert decided(table("consul", dice="1345/B", **risen)) == "raise E"
    action = table("consul", rules="introductory?E-PACIFY=action", dice="6151/C", **risen)
    assert decided(action) == "raise E"  # at 6 the point of O would be lost
    assert decided(action.replace(dice=(6, 2, 6, 6))) == "raise C"  # a pacified tribe, where no other can rise
    shield = {"step": "protect", "more": "C5.E6.B7.OC hand=C5.E6.B7"}
    assert decided(table("consul", cubes="C5:C3.BR:B2.OS:O1", **shield)) == "protect BR"
    assert decided(examples()["limit"]) == "discard O1 B2"
    points = {"rules": "standard", "step": "discard", "more": "B5.E5.E6 hand=E5.E6.B5"}
    assert decided(table("consul", dice="4244/-", **points)) == "discard O2 C1"  # the lowest, then the first of equals
    assert (
        decided(table("consul", dice="5153/OE", **points)) == "discard O3"
    )  # pacified tribes first, of equals the first
    assert decided(table("consul")) == "pass"
    assert decided(table("tribune", step="exchange", more="C5.E6.B7 hand=C5.E6.B7")) == "keep"
    assert decided(table("emperor", step="appoint")) == "tribune"


def test_without_time_nothing_is_known_and_the_interval_holds() -> None:
    cancelled = Stop()
    cancelled.set()
    for stopped in (phase_risk(PERIL, seconds=0, by_card=True), phase_risk(PERIL, cancel=cancelled)):
        assert stopped.status == "interrupted" and stopped.by_card == {}
        assert stopped.p_lost <= phase_risk(PERIL).p_lost <= stopped.p_lost + stopped.unknown


def test_what_has_no_risk_is_refused() -> None:
    with pytest.raises(ArgumentError, match="one of careful, first, greedy"):
        phase_risk(PERIL, "bold")
    with pytest.raises(IllegalPositionError, match="finish the Dictator's action"):
        phase_risk(table("dictator", dice="2221/-", step="ride:C7", more="C7"))
    with pytest.raises(IllegalPositionError, match="cannot occur"):
        phase_risk(table(cubes="C7:C4"))
    with pytest.raises(ArgumentError):
        phase_risk("peril")  # type: ignore[arg-type]  # the error is the point


# -- the greedy policy of whole games -------------------------------------------------------------------------------------


def greedy(position: Position) -> str:
    return POLICIES["greedy"](position, rules.node(position))


@pytest.mark.parametrize(
    ("role", "words", "decided"),
    [
        ("consul", {"cubes": "C7:C1.C6:C3"}, "move C6"),  # three actions there remove more than one here
        ("consul", {"cubes": "C7:C1.C6:C3", "step": "act:1"}, "confront C"),  # the way is too long
        ("magister", {"cubes": "C7:O1C3", "step": "act:1"}, "confront C all"),
        ("prefect", {"cubes": "B5:B3", "step": "act:1"}, "move O7"),  # nothing is in reach: towards it
        ("consul", {"cubes": "E5:E3", "step": "act:2"}, "move E5"),  # the region last invaded is one move away
        ("prefect", {"dice": "1511/-", "cubes": "C7:C3"}, "pacify C"),
        ("prefect", {"dice": "1511/C", "cubes": "C7:C3"}, "confront C"),
        ("tribune", {"step": "exchange", "more": "C5.C6.B7 hand=C5.C6.B7"}, "exchange C5"),
        ("tribune", {"step": "exchange", "more": "C5.E6.B7 hand=C5.E6.B7"}, "keep"),
        ("consul", {"step": "travel", "cubes": "O6:O2.B7:B3", "more": "C5.E6.B7.O5 hand=C5.E6.B7"}, "move B7"),
        ("consul", {"step": "travel", "cubes": "C7:C3.B7:B3", "more": "C5.E6.B7.O5 hand=C5.E6.B7"}, "stay"),
    ],
)
def test_what_the_greedy_policy_decides(role: str, words: dict[str, str], decided: str) -> None:
    assert greedy(table(role, **words)) == decided  # type: ignore[arg-type]  # the words are keywords of the line


def test_the_greedy_policy_always_decides_legally_and_wins_far_more_than_chance() -> None:
    """Bench/finem_greedy.py has its win rates: about half of the games at the introductory level."""
    won = 0
    for seed in range(24):
        state, random = rules.random_set_up(Ruleset("introductory"), seed), Random(seed)
        while isinstance(state, Position):
            state = rules.take(state, rules.sample(state, random) if state.step.is_chance else greedy(state))
        won += state.is_won
    assert won >= 6


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_the_greedy_policy_plays_by_every_reading(ruleset: str) -> None:
    state, random = rules.random_set_up(Ruleset.from_text(ruleset), 4), Random(4)
    while isinstance(state, Position):
        state = rules.take(state, rules.sample(state, random) if state.step.is_chance else greedy(state))
