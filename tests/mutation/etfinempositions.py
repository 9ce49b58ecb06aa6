"""Positions of the second game on which two rules are compared, each as its line, which is read again for each question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from random import Random

from tablefinem import RULESETS

from tetrasolve.errors import TetrasolveError
from tetrasolve.finem import numbers, rules
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.lint.domain import DECLINE, DICE, OUTBREAKS, WHITE, Situation, placed, size_of
from tetrasolve.finem.lint.search import _smaller
from tetrasolve.finem.position import Position, State, Step
from tetrasolve.finem.rules.turn import _STEPS as STEPS
from tetrasolve.finem.ruleset import READINGS as READINGS_OF_ALL
from tetrasolve.finem.ruleset import ROLES, Ruleset

SET_UP = "set-up"  # a line that begins so has a ruleset and a seed
LEVELS = ("introductory", "standard", "introductory", "standard", "introductory+cap3", "expert+corner+sphere+cap3")
LARGE = 100  # the size of a set-up, which is looked at last
READINGS = 0.2  # share of positions with several other readings than the defaults
ONE_READING = 0.45  # share with one or two
FULL_SET_UP = 841  # a seed whose first cards need a thirteenth cube
SHARE = 0.3  # of the positions of a turn that are taken, so that they are of many turns
RARE = frozenset(Step) - {Step.ACT, Step.DRAW, Step.INVADE, Step.CRISIS, Step.EVENT}  # all of these are taken
CHAINS = 0.15  # share of positions in which an outbreak goes on
AT_LIMIT = 0.2  # as many positions again, of turns that begin with all points that the limit allows
HIGHEST = numbers.PACIFIED_AT - 1  # that a die shows before it pacifies
HITS = 0.4  # share of cards that are of a region with cubes, where there is one


def behaviour(line: str) -> int:
    """What can come and what follows from each of it, as a number."""
    try:
        text = repr(_behaviour(line))
    except TetrasolveError as error:
        text = f"{type(error).__name__} {error}"
    return int.from_bytes(sha256(text.encode()).digest()[:8])  # the same in each run, for what is kept of it


def _behaviour(line: str) -> tuple[object, ...]:
    if line.startswith(SET_UP):
        _, ruleset, seed = line.split()
        return (_without_rules(rules.random_set_up(Ruleset.from_text(ruleset), int(seed))),)
    position = Position.parse(line)
    found = rules.node(position)
    after = STEPS[position.step][1]  # as rules.take, which lists the options again each time
    answers = ((option, _without_rules(after(position, option))) for option in found.options)
    return found.is_chance, len(found.options), *sorted(answers)  # in which order they are listed is no rule


def _without_rules(state: State) -> str:
    return str(state).partition(" ")[2] if isinstance(state, Position) else str(state)


def with_reading(line: str, name: str, value: str) -> str | None:
    """A position under another value of a reading; None where it has that value, cannot occur so, or nothing changes."""
    head, ruleset, rest = (SET_UP, *line.split(" ", 2)[1:]) if line.startswith(SET_UP) else ("", *line.split(" ", 1))
    try:
        other = str(Ruleset.from_text(ruleset).with_readings([(name, value)]))
        text = f"{head} {other} {rest}".lstrip()
        return text if other != ruleset and (head or not Position.parse(text).status()) else None
    except TetrasolveError:
        return None


def pool(count: int, seed: str) -> list[str]:
    """Set-ups, and positions of turns at random, as many at each step where so many are met."""
    random, of_limit = Random(seed), Random(f"{seed}: limit")  # the first are the same whatever is drawn at the limit
    found = [f"{SET_UP} {ruleset} {number}" for ruleset in (*LEVELS, *RULESETS) for number in (0, FULL_SET_UP)]
    found += _of_turns(random, 2 * count, count // len(Step), _drawn)
    found += _of_turns(of_limit, int(2 * AT_LIMIT * count), int(AT_LIMIT * count) // len(Step), _at_limit)
    return sorted(dict.fromkeys(found), key=size)


def _of_turns(random: Random, turns: int, each: int, drawn: Callable[[Random], Position]) -> Iterator[str]:
    """Positions of so many turns, at most so many at each step."""
    missing = Counter({step: each for step in Step})
    for _ in range(turns):
        for position in _turn(random, drawn(random)):
            if missing[position.step] > 0 and (position.step in RARE or random.random() < SHARE):
                missing[position.step] -= 1
                yield str(position)


def _at_limit(random: Random) -> Position:
    """A position whose dice have all points that the limit allows."""
    while True:
        position = _drawn(random)
        if position.ruleset.is_introductory:
            continue
        while position.points < numbers.MOST_POINTS and (can_rise := [t for t in TRIBES if position.die(t) < HIGHEST]):
            tribe = random.choice(can_rise)
            position = position.with_die(tribe, position.die(tribe) + 1)
        if position.points == numbers.MOST_POINTS and not position.status():
            return position


def _turn(random: Random, state: State) -> Iterator[Position]:
    """The positions of a turn that is played at random."""
    while isinstance(state, Position):
        yield state
        if state.step in (Step.ROLE, Step.APPOINT):
            return
        options = rules.node(state).options
        hits = [option for option in options if option[0] in TRIBES and any(state.cubes[REGIONS.index(option)])]
        state = rules.take(state, random.choice(hits if hits and random.random() < HITS else options))


def _ruleset(random: Random) -> Ruleset:
    """The defaults, several other readings, or one or two at a level at which they can matter."""
    kind = random.random()
    if kind < READINGS:
        return Ruleset.from_text(random.choice(RULESETS))
    ruleset = Ruleset.from_text(random.choice(LEVELS))
    if kind > READINGS + ONE_READING:
        return ruleset
    applying = [reading for reading in READINGS_OF_ALL.values() if reading.applies(ruleset.level, ruleset.options)]
    chosen = random.sample(applying, random.choice((1, 2)))
    return ruleset.with_readings([(reading.name, random.choice(list(reading.options))) for reading in chosen])


def _drawn(random: Random) -> Position:
    """A position in which the player acts, with cubes, dice and tracks at random, that can occur."""
    while True:
        ruleset = _ruleset(random)
        if not ruleset.has_map:
            continue
        cubes = [[0, 0, 0, 0] for _ in REGIONS]
        middle = random.choice(REGIONS)
        near = [middle, *ruleset.layout.neighbours[middle]]
        for _ in range(random.choice((1, 2, 4, 6, 9))):
            region = random.choice(near if random.random() < 0.5 else REGIONS)
            tribe = random.choice((region[0], region[0], middle[0]))
            cubes[REGIONS.index(region)][TRIBES.index(tribe)] = random.choice((1, 2, 3, 3))
        if random.random() < CHAINS:  # full regions next to one another
            for region in near[:3]:
                cubes[REGIONS.index(region)][TRIBES.index(middle[0])] = 3
        dice = [random.choice((1, 1, 2, 3, 5, 6) if ruleset.is_introductory else (1, 1, 1, 2, 3, 5)) for _ in TRIBES]
        pacified = [random.random() < 0.4 for _ in TRIBES]
        gone = tuple(
            at
            for at in range(len(TRIBES))
            if ruleset.is_introductory and pacified[at] and not any(row[at] for row in cubes) and random.random() < 0.7
        )
        tracks = {"decline": random.choice((2, 2, 3, 4, 5, 6, 8, 9, 11)), "outbreaks": random.choice((1, 1, 2, 3))}
        situation = Situation(Step.ACT, random.choice(ROLES), random.choice((1, 1, 2)))
        counts = [
            *enumerate(count for row in cubes for count in row),
            *((DICE + at, die - 1) for at, die in enumerate(dice)),
            *((WHITE + at, 1) for at, is_so in enumerate(pacified) if is_so),
            *((slot, tracks[name] - 1) for slot, name in ((DECLINE, "decline"), (OUTBREAKS, "outbreaks"))),
        ]
        table = tuple(slot for slot, count in counts for _ in range(count))
        position = placed(ruleset, situation, table, gone)
        assert position is not None
        pawn = random.choice((position.pawn, middle, random.choice(REGIONS)))
        position = position.replace(pawn=pawn, last=random.choice(REGIONS))
        if not position.status():
            return position


def size(line: str) -> int:
    """The pieces of a position."""
    return LARGE if line.startswith(SET_UP) else size_of(Position.parse(line))


def smaller(line: str) -> Iterator[str]:
    """The positions with a piece or some less that can occur."""
    if not line.startswith(SET_UP):
        yield from (str(one) for one in _smaller(Position.parse(line)) if not one.status())
