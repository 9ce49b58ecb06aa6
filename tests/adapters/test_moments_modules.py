"""The tree with modules, variants and scenarios: every game is replayed by the reference rules from the words of its branches."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from treewalk import walk, words_of_all

from tetrasolve.adapters import dealing
from tetrasolve.adapters.moments import (
    Answer,
    Boost,
    Deal,
    Fight,
    Fleets,
    Moment,
    Over,
    Phase,
    Play,
    Scheme,
    Setting,
    moment_of,
    start,
)
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.pieces import RESERVE, Counts, Pieces
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.choices import GivenCourse
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset

BOARD = Board.standard()
EVERYTHING = "3211+dux+goths+pirates+vicarius+barbaria+imperium+mare-nostrum+roma-aeterna+usurpator+via-romana"


def settings() -> Iterator[Setting]:
    """Each module and variant alone, all together, the scenarios with both set-ups, another reading."""
    yield from (Setting(f"4211+{name}", 8) for name in (*MODULES, *VARIANTS))
    yield Setting(EVERYTHING, 8)
    yield Setting("4211+barbaria?I-REROLL=again", 6)
    for number, name in enumerate(rules.scenarios()):
        ruleset = rules.scenario(name).ruleset(3, variants=["barbaria"] if number % 2 else [])
        yield Setting(str(ruleset), 6, name)
        yield Setting(str(ruleset), 6, name, fixed=True)


SETTINGS = tuple(settings())


def position_of(moment: Moment) -> Position:
    assert isinstance(moment, Play | Fight | Phase | Answer | Over)
    return fast.to_position(moment.state, BOARD, moment.setting.ruleset)


def replayed(setting: Setting, seed: int) -> Counter[type[Moment]]:
    """A random game, with the reference rules beside it; the moments that were met."""
    random, moment, met = Random(seed), start(setting), Counter[type[Moment]]()
    game: Game | None = None
    attack: tuple[str, str | None] | None = None
    payments: list[str] = []
    course: list[int | str] = []
    while moment.decider:
        met[type(moment)] += 1
        numbers = moment.actions or [number for number, _ in moment.chances]
        number = random.choice(numbers)
        after, words = moment.after(number), moment.words(number)
        if isinstance(moment, Play):
            position = position_of(moment)
            game = game or Game(position)
            assert position == game.position
            assert {moment.words(one) for one in moment.actions} == words_of_all(position)
            if "attack" in words:
                head, _, army = words.rpartition("attack ")
                attack, payments = (army, head.removesuffix(": ") or None), []
            else:
                game.act(rules.parse(game.position, words))
        elif isinstance(moment, Fight | Boost) and not isinstance(after, Boost):
            assert game is not None and attack is not None
            fight, shown = (moment, number) if isinstance(moment, Fight) else (moment.fight, moment.shown)
            if isinstance(moment, Boost) and words != "no":
                payments.append(words.removeprefix("boost:"))
            roll = rules.attack_roll(game.position, *attack, tuple(payments))
            outcome = fight.outcomes(shown)[len(payments)]
            action = next(one for one in roll.results if fast.OUTCOMES.index(one.outcome or Outcome.DRAW) == outcome)
            faces = roll.faces[roll.results.index(action)]
            game.act(action, faces)
        elif isinstance(moment, Boost):
            payments.append(words.removeprefix("boost:"))
        elif isinstance(moment, Phase):
            course += [int(part.split()[-1]) for part in words.split(", ")]
        elif isinstance(moment, Answer):
            course.append(words)
        if (isinstance(moment, Phase | Answer) or words == "end") and not isinstance(after, Phase | Answer):
            assert game is not None
            given = GivenCourse(course)
            game.barbarians(given, given.decide)
            assert not given.left
            course = []
        moment = after
    assert isinstance(moment, Over) and game is not None
    met[Over] += 1
    assert moment.won is (game.result.startswith("won") if game.is_over else None)
    if moment.won is not False:
        assert position_of(moment) == game.position
    return met


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_random_games_are_those_of_the_reference_rules(setting: Setting) -> None:
    met = replayed(setting, 2)
    assert (met[Scheme] > 0) == ("barbaria" in setting.ruleset.extensions)


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_many_random_games_are_those_of_the_reference_rules(setting: Setting) -> None:
    met = Counter[type[Moment]]()
    for seed in range(10, 30):
        met += replayed(setting, seed)
    assert met[Over] == 20 and met[Play] > 300


@pytest.mark.sampled(2)
@pytest.mark.parametrize("turns", [3, pytest.param(8, marks=pytest.mark.slow)])
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_chances_sum_to_one_and_words_differ(setting: Setting, turns: int) -> None:
    for moment in walk(replace(setting, turns=min(turns, setting.turns)), 5):
        if moment.decider == "dice":
            assert sum(chance for _, chance in moment.chances) == 1 and not moment.actions
        words = [moment.words(number) for number in moment.actions or [number for number, _ in moment.chances]]
        assert len({*words}) == len(words)


# -- Galerius adds to his dice -------------------------------------------------------------------------------------


def galerius_attacks() -> Fight:
    base = example("fight")
    emperors = {**base.emperors, base.to_move: base.emperors["galerius"], "galerius": base.here}
    table = base.replace(
        ruleset=Ruleset.from_text(f"{base.ruleset.level}+imperium"),
        to_move="galerius",
        emperors=emperors,
        pieces=Pieces.of({"removed": Counts.of(dict.fromkeys(emperors, 0))}),
    )
    assert not list(table.status())
    play = moment_of(table)
    fight = play.after(next(number for number in play.actions if play.words(number) == "attack narbonensis"))
    assert isinstance(fight, Fight)
    return fight


def test_galerius_sees_the_dice_before_he_pays() -> None:
    """What the dice show with so many discs has the chance that the reference gives an attack with them."""
    fight = galerius_attacks()
    position = position_of(fight)
    most = max(map(len, fight.payments))
    assert most >= 2
    for paid in range(most + 1):
        payments = next(one for one in fight.payments if len(one) == paid)
        stated = rules.attack_roll(position, "narbonensis", None, payments).distribution()
        shares: Counter[str] = Counter()
        for number, chance in fight.chances:
            shares[str(fast.OUTCOMES[fight.outcomes(number)[paid]])] += chance  # type: ignore[assignment] # fractions
        assert shares == {str(action.outcome): chance for action, chance in stated.items()}


def test_each_way_to_pay_is_met_once() -> None:
    fight = galerius_attacks()
    worst = fight.chances[-1][0]
    found: Counter[Position] = Counter()

    def follow(moment: Moment) -> None:
        if isinstance(moment, Boost):
            for number in moment.actions:
                follow(moment.after(number))
        else:
            found[position_of(moment)] += 1

    follow(fight.after(worst))
    position = position_of(fight)
    outcomes = fight.outcomes(worst)
    ways = [paid for paid in fight.payments if not any(outcomes[n] == 0 for n in range(len(paid)))]
    expected = Counter(
        rules.play(
            position,
            next(
                one
                for one in rules.attack_roll(position, "narbonensis", None, paid).results
                if one.outcome == fast.OUTCOMES[outcomes[len(paid)]]
            ),
        )
        for paid in ways
    )
    assert found == expected and len(ways) > 2
    assert (RESERVE,) in ways


def test_a_victory_is_not_paid_for() -> None:
    fight = galerius_attacks()
    assert fight.outcomes(0)[0] == 0
    assert not isinstance(fight.after(0), Boost)
    assert fight.words(0).startswith("victory")


# -- the set-up ----------------------------------------------------------------------------------------------------


def leaves(moment: Moment, chance: Fraction = Fraction(1)) -> Iterator[tuple[Fleets, Fraction]]:
    if isinstance(moment, Fleets):
        yield moment, chance
    else:
        assert isinstance(moment, Deal)
        for number, share in moment.chances:
            yield from leaves(moment.after(number), chance * share)


def test_all_set_ups_of_a_scenario_with_pirates() -> None:
    """The only dice of a fixed set-up are those for the Pirates; each zone that they close is no choice for fleets."""
    for name in rules.scenarios():
        war = rules.scenario(name)
        if war.ruleset().fleets > 2 or "pirates" in war.modules:
            continue
        setting = Setting(str(war.ruleset(modules=["pirates"])), 3, name, fixed=True)
        found = dict(leaves(start(setting)))
        assert [*found.values()] == [Fraction(1, 2)] * 2
        for moment, zone in zip(found, (2, 3), strict=True):
            assert all(str(zone) not in moment.words(number) for number in moment.actions) and moment.actions
            play = moment.after(moment.actions[0])
            assert isinstance(play, Play)
            pirates = position_of(play).pieces.pirates
            assert pirates is not None and pirates.zone == zone


def test_set_ups_of_scenarios_roll_for_the_regions_at_peace() -> None:
    for name in rules.scenarios():
        war = rules.scenario(name)
        setting = Setting(str(war.ruleset(3)), 3, name)
        risen = {BOARD[place.id].region for at in war.revolts if (place := BOARD.find(at)) is not None}
        regions = [region for region in range(1, 7) if region not in risen]
        assert dealing.stages(setting) == tuple((dealing.REGION, region) for region in regions)
        moment = next(one for one in walk(setting, 7) if isinstance(one, Play))
        position = position_of(moment)
        assert {BOARD[place].region for place in position.revolts} >= {*range(1, 7)}
        assert {*position.rebels} == {*war.rebels} and position.to_move == war.first and not list(position.status())


def test_readings_of_the_set_up() -> None:
    first = start(Setting("4211?I-SETUP-REROLL=province"))
    for _ in range(6):
        first = first.after(first.chances[0][0])
    by_region: Counter[int] = Counter()
    for number, chance in first.chances:
        by_region[number // 6] += chance  # type: ignore[assignment] # fractions
    assert [*by_region.values()] == [Fraction(1, 6)] * 6 and {chance for _, chance in first.chances} == {
        Fraction(1, 30)
    }

    second = start(Setting("4221?I-SETUP-REROLL=province"))
    for _ in range(7):
        second = second.after(second.chances[0][0])
    assert {chance for _, chance in second.chances} == {Fraction(1, 30), Fraction(1, 24)}

    spared = start(Setting("4211?I-SETUP-CAPITAL=occupied"))
    for _ in range(6):
        spared = spared.after(spared.chances[-1][0])
    places = {spared.words(number).split()[-1] for number, _ in spared.chances}
    assert places.isdisjoint(place.id for place in BOARD.provinces.values() if place.printed)


def test_numbers_name_a_province_for_attacks_of_the_dux_and_on_pirates() -> None:
    met = set()
    for seed in range(12):
        for moment in walk(Setting("4211+dux+pirates", 12), seed):
            met |= {moment.words(number) for number in moment.actions if isinstance(moment, Play)}
    assert {"attack pirates"} <= met and any(words.startswith("dux: ") for words in met)
    assert all(
        kind in {word.split(": ")[-1].split()[0] for word in met} for kind in (str(Kind.DEPLOY), str(Kind.SECURE))
    )
