"""What a card or a decision leaves as it is, and the little that it may change, at every position of drawn.txt.

The text says of each step what happens; what it does not name stays. Where a reading decides, each of its values is allowed.
"""

from collections.abc import Iterator
from itertools import product

import pytest
from drawnfinem import NEAR, SUITS, Cubes, after, cubes, drawn, on_map, with_cube
from tablefinem import after as following
from tablefinem import options, table

from tetrasolve.finem import rules
from tetrasolve.finem.position import Phase, Position, Result, State, Step

CAMPAIGN = tuple(step for step in Step if step.phase is Phase.CAMPAIGN)
BEGUN = (Step.ROLE, Step.APPOINT)  # all cards are back in the deck
ENDS = (Step.ACT, Step.RIDE)  # where a phase of actions can end


def position(state: State) -> Position:
    assert isinstance(state, Position), state
    return state


every_step = pytest.mark.parametrize("step", Step)


def each(*steps: Step) -> Iterator[tuple[Position, str, Position]]:
    """What leads from the positions at these steps to another position."""
    for step in steps:
        yield from ((before, option, state) for before, option, state in after(step) if isinstance(state, Position))


def counted(one: Position) -> int:
    """The points of the dice that a limit can be about, the fewest of any reading."""
    return sum(one.die(tribe) for tribe in SUITS if tribe not in one.pacified)


# -- what moves in which step ------------------------------------------------------------------------------------------


@pytest.mark.rule("et-actions", "et-roles", "et-events")
@every_step
def test_the_pawn_moves_by_an_action_a_ride_or_the_event_of_a_5_alone(step: Step) -> None:
    for before, option, state in each(step):
        moves = before.step in (Step.ACT, Step.RIDE, Step.TRAVEL) and option.startswith("move")
        assert state.pawn == (option[-2:] if moves else before.pawn), (str(before), option)
        assert (state.start, state.ruleset) == (before.start, before.ruleset)


@pytest.mark.rule("et-roles")
@every_step
def test_a_role_stays_until_the_next_is_assigned(step: Step) -> None:
    for before, option, state in each(step):
        assert state.role == (option if before.step in BEGUN else before.role)


@pytest.mark.rule("et-invasion", "et-crisis", "et-roles")
@every_step
def test_the_region_last_invaded_is_one_whose_card_came_or_the_one_before(step: Step) -> None:
    for before, option, state in each(step):
        allowed = {before.last}
        if before.step in (Step.INVADE, Step.CRISIS):
            allowed |= {option, *before.hand} if before.step is Step.INVADE else {option}
        elif before.step is Step.CIVIL_WAR:
            allowed |= {suit + option[1] for suit in SUITS}
        elif before.step is Step.SWAP:
            allowed |= {*before.hand, before.card or before.last}
        elif before.step is Step.ORDER:  # the last card follows by itself
            allowed |= {option.removeprefix("invade "), *(before.hand if len(before.hand) == 2 else ())}
        assert state.last in allowed, (str(before), option)


@pytest.mark.rule("et-result", "et-outbreaks", "et-end")
@every_step
def test_the_tracks_move_forward_in_their_steps_alone(step: Step) -> None:
    for before, option, state in each(step):
        steps = state.decline - before.decline
        # the cards are seen in the campaign; where the dice rise first, the decline moves after a decision about them
        assert steps == 0 or (before.phase is Phase.CAMPAIGN and 1 <= steps <= 3), (str(before), option)
        bursts = state.outbreaks - before.outbreaks
        may_burst = before.step in (Step.INVADE, Step.CRISIS, Step.CIVIL_WAR, Step.SWAP, Step.ORDER)
        assert bursts == 0 or (may_burst and bursts > 0 and state.outbreaks < 4)


@pytest.mark.rule("et-decks")
@every_step
def test_cards_that_were_drawn_stay_out_until_the_turn_ends(step: Step) -> None:
    for before, option, state in each(step):
        card = {option} if before.step.is_chance and before.step is not Step.ROLE else set()
        assert state.out == (set() if state.step in BEGUN else before.out | card), (str(before), option)
        if state.step in BEGUN:
            assert not state.hand and state.card is None


