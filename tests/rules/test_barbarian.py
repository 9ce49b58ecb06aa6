"""The Barbarian phase as a whole (rulebook pages 9 to 11): its order, and its exact chances against a second computation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from math import sqrt

import pytest
from phase_by_hand import EMPERORS, FALLS, Echo, Phase, Table, table_of
from tabletop import MAP, barbarians, faces_of, make_position, random_game

from tetrasolve.errors import IllegalPositionError
from tetrasolve.exact import Distribution
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.position import Phase as TurnPhase
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall, GivenDice, RandomDice

QUIET = faces_of("bithynia")
WORD = dict(zip(Fall, FALLS, strict=True))

HAND_MADE = {
    "nothing on the table": make_position("diocletian", {"diocletian": "asia"}),
    "one revolt": make_position("galerius", {"galerius": "noricum"}, revolts="numidia"),
    "an army before a broken link": make_position("diocletian", {"diocletian": "asia"}, armies="britannia"),
    "one battle": make_position("maximian", {"maximian": "aegyptus"}, armies="libya", unrest="cyrenaica"),
    "an echo without end": make_position(
        "diocletian",
        {"diocletian": "asia", "maximian": "libya"},
        revolts="aegyptus cyrenaica tripolitania numidia caesariensis africa sicilia tingitana syria",
    ),
    "echoes in two regions": make_position(
        "maximian",
        {"maximian": "gaetulia", "galerius": "roma"},
        revolts="tingitana baetica lusitania carthagenensis gallaecia caesariensis numidia",
        armies="libya",
        garrisons={"galerius": "aegyptus"},
    ),
    "domino over broken links": make_position(
        "diocletian",
        {"diocletian": "asia", "galerius": "dacia", "maximian": "sicilia"},
        revolts="pannonia_inferior africa epirus",
        unrest="dacia moesia_superior sicilia lucania cappadocia dalmatia",
    ),
    "three armies in a row": make_position(
        "constantius",
        {"constantius": "sicilia"},
        armies="africa tripolitania cyrenaica",
        revolts="africa tripolitania cyrenaica",
    ),
    "armies that meet": make_position(
        "maximian",
        {"maximian": "cisalpina", "galerius": "noricum", "diocletian": "lugdunensis"},
        armies="narbonensis germania_superior rhaetia",
        revolts="narbonensis germania_superior rhaetia tarraconensis",
        garrisons={"maximian": "etruria dalmatia"},
    ),
    "before the gates": make_position(
        "maximian", {"maximian": "roma"}, armies="etruria lucania", revolts="etruria lucania sicilia"
    ),
    "two battles": make_position(
        "galerius",
        {"maximian": "aegyptus", "galerius": "bithynia", "diocletian": "asia"},
        armies="libya galatia",
        revolts="galatia cyrenaica",
        unrest="cilicia",
        garrisons={"maximian": "tripolitania", "galerius": "bithynia"},
    ),
    "an army on each side": make_position(
        "diocletian",
        {"diocletian": "belgica", "constantius": "lugdunensis"},
        armies="britannia sarmatia gaetulia",
        revolts="germania_superior dacia",
        garrisons={"constantius": "lugdunensis", "diocletian": "belgica"},
    ),
    "few revolts left": make_position(
        "diocletian",
        {"diocletian": "sardinia"},
        revolts="cisalpina lusitania gallaecia tarraconensis narbonensis lugdunensis aquitania rhaetia noricum pannonia_superior "
        "dalmatia thracia macedonia achaia epirus cilicia galatia asia etruria",
        unrest="lucania dacia numidia",
        armies="libya",
    ),
    "few unrest left": make_position(
        "diocletian",
        {"diocletian": "sardinia"},
        unrest="cisalpina lusitania gallaecia tarraconensis narbonensis lugdunensis aquitania rhaetia noricum pannonia_superior "
        "dalmatia thracia macedonia achaia epirus cilicia galatia asia etruria belgica lucania",
        revolts="numidia",
    ),
    "Roma covered": make_position(
        "maximian", {"maximian": "etruria"}, revolts="roma", armies="cisalpina", legal=False
    ).with_disc("cisalpina", "revolt"),
}
# Games at random, left out those whose phase has so many outcomes that they take long
SEEDED = [n for n in range(42) if n not in {0, 4, 6, 7, 9, 14, 15, 21, 23, 36}]


def seeded(number: int) -> Position:
    """A position of a game at random, at the end of one of the first seven turns."""
    turns = 1 + number % 7
    return [p for p in random_game(f"phase {number}", turns, MAP) if p.phase is TurnPhase.BARBARIAN and not p.is_won][
        -1
    ]


QUICK = 12  # of the games, those that always run
FIRST = [*HAND_MADE, *SEEDED[:QUICK]]
POSITIONS = [*FIRST, *(pytest.param(number, marks=pytest.mark.slow) for number in SEEDED[QUICK:])]


@cache
def position_called(name: str | int) -> Position:
    return seeded(name) if isinstance(name, int) else HAND_MADE[name]


@cache
def outcomes(position: Position) -> Distribution[Position | Fall]:
    return rules.outcomes(position)


@cache
def by_hand(position: Position) -> Echo:
    readings = position.ruleset.readings
    phase = Phase(position.board, one_roll=readings["I-CHECK"] == "one-roll", wait=readings["I-FRESH"] == "wait")
    return phase.whole(table_of(position))


def as_table(after: Position | Fall) -> Table | str:
    return table_of(after) if isinstance(after, Position) else WORD[after]


# -- as a whole ------------------------------------------------------------------------------------------------


@pytest.mark.rule("p09-sequence")
def test_the_three_chapters_come_in_their_order():
    """Revolts spread, then the activity is rolled, then armies advance (p. 9).

    The unrest of Rhaetia falls before the activity, which raises Noricum; the army then enters Rhaetia, which is a revolt.
    """
    position = make_position(
        "diocletian",
        {"diocletian": "asia", "maximian": "rhaetia"},
        revolts="noricum",
        unrest="rhaetia",
        armies="germania_magna libya persia",
        barbarian=True,
    )
    after = barbarians(position, *faces_of("noricum"), 4, 3)

    # had the army come first it would have met Maximian: the dice of a battle would be missing
    assert after.emperors["maximian"] is None
    assert after.revolts == {"noricum", "rhaetia", "pannonia_superior", "pannonia_inferior", "aegyptus"}
    assert set(after.armies) == {"rhaetia", "aegyptus", "persia"}


@pytest.mark.rule("p07-turn-order", "p07-two-phases", "p09-each-turn", "p07-ip")
@pytest.mark.parametrize(("mover", "following"), list(zip(EMPERORS, [*EMPERORS[1:], EMPERORS[0]], strict=True)))
def test_the_next_emperor_begins_with_six_ip(mover, following):
    """Each Emperor's turn is followed by the next one's: Diocletian, Galerius, Constantius, Maximian, and again (p. 7)."""
    after = barbarians(make_position(mover, {mover: "roma"}, barbarian=True), *QUIET)

    assert (after.to_move, after.phase, after.ip) == (following, TurnPhase.ROMAN, 6)


@pytest.mark.program
def test_fleets_and_ruleset_do_not_change():
    """The Barbarian phase moves no fleets (p. 9)."""
    position = position_called("echoes in two regions")

    for after in outcomes(position):
        assert isinstance(after, Fall) or (after.fleets, after.ruleset) == (position.fleets, position.ruleset)


@pytest.mark.program
def test_emperors_who_share_a_province_cannot_end_the_turn():
    """Without a Roman phase that could end there is no Barbarian phase (p. 7)."""
    shared = make_position("maximian", {"maximian": "roma", "galerius": "roma"})

    with pytest.raises(IllegalPositionError, match="roma: two Emperors"):
        rules.outcomes(shared)


# -- exact chances ---------------------------------------------------------------------------------------------


@pytest.mark.program
@pytest.mark.parametrize(
    ("names", "least"),
    [(FIRST, 25), pytest.param([*HAND_MADE, *SEEDED], 40, marks=pytest.mark.slow)],
    ids=["first", "all"],
)
def test_there_are_enough_positions_to_compare(names, least):
    """The comparison below is made on more than forty positions, with and without armies, echoes, unrest, falls."""
    positions = [position_called(name) for name in names]

    assert len(set(positions)) >= least
    assert {len(p.armies) for p in positions} == {0, 1, 2, 3}
    assert sum(bool(p.unrest) for p in positions) >= 10
    falling = (p for p in positions if any(isinstance(after, Fall) for after in outcomes(p)))
    assert len(list(islice(falling, 5))) == 5


@pytest.mark.sampled(2)
@pytest.mark.program
@pytest.mark.parametrize("name", POSITIONS)
def test_outcomes_are_those_of_a_second_computation(name):
    """Every outcome has exactly the chance that the computation by hand gives it, and their sum is 1."""
    position = position_called(name)
    found = {as_table(after): weight for after, weight in outcomes(position).items()}
    expected = by_hand(position)

    assert sum(found.values()) == 1
    assert found == expected.ends


@pytest.mark.sampled(3)
@pytest.mark.program
@pytest.mark.parametrize("name", POSITIONS)
def test_figures_are_those_of_the_outcomes(name):
    """The figures of a phase are what its outcomes add up to, or what was counted by hand on the way."""
    position = position_called(name)
    figures = rules.figures(position)
    ends = outcomes(position)
    hand = by_hand(position)
    standing = [(after, weight) for after, weight in ends.items() if isinstance(after, Position)]

    assert figures.p_lost == 1 - sum(weight for _, weight in standing)
    assert figures.e_revolts == sum(weight * len(after.revolts) for after, weight in standing)
    assert figures.outcomes == len(standing) + (figures.p_lost > 0)
    assert figures.p_new_army == hand.army
    assert figures.e_uprisings == hand.uprisings
    assert figures.p_uprising <= figures.e_uprisings


@pytest.mark.program
def test_chance_of_an_uprising_counted_by_hand():
    """The chance of an uprising is that of rolling a revolt: the spreading first, then 1/36 for each outside Italia (p. 10)."""
    position = HAND_MADE["domino over broken links"]
    # pannonia_inferior, africa and moesia_superior and dalmatia (normal links) are in revolt for certain; dacia with 3/4;
    # cappadocia has no revolt beside it; epirus is a revolt; lucania and sicilia lie in Italia
    assert rules.figures(position).p_uprising == (Fraction(5) + Fraction(3, 4)) / 36


@pytest.mark.sampled(2)
@pytest.mark.choice("I-CHECK", "I-FRESH")
@pytest.mark.parametrize(
    "readings", [{"I-CHECK": "one-roll"}, {"I-FRESH": "wait"}, {"I-CHECK": "one-roll", "I-FRESH": "wait"}]
)
@pytest.mark.parametrize("name", ["domino over broken links", "echoes in two regions", "an army on each side", 5, 11])
def test_outcomes_under_other_readings(name, readings):
    """The second computation agrees when checks are shared or new armies wait [I-CHECK] [I-FRESH]."""
    position = position_called(name)
    position = position.replace(ruleset=position.ruleset.with_readings(readings.items()))

    assert {as_table(after): weight for after, weight in outcomes(position).items()} == by_hand(position).ends


# -- dice ------------------------------------------------------------------------------------------------------


def every_roll(position: Position, deepest: int) -> Iterator[tuple[Position | Fall | None, Fraction]]:
    """Every sequence of faces that a phase can take up to this number of dice, through `rules.sample` itself.

    None stands for what needs more dice.
    """
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        faces = waiting.pop()
        dice = GivenDice(faces)
        try:
            after = rules.sample(position, dice)
        except LookupError:
            if len(faces) == deepest:
                yield None, Fraction(1, 6**deepest)
            else:
                waiting.extend((*faces, face) for face in range(1, 7))
            continue
        assert dice.left == 0
        yield after, Fraction(1, 6 ** len(faces))


@pytest.mark.program
@pytest.mark.parametrize(
    ("name", "deepest"),
    [
        ("nothing on the table", 2),
        ("one revolt", 4),
        ("an army before a broken link", 3),
        ("one battle", 4),
        ("an echo without end", 4),
    ],
)
def test_sampling_follows_the_exact_chances(name, deepest):
    """All sequences of faces together, each with chance 1/6 a die, are the exact distribution; what is cut off bounds it."""
    position = HAND_MADE[name]
    counted: dict[Position | Fall, Fraction] = {}
    cut = Fraction(0)
    for after, weight in every_roll(position, deepest):
        if after is None:
            cut += weight
        else:
            counted[after] = counted.get(after, Fraction(0)) + weight
    exact = outcomes(position)

    assert sum(counted.values()) + cut == 1
    assert cut < Fraction(1, 10)
    assert all(exact[after] - cut <= weight <= exact[after] for after, weight in counted.items())
    if not cut:
        assert counted == dict(exact.items())


@pytest.mark.sampled(3)
@pytest.mark.program
@pytest.mark.parametrize(
    "name", ["domino over broken links", "armies that meet", "two battles", "echoes in two regions", 11, 17]
)
def test_sampled_frequencies(name):
    """Frequencies of 500 sampled phases lie within five standard deviations of their exact chances.

    The seeds are fixed, so the test gives the same answer each time. With other seeds a single frequency of fair dice would be out
    with chance below 1 in a million, and any of them with chance below 1 in 3,000.
    """
    position = position_called(name)
    exact = outcomes(position)
    size = 500
    seen = Counter(rules.sample(position, RandomDice(f"{name} {seed}")) for seed in range(size))

    assert set(seen) <= set(exact)
    weights = [(after, float(weight)) for after, weight in exact.items()]
    events = [
        lambda after: isinstance(after, Fall),
        *(lambda after, n=n: isinstance(after, Position) and len(after.armies) == n for n in range(4)),
        *(lambda after, n=n: isinstance(after, Position) and len(after.revolts) == n for n in range(22)),
        *(lambda after, e=e: isinstance(after, Position) and after.emperors[e] is None for e in EMPERORS),
        *(
            lambda after, r=r: isinstance(after, Position) and any(MAP[p].region == r for p in after.unrest)
            for r in range(7)
        ),
    ]
    for event in events:
        p = sum(weight for after, weight in weights if event(after))
        times = sum(count for after, count in seen.items() if event(after))
        if size * p < 5:
            assert times < 30  # rarer than the normal law describes
        else:
            assert abs(times - size * p) <= 5 * sqrt(size * p * max(0, 1 - p)) + 1e-6


@pytest.mark.program
def test_the_same_dice_give_the_same_phase():
    """Dice that were written down replay what was rolled."""
    position = HAND_MADE["armies that meet"]
    dice = RandomDice("replay")
    after = rules.sample(position, dice)

    assert barbarians(position, *dice.rolled) == after


@pytest.mark.program
def test_too_few_dice_are_an_error_that_says_what_is_missing():
    """A phase that lacks dice is not finished by guessing."""
    with pytest.raises(LookupError, match="activity: province"):
        rules.sample(HAND_MADE["one revolt"], GivenDice([3]))
