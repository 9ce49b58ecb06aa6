"""Computes figures from tallies: the state of the game after a phase, each number with its certainty."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from tetrasolve.exact.certainty import Exact, Interval, Unknown
from tetrasolve.exact.estimate import Estimate, chance, mean, stratified_chance, stratified_mean, unequal_chance
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.masks import rows_of
from tetrasolve.tetrarchia.numbers import ARMIES, REVOLTS
from tetrasolve.tetrarchia.phase.rounding import ROUNDOFF, Known, capped, known
from tetrasolve.tetrarchia.risk.tally import LOST, WON, Tally, armies_in, revolts_in
from tetrasolve.tetrarchia.rules import Fall

Certainty: TypeAlias = "Exact | Interval | Estimate | Unknown"

NOTHING = Exact(Fraction(0))
LOST_KEYS = tuple(f"{LOST}:{fall.name}" for fall in Fall)


@dataclass(frozen=True, slots=True)
class PhaseFigures:
    """The state of the game after `phase` Barbarian phases. Chances are in [0, 1], of all games.

    `lost`: the Empire has fallen, with `causes`; `won`: a plan has won the game. `uprising`: there was at least one uprising.
    `revolts`: chance times revolts on the board, summed over games not lost. `armies`: an army is in the province and the
    Empire has not fallen (provinces without armies in all cases, or in all runs, are left out); `army_counts[m]`: the Empire
    has not fallen, with m armies on the board. `method`: ``fractions``, ``doubles``, ``runs`` or
    ``none``.
    """

    phase: int
    method: str
    lost: Certainty
    causes: Mapping[Fall, Certainty]
    won: Certainty
    uprising: Certainty
    revolts: Certainty
    armies: Mapping[str, Certainty]
    army_counts: tuple[Certainty, ...]

    def rows(self) -> Iterator[tuple[str, Certainty]]:
        """The figures with their names, without armies by province."""
        yield "the Empire has fallen", self.lost
        for cause, figure in self.causes.items():
            yield f"  because {cause}", figure
        if self.won != NOTHING:
            yield "the game is won", self.won
        yield "at least one uprising", self.uprising
        yield "chance times revolts, over games not lost", self.revolts
        for number, figure in enumerate(self.army_counts):
            yield f"not lost, with {number} {'army' if number == 1 else 'armies'}", figure

    def as_data(self) -> dict[str, Any]:
        """The figures as JSON data."""
        return {
            "phase": self.phase,
            "method": self.method,
            "lost": self.lost.as_data(),
            "causes": {cause.name.lower(): figure.as_data() for cause, figure in self.causes.items()},
            "won": self.won.as_data(),
            "uprising": self.uprising.as_data(),
            "revolts": self.revolts.as_data(),
            "armies": {province: figure.as_data() for province, figure in self.armies.items()},
            "army_counts": [figure.as_data() for figure in self.army_counts],
        }


def no_figures(phase: int, uprising: Certainty, why: str) -> PhaseFigures:
    """Figures that are all unknown, with a reason."""
    unknown = Unknown(why)
    causes = dict.fromkeys(Fall, unknown)
    return PhaseFigures(phase, "none", unknown, causes, unknown, uprising, unknown, {}, (unknown,) * (ARMIES + 1))


# -- exact and rounded weights -------------------------------------------------------------------------------------


def total(parts: list[Known]) -> Known:
    """The sum."""
    if all(isinstance(part, Exact) for part in parts):
        return Exact(sum((part.low for part in parts), Fraction(0)))
    return Interval(sum((part.low for part in parts), Fraction(0)), sum((part.high for part in parts), Fraction(0)))


@dataclass
class Ledger:
    """The tallies of successive phases: games lost or won in each, and the open tables.

    `parts` are tallies with the roundings behind their weights; only the last one's open tables count.
    """

    parts: list[tuple[Tally, int]] = field(default_factory=list)

    def settled(self, phases: int, pick: Callable[[str], int]) -> Known:
        """The sum of weight times `pick` of the name over all games that are over after these phases."""
        return total([self._sum(index, pick, over=True) for index in range(phases)])

    def standing(self, phases: int, pick: Callable[[str], int]) -> Known:
        """The same sum including open games."""
        return total([self.settled(phases, pick), self._sum(phases - 1, pick, over=False)])

    def _sum(self, index: int, pick: Callable[[str], int], *, over: bool) -> Known:
        tally, roundings = self.parts[index]
        weights = [
            weight * times
            for key, weight in tally.items()
            if key.startswith((LOST, WON)) is over and (times := pick(key))
        ]
        extra = len(weights) + 1 if roundings else 0
        return known(sum(weights, Fraction(0) if not roundings else 0.0), roundings + extra)


def solved_figures(ledger: Ledger, phase: int, method: str, uprising: Certainty, board: Board) -> PhaseFigures:
    """The figures after a phase that was solved exactly."""
    places = sorted({row for tally, _ in ledger.parts[:phase] for key in tally for row in _rows(key)})

    def figure(pick: Callable[[str], int]) -> Known:
        return ledger.standing(phase, pick)

    armies = {board.ids[row]: capped(figure(_army_at(row))) for row in places}
    return PhaseFigures(
        phase=phase,
        method=method,
        lost=capped(figure(_lost)),
        causes=causes_of(ledger, phase),
        won=capped(figure(_won)),
        uprising=uprising,
        revolts=figure(revolts_after),
        armies={place: value for place, value in armies.items() if value != NOTHING},
        army_counts=tuple(capped(figure(_army_count(number))) for number in range(ARMIES + 1)),
    )


def causes_of(ledger: Ledger, phase: int) -> dict[Fall, Known]:
    """The chance of a fall by cause.

    Where several causes share a chance in doubles, the error is that of the whole chance, not of the share.
    """
    lost = ledger.settled(phase, _lost)
    roundings = max((part[1] for part in ledger.parts[:phase]), default=0)
    error = 4 * Fraction(roundings, ROUNDOFF - roundings) * lost.high
    causes: dict[Fall, Known] = {}
    for fall, name in zip(Fall, LOST_KEYS, strict=True):
        sure = ledger.settled(phase, lambda key, name=name: key == name)  # type: ignore[misc]  # bound at once
        told_apart = roundings > 0 and any(name in tally for tally, _ in ledger.parts[:phase])
        several = told_apart and sure.low < lost.low
        causes[fall] = Interval(max(sure.low - error, Fraction(0)), sure.high + error) if several else sure
    return causes


# -- counts of runs ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    """The total of batches of runs from the tables open after `after` phases, and the confidence of its intervals."""

    ledger: Ledger
    after: int
    open_share: Known  # chance of games open at that time
    counts: Mapping[str, Any]  # as `rollout.fold` has it
    confidence: float  # stated
    confidence_used: float  # for which each interval is computed
    strata: bool
    slack: float

    def lost(self, phase: int) -> Estimate:
        """The chance that the Empire has fallen after this phase."""
        tally, n = self._tally(phase), self.counts["n"]
        fallen = sum(count for key, count in tally.items() if key.startswith(LOST))
        if not self.strata:
            return self._placed(chance(fallen, n, self.confidence_used), _lost)
        split = self.counts["split"][phase - self.after - 1]
        return self._placed(stratified_chance(fallen, n, split, self.confidence_used), _lost)

    def figures(self, phase: int, uprising: Certainty, board: Board) -> PhaseFigures:
        """The figures after this phase."""
        tally = self._tally(phase)
        places = sorted({row for key in tally for row in _rows(key)} | self._places_before())
        return PhaseFigures(
            phase=phase,
            method="runs",
            lost=self.lost(phase),
            causes=self._causes(tally),
            won=self._chance(tally, _won) if any(key.startswith(WON) for key in tally) else self._won_before(),
            uprising=uprising,
            revolts=self._revolts(phase),
            armies={board.ids[row]: self._chance(tally, _army_at(row)) for row in places},
            army_counts=tuple(self._chance(tally, _army_count(number)) for number in range(ARMIES + 1)),
        )

    def _tally(self, phase: int) -> Mapping[str, int]:
        tally: Mapping[str, int] = self.counts["tallies"][phase - self.after - 1]
        return tally

    def _places_before(self) -> set[int]:
        """The armies on tables on which the game was won before the runs begin."""
        parts = self.ledger.parts[: self.after]
        return {row for tally, _ in parts for key in tally if key.startswith(WON) for row in _rows(key)}

    def _won_before(self) -> Certainty:
        """The chance of a won game if no run has one; without plans it is exactly that before the runs."""
        return self.ledger.settled(self.after, _won)

    def _chance(self, tally: Mapping[str, int], pick: Callable[[str], int]) -> Estimate:
        count, n = sum(number * pick(key) for key, number in tally.items()), self.counts["n"]
        estimate = (unequal_chance if self.strata else chance)(count, n, self.confidence_used)
        return self._placed(estimate, pick)

    def _causes(self, tally: Mapping[str, int]) -> dict[Fall, Certainty]:
        before = causes_of(self.ledger, self.after)
        causes: dict[Fall, Certainty] = {}
        for fall, name in zip(Fall, LOST_KEYS, strict=True):
            count, n = tally.get(name, 0), self.counts["n"]
            estimate = (unequal_chance if self.strata else chance)(count, n, self.confidence_used)
            causes[fall] = self._moved(estimate, before[fall])
        return causes

    def _revolts(self, phase: int) -> Certainty:
        tally, n = self._tally(phase), self.counts["n"]
        revolts = sum(revolts_after(key) * count for key, count in tally.items())
        if self.strata:
            pairs = self.counts["squares"][phase - self.after - 1]
            estimate = stratified_mean(revolts, pairs, n, REVOLTS, self.confidence_used)
        else:
            squares = sum(revolts_after(key) ** 2 * count for key, count in tally.items())
            estimate = mean(revolts, squares, n, REVOLTS, self.confidence_used)
        offset = self.ledger.settled(self.after, revolts_after)
        moved = estimate.widened(self.slack * REVOLTS).within(0, REVOLTS).moved(offset, self.open_share)
        return moved.at(self.confidence)

    def _placed(self, estimate: Estimate, pick: Callable[[str], int]) -> Estimate:
        return self._moved(estimate, self.ledger.settled(self.after, pick))

    def _moved(self, estimate: Estimate, offset: Known) -> Estimate:
        """A chance among open games, converted to all games."""
        inside = estimate.widened(self.slack).within(0, 1) if self.slack else estimate
        return inside.moved(offset, self.open_share).within(0, 1).at(self.confidence)


# -- what is counted -----------------------------------------------------------------------------------------------


def _lost(key: str) -> int:
    return key.startswith(LOST)


def _won(key: str) -> int:
    return key.startswith(WON)


def revolts_after(key: str) -> int:
    """The revolts on a table, 0 once the Empire has fallen."""
    return 0 if key.startswith(LOST) else revolts_in(key)


def _army_at(row: int) -> Callable[[str], int]:
    return lambda key: 0 if key.startswith(LOST) else armies_in(key) >> row & 1


def _army_count(number: int) -> Callable[[str], int]:
    return lambda key: not key.startswith(LOST) and armies_in(key).bit_count() == number


def _rows(key: str) -> Iterator[int]:
    return rows_of(0 if key.startswith(LOST) else armies_in(key))
