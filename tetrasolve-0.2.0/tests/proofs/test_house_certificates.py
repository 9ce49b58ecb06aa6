"""The checker knows the game of the rulebook: a certificate of a position under house rules is none, whatever the rules say."""

from __future__ import annotations

import checker
import pytest
from tampered import lines_of, sealed

from tetrasolve import example, plan
from tetrasolve.certify.form import Certificate
from tetrasolve.errors import HouseRuleError
from tetrasolve.tetrarchia.plan.certificate import certify
from tetrasolve.tetrarchia.ruleset import Ruleset


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """The certificate of a plan, which is confirmed as it is."""
    found: Certificate = certify(example("fight"), "kill narbonensis")
    assert checker.verdict(found.text())[0] == checker.CONFIRMED
    return lines_of(found)


@pytest.mark.parametrize(
    "house", ["ip=7", "attack=1", "attack=0", "ip=6", "borders-to-win=5", "normal-link=1", "roman-bonus=6"]
)
def test_no_certificate_is_about_house_rules(lines: list[str], house: str) -> None:
    """Also with the numbers of the rulebook, and where the plan would be as good: the ruleset is not readable there."""
    forged = [line.replace("position 4211 ", f"position 4211?{house} ", 1) for line in lines]
    assert forged != lines

    code, message = checker.verdict(sealed(forged))
    assert code != checker.CONFIRMED
    assert house.partition("=")[0] in message


def test_the_library_makes_none() -> None:
    position = example("fight").replace(ruleset=Ruleset.from_text("4211?attack=1"))

    with pytest.raises(HouseRuleError, match="attack=1: what was asked is made for the numbers of the rulebook"):
        certify(position, "kill narbonensis")
    with pytest.raises(HouseRuleError):
        plan(position, "kill narbonensis")
