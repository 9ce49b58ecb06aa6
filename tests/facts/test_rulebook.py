"""What the rulebook says of itself: confirmed but for two statements, and refuted where the board is another one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import checker
import pytest

from tetrasolve.claims.fact import Fact, Values, facts_of
from tetrasolve.claims.proving import topics_of
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.families import CLAIMS
from tetrasolve.tetrarchia.facts.rulebook import TOPICS
from tetrasolve.tetrarchia.facts.rulebook.rows import statements

BOARD = Board.standard()


@cache
def facts() -> dict[str, Fact]:
    """The facts by id, worked out when a test first asks."""
    return {fact.id: fact for kind in TOPICS for fact in facts_of(kind, BOARD)}


def values(fact: str, board: Board) -> Values:
    """The values of a fact on another board."""
    (topic,) = topics_of(CLAIMS, fact)
    return topic.derive(board)[fact[len(topic.id) + 1 :]]


def with_link(a: str, b: str, *, broken: bool) -> Board:
    """The board with one link of another kind."""
    links = [replace(link, broken=broken) if set(link.between) == {a, b} else link for link in BOARD.links]
    assert links != [*BOARD.links]
    return replace(BOARD, links=tuple(links))


def without_link(a: str, b: str) -> Board:
    """The board without one link."""
    links = tuple(link for link in BOARD.links if set(link.between) != {a, b})
    assert len(links) == len(BOARD.links) - 1
    return replace(BOARD, links=links)


def test_each_statement_is_a_fact() -> None:
    assert facts().keys() == statements().keys()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fact", statements())
def test_the_checker_confirms(fact: str) -> None:
    code, message = checker.judged(facts()[fact], BOARD)

    assert code == checker.CONFIRMED, message


def test_two_statements_are_refuted() -> None:
    """The numbers are the same for who waits, but only until revolts and activity have changed them.

    And borders are secured for good, but only until the Goths come.
    """
    refuted = [fact.id for fact in facts().values() if fact.values["verdict"] != "confirmed"]

    assert refuted == ["statement/waiting/turn", "statement/goths/permanent"]
    assert facts()["statement/waiting/turn"].values["wait.victory-if-it-comes"] == Fraction(47, 72)
    assert facts()["statement/waiting/turn"].values["attack.victory"] == Fraction(24, 36)
    assert facts()["statement/waiting/chance"].values["comes"] == Fraction(1, 2)


def test_levels_are_counted_one_by_one() -> None:
    levels = list(product((3, 4, 5), (1, 2, 3), (0, 1, 2), (0, 1, 2)))
    easier = [
        (g, f, r, a)
        for g, f, r, a in levels
        if g >= 4 and f >= 2 and r <= 1 and a <= 1 and (g, f, r, a) != (4, 2, 1, 1)
    ]

    assert facts()["statement/pirates/levels"].values["all"] == len(levels)
    assert facts()["statement/levels/medium"].values["easier"] == len(easier)


def test_capitals_in_revolt_by_all_throws() -> None:
    """Of 5 x 5 x 5 throws in the three regions with a capital."""
    numbers = [BOARD[capital].number for capital in ("germania_inferior", "pannonia_inferior", "bithynia")]
    throws = list(product(range(2, 7), repeat=3))
    in_revolt = sum(any(face == number for face, number in zip(throw, numbers, strict=True)) for throw in throws)

    assert facts()["statement/set-up/capitals"].values["chance"] == Fraction(in_revolt, len(throws))


@pytest.mark.parametrize(
    ("fact", "board"),
    [
        ("statement/battle/cisalpina", with_link("cisalpina", "narbonensis", broken=False)),
        ("statement/battle/attack", with_link("germania_superior", "narbonensis", broken=True)),
        ("statement/battle/diocletian", without_link("lugdunensis", "narbonensis")),
        ("statement/waiting/chance", with_link("cisalpina", "narbonensis", broken=False)),
        ("statement/board/border-regions", without_link("gaetulia", "caesariensis")),
        ("statement/movement", with_link("macedonia", "dalmatia", broken=False)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_another_board_would_refute_the_rulebook(fact: str, board: Board) -> None:
    assert facts()[fact].values["verdict"] == "confirmed"
    assert values(fact, board)["verdict"] == "refuted"


def test_what_cannot_be_shown_is_not_confirmed() -> None:
    """Without the link the Emperor of the picture cannot go where he goes."""
    assert values("statement/movement", without_link("macedonia", "dalmatia")) == {"verdict": "unshown"}


def test_scenarios_have_as_many_revolts_as_their_levels() -> None:
    for name in ("carausian", "danubian", "mauretanian", "persian"):
        stated = facts()[f"statement/scenario/{name}"].values
        assert stated["revolts"] == stated["level-revolts"] == 8
        assert stated["armies"] == stated["level-armies"]


def test_refuted_statements_say_what_the_rulebook_says_first() -> None:
    for fact in ("statement/waiting/turn", "statement/goths/permanent"):
        message, _, true = facts()[fact].sentence.partition("; refuted: ")
        assert message.startswith("The rulebook says that ") and message.endswith("(page 11)") and true
