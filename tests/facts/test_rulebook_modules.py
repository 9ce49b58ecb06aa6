"""What the rulebook says of modules, variants and scenarios: numbers counted by hand, and boards on which they are others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path

import checker
import pytest

from tetrasolve.claims.fact import Fact, facts_of
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.boardfile import standard_text
from tetrasolve.tetrarchia.facts.rulebook import TOPICS
from tetrasolve.tetrarchia.facts.rulebook.extensions import WARS

BOARD = Board.standard()
OURS = [kind for kind in TOPICS if kind.ruleset != "the base game, usual readings"]


@cache
def our_facts() -> Mapping[str, Fact]:
    """By their ids; they take seconds to derive."""
    return {fact.id: fact for kind in OURS for fact in facts_of(kind, BOARD)}


def coast(*zones: int) -> int:
    """The provinces on the coasts of these zones."""
    return sum(not place.zones.isdisjoint(zones) for place in BOARD.provinces.values())


# -- by hand -------------------------------------------------------------------------------------------------------


def test_games_are_levels_times_modules_times_variants() -> None:
    with_pirates, without = 3 * 2 * 3 * 3, 3 * 3 * 3 * 3

    assert our_facts()["statement/pirates/levels"].values["levels"] == with_pirates
    assert our_facts()["statement/modules/together"].values["games"] == (with_pirates * 8 + without * 8) * 2**6


def test_the_great_by_all_owners_of_borders() -> None:
    found: Counter[str] = Counter()
    for owners in product(range(4), repeat=6):
        first, second, *_ = sorted((owners.count(one) for one in range(4)), reverse=True)
        for garrisons in (3, 4, 5):
            if first <= garrisons:
                found[f"ways.{garrisons}"] += 1
                found[f"great.{garrisons}"] += first - second >= 2
    values = our_facts()["statement/roma-aeterna/great"].values

    assert {path: values[path] for path in found} == dict(found)


def test_galerius_and_the_goths_by_all_throws() -> None:
    throws = list(product(range(1, 7), repeat=2))
    galerius, goths = our_facts()["statement/imperium/galerius"].values, our_facts()["statement/goths/battle"].values

    for paid in range(6):
        assert galerius[f"victory.{paid}"] == sum(his + paid > theirs for his, theirs in throws)
    assert goths["even.victory.with"] == sum(his > theirs + 1 for his, theirs in throws)
    assert goths["even.defeat.with"] == sum(his < theirs + 1 for his, theirs in throws)


def test_fleets_that_join() -> None:
    """Every province of the joined coast leads to every other one; without the variant, those of one zone."""
    values = our_facts()["statement/mare-nostrum/zones"].values
    for zones in ((1, 2), (2, 3), (1, 2, 3)):
        name = "".join(map(str, zones))
        assert values[f"with.{name}"] == coast(*zones) * (coast(*zones) - 1)
        assert int(str(values[f"without.{name}"])) < int(str(values[f"with.{name}"]))
    assert values["without.13"] == values["with.13"] == sum(coast(zone) * (coast(zone) - 1) for zone in (1, 3))


def test_pirates_come_back_where_no_fleet_lies() -> None:
    values = our_facts()["statement/pirates/return"].values
    numbered = [place for place in BOARD.provinces.values() if place.number]
    for fleets in (set(some) for size in (1, 2) for some in combinations((1, 2, 3), size)):
        back = sum(bool(place.zones - fleets) for place in numbered)
        assert values[f"back.{''.join(map(str, sorted(fleets)))}"] == back


def test_dice_that_are_rolled_again() -> None:
    values = our_facts()["statement/barbaria/rerolls"].values

    assert [values[f"uprising.{discs}"] for discs in range(5)] == [1 - Fraction(5, 6) ** n for n in (1, 2, 2, 2, 2)]


def test_pirates_lie_where_the_fleet_is_needed() -> None:
    """So Carausius, Narses and Domitianus cannot be attacked before the Pirates are beaten; the Berbers can."""
    at_first = {
        name: our_facts()[f"statement/rebels/{name}"].values["at-first"]
        for name in ("carausian", "mauretanian", "persian")
    }

    assert at_first == {"carausian": 0, "mauretanian": 4, "persian": 0}


@pytest.mark.parametrize("name", WARS.values())
def test_the_positions_of_the_scenarios_can_occur(name: str) -> None:
    table = rules.rolled_scenario(name, 1, fixed=True).position

    assert table.status() == ()


# -- certificates --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> tuple[Board, Path]:
    """A board on which Sarmatia has a coast, and the link from Rhaetia to Cisalpina is a normal one."""
    text = standard_text()
    start = text.index('id = "sarmatia"')
    zones = text.index("zones = [", start)
    text = text[:zones] + "zones = [3]" + text[text.index("]", zones) + 1 :]
    link = 'between = ["rhaetia", "cisalpina"]\nbroken = '
    assert f"{link}true" in text
    text = text.replace(f"{link}true", f"{link}false")
    file = tmp_path_factory.mktemp("boards") / "other.toml"
    file.write_text(text, encoding="utf-8")
    return Board.from_toml(text), file


def test_both_count_alike_on_another_board(other: tuple[Board, Path]) -> None:
    board, file = other
    changed = []
    for kind in OURS:
        for fact in facts_of(kind, board):
            code, message = checker.judged(fact, board, file)
            assert code == checker.CONFIRMED, message
            changed += [fact.id] if fact.values != our_facts()[fact.id].values else []

    assert {"statement/pirates/defeat", "statement/goths/broken-links", "statement/mare-nostrum/zones"} <= {*changed}


def test_on_a_coastal_border_a_garrison_stays(other: tuple[Board, Path]) -> None:
    """So a battle lost at sea would not take all garrisons of that coast, as the rulebook has it."""
    board, _ = other
    kind = next(kind for kind in OURS if kind.id == "statement/pirates")
    values = kind.derive(board)["defeat"]

    assert values["verdict"] == "refuted" and our_facts()["statement/pirates/defeat"].values["verdict"] == "confirmed"
