"""Certificates that a turn has one answer: the checker counts all states again, and finds value, gap and second answers itself."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

import checker
import pytest
from moduleplans import cases
from moduleturns import EACH, TOGETHER
from solvertasks import tasks
from tabletop import make_position
from tampered import lines_of, sealed

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import ObjectiveError, TooLargeError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.plan import Objective, read_objective
from tetrasolve.tetrarchia.plan.task import Stated
from tetrasolve.tetrarchia.position import Position, start_of_turn
from tetrasolve.tetrarchia.puzzle import certificate as puzzle_certificate
from tetrasolve.tetrarchia.puzzle import unique
from tetrasolve.tetrarchia.puzzle.certificate import certify_unique

BOARD = Board.standard()
# Belgica lies beside the army by a broken link, under a garrison of Galerius: with 3 IP there is one attack
BESIDE = make_position(
    at={"diocletian": "belgica"}, ip=3, armies="britannia", garrisons={"galerius": "belgica"}, board=BOARD
)
THERE = "kill britannia then most value emperor@lugdunensis=1"


def proved(position: Position, objective: Objective, stated: Stated | None = None) -> bool:
    """Whether there is one answer; then the checker confirms its certificate."""
    found = unique(position, objective, stated)
    if not found.is_unique:
        with pytest.raises(ObjectiveError, match="has no certificate"):
            certify_unique(found)
        return False
    code, message = checker.verdict(certify_unique(found).text())
    assert code == checker.CONFIRMED, f"{position} {objective} {stated}: {message}"
    assert "every other answer is worse by" in message
    return True


@pytest.mark.parametrize("count", [24, pytest.param(600, marks=pytest.mark.slow)])
def test_the_checker_confirms_answers_of_the_base_game(count: int) -> None:
    """The verdict compares optimum and gap with those that it works out: two computations agree on both."""
    confirmed = 0
    for task in tasks("proved answers", count, 3, 1):
        confirmed += sum(proved(task.position, task.objective, stated) for stated in (None, task.stated))
    assert confirmed > count // 3


@pytest.mark.parametrize("count", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_the_checker_confirms_the_least_risk_of_an_uprising(count: int) -> None:
    objective = read_objective("least p_uprising")
    confirmed = sum(proved(task.position, objective) for task in tasks("proved risks", count, 4, 1))
    assert confirmed > count // 4


@pytest.mark.parametrize("extensions", [*EACH, *TOGETHER])
@pytest.mark.parametrize("count", [2, pytest.param(40, marks=pytest.mark.slow)])
def test_the_checker_confirms_answers_with_modules(extensions: str, count: int) -> None:
    for position, text in islice(cases(extensions), count):
        objective = read_objective(text, position.board)
        if objective.is_deterministic:
            proved(position, objective)


# -- forgeries ---------------------------------------------------------------------------------------------------


def honest(text: str = THERE, position: Position = BESIDE) -> Certificate:
    return certify_unique(unique(position, text))


def verdict(lines: list[str]) -> tuple[int, str]:
    return checker.verdict(sealed(lines))


def with_field(certificate: Certificate, name: str, value: str) -> tuple[int, str]:
    return verdict([f"{name} {value}" if line.startswith(f"{name} ") else line for line in lines_of(certificate)])


def test_the_honest_one_is_confirmed() -> None:
    assert checker.verdict(honest().text())[0] == checker.CONFIRMED
    assert honest().field("gap") == "0 0 5/12"


@pytest.mark.parametrize("gap", ["1 0 0", "0 1/6 0", "0 0 1/2", "0 0 1/3", "0 0 0", "0 0 -5/12"])
def test_another_gap_is_refuted(gap: str) -> None:
    code, message = with_field(honest(), "gap", gap)
    assert code == checker.REFUTED and "the best other answer is worse by 0 0 5/12" in message


def test_a_gap_that_no_dice_add_up_to_is_refuted() -> None:
    assert with_field(honest(), "gap", "0 0 1/7")[0] == checker.REFUTED


@pytest.mark.parametrize("gap", ["5/12", "0 0 10/24", "0 0 0.4", "0 0 5/12 0"])
def test_a_gap_in_another_form_is_unreadable(gap: str) -> None:
    assert with_field(honest(), "gap", gap)[0] == checker.UNREADABLE


def test_another_optimum_is_refuted() -> None:
    best = honest().field("optimum").split()
    for place in range(len(best)):
        forged = [*best[:place], str(Fraction(best[place]) + Fraction(1, 36)), *best[place + 1 :]]
        code, message = with_field(honest(), "optimum", " ".join(forged))
        assert code == checker.REFUTED and "the start is worth" in message


def test_the_best_other_plan_is_no_answer() -> None:
    other = unique(BESIDE, THERE).other
    code, message = with_field(honest(), "plan", str(other))
    assert code == checker.REFUTED and "and the best" in message


def test_a_detour_of_the_answer_is_no_answer() -> None:
    """It ends in the same position, and costs more than the optimum that is claimed."""
    position = make_position(at={"diocletian": "belgica"}, ip=4, fleets=(3,), board=BOARD)
    certificate = honest("secure lugdunensis", position)
    assert certificate.field("plan") == "move lugdunensis; secure"
    detour = "move germania_inferior; move belgica; move lugdunensis; secure"
    assert with_field(certificate, "plan", detour)[0] == checker.REFUTED


def test_another_order_of_the_answer_is_confirmed() -> None:
    """Which of the plans that are the same answer is named makes no difference."""
    position = make_position(at={"diocletian": "narbonensis"}, ip=3, fleets=(1,), unrest="narbonensis", board=BOARD)
    certificate = honest("reach sardinia and clear narbonensis", position)
    orders = {"remove; sail 1>2; move sardinia", "sail 1>2; remove; move sardinia"}
    assert certificate.field("plan") in orders
    for plan in orders:
        assert with_field(certificate, "plan", plan)[0] == checker.CONFIRMED
    assert with_field(certificate, "plan", "sail 1>2; move sardinia; remove")[0] == checker.REFUTED


def test_a_second_answer_cannot_be_hidden() -> None:
    """Both provinces are as good: whatever gap is claimed, the checker finds the second one."""
    text = "most value emperor@germania_inferior=1 emperor@lugdunensis=1 then least ip"
    lines = lines_of(honest())
    for gap in ("1 0", "0 1", "0 0", "1 1"):
        forged = [line for line in lines if not line.startswith(("objective", "optimum", "plan", "gap"))]
        forged += [f"objective {text}", "attacks none", "optimum 1 -1", "plan move lugdunensis", f"gap {gap}"]
        forged.remove("attacks dice")
        code, message = verdict(forged)
        assert code == checker.REFUTED and "there is a second answer of the same worth" in message


def test_a_second_answer_in_one_branch_cannot_be_hidden() -> None:
    found = unique(BESIDE, THERE.replace("emperor@", "emperor@germania_inferior=1 emperor@"))
    assert not found.is_unique
    lines = lines_of(honest())
    for old, new in (("objective", f"objective {found.objective}"), ("plan", f"plan {found.plan}")):
        lines = [new if line.startswith(f"{old} ") else line for line in lines]
    code, message = verdict(lines)
    assert code == checker.REFUTED and "there is a second answer of the same worth" in message


def test_where_all_plans_are_one_answer_there_is_no_gap() -> None:
    position = make_position(at={"diocletian": "belgica"}, ip=0, board=BOARD)
    lines = [line for line in lines_of(honest()) if line.startswith(("tetra", "kind", "board"))]
    lines += [f"position {position}", "objective least ip", "attacks dice", "optimum 0", "plan end", "gap 1"]
    code, message = verdict(lines)
    assert code == checker.REFUTED and "all plans are the same answer" in message


def test_the_kinds_of_best_plans_stay_as_they_are() -> None:
    """They know no term of the phase, and a turn of the base game is no turn with modules."""
    lines = lines_of(honest("least p_uprising", BESIDE))
    assert verdict(lines)[0] == checker.CONFIRMED
    without = [line for line in lines if not line.startswith("gap")]
    for kind in ("turn", "module-turn"):
        assert verdict([f"kind {kind}" if line == "kind unique" else line for line in without])[0] == checker.UNREADABLE


# -- the time after the turn -------------------------------------------------------------------------------------

# Two armies stand before Roma. Of the next turn: Galerius has no garrison left, and a supporter helps him from Lucania
ROMA = make_position(
    at={"diocletian": "lucania"}, ip=1, armies="etruria sicilia", revolts="etruria sicilia", board=BOARD
)
NEXT = make_position(
    at={"diocletian": "roma", "galerius": "sardinia"}, ip=1, fleets=(1,), armies="sicilia", revolts="sicilia", board=BOARD,
    garrisons={"galerius": "aegyptus syria cilicia bithynia"},
)  # fmt: skip
FALL, THEN = "least p_lost", "next kill sicilia"


@pytest.mark.parametrize(("position", "text"), [(ROMA, FALL), (NEXT, THEN)])
def test_the_checker_confirms_what_comes_after_the_turn(position: Position, text: str) -> None:
    assert proved(position, read_objective(text, position.board))


@pytest.mark.parametrize("extensions", [e for e in (*EACH, *TOGETHER) if "barbaria" not in e])
def test_the_checker_confirms_the_risk_of_an_uprising_with_modules(extensions: str) -> None:
    """The first dice of the phase."""
    risk = read_objective("least p_uprising")
    turns = [position.replace(ip=min(position.ip, 2)) for position, _ in islice(cases(extensions), 6)]
    assert any(proved(position, risk) for position in turns)


@pytest.mark.parametrize(("position", "text"), [(ROMA, FALL), (NEXT, THEN)])
def test_forged_claims_about_the_time_after_the_turn_are_refuted(position: Position, text: str) -> None:
    certificate, found = honest(text, position), unique(position, text)
    best, gap = (certificate.field(name).split() for name in ("optimum", "gap"))
    assert found.other_values is not None
    other = [str(Fraction(first) - Fraction(by)) for first, by in zip(best, gap, strict=True)]
    for name, value, reason in (
        ("optimum", " ".join(other), "the start is worth"),
        ("optimum", " ".join([str(Fraction(best[0]) / 2), *best[1:]]), "the start is worth"),
        ("gap", " ".join([str(Fraction(gap[0]) / 2), *gap[1:]]), "the best other answer is worse by"),
        ("gap", " ".join("0" for _ in gap), "the best other answer is worse by"),
        ("plan", str(found.other), "and the best"),
    ):
        code, message = with_field(certificate, name, value)
        assert code == checker.REFUTED and reason in message, name
    words = (
        {FALL, "least p_uprising", "kill etruria"} if text == FALL else {THEN, "kill sicilia", "next kill dacia", FALL}
    )
    for objective in words:
        code, _ = with_field(certificate, "objective", f"{objective} then least ip")
        assert (code == checker.CONFIRMED) == (objective == text), objective


# Three turns: Maximian goes to Noricum, so that he or Diocletian can help Galerius, who attacks; with 2 IP in the turns that follow
THIRD, LATER = Position.parse("4211 M:1 lug/rha/etr/pin 23 gma bae.rha - -/-/-/-"), "next next kill germania_magna"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two IP in each turn that follows, in the library and in the checker."""

    def begun(end: Position, emperor: str) -> Position:
        return start_of_turn(end, emperor).replace(ip=2)

    monkeypatch.setattr("tetrasolve.tetrarchia.plan.nextturn.start_of_turn", begun)
    monkeypatch.setattr("ahead.IP_A_TURN", 2)


