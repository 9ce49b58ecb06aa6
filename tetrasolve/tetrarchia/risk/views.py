"""Closer looks at the risk of one phase as JSON data: by event, by province, by disc."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from tetrasolve.exact.certainty import fraction_data
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.board import ROMAN_NUMERALS, Board
from tetrasolve.tetrarchia.phase.events import Events, events
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.deciders import Decider, declining
from tetrasolve.tetrarchia.risk.why import Marginals, Struck, cuts, deadliest, marginals

FIGURES = ("p_uprising", "e_uprisings", "p_lost", "e_revolts")

View = Callable[[Position, "Stop | None", Decider], dict[str, Any]]


def by_event(position: Position, stop: Stop | None = None, decider: Decider = declining) -> dict[str, Any]:
    """The distribution of each kind of event in the phase; `decider` says who answers its choices.

    :raises Stopped: when `stop` is set before all are known.
    """
    rows = event_rows(events(position, stop=stop, decide=decider(position)), position.board)
    return {title: {name: fraction_data(value) for name, value in values.items()} for title, values in rows.items()}


def event_rows(seen: Events, board: Board) -> dict[str, dict[str, Fraction]]:
    """The chances of each kind of event, by its name in a table."""
    uprisings = {str(number): chance for number, chance in seen.uprisings.items()}
    uprisings["more"] = seen.more_uprisings
    uprisings["expected"] = seen.expected_uprisings
    return {
        "uprisings": uprisings,
        "provinces newly in revolt": _numbers(seen.new_revolts),
        "provinces newly in unrest": _numbers(seen.new_unrest),
        "garrisons lost": _numbers(seen.garrisons_lost),
        "army arrives": {board[border].name: chance for border, chance in seen.arrivals.items()},
        "Emperor removed": {str(emperor): chance for emperor, chance in seen.removed.items()},
        "battles": {
            f"army in {board[army].name}, {emperor}: {outcome}": chance
            for (army, emperor, outcome), chance in seen.battles.items()
        },
        "the Empire falls": {str(cause): chance for cause, chance in seen.falls.items()},
    }


def _numbers(counts: Mapping[int, Fraction]) -> dict[str, Fraction]:
    return {str(number): chance for number, chance in counts.items()}


def by_province(position: Position, stop: Stop | None = None, decider: Decider = declining) -> dict[str, Any]:
    """The effect of an activity roll in each province, by region, the worst first.

    :raises Stopped: when `stop` is set before it is known.
    """
    return province_data(deadliest(position, stop, decide=decider(position)))


def province_data(found: Mapping[int, tuple[Struck, ...]]) -> dict[str, Any]:
    """`by_province` of effects that are known."""
    return {ROMAN_NUMERALS[region]: [_struck(row) for row in seen] for region, seen in found.items()}


def _struck(row: Struck) -> dict[str, object]:
    return {
        "province": row.province,
        "e_new_revolts": fraction_data(row.e_new_revolts),
        "p_lost": fraction_data(row.p_lost),
        **({"rolled_again": fraction_data(row.rolled_again)} if row.rolled_again else {}),
    }


def by_disc(position: Position, stop: Stop | None = None, decider: Decider = declining) -> dict[str, Any]:
    """The decrease of the figures by each single change, and the cuts that leave an army the least support.

    :raises Stopped: when `stop` is set before all are known.
    """
    return disc_data(position, marginals(position, decider=decider, stop=stop))


def disc_data(position: Position, found: Marginals) -> dict[str, Any]:
    """`by_disc` of marginal risks that are known."""
    return {
        "changes": [
            {"what": change.what, "province": change.province}
            | {figure: fraction_data(change.gain(found.before, figure)) for figure in FIGURES}
            for change in found.ranked()
        ],
        "cuts": [
            {"army": cut.army, "removed": list(cut.removed), "group": cut.support, "left": cut.left}
            for cut in cuts(position)
        ],
    }


VIEWS: Mapping[str, View] = {"event": by_event, "province": by_province, "disc": by_disc}
