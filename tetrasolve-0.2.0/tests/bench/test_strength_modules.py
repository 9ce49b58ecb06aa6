"""The measurement of modules: what is played, that it can be broken off, and what it says of its games."""

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tetrasolve.errors import RulesetError
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.hint.courses import named, seated
from tetrasolve.tetrarchia.hint.evaluation import states_in
from tetrasolve.tetrarchia.hint.weights import shipped
from tetrasolve.tetrarchia.rules import scenarios
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS

BENCH = Path(__file__).parents[2] / "bench"

pytestmark = pytest.mark.skipif(not (BENCH / "benchkit").is_dir(), reason="the source tree is absent")

SMALL = """
seed = 5
[[stages]]
games = 2
policies = ["greedy"]
[[stages]]
games = 3
policies = ["greedy"]
[[groups]]
title = "Levels"
courses = ["5300"]
[[groups]]
title = "Barbaria"
levels = ["5300"]
rules = ["barbaria"]
opponents = ["eager", "best"]
than = "{level}"
"""


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The scripts."""
    monkeypatch.syspath_prepend(str(BENCH))
    return SimpleNamespace(**{name: import_module(name) for name in ("strength", "strength_modules")})


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(SMALL, "utf-8")
    return path


def test_the_table_has_all_that_is_asked(kit: Any) -> None:
    table = kit.strength_modules.read_table()
    rows = {(row.course, row.opponent) for row in table.rows}

    assert len(rows) == len(table.rows)
    for level in ("4211", "3122"):
        alone = {f"{level}+{name}" for name in (*MODULES, *VARIANTS) if name != "barbaria"}
        assert alone <= {course for course, _ in rows}
        assert {who for course, who in rows if course == f"{level}+barbaria"} == {"eager", "random", "greedy", "best"}
    assert {f"{name}{how}" for name in scenarios() for how in ("", " fixed", " 3-garrisons")} <= {c for c, _ in rows}
    assert all(("barbaria" in named(course).ruleset.variants) == (who is not None) for course, who in rows)


def test_a_run_that_is_broken_off_goes_on(kit: Any, table: Path, tmp_path: Path) -> None:
    script = kit.strength_modules
    whole, parts = script.Measurement(script.read_table(table), None), tmp_path / "parts.json"
    whole.run(None)
    for at in range(3):  # a game each
        series = script.Measurement(script.read_table(table), parts)
        row = series.table.rows[at]
        kit.strength.play(*series.series(row, "greedy"), 1)
        series.keep()
    script.Measurement(script.read_table(table), parts).run(Stop(0))
    assert script.main(["--table", str(table), "--json", str(parts), "--seconds", "100"]) == 0

    kept = json.loads(parts.read_text("utf-8"))
    outcomes = {(entry["level"], entry.get("opponent")): entry["outcomes"] for entry in kept["series"]}
    assert outcomes == {(e["level"], e.get("opponent")): e["outcomes"] for e in whole.data["series"]}
    assert set(outcomes) == {("5300", None), ("5300+barbaria", "eager"), ("5300+barbaria", "best")}
    assert {len(found) for found in outcomes.values()} == {3}


def test_series_name_both_networks_and_those_of_others_go(kit: Any, table: Path, tmp_path: Path) -> None:
    script, path = kit.strength_modules, tmp_path / "out.json"
    assert script.main(["--table", str(table), "--json", str(path)]) == 0
    kept = json.loads(path.read_text("utf-8"))
    digests = {entry["level"]: entry["weights"] for entry in kept["series"]}
    assert digests["5300"] == shipped().digest
    assert digests["5300+barbaria"] == f"{shipped().digest}+{shipped(modules=True).digest}"

    other = kept["series"][0] | {"weights": "0123456789abcdef"}
    path.write_text(json.dumps(kept | {"series": [*kept["series"][1:], other]}), "utf-8")
    again = script.Measurement(script.read_table(table), path)
    assert [entry["weights"] for entry in again.data["series"]].count("0123456789abcdef") == 0
    assert [one.policy for one in again.missing()] == ["greedy", "greedy"]


def test_processes_change_no_result(kit: Any, table: Path, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.json", "two.json")]
    for path, jobs in zip(paths, ("1", "2"), strict=True):
        assert kit.strength_modules.main(["--table", str(table), "--json", str(path), "--jobs", jobs]) == 0
    one, two = (json.loads(path.read_text("utf-8"))["table"] for path in paths)
    assert one == two
    with pytest.raises(SystemExit):
        kit.strength_modules.main(["--table", str(table), "--jobs", "0"])


def test_a_stage_until_the_bar_plays_the_rows_that_have_not_reached_it(kit: Any, table: Path) -> None:
    measurement = kit.strength_modules.Measurement(kit.strength_modules.read_table(table), None)
    stage = kit.strength_modules.Stage(("search",), 200, until_bar=True)
    base = measurement.table.rows[0]
    assert measurement.missing_of(stage) == []  # nothing is known
    for policy, outcomes in (("greedy", "wl"), ("expectimax", "ww"), ("search", "wl")):
        series = measurement.series(base, policy)[0]
        series.add_outcomes(outcomes * 50, 100)
    assert [(one.row, one.policy, one.games) for one in measurement.missing_of(stage)] == [(base, "search", 200)]
    series.data["outcomes"] = ""
    series.add_outcomes("ww" * 50, 100)
    assert measurement.missing_of(stage) == []


def test_the_bar_is_a_function_of_the_games(kit: Any, table: Path) -> None:
    measurement = kit.strength_modules.Measurement(kit.strength_modules.read_table(table), None)
    base, barbaria = measurement.table.rows[:2]

    def play(row: Any, policy: str, outcomes: str) -> None:
        series = measurement.series(row, policy)[0]
        series.data["outcomes"] = ""
        series.add_outcomes(outcomes, len(outcomes))

    assert measurement.bar(base)["reached"] is None
    play(base, "greedy", "w" * 50 + "l" * 50)
    play(base, "expectimax", "w" * 80 + "l" * 20)
    assert measurement.bar(base)["reached"] is None  # search has not played
    table_then = measurement.table
    more = kit.strength_modules.Stage(("search",), 101)
    measurement.table = replace(table_then, stages=(*table_then.stages, more))
    play(base, "search", "w" * 90 + "l" * 10)
    assert measurement.bar(base)["reached"] is None  # not all games of its first stage
    measurement.table = table_then
    play(base, "search", "w" * 52 + "l" * 48)
    assert measurement.bar(base)["reached"] is False
    play(base, "search", "w" * 90 + "l" * 10)
    assert measurement.bar(base)["reached"] is True
    for policy in ("greedy", "expectimax", "search"):
        play(base, policy, "w" * 97 + "l" * 3)
    assert measurement.bar(base)["reached"] is False  # above, not at
    for policy in ("greedy", "expectimax", "search"):
        play(base, policy, "w" * 98 + "l" * 2)
    assert measurement.bar(base)["reached"] is True
    play(barbaria, "greedy", "w" * 30 + "l" * 70)
    gap = measurement.of_row(barbaria)["policies"]["greedy"]["difference"]
    assert gap["float"] == pytest.approx(-0.68) and gap["ci"][1] < 0


def test_a_row_without_the_one_it_is_compared_with_is_refused(kit: Any, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(SMALL.replace('courses = ["5300"]', 'courses = ["4211"]'), "utf-8")
    with pytest.raises(RulesetError, match=r"5300.barbaria, Barbarians eager: the table has no row '5300'"):
        kit.strength_modules.read_table(path)


def test_scenarios_are_named_with_their_set_up_and_garrisons() -> None:
    assert named("danubian-wars").ruleset.garrisons == 4
    course = named("danubian-wars 3-garrisons")
    assert (course.ruleset.garrisons, course.fixed) == (3, False)
    assert named("danubian-wars fixed 3-garrisons").fixed
    start = course.start("7")
    assert start is not None and start.ruleset.garrisons == 3
    for wrong in ("danubian-wars 6-garrisons", "danubian-wars fixed3-garrisons", "danubian-wars loose"):
        with pytest.raises(RulesetError):
            named(wrong)


@pytest.mark.parametrize("level", ["4211", "3122"])
def test_a_level_has_the_same_set_ups_with_modules_and_without(level: str) -> None:
    """The revolts and armies; fleets are placed by the policy, and Pirates before them."""

    def starts(text: str) -> list[tuple[int, int]]:
        course = named(text)
        seat, rules = seated(course, 285, 0), course.ruleset
        _, noted, kinds, _ = seat.player.lessons(
            12, rules.revolts, rules.fleets, rules.armies, 285, others=0, strays=0, ends=1, samples=1, most_turns=1
        )
        states = states_in(noted, seat.engine)
        return [(state.revolts, state.armies) for state, kind in zip(states, kinds, strict=True) if kind == 0]

    bare = starts(level)
    assert len(set(bare)) == 12
    for name in (*MODULES, *VARIANTS):
        assert starts(f"{level}+{name}") == bare, name