@pytest.mark.usefixtures("short")
def test_the_checker_confirms_goals_of_later_turns() -> None:
    assert proved(THIRD, read_objective(f"{LATER} then next clear rhaetia"))
    assert honest(LATER, THIRD).field("optimum") == "2/3 -1"


@pytest.mark.usefixtures("short")
def test_forged_claims_about_later_turns_are_refuted() -> None:
    """Two turns presented as three, another Emperor who moves or comes third, gaps and values that are near the true ones."""
    certificate, found = honest(LATER, THIRD), unique(THIRD, LATER)
    (best, _), (gap, paid) = (certificate.field(name).split() for name in ("optimum", "gap"))
    assert Fraction(gap) > 0 > Fraction(best) - 1
    text = certificate.field("position")
    for name, value, reason in (
        ("optimum", f"{Fraction(best) - Fraction(gap)} -1", "the start is worth"),
        ("optimum", f"{Fraction(best) + Fraction(1, 36**2)} -1", "the start is worth"),
        ("gap", f"{Fraction(gap) + Fraction(1, 36**2)} {paid}", "the best other answer is worse by"),
        ("gap", "0 1", "the best other answer is worse by"),
        ("plan", str(found.other), "and the best"),
        ("position", text.replace("M:1", "C:1"), "is worth"),  # the third is Diocletian then
        ("position", text.replace("rha/etr", "etr/rha"), "is worth"),  # the fourth stands there
        ("objective", "next kill germania_magna then least ip", "is worth"),
        ("objective", "kill germania_magna then least ip", "is worth"),
    ):
        code, message = with_field(certificate, name, value)
        assert code == checker.REFUTED and reason in message, (name, value, message)
    for objective in (
        "next  next kill",
        f"{'next ' * 9}kill",
        "Next next kill",
        "next next next",
        "next next least ip kill",
    ):
        assert (
            with_field(certificate, "objective", f"{objective} germania_magna then least ip")[0] == checker.UNREADABLE
        )


