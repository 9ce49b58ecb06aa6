"""The readings that were taken silently at first: what each value means, on a position by hand."""

from itertools import permutations
from random import Random

import pytest
from tablefinem import after, options, random_game, table

from tetrasolve.errors import RulesetError
from tetrasolve.finem import rules
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.notation import read_position
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import Position, Result, State, Step
from tetrasolve.finem.rules.events import _struck
from tetrasolve.finem.rules.outbreak import chain_of, looked_at
from tetrasolve.finem.rules.setup import cubes_of_set_up, kept_cards
from tetrasolve.finem.ruleset import READINGS, Ruleset

HAND = {"step": "event", "more": "C5.E6.B7 hand=C5.E6.B7"}
CRISIS = {"step": "crisis", "more": "C5.C6.B7 hand=C5.C6.B7", "tracks": "3/1"}


def position(state: State) -> Position:
    assert isinstance(state, Position), state
    return state


def rules_of(level: str, reading: str, value: str, *others: str) -> str:
    """A ruleset with a value of a reading, which is left out where it is the default."""
    given = [*others, *([] if READINGS[reading].default == value else [f"{reading}={value}"])]
    return f"{level}?{','.join(given)}" if given else level


@pytest.mark.choice("E-FILL")
@pytest.mark.parametrize(("value", "end"), [("missing", ""), ("three", "lost: no cube of O left")])
def test_a_crisis_takes_from_the_reserve(value: str, end: str) -> None:
    """[E-FILL]: of ten cubes three lie on the region, which needs none, and its two neighbours get the last."""
    before = table(
        "consul", rules=rules_of("standard", "E-FILL", value), cubes="O5:O3.O7:O3.OS:O3.OR:O1", dice="2221/-", **CRISIS
    )
    found = after(before, "O5")
    assert found == Result(end) if end else position(found).on_map("O") == 12


@pytest.mark.choice("E-CRISIS-GONE")
@pytest.mark.parametrize("value", ["nothing", "return"])
def test_a_crisis_and_an_eradicated_tribe(value: str) -> None:
    """[E-CRISIS-GONE]."""
    before = table("consul", rules=rules_of("introductory", "E-CRISIS-GONE", value), dice="0221/O", **CRISIS)
    found = position(after(before, "OR"))
    assert (found.count("OR", "O"), found.die("O")) == ((0, 0) if value == "nothing" else (3, 1))
    assert found.last == ("E5" if value == "nothing" else "OR") and found.pacified == {"O"} and not found.status()


@pytest.mark.choice("E-WAR")
@pytest.mark.parametrize(("value", "outbreaks"), [("outbreak", 2), ("none", 1)])
def test_a_civil_war_on_three_cubes(value: str, outbreaks: int) -> None:
    """[E-WAR]."""
    found = position(
        after(table("consul", rules=rules_of("standard", "E-WAR", value), cubes="E5:E3", **HAND), "OR", "B5")
    )
    assert found.outbreaks == outbreaks and found.count("E5", "E") == 3 and found.count("O5", "O") == 1


@pytest.mark.choice("E-WAR-ORDER")
@pytest.mark.parametrize(("value", "end"), [("listed", "lost: no cube of O left"), ("together", "lost: outbreaks")])
def test_which_loss_of_a_civil_war_is_named(value: str, end: str) -> None:
    """[E-WAR-ORDER]: oros lack a cube, and espadas bring the fourth outbreak."""
    cubes = "O6:O3.O7:O3.OS:O3.OR:O3.E5:E3"
    words = {"cubes": cubes, "tracks": "1/3", **HAND}
    before = table("consul", rules=rules_of("standard", "E-WAR-ORDER", value), **words)
    assert after(before, "OR", "B5") == Result(end)


@pytest.mark.choice("E-WAR-LAST")
@pytest.mark.parametrize(("value", "last"), [("never", "E5"), ("counts", "BC")])
def test_a_civil_war_and_the_region_last_invaded(value: str, last: str) -> None:
    """[E-WAR-LAST]: the last of its regions; with E-LAST=put the last that got a cube; of eradicated tribes none."""
    chosen = rules_of("introductory", "E-WAR-LAST", value)
    assert position(after(table("consul", rules=chosen, **HAND), "OR", "BC")).last == last
    if value == "counts":
        put = table("consul", rules="introductory?E-LAST=put,E-WAR-LAST=counts", cubes="BC:B3", **HAND)
        assert position(after(put, "OR", "BC")).last == "EC"
        gone = table("consul", rules=chosen, dice="1221/B", **HAND).replace(dice=(1, 2, 2, 0))
        assert position(after(gone, "OR", "BC")).last == "EC"
        assert (
            position(after(gone.replace(ruleset=Ruleset.from_text(f"{chosen},E-LAST=drawn")), "OR", "BC")).last == "BC"
        )


@pytest.mark.program
def test_the_order_of_a_civil_war_decides_no_more_than_which_loss_is_named() -> None:
    """All 24 orders, one region after the other: the map and whether it loses are the same."""
    random, seen = Random(5), set()
    for _ in range(150):
        full = {tribe + random.choice("567"): 3 for tribe in TRIBES} | {r: random.choice((0, 2, 3)) for r in REGIONS}
        kept = {region: count for region, count in full.items() if random.random() < 0.55}
        start = table("consul", rules="standard", tracks=f"1/{random.randint(1, 3)}", **HAND)
        for region, count in kept.items():
            if start.on_map(region[0]) + count <= 12:
                start = start.with_count(region, region[0], count)
        rank, ends = random.choice("567SCR"), set()
        for order in permutations(TRIBES):
            state: State = start
            for tribe in order:
                if isinstance(state, Position):
                    state = looked_at(_struck(state, tribe + rank, tribe), (tribe,))
            ends.add("lost" if isinstance(state, Result) else str(state))
        assert len(ends) == 1
        seen |= {end[:4] for end in ends}
    assert seen == {"lost", "stan"}


