"""Both engines on the same positions with modules, variants and rebels: whatever one says, the other has to say."""

from collections import Counter
from dataclasses import fields
from fractions import Fraction
from itertools import cycle
from math import sqrt
from random import Random

import pytest
from bestplay import SIDES, Question, compare_best
from bothengines import compare_turn
from moduletable import extended
from plants import read, with_reading
from scatter import RECIPES
from scattermodules import MODULES, any_extensions, with_figures
from tabletop import MAP

from tetrasolve.exact import Distribution, absorb
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.action import PIRATES, Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import DEAD, RESERVE
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, Figures, RandomDice
from tetrasolve.tetrarchia.rules.barbarian import begin
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS, Ruleset, all_levels

LEVELS = list(all_levels())
BOARDS = (Board.standard(), MAP)
LARGEST = 300  # ways through a phase that the kernel counts
EACH_CHANCE, EACH_FIGURE = 1e-12, 1e-11  # a sum of so many positive terms may be off by that many roundings, too
LARGEST_FURTHER, STATES = 2_000, 3_000  # of further phases; rolls, choices and results of those under best play
LARGEST_OF_ANY_SIZE = (
    400_000  # of phases that are not chosen by their size; the reference rules need some 12 kB for each
)
FURTHER, A_CHUNK, FURTHER_OF_ANY_SIZE = 40, 500, 20  # chunks of further phases, and the size of each
FEW = 80  # ways where each choice is followed, too
MOST_MISSING = (
    3  # features that a long chunk may lack: the rarest come once in a thousand positions, so others have them
)

SHORT, LONG = 2, 36  # chunks that always run, and those that take their time
ROMAN_SHARES, BARBARIAN_SHARES = (300, 1_200), (30, 250)  # positions of each

chunks = pytest.mark.parametrize(
    ("chunk", "is_long"),
    [
        *((n, False) for n in range(SHORT)),
        *(pytest.param(n, True, marks=pytest.mark.slow) for n in range(SHORT, SHORT + LONG)),
    ],
)


def test_the_shares_make_fifty_thousand():
    """The long chunks together compare at least 50,000 positions."""
    assert LONG * (ROMAN_SHARES[1] + BARBARIAN_SHARES[1]) >= 50_000


# -- positions -------------------------------------------------------------------------------------------------------


def a_scenario(random):
    """The beginning of a historical war, sometimes with more modules and variants than it asks for."""
    name = random.choice(rules.scenarios())
    war = rules.scenario(name)
    figures = {rebel.figure for rebel in war.rebels.values()}
    level = Ruleset.from_level(war.level)
    extras = any_extensions(level, random, plain=1.0) if random.random() < 0.6 else level
    ruleset = Ruleset(
        level.garrisons, level.fleets, level.revolts, level.armies, war.modules | (extras.modules - figures), extras.variants
    )  # fmt: skip
    board = random.choice(BOARDS)
    return rules.rolled_scenario(name, random.random(), ruleset=ruleset, board=board).position


def a_beginning(random):
    """The beginning of a game with any modules and variants."""
    ruleset = any_extensions(random.choice(LEVELS), random)
    return rules.random_set_up(ruleset, random.random(), board=random.choice(BOARDS))


def needs_whole(position):
    return bool(position.ruleset.extensions or position.rebels)


def somewhere(recipe, random, phase):
    """A position scattered after a recipe, with any modules and variants."""
    return with_figures(recipe, any_extensions(random.choice(LEVELS), random), random, random.choice(BOARDS), phase)


# -- the Roman phase -------------------------------------------------------------------------------------------------


def named(action):
    """What kind of action it is, for counting."""
    target = PIRATES if action.place == PIRATES else None
    return " ".join(str(word) for word in (action.figure, action.kind, target, action.outcome) if word is not None)


