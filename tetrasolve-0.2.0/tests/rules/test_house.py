"""Each house rule in the reference rules, on a position where it shows; other sentences of the rulebook stay as they are."""

from collections import Counter
from fractions import Fraction

import pytest
from moduletable import extended
from tabletop import make_position

from tetrasolve.errors import IllegalActionError, RulesetError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind, Outcome, attack, move
from tetrasolve.tetrarchia.house import HOUSE_NUMBERS
from tetrasolve.tetrarchia.rules.chance import check
from tetrasolve.tetrarchia.ruleset import Ruleset


def under(position, **house):
    """The same position under house rules."""
    chosen = [(name.replace("_", "-"), value) for name, value in house.items()]
    return position.replace(ruleset=position.ruleset.with_house(chosen))


TABLE = make_position(
    "maximian",
    {"maximian": "narbonensis"},
    armies="tarraconensis",
    revolts="tarraconensis narbonensis",
    unrest="belgica",
    fleets=(1, 2),
)
PRICES = [
    ("attack tarraconensis", "attack", 3),
    ("sail", "sail", 1),
    ("remove", "remove_revolt", 2),
    ("reduce", "reduce_revolt", 1),
]


def price_of(position, words):
    """The IP of the first legal action that begins with these words; None where none is legal."""
    return next(
        (rules.cost(position, one) for one in rules.legal_actions(position) if str(one).startswith(words)), None
    )


@pytest.mark.program
@pytest.mark.parametrize(("words", "name", "price"), PRICES)
@pytest.mark.parametrize("more", [0, 1, 3])
def test_a_price(words, name, price, more):
    """An action costs what the house rule says, is paid, and is illegal with fewer IP; the others cost what they did."""
    number = HOUSE_NUMBERS[name.replace("_", "-")]
    changed = under(TABLE, **{name: number.default + more})

    assert price_of(changed, words) == price_of(TABLE, words) + more == price + more
    assert price_of(changed.replace(ip=price + more - 1), words) is None
    for other, _, usual in PRICES:
        assert other == words or price_of(changed, other) == usual
    action = next(one for one in rules.legal_actions(changed) if str(one).startswith(words))
    assert rules.play(changed, action).ip == 6 - price - more or action.outcome is Outcome.DEFEAT


@pytest.mark.program
def test_the_objection_names_the_price():
    changed = under(TABLE.replace(ip=4), attack=3)

    with pytest.raises(IllegalActionError, match="this attack costs 6 IP, 4 are left"):
        rules.play(changed, attack("tarraconensis", Outcome.VICTORY))


@pytest.mark.program
def test_securing():
    inside = make_position("diocletian", {"diocletian": "thracia"})
    border = make_position("diocletian", {"diocletian": "libya"})

    assert [price_of(under(inside, secure=n), "secure") for n in (1, 3)] == [1, 3]
    assert [price_of(under(border, secure=n), "secure") for n in (1, 3)] == [2, 2]
    assert [price_of(under(border, secure_border=n), "secure") for n in (1, 4)] == [1, 4]


@pytest.mark.program
def test_unrest():
    table = make_position("diocletian", {"diocletian": "thracia"}, unrest="thracia")

    assert [price_of(under(table, remove_unrest=n), "remove") for n in (1, 2)] == [1, 2]


@pytest.mark.program
@pytest.mark.parametrize(
    ("name", "target", "price"),
    [
        ("normal_link", "lugdunensis", 1),
        ("broken_link", "cisalpina", 2),
        ("by_sea", "sicilia", 1),
        ("into_a_revolt", "aquitania", 2),
    ],
)
def test_ways_in_the_reference_rules(name, target, price):
    """Each costs two more by its own house rule; without a fleet but where the way is by sea."""
    table = make_position(
        "maximian", {"maximian": "narbonensis"}, revolts="aquitania", fleets=(2,) if name == "by_sea" else (1,)
    )
    number = HOUSE_NUMBERS[name.replace("_", "-")]

    assert rules.cost(table, move(target)) == price
    assert rules.cost(under(table, **{name: number.default + 2}), move(target)) == price + 2


