"""House rules in whole games: counts and means by another way, pairs of games, runs that are stopped, sweeps and their plot."""

from random import Random
from statistics import mean
from xml.etree import ElementTree as ET

import pytest

from tetrasolve.errors import ReferenceOnlyError, RulesetError
from tetrasolve.exact.checkpoint import CheckpointError
from tetrasolve.exact.estimate import paired_difference
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.played import greedy_courses
from tetrasolve.tetrarchia.lint.housegames import HouseComparison, house_lines, play_house, sweep_lines, sweep_values
from tetrasolve.tetrarchia.lint.houseplot import sweep_svg
from tetrasolve.tetrarchia.ruleset import Ruleset

ATTACK = (("attack", 1),)


def invented(ruleset, seed, first, games, stop=None):
    """Courses that depend on the numbers of games; under house rules one game in five is another one."""
    if stop is not None and stop.is_set():
        raise Stopped("stopped")
    played = []
    for number in range(first, first + games):
        random = Random(f"{seed} {ruleset.partition('?')[0]} {number}")
        end, turns, differs = random.choice("wwlo"), random.randint(4, 90), random.random() < 0.2
        played.append(
            (random.choice("wl"), turns + random.randint(-3, 9)) if differs and "?" in ruleset else (end, turns)
        )
    return played


def test_the_figures_are_those_of_the_pairs_of_games():
    plain, changed = (tuple(invented(text, 3, 0, 400)) for text in ("4211", "4211?attack=1"))
    found = HouseComparison("4211", ATTACK, plain, changed)
    ends = [(one, other) for (one, _), (other, _) in zip(plain, changed, strict=True)]
    alone = sum(one != "w" == other for one, other in ends), sum(one == "w" != other for one, other in ends)

    assert found.rates[1].value == sum(end == "w" for end, _ in changed) / 400
    assert found.difference == paired_difference(*alone, 400, 0.95)
    assert found.difference.value == pytest.approx(found.rates[1].value - found.rates[0].value)
    assert found.turns_difference.value == pytest.approx(mean(t for _, t in changed) - mean(t for _, t in plain))
    assert found.turns_difference.half_width < sum(one.half_width for one in found.turns)


def test_each_level_is_played_until_it_is_narrow_or_for_so_many_games():
    found = play_house([ATTACK], invented, "by hand", levels=["4211", "5300"], most=3_000)

    assert [one.level for one in found.comparisons] == ["4211", "5300"]
    assert found.complete
    assert [one.is_narrow or one.games == 3_000 for one in found.comparisons] == [True, True]
    assert found.comparisons[0].plain == tuple(invented("4211", 0, 0, found.comparisons[0].games))


def test_a_run_that_is_stopped_goes_on_where_it_was(tmp_path):
    asked = []

    def counted(ruleset, seed, first, games, stop=None):
        asked.append((ruleset, first))
        if len(asked) == 9:
            raise Stopped("stopped")
        return invented(ruleset, seed, first, games, stop)

    work = tmp_path / "games.work"
    part = play_house([ATTACK], counted, "by hand", levels=["4211"], most=200, work=work)
    rest = play_house([ATTACK], counted, "by hand", levels=["4211"], most=200, work=work)
    whole_run = play_house([ATTACK], invented, "by hand", levels=["4211"], most=200)

    assert not part.complete
    assert rest == whole_run
    assert len(asked) == len(set(asked)) + 1  # the batch that was stopped is played again, and no other
    with pytest.raises(CheckpointError):
        play_house([ATTACK], invented, "by another policy", levels=["4211"], most=200, work=work)


def test_a_flag_stops_at_once():
    stop = Stop()
    stop.set()

    assert play_house([ATTACK], invented, "by hand", cancel=stop).comparisons == ()


def test_what_games_cannot_play_is_refused():
    with pytest.raises(ReferenceOnlyError, match="normal-link=2: only the reference rules play"):
        play_house([(("normal-link", 2),)], invented, "by hand")
    with pytest.raises(RulesetError, match="the set-up needs 2 armies, there are 1"):
        play_house([(("armies", 1),)], invented, "by hand", levels=["4222"])


def test_games_of_the_kernel_keep_to_the_house_rules():
    """A game that the kernel plays has no more IP, revolts and armies than there are, and is won by the borders that are needed."""
    ruleset = Ruleset.from_text("4222?armies=2,borders-to-win=2,ip=4,revolts=12")
    engine, rng = fast.kernel_for(Board.standard(), ruleset), fast.engine_for(ruleset).Rng(5)
    ends = set()
    for _ in range(30):
        state = engine.setup(2, 2, 2, rng)
        while state.result == whole.OPEN:
            position = fast.to_position(state, Board.standard(), ruleset)
            assert position.status() == ()
            state = engine.random_turn(state, rng) if state.phase == whole.ROMAN else engine.sample(state, rng)
        ends.add(state.result)
        if state.result == whole.WON:
            assert len(fast.to_position(state, Board.standard(), ruleset).secured) == 2
    assert whole.FALLEN in ends


def test_fewer_borders_to_win_make_shorter_games_that_are_won_more_often():
    plain, easy = (greedy_courses(f"3122{tail}", 1, 0, 25) for tail in ("", "?borders-to-win=2"))

    assert sum(end == "w" for end, _ in easy) >= sum(end == "w" for end, _ in plain)
    assert mean(turns for _, turns in easy) < mean(turns for _, turns in plain)


# -- sweeps -----------------------------------------------------------------------------------------------------------


def test_a_sweep_has_a_row_for_each_value_and_keeps_the_other_house_rules():
    assert sweep_values("ip=5..7", ATTACK) == ((("attack", 1), ("ip", 5)), (("attack", 1),), (("attack", 1), ("ip", 7)))
    assert sweep_values("attack=0..1", ATTACK) == ((), ATTACK)


@pytest.mark.parametrize(
    "text", ["ip", "ip=", "ip=4", "ip=4..", "ip=..6", "ip=6..4", "ip=4..4", "ip=4..99", "ip=1..6", "i=4..6", "ip=-1..6"]
)
def test_a_sweep_that_is_none_is_refused(text):
    with pytest.raises(RulesetError, match=r"^(sweep|house rule) "):
        sweep_values(text)


def test_a_sweep_is_a_table_and_a_plot():
    houses = sweep_values("ip=4..7")
    found = play_house(houses, invented, "by hand", levels=["4211", "3122"], most=50)
    lines, picture = list(sweep_lines(found, "ip")), ET.fromstring(sweep_svg(found, "ip"))  # noqa: S314  # our own text

    assert len(lines) == 1 + 2 * 4
    assert sum("6 (rulebook)" in line for line in lines) == 2
    assert len(picture.findall(".//{*}circle")) == 8
    texts = ["".join(one.itertext()) for one in picture.findall(".//{*}text")]
    assert {"4", "7", "rulebook", "4211", "3122", "ip"} <= set(texts)
    assert len(list(house_lines(found))) == 16
    assert rules.scenarios()
