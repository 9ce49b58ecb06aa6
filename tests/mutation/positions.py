"""What the reference rules do with a position, and positions on which to look for a difference between two rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from scatter import RECIPES
from scattermodules import any_extensions, with_figures
from tabletop import MAP

from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Choice, Fall
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

STEPS = 150  # of a Barbarian phase that are looked at


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
        return (
            *played,
            rules.may_end(position),
            position.is_won,
            tuple(rules.scores(position).items()),
            rules.great(position),
        )
    waiting, seen, found = [rules.barbarian.begin(position)], set(), []
    while waiting and len(seen) < STEPS:
        step = waiting.pop(0)
        if isinstance(step, (Position, Fall)) or step in seen:
            found.append(_name(step))
            continue
        seen.add(step)
        if isinstance(step, Choice):
            found.append((step.decider, step.options))
            waiting += [step.after(option) for option in step.options[:6]]
        else:
            roll = step.roll()
            found.append(roll.questions)
            waiting += [rules.questions.landed(step, *pair) for pair in zip(roll.faces, roll.results, strict=True)]
    return tuple(found)


def _name(step: object) -> object:
    return str(step) if isinstance(step, (Position, Fall)) else type(step).__name__


def pool(count: int, seed: str) -> list[Position | Start]:
    """Positions of both phases with any modules, and set-ups."""
    random, levels = Random(seed), list(all_levels())
    positions: list[Position | Start] = [
        Start(str(any_extensions(random.choice(levels), random)), n) for n in range(count // 10)
    ]
    positions += [Start("4211", n, war) for war in rules.scenarios() for n in range(3)]
    while len(positions) < count:
        ruleset = any_extensions(random.choice(levels), random, plain=0.9)
        if random.random() < 0.5:
            ruleset = random.choice(levels)
        phase = random.choice((Phase.ROMAN, Phase.BARBARIAN))
        try:
            positions.append(with_figures(random.choice(list(RECIPES)), ruleset, random, MAP, phase))
        except (AssertionError, IndexError, ValueError):  # no such position
            continue
    return sorted(positions, key=size)


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