@pytest.mark.choice("E-LIMIT")
def test_the_limit_after_each_point() -> None:
    """[E-LIMIT]: at 11 points each of three cards is paid for when it comes; the third pacifies first, and owes nothing."""
    words = {"dice": "5321/-", "step": "draw", "more": "C5.C6 hand=C5.C6", "tracks": "4/1"}
    once = position(after(table("consul", rules="standard?E-EVENT=never", **words), "O5"))
    assert once.step is Step.INVADE and once.dice == (1, 5, 2, 1)
    first = position(after(table("consul", rules="standard?E-EVENT=never,E-LIMIT=each-point", **words), "O5"))
    assert first.step is Step.INVADE and first.dice == (1, 5, 2, 1)  # oros come first in the hand, and pacify
    late = table(
        "consul", rules="standard?E-EVENT=never,E-LIMIT=each-point", dice="3125/-", step="draw", tracks="4/1",
        more="C5.C6 hand=C5.C6",
    )  # fmt: skip
    owed = position(after(late, "B5"))
    assert (owed.step, owed.left, owed.dice) == (Step.DISCARD, 2, (3, 2, 2, 5)) and not owed.status()
    again = position(after(owed, "discard E1"))
    assert (again.step, again.left, again.dice) == (Step.DISCARD, 1, (3, 3, 1, 5)) and not again.status()
    assert position(after(again, "discard O1")).dice == (2, 3, 1, 1)  # bastos reach 6 and pacify
    whole = position(after(late.replace(ruleset=Ruleset.from_text("standard?E-EVENT=never")), "B5"))
    assert whole.step is Step.INVADE and whole.dice == (3, 3, 2, 1)


@pytest.mark.choice("E-LIMIT-DICE")
@pytest.mark.parametrize(("value", "expected"), [("any", 4), ("raised", 2)])
def test_off_which_dice_points_are_taken(value: str, expected: int) -> None:
    """[E-LIMIT-DICE]: two points of copas and one of bastos above eleven."""
    chosen = rules_of("standard", "E-LIMIT-DICE", value)
    before = table("consul", rules=chosen, dice="3332/-", step="draw", tracks="4/1", more="C5.C6 hand=C5.C6")
    owed = position(after(before.replace(dice=(3, 2, 3, 2)), "B5"))
    assert owed.step is Step.DISCARD and owed.points == 13
    tribes = {word[0] for option in options(owed) for word in option.split()[1:]}
    assert tribes == ({*"OCEB"} if value == "any" else {"C", "B"})
    assert len(tribes) == expected
    event = table("consul", rules=chosen, dice="3332/-", **HAND)
    found = position(after(event, "OS", "raise B"))
    assert found.step is (Step.DISCARD_EVENT if value == "any" else Step.DISCARD)
    if value == "raised":  # its own point went again before the campaign's came
        assert found.dice == (3, 4, 4, 3)


@pytest.mark.choice("E-GONE-SUITS")
@pytest.mark.parametrize("value", ["count", "ignored"])
def test_cards_of_eradicated_tribes_and_suits(value: str) -> None:
    """[E-GONE-SUITS]: a pair, three of a suit, and three suits of which one is gone."""
    chosen = rules_of("introductory", "E-GONE-SUITS", value)
    before = table("consul", rules=chosen, dice="0221/O", step="draw")

    def drawn(*cards: str) -> tuple[int, Step]:
        found = position(after(before, *cards))
        return found.decline, found.step

    gone = value == "ignored"
    assert drawn("O5", "O6", "C5") == ((1 if gone else 2), Step.INVADE)
    assert drawn("O5", "O6", "O7") == ((1, Step.INVADE) if gone else (3, Step.CRISIS))
    assert drawn("O5", "C5", "C6") == (2, Step.INVADE)
    assert drawn("O5", "C5", "E5")[1] is (Step.INVADE if gone else Step.EVENT)
    assert drawn("B5", "C5", "E5")[1] is Step.EVENT


@pytest.mark.choice("E-PREFECT")
def test_the_prefect_finds_a_die_at_5() -> None:
    """[E-PREFECT] standing: it pacifies when the role is drawn, or named, and can win."""
    before = table("consul", rules="standard?E-PREFECT=standing", dice="5121/CE", step="role")
    found = position(after(before, "prefect"))
    assert found.dice == (1, 1, 2, 1) and found.pacified == {"O", "C", "E"} and not found.status()
    assert position(after(before, "consul")).dice == (5, 1, 2, 1)
    assert after(before.replace(pacified=frozenset("CEB"), role="emperor", step=Step.APPOINT), "prefect") == Result(
        "won"
    )
    turn = before.replace(ruleset=Ruleset.from_text("standard?E-PREFECT=turn"))
    assert position(after(turn, "prefect")).dice == (5, 1, 2, 1)


@pytest.mark.choice("E-PREFECT")
@pytest.mark.parametrize(("value", "there"), [("standing", "1411/O"), ("found", "5411/-")])
def test_a_point_of_the_turn_of_a_prefect_who_finds_dice(value: str, there: str) -> None:
    """[E-PREFECT]: both pacify a die that stands at 5; only with standing does a point of his campaign, too."""
    rules_ = f"introductory?E-PREFECT={value}"
    campaign = read_position(f"{rules_} prefect C7/C7/E5 4211/- 4/1 E5:E3 draw C5.C6 hand=C5.C6")
    raised = position(after(campaign, "O5"))
    assert f" {there} " in str(raised) and not raised.status()
    last = read_position(f"{rules_} magister C7/C7/E5 5211/- 4/1 E5:E3 role -")
    begun = position(after(last, "prefect"))
    assert begun.pacified == {"O"} and begun.dice == (1, 2, 1, 1) and not begun.status()
    high = begun.replace(dice=(1, 5, 1, 1), pacified=frozenset("O"))
    assert [reason.code for reason in high.status()] == ["die-of-prefect"]
    assert ("die-of-prefect" in [reason.code for reason in raised.replace(dice=(5, 4, 1, 1)).status()]) == (
        value == "standing"
    )


@pytest.mark.choice("E-RESIST", "E-TRAVEL", "E-RAISE", "E-PROTECT-OUT")
@pytest.mark.parametrize(
    ("reading", "card", "word", "legal"),
    [
        ("E-RESIST", "O7", "keep", {"must": False, "may": True}),
        ("E-TRAVEL", "O5", "stay", {"may": True, "must": False}),
        ("E-RAISE", "OS", "keep", {"must": False, "may": True}),
        ("E-PROTECT-OUT", "OC", "protect C5", {"any": True, "deck": False}),
    ],
)
def test_what_an_event_leaves_to_the_player(reading: str, card: str, word: str, legal: dict[str, bool]) -> None:
    assert legal.keys() == READINGS[reading].options.keys()
    for value, is_legal in legal.items():
        before = table("consul", rules=rules_of("standard", reading, value), cubes="E5:E2", dice="2221/-", **HAND)
        asked = position(after(before, card))
        assert (word in options(asked)) == is_legal
        if is_legal and word in ("keep", "stay"):
            done = position(after(asked, word))
            assert (done.cubes, done.pawn, done.step) == (before.cubes, before.pawn, Step.INVADE)


