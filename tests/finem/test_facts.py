"""Facts about the second game, by a second way: the library's values against plain counts and games."""

from __future__ import annotations

from itertools import product
from random import Random

import networkx
import pytest

from tetrasolve.claims.checking import stale
from tetrasolve.claims.fact import facts_of, read_value
from tetrasolve.errors import BoardError
from tetrasolve.finem import rules
from tetrasolve.finem.facts import chains, dice, tempo
from tetrasolve.finem.facts.families import CLAIMS
from tetrasolve.finem.facts.subject import read_subject, standard_index
from tetrasolve.finem.layout import REGIONS, TRIBES, layout
from tetrasolve.finem.position import Phase, Position, Result
from tetrasolve.finem.ruleset import Ruleset

QUICK = [name for name, topic in CLAIMS.topics().items() if topic.effort <= 1]


@pytest.mark.parametrize("name", QUICK)
def test_the_index_has_what_the_library_derives(name: str) -> None:
    index, topic = standard_index(), CLAIMS.topics()[name]
    facts = facts_of(topic, read_subject().board)

    assert [fact.id for fact in facts] == [entry.id for entry in index.entries if entry.topic.id == name]
    assert all(index.by_id[fact.id].says(fact) for fact in facts)


def test_the_index_is_of_this_table_and_these_topics() -> None:
    assert stale(standard_index(), read_subject(), CLAIMS.proofs_folder()) == []


def test_another_table_is_refused(tmp_path) -> None:
    path = tmp_path / "game.toml"
    path.write_text("[map]\nrows = 1\n", "ascii")
    with pytest.raises(BoardError, match="no table of the game"):
        read_subject(str(path))


@pytest.mark.parametrize("border", ["flat", "gap", "skip"])
def test_no_chain_at_random_is_longer_than_the_longest(border: str) -> None:
    """With twelve cubes, anywhere."""
    near, random = layout((), border).neighbours, Random(border)
    values = standard_index().by_id[f"longest/{border}"].values
    longest = 0
    for _ in range(3000):
        counts = dict.fromkeys(REGIONS, 0)
        place = random.choice(REGIONS)
        for _ in range(12):
            for _ in range(random.randrange(3)):
                place = random.choice(near[place])
            counts[place] = min(3, counts[place] + 1)
        first = max(counts, key=lambda region: counts[region])
        if counts[first] == 3:
            longest = max(longest, len(networkx_chain(near, counts, first)))
    assert 2 <= longest <= int(values["regions"])


@pytest.mark.parametrize("border", ["flat", "gap", "skip"])
def test_the_example_of_the_longest_chain_needs_no_more_cubes_than_the_fact_says(border: str) -> None:
    """Every way to put so many cubes on its regions is played; with one cube fewer no way of them is a chain of that length."""
    near, values = layout((), border).neighbours, standard_index().by_id[f"longest/{border}"].values
    regions = [word.upper() for word in values["example"].split(".")]
    cubes = int(values["cubes"])
    assert len(regions) == int(values["regions"])
    assert is_chain(near, regions, cubes)
    assert not is_chain(near, regions, cubes - 1)


def is_chain(near, regions, cubes):
    """Whether so many cubes on some regions can have their outbreaks in one chain."""
    ways = [way for way in product(range(4), repeat=len(regions)) if sum(way) == cubes]
    starts = [
        (dict.fromkeys(REGIONS, 0) | dict(zip(regions, way, strict=True)), first) for way in ways for first in regions
    ]
    return any(counts[first] == 3 and networkx_chain(near, counts, first) == {*regions} for counts, first in starts)


def networkx_chain(near, counts, first):
    """The regions of a chain by the least fixed point: those with more than three cubes together."""
    chain = {first}
    while True:
        made = networkx.Graph([(one, other) for one in REGIONS for other in near[one]])
        more = {
            r for r in REGIONS if r not in chain and counts[r] + len(chain & set(made[r])) > 3 and chain & set(made[r])
        }
        if not more:
            return chain
        chain |= more


def test_a_step_is_what_the_rules_do() -> None:
    assert chains.step({"a": chains.IN, "r": 2}, "a", "r")["r"] == 3
    assert chains.step({"a": chains.IN, "r": 3}, "a", "r")["r"] == chains.IN
    assert chains.step({"a": chains.IN, "r": chains.SPARED}, "a", "r")["r"] == chains.SPARED


@pytest.mark.parametrize("text", ["introductory", "standard", "standard?E-PACIFY=action", "standard?E-ELEVEN=open"])
def test_games_at_random_stay_within_the_ways_of_the_dice(text: str) -> None:
    """The relaxation has every state at the beginning of a turn that a game reaches, and not later."""
    ruleset = Ruleset.from_text(text)
    first = {dice._alike(state): turn for turn, state in dice.reached(ruleset)}
    seen = 0
    for seed in range(25):
        random, state, turn = Random(seed), rules.random_set_up(ruleset, seed), 1
        while isinstance(state, Position):
            was = state.phase
            state = rules.take(state, random.choice(rules.node(state).options))
            if isinstance(state, Position) and was is Phase.ROLE:
                turn += 1
                if 0 not in state.dice:
                    pacified = frozenset(state.pacified)
                    assert first[dice._alike((state.dice, pacified))] <= turn
                    seen += 1
    assert seen > 50


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", tempo.WINS)
def test_a_won_game_takes_as_many_turns_as_it_says(name: str) -> None:
    text = tempo.WINS[name]
    turns, _, words = tempo.won_game(text)
    state = rules.set_up(Ruleset.from_text(text), tempo.KIND_START)
    number = 1
    for word in words:
        was = state
        state = rules.take(state, word)
        number += isinstance(was, Position) and was.phase is Phase.ROLE
    assert state == Result("won")
    assert number == turns == read_value(standard_index().by_id[f"win-soonest/{name}"].values["turns"])


def test_every_start_at_random_can_be_lost_in_its_first_turn() -> None:
    for seed in range(30):
        level = Random(seed).choice(
            ("introductory", "standard", "expert+corner+sphere+cap3", "standard?E-SETUP=twelve")
        )
        state = rules.random_set_up(Ruleset.from_text(level), seed)
        threes = [region for region in REGIONS if state.count(region, region[0]) == 3][:2]
        third = next(region for region in REGIONS if state.count(region, region[0]) and region not in threes)
        suit = next(t for t in TRIBES if sum(card[0] == t for card in (*threes, third)) <= 3)
        hand = [card for card in REGIONS if card[0] == suit and card not in (*threes, third)][:3]
        for option in ("pass", *hand, third, *threes):
            state = state if isinstance(state, Result) else rules.take(state, option)
        assert isinstance(state, Result)
        assert not state.is_won
