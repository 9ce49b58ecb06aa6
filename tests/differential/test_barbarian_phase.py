"""Both engines on the same Barbarian phases: the reference in exact fractions, the kernel in doubles."""

from collections import Counter
from dataclasses import fields
from itertools import cycle, islice
from math import erfc, sqrt
from random import Random

import pytest
from scatter import RECIPES, any_readings, scattered, state_of, ways_through
from tabletop import MAP

from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, Figures
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS, all_levels

LEVELS = list(all_levels())
SHORT, LONG = 5, 27  # chunks of levels that always run, and those that take their time
SHARE = 48  # positions of each chunk
APART = 4  # positions of each chunk for each order of armies
LARGEST = 1_000  # ways through a phase that the kernel counts: the reference takes a tenth of a millisecond for each
EACH_CHANCE, EACH_FIGURE = 1e-12, 1e-11
LEAST = 2  # positions of each chunk with each feature

FEATURES = {
    "an army before a broken link": lambda p: any(_link(p, army).broken for army in _marching(p)),
    "an Emperor in the way": lambda p: any(p.emperors_at(p.board[army].arrow) for army in _marching(p)),
    "an army behind another": lambda p: any(p.board[army].arrow in p.armies for army in p.armies),
    "several armies": lambda p: len(p.armies) >= 2,
    "unrest across a broken link from a revolt": lambda p: any(
        link.broken and p.has_revolt(name) for place in p.unrest for name, link in p.board.neighbours(place).items()
    ),
    "unrest linked to a revolt": lambda p: any(
        not link.broken and p.has_revolt(name) for place in p.unrest for name, link in p.board.neighbours(place).items()
    ),
    "an Emperor on a revolt": lambda p: any(place in p.revolts for place in p.emperors.values()),
    "a border where no army can arrive": lambda p: bool(p.revolts) and any(not p.is_empty(b) for b in p.board.borders),
    "four secured borders": lambda p: bool(p.revolts) and p.reserve_armies > 0 and len(p.secured) >= 4,
    "no army in the reserve": lambda p: p.reserve_armies == 0,
    "at most two revolts in the reserve": lambda p: p.reserve_revolts <= 2,
    "no unrest in the reserve": lambda p: p.reserve_unrest == 0,
}


def _marching(position):
    return [army for army in position.armies if position.board[army].arrow not in position.armies]


def _link(position, army):
    return position.board.link(army, position.board[army].arrow)


def compare(engine, position, met):
    """Hold the engines against each other on one Barbarian phase, and count what it has."""
    solved = rules.solve(position)
    state = fast.to_state(position)
    listed = engine.outcomes(state)
    chances = {after: chance for after, chance in listed if after.result != kernel.FALLEN}
    lost = [chance for after, chance in listed if after.result == kernel.FALLEN]
    assert len(listed) == len(chances) + len(lost), position
    expected = {state_of(after): chance for after, chance in solved.ends.items() if isinstance(after, Position)}
    assert chances.keys() == expected.keys(), position
    far = [after for after, chance in expected.items() if abs(chances[after] - chance) > EACH_CHANCE]
    assert not far, position
    falls = {after: chance for after, chance in solved.ends.items() if isinstance(after, Fall)}
    assert len(lost) == (1 if falls else 0), position
    assert abs(sum(lost) - sum(falls.values())) <= EACH_CHANCE, position
    exact, doubles = solved.figures(), engine.phase(state)
    far = [f.name for f in fields(Figures) if abs(getattr(exact, f.name) - doubles[f.name]) > EACH_FIGURE]
    assert not far, (position, far)
    assert doubles["outcomes"] == len(expected) + len(lost)
    met.update(falls.keys())
    met.update(feature for feature, has in FEATURES.items() if has(position))
    met["a chain of uprisings"] += exact.e_uprisings > exact.p_uprising
    met["an army may arrive"] += exact.p_new_army > 0
    met["some other reading"] += bool(position.ruleset.interpretations)
    return len(chances) + len(lost)


