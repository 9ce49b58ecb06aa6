"""Certificates of other best plans: the checker solves both turns by rules of its own, and finds false claims."""

from __future__ import annotations

import checker
import pytest
from tampered import lines_of, sealed

from tetrasolve.errors import FindingError
from tetrasolve.tetrarchia.facts.planfindings import certify_plan_finding
from tetrasolve.tetrarchia.lint.bestplans import stored_plans
from tetrasolve.tetrarchia.lint.compare import Pair
from tetrasolve.tetrarchia.lint.stored import findings

STORED = stored_plans()
NOT_COVERED = "I-GALERIUS-DEFENDS=adds/not"  # he pays for the powers in the phase
OF_ALL_KINDS = (  # attacks, a module, powers, the chance of a new army, and revolts to be expected
    "I-ROMA-COVERED=covered/counts",
    "I-VIA-EMPTY=no-figure/no-disc",
    "I-MAXIMIAN-WHEN=any-time/first",
    "I-GALERIUS-SEA=adds/not",
    "I-GOTHS-ARMY=removed/blocks",
    "I-FRESH=advance/wait",
)
# Values that the reference rules alone play
ALONE = [finding.id for finding in findings().findings if Pair(finding.reading, *finding.values).by_reference]
CERTIFIED = [name for name, row in STORED.items() if row.position is not None and name not in (NOT_COVERED, *ALONE)]
SECURE, COVERED = "I-SECURE-OTHERS=allowed/forbidden", "I-ROMA-COVERED=covered/counts"


def verdict(name: str, without_smaller: bool = True, **fields: str) -> tuple[int, str]:
    """The verdict on a certificate with other fields; where a name comes twice, `_` after it is the second."""
    lines = lines_of(certify_plan_finding(STORED[name]))
    if without_smaller:
        fields = {"least": "1", "smaller": "0", **fields}
    for field, value in fields.items():
        rows = [number for number, line in enumerate(lines) if line.startswith(f"{field.rstrip('_')} ")]
        lines[rows[field.endswith("_")]] = f"{field.rstrip('_')} {value}"
    return checker.verdict(sealed(lines))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", OF_ALL_KINDS)
def test_the_checker_finds_both_optima_again(name: str) -> None:
    code, message = verdict(name)

    assert code == checker.CONFIRMED, message
    assert f"in a position of {STORED[name].size} pieces" in message and "fewer" not in message


@pytest.mark.slow
@pytest.mark.parametrize("name", CERTIFIED)
def test_the_checker_confirms_every_finding(name: str) -> None:
    assert verdict(name)[0] == checker.CONFIRMED


@pytest.mark.slow
def test_the_checker_solves_all_smaller_turns() -> None:
    code, message = verdict(SECURE, without_smaller=False)

    assert code == checker.CONFIRMED and message.endswith("and in no turn of fewer"), message


@pytest.mark.parametrize(
    ("name", "fields", "problem"),
    [
        (SECURE, {"values": "I-SECURE-OTHERS forbidden allowed"}, "the start is worth 0 0"),  # exchanged
        (SECURE, {"values": "I-SECURE-OTHERS allowed allowed"}, "two of its values"),
        (SECURE, {"values": "I-VIA-OWN allowed forbidden"}, "two of its values"),  # of a variant that is not in use
        (SECURE, {"values": "I-SECURE-ROMA allowed forbidden"}, "the start is worth 1 -1"),  # it makes no difference there
        (SECURE, {"values": "I-ORDER number file", "optimum_": "1 -1", "plan_": "secure"}, "both values have the optimum 1 -1"),
        (SECURE, {"position": "4111 D:1 thr/-/-/- 1 - - - -/-/-/-"}, "the start is worth 1 -1"),  # an open province
        (SECURE, {"position": "3111 D:1 cis/-/-/- 1 - - - -/-/-/-"}, "4 garrisons"),
        (SECURE, {"position": "4111?I-FRESH=wait D:1 cis/-/-/- 1 - - - -/-/-/-"}, "usual readings"),
        (SECURE, {"position": "4111 D:b cis/-/-/- 1 - - - -/-/-/-"}, "active Emperor"),
        (SECURE, {"pieces": "1"}, "there are 2 pieces"),
        (SECURE, {"objective": "reach roma then least ip"}, "the start is worth 0 0"),
        (SECURE, {"objective": "most value garrison=1"}, "expected 1 values"),  # a term less than the optimum has
        (SECURE, {"optimum": "2 -1"}, "the start is worth 1 -1"),
        (SECURE, {"optimum": "0 0", "plan": "end"}, "the start is worth 1 -1"),  # hides the difference
        (SECURE, {"optimum_": "1 -1", "plan_": "secure"}, "the start is worth 0 0"),
        (SECURE, {"plan": "end"}, "'end' is worth 0 0, and the best 1 -1"),
        (SECURE, {"plan_": "secure"}, "'secure' is not legal there"),  # a plan of the other value
        (SECURE, {"least": "3"}, "expected 1 to 2"),
        (SECURE, {"least": "0"}, "expected 1 to 2"),
        (SECURE, {"smaller": "1"}, "there are 0 turns of fewer than 1 pieces"),
        (COVERED, {"optimum": "1 -7/12 -2"}, "the start is worth"),
        (COVERED, {"plan": "attack lucania {victory 5/12: end | draw 1/6: end | defeat 5/12: end}"}, "expected the branch"),
        (COVERED, {"plan": "attack lucania {victory 5/18: end}"}, "has 3 branches"),
        ("I-VIA-EMPTY=no-figure/no-disc", {"least": "2"}, "expected 1 to 1"),  # with modules nothing is said of smaller turns
        ("I-FRESH=advance/wait", {"optimum": "-25/24 0"}, "the start is worth -19/18 0"),
        ("I-FRESH=advance/wait", {"objective": "least p_lost then least ip"}, "no sum of chances"),  # no army gets to Roma
        ("I-GOTHS-ARMY=removed/blocks", {"objective": "least p_uprising then least ip"}, "the start is worth"),
    ],
)  # fmt: skip
def test_false_claims_are_not_confirmed(name: str, fields: dict[str, str], problem: str) -> None:
    code, message = verdict(name, **fields)

    assert code != checker.CONFIRMED
    assert problem in message, message


@pytest.mark.slow
def test_a_larger_turn_is_not_the_smallest() -> None:
    """Two values differ in a turn of one piece, so none of two is the smallest: the same turn with an Emperor who is away."""
    fields = {
        "position": "4111 M:6 bri/-/-/- 1 - - - -/-/-/-",
        "pieces": "2",
        "least": "2",
        "smaller": "12",
    }
    code, message = verdict("I-SECURE-OWN=allowed/forbidden", **fields)

    assert code == checker.REFUTED and "the optima differ in a turn of 1 pieces" in message, message


@pytest.mark.parametrize("name", [NOT_COVERED, *ALONE, "I-PASS=chain/single", "I-ORDER=number/file"])
def test_what_the_checker_cannot_confirm_is_not_certified(name: str) -> None:
    with pytest.raises(FindingError, match=name):
        certify_plan_finding(STORED[name])
