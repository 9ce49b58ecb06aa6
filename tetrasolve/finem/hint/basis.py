"""What a hint, a comparison or a review rests on: the network, the games of its calibration, and the readings it does not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tetrasolve.finem.hint.calibration import Curve, kind_of, shipped_calibration, turn_of
from tetrasolve.finem.hint.weights import shipped
from tetrasolve.finem.ruleset import Ruleset


def basis_data(ruleset: Ruleset, *, is_first: bool) -> dict[str, Any]:
    """The basis as JSON data, of the first turn or of later ones.

    ``calibrated`` is true if the games of the calibration had exactly these rules. Otherwise ``calibration_games`` are games with
    all other readings at their defaults, or 0 if there are none, and ``shifted_by`` has each reading by which chances were shifted,
    with the number of games with its value. ``not_learned`` has the readings that came after the training.
    """
    curve = _curve(ruleset, is_first)
    return {
        "network": shipped().digest,
        "rules": kind_of(ruleset) + turn_of(is_first=is_first),
        "calibrated": curve is not None and not curve.shifted_by,
        "calibration_games": 0 if curve is None else curve.games,
        "shifted_by": {} if curve is None else dict(curve.shifted_by),
        "not_learned": list(ruleset.later),
    }


def basis_lines(ruleset: Ruleset, *, is_first: bool) -> Iterator[str]:
    """The same as text."""
    curve, turn = _curve(ruleset, is_first), turn_of(is_first=is_first)
    found = "not calibrated"
    if curve is not None:
        found = f"calibrated on {curve.games:,} games ({kind_of(ruleset)}, other readings by default{turn})"
    yield f"network {shipped().digest[:8]}, {found}"
    if curve is not None and curve.shifted_by:
        others = ", ".join(f"{value} ({games:,} games)" for value, games in curve.shifted_by)
        yield f"never calibrated with exactly these rules: shifted by {others}"
    if ruleset.later:
        yield f"the evaluation has not learned {', '.join(ruleset.later)}"


def _curve(ruleset: Ruleset, is_first: bool) -> Curve | None:
    return shipped_calibration().curve(ruleset, is_first=is_first)
