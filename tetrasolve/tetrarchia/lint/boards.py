"""The boards of a finding: its position under each of its two values, side by side, with the provinces marked that differ.

What is drawn depends on the first thing that differs. *Legal*: the board after the action under the value that allows it, and
the board as it is under the other one. *Effect*: the board after the action. *Cost* and *odds*: the board as it is, with the
province of the action marked. *Phase*: the board as it is; a ring shows the chance that something changes at a province, and those
are marked where the chances of what stands there differ. *Best*: the board as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from tetrasolve.draw.svg import element, number, text
from tetrasolve.errors import FindingError
from tetrasolve.lint.findings import Finding, Shown
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.draw.extras import Extras
from tetrasolve.tetrarchia.lint.compare import with_value
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall

POLICY = ", policy "
WIDTH = 900.0  # of one board, in pixels
GAP = 20.0  # between the boards
HEAD = 56.0  # above a board without its own frame
TEXT = 30.0  # size of what stands there
SIGNIFICANT = 6  # digits of a decimal

Contents = frozenset[str]  # what stands at a province


@dataclass(frozen=True, slots=True)
class Side:
    """The board under one of the values: what is drawn, the provinces that are marked, and chances by province in [0, 1]."""

    value: str
    caption: str
    position: Position
    marked: tuple[str, ...]
    heat: Mapping[str, Fraction] = field(default_factory=dict)

    def svg(self, width: float = WIDTH, *, frame: bool = True) -> str:
        """The board as the text of an SVG picture, with title and legend or without this frame."""
        heat = {province: float(chance) for province, chance in self.heat.items()}
        return board_svg(
            self.position.board, self.position, title=self.caption, heat=heat, marked=self.marked, width=width,
            frame=frame,
        )  # fmt: skip  # what is drawn, and how


def sides(finding: Finding, board: Board | None = None) -> tuple[Side, Side]:
    """The boards of a finding.

    :raises FindingError: when it has no position.
    """
    if finding.position is None or not finding.differences:
        raise FindingError(f"{finding.id} has no position: {finding.sentence()}")
    position, row = Position.parse(finding.position, board or Board.standard()), finding.differences[0]
    both = [with_value(position, finding.reading, value) for value in finding.values]
    if row.kind == "phase":
        return _of_phase(finding, row, both[0], both[1])
    if row.kind == "possible":
        return _of_result(finding, row, position)
    shown, marked = [*both], tuple[str, ...]()
    if row.kind in ("legal", "effect"):
        shown = [_after(one, row.what) for one in both]
        before, after = (contents(one) for one in shown)
        marked = tuple(place for place in before if before[place] != after[place])
    marked = marked or tuple(_places(position, row.what))
    first, second = (
        Side(value, _caption(finding.reading, value, row, number), one, marked)
        for number, (value, one) in enumerate(zip(finding.values, shown, strict=True))
    )
    return first, second


def side_by_side(
    finding: Finding, board: Board | None = None, width: float = 2 * WIDTH + GAP, *, frame: bool = True
) -> str:
    """Both boards of a finding as the text of one SVG picture that is `width` pixels wide.

    Without `frame` only the value of the reading stands above each board, so the picture has no words of a language.

    :raises FindingError: when the finding has no position.
    """
    both = sides(finding, board)
    drawn = [side.svg(frame=frame) for side in both]
    above = 0.0 if frame else HEAD
    height = above + max(_height(picture) for picture in drawn)
    whole = 2 * WIDTH + GAP
    lefts = [i * (WIDTH + GAP) for i in range(len(drawn))]
    moved = [
        element("g", picture, transform=f"translate({number(left)} {number(above)})")
        for left, picture in zip(lefts, drawn, strict=True)
    ]
    if not frame:
        moved += [
            text(
                f"{finding.reading}={side.value}", complex(left + WIDTH / 2, above / 2), TEXT, font_family="sans-serif"
            )
            for left, side in zip(lefts, both, strict=True)
        ]
    return element(
        "svg",
        *moved,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=width * height / whole,
        viewBox=f"0 0 {number(whole)} {number(height)}",
    )


def _height(picture: str) -> float:
    return float(picture.partition(' height="')[2].partition('"')[0])


def _caption(reading: str, value: str, row: Shown, side: int) -> str:
    if row.kind == "effect":
        result = row.values[side]
        said = result if result.startswith("fallen") else f"after {row.what}"
    elif row.kind == "possible":
        said = f"a result that is {row.values[side]}"
    elif row.what.startswith("result "):
        said = f"a result with chance {short_values(row)[side]}"
    else:
        best = " under best play" if row.kind == "best" else ""
        said = f"{row.what}{best}: {short_values(row)[side]}"
    return f"{reading}={value}, {said}"


def short_values(row: Shown) -> tuple[str, str]:
    """Both values; fractions of many digits as decimals with as many as tell them apart."""
    if row.kind not in ("phase", "best") or max(map(len, row.values)) <= len("100000/100000"):
        return row.values
    one, other = (float(Fraction(value)) for value in row.values)
    digits = next((n for n in range(SIGNIFICANT, 17) if f"{one:.{n}g}" != f"{other:.{n}g}"), 17)
    return f"{one:.{digits}g}", f"{other:.{digits}g}"


# -- in the Roman phase ------------------------------------------------------------------------------------------------


def _after(position: Position, what: str) -> Position:
    """The position after an action; as it is where the action is not legal, or the Empire falls by it."""
    for action in [*rules.legal_actions(position), *([END] if rules.may_end(position) else [])]:
        if str(action) == what:
            after = rules.play(position, action)
            return position if isinstance(after, Fall) else after
    return position


def _places(position: Position, what: str) -> Iterator[str]:
    """The provinces that an action names; that of the active Emperor where it names none."""
    words = what.replace(":", " ").split()
    named = [word for word in words if word in position.board.provinces]
    here = position.emperors[position.to_move]
    yield from named or ([here] if here is not None else [])


# -- in the Barbarian phase --------------------------------------------------------------------------------------------


def _of_phase(finding: Finding, row: Shown, one: Position, other: Position) -> tuple[Side, Side]:
    policy = row.what.partition(POLICY)[2] or "decline"
    start = contents(one)
    chances = [_chances(position, policy) for position in (one, other)]
    marked = tuple(place for place in start if chances[0].get(place) != chances[1].get(place))
    first, second = (
        Side(value, _caption(finding.reading, value, row, number), position, marked, _changes(start, found))
        for number, (value, position, found) in enumerate(zip(finding.values, (one, other), chances, strict=True))
    )
    return first, second


def _of_result(finding: Finding, row: Shown, start: Position) -> tuple[Side, Side]:
    """The result that is possible under one value, on both boards, with what it changes marked."""
    text = row.what.removeprefix("result ")
    end = start if text.startswith("fallen") else Position.parse(text, start.board)
    before, after = contents(start), contents(end)
    marked = tuple(place for place in before if before[place] != after[place])
    first, second = (
        Side(value, _caption(finding.reading, value, row, number), end, marked)
        for number, value in enumerate(finding.values)
    )
    return first, second


def _chances(position: Position, policy: str) -> dict[str, dict[Contents, Fraction]]:
    """For each province the chances of what stands there after the phase; nothing where the Empire falls."""
    found: dict[str, dict[Contents, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for end, chance in rules.solve(position, rules.POLICIES[policy]).ends.items():
        if isinstance(end, Position):
            for place, there in contents(end).items():
                found[place][there] += chance
    return found


def _changes(start: Mapping[str, Contents], found: Mapping[str, Mapping[Contents, Fraction]]) -> dict[str, Fraction]:
    """The chance that something else stands at a province after the phase, where there is one."""
    changed = {
        place: sum((chance for there, chance in chances.items() if there != start[place]), Fraction(0))
        for place, chances in found.items()
    }
    return {place: chance for place, chance in changed.items() if chance}


def contents(position: Position) -> dict[str, Contents]:
    """What stands at each province: its disc, figures and army, in words."""
    there: dict[str, list[str]] = {place: [] for place in position.board.provinces}
    extras = Extras.of(position.board, position)
    for place, disc in position.discs.items():
        there[place].append(disc)
    for figure, where in (*position.emperors.items(), *extras.helpers.items()):
        if where is not None:
            there[where].append(figure)
    for place in position.armies:
        kind = "Goths" if place == extras.goths else "rebels" if place in extras.rebels else "army"
        there[place].append(kind)
    if extras.goths is not None:
        there[extras.goths].append("Goths")
    return {place: frozenset(words) for place, words in there.items()}
