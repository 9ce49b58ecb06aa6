"""Calibration: a raw value becomes the share of games that were won, and the interval counts games."""

import json
from dataclasses import replace
from importlib.resources import files
from itertools import cycle
from math import exp
from random import Random

import pytest

from tetrasolve.exact.estimate import Estimate
from tetrasolve.exact.opinion import chance_of, logit_of
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.hint import basis, calibration
from tetrasolve.tetrarchia.hint import opinion as opinions
from tetrasolve.tetrarchia.hint.basis import basis_of
from tetrasolve.tetrarchia.hint.calibration import (
    MAIN,
    MIDDLE,
    RULES,
    TERMS,
    Curve,
    networks,
    read_calibration,
    shipped_calibration,
    terms,
    write_calibration,
)
from tetrasolve.tetrarchia.hint.courses import by_turns
from tetrasolve.tetrarchia.hint.opinion import EVALUATED, chance_data, opinion
from tetrasolve.tetrarchia.hint.policy import EXPECTIMAX, Candidate, candidates
from tetrasolve.tetrarchia.hint.prospects import prospects
from tetrasolve.tetrarchia.hint.weights import WeightsError, shipped
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

MIDDLE_LEVEL = Ruleset.from_level("".join(map(str, MIDDLE)))
NOTHING = [[0.0] * len(TERMS)] * len(TERMS)


def weights_with(**values):
    """Weights of the terms by name, with `_` for what is no letter; 0 for all others."""
    names = [term.replace(" ", "_").replace(":", "_").replace("-", "_") for term in TERMS]
    assert set(values) <= set(names)
    return tuple(values.get(name, 0.0) for name in names)


HONEST = Curve(weights_with(raw=1.0), NOTHING, -5.0, 5.0)  # the identity


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
    bowed = replace(unsure(0.01), weights=weights_with(raw=1.0, raw_squared=0.05), least=-2.0, most=3.0)
    value, low, high = bowed.chance(0.99, MIDDLE_LEVEL, 0.95)
    assert high == 1 and low < value < high
    assert logit_of(value) == pytest.approx(3 + 0.05 * 9 + (1 + 0.1 * 3) * (logit_of(0.99) - 3))
    value, low, high = bowed.chance(0.01, MIDDLE_LEVEL, 0.95)
    assert low == 0 and low < value < high
    assert 0 <= bowed.chance(0.0, MIDDLE_LEVEL, 0.95).value < value
    assert bowed.chance(1.0, MIDDLE_LEVEL, 0.95).high == 1


def test_levels_are_counted_from_the_middle():
    """Whose figures are all 0."""
    assert terms(2.0, MIDDLE_LEVEL)[: len(MAIN)] == (1, 2, 4, 0, 0, 0, 0) and not any(
        terms(2.0, MIDDLE_LEVEL)[len(MAIN) :]
    )
    assert terms(-1.0, Ruleset.from_level("5300"))[: len(MAIN)] == (1, -1, 1, 1, 1, -1, -1)


def test_terms_are_those_of_their_names():
    """Products of two, and one for each rule."""
    rules = {"pirates", "rebels", "goths"}
    row = dict(zip(TERMS, terms(3.0, Ruleset.from_level("4222"), rules), strict=True))
    row |= {"rules": True, "rebels": 1.0}
    for name, value in row.items():
        if ":" in name:
            one, other = name.split(":")
            assert value == row[one] * row[other], name
        elif name in RULES:
            assert value == (name in rules), name


def test_rules_move_the_curve():
    """By their terms, which add up; the slope is that of the terms with the raw value."""
    curve = replace(HONEST, weights=weights_with(raw=1.0, dux=0.5, barbaria=-0.25, raw_rules=-0.5))
    plain, alone = (logit_of(curve.chance(0.7, MIDDLE_LEVEL, 0.95, rules).value) for rules in ((), {"dux"}))
    both = logit_of(curve.chance(0.7, MIDDLE_LEVEL, 0.95, {"dux", "barbaria"}).value)
    assert alone == pytest.approx(plain / 2 + 0.5) and both == pytest.approx(alone - 0.25)
    assert curve.is_rising(MIDDLE_LEVEL, {"dux"})
    assert not replace(curve, weights=weights_with(raw=0.4, raw_rules=-0.5)).is_rising(MIDDLE_LEVEL, {"dux"})
    assert logit_of(curve.chance(0.999, MIDDLE_LEVEL, 0.95, {"dux"}).value) == pytest.approx(
        5 / 2 + 0.5 + (logit_of(0.999) - 5) / 2
    )


# -- what is shipped -------------------------------------------------------------------------------------------