@pytest.mark.rule("et-events", "et-campaign")
@every_step
def test_what_holds_for_a_turn_begins_by_its_event_and_ends_with_the_turn(step: Step) -> None:
    for before, option, state in each(step):
        if state.step in BEGUN:
            assert (state.protected, state.is_quiet, state.has_exchanged) == (None, False, False)
            continue
        named = option[-2:] if before.step is Step.PROTECT else before.protected
        assert state.protected == named
        assert state.is_quiet == (before.is_quiet or (before.step is Step.EVENT and option[1] == "6"))
        exchanges = before.step in (Step.EXCHANGE, Step.SWAP) and option.startswith("exchange")
        assert state.has_exchanged == (before.has_exchanged or exchanges)


@pytest.mark.rule("et-actions", "et-campaign")
@every_step
def test_the_four_phases_come_in_their_order(step: Step) -> None:
    phases = list(Phase)
    for before, option, state in each(step):
        steps = (phases.index(state.phase) - phases.index(before.phase)) % 4
        assert steps in (0, 1) or (steps == 2 and state.is_quiet | (option[1:] == "6") | (before.is_quiet)), option
        if before.phase is Phase.ACTIONS:
            is_over = option == "pass" or (before.step in ENDS and option != "ride" and not state.left)
            assert state.phase is (Phase.CAMPAIGN if is_over else Phase.ACTIONS), (str(before), option)
            used = {0} if is_over else {before.left - (before.step is Step.ACT), before.left + (option == "stay")}
            assert state.left in used, (str(before), option)


@pytest.mark.rule("et-decks", "et-standard", "et-events")
@every_step
def test_something_can_come_wherever_the_game_goes_on(step: Step) -> None:
    """A card, or what the player can decide; each of it once."""
    for before in drawn(step):
        found = options(before)
        assert found and len({*found}) == len(found), str(before)
    for before, option, state in each(step):
        assert rules.node(state).options, (str(before), option)


# -- cubes and dice ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("et-actions", "et-events", "et-invasion", "et-crisis")
@every_step
def test_cubes_move_by_these_steps_alone(step: Step) -> None:
    steps = (Step.ACT, Step.RESIST, Step.CRISIS, Step.CIVIL_WAR, Step.INVADE, Step.SWAP, Step.ORDER)
    for before, option, state in each(step):
        assert step in steps or state.cubes == before.cubes, (str(before), option)
        assert step is not Step.ACT or option.startswith("confront") or state.cubes == before.cubes
        if step not in (Step.INVADE, Step.CRISIS):
            continue
        moved = {tribe for tribe in SUITS if on_map(cubes(before), tribe) != on_map(cubes(state), tribe)}
        assert moved <= {option[0], *(card[0] for card in before.hand if before.step is Step.INVADE)}, str(before)


@pytest.mark.rule("et-events", "et-pacified")
def test_the_event_of_a_7_takes_cubes_of_one_tribe_in_a_region() -> None:
    for before, option, state in each(Step.RESIST):
        found = cubes(before)
        if option == "keep":
            assert cubes(state) == found
            continue
        _, region, tribe, *words = option.split()
        if len(words) < 2:  # and perhaps one cube more, of a region that is named
            found[region, tribe] = 0 if words else found[region, tribe] - 1
            assert cubes(state) == {place: n for place, n in found.items() if n}
            assert not words or tribe in before.pacified


def allowed_dice(before: Position, tribe: str, points: int) -> set[int]:
    """What a die can be after so many points, or fewer that are still to come; 0 and 1 where it is put away or pacified."""
    die = before.die(tribe)
    if not points or die == 0:
        return {die}
    reached = {*range(die, min(die + points, 6) + 1)}
    return reached if die + points < 5 else reached | {*range(1, points + 1)}


@pytest.mark.rule("et-result", "et-pacified", "et-events", "et-crisis")
@pytest.mark.parametrize("step", [step for step in CAMPAIGN if step not in (Step.DISCARD, Step.DISCARD_EVENT)])
def test_a_die_rises_by_the_cards_of_its_suit_alone(step: Step) -> None:
    """In a campaign, and by its event; with points that are taken off, where there is a limit."""
    for before, option, state in each(step):
        cards = [*before.hand, *([option] if before.step is Step.DRAW else [])]
        cards += [before.card] if before.step is Step.EXCHANGE and before.card else []
        for tribe in SUITS:
            points = sum(card[0] == tribe for card in cards) + (option == f"raise {tribe}")
            allowed = allowed_dice(before, tribe, points)
            is_gone = tribe in before.pacified and not on_map(cubes(state), tribe) and before.ruleset.is_introductory
            allowed |= {0} if is_gone or (tribe in state.pacified - before.pacified and 1 in allowed) else set()
            if before.die(tribe) == 0:  # one that comes back in a crisis or a civil war may count these cards
                allowed |= {*range(1, 2 + points)} if before.step in (Step.CRISIS, Step.CIVIL_WAR) else set()
            assert state.die(tribe) in allowed, (str(before), option, str(state))
            assert tribe in before.pacified or tribe not in state.pacified or before.die(tribe) + points >= 5


