"""Invariants: two writings of the changes agree, games are made of them, and no claim holds for no reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from importlib import import_module
from itertools import islice

import checker
import pytest
import transitions
from board import read_board

from tetrasolve.claims.fact import Fact, facts_of
from tetrasolve.claims.index import texts
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.invariants import TOPICS, claims, places
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import GivenDice, set_up
from tetrasolve.tetrarchia.ruleset import Ruleset

theirs = import_module("changes")  # of the checker, whose modules are within reach now
BOARD = Board.standard()
CLAIMS = [*claims.STATES, *claims.STEPS]
ABROAD = replace(
    BOARD, provinces={**BOARD.provinces, "epirus": replace(BOARD["epirus"], arrow="libya")}
)  # no such board can be: an army would march from Epirus to Libya


def table_of(claim: str, board: Board = BOARD) -> tuple[places.Change, ...]:
    return places.changes(board, border_defeat=claims.reading(claim))


# -- two writings ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", ["stays", "removed"])
def test_the_checker_has_the_same_changes(reading: str) -> None:
    """At every place the same are possible, with the same results, and with any one of their guards left out."""
    ours = places.changes(BOARD, border_defeat=reading)
    others = theirs.changes(read_board(checker.BOARDS[0]), reading)
    assert [(change.name, change.guards) for change in ours] == [(change.name, change.guards) for change in others]

    views = theirs.views()
    assert [str(place) for place in places.places()] == [str(view) for view in views]
    for place, view in zip(places.places(), views, strict=True):
        for change, other in zip(ours, others, strict=True):
            assert change.possible(place) == other.possible(view)
            if change.possible(place):
                assert [str(after) for after in change.results(place)] == [str(after) for after in other.effect(view)]


def test_the_places_are_all_there_are() -> None:
    """Up to three of six discs, four Emperors and two armies, on four kinds of land; up to two fleets at sea."""
    found = places.places()

    assert len(set(found)) == len(found)
    by_things = Counter(place.things for place in found if place.kind == "border" and place.phase == "roman")
    #   one more thing each: 10 different ones, or an army, of which two are alike
    assert by_things == {0: 1, 1: 10 + 1, 2: 45 + 10 + 1, 3: 120 + 45 + 10}
    assert sum(place.kind == "zone" for place in found) == 2 * 3


# -- games are made of them --------------------------------------------------------------------------------------------


def followed(position: Position) -> list[transitions.Pair]:
    if position.phase is Phase.ROMAN:
        return list(transitions.roman(position))
    try:
        return list(transitions.barbarian(position, 80))
    except transitions.TooManyStepsError:
        return []


def test_whatever_the_rules_do_is_made_of_the_changes() -> None:
    """Every action and every throw of dice, wherever games at random lead."""
    used: Counter[str] = Counter()
    for position in islice(transitions.games(BOARD), 1500):
        found, _ = transitions.met(iter(followed(position)))
        used += found

    assert {change.name for change in places.changes(BOARD, border_defeat="stays")} - used.keys() <= {
        places.SET_UP,
        "reduce",
        "lose-garrison",
        "army-beaten",
    }
    assert used.total() > 2_000


@pytest.mark.slow
def test_whatever_the_rules_do_in_long_games_is_made_of_the_changes() -> None:
    used: Counter[str] = Counter()
    for position in islice(transitions.games(BOARD), 4_000):
        found, _ = transitions.met(iter(followed(position)))
        used += found

    assert used.keys() >= {change.name for change in places.changes(BOARD, border_defeat="stays")} - {places.SET_UP}


def test_a_set_up_is_made_of_the_changes() -> None:
    """From the bare position: first and additional revolts, an army, and fleets."""
    faces = [2, 3, 4, 5, 6, 2, 1, 4, 3]
    position = set_up(Ruleset.from_level("4211"), (2, 3), GivenDice(faces), BOARD)
    bare = position.replace(discs={}, armies=(), fleets=(), ip=0)

    used = Counter(transitions.explain(bare, position.replace(ip=0)))
    assert used == {"first-revolt": 7, "army-arrives": 1, "fleet-comes": 2}


@pytest.mark.parametrize(
    ("what", "after"),
    [
        ("an army without a revolt", lambda p: p.with_army(None, "asia")),
        ("an army on a garrison", lambda p: p.with_disc("libya", "galerius").with_army(None, "libya")),
        ("a revolt on a border", lambda p: p.with_disc("libya", "revolt")),
        ("a garrison where nobody is", lambda p: p.with_disc("asia", "galerius")),
        ("two fleets in a zone", lambda p: p.replace(fleets=(3, 3))),
        ("two armies", lambda p: p.replace(armies=("libya", "libya"))),
        ("a third Emperor", lambda p: p.with_emperor("galerius", "roma").with_emperor("maximian", "roma")),
    ],
)
def test_what_no_rule_does_is_found_out(what: str, after) -> None:
    position = Position.parse("4200 D:b asi/-/-/- 23 - - - -/-/-/-", BOARD)

    with pytest.raises(ValueError, match="no changes lead from"):
        transitions.explain(position, after(position))
    assert what


# -- no claim holds for no reason --------------------------------------------------------------------------------------


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_rests_on_some_guards(claim: str) -> None:
    """Without one of them a change breaks it, and the induction says which."""
    table = table_of(claim)
    assert claims.induction(claim, table).breaks == ()

    resting = {
        (change.name, guard)
        for change in table
        for guard in change.guards
        if (change.name, guard) in RESTING[claim]
        and claims.induction.__wrapped__(
            claim, (weakened(change, guard),)
        ).breaks  # the other changes break nothing, as just seen
    }
    assert resting == RESTING[claim]


def weakened(change: places.Change, guard: str) -> places.Change:
    """A change without one of its guards."""
    return replace(change, guards=tuple(other for other in change.guards if other != guard))


# For each claim some guards that it rests on, by what the rules say
RESTING = {
    "one-disc": {("secure", "no-disc"), ("unrest-comes", "no-disc")},
    "one-figure": {("come", "no-army"), ("turn-ends", "not-shared"), ("army-enters", "no-emperor")},
    "one-fleet": {("fleet-comes", "no-fleet")},
    "army-on-revolt": {("remove", "he-is-here"), ("reduce", "he-is-here")},
    "army-border-bare": {("army-arrives", "no-disc"), ("secure", "he-is-here")},
    "army-on-way": {("army-enters", "on-a-way")},
    "roma-no-army": {("army-enters", "outside-roma")},
    "border-no-threat": {("uprising", "empire"), ("unrest-comes", "empire"), ("army-enters", "empire")},
    "supply-revolt": {("uprising", "revolt-left")},
    "supply-unrest": {("reduce", "unrest-left")},
    "supply-garrison": {("secure", "garrison-left")},
    "supply-army": {("army-arrives", "army-left")},
    "supply-fleet": {("fleet-comes", "fleet-left")},
    "border-secured": {("lose-garrison", "empire"), ("uprising", "empire"), ("army-enters", "empire")},
}


@pytest.mark.parametrize("claim", claims.SUPPORT)
def test_a_claim_breaks_without_any_of_its_supports(claim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for left_out in claims.SUPPORT[claim]:
        less = {**claims.SUPPORT, claim: tuple(other for other in claims.SUPPORT[claim] if other != left_out)}
        with monkeypatch.context() as patch:
            patch.setattr(claims, "SUPPORT", less)
            assert claims.induction.__wrapped__(claim, table_of(claim)).breaks


def test_the_reading_matters_to_secured_borders_alone() -> None:
    """Under the other reading a defeat takes the garrison of a border."""
    freer = places.changes(BOARD, border_defeat="removed")

    assert set(claims.induction(claims.STAYS, freer).breaks) == {f"lose-garrison: {claims.STAYS}"}


def test_an_arrow_to_a_border_would_break_claims() -> None:
    """An army that reached a border over land would find what lies there."""
    stated = {"army-border-bare": False, claims.STAYS: False, "one-figure": True, "army-on-revolt": True}

    for claim, holds in stated.items():
        assert (claims.induction(claim, table_of(claim, ABROAD)).breaks == ()) == holds, claim


# -- the facts ---------------------------------------------------------------------------------------------------------

FACTS = [fact for kind in TOPICS for fact in facts_of(kind, BOARD)]


@pytest.mark.parametrize(
    "fact", [fact for fact in FACTS if not fact.id.startswith("invariant/supply-g")], ids=lambda fact: fact.id
)
def test_the_checker_confirms(fact: Fact) -> None:
    code, message = checker.judged(fact, BOARD)

    assert code == checker.CONFIRMED, message
    assert fact.values["holds"] == "yes"


def test_what_one_claim_rests_on_is_its_own() -> None:
    """The values of one invariant under the name of another."""
    (fact,) = (fact for fact in FACTS if fact.id == "invariant/roma-no-army")
    for name in ("army-on-way", "one-disc", "border-no-threat"):
        assert checker.recount(f"invariant/{name}", texts(fact))[0] == checker.REFUTED
