"""Certificates of smallest positions: the checker plays them and all smaller ones by rules of its own, and finds false claims."""

from __future__ import annotations

import checker
import pytest
from tampered import lines_of, sealed

from tetrasolve.errors import FindingError
from tetrasolve.tetrarchia.facts.findings import certify_finding
from tetrasolve.tetrarchia.lint.compare import Pair
from tetrasolve.tetrarchia.lint.stored import findings

CERTIFIED = [
    finding
    for finding in findings().findings
    if finding.position is not None
    and finding.table == "base game"
    and not Pair(finding.reading, *finding.values).by_reference
]
CHECK = findings().named("I-CHECK=each-link/one-roll")
SECURE = findings().named("I-SECURE-OWN=allowed/forbidden")
FRESH = findings().named("I-FRESH=advance/wait")


def verdict(lines: list[str]) -> tuple[int, str]:
    return checker.verdict(sealed(lines))


def changed(lines: list[str], **fields: str) -> tuple[int, str]:
    for name, value in fields.items():
        lines = [f"{name} {value}" if line.startswith(f"{name} ") else line for line in lines]
    return verdict(lines)


@pytest.mark.parametrize("finding", CERTIFIED, ids=lambda finding: finding.id)
def test_the_checker_confirms_each_position(finding):
    """By its own rules; all positions of one piece, and of two for a few."""
    lines = lines_of(certify_finding(finding))
    if finding.at_least > 2:
        code, message = changed(lines, least="2", smaller="24")
    else:
        code, message = verdict(lines)

    assert code == checker.CONFIRMED, message
    assert f"differ in a position of {finding.size} pieces" in message


@pytest.mark.slow
@pytest.mark.parametrize("name", ["I-BATTLE-BROKEN=linked/not-linked", "I-ORDER-DISTANCE=path/links"])
def test_the_checker_makes_all_positions_of_two_pieces(name):
    """As many as the search enumerated, with rules and positions of its own."""
    code, message = checker.verdict(certify_finding(findings().named(name)).text())

    assert code == checker.CONFIRMED, message
    assert message.endswith("and in no position of fewer")


@pytest.mark.parametrize(
    ("finding", "fields", "problem"),
    [
        (CHECK, {"values": "I-CHECK each-link each-link"}, "two of its values"),
        (CHECK, {"values": "I-CHECK one-roll each-link"}, "in their order"),  # the same claim written in another way
        (CHECK, {"values": "I-FRESH advance later"}, "two of its values"),
        (CHECK, {"values": "I-ENTRY must may"}, "do not differ in this position"),
        (CHECK, {"position": "4111 D:b -/-/-/- 1 - sic - -/-/-/-"}, "do not differ in this position"),  # no broken link there
        (CHECK, {"position": "3111 D:b -/-/-/- 1 - tar - -/-/-/-"}, "4 garrisons"),
        (CHECK, {"position": "4111?I-FRESH=wait D:b -/-/-/- 1 - tar - -/-/-/-"}, "usual readings"),
        (CHECK, {"position": "4111 D:b -/-/-/- 1 - tar tar -/-/-/-"}, "two discs"),
        (CHECK, {"pieces": "1"}, "there are 2 pieces"),
        (CHECK, {"pieces": "3"}, "there are 2 pieces"),
        (CHECK, {"smaller": "23"}, "there are 24 positions"),
        (CHECK, {"least": "3"}, "expected 1 to 2"),  # more than the position itself has
        (CHECK, {"least": "0"}, "expected 1 to 2"),
        (SECURE, {"position": "4111 D:0 bit/-/-/- 1 - - - -/-/-/-"}, "do not differ in this position"),
        # a larger position of a finding that has a smaller one: its claim to be the smallest is false
        (FRESH, {"position": "4111 D:b -/-/-/- 12 - tin - -/-/-/-", "pieces": "3", "least": "3"}, "fewer|differ|level"),
    ],
)  # fmt: skip
def test_false_claims_are_not_confirmed(finding, fields, problem):
    code, message = changed(lines_of(certify_finding(finding)), **fields)

    assert code != checker.CONFIRMED
    assert any(part in message for part in problem.split("|")), message


def test_a_larger_position_is_not_the_smallest():
    """The values of I-ENTRY differ in a position of one piece, so none of two is the smallest."""
    entry = findings().named("I-ENTRY=must/may")
    code, message = changed(
        lines_of(certify_finding(entry)),
        position="4211 D:6 -/-/-/- 12 - - - -/-/-/-",
        pieces="2",
        least="2",
        smaller="24",
    )

    assert code == checker.REFUTED
    assert "the values differ in a position of 1 pieces" in message


@pytest.mark.parametrize(
    "name",
    [
        "I-ORDER=number/file",
        "I-DUX-BROKEN=allowed/forbidden",
        "I-ECHO-HOME=anywhere/other-region",
        "I-FLEETS=apart/together",
    ],
)
def test_what_the_checker_does_not_know_is_not_certified(name):
    with pytest.raises(FindingError):
        certify_finding(findings().named(name))
