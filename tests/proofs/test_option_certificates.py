"""Certificates of questions with a list of possible answers: the checker works out all numbers again, and finds second answers."""

from __future__ import annotations

from fractions import Fraction

import checker
import pytest
from tampered import lines_of, sealed

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import ObjectiveError, TooLargeError
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle import certificate
from tetrasolve.tetrarchia.puzzle.certificate import certify_options
from tetrasolve.tetrarchia.puzzle.collection import shipped
from tetrasolve.tetrarchia.puzzle.kinds import kind
from tetrasolve.tetrarchia.puzzle.ranked import Ranked, ranked

FALL = "4222 M:6 etr/nar/-/srm 23 tin tin.lus.car.gla.tar.bel.gin.gsu.rha.psu.nor.dac cyr.afr thr.aeg.tri.lib/dal.syr/cil.per/srm"
POSITIONS = {
    "chance-uprising": "4211 D:6 aeg/epi/-/dal 23 - tar.aqu.pin epi.cil.aeg.num.cae -/-/-/-",
    "chance-fall": "4222 D:6 aeg/epi/-/rom 23 etr etr.tar - -/-/-/-",
    "likely-revolt": "4211 G:6 sic/epi/-/gsu 23 - lus.car.gla.tar.gin.dac aqu.mac.cil.asi.aeg.afr syr/-/-/etr.luc",
    "garrison-revolts": "4211 D:6 bae/cae/gsu/ach 23 - rha.dac.cil.gat.asi.bit car.ach -/-/tar.gsu.nar/-",
    "fall": FALL,
    "mistake": "4222 D:4 bel/-/-/- 23 bri - - bel/-/-/-",
}
PLAYED = "kill britannia: move lugdunensis; move belgica; attack britannia: draw"


def asked(name: str, text: str | None = None) -> Ranked:
    position = Position.parse(text or POSITIONS[name])
    question = kind(name).question_about(position, PLAYED if name == "mistake" else None)
    assert question is not None
    return ranked(question)


def verdict(lines: list[str]) -> tuple[int, str]:
    return checker.verdict(sealed(lines))


def changed(found: Certificate, **fields: str) -> tuple[int, str]:
    lines = lines_of(found)
    for name, value in fields.items():
        lines = [f"{name} {value}" if line.startswith(f"{name} ") else line for line in lines]
    return verdict(lines)


@pytest.mark.parametrize("name", [*POSITIONS])
def test_honest_ones_are_confirmed_and_their_forgeries_are_not(name: str) -> None:
    found = asked(name)
    assert found.is_unique
    honest = certify_options(found)
    code, message = checker.verdict(honest.text())
    assert code == checker.CONFIRMED, message
    assert f"the only answer is {found.answer}" in message
    number = found.options[0][1]
    wrong = str(number + Fraction(1, 1296))
    code, message = changed(honest, number=wrong)
    assert code == checker.REFUTED and f"the number of the answer is {number}" in message
    if found.other is None:
        assert changed(honest, gap="1/2")[0] == checker.REFUTED
        return
    assert found.gap is not None
    second = found.options[1]
    code, message = changed(honest, answer=second[0], number=str(second[1]))
    assert code == checker.REFUTED and f"the answer is {found.answer}" in message
    for gap in (str(found.gap * 2), "none", "0"):
        code, message = changed(honest, gap=gap)
        assert code == checker.REFUTED and f"the gap is {found.gap}" in message


def test_the_claim_of_one_position_is_not_that_of_another() -> None:
    honest = certify_options(asked("garrison-revolts"))
    other = POSITIONS["garrison-revolts"].replace("rha.", "")
    assert changed(honest, position=other)[0] == checker.REFUTED


