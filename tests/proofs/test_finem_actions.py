"""Certificates of the best actions of the second game: the checker confirms what is true, and no false claim made by hand.

Digests are computed again, since they are no obstacle for a forger.
"""

from __future__ import annotations

from functools import partial
from random import Random

import checker
import pytest
from finem import actions as checker_actions
from finem import map as checker_map
from tablefinem import RULESETS, table
from tampered import sealed as sealed_lines

from tetrasolve.certify.form import read_certificate
from tetrasolve.errors import CertificateError, IllegalPositionError, ObjectiveError, OutOfTimeError
from tetrasolve.finem import certificate
from tetrasolve.finem.certificate import FIELDS, KIND, certify
from tetrasolve.finem.evaluation import read_objective
from tetrasolve.finem.examples import examples
from tetrasolve.finem.fast import engine_of, position_of
from tetrasolve.finem.kernel import Rng
from tetrasolve.finem.plan import plan
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.ruleset import Ruleset

BOARDS = [path for path in checker.BOARDS if path.exists()]
START = table("consul", rules="standard", dice="5221/E", cubes="C7:C3.E5:E3.CS:O1", tracks="2/2", step="act:3")
HERE = certify(START, "cubes=-2 cubes:E=-4 pacified=1 won=50")


def verdict(text: str) -> tuple[int, str]:
    return checker.verdict(text.encode("ascii"), BOARDS)


def sealed(text: str) -> str:
    """The text with the digest that belongs to it."""
    return sealed_lines(text.split("\n")[:-2])


def forged(**changes: str) -> tuple[int, str]:
    """The verdict on the certificate with other fields."""
    text = HERE.text()
    for name, value in changes.items():
        line = f"{name} {HERE.field(name)}\n"
        assert text.count(line) == 1
        text = text.replace(line, f"{name} {value}\n" if value else "")
    return verdict(sealed(text))


def test_the_certificate_is_confirmed_and_reads_back() -> None:
    code, sentence = verdict(HERE.text())
    assert (code, sentence) == (
        checker.CONFIRMED,
        f"confirmed: no actions are better than {HERE.field('actions')}: most {HERE.field('value')}",
    )
    assert read_certificate(HERE.text(), FIELDS, ()) == HERE and HERE.kind == KIND
    assert HERE.field("actions") == "move E5, confront E, confront E" and HERE.field("value") == "-11"