@pytest.mark.rule("et-invasion", "et-outbreaks")
@pytest.mark.parametrize("step", [Step.INVADE, Step.SWAP, Step.ROLE, Step.APPOINT, Step.DICTATOR])
def test_an_invasion_moves_no_die(step: Step) -> None:
    for before, option, state in each(step):
        if option != "prefect":
            assert (state.dice, state.pacified) == (before.dice, before.pacified)


@pytest.mark.rule("et-pacified", "et-actions")
@every_step
def test_a_tribe_is_pacified_for_good_by_its_die_or_the_action(step: Step) -> None:
    for before, option, state in each(step):
        assert state.pacified >= before.pacified
        new = state.pacified - before.pacified
        if before.step is Step.ACT:
            assert new <= ({option[-1]} if option.startswith("pacify") else set())
        elif before.step not in BEGUN:
            assert not new or before.phase is Phase.CAMPAIGN


@pytest.mark.rule("et-pacified", "et-actions")
def test_the_action_pacify_moves_no_other_die() -> None:
    for before, option, state in each(Step.ACT):
        if option.startswith("pacify"):
            tribe = option[-1]
            assert state.die(tribe) in (0, 1) and (state.die(tribe) == 1 or not on_map(cubes(before), tribe))
            assert all(state.die(other) in (before.die(other), 0) for other in SUITS if other != tribe)
            assert state.pacified == before.pacified | {tribe}
            assert cubes(state) == cubes(before) and state.left == max(0, before.left - 1)


@pytest.mark.rule("et-pacified", "et-actions", "et-roles")
@pytest.mark.parametrize("tribe", SUITS)
@pytest.mark.parametrize("others", ["1", "4"])
@pytest.mark.parametrize("ruleset", ["introductory", "standard"])
def test_the_prefect_pacifies_the_tribe_whose_die_shows_5(tribe: str, others: str, ruleset: str) -> None:
    """None by what other dice show, nor by their sum; without a cube of the tribe, too."""
    before = table("prefect", rules=ruleset, dice="".join("5" if one == tribe else others for one in SUITS) + "/-")
    if before.ruleset.readings["E-PACIFY"] == "free":
        assert f"pacify {tribe}" in options(before)
    else:
        assert [o for o in options(before) if o.startswith("pacify")] == [f"pacify {tribe}"]
        assert not any(o.startswith("pacify") for o in options(before.replace(role="tribune")))


@pytest.mark.rule("et-pacified", "et-standard")
def test_a_tribe_can_be_pacified_again_where_none_is_eradicated() -> None:
    before = table("prefect", rules="standard", dice="1151/E")
    if before.ruleset.readings["E-AGAIN"] != "stays":
        assert "pacify E" in options(before)


# -- the limit ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("et-standard")
@every_step
def test_points_are_taken_off_where_there_are_more_than_eleven(step: Step) -> None:
    """And none is left above eleven when the campaign is over."""
    for before, option, state in each(step):
        if state.step in (Step.DISCARD, Step.DISCARD_EVENT):
            assert sum(state.dice) > 11 and not state.ruleset.is_introductory, (str(before), option)
        if before.phase is Phase.CAMPAIGN and state.phase is not Phase.CAMPAIGN and not state.ruleset.is_introductory:
            assert counted(state) <= 11 or before.left, (str(before), option)


@pytest.mark.rule("et-standard")
def test_exactly_the_points_above_eleven_are_taken_off() -> None:
    for step in (Step.DISCARD, Step.DISCARD_EVENT):
        for before in drawn(step):
            counts_all = before.ruleset.readings["E-ELEVEN"] == "four"
            over = (sum(before.dice) if counts_all else counted(before)) - 11
            for option in options(before) if over > 0 else ():
                taken = {word[0]: int(word[1:]) for word in option.split()[1:]}
                assert sum(taken.values()) == over and min(taken.values()) > 0
                assert all(before.die(tribe) - n >= 1 for tribe, n in taken.items())
                state = rules.take(before, option)
                if isinstance(state, Position) and before.ruleset.readings["E-LIMIT"] == "once" and not before.left:
                    hand = {card[0] for card in before.hand if step is Step.DISCARD_EVENT}
                    for tribe in SUITS:
                        assert tribe in hand or state.die(tribe) == before.die(tribe) - taken.get(tribe, 0)