def in_a_game(ruleset, board, random):
    """A position at the start of the Barbarian phase in a game that the kernel plays at random."""
    engine = fast.kernel_for(board, ruleset)
    rng = kernel.Rng(random.getrandbits(64))
    state = engine.setup(ruleset.revolts, ruleset.fleets, ruleset.armies, rng)
    found = []
    while state.result == kernel.OPEN and len(found) < 60:
        if state.phase == kernel.BARBARIAN:
            found.append(state)
            state = engine.sample(state, rng)
        else:
            state = engine.random_turn(state, rng)
    return fast.to_position(random.choice(found), board, ruleset) if found else None


def positions(levels, random, largest=LARGEST):
    """Positions without end whose phase has no more ways through than `largest`, of games and of every recipe in turn."""
    for recipe in cycle((*RECIPES, None, None)):
        for _ in range(60):  # recipes that only give larger phases do not hold up the others
            level = random.choice(levels)
            ruleset = any_readings(level, random) if random.random() < 0.4 else level
            board = random.choice((Board.standard(), MAP))
            if recipe is None:
                position = in_a_game(ruleset, board, random)
            else:
                position = scattered(recipe, ruleset, random, board, Phase.BARBARIAN)
            if position is not None and ways_through(position) <= largest:
                yield position
                break


def test_the_shares_make_a_thousand():
    """The chunks together compare at least 1,000 positions of all levels."""
    assert SHARE * LONG >= 1_000
    for chunks in (SHORT, LONG):
        assert {level for chunk in range(chunks) for level in LEVELS[chunk::chunks]} == set(all_levels())


@pytest.mark.parametrize(
    ("chunk", "chunks"),
    [
        *((chunk, SHORT) for chunk in range(SHORT)),
        *(pytest.param(chunk, LONG, marks=pytest.mark.slow) for chunk in range(LONG)),
    ],
)
def test_both_engines_give_the_same_distribution(chunk, chunks):
    """Each result of a Barbarian phase has the same chance in both engines, and so have all its figures."""
    random = Random(f"Barbarian phase {chunk} of {chunks}")
    met = Counter()
    counted = (*FEATURES, *Fall, "a chain of uprisings", "an army may arrive", "some other reading")
    for position in islice(positions(LEVELS[chunk::chunks], random), 2 * SHARE):
        if met["positions"] >= SHARE and all(met[what] >= LEAST for what in counted):
            break
        compare(fast.kernel_for(position.board, position.ruleset), position, met)
        met["positions"] += 1
    assert met["positions"] >= SHARE
    for places in ABREAST.values():
        for _ in range(APART):
            position = with_two_abreast(places, random)
            compare(fast.kernel_for(position.board, position.ruleset), position, met)
    rare = {what: met[what] for what in counted if met[what] < LEAST}
    assert not rare, "too few to say that the engines agree on them"


@pytest.mark.parametrize("recipe", ["smouldering", "invasion", "walled", "last discs"])
def test_large_distributions_are_the_same(recipe):
    """They agree, too, where a phase has thousands of results."""
    random = Random(f"large {recipe}")
    sizes = []
    while not sizes:
        level = any_readings(random.choice(LEVELS), random)
        position = scattered(recipe, level, random, MAP, Phase.BARBARIAN)
        engine = fast.kernel_for(MAP, level)
        if engine.phase(fast.to_state(position))["outcomes"] >= 2_000 and ways_through(position) <= 4_000:
            sizes.append(compare(engine, position, Counter()))
    assert min(sizes) >= 2_000


ABREAST = {
    "I-ORDER": ("narbonensis", "germania_superior"),
    "I-ORDER-DISTANCE": ("tingitana", "aegyptus"),
    "I-ORDER-ITALIA": ("sicilia", "epirus"),
    "I-ORDER-WITHIN-ITALIA": ("etruria", "lucania"),
    "I-ORDER-BORDER": ("germania_magna", "moesia_superior"),
    "I-ORDER-TIE": ("narbonensis", "germania_superior"),
}


def abreast(position, places):
    """The same position with two armies whose order the two values of a reading tell apart, one in the other's way or not."""
    away = {name: None if place in places else place for name, place in position.emperors.items()}
    discs = {**position.discs, **dict.fromkeys((*position.armies, *places), "revolt")}
    borders = set(position.board.borders).intersection((*position.armies, *places))
    return position.replace(
        armies=places, emperors=away, discs={name: disc for name, disc in discs.items() if name not in borders}
    )


