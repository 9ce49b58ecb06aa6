"""Both engines on the same positions of the Roman phase: whatever one says, the other has to say."""

from collections import Counter
from random import Random

import pytest
from scatter import RECIPES, any_readings, scattered, state_of
from tabletop import MAP

from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.action import END, Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import RandomDice
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS, all_levels

LEVELS = list(all_levels())
SHARES = (125, 1_250)  # different positions of each level, in the quick form and in the slow one
APART = 4  # of each kind of position made for what is rare
LEAST = (1, 15)  # of these with each kind of action and outcome
MOST_RARE = (2, 0)  # kinds and outcomes of which a level may have fewer; other levels have them
BOARDS = (Board.standard(), MAP)
BASE_KINDS = set(Kind) - {Kind.DEPLOY, Kind.TRANSFER, Kind.IMPERIUM}  # these belong to modules: test_modules.py


def compare(engine, position, met):
    """Hold the engines against each other on one position, and count what it has; the reference successors."""
    board = position.board
    state = fast.to_state(position)
    assert state == state_of(position)
    assert fast.to_position(state, board, position.ruleset) == position
    actions = rules.legal_actions(position)
    codes = [fast.to_code(action, board) for action in actions]
    assert sorted(codes) == engine.legal(state), position
    may_end = rules.may_end(position)
    assert may_end == engine.may_end(state), position
    if may_end:
        actions, codes = (*actions, END), (*codes, kernel.END)
    successors = []
    for action, code in zip(actions, codes, strict=True):
        assert rules.cost(position, action) == engine.cost(state, code), (position, action)
        after, kernel_after = rules.play(position, action), engine.play(state, code)
        if isinstance(after, Position):
            assert state_of(after) == kernel_after, (position, action)
            successors.append(after)
        else:
            assert kernel_after.result == kernel.FALLEN, (position, action)
    met.update(action.kind for action in actions)
    met.update(action.outcome for action in actions)
    met["passing"] += position.is_shared
    met["stuck"] += not actions
    met["fall"] += len(actions) - len(successors)
    return successors


def start_somewhere(level, random):
    """A position that a game begins with, or one scattered over the map, with the number of steps to play from there."""
    ruleset = any_readings(level, random) if random.random() < 0.4 else level
    board = random.choice(BOARDS)
    if random.random() < 0.2:
        return rules.random_set_up(ruleset, random.random(), board=board), 200
    return scattered(random.choice((*RECIPES, "invasion", "invasion", "invasion")), ruleset, random, board), 4


def go_on(position, successors, random):
    """One of the successors, with a liking for those where something was done; None where there is none."""
    worked = [after for after in successors if after.discs != position.discs or after.armies != position.armies]
    liked = worked if worked and random.random() < 0.4 else successors
    return random.choice(liked) if liked else None


def rolled(engine, position, rng):
    """The position after a Barbarian phase that the kernel rolls, which is quicker; None after a fall."""
    after = engine.sample(fast.to_state(position), rng)
    return None if after.result == kernel.FALLEN else fast.to_position(after, position.board, position.ruleset)


def test_the_shares_make_a_hundred_thousand():
    """The levels together compare at least 100,000 positions."""
    assert len(set(LEVELS)) == 81
    assert SHARES[True] * len(LEVELS) >= 100_000
    assert SHARES[False] * len(LEVELS) >= 10_000  # in the quick form


@pytest.mark.sampled(6)
@pytest.mark.parametrize("is_long", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["short", "long"])
@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_both_engines_say_the_same_of_the_roman_phase(level, is_long):
    """Legal actions, their costs, stopping and every successor are equal in both engines, at each level and in every reading."""
    share, least = SHARES[is_long], LEAST[is_long]
    random = Random(f"roman phase {level}")
    rng = kernel.Rng(random.getrandbits(64))
    compared = set()
    met = Counter()
    while len(compared) < share:
        position, steps = start_somewhere(level, random)
        engine = fast.kernel_for(position.board, position.ruleset)
        for _ in range(steps):
            if position is None or position.is_won or len(compared) == share:
                break
            if position.phase is Phase.BARBARIAN:
                position = rolled(engine, position, rng)
                continue
            compared.add(position)
            position = go_on(position, compare(engine, position, met), random)
    assert len(compared) == share
    for make in (on_the_last_revolt, before_a_border, before_roma, on_a_border):
        for _ in range(APART):
            compare(fast.kernel_for(MAP, level), make(level, random), met)
    can_sail = level.fleets < len(Board.standard().zones)
    counted = (kind for kind in (*BASE_KINDS, *Outcome, "passing") if can_sail or kind is not Kind.SAIL)
    rare = {what: met[what] for what in counted if met[what] < least}
    assert len(rare) <= MOST_RARE[is_long], f"too few to say that the engines agree on them: {rare}"


