"""Games and turns by the reference rules: those of the kernel where it plays, and what a policy that knows its reading does."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from tablefinem import after, table

from tetrasolve.finem import rules
from tetrasolve.finem.lint import byreference, partings, played, search
from tetrasolve.finem.lint.pairs import reference_pairs, rulesets_of
from tetrasolve.finem.policies import POLICIES, greedy
from tetrasolve.finem.position import WON, Phase, Position, Result, State
from tetrasolve.finem.ruleset import Ruleset


@pytest.mark.parametrize(
    "text",
    [
        "standard",
        "introductory?E-TRIBUNE=invasion",
        "standard?E-MAP=dealt",
        "standard+corner?E-FULL=lost,E-SETUP=twelve",
    ],
)
def test_without_its_own_decisions_the_games_are_those_of_the_kernel(text: str, monkeypatch) -> None:
    monkeypatch.setattr(byreference, "_rides", lambda _: False)
    monkeypatch.setattr(byreference, "_swap", greedy)
    monkeypatch.setattr(byreference, "_role", greedy)
    assert byreference.play(text, 3, 0, 5) == played.play(text, 3, 0, 5)


def test_games_depend_on_their_number_alone() -> None:
    text = "introductory?E-EMPEROR-WHEN=at-once"
    whole = byreference.play(text, 5, 0, 5)
    assert byreference.play(text, 5, 0, 2) + byreference.play(text, 5, 2, 3) == whole


@pytest.mark.parametrize("pair", reference_pairs(), ids=lambda pair: pair.id)
def test_every_value_is_played_to_the_end(pair) -> None:
    for ruleset in rulesets_of(pair, "standard"):
        assert set(byreference.play(str(ruleset), 0, 0, 1)) <= {"w", "l"}


def test_a_set_up_that_needs_a_thirteenth_cube_is_of_the_same_deck() -> None:
    """Seed 0, game 67: the first to need one; the cards before it are the same, and each other set-up is equal."""
    again, card = Ruleset("standard"), Ruleset.from_text("standard?E-FULL=card")
    both = [(byreference.set_up(again, f"0 {n}"), byreference.set_up(card, f"0 {n}")) for n in range(700)]
    differing = [n for n, (one, other) in enumerate(both) if one.cubes != other.cubes]  # type: ignore[union-attr]  # positions
    assert 0 < len(differing) < 6


def test_who_has_a_role_uses_it() -> None:
    """The Dictator rides where nothing is near, and for nothing where a stay is free; the Tribune and the Emperor look ahead."""
    far = {"dice": "2221/-", "cubes": "E5:E3.E7:E3.ER:E3", "at": "B5"}
    near = {"dice": "2221/-", "cubes": "B5:B3", "at": "B5"}

    def decided(position: State) -> str:
        assert isinstance(position, Position)
        return byreference.decide(position, rules.node(position))

    assert decided(table("dictator", **far)) == "ride" and decided(table("dictator", **near)) == "confront B"
    assert decided(table("consul", **far)) != "ride"
    assert decided(after(table("dictator", **far), "ride", "C7")) == "move E7"
    swapping = {"rules": "standard?E-TRIBUNE=invasion", "dice": "2221/-", "step": "invade:2", "more": "O5.O6.C7"}
    assert decided(after(table("tribune", cubes="E5:E3", **swapping), "E5", "B6")) == "exchange E5"
    assert decided(after(table("tribune", cubes="E5:E3", **swapping), "E6", "B6")) == "keep"
    assert decided(table("emperor", dice="5221/-", step="appoint")) == "prefect"
    assert decided(table("emperor", dice="5221/O", step="appoint")) == "magister"


# -- what differs in a turn ------------------------------------------------------------------------------------------------


def test_each_value_is_followed_but_one() -> None:
    assert {pair.id for pair in reference_pairs() if not partings.is_followed(pair)} == {"E-CHAIN-FIRST=once/again"}
    assert len(partings.MATTERS) == len(reference_pairs()) - 1


@pytest.mark.parametrize("pair", partings.followed_pairs(), ids=lambda pair: pair.id)
def test_where_a_value_does_not_matter_the_next_step_is_the_same(pair) -> None:
    """Or, where a reading is of the dice or of a victory, nothing is won."""
    first, second = rulesets_of(pair, "standard")
    matters = partings.MATTERS[f"{pair.reading}={pair.second}"]
    is_of_victory = pair.reading in ("E-ORDER", "E-LIMIT", "E-LIMIT-ORDER", "E-LIMIT-DICE", "E-LIMIT-EVENT", "E-WIN")
    for seed in range(3):
        random, state = Random(seed), rules.random_set_up(first, seed)
        while isinstance(state, Position):
            node = rules.node(state)
            option = random.choice(node.options) if node.is_chance else greedy(state, node)
            if state.phase in (Phase.CAMPAIGN, Phase.INVASION) and not matters(state):
                chosen = option if node.is_chance else POLICIES["careful"](state, node)
                twin = state.replace(ruleset=second)
                one, other = rules.take(state, chosen), rules.take(twin, chosen)
                assert node.is_chance or chosen == POLICIES["careful"](twin, rules.node(twin))
                if is_of_victory and Result(WON) not in (one, other):
                    pass
                elif isinstance(one, Position) and one.phase is not Phase.ROLE:
                    same = search._under(other, first)
                    assert isinstance(same, Position) and same.replace(last=one.last) == one and not matters(one)
                elif isinstance(one, Result):
                    assert other == one
            state = rules.take(state, option)


def end_of_turn(position: Position) -> tuple[Fraction, Fraction]:
    """The chances of a loss and a victory by the reference rules alone."""
    lost = won = Fraction(0)
    for state, weight in rules.follow(position, POLICIES["careful"]).items():
        if isinstance(state, Result):
            lost, won = lost + weight * (not state.is_won), won + weight * state.is_won
        elif state.phase is Phase.INVASION:
            found = end_of_turn(state)
            lost, won = lost + weight * found[0], won + weight * found[1]
    return lost, won


CASES = {
    "E-FILL=missing/held": (
        "standard consul C7/C7/E5 2221/- 3/2 E6:E3.ER:E3.E7:E2.EC:E1 crisis O5.O6.O7.OS.OC.OR.C5.C6.CC.CS.B7.B5 hand=C5.C6.B7"
    ),
    "E-ORDER=listed/crisis-last": (
        "standard consul C7/C7/E5 5111/CEB 2/3 E6:E3.ER:E3.E7:E1 draw O5.O6.O7.OS.OC.C5.C6.CC.CS.B7.B5 hand=C5.C6"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_change_is_the_difference_of_both_turns(name: str) -> None:
    """From the middle of a turn on, against the reference rules alone, which follow all of the invasion."""
    (pair,) = (pair for pair in reference_pairs() if pair.id == name)
    position = Position.parse(CASES[name])
    second = position.ruleset.with_readings([(pair.reading, pair.second)])
    found = partings._Parting(pair, position.ruleset, second, None).difference(position)
    one, other = end_of_turn(position), end_of_turn(position.replace(ruleset=second))
    assert found == (other[0] - one[0], other[1] - one[1]) != (0, 0)


def test_a_crisis_and_dice_that_pacify_nothing_come_to_the_same() -> None:
    """[E-ORDER] crisis-last, from the crisis on, with a board that loses often."""
    line = "standard{} consul C7/C7/E5 {}/- 3/3 E6:E3.ER:E3.E7:E1 crisis O5.O6.O7.OS.OC.C5.C6.CC.CS.B7.B5 hand=C5.C6.B7"
    one, other = (
        Position.parse(line.format(reading, dice)) for reading, dice in (("", "2221"), ("?E-ORDER=crisis-last", "2422"))
    )
    assert end_of_turn(one) == end_of_turn(other) and end_of_turn(one)[0] > 0