# The others are off the board and cannot enter: with all IP the fourth turn from here is Diocletian's own. Before the last border
# with 2 IP the game can be won at once
ALONE = "3110?I-ENTRY-ROMA=no-disc D:1 aeg/-/-/- 3 lib - - cis.gin.pin/rom/-/-"
BEFORE = "3110?I-ENTRY-ROMA=no-disc D:2 lib/-/-/- 3 - - - cis.gin/rom.gae.bri/pin.gma/srm.per"
FOURTH, ATTACK = f"{'next ' * 4}kill libya", "attack libya {victory 5/12: end | draw 1/6: end | defeat 5/12: end}"


@pytest.fixture(scope="module")
def far() -> dict[str, Certificate]:
    return {text: honest(goal, Position.parse(text)) for text, goal in ((ALONE, FOURTH), (BEFORE, "next secure libya"))}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("start", "changed", "code"),
    [
        (ALONE, {}, checker.CONFIRMED),
        (ALONE, {"optimum": f"{Fraction(24785, 34992) + Fraction(1, 36**4)} -1"}, checker.REFUTED),
        (ALONE, {"optimum": f"{Fraction(24785, 34992) - Fraction(1, 36**4)} -1"}, checker.REFUTED),
        (ALONE, {"gap": "58315/279936 -2"}, checker.REFUTED),
        (ALONE, {"gap": "-58315/279936 -1"}, checker.REFUTED),
        (ALONE, {"plan": "end", "optimum": "46655/93312 0", "gap": "58315/279936 -1"}, checker.REFUTED),
        (ALONE, {"objective": FOURTH.replace("next ", "", 1) + " then least ip"}, checker.REFUTED),
        # four turns more: he has one turn more; the turns between change nothing
        (ALONE, {"objective": f"next next next next {FOURTH} then least ip"}, checker.REFUTED),
        (ALONE, {"objective": f"next {FOURTH} then least ip"}, checker.CONFIRMED),
        # IP that are left are lost, and it is not his turn that comes fourth
        (ALONE, {"position": ALONE.replace("D:1", "D:2")}, checker.REFUTED),
        (ALONE, {"position": ALONE.replace("D:1", "D:0")}, checker.REFUTED),
        (ALONE, {"position": ALONE.replace("D:1", "G:6")}, checker.REFUTED),
        (ALONE, {"attacks": "none"}, checker.REFUTED),
        (ALONE, {"plan": ATTACK.replace("5/12", "15/36")}, checker.REFUTED),
        # a victory in this turn ends the game: the goal is met there or never
        (BEFORE, {}, checker.CONFIRMED),
        (BEFORE, {"plan": "end", "optimum": "0 0", "gap": "0 1"}, checker.REFUTED),
        (BEFORE, {"objective": "next reach libya and secure libya then least ip"}, checker.CONFIRMED),
        (BEFORE, {"objective": "next reach roma then least ip"}, checker.REFUTED),
        (BEFORE, {"objective": "next kill persia then least ip"}, checker.REFUTED),
        (BEFORE, {"objective": "next reach aegyptus then least ip", "plan": "move aegyptus", "optimum": "1 -1"}, 1),
    ],
)  # fmt: skip
def test_a_claim_about_turns_with_all_ip_is_judged_by_what_it_says(
    far: dict[str, Certificate], start: str, changed: dict[str, str], code: int
) -> None:
    lines = lines_of(far[start])
    names = [line.split(" ")[0] for line in lines]
    forged = [f"{name} {changed[name]}" if name in changed else line for name, line in zip(names, lines, strict=True)]
    assert verdict(forged)[0] == code