LEADERS = ("", "dux ")
ROMAN_FEATURES = (
    *(f"{leader}{kind}" for leader in LEADERS for kind in ("move", "remove", "reduce")),
    *(f"{leader}attack {outcome}" for leader in LEADERS for outcome in Outcome),
    *(f"{leader}attack pirates {outcome}" for leader in LEADERS for outcome in Outcome),
    *("vicarius move", "dux deploy", "vicarius deploy", "transfer", "enter", "secure", "sail", "end"),
    *(
        "passing dux",
        "passing vicarius",
        "passing emperor",
        "rebels",
        "rebels out of reach",
        "rebels beaten",
        "Goths beaten",
    ),
    *("glory won", "glory lost", "Dux dead and the turn continues", "unrest gone", "some other reading"),
    *("imperium", "galerius move", "constantius move", "maximian move", "attack paid for", "attack pirates paid for"),
    *("passing another emperor", "a seventh IP", "disc of the province paid and lost"),
)


def compare_roman(position, met):
    """Hold the engines against each other on one position, and count what it has; the reference successors."""
    played = compare_turn(position)
    actions = [action for action, _ in played]
    successors = [after for _, after in played if isinstance(after, Position)]
    for action, after in played:
        if isinstance(after, Position):
            count_change(position, action, after, met)
    met.update(map(named, actions))
    who = position.passing
    whose = "emperor" if who == position.to_move else who if who in MODULES else who and "another emperor"
    met[f"passing {whose}"] += 1
    met["a seventh IP"] += position.ip == 7
    for action in actions:
        met["attack pirates paid for" if action.place == PIRATES else "attack paid for"] += bool(action.payments)
    met["rebels"] += bool(position.rebels)
    attacked = {action.place for action in actions if action.kind is Kind.ATTACK}
    near = position.here is not None and any(position.board.link(position.here, rebel) for rebel in position.rebels)
    met["rebels out of reach"] += near and position.ip == 6 and not attacked.intersection(position.rebels)
    met["some other reading"] += bool(position.ruleset.interpretations)
    return successors


def count_change(before, action, after, met):
    """What an action has brought about, for counting."""
    met["rebels beaten"] += len(after.rebels) < len(before.rebels)
    met["Goths beaten"] += before.goths is not None and after.goths is None
    met["glory won"] += sum(after.glory.values()) > sum(before.glory.values())
    met["glory lost"] += sum(after.glory.values()) < sum(before.glory.values())
    died = after.pieces.plain().get("dux") == DEAD != before.pieces.plain().get("dux")
    met["Dux dead and the turn continues"] += died and after.phase is Phase.ROMAN
    met["unrest gone"] += action.figure == "vicarius" and len(after.unrest) < len(before.unrest)
    met["disc of the province paid and lost"] += action.outcome is Outcome.DEFEAT and before.here in action.payments


def go_on(position, successors, random):
    """One of the successors, with a liking for those where something was done; None where there is none."""
    worked = [
        after
        for after in successors
        if (after.discs, after.armies, after.pieces) != (position.discs, position.armies, position.pieces)
    ]
    liked = worked if worked and random.random() < 0.5 else successors
    return random.choice(liked) if liked else None


def rolled(position, rng):
    """The position after a Barbarian phase that the kernel rolls, which is quicker; None after a fall."""
    after = fast.kernel_of(position).sample(fast.to_state(position), rng)
    return None if after.result == whole.FALLEN else fast.to_position(after, position.board, position.ruleset)


def walks(random):
    """Where walks begin, and how many steps they take."""
    while True:
        chance = random.random()
        if chance < 0.04:
            yield a_beginning(random), 15
        elif chance < 0.08:
            yield a_scenario(random), 15
        else:
            yield somewhere(random.choice((*RECIPES, "invasion", "invasion")), random, Phase.ROMAN), 3