@pytest.mark.choice("E-SWAP")
@pytest.mark.parametrize("exchange", ["blind", "must"])
def test_a_card_that_takes_the_place_of_another(exchange: str) -> None:
    """[E-SWAP]: O6 before O5 with its three cubes bursts in its chain; after it in a chain of its own, in which O5 bursts again."""
    ends = []
    for value in ("last", "place"):
        others = ["E-EVENT=never", "E-TRIBUNE=invasion", *([] if exchange == "blind" else [f"E-EXCHANGE={exchange}"])]
        chosen = rules_of("introductory", "E-SWAP", value, *others)
        words = {"cubes": "O5:O3.O6:O2", "dice": "1333/-", "step": "invade:2", "more": "C5.E6.B7"}
        asked = position(after(table("tribune", rules=chosen, **words), "B5", "O5"))
        ways = ("exchange B5", "O6") if exchange == "blind" else ("exchange", "O6", "exchange B5")
        for number in range(1, len(ways)):
            one = position(after(asked, *ways[:number]))
            assert not one.status() and Position.parse(str(one)) == one == Position.from_json(one.to_json())
        ends.append(after(asked, *ways))
    last, place = ends
    assert last == Result("lost: outbreaks")
    assert position(place).outbreaks == 3 and position(place).last == "O5"


@pytest.mark.choice("E-FIRST-LAST")
@pytest.mark.parametrize("value", ["set-up", "none"])
def test_the_region_last_invaded_before_any_invasion(value: str) -> None:
    """[E-FIRST-LAST]."""
    cards = ("E5", "C7", "OR", "BS", "C6", "CC", "B7", "O6", "E7")
    found = position(rules.set_up(Ruleset.from_text(rules_of("standard", "E-FIRST-LAST", value)), cards))
    assert found.last == ("E7" if value == "set-up" else "C7") and not found.status()


@pytest.mark.choice("E-AGAIN")
@pytest.mark.parametrize(("value", "die"), [("rises", 3), ("stays", 1)])
def test_the_die_of_a_pacified_tribe(value: str, die: int) -> None:
    """[E-AGAIN]: by a campaign, by event S, and by the action at any die."""
    chosen = rules_of("standard", "E-AGAIN", value, "E-EVENT=never")
    before = table("consul", rules=chosen, dice="1221/O", step="draw", tracks="4/1")
    assert position(after(before, "O5", "O6", "C5")).die("O") == die
    free = table("consul", rules=rules_of("standard", "E-AGAIN", value, "E-PACIFY=free"), dice="1221/O")
    assert ("pacify O" in options(free)) == (value == "rises") and "pacify C" in options(free)
    raised = table("consul", rules=rules_of("standard", "E-AGAIN", value), dice="1221/O", **HAND)
    assert position(after(raised, "OS", "raise O")).die("O") == (2 if value == "rises" else 1)


@pytest.mark.choice("E-START")
def test_the_start_of_a_map_that_is_dealt() -> None:
    """[E-START]: a place, or the card C7; with the option corner those that lie in a corner either way."""
    deal = "".join(random_map())
    place, card = (Ruleset.from_text(f"standard{more}@{deal}") for more in ("", "?E-START=card"))
    assert card.layout.start == "C7" and place.layout.start != "C7"
    assert place.layout.start == place.layout.region[4, 2]
    corners = Ruleset.from_text(f"standard+corner@{deal}")
    assert {*corners.layout.corners} == {corners.layout.region[1, 1], corners.layout.region[1, 4]} != {"E5", "ER"}
    assert Ruleset.from_text(f"standard+corner?E-START=card@{deal}") == corners  # the start is the corner
    by_table = Ruleset.from_text(f"standard+corner?E-CORNER-START=table,E-START=card@{deal}")
    assert by_table.layout.corners == corners.layout.corners and by_table.layout.start == "C7"
    assert {str(position(rules.random_set_up(by_table, seed)).pawn) for seed in range(9)} == {*corners.layout.corners}
    assert str(Ruleset.from_text("standard?E-START=card")) == "standard"  # nothing is dealt
    for seed in range(3):
        begun = position(rules.random_set_up(Ruleset.from_text("standard?E-MAP=dealt,E-START=card"), seed))
        assert begun.pawn == begun.start == "C7" and not begun.status()


@pytest.mark.choice("E-DICTATOR")
@pytest.mark.parametrize(("value", "there"), [("may", ("stay",)), ("must", ()), ("there", ("move O5",))])
def test_a_dictator_whose_own_region_has_the_rank(value: str, there: tuple[str, ...]) -> None:
    """[E-DICTATOR]: with another rank nobody but the one who may stay keeps his place."""
    before = table("dictator", rules=rules_of("standard", "E-DICTATOR", value), at="O5", dice="2221/-")
    others = {"move C5", "move E5", "move B5"}
    asked = position(after(before, "ride", "C5"))
    assert {*options(asked)} == {*others, *there}
    for option in there:
        kept = position(after(asked, option))
        assert (kept.pawn, kept.left) == ("O5", 3)
    away = options(after(before, "ride", "C6"))
    assert ("stay" in away) == (value == "may") and "move O5" not in away


@pytest.mark.choice("E-DICTATOR-STAY")
@pytest.mark.parametrize(("value", "left"), [("used", 3), ("free", 4)])
def test_a_dictator_who_stays(value: str, left: int) -> None:
    """[E-DICTATOR-STAY]: a move costs an action; four cards are the most, so that the deck lasts for the rest of the turn."""
    before = table("dictator", rules=rules_of("standard", "E-DICTATOR-STAY", value), dice="2221/-")
    stayed = position(after(before, "ride", "O5", "stay"))
    assert (stayed.left, stayed.out) == (left, {"O5"}) and not stayed.status()
    assert position(after(stayed, "ride", "C6", "move O6")).left == left - 1
    if value == "free":
        seen = position(after(stayed, "ride", "O6", "stay", "ride", "O7", "stay", "ride", "OS"))
        assert not seen.status()
        last = position(after(seen, "stay"))
        assert (last.left, len(last.out)) == (4, 4) and "ride" not in options(last) and not last.status()
    else:
        assert before.replace(out=frozenset({"O5"})).status()  # no card is out before an action is used


