"""Whether the rules are consistent: each claim's verdict, and a planted defect that each check finds."""

from dataclasses import replace

import pytest

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint import consistency, rarerules
from tetrasolve.tetrarchia.lint.consistency import (
    CLAIMS,
    END_FACTS,
    SUPPLY_FACTS,
    Status,
    check_consistency,
    supply_problem,
)
from tetrasolve.tetrarchia.lint.ends import Witnesses
from tetrasolve.tetrarchia.lint.passive import stored_bound
from tetrasolve.tetrarchia.lint.profile import stored_profile
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import read_record
from tetrasolve.tetrarchia.rules import activity, chance, combat, movement, protection, roman

FEW = replace(stored_profile(), examples=stored_profile().examples[:2])


NONE = Witnesses()  # replaying games of both ends takes seconds: tests/lint/test_ends.py


def verdicts(profile=FEW, witnesses=NONE, **options):
    found = {verdict.claim: verdict for verdict in check_consistency(profile, witnesses, every=40, **options)}
    assert found.keys() == CLAIMS.keys()
    return found


def test_what_is_known_of_each_claim():
    """Nothing is refuted but that each game ends: waiting play does not."""
    found = verdicts(stored_profile(), witnesses=None)

    assert {claim: verdict.status for claim, verdict in found.items()} == {
        "faces": Status.PROVED,
        "supply": Status.PROVED,
        "modules": Status.UNKNOWN,
        "way-on": Status.UNKNOWN,
        "in-play": Status.PROVED,
        "won": Status.UNKNOWN,
        "lost": Status.PROVED,
        "ends": Status.REFUTED,
        "passive": Status.PROVED,
    }
    assert found["supply"].facts == SUPPLY_FACTS
    for rule in set(stored_profile().never()):
        assert rule in found["in-play"].how
    for claim in ("modules", "way-on", "won"):
        assert "open: " in found[claim].how


def test_a_rule_without_a_game_is_unknown(monkeypatch):
    """Without the games that go on with chosen dice some rules apply in none."""
    monkeypatch.setattr(rarerules, "CONTINUED", {})
    found = verdicts(stored_profile())["in-play"]

    assert found.status is Status.UNKNOWN
    for rule in ("p12-dux-attack", "p14-usurper-rises", "p14-usurper-reserve"):
        assert rule in found.how.partition("in none of")[2]
    assert "p16-fixed in a scenario with a fixed set-up" in found.how


def test_a_table_that_is_too_small_proves_nothing(monkeypatch):
    bound = {now: number - 1 for now, number in stored_bound().items()}
    monkeypatch.setattr(consistency, "stored_bound", lambda: bound | {(0, 0, 0): 5})
    found = verdicts()["passive"]

    assert found.status is Status.UNKNOWN
    assert "5 is less than" in found.how


def test_the_facts_that_are_cited_are_there():
    from tetrasolve import facts

    known = {fact.id for fact in facts()}
    assert known.issuperset((*SUPPLY_FACTS, *END_FACTS))


# -- planted defects ---------------------------------------------------------------------------------------------------


def missing_province(monkeypatch):
    """No province has the number 5 in region III."""
    plain = Board.at

    def at(self, region, number):
        if (region, number) == (3, 5):
            raise KeyError("III:5")
        return plain(self, region, number)

    monkeypatch.setattr(Board, "at", at)


def no_draw(monkeypatch):
    """Equal values have no outcome."""
    plain = combat.Battle.outcome
    monkeypatch.setattr(
        combat, "_outcomes", lambda fight: tuple(
            None if (r + fight.garrisons) * 2**fight.emperors == (b + fight.revolts + fight.bonus) * 2**fight.armies
            else plain(fight, r, b) for r in range(1, 7) for b in range(1, 7)
        ),
    )  # fmt: skip


def check_without_six(monkeypatch):
    """The six of a check neither passes nor stops."""
    monkeypatch.setattr(consistency, "passes", lambda face: None if face == 6 else chance.passes(face))


