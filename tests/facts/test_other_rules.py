"""Facts under other rules: verdicts against another way to the same values, what is never said, what is kept and refused."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tetrasolve.claims import otherrules
from tetrasolve.claims.otherrules import CHANGES, FAILS, NAME, SAME, UNKNOWN, StoredVerdicts, Verdict, ask, facts_under
from tetrasolve.errors import FactError, OutOfTimeError, RulesetError
from tetrasolve.exact import absorb
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.otherrules import assume, canonical, standing
from tetrasolve.tetrarchia.facts.subject import standard_index, standard_subject
from tetrasolve.tetrarchia.position import REVOLT_DISC, Phase, Position
from tetrasolve.tetrarchia.rules.activity import Uprising, resolve
from tetrasolve.tetrarchia.rules.barbarian import row
from tetrasolve.tetrarchia.rules.choices import decline, settled
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset

SUBJECT, INDEX, BOARD = standard_subject(), standard_index(), Board.standard()


def part(*topics: str) -> otherrules.Index:
    """The index with some topics alone."""
    return replace(INDEX, entries=tuple(entry for entry in INDEX.entries if entry.topic.id in topics))


@pytest.fixture(scope="module")
def one_roll() -> dict[str, Verdict]:
    return dict(facts_under("I-CHECK=one-roll", part("uprising", "march", "map/count", "turn-most", "growth"), SUBJECT))


def new_revolts(place: str, reading: str) -> dict[str, str]:
    """The chances of so many new revolts of an uprising, under a value of I-CHECK that is named, as the fact has them."""
    ruleset = Ruleset(interpretations=(("I-CHECK", reading),))
    start = Position(BOARD, ruleset, "diocletian", Phase.BARBARIAN, 0, {}, (2, 3), (), {place: REVOLT_DISC})
    ends = absorb(
        settled(resolve(start, place), decline), lambda step: row(step) if isinstance(step, Uprising) else None
    ).ends
    found: dict[int, Fraction] = {}
    for end, chance in ends.items():
        number = len(end.position.revolts) - 1  # type: ignore[union-attr]  # no uprising on quiet ground ends the game
        found[number] = found.get(number, Fraction(0)) + chance
    return {f"chance.{number}": str(chance) for number, chance in found.items()}


def test_what_changes_is_what_another_derivation_says(one_roll: dict[str, Verdict]) -> None:
    """Of every province: by rulesets that name the reading, in this process, which assumes nothing."""
    for entry in part("uprising").entries:
        if entry.instance.startswith("in-"):
            place = entry.instance.removeprefix("in-")
            before, after = new_revolts(place, "each-link"), new_revolts(place, "one-roll")
            assert before == {path: value for path, value in entry.values.items() if path.startswith("chance")}
            assert (one_roll[entry.id].verdict == CHANGES) == (before != after)
            for path, value in list(after.items())[:1] if before != after else []:
                assert value == before.get(path) or f"{path} {value}" in one_roll[entry.id].text
    assert {one.verdict for one in one_roll.values()} == {SAME, CHANGES, UNKNOWN}


def test_what_is_not_derived_by_the_ruleset_is_not_known(one_roll: dict[str, Verdict]) -> None:
    """The growth of revolts is bounded by a computation of its own; the most of a turn holds in every reading, as it says."""
    assert {one_roll[entry.id].verdict for entry in part("growth").entries} == {UNKNOWN}
    assert {one_roll[entry.id] for entry in part("turn-most", "map/count").entries} == {Verdict(SAME, "")}


def test_a_house_rule_changes_prices_and_lets_proofs_fail() -> None:
    """With one army fewer the position of a statement cannot occur; the price of each attack is that of the rules."""
    found = facts_under("attack=1,armies=2", part("wait", "map/count", "turn-most"), SUBJECT)
    under = Ruleset(house=(("armies", 2), ("attack", 1)))

    for entry in part("wait").entries:
        if entry.instance.startswith("alone-"):
            army, price = entry.instance.removeprefix("alone-"), int(entry.values["attack.ip"])
            table = Position(
                BOARD,
                under,
                "diocletian",
                Phase.ROMAN,
                6,
                {"diocletian": entry.values["attack.from"]},
                (2, 3),
                (army,),
                {},
            )
            if not BOARD[army].is_border:
                table = table.with_disc(army, REVOLT_DISC)
            costs = {rules.cost(table, one) for one in rules.legal_actions(table) if one.place == army}
            assert costs == {price + 1}
            assert found[entry.id] == Verdict(CHANGES, f"attack.ip {price + 1}")
    assert found["map/count"] == Verdict(SAME, "it does not depend on that")
    assert {found[entry.id].verdict for entry in part("turn-most").entries} == {UNKNOWN}


def test_a_derivation_that_raises_has_failed() -> None:
    topic = replace(SUBJECT.claims.topics()["march"], derive=lambda board: {}[board])
    gone = replace(topic, derive=lambda _: {})

    assert otherrules.judged(topic, {"persia": {}}, BOARD)["persia"].verdict == FAILS
    assert otherrules.judged(gone, {"persia": {}}, BOARD) == {"persia": Verdict(FAILS, "there is no such fact")}


def test_no_fact_of_the_base_game_depends_on_a_reading_of_a_module() -> None:
    topics = SUBJECT.claims.topics()
    for reading in READINGS.values():
        if reading.needs:
            text = f"{reading.name}={list(reading.options)[1]}"
            assert standing(topics["wait"], text)[0] == standing(topics["growth"], text)[0] == SAME
            assert standing(topics["statement/dux"], text)[0] == otherrules.DERIVE


def test_answers_are_kept_and_go_stale(tmp_path: Path) -> None:
    index = part("march", "map/count")
    ask(["blocked=2", "ip=7"], index, SUBJECT, tmp_path)
    kept = StoredVerdicts.load(tmp_path)

    assert kept.of("blocked=2", index, SUBJECT)["march/britannia"].verdict == CHANGES
    assert {one.verdict for one in kept.of("ip=7", index, SUBJECT).values()} == {SAME}
    assert not (tmp_path / otherrules.CHECKPOINT).exists()
    with pytest.raises(
        FactError, match="what blocked=1 does to the facts is not kept; `tetrasolve facts under blocked=1` asks"
    ):
        kept.of("blocked=1", index, SUBJECT)
    with pytest.raises(FactError, match="is of other facts, or of another board"):
        kept.of("ip=7", part("march"), SUBJECT)
    before = (tmp_path / NAME).read_bytes()
    ask(["ip=7"], index, SUBJECT, tmp_path, seconds=0)  # nothing is left to ask
    assert (tmp_path / NAME).read_bytes() == before


def test_a_run_that_is_stopped_keeps_nothing_wrong(tmp_path: Path) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(OutOfTimeError):
        ask(["blocked=2"], part("march"), SUBJECT, tmp_path, cancel=stop)
    assert not (tmp_path / NAME).exists()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{}", "expected facts under other rules that say"),
        ("[", "otherrules.json"),
        (
            json.dumps({"format": otherrules.FORMAT, "rules": {"ip=7": {"digest": "x", "facts": {"a": ["true", ""]}}}}),
            "no verdict",
        ),
        (json.dumps({"format": otherrules.FORMAT, "rules": {"ip=7": {"digest": "x"}}}), "facts"),
        (
            json.dumps({"format": otherrules.FORMAT, "rules": {"ip=7": {"digest": "x", "facts": {"a": ["same"]}}}}),
            "facts under",
        ),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / NAME).write_text(text, "utf-8")
    with pytest.raises(FactError, match=problem):
        StoredVerdicts.load(tmp_path)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("I-CHECK", "expected a reading or house rule, like I-CHECK=one-roll or ip=7"),
        ("I-CHECK=both", "'both' is no value of it; there are each-link, one-roll"),
        ("I-CHECK=each-link", "expected a value that is not the default"),
        ("I-CHECK=one-roll,I-CHECK=each-link", "reading I-CHECK is given twice"),
        ("I-CHEK=one-roll", "does not exist, expected one like"),
        ("I-NOPE=1", "reading 'I-NOPE' does not exist, expected one like"),
        ("ip=6", "expected a value that is not the default"),
        ("ip=x", "house rule ip: 'x', expected a whole number"),
        ("ip=7,ip=8", "house rule ip is given twice"),
        ("", "expected a reading or house rule"),
    ],
)
def test_other_rules_that_are_none_are_refused(text: str, error: str) -> None:
    with pytest.raises(RulesetError, match=error):
        canonical(text)


def test_this_process_assumes_nothing() -> None:
    """What the tests above asked was asked elsewhere."""
    assert str(Ruleset()) == "4211"
    with pytest.raises(RulesetError):
        assume("ip=6")
    assert str(Ruleset()) == "4211"