@pytest.mark.choice("E-FOURTH")
@pytest.mark.parametrize("exchange", ["blind", "may"])
def test_the_fourth_card_of_an_invasion(exchange: str) -> None:
    """[E-FOURTH]: whichever way he exchanges, and no card of three or two is left out."""
    for value, number in (("any", 4), ("first-three", 3)):
        others = ["E-TRIBUNE=invasion", *([] if exchange == "blind" else [f"E-EXCHANGE={exchange}"])]
        before = table(
            "tribune", rules=rules_of("standard", "E-FOURTH", value, *others), dice="2221/-", tracks="11/1",
            step="invade:4", more="O7.C6.O5",
        )  # fmt: skip
        asked = position(after(before, "B5", "B6", "B7", "BS"))
        asked = asked if exchange == "blind" else position(after(asked, "exchange", "OR"))
        found = [option for option in options(asked) if option != "keep"]
        assert found == [f"exchange {card}" for card in ("B5", "B6", "B7", "BS")[:number]]
        few = position(after(before.replace(decline=5, left=3), "B5", "B6", "B7"))
        few = few if exchange == "blind" else position(after(few, "exchange", "OR"))
        assert "exchange B7" in options(few)
    place = table(
        "tribune", rules="standard?E-FOURTH=first-three,E-SWAP=place,E-TRIBUNE=invasion", dice="4321/-", tracks="11/1",
        step="invade:4", more="O7.C6.O5",
    )  # fmt: skip
    away = position(after(place, "B5", "B6", "B7", "BS", "exchange B7"))
    assert not away.status()
    assert [reason.code for reason in away.replace(card="BS").status()] == ["fourth"]


@pytest.mark.choice("E-LIMIT-ORDER")
@pytest.mark.parametrize(("value", "dice"), [("suits", (1, 5, 1, 1)), ("drawn", (5, 5, 1, 1))])
def test_the_order_in_which_points_count(value: str, dice: tuple[int, ...]) -> None:
    """[E-LIMIT-ORDER]: oros come to 6 and pacify, or copas come first and have to be paid for."""
    chosen = rules_of("standard", "E-LIMIT-ORDER", value, "E-LIMIT=each-point")
    before = table("consul", rules=chosen, dice="5311/-", step="draw", tracks="1/1")
    found = position(after(before, "C5", "C6", "O5"))
    assert found.dice == dice and not found.status()
    assert Position.parse(str(found)) == found == Position.from_json(found.to_json())
    if value == "drawn":
        assert (found.hand, found.step, found.left) == (("C5", "C6", "O5"), Step.DISCARD, 1)
        assert {*options(found)} == {"discard O1", "discard C1"}
        assert position(after(found, "discard C1")).dice == (1, 4, 1, 1)
    tribune = position(after(before.replace(role="tribune"), "C5", "C6", "O5", "exchange C5", "E5"))
    assert tribune.step is Step.EVENT
    assert tribune.hand == (("O5", "C6", "E5") if value == "suits" else ("C6", "O5", "E5"))


@pytest.mark.choice("E-LIMIT")
@pytest.mark.parametrize("value", ["once", "lost"])
def test_points_that_are_lost_at_eleven(value: str) -> None:
    """[E-LIMIT] lost: also the one that would pacify; below eleven points count, and nothing is ever taken off."""
    chosen, is_lost = rules_of("standard", "E-LIMIT", value, "E-EVENT=never"), value == "lost"
    full = table("consul", rules=chosen, dice="5411/-", step="draw", tracks="1/1")
    found = position(after(full, "O5", "E5", "E6"))
    assert (found.dice, found.pacified) == (((5, 4, 1, 1), set()) if is_lost else ((1, 4, 3, 1), {"O"}))
    assert found.step is Step.INVADE and not found.status()
    ten = table("consul", rules=chosen, dice="4411/-", step="draw", tracks="1/1")
    after_one = position(after(ten, "B5", "E5", "E6"))
    assert after_one.dice == ((4, 4, 2, 1) if is_lost else (4, 4, 3, 2))  # the cards count in the order of the hand
    assert after_one.step is (Step.INVADE if is_lost else Step.DISCARD)
    event = table("consul", rules=rules_of("standard", "E-LIMIT", value), dice="4511/-", **HAND)
    raised = position(after(event, "OS", "raise O"))
    assert (raised.step, raised.dice) == (
        (Step.INVADE, (4, 5, 1, 1)) if is_lost else (Step.DISCARD_EVENT, (5, 5, 1, 1))
    )
    owed = position(after(ten.replace(ruleset=Ruleset.from_text("standard?E-EVENT=never")), "B5", "E5", "E6"))
    codes = {reason.code for reason in owed.replace(ruleset=ten.ruleset).status()}
    assert ("no-choice" in codes) == is_lost


@pytest.mark.choice("E-CHAIN-FIRST")
@pytest.mark.parametrize(("value", "outbreaks"), [("once", 3), ("again", 4)])
def test_a_chain_that_comes_back(value: str, outbreaks: int) -> None:
    """[E-CHAIN-FIRST]: E7 and ES burst, and ES strikes E7 once more, which fills E5 and ER twice or not."""
    chosen = rules_of("standard", "E-CHAIN-FIRST", value)
    start = table("consul", rules=chosen, cubes="E7:E3.ES:E3", dice="2221/-", **HAND)
    found = chain_of(start, "E7", "E")
    assert found.outbreaks == outbreaks
    assert (found.count("E5", "E"), found.count("ER", "E")) == ((1, 1) if value == "once" else (2, 1))
    alone = chain_of(start.with_count("ES", "E", 0), "E7", "E")
    assert alone.outbreaks == 2  # nothing comes back


