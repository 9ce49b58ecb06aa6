"""Each value of a reading that the kernel learned late, where it makes a difference: step by step, whole turns, the best policy.

The positions are of random games with cubes, dice and tracks changed at random, so that full regions, high dice and pacified tribes
are often met. That a wrong kernel would be found is tested, too: one that plays another value of the reading is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

import pytest

from tetrasolve.finem import rules
from tetrasolve.finem.fast import engine_of, option_text, position_of, state_of
from tetrasolve.finem.kernel import POLICIES as KERNEL_POLICIES
from tetrasolve.finem.kernel import Rng
from tetrasolve.finem.layout import NUMBER, REGIONS, TRIBES
from tetrasolve.finem.lint.turns import turn_chances
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import Phase, Position, Result, Step
from tetrasolve.finem.rules.setup import cubes_of_set_up, kept_cards
from tetrasolve.finem.ruleset import LEVELS, READINGS, ROLES, Ruleset

IN_SET_UP = ("E-SETUP", "E-FULL", "E-CORNER-START")
VALUES = [(name, value) for name, reading in READINGS.items() for value in reading.later]
IN_PLAY = [pair for pair in VALUES if pair[0] not in IN_SET_UP]
IDS = [f"{name}={value}" for name, value in IN_PLAY]
# Values that change how a turn ends by policies that never ride, exchange, or look at the next turn
BEYOND = (
    "E-DICTATOR",
    "E-DICTATOR-STAY",
    "E-FOURTH",
    "E-WAR-LAST",
    "E-EMPEROR-WHEN",
    "E-EMPEROR-TRAVEL",
    "E-INVASION-ORDER",
    "E-PREFECT",
    "E-CIVIL",
    "E-EXCHANGE",
)
IN_TURNS = [pair for pair in IN_PLAY if pair[0] not in BEYOND]
# Other readings that meet the value: each is drawn half the time
BESIDE = {
    "E-WIN": {"E-PACIFY": "free", "E-AGAIN": "stays"},
    "E-ORDER": {"E-WHEN": "after", "E-THREE": "two", "E-CRISIS": "exact", "E-GONE-SUITS": "ignored", "E-LIMIT": "each-point"},
    "E-PREFECT": {"E-PACIFY": "action", "E-WIN": "phase", "E-ERADICATE": "always", "E-OVER": "lost", "E-AGAIN": "stays"},
    "E-CIVIL": {"E-ERADICATE": "always", "E-WAR-LAST": "card", "E-WAR-ORDER": "together", "E-WAR": "none", "E-LAST": "drawn"},
    "E-FILL": {"E-PROTECT": "chain", "E-ORDER": "crisis-last"},
    "E-CRISIS-GONE": {"E-ORDER": "crisis-last", "E-GONE-SUITS": "ignored", "E-ERADICATE": "always", "E-LAST": "drawn"},
    "E-LIMIT": {
        "E-ELEVEN": "open", "E-OVER": "lost", "E-ORDER": "dice-first", "E-PREFECT": "turn", "E-LIMIT-ORDER": "chosen",
    },
    "E-THREE": {"E-ORDER": "crisis-last", "E-CRISIS": "exact", "E-GONE-SUITS": "ignored", "E-CAP3-END": "ten"},
    "E-LIMIT-DICE": {"E-ELEVEN": "open", "E-LIMIT": "each-point"},
    "E-WAR-LAST": {"E-LAST": "put", "E-CIVIL": "return", "E-WAR-ORDER": "together", "E-WAR": "none"},
    "E-DICTATOR-STAY": {"E-PACIFY": "free"},
    "E-FOURTH": {"E-EXCHANGE": "may", "E-SWAP": "place"},
    "E-EXCHANGE": {"E-SWAP": "place", "E-FOURTH": "first-three"},
    "E-LIMIT-ORDER": {"E-OVER": "lost", "E-LIMIT": "lost", "E-EXCHANGE": "must", "E-ELEVEN": "open"},
    "E-CHAIN-FIRST": {"E-PROTECT": "chain", "E-WAR-ORDER": "together"},
    "E-RAISE-STUCK": {"E-PACIFY": "action", "E-RAISE": "may", "E-LIMIT": "lost", "E-ELEVEN": "open"},
    "E-RESIST-ALL": {"E-RESIST": "may", "E-ERADICATE": "own"},
    "E-EMPEROR-WHEN": {"E-EMPEROR": "other"},
    "E-EMPEROR-TRAVEL": {"E-EMPEROR": "other", "E-PREFECT": "standing", "E-DICTATOR-STAY": "free", "E-WIN": "phase"},
    "E-LIMIT-EVENT": {"E-ORDER": "crisis-last"},
    "E-INVASION-ORDER": {"E-EXCHANGE": "may", "E-FOURTH": "first-three", "E-LAST": "put", "E-WIN": "turn"},
}  # fmt: skip


def ruleset_of(name: str, value: str, random: Random) -> Ruleset:
    """A ruleset with the value, at a level at which it can differ."""
    reading = READINGS[name]
    levels = [level for level in LEVELS[:2] if not {*reading.needs} & {*LEVELS} or level in reading.needs]
    options = [option for option in ("corner", "sphere", "cap3") if option in reading.needs or random.random() < 0.2]
    level = random.choice(levels)
    beside = [pair for pair in BESIDE.get(name, {}).items() if random.random() < 0.5]
    fits = [pair for pair in beside if READINGS[pair[0]].applies(level, options)]
    plain = Ruleset(level, frozenset(options)).with_readings(
        [*reading.compared_beside(value).items(), *fits, (name, value)]
    )
    return plain if dict(plain.interpretations).get(name) == value else ruleset_of(name, value, random)


def stirred(position: Position, random: Random) -> Position:
    """With more cubes, dice and tracks at random; it need not be one of a game, but the rules can go on from it."""
    for tribe in TRIBES:
        for region in random.sample(REGIONS, 8):
            number = min(random.choice((1, 2, 3, 3)), 12 - position.on_map(tribe) + position.count(region, tribe))
            own = random.choice((tribe + region[1], region))
            if position.on_map(tribe) - position.count(own, tribe) + number <= 12:
                position = position.with_count(own, tribe, number)
    introductory = position.ruleset.is_introductory
    many = position.ruleset.readings["E-WIN"] == "turn" and random.random() < 0.5
    pacified = frozenset(random.sample(TRIBES, 4 if many else random.randrange(4)))
    top = 6 if position.ruleset.readings["E-PACIFY"] == "action" else 5
    dice = [random.randint(1, top) for _ in TRIBES]
    settled = position.ruleset.readings["E-AGAIN"] == "stays"
    dice = [1 if settled and tribe in pacified else die for tribe, die in zip(TRIBES, dice, strict=True)]
    while not introductory and sum(dice) > 11:
        at = dice.index(max(dice))
        dice[at] -= 1
    draws_again = position.ruleset.readings["E-CRISIS-GONE"] == "again"
    if introductory and pacified and (draws_again or random.random() < 0.3):  # tribes that are eradicated
        few = [random.choice(sorted(pacified))]
        for gone in random.sample(sorted(pacified), random.randint(1, len(pacified))) if draws_again else few:
            for region in REGIONS:
                position = position.with_count(region, gone, 0)
            dice[TRIBES.index(gone)] = 0
    most = min(4, position.ruleset.most_decline - 1)
    o, c, e, b = dice
    return position.replace(
        pacified=pacified, dice=(o, c, e, b), outbreaks=random.choice((1, 1, 2)), decline=random.randint(1, most)
    )  # fmt: skip


RANKS = {Step.CIVIL_WAR: "R", Step.RESIST: "7", Step.RAISE: "S"}  # of the card that leads to a step
BEGINS = {  # the step at which a walk begins, where it is far from the beginning of a turn
    "E-WAR-LAST": Step.CIVIL_WAR,
    "E-CIVIL": Step.CIVIL_WAR,
    "E-PREFECT": Step.ROLE,
    "E-RAISE-STUCK": Step.EVENT,
    "E-RESIST-ALL": Step.RESIST,
    "E-LIMIT-EVENT": Step.RAISE,
    "E-FILL": Step.CRISIS,
    "E-CRISIS-GONE": Step.CRISIS,
    "E-CHAIN-FIRST": Step.CRISIS,
    "E-ORDER": Step.DRAW,
    "E-THREE": Step.DRAW,
    "E-LIMIT": Step.DRAW,
    "E-LIMIT-DICE": Step.DRAW,
    "E-LIMIT-ORDER": Step.DRAW,
    "E-EMPEROR-WHEN": Step.ROLE,
    "E-EMPEROR-TRAVEL": Step.APPOINT,
    "E-FOURTH": Step.SWAP,
    "E-EXCHANGE": Step.SWAP,
    "E-INVASION-ORDER": Step.SWAP,
    "E-DICTATOR": Step.RIDE,
    "E-DICTATOR-STAY": Step.RIDE,
}
# Where a value differs from the default it is as this third one, which differs from it at another step
APART = {("E-PREFECT", "found", "standing"): Step.DRAW, ("E-EXCHANGE", "by-phase", "must"): Step.EXCHANGE}
ROLE_OF = {
    Step.RIDE: "dictator",
    Step.SWAP: "tribune",
    Step.EXCHANGE: "tribune",
    Step.ROLE: "emperor",
    Step.APPOINT: "emperor",
}


def begun(position: Position, step: Step, random: Random) -> Position:
    """A position at a step of a turn, with cards that can lead there."""
    if step in (Step.ROLE, Step.APPOINT):
        return position.replace(step=step, left=0)
    if step is Step.RIDE:
        card = random.choice(REGIONS)
        return position.replace(step=step, left=random.randrange(4), card=card, out=frozenset({card}))
    suits = random.choice(("OCE", "OCB", "OEB", "CEB"))
    if step in (Step.CRISIS, Step.DRAW):
        suits = random.choice((2 * suits[0] + suits[1], 2 * suits[2] + suits[0], 3 * suits[1]))
    ranks = random.sample("567SCR", 3)
    cards = [suit + rank for suit, rank in zip(suits, ranks, strict=True)]
    if position.ruleset.readings["E-LIMIT-ORDER"] != "drawn":
        cards.sort(key=NUMBER.__getitem__)
    if step is Step.DRAW:
        return position.replace(step=step, left=0, hand=tuple(cards[:2]), out=frozenset(cards[:2]))
    if step is Step.CRISIS:
        position = position.replace(decline=3)
    if step is Step.SWAP:
        cards = random.sample(REGIONS, 4)
        position = position.replace(decline=2 * position.ruleset.decline_a_card + 1)
    rank = RANKS.get(step)
    lead = [card for card in REGIONS if card[1] == rank and card not in cards]
    out = frozenset({*cards, *lead[:1]})
    return position.replace(step=step, left=0, hand=tuple(cards), out=out)


def walk(ruleset: Ruleset, seed: int, step: Step | None = None) -> Iterator[Position]:
    """Positions of a turn that begins at a stirred one, or goes on at a step."""
    random = Random(f"{ruleset} {seed}")
    state = rules.random_set_up(ruleset, seed)
    if isinstance(state, Position):
        state = stirred(state, random).replace(role=random.choice(ROLES))
        if step is not None:
            role = "prefect" if ruleset.readings["E-PREFECT"] == "found" else "consul"
            state = begun(state.replace(role=ROLE_OF.get(step, role)), step, random)
    for _ in range(30):
        if not isinstance(state, Position):
            return
        yield state
        options = rules.node(state).options
        calm = [option for option in options if option.startswith(("pass", "exchange", "ride", "stay"))]
        state = rules.take(state, random.choice(calm if calm and random.random() < 0.6 else options))


def plain(state: Position | Result) -> Position | Result:
    """Without the ruleset; the hand of a campaign in order, as the default keeps it."""
    if isinstance(state, Result):
        return state
    hand = sorted(state.hand, key=NUMBER.__getitem__) if state.phase is Phase.CAMPAIGN else state.hand
    return state.replace(ruleset=Ruleset("standard"), hand=tuple(hand))


def differs(position: Position, other: Ruleset) -> bool:
    """Whether other rules list other options or lead elsewhere, by the reference rules."""
    there = position.replace(ruleset=other)
    options = rules.node(position).options
    return options != rules.node(there).options or any(
        plain(rules.take(position, option)) != plain(rules.take(there, option)) for option in options
    )


@cache
def differing(name: str, value: str, number: int, other: str = "") -> tuple[Position, ...]:
    """The first positions at which the value and another one differ: the default, or one of `APART`."""
    step = APART.get((name, value, other), BEGINS.get(name))

    def found() -> Iterator[Position]:
        for seed in range(10**6):
            ruleset = ruleset_of(name, value, Random(f"{name} {value} {seed}"))
            rest = ruleset.with_readings([(name, other or READINGS[name].default)])
            for position in islice(walk(ruleset, seed, step), 30 if name == "E-WIN" else 3):
                if differs(position, rest):
                    yield position

    return tuple(islice(found(), number))


def agrees(position: Position, ruleset: Ruleset) -> bool:
    """Whether the kernel with these rules lists the options of the reference rules, and comes to their state after each."""
    engine, state = engine_of(ruleset), state_of(position)
    codes, options = engine.options(state), rules.node(position).options
    if [option_text(code) for code in codes] != [*options]:
        return False
    return all(
        position_of(position.ruleset, engine.take(state, code)) == rules.take(position, option)
        for code, option in zip(codes, options, strict=True)
    )


def compare_all(name: str, value: str, number: int) -> None:
    for position in differing(name, value, number):
        assert agrees(position, position.ruleset), str(position)
        node = rules.node(position)
        for policy in KERNEL_POLICIES if not node.is_chance else ():
            found = engine_of(position.ruleset).decide(state_of(position), policy)
            assert option_text(found) == POLICIES[policy](position, node), f"{position} {policy}"


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("name", "value"), IN_PLAY, ids=IDS)
def test_every_option_where_the_value_makes_a_difference(name: str, value: str) -> None:
    compare_all(name, value, 60)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), IN_PLAY, ids=IDS)
def test_every_option_on_thousands_of_such_positions(name: str, value: str) -> None:
    compare_all(name, value, 2000)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("name", "value"), IN_PLAY, ids=IDS)
def test_a_kernel_that_plays_another_value_is_found(name: str, value: str) -> None:
    """By each position if it plays the default, by some if it plays a third value."""
    for other in READINGS[name].played:
        if other != value:
            positions = differing(name, value, 60, other if (name, value, other) in APART else "")
            assert all(agrees(one, one.ruleset) for one in positions)
            wrong = [not agrees(one, one.ruleset.with_readings([(name, other)])) for one in positions]
            # The order of a hand is seen at once; where only that differs it is none by itself
            assert all(wrong) if other == READINGS[name].default else any(wrong), other


@pytest.mark.parametrize("look", ["removal", "own", "always"])
def test_a_tribe_that_a_civil_war_has_brought_back_without_a_cube(look: str) -> None:
    """[E-CIVIL] die: it is there until it is looked at; with E-ERADICATE=always no tribe is when another one is pacified."""
    beside = "" if look == "removal" else f",E-ERADICATE={look}"
    position = Position.parse(f"introductory?E-CIVIL=die{beside} prefect C7/C7/E5 1511/O 4/1 C7:C2.B7:B1 act:4 -")
    assert not position.status()
    assert agrees(position, position.ruleset)
    dice = {}
    for option in ("pacify C", "confront C"):
        after = rules.take(position, option)
        assert isinstance(after, Position)
        dice[option] = after.dice
    assert dice == {"pacify C": (1, 1, 1, 1), "confront C": (look == "own", 5, 1, 1)}


# -- set-ups -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), [pair for pair in VALUES if pair[0] in IN_SET_UP])
def test_set_ups_are_those_of_the_reference_rules(name: str, value: str) -> None:
    differing_from_default = 0
    for seed in range(200):
        random = Random(f"{name} {value} {seed}")
        ruleset = ruleset_of(name, value, random)
        cards, start = rules.drawn_set_up(ruleset, random)
        numbers = [NUMBER[card] for card in cards]
        found = position_of(ruleset, engine_of(ruleset).set_up(numbers, NUMBER[start]))
        assert found == rules.set_up(ruleset, cards, start)
        default = ruleset.with_readings([(name, READINGS[name].default)])
        if name == "E-SETUP":
            twelve = ruleset.with_readings([(name, "twelve")])
            differing_from_default += position_of(twelve, engine_of(twelve).set_up(numbers, NUMBER[start])) != found
        elif name == "E-CORNER-START":
            differing_from_default += plain(
                position_of(default, engine_of(default).set_up(numbers, NUMBER[start]))
            ) != plain(found)
    assert name == "E-FULL" or differing_from_default > 100


def test_a_card_that_would_need_a_thirteenth_cube_is_replaced_by_the_next_one() -> None:
    """The kernel's deck is shuffled here by its own random numbers; other rules would have drawn all again."""
    ruleset = Ruleset.from_text("standard?E-FULL=card,E-SETUP=twelve")
    engine, rng, twin, replaced = engine_of(ruleset), Rng(5), Rng(5), 0
    for _ in range(1500):
        deck = [*REGIONS]
        for at in range(len(deck)):
            other = at + (twin.next() * (len(deck) - at) >> 64)
            deck[at], deck[other] = deck[other], deck[at]
        twin.next()  # the start, of which there is one
        cards = kept_cards(deck, cubes_of_set_up(ruleset))
        assert position_of(ruleset, engine.random_state(0, rng)) == rules.set_up(ruleset, cards)
        replaced += cards != tuple(deck[:12])
    assert replaced > 15


