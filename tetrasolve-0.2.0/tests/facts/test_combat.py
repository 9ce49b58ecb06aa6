"""Combat: the tables by another method, the rulebook's example, and values changed in one place."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from tampered import count_again

from tetrasolve.claims.fact import Topic, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.facts.combat import TOPICS
from tetrasolve.tetrarchia.facts.combat.ground import paths
from tetrasolve.tetrarchia.facts.rulebook.rows import worked_out
from tetrasolve.tetrarchia.risk.combat import fights

BOARD = Board.standard()
BY_ID = {kind.id: kind for kind in TOPICS}


def values(kind: str, instance: str = "") -> Values:
    return BY_ID[kind].derive(BOARD)[instance]


def row(found: Values, path: str) -> tuple[str, ...]:
    words = found[path]
    assert isinstance(words, tuple)
    return words


# -- the table -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("e", "a"), list(product(range(4), range(3))))
def test_the_table_counts_faces(e: int, a: int) -> None:
    found = values("battle", f"e{e}-a{a}")

    for g, r in product(range(8), range(22)):
        victory, draw, defeat = (int(row(found, f"{word}.{g}")[r]) for word in ("victory", "draw", "defeat"))
        assert victory + draw + defeat == 36
        # the Roman die must show more than so much
        needed = [Fraction((barbarian + r) * 2**a, 2**e) - g for barbarian in range(1, 7)]
        assert victory == sum(max(0, 6 - max(0, int(need // 1))) for need in needed)
        assert draw == sum(need.denominator == 1 and 1 <= need <= 6 for need in needed)


def test_the_least_group_is_the_least() -> None:
    """A group that is enough stays enough when it grows, and one less is not enough."""
    for e, a in product(range(4), range(3)):
        least = table = values("battle", f"e{e}-a{a}")
        for r in range(22):
            won = [int(row(table, f"victory.{g}")[r]) for g in range(8)]
            for goal, enough in (("possible", 1), ("likely", 19), ("certain", 36)):
                groups = [g for g in range(8) if won[g] >= enough]
                assert row(least, goal)[r] == (str(groups[0]) if groups else "none")
                assert groups == list(range(groups[0], 8)) if groups else True


def test_laws_of_the_table() -> None:
    found = worked_out("statement/strength", BOARD)

    assert found["verdict"] == "confirmed" and found["worse"] == 0
    assert found["mirrored"] == 8 * 3 * 8 * 3
    assert (found["even-victory"], found["even-draw"], found["even-defeat"]) == (15, 6, 15)


def test_an_emperor_is_worth_no_less_than_a_disc() -> None:
    for e, a in product(range(3), range(3)):
        found = values("battle", f"e{e}-a{a}")
        assert found["garrison"] == 0 and int(str(found["emperor"])) > 0


def test_attacking_again() -> None:
    for cost in (1, 2, 3):
        found = values("battle", f"again-cost-{cost}")
        attacks = int(str(found["attacks"]))
        assert attacks == 6 // cost
        assert found["even.again"] == Fraction(15, 36) * (1 - Fraction(1, 6) ** attacks) / (1 - Fraction(1, 6))
        assert found["ahead.6.once"] == 1


def test_attacking_first_is_never_worse_than_waiting_in_victories() -> None:
    for link in ("normal", "broken"):
        found = values("battle", f"first-{link}")
        for path in ("even", *(f"{side}.{d}" for side in ("ahead", "behind") for d in range(1, 7))):
            attack, wait, both = (Fraction(str(found[f"{path}.{word}.victory"])) for word in ("attack", "wait", "both"))
            assert wait == attack / (2 if link == "broken" else 1)
            assert both >= attack


# -- the map ---------------------------------------------------------------------------------------------------


def test_support_is_counted_on_links() -> None:
    found = values("support", "most")
    rows = [row(found, f"places.{count}") for count in range(4)]

    assert sorted(place for places in rows for place in places) == sorted(paths(BOARD))
    assert found["emperors.britannia"] == 0  # one link only, and there the attacker stands
    assert BOARD.roma not in paths(BOARD)


def test_printed_discs_count_where_they_are_linked() -> None:
    for emperor in BOARD.emperors:
        near = {place for disc in BOARD.printed(emperor.id) for place in (disc, *BOARD.neighbours(disc))}
        found = values("support", f"printed-{emperor.id}")
        assert set(row(found, "group.1")) | set(row(found, "group.2")) == near


# -- waiting ---------------------------------------------------------------------------------------------------


def test_the_rulebooks_example_is_what_the_advice_on_fights_says() -> None:
    """The numbers are not the same: before the army comes the phase has changed the position."""
    found = values("wait", "example")
    (fight,) = fights(example("fight"))
    here = next(attack for attack in fight.attacks if attack.origin == found["attack.from"])

    assert fight.waiting is not None
    for outcome, chance in here.chances.items():
        assert found[f"attack.{outcome.value}"] == chance
        assert found[f"wait.{outcome.value}"] == fight.waiting.exact[outcome]
    assert found["attack.victory"] == Fraction(2, 3) and found["wait.victory"] == Fraction(47, 144)
    assert found["wait.none"] == Fraction(1, 2)


def test_waiting_never_meets_an_army_over_a_broken_link_more_than_half_the_time() -> None:
    for instance, found in BY_ID["wait"].derive(BOARD).items():
        if instance == "example":
            continue
        link = BOARD.link(instance.removeprefix("alone-"), str(found["wait.in"]))
        assert link is not None
        comes = 1 - Fraction(str(found["wait.none"]))
        assert comes <= (Fraction(1, 2) if link.broken else 1)
        assert sum(Fraction(str(found[f"attack.{word}"])) for word in ("victory", "draw", "defeat")) == 1


# -- counted again ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TOPICS, ids=lambda kind: kind.id)
def test_facts_are_confirmed_and_others_are_not(kind: Topic) -> None:
    count_again(kind)