@pytest.mark.rule("et-standard")
@pytest.mark.parametrize(
    ("dice", "listed"),
    [
        ("5521", "O2 O1C1 O1E1 C2 C1E1"),
        ("5531", "O3 O2C1 O2E1 O1C2 O1C1E1 O1E2 C3 C2E1 C1E2"),
        ("3551", "O2C1 O2E1 O1C2 O1C1E1 O1E2 C3 C2E1 C1E2 E3"),
    ],
)
def test_the_player_takes_the_points_off_the_dice_that_he_wants(dice: str, listed: str) -> None:
    """Dice that the campaign has raised, of tribes not pacified: each way to take two or three points off them."""
    before = table("consul", rules="standard", dice=f"{dice}/-", step="discard", more="O5.C6.E7 hand=O5.C6.E7")
    if before.ruleset.readings["E-LIMIT"] != "each-point":
        ways = {" ".join(way[at : at + 2] for at in range(0, len(way), 2)) for way in listed.split()}
        assert {*options(before)} == {f"discard {way}" for way in ways}
        for way in ways:
            taken = {word[0]: int(word[1]) for word in way.split()}
            found = position(following(before, f"discard {way}"))
            assert found.dice == tuple(int(n) - taken.get(tribe, 0) for n, tribe in zip(dice, SUITS, strict=True))


# -- campaigns to their end --------------------------------------------------------------------------------------------


def walk(one: Position, cards: str, card: str = "BS") -> list[Position]:
    """A campaign of these cards to its end: a card that comes then, first choices, but the last of the Tribune's."""
    one = position(following(one, *cards.split()))
    found = [one]
    while found[-1].phase is Phase.CAMPAIGN:
        here = options(found[-1])
        found.append(position(following(found[-1], card if card in here else here[0])))
    return found


@pytest.mark.rule("et-result", "et-crisis")
@pytest.mark.parametrize(("cards", "tracks"), [("C5 C6 E7", "2/1"), ("B5 C6 B7", "5/1"), ("O5 O6 O7", "1/1")])
@pytest.mark.parametrize("ruleset", ["introductory", "standard", "introductory+cap3"])
def test_a_campaign_has_one_crisis_and_its_dice_rise(cards: str, tracks: str, ruleset: str) -> None:
    before = table("consul", rules=ruleset, tracks=tracks, step="draw")
    found = walk(before, cards)
    assert [one.step for one in found[:-1]].count(Step.CRISIS) == 1 and Step.EVENT not in {one.step for one in found}
    suits = [card[0] for card in cards.split()]
    assert found[-1].dice == tuple(1 + suits.count(tribe) for tribe in SUITS) and found[-1].step is Step.INVADE
    assert cubes(found[-1]) == {("BS", "B"): 3} and found[-1].outbreaks == 1
    assert found[-1].decline == before.decline + (2 if len({*suits}) == 1 else 1)


@pytest.mark.rule("et-result", "et-crisis", "et-standard")
def test_a_campaign_has_one_crisis_where_points_are_taken_off_too() -> None:
    found = walk(table("consul", rules="standard", dice="1144/-", tracks="2/1", step="draw"), "C5 C6 O7")
    assert [one.step for one in found].count(Step.CRISIS) == 1 and counted(found[-1]) <= 11
    assert found[-1].decline == 3 and cubes(found[-1]) == {("BS", "B"): 3}


@pytest.mark.rule("et-result", "et-events")
@pytest.mark.parametrize("card", ["O7", "BS", "BC", "BR"])
def test_a_campaign_of_three_suits_has_one_event_at_most(card: str) -> None:
    before = table("consul", cubes="BR:B1", step="draw", tracks="2/1")
    found = walk(before, "C5 O6 E7", card)
    assert [one.step for one in found].count(Step.EVENT) <= 1 and Step.CRISIS not in {one.step for one in found}
    assert found[-1].decline == 2 and all(die >= 2 for die in found[-1].dice[:3])