@chunks
def test_both_engines_say_the_same_of_the_roman_phase(chunk, is_long):
    """Legal actions, costs, odds, stopping and every successor are equal in both engines."""
    random = Random(f"modules, roman phase {chunk}")
    rng = whole.Rng(random.getrandbits(64))
    share = ROMAN_SHARES[is_long]
    compared = set()
    met = Counter()
    for start, steps in walks(random):
        position = start
        for _ in range(steps):
            if position is None or position.is_won or not needs_whole(position) or len(compared) == share:
                break
            if position.phase is Phase.BARBARIAN:
                position = rolled(position, rng)
                continue
            compared.add(position)
            position = go_on(position, compare_roman(position, met), random)
        if len(compared) == share:
            break
    missing = [what for what in ROMAN_FEATURES if not met[what]]
    assert not is_long or len(missing) <= MOST_MISSING, f"too few to say that the engines agree: {missing}"


# -- the Barbarian phase ---------------------------------------------------------------------------------------------

BARBARIAN_FEATURES = (
    *("Pirates come back", "Goths arrive", "Goths arrive on a garrison", "Goths arrive on an Emperor"),
    *("Goths advance", "Dux dies", "Vicarius dies", "a usurper", "an army on a province without arrow"),
    *("glory won", "glory lost", "rebels", "the revolt of rebels spreads", "a chain of uprisings", "some other reading"),
    *("the Vicarius keeps peace",),
    *("black", "army", "reroll", "turn", "block", "boost", "gray discs filled up"),  # under the policy `eager`
)  # fmt: skip
DECIDED = {"imperium", "barbaria"}  # variants with decisions in the Barbarian phase


def compare_barbarian(position, met):
    """Hold the engines against each other on one Barbarian phase under each policy, and count what it has."""
    compare_under(whole.DECLINE, rules.decline, position, met)
    if DECIDED.intersection(position.ruleset.extensions) and light(position, whole.EAGER):

        def eager(choice):
            answer = rules.eager(choice)
            answers.add(choice.options[answer].partition(":")[0])
            return answer

        answers = set()
        compare_under(whole.EAGER, eager, position, met)
        met.update(answers)


def compare_under(policy, decide, position, met):
    """The same under one policy, as the kernel and as the reference know it."""
    engine, state = fast.kernel_of(position), fast.to_state(position)
    solved = rules.solve(position, decide)
    listed = engine.outcomes(state, policy)
    chances = {after: chance for after, chance in listed if after.result != whole.FALLEN}
    lost = sum(chance for after, chance in listed if after.result == whole.FALLEN)
    ends = {after: chance for after, chance in solved.ends.items() if isinstance(after, Position)}
    expected = {fast.state_of(after): chance for after, chance in ends.items()}
    assert chances.keys() == expected.keys(), position
    far = [after for after, chance in expected.items() if abs(chances[after] - chance) > EACH_CHANCE]
    assert not far, position
    assert abs(lost - sum(chance for after, chance in solved.ends.items() if isinstance(after, Fall))) <= EACH_CHANCE, (
        position
    )
    exact, doubles, fractions = solved.figures(), engine.phase(state, policy), engine.phase_exact(state, policy)
    shares = {f.name: EACH_FIGURE + getattr(exact, f.name) * doubles["visits"] / 2**53 for f in fields(Figures)}
    far = [name for name, most in shares.items() if abs(getattr(exact, name) - doubles[name]) > most]
    assert not far, (position, far)
    assert fractions.pop("outcomes") == exact.outcomes
    assert {name: getattr(exact, name).as_integer_ratio() for name in fractions} == fractions, position
    for what in {what for after in ends for what in changes(position, after)}:
        met[what] += 1
    met["an army on a province without arrow"] += any(position.board[army].arrow is None for army in position.armies)
    met["rebels"] += bool(position.rebels)
    met["a chain of uprisings"] += exact.e_uprisings > exact.p_uprising
    met["some other reading"] += bool(position.ruleset.interpretations)
    vicarius = position.place_of("vicarius")
    met["the Vicarius keeps peace"] += vicarius is not None and position.board[vicarius].number > 0


