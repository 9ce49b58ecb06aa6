"""A turn exactly, three times: the kernel's grouped tree, its tree card by card, and the reference rules."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import factorial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tablefinem import ALL_RULESETS, RULESETS, table

from tetrasolve.finem import rules
from tetrasolve.finem.examples import examples
from tetrasolve.finem.fast import engine_of, position_of, state_of
from tetrasolve.finem.kernel import POLICIES as KERNEL_POLICIES
from tetrasolve.finem.kernel import Kernel, KernelError, Rng, State
from tetrasolve.finem.layout import NUMBER, REGIONS, TRIBES
from tetrasolve.finem.lint.turns import turn_chances
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import Phase, Position, Result, Step
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.stop import Stop, Stopped


def scaled(value: Any, unit: int) -> Any:
    """Figures as fractions of the whole, so that those with another unit can be compared."""
    if isinstance(value, dict):
        return {name: scaled(part, unit) for name, part in value.items()}
    if isinstance(value, list):
        return [scaled(part, unit) for part in value]
    return Fraction(value, unit)


def fractions(figures: Mapping[str, Any]) -> dict[str, Any]:
    return {name: scaled(part, figures["unit"]) for name, part in figures.items() if name != "unit"}


# -- by the reference rules ------------------------------------------------------------------------------------------------


def loser(position: Position, option: str) -> int | None:
    """The region whose card loses the game here; of cards that a Tribune has collected the one that is carried out then."""
    if position.step is Step.ORDER:
        state = rules.take(position, option)
        return None if isinstance(state, Position) else NUMBER[option.removeprefix("invade ")]
    if position.step not in (Step.SWAP, Step.INVADE) or not position.hand:
        return NUMBER[option] if position.step.is_chance and option in NUMBER else None
    collected = position.hand if position.step is Step.SWAP else (*position.hand, option)
    state: Position | Result = position.replace(
        role=None, step=Step.INVADE, hand=(), left=len(collected) + 1, protected=None
    )
    for card in collected:
        state = rules.take(state.replace(out=frozenset()), card) if isinstance(state, Position) else state
        if isinstance(state, Result):
            return NUMBER[card]
    raise AssertionError(position)


def by_reference(position: Position, policy: str) -> dict[str, Any]:
    """The figures of the rest of a turn: states are merged step by step, as in `rules.follow`, to the end of the invasion."""
    found: dict[str, Any] = {"known": Fraction(0), "ends": {}, "outbreaks": {}, "decline": {}, "by_card": {}}
    found |= {"dice": [{} for _ in TRIBES], "cubes": [{} for _ in TRIBES]}
    found |= {"pacified": [Fraction(0)] * 4, "region": [Fraction(0)] * 24}

    def add(row: dict[Any, Fraction], name: Any, weight: Fraction) -> None:
        row[name] = row.get(name, Fraction(0)) + weight

    running: dict[Position, Fraction] = {position: Fraction(1)}
    while running:
        following: dict[Position, Fraction] = {}
        for state, weight in running.items():
            if state.phase is Phase.ROLE:
                found["known"] += weight
                add(found["outbreaks"], state.outbreaks, weight)
                add(found["decline"], state.decline, weight)
                for at, tribe in enumerate(TRIBES):
                    add(found["dice"][at], state.dice[at], weight)
                    add(found["cubes"][at], state.on_map(tribe), weight)
                    found["pacified"][at] += weight * (tribe in state.pacified)
                for at, row in enumerate(state.cubes):
                    found["region"][at] += weight * sum(row)
                continue
            node = rules.node(state)
            options = node.options if node.is_chance else (POLICIES[policy](state, node),)
            for option in options:
                after = rules.take(state, option)
                share = weight / len(options)
                if isinstance(after, Position):
                    following[after] = following.get(after, Fraction(0)) + share
                    continue
                found["known"] += share
                add(found["ends"], after.text, share)
                card = loser(state, option)
                if not after.is_won and after.text != "lost: decline" and card is not None:
                    add(found["by_card"], card, share)
        running = following
    return found


SMALL = (
    table("consul", rules="standard", cubes="O5:O3.O6:O3.C7:C3.CS:C2", tracks="2/2", step="invade:2", more="C5.E6.B7"),
    table(
        "prefect",
        rules="introductory?E-ERADICATE=always,E-CIVIL=return",
        cubes="B6:B3.B7:B3.BR:B3.BS:B2.E5:E2.CR:C1.C6:B1",
        dice="1230/B",
        tracks="1/2",
        step="invade:2",
        more="C5.E6.B7",
    ).replace(dice=(1, 2, 3, 4)),
    table(
        "magister",
        cubes="O5:O3.O6:O3.C7:C3.C6:C3.E5:E3.E6:E3.E7:E2.B7:B3.BR:B3",
        tracks="3/2",
        step="invade:2",
        more="C5.E6.B7.OC protected=O6",
    ),
    table(
        "tribune",
        rules="standard?E-TRIBUNE=invasion",
        cubes="O5:O3.O6:O3.CS:C1",
        step="swap",
        more="C5.E6.B7.O5.CS hand=O5.CS",
    ),
    table(
        "tribune",
        rules="standard?E-TRIBUNE=either",
        cubes="O5:O3.O6:O3.O7:O3.CS:C1",
        step="invade:1",
        more="C5.E6.B7.O5 hand=O5",
    ),
    table(
        "consul",
        rules="standard",
        cubes="CR:C1.CC:C3.OR:O2",
        dice="3142/-",
        tracks="3/1",
        step="crisis",
        more="C5.C6.B7 hand=C5.C6.B7",
    ),
    table(
        "emperor",
        rules="standard",
        cubes="CR:C3.ER:E3.OR:O2",
        dice="3142/-",
        step="civil-war",
        more="C5.E6.B7.BR hand=C5.E6.B7",
    ),
    table("consul", rules="standard", dice="4443/E", cubes="C7:C3", step="discard", more="C5.C6.B7 hand=C5.C6.B7"),
    table("consul", cubes="C7:C3.C6:C1", step="protect", more="C5.E6.B7.OC hand=C5.E6.B7"),
    table(
        "consul",
        rules="introductory?E-PROTECT=chain",
        cubes="O5:O3.O6:O3.C7:C3",
        step="protect",
        more="C5.E6.B7.OC hand=C5.E6.B7",
    ),
    examples()["peril"].replace(left=2, out=examples()["peril"].out | {"C5"}),
)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("policy", KERNEL_POLICIES)
@pytest.mark.parametrize("position", SMALL, ids=str)
def test_the_rest_of_a_turn_by_the_reference_rules(position: Position, policy: str) -> None:
    engine, state = engine_of(position.ruleset), state_of(position)
    expected = by_reference(position, policy)
    assert expected["known"] == 1
    assert fractions(engine.turn(state, policy)) == expected
    assert fractions(engine.turn(state, policy, plainly=True)) == expected


# -- a crisis that draws another card for one of an eradicated tribe [E-CRISIS-GONE] -----------------------------------

AGAIN = "introductory?E-CRISIS-GONE=again"
BLANK = {
    3: "O",
    6: "O",
    8: "OE",
    11: "CE",
    12: "CB",
    13: "OCE",
    18: "OEB",
}  # cards of eradicated tribes: whose they are


def crisis(blanks: int, deck: int, *, step: str = "crisis", role: str = "consul", words: str = AGAIN) -> Position:
    """A position with so many cards of eradicated tribes among those of the deck."""
    gone, random = BLANK[blanks], Random(f"{blanks} {deck}")
    blank, live = ([card for card in REGIONS if (card[0] in gone) is away] for away in (True, False))
    kept = {*random.sample(blank, blanks), *random.sample(live[3:], deck - blanks)}
    out = ".".join(card for card in REGIONS if card not in kept)
    hand = "" if step == "draw" else f" hand={'.'.join(live[:3])}"
    cubes = ".".join(f"{tribe}5:{tribe}3.{tribe}7:{tribe}2.{tribe}C:{tribe}3" for tribe in TRIBES if tribe not in gone)
    return table(
        role,
        rules=words,
        dice="".join("0" if tribe in gone else "2" for tribe in TRIBES) + f"/{gone}",
        tracks="3/2" if step == "crisis" else "2/2",
        cubes=cubes,
        step=step,
        more=out + hand,
    )


@pytest.mark.parametrize("policy", KERNEL_POLICIES)
@pytest.mark.parametrize(
    ("blanks", "deck"),
    [(3, 6), (3, 9), (6, 6), (6, 10), (8, 10), (11, 11), (12, 12), (13, 13), (18, 18)],
)
def test_cards_that_a_crisis_draws_again_on_short_decks(blanks: int, deck: int, policy: str) -> None:
    """Up to all cards of the deck are of eradicated tribes."""
    position = crisis(blanks, deck)
    assert sum(position.is_eradicated(card[0]) for card in position.deck) == blanks and len(position.deck) == deck
    engine, state = engine_of(position.ruleset), state_of(position)
    found = engine.turn(state, policy)
    assert found["known"] == found["unit"] == factorial(deck)
    if deck <= 10:
        assert fractions(found) == fractions(engine.turn(state, policy, plainly=True)) == by_reference(position, policy)
    if blanks == deck:
        assert found["ends"] == {}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("blanks", BLANK)
@pytest.mark.parametrize("words", [AGAIN, f"{AGAIN},E-ORDER=crisis-last", f"{AGAIN},E-LAST=drawn,E-GONE-SUITS=ignored"])
def test_turns_in_which_a_crisis_draws_again(words: str, blanks: int) -> None:
    """Against an enumeration of how many of these cards come before the one that is carried out."""
    live = 6 * (4 - len(BLANK[blanks])) - 3
    position = crisis(blanks, blanks + live, words=words)
    found = engine_of(position.ruleset).turn(state_of(position))
    lost, won = by_patterns(position)
    assert found["known"] == found["unit"]
    assert Fraction(sum(weight for end, weight in found["ends"].items() if end != "won"), found["unit"]) == lost
    assert Fraction(found["ends"].get("won", 0), found["unit"]) == won


def by_patterns(position: Position) -> tuple[Fraction, Fraction]:
    """The chances to lose and to win from a crisis on: by how many cards come before the one that is carried out.

    The invasion is followed by the reference rules with one of the decks that can be left.
    """
    blank = [card for card in position.deck if position.is_eradicated(card[0])]
    live = [card for card in position.deck if card not in blank]
    most, chance = max(1, len(position.deck) - 5), Fraction(1)
    sums = [Fraction(0), Fraction(0)]
    for drawn in range(most):
        here = position.replace(out=position.out | {*blank[:drawn]})
        last = drawn == most - 1
        for card in [*live, *blank[drawn : drawn + 1]]:
            share = chance / len(here.deck) * (1 if card in live else len(blank) - drawn)
            if card in live or last:
                for at, weight in enumerate(turn_chances(rules.take(here, card))):
                    sums[at] += share * weight
        chance *= Fraction(len(blank) - drawn, len(here.deck))
        if not chance:
            break
    return sums[0], sums[1]


@pytest.mark.parametrize("blanks", [3, 6, 12])
@pytest.mark.slow
def test_whole_turns_in_which_a_crisis_draws_again(blanks: int) -> None:
    """From the campaign on, whose cards can be of eradicated tribes."""
    position = crisis(blanks, 9 + blanks, step="draw")
    found = engine_of(position.ruleset).turn(state_of(position))
    lost, won = turn_chances(position)
    assert Fraction(sum(weight for end, weight in found["ends"].items() if end != "won"), found["unit"]) == lost
    assert Fraction(found["ends"].get("won", 0), found["unit"]) == won


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_turns_with_an_event_or_a_crisis_by_the_reference_rules(ruleset: str) -> None:
    """From the two first cards of a campaign on, so that events, civil wars and crises can come."""
    for policy, position in zip(KERNEL_POLICIES, starts(ruleset, Step.EVENT, 2), strict=True):
        assert fractions(engine_of(position.ruleset).turn(state_of(position), policy)) == by_reference(position, policy)


def starts(ruleset: str, step: Step, number: int) -> Iterator[Position]:
    """Positions at a step of random games."""
    found, seed = 0, 0
    while found < number:
        random = Random(f"{ruleset} {seed}")
        state = rules.random_set_up(Ruleset.from_text(ruleset), seed)
        seed += 1
        while isinstance(state, Position) and not (state.step is step and state.decline < 5 and random.random() < 0.5):
            state = rules.take(state, random.choice(rules.node(state).options))
            if seed > 400:
                step = Step.CRISIS  # there are no events
        if isinstance(state, Position):
            found += 1
            yield state


# -- card by card --------------------------------------------------------------------------------------------------------


def compare_turn(engine: Kernel, state: State, policy: str) -> None:
    found = engine.turn(state, policy)
    assert found["known"] == found["unit"]
    assert fractions(found) == fractions(engine.turn(state, policy, plainly=True)), state.fields()


QUICK = {
    Step.EVENT,
    Step.TRAVEL,
    Step.RESIST,
    Step.RAISE,
    Step.PROTECT,
    Step.CIVIL_WAR,
    Step.CRISIS,
    Step.DISCARD,
    Step.INVADE,
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_grouped_draws_are_those_of_a_tree_card_by_card(ruleset: str) -> None:
    """On random states in the middle of a turn."""
    chosen = Ruleset.from_text(ruleset)
    chosen = chosen.dealt(Random(1))
    engine, rng, compared = engine_of(chosen), Rng(5), 0
    for steps in range(1, 120):
        state = engine.random_state(steps, rng)
        position = position_of(chosen, state)
        if (
            isinstance(position, Position)
            and position.decline < 9
            and (position.step in QUICK or len(position.hand) == 2)
        ):
            compare_turn(engine, state, KERNEL_POLICIES[steps % len(KERNEL_POLICIES)])
            compared += 1
    assert compared >= 8


PROGRESS = os.environ.get("TETRASOLVE_FINEM_TURNS")
TURNS = 1000 if PROGRESS else 8


@pytest.mark.slow
def test_a_thousand_turns_card_by_card(tmp_path: Path) -> None:
    """Whole turns of random games; with TETRASOLVE_FINEM_TURNS=FILE a thousand of them, continued from the file.

    Both sides are the kernel's; ``bench/finem_engines.py`` compares a thousand turns with the reference rules.
    """
    path = Path(PROGRESS) if PROGRESS else tmp_path / "progress.json"
    turns, seed = json.loads(path.read_text("utf-8")) if path.exists() else (0, 0)
    while turns < TURNS:
        seed += 1
        chosen = Ruleset.from_text(RULESETS[seed % len(RULESETS)]).dealt(Random(seed))
        engine, rng = engine_of(chosen), Rng(seed)
        state = engine.random_state(1 + seed * 7 % 60, rng)
        position = position_of(chosen, state)
        if isinstance(position, Position) and position.step is Step.ACT and position.decline < 5:
            compare_turn(engine, state, KERNEL_POLICIES[turns % len(KERNEL_POLICIES)])
            turns += 1
            path.write_text(json.dumps([turns, seed]), "utf-8")
    assert turns >= TURNS


# -- time ----------------------------------------------------------------------------------------------------------------


def test_a_turn_that_is_stopped_leaves_figures_that_hold() -> None:
    position = examples()["limit"].replace(step=Step.DRAW, hand=(), out=frozenset(), dice=(1, 2, 2, 3))
    engine, state = engine_of(position.ruleset), state_of(position)
    cancelled = Stop()
    cancelled.set()
    whole = fractions(engine.turn(state))
    for plainly in (False, True):
        with pytest.raises(Stopped) as stopped:
            engine.turn(state, plainly=plainly, stop=cancelled)
        part = fractions(stopped.value.partial)
        assert part["known"] < 1
        assert all(weight <= whole["ends"].get(end, 0) for end, weight in part["ends"].items())


def test_what_the_kernel_cannot_take_is_refused() -> None:
    with pytest.raises(KernelError, match="the Dictator's action"):
        engine = engine_of(Ruleset("standard"))
        engine.turn(state_of(examples()["dictator"].replace(step=Step.DICTATOR, left=2)))
    with pytest.raises(KernelError, match="policy"):
        engine.turn(state_of(examples()["limit"]), "bold")
    with pytest.raises(KernelError, match="it cannot come"):
        engine.take(state_of(examples()["limit"]), 1)
    with pytest.raises(KernelError, match="hand: expected 3 to 3"):
        state_of(examples()["limit"].replace(hand=()))
    with pytest.raises(KernelError, match="expected a whole number from 0 to 3"):
        state_of(examples()["limit"].replace(cubes=((4, 0, 0, 0),) * 24))
    with pytest.raises(KernelError, match="does not know 'E-NEW'"):
        Kernel(level="standard", readings={"E-NEW": "old"}, rows=[list(range(24))], starts=[0])
    with pytest.raises(KernelError, match="each region"):
        Kernel(level="standard", rows=[list(range(23))], starts=[0])
    assert REGIONS[0] == "O5"


def test_a_step_without_options_is_refused() -> None:
    fields = state_of(table("consul", step="resist", more="C5.E6.B7.O7 hand=C5.E6.B7")).fields()
    with pytest.raises(KernelError, match="nothing can come"):
        engine_of(Ruleset("standard")).turn(State(**fields))