def test_all_turns_that_follow_together_are_bounded(
    far: dict[str, Certificate], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the terms of a claim add up to, and not each of its turns alone."""
    terms = f"{FOURTH} then {FOURTH.replace('kill', 'reach')}"
    for most, objective, code in (
        (1083, FOURTH, checker.CONFIRMED),
        (1083, terms, checker.UNREADABLE),
        (1082, FOURTH, checker.UNREADABLE),
    ):
        monkeypatch.setattr("ahead.MOST_FOLLOWING", most)
        found, message = with_field(far[ALONE], "objective", f"{objective} then least ip")
        assert found == code and (found == checker.CONFIRMED or f"more than {most} situations" in message)


def test_a_plan_without_end_is_not_repeated_in_the_reason() -> None:
    code, message = with_field(honest(), "plan", "{" * 10_000)
    assert code == checker.REFUTED and "is not legal there" in message and len(message) < 200


def with_words(extension: str, piece: str = "") -> Position:
    """The position before Roma with a module."""
    ruleset, rest = str(ROMA).split(" ", 1)
    return Position.parse(f"{ruleset}{extension} {rest}{piece}", BOARD)


def test_the_phase_after_a_turn_has_modules_too() -> None:
    """The Goths before Roma are stronger; the Vicarius, who stands there, keeps nobody away."""
    theirs, others = with_words("+goths", ' goths="etruria"'), with_words("+goths", ' goths="reserve"')
    optima = {}
    for position in (theirs, others, with_words("+usurpator")):
        certificate = honest(FALL, position)
        assert checker.verdict(certificate.text())[0] == checker.CONFIRMED
        optima[position] = certificate.field("optimum")
    assert optima[theirs] == "-7/12 -1" and optima[others] == "-5/12 -1"
    for mine, forged in ((theirs, others), (others, theirs)):
        code, message = with_field(honest(FALL, mine), "optimum", optima[forged])
        assert code == checker.REFUTED and f"the start is worth {optima[mine]}" in message
        assert with_field(honest(FALL, mine), "position", str(forged))[0] == checker.REFUTED
    vicarius = honest(FALL, with_words("+vicarius", ' vicarius="roma"'))
    assert checker.verdict(vicarius.text())[0] == checker.CONFIRMED and vicarius.field("optimum") == "-1 0"
    assert with_field(vicarius, "optimum", "-5/12 -1")[0] == checker.REFUTED
    assert with_field(vicarius, "plan", "move roma")[0] == checker.REFUTED


@pytest.mark.parametrize(
    ("extensions", "text", "reason"),
    [
        ("barbaria", "least p_uprising", "without Barbaria"),
        ("imperium", "least p_lost", "without Imperium and Barbaria"),
        ("imperium", "next secure dacia", "without Imperium"),
        ("", "least e_uprisings", "cover least p_uprising, least p_lost and next goals"),
    ],
)
def test_what_the_checker_does_not_know_is_refused_on_both_sides(extensions: str, text: str, reason: str) -> None:
    refused = 0
    for position, _ in islice(cases(extensions), 4):
        small = position.replace(ip=min(position.ip, 1))
        if not refused and (found := unique(small, text)).is_unique:
            with pytest.raises(ObjectiveError, match=reason):
                certify_unique(found)
            refused += 1
        forged = [f"position {small}" if line.startswith("position") else line for line in lines_of(honest(FALL, ROMA))]
        forged = [f"objective {text} then least ip" if line.startswith("objective") else line for line in forged]
        assert verdict(forged)[0] == checker.UNREADABLE
    assert refused


def test_what_follows_can_be_too_large_for_a_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    large = make_position(
        at={"diocletian": "roma"}, ip=5, armies="etruria sicilia", board=BOARD,
        revolts="etruria sicilia narbonensis dacia thracia macedonia africa numidia aegyptus syria cilicia",
    )  # fmt: skip
    found = unique(large, FALL)
    monkeypatch.setattr(puzzle_certificate, "MOST_VISITS", 10_000)
    with pytest.raises(TooLargeError, match="10,000 states of phases"):
        certify_unique(found)
    found = unique(NEXT, THEN)
    monkeypatch.setattr(puzzle_certificate, "MOST_NEXT", 100)
    with pytest.raises(TooLargeError, match="100 situations of next turns"):
        certify_unique(found)


@pytest.mark.slow
def test_a_whole_turn_is_confirmed() -> None:
    assert checker.verdict(honest("clear dalmatia", example("movement")).text())[0] == checker.CONFIRMED