def with_two_abreast(places, random):
    """A position with two such armies before a phase that is not too large."""
    while True:
        recipe = random.choice(("invasion", "mixed", "quiet", "smouldering"))
        position = scattered(recipe, random.choice(LEVELS), random, MAP, Phase.BARBARIAN)
        if not position.secured:
            position = abreast(position, places)
            if not position.status() and ways_through(position) <= LARGEST // 2:
                return position


@pytest.mark.parametrize("name", ["I-REVOLT-GROUP", "I-BATTLE-BROKEN", "I-CHECK", "I-FRESH", *ABREAST])
def test_another_reading_would_be_seen(name):
    """A kernel that reads one sentence of the Barbarian phase in another way does not pass the comparison."""
    _, other = KERNEL_READINGS[name].played
    random = Random(f"seen {name}")
    level = LEVELS[40]
    right, wrong = fast.kernel_for(MAP, level), fast.kernel_for(MAP, level.with_readings([(name, other)]))
    for recipe in ("invasion", "mixed", "quiet", "smouldering") * 250:
        position = scattered(recipe, level, random, MAP, Phase.BARBARIAN)
        position = abreast(position, ABREAST[name]) if name in ABREAST and not position.secured else position
        if position.status() or ways_through(position) > LARGEST // 2:
            continue
        state = fast.to_state(position)
        if right.outcomes(state) == wrong.outcomes(
            state
        ):  # the few positions that matter are left for the reference rules
            continue
        compare(right, position, Counter())
        try:
            compare(wrong, position, Counter())
        except AssertionError:
            return
    pytest.fail("no position tells the readings apart")


# -- rolled phases ---------------------------------------------------------------------------------------------------

ROLLS = 4_000
ERROR = 1e-6  # chance that a fair kernel fails one comparison; the seeds are fixed, so it fails always or never


def tail(counts, chances):
    """The chance that fair dice give counts at least as far from `chances` as these, by chi-square (Wilson and Hilferty 1931).

    Cells that expect fewer than eight are counted as one.
    """
    rolls = sum(counts.values())
    cells = [[0, 0.0]]
    for result, chance in chances.items():
        if rolls * chance < 8:
            cells[0][0] += counts[result]
            cells[0][1] += rolls * chance
        else:
            cells.append([counts[result], rolls * chance])
    cells = [cell for cell in cells if cell[1] >= 8]
    freedom = len(cells) - 1
    if freedom < 1:
        return 1.0
    square = sum((seen - expected) ** 2 / expected for seen, expected in cells)
    share = 2 / (9 * freedom)
    return erfc((((square / freedom) ** (1 / 3)) - (1 - share)) / sqrt(2 * share)) / 2


def test_rolled_phases_follow_the_distribution():
    """What the kernel rolls is among the results it lists, each as often as its chance says (error 1e-6 a position)."""
    random = Random("rolled")
    rng = kernel.Rng(17)
    for _, position in zip(range(100), positions(LEVELS, random, 300), strict=False):
        engine, state = fast.kernel_for(position.board, position.ruleset), fast.to_state(position)
        chances = dict(engine.outcomes(state))
        counts = Counter(engine.sample(state, rng) for _ in range(ROLLS))
        assert counts.keys() <= chances.keys(), position
        assert tail(counts, chances) > ERROR, position