@pytest.mark.rule("et-result", "et-campaign")
@pytest.mark.parametrize("cards", ["C5 C6 E7", "E5 C6 E7", "O5 C6 O7", "B5 E6 B7"])
def test_a_campaign_of_two_suits_is_over_when_the_dice_have_risen(cards: str) -> None:
    found = walk(table("consul", step="draw", tracks="3/1", cubes="C7:O1"), cards)
    suits = [card[0] for card in cards.split()]
    (gone,) = {*suits} - {suit for suit in suits if suits.count(suit) == 2}
    dice = "".join("0" if tribe == gone else "1" for tribe in SUITS)
    with_gone = walk(table("consul", step="draw", tracks="3/1", dice=f"{dice}/{gone}"), cards)
    assert (
        len(with_gone) == 1 and with_gone[0].decline == 4 and with_gone[0].die(gone) == 0
    )  # a card of an eradicated tribe
    assert len(found) == 1 and found[0].step is Step.INVADE and found[0].decline == 4
    assert found[0].dice == tuple(1 + suits.count(tribe) for tribe in SUITS)
    assert found[0].out == {*cards.split()} and found[0].left == 2


@pytest.mark.rule("et-campaign", "et-roles")
def test_any_card_of_the_campaign_can_be_the_one_that_is_exchanged() -> None:
    for before in drawn(Step.EXCHANGE):
        sees_first = before.card is None and before.ruleset.readings["E-EXCHANGE"] != "blind"
        cards = {"exchange"} if sees_first else {f"exchange {card}" for card in before.hand}
        assert {*options(before)} - {"keep"} == cards
        assert "keep" in options(before) or before.card
        for option in options(before):
            state = rules.take(before, option)
            if not isinstance(state, Position):
                continue
            if option == "keep":  # the three cards count
                assert state.hand in (before.hand, ()) and state.step not in (Step.DRAW, Step.EXCHANGE)
                assert state.hand or state.phase is not Phase.CAMPAIGN
            elif state.step is Step.DRAW:
                kept = {*before.hand} - {option.removeprefix("exchange ")}
                assert {*state.hand} == kept and state.cubes == before.cubes and state.decline == before.decline


@pytest.mark.rule("et-roles", "et-campaign", "et-invasion")
@pytest.mark.parametrize("ruleset", ["introductory", "standard", "introductory?E-TRIBUNE=either"])
@pytest.mark.parametrize("exchanges", [True, False])
def test_the_invasion_of_a_tribune_has_its_cards(ruleset: str, exchanges: bool) -> None:
    """Whether he has exchanged a card of the campaign or not; two cards at the beginning of the decline."""
    one, put = table("tribune", rules=ruleset, step="draw"), []
    cards = iter(("C5", "C6", "E7", "B7", "BR", "O6", "ES"))
    while one.step is not Step.ROLE:
        choices = [o for o in options(one) if o.startswith("exchange") and exchanges and one.phase is Phase.CAMPAIGN]
        option = next(cards) if one.step.is_chance else [*choices[-1:], *options(one)][0]
        put += [option] if one.step is Step.INVADE else []
        one = position(following(one, option))
    assert cubes(one) == {(card, card[0]): 1 for card in put} and len(put) == 2


# -- crisis, civil war, events -----------------------------------------------------------------------------------------


@pytest.mark.rule("et-crisis", "et-pacified")
def test_a_crisis_of_an_eradicated_tribe() -> None:
    """Nothing is put, or its region is filled, or another card is drawn."""
    for before, card, state in each(Step.CRISIS):
        if before.is_eradicated(card[0]):
            assert cubes(state) in (cubes(before), cubes(before) | {(card, card[0]): 3}), (str(before), card)
            assert state.outbreaks == before.outbreaks
            assert state.die(card[0]) > 0 or cubes(state) == cubes(before)  # with cubes it is none
    for before, card, end in after(Step.CRISIS):
        assert not before.is_eradicated(card[0]) or isinstance(end, Position) or end.is_won


def wars(before: Position, card: str) -> Iterator[tuple[Cubes, int]]:
    """The cubes and outbreaks after a civil war: an outbreak or nothing where three cubes lie, eradicated tribes in or out."""
    struck = [suit + card[1] for suit in SUITS]
    for bursts, returns in product((True, False), repeat=2):
        found, number = cubes(before), 0
        for region in struck:
            tribe = region[0]
            if (before.is_eradicated(tribe) and not returns) or (found.get((region, tribe), 0) > 2 and not bursts):
                continue
            found, burst = with_cube(found, region, tribe)
            number += burst
        yield found, number


