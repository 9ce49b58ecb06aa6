"""What follows from the text at positions of turns at random (drawn.txt), with the consequences worked out here.

What a reading decides is left out: each test holds under every value of every reading.
"""

import pytest
from drawnfinem import NEAR, PLACES, SUITS, Cubes, after, cubes, drawn, on_map, with_cube

from tetrasolve.finem import rules
from tetrasolve.finem.position import Phase, Position, Result, Step


def of_tracks(one: Position) -> tuple[object, ...]:
    return one.decline, one.outbreaks, one.pawn, one.start, one.ruleset


def expected(before: Position, found: Cubes, bursts: int, tribe: str) -> Result | Cubes:
    """The end of the game, or the cubes."""
    if before.outbreaks + bursts > 3:
        return Result("lost: outbreaks")
    return Result(f"lost: no cube of {tribe} left") if on_map(found, tribe) > 12 else found


# -- actions -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("et-actions", "et-roles")
def test_the_actions_of_each_role() -> None:
    for before in drawn(Step.ACT):
        here = {tribe: before.count(before.pawn, tribe) for tribe in SUITS}
        goals = set(NEAR[before.pawn])
        if before.role in ("consul", "emperor"):
            goals |= {before.start, before.last}
        wanted = {f"confront {tribe}" for tribe, n in here.items() if n} | {"pass"}
        wanted |= {f"move {goal}" for goal in goals - {before.pawn}}
        wanted |= {f"confront {tribe} all" for tribe, n in here.items() if n > 1 and before.role == "magister"}
        wanted |= {"ride"} if before.role == "dictator" else set()
        options = rules.node(before).options
        assert len(set(options)) == len(options)
        assert {option for option in options if not option.startswith("pacify")} == wanted


@pytest.mark.rule("et-actions", "et-pacified")
def test_an_action_does_what_it_says_and_no_more() -> None:
    for before, option, state in after(Step.ACT):
        verb, *words = option.split()
        if verb == "pacify":
            continue
        assert isinstance(state, Position)
        left, wanted = before.left - 1, cubes(before)
        if verb == "confront":
            number = wanted[before.pawn, words[0]] - (0 if "all" in words else 1)
            wanted[before.pawn, words[0]] = 0 if "all" in words else number
        pawn = words[0] if verb == "move" else before.pawn
        assert cubes(state) == {place: n for place, n in wanted.items() if n}
        assert of_tracks(state) == of_tracks(before.replace(pawn=pawn))
        assert (state.last, state.role, state.pacified, state.out) == (
            before.last,
            before.role,
            before.pacified,
            before.out,
        )
        if verb == "ride":
            assert state.step is Step.DICTATOR and state.left == left
        elif verb == "pass" or not left:
            assert state.step is Step.DRAW
        else:
            assert state.step is Step.ACT and state.left == left
        for tribe in SUITS:
            is_gone = tribe in before.pacified and not on_map(cubes(state), tribe)
            if verb == "confront" and tribe == words[0]:
                assert state.die(tribe) == (0 if is_gone and before.ruleset.is_introductory else before.die(tribe))
            else:
                assert state.die(tribe) in {
                    before.die(tribe),
                    *([0] if is_gone and before.ruleset.is_introductory else []),
                }


@pytest.mark.rule("et-roles", "et-decks")
def test_the_dictators_card_and_his_ride() -> None:
    for before, card, state in after(Step.DICTATOR):
        assert card not in before.out and isinstance(state, Position)
        assert state.step is Step.RIDE and state.out == before.out | {card} and cubes(state) == cubes(before)
        goals = {f"move {suit}{card[1]}" for suit in SUITS} - {f"move {before.pawn}"}
        assert {*rules.node(state).options} - {"stay", f"move {before.pawn}"} == goals  # whether his own counts is open
        assert before.pawn[1] == card[1] or f"move {before.pawn}" not in rules.node(state).options
        assert of_tracks(state) == of_tracks(before) and state.left == before.left
        for goal in goals:
            there = rules.take(state, goal)
            assert isinstance(there, Position) and there.pawn == goal[-2:] and cubes(there) == cubes(before)
            assert (there.step, there.left) == ((Step.ACT, before.left) if before.left else (Step.DRAW, 0))
            assert there.dice == before.dice and there.last == before.last


# -- campaign ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("et-campaign", "et-decks")
def test_three_cards_of_a_campaign() -> None:
    for before, card, state in after(Step.DRAW):
        assert card not in before.out
        if len(before.hand) < 2:
            assert isinstance(state, Position) and {*state.hand} == {*before.hand, card}
            assert state.step is Step.DRAW and state.out == before.out | {card}
            assert state.dice == before.dice and cubes(state) == cubes(before) and of_tracks(state) == of_tracks(before)


