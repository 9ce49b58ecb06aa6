"""The themes of a puzzle: rows of ``data/themes.toml``, each with a rule that finds it in a line of the answer.

The rules look at the plan that is printed. Where actions commute other plans are the same answer; a theme that
depends on their order is that of the printed one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import TypeAlias

from tetrasolve.puzzles.themes import Theme, read_themes
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind, Outcome
from tetrasolve.tetrarchia.plan.objective import Goal, LeastIp
from tetrasolve.tetrarchia.position import REVOLT_DISC, Position
from tetrasolve.tetrarchia.puzzle.lines import Line, Step, lines
from tetrasolve.tetrarchia.puzzle.unique import Uniqueness
from tetrasolve.tetrarchia.rules.battle import linked
from tetrasolve.tetrarchia.rules.links import link_cost, move_cost, sea_cost

LEAST_CHAIN = 3  # discs in the group that counts
LEAST_JOINED = 2  # discs that a garrison adds to that group, itself included

Rule: TypeAlias = Callable[[Line], bool]
OWN_WORK = (Kind.ENTER, Kind.MOVE, Kind.SECURE, Kind.REMOVE, Kind.REDUCE, Kind.ATTACK, Kind.TRANSFER)

_rules: dict[str, Rule] = {}


@cache
def themes() -> Mapping[str, Theme]:
    """All themes by name.

    >>> len(themes())
    26
    >>> themes()["support"].meaning["en"]
    'Another figure of Rome supports an attack.'
    """
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/themes.toml").read_text("utf-8")
    return read_themes(text)


def themes_of(found: Uniqueness) -> tuple[str, ...]:
    """The names of the themes of an answer, in the order of the data file.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> from tetrasolve.tetrarchia.puzzle import unique
    >>> themes_of(unique(example("movement"), "clear dalmatia"))
    ('sea-crossing', 'last-ip', 'into-revolt')
    """
    played = tuple(lines(found.position, found.plan))
    return tuple(name for name in themes() if (has_decoy(found) if name == DECOY else has_theme(name, played)))


def has_theme(name: str, played: Iterable[Line]) -> bool:
    """Whether one of these lines has a theme; ``decoy`` is not in lines."""
    return any(map(_rules[name], played))


# -- the answer and the best other plan --------------------------------------------------------------------------

DECOY = "decoy"


def has_decoy(found: Uniqueness) -> bool:
    """Whether a cheaper plan has a smaller chance of the goal, which is not 0."""
    if found.other_values is None or not isinstance(found.objective.terms[0], Goal):
        return False
    row = found.objective.terms.index(LeastIp())
    return 0 < found.other_values[0] < found.values[0] and found.other_values[row] < found.values[row]


# -- ways --------------------------------------------------------------------------------------------------------


def _rule(name: str) -> Callable[[Rule], Rule]:
    def keep(rule: Rule) -> Rule:
        _rules[name] = rule
        return rule

    return keep


def _moves(line: Line) -> Iterator[tuple[Step, str, str]]:
    """The moves with the provinces that they lead from and to."""
    for _, step in line.of(Kind.MOVE):
        assert step.origin is not None and step.action.place is not None
        yield step, step.origin, step.action.place


@_rule("sea-crossing")
def _(line: Line) -> bool:
    return any(link_cost(step.before, origin, target) is None for step, origin, target in _moves(line))


@_rule("fleet-first")
def _(line: Line) -> bool:
    for step, origin, target in _moves(line):
        before = move_cost(step.before.replace(fleets=line.start.fleets), origin, target)
        now = move_cost(step.before, origin, target)
        if now is not None and (before is None or before > now):
            return True
    return False


@_rule("passing-through")
def _(line: Line) -> bool:
    return any(
        isinstance(step.after, Position) and step.after.passing == step.figure
        for _, step in line.of(Kind.ENTER, Kind.MOVE)
    )


@_rule("broken-link")
def _(line: Line) -> bool:
    for _, step in line.of(Kind.MOVE, Kind.ATTACK):
        assert step.origin is not None and step.action.place is not None
        if step.action.place not in step.before.board.provinces:
            continue  # the Pirates
        link = step.before.board.link(step.origin, step.action.place)
        by_sea = sea_cost(step.before, step.origin, step.action.place) if step.action.kind is Kind.MOVE else None
        if link is not None and link.broken and (by_sea is None or by_sea > step.ip):
            return True
    return False


@_rule("into-revolt")
def _(line: Line) -> bool:
    return any(step.before.has_revolt(target) for step, _, target in _moves(line))


@_rule("switchback")
def _(line: Line) -> bool:
    figures = {*line.start.romans, *(step.figure for step in line.steps)}  # some enter in this turn
    return any(len(set(stops)) < len(stops) for figure in figures if (stops := _stops(line, figure)))


def _stops(line: Line, figure: str) -> list[str]:
    """The provinces where a figure is, one after the other."""
    stops: list[str] = []
    for state in (*(step.before for step in line.steps), line.end):
        place = state.place_of(figure) if isinstance(state, Position) else None
        if place is not None and (not stops or stops[-1] != place):
            stops.append(place)
    return stops


@_rule("return")
def _(line: Line) -> bool:
    return any(True for _ in line.of(Kind.ENTER))


@_rule("quiet-move")
def _(line: Line) -> bool:
    own = [step.action.kind for _, step in line.of(*OWN_WORK) if step.figure == line.start.to_move]
    return own[-1:] == [Kind.MOVE]


# -- attacks -----------------------------------------------------------------------------------------------------


def _attacks(line: Line) -> Iterator[tuple[int, Step]]:
    return line.of(Kind.ATTACK)


def _before(line: Line, number: int, *kinds: Kind) -> Iterator[Step]:
    """The actions of these kinds before one."""
    return (step for earlier, step in line.of(*kinds) if earlier < number)


@_rule("chain-of-garrisons")
def _(line: Line) -> bool:
    return any(step.battle().garrisons >= LEAST_CHAIN for _, step in _attacks(line))


def _most_added(line: Line) -> int:
    """The most discs that a garrison of this turn adds to the group that counts in a later attack, itself included."""
    added = [0]
    for number, attack in _attacks(line):
        for step in _before(line, number, Kind.SECURE):
            assert step.origin is not None
            without = attack.before.with_disc(step.origin, None)
            added.append(attack.battle().garrisons - attack.battle(without).garrisons)
    return max(added)


@_rule("joined-chain")
def _(line: Line) -> bool:
    return _most_added(line) >= LEAST_JOINED


@_rule("garrison-first")
def _(line: Line) -> bool:
    return _most_added(line) >= 1


@_rule("support")
def _(line: Line) -> bool:
    return any(step.battle().emperors for _, step in _attacks(line))


@_rule("undermining")
def _(line: Line) -> bool:
    for number, attack in _attacks(line):
        for step in _before(line, number, Kind.REMOVE, Kind.REDUCE):
            assert step.origin is not None
            if step.before.has_revolt(step.origin):
                with_it = attack.before.with_disc(step.origin, REVOLT_DISC)
                if attack.battle(with_it).revolts > attack.battle().revolts:
                    return True
    return False


@_rule("supporter-first")
def _(line: Line) -> bool:
    for number, attack in _attacks(line):
        for step in _before(line, number, Kind.ATTACK):
            assert step.origin is not None and step.action.place is not None and attack.action.place is not None
            if step.action.outcome is Outcome.VICTORY and step.action.place in line.start.board.provinces:
                with_it = attack.before.replace(armies=(*attack.before.armies, step.action.place))
                beside = linked(step.before, step.origin) & set(step.before.armies) - {step.action.place}
                if attack.action.place in beside or attack.battle(with_it).armies > attack.battle().armies:
                    return True
    return False


@_rule("consolidation")
def _(line: Line) -> bool:
    return any(
        earlier.action.outcome is Outcome.VICTORY and earlier.action.place == step.origin
        for number, step in line.of(Kind.SECURE)
        for earlier in _before(line, number, Kind.ATTACK)
    )


@_rule("second-attempt")
def _(line: Line) -> bool:
    return any(
        earlier.action.outcome is Outcome.DRAW and earlier.action.place == step.action.place
        for number, step in _attacks(line)
        for earlier in _before(line, number, Kind.ATTACK)
    )


@_rule("two-battles")
def _(line: Line) -> bool:
    return len({step.action.place for _, step in _attacks(line)}) > 1


@_rule("other-way")
def _(line: Line) -> bool:
    return any(
        step.action.outcome is Outcome.DRAW
        and number + 1 < len(line.steps)
        and all(later.action.place != step.action.place for after, later in _attacks(line) if after > number)
        for number, step in _attacks(line)
    )


# -- discs and IP ------------------------------------------------------------------------------------------------


@_rule("subdue-before-secure")
def _(line: Line) -> bool:
    return any(
        earlier.origin == step.origin
        for number, step in line.of(Kind.SECURE)
        for earlier in _before(line, number, Kind.REMOVE)
    )


@_rule("half-measure")
def _(line: Line) -> bool:
    return any(
        isinstance(line.end, Position) and step.origin is not None and line.end.has_unrest(step.origin)
        for _, step in line.of(Kind.REDUCE)
    )


@_rule("sacrifice")
def _(line: Line) -> bool:
    left = {place for place in line.start.discs if line.start.has_garrison(place)}
    for step in line.steps:
        if not isinstance(step.after, Position):
            return False
        gone = {place for place in left if not step.after.has_garrison(place)}
        if gone and step.action.kind is not Kind.TRANSFER:
            return True
        left -= gone
    return False


@_rule("last-ip")
def _(line: Line) -> bool:
    return 0 < line.start.ip <= line.ip


@_rule("waiting")
def _(line: Line) -> bool:
    end = line.end
    if line.ip or not isinstance(end, Position):
        return False
    return any(rules.cost(end, action) > 0 for action in rules.legal_actions(end))


# -- figures -----------------------------------------------------------------------------------------------------


@_rule("lone-survivor")
def _(line: Line) -> bool:
    return all(figure == line.start.to_move for figure in line.start.romans)


@_rule("helping-hand")
def _(line: Line) -> bool:
    return any(step.figure != line.start.to_move for step in line.steps)