def test_what_is_shipped_is_of_the_shipped_weights():
    """With a curve for each stage, all rising, from some thousand games; the file is as `write_calibration` writes it."""
    found = shipped_calibration()
    assert found.weights == networks() == (shipped().digest, shipped(modules=True).digest)
    assert set(found.curves) == set(EVALUATED)
    assert found.made["command"].startswith("python -m tetrasolve.tetrarchia.hint.calibrate --seed ")
    assert found.games > 1000 and found.tables > 5000
    text = (files("tetrasolve.tetrarchia.hint") / "data" / "calibration.json").read_text("utf-8")
    assert write_calibration(read_calibration(text)) == text


@pytest.mark.parametrize("stage", EVALUATED)
def test_the_shipped_curves_keep_the_order(stage):
    """At every level: a higher raw value means more wins, and the value lies inside its interval."""
    curve = shipped_calibration().curves[stage]
    assert curve.least < 0 < curve.most
    for level, rule in zip(all_levels(), cycle([(), *([rule] for rule in RULES)]), strict=False):
        assert curve.is_rising(level, rule)
        rows = [curve.chance(raw / 200, level, 0.95, rule) for raw in range(201)]
        assert all(0 <= row.low <= row.value <= row.high <= 1 for row in rows)
        values = [row.value for row in rows]
        assert values == sorted(values) and len(set(values)) == len(values)


def test_a_calibration_of_other_weights_is_refused(monkeypatch):
    """It would say something about another evaluation."""
    other = replace(shipped(), start=bytes(len(shipped().start)))
    monkeypatch.setattr(calibration, "shipped", lambda **_: other)
    with pytest.raises(WeightsError, match=f"made with weights {shipped().digest} and .*, expected {other.digest} and"):
        shipped_calibration.__wrapped__()


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("tetrasolve-calibration/2", "tetrasolve-weights/1"),
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
    with pytest.raises(WeightsError, match=r"expected a file of calibration, tetrasolve-calibration/2: "):
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


def played(calibrate, games, seed, weights):
    """Games of one position each, won as a curve with these weights says, at all levels and with all rules."""
    rng, levels = Random(seed), list(all_levels())
    rows = []
    for game in range(games):
        level, logit = levels[game % len(levels)], rng.uniform(-2, 4)
        in_use = [rule for rule in RULES if rng.random() < 0.2]
        odds = sum(weight * term for weight, term in zip(weights, terms(logit, level, in_use), strict=True))
        won = rng.random() < 1 / (1 + exp(-odds))
        rows.append(calibrate.Sample(chance_of(logit), level, in_use, won, game))
    return rows


def test_the_fit_finds_the_curve_that_games_followed(calibrate):
    """Within four standard errors each, and its chances within the intervals at 99.9 %."""
    true = weights_with(
        constant=0.3,
        raw=1.2,
        raw_squared=0.1,
        garrisons=0.2,
        fleets=-0.3,
        revolts=0.1,
        raw_revolts=0.1,
        goths=-0.4,
        rebels_armies=0.2,
    )
    found = calibrate.curve_of(played(calibrate, 20_000, 4, true))
    for place, (name, got, want) in enumerate(zip(TERMS, found.weights, true, strict=True)):
        error = found.covariance[place][place]
        assert abs(got - want) < 4 * error**0.5, name
        assert 0 < error < 0.03, name
    for raw in (0.2, 0.5, 0.9):
        for level, in_use in ((MIDDLE_LEVEL, ()), (Ruleset.from_level("3122"), ("goths", "pirates"))):
            odds = sum(weight * term for weight, term in zip(true, terms(logit_of(raw), level, in_use), strict=True))
            found_chance = found.chance(raw, level, 0.999, in_use)
            assert found_chance.low < chance_of(odds) < found_chance.high


def test_the_fit_counts_games_not_positions(calibrate):
    """The same position five times in a game tells no more than once; in five games it would."""
    rows = played(calibrate, 2_000, 9, weights_with(raw=1.0))
    once = calibrate.curve_of(rows)
    often = calibrate.curve_of([row for row in rows for _ in range(5)])
    main = range(len(MAIN))  # the other terms have a penalty, which counts less beside more positions
    assert [often.weights[place] for place in main] == pytest.approx([once.weights[place] for place in main], abs=0.05)
    for place in main:
        assert often.covariance[place][place] == pytest.approx(once.covariance[place][place], rel=0.1)
    apart = [replace(row, game=5 * row.game + i) for row in rows for i in range(5)]
    more = calibrate.curve_of(apart)
    assert more.covariance[0][0] == pytest.approx(once.covariance[0][0] / 5, rel=0.15)


def test_what_few_games_say_counts_little(calibrate):
    """The term of a rule with two games stays near 0, and its error near what it was a priori."""
    rows = [replace(row, rules=("dux",) if row.game < 2 else (), won=row.won or row.game < 2)
            for row in played(calibrate, 2_000, 9, weights_with(raw=1.0))]  # fmt: skip
    found, place = calibrate.curve_of(rows), TERMS.index("dux")
    assert abs(found.weights[place]) < 0.5
    assert found.covariance[place][place] ** 0.5 == pytest.approx(calibrate.DOUBT**-0.5, rel=0.25)