@pytest.mark.rule("et-events", "et-outbreaks", "et-pacified")
def test_a_civil_war_puts_a_cube_of_its_tribe_on_each_region_of_the_rank() -> None:
    for before, card, state in after(Step.CIVIL_WAR):
        chained = [
            suit + card[1]
            for suit in SUITS
            if before.count(suit + card[1], suit) > 2
            and any(before.count(other, suit) > 2 for other in NEAR[suit + card[1]])
        ]
        if chained or "sphere" in before.ruleset.options or before.ruleset.cards:
            continue
        found = [*wars(before, card)]
        if isinstance(state, Result):
            over = any(on_map(one, tribe) > 12 for one, _ in found for tribe in SUITS)
            assert state.is_won or over or any(before.outbreaks + n > 3 for _, n in found)
        else:
            assert (cubes(state), state.outbreaks - before.outbreaks) in found, (str(before), card)


def chains(found: Cubes, region: str, tribe: str) -> Iterator[tuple[Cubes, int]]:
    """The cubes and outbreaks after a chain; the first region may be struck again in it, or not."""
    for again in (False, True):
        left, number, chain, waiting = dict(found), int(again), set() if again else {region}, [region]
        while waiting:
            for other in sorted(NEAR[waiting.pop()] - chain):
                if left.get((other, tribe), 0) > 2:
                    chain.add(other)
                    waiting.append(other)
                else:
                    left[other, tribe] = left.get((other, tribe), 0) + 1
        yield left, number + len(chain)


@pytest.mark.rule("et-outbreaks", "et-end", "et-invasion")
@pytest.mark.parametrize("tracks", ["1/1", "1/2"])
@pytest.mark.parametrize("at", ["C7", "BR", "O6"])
@pytest.mark.parametrize(
    ("card", "lying"),
    [
        ("O5", "O5:O3.O6:O3"),
        ("O5", "O5:O3.B6:O3"),
        ("B6", "B6:B3.B7:B3.B5:B2"),
        ("E7", "E7:E3.ES:E3.ER:E2"),
        ("CS", "CS:C3.CC:C3.CR:C2.C6:C1"),
        ("O7", "O7:O3.C7:O3.C6:O2"),
        ("O7", "O7:O3.OC:O2.C7:O3.OS:O2"),
        ("OR", "OR:O3.OS:O2.CR:C3"),
        ("O5", "O5:O3.BR:O3.C5:O3.E5:O1"),
    ],
)
def test_an_outbreak_spreads_from_each_region_that_has_one(card: str, lying: str, at: str, tracks: str) -> None:
    """Wherever the pawn is; up to twelve cubes, and to the third outbreak of the game."""
    before = table("consul", at=at, cubes=lying, tracks=tracks, step="invade:2", more="CR.E6.BC")
    state = rules.take(before, card)
    allowed = []
    for found, number in chains(cubes(before), card, card[0]):
        lost = before.outbreaks + number > 3
        over = on_map(found, card[0]) > 12
        allowed.append((lost, over, found, before.outbreaks + number))
    if isinstance(state, Result):
        assert any(str(state) == "lost: outbreaks" if lost else over for lost, over, _, _ in allowed)
    else:
        assert any(
            not lost and not over and (cubes(state), state.outbreaks) == (found, number)
            for lost, over, found, number in allowed
        )


@pytest.mark.rule("et-result", "et-pacified", "et-standard", "et-events")
@pytest.mark.parametrize(
    ("before", "option", "dice"),
    [
        # a Tribune has exchanged a card
        ("introductory tribune O5/C7/C6 1111/B 1/1 - draw C7.CR.EC hand=C7.EC exchanged", "C5", "1321/B"),
        # the card of the campaign is the region that is protected
        ("standard emperor C7/C7/BR 1111/O 1/1 - protect CC.CR.E7.BS hand=CR.E7.BS", "protect CR", "1222/O"),
        # a pacified tribe still has cubes
        ("introductory magister C5/C7/O7 1111/E 1/1 ES:E2 resist CC.E7.ES.B7 hand=CC.ES.B7", "remove ES E", "1222/E"),
        # a tribe without cubes is pacified in a turn without an invasion; no cube of it was removed, so it is not eradicated
        ("introductory dictator OS/C7/B6 1511/- 1/1 - event C5.ER.B6 hand=C5.ER.B6", "O6", "1122/C"),
        # and one that was pacified before comes to 6 again
        ("introductory magister O7/C7/O7 1115/B 1/1 - event O7.ES.BC hand=O7.ES.BC", "O6", "2121/B"),
        # a point above eleven is taken off, and other dice show 1, or all cubes of a tribe lie on the map
        ("expert+cap3 prefect OR/E5/B7 4314/- 1/1 - discard OR.C5.C7.B7 hand=OR.C7.B7", "discard O1", "3314/-"),
        (
            "standard consul ER/C7/BS 2244/- 1/1 C5:C3.C6:C3.C7:C3.CC:C3 discard O6.C5.EC.BR hand=O6.EC.BR",
            "discard O1",
            "1244/-",
        ),
    ],
)
def test_the_dice_show_their_points_whatever_else_holds(before: str, option: str, dice: str) -> None:
    assert str(rules.take(Position.parse(before), option)).split()[3] == dice


