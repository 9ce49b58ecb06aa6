"""A plan on the table as SVG: the way of the pawn, and the number of each action where it is taken."""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.draw.svg import PAPER, circle, line, text
from tetrasolve.finem import rules
from tetrasolve.finem.draw import CARD_HEIGHT, HOT, LIT, MAP_SIZE, MARGIN, centre_of, picture
from tetrasolve.finem.plan import Plan
from tetrasolve.finem.position import Position, State

RADIUS, APART = 8, 17  # of a number in its circle
WAY = "#6b3fa0"


def plan_svg(found: Plan) -> str:
    """The position with the plan on it; a Dictator's as far as his first card.

    >>> from tetrasolve.finem.examples import examples
    >>> from tetrasolve.finem.plan import plan
    >>> plan_svg(plan(examples()["dictator"].replace(role="consul", left=2))).count("<circle")
    4
    """
    return picture(found.position, marks=tuple(_marks(found)))


def _marks(found: Plan) -> Iterator[str]:
    """The lines of the moves, then the numbers of the actions; those taken in one region stand beside each other.

    A plan that is not exact says so beside the map.
    """
    if found.status != "exact":
        beside = complex(MAP_SIZE[0] + MARGIN, MAP_SIZE[1] - MARGIN)
        yield text("interrupted: not exact", beside, 14, text_anchor="start", fill=HOT)
    place = found.position.layout.place
    state: State = found.position
    numbered: dict[str, list[int]] = {}
    for number, action in enumerate(found.actions, start=1):
        assert isinstance(state, Position)
        after = rules.take(state, action)
        here, there = state.pawn, after.pawn if isinstance(after, Position) else state.pawn
        if there != here:
            yield line(centre_of(place[here]), centre_of(place[there]), stroke=WAY, stroke_width=4, stroke_opacity=0.6)
        numbered.setdefault(there, []).append(number)
        state = after
    for region, numbers in numbered.items():
        corner = centre_of(place[region]) + complex(-(len(numbers) - 1) * APART / 2, CARD_HEIGHT / 2 - RADIUS - 2)
        for at, number in enumerate(numbers):
            yield circle(corner + at * APART, RADIUS, fill=WAY, stroke=LIT, stroke_width=0.7)
            yield text(str(number), corner + at * APART, 11, fill=PAPER, font_weight="bold")