@pytest.mark.program
def test_the_order_of_a_chain_that_comes_back_changes_nothing() -> None:
    """Its outbreaks in any order: the same map, and as many."""
    random = Random(8)
    for _ in range(300):
        start = table("consul", rules="standard?E-CHAIN-FIRST=again", **HAND)
        for region in random.sample(REGIONS, 14):
            start = start.with_count(region, "E", random.choice((1, 2, 3, 3)))
        first = random.choice(REGIONS)
        start = start.with_count(first, "E", 3)
        expected = chain_of(start, first, "E")
        waiting, burst, counts, number = [first], set[str](), {r: start.count(r, "E") for r in REGIONS}, 1
        while waiting:
            here = waiting.pop(random.randrange(len(waiting)))
            for other in random.sample(start.layout.neighbours[here], len(start.layout.neighbours[here])):
                if other in burst:
                    continue
                if counts[other] == 3:
                    burst.add(other)
                    waiting.append(other)
                    number += 1
                else:
                    counts[other] += 1
        assert {r: expected.count(r, "E") for r in REGIONS} == counts and expected.outbreaks == number + 1


@pytest.mark.choice("E-WIN")
@pytest.mark.parametrize("value", ["at-once", "phase", "turn"])
def test_a_victory_at_the_end_of_the_turn(value: str) -> None:
    """[E-WIN] turn: the campaign and the invasion are played, and can lose; without an invasion the turn ends before."""
    chosen = rules_of("standard", "E-WIN", value)
    before = table("prefect", rules=chosen, dice="5111/CEB", cubes="E5:E3", tracks="1/3", step="act:1")
    first = after(before, "pacify O")
    if value != "turn":
        assert first == Result("won")
        return
    acted = position(first)
    assert acted.step is Step.DRAW and not acted.status()
    invaded = position(after(acted, "O5", "O6", "C5", "E7"))
    assert invaded.step is Step.INVADE and not invaded.status()
    assert after(invaded, "E6") == Result("won") and after(invaded, "E5") == Result("lost: outbreaks")
    quiet = position(after(acted, "O5", "C6", "E7"))
    assert after(quiet, "B6") == Result("won")
    late = table("consul", rules=chosen, dice="5111/CEB", step="draw", tracks="1/1")
    assert position(after(late, "O5", "O6", "C5")).step is Step.INVADE


@pytest.mark.choice("E-FILL")
def test_cubes_that_do_not_fit_are_held_while_an_outbreak_spreads() -> None:
    """[E-FILL] held: the two that do not fit are missing where the chain needs them."""
    short = "E6:E3.ER:E3.E7:E1.EC:E1"
    for value, is_lost in (("missing", False), ("three", False), ("held", True)):
        before = table("consul", rules=rules_of("standard", "E-FILL", value), cubes=short, dice="2221/-", **CRISIS)
        found = after(before, "E6")
        assert (found == Result("lost: no cube of E left")) == is_lost
        assert position(after(before.replace(cubes=table(cubes="E6:E1").cubes), "E6")).on_map("E") == 5


@pytest.mark.choice("E-LIMIT-DICE")
def test_points_off_dice_of_open_tribes() -> None:
    """[E-LIMIT-DICE] open: copas, espadas and bastos have three points; where they have too few, any dice pay."""
    before = table(
        "consul", rules="standard?E-LIMIT-DICE=open", dice="5412/O", step="draw", tracks="4/1", more="C5.E6 hand=C5.E6"
    )
    owed = position(after(before.replace(dice=(4, 4, 1, 2), ruleset=before.ruleset), "E7"))
    assert owed.step is Step.DISCARD and owed.points == 14
    assert not any("O" in option.split()[1:][0] for option in options(owed)) and "discard C3" in options(owed)
    full = owed.replace(dice=(5, 5, 2, 2), pacified=frozenset("CO"), step=Step.DISCARD)
    assert {word[0] for option in options(full) for word in option.split()[1:]} == {*"OCEB"}


@pytest.mark.choice("E-WAR-LAST")
@pytest.mark.parametrize(("value", "last"), [("never", "E5"), ("counts", "B6"), ("card", "C6"), ("card-only", "C6")])
def test_the_card_of_a_civil_war_is_the_last(value: str, last: str) -> None:
    """[E-WAR-LAST] card; with E-LAST=put only where a cube was put; card-only: the other regions never count."""
    before = table("consul", rules=rules_of("standard", "E-WAR-LAST", value), **HAND)
    assert position(after(before, "OR", "C6")).last == last
    if value == "card":
        put = table("consul", rules="standard?E-LAST=put,E-WAR-LAST=card", cubes="C6:C3", **HAND)
        assert position(after(put, "OR", "C6")).last == "B6"
    if value == "card-only":
        put = table("consul", rules="standard?E-LAST=put,E-WAR-LAST=card-only", cubes="C6:C3", **HAND)
        assert position(after(put, "OR", "C6")).last == "E5" and position(after(put, "OR", "B6")).last == "B6"


@pytest.mark.choice("E-WAR-LAST")
@pytest.mark.parametrize(
    ("readings", "last"),
    [
        ({"E-WAR-LAST": "counts"}, "B6"),
        ({"E-WAR-LAST": "card"}, "B6"),
        ({"E-WAR-LAST": "card-only"}, "E5"),
        ({"E-WAR-LAST": "card-only", "E-LAST": "drawn"}, "C6"),
        ({"E-WAR-LAST": "card-only", "E-CIVIL": "return"}, "C6"),
    ],
)
def test_a_civil_war_by_the_card_of_an_eradicated_tribe(readings: dict[str, str], last: str) -> None:
    """[E-WAR-LAST]: it does not count itself; the other regions do, but for card-only. A tribe that returns does."""
    rules_ = Ruleset.from_text("introductory").with_readings(readings.items())
    gone = table("consul", rules="introductory", dice="2122/C", **HAND).replace(dice=(2, 0, 2, 2), ruleset=rules_)
    assert position(after(gone, "OR", "C6")).last == last