# -- whole turns -------------------------------------------------------------------------------------------------------


def turns(name: str, value: str) -> Iterator[Position]:
    """Turns that are about to begin, whose chances the value changes by the kernel."""
    for seed in range(10**6):
        ruleset = ruleset_of(name, value, Random(f"turn {name} {value} {seed}"))
        position = next(walk(ruleset, seed), None)
        if position is None or ("action" in position.ruleset.readings["E-PACIFY"] and position.points > 10):
            continue
        default = position.replace(ruleset=ruleset.with_readings([(name, READINGS[name].default)]))
        one, other = (state_of(where) for where in (position, default))
        if engine_of(ruleset).turn(one)["ends"] != engine_of(default.ruleset).turn(other)["ends"]:
            yield position


def compare_turns(name: str, value: str, number: int) -> None:
    """With the way of the linter, which follows turns by the steps of the reference rules."""
    for position in islice(turns(name, value), number):
        engine, state = engine_of(position.ruleset), state_of(position)
        found = engine.turn(state)
        lost = sum(weight for end, weight in found["ends"].items() if end != "won")
        lost_by_rules, won_by_rules = turn_chances(position)
        unit = found["unit"]
        assert found["known"] == unit, str(position)
        assert (lost, found["ends"].get("won", 0)) == (lost_by_rules * unit, won_by_rules * unit), str(position)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param(
            *pair,
            id="=".join(pair),
            marks=[] if pair[0] in ("E-WIN", "E-LIMIT-ORDER", "E-CRISIS-GONE") else [pytest.mark.slow],
        )
        for pair in IN_TURNS
    ],
)
def test_a_whole_turn_is_that_of_the_reference_rules(name: str, value: str) -> None:
    compare_turns(name, value, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), IN_TURNS, ids=[f"{name}={value}" for name, value in IN_TURNS])
def test_many_whole_turns_are_those_of_the_reference_rules(name: str, value: str) -> None:
    compare_turns(name, value, 30)
