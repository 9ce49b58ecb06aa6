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


@pytest.mark.sampled(3)
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


def test_large_phases_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "MOST_VISITS", 10)
    with pytest.raises(TooLargeError, match="certificates cover 10 in all"):
        certify_options(asked("chance-fall"))


def test_a_reading_that_the_checker_does_not_know_has_none() -> None:
    position = POSITIONS["chance-uprising"].replace("4211", "4211?I-ECHO-HOME=other-region")
    with pytest.raises(ObjectiveError, match="does not know the reading I-ECHO-HOME"):
        certify_options(asked("chance-uprising", position))


@pytest.mark.parametrize("ruleset", ["4211?I-ECHO-HOME=other-region", "4211?attack=1"])
def test_the_checker_reads_no_position_with_rules_that_it_does_not_know(ruleset: str) -> None:
    position = POSITIONS["chance-uprising"].replace("4211", ruleset)
    honest = certify_options(asked("chance-uprising"))
    assert changed(honest, position=str(Position.parse(position)))[0] == checker.UNREADABLE


# -- modules -----------------------------------------------------------------------------------------------------

BEFORE_ROMA = "4222{0} D:6 aeg/epi/-/rom 23 etr etr.tar - -/-/-/-{1}"
UNREST = "lus.car.gla.tar.bel.gin.gsu.lug.aqu.psu.nor.dal.msu.thr.mac.ach.epi"  # 17 of 21
REVOLTS = "tin.bae.lus.car.gla.tar.bel.gin.gsu.lug.aqu.nar.rha.psu.nor.pin.dac.dal.thr.mac"  # 20 of 21
ALL_UNREST = "tin.bae.lus.car.gla.tar.bel.gin.gsu.lug.aqu.psu.nor.dal.msu.thr.mac.ach.epi.asi.bit"
GLORY = ' glory={{"constantius":{0},"diocletian":{0},"galerius":{0},"maximian":{0}}}'
TWO_ARMIES = '4222+goths{0} D:6 aeg/epi/-/rom 23 etr.luc etr.luc.tar - -/-/-/- goths="lucania"'
NORICUM = "4222+usurpator{0} D:6 aeg/-/-/- 23 nor nor - -/-/-/-"
DISCS = ' barbarian_discs={{"black":{0},"gray":{1}}}'
# What a forger takes for the same: two positions of nearly the same text, with the answer to the same question in each
PAIRS: dict[str, tuple[str, str, str, str, str]] = {
    "the army is that of the Goths": (
        "chance-fall",
        BEFORE_ROMA.format("+goths", ' goths="etruria"'),
        "7/12",
        BEFORE_ROMA.format("+goths", ' goths="reserve"'),
        "5/12",
    ),
    "the Dux stands beside the army": (
        "chance-fall",
        BEFORE_ROMA.format("+dux", ' dux="cisalpina"'),
        "1/9",
        BEFORE_ROMA.format("+dux", " dux=null"),
        "5/12",
    ),
    "the Goths support": (
        "chance-fall",
        TWO_ARMIES.format(""),
        "139/144",
        TWO_ARMIES.format("?I-GOTHS-SUPPORT=leader"),
        "191/216",
    ),
    "no unrest comes to the Vicarius": (
        "chance-fall",
        f'4222+vicarius D:6 aeg/-/-/rom 23 - - {ALL_UNREST} -/-/-/- vicarius="syria"',
        "13/36",
        f'4222+vicarius D:6 aeg/-/-/rom 23 - - {ALL_UNREST} -/-/-/- vicarius="cisalpina"',
        "7/18",
    ),
    "the black disc is a revolt": (
        "chance-fall",
        f"4222+barbaria D:6 aeg/-/-/rom 23 - {REVOLTS} - -/-/-/-" + DISCS.format(1, 0),
        "65/216",
        f"4222+barbaria D:6 aeg/-/-/rom 23 - {REVOLTS} - -/-/-/-" + DISCS.format(0, 0),
        "41/432",
    ),
    "usurpers go the shortest way": (
        "likely-revolt",
        NORICUM.format(""),
        "rhaetia",
        NORICUM.format("?I-WAY-BROKEN=two"),
        "pannonia_superior",
    ),
}


@pytest.mark.parametrize("name", [*PAIRS])
def test_the_claim_of_one_rule_is_not_that_of_another(name: str) -> None:
    kind_name, first, answer, second, other = PAIRS[name]
    for position, right, wrong in ((first, answer, other), (second, other, answer)):
        found = asked(kind_name, position)
        assert found.is_unique and found.answer == right
        honest = certify_options(found)
        code, message = checker.verdict(honest.text())
        assert code == checker.CONFIRMED, message
        number = wrong if kind_name == "chance-fall" else honest.field("number")
        code, message = changed(honest, answer=wrong, number=number)
        assert code == checker.REFUTED and f"the answer is {right}" in message
        if name == "usurpers go the shortest way":
            continue
        assert changed(honest, position=second if position == first else first)[0] == checker.REFUTED


@pytest.mark.parametrize(
    ("extension", "piece", "none_left"),
    [("+barbaria", DISCS.format(1, 4), DISCS.format(1, 3)), ("+roma-aeterna", GLORY.format(1), GLORY.format(0))],
)
def test_discs_beside_the_board_are_missing_in_the_reserve(extension: str, piece: str, none_left: str) -> None:
    """With one more in the reserve there is nothing to ask: the Empire cannot fall."""
    text = f"4222{extension} D:6 aeg/epi/-/rom 23 - - {UNREST} -/-/-/-"
    honest = certify_options(asked("chance-fall", text + piece))
    assert honest.field("number") == "17/36" and checker.verdict(honest.text())[0] == checker.CONFIRMED
    for position in (text + none_left, text.replace(extension, "")):
        code, message = changed(honest, position=position)
        assert code == checker.REFUTED and "asks nothing" in message


@pytest.mark.parametrize(
    "change",
    [
        ("+goths", "+goths+vicarius"),  # without his piece
        ("+goths", "+goths+dux"),  # not in order
        ("+goths", ""),
        ("etruria", "lucania"),  # no army is there
        ("goths=", "Goths="),
        ('goths="etruria"', 'goths="etruria" goths="etruria"'),
        ("+goths", "+goths?I-ECHO-HOME=other-region"),
        ("+goths", "+goths?I-USURPER-ECHO=after"),  # a reading of a variant that is not in use
    ],
)
def test_pieces_that_do_not_fit_the_rules_are_unreadable(change: tuple[str, str]) -> None:
    position = PAIRS["the army is that of the Goths"][1]
    honest = certify_options(asked("chance-fall", position))
    assert changed(honest, position=position.replace(*change, 1))[0] == checker.UNREADABLE


def test_the_checker_confirms_mistakes_with_modules() -> None:
    entry = next(e for e in shipped() if e.question.kind.name == "mistake" and e.question.position.rules_in_use)
    found = ranked(entry.question)
    honest = certify_options(found)
    assert checker.verdict(honest.text())[0] == checker.CONFIRMED
    assert changed(honest, answer=str(found.other))[0] == checker.REFUTED
