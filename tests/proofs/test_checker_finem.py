"""The checker's rules of the second game against the reference rules, on games at random under all rulesets."""

from __future__ import annotations

import itertools
from random import Random

import checker
import pytest
from finem import map as checker_map
from finem import position as checker_position
from finem import rules as checker_rules
from finem.position import READINGS as CHECKER_READINGS
from tablefinem import ALL_RULESETS, table
from text import Unreadable

from tetrasolve.finem import rules
from tetrasolve.finem.layout import NUMBER, REGIONS, layout
from tetrasolve.finem.position import Position
from tetrasolve.finem.ruleset import KERNEL_READINGS, Ruleset

MAP = checker_map.read_map(next(path for path in checker.BOARDS if checker_map.is_map(path)))


@pytest.mark.parametrize("border", ["flat", "gap", "skip"])
def test_adjacencies(border: str) -> None:
    for cards in ((), tuple(Random(3).sample(REGIONS, 24))):
        near = layout(cards, border).neighbours
        expected = tuple(tuple(NUMBER[other] for other in near[region]) for region in REGIONS)
        assert MAP.adjacent(border, cards) == expected


def test_readings_are_those_of_the_library() -> None:
    assert {name: reading.played for name, reading in KERNEL_READINGS.items()} == CHECKER_READINGS


@pytest.mark.sampled(3)
@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_what_can_come_and_what_follows(ruleset: str) -> None:
    random, compared = Random(ruleset), 0
    for seed in range(3):
        state = rules.random_set_up(Ruleset.from_text(ruleset), seed)
        while isinstance(state, Position):
            mine = checker_position.read_state(str(state), MAP)
            assert checker_position.write_state(mine) == str(state)
            options = rules.node(state).options
            assert sorted(checker_rules.choices(mine)) == sorted(options)
            for option in random.sample(options, min(3, len(options))):
                found = checker_rules.after(mine, option)
                after = rules.take(state, option)
                assert (found if isinstance(found, str) else checker_position.write_state(found)) == str(after)
                compared += 1
            state = after
    assert compared > 100


@pytest.mark.parametrize("readings", ["", ",E-ERADICATE=own", ",E-ERADICATE=always"])
def test_what_follows_a_civil_war_that_has_brought_a_tribe_back_without_a_cube(readings: str) -> None:
    """[E-CIVIL] die: whether its die goes again depends on E-ERADICATE."""
    line = f"introductory?E-CIVIL=die{readings} prefect C7/C7/E5 1511/O 4/1 C7:C2.B7:B1 act:4 -"
    state, mine = Position.parse(line), checker_position.read_state(line, MAP)
    for option in rules.node(state).options:
        found = checker_rules.after(mine, option)
        assert isinstance(found, checker_position.State)
        assert checker_position.write_state(found) == str(rules.take(state, option))


LINE = "standard tribune C7/C7/E5 1241/E 3/2 C7:C3.CS:O1C2.E5:E2 act:4 -"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("standard", "normal"),
        ("standard", "standard+cap3+sphere"),
        ("standard", "standard?E-WIN=at-once"),
        ("standard", "standard?E-WIN=phase,E-OVER=lost"),
        ("standard", "standard@" + "E5" * 24),
        ("standard", "expert"),
        ("tribune", "tribun"),
        ("C7/C7/E5", "C7/C7"),
        ("1241/E", "1271/E"),
        ("1241/E", "1241/EO"),
        ("1241/E", "1241/"),
        ("3/2", "3/02"),
        ("C7:C3.CS:O1C2", "CS:O1C2.C7:C3"),
        ("C7:C3", "C7:C4"),
        ("CS:O1C2", "CS:C2O1"),
        ("act:4", "act:5"),
        ("act:4", "wait:4"),
        (" -", " E5.E5"),
        (" -", " - quiet hand=E5"),
        (" -", " - hand"),
        (" -", ""),
    ],
)
def test_a_position_that_is_written_otherwise_is_unreadable(old: str, new: str) -> None:
    checker_position.read_state(LINE, MAP)
    assert LINE.count(old) >= 1
    with pytest.raises(Unreadable):
        checker_position.read_state(LINE.replace(old, new, 1), MAP)


def test_chains_cube_by_cube_in_every_order() -> None:
    """What the two gifts of the local cases stand for: whole chains, in orders of all kinds, end alike."""
    random = Random(7)
    for _ in range(200):
        counts = {region: random.choice((0, 2, 3, 3)) for region in REGIONS}
        near, ends = layout().neighbours, set()
        for order in range(8):
            ends.add(carried_out(dict(counts), near, random.choice(REGIONS[:1]), Random(order)))
        assert len(ends) == 1


def carried_out(counts: dict[str, int], near: object, first: str, random: Random) -> tuple[object, ...]:
    """The map after a chain in a random order, and its outbreaks."""
    counts[first] = 3
    chain, gifts = {first}, [(first, other) for other in near[first]]  # type: ignore[index]
    while gifts:
        _, taker = gifts.pop(random.randrange(len(gifts)))
        if taker in chain:
            continue
        if counts[taker] < 3:
            counts[taker] += 1
        else:
            chain.add(taker)
            gifts += [(taker, other) for other in near[taker]]  # type: ignore[index]
    return (*sorted(counts.items()), len(chain))


def test_the_facts_of_a_first_turn_hold_of_starts_at_random() -> None:
    """What is proved of every start: the four actions win with E-PACIFY=free; some cards lose it."""
    for seed, level in itertools.product(range(5), ("introductory", "expert+corner+sphere+cap3")):
        state = rules.random_set_up(Ruleset.from_text(f"{level}?E-PACIFY=free"), seed)
        for tribe in "OCEB":
            state = rules.take(state, f"pacify {tribe}")
        assert str(state) == "won"


def test_a_position_in_which_every_card_of_an_invasion_loses() -> None:
    """One with the fewest cubes, with three cards out; a cube less, and a card does not lose."""
    full = ".".join(f"{tribe}{rank}:{tribe}3" for tribe in "CEB" for rank in "567S")
    three = ".".join(f"O{rank}:O3" for rank in "567")
    words = {"tracks": "3/3", "step": "invade:2", "more": "OS.OC.OR"}
    doomed = table(cubes=f"{three}.{full}", **words)
    assert sum(map(sum, doomed.cubes)) == 45
    assert all(str(rules.take(doomed, card)).startswith("lost") for card in rules.node(doomed).options)
    spared = table(cubes=f"{three.replace('O5:O3', 'O5:O2')}.{full}", **words)
    assert any(isinstance(rules.take(spared, card), Position) for card in rules.node(spared).options)