@pytest.mark.rule("et-outbreaks", "et-crisis", "et-events", "et-invasion")
@pytest.mark.parametrize(
    ("before", "option", "region"),
    [
        # the crisis is in the region where the game began; a Tribune has exchanged; the dice have all points of the limit
        ("standard emperor OS/C7/OS 1111/E 6/1 C6:C3.C7:C1 crisis O7.B7.BC hand=O7.B7.BC", "C7", "C7"),
        ("standard tribune CC/C7/OR 1132/- 6/1 C5:C1.C6:C3 crisis C6.CC.ES.B6 hand=C6.CC.ES exchanged", "C5", "C5"),
        ("standard consul CS/C7/O5 4421/- 10/1 O6:O3.O7:O3 invade:1 O5.OR.CC", "O6", "O6"),
        ("standard tribune CS/C7/O5 4421/- 10/1 O6:O3.O7:O3 invade:1 O5.OR.CC exchanged", "O6", "O6"),
        # neither the first region nor the next was invaded last or has its card out, in an event and an invasion
        ("standard consul E5/E5/ES 1111/E 1/1 CS:C3.CC:C3 civil-war OC.CC.BC.BR hand=OC.CC.BC", "OS", "CS"),
        ("standard consul E5/E5/ES 1111/E 1/1 CS:C3.CC:C3 civil-war OR.E5.B6 hand=OR.E5.B6", "OS", "CS"),
        ("standard consul E5/E5/CC 1111/E 1/1 CS:C3.CC:C3 civil-war OR.E5.B6 hand=OR.E5.B6", "OS", "CS"),
        ("standard consul E5/CC/ES 1111/E 1/1 CS:C3.CC:C3 invade:1 OR.E5.B6", "CS", "CS"),
    ],
)
def test_a_chain_goes_on_whatever_else_holds(before: str, option: str, region: str) -> None:
    """No less than in a chain without anything else; one that comes back to where it began, which is a reading, loses."""
    start = Position.parse(before)
    state = rules.take(start, option)
    if state == Result("lost: outbreaks"):
        return
    assert isinstance(state, Position) and state.outbreaks >= start.outbreaks + 2
    lying = {place: n for place, n in cubes(start).items() if place != (region, region[0])} | {(region, region[0]): 3}
    found, _ = next(chains(lying, region, region[0]))
    assert all(cubes(state)[place] >= n for place, n in found.items() if place[1] == region[0])


@pytest.mark.choice("E-CHAIN-FIRST")
def test_a_chain_of_two_regions_loses_only_where_it_comes_back() -> None:
    start = Position.parse("standard consul CS/C7/O5 4421/- 10/1 O6:O3.O7:O3 invade:1 O5.OR.CC")
    again = start.replace(ruleset=start.ruleset.with_readings([("E-CHAIN-FIRST", "again")]))
    state = rules.take(start, "O6")
    assert isinstance(state, Position) and state.outbreaks == 3
    assert rules.take(again, "O6") == Result("lost: outbreaks")


@pytest.mark.rule("et-end", "et-pacified", "et-result", "et-events")
@pytest.mark.parametrize("cards", ["C5 C6 E7", "C5 E6 E7", "C5 O6 E7"])
@pytest.mark.parametrize("last", ["C", "O", "B"])
def test_a_fourth_die_that_reaches_6_wins_in_this_turn(cards: str, last: str) -> None:
    """Where a die that reaches 6 pacifies; whatever the other dice show, and where the tribe has cubes or not."""
    cards = cards.replace("O", "X").replace("C", last).replace("X", "C" if last == "O" else "O")
    pacified = "".join(tribe for tribe in SUITS if tribe != last)
    dice = "".join("5" if tribe == last else "1" for tribe in SUITS)
    state: State = table("consul", dice=f"{dice}/{pacified}", cubes="BR:E1B1C1O1", step="draw")
    first = cards.split()
    while isinstance(state, Position) and state.step not in BEGUN:
        state = following(state, first.pop(0) if first else options(state)[0])
    assert state == Result("won") or table("consul").ruleset.readings["E-PACIFY"] == "action"