def test_phases_rolled_by_the_reference_follow_the_kernel():
    """What the reference rolls is as likely as the kernel's distribution says (error 1e-6 a position)."""
    random = Random("rolled by the reference")
    for number, position in zip(range(4), positions(LEVELS, random, 60), strict=False):
        engine, state = fast.kernel_for(position.board, position.ruleset), fast.to_state(position)
        chances = {None if after.result == kernel.FALLEN else after: chance for after, chance in engine.outcomes(state)}
        dice = rules.RandomDice(number)
        ends = (rules.sample(position, dice) for _ in range(ROLLS // 4))
        counts = Counter(state_of(end) if isinstance(end, Position) else None for end in ends)
        assert counts.keys() <= chances.keys(), position
        assert tail(counts, chances) > ERROR, position


def test_unfair_dice_would_be_seen():
    """Counts from chances that are a twentieth off in half of the results do not pass."""
    random = Random("unfair")
    chances = {result: 1 / 60 for result in range(60)}
    fair = Counter(random.choices(range(60), k=60 * ROLLS))
    unfair = Counter(random.choices(range(60), [20 + result % 2 for result in range(60)], k=60 * ROLLS))
    assert tail(fair, chances) > ERROR
    assert tail(unfair, chances) < ERROR


# -- random play -----------------------------------------------------------------------------------------------------


def test_a_random_turn_is_one_of_the_legal_actions():
    """`random_turn` makes one legal action, an attack one of its outcomes, or ends the turn where that is allowed."""
    random = Random("random turn")
    rng = kernel.Rng(3)
    for recipe in RECIPES:
        for _ in range(30):
            level = any_readings(random.choice(LEVELS), random)
            engine = fast.kernel_for(MAP, level)
            state = fast.to_state(scattered(recipe, level, random, MAP))
            codes = engine.legal(state) + [kernel.END] * engine.may_end(state)
            if codes:
                assert engine.random_turn(state, rng) in {engine.play(state, code) for code in codes}


def test_random_turns_choose_evenly():
    """`random_turn` takes each action with the same chance, and rolls an attack with that of its dice (error 1e-6 a position)."""
    random = Random("even")
    rng = kernel.Rng(4)
    attacks = 0
    while attacks < 10:
        level = any_readings(random.choice(LEVELS), random)
        engine = fast.kernel_for(MAP, level)
        state = fast.to_state(scattered("invasion", level, random, MAP))
        codes = engine.legal(state)
        armies = {code >> 4 & 63 for code in codes if code & 15 == kernel.ATTACK}
        plain = [code for code in codes if code & 15 != kernel.ATTACK] + [kernel.END] * engine.may_end(state)
        if not armies or not plain:
            continue
        attacks += 1
        choices = len(plain) + len(armies)
        chances = Counter()
        for code in plain:
            chances[engine.play(state, code)] += 1 / choices
        for code in codes:
            if code & 15 == kernel.ATTACK:
                odds = engine.odds(state, code >> 4 & 63)
                chances[engine.play(state, code)] += odds[code >> 10] / 36 / choices
        counts = Counter(engine.random_turn(state, rng) for _ in range(ROLLS))
        assert counts.keys() <= chances.keys()
        assert tail(counts, chances) > ERROR


def test_random_games_end_or_stop_at_their_limit():
    """A random game is won, lost or as long as allowed, is the same for the same seed, and plays whole turns of four Emperors."""
    results = Counter()
    for number, level in enumerate(LEVELS):
        engine = fast.kernel_for(Board.standard(), level)
        start = engine.setup(level.revolts, level.fleets, level.armies, kernel.Rng(number))
        result, turns, plies = engine.random_game(start, kernel.Rng(number), 50)
        assert (result, turns, plies) == engine.random_game(start, kernel.Rng(number), 50)
        assert (result == kernel.OPEN and turns == 50) or (result != kernel.OPEN and turns <= 50)
        assert plies >= turns
        results[result] += 1
        games = engine.random_games(20, level.revolts, level.fleets, level.armies, number)
        assert games == engine.random_games(20, level.revolts, level.fleets, level.armies, number)
        assert games["games"] == 20
        assert games["won"] + games["fallen"] <= 20
        assert games["plies"] >= games["turns"] >= 20
    assert results[kernel.FALLEN] > 20


def test_set_up_follows_the_level():
    """The kernel sets up as the rulebook says: revolts off the first provinces, armies on borders, fleets on zones, no Emperor."""
    first = {row for row, name in enumerate(MAP.ids) if MAP[name].number == 1}
    for number, level in enumerate(LEVELS):
        engine = fast.kernel_for(MAP, level)
        rng = kernel.Rng(number)
        for _ in range(10):
            state = engine.setup(level.revolts, level.fleets, level.armies, rng)
            position = fast.to_position(state, MAP, level)
            assert fast.to_state(position) == state
            assert len(position.revolts) == 6 + level.revolts
            assert {MAP[name].region for name in position.revolts} == {1, 2, 3, 4, 5, 6}
            assert sum(MAP.order[name] in first for name in position.revolts) <= level.revolts
            assert len(position.armies) == level.armies
            assert set(position.armies) <= set(MAP.borders)
            assert position.here is None
            assert position.ip == 6