@pytest.mark.choice("E-CIVIL")
@pytest.mark.parametrize(("value", "die", "cubes"), [("skip", 0, 0), ("return", 1, 1), ("die", 1, 0)])
def test_a_civil_war_and_the_die_of_an_eradicated_tribe(value: str, die: int, cubes: int) -> None:
    """[E-CIVIL] die: it comes back without a cube, and goes again when a cube is removed, or stays with E-ERADICATE=own."""
    chosen = rules_of("introductory", "E-CIVIL", value)
    war = read_position(f"{chosen} magister C7/C7/E5 0221/O 4/1 C5:C2.E5:E2.B7:B1 civil-war C5.E6.ER.B6 hand=C5.E6.B6")
    found = position(after(war, "B5"))
    assert (found.die("O"), found.count("O5", "O"), found.pacified) == (die, cubes, {"O"})
    assert (found.count("C5", "C"), found.count("B5", "B")) == (3, 1) and found.last == "E5" and not found.status()
    if value != "die":
        return
    acting = read_position(f"{chosen} magister C7/C7/E5 1221/O 4/1 C7:C2.B7:B1 act:4 -")
    assert position(after(acting, "confront C")).die("O") == 0
    own = acting.replace(ruleset=acting.ruleset.with_readings([("E-ERADICATE", "own")]))
    assert position(after(own, "confront C")).die("O") == 1
    always = war.replace(ruleset=war.ruleset.with_readings([("E-ERADICATE", "always"), ("E-WAR-LAST", "counts")]))
    struck = position(after(always, "O6"))
    assert struck.die("O") == 1 and struck.last == "B6" and not struck.status()
    card = war.replace(ruleset=war.ruleset.with_readings([("E-WAR-LAST", "card-only")]))
    assert position(after(card, "O6")).last == "E5"  # that region was not invaded


@pytest.mark.choice("E-RAISE-STUCK")
@pytest.mark.parametrize("value", ["named", "not"])
def test_a_die_that_cannot_rise(value: str) -> None:
    """[E-RAISE-STUCK]: at 6, and of a pacified tribe whose die stays; where none can rise, nothing is asked."""
    six = table("consul", rules=rules_of("standard", "E-RAISE-STUCK", value, "E-PACIFY=action"), dice="6121/-", **HAND)
    assert ("raise O" in options(after(six, "OS"))) == (value == "named")
    stays = table("consul", rules=rules_of("standard", "E-RAISE-STUCK", value, "E-AGAIN=stays"), dice="1221/O", **HAND)
    asked = position(after(stays, "OS"))
    assert ("raise O" in options(asked)) == (value == "named") and "raise C" in options(asked)
    none = six.replace(
        dice=(6, 6, 6, 6), ruleset=Ruleset.from_text(str(six.ruleset).replace("standard", "introductory"))
    )
    asked = position(after(none, "OS"))
    assert (asked.step is Step.RAISE) == (value == "named")
    stuck = [reason.code for reason in none.replace(step=Step.RAISE, out=none.out | {"OS"}).status()]
    assert ("nothing-can-rise" in stuck) == (value == "not")


@pytest.mark.choice("E-RAISE-STUCK", "E-LIMIT", "E-ELEVEN")
@pytest.mark.parametrize("value", ["named", "not"])
def test_a_die_whose_point_would_be_lost(value: str) -> None:
    """[E-RAISE-STUCK]: beside E-LIMIT=lost an open tribe's die cannot rise at eleven points, and a pacified one's can."""
    text = "magister C7/C7/E5 2542/O 4/1 C5:C2.E5:E3.B7:B1 raise O5.C5.E6.ES hand=O5.C5.E6"
    lost = "E-ELEVEN=open,E-LIMIT=lost"
    stuck = "E-RAISE-STUCK=not"
    chosen = Ruleset.from_text(f"standard?{lost}{f',{stuck}' if value == 'not' else ''}")
    assert (stuck in str(chosen)) == (value == "not")
    asked = read_position(f"{chosen} {text}")
    assert not asked.status()
    all_ = ("raise O", "raise C", "raise E", "raise B")
    assert options(asked) == (all_ if value == "named" else ("raise O",))
    assert position(after(asked, "raise O")).dice == (4, 5, 4, 2)  # O5 has raised it, too
    # with the four dice summed none can rise at eleven points, so that the event does nothing
    four = table("consul", rules=f"{chosen}".replace("E-ELEVEN=open,", ""), dice="2342/-", **HAND)
    assert (position(after(four, "OS")).step is Step.RAISE) == (value == "named")
    begun = four.replace(step=Step.RAISE, out=four.out | {"OS"})
    assert [reason.code for reason in begun.status()] == ([] if value == "named" else ["nothing-can-rise"])
    assert str(Ruleset.from_text(f"standard?E-LIMIT=each-point,{stuck}")) == "standard?E-LIMIT=each-point"


@pytest.mark.choice("E-ORDER", "E-WHEN")
@pytest.mark.parametrize("value", ["listed", "dice-first", "crisis-last"])
def test_a_crisis_that_waits_for_the_dice(value: str) -> None:
    """[E-ORDER] crisis-last: the dice may win before it; an event still comes before or after the dice, as E-WHEN says."""
    late = {"dice": "5111/CEB", "step": "draw", "tracks": "2/1"}
    won = after(table("consul", rules=rules_of("introductory", "E-ORDER", value), **late), "O5", "O6", "E7")
    assert (won == Result("won")) == (value != "listed")
    before = table("consul", rules=rules_of("standard", "E-ORDER", value), dice="3411/-", step="draw", tracks="2/1")
    found = position(after(before, "O5", "O6", "E7"))
    first = {"listed": (Step.CRISIS, 3), "dice-first": (Step.DISCARD, 2), "crisis-last": (Step.DISCARD, 3)}[value]
    assert (found.step, found.decline) == first and not found.status()
    if value == "crisis-last":
        paid = position(after(found, "discard O1"))
        assert (paid.step, paid.dice) == (Step.CRISIS, (4, 4, 2, 1)) and not paid.status()
        done = position(after(paid, "C5"))
        assert (done.step, done.count("C5", "C")) == (Step.INVADE, 3) and not done.status()
        none = position(after(before.replace(decline=4), "O5", "O6", "E7", "discard O1"))
        assert none.step is Step.INVADE and not none.status()
        for when, dice in (("at-once", (2, 2, 2, 1)), ("after", (3, 3, 3, 1))):
            chosen = rules_of("standard", "E-WHEN", when, "E-ORDER=crisis-last")
            event = table("consul", rules=chosen, dice="2221/-", step="draw", tracks="2/1")
            assert position(after(event, "O5", "C6", "E7")).dice == dice


