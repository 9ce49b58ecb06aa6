"""Certificates of one answer of the second game: what a turn is worth by the checker, card by card, and false claims made by hand.

Digests are computed again, since they are no obstacle for a forger.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import checker
import pytest
from finem import answers, rest
from finem import map as checker_map
from finem import position as checker_position
from finem import rules as checker_rules
from finem.answers import AIMS
from tablefinem import ALL_RULESETS, random_game
from tampered import sealed
from text import Lines

from tetrasolve.certify.checking import CONFIRMED
from tetrasolve.certify.form import Certificate, read_certificate
from tetrasolve.errors import ObjectiveError, TooLargeError
from tetrasolve.finem.examples import examples
from tetrasolve.finem.position import Position
from tetrasolve.finem.puzzle import certificate as certificates
from tetrasolve.finem.puzzle.certificate import FIELDS, KIND, certified, certify_answer
from tetrasolve.finem.puzzle.kinds import question_about
from tetrasolve.finem.puzzle.puzzle import Entry, shipped
from tetrasolve.finem.puzzle.solving import Ranked, solve

pytestmark = pytest.mark.program

BOARDS = [path for path in checker.BOARDS if path.exists()]
MAP = checker_map.read_map(next(path for path in BOARDS if checker_map.is_map(path)))
MOST = 1  # positions of each step
LATE = ("resist", "raise", "travel", "protect", "discard", "discard-event", "invade", "civil-war", "crisis")
# Two cards are the worst: B6 and B7 (docs/reference/et-finem); the third best is 1/10 away
TWO_WORST = str(examples()["peril"])


def verdict(text: str) -> tuple[int, str]:
    return checker.verdict(text.encode("ascii"), BOARDS)


def of_kind(name: str, number: int = 0) -> Entry:
    """A shipped puzzle of a kind."""
    return [entry for entry in shipped() if entry.question.kind.name == name][number]


def claim(honest: Certificate | str, **changes: str | None) -> tuple[int, str]:
    """The verdict on a certificate with other fields; None leaves one out."""
    text = honest if isinstance(honest, str) else honest.text()
    fields = dict(read_certificate(text, FIELDS, ()).fields) | changes
    rows = [f"{name} {value}" for name, value in fields.items() if value is not None]
    return verdict(sealed(["tetrasolve-certificate 1", f"kind {KIND}", *rows]))


# -- what a turn is worth ----------------------------------------------------------------------------------------------


def plainly(state: checker_rules.Next, aim: rest.Aim) -> Fraction:
    """The value of a position, card by card and decision by decision."""
    if isinstance(state, str):
        return Fraction(aim.won if state == checker_rules.WON else aim.lost)
    if state.step in ("role", "appoint"):
        return Fraction(aim.of_dice(state) + aim.outbreaks * state.outbreaks)
    values = [plainly(checker_rules.after(state, word), aim) for word in checker_rules.choices(state)]
    if state.step in checker_rules.CHANCE:
        return sum(values, Fraction(0)) / len(values)
    return max(values) if aim.most else min(values)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_places_and_suits_come_to_what_the_tree_card_by_card_comes_to(ruleset: str) -> None:
    """Of each step late in a turn a few positions of games, with more cards out, so that the tree card by card is small."""
    random, seen = Random(ruleset), dict.fromkeys(LATE, 0)
    for seed in range(12):
        for position, _, _ in random_game(ruleset, seed):
            start = checker_position.read_state(str(position), MAP)
            if seen.get(start.step, MOST) >= MOST or checker_rules.collects(start):
                continue
            seen[start.step] += 1
            enough = max(start.left, checker_rules.cards_of_invasion(start)) + 2
            deck = random.sample(sorted({*range(24)} - start.out), enough)
            start = start._replace(out=frozenset({*range(24)} - {*deck}))
            aim = AIMS[random.choice(sorted(AIMS))]
            assert Fraction(rest.Rest(aim).best(start), rest.ONE) == plainly(start, aim), position
    assert sum(number > 0 for number in seen.values()) > 2, seen


@pytest.mark.parametrize(
    ("gone", "out", "hand"),
    [
        ("O", "O5.O6.O7.OS.C6.C7.CS.E5.E6.E7.ES.EC.ER.B5.B6", "E5.E6.E7"),
        ("OE", "O5.O6.O7.OS.OC.C5.C6.C7.CS.E5.E6.B5.B6.BS.BC", "C6.C7.B5"),
        ("OEB", "O5.O6.O7.OS.OC.OR.C5.C6.C7.CS.CC.E5.E6.E7.ES.B5", "C6.C7.B5"),
    ],
)
def test_cards_that_a_crisis_draws_again_come_to_what_the_tree_card_by_card_comes_to(
    gone: str, out: str, hand: str
) -> None:
    """They are alike, and the last ones are left for the invasion."""
    cubes = ".".join(words for words in "C5:C2.CC:C3.CR:C3.B7:B3.BR:B2".split(".") if words[0] not in gone)
    dice = "".join("0" if tribe in gone else "2" for tribe in "OCEB")
    text = f"consul C7/C7/E5 {dice}/{gone} 3/2 {cubes} crisis {out} hand={hand}"
    start, other = (
        checker_position.read_state(f"introductory{reading} {text}", MAP) for reading in ("?E-CRISIS-GONE=again", "")
    )
    for name in ("least p_lost", "least outbreaks"):
        aim = AIMS[name]
        assert Fraction(rest.Rest(aim).best(start), rest.ONE) == plainly(start, aim)
    assert rest.Rest(aim).best(start) > rest.Rest(aim).best(other)


# -- certificates ------------------------------------------------------------------------------------------------------

QUICK = ("worst-card", "chance-lost", "resist", "protect")


@pytest.mark.parametrize("name", QUICK)
def test_a_certificate_is_the_claim_and_is_confirmed(name: str) -> None:
    found = solve(of_kind(name).question)
    honest = certify_answer(found)
    assert honest.text() == of_kind(name).data["certificate"]
    code, sentence = verdict(honest.text())
    assert code == checker.CONFIRMED, sentence
    assert f"the only answer is {found.answer}, {found.options[0][1]}" in sentence


def test_all_shipped_puzzles_have_one_that_says_what_they_say() -> None:
    for entry in shipped():
        text = entry.data["certificate"]
        stated = read_certificate(text, FIELDS, ())
        assert stated.kind == KIND and stated.field("position") == str(entry.question.position)
        assert stated.field("answer") == entry.data["answer"]
        assert stated.field("number") == entry.data["options"][0]["exact"]
        gap = entry.data["gap"]
        assert stated.field("gap") == ("none" if gap is None else gap["exact"])


def test_a_plan_and_a_tribunes_exchange_are_confirmed_over_the_whole_turn() -> None:
    for name in ("win", "tribune-die"):
        assert verdict(of_kind(name, number=0 if name == "win" else 1).data["certificate"])[0] == checker.CONFIRMED
    assert certified(solve(of_kind("worst-card").question)) == CONFIRMED


CARD, CHANCE, RESIST, PROTECT = (of_kind(name).data["certificate"] for name in QUICK)
CHAINS = of_kind("protect", 2).data["certificate"]
# A chain that crosses the border: O5 and OS are adjacent on the sphere
SPHERE = certify_answer(
    solve(
        question_about(
            "chance-lost",
            None,
            Position.parse("expert+sphere prefect B5/C7/C7 3332/- 3/2 O5:O3.OS:O3 invade:2 C5.CC.E6.B7"),
        )
    )
).text()
WIN = of_kind("win").data["certificate"]
TRIBUNE = of_kind("tribune").data["certificate"]


def position_in(text: str) -> str:
    """The position of a certificate."""
    return read_certificate(text, FIELDS, ()).field("position")


def replaced(text: str, old: str, new: str) -> dict[str, str | None]:
    """The field of the position with something replaced that stands there once."""
    position = position_in(text)
    assert position.count(old) == 1, (old, position)
    return {"position": position.replace(old, new)}


SECOND = {  # a position with two best answers; each of them is claimed to be the only one, with the gap to the third
    "the first of two worst cards": {"answer": "B6"},
    "the second of two worst cards": {"answer": "B7"},
}
FALSE: dict[str, tuple[str, dict[str, str | None]]] = {
    "the second best card": (CARD, {"answer": "O5", "number": "1/19"}),
    "the second best as the best": (CARD, {"answer": "O5"}),
    "a card that is out": (CARD, {"answer": "C6"}),
    "a gap too large": (CARD, {"gap": "1"}),
    "a gap too small": (CARD, {"gap": "17/19"}),
    "no gap": (CARD, {"gap": "none"}),
    "a gap of nothing": (CARD, {"gap": "0"}),
    "another number": (CARD, {"number": "18/19"}),
    "the least dangerous card": (CARD, {"question": "card p_won"}),
    "the chance not to lose": (CHANCE, {"answer": "40/57", "number": "40/57"}),
    "cards that are put back: another distribution": (CHANCE, {"answer": "137/484", "number": "137/484"}),
    "a chance that is no answer of itself": (CHANCE, {"answer": "1/2"}),
    "a gap of a chance": (CHANCE, {"gap": "1/57"}),
    "the chance after one card more": (CHANCE, replaced(CHANCE, "invade:2", "invade:1")),
    "a card that was drawn lies in the deck": (CHANCE, replaced(CHANCE, "O6.OS.OR.CS.BC", "O6.OS.OR.CS")),
    "the flat map in place of the sphere": (SPHERE, replaced(SPHERE, "expert+sphere", "standard")),
    "one outbreak less": (SPHERE, replaced(SPHERE, "3/2", "3/1")),
    "a removal that is not the best": (RESIST, {"answer": "remove OC O"}),
    "a removal that does not exist": (RESIST, {"answer": "remove C5 C"}),
    "nothing removed": (RESIST, {"answer": "keep"}),
    "all of them removed": (RESIST, {"answer": "remove BS B all"}),
    "removing for another aim": (RESIST, {"question": "decision least outbreaks"}),
    "the most of the chance": (RESIST, {"question": "decision most p_lost"}),
    "a removal as a plan": (RESIST, {"question": "plan least p_lost"}),
    "a removal under an aim of the author's": (RESIST, {"question": "decision least lost=1"}),
    "protecting where nothing comes": (PROTECT, {"answer": "protect OS"}),
    "protecting under the reading of chains": (CHAINS, replaced(CHAINS, "standard ", "standard?E-PROTECT=chain ")),
    "a third cube that is not there": (PROTECT, replaced(PROTECT, "E7:E3", "E7:E2")),
    "an event that did not come": (PROTECT, replaced(PROTECT, "CR.ES.BC.BR", "CR.ES.BS.BR")),
    "a hand of two suits": (PROTECT, {"position": position_in(PROTECT).replace("CR.ES", "CR.CS")}),
    "a plan that does not win": (WIN, {"answer": "pass"}),
    "a plan one action too long": (WIN, {"answer": "move E7; move E6; move E7"}),
    "a plan with an action of another role": (WIN, {"answer": "ride"}),
    "the plan with a pass in between": (WIN, {"answer": "pass; pass"}),
    "the chance to win where nothing can be won": (PROTECT, {"question": "decision most p_won"}),
    "an exchange that is not the best": (TRIBUNE, {"answer": "exchange OC"}),
    "an exchange of a card that he does not hold": (TRIBUNE, {"answer": "exchange O5"}),
    "an exchange by a Consul": (TRIBUNE, replaced(TRIBUNE, "tribune", "consul")),
    "a second exchange": (TRIBUNE, {"position": position_in(TRIBUNE) + " exchanged"}),
    "an exchange that must be made": (TRIBUNE, replaced(TRIBUNE, "standard ", "standard?E-EXCHANGE=must ")),
    "an exchange in the invasion": (TRIBUNE, replaced(TRIBUNE, "standard ", "standard?E-TRIBUNE=either ")),
    "another map": (CARD, {"board": "et-finem " + "0" * 64}),
    "no answer": (CARD, {"answer": None}),
    "a position that has another step": (CARD, replaced(CARD, "invade:2", "draw")),
    "more cards to come than the decline says": (CARD, replaced(CARD, "invade:2", "invade:4")),
    "more cards out than a turn can have drawn": (
        CARD,
        replaced(CARD, "C6.E6.E7.BC", "O5.O6.O7.C6.E6.E7.ES.EC.BC"),
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_not_confirmed(name: str) -> None:
    honest, changes = FALSE[name]
    code, sentence = claim(honest, **changes)
    assert code in (checker.REFUTED, checker.UNREADABLE), sentence
    assert "cannot check it" not in sentence  # each is seen for what it is


@pytest.mark.parametrize("name", SECOND)
def test_a_second_answer_cannot_be_hidden(name: str) -> None:
    found = solve(question_about("worst-card", None, Position.parse(TWO_WORST)))
    best, third = found.options[0][1], found.options[2][1]
    for gap in (best - third, Fraction(0)):
        stated = {"position": TWO_WORST, "number": str(best), "gap": str(gap), **SECOND[name]}
        code, sentence = claim(CARD, **stated)
        assert code == checker.REFUTED and "there is a second answer: B" in sentence, sentence


DICTATORS = {  # two cards of his rides are out, beside those of the campaign, its event and the invasion
    "worst-card": "standard dictator BC/C7/BC 5211/CE 4/2 O5:O1.O6:O1.C6:C2.CS:C1.CC:C3.CR:C2.EC:E1.ER:E1.B6:B2.B7:B3.BS:B2 "
    "invade:2 O5.C5.CC.E5.ES.ER",
    "protect": "standard dictator E7/C7/E7 2225/C 5/2 O5:O1.O6:O3.O7:O2.OC:O1.OR:O2.C5:C3.C7:C1.CR:E1.E5:E1.E6:E1.EC:E3.ER:E2."
    "B6:B1.B7:B1.BC:B2.BR:B1 protect O5.OS.C5.C7.EC.BS hand=OS.C7.BS",
}


@pytest.mark.parametrize("kind", DICTATORS)
def test_the_cards_of_a_dictator_are_out(kind: str) -> None:
    honest = certify_answer(solve(question_about(kind, None, Position.parse(DICTATORS[kind]))))
    assert verdict(honest.text())[0] == checker.CONFIRMED
    without = DICTATORS[kind].replace("dictator", "consul")
    crowded = DICTATORS[kind].replace(" O5.", " O5.O6.O7.").replace(".C5.", ".C5.C6.").replace(".E5.ES.", ".E5.E6.ES.")
    for position in (without, crowded):
        code, sentence = claim(honest, position=position)
        assert code == checker.UNREADABLE and "so many cards cannot be out" in sentence, sentence


def test_a_tribune_who_has_exchanged_in_the_campaign_does_not_in_the_invasion() -> None:
    text = (
        "standard?E-TRIBUNE=either tribune C7/C7/CS 1424/- 4/2 O5:O1.O6:O1.OR:O1.CS:C1.E6:E1.ES:E1.ER:E1.B5:B3.B6:B1.B7:B1."
        "BS:B2.BC:B1.BR:B2 invade:2 O5.O7.OC.ES exchanged"
    )
    honest = certify_answer(solve(question_about("chance-lost", None, Position.parse(text))))
    assert verdict(honest.text())[0] == checker.CONFIRMED and honest.field("number") == "1/38"
    for old, new in ((" exchanged", ""), ("=either", "=invasion")):  # he may still exchange one of the invasion
        code, sentence = claim(honest, position=text.replace(old, new))
        assert code == checker.UNREADABLE and "is not covered" in sentence, sentence


def test_plans_to_one_situation_are_one_answer() -> None:
    """The pawn's place makes no other answer, and the answer of the file stands for its situation."""
    start = checker_position.read_state(position_in(WIN), MAP)
    stated = read_certificate(WIN, FIELDS, ())
    lines = Lines(WIN.encode("ascii"))
    ends = dict(answers.plans(lines, start, "confront E", AIMS["most p_won"]))
    way = next(word for word in checker_rules.choices(checker_rules.after(start, "confront E")) if "move" in word)
    longer = dict(answers.plans(lines, start, f"confront E; {way}", AIMS["most p_won"]))
    assert len(ends) == len(longer) == 3 and ends["confront E"] == longer[f"confront E; {way}"]
    assert max(ends.values()) == Fraction(stated.field("number"))


def test_what_has_no_certificate_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    two = solve(question_about("worst-card", None, Position.parse(TWO_WORST)))
    with pytest.raises(ObjectiveError, match="two answers: B6 and B7"):
        certify_answer(two)
    entry = of_kind("win")
    found = solve(entry.question)
    monkeypatch.setattr(certificates, "MOST_SITUATIONS", 2)
    with pytest.raises(TooLargeError, match="3 situations, certificates cover 2"):
        certify_answer(found)
    assert certified(found) == "the actions lead to 3 situations, certificates cover 2 of them"
    text = position_in(TRIBUNE).replace("standard ", "standard?E-TRIBUNE=either ")
    question = question_about("tribune", None, Position.parse(text))
    shown = Ranked(question, found.numbers, found.options, found.verdict)
    with pytest.raises(ObjectiveError, match="E-TRIBUNE"):
        certify_answer(shown)


def test_what_is_too_large_for_the_checker_is_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest, "MOST_VALUES", 10)
    assert verdict(PROTECT)[0] == checker.UNREADABLE
    monkeypatch.setattr(answers, "MOST_STATES", 1)
    assert verdict(WIN)[0] == checker.UNREADABLE