def changes(before, after):
    """What a Barbarian phase has brought about, for counting."""
    inside = {p.id for p in before.board.provinces.values() if not p.is_border}
    if before.pieces.plain().get("pirates", 1) is None and after.pieces.pirates.zone is not None:
        yield "Pirates come back"
    if before.pieces.plain().get("goths") == RESERVE and after.goths is not None:
        yield "Goths arrive"
        if set(before.board.borders[2:4]).intersection(before.secured).difference(after.secured):
            yield "Goths arrive on a garrison"
        if any(place in before.board.borders and after.emperors[who] is None for who, place in before.emperors.items()):
            yield "Goths arrive on an Emperor"
        if len(after.armies) == len(before.armies):
            yield "Goths in place of an army"
    if before.goths not in (None, after.goths) and after.goths is not None:
        yield "Goths advance"
    for helper in ("dux", "vicarius"):
        if before.place_of(helper) is not None and after.place_of(helper) is None:
            yield f"{helper.title()} dies"
    risen = [
        army
        for army in after.armies
        if before.board[army].arrow is None and army in inside and army not in before.armies
    ]
    if "usurpator" in before.ruleset.variants and risen:
        yield "a usurper"
    if len(risen) > 1:
        yield "two usurpers"
    if sum(after.glory.values()) > sum(before.glory.values()):
        yield "glory won"
    if sum(after.glory.values()) < sum(before.glory.values()):
        yield "glory lost"
    if before.to_move == "maximian" and after.gray > before.gray:
        yield "gray discs filled up"
    linked = {name for rebel in before.rebels for name in before.board.neighbours(rebel)}
    if any(before.has_unrest(name) and after.has_revolt(name) for name in linked):
        yield "the revolt of rebels spreads"


def light(position, policy=whole.DECLINE, largest=LARGEST):
    """Whether the reference can follow all ways through the phase."""
    return fast.kernel_of(position).phase(fast.to_state(position), policy)["visits"] <= largest


def tables(random, largest=LARGEST):
    """Positions before a Barbarian phase that is not too large, of every recipe in turn and of games."""
    rng = whole.Rng(random.getrandbits(64))
    for recipe in cycle((*RECIPES, "quiet", "walled", None)):
        for _ in range(40):  # recipes that only give larger phases do not hold up the others
            position = in_a_game(random, rng) if recipe is None else somewhere(recipe, random, Phase.BARBARIAN)
            if position is not None and needs_whole(position) and light(position, largest=largest):
                yield position
                break


def in_a_game(random, rng):
    """A position at the start of a Barbarian phase in a game that the kernel plays at random; None where there is none."""
    start = a_scenario(random) if random.random() < 0.5 else a_beginning(random)
    engine = fast.kernel_for(start.board, start.ruleset, rebels=True)
    state = fast.state_of(start) if needs_whole(start) else None
    found = []
    while state is not None and state.result == whole.OPEN and len(found) < 30:
        if state.phase == whole.BARBARIAN:
            found.append(state)
            state = engine.sample(state, rng)
        else:
            state = engine.random_turn(state, rng)
    return fast.to_position(random.choice(found), start.board, start.ruleset) if found else None


@chunks
def test_both_engines_give_the_same_distribution(chunk, is_long):
    """Each result of a Barbarian phase has the same chance in both engines, and so have all its figures."""
    random = Random(f"modules, Barbarian phase {chunk}")
    met = Counter()
    for _, position in zip(range(BARBARIAN_SHARES[is_long]), tables(random), strict=False):
        compare_barbarian(position, met)
    missing = [what for what in BARBARIAN_FEATURES if not met[what]]
    assert not is_long or len(missing) <= MOST_MISSING, f"too few to say that the engines agree: {missing}"


