"""How few revolts are a danger to all provinces: by all links, as if every broken one held, and by normal links alone."""

from __future__ import annotations

from tetrasolve.claims.fact import Values
from tetrasolve.claims.saying import listed, many, words
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.saying import named
from tetrasolve.tetrarchia.facts.smallest import Demand, Question, cover, sets_kind

ALL, NORMAL = LINKS = ("all", "normal")


def _danger(board: Board, links: str) -> Demand:
    """For each Roman province itself, or one linked to it that dice can name."""
    roman = [place for place in board.ids if not board[place].is_border]
    claims = []
    for place in roman:
        linked = [other for other, link in board.neighbours(place).items() if links == ALL or not link.broken]
        claims.append(board.mask([place, *(other for other in linked if board[other].number)]))
    return cover(board, board.mask(roman), claims)


def _say(links: str, v: Values) -> str:
    by = "by any link" if links == ALL else "by a normal link"
    always = words(v, "always")
    common = f", all with {listed(map(named, always))}" if 0 < len(always) <= 4 else ""
    return (
        f"No fewer than {v['least']} revolts put every Roman province in danger, in revolt itself or linked {by} to a "
        f"revolt that dice can raise; there are {many(v['count'], 'set')} of so few{common}."
    )


TOPICS = (
    sets_kind(
        "cover",
        "cascades",
        "The fewest revolts that endanger all provinces",
        "all smallest sets by branching on what is not covered yet; that there are no others is a formula without a solution",
        ("links", "kinds", "regions", "numbers"),
        {"revolts": Question(lambda _: LINKS, _danger, _say)},
        effort=0.25,
    ),
)
