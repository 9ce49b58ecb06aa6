"""Certificates of the best plan of a turn, for an independent checker: every state of the turn with its value.

A replay shows that a plan has its value. All states together show that none is better: the value of each state is the maximum
over ending the turn there and all legal actions, and the value of the first state is the optimum. A checker that generates
the legal actions by its own rules and finds their results in the list does not have to trust the search.

The kernel makes the graph and the values of the ends; the other values are computed here, and must be those of the kernel's
own search and of the plan by the reference rules.

With modules, variants or rebels a certificate is the claim alone: the checker makes all states of the turn itself, and follows the
plan through them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import ObjectiveError, TooLargeError
from tetrasolve.exact.deadline import answering, check, public_question, stop_of
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.action import Action, attack
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import State
from tetrasolve.tetrarchia.plan.answer import DisagreementError
from tetrasolve.tetrarchia.plan.codes import plan_of
from tetrasolve.tetrarchia.plan.graph import criteria, turn_of
from tetrasolve.tetrarchia.plan.objective import Objective, Term, looks_ahead, natural
from tetrasolve.tetrarchia.plan.reading import read_objective
from tetrasolve.tetrarchia.plan.replay import expected_values, share_within, ways
from tetrasolve.tetrarchia.plan.task import Stated, attacks_text, require_stated, require_turn, require_words
from tetrasolve.tetrarchia.plan.tree import Fork, Plan
from tetrasolve.tetrarchia.position import Position

KIND = "turn"
RECOUNT = "module-turn"  # with modules, variants or rebels
MOST_STATES = 2_000_000  # of a turn that the checker counts again
FIELDS = ("board", "position", "objective", "attacks", "optimum", "plan")
SECTIONS = ("tables", "states")
NOTHING = "-"

Value: TypeAlias = tuple[int, ...]  # one number for each criterion, to be maximised, times the scale
# An action as edges (code, chance in 36ths, node), one for each outcome
Option: TypeAlias = list[tuple[int, int, int]]


@public_question
def certify(
    position: Position,
    objective: Objective | str,
    stated: Stated | None = None,
    *,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Certificate:
    """A certificate of the optimum for the rest of the active Emperor's turn.

    `stated` has the outcomes of attacks, as in a `Task`; None: the dice decide, and the certificate covers all policies.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> certificate = certify(example("movement"), "clear dalmatia", stated=())
    >>> certificate.field("optimum"), certificate.field("plan")
    ('1 -6', 'move moesia_inferior; move moesia_superior; move dalmatia; remove')

    :raises ObjectiveError: when a term is about the phase after the turn, which certificates do not cover.
    :raises IllegalPositionError: when the position cannot occur, or there is no decision left in it.
    :raises TooLargeError: when a turn with modules has more than 2,000,000 states.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before the proof was complete.
    """
    stop = stop_of(seconds, cancel)
    if isinstance(objective, str):
        objective = read_objective(objective, position.board)
    if not objective.is_deterministic:
        term = next(filter(looks_ahead, objective.terms))
        raise ObjectiveError(
            f"'{term}' looks at what follows the turn, which certificates of a plan do not cover: expected goals, "
            "most value and least ip"
        )
    require_turn(position)
    require_words(position, objective)
    require_stated(position, stated or ())
    with answering(f"a certificate for '{objective}'"):
        if position.rules_in_use:
            return _recounted(position, objective, stated, stop)
        return _Writer(position, objective, stated, stop).certificate()


def _recounted(position: Position, objective: Objective, stated: Stated | None, stop: Stop | None) -> Certificate:
    """The certificate of a turn with modules, variants or rebels: what the checker counts again."""
    turn = turn_of(position, stated, stop)
    if turn.nodes > MOST_STATES:
        raise TooLargeError(f"this turn has {turn.nodes:,} states; certificates with modules cover {MOST_STATES:,}")
    solution = turn.solve(criteria(objective, position), stop=stop)
    plan = plan_of(solution.plan(), position.board, stated=stated is not None, named_by_code=True)
    optimum = [Fraction(top, bottom) for top, bottom in solution.values]
    _require_replayed(position, objective, stated, plan, optimum)
    fields = _claim(position, objective, stated, " ".join(map(str, optimum)), plan)
    return Certificate(RECOUNT, tuple(zip(FIELDS, fields, strict=True)), ())


def _claim(
    position: Position, objective: Objective, stated: Stated | None, optimum: str, plan: Plan
) -> tuple[str, ...]:
    """The values of `FIELDS`."""
    board = f"{position.board.id} {board_digest(position.board)}"
    return board, str(position), str(objective), attacks_text(stated), optimum, str(plan)


def _require_replayed(
    position: Position, objective: Objective, stated: Stated | None, plan: Plan, claimed: list[Fraction]
) -> None:
    """Compare the optimum with the value of the plan by the reference rules."""
    ends = ways(position, plan, stated)
    kept = [share_within(ends, objective.constraint)] if objective.constraint else []
    terms: Sequence[Term] = objective.terms
    # `natural` is its own inverse: from displayed values to those that are maximised
    replayed = kept + [
        natural(term, value) for term, value in zip(terms, expected_values(ends, objective), strict=True)
    ]
    if claimed != replayed:
        raise DisagreementError(
            f"position '{position}' for '{objective}': the search says {claimed}, the reference rules make {replayed} of "
            f"'{plan}'; please report this"
        )


def board_rows(board: Board) -> Iterator[str]:
    """The rows of a board on which the rules of a Roman phase depend, as text; `board_digest` is their SHA-256."""
    yield f"board {board.id} roma {board.roma} zones {len(board.zones)}"
    for a, b in sorted(tuple(sorted(pair)) for pair in board.adjacent_zones):
        yield f"adjacent {a} {b}"
    for emperor in board.emperors:
        yield f"emperor {emperor.id} {emperor.letter} {emperor.capital}"
    for place in board.provinces.values():
        kind = "border" if place.is_border else "roman"
        zones = "".join(map(str, sorted(place.zones))) or NOTHING
        printed = ",".join(emperor.id for emperor in board.emperors if emperor.id in place.printed) or NOTHING
        yield f"province {place.id} {place.code} {kind} {place.region} {zones} {printed}"
    for row, name in enumerate(board.ids):
        for other in board.ids[row + 1 :]:
            link = board.link(name, other)
            if link is not None:
                yield f"link {name} {other} {'broken' if link.broken else 'normal'}"


def board_digest(board: Board) -> str:
    """The digest of a board in certificates; notes and confidences do not change it."""
    return hashlib.sha256("".join(f"{row}\n" for row in board_rows(board)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Row:
    """A state of the turn in which it does not end."""

    node: int
    ip: int
    place: int  # -1: off the board
    table: str


class _Writer:
    """One turn as a graph, its values, and their text."""

    def __init__(self, position: Position, objective: Objective, stated: Stated | None, stop: Stop | None) -> None:
        self.stop = stop
        self.position, self.objective, self.stated = position, objective, stated
        self.board = position.board
        self.turn = turn_of(position, stated, stop)
        # an attack divides by 36 and costs at least one IP, so divisions are exact
        self.scale = 1 if stated is not None else 36**position.ip
        self.solution = self.turn.solve(criteria(objective, position), stop=stop)
        self.ends = self.solution.end_values(stop=stop)
        self.codes: dict[int, str] = {}  # of provinces, by mask
        self.values: list[Value] = [()] * self.turn.nodes
        for node in self.turn.order():
            check(stop)
            self.values[node] = max(value for value, _ in self._options(node))

    # -- values ------------------------------------------------------------------------------------------------

    def _options(self, node: int) -> Iterator[tuple[Value, Option | None]]:
        """The options at a node, in the order of the format, with their values; None: the end of the turn."""
        edges = sorted(self.turn.edges_from(node), key=_in_order)
        for _, group in groupby(edges, key=_action):
            option = list(group)
            rows = [(share, self.values[target]) for _, share, target in option]
            yield tuple(sum(share * value[i] for share, value in rows) // 36 for i in range(len(rows[0][1]))), option
        end = self.ends[node]
        if end is not None:
            yield tuple(self.scale * number for number in end), None

    def _written(self, value: Value) -> str:
        return " ".join(str(Fraction(number, self.scale)) for number in value)

    # -- the plan ----------------------------------------------------------------------------------------------

    def _plan(self, node: int) -> Plan:
        """The plan that takes the first of the best options at each node."""
        steps: list[Action] = []
        while True:
            option = next(option for value, option in self._options(node) if value == self.values[node])
            if option is None:
                return Plan(tuple(steps))
            code, _, target = option[0]
            action = fast.to_action(code, self.board)
            if action.place is not None and action.outcome is not None and self.stated is None:
                branches = tuple(
                    (fast.OUTCOMES[code >> 10], Fraction(share, 36), self._plan(after)) for code, share, after in option
                )
                return Plan(tuple(steps), Fork(action.place, branches))
            steps.append(action if action.outcome is None else attack(str(action.place), action.outcome))
            node = target

    def _check(self, plan: Plan) -> None:
        """Compare the optimum with that of the kernel, and with the value of the plan by the reference rules."""
        found = [Fraction(number, self.scale) for number in self.values[0]]
        searched = [Fraction(top, bottom) for top, bottom in self.solution.values]
        if found != searched:
            raise DisagreementError(
                f"position '{self.position}' for '{self.objective}': the certificate would say {found}, the search says "
                f"{searched}; please report this"
            )
        _require_replayed(self.position, self.objective, self.stated, plan, found)

    # -- the text ----------------------------------------------------------------------------------------------

    def certificate(self) -> Certificate:
        plan = self._plan(0)
        self._check(plan)
        rows = [row for row in map(self._row, range(self.turn.nodes)) if row is not None]
        tables = sorted({row.table for row in rows})
        number = {table: index for index, table in enumerate(tables)}
        rows.sort(key=lambda row: (-row.ip, number[row.table], row.place))
        codes = [self.board[place].code for place in self.board.ids] + [NOTHING]
        values = {value: self._written(value) for value in set(self.values)}
        states = tuple(
            f"{row.ip} {codes[row.place]} {number[row.table]} {values[self.values[row.node]]}" for row in rows
        )
        fields = _claim(self.position, self.objective, self.stated, self._written(self.values[0]), plan)
        sections = (tuple(tables), states)
        return Certificate(KIND, tuple(zip(FIELDS, fields, strict=True)), tuple(zip(SECTIONS, sections, strict=True)))

    def _row(self, node: int) -> _Row | None:
        """The row of a node; None where the turn is over."""
        state = self.turn.state(node)
        if state.phase != kernel.ROMAN or state.result != kernel.OPEN:
            return None
        place = state.emperors[state.to_move]
        return _Row(node, state.ip, -1 if place == kernel.OFF else place, self._table(state))

    def _table(self, state: State) -> str:
        """The discs and armies of a node, as fields of a position."""
        fleets = "".join(str(zone) for zone in range(1, len(self.board.zones) + 1) if state.fleets >> (zone - 1) & 1)
        garrisons = "/".join(map(self._codes, state.garrisons))
        masks = (self._codes(mask) for mask in (state.armies, state.revolts, state.unrest))
        return " ".join((fleets or NOTHING, *masks, garrisons))

    def _codes(self, mask: int) -> str:
        if mask not in self.codes:
            self.codes[mask] = ".".join(self.board[place].code for place in self.board.unmask(mask)) or NOTHING
        return self.codes[mask]


def _in_order(edge: tuple[int, int, int]) -> tuple[int, int, int]:
    """Options in the order of the format: kinds of actions, then provinces by row or zones, then outcomes."""
    code, _, _ = edge
    return code & 15, code >> 4 & 63, code >> 10


def _action(edge: tuple[int, int, int]) -> tuple[int, int, int]:
    """The part of a code that the outcomes of one attack share."""
    kind, a, b = _in_order(edge)
    return kind, a, 0 if kind == kernel.ATTACK else b