def on_the_last_revolt(ruleset, random):
    """An Emperor on a revolt while every unrest lies on the board, or all but one or two."""
    position = scattered(random.choice(("no unrest", "no place for unrest")), ruleset, random, MAP)
    taken = {*position.emperors.values(), *position.armies, *position.unrest, *MAP.borders}
    place = random.choice([name for name in MAP.ids if name not in taken])
    standing = position.with_disc(place, "revolt").with_emperor(position.to_move, place)
    return standing.replace(ip=random.randint(1, 6))


def test_a_fall_by_reducing_is_one_in_both():
    """Where [I-RESERVE] lets a revolt be reduced without unrest left, reducing is a fall in both engines, and only there."""
    met = Counter()
    random = Random("falls in the Roman phase")
    for trial in range(400):
        ruleset = random.choice(LEVELS).with_readings([("I-RESERVE", "falls" if trial % 2 else "illegal")])
        position = on_the_last_revolt(ruleset, random)
        before = met["fall"]
        compare(fast.kernel_for(MAP, ruleset), position, met)
        assert met["fall"] - before == (trial % 2 and position.reserve_unrest == 0)
    assert met["fall"] >= 80
    assert met[Kind.REDUCE] - met["fall"] >= 80


def before_a_border(ruleset, random):
    """An Emperor beside an army on a border that most of the revolts are linked to, none of them under it."""
    revolts = [name for name in ("belgica", *MAP.members(2), *MAP.members(3)) if random.random() < 0.8]
    position = scattered("quiet", ruleset, random, MAP)
    away = ("belgica", "britannia")
    others = {name: None if place in away else place for name, place in position.emperors.items()}
    return position.replace(
        armies=("britannia",),
        emperors=others | {position.to_move: "belgica"},
        discs=dict.fromkeys(revolts, "revolt"),
        ip=6,
    )


def before_roma(ruleset, random):
    """An Emperor between an army and Roma, where the garrison of another lies."""
    position = scattered("quiet", ruleset, random, MAP)
    away = ("etruria", "cisalpina")
    others = {name: None if place in away else place for name, place in position.emperors.items()}
    owner = random.choice([name for name in others if name != position.to_move])
    return position.replace(
        armies=("cisalpina",),
        emperors=others | {position.to_move: "etruria"},
        discs={"roma": owner, "cisalpina": "revolt"},
        ip=6,
    )


def on_a_border(ruleset, random):
    """An Emperor on a secured border, beside an army."""
    position = scattered("quiet", ruleset, random, MAP)
    away = ("belgica", "britannia")
    others = {name: None if place in away else place for name, place in position.emperors.items()}
    return position.replace(
        armies=("belgica",),
        emperors=others | {position.to_move: "britannia"},
        discs={"britannia": random.choice(list(position.emperors)), "belgica": "revolt"},
        ip=6,
    )


ROMAN_READINGS = [
    (reading.name, value)
    for reading in KERNEL_READINGS.values()
    if reading.rule.startswith(("Roman phase", "Battle")) and not reading.needs and not reading.whole
    for value in list(reading.played)[1:]
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("name", "other"), ROMAN_READINGS)
def test_another_reading_would_be_seen(name, other):
    """A kernel that reads one sentence of the Roman phase in another way does not pass the comparison."""
    random = Random(f"seen {name}")
    level = LEVELS[40]
    wrong = fast.kernel_for(MAP, level.with_readings([(name, other)]))
    positions = [scattered(recipe, level, random, MAP) for recipe in RECIPES for _ in range(150)]
    positions += [make(level, random) for make in (on_the_last_revolt, before_a_border, before_roma) for _ in range(50)]
    with pytest.raises(AssertionError):
        for position in positions:
            compare(wrong, position, Counter())


def test_whole_games_of_the_reference():
    """In games whose Barbarian phases the reference rolls, too, the engines agree at every step."""
    met = Counter()
    for level in LEVELS[::4]:
        dice, random = RandomDice(f"whole game {level}"), Random(str(level))
        position = rules.random_set_up(level, str(level))
        engine = fast.kernel_for(position.board, level)
        for _ in range(120):
            if not isinstance(position, Position) or position.is_won:
                break
            if position.phase is Phase.BARBARIAN:
                position = rules.sample(position, dice)
                met["phases"] += 1
            else:
                position = go_on(position, compare(engine, position, met), random)
    assert met["phases"] > 100
