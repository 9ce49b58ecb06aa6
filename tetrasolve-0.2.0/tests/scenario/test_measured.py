"""The scenarios that ship with the library: made by numbers of games fixed in advance, listed by their rates, and played."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tetrasolve.errors import ArgumentError
from tetrasolve.exact.batches import Runner
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.estimate import chance
from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.cli.positions import find_position
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.scenario.measured import FORMAT, rate_in, rate_lines, read, scenario, select, shipped, write
from tetrasolve.tetrarchia.scenario.policies import weights_of_policies
from tetrasolve.tetrarchia.scenario.setups import SetUps
from tetrasolve.tetrarchia.scenario.survey import Chosen, Measuring, Survey, recipe

SMALL = Survey(
    (Chosen("persian-front", 1, 0.45), Chosen("africa-burns", 1, 0.6)), {"greedy": (10, 20), "expectimax": (5, 10)}
)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games whose chance falls with the number of revolts, in place of real ones."""

    def play(self: SetUps, policy: str, seed: int, first: int, games: int, stop: Stop | None = None) -> str:
        if stop is not None:
            stop.check()
        p = 1 - len(Position.from_json(self.text).revolts) / 30
        return "".join("w" if Random(f"{policy} {seed} {n}").random() < p else "l" for n in range(first, first + games))

    monkeypatch.setattr(SetUps, "play", play)


def measured(kept: Checkpoint | None = None, stop: Stop | None = None) -> Measuring:
    return Measuring(SMALL, Runner(SerialExecutor(), kept), stop)


@pytest.mark.usefixtures("known")
def test_a_run_that_was_stopped_goes_on_to_the_same_collection(tmp_path: Path) -> None:
    whole = measured()
    assert whole.run()
    found = list(whole.found())
    assert [one.name for one in found] == ["persian-front-1-45", "africa-burns-1-60"]
    assert [len(rate.games) for rate in found[0].rates] == [20, 10]
    with Checkpoint(tmp_path / "kept", SMALL.data()) as kept:
        stop = Stop()

        def say(text: str) -> None:
            if text == "round 1 of 2: africa-burns-1-60":
                stop.set()

        begun = measured(kept, stop)
        assert not begun.run(say)
        first = list(begun.found())
    assert [len(rate.games) for one in first for rate in one.rates] == [10, 5, 10, 5], "that of the last number reached"
    for early, late in zip(first, found, strict=True):
        assert all(b.games.startswith(a.games) for a, b in zip(early.rates, late.rates, strict=True))
    with Checkpoint(tmp_path / "kept", SMALL.data()) as kept:
        again = measured(kept)
        assert again.run()
        assert list(again.found()) == found
    write(tmp_path / "a.xz", found)
    write(tmp_path / "b.xz", list(again.found()))
    assert (tmp_path / "a.xz").read_bytes() == (tmp_path / "b.xz").read_bytes()


@pytest.mark.usefixtures("known")
def test_a_scenario_without_the_first_number_of_games_is_left_out() -> None:
    stop = Stop()
    begun = measured(stop=stop)
    stop.set()
    assert not begun.run()
    assert not list(begun.found())


def test_games_of_two_scenarios_or_with_another_seed_are_not_the_same() -> None:
    assert len({one.games_seed for one in recipe().chosen}) == len(recipe().chosen)
    for one in recipe().chosen:
        assert not one.position().status()


def test_the_collection_is_that_of_the_recipe() -> None:
    survey = recipe()
    chosen = {one.name: one for one in survey.chosen}
    assert len(shipped()) >= 50 and set(shipped()) <= set(chosen)
    for name, row in shipped().items():
        one = chosen[name]
        assert row["format"] == FORMAT and row["versions"]["weights"] == weights_of_policies()
        assert row["position"] == str(one.position())
        assert [rate["policy"] for rate in row["rates"]] == [*survey.games]
        for rate in row["rates"]:
            games = rate["rate"]["n"]
            assert games in survey.games[rate["policy"]], "a number fixed in advance"
            assert games == rate["won"] + rate["lost"] + rate["open"]
            again = chance(rate["won"], games, 0.95)
            assert (again.value, [again.low, again.high]) == (rate["rate"]["float"], rate["rate"]["ci"])
            assert rate["seed"] == one.games_seed


# The first games by the greedy policy with the seed of the measurement: won or lost
FIRST = {"gallia-is-lost-1-45": "wwwlwwwlwwwlwwlwlllw", "africa-burns-2-60": "wlwwlwllwllwwwwlwwww"}


def play_again(row: dict[str, Any], number: int | None = None) -> str:
    """The games that were measured first, or all of them."""
    rate = row["rates"][0]
    games = rate["rate"]["n"] if number is None else number
    return SetUps.fixed(Position.parse(row["position"])).play(rate["policy"], rate["seed"], 0, games)


@pytest.mark.parametrize("name", FIRST)
def test_the_first_games_are_those_that_the_seed_gives(name: str) -> None:
    row = shipped()[name]
    rate = row["rates"][0]
    assert play_again(row, len(FIRST[name])) == FIRST[name]
    assert FIRST[name].count("w") <= rate["won"] and FIRST[name].count("l") <= rate["lost"]


@pytest.mark.slow
def test_the_games_are_those_that_the_seed_gives() -> None:
    for row in shipped().values():
        games = play_again(row)
        assert (games.count("w"), games.count("l")) == (row["rates"][0]["won"], row["rates"][0]["lost"])


def test_scenarios_are_listed_by_their_rates_and_are_positions() -> None:
    hard = [row["name"] for row in select("persian-front", high=0.6)]
    easy = [row["name"] for row in select("persian-front", low=0.6)]
    assert set(hard) | set(easy) == {name for name, row in shipped().items() if row["theme"] == "persian-front"}
    name = next(iter(shipped()))
    assert find_position(name) == Position.parse(scenario(name)["position"])
    assert any("% (" in line for line in rate_lines(scenario(name)))
    with pytest.raises(ArgumentError, match="scenario list"):
        scenario("no-such-scenario")
    with pytest.raises(ArgumentError, match="greedy, expectimax"):
        rate_in(scenario(name), "search")


@pytest.mark.usefixtures("known")
def test_without_a_checkpoint_a_run_goes_on_from_the_collection(tmp_path: Path) -> None:
    """Numbers of games won are taken, of the same set-up, seed and weights only; then come the games that would have come."""
    whole = measured()
    assert whole.run()
    stop = Stop()
    begun = measured(stop=stop)
    assert not begun.run(lambda text: stop.set() if text == "round 1 of 2: africa-burns-1-60" else None)
    write(tmp_path / "a.xz", list(begun.found()))
    rows = read(tmp_path / "a.xz")
    again = measured()
    assert again.begin_with(rows) == 4
    assert again.begin_with(rows) == 0, "what has begun is left as it is"
    assert again.run()
    for one, other in zip(again.found(), whole.found(), strict=True):
        assert [rate.rate for rate in one.rates] == [rate.rate for rate in other.rates]
    for change in (
        {"position": rows[1]["position"]},
        {"name": "elsewhere"},
        {"versions": rows[0]["versions"] | {"weights": "others"}},
        {"rates": [rate | {"seed": 1} for rate in rows[0]["rates"]]},
        {"rates": [rate | {"won": rate["won"] + 1} for rate in rows[0]["rates"]]},  # no whole batches
    ):
        assert measured().begin_with([rows[0] | change]) == 0
    (tmp_path / "a.xz").write_bytes(b"no xz")
    with pytest.raises(ArgumentError):
        read(tmp_path / "a.xz")