def compare_further(name, number, largest):
    """Compare phases with fewer ways than `largest` under all policies; counts of what was compared."""
    random, met = Random(f"modules, further phases {name}"), Counter()
    for _, position in zip(range(number), tables(random, largest), strict=False):
        compare_under(whole.DECLINE, rules.decline, position, met)
        met["decline"] += 1
        if DECIDED.intersection(position.ruleset.extensions):
            if light(position, whole.EAGER, largest):
                compare_under(whole.EAGER, rules.eager, position, met)
                met["eager"] += 1
            if compare_best(position, Question.random(random), STATES) is not None:
                met["best"] += 1
    return met


def test_some_further_phases_under_each_policy():
    assert compare_further("short", 15, LARGEST)["best"] > 1


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(FURTHER))
def test_further_phases_under_each_policy(chunk):
    """Together 20,000 phases of less than 2,000 ways."""
    assert compare_further(chunk, A_CHUNK, LARGEST_FURTHER)["best"] > A_CHUNK / 20


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(FURTHER_OF_ANY_SIZE))
def test_further_phases_of_any_size_under_each_policy(chunk):
    """Together 500 phases, up to what the reference rules hold in a few gigabytes."""
    assert compare_further(f"any size {chunk}", A_CHUNK // 20, LARGEST_OF_ANY_SIZE)["decline"] == A_CHUNK // 20


@pytest.mark.slow
@pytest.mark.parametrize("rare", ["two usurpers", "Goths in place of an army"])
def test_what_is_rare_is_compared_too(rare):
    """Positions in which it may happen, by the kernel, until there are five."""
    random = Random(f"modules, {rare}")
    met = Counter()
    for position in tables(random):
        ends = (after for after, _ in fast.kernel_of(position).outcomes(fast.to_state(position)))
        kept = (fast.to_position(end, position.board, position.ruleset) for end in ends if end.result != whole.FALLEN)
        if any(rare in changes(position, after) for after in kept):
            compare_barbarian(position, met)
        if met[rare] == 5:
            return


def test_a_cancelled_advance_is_compared():
    """An army at a border cannot be turned: before a general who would win it stays, as long as there is a gray disc."""
    met = Counter()
    for border in MAP.borders:
        here = MAP[border].arrow
        table = {"at": {"diocletian": here}, "garrisons": {"diocletian": here}, "armies": border, "barbarian": True}
        pieces = {"barbarian_discs": {"gray": 1, "black": 0}}
        position = extended("barbaria", pieces, "galerius", unrest="roma", **table)
        if light(position, whole.EAGER):
            compare_barbarian(position, met)
    assert met["cancel"] > 1


# -- the comparison can fail -----------------------------------------------------------------------------------------

NAMED = [
    plant
    for plant in read()[0]
    if plant.label == "named" and (reading := KERNEL_READINGS.get(plant.reading.partition("=")[0])) and reading.needs
]
NAMED_READINGS = {plant.reading.partition("=")[0] for plant in NAMED} - {
    "I-REROLL"
}  # these have positions of their own
INERT = {"I-WAY-ARROWS"}  # on both maps; tests/rules/test_usurpator.py has a map where it is not
MODULE_READINGS = [
    reading.name for reading in KERNEL_READINGS.values() if reading.needs and reading.name not in NAMED_READINGS | INERT
]
OF_THE_BARBARIAN_PHASE = {"I-PIRATES-ZONE", "I-GOTHS-ARMY", "I-GOTHS-BORDER", "I-SHORTEST", "I-REROLL"}

# An eager Barbarian player spends it at once on the first province in the board file, whatever these say: see below
AT_RANDOM_ONLY = {"I-TURN-BORDERS", "I-TURN-STOPPED"}  # no policy but the one at random takes these ways there
OF_THE_BLACK_DISC = ("I-BLACK-WHEN", "I-BLACK-PLACE", "I-BLACK-CAPITALS")


def what_is_said(engine, position):
    """All that a kernel says of one phase of a position."""
    state = fast.to_state(position)
    if position.phase is Phase.BARBARIAN:
        decided = DECIDED.intersection(position.ruleset.extensions)
        return [
            engine.outcomes(state, policy) for policy in ((whole.DECLINE, whole.EAGER) if decided else (whole.DECLINE,))
        ]
    codes = engine.legal(state)
    odds = [whole.attack_odds(engine, state, code) for code in codes if code & 15 in (whole.ATTACK, whole.PIRATES)]
    return codes, odds, [engine.play(state, code) for code in codes]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [name for name in MODULE_READINGS if name not in OF_THE_BLACK_DISC])
