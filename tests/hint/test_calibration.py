"""Calibration: a raw value becomes the share of games that were won, and the interval counts games."""

import json
from dataclasses import replace
from importlib.resources import files
from math import exp
from random import Random

import pytest

from tetrasolve.exact.estimate import Estimate
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.hint import calibration
from tetrasolve.tetrarchia.hint.basis import basis_of
from tetrasolve.tetrarchia.hint.calibration import (
    MIDDLE,
    TERMS,
    Curve,
    chance_of,
    logit_of,
    read_calibration,
    shipped_calibration,
    terms,
    write_calibration,
)
from tetrasolve.tetrarchia.hint.opinion import EVALUATED, chance_data, opinion
from tetrasolve.tetrarchia.hint.policy import EXPECTIMAX, Candidate, candidates
from tetrasolve.tetrarchia.hint.prospects import prospects
from tetrasolve.tetrarchia.hint.weights import WeightsError, shipped
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

MIDDLE_LEVEL = Ruleset.from_level("".join(map(str, MIDDLE)))
NOTHING = [[0.0] * len(TERMS)] * len(TERMS)
HONEST = Curve((0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0), NOTHING, -5.0, 5.0)  # the identity


def unsure(constant):
    """The honest curve, its constant known with this variance."""
    return replace(HONEST, covariance=[[constant, *NOTHING[0][1:]], *NOTHING[1:]])


@pytest.mark.parametrize("raw", [0.02, 0.3, 0.5, 0.97])
def test_an_honest_curve_changes_nothing(raw):
    """And is sure of it where its weights are."""
    assert HONEST.chance(raw, MIDDLE_LEVEL, 0.95) == pytest.approx((raw,) * 3)


def test_the_interval_is_that_of_the_logarithm_of_odds():
    """The standard error of the constant is a half: 1.96 times that to both sides."""
    value, low, high = unsure(0.25).chance(0.9, MIDDLE_LEVEL, 0.95)
    assert value == pytest.approx(0.9)
    assert logit_of(low) == pytest.approx(logit_of(0.9) - 0.98, abs=1e-3)
    assert logit_of(high) == pytest.approx(logit_of(0.9) + 0.98, abs=1e-3)


def test_beyond_what_was_seen_the_interval_is_open():
    """To that side; the value continues with the slope of the edge, and keeps the order."""
    bowed = replace(unsure(0.01), weights=(0.0, 1.0, 0.05, 0.0, 0.0, 0.0, 0.0), least=-2.0, most=3.0)
    value, low, high = bowed.chance(0.99, MIDDLE_LEVEL, 0.95)
    assert high == 1 and low < value < high
    assert logit_of(value) == pytest.approx(3 + 0.05 * 9 + (1 + 0.1 * 3) * (logit_of(0.99) - 3))
    value, low, high = bowed.chance(0.01, MIDDLE_LEVEL, 0.95)
    assert low == 0 and low < value < high
    assert 0 <= bowed.chance(0.0, MIDDLE_LEVEL, 0.95).value < value
    assert bowed.chance(1.0, MIDDLE_LEVEL, 0.95).high == 1


def test_levels_are_counted_from_the_middle():
    """Whose figures are all 0."""
    assert terms(2.0, MIDDLE_LEVEL) == (1, 2, 4, 0, 0, 0, 0)
    assert terms(-1.0, Ruleset.from_level("5300")) == (1, -1, 1, 1, 1, -1, -1)


# -- what is shipped -------------------------------------------------------------------------------------------


def test_what_is_shipped_is_of_the_shipped_weights():
    """With a curve for each stage, all rising, from some thousand games; the file is as `write_calibration` writes it."""
    found = shipped_calibration()
    assert found.weights == shipped().digest and set(found.curves) == set(EVALUATED)
    assert found.made["command"].startswith("python -m tetrasolve.tetrarchia.hint.calibrate --seed ")
    assert found.games > 1000 and found.tables > 5000
    text = (files("tetrasolve.tetrarchia.hint") / "data" / "calibration.json").read_text("utf-8")
    assert write_calibration(read_calibration(text)) == text


@pytest.mark.parametrize("stage", EVALUATED)
def test_the_shipped_curves_keep_the_order(stage):
    """At every level: a higher raw value means more wins, and the value lies inside its interval."""
    curve = shipped_calibration().curves[stage]
    assert curve.is_rising() and curve.least < 0 < curve.most
    for level in all_levels():
        rows = [curve.chance(raw / 200, level, 0.95) for raw in range(201)]
        assert all(0 <= row.low <= row.value <= row.high <= 1 for row in rows)
        values = [row.value for row in rows]
        assert values == sorted(values) and len(set(values)) == len(values)


