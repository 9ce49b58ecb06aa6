"""Where two values of a reading differ in the best plan of a turn, for objectives that are stated in ``data/plan-objectives.toml``.

A turn can differ where no single action does: what one value forbids may have cost too much anyway, or another way is as good. So
the best value of each objective is solved under both values, the IP paid deciding between equal plans, in every position of the
Roman phase of a size, as in `tetrasolve.tetrarchia.lint.search`. The kernel searches, and the reference rules replay both plans;
where a turn is short they also try out every policy by themselves (`tetrasolve.tetrarchia.lint.turnvalue`). In the positions of
other findings the objective is tried, too, that the action serves which differs there (`served_by`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tetrasolve.errors import FindingError, TetrasolveError
from tetrasolve.files import write_text
from tetrasolve.stop import Stop
from tetrasolve.strict import StrictError, read_json, read_toml
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.compare import Pair, with_value
from tetrasolve.tetrarchia.lint.needed import Need, needs_of
from tetrasolve.tetrarchia.lint.search import digest, pairs_of
from tetrasolve.tetrarchia.lint.small import size_of, table_of
from tetrasolve.tetrarchia.lint.turnvalue import best_by_reference, plan_by_reference
from tetrasolve.tetrarchia.plan.answer import PROVED
from tetrasolve.tetrarchia.plan.exhaustive import PlanResult
from tetrasolve.tetrarchia.plan.planning import plan
from tetrasolve.tetrarchia.plan.reading import read_objective
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.readings import no_difference

FORMAT = 1
STORED = "data/plan-findings.json"
SHORT = 2  # IP up to which figures of the whole phase are compared


class Known(StrEnum):
    """What is known of the smallest position in which the best plans of two values differ."""

    PROVED = "proved"  # there is one of this size, and all smaller ones were solved
    INTERVAL = "interval"  # there is one of this size, and all below a smaller size were solved
    NO_DIFFERENCE = "no difference"  # none up to a size
    WITHIN = "none while the turn lasts"  # none for an objective that is enumerated: no turn asks for the reading
    NONE = "none on this board"  # there is none, by an argument that was checked
    NOT_SEARCHED = "not searched"  # a value that the kernels do not play


@dataclass(frozen=True, slots=True)
class PlanObjective:
    """An objective with the module or variant that it needs, those without which it is, and its words in English and Spanish."""

    text: str
    needs: str
    without: frozenset[str]
    is_enumerated: bool
    words: Mapping[str, str]

    def fits(self, extensions: Sequence[str] | frozenset[str]) -> bool:
        """Whether it makes sense with these modules and variants."""
        return (not self.needs or self.needs in extensions) and self.without.isdisjoint(extensions)


@cache
def plan_objectives() -> tuple[PlanObjective, ...]:
    """The objectives, in the order in which they are tried.

    >>> plan_objectives()[0].text
    'most value garrison=1'
    """
    return tuple(map(_objective, _data()["objective"]))


@cache
def _data() -> Mapping[str, Any]:
    return read_toml(resources.files("tetrasolve.tetrarchia").joinpath("data/plan-objectives.toml").read_text("utf-8"))


@cache
def never_asked() -> Mapping[str, str]:
    """The readings that nothing in a turn asks for, each with what does: ``"set-up"`` or ``"phase"``.

    No function of the kernel that makes or solves a turn asks for one of them, whatever lies on the board (docs/decisions/0065),
    so its best values are the same for all objectives that are enumerated. Those of the set-up change nothing after it either.

    >>> never_asked()["I-FRESH"], "I-PASS" in never_asked()
    ('phase', False)
    """
    return {name: part for part in ("set-up", "phase") for name in _data()["never-asked"][part]}


def constructed_turns(pair: Pair) -> list[str]:
    """The positions that were constructed for a pair of values, to be tried where a search finds nothing."""
    return [row["position"] for row in _data()["constructed"] if row["pair"] == pair.id]


def constructed_objectives(pair: Pair) -> list[str]:
    """The objectives of these positions that are not among those of the data file."""
    return [row["objective"] for row in _data()["constructed"] if row["pair"] == pair.id and "objective" in row]


@cache
def needed_by_plans() -> Mapping[str, Need]:
    """The pieces that each turn begins with whose best plans differ, for findings that have an argument for it, by their ids.

    >>> needed_by_plans()["I-GALERIUS-SEA=adds/not"].total
    2
    """
    return MappingProxyType(needs_of(_data()["needed"], "data/plan-objectives.toml"))


NEVER = {
    "set-up": "only the set-up asks for this reading, so no turn and no phase after it depends on it",
    "phase": "only the Barbarian phase asks for this reading, and not for the chance of an uprising in it; no objective about the "
    "phase is known to differ",
}


def reason_of(pair: Pair, board: Board) -> tuple[Known, str] | None:
    """What is known of a pair by an argument, and the argument; None where there is none."""
    inert, part = no_difference(board, pair.reading, pair.values), never_asked().get(pair.reading)
    if inert is not None:
        return Known.NONE, inert
    if part is None:
        return None
    return (Known.NONE if part == "set-up" else Known.WITHIN), NEVER[part]


def _objective(row: Mapping[str, Any]) -> PlanObjective:
    words = {language: row[language] for language in ("en", "es")}
    return PlanObjective(row["text"], row.get("needs", ""), frozenset(row.get("without", ())), row["enumerated"], words)


@dataclass(frozen=True, slots=True)
class PlanFinding:
    """What was found about the best plans of two values of a reading.

    `results` are the values of the objective and then of the IP paid, as fractions, and `plans` the plans, each under one of the
    values. `enumerated`: the positions of the Roman phase solved, by size from 1 on. `searched_again`: the reference rules tried
    out every policy too. Without a position it is None, and `argument` says why there is none, or why none was looked for.
    """

    id: str
    known: Known
    table: str
    enumerated: tuple[int, ...]
    objective: str = ""
    size: int | None = None
    position: str | None = None
    results: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    plans: tuple[str, str] | None = None
    searched_again: bool = False
    argument: str = ""

    @property
    def at_least(self) -> int:
        """The size below which no position differs, by enumeration or by the pieces that are needed."""
        need = self.need
        return self.solved_through if need is None else max(need.total, self.solved_through)

    @property
    def need(self) -> Need | None:
        """The pieces that every turn needs whose best plans differ, where they say more than what was enumerated."""
        need = needed_by_plans().get(self.id)
        return need if need is not None and need.total > self.solved_through else None

    @property
    def solved_through(self) -> int:
        """The size below which all was solved: for an objective that was not enumerated that is 1."""
        solved = {one.text for one in plan_objectives() if one.is_enumerated}
        through = len(self.enumerated) if not self.objective or self.objective in solved else 0
        return through + 1 if self.size is None else min(through + 1, self.size)

    def shown(self, side: int) -> str:
        """The best value under one of the values and its price, ``1 for 3 IP``."""
        assert self.results is not None, "it has a position"
        *values, price = self.results[side]
        return f"{', '.join(values)} for {price} IP"

    def sentence(self) -> str:
        """What is known, in one sentence."""
        match self.known:
            case Known.NONE | Known.WITHIN | Known.NOT_SEARCHED:
                return f"best plan of a turn: {self.known}: {self.argument}"
            case Known.NO_DIFFERENCE:
                solved = f"{sum(self.enumerated):,} turns solved with {self.table}"
                size = f"{len(self.enumerated)} piece{'' if len(self.enumerated) == 1 else 's'}"
                return f"best plan of a turn: no difference up to {size} ({solved})"
        pieces = f"{self.size} piece{'' if self.size == 1 else 's'}"
        solved = f"{sum(self.enumerated[: self.at_least - 1]):,} turns of fewer than {self.at_least} pieces solved"
        if self.need is not None:
            size = pieces if self.known is Known.PROVED else f"{self.at_least} to {pieces}"
            known = f"{size}, {'proved minimal: ' if self.known is Known.PROVED else ''}{self.need.english}"
        elif self.known is Known.PROVED:
            known = f"{pieces}, proved minimal ({solved if self.at_least > 1 else 'none is smaller'})"
        else:
            least = solved if self.at_least > 1 else "no smaller turn was solved"
            known = f"{self.at_least} to {pieces} ({least})"
        return f"best plan for '{self.objective}': {self.shown(0)} | {self.shown(1)}; {known}"

    def lines(self) -> Iterator[str]:
        """The sentence, and where there is a position, it and both plans."""
        yield self.sentence()
        if self.position is not None and self.plans is not None:
            yield f"  {self.position}"
            yield from (
                f"  {value}: {plan}"
                for value, plan in zip(self.id.partition("=")[2].split("/"), self.plans, strict=True)
            )


# -- stored ------------------------------------------------------------------------------------------------------------


def write_plans(path: Path, found: Sequence[PlanFinding], board: Board) -> None:
    """Write findings about plans, whole.

    :raises OSError: when the file cannot be written.
    """
    data = {"format": FORMAT, "rules": digest(board), "plans": [*map(asdict, found)]}
    write_text(path, json.dumps(data, indent=1) + "\n")


def read_plans(text: str, source: str) -> dict[str, PlanFinding]:
    """The findings about plans in a text, by their ids.

    :raises FindingError: when it cannot be read.
    """
    try:
        data = read_json(text)
        if data["format"] != FORMAT:
            raise FindingError(f"{source}: expected findings about plans of format {FORMAT}")
        return {row["id"]: _read(row) for row in data["plans"]}
    except (StrictError, AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, FindingError):
            raise
        raise FindingError(f"{source}: holds no findings about plans ({type(error).__name__})") from None


def _read(row: Mapping[str, Any]) -> PlanFinding:
    rest = {key: row[key] for key in row if key not in ("known", "enumerated", "results", "plans")}
    results, plans = row["results"], row["plans"]
    return PlanFinding(
        **rest,
        known=Known(row["known"]),
        enumerated=tuple(row["enumerated"]),
        results=None if results is None else (tuple(results[0]), tuple(results[1])),
        plans=None if plans is None else (plans[0], plans[1]),
    )


@cache
def stored_plans() -> Mapping[str, PlanFinding]:
    """The findings about plans that come with the library.

    :raises FindingError: when the file cannot be read.
    """
    return read_plans(resources.files("tetrasolve.tetrarchia").joinpath(STORED).read_text("utf-8"), STORED)


# -- one position ------------------------------------------------------------------------------------------------------


def best_plans(
    position: Position, pair: Pair, objective: str, *, seconds: float | None = None, cancel: Stop | None = None
) -> tuple[PlanResult, PlanResult] | None:
    """The best plan under each value, where they have other values; None where they do not, or time ran out.

    :raises TetrasolveError: when the position has no turn to plan.
    """
    one, other = (
        plan(with_value(position, pair.reading, value), objective, seconds=seconds, cancel=cancel)
        for value in pair.values
    )
    if not {one.status, other.status} <= {*PROVED} or one.values == other.values:
        return None
    return one, other


def served_by(action: Action, position: Position) -> str:
    """The objective that an action serves, like ``reach gaetulia``; empty where it has none of its own."""
    here, place = position.place_of(action.figure or position.to_move), action.place
    match action.kind:
        case Kind.MOVE | Kind.ENTER if action.figure is None:
            return f"reach {place}"
        case Kind.SECURE:
            return f"secure {here}"
        case Kind.TRANSFER:
            return f"secure {place}"
        case Kind.REMOVE | Kind.REDUCE:
            return f"clear {here}"
        case Kind.ATTACK:
            return f"kill {place}"
        case Kind.DEPLOY:
            return f"deploy {action.figure}"
    return ""


def differing_plans(
    position: Position,
    pair: Pair,
    *,
    served: Sequence[str] = (),
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> tuple[str, PlanResult, PlanResult] | None:
    """The first objective whose best plans differ in a position, with both; None where there is none.

    After the objectives of the data file those in `served` are tried. Those that look through the whole phase are left out with
    more than `SHORT` IP: a turn then has hundreds of ends.

    :raises TetrasolveError: when the position has no turn to plan.
    """
    for text in _objectives(position, served):
        found = best_plans(position, pair, text, seconds=seconds, cancel=cancel)
        if found is not None:
            return text, *found
    return None


def _objectives(position: Position, served: Sequence[str]) -> Iterable[str]:
    """The objectives that are tried in a position."""
    used, is_short = position.ruleset.extensions, position.ip <= SHORT
    listed = [one.text for one in plan_objectives() if one.fits(used) and (one.is_enumerated or is_short)]
    return dict.fromkeys((*listed, *served))


def finding_of(
    pair: Pair,
    position: Position,
    enumerated: Sequence[int],
    *,
    served: Sequence[str] = (),
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> PlanFinding | None:
    """The finding that a position shows; None where the best plans do not differ in it, or time ran out.

    :raises DisagreementError: when the reference rules have another best value.
    """
    if pair.by_reference:
        return _by_reference(pair, position, enumerated, served, cancel)
    found = differing_plans(position, pair, served=served, seconds=seconds, cancel=cancel)
    if found is None:
        return None
    objective, *both = found
    again = [
        best_by_reference(
            result.position, read_objective(objective, position.board), claimed=result.values, stop=cancel
        )
        for result in both
    ]
    solved = [(result.values or (), result.plan) for result in both]
    return _made(pair, position, enumerated, objective, solved, searched_again=all(again))


def _by_reference(
    pair: Pair, position: Position, enumerated: Sequence[int], served: Sequence[str], cancel: Stop | None
) -> PlanFinding | None:
    """The same where a value is played by the reference rules alone: they try out every policy under both values."""
    for text in _objectives(position, served):
        objective = read_objective(text, position.board)
        both = [
            plan_by_reference(with_value(position, pair.reading, value), objective, stop=cancel)
            for value in pair.values
        ]
        one, other = both
        if one is not None and other is not None and one[0] != other[0]:
            return _made(pair, position, enumerated, text, [one, other], searched_again=True)
    return None


def _made(
    pair: Pair,
    position: Position,
    enumerated: Sequence[int],
    objective: str,
    solved: Sequence[tuple[Sequence[Fraction], object]],
    *,
    searched_again: bool,
) -> PlanFinding:
    """The finding of a position with the values and the plan under each value."""
    (first, one), (second, other) = ((tuple(map(str, values)), str(plan)) for values, plan in solved)
    size = size_of(position)
    made = PlanFinding(
        pair.id, Known.INTERVAL, table_of(position).name, tuple(enumerated), objective, size, str(position),
        (first, second), (one, other), searched_again,
    )  # fmt: skip
    return made if made.at_least < size else replace(made, known=Known.PROVED)


# -- checking ----------------------------------------------------------------------------------------------------------


def plan_problems(found: Mapping[str, PlanFinding], board: Board | None = None, *, every: bool = True) -> Iterator[str]:
    """What is wrong with findings about plans, in sentences: none where both plans are found and replayed again.

    What was enumerated is not enumerated again. Without `every` only those are solved again whose turns are short.
    """
    board = board or Board.standard()
    pairs = {pair.id: pair for pair in pairs_of()}
    yield from (f"{name}: expected one finding about plans" for name in sorted(pairs.keys() ^ found.keys()))
    for name, row in found.items():
        if name in pairs:
            yield from (f"{name}: {problem}" for problem in _problems(row, pairs[name], board, every=every))


def _problems(row: PlanFinding, pair: Pair, board: Board, *, every: bool) -> Iterator[str]:
    reason = reason_of(pair, board)
    if row.position is None or row.known in (Known.NONE, Known.WITHIN):
        stated = (row.known, row.argument) if row.known in (Known.NONE, Known.WITHIN) else None
        if stated != reason:
            yield "what is known by an argument is stated wrongly"
        if (row.known is Known.NOT_SEARCHED) != (pair.by_reference and reason is None):
            yield "whether the kernels play both values is stated wrongly"
    if row.position is None or row.size is None or row.results is None or row.plans is None:
        if row.known in (Known.PROVED, Known.INTERVAL):
            yield "it has no position"
        return
    if row.known not in (Known.PROVED, Known.INTERVAL):
        yield "it has a position, and says that there is none"
        return
    try:
        position = Position.parse(row.position, board)
        if size_of(position) != row.size or table_of(position).name != row.table:
            yield f"its position has {size_of(position)} pieces with {table_of(position).name}"
        if (row.known is Known.PROVED) != (row.at_least == row.size):
            yield "its certainty does not follow from what was enumerated"
        if not every and not row.searched_again:
            return
        again = finding_of(pair, position, row.enumerated, served=[row.objective])
    except TetrasolveError as error:
        yield str(error)
        return
    if again != row:
        yield f"the best plans are '{None if again is None else again.sentence()}', it says '{row.sentence()}'"