@pytest.mark.rule("et-result", "et-campaign")
def test_the_decline_after_two_cards_of_a_suit() -> None:
    """And no cube moves before a crisis or an invasion."""
    for before, card, state in after(Step.DRAW):
        suits = [one[0] for one in (*before.hand, card)]
        if len(suits) < 3 or before.role == "tribune" or any(before.is_eradicated(suit) for suit in suits):
            continue
        if len(set(suits)) == 2 and "cap3" not in before.ruleset.options:
            if before.decline == 11:
                assert state in (Result("lost: decline"), Result("won"))
            elif isinstance(state, Position) and state.step is Step.DISCARD:  # the dice may rise first
                assert state.decline - before.decline in (0, 1)
            elif isinstance(state, Position):
                assert state.decline == before.decline + 1
                assert (state.step is Step.CRISIS) == (state.decline % 3 == 0 and state.step is not Step.DISCARD)
        if isinstance(state, Position):
            assert cubes(state) == cubes(before) and (state.pawn, state.last) == (before.pawn, before.last)
            assert state.decline == before.decline or len(set(suits)) < 3


@pytest.mark.rule("et-result", "et-pacified")
def test_each_card_raises_a_die() -> None:
    """Of tribes not pacified yet, below the points of the Prefect and without a limit."""
    for before, _card, state in after(Step.DRAW):
        if not isinstance(state, Position) or state.step is not Step.INVADE or not before.ruleset.is_introductory:
            continue
        suits = [one[0] for one in state.out] if before.role != "tribune" else []
        for tribe in SUITS if suits and len(state.out) == 3 else "":
            die = before.die(tribe) + suits.count(tribe)
            if before.die(tribe) == 0:
                assert state.die(tribe) == 0
            elif tribe not in before.pacified and die < 5:
                assert state.die(tribe) == die and tribe not in state.pacified


@pytest.mark.rule("et-crisis", "et-outbreaks", "et-end")
def test_a_crisis() -> None:
    for before, card, state in after(Step.CRISIS):
        tribe, found = card[0], cubes(before)
        held = found.get((card, tribe), 0)
        if before.is_eradicated(tribe) or on_map(found, tribe) + 3 > 12 >= on_map(found, tribe) + 3 - held:
            continue
        filled = found | {(card, tribe): 3}
        if on_map(filled, tribe) > 12:
            assert state == Result(f"lost: no cube of {tribe} left")
            continue
        wanted = expected(before, *(with_cube(filled, card, tribe) if held else (filled, 0)), tribe)
        if not wanted:
            assert isinstance(state, Result) or state.outbreaks > before.outbreaks + 1
        elif isinstance(wanted, Result):
            assert state == wanted
        elif isinstance(state, Position):
            assert cubes(state) == wanted and (state.last == card or held == 3)
            assert state.out == before.out | {card} and state.step is not Step.CRISIS
            assert (state.decline, state.pawn) == (before.decline, before.pawn)


# -- events ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("et-events")
def test_the_event_of_each_rank() -> None:
    steps = {"5": Step.TRAVEL, "7": Step.RESIST, "S": Step.RAISE, "C": Step.PROTECT, "R": Step.CIVIL_WAR}
    for before, card, state in after(Step.EVENT):
        assert card not in before.out
        if card[1] in steps and before.occupied and any(before.dice):
            assert isinstance(state, Position) and state.step is steps[card[1]]
            assert state.out == before.out | {card} and state.dice == before.dice
        if isinstance(state, Position):
            assert cubes(state) == cubes(before) and of_tracks(state) == of_tracks(before) and state.last == before.last
            if state.step in (Step.ROLE, Step.APPOINT):
                assert card[1] == "6" or not before.occupied
        if card[1] == "6" and isinstance(state, Position) and state.phase.value != "campaign":
            assert state.step in (Step.ROLE, Step.APPOINT)


def _can_rise(one: Position, tribe: str) -> bool:
    """Whether a die is one that rises, as far as a reading says so."""
    stays = tribe in one.pacified and one.ruleset.readings["E-AGAIN"] == "stays"
    return one.die(tribe) < 6 and not stays


def _stuck(one: Position) -> set[str]:
    """Whether dice that cannot rise can be named is open."""
    dice = {f"raise {tribe}" for tribe in SUITS if one.die(tribe) and not _can_rise(one, tribe)}
    return dice if one.step is Step.RAISE else set()


