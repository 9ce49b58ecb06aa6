"""Certificates of the best that an Emperor can do in the rest of his turn.

The certificate lists every state that his turn can reach, each with its value: what the turn is worth from there on if
the Emperor does his best. That the values are right can be seen state by state. The value of a state must be the largest
of what it is worth to stop there, where he may, and of what each legal action is worth: the value of the state it leads to,
for an attack the mean over the dice. All actions but entering cost IP and nobody enters twice, so no chain of such
comparisons comes back to where it began, and values that fit everywhere are the true ones.

So this checker searches for nothing. It makes the legal actions of each state by rules of its own, looks up where they lead,
and compares.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import gcd
from typing import TypeVar

from board import Board
from claim import read_attacks, read_position, read_table
from objectives import Limits, Objective, Paid, Risk, Value
from rules import ON, Action, State
from text import Lines, Unreadable

Read = TypeVar("Read")

MOST_SIGNS = 1000  # of a number: chances of a phase are long
NUMBER = re.compile(r"(0|-?[1-9][0-9]*)(?:/([1-9][0-9]*))?")


class Header:
    """What the first lines of a certificate claim; all values are whole numbers of a part of 1, the scale."""

    board: Board
    position_text: str
    objective: Objective
    attacks: dict[str, str] | None  # how they end; None: the dice decide
    scale: int
    optimum: Value
    optimum_line: int
    plan: str
    plan_line: int


class Claim(Header):
    """The claim about a turn of the base game."""

    def __init__(self, lines: Lines, find_board: Callable[[str, str], Board]) -> None:
        name, _, digest = lines.field("board").partition(" ")
        self.board = find_board(name, digest)
        self.position_text = lines.field("position")
        self.turn, self.start = read(lines, read_position, self.position_text, self.board)
        self.objective = read(lines, Objective, lines.field("objective"), self.turn, self.start.ip)
        self.attacks = read(lines, read_attacks, lines.field("attacks"), self.board)
        # all values are whole numbers of this part: an attack divides by 36 and costs at least one IP
        self.scale = 1 if self.attacks is not None else 36**self.start.ip
        self.optimum = read_values(lines.field("optimum"), self, lines)
        self.optimum_line = lines.number
        self.plan = lines.field("plan")
        self.plan_line = lines.number

    def options(self, state: State) -> Iterator[Action]:
        """What can be done, under the attacks of the claim."""
        for action in self.turn.actions(state):
            if self.attacks is None or not action.ways[0].outcome:
                yield action
            else:  # the attack is made only if it is named, and only if it can end as stated
                outcome = self.attacks.get(action.name.removeprefix("attack "))
                for way in action.ways:
                    if way.outcome == outcome:
                        yield Action(f"{action.name}: {outcome}", [way._replace(share=36)])


def check_turn(lines: Lines, find_board: Callable[[str, str], Board]) -> str:
    """Confirm a certificate, and say what it proves."""
    claim = Claim(lines, find_board)
    values, line_of = read_states(lines, claim)
    if claim.start not in values:
        raise lines.refuted("the start of the turn is not among the states")
    reached = {claim.start}
    for state, value in values.items():
        lines.number = line_of[state]
        best = None
        for name, option, successors in worth_of_options(state, claim, values):
            if option is None:
                raise lines.refuted(f"'{name}' leads to a state that is not listed")
            reached |= successors
            if best is None or option > best:
                best = option
        if best is None:
            raise lines.refuted("the Emperor can neither act nor stop here")
        if best != tuple(36 * number for number in value):
            raise lines.refuted(f"the value is not that of the best option, {written(best, 36 * claim.scale)}")
    for state in values:
        if state not in reached:
            lines.number = line_of[state]
            raise lines.refuted("no action of a listed state leads to this state")
    lines.number = claim.optimum_line
    if claim.optimum != values[claim.start]:
        raise lines.refuted(f"the start is worth {written(values[claim.start], claim.scale)}")
    lines.number = claim.plan_line
    plan = best_plan(claim.start, claim, values)
    if claim.plan != plan:
        raise lines.refuted(f"the first of the best plans is another one: {plan}")
    return sentence(claim, len(values))


# -- what is listed --------------------------------------------------------------------------------------------

Values = dict[State, Value]


def read_states(lines: Lines, claim: Claim) -> tuple[Values, dict[State, int]]:
    """The states with their values, and with their lines."""
    tables = []
    texts: list[str] = []
    for _ in range(lines.count("tables")):
        text = lines.take("a table")
        if texts and text <= texts[-1]:
            raise lines.unreadable("expected tables in ascending order of their text")
        texts.append(text)
        tables.append(read(lines, read_table, text, claim.board))
    values: Values = {}
    line_of: dict[State, int] = {}
    known: dict[str, Value] = {}
    place_of: dict[str, str | None] = {"-": None} | claim.board.by_code
    row_of = {None: -1} | claim.board.row
    before = (-7, 0, -1)
    used = set()
    for _ in range(lines.count("states")):
        words = lines.take("a state").split(" ", 3)
        if len(words) != 4 or words[1] not in place_of:
            raise lines.unreadable("expected a state: IP left, place, number of the table, values")
        ip, place, table = lines.whole(words[0]), place_of[words[1]], lines.whole(words[2])
        order = (-ip, table, row_of[place])
        if order <= before or ip > claim.start.ip or table >= len(tables):
            raise lines.unreadable("expected states by IP from the most down, table, row of the place; tables from 0")
        before = order
        if words[3] not in known:
            known[words[3]] = read_values(words[3], claim, lines)
        state = State(ip, place, tables[table])
        values[state] = known[words[3]]
        line_of[state] = lines.number
        used.add(table)
    lines.end()
    if len(used) != len(tables):
        raise lines.refuted("a table is in no state")
    return values, line_of


def read_values(text: str, claim: Header, lines: Lines) -> Value:
    """One number for each term, in lowest terms, as multiples of the smallest part."""
    value = []
    for word in text.split(" "):
        match = NUMBER.fullmatch(word)
        if match is None or match[2] == "1" or len(word) > MOST_SIGNS:
            raise lines.unreadable(f"'{word[:60]}' is no whole number or fraction in lowest terms")
        top, bottom = int(match[1]), int(match[2] or 1)
        if bottom != 1 and gcd(top, bottom) != 1:
            raise lines.unreadable(f"'{word}' is not in lowest terms")
        if claim.scale % bottom:
            raise lines.refuted(f"'{word}' is no sum of chances of the dice of these attacks")
        value.append(top * (claim.scale // bottom))
    if len(value) != len(claim.objective.terms):
        raise lines.unreadable(f"expected {len(claim.objective.terms)} values, one for each term of the objective")
    return tuple(value)


# -- what follows ----------------------------------------------------------------------------------------------


def worth_of_options(state: State, claim: Claim, values: Values) -> Iterator[tuple[str, Value | None, set[State]]]:
    """All that can be done in a state: its name, 36 times its worth (None: not listed), the states it leads to."""
    for action in claim.options(state):
        total = [0] * len(claim.objective.terms)
        listed = True
        successors = set()
        for way in action.ways:
            value = worth_of_way(way.state, way.end, claim, values)
            if value is None:
                listed = False
                continue
            if way.end == ON:
                successors.add(way.state)
            for index, number in enumerate(value):
                total[index] += way.share * number
        yield action.name, tuple(total) if listed else None, successors
    if claim.turn.may_stop(state):
        value = worth_of_way(state, "stop", claim, values)
        assert value is not None
        yield "end", tuple(36 * number for number in value), set()


def worth_of_way(state: State, end: str, claim: Claim, values: Values) -> Value | None:
    """The value of where an action leads: listed if the turn continues there, else what the end is worth."""
    if end == ON:
        return values.get(state)
    return tuple(claim.scale * number for number in claim.objective.worth(state, end))


def best_plan(state: State, claim: Claim, values: Values) -> str:
    """The plan that takes the first of the best actions in each state, and stops only where nothing else is as good."""
    steps: list[str] = []
    while True:
        best = tuple(36 * number for number in values[state])
        name = next(name for name, option, _ in worth_of_options(state, claim, values) if option == best)
        if name == "end":
            break
        action = next(action for action in claim.options(state) if action.name == name)
        if claim.attacks is None and action.ways[0].outcome:
            branches = (
                f"{way.outcome} {Fraction(way.share, 36)}: "
                + (best_plan(way.state, claim, values) if way.end == ON else "end")
                for way in action.ways
            )
            return "; ".join([*steps, f"{name} {{{' | '.join(branches)}}}"])
        steps.append(name)
        state = action.ways[0].state
        if action.ways[0].end != ON:
            break
    return "; ".join(steps) or "end"


# -- messages ----------------------------------------------------------------------------------------------


def written(value: Value, scale: int) -> str:
    """Values as the certificate writes them."""
    return " ".join(str(Fraction(number, scale)) for number in value)


def sentence(claim: Header, states: int) -> str:
    """What has been proved."""
    numbers = []
    for name, term, number in zip(claim.objective.names, claim.objective.terms, claim.optimum, strict=True):
        value = Fraction(number, claim.scale)
        if isinstance(term, Limits):
            numbers.append(f"{name}: {'kept' if value == 1 else f'cannot be kept for certain, chance {value}'}")
        else:
            numbers.append(f"{name}: {-value if isinstance(term, Paid | Risk) else value}")
    if claim.attacks is None:
        kind = "no policy, whatever the dice, has a better value than"
    elif claim.attacks:
        stated = ", ".join(f"{outcome}@{army}" for army, outcome in claim.attacks.items())
        kind = f"with attacks as stated ({stated}) no plan has a better value than"
    else:
        kind = "without attacks no plan has a better value than"
    return (
        f"in position '{claim.position_text}' {kind} '{claim.plan}': {', '.join(numbers)} ({states} states; "
        f"board {claim.board.id} {claim.board.digest()[:12]})"
    )


def read(lines: Lines, reader: Callable[..., Read], *arguments: object) -> Read:
    """What a reader makes of the line taken last; its errors get the number of the line."""
    try:
        return reader(*arguments)
    except Unreadable as error:
        raise lines.unreadable(str(error)) from None