@pytest.mark.program
def test_more_for_a_battle():
    """Bonuses are added to the dice, and the factor is that of each supporter."""
    table = make_position(
        "maximian",
        {"maximian": "narbonensis", "galerius": "baetica"},
        armies="tarraconensis",
        revolts="tarraconensis",
        garrisons={"maximian": "narbonensis"},
    )
    plain = rules.battle(table, "maximian", "tarraconensis")

    def values(**house):
        return rules.battle(under(table, **house), "maximian", "tarraconensis")

    assert [values(roman_bonus=n).chances() for n in (0, 2)] == [plain.chances(), plain.raised(2).chances()]
    assert values(barbarian_bonus=3).bonus == plain.bonus + 3
    assert str(values(roman_bonus=2, support_factor=3)).startswith(
        f"(d6 + {plain.garrisons} + 2)" if plain.emperors else "d6"
    )
    for factor in (1, 3, 4):
        wins = sum(
            (roman + plain.garrisons) * factor**plain.emperors > (barbarian + plain.revolts) * factor**plain.armies
            for roman in range(1, 7)
            for barbarian in range(1, 7)
        )
        assert values(support_factor=factor).chances().get(Outcome.VICTORY, 0) == wins


@pytest.mark.program
def test_borders_to_win():
    """The game is won by the last border that is needed, and goes on without it."""
    borders = ("gaetulia", "britannia", "germania_magna")
    table = make_position("diocletian", {"diocletian": borders[2]}, garrisons={"galerius": " ".join(borders[:2])})
    secure = next(one for one in rules.legal_actions(table) if one.kind is Kind.SECURE)

    assert not rules.play(table, secure).is_won
    assert rules.play(under(table, borders_to_win=3), secure).is_won
    assert not rules.play(under(table, borders_to_win=4), secure).is_won
    assert under(table, borders_to_win=2).is_won


@pytest.mark.program
def test_a_reserve_that_is_used_up_ends_the_game():
    """The Empire falls where no revolt is left, at the number of the house rule."""
    revolts = "noricum dacia dalmatia rhaetia pannonia_superior pannonia_inferior moesia_superior"
    table = make_position("diocletian", {"diocletian": "thracia"}, revolts=revolts, barbarian=True)
    plain, few = (rules.solve(under(table, revolts=number)) for number in (21, 7))

    assert few.figures().p_lost > plain.figures().p_lost


@pytest.mark.program
def test_a_check_that_fewer_faces_block():
    for highest, passing in ((0, 6), (2, 4), (3, 3), (5, 1)):
        found = check("x", "blocked", "linked", highest=highest).distribution()
        assert found.probability(lambda result: result == "linked") == Fraction(passing, 6)


@pytest.mark.program
@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_first_revolts(first):
    for seed in range(5):
        position = rules.random_set_up(Ruleset.from_text(f"4200?first-revolts={first}"), seed)
        regions = Counter(position.board[place].region for place in position.revolts)

        assert [regions[region] for region in range(1, 7)] == [first] * 6
        assert all(position.board[place].number != 1 for place in position.revolts)


@pytest.mark.program
@pytest.mark.parametrize(("name", "module"), [("deploy_dux", "dux"), ("deploy_vicarius", "vicarius")])
def test_deploying(name, module):
    table = extended(module)
    kinds = [one for one in rules.legal_actions(table) if one.kind is Kind.DEPLOY]

    assert [rules.cost(under(table, **{name: n}), kinds[0]) for n in (1, 2, 5)] == [1, 2, 5]


@pytest.mark.program
def test_scenarios_say_what_they_need():
    war = rules.scenario("great-persian-war")
    usual = rules.rolled_scenario(war.name, 1).position

    with pytest.raises(RulesetError, match=f"{war.name}: the set-up needs {len(usual.revolts)} revolts"):
        rules.rolled_scenario(war.name, 1, ruleset=war.ruleset(house=(("revolts", len(usual.revolts) - 1),)))
    assert rules.rolled_scenario(war.name, 1, ruleset=war.ruleset(house=(("ip", 5),))).position.ip == 5