@pytest.mark.choice("E-ORDER", "E-GONE-SUITS", "E-ERADICATE")
def test_a_crisis_that_waits_is_of_the_cards_that_counted() -> None:
    """[E-ORDER] crisis-last: oros are eradicated by the second card, when they have moved the decline already."""
    chosen = "introductory?E-ERADICATE=always,E-GONE-SUITS=ignored,E-ORDER=crisis-last"
    before = table("consul", rules=chosen, dice="5221/-", step="draw", tracks="2/1", cubes="E5:E1.C5:C1.B5:B1")
    found = position(after(before, "O5", "E6", "O7"))
    assert (found.step, found.decline, found.die("O")) == (Step.CRISIS, 3, 0) and not found.status()


@pytest.mark.choice("E-CRISIS-GONE", "E-LAST")
def test_a_crisis_that_draws_again() -> None:
    """[E-CRISIS-GONE] again: a card that is replaced does nothing, not even by E-LAST=drawn; five cards are left in the deck."""
    chosen = "introductory?E-CRISIS-GONE=again,E-LAST=drawn"
    before = table("dictator", rules=chosen, dice="0201/OE", cubes="B5:B1.C7:C1", **CRISIS)
    found = position(after(before, "OR", "E7", "O5"))
    assert (found.step, found.last, found.out) == (Step.CRISIS, "E5", {*"C5 C6 B7 OR E7 O5".split()})
    assert not found.status()
    done = position(after(found, "B6"))
    assert (done.step, done.last, done.count("B6", "B")) == (Step.INVADE, "B6", 3) and not done.status()
    assert not position(after(done, "O6")).status()
    few = found.replace(out=frozenset(REGIONS) - {"O5", "O6", "O7", "OS", "OC", "OR", "ES"})
    assert position(after(few, "OR")).step is Step.CRISIS  # six are left
    assert position(after(few, "OR", "ES")).step is Step.INVADE


@pytest.mark.choice("E-RESIST-ALL")
@pytest.mark.parametrize("value", ["instead", "besides"])
def test_one_cube_and_all_of_a_pacified_tribe(value: str) -> None:
    """[E-RESIST-ALL] besides: espadas are not pacified, so only one of them goes."""
    chosen = rules_of("standard", "E-RESIST-ALL", value)
    before = table("consul", rules=chosen, dice="2121/C", cubes="C6:C3.C7:C2.E5:E3", **HAND)
    asked = position(after(before, "O7"))
    both = {f"remove {one} C all {other}" for one in ("C6", "C7") for other in ("C6", "C7")}
    alone = {"remove C6 C", "remove C7 C", "remove E5 E"}
    assert {*options(asked)} == alone | (both if value == "besides" else {"remove C6 C all", "remove C7 C all"})
    if value == "besides":
        found = position(after(asked, "remove C6 C all C7"))
        assert (found.on_map("C"), found.count("C7", "C"), found.on_map("E")) == (1, 1, 3)
        assert position(after(asked, "remove C6 C all C6")).on_map("C") == 2
        assert position(after(asked, "remove E5 E")).on_map("E") == 2
        assert POLICIES["careful"](asked, rules.node(asked)) == "remove C6 C all C7"


@pytest.mark.choice("E-EMPEROR-WHEN", "E-EMPEROR")
@pytest.mark.parametrize("value", ["after", "at-once"])
def test_when_the_emperor_names_a_role(value: str) -> None:
    """[E-EMPEROR-WHEN] at-once: he is a Consul for the turn if he names himself, and a card is drawn for the turn after it."""
    chosen = rules_of("standard", "E-EMPEROR-WHEN", value)
    before = table("consul", rules=chosen, dice="2221/-", step="role")
    found = position(after(before, "emperor"))
    assert not found.status() and (found.step is Step.APPOINT) == (value == "at-once")
    assert position(after(before, "consul")).step is Step.ACT
    emperor = table("emperor", rules=chosen, dice="2221/-", step="invade:1", more="O5.O6.C7.B6")
    ended = position(after(emperor, "B7"))
    assert ended.step is (Step.APPOINT if value == "after" else Step.ROLE) and not ended.status()
    if value == "at-once":
        named = position(after(found, "magister"))
        assert (named.role, named.step, named.left) == ("magister", Step.ACT, 4) and not named.status()
        kept = position(after(found, "emperor"))
        assert (kept.role, kept.step) == ("emperor", Step.ACT) and "move E5" in options(kept)
        other = found.replace(ruleset=Ruleset.from_text(f"{chosen},E-EMPEROR=other"))
        assert "emperor" not in options(other)


@pytest.mark.choice("E-EMPEROR-TRAVEL")
@pytest.mark.parametrize("value", ["alone", "besides"])
@pytest.mark.parametrize("role", ["tribune", "prefect", "magister", "dictator", "consul", "emperor"])
def test_the_travel_besides_the_role_that_the_emperors_card_names(value: str, role: str) -> None:
    """[E-EMPEROR-TRAVEL] besides: until the actions end; Consul and Emperor travel anyway, and a role that is drawn brings none."""
    chosen = rules_of("standard", "E-EMPEROR-TRAVEL", value, "E-EMPEROR-WHEN=at-once")
    before = table("consul", rules=chosen, at="BR", last="E5", dice="2221/-", step="role")
    named, drawn = (
        position(after(before, "emperor", role)),
        position(after(before, role)) if role != "emperor" else None,
    )
    by_role, far = role in ("consul", "emperor"), {"move C7", "move E5"}
    assert not named.status() and named.has_travel == (value == "besides" and not by_role)
    assert far & {*options(named)} == (far if named.has_travel or by_role else set())
    assert drawn is None or drawn == named.replace(has_travel=False)
    if named.has_travel:
        gone = position(after(named, "move E5"))
        assert (gone.pawn, gone.left, gone.has_travel) == ("E5", 3, True) and not gone.status()
        for ended in (after(gone, "pass"), after(gone, "move C7", "move E5", "move C7")):
            assert (position(ended).step, position(ended).has_travel) == (Step.DRAW, False) and not position(
                ended
            ).status()


@pytest.mark.choice("E-LIMIT-EVENT")
@pytest.mark.parametrize("value", ["before", "waits"])
def test_the_point_of_an_event_above_eleven(value: str) -> None:
    """[E-LIMIT-EVENT] waits: oros come to 6 by the campaign and pay for it, or four points go together."""
    before = table("consul", rules=rules_of("standard", "E-LIMIT-EVENT", value), dice="4511/-", **HAND)
    found = position(after(before, "OS", "raise O"))
    if value == "before":
        assert (found.step, found.points) == (Step.DISCARD_EVENT, 12)
        return
    assert (found.step, found.dice, found.pacified) == (Step.INVADE, (5, 1, 2, 2), {"C"}) and not found.status()
    full = position(after(before.replace(dice=(5, 2, 2, 2)), "OS", "raise E"))
    assert (full.step, full.points) == (Step.DISCARD, 15) and "discard O4" in options(full) and not full.status()
    assert "no-choice" in [reason.code for reason in full.replace(step=Step.DISCARD_EVENT).status()]