@pytest.mark.rule("et-events")
def test_a_pawn_that_stays_and_a_die_that_is_kept_are_as_they_were() -> None:
    for before, option, state in each(Step.TRAVEL, Step.RESIST, Step.RAISE):
        if option in ("stay", "keep"):
            assert (state.pawn, cubes(state), state.last) == (before.pawn, cubes(before), before.last)


# -- of which tribe, and of which cards --------------------------------------------------------------------------------

EVENT = {"step": "civil-war", "more": "O6.C6.E7.BR hand=O6.C6.E7"}


@pytest.mark.rule("et-events", "et-pacified")
@pytest.mark.parametrize("card", ["O5", "C5", "E5", "B5"])
@pytest.mark.parametrize("value", ["skip", "return"])
def test_a_civil_war_puts_no_cube_of_a_tribe_that_stays_eradicated(card: str, value: str) -> None:
    """Either it is left out or it is no longer eradicated [E-CIVIL]; the others get their cubes."""
    before = table(
        "consul", rules=f"introductory{'?E-CIVIL=return' if value == 'return' else ''}", dice="2201/B", **EVENT
    )
    for gone in SUITS:
        dice = tuple(0 if tribe == gone else 2 for tribe in SUITS)
        found = position(following(before.replace(dice=dice, pacified=frozenset(gone)), card))
        assert (found.on_map(gone) == 0) == (found.die(gone) == 0), gone
        assert all(found.count(f"{tribe}5", tribe) == 1 for tribe in SUITS if tribe != gone)


@pytest.mark.rule("et-standard")
@pytest.mark.parametrize("hand", ["O6.O7", "O6.C7", "C6.E7"])
def test_where_no_tribe_is_eradicated_a_die_rises_whether_cubes_of_it_are_left_or_not(hand: str) -> None:
    """Whether the die of a pacified tribe rises is a reading; that none of its cubes is on the map changes nothing."""
    words = {"rules": "standard", "dice": "1121/O", "step": "draw", "more": f"{hand} hand={hand}"}
    with_cubes, without = table("consul", cubes="O5:O1", **words), table("consul", **words)
    assert position(following(without, "OC")).dice == position(following(with_cubes, "OC")).dice


@pytest.mark.rule("et-end", "et-crisis", "et-invasion")
@pytest.mark.parametrize("step", ["crisis C5.C6.B7 hand=C5.C6.B7", "invade:2 C5.C6.B7"])
def test_cubes_of_another_tribe_take_none_of_the_reserve(step: str) -> None:
    """Eleven or twelve cubes of oros are on the map, and cubes of espadas are put."""
    word, _, more = step.partition(" ")
    for cubes_of_oros in ("O6:O3.O7:O3.OS:O3.OR:O2", "O6:O3.O7:O3.OC:O3.OR:O3"):
        before = table("consul", rules="standard", cubes=cubes_of_oros, tracks="3/1", step=word, more=more)
        found = position(following(before, "ES"))
        assert found.count("ES", "E") >= 1 and found.on_map("O") == before.on_map("O")


@pytest.mark.rule("et-campaign", "et-result")
@pytest.mark.parametrize(
    ("drawn_before", "hand"), [("O5", "O6.C7.EC"), ("O5.C5", "O6.C7.EC"), ("E5.B5", "O6.O7.EC"), ("O5", "C6.C7.CC")]
)
def test_a_campaign_goes_by_the_three_cards_that_were_drawn_in_it(drawn_before: str, hand: str) -> None:
    """Not by the cards that the Dictator drew before; what the decline does is the same without them."""
    *first, last = hand.split(".")
    words = {"rules": "standard", "dice": "1121/-", "step": "draw"}
    held = ".".join(first)
    rode = table("dictator", more=f"{drawn_before}.{held} hand={held}", **words)
    plain = table("dictator", more=f"{held} hand={held}", **words)
    one, other = (position(following(before, last)) for before in (rode, plain))
    assert (one.decline, one.dice, one.step) == (other.decline, other.dice, other.step)