def test_a_calibration_of_other_weights_is_refused(monkeypatch):
    """It would say something about another evaluation."""
    other = replace(shipped(), start=bytes(len(shipped().start)))
    monkeypatch.setattr(calibration, "shipped", lambda **_: other)
    calibration._shipped.cache_clear()
    with pytest.raises(WeightsError, match=f"made with weights {shipped().digest}, expected {other.digest}"):
        shipped_calibration()


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("tetrasolve-calibration/1", "tetrasolve-weights/1"),
        ('"raw squared"', '"raw cubed"'),
        ('"curves"', '"curve"'),
        ('"covariance"', '"variance"'),
        ("{", "["),
    ],
)
def test_what_is_no_calibration_is_refused(part, other):
    """In a sentence."""
    text = (files("tetrasolve.tetrarchia.hint") / "data" / "calibration.json").read_text("utf-8")
    assert part in text
    with pytest.raises(WeightsError, match=r"expected a file of calibration, tetrasolve-calibration/1: "):
        read_calibration(text.replace(part, other))


# -- opinions --------------------------------------------------------------------------------------------------


def test_an_opinion_is_the_curve_at_the_raw_value():
    """And wider where it rests on sampled dice."""
    table = example("movement")
    best = candidates(table, EXPECTIMAX, top=1).best
    found = prospects(table, best.plan)
    assert not found.p_won and best.error
    curve = shipped_calibration().curves[best.stage]
    raw = opinion(best, found, table)
    plain = curve.chance(best.value, table.ruleset, 0.95)
    assert raw.value == plain.value and raw.raw == best.value
    assert raw.low < plain.low < plain.value < plain.high < raw.high
    assert raw.dice[0] < best.value < raw.dice[1]
    assert raw.as_data()["interval"] == [round(raw.low, 6), round(raw.high, 6)]


def test_what_ends_the_game_is_no_matter_of_opinion():
    """The chance to win in this turn counts in full, and only the rest is calibrated."""
    table = Position.parse("4211 D:2 srm/mac/-/- 23 - lus - -/-/gae.bri/gma.lib.per")
    won = candidates(table, EXPECTIMAX, top=1).best
    raw = opinion(won, prospects(table, won.plan), table)
    assert (raw.value, raw.low, raw.high) == (1, 1, 1)

    fight = example("fight")
    idle = prospects(fight, Plan())
    half = replace(idle, p_won=idle.p_won + type(idle.p_won)(1, 2))
    stage, level = 2, fight.ruleset
    raw = opinion(Candidate(Plan(), 0.75, stage, None), half, fight)
    rest = shipped_calibration().curves[stage].chance(0.5, level, 0.95)
    assert (raw.value, raw.low, raw.high) == pytest.approx(tuple(0.5 + 0.5 * chance for chance in rest))


def test_all_kinds_of_chances_have_the_same_form():
    """A reader of the JSON finds the value and its interval in one place."""
    common = {"kind", "value", "interval", "confidence"}
    table = example("movement")
    best = candidates(table, EXPECTIMAX, top=1).best
    raw = chance_data(opinion(best, prospects(table, best.plan), table))
    played = chance_data(Estimate(0.5, 0.4, 0.6, 720, 0.95, "replications"))
    assert common <= set(raw) and common <= set(played)
    assert (raw["kind"], played["kind"]) == ("evaluation", "estimate")


# -- how it is made --------------------------------------------------------------------------------------------


@pytest.fixture
def calibrate():
    """The module that makes it, which needs numpy."""
    return pytest.importorskip("tetrasolve.tetrarchia.hint.calibrate")


def played(games, seed, weights):
    """Games of one position each, won as a curve with these weights says, and their raw values."""
    rng, levels = Random(seed), list(all_levels())
    rows = []
    for game in range(games):
        level = levels[game % len(levels)]
        logit = rng.uniform(-2, 4)
        odds = sum(weight * term for weight, term in zip(weights, terms(logit, level), strict=True))
        rows.append((chance_of(logit), level, rng.random() < 1 / (1 + exp(-odds)), game))
    return rows