FALSE = {
    "a better value": {"value": "-10"},
    "a worse value, which is reached too": {"value": "-13", "actions": "confront C, confront C, confront C"},
    "actions that are legal and not the best": {"actions": "confront C, confront C, confront C"},
    "an action dropped": {"actions": "move E5, confront E"},
    "none of them": {"actions": "none"},
    "one action too many": {"actions": "move E5, confront E, confront E, confront E"},
    "an action of another role": {"actions": "confront C all, move E5, confront E"},
    "a move that no rule allows": {"actions": "move B5, confront E, confront E"},
    "a ride without a Dictator": {"actions": "ride"},
    "pass in between": {"actions": "move E5, pass, confront E"},
    "a card as an action": {"actions": "E5, confront E, confront E"},
    "the best for another side": {"objective": "least pacified=1 cubes:O=-2 cubes:C=-2 cubes:E=-4 cubes:B=-2 won=50"},
    "another weight": {"objective": HERE.field("objective").replace("cubes:E=-4", "cubes:E=-5")},
    "another position: one cube less": {"position": HERE.field("position").replace("C7:C3", "C7:C2")},
    "another position: one action more": {"position": HERE.field("position").replace("act:3", "act:4")},
    "another role": {"position": HERE.field("position").replace("consul", "tribune")},
    "a reading under which a die can be pacified": {
        "position": HERE.field("position").replace("standard", "standard?E-PACIFY=free")
    },
    "another region last invaded": {"position": HERE.field("position").replace("/E5 ", "/B5 ")},
    "another map": {"board": "et-finem " + "0" * 64},
    "a sign before nothing": {"value": "-0"},
    "a value that is no fraction in lowest terms": {"value": "-22/2"},
    "no value": {"value": ""},
    "a position in the middle of a campaign": {"position": HERE.field("position").replace("act:3", "draw")},
    "a position that cannot occur": {"position": HERE.field("position").replace("5221/E", "5261/E")},
    "points above the limit, which are taken off before a turn begins": {
        "position": HERE.field("position").replace("5221/E", "5521/E")
    },
    "a position that is written otherwise": {"position": HERE.field("position").replace(" 2/2 ", " 02/2 ")},
    "an objective that is written otherwise": {"objective": HERE.field("objective") + " die=0"},
    "a weight above all bounds": {"objective": HERE.field("objective").replace("won=50", "won=99999")},
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_not_confirmed(name: str) -> None:
    changes = {field: _in_order(value) if field == "objective" else value for field, value in FALSE[name].items()}
    code, sentence = forged(**changes)
    assert code in (checker.REFUTED, checker.UNREADABLE), sentence
    assert "cannot check it" not in sentence  # each is seen for what it is


@pytest.mark.parametrize("actions", ["move E5, pass, confront E", "move E5, confront E, confront E, pass", "pass"])
def test_a_pass_is_refused_as_what_no_certificate_has(actions: str) -> None:
    """The game offers it; a certificate says nothing of it, as the phase is passed after its last action."""
    code, sentence = forged(actions=actions)
    assert code == checker.REFUTED
    assert "is 'pass': the actions end without it" in sentence or "comes when the actions are over" in sentence
    assert "not legal" not in sentence


def _in_order(text: str) -> str:
    """An objective in its usual form where it has one, so that the claim is false and not its form."""
    side, _, words = text.partition(" ")
    try:
        return f"{side} {read_objective(f'{side} {words}').evaluation}" if "die=0" not in words else text
    except ObjectiveError:
        return text


def test_what_follows_the_claim_is_refused_and_a_broken_digest_too() -> None:
    text = HERE.text()
    assert verdict(sealed_lines([*text.split("\n")[:-2], "proof 1"]))[0] == checker.UNREADABLE
    assert verdict(text.replace("-11", "-12"))[0] == checker.REFUTED


def test_a_dictators_ride_is_a_mean_over_the_deck() -> None:
    start = table("dictator", rules="standard", dice="2221/-", cubes="BR:B3.BS:B3", step="act:2")
    found = certify(start, "cubes=-1")
    assert found.field("actions") == "ride" and verdict(found.text())[0] == checker.CONFIRMED
    for value in ("-5", "-6"):
        text = found.text().replace(f"value {found.field('value')}\n", f"value {value}\n")
        assert verdict(sealed(text))[0] == checker.REFUTED
    passed = found.text().replace("actions ride\n", "actions none\n")
    assert verdict(sealed(passed))[0] == checker.REFUTED


def test_certificates_of_positions_of_games_are_confirmed() -> None:
    """Of all rulesets; another value is refuted."""
    done = 0
    for seed in range(60):
        chosen = Ruleset.from_text(RULESETS[seed % len(RULESETS)]).dealt(Random(seed))
        state = position_of(chosen, engine_of(chosen).random_state(seed + 10, Rng(seed)))
        if not isinstance(state, Position) or state.step is not Step.ACT or state.status():
            continue
        start = state.replace(left=min(state.left, 1 if state.role == "dictator" else 2))
        if start.status():
            continue
        found = certify(start, ("cubes=-1 won=90", "least die=2 cubes:O=3", "pacified=4 cubes:E=-1")[seed % 3])
        assert verdict(found.text())[0] == checker.CONFIRMED, found.text()
        assert (
            verdict(sealed(found.text().replace(f"value {found.field('value')}\n", "value 9999\n")))[0]
            == checker.REFUTED
        )
        done += 1
    assert done > 8


def test_too_many_states_are_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker_actions, "MOST_STATES", 3)
    assert verdict(HERE.text())[0] == checker.UNREADABLE
    monkeypatch.setattr(certificate, "plan", partial(plan, states=3))
    with pytest.raises(CertificateError, match="too many states"):
        certify(START, "cubes=-1")


def test_states_that_stand_for_each_other_are_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the checker does. The plan keeps 135 states of these 3,030; no certificate is written that it cannot count."""
    start = examples()["dictator"].replace(left=2)
    monkeypatch.setattr(certificate, "STATES", 1000)
    assert plan(start, "cubes=-1", horizon="actions", states=1000).status == "exact"
    with pytest.raises(CertificateError, match="too many states"):
        certify(start, "cubes=-1")


def test_what_has_no_certificate_is_refused() -> None:
    with pytest.raises(OutOfTimeError):
        certify(START, "cubes=-1", seconds=0)
    with pytest.raises(IllegalPositionError):
        certify(examples()["limit"], "cubes=-1")
    with pytest.raises(ObjectiveError):
        certify(START, "everything")
    assert checker_map.is_map(next(path for path in BOARDS if checker_map.is_map(path)))
