"""Certificates of smallest positions: the checker plays them and all smaller ones by rules of its own, and finds false claims."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import checker
import pytest
from tampered import lines_of, sealed

from tetrasolve.errors import FindingError
from tetrasolve.lint.findings import Finding
from tetrasolve.tetrarchia.facts.findings import certify_finding, enumerated
from tetrasolve.tetrarchia.lint.stored import findings


def certified() -> Iterator[Finding]:
    for finding in findings().findings:
        with suppress(FindingError):
            certify_finding(finding)
            yield finding


CERTIFIED = list(certified())
CHECK = findings().named("I-CHECK=each-link/one-roll")
SECURE = findings().named("I-SECURE-OWN=allowed/forbidden")
FRESH = findings().named("I-FRESH=advance/wait")
DUX = findings().named("I-DUX-REVOLT=allowed/forbidden")
GOTHS = findings().named("I-GOTHS-REBELS=block/removed")
PIRATES = findings().named("I-PIRATES-ZONE=lower/higher")
REFILL = findings().named("I-REFILL=rest/none")
GLORY = findings().named("I-GLORY-DEFENCE=takes/none")
SEA = findings().named("I-GALERIUS-SEA=adds/not")
PRINTED = findings().named("I-PIRATES-PRINTED=count/discs-only")
PRINTED_FIRST = lines_of(certify_finding(PRINTED))[7].removeprefix("first ")
CAPITALS = findings().named("I-BLACK-CAPITALS=all/emperors")
BLOCKS = findings().named("I-CONSTANTIUS-WHEN=after-check/before-check")


def verdict(lines: list[str]) -> tuple[int, str]:
    return checker.verdict(sealed(lines))


def changed(lines: list[str], **fields: str) -> tuple[int, str]:
    for name, value in fields.items():
        lines = [f"{name} {value}" if line.startswith(f"{name} ") else line for line in lines]
    return verdict(lines)


@pytest.mark.parametrize("finding", CERTIFIED, ids=lambda finding: finding.id)
def test_the_checker_confirms_each_position(finding):
    """By its own rules; all positions of one piece, where it can follow what players decide in them."""
    lines = lines_of(certify_finding(finding))
    if finding.at_least > 2 and "barbaria" not in finding.table:
        code, message = changed(lines, least="2", smaller=str(enumerated(finding.table)[0]))
    else:
        code, message = verdict(lines)

    assert code == checker.CONFIRMED, message
    assert f"differ in a position of {finding.size} pieces" in message


@pytest.mark.slow
@pytest.mark.parametrize(
    "finding", [one for one in CERTIFIED if one.size > 2 and one.table != "barbaria"], ids=lambda one: one.id
)
def test_the_checker_makes_all_positions_of_two_pieces(finding):
    """As many as the search enumerated, with rules and positions of its own."""
    lines = lines_of(certify_finding(finding))
    code, message = verdict(lines)

    assert "least 3" in lines
    assert code == checker.CONFIRMED, message
    assert message.endswith("and in no position of fewer" + " than 3" * (finding.size > 3))


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
        # with modules: the reading, the position, the pieces, and the number of smaller positions
        (DUX, {"values": "I-DUX-REVOLT forbidden allowed"}, "in their order"),
        (DUX, {"values": "I-DUX-REVOLT allowed later"}, "two of its values"),
        (DUX, {"values": "I-HELPERS-ALONE none act"}, "a reading of this game"),  # the program does not know it
        (DUX, {"values": "I-VIA-OWN allowed forbidden"}, "a reading of this game"),  # of a variant that is not in use
        (  # they differ here, and in less
            DUX,
            {
                "values": "I-DUX-BROKEN allowed forbidden",
                "shown": "deploy dux tarraconensis",
                "first": 'chance 1, 4111+dux G:0 -/aqu/-/- 3 - lug - -/-/-/- dux="tarraconensis"',
            },
            "differ in a position of 2 pieces",
        ),
        (DUX, {"values": "I-FRESH advance wait"}, "do not differ in this position"),  # of the base game, and of no turn
        (DUX, {"position": "4111+dux G:2 -/aqu/-/- 3 - sic - -/-/-/- dux=null"}, "do not differ in this position"),  # not linked
        (DUX, {"position": "4111+dux G:1 -/aqu/-/- 3 - lug - -/-/-/- dux=null"}, "do not differ in this position"),  # an IP too few
        (DUX, {"position": '4111+dux G:2 -/aqu/-/- 3 - lug - -/-/-/- dux="dead"'}, "do not differ in this position"),  # once a game
        (DUX, {"position": "4111+dux G:b -/aqu/-/- 3 - lug - -/-/-/- dux=null"}, "do not differ in this position"),  # another phase
        (DUX, {"position": "4111 G:2 -/aqu/-/- 3 - lug - -/-/-/-"}, "a reading of this game"),
        (DUX, {"position": "4111+dux G:2 -/aqu/-/- 3 - lug - -/-/-/-"}, "expected dux"),
        (DUX, {"position": "3111+dux G:2 -/aqu/-/- 3 - lug - -/-/-/- dux=null"}, "4 garrisons"),
        (DUX, {"position": "4111+dux?I-FRESH=wait G:2 -/aqu/-/- 3 - lug - -/-/-/- dux=null"}, "usual readings"),  # idle beside it
        (DUX, {"position": "4111+dux?I-DUX-REVOLT=forbidden G:2 -/aqu/-/- 3 - lug - -/-/-/- dux=null"}, "usual readings"),
        (DUX, {"pieces": "2"}, "there are 3 pieces"),
        (DUX, {"pieces": "4"}, "there are 3 pieces"),
        (DUX, {"least": "4"}, "expected 1 to 3"),
        (DUX, {"least": "2", "smaller": "24"}, "there are 48 positions"),  # as many as in the base game: a dead Dux is another one
        (DUX, {"least": "2", "smaller": "47"}, "there are 48 positions"),
        # one zone, fleets in the zones, and Pirates who are not beaten
        (PIRATES, {"position": "4111+pirates D:b -/-/-/- 1 - gla - -/-/-/- pirates=null"}, "do not differ in this position"),
        (PIRATES, {"position": "4211+pirates D:b -/-/-/- 12 - ach - -/-/-/- pirates=null", "pieces": "3"}, "do not differ"),
        (PIRATES, {"position": "4111+pirates D:b -/-/-/- 1 - ach - -/-/-/- pirates=2", "pieces": "3"}, "do not differ"),
        (PIRATES, {"position": "4111+pirates D:b -/-/-/- 1 - ach - -/-/-/- pirates=1"}, "cannot occur"),  # with a fleet
        (GOTHS, {"values": "I-GOTHS-ARMY removed blocks"}, "do not differ in this position"),  # rebels are no army of this reading
        (GLORY, {"values": "I-SHAME-DEFENCE gives keeps"}, "do not differ in this position"),  # nobody has glory to give
        (GLORY, {"values": "I-GLORY-SEA takes none"}, "do not differ in this position"),
        # the Barbarian player's discs: filled up after Maximian's turn alone, and he decides where one is left
        (REFILL, {"position": REFILL.position.replace(" M:b ", " C:b ")}, "do not differ in this position"),
        (REFILL, {"values": "I-BLACK-CAPITALS all emperors"}, "do not differ in this position"),
        (REFILL, {"values": "I-BLACK-CAPITALS all emperors", "position": CAPITALS.position, "pieces": "3"}, "players decide"),
        (REFILL, {"least": "3", "smaller": "14928"}, "players decide"),
        (REFILL, {"values": "I-CONSTANTIUS-WHEN after-check before-check", "position": BLOCKS.position}, "players decide"),
        # what is shown, and what each value makes of it: exchanged, the same for both, no action, another position or chance
        (DUX, {"first": "not legal"}, "under allowed it is: chance 1, "),
        (DUX, {"second": lines_of(certify_finding(DUX))[7].removeprefix("first ")}, "under forbidden it is: not legal"),
        (DUX, {"first": "not legal", "second": "not legal"}, "under allowed it is"),
        (DUX, {"first": "chance 1, 4111+dux G:0 -/aqu/-/- 3 - lug - -/-/-/- dux=null"}, "under allowed it is"),
        (DUX, {"first": 'chance 1/1, 4111+dux G:0 -/aqu/-/- 3 - lug - -/-/-/- dux="lugdunensis"'}, "under allowed it is"),
        (DUX, {"shown": "deploy dux narbonensis"}, "this is the same under both values: chance 1, "),
        (DUX, {"shown": "deploy dux roma"}, "this is the same under both values: not legal"),
        (DUX, {"shown": "fly roma"}, "this is the same under both values: not legal"),
        (DUX, {"shown": "end"}, "this is the same under both values: chance 1, "),
        (SEA, {"shown": "attack pirates: draw +reserve"}, "under adds it is: "),
        (SEA, {"shown": "attack pirates: victory +roma"}, "this is the same under both values: not legal"),
        (SEA, {"shown": "attack pirates: victory"}, "under adds it is: "),  # without a chance there: he can pay
        (PRINTED, {"first": PRINTED_FIRST.replace("13/18", "5/12")}, "under count it is: chance 13/18"),
        (PRINTED, {"shown": "attack pirates: defeat"}, "under count it is: chance 1/6"),
        (GLORY, {"shown": "fallen"}, "this is the same under both values: "),
        (GLORY, {"first": "5/5184", "second": "0"}, "under takes it is: 0"),
        (GLORY, {"second": "10/10368"}, "under none it is: 5/5184"),
        (GLORY, {"shown": "4111+roma-aeterna G:6 -/-/-/- 3 - - - -/-/-/-"}, "this is the same under both values: 0"),
        # nobody passes another one, and no power is in use, when a phase begins
        (GLORY, {"position": GLORY.position.replace("-/-/-/tin", "-/tin/-/tin"), "pieces": "4"}, "cannot occur"),
        (REFILL, {"position": BLOCKS.position.replace(" removed=", " power=true removed=")}, "cannot occur"),
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
        second="chance 1, 4211 D:b -/-/-/- 12 - - - -/-/-/-",
        pieces="2",
        least="2",
        smaller="24",
    )

    assert code == checker.REFUTED
    assert "the values differ in a position of 1 pieces" in message


def test_a_larger_position_with_modules_is_not_the_smallest():
    """The values of I-DUX-BROKEN differ in a position of two pieces: an unrest beside it is one too many."""
    broken = findings().named("I-DUX-BROKEN=allowed/forbidden")
    lines = [line.replace(" - - - ", " - - sic ") for line in lines_of(certify_finding(broken))]
    fields = {"pieces": "3"}
    code, message = changed(lines, **fields)
    assert code == checker.CONFIRMED and message.endswith("and in no position of fewer than 2"), message

    code, message = changed(lines, **fields, least="3", smaller="30912")
    assert code == checker.REFUTED
    assert "the values differ in a position of 2 pieces: a turn with 2 IP, diocletian in" in message


def test_what_modules_add_is_compared_in_each_phase():
    """Each of these readings changes where Pirates, glory or gray discs are, and nothing that lies on land."""
    for finding in (PIRATES, GLORY, REFILL):
        assert verdict(lines_of(certify_finding(finding)))[0] == checker.CONFIRMED


@pytest.mark.parametrize(
    "name",
    [
        "I-ORDER=number/file",
        "I-HELPERS-ALONE=none/act",
        "I-BLACK-CAPITALS=all/emperors",
        "I-TURN-DISC=spent/returned",
        "I-PIRATES-ZONE=lower/chosen",
        "I-ECHO-HOME=anywhere/other-region",
        "I-FLEETS=apart/together",
    ],
)
def test_what_the_checker_does_not_know_is_not_certified(name):
    with pytest.raises(FindingError):
        certify_finding(findings().named(name))