def test_a_curve_that_falls_is_refused(calibrate):
    """There is something wrong with games that are lost where the raw value is higher."""
    rows = played(calibrate, 2_000, 9, weights_with(raw=-1.0))
    with pytest.raises(WeightsError, match="the curve decreases"):
        calibrate.curve_of(rows)


def test_games_are_gone_on_with(calibrate, tmp_path, capsys):
    """A line that was not finished is played again, and other games are not mixed in; the games of seed 7 are short."""
    raw, out = tmp_path / "raw.jsonl", tmp_path / "calibration.json"

    def run(games, seed):
        try:
            calibrate.main([str(raw), str(out), "--games", str(games), "--seed", str(seed), "--jobs", "1"])
        except SystemExit as end:
            return end.code
        return 0

    assert run(2, 7) == 2  # too few games for a curve, but they are kept
    assert "expected at least 20" in capsys.readouterr().err
    text = raw.read_text("utf-8")
    rows = [json.loads(line) for line in text.splitlines()[1:]]
    assert [row["game"] for row in rows] == [0, 1]
    assert rows == calibrate.play(7, 0, 2)
    assert all(len(stages) == 3 and all(0 < stage < 1 for stage in stages) for row in rows for stages in row["raw"])

    raw.write_text(text[:-20], "utf-8")
    assert run(2, 7) == 2
    assert raw.read_text("utf-8") == text
    capsys.readouterr()
    assert run(2, 4) == 2
    assert "of other games" in capsys.readouterr().err
    assert raw.read_text("utf-8") == text and not out.exists()


def test_games_have_all_rules(calibrate):
    """Every other game is one of the base game; the others have modules or variants, or are scenarios."""
    courses = [by_turns(3, number) for number in range(400)]
    assert [course.ruleset.level for course in courses[:162:2]] == [level.level for level in all_levels()]
    assert not any(course.has_modules for course in courses[::2])
    assert sum(course.has_modules for course in courses[1::2]) >= 190  # a set of modules can be empty
    seen = {name for course in courses for name in course.ruleset.extensions}
    assert seen == set(RULES) - {"rebels"}
    wars = {(course.scenario, course.fixed) for course in courses}
    assert wars >= {(name, fixed) for name in rules.scenarios() for fixed in (False, True)}
    war = next(number for number, course in enumerate(courses) if course.scenario == "great-persian-war")
    (row,) = calibrate.play(3, war, war + 1)
    assert row["rules"] == ["pirates", "rebels"] and row["scenario"] == "great-persian-war"
    assert all(len(stages) == 3 for stages in row["raw"])


def test_a_calibration_counts_games_with_each_rule(monkeypatch):
    """The opinion of a position uses the terms of the rules in use, and its basis says how many games they rest on."""
    sets = {"base game": 90, "dux": 30, "dux, goths": 7, "goths": 25}
    other = replace(shipped_calibration(), sets=sets)
    again = read_calibration(write_calibration(other))
    assert again.sets == sets and again.games == 152 and again.games_with("goths") == 32
    assert again.covers(()) and again.covers(("dux", "goths")) and not again.covers(("pirates",))
    more = {
        stage: tuple(weight + (name == "dux") for weight, name in zip(curve.weights, TERMS, strict=True))
        for stage, curve in again.curves.items()
    }
    moved = {stage: replace(curve, weights=more[stage]) for stage, curve in again.curves.items()}
    again = replace(again, curves=moved)
    for module in (basis, opinions):
        monkeypatch.setattr(module, "shipped_calibration", lambda: again)
    table = rules.random_set_up(Ruleset.from_text("4211+dux+goths"), 1)
    best = candidates(table, EXPECTIMAX, top=1).best
    found = opinion(best, prospects(table, best.plan), table)
    chance = again.curves[2].chance(best.value, table.ruleset, 0.95, {"dux", "goths"})
    assert found.games == 32 and found.value == chance.value
    shipped_curve = shipped_calibration().curves[2]
    assert chance.value > shipped_curve.chance(best.value, table.ruleset, 0.95, {"dux", "goths"}).value
    assert "calibrated on 7 games with exactly dux, goths; each of these rules was in use in at least 32 games" in str(
        basis_of(table)
    )
    alone = rules.random_set_up(Ruleset.from_text("4211+pirates"), 1)
    assert "never calibrated with pirates" in str(basis_of(alone))
    monkeypatch.setattr(basis, "shipped_calibration", lambda: replace(again, sets={"dux": 30, "goths": 25}))
    several = "never calibrated with exactly dux, goths; each of these rules was in use in at least 25 games"
    assert several in str(basis_of(table))
    monkeypatch.setattr(basis, "shipped_calibration", lambda: replace(again, sets={"dux": 30, "dux, goths": 3}))
    one = rules.random_set_up(Ruleset.from_text("4211+dux"), 1)
    assert "calibrated on 33 games with dux, 30 of them without other rules" in str(basis_of(one))