def test_a_second_answer_cannot_be_hidden() -> None:
    """Two provinces beside nothing else are named first with the same chance."""
    text = "4211 D:6 aeg/epi/-/dal 23 - - bae.lus -/-/-/-"
    found = asked("likely-revolt", text)
    assert not found.is_unique and found.options[0][1] == found.options[1][1]
    with pytest.raises(ObjectiveError, match="two answers"):
        certify_options(found)
    honest = certify_options(asked("likely-revolt"))
    for answer, _ in found.options[:2]:
        for gap in ("none", "1/36", "0"):
            forged = changed(honest, position=text, answer=answer, number=str(found.options[0][1]), gap=gap)
            assert forged[0] == checker.REFUTED


def test_a_question_that_asks_nothing_has_no_answer() -> None:
    honest = certify_options(asked("chance-uprising"))
    quiet = "4211 D:6 aeg/epi/-/dal 23 - - epi -/-/-/-"
    code, message = changed(honest, position=quiet, answer="0", number="0")
    assert code == checker.REFUTED and "asks nothing" in message
    honest = certify_options(asked("fall"))
    code, message = changed(honest, position=quiet)
    assert code == checker.REFUTED and "there is no answer" in message


def test_a_garrison_that_nobody_has_cannot_be_placed() -> None:
    honest = certify_options(asked("garrison-revolts"))
    empty = "3211 D:6 bae/cae/gsu/ach 23 - rha.dac.cil.gat.asi.bit car.ach tri.afr.num/-/tar.gsu.nar/-"
    code, message = changed(honest, position=str(Position.parse(empty)))
    assert code == checker.REFUTED and "no garrison left" in message


def test_a_turn_that_cannot_end_has_no_phase() -> None:
    honest = certify_options(asked("chance-uprising"))
    shared = POSITIONS["chance-uprising"].replace("aeg/epi", "epi/epi").replace("D:6", "D:3")
    code, message = changed(honest, position=shared)
    assert code == checker.REFUTED and "no Barbarian phase can follow" in message


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (
            "mistake kill britannia: attack britannia: draw; end",
            checker.REFUTED,
        ),  # nothing but the end gives something up
        ("mistake kill britannia: move dacia; end", checker.REFUTED),  # illegal
        ("mistake kill britannia: move lugdunensis; end; end", checker.REFUTED),  # nothing comes after the end
        ("mistake kill britannia: attack britannia: win", checker.REFUTED),
        ("mistake kill britannia", checker.UNREADABLE),
        ("mistake least ip: end", checker.UNREADABLE),
        ("p_uprising now", checker.UNREADABLE),
        ("garrison", checker.UNREADABLE),
        ("revolt p_lost", checker.UNREADABLE),
        ("guess", checker.UNREADABLE),
    ],
)
def test_questions_in_another_form_are_not_confirmed(question: str, code: int) -> None:
    honest = certify_options(asked("mistake"))
    assert changed(honest, question=question)[0] == code


def test_more_lines_and_other_boards_are_refused() -> None:
    honest = certify_options(asked("chance-uprising"))
    assert verdict([*lines_of(honest), "gap none"])[0] == checker.UNREADABLE
    name, digest = honest.field("board").split()
    assert changed(honest, board=f"{name} {digest[::-1]}")[0] == checker.UNREADABLE


def test_phases_with_modules_and_large_ones_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ObjectiveError, match="cover the base game only"):
        certify_options(asked("chance-uprising", POSITIONS["chance-uprising"].replace("4211 ", "4211+mare-nostrum ")))
    monkeypatch.setattr(certificate, "MOST_VISITS", 10)
    with pytest.raises(TooLargeError, match="certificates cover 10 in all"):
        certify_options(asked("chance-uprising"))


def test_the_checker_confirms_mistakes_with_modules() -> None:
    entry = next(e for e in shipped() if e.question.kind.name == "mistake" and e.question.position.rules_in_use)
    found = ranked(entry.question)
    honest = certify_options(found)
    assert checker.verdict(honest.text())[0] == checker.CONFIRMED
    assert changed(honest, answer=str(found.other))[0] == checker.REFUTED
