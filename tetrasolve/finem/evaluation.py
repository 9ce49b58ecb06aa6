"""Objectives of a turn: linear evaluations of how it ends, with their text form.

=============================== ===================================================================
``p_lost``, ``p_won``           the chance to lose or to win in this turn
``outbreaks``                   the place on the track of outbreaks; 4 where the game is lost, 0 where it is won
``outbreaks=-5 decline=-2``     a weight for each place on a track, where the game goes on
``die=1 pacified=8 cubes=-1``   for each point of the dice, pacified tribe, cube on the map; ``die:O=3`` of one tribe
``constant=10``                 a constant where the game goes on
``won=500 lost=-200``           the value of a game that is won or lost in this turn
=============================== ===================================================================

A policy aims at the most of an objective, of ``p_lost`` and ``outbreaks`` at the least; ``most`` or ``least`` in front says it
otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tetrasolve.errors import ArgumentError, ObjectiveError, shown
from tetrasolve.finem import numbers
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.position import Result, State

SUMS = ("constant", "won", "lost")
TRACKS = ("outbreaks", "decline")
OF_TRIBES = ("die", "pacified", "cubes")
LARGEST_SUM = 10_000  # as the kernel takes them: all sums of a turn fit into 64 bits
LARGEST_WEIGHT = 500
MOST, LEAST = "most", "least"
LONGEST = 600  # characters; the longest objective there is has fewer


@dataclass(frozen=True)
class Evaluation:
    """A linear evaluation of how a turn ends.

    `sums` are the values of a game that goes on (before its weights), is won and is lost; `tracks` the weights of a place on each
    track, `tribes` those of each kind by tribe.
    """

    sums: tuple[int, int, int] = (0, 0, 0)
    tracks: tuple[int, int] = (0, 0)
    tribes: tuple[tuple[int, int, int, int], ...] = ((0, 0, 0, 0),) * len(OF_TRIBES)

    def of(self, state: State) -> int:
        """The value of a position at the end of a turn, or of a game that is over."""
        constant, won, lost = self.sums
        if isinstance(state, Result):
            return won if state.is_won else lost
        die, pacified, cubes = self.tribes
        value = constant + self.tracks[0] * state.outbreaks + self.tracks[1] * state.decline
        for at, tribe in enumerate(TRIBES):
            value += die[at] * state.dice[at] + pacified[at] * (tribe in state.pacified)
            value += cubes[at] * state.on_map(tribe)
        return value

    @property
    def weights(self) -> tuple[int, ...]:
        """All of them in the order of the kernel."""
        return (*self.sums, *self.tracks, *(weight for row in self.tribes for weight in row))

    def range(self, most_decline: int) -> tuple[int, int]:
        """Bounds of any value."""
        constant, won, lost = self.sums
        places = ((1, numbers.MOST_OUTBREAKS - 1), (1, most_decline - 1))
        low = high = constant
        for weight, (least, most) in zip(self.tracks, places, strict=True):
            low, high = low + min(weight * least, weight * most), high + max(weight * least, weight * most)
        for row, most in zip(self.tribes, (numbers.PACIFIED_AT, 1, numbers.CUBES), strict=True):
            low, high = low + sum(min(0, weight) * most for weight in row), high + sum(max(0, w) * most for w in row)
        return min(low, won, lost), max(high, won, lost)

    def negated(self) -> Evaluation:
        """The evaluation of who aims at the least of this one."""
        constant, won, lost = self.sums
        rows = tuple((-o, -c, -e, -b) for o, c, e, b in self.tribes)
        return Evaluation((-constant, -won, -lost), (-self.tracks[0], -self.tracks[1]), rows)

    def __str__(self) -> str:
        words = [f"{name}={weight}" for name, weight in zip((*TRACKS, *SUMS), (*self.tracks, *self.sums), strict=True)]
        for kind, row in zip(OF_TRIBES, self.tribes, strict=True):
            if len(set(row)) == 1:
                words.append(f"{kind}={row[0]}")
            else:
                words += [f"{kind}:{tribe}={weight}" for tribe, weight in zip(TRIBES, row, strict=True)]
        return " ".join(word for word in words if not word.endswith("=0")) or "constant=0"


@dataclass(frozen=True)
class Objective:
    """What a policy aims at: the most of an evaluation, or the least."""

    name: str
    evaluation: Evaluation
    aims_at_most: bool

    @property
    def sign(self) -> int:
        """1 where it aims at the most, -1 where at the least: what the kernel's values are multiplied by."""
        return 1 if self.aims_at_most else -1

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights of what the kernel makes the most of: of the evaluation, or of its opposite."""
        return (self.evaluation if self.aims_at_most else self.evaluation.negated()).weights

    def __str__(self) -> str:
        return f"{MOST if self.aims_at_most else LEAST} {self.name}"


_NAMED: Mapping[str, tuple[Evaluation, bool]] = MappingProxyType(
    {
        "p_lost": (Evaluation(sums=(0, 0, 1)), False),
        "p_won": (Evaluation(sums=(0, 1, 0)), True),
        "outbreaks": (Evaluation(sums=(0, 0, numbers.MOST_OUTBREAKS), tracks=(1, 0)), False),
    }
)
OBJECTIVES = tuple(_NAMED)
_WORD = re.compile(r"([a-z]+)(?::([OCEB]))?=([+-]?[0-9]{1,5})")


def read_objective(text: str) -> Objective:
    """An objective from its text form.

    >>> str(read_objective("cubes=-1 pacified:O=8 lost=-60")), str(read_objective("p_lost"))
    ('most lost=-60 pacified:O=8 cubes=-1', 'least p_lost')

    :raises ObjectiveError: when it cannot be read; the wrong word is named.
    :raises ArgumentError: when it is no text.
    """
    if not isinstance(text, str):
        raise ArgumentError("objective", text, "text such as 'p_lost'")
    if len(text) > LONGEST:
        raise ObjectiveError(f"an objective of {len(text):,} characters, expected at most {LONGEST}")
    head, _, rest = text.strip().partition(" ")
    side = head if head in (MOST, LEAST) else None
    words = rest.strip() if side else text.strip()
    if words in _NAMED:
        evaluation, most = _NAMED[words]
        return Objective(words, evaluation, most if side is None else side == MOST)
    evaluation = _read_evaluation(words)
    return Objective(str(evaluation), evaluation, side != LEAST)


def _read_evaluation(text: str) -> Evaluation:
    found: dict[str, int] = {}
    for word in text.split() or [text]:
        match = _WORD.fullmatch(word)
        name = match.group(1) if match else ""
        if match is None or name not in (*SUMS, *TRACKS, *OF_TRIBES) or (match.group(2) and name not in OF_TRIBES):
            raise ObjectiveError(
                f"objective: {shown(word)} is nothing to aim at, expected one of {', '.join(OBJECTIVES)}, or weights in "
                f"whole numbers like cubes=-1 die:O=2 of {', '.join((*TRACKS, *OF_TRIBES, *SUMS))}"
            )
        key = name + (f":{match.group(2)}" if match.group(2) else "")
        weight, most = int(match.group(3)), LARGEST_SUM if name in SUMS else LARGEST_WEIGHT
        if abs(weight) > most:
            raise ObjectiveError(f"objective: {shown(word)}: expected at most {most:,}")
        if key in found:
            raise ObjectiveError(f"objective: {key} is given twice")
        found[key] = weight
    rows = []
    for kind in OF_TRIBES:
        o, c, e, b = (found.get(f"{kind}:{tribe}", found.get(kind, 0)) for tribe in TRIBES)
        rows.append((o, c, e, b))
    constant, won, lost = (found.get(name, 0) for name in SUMS)
    return Evaluation((constant, won, lost), (found.get("outbreaks", 0), found.get("decline", 0)), tuple(rows))
