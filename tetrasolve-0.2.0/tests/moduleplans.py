"""Turns with modules and objectives for them, and the comparison of their plans with all policies."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import cycle
from random import Random

from bruteforce import solve
from moduleturns import positions
from modulewords import WORDS
from solvertasks import KINDS, near

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.plan import plan, read_objective, read_plan
from tetrasolve.tetrarchia.plan.objective import natural
from tetrasolve.tetrarchia.position import Position


def cases(extensions: str, most_ip: int = 2) -> Iterator[tuple[Position, str]]:
    """Turns with these modules, and an objective for each; every other one about an army that can be attacked."""
    random, kinds = Random(f"policies {extensions}"), cycle(KINDS)
    words = [word for name in extensions.split() for word in WORDS.get(name, ())]
    for number, position in enumerate(positions(extensions, 10_000, 3)):
        if position.here is None:
            continue  # who enters has all his IP, and so many policies take minutes
        start = position.replace(ip=min(position.ip, most_ip))
        attacks = [a for a in rules.legal_actions(start) if a.kind is Kind.ATTACK]
        if start.status() or start.is_won or not (attacks or rules.may_end(start) or rules.legal_actions(start)):
            continue
        text = next(kinds)(start, near(start), random)
        if words and number % 3 == 0:
            text = random.choice(words).format(near=random.choice(near(start)))
        elif attacks and number % 2:
            target = random.choice(attacks).place
            text = random.choice(
                [f"kill {target}", f"kill {target} then most value garrison=1", "most value army=-5 garrison=1"]
            )
        elif number % 7 == 0 and "barbaria" not in extensions:
            text = "least p_uprising"
        yield start, text


def agree(position: Position, text: str) -> bool:
    """Value, runner-up and the number of end positions are those of all policies; says whether the plan branches."""
    objective = read_objective(text, position.board)
    best, found = solve(position, objective), plan(position, objective)

    def as_read(values: tuple[Fraction, ...] | None) -> tuple[Fraction, ...] | None:
        pairs = None if values is None else zip(objective.terms, values[1:], strict=True)
        return None if pairs is None else tuple(natural(term, value) for term, value in pairs)

    assert found.plan is not None
    assert found.values == as_read(best.first)
    assert found.runner_up_values == as_read(best.second)
    assert found.optimal_ends == len(best.ends)
    assert read_plan(str(found.plan), position.board) == found.plan
    assert str(found)
    return found.plan.fork is not None
