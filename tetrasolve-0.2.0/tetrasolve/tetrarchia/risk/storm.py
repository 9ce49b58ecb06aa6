"""The Barbarian phase as a Markov chain for the model checker Storm, and Storm's exact answers.

`write_drn` gives the chain as text in Storm's explicit format with rational numbers, a state for each step of the
reference rules; `storm_figures` solves it with stormpy (GPL, an optional extra: ``pip install tetrasolve[storm]``). This is a
third method for the figures: the reference rules with another solver.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from tetrasolve.exact import Distribution
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall, barbarian
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, EchoRegion
from tetrasolve.tetrarchia.rules.barbarian import arrival_share, uprising_share
from tetrasolve.tetrarchia.rules.step import Settled

REWARDS = ("first_uprisings", "uprisings", "arrivals", "revolts")

# The figures of the phase as properties of the chain.
PROPERTIES = {
    "p_uprising": 'R{"first_uprisings"}=? [F "done"]',
    "e_uprisings": 'R{"uprisings"}=? [F "done"]',
    "p_lost": 'P=? [F "lost"]',
    "p_new_army": 'R{"arrivals"}=? [F "done"]',
    "e_revolts": 'R{"revolts"}=? [F "done"]',
}


def write_drn(position: Position) -> str:
    """The phase of this position as a discrete-time Markov chain in Storm's DRN format, probabilities as fractions.

    States are labelled ``init``, ``lost``, ``standing`` and ``done``; the reward models are those of `REWARDS`.

    :raises IllegalPositionError: when no Barbarian phase can follow.
    """
    states = _explored(barbarian.start(position))
    done = len(states)
    lines = [
        f"// Barbarian phase of {position}",
        "@type: DTMC",
        "@value_type: rational",
        "@parameters",
        "",
        "@reward_models",
        " ".join(REWARDS),
        "@nr_states",
        str(done + 1),
        "@nr_choices",
        str(done + 1),
        "@model",
    ]
    numbers = {step: number for number, step in enumerate(states)}
    for step, row in states.items():
        lines += _state(
            numbers[step], step, {numbers[image]: chance for image, chance in row.items()} or {done: Fraction(1)}
        )
    lines += _rows(done, (0,) * len(REWARDS), "done", {done: Fraction(1)})
    return "\n".join(lines) + "\n"


def _explored(start: Settled) -> dict[Settled, Mapping[Settled, Fraction] | Distribution[Settled]]:
    states: dict[Settled, Mapping[Settled, Fraction] | Distribution[Settled]] = {}
    waiting = [start]
    while waiting:
        step = waiting.pop()
        if step not in states:
            states[step] = barbarian.row(step) or {}
            waiting.extend(states[step])
    return states


def _state(number: int, step: Settled, row: dict[int, Fraction]) -> Iterator[str]:
    label = "init" if number == 0 else ""
    if isinstance(step, Fall):
        label += " lost"
    elif isinstance(step, Position):
        label += " standing"
    return _rows(number, _rewards(step), label.strip(), row)


def _rewards(step: Settled) -> tuple[Fraction | int, ...]:
    match step:
        case Activity():
            return (uprising_share(step), uprising_share(step), 0, 0)
        case EchoProvince():
            return (0, uprising_share(step), 0, 0)
        case EchoRegion():
            return (0, 0, arrival_share(step), 0)
        case Position():
            return (0, 0, 0, len(step.revolts))
    return (0, 0, 0, 0)


def _rows(number: int, rewards: tuple[Fraction | int, ...], label: str, row: dict[int, Fraction]) -> Iterator[str]:
    yield f"state {number} [{', '.join(map(str, rewards))}] {label}".rstrip()
    yield "\taction 0 [0" + ", 0" * (len(rewards) - 1) + "]"
    for image, chance in sorted(row.items()):
        yield f"\t\t{image} : {chance}"


def storm_figures(position: Position) -> dict[str, Fraction]:
    """The figures of the phase as Storm computes them, exactly; `outcomes` is not among them.

    :raises ModuleNotFoundError: without stormpy.
    :raises IllegalPositionError: when no Barbarian phase can follow.
    """
    import stormpy

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "phase.drn"
        path.write_text(write_drn(position), "utf-8")
        model = stormpy.build_model_from_drn[stormpy.Rational](str(path))
    start = model.initial_states[0]
    figures: dict[str, Fraction] = {}
    for name, formula in PROPERTIES.items():
        if name == "p_lost" and not model.labeling.contains_label("lost"):
            figures[name] = Fraction(0)  # Storm refuses a label that no state has
            continue
        result = stormpy.model_checking(model, stormpy.parse_properties(formula)[0])
        figures[name] = Fraction(str(result.get_value(start)))
    return figures