def test_another_reading_would_be_seen(name, monkeypatch):
    """A kernel that reads one sentence of a module in another way does not pass the comparison."""
    reading = KERNEL_READINGS[name]
    other = next(value for value in reading.played if value != reading.default)
    random = Random(f"modules, seen {name}")

    def wrong(position):
        return fast.kernel_for(
            position.board, position.ruleset.with_readings([(name, other)]), rebels=bool(position.rebels)
        )

    phase = Phase.BARBARIAN if name in OF_THE_BARBARIAN_PHASE else Phase.ROMAN
    compare = compare_barbarian if phase is Phase.BARBARIAN else compare_roman
    for _ in range(4_000):
        ruleset = any_extensions(random.choice(LEVELS), random, plain=1.0)
        if not reading.applies(ruleset.extensions):
            continue
        position = with_figures(random.choice(("invasion", "mixed", "quiet", "walled")), ruleset, random, MAP, phase)
        if phase is Phase.BARBARIAN and not light(position):
            continue
        if what_is_said(fast.kernel_of(position), position) == what_is_said(wrong(position), position):
            continue  # the two kernels agree on this one: it takes another to tell them apart
        compare(position, Counter())
        with monkeypatch.context() as patch:
            patch.setattr(fast, "kernel_of", wrong)
            try:
                compare(position, Counter())
            except AssertionError:
                return
    pytest.fail("no position tells the readings apart")


# -- decisions at random ----------------------------------------------------------------------------------------------


def at_random(step):
    """What follows a step of the reference in which each answer to a choice is as likely as the others."""
    if isinstance(step, (Position, Fall)):
        return None
    if isinstance(step, rules.Choice):
        return Distribution.uniform(step.after(option) for option in step.options)
    roll = step.roll()
    return Distribution.uniform(landed(step, *each) for each in zip(roll.faces, roll.results, strict=True))


def chances_at_random(position):
    """The results of the chain in which the reference knows all options, as the kernel's states; what is missing is lost."""
    ends = absorb(begin(position), at_random).ends
    return {fast.state_of(end): float(chance) for end, chance in ends.items() if isinstance(end, Position)}


def assert_rolled(position, expected, rng, rolls):
    """Phases that the kernel rolls with random answers follow this distribution.

    Each result lies within six standard deviations; the seeds are fixed, so this holds always or never.
    """
    engine, state = fast.kernel_of(position), fast.to_state(position)
    counts = Counter(engine.sample(state, rng, whole.AT_RANDOM) for _ in range(rolls))
    lost = sum(number for after, number in counts.items() if after.result == whole.FALLEN)
    kept = {after: number for after, number in counts.items() if after.result != whole.FALLEN}
    assert kept.keys() <= expected.keys(), position
    pairs = [(kept.get(after, 0), chance) for after, chance in expected.items()]
    for number, chance in (*pairs, (lost, 1 - sum(expected.values()))):
        assert abs(number - rolls * chance) <= 6 * sqrt(rolls * abs(chance * (1 - chance))) + 6, position


