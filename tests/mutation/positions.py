"""What the reference rules do with a position, and positions on which to look for a difference between two rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product
from random import Random
from typing import Any
from zlib import crc32

from moduletable import extended
from scatter import RECIPES
from scattermodules import any_extensions, with_figures
from tabletop import CAPITALS, MAP

from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Choice, Fall
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

STEPS = 30  # of a Barbarian phase that are looked at, from each of its beginnings
WAYS = 5  # in which each of them goes on, of all that are compared


@dataclass(frozen=True)
class Start:
    """A set-up from a seed."""

    ruleset: str
    seed: int
    war: str | None = None


def behaviour(position: Position | Start) -> int:
    """A number that stands for all that the rules do: legal actions with costs and results, or the steps of a phase.

    It is the same in processes that were forked from one another, and there only.
    """
    try:
        return hash(_behaviour(position))
    except TetrasolveError as error:
        return hash((type(error).__name__, str(error)))


def _behaviour(position: Position | Start) -> tuple[object, ...]:
    if isinstance(position, Start):
        if position.war is None:
            return (str(rules.random_set_up(Ruleset.from_text(position.ruleset), position.seed, board=MAP)),)
        return (str(rules.rolled_scenario(position.war, position.seed).position),)
    if position.phase is Phase.ROMAN:
        actions = rules.legal_actions(position)
        played = [(str(a), rules.cost(position, a), _name(rules.play(position, a))) for a in actions]
        fights = {(a.place, a.figure, a.payments) for a in actions if a.kind is Kind.ATTACK}
        return (
            *played,
            *sorted((str(fight), tuple(map(str, rules.attack_roll(position, *fight).results))) for fight in fights),
            rules.may_end(position),
            position.is_won,
            tuple(rules.scores(position).items()),
            rules.great(position),
        )
    begun = [rules.barbarian.begin(position), rules.activity.EchoRegion(position)]
    begun.append(rules.advance.begin(position, frozenset()))
    return tuple(_steps(step) for step in begun)


def _steps(first: Any) -> tuple[object, ...]:
    """What follows from a step of the Barbarian phase: all that is next, and a few ways on from there."""
    waiting, found, seen = [first], [_name(first)], set()
    while waiting and len(seen) < STEPS:
        step = waiting.pop(0)
        if isinstance(step, (Position, Fall)) or step in seen:
            continue
        seen.add(step)
        if isinstance(step, Choice):
            following = [step.after(option) for option in step.options]
            found.append((step.decider, step.options, *map(_name, following)))
        else:
            roll = step.roll()
            following = [rules.questions.landed(step, *pair) for pair in zip(roll.faces, roll.results, strict=True)]
            found.append((roll.questions, *map(_name, following)))
        following = list(dict.fromkeys(following))
        start = crc32(str(step.position).encode())
        waiting += [following[(start + n) % len(following)] for n in range(min(WAYS, len(following)))]
    return tuple(found)


def _name(step: object) -> object:
    return (
        str(step) if isinstance(step, (Position, Fall)) else (type(step).__name__, str(getattr(step, "position", "")))
    )


def pool(count: int, seed: str) -> list[Position | Start]:
    """Positions of both phases with any modules, set-ups, and those with few pieces where the rulebook has a special place."""
    random, levels = Random(seed), list(all_levels())
    positions: list[Position | Start] = [
        *entries(),
        *alone(),
        *pairs(),
        *borders(),
        *coasts(),
        *ways(),
        *nearly_full(),
        *groups(),
    ]
    positions += [Start(str(any_extensions(random.choice(levels), random)), n) for n in range(count // 10)]
    positions += [Start("4211", n, war) for war in rules.scenarios() for n in range(3)]
    count += len(positions)
    while len(positions) < count:
        ruleset = any_extensions(random.choice(levels), random, plain=0.9)
        if random.random() < 0.3:
            ruleset = random.choice(levels)
        phase = random.choice((Phase.ROMAN, Phase.ROMAN, Phase.ROMAN, Phase.BARBARIAN))
        try:
            positions.append(with_figures(random.choice(list(RECIPES)), ruleset, random, MAP, phase))
        except (AssertionError, IndexError, ValueError):  # no such position
            continue
    return sorted(positions, key=size)


def entries() -> Iterator[Position]:
    """Each Emperor off the board, and one other figure where he can enter."""
    for who, capital in CAPITALS.items():
        for place in (MAP.roma, capital):
            for figure in ("dux", "vicarius", *CAPITALS):
                at = {figure: place} if figure in CAPITALS else {}
                pieces = {"dux": None, "vicarius": None} | ({} if at else {figure: place})
                if figure != who:
                    yield extended("dux+vicarius", pieces, who, at)


def alone() -> Iterator[Position]:
    """Each Emperor alone in Roma, on each capital and on each border, with Via Romana on a garrison beside it."""
    for who in CAPITALS:
        for place in (MAP.roma, *CAPITALS.values(), *MAP.borders):
            yield extended("", to_move=who, at={who: place})
            beside = next(name for name in MAP.neighbours(place) if not MAP[name].is_border)
            yield extended("via-romana", to_move=who, at={who: beside}, garrisons={who: beside})


def pairs() -> Iterator[Position]:
    """Two armies at the same distance from Roma, or one behind the other, and nothing else that matters."""
    paths = [name for name in MAP.ids if MAP[name].arrow is not None]
    for first, second in combinations(paths, 2):
        tied = MAP.distance_to_roma[first] == MAP.distance_to_roma[second]
        if tied or second in (MAP[first].arrow, *MAP.neighbours(first)):
            revolts = " ".join(army for army in (first, second) if not MAP[army].is_border)
            yield extended("", armies=f"{first} {second}", revolts=revolts, barbarian=True)


def borders() -> Iterator[Position]:
    """What can be on a border when an army is to come there, the Goths in the reserve."""
    for border in MAP.borders:
        for figure in ("", "galerius", "dux", "vicarius", "army"):
            for garrison in ("", border):
                pieces = {"dux": None, "vicarius": None} | ({figure: border} if figure in ("dux", "vicarius") else {})
                at = {"diocletian": "asia"} | ({figure: border} if figure == "galerius" else {})
                armies = border if figure == "army" else ""
                if not (armies and garrison):
                    discs = {"garrisons": {"galerius": garrison}}
                    yield extended("goths+dux+vicarius", pieces, at=at, armies=armies, barbarian=True, **discs)


def coasts() -> Iterator[Position]:
    """The Pirates, each Emperor on their coast, and figures of one side there."""
    for zone, who in product((1, 2, 3), CAPITALS):
        coast = sorted({*MAP.coast[zone]} - {MAP.roma})
        others = [other for other in CAPITALS if other != who]
        free = tuple(other for other in (1, 2, 3) if other != zone)
        path = [place for place in coast if MAP[place].arrow is not None]
        for allies, armies in ((0, 0), (2, 0), (0, 2), (0, 1), (1, 1)):
            standing = path[:armies]
            here = [place for place in coast if place not in standing]
            yield extended(
                "pirates+goths+roma-aeterna+imperium",
                {"pirates": zone, "goths": standing[0] if standing else "reserve", "glory": {who: 1}},
                who,
                dict(zip([who, *others[:allies]], here, strict=False)),
                fleets=free,
                armies=" ".join(standing),
                revolts=" ".join(standing),
                garrisons={who: here[-1]},
            )


def ways() -> Iterator[Position]:
    """Each army on its way: with a player who can turn it, and with Galerius before it, in both phases."""
    for army in [name for name in MAP.ids if MAP[name].arrow is not None]:
        revolts = "" if MAP[army].is_border else army
        gray = {"barbarian_discs": {"gray": 1}}
        yield extended("barbaria", gray, at={}, armies=army, revolts=revolts, barbarian=True)
        front = MAP[army].arrow
        for barbarian in (False, True):
            yield extended(
                "imperium+roma-aeterna",
                {"glory": {"galerius": 1}},
                "galerius",
                {"galerius": front},
                armies=army,
                revolts=revolts,
                garrisons={"galerius": front},
                barbarian=barbarian,
            )


def nearly_full() -> Iterator[Position]:
    """An army that is about to fill a region with revolts, its border secured, and another army."""
    for army in [name for name in MAP.ids if MAP[name].arrow is not None]:
        front = MAP[MAP[army].arrow]
        border = MAP.borders[front.region - 1]
        if front.region and army != border:
            other = next(place for place in MAP.borders if place not in (army, border))
            full = [place for place in MAP.members(front.region) if place != front.id]
            revolts = " ".join(dict.fromkeys([*full, *([] if MAP[army].is_border else [army])]))
            yield extended(
                "usurpator",
                at={},
                armies=f"{army} {other}",
                revolts=revolts,
                garrisons={"maximian": border},
                barbarian=True,
                legal=False,
            )


def groups() -> Iterator[Position]:
    """An army on a border, between two groups of revolts of one province and of two, and an Emperor beside it."""
    for army in MAP.borders:
        beside = sorted(place for place in MAP.neighbours(army) if not MAP[place].is_border)
        for small, large in permutations(beside, 2):
            near = {army, small, *MAP.neighbours(small)}
            more = [p for p in sorted(MAP.neighbours(large)) if not MAP[p].is_border and p not in near]
            if MAP.roma in (army, small, large) or small in MAP.neighbours(large) or not more:
                continue
            yield extended("", at={"diocletian": small}, armies=army, revolts=f"{small} {large} {more[0]}")


def size(position: Position | Start) -> int:
    """The pieces on the position."""
    if isinstance(position, Start):
        return 100
    return len(position.discs) + len(position.armies) + len(position.romans)


def smaller(position: Position | Start) -> Iterator[Position]:
    """The legal positions with one piece less, or with one IP less."""
    if isinstance(position, Start):
        return
    found = [position.with_disc(place, None) for place in position.discs]
    found += [position.with_army(army, None) for army in position.armies if army not in position.rebels]
    found += [
        position.with_emperor(who, None)
        for who, place in position.emperors.items()
        if place and who != position.to_move
    ]
    found += [
        position.with_disc(place, None).with_army(place, None)
        for place in position.armies
        if place not in position.rebels
    ]
    found += [position.replace(ip=position.ip - 1)] if position.phase is Phase.ROMAN and position.ip else []
    for candidate in found:
        try:
            if candidate.status() == ():
                yield candidate
        except TetrasolveError:
            continue