@pytest.mark.choice("E-SETUP", "E-FULL")
def test_other_set_ups() -> None:
    """[E-SETUP] three-three-six: six regions with one cube. [E-FULL] card: only the card that needs a 13th cube is replaced."""
    cards = ("E5", "E7", "ES", "C5", "C6", "CC", "O6", "O7", "OC", "B6", "B7", "BS")
    found = position(rules.set_up(Ruleset.from_text("standard?E-SETUP=three-three-six"), cards))
    assert [found.count(card, card[0]) for card in cards] == [3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1]
    assert found.last == "BS" and not found.status()
    deck = ("O5", "O6", "O7", "OS", "OC", "E5", "OR", "C5", "C6", "C7", "B5")
    assert kept_cards(deck, cubes_of_set_up(Ruleset("standard"))) == (
        "O5",
        "O6",
        "O7",
        "OS",
        "E5",
        "C5",
        "C6",
        "C7",
        "B5",
    )
    ruleset = Ruleset.from_text("standard?E-FULL=card")
    begun = [position(rules.random_set_up(ruleset, seed)) for seed in (841, 1, 2)]  # the first is one with such a card
    assert not any(one.status() for one in begun)
    with pytest.raises(RulesetError, match="there are 12: it is drawn again"):
        rules.set_up(ruleset, ("O5", "O6", "O7", "OS", "OC", "E5", "C5", "C6", "C7"))


def random_map() -> list[str]:
    return Random(6).sample(REGIONS, len(REGIONS))


@pytest.mark.program
def test_every_value_is_played_to_the_end() -> None:
    """Games at random under all the new values at once, at both kinds of level: each position can occur."""
    for level in ("introductory", "standard"):
        names = [name for name, reading in READINGS.items() if reading.applies(level, ())]
        late = names[names.index("E-FILL") :]
        text = ",".join(sorted(f"{name}={[*READINGS[name].options][-1]}" for name in late if name != "E-START"))
        for seed in range(3):
            for one, _, after_it in random_game(f"{level}?{text},E-TRIBUNE=either", seed):
                assert not one.status(), str(one)
                last = after_it
            assert isinstance(last, Result)


# -- the order of the Tribune's invasion ---------------------------------------------------------------------------------

ORDER = "standard?E-INVASION-ORDER=tribune,E-TRIBUNE=invasion"


def before_exchange(chosen: str, hand: str, **words: str) -> Position:
    """Before the Tribune's exchange in an invasion."""
    return table(
        "tribune",
        rules=chosen,
        step="swap",
        more=f"O5.O6.C6.{hand} hand={hand}",
        **{"dice": "3211/E", "tracks": "2/1", **words},
    )


@pytest.mark.choice("E-INVASION-ORDER")
@pytest.mark.parametrize(
    ("first", "end"),
    [("E7", "lost: outbreaks"), ("E5", 3)],
)
def test_the_tribune_orders_the_cards_of_the_invasion(first: str, end: str | int) -> None:
    """[E-INVASION-ORDER] tribune: E7 first fills E5, whose card then brings two outbreaks more; E5 first one, in the chain."""
    before = before_exchange(ORDER, "E7.E5", cubes="E7:E3.E5:E2")
    asked = position(after(before, "keep"))
    assert (asked.step, asked.hand, options(asked)) == (Step.ORDER, ("E7", "E5"), ("invade E7", "invade E5"))
    assert not asked.status() and POLICIES["careful"](asked, rules.node(asked)) == "invade E7"
    found = after(asked, f"invade {first}")
    if end == "lost: outbreaks":
        assert found == Result(end)
    else:
        assert (position(found).step, position(found).outbreaks, position(found).last) == (Step.ROLE, end, "E7")
        assert not position(found).status()
    drawn = before_exchange("standard?E-TRIBUNE=invasion", "E7.E5", cubes="E7:E3.E5:E2")
    assert after(drawn, "keep") == Result("lost: outbreaks")


@pytest.mark.choice("E-INVASION-ORDER")
def test_he_orders_the_new_card_too_and_the_last_one_comes_by_itself() -> None:
    """After the exchange, whose place does not matter any more: E-SWAP changes nothing beside it."""
    three = before_exchange(ORDER, "C5.E6.B7", tracks="5/1")
    exchanged = position(after(three, "exchange E6", "BR"))
    assert (exchanged.step, exchanged.hand, exchanged.has_exchanged) == (Step.ORDER, ("C5", "B7", "BR"), True)
    assert not exchanged.status()
    one = position(after(exchanged, "invade BR"))
    assert (one.step, one.hand, one.last, one.count("BR", "B")) == (Step.ORDER, ("C5", "B7"), "BR", 1)
    assert not one.status()
    done = position(after(one, "invade B7"))
    assert (done.step, done.last, done.occupied.keys()) == (Step.ROLE, "C5", {"C5", "B7", "BR"}) and not done.status()
    assert str(Ruleset.from_text(f"{ORDER},E-SWAP=place")) == ORDER
    plain = table("magister", rules=ORDER, dice="2221/-", step="invade:2", more="O5.O6.C6")
    assert position(after(plain, "E6", "B7")).step is Step.ROLE


@pytest.mark.choice("E-INVASION-ORDER")
def test_a_card_in_the_campaign_is_an_exchange_less_and_no_order() -> None:
    """[E-TRIBUNE] either: he who has exchanged in the campaign sees one card after the other, as everybody does."""
    used = table(
        "tribune",
        rules="introductory?E-INVASION-ORDER=tribune,E-TRIBUNE=either",
        dice="2221/-",
        step="invade:2",
        more="O5.O6.C6.B5 exchanged",
    )
    assert position(after(used, "E6", "B7")).step is Step.ROLE
    free = used.replace(out=used.out - {"B5"}, has_exchanged=False)
    assert position(after(free, "E6", "B7", "keep")).step is Step.ORDER
