"""The best actions of a turn of the second game by three ways: the search, the model for CP-SAT, and the reference rules."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from tablefinem import RULESETS, after, random_game, table

from tetrasolve.errors import ArgumentError, IllegalActionError, IllegalPositionError, OutOfTimeError, TooLargeError
from tetrasolve.finem import judge as judging
from tetrasolve.finem import rest, rules
from tetrasolve.finem.bestturn import best_turn
from tetrasolve.finem.evaluation import read_objective
from tetrasolve.finem.examples import examples
from tetrasolve.finem.fast import engine_of, position_of
from tetrasolve.finem.judge import AnswersDifferError, judge, replayed
from tetrasolve.finem.kernel import Rng
from tetrasolve.finem.layout import REGIONS
from tetrasolve.finem.model import ModelAnswer, end_of, nodes_of, solve_model
from tetrasolve.finem.plan import plan
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.rest import Rest
from tetrasolve.finem.ruleset import ROLES, Ruleset
from tetrasolve.finem.tracks import invasion_cards
from tetrasolve.stop import Stop

pytest.importorskip("ortools", reason="the extra 'solvers' is not installed")

OBJECTIVES = (
    "cubes=-1",
    "least cubes:O=3 cubes:C=1 cubes:E=2 cubes:B=2",
    "cubes=-2 die=1 pacified=9 won=400",
    "die:O=-3 die:B=2 cubes:E=-4 pacified:C=5 won=60",
    "won=1",
)
FEW, MANY = 24, 400
LATE = (
    Step.TRAVEL,
    Step.RESIST,
    Step.RAISE,
    Step.SWAP,
    Step.PROTECT,
    Step.DISCARD,
    Step.DISCARD_EVENT,
    Step.INVADE,
    Step.CIVIL_WAR,
    Step.CRISIS,
)


def positions(count: int) -> list[Position]:
    """Beginnings of turns, and later actions, of random games under all rulesets; roles in turn, dice sometimes high."""
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        seed += 1
        random = Random(seed)
        chosen = Ruleset.from_text(RULESETS[seed % len(RULESETS)]).dealt(Random(seed))
        state = position_of(chosen, engine_of(chosen).random_state(random.randrange(1, 90), Rng(seed)))
        if not isinstance(state, Position) or state.step is not Step.ACT:
            continue
        role = random.choice([role for role in ROLES if role != "dictator"])
        one = state.replace(role=role, left=random.choice((2, 3, 3, 4)), out=frozenset())
        if not one.status():
            found.append(one)
    return found


def compare(count: int) -> None:
    roles, values = set[str | None](), set[Fraction]()
    for number, position in enumerate(positions(count)):
        found = judge(position, OBJECTIVES[number % len(OBJECTIVES)])
        roles.add(position.role)
        values.add(found.value)
    assert len(roles) == 5 and len(values) > 12


def test_three_ways_come_to_the_same_value() -> None:
    compare(FEW)


@pytest.mark.slow
def test_three_ways_come_to_the_same_value_on_several_hundred_positions() -> None:
    compare(MANY)


BESIDES = "standard?E-EMPEROR-TRAVEL=besides,E-EMPEROR-WHEN=at-once"
BY_HAND = (
    (table("prefect", dice="5111/CEB", cubes="C7:C2"), "won=1", 1),
    (table("prefect", rules="introductory?E-WIN=phase", dice="5111/CEB", cubes="C7:C2"), "won=9 cubes=-1", 9),
    (
        table("magister", dice="1332/O", at="O7", cubes="O6:O1.O7:O3", step="act:3"),
        "die:O=-7 cubes=-1",
        0,
    ),  # eradicated: its die is 0
    (table("consul", rules="standard", dice="2221/O", cubes="C7:C3.E5:E3", step="act:4"), "cubes=-1", -3),
    (table("consul", rules="standard?E-PACIFY=free", dice="2221/-", cubes="C7:C1"), "won=3", 3),
    (table("consul", rules="standard?E-PACIFY=free,E-AGAIN=stays", dice="1331/O", step="act:1"), "least die=1", 6),
    (table("prefect", rules="standard?E-WIN=turn", dice="5111/CEB", cubes="C7:C2", step="act:2"), "won=9 cubes=-1", 0),
    # The travel that the Emperor's card has brought besides the role: to C7 and to E5; without it nothing is in reach
    (table("magister", rules=BESIDES, at="BR", dice="2221/-", cubes="C7:C3.E5:E2", more="- travels"), "cubes=-1", 0),
    (table("magister", rules=BESIDES, at="BR", dice="2221/-", cubes="C7:C3.E5:E2"), "cubes=-1", -5),
    (
        table("dictator", rules=BESIDES, at="BR", dice="2221/-", cubes="C7:C2", step="act:2", more="- travels"),
        "cubes=-1",
        -1,
    ),
    # Four cards of 24 lead to E5, four leave him where one cube is, and the others take him away from it
    (
        table("dictator", rules="standard?E-DICTATOR=there", dice="2221/-", cubes="C7:C1.E5:E3", step="act:2"),
        "cubes:C=-1 cubes:E=-9",
        Fraction(-79, 3),
    ),
    # Three cards of 21 lead to E5; with the others he stays, and has both actions left
    (
        table(
            "dictator",
            rules="standard?E-DICTATOR-STAY=free",
            dice="2221/-",
            cubes="C7:C2.E5:E3",
            step="act:2",
            more="O5.O6.O7",
        ),
        "cubes:C=-1 cubes:E=-9",
        -26,
    ),
)


@pytest.mark.parametrize(("position", "objective", "value"), BY_HAND, ids=str)
def test_positions_by_hand(position: Position, objective: str, value: Fraction | int) -> None:
    assert judge(position, objective).value == value


def test_a_stay_that_uses_no_action_is_part_of_the_policy() -> None:
    position, objective, _ = BY_HAND[-1]
    policy = judge(position, objective).model.policy
    assert policy["5",] == ("move E5", "confront E") and policy["S",] == ("stay", "confront C", "confront C")


# -- a Dictator's cards as chance, and the rest of the turn -----------------------------------------------------------------

TURN_OBJECTIVES = (
    "p_lost",
    "outbreaks",
    "die:O=1",
    "cubes=-2 outbreaks=-9 decline=-4 die:E=2 pacified=7 won=90 lost=-50 constant=3",
    "most p_lost",
)


def quiet(text: str) -> str:
    """A ruleset without events, so that the reference rules are through with a turn soon."""
    return text if "E-EVENT" in text else f"{text}{',' if '?' in text else '?'}E-EVENT=never"


def beginnings(count: int, texts: tuple[str, ...], lefts: tuple[int, ...], roles: tuple[str, ...]) -> list[Position]:
    """Phases of actions with few actions left, from random games under these rulesets; roles in turn."""
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        seed += 1
        random = Random(seed)
        chosen = Ruleset.from_text(texts[seed % len(texts)]).dealt(Random(seed))
        state = position_of(chosen, engine_of(chosen).random_state(random.randrange(1, 90), Rng(seed)))
        role = roles[len(found) % len(roles)]
        collects = role == "tribune" and chosen.readings["E-TRIBUNE"] != "campaign"
        if not isinstance(state, Position) or state.step is not Step.ACT or collects:
            continue
        is_free = role == "dictator" and chosen.readings["E-DICTATOR-STAY"] == "free"  # few cards are left to draw
        one = state.replace(
            role=role,
            left=random.choice(lefts),
            out=frozenset(random.sample(REGIONS, 4 - min(lefts)) if is_free else ()),
            pawn=random.choice(REGIONS if role == "dictator" else [*state.occupied] or REGIONS),
        )
        if not one.status():
            found.append(one)
    return found


def compare_rides(count: int, lefts: tuple[int, ...]) -> None:
    ridden = set[bool]()
    for number, position in enumerate(beginnings(count, RULESETS, lefts, ("dictator",))):
        found = judge(position, OBJECTIVES[number % len(OBJECTIVES)])
        ridden.add("ride" in found.model.actions)
    assert ridden == {True, False}


def compare_turns(count: int, texts: tuple[str, ...], lefts: tuple[int, ...], roles: tuple[str, ...] = ROLES) -> None:
    ends = 0
    for number, position in enumerate(beginnings(count, texts, lefts, roles)):
        ends += judge(position, TURN_OBJECTIVES[number % len(TURN_OBJECTIVES)], horizon="turn").ends
    assert ends > count


def test_rides_come_to_the_same_value() -> None:
    compare_rides(5, (2,))


def test_ends_of_turns_come_to_the_same_value() -> None:
    compare_turns(2, tuple(map(quiet, RULESETS)), (1,), tuple(role for role in ROLES if role != "tribune"))


@pytest.mark.slow
def test_rides_come_to_the_same_value_in_several_hundred_turns() -> None:
    compare_rides(300, (1, 1, 2))


@pytest.mark.slow
def test_ends_of_two_dozen_turns_come_to_the_same_value() -> None:
    """A turn takes about a minute, so there are no more."""
    compare_turns(24, tuple(map(quiet, RULESETS)), (1, 1, 2))


@pytest.mark.slow
def test_ends_of_turns_with_events_come_to_the_same_value() -> None:
    compare_turns(12, RULESETS, (1,), ("consul", "prefect", "magister", "emperor"))


def test_a_dictator_rides_by_a_policy() -> None:
    """Two neighbours with three cubes: which one he confronts is decided by the card."""
    position = table("dictator", rules="standard", dice="2221/-", cubes="BR:B3.BS:B3", step="act:2")
    found = judge(position, "cubes=-1")
    assert found.model.actions == ("ride",) and found.value == Fraction(-17, 3)
    assert found.model.policy["R",] == ("move BR", "confront B") and found.model.policy["S",] == (
        "move BS",
        "confront B",
    )
    must = table("dictator", rules="standard?E-DICTATOR=must", dice="2221/-", at="O6", cubes="O6:O3", step="act:2")
    assert judge(must, "cubes=-1").value == -1
    with pytest.raises(TooLargeError, match="nodes"):
        judge(position.replace(left=3), "p_lost", horizon="turn")


def test_nodes_count_the_ways_to_draw() -> None:
    position = table("dictator", step="act:3", more="O5")
    for by_cards in (False, True):
        ways = nodes_of(position, by_cards=by_cards)
        for drawn in range(4):
            same = [number for (taken, cards), number in ways.items() if taken == 3 and len(cards) == drawn]
            assert sum(same) == 23 * 22 * 21
    assert nodes_of(table("consul", step="act:3"), by_cards=True) == {(taken, ()): 1 for taken in range(4)}


@pytest.mark.parametrize(
    "ruleset",
    [pytest.param(name, marks=[pytest.mark.slow] if number % 4 else []) for number, name in enumerate(RULESETS)],
)
def test_the_rest_of_a_turn_is_what_the_tree_card_by_card_comes_to(ruleset: str) -> None:
    """Of each step late in a turn a position of a game, with more cards out, so that the tree card by card is small."""
    random, seen = Random(ruleset), set()
    for seed in range(8):
        for position, _, _ in random_game(ruleset, seed):
            if position.step in seen or position.step not in LATE:
                continue
            seen.add(position.step)
            enough = max(position.left, invasion_cards(position.ruleset, position.decline)) + 2
            deck = random.sample(position.deck, min(enough, len(position.deck)))
            small = position.replace(out=frozenset(REGIONS) - {*deck})
            aim = read_objective(random.choice(TURN_OBJECTIVES))
            tree = rules.best(small, lambda state, aim=aim: aim.sign * aim.evaluation.of(state))  # type: ignore[misc]
            assert Rest(aim).value(small) == aim.sign * tree.values[small], small
    assert len(seen) > 2


INVADED = "tribune O7/C7/ER 2123/C 4/3 O6:O1.O7:O2.OC:O3.CS:C2.CC:C3.E6:E1.E7:E3.ES:E2.EC:E2.ER:E3.BS:B2.BC:B2 invade:2 CC.B6.BC"


@pytest.mark.parametrize("where", ["invasion", "either"])
@pytest.mark.parametrize("seen", ["blind", "may", "must"])
@pytest.mark.parametrize("order", ["last", "place"])
def test_a_tribune_exchanges_a_card_of_the_invasion_as_in_the_tree_card_by_card(
    where: str, seen: str, order: str
) -> None:
    """With six cards left, among them two of full regions that touch and one of a region that is not full."""
    position = Position.parse(f"standard?E-EXCHANGE={seen},E-SWAP={order},E-TRIBUNE={where} {INVADED}")
    small = position.replace(out=frozenset(REGIONS) - {"OC", "CS", "E7", "ER", "EC", "BS"})
    for text in TURN_OBJECTIVES[:2]:
        aim = read_objective(text)
        tree = rules.best(small, lambda state, aim=aim: aim.sign * aim.evaluation.of(state))  # type: ignore[misc]
        assert Rest(aim).value(small) == aim.sign * tree.values[small]


def test_a_tribune_exchanges_a_card_of_the_invasion_as_the_kernel_has_it() -> None:
    position = Position.parse(f"standard?E-TRIBUNE=invasion {INVADED}")
    found = best_turn(position, "p_lost")
    assert Rest(read_objective("p_lost")).value(position) == found.value.value == Fraction(11, 190)
    assert found.status == "exact"


# Before the last card of a campaign, at the limit of points or three places before a crisis
CHOOSING = (
    "standard?E-LIMIT=each-point,E-LIMIT-DICE=raised,E-LIMIT-ORDER=chosen consul C7/C7/E5 1154/OC 2/1 E6:E3 draw E5.B5 hand=E5.B5",
    "standard?E-LIMIT=each-point,E-LIMIT-ORDER=chosen consul C7/C7/E5 1154/OC 2/3 E6:E3.E7:E3 draw E5.B5 hand=E5.B5",
    "standard?E-LIMIT=before-six,E-LIMIT-ORDER=chosen consul C7/C7/E5 5411/EB 2/1 E6:E3.O5:O3 draw O5.C5 hand=O5.C5",
    "standard?E-LIMIT=before-six,E-THREE=either consul C7/C7/E5 5411/EB 3/2 E6:E3.O5:O3 draw O5.O6 hand=O5.O6",
)


@pytest.mark.parametrize("line", [CHOOSING[0], *(pytest.param(one, marks=pytest.mark.slow) for one in CHOOSING[1:])])
def test_a_player_who_chooses_in_a_campaign_is_worth_what_the_kernel_says(line: str) -> None:
    """The order of the cards, the way of the decline, and what goes off which die, each decided for the best."""
    position = Position.parse(line)
    for text in ("p_won", "die:O=1 die:C=3 die:E=2 won=9"):
        assert Rest(read_objective(text)).value(position) == best_turn(position, text).value.value


def test_a_player_who_chooses_the_order_wins_more_often() -> None:
    """Than one whose die of bastos loses its point, since bastos came first; that of espadas then pacifies."""
    line = CHOOSING[0].replace("chosen", "drawn").replace("hand=E5.B5", "hand=B5.E5")
    chosen, drawn = Position.parse(CHOOSING[0]), Position.parse(line)
    assert best_turn(chosen, "p_won").value.value > best_turn(drawn, "p_won").value.value


def test_a_tribune_whose_cards_have_too_many_orders_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLargeError, match=r"E-TRIBUNE.*horizon actions"):
        judge(table("tribune", rules="standard?E-TRIBUNE=either"), "p_lost", horizon="turn")
    monkeypatch.setattr(rest, "MOST_ORDERS", 20)
    with pytest.raises(TooLargeError, match="more than 20 orders"):
        Rest(read_objective("p_lost")).value(Position.parse(f"standard?E-TRIBUNE=invasion {INVADED}"))


def test_a_situation_that_the_reference_rules_do_not_know_is_seen() -> None:
    """Without the situation in which a cube is gone the model comes to one that is better than all."""
    position = table("consul", rules="standard", dice="2221/-", cubes="C7:C3.E5:E3", step="act:1")
    ends = {end_of(after(position, word)): Fraction(value) for word, value in (("pass", 1), ("confront C", 2))}
    for objective, best, beyond in (("p_won", 2, 2), ("p_lost", 1, 0)):
        aim = read_objective(objective)
        assert solve_model(position, aim, ends=ends).value == best
        less = {end_of(after(position, "pass")): Fraction(1)}
        assert solve_model(position, aim, ends=less).value == beyond


# -- what is wrong is seen ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        ModelAnswer(Fraction(-3), ("confront C", "confront C")),  # too good
        ModelAnswer(Fraction(-5), ("confront C",)),  # too bad
        ModelAnswer(Fraction(-4), ("confront C",)),  # the value, but not by these actions
        ModelAnswer(Fraction(-4), ("move CS", "confront C")),
    ],
)
def test_a_wrong_answer_of_the_model_is_seen(answer: ModelAnswer, monkeypatch: pytest.MonkeyPatch) -> None:
    position = table("consul", rules="standard", dice="2221/-", cubes="C7:C3.E5:E3", step="act:2")
    assert judge(position, "cubes=-1").value == -4
    monkeypatch.setattr(judging, "solve_model", lambda *_, **__: answer)
    with pytest.raises((AnswersDifferError, IllegalActionError)):
        judge(position, "cubes=-1")


def test_what_cannot_be_judged_is_refused() -> None:
    position, stopped = table("consul", rules="standard", dice="2221/-", cubes="C7:C3", step="act:2"), Stop()
    stopped.set()
    with pytest.raises(OutOfTimeError):
        judge(position, "cubes=-1", cancel=stopped)
    with pytest.raises(OutOfTimeError):
        solve_model(position, read_objective("cubes=-1"), cancel=stopped)
    with pytest.raises(OutOfTimeError):
        solve_model(position, read_objective("cubes=-1"), seconds=0)
    with pytest.raises(IllegalPositionError):
        solve_model(examples()["limit"], read_objective("cubes=-1"))
    with pytest.raises(ArgumentError, match="turn, actions"):
        plan(position, horizon="game")
    with pytest.raises(IllegalActionError):
        replayed(position, ("confront O",), read_objective("cubes=-1"))
