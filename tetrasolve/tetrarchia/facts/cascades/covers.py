"""How few revolts are a danger to all, how few garrisons are near to all, how much unrest is apart.

Each by all links, as if every broken one held, and by normal links alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.claims.fact import Values
from tetrasolve.claims.saying import listed, many, words
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.saying import named
from tetrasolve.tetrarchia.facts.smallest import Cover, Question, sets_kind

ALL, NORMAL = LINKS = ("all", "normal")


def _roman(board: Board) -> list[str]:
    return [place for place in board.ids if not board[place].is_border]


def _linked(board: Board, place: str, links: str) -> Iterator[str]:
    """The Roman provinces linked to one by such links."""
    for other, link in board.neighbours(place).items():
        if not board[other].is_border and (links == ALL or not link.broken):
            yield other


def _cover(board: Board, links: str, *, rising: bool) -> Cover:
    """For each Roman province itself or one beside it; `rising`: one that dice can name."""
    claims = []
    for place in _roman(board):
        beside = (other for other in _linked(board, place, links) if board[other].number or not rising)
        claims.append(board.mask([place, *beside]))
    return Cover(board, board.mask(_roman(board)), tuple(claims))


def _apart(board: Board, links: str) -> Cover:
    """One end of each link is left free."""
    pairs = ((a, b) for a in _roman(board) for b in board.ids if b in _linked(board, a, links))
    claims = [board.mask(pair) for pair in pairs if board.order[pair[0]] < board.order[pair[1]]]
    return Cover(board, board.mask(_roman(board)), tuple(claims))


def _by(links: str) -> str:
    return "by any link" if links == ALL else "by a normal link"


def _sets(v: Values, most: str) -> str:
    """How many sets there are, and what all of them hold."""
    always = words(v, "always")
    common = f", all with {listed(map(named, always))}" if 0 < len(always) <= 4 else ""
    return f"{many(v['count'], 'set')} of so {most}{common}"


def _say_uprising(links: str, v: Values) -> str:
    return (
        f"No fewer than {v['least']} revolts put every Roman province in danger, in revolt itself or linked {_by(links)} to a "
        f"revolt that dice can raise; there are {_sets(v, 'few')}."
    )


def _say_garrison(links: str, v: Values) -> str:
    return (
        f"No fewer than {v['least']} garrisons are near to every Roman province, in it or linked to it {_by(links)}; there are "
        f"{_sets(v, 'few')}."
    )


def _say_apart(links: str, v: Values) -> str:
    return (
        f"At most {v['most']} unrest lie in Roman provinces of which no two are linked {_by(links)}; there are "
        f"{_sets(v, 'many')}."
    )


TOPICS = (
    sets_kind(
        "cover",
        "cascades",
        "The fewest revolts that endanger all provinces, the fewest garrisons near to all, the most unrest with no two linked",
        "all smallest sets by branching on what is not covered yet; that there are no others is a formula without a solution",
        ("links", "kinds", "regions", "numbers"),
        {
            "revolts": Question(lambda _: LINKS, lambda board, links: _cover(board, links, rising=True), _say_uprising),
            "garrisons": Question(
                lambda _: LINKS, lambda board, links: _cover(board, links, rising=False), _say_garrison
            ),
            "unrest": Question(lambda _: LINKS, _apart, _say_apart, rest=True),
        },
        effort=0.25,
    ),
)