def test_decisions_at_random_are_all_there_are():
    """The kernel knows every option, and takes each as often as the others."""
    random, rng = Random("modules, decisions at random"), whole.Rng(5)
    compared = 0
    while compared < 6:
        ruleset = any_extensions(random.choice(LEVELS), random)
        if not DECIDED.intersection(ruleset.extensions):
            continue
        position = with_figures(random.choice(("invasion", "walled", "quiet")), ruleset, random, MAP, Phase.BARBARIAN)
        if position.gray > 1 or position.black or not position.armies:
            continue
        if fast.kernel_of(position).phase(fast.to_state(position), whole.EAGER)["visits"] > FEW:
            continue
        compared += 1
        assert_rolled(position, chances_at_random(position), rng, 2_000)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("plant", NAMED, ids=lambda plant: plant.id)
def test_both_values_of_a_reading_of_a_module(plant):
    """On the position of a planted point the engines agree under both values, and tell them apart."""
    name, _, value = plant.reading.partition("=")
    said = []
    for chosen in (KERNEL_READINGS[name].default, value):
        position = Position.parse(with_reading(plant.shown, name, chosen).position, MAP)
        if position.phase is Phase.BARBARIAN:
            position = (
                position.with_barbarian_discs(min(position.gray, 2), position.black) if position.gray else position
            )
            compare_barbarian(position, Counter())
        else:
            compare_roman(position, Counter())
        said.append(what_is_said(fast.kernel_of(position), position))
        if DECIDED.intersection(position.ruleset.extensions) and position.phase is Phase.BARBARIAN:
            best = [Question(what, *sides, Fraction(0)) for what in ("p_lost", "e_revolts", "worth") for sides in SIDES]
            said.append([round(question.by_kernel(position), 9) for question in best])
            compare_best(position, Question("e_revolts", 1, -1, Fraction(0)), STATES)
        if name in AT_RANDOM_ONLY:
            position = position.with_barbarian_discs(1, 0)
            said.append(chances_at_random(position))
            assert_rolled(position, said[-1], whole.Rng(7), 3_000)
    half = len(said) // 2
    assert said[:half] != said[half:], plant.id


@pytest.mark.parametrize("name", OF_THE_BLACK_DISC)
def test_readings_of_the_black_disc(name):
    """On a position with three empty provinces, one of them Roma and one a border, both ways to read a sentence, which differ."""
    capitals = {emperor.capital for emperor in MAP.emperors}
    rest = [place for place in MAP.ids if place not in {*capitals, "roma", "persia", "asia"}]
    rest.sort(key=MAP.borders.__contains__)
    unrest, garrisons = rest[:21], rest[21:]
    owners = {emperor.id: " ".join(garrisons[number::4]) for number, emperor in enumerate(MAP.emperors)}
    table = {"at": {}, "level": 5, "unrest": " ".join(unrest), "garrisons": owners, "barbarian": True}
    found = []
    for value in KERNEL_READINGS[name].played:
        pieces = {"barbarian_discs": {"gray": 0, "black": 1}}
        position = extended("barbaria", pieces, "galerius", readings={name: value}, **table)
        found.append(chances_at_random(position))
        assert_rolled(position, found[-1], whole.Rng(6), 4_000)
    assert len(found) == 2
    assert found[0] != found[1]


# -- whole games of the reference ------------------------------------------------------------------------------------


def test_whole_games_of_the_reference():
    """In games whose Barbarian phases the reference rolls, too, the engines agree at every step."""
    met = Counter()
    for number in range(6):
        dice, random = RandomDice(f"modules, whole game {number}"), Random(f"modules {number}")
        position = a_scenario(random) if number % 2 else a_beginning(random)
        for _ in range(50):
            if not isinstance(position, Position) or position.is_won or not needs_whole(position):
                break
            if position.phase is Phase.BARBARIAN:
                position = rules.sample(position, dice)
                met["phases"] += 1
            else:
                position = go_on(position, compare_roman(position, met), random)
    assert met["phases"] > 10