def test_the_fit_finds_the_curve_that_games_followed(calibrate):
    """Within four standard errors each, and its chances within the intervals at 99.9 %."""
    true = (0.3, 1.2, 0.1, 0.2, -0.3, 0.1, 0.0)
    found = calibrate.curve_of(*zip(*played(20_000, 4, true), strict=True))
    for name, got, want, line, place in zip(
        TERMS, found.weights, true, found.covariance, range(len(TERMS)), strict=True
    ):
        assert abs(got - want) < 4 * line[place] ** 0.5, name
        assert 0 < line[place] < 0.01, name
    for raw in (0.2, 0.5, 0.9):
        for level in (MIDDLE_LEVEL, Ruleset.from_level("3122")):
            odds = sum(weight * term for weight, term in zip(true, terms(logit_of(raw), level), strict=True))
            found_chance = found.chance(raw, level, 0.999)
            assert found_chance.low < chance_of(odds) < found_chance.high


def test_the_fit_counts_games_not_positions(calibrate):
    """The same position five times in a game tells no more than once; in five games it would."""
    rows = played(2_000, 9, (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    once = calibrate.curve_of(*zip(*rows, strict=True))
    often = calibrate.curve_of(*zip(*[row for row in rows for _ in range(5)], strict=True))
    assert often.weights == pytest.approx(once.weights, abs=1e-3)
    for mine, other in zip(often.covariance, once.covariance, strict=True):
        assert mine == pytest.approx(other, rel=1e-3, abs=1e-7)
    apart = [(raw, level, won, 5 * game + i) for raw, level, won, game in rows for i in range(5)]
    more = calibrate.curve_of(*zip(*apart, strict=True))
    assert more.covariance[0][0] == pytest.approx(once.covariance[0][0] / 5, rel=0.05)


def test_a_curve_that_falls_is_refused(calibrate):
    """There is something wrong with games that are lost where the raw value is higher."""
    rows = played(2_000, 9, (0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    with pytest.raises(WeightsError, match="the curve decreases"):
        calibrate.curve_of(*zip(*rows, strict=True))


def test_games_are_gone_on_with(calibrate, tmp_path, capsys):
    """A line that was not finished is played again, and other games are not mixed in."""
    raw, out = tmp_path / "raw.jsonl", tmp_path / "calibration.json"

    def run(games, seed):
        try:
            calibrate.main([str(raw), str(out), "--games", str(games), "--seed", str(seed), "--jobs", "1"])
        except SystemExit as end:
            return end.code
        return 0

    assert run(2, 3) == 2  # too few games for a curve, but they are kept
    assert "expected at least 20" in capsys.readouterr().err
    text = raw.read_text("utf-8")
    rows = [json.loads(line) for line in text.splitlines()[1:]]
    assert [row["game"] for row in rows] == [0, 1]
    assert rows == calibrate.play(3, 0, 2)
    assert all(len(stages) == 3 and all(0 < stage < 1 for stage in stages) for row in rows for stages in row["raw"])

    raw.write_text(text[:-20], "utf-8")
    assert run(2, 3) == 2
    assert raw.read_text("utf-8") == text
    capsys.readouterr()
    assert run(2, 4) == 2
    assert "of other games" in capsys.readouterr().err
    assert raw.read_text("utf-8") == text and not out.exists()


def test_games_with_modules_have_a_calibration_of_their_own(calibrate, tmp_path, monkeypatch):
    """It is found by the rules in use, and the opinion of a position with them is calibrated by it."""
    raw = tmp_path / "raw.jsonl"
    rows = calibrate.play(3, 0, 1, ("dux",))
    assert len(rows) == 1 and rows[0]["raw"]
    assert all(len(stages) == 3 for row in rows for stages in row["raw"])
    assert calibrate.begun(raw, 3, ("dux",)) == []
    with pytest.raises(WeightsError, match="of other games"):
        calibrate.begun(raw, 3)
    other = replace(shipped_calibration(), games=77, rules=calibration.named_set(("goths", "dux")))
    again = read_calibration(write_calibration(other))
    assert again.rules == "dux, goths" and shipped_calibration().rules == "base game"
    monkeypatch.setattr(calibration, "_shipped", lambda: {again.rules: again})
    table = rules.random_set_up(Ruleset.from_text("4211+dux+goths"), 1)
    best = candidates(table, EXPECTIMAX, top=1).best
    found = opinion(best, prospects(table, best.plan), table)
    assert found.games == 77 and found.value == again.curves[2].chance(best.value, table.ruleset, 0.95).value
    assert "calibrated on 77 games with dux, goths" in str(basis_of(table))
