"""The rules, sentence by sentence; each test names the section of docs/explanation/et-finem-rules.md that it tests."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, permutations
from math import comb
from random import Random

import pytest
from tablefinem import after, options, table

from tetrasolve.errors import IllegalActionError, RulesetError
from tetrasolve.finem import rules
from tetrasolve.finem.layout import REGIONS
from tetrasolve.finem.position import Position, Result, State, Step
from tetrasolve.finem.rules.setup import cards_of_set_up
from tetrasolve.finem.ruleset import Ruleset

CARDS = ("E5", "C7", "OR", "BS", "C6", "CC", "B7", "O6", "E7")


def position(state: State) -> Position:
    assert isinstance(state, Position), state
    return state


def cubes(state: State) -> dict[str, dict[str, int]]:
    return {region: dict(tribes) for region, tribes in position(state).occupied.items()}


# -- 2. set-up ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("et-set-up")
@pytest.mark.parametrize("seed", range(4))
def test_a_game_begins_with_three_two_and_one_cubes_on_as_many_regions_each(seed: int) -> None:
    """Each has cubes of its own suit alone; everything else stands at its beginning. Further cards may bring one cube each."""
    found = position(rules.random_set_up(Ruleset("standard"), seed))
    numbers = [n for tribes in found.occupied.values() for n in tribes.values()]
    three, two, one = (numbers.count(number) for number in (3, 2, 1))
    assert three == two <= one and three >= 3 and three + two + one == len(numbers)
    assert all(set(tribes) == {region[0]} for region, tribes in found.occupied.items())
    assert (found.pawn, found.role, found.step, found.left) == ("C7", None, Step.ACT, 4)
    assert (found.dice, found.decline, found.outbreaks) == ((1, 1, 1, 1), 1, 1)
    assert not found.out and not found.pacified


@pytest.mark.rule("et-set-up")
def test_the_first_card_brings_three_cubes_and_the_last_one() -> None:
    """Nine cards or twelve; the first three get three cubes, the last three one; the last is the last invasion, if one is."""
    ruleset = Ruleset("standard")
    assert cards_of_set_up(ruleset) in (9, 12)
    cards = ("E5", "OR", "C7", "BS", "C6", "O7", "E7", "B5", "O6", "CC", "B7", "ER")[: cards_of_set_up(ruleset)]
    found = position(rules.set_up(ruleset, cards))
    numbers = [found.count(card, card[0]) for card in cards]
    assert numbers == sorted(numbers, reverse=True) and (numbers[:3], numbers[-3:]) == ([3] * 3, [1] * 3)
    assert numbers.count(3) == numbers.count(2) and found.last in (cards[-1], found.pawn)


class Stacked(Random):
    """A source of chance that draws these cards in turn, as often as somebody asks."""

    def __init__(self, *hands: Sequence[str]) -> None:
        super().__init__(0)
        self.hands = list(hands)

    def sample(self, population: Sequence[str], k: int, **_more: object) -> list[str]:
        hand = self.hands.pop(0)
        return [*hand, *(card for card in population if card not in hand)][:k]


@pytest.mark.rule("et-set-up", "et-decks")
@pytest.mark.parametrize("tribe", "OCEB")
def test_a_set_up_puts_twelve_cubes_of_a_tribe_and_no_thirteenth(tribe: str) -> None:
    """As many as there are stand; what needs one more is lost or drawn in another way."""
    others = [card for card in ("O5", "C5", "E5", "B5", "O6", "C6", "E6", "B6") if card[0] != tribe]
    twelve = [f"{tribe}7", f"{tribe}S", f"{tribe}C", f"{tribe}R", *others[:5], f"{tribe}6", *others[5:]]
    more = [f"{tribe}7", f"{tribe}S", f"{tribe}C", f"{tribe}R", f"{tribe}5", f"{tribe}6", *others]
    ruleset = Ruleset("standard")
    number = cards_of_set_up(ruleset)
    if number == 9:
        cards, start = rules.drawn_set_up(ruleset, Stacked(twelve, more))
        full = position(rules.set_up(ruleset, cards, start))
        assert cards == tuple(twelve[:9]) and full.on_map(tribe) == 11
        exactly = [*twelve[:4], others[0], others[1], twelve[9], *others[2:]]
        cards, start = rules.drawn_set_up(ruleset, Stacked(exactly, more))
        assert cards == tuple(exactly[:9]) and position(rules.set_up(ruleset, cards, start)).on_map(tribe) == 12
    cards, start = rules.drawn_set_up(ruleset, Stacked(more, more, [*others, *more[:6]]))
    begun = rules.set_up(ruleset, cards, start)
    assert isinstance(begun, Result) or begun.on_map(tribe) <= 12
    assert begun == Result(f"lost: no cube of {tribe} left") or isinstance(begun, Position)


@pytest.mark.rule("et-set-up", "et-decks")
def test_a_set_up_that_needs_a_thirteenth_cube_begins_no_game_with_it() -> None:
    """The seed draws one at first."""
    for level in ("introductory", "standard"):
        begun = rules.random_set_up(Ruleset(level), 841)
        assert isinstance(begun, Result) or all(begun.on_map(tribe) <= 12 for tribe in "OCEB")


@pytest.mark.choice("E-SETUP", "E-FIRST-LAST")
def test_the_first_three_regions_get_three_cubes_the_next_two_the_last_one() -> None:
    found = position(rules.set_up(Ruleset("standard"), CARDS))
    assert cubes(found) == {
        "OR": {"O": 3},
        "O6": {"O": 1},
        "C6": {"C": 2},
        "C7": {"C": 3},
        "CC": {"C": 2},
        "E5": {"E": 3},
        "E7": {"E": 1},
        "B7": {"B": 1},
        "BS": {"B": 2},
    }
    assert found.last == "E7"


@pytest.mark.choice("E-SETUP")
def test_twelve_cards_are_three_groups_of_four() -> None:
    """[E-SETUP]."""
    cards = (*CARDS[:3], "B5", *CARDS[3:6], "B6", *CARDS[6:], "BR")
    found = position(rules.set_up(Ruleset.from_text("standard?E-SETUP=twelve"), cards))
    assert [found.count(card, card[0]) for card in cards] == [3] * 4 + [2] * 4 + [1] * 4


@pytest.mark.program
@pytest.mark.parametrize("cards", [CARDS[:8], (*CARDS[:8], "E5"), (*CARDS[:8], "E8")])
def test_a_set_up_of_other_cards_is_refused(cards: tuple[str, ...]) -> None:
    with pytest.raises(RulesetError, match="expected 9 different cards"):
        rules.set_up(Ruleset("standard"), cards)


FULL = ("O5", "O6", "O7", "OS", "OC", "E5", "C5", "C6", "C7")


@pytest.mark.choice("E-FULL")
def test_a_set_up_with_a_thirteenth_cube_is_drawn_again_or_lost() -> None:
    """[E-FULL]."""
    with pytest.raises(RulesetError, match="13 cubes of O, there are 12: it is drawn again"):
        rules.set_up(Ruleset("standard"), FULL)
    assert rules.set_up(Ruleset.from_text("standard?E-FULL=lost"), FULL) == Result("lost: no cube of O left")


@pytest.mark.program
def test_how_often_a_set_up_needs_a_thirteenth_cube() -> None:
    """73/33649 with nine cards, counted by the cards of one tribe in each group; the four tribes exclude each other."""
    needs = [
        (a, b, c) for a in range(4) for b in range(4) for c in range(4) if a + b + c <= 6 and 3 * a + 2 * b + c > 12
    ]
    ways = 0
    for groups in needs:
        own, other, way = 6, 18, 1
        for n in groups:
            way *= comb(own, n) * comb(other, 3 - n)
            own, other = own - n, other - 3 + n
        ways += way
    assert Fraction(4 * ways, comb(24, 3) * comb(21, 3) * comb(18, 3)) == Fraction(73, 33649)


@pytest.mark.choice("E-MAP")
def test_a_map_is_dealt_from_the_seed() -> None:
    """[E-MAP]: each seed deals all 24 cards; positions have the map that was dealt."""
    ruleset = Ruleset.from_text("introductory+corner?E-MAP=dealt")
    starts = [position(rules.random_set_up(ruleset, seed)) for seed in range(20)]
    assert len({start.ruleset.cards for start in starts}) == 20
    assert all(start.ruleset.readings["E-MAP"] == "dealt" and start.status() == () for start in starts)
    assert all(start.start in start.layout.corners for start in starts)
    assert starts[3] == rules.random_set_up(ruleset, 3) != rules.random_set_up(ruleset, -3)
    with pytest.raises(RulesetError, match="the set-up deals the map"):
        rules.set_up(ruleset, CARDS)


@pytest.mark.rule("et-expert")
def test_corner_begins_in_either_corner() -> None:
    ruleset = Ruleset.from_text("standard+corner")
    begun = [position(rules.random_set_up(ruleset, seed)) for seed in range(20)]
    assert {one.pawn for one in begun} == {"E5", "ER"}
    assert all(one.start in (one.pawn, "C7") for one in begun)


@pytest.mark.choice("E-CORNER-START")
def test_the_corner_is_the_region_of_the_start() -> None:
    begun = [position(rules.random_set_up(Ruleset.from_text("standard+corner"), seed)) for seed in range(6)]
    assert all(one.start == one.pawn for one in begun)
    other = Ruleset.from_text("standard+corner?E-CORNER-START=table,E-FIRST-LAST=none")
    begun = [position(rules.random_set_up(other, seed)) for seed in range(6)]
    assert {one.pawn for one in begun} == {"E5", "ER"} and not any(one.status() for one in begun)
    assert all(one.start == one.last == "C7" for one in begun)
    far = begun[0].replace(role="consul", dice=(2, 2, 2, 1))
    assert "move C7" in options(far)


@pytest.mark.program
def test_another_start_than_a_corner_is_refused() -> None:
    ruleset = Ruleset.from_text("standard+corner")
    with pytest.raises(RulesetError, match="expected E5 or ER"):
        rules.set_up(ruleset, CARDS, "C7")


# -- 3. actions --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("et-actions")
def test_confront_removes_one_cube_of_one_tribe_from_the_region_of_the_pawn() -> None:
    before = table(cubes="C7:O1C2.C6:C3")
    assert options(before)[:2] == ("confront O", "confront C") and "confront E" not in options(before)
    assert cubes(after(before, "confront C")) == {"C6": {"C": 3}, "C7": {"O": 1, "C": 1}}
    assert position(after(before, "confront C")).left == 3


@pytest.mark.rule("et-roles", "et-actions")
def test_the_magister_removes_all_cubes_of_one_tribe_with_one_action() -> None:
    before = table("magister", cubes="C7:O1C2.C6:C3")
    assert [o for o in options(before) if o.startswith("confront")] == ["confront O", "confront C", "confront C all"]
    assert cubes(after(before, "confront C all")) == {"C6": {"C": 3}, "C7": {"O": 1}}
    assert "confront C all" not in options(table("consul", cubes="C7:C2"))
    assert {"confront C", "confront C all"} <= {*options(table("magister", cubes="BR:C2", at="BR"))}  # wherever he is


@pytest.mark.rule("et-actions")
def test_the_pawn_moves_to_adjacent_regions() -> None:
    assert [o for o in options(table("prefect")) if o.startswith("move")] == ["move O7", "move C6", "move CS"]
    assert position(after(table(), "move C6")).pawn == "C6"


@pytest.mark.rule("et-roles")
@pytest.mark.parametrize("role", ["consul", "emperor"])
def test_consul_and_emperor_also_move_to_the_start_and_to_the_last_invasion(role: str) -> None:
    moves = [o for o in options(table(role, at="BR", last="E5")) if o.startswith("move")]
    assert moves == ["move OS", "move C7", "move E5", "move BS"]
    near = [o for o in options(table(role, at="C6", last="C7")) if o.startswith("move")]
    assert near == ["move C5", "move C7", "move CC"]  # the start, the last invasion and a neighbour: one action
    assert "move C7" not in options(table("magister", at="BR"))


@pytest.mark.rule("et-roles", "et-decks")
def test_the_dictator_draws_a_card_and_moves_to_another_region_of_its_rank() -> None:
    seen = position(after(table("dictator"), "ride", "E7"))
    assert (seen.step, seen.left, seen.out) == (Step.RIDE, 3, {"E7"})
    assert {*options(seen)} - {"stay", "move C7"} == {"move O7", "move E7", "move B7"}  # whether his own counts is open
    assert position(after(seen, "move B7")).pawn == "B7"
    again = position(after(seen, "move B7", "ride"))
    assert "E7" not in options(again) and len(options(again)) == 23  # it stays out
    assert len(options(after(again, "C5", "move O5", "ride"))) == 22
    assert "ride" not in options(table("consul"))


@pytest.mark.choice("E-DICTATOR")
def test_the_dictator_who_may_stay_or_must_move() -> None:
    seen = after(table("dictator"), "ride", "E7")
    assert options(seen)[-1] == "stay" and position(after(seen, "stay")).pawn == "C7"
    assert "stay" not in options(after(table("dictator", rules="introductory?E-DICTATOR=must"), "ride", "E7"))


@pytest.mark.rule("et-actions")
def test_the_phase_ends_after_four_actions_or_with_pass() -> None:
    assert position(after(table(), "pass")).step is Step.DRAW
    assert position(after(table(), "move C6", "move C7", "move C6", "move C7")).step is Step.DRAW
    assert position(after(table("dictator", step="act:1"), "ride", "E7", "move B7")).step is Step.DRAW


@pytest.mark.choice("E-PACIFY")
@pytest.mark.parametrize(
    ("reading", "role", "dice", "tribes"),
    [
        ("automatic", "consul", "5511/-", ""),
        ("automatic", "prefect", "5541/C", "OC"),
        ("action", "consul", "6541/-", "O"),
        ("action", "prefect", "6541/-", "OC"),
        ("free", "consul", "1541/-", "OCEB"),
        ("free", "consul", "0541/O", "CEB"),
    ],
)
def test_who_may_pacify_by_the_action(reading: str, role: str, dice: str, tribes: str) -> None:
    """[E-PACIFY]: a tribe that is not eradicated, pacified before or not."""
    before = table(role, rules=f"introductory?E-PACIFY={reading}", dice=dice)
    assert [o for o in options(before) if o.startswith("pacify")] == [f"pacify {tribe}" for tribe in tribes]


@pytest.mark.rule("et-pacified", "et-actions")
def test_pacify_puts_the_die_to_1_and_counts_for_good() -> None:
    found = position(after(table("prefect", at="E5", dice="1511/O", cubes="B5:C1"), "pacify C"))
    assert found.dice == (1, 1, 1, 1) and found.pacified == {"O", "C"} and found.left == 3


@pytest.mark.choice("E-PACIFY")
@pytest.mark.parametrize("level", ["introductory", "standard", "expert+corner+sphere+cap3"])
@pytest.mark.parametrize("reading", ["", ",E-SETUP=twelve,E-WIN=phase", ",E-ERADICATE=always", ",E-MAP=dealt"])
def test_free_wins_in_the_first_turn(level: str, reading: str) -> None:
    """[E-PACIFY] free: four actions, in any order of the tribes, from drawn set-ups (section 5 has the proof for every start)."""
    if "ERADICATE" in reading and level != "introductory":
        reading = ""
    ruleset = Ruleset.from_text(f"{level}?E-PACIFY=free{reading}")
    for seed in range(5):
        start = position(rules.random_set_up(ruleset, seed))
        for tribes in permutations("OCEB"):
            assert after(start, *(f"pacify {tribe}" for tribe in tribes)) == Result("won")


@pytest.mark.program
def test_what_is_no_action_is_refused() -> None:
    with pytest.raises(IllegalActionError, match="at step act expected one of move O7, move C6, move CS, pass"):
        rules.take(table(), "move BR")
    with pytest.raises(IllegalActionError, match="the game is over: won"):
        rules.take(Result("won"), "pass")


# -- 3. campaign -------------------------------------------------------------------------------------------------------

DRAWN = {"step": "draw"}


@pytest.mark.rule("et-campaign", "et-result", "et-crisis")
@pytest.mark.parametrize(
    ("cards", "tracks", "decline", "step"),
    [
        ("C5 C6 E7", "1/1", 2, Step.INVADE),
        ("C5 E7 E6", "3/1", 4, Step.INVADE),
        ("C5 C6 E7", "2/1", 3, Step.CRISIS),
        ("B5 C6 B7", "5/1", 6, Step.CRISIS),
        ("C5 C6 C7", "1/1", 3, Step.CRISIS),
        ("O5 O6 O7", "4/1", 6, Step.CRISIS),
    ],
)
def test_two_cards_of_a_suit_or_three_move_the_decline(cards: str, tracks: str, decline: int, step: Step) -> None:
    """From places from which every reading of three of a suit goes equally far."""
    found = position(after(table("consul", tracks=tracks, **DRAWN), *cards.split()))
    assert (found.decline, found.step) == (decline, step)


@pytest.mark.choice("E-THREE", "E-CRISIS", "E-EVENT")
@pytest.mark.parametrize(
    ("cards", "tracks", "decline", "step"),
    [
        ("C5 C6 C7", "3/1", 6, Step.CRISIS),
        ("C5 C6 C7", "2/1", 4, Step.CRISIS),
        ("C5 E6 B7", "2/1", 2, Step.EVENT),
    ],
)
def test_the_cards_of_a_campaign(cards: str, tracks: str, decline: int, step: Step) -> None:
    found = position(after(table("consul", tracks=tracks, **DRAWN), *cards.split()))
    assert (found.decline, found.step) == (decline, step)


@pytest.mark.rule("et-end", "et-result")
def test_a_decline_of_twelve_loses() -> None:
    assert after(table("consul", tracks="11/1", **DRAWN), "C5", "C6", "E7") == Result("lost: decline")
    assert position(after(table("consul", tracks="10/1", **DRAWN), "C5", "C6", "E7")).decline == 11


@pytest.mark.choice("E-CAP3-END")
def test_a_decline_of_nine_or_ten_loses_with_three_cubes_a_card() -> None:
    capped = table("consul", rules="introductory+cap3", tracks="8/1", **DRAWN)
    assert after(capped, "C5", "C6", "E7") == Result("lost: decline")
    ten = table("consul", rules="introductory+cap3?E-CAP3-END=ten", tracks="8/1", **DRAWN)
    assert position(after(ten, "C5", "C6", "E7")).step is Step.CRISIS


@pytest.mark.rule("et-result")
def test_each_card_raises_the_die_of_its_suit() -> None:
    found = position(after(table("consul", dice="1234/-", **DRAWN), "C5", "E6", "C7"))
    assert found.dice == (1, 4, 4, 4)
    assert position(after(table("consul", dice="0234/O", **DRAWN), "O5", "E6", "O7")).dice == (0, 2, 4, 4)


@pytest.mark.choice("E-PACIFY", "E-OVER")
def test_a_die_that_reaches_6_pacifies_and_further_points_count_on() -> None:
    """[E-PACIFY] automatic, [E-OVER]."""
    before = table("consul", dice="1511/-", tracks="3/1", cubes="C7:C1", **DRAWN)
    crisis = after(before, "C5", "C6", "C7")
    found = position(after(crisis, "E5"))
    assert found.dice == (1, 3, 1, 1) and found.pacified == {"C"}
    lost = table("consul", rules="introductory?E-OVER=lost", dice="1511/-", tracks="3/1", cubes="C7:C1", **DRAWN)
    assert position(after(lost, "C5", "C6", "C7", "E5")).dice == (1, 1, 1, 1)


@pytest.mark.choice("E-PACIFY")
def test_a_die_stays_at_6_where_the_action_pacifies() -> None:
    """[E-PACIFY] action."""
    before = table("consul", rules="introductory?E-PACIFY=action", dice="1511/-", **DRAWN)
    found = position(after(before, "C5", "C6", "E7"))
    assert found.dice == (1, 6, 2, 1) and not found.pacified


@pytest.mark.choice("E-PREFECT")
def test_the_prefects_turn_pacifies_at_5() -> None:
    """[E-PREFECT]."""
    by_action = position(after(table("prefect", dice="1411/-", **DRAWN), "C5", "E6", "E7"))
    assert by_action.dice == (1, 5, 3, 1) and not by_action.pacified
    turn = "introductory?E-PREFECT=turn"
    found = position(after(table("prefect", rules=turn, dice="1411/-", cubes="C5:C1", **DRAWN), "C5", "E6", "E7"))
    assert found.dice == (1, 1, 3, 1) and found.pacified == {"C"}
    other = position(after(table("consul", rules=turn, dice="1411/-", **DRAWN), "C5", "E6", "E7"))
    assert not other.pacified


@pytest.mark.rule("et-campaign", "et-roles", "et-decks")
@pytest.mark.parametrize("ruleset", ["introductory", "introductory?E-TRIBUNE=either"])
@pytest.mark.parametrize("wish", ["exchange", "keep"])
@pytest.mark.parametrize("card", ["O5", "O7"])
def test_the_tribune_can_exchange_one_card_in_a_turn(ruleset: str, wish: str, card: str) -> None:
    """In one phase or the other, or none; a card that he puts away stays out."""
    one = table("tribune", rules=ruleset, **DRAWN)
    turn, exchanged = [one], 0
    while one.step is not Step.ROLE:
        wished = [option for option in options(one) if option.startswith(wish)] or [*options(one)]
        chosen = next((option for option in wished if option.endswith(card)), wished[0])
        exchanged += chosen.startswith("exchange ")
        one = position(after(one, chosen))
        turn.append(one)
    assert exchanged <= 1
    asked = [one for one in turn if one.step in (Step.EXCHANGE, Step.SWAP) and one.card is None]
    assert asked and "keep" in options(asked[0])
    assert not any(one.has_exchanged for one in asked) and (wish == "keep" or len(asked) == 1)
    assert all(early.out <= late.out for early, late in pairwise(turn[:-1]))
    counted = [one.hand for one in turn if one.step in (Step.EVENT, Step.CRISIS)]
    if counted and wish == "exchange" and asked[0].step is Step.EXCHANGE:
        new = {*counted[0]} - {*asked[0].hand}
        assert len(new) == 1 and len({*asked[0].hand} - {*counted[0]}) == 1 and len(counted[0]) == 3


@pytest.mark.choice("E-TRIBUNE", "E-EXCHANGE")
def test_the_tribune_may_put_one_card_away_and_draw_another() -> None:
    seen = position(after(table("tribune", **DRAWN), "C5", "C6", "E7"))
    assert options(seen) == ("keep", "exchange C5", "exchange C6", "exchange E7")
    drawing = position(after(seen, "exchange E7"))
    assert drawing.hand == ("C5", "C6") and "E7" not in options(drawing)
    assert position(after(drawing, "C7")).decline == 3 and position(after(drawing, "B7")).step is Step.INVADE
    assert position(after(seen, "keep")).dice == (1, 3, 2, 1)


@pytest.mark.choice("E-TRIBUNE")
def test_the_tribune_in_the_invasion() -> None:
    """[E-TRIBUNE] invasion: all cards are drawn, then he may exchange one, then cubes are put in the order drawn."""
    before = table("tribune", rules="introductory?E-TRIBUNE=invasion", **DRAWN)
    invading = position(after(before, "C5", "C6", "E7"))
    assert invading.step is Step.INVADE
    seen = position(after(invading, "O5", "B5"))
    assert options(seen) == ("keep", "exchange O5", "exchange B5") and not seen.occupied
    assert cubes(after(seen, "keep")) == {"O5": {"O": 1}, "B5": {"B": 1}}
    changed = position(after(seen, "exchange O5", "ER"))
    assert cubes(changed) == {"ER": {"E": 1}, "B5": {"B": 1}} and changed.last == "ER"


@pytest.mark.choice("E-TRIBUNE")
def test_the_tribune_once_a_turn_in_either_phase() -> None:
    """[E-TRIBUNE] either."""
    before = table("tribune", rules="introductory?E-TRIBUNE=either", **DRAWN)
    used = position(after(before, "C5", "C6", "E7", "exchange E7", "B7"))
    assert used.step is Step.INVADE and position(after(used, "O5", "B5")).step is Step.ROLE
    kept = position(after(before, "C5", "C6", "E7", "keep"))
    assert position(after(kept, "O5", "B5")).step is Step.SWAP


@pytest.mark.choice("E-EXCHANGE")
@pytest.mark.parametrize("reading", ["must", "may"])
def test_the_tribune_who_sees_the_card_first(reading: str) -> None:
    """[E-EXCHANGE]: in the campaign, and in the invasion, where the card that he takes is carried out last."""
    before = table("tribune", rules=f"introductory?E-EXCHANGE={reading}", **DRAWN)
    asked = position(after(before, "C5", "C6", "E7"))
    assert options(asked) == ("keep", "exchange")
    seen = position(after(asked, "exchange", "B7"))
    may = ("keep",) if reading == "may" else ()
    assert seen.card == "B7" and options(seen) == (*may, "exchange C5", "exchange C6", "exchange E7")
    assert position(after(seen, "exchange C5")).step is Step.EVENT  # C6, E7, B7
    assert all(position(after(seen, "keep")).decline == 2 for _ in may)
    invading = table("tribune", rules=f"introductory?E-TRIBUNE=invasion,E-EXCHANGE={reading}", **INVADING)
    chosen = position(after(invading, "O5", "O6", "exchange", "ER"))
    assert chosen.step is Step.SWAP and options(chosen) == (*may, "exchange O5", "exchange O6")
    done = position(after(chosen, "exchange O5"))
    assert cubes(done) == {"O6": {"O": 1}, "ER": {"E": 1}} and done.last == "ER"


@pytest.mark.choice("E-ORDER", "E-WHEN")
def test_the_order_of_a_campaign() -> None:
    """[E-ORDER], [E-WHEN]: what has happened when the card of a crisis or an event is drawn."""

    def dice(ruleset: str, cards: str) -> tuple[int, ...]:
        return position(after(table("consul", rules=ruleset, tracks="2/1", **DRAWN), *cards.split())).dice

    assert dice("introductory", "C5 C6 E7") == (1, 1, 1, 1) == dice("introductory", "C5 O6 E7")
    assert dice("introductory?E-ORDER=dice-first", "C5 C6 E7") == (1, 3, 2, 1)
    assert dice("introductory?E-ORDER=dice-first", "C5 O6 E7") == (2, 2, 2, 1)
    assert dice("introductory?E-WHEN=after", "C5 C6 E7") == (1, 1, 1, 1)
    assert dice("introductory?E-WHEN=after", "C5 O6 E7") == (2, 2, 2, 1)


@pytest.mark.choice("E-EVENT")
def test_without_events_three_suits_raise_dice_only() -> None:
    """[E-EVENT] never."""
    found = position(after(table("consul", rules="introductory?E-EVENT=never", **DRAWN), "C5", "O6", "E7"))
    assert found.step is Step.INVADE and found.dice == (2, 2, 2, 1) and found.decline == 1


@pytest.mark.rule("et-standard")
@pytest.mark.parametrize("cards", ["O5 C6 O7", "B5 C6 B7", "O5 E6 O7"])
def test_there_are_never_more_than_eleven_points_after_a_campaign(cards: str) -> None:
    """Whichever are taken off, none more than must be; there is no limit at the introductory level."""
    waiting = [after(table("consul", rules="standard", dice="1441/-", **DRAWN), *cards.split())]
    ended = []
    while waiting:
        one = position(waiting.pop())
        if one.step is Step.DISCARD:
            waiting += [after(one, option) for option in options(one)]
        else:
            ended.append(one)
    assert ended and all(sum(one.dice) == 11 and min(one.dice) >= 1 for one in ended)
    free = position(after(table("consul", dice="1441/-", **DRAWN), *cards.split()))
    assert sum(free.dice) == 13 and free.step is Step.INVADE


@pytest.mark.choice("E-LIMIT", "E-LIMIT-DICE")
def test_the_points_above_eleven_are_taken_off_dice_of_his_choice() -> None:
    """6. Standard level; 3. campaign [E-ELEVEN]."""
    before = table("consul", rules="standard", dice="1414/-", **DRAWN)
    over = position(after(before, "O5", "C6", "O7"))
    assert over.dice == (3, 5, 1, 4) and over.step is Step.DISCARD
    assert options(over) == (
        "discard O2",
        "discard O1 C1",
        "discard O1 B1",
        "discard C2",
        "discard C1 B1",
        "discard B2",
    )
    found = position(after(over, "discard C1 B1"))
    assert found.dice == (3, 4, 1, 3) and found.step is Step.INVADE
    assert position(after(table("consul", dice="1414/-", **DRAWN), "O5", "C6", "O7")).step is Step.INVADE


@pytest.mark.choice("E-ELEVEN")
def test_the_limit_of_the_tribes_not_yet_pacified() -> None:
    """[E-ELEVEN] open."""
    before = table("consul", rules="standard?E-ELEVEN=open", dice="1441/O", **DRAWN)
    free = position(after(before, "O5", "C6", "O7"))
    assert free.dice == (3, 5, 4, 1) and free.step is Step.INVADE
    over = position(after(table("consul", rules="standard?E-ELEVEN=open", dice="2443/O", **DRAWN), "B5", "C6", "B7"))
    assert over.dice == (2, 5, 4, 5) and all("O" not in option for option in options(over))


@pytest.mark.choice("E-PACIFY", "E-LIMIT")
def test_what_pacifies_is_counted_before_the_limit() -> None:
    found = position(after(table("consul", rules="standard", dice="1514/-", **DRAWN), "C5", "O6", "O7"))
    assert found.dice == (3, 1, 1, 4) and found.step is Step.INVADE


# -- 3. crisis ---------------------------------------------------------------------------------------------------------

CRISIS = {"step": "crisis", "tracks": "3/1", "more": "C5.C6.E7 hand=C5.C6.E7"}


@pytest.mark.rule("et-crisis")
def test_a_crisis_fills_the_region_up_to_three_cubes() -> None:
    found = position(after(table("consul", **CRISIS), "BS"))
    assert cubes(found) == {"BS": {"B": 3}} and found.outbreaks == 1 and found.last == "BS"
    assert found.step is Step.INVADE


@pytest.mark.rule("et-crisis", "et-outbreaks", "et-invasion")
def test_cubes_of_other_tribes_bring_no_outbreak() -> None:
    crisis = position(after(table("consul", cubes="BS:O3C1", **CRISIS), "BS"))
    assert cubes(crisis) == {"BS": {"O": 3, "C": 1, "B": 3}} and crisis.outbreaks == 1
    invaded = position(after(table("consul", cubes="BS:O3C1B1", **INVADING), "BS"))
    assert cubes(invaded) == {"BS": {"O": 3, "C": 1, "B": 2}} and invaded.outbreaks == 1
    three = position(after(table("consul", cubes="BS:O1C1B1", **INVADING), "BS"))
    assert cubes(three) == {"BS": {"O": 1, "C": 1, "B": 2}} and three.outbreaks == 1


@pytest.mark.choice("E-ORDER")
def test_the_dice_rise_after_a_crisis() -> None:
    assert position(after(table("consul", **CRISIS), "BS")).dice == (1, 3, 2, 1)


@pytest.mark.rule("et-crisis", "et-outbreaks")
def test_a_crisis_where_there_was_a_cube_is_an_outbreak_too() -> None:
    found = position(after(table("consul", cubes="BS:B1", **CRISIS), "BS"))
    assert cubes(found) == {region: {"B": 3 if region == "BS" else 1} for region in ("B7", "BS", "BC", "BR")}
    assert found.outbreaks == 2


@pytest.mark.choice("E-CRISIS-GONE")
def test_a_crisis_of_an_eradicated_tribe_does_nothing() -> None:
    found = position(after(table("consul", dice="1110/B", **CRISIS), "BS"))
    assert not found.occupied and found.last == "E5"


@pytest.mark.choice("E-LAST")
def test_a_crisis_of_an_eradicated_tribe_puts_no_cube() -> None:
    """[E-LAST] put, and drawn."""
    for reading, last in (("put", "E5"), ("drawn", "BS")):
        before = table("consul", rules=f"introductory?E-LAST={reading}", dice="1110/B", **CRISIS)
        assert position(after(before, "BS")).last == last


@pytest.mark.rule("et-crisis", "et-end")
def test_a_crisis_without_enough_cubes_loses() -> None:
    before = table("consul", cubes="B5:B3.B6:B3.B7:B3.BR:B1", **CRISIS)
    assert after(before, "BS") == Result("lost: no cube of B left")


# -- 3. events ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("et-result", "et-events", "et-crisis")
def test_three_suits_bring_neither_a_crisis_nor_a_civil_war_by_themselves() -> None:
    state = position(after(table("consul", **DRAWN), "C5", "O6", "E7"))
    assert state.step in (Step.EVENT, Step.INVADE) and (state.decline, state.outbreaks) == (1, 1)


@pytest.mark.rule("et-standard")
@pytest.mark.parametrize("cubes", ["-", "O5:O2.C5:C1.E5:E3.B5:B1"])
def test_eleven_points_stay_and_a_twelfth_goes(cubes: str) -> None:
    """With and without cubes on the map: the dice are summed."""
    stay = position(after(table("consul", rules="standard", dice="3311/-", cubes=cubes, **DRAWN), "O5", "O6", "E7"))
    assert stay.dice == (5, 3, 2, 1) and stay.step is not Step.DISCARD
    over = position(after(table("consul", rules="standard", dice="3411/-", cubes=cubes, **DRAWN), "O5", "O6", "E7"))
    assert over.step is Step.DISCARD or sum(over.dice) == 11


@pytest.mark.rule("et-pacified", "et-actions")
def test_a_tribe_without_cubes_can_be_pacified() -> None:
    assert "pacify O" in options(table("prefect", dice="5111/-"))
    assert "pacify O" in options(table("consul", dice="6111/-"))
    found = position(after(table("prefect", rules="standard", dice="5111/-"), "pacify O"))
    assert found.pacified == {"O"} and found.die("O") == 1  # no tribe is eradicated at this level


def event(**words: str) -> Position:
    """A position at which the card of an event is drawn."""
    return table("consul", **{"step": "event", "more": "C5.E6.B7 hand=C5.E6.B7"} | words)


@pytest.mark.rule("et-result", "et-events")
@pytest.mark.parametrize("card", ["O5", "B6", "B7", "BC", "BR"])
def test_the_dice_rise_beside_any_event(card: str) -> None:
    """Whatever comes first, or whether there is an event; no card of the turn comes again in its invasion."""
    state = position(after(table("consul", **DRAWN), "C5", "O6", "E7"))
    for _ in range(9):
        if state.step.phase.value == "campaign":
            wanted = card if state.step is Step.EVENT else options(state)[0]
            state = position(after(state, wanted))
    assert state.dice == (2, 2, 2, 1) and state.step in (Step.INVADE, Step.ROLE)
    assert state.step is Step.ROLE or not {*options(state)} & {"C5", "O6", "E7", *state.out}


@pytest.mark.rule("et-roles", "et-events")
@pytest.mark.parametrize("role", ["magister", "prefect", "emperor"])
def test_no_role_helps_with_the_event_of_a_7(role: str) -> None:
    before = event(cubes="BR:B2O1").replace(role=role)
    assert {*options(after(before, "O7"))} - {"keep"} == {"remove BR O", "remove BR B"}


@pytest.mark.rule("et-events", "et-pacified")
def test_the_point_of_event_s_takes_a_die_to_6() -> None:
    """It pacifies there, or stays."""
    found = position(after(event(dice="5111/-", cubes="O5:O1"), "OS", "raise O"))
    assert found.die("O") == 6 or ("O" in found.pacified and found.die("O") == 1)
    assert found.step is Step.INVADE


@pytest.mark.rule("et-events")
def test_event_5_puts_the_pawn_on_any_region() -> None:
    seen = position(after(event(), "O5"))
    assert {*options(seen)} >= {f"move {region}" for region in REGIONS if region != "C7"}
    found = position(after(seen, "move BR"))
    assert found.pawn == "BR" and found.step is Step.INVADE


@pytest.mark.choice("E-TRAVEL")
def test_event_5_may_leave_the_pawn() -> None:
    seen = position(after(event(), "O5"))
    assert len(options(seen)) == 24 and options(seen)[-1] == "stay"
    assert position(after(seen, "stay")).pawn == "C7"


@pytest.mark.rule("et-events", "et-decks")
def test_event_6_skips_the_invasion() -> None:
    found = position(after(event(), "O6"))
    assert found.step is Step.ROLE and not found.out and not found.occupied


@pytest.mark.choice("E-ORDER")
def test_the_dice_rise_after_an_event() -> None:
    assert position(after(event(), "O6")).dice == position(after(event(), "O5", "move BR")).dice == (1, 2, 2, 2)


@pytest.mark.rule("et-events")
def test_event_7_removes_a_cube_or_all_of_a_pacified_tribe_in_a_region() -> None:
    seen = position(after(event(cubes="C7:C2.BR:B2O1", dice="1111/B"), "O7"))
    one = {"remove C7 C", "remove BR O", "remove BR B"}
    assert {o for o in options(seen) if len(o.split()) == 3} == one
    assert [o for o in options(seen) if "all" in o] and all("BR B" in o for o in options(seen) if "all" in o)
    assert position(after(event(cubes="BR:B1", dice="1111/B"), "O7", "remove BR B")).die("B") == 0  # eradicated
    both = after(event(cubes="BR:B2.B5:B2", dice="1111/B"), "O7")
    found = [position(after(both, option)) for option in options(both) if "all" in option]
    assert all(one.on_map("B") in (1, 2) for one in found)  # never in more than one region


@pytest.mark.choice("E-RESIST-ALL", "E-RESIST")
def test_event_7_removes_one_cube_or_all_of_a_pacified_tribe() -> None:
    seen = position(after(event(cubes="C7:C2.BR:B2O1", dice="1111/B"), "O7"))
    assert options(seen) == ("remove C7 C", "remove BR O", "remove BR B", "remove BR B all")
    found = position(after(seen, "remove BR B all"))
    assert cubes(found) == {"C7": {"C": 2}, "BR": {"O": 1}}
    assert found.die("B") == 0  # the last cubes of a pacified tribe
    one = position(after(seen, "remove BR B"))
    assert cubes(one) == {"C7": {"C": 2}, "BR": {"O": 1, "B": 1}} and one.die("B") > 0
    assert position(after(event(), "O7")).step is Step.INVADE  # no cube on the map


@pytest.mark.choice("E-RESIST", "E-ORDER")
def test_event_7_must_remove_a_cube_before_the_dice_rise() -> None:
    seen = position(after(event(cubes="BR:B2", dice="1111/B"), "O7"))
    assert options(seen) == ("remove BR B", "remove BR B all")
    assert position(after(seen, "remove BR B all")).dice == (1, 2, 2, 0)


@pytest.mark.rule("et-events")
def test_event_s_raises_a_die_by_one() -> None:
    seen = position(after(event(dice="1411/-"), "OS"))
    assert {*options(seen)} - {"keep"} == {"raise O", "raise C", "raise E", "raise B"}
    assert position(after(seen, "raise O")).die("O") == 2  # no card of the campaign is of oros
    assert {*options(after(event(dice="0511/O"), "OS"))} - {"keep"} == {"raise C", "raise E", "raise B"}


@pytest.mark.choice("E-PACIFY", "E-WIN", "E-RAISE", "E-ORDER", "E-AGAIN")
def test_event_s_raises_a_die_and_may_win() -> None:
    seen = position(after(event(dice="1511/OEB"), "OS"))
    assert options(seen) == ("raise O", "raise C", "raise E", "raise B")
    assert after(seen, "raise C") == Result("won")
    assert position(after(event(dice="1411/OEB"), "OS", "raise O")).dice == (2, 5, 2, 2)
    assert options(after(event(dice="0511/O"), "OS")) == ("raise C", "raise E", "raise B")


@pytest.mark.choice("E-LIMIT-DICE", "E-ORDER")
def test_after_event_s_points_above_eleven_are_taken_off_again() -> None:
    seen = after(event(rules="standard", dice="1433/-"), "OS")
    over = position(after(seen, "raise O"))
    assert over.step is Step.DISCARD_EVENT and "discard O1" in options(over)
    found = position(after(over, "discard C1"))
    assert found.dice == (2, 4, 4, 4) and found.step is Step.DISCARD  # then the three cards, and three points too many


@pytest.mark.rule("et-events")
def test_event_c_protects_a_region_in_this_turns_invasion() -> None:
    invading = position(after(event(), "OC", "protect BR"))
    assert invading.protected == "BR" and invading.left == 2
    again = position(after(invading, "BR"))
    assert again.left == 2 and not again.occupied and "BR" not in options(again) and again.last == "E5"
    done = position(after(again, "O5", "B5"))
    assert cubes(done) == {"O5": {"O": 1}, "B5": {"B": 1}} and done.protected is None


@pytest.mark.choice("E-PROTECT")
def test_a_chain_and_the_protected_region() -> None:
    """[E-PROTECT]: it takes cubes of a chain and can burst in it, or no cube at all."""
    words = {"cubes": "O5:O3.O6:O3", "step": "invade:2", "more": "C5.E6.B7.OC protected=O6"}
    reached = position(after(table("consul", **words), "O5"))
    assert reached.outbreaks == 3 and cubes(reached)["O7"] == {"O": 1}
    spared = position(after(table("consul", rules="introductory?E-PROTECT=chain", **words), "O5"))
    assert spared.outbreaks == 2 and cubes(spared) == {"O5": {"O": 3}, "O6": {"O": 3}, "B6": {"O": 1}}


@pytest.mark.rule("et-events")
def test_event_r_puts_a_cube_on_each_region_of_a_rank() -> None:
    found = position(after(event(cubes="E5:E2"), "OR", "B5"))
    assert cubes(found) == {"O5": {"O": 1}, "C5": {"C": 1}, "B5": {"B": 1}, "E5": {"E": 3}}
    assert found.outbreaks == 1 and found.step is Step.INVADE
    assert after(event(cubes="E7:E3.ES:E3.ER:E3.EC:E3"), "OR", "B5") == Result("lost: no cube of E left")


@pytest.mark.choice("E-WAR", "E-WAR-LAST")
def test_event_r_where_three_cubes_lie() -> None:
    before = event(cubes="E5:E3")
    found = position(after(before, "OR", "B5"))
    assert cubes(found) == {
        "O5": {"O": 1},
        "C5": {"C": 1},
        "B5": {"B": 1},
        "E5": {"E": 3},
        "E6": {"E": 1},
        "E7": {"E": 1},
    }
    assert found.outbreaks == 2 and found.last == "E5"


@pytest.mark.choice("E-CIVIL")
def test_a_civil_war_and_eradicated_tribes() -> None:
    """[E-CIVIL]."""
    skipped = position(after(event(dice="0111/O"), "OR", "B5"))
    assert "O5" not in skipped.occupied and skipped.die("O") == 0
    back = position(after(event(rules="introductory?E-CIVIL=return", dice="0111/O"), "OR", "B5"))
    assert back.count("O5", "O") == 1 and back.die("O") == 1 and back.pacified == {"O"}


# -- 3. invasion -------------------------------------------------------------------------------------------------------

INVADING = {"step": "invade:2", "more": "C5.E6.B7"}


@pytest.mark.rule("et-invasion", "et-expert")
@pytest.mark.parametrize(
    ("ruleset", "decline", "cards"),
    [
        ("introductory", 1, 2),
        ("introductory", 4, 2),
        ("introductory", 5, 3),
        ("introductory", 9, 4),
        ("introductory+cap3", 3, 2),
        ("introductory+cap3", 4, 3),
        ("introductory+cap3", 7, 4),
    ],
)
def test_the_decline_says_how_many_cards_invade(ruleset: str, decline: int, cards: int) -> None:
    before = table("consul", rules=f"{ruleset}?E-EVENT=never", tracks=f"{decline}/1", **DRAWN)
    assert position(after(before, "C5", "E6", "B7")).left == cards


@pytest.mark.rule("et-invasion")
def test_each_card_puts_a_cube_of_its_suit_on_its_region() -> None:
    found = position(after(table("consul", cubes="O5:O2", **INVADING), "O5", "BR"))
    assert cubes(found) == {"O5": {"O": 3}, "BR": {"B": 1}} and found.last == "BR"
    assert found.step is Step.ROLE and not found.out


@pytest.mark.rule("et-outbreaks", "et-invasion")
def test_a_fourth_cube_is_an_outbreak() -> None:
    found = position(after(table("consul", cubes="O5:O3", **INVADING), "O5"))
    assert cubes(found) == {"O5": {"O": 3}, "O6": {"O": 1}, "B6": {"O": 1}} and found.outbreaks == 2


@pytest.mark.rule("et-invasion")
def test_an_eradicated_tribe_does_not_invade() -> None:
    found = position(after(table("consul", dice="0111/O", **INVADING), "O5"))
    assert not found.occupied and found.left == 1


@pytest.mark.choice("E-LAST")
@pytest.mark.parametrize(
    ("reading", "last"), [("invaded", ("O5", "E5")), ("drawn", ("O5", "B5")), ("put", ("E5", "E5"))]
)
def test_which_region_was_last_invaded(reading: str, last: tuple[str, str]) -> None:
    """[E-LAST]: after an outbreak, and after the card of an eradicated tribe."""
    words = {"rules": f"introductory?E-LAST={reading}", "cubes": "O5:O3", "dice": "1110/B", **INVADING}
    assert tuple(position(after(table("consul", **words), card)).last for card in ("O5", "B5")) == last


@pytest.mark.rule("et-end")
def test_a_cube_that_is_not_there_loses() -> None:
    before = table("consul", cubes="O6:O3.O7:O3.OS:O3.OC:O3", **INVADING)
    assert after(before, "O5") == Result("lost: no cube of O left")
    last = table("consul", cubes="O6:O3.O7:O3.OS:O3.OC:O2", **INVADING)
    assert position(after(last, "O5")).on_map("O") == 12


# -- 4. outbreaks ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("et-outbreaks")
def test_outbreaks_chain() -> None:
    found = after(table("consul", cubes="O5:O3.O6:O3", **INVADING), "O5")
    assert found == Result("lost: outbreaks") or (position(found).outbreaks >= 3 and position(found).count("O7", "O"))


@pytest.mark.choice("E-CHAIN-FIRST")
def test_no_region_has_two_outbreaks_in_a_chain() -> None:
    before = table("consul", cubes="O5:O3.O6:O3", **INVADING)
    found = position(after(before, "O5"))
    assert found.outbreaks == 3
    assert cubes(found) == {"O5": {"O": 3}, "O6": {"O": 3}, "O7": {"O": 1}, "B6": {"O": 1}}


@pytest.mark.rule("et-end", "et-outbreaks")
def test_the_third_outbreak_of_the_game_loses() -> None:
    before = table("consul", tracks="1/3", cubes="O5:O3", **INVADING)
    assert after(before, "O5") == Result("lost: outbreaks")
    chain = table("consul", tracks="1/2", cubes="O5:O3.O6:O3", **INVADING)
    assert after(chain, "O5") == Result("lost: outbreaks")


@pytest.mark.choice("chain-end")
def test_a_chain_is_carried_out_to_its_end_before_the_reserve_is_looked_at() -> None:
    """A fourth outbreak loses before a thirteenth cube does."""
    cubes_ = "O5:O3.O6:O3.O7:O3.OC:O3"
    assert after(table("consul", cubes=cubes_, **INVADING), "O5") == Result("lost: outbreaks")


@pytest.mark.rule("et-end", "et-outbreaks")
def test_an_outbreak_without_enough_cubes_loses() -> None:
    fewer = table("consul", cubes="O5:O3.BR:O3.C5:O3.E5:O2", **INVADING)
    assert after(fewer, "O5") == Result("lost: no cube of O left")


@pytest.mark.rule("et-expert")
def test_an_outbreak_spreads_over_the_border_of_a_sphere() -> None:
    before = table("consul", rules="introductory+sphere", cubes="O5:O3", **INVADING)
    assert sorted(cubes(after(before, "O5"))) == ["B6", "O5", "O6", "OS"]
    over = table("consul", rules="introductory+sphere", cubes="E7:E3", at="E7", **INVADING)
    assert sorted(cubes(after(over, "E7"))) == ["B5", "E5", "E7", "ES"]  # the last row and the first


@pytest.mark.rule("et-expert")
@pytest.mark.parametrize("row", ["E5 ER", "E6 EC", "C5 CR", "O6 OR", "O5 OS", "B6 BR"])
def test_on_a_sphere_the_ends_of_a_row_are_adjacent(row: str) -> None:
    """The left column to the right one, in each row that has a region in both."""
    left, right = row.split()
    for here, there in ((left, right), (right, left)):
        assert f"move {there}" in options(table("tribune", rules="introductory+sphere", at=here))
        assert f"move {there}" not in options(table("tribune", at=here))


@pytest.mark.rule("et-expert", "et-standard")
@pytest.mark.parametrize("ruleset", ["standard", "expert+sphere", "expert+cap3", "expert+corner+sphere"])
def test_the_expert_game_has_the_limit_too(ruleset: str) -> None:
    start = "E5" if "corner" in ruleset else "C7"
    before = table("consul", rules=ruleset, dice="1441/-", **DRAWN).replace(start=start)
    found = position(after(before, "B5", "C6", "B7"))
    while found.step is Step.DISCARD:
        found = position(after(found, options(found)[0]))
    assert sum(found.dice) <= 11


@pytest.mark.choice("E-SPHERE")
@pytest.mark.parametrize(("ruleset", "pairs"), [("standard+sphere", 36), ("standard+sphere?E-SPHERE=skip", 38)])
def test_empty_places_across_the_border_of_a_sphere(ruleset: str, pairs: int) -> None:
    assert sum(map(len, Ruleset.from_text(ruleset).layout.neighbours.values())) == 2 * pairs


# -- 3. role -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("et-roles")
def test_the_role_of_the_next_turn_is_one_of_six() -> None:
    before = table("consul", step="role")
    found = rules.outcomes(before)
    assert len(found) == 6 and {weight for _, weight in found.items()} == {Fraction(1, 6)}
    following = position(after(before, "magister"))
    assert (following.role, following.step, following.left) == ("magister", Step.ACT, 4)


@pytest.mark.choice("E-EMPEROR-WHEN")
def test_the_emperor_names_the_next_role() -> None:
    done = position(after(table("emperor", **INVADING), "O5", "B5"))
    roles = {"tribune", "prefect", "consul", "magister", "dictator"}
    assert done.step is Step.APPOINT and {*options(done)} >= roles
    assert all(position(after(done, role)).role == role for role in roles)


@pytest.mark.choice("E-EMPEROR")
def test_the_emperor_may_name_himself_or_may_not() -> None:
    done = position(after(table("emperor", **INVADING), "O5", "B5"))
    assert len(options(done)) == 6
    other = table("emperor", rules="introductory?E-EMPEROR=other", step="appoint")
    assert "emperor" not in options(other) and len(options(other)) == 5


# -- 5. pacified, eradicated, end --------------------------------------------------------------------------------------


@pytest.mark.rule("et-pacified", "et-standard")
def test_a_pacified_tribe_without_cubes_is_eradicated_when_its_last_cube_is_removed() -> None:
    before = table(cubes="C7:C1", dice="1311/C")
    found = position(after(before, "confront C"))
    assert found.dice == (1, 0, 1, 1)
    standard = position(after(table(rules="standard", cubes="C7:C1", dice="1311/C"), "confront C"))
    assert standard.dice == (1, 3, 1, 1)
    unpacified = position(after(table(cubes="C7:C1", dice="1311/-"), "confront C"))
    assert unpacified.dice == (1, 3, 1, 1)


@pytest.mark.rule("et-pacified", "et-events")
def test_a_tribe_is_eradicated_by_its_own_cubes_alone() -> None:
    """Cubes of other tribes on the map change nothing, nor who removes the last one."""
    found = position(after(table(cubes="C7:C1.BR:B2.O5:O3", dice="1311/C"), "confront C"))
    assert found.dice == (1, 0, 1, 1)
    resisted = position(after(event(cubes="BR:B1.C7:C2", dice="1111/B"), "O7", "remove BR B"))
    assert resisted.die("B") == 0


@pytest.mark.choice("E-ERADICATE")
def test_another_tribe_without_cubes_is_looked_at_when_a_cube_is_removed() -> None:
    """[E-ERADICATE] removal, own: O is pacified and has no cube, and a cube of C is removed."""
    words = {"cubes": "C7:C1", "dice": "1111/O"}
    assert position(after(table("consul", **words), "confront C")).dice == (0, 1, 1, 1)
    own = table("consul", rules="introductory?E-ERADICATE=own", **words)
    assert position(after(own, "confront C")).dice == (1, 1, 1, 1)


@pytest.mark.choice("E-ERADICATE")
def test_pacified_without_cubes() -> None:
    """[E-ERADICATE] removal, always."""
    assert position(after(table("prefect", dice="1511/-"), "pacify C")).dice == (1, 1, 1, 1)
    always = table("prefect", rules="introductory?E-ERADICATE=always", dice="1511/-")
    assert position(after(always, "pacify C")).dice == (1, 0, 1, 1)


@pytest.mark.rule("et-end", "et-pacified")
def test_won_when_all_four_tribes_have_been_pacified() -> None:
    """At the end of the turn at the latest, whether their dice and cubes are still there or not, and eradicated ones too."""
    for cubes_, dice in (("B5:O1C1E1B1", "1511/OEB"), ("B5:C1", "1511/OEB"), ("B5:C1", "0511/OEB")):
        state = after(table("prefect", dice=dice, cubes=cubes_), "pacify C")
        for option in ("pass", "C5", "C6", "E7", "O5", "B5"):
            state = after(state, option) if isinstance(state, Position) else state
        assert state == Result("won")
    three = position(after(table("prefect", dice="1511/OE", cubes="B5:C1"), "pacify C"))
    assert three.pacified == {"O", "C", "E"}


@pytest.mark.choice("E-WIN")
def test_when_the_victory_counts() -> None:
    assert after(table("prefect", dice="1511/OEB"), "pacify C") == Result("won")
    phase = table("prefect", rules="introductory?E-WIN=phase", dice="1511/OEB")
    going_on = position(after(phase, "pacify C"))
    assert going_on.pacified == {"O", "C", "E", "B"} and after(going_on, "pass") == Result("won")


@pytest.mark.choice("E-WIN")
def test_a_loss_of_the_campaign_comes_before_a_victory_of_its_phase() -> None:
    """[E-WIN]: the civil war after the dice loses what has been won at once."""
    words = {"dice": "1511/OEB", "cubes": "O6:O3.O7:O3.OS:O3.OC:O3"}
    at_once = table("consul", rules="introductory?E-WHEN=after", **words, **DRAWN)
    assert after(at_once, "C5", "E6", "B7") == Result("won")
    phase = table("consul", rules="introductory?E-WHEN=after,E-WIN=phase", **words, **DRAWN)
    assert after(phase, "C5", "E6", "B7", "OR", "B5") == Result("lost: no cube of O left")


# -- chance ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("et-decks")
def test_the_cards_of_a_chance_are_equally_likely() -> None:
    before = table("consul", more="C5.E6.B7", step="invade:1")
    found = rules.outcomes(before)
    assert len(found) == 21 and {weight for _, weight in found.items()} == {Fraction(1, 21)}
    with pytest.raises(IllegalActionError, match="the player decides"):
        rules.outcomes(table())


@pytest.mark.program
def test_the_chances_of_a_campaign() -> None:
    """Three of a suit, two, or three suits: counted by hand."""
    before = table("consul", rules="introductory?E-EVENT=never,E-THREE=two,E-CRISIS=exact", tracks="4/1", step="draw")
    found = rules.follow(before, lambda _, node: node.options[0])
    hands = comb(24, 3)
    three, mixed = 4 * comb(6, 3), 4 * comb(6, 2) * 18
    decline = found.map(lambda state: position(state).decline)
    assert decline[6] == Fraction(three, hands) and decline[5] == Fraction(mixed, hands)
    assert decline[4] == Fraction(4 * 6**3, hands)


@pytest.mark.program
def test_followed_by_hand_a_phase_is_the_sum_over_all_cards() -> None:
    """The invasion of two cards against a sum over all ordered pairs."""
    before = table("consul", cubes="O5:O3.O6:O2.CS:C3", tracks="1/3", step="invade:2", more="C5.E6.B7")
    found = rules.follow(before, lambda _, node: node.options[0])
    deck = [card for card in REGIONS if card not in before.out]
    lost = sum(any(card in ("O5", "CS") for card in pair) or pair == ("O6", "O6") for pair in permutations(deck, 2))
    assert found.probability(lambda state: isinstance(state, Result)) == Fraction(lost, len(deck) * (len(deck) - 1))
