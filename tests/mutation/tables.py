"""What the reference rules say of a table, and tables on which to look for a difference between two rules."""

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


def said(table: Position | Start) -> int:
    """A number that stands for all that the rules say: legal actions with costs and results, or the steps of a phase.

    It is the same in processes that were forked from one another, and there only.
    """
    try:
        return hash(_said(table))
    except TetrasolveError as error:
        return hash((type(error).__name__, str(error)))


def _said(table: Position | Start) -> tuple[object, ...]:
    if isinstance(table, Start):
        if table.war is None:
            return (str(rules.random_set_up(Ruleset.from_text(table.ruleset), table.seed, board=MAP)),)
        return (str(rules.rolled_scenario(table.war, table.seed).position),)
    if table.phase is Phase.ROMAN:
        actions = rules.legal_actions(table)
        played = [(str(a), rules.cost(table, a), _name(rules.play(table, a))) for a in actions]
        return (*played, rules.may_end(table), table.is_won, tuple(rules.scores(table).items()), rules.great(table))
    waiting, seen, found = [rules.barbarian.begin(table)], set(), []
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
    """Tables of both phases with any modules, and set-ups."""
    random, levels = Random(seed), list(all_levels())
    tables: list[Position | Start] = [
        Start(str(any_extensions(random.choice(levels), random)), n) for n in range(count // 10)
    ]
    tables += [Start("4211", n, war) for war in rules.scenarios() for n in range(3)]
    while len(tables) < count:
        ruleset = any_extensions(random.choice(levels), random, plain=0.9)
        if random.random() < 0.5:
            ruleset = random.choice(levels)
        phase = random.choice((Phase.ROMAN, Phase.BARBARIAN))
        try:
            tables.append(with_figures(random.choice(list(RECIPES)), ruleset, random, MAP, phase))
        except (AssertionError, IndexError, ValueError):  # no such table
            continue
    return sorted(tables, key=size)


def size(table: Position | Start) -> int:
    """The pieces on the table."""
    if isinstance(table, Start):
        return 100
    return len(table.discs) + len(table.armies) + len(table.romans)


def smaller(table: Position | Start) -> Iterator[Position]:
    """The legal tables with one piece less, or with one IP less."""
    if isinstance(table, Start):
        return
    found = [table.with_disc(place, None) for place in table.discs]
    found += [table.with_army(army, None) for army in table.armies if army not in table.rebels]
    found += [table.with_emperor(who, None) for who, place in table.emperors.items() if place and who != table.to_move]
    found += [
        table.with_disc(place, None).with_army(place, None) for place in table.armies if place not in table.rebels
    ]
    found += [table.replace(ip=table.ip - 1)] if table.phase is Phase.ROMAN and table.ip else []
    for candidate in found:
        try:
            if candidate.status() == ():
                yield candidate
        except TetrasolveError:
            continue