@pytest.mark.parametrize("plant", [missing_province, no_draw, check_without_six])
def test_a_face_without_effect_is_found(monkeypatch, plant):
    plant(monkeypatch)
    found = verdicts()["faces"]

    assert found.status is Status.REFUTED
    assert found.how


def endless_revolts(monkeypatch):
    """Activity places revolts that are not there."""
    monkeypatch.setattr(
        activity, "put_revolts", lambda position, places: position.with_discs(frozenset(places), "revolt")
    )


def endless_garrisons(monkeypatch):
    """An Emperor secures without a garrison in the reserve."""
    monkeypatch.setattr(
        protection, "secure_objection", lambda position: "a disc" if position.here in position.discs else None
    )


@pytest.mark.parametrize(("plant", "what"), [(endless_revolts, "revolts"), (endless_garrisons, "garrisons")])
def test_a_negative_reserve_is_found_with_its_trace(monkeypatch, plant, what):
    plant(monkeypatch)
    found = verdicts()["supply"]

    assert found.status is Status.REFUTED
    assert f"-1 {what}" in found.how
    assert found.trace, "the record or the position"
    assert found.then


def no_way_off(monkeypatch):
    """An Emperor may go where another stands although he cannot leave."""
    monkeypatch.setattr(movement, "_stay_objection", lambda *_: None)


def no_end(monkeypatch):
    """No turn may end."""
    monkeypatch.setattr(roman, "end_objection", lambda _: "never")


@pytest.mark.parametrize("plant", [no_way_off, no_end])
def test_a_position_without_a_way_on_is_found_with_its_trace(monkeypatch, plant):
    plant(monkeypatch)
    found = check_consistency(replace(FEW, examples=()), Witnesses(), every=1)
    (stuck,) = (verdict for verdict in found if verdict.claim == "way-on")

    assert stuck.status is Status.REFUTED
    (line,) = stuck.trace
    position = Position.parse(line)
    (action,) = read_action(stuck.then, position.board)
    after = rules.play(position, action)
    assert not rules.legal_actions(after)
    assert not rules.may_end(after)


def test_a_rule_that_never_applies_is_named():
    found = verdicts(replace(FEW, examples=()))["in-play"]

    assert found.status is Status.UNKNOWN
    assert "p08-secure" in found.how


def test_an_example_that_does_not_replay_is_found():
    example = FEW.examples[0]
    dice = next(i for i, line in enumerate(example.record) if line.startswith("dice:"))
    bad = replace(example, record=(*example.record[:dice], *example.record[dice + 1 :]))
    found = verdicts(replace(FEW, examples=(bad,)))["in-play"]

    assert found.status is Status.REFUTED
    assert found.trace == bad.record


def test_a_trace_of_a_game_replays():
    """The record up to a state is a record."""
    game = read_record("\n".join(FEW.examples[0].record) + "\n")
    part = read_record("\n".join(consistency._until(game, 9)) + "\n")

    assert part.state == game.states[9]


def test_time_that_is_over_is_unknown():
    found = verdicts(seconds=0)

    assert found["faces"].status is Status.UNKNOWN
    assert found["in-play"].status is Status.UNKNOWN


def test_reserves_are_looked_at_one_by_one():
    position = Position.parse("3111 D:6 rom/-/-/- 1 - - - -/-/-/-")

    assert supply_problem(position) == ""
    assert supply_problem(position.replace(fleets=())) == "0 Roman fleets, expected 1"
    assert "-1 armies" in supply_problem(position.replace(armies=position.board.ids[:4]))
    assert "-1 unrest" in supply_problem(position.replace(discs=dict.fromkeys(position.board.ids[:22], "unrest")))
    assert "-1 garrisons of galerius" in supply_problem(
        position.replace(discs=dict.fromkeys(position.board.ids[:4], "galerius"))
    )
