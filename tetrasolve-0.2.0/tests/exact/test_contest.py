"""Games of two players against each other and chance, where the play can return to a state."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from tetrasolve.exact import Distribution, absorb
from tetrasolve.exact.chain import NotAbsorbingError
from tetrasolve.exact.choices import Chance, End
from tetrasolve.exact.contest import MixedCycleError, Pick, TooManyStatesError, optimum
from tetrasolve.stop import Stop, Stopped

NOTHING = Fraction(0)


def a_game(random, states, *, both):
    """Nodes 0 to `states`: rolls and picks that lead anywhere, ends behind; a roll may always end."""
    nodes = {}
    for state in range(states):
        others = [random.randrange(states) for _ in range(random.randint(2, 3))]
        if random.random() < 0.5:
            nodes[state] = Chance(Distribution.uniform([*others, ("end", random.randrange(5))]))
        else:
            later = [max(other, state + 1) if both else other for other in others]  # with two players no way back
            later = [other if other < states else ("end", random.randrange(5)) for other in later]
            gains = [Fraction(random.randrange(3), 4) for _ in later]
            rolls = [("roll", other) if isinstance(other, int) else other for other in later]
            options = {str(number): pair for number, pair in enumerate(zip(gains, rolls, strict=True))}
            nodes[state] = Pick(options, most=random.random() < 0.5 if both else True)
    if both:
        for state, node in nodes.items():
            if isinstance(node, Chance):
                kept = [other if not isinstance(other, int) or other > state else ("end", 1) for other in node.outcomes]
                nodes[state] = Chance(Distribution.uniform(kept))
    return nodes


def node_in(nodes):
    """The game as a function; before each picked state there is a roll that may end, so that the play ends."""

    def node(state):
        if isinstance(state, tuple) and state[0] == "roll":
            return Chance(Distribution.uniform([state[1], ("end", 2)]))
        return End(Fraction(state[1])) if isinstance(state, tuple) else nodes[state]

    return node


def value_of(nodes, start, picked):
    """The expected sum of gains and the end, where each pick takes the option of this number."""
    node = node_in(nodes)

    def row(state):
        found = node(state)
        if isinstance(found, Chance):
            return found.outcomes
        if isinstance(found, Pick):
            return Distribution.point(list(found.options.values())[picked[state]][1])
        return None

    passed = absorb(start, row)
    gained = sum(
        (
            visits * list(nodes[state].options.values())[picked[state]][0]
            for state, visits in passed.visits.items()
            if state in picked
        ),
        NOTHING,
    )
    return gained + passed.ends.expectation(lambda end: Fraction(end[1]))


def every_policy(nodes, most):
    """Each way to pick of the players who want the most, or of the others."""
    picks = {state: len(node.options) for state, node in nodes.items() if isinstance(node, Pick) and node.most is most}
    for chosen in product(*map(range, picks.values())):
        yield dict(zip(picks, chosen, strict=True))


@pytest.mark.parametrize("both", [False, True])
def test_the_value_is_that_of_all_policies(both):
    """The largest that one player reaches against every answer of the other."""
    random = Random(f"games {both}")
    for _ in range(60):
        nodes = a_game(random, 5, both=both)
        best = max(
            min(value_of(nodes, 0, mine | yours) for yours in every_policy(nodes, most=False))
            for mine in every_policy(nodes, most=True)
        )
        found = optimum(0, node_in(nodes))
        assert found.values[0] == best
        picked = {state: list(nodes[state].options).index(name) for state, name in found.picks.items()}
        full = picked | {state: 0 for state, node in nodes.items() if isinstance(node, Pick) and state not in picked}
        assert value_of(nodes, 0, full) == best


def test_of_equal_options_the_first_is_taken():
    nodes = {0: Pick({"a": (NOTHING, ("end", 1)), "b": (NOTHING, ("end", 1))})}
    assert optimum(0, node_in(nodes)).picks == {0: "a"}


def test_two_players_who_lead_each_other_back_are_refused():
    def node(state):
        if state == "end":
            return End(NOTHING)
        return Pick({"on": (NOTHING, "b" if state == "a" else "a"), "end": (NOTHING, "end")}, most=state == "a")

    with pytest.raises(MixedCycleError):
        optimum("a", node)


def test_a_play_that_need_not_end_is_refused():
    with pytest.raises(NotAbsorbingError):
        optimum("a", lambda _: Pick({"on": (NOTHING, "a")}))


def test_limits():
    nodes = {state: Chance(Distribution.uniform([state + 1, ("end", 1)])) for state in range(9)} | {9: End(NOTHING)}
    assert len(optimum(0, node_in(nodes), most_states=11).values) == 11
    with pytest.raises(TooManyStatesError):
        optimum(0, node_in(nodes), most_states=10)
    with pytest.raises(Stopped):
        optimum(0, node_in(nodes), stop=Stop(0))
    with pytest.raises(ValueError, match="at least one option"):
        Pick({})