@pytest.mark.rule("et-events")
@pytest.mark.parametrize("step", [Step.TRAVEL, Step.RESIST, Step.RAISE, Step.PROTECT])
def test_what_the_player_chooses_in_an_event(step: Step) -> None:
    for before in drawn(step):
        found, dice = cubes(before), {tribe: before.die(tribe) for tribe in SUITS}
        each = {f"remove {region} {tribe}" for region, tribe in found}
        wanted = {
            Step.TRAVEL: {f"move {region}" for region in PLACES if region != before.pawn},
            Step.RESIST: each
            | {f"remove {r} {t} all" for (r, t), n in found.items() if n > 1 and t in before.pacified},
            Step.RAISE: {f"raise {tribe}" for tribe, die in dice.items() if die and _can_rise(before, tribe)},
            Step.PROTECT: {f"protect {region}" for region in PLACES if region not in before.out},
        }[step]
        if step is Step.RESIST:  # whether one cube and all of a tribe are two choices is open
            wanted = each
            assert all(o.split()[2] in before.pacified for o in rules.node(before).options if "all" in o)
        options = {*rules.node(before).options}
        assert options >= wanted
        assert all(
            o in ("keep", "stay") or o.startswith("protect") or "all" in o for o in options - wanted - _stuck(before)
        )
        for option in sorted(wanted):
            state = rules.take(before, option)
            _, *words = option.split()
            if isinstance(state, Result):
                assert state.is_won and step in (Step.RAISE, Step.RESIST, Step.TRAVEL, Step.PROTECT)
                continue
            left = dict(found)
            if step is Step.RESIST:
                left[words[0], words[1]] = 0 if "all" in words else left[words[0], words[1]] - 1
            assert cubes(state) == {place: n for place, n in left.items() if n}
            assert of_tracks(state) == of_tracks(before.replace(pawn=words[0] if step is Step.TRAVEL else before.pawn))
            assert state.last == before.last and state.role == before.role and state.step is not step
            assert not (before.ruleset.is_introductory and state.step in (Step.DISCARD, Step.DISCARD_EVENT))
            if step is Step.PROTECT and state.step is Step.INVADE:
                assert state.protected == words[0]
            others = {card[0] for card in before.hand}
            for tribe in SUITS if step is Step.RAISE and state.step is Step.INVADE else "":
                if (
                    tribe not in others
                    and tribe not in before.pacified
                    and dice[tribe] < 4
                    and before.ruleset.is_introductory
                ):
                    assert state.die(tribe) == dice[tribe] + (tribe == words[0])


@pytest.mark.rule("et-events", "et-end")
def test_a_civil_war_where_no_region_has_three_cubes() -> None:
    for before, card, state in after(Step.CIVIL_WAR):
        struck, found = {tribe: tribe + card[1] for tribe in SUITS}, cubes(before)
        if any(before.is_eradicated(tribe) or found.get((r, tribe), 0) > 2 for tribe, r in struck.items()):
            continue
        for tribe, region in struck.items():
            found[region, tribe] = found.get((region, tribe), 0) + 1
        over = [tribe for tribe in SUITS if on_map(found, tribe) > 12]
        if over:
            assert state == Result(f"lost: no cube of {over[0]} left")
        elif isinstance(state, Position):
            assert cubes(state) == found and of_tracks(state) == of_tracks(before)
            assert card in state.out or state.step.phase.value == "role"
            assert state.out >= before.out or state.step.phase.value == "role"


# -- invasion, role ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("et-invasion", "et-outbreaks", "et-end", "et-events")
def test_a_card_of_an_invasion() -> None:
    for before, card, state in after(Step.INVADE):
        tribe, found = card[0], cubes(before)
        assert card not in before.out
        if before.role == "tribune" or (before.protected and found.get((card, tribe), 0) > 2):
            continue
        if card == before.protected:
            assert state == before.replace(out=before.out | {card})
            continue
        if before.is_eradicated(tribe):
            wanted: Result | Cubes = found
        else:
            wanted = expected(before, *with_cube(found, card, tribe), tribe)
        if isinstance(wanted, Result):
            assert state == wanted
            continue
        if not wanted and not before.is_eradicated(tribe):
            assert isinstance(state, Result) or state.outbreaks > before.outbreaks + 1
            continue
        assert isinstance(state, Position) and cubes(state) == wanted and state.dice == before.dice
        assert (state.decline, state.pawn, state.role) == (before.decline, before.pawn, before.role)
        if before.left > 1:
            assert state.step is Step.INVADE and state.left == before.left - 1 and state.out == before.out | {card}
        else:
            assert state.phase is Phase.ROLE and (state.step is Step.ROLE or before.role == "emperor")
            assert (state.out, state.protected, state.hand) == (frozenset(), None, ())
        if not before.is_eradicated(tribe) and found.get((card, tribe), 0) < 3:
            assert state.last == card and state.outbreaks == before.outbreaks


@pytest.mark.rule("et-roles", "et-actions")
@pytest.mark.parametrize("step", [Step.ROLE, Step.APPOINT])
def test_the_next_role_changes_nothing_else(step: Step) -> None:
    roles = {"tribune", "prefect", "consul", "magister", "dictator", "emperor"}
    for before in drawn(step):
        assert {*rules.node(before).options} | {"emperor"} == roles
    for before, role, state in after(step):
        if isinstance(state, Position) and state.step is Step.APPOINT:
            assert role == "emperor" and state == before.replace(
                role=role, step=Step.APPOINT
            )  # he may name a role at once
        elif role != "prefect" or max(before.dice) < 5:
            assert state == before.replace(role=role, step=Step.ACT, left=4)
