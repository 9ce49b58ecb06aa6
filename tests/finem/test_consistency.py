"""Whether the rules are consistent: the verdict on each claim, and a planted defect that each check finds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tablefinem import table

from tetrasolve.errors import ArgumentError
from tetrasolve.finem import rules
from tetrasolve.finem.facts.subject import standard_index
from tetrasolve.finem.lint import consistency, inplay, kindcards
from tetrasolve.finem.lint.consistency import (
    CLAIMS,
    LOST_FACTS,
    PLAY_FACTS,
    check_consistency,
    rulesets,
    supply_problem,
)
from tetrasolve.finem.position import Position, Result, State, Step
from tetrasolve.finem.rules import campaign, crisis, invasion
from tetrasolve.finem.ruleset import READINGS, Ruleset
from tetrasolve.lint.verdicts import Status, Verdict, exit_code
from tetrasolve.stop import Stop

FEW = tuple(map(Ruleset.from_text, ("introductory", "standard", "standard?E-EVENT=never")))


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few rulesets and games, and little of what is enumerated."""
    monkeypatch.setattr(consistency, "rulesets", lambda: FEW)
    monkeypatch.setattr(consistency, "PLAYED", 2)
    monkeypatch.setattr(consistency, "LIMITS", (("four", "each-point", "any", "automatic"),))
    monkeypatch.setattr(consistency, "CARDS", ("O5", "C7", "BS", "E6", "E7", "BR", "CR"))


def verdicts(**options: int) -> dict[str, Verdict]:
    found = {verdict.claim: verdict for verdict in check_consistency(games=1, every=5, **options)}
    assert found.keys() == CLAIMS.keys()
    return found


@pytest.mark.usefixtures("few")
def test_nothing_is_refuted() -> None:
    found = verdicts()
    assert {claim: verdict.status for claim, verdict in found.items()} == {
        **dict.fromkeys(("cards", "way-on", "ends", "won", "lost"), Status.PROVED),
        **dict.fromkeys(("supply", "in-play"), Status.UNKNOWN),
    }
    assert "not shown for standard?E-EVENT=never" in found["won"].how
    assert exit_code(found.values(), is_over=False) == 0 and exit_code(found.values(), is_over=True) == 3


def test_the_facts_that_are_cited_are_there_and_every_value_of_a_reading_is_looked_at() -> None:
    known = standard_index().by_id.keys()
    assert known >= {*LOST_FACTS, *PLAY_FACTS, "deck"}
    seen = {(name, value) for ruleset in rulesets() for name, value in ruleset.readings.items()}
    assert seen >= {(name, value) for name, reading in READINGS.items() for value in reading.options}


# -- planted defects -----------------------------------------------------------------------------------------------------


def too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """An invasion puts two cubes."""
    monkeypatch.setattr(
        invasion,
        "put",
        lambda position, region, tribe: position.with_count(region, tribe, position.count(region, tribe) + 2),
    )


def back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The decline goes back with two cards of a suit."""

    def _back(ruleset: Ruleset, decline: int, suits: int) -> tuple[int, ...]:
        return (min(decline, ruleset.most_decline) - (suits == 2),)

    monkeypatch.setattr(campaign, "moves", _back)


def no_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crisis knows no bastos."""
    plain = crisis._filled

    def filled(position: Position, card: str) -> State:
        if card[0] == "B":
            raise KeyError(card)
        return plain(position, card)

    monkeypatch.setattr(crisis, "_filled", filled)


def stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points are taken off one die only, whatever it shows."""
    monkeypatch.setattr(campaign, "_lowered", lambda position: ("O",) * (position.step is Step.DISCARD))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("plant", "claim"), [(too_many, "cards"), (back, "supply"), (no_effect, "cards"), (stuck, "way-on")]
)
def test_a_planted_defect_is_found_with_its_trace(
    plant: Callable[[pytest.MonkeyPatch], None], claim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    monkeypatch.setattr(consistency, "_in_play", lambda stop: Verdict("in-play", "", Status.UNKNOWN, str(stop)))
    found = verdicts()
    assert found[claim].status is Status.REFUTED and found[claim].trace
    Position.parse(found[claim].trace[0])
    assert exit_code(found.values(), is_over=False) == 1
    if claim == "supply":
        assert found["ends"].status is Status.UNKNOWN  # it follows from tracks that never go back


def test_what_cannot_be_is_seen() -> None:
    before = table("consul", dice="2221/O", tracks="3/2")
    assert supply_problem(before, before) == "" == supply_problem(before, Result("won"))
    for after in (
        before.with_die("C", 7),
        before.with_count("O5", "C", 4),
        before.replace(decline=2),
        before.replace(outbreaks=4),
        before.replace(pacified=frozenset()),
        before.replace(step=Step.DRAW, out=frozenset()),
    ):
        start = before if after.step is Step.ACT else before.replace(step=Step.DRAW, out=frozenset({"C5"}))
        assert supply_problem(start, after), str(after)


def test_a_stopped_check_says_what_it_does_not_know() -> None:
    stopped = Stop()
    stopped.set()
    found = {verdict.claim: verdict.status for verdict in check_consistency(cancel=stopped)}
    assert found["cards"] == found["way-on"] == found["won"] == found["in-play"] == Status.UNKNOWN


# -- a game that is won from every start, and rules in play ---------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["introductory", "standard?E-PACIFY=action", "expert+corner+sphere+cap3"])
def test_the_same_cards_win_from_other_starts(ruleset: str) -> None:
    chosen = Ruleset.from_text(ruleset)
    line = kindcards.won_from_every_start(chosen)
    pawn = rules.random_set_up(chosen, 0)
    seeds = [
        seed
        for seed in range(40)
        if isinstance(one := rules.random_set_up(chosen, seed), Position)
        and isinstance(pawn, Position)
        and one.start == pawn.start
    ]
    assert len(seeds) > 5
    for seed in seeds:
        state = rules.random_set_up(chosen, seed)
        for option in line:
            state = rules.take(state, option)
        assert state == Result("won")


def test_without_events_no_kind_cards_are_known() -> None:
    assert kindcards.won_from_every_start(Ruleset.from_text("standard?E-EVENT=never")) == ()


def test_what_applies_in_a_step() -> None:
    def seen(before: Position, option: str) -> set[str]:
        return {*inplay.applied(before, option, rules.take(before, option))}

    chained = table("consul", cubes="O5:O3.O6:O3", step="invade:2", more="C5.E6.B7")
    assert seen(chained, "O5") == {"step invade", "outbreak", "chain"}
    gone = table("magister", dice="1221/O", cubes="C7:O3", step="act:2")
    assert seen(gone, "confront O all") == {"step act", "magister-all", "eradicated"}
    assert seen(table("prefect", dice="5111/CEB"), "pacify O") == {"step act", "pacified-by-action", "end won"}
    back = table(
        "consul", rules="introductory?E-CIVIL=return", dice="0221/O", step="civil-war", more="C5.E6.B7.OR hand=C5.E6.B7"
    )
    assert seen(back, "B5") == {"step civil-war", "returned"}
    assert {
        *dict.fromkeys(seen(chained, "O5") | seen(gone, "confront O all") | seen(back, "B5"))
    } <= inplay.RULES.keys()


def test_a_profile_counts_games_and_steps() -> None:
    found = inplay.profile("standard", 4, policy="random")
    assert found.games == 4 and found.in_games["step act"] == 4 <= found.steps["step act"]
    assert "step swap" in found.never() and sum(found.in_games.get(f"end {end}", 0) for end in inplay.ENDS) == 4
    with pytest.raises(ArgumentError, match="greedy, random"):
        inplay.profile("standard", 1, policy="bold")
