"""The game as a tree: what can be done and rolled at each moment is what the reference rules say."""

import pickle
from collections import Counter
from copy import deepcopy
from fractions import Fraction

import pytest
from treewalk import walk, words_of_all

from tetrasolve.adapters import moments, numbering
from tetrasolve.adapters.moments import (
    Answer,
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
from tetrasolve.errors import RulesetError
from tetrasolve.exact import Distribution, absorb
from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

BOARD = Board.standard()
LEVELS = ("3122", "4211", "5300")


def position_of(moment: Play | Fight | Phase | Over) -> Position:
    return fast.to_position(moment.state, BOARD, moment.setting.ruleset)


@pytest.mark.parametrize("level", LEVELS)
def test_actions_are_those_of_the_reference_rules(level: str) -> None:
    seen = 0
    for seed in range(6):
        for moment in walk(Setting(level, 12), seed):
            if isinstance(moment, Play):
                position, seen = position_of(moment), seen + 1
                assert {moment.words(number) for number in moment.actions} == words_of_all(position)
                assert moment.actions == sorted(moment.actions) and not moment.chances
    assert seen > 100


@pytest.mark.parametrize("games", [2, pytest.param(8, marks=pytest.mark.slow)])
@pytest.mark.parametrize("level", LEVELS)
def test_chances_sum_to_one_wherever_dice_are_rolled(level: str, games: int) -> None:
    kinds = set()
    for seed in range(games):
        for moment in walk(Setting(level, 12), seed):
            if moment.decider == "dice":
                numbers = [number for number, _ in moment.chances]
                assert sum(chance for _, chance in moment.chances) == 1 and not moment.actions
                assert len({*numbers}) == len(numbers) and 0 <= min(numbers) <= max(numbers) < moments.BRANCHES
                assert len({moment.words(number) for number in numbers}) == len(numbers)
                kinds.add(type(moment))
    assert {Deal, Phase} <= kinds


def by_rolls(first: Phase) -> Distribution[bytes]:
    """Where the rolls from here on lead; moments with the same step of the reference are the same."""
    met: dict[object, Moment] = {first.step: first}

    def key(moment: Moment) -> object:
        if isinstance(moment, Phase):
            return met.setdefault(moment.step, moment) and moment.step
        assert isinstance(moment, Play | Over)
        return b"fallen" if isinstance(moment, Over) else bytes(moment.state)

    def row(where: object) -> Distribution[object] | None:
        if isinstance(where, bytes):
            return None
        moment = met[where]
        shares: Counter[object] = Counter()
        for number, chance in moment.chances:
            shares[key(moment.after(number))] += chance  # type: ignore[assignment] # sums of fractions
        return Distribution(shares)

    return absorb(first.step, row).ends  # type: ignore[return-value]


@pytest.mark.parametrize("level", LEVELS)
def test_rolls_lead_where_the_reference_says_as_often(level: str) -> None:
    """Phases in the middle of games; echoes are followed without end, since equal steps are met once."""
    checked = 0
    for seed in range(4):
        for moment in walk(Setting(level, 12), seed):
            if not isinstance(moment, Phase) or moment.rolled or moment.turn == 11:
                continue
            visits = moment.setting.kernel.phase(moment.state)["visits"]
            if visits < 400:  # small enough for the reference
                stated = rules.outcomes(position_of(moment)).map(end_key)
                assert by_rolls(moment) == stated
                checked += 1
    assert checked >= 3


def end_key(end: Position | Fall) -> bytes:
    return b"fallen" if isinstance(end, Fall) else bytes(fast.state_of(end))


def test_an_attack_is_rolled_with_the_odds_of_the_reference() -> None:
    position = example("fight")
    play = moment_of(position)
    attack = next(number for number in play.actions if play.words(number) == "attack narbonensis")
    fight = play.after(attack)

    assert isinstance(fight, Fight)
    stated = rules.attack_roll(position, "narbonensis").distribution()
    assert {fight.words(number): chance for number, chance in fight.chances} == {
        str(action.outcome): chance for action, chance in stated.items()
    }
    for number, _ in fight.chances:
        after = fight.after(number)
        assert isinstance(after, Play | Phase)
        action = next(action for action in stated if str(action.outcome) == fight.words(number))
        expected = rules.play(position, action)
        assert isinstance(expected, Position) and fast.state_of(expected) == after.state


def test_the_set_up_is_rolled_as_the_rules_have_it() -> None:
    first = start(Setting("3122"))
    assert [chance for _, chance in first.chances] == [Fraction(1, 5)] * 5
    by_stage: list[Fraction] = []
    tables = []
    for seed in range(30):
        path = [moment for moment in walk(Setting("3122", 1), seed) if isinstance(moment, Deal | Fleets)]
        by_stage = [moment.chances[0][1] for moment in path if isinstance(moment, Deal)]
        assert by_stage == [Fraction(1, 5)] * 6 + [Fraction(1, 30), Fraction(1, 29), Fraction(1, 6), Fraction(1, 5)]
        fleets = path[-1]
        assert isinstance(fleets, Fleets) and [fleets.words(n) for n in fleets.actions] == [
            "fleets 1",
            "fleets 2",
            "fleets 3",
        ]
        play = fleets.after(fleets.actions[-1])
        assert isinstance(play, Play)
        position = position_of(play)
        assert not list(position.status()) and position.fleets == (3,)
        assert len(position.revolts) == 8 and len(position.armies) == 2
        tables.append(position)
    assert len({*map(str, tables)}) == len(tables)


def test_every_level_has_its_choices_of_zones() -> None:
    for ruleset in all_levels():
        setting = Setting(ruleset.level)
        fleets = next(moment for moment in walk(setting, 1) if isinstance(moment, Fleets))
        assert len(fleets.actions) == {1: 3, 2: 3, 3: 1}[ruleset.fleets]
        assert max(fleets.actions) < moments.ACTIONS


def test_numbers_of_actions_are_stable_and_distinct() -> None:
    words = [numbering.words_of(number) for number in range(moments.ACTIONS)]
    first, last = BOARD.ids[0], BOARD.ids[-1]

    assert len({*words}) == len(words) == 849
    assert (words[0], words[48], words[96], words[102], words[105], words[106], words[160]) == (
        f"enter {first}", f"move {first}", "sail 1>2", "secure", "end", f"attack {first}", "fleets 1 2 3",
    )  # fmt: skip
    assert (words[161], words[401], words[402], words[403], words[451], words[547], words[595], words[597], words[645]) == (
        f"dux: move {first}", "dux: remove", "dux: reduce", f"dux: attack {first}", f"deploy dux {first}", f"transfer {first}",
        "attack pirates", f"imperium {first}", "imperium reserve",
    )  # fmt: skip
    assert (words[646], words[647], words[648], words[649], words[-1]) == (
        "no", "reroll", "cancel", f"turn:{first}", f"boost:{last}",
    )  # fmt: skip
    assert all(numbering.number_of(code) == number for number, code in numbering.CODES.items())


def test_games_end_won_lost_or_out_of_turns() -> None:
    ends = [list(walk(Setting("4211", turns), seed))[-1] for seed in range(6) for turns in (1, 30)]
    assert {end.won for end in ends if isinstance(end, Over)} == {None, False}
    assert all(isinstance(end, Over) and not end.actions and not end.chances for end in ends)
    with pytest.raises(ValueError, match="the game is over"):
        ends[0].after(0)


@pytest.mark.parametrize("rules_text", ["4211", "4211+barbaria+imperium"])
def test_moments_survive_pickling_and_are_not_copied(rules_text: str) -> None:
    kinds = set()
    for seed in (3, 4):
        for moment in walk(Setting(rules_text, 6), seed):
            again = pickle.loads(pickle.dumps(moment))  # noqa: S301 # our own
            assert again == moment and hash(again) == hash(moment) and deepcopy(moment) is moment
            kinds.add(type(moment))
            if isinstance(moment, Phase):
                assert again.step == moment.step
            if isinstance(moment, Answer):
                assert again.choice == moment.choice and again.actions == moment.actions
    assert (Scheme in kinds) == ("barbaria" in rules_text)


def test_other_games_are_refused() -> None:
    with pytest.raises(RulesetError, match="turns: expected at least 1, got 0"):
        Setting("4211", 0)
    with pytest.raises(RulesetError, match="level"):
        Setting("9211")
    with pytest.raises(RulesetError, match="fixed: expected a scenario"):
        Setting("4211", fixed=True)
    with pytest.raises(RulesetError, match="level 4211, expected 4222"):
        Setting("4211+goths", scenario="danubian-wars")


def test_the_last_border_wins() -> None:
    level = Ruleset.from_level("5300")
    borders = [BOARD.order[border] for border in BOARD.borders]
    here, *others = borders
    masks = [sum(1 << row for row in others[:3]), sum(1 << row for row in others[3:]), 0, 0]
    state = kernel.State(garrisons=tuple(masks), emperors=(here, 63, 63, 63), fleets=7, ip=2)  # type: ignore[arg-type]
    play = moment_of(fast.to_position(state, BOARD, level))
    end = play.after(next(number for number in play.actions if play.words(number) == "secure"))

    assert isinstance(end, Over) and end.won is True and position_of(end).is_won
