"""False claims about statements of the rulebook, made by hand: three and more a topic, and the opposite verdict of every example.

A claim is a row of an index. The forger of an example has a position of his own, on which the opposite verdict is true, and
claims the numbers of that position; he may also put another file of rows beside the checker.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import checker
import pytest

from tetrasolve.certify.checking import checker_folder
from tetrasolve.claims.fact import value_text
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.boardfile import standard_text
from tetrasolve.tetrarchia.facts.rulebook.rows import statements, topics
from tetrasolve.tetrarchia.facts.subject import standard_index

TRUE = {entry.id: dict(entry.values) for entry in standard_index().entries}
ROWS = statements()


@cache
def counted(fact: str) -> Any:
    """A fact as the checker computes it."""
    return checker.counted(fact, checker.BOARDS[0])


def refutes(fact: str, values: Mapping[str, str]) -> bool:
    """Whether the checker refutes that a fact has these values."""
    row = {"id": fact, "form": "recount", "values": dict(values)}
    reasons = [reason for _, reason in checker._index.check_facts(Path(), [row], None, counted)]
    assert not reasons or isinstance(reasons[0], checker._index.Refuted), reasons
    return bool(reasons)


# -- three false claims a topic ------------------------------------------------------------------------------------

# A fact, the values that are changed, and what the claim would mean
FALSE: list[tuple[str, dict[str, str], str]] = [
    ("statement/ends/turn", {"most": "8", "shown": "8"}, "eight actions in a turn"),
    ("statement/ends/turn", {"least": "0"}, "an action for nothing"),
    ("statement/ends/phase", {"again": "36", "worst": "1"}, "a chain of uprisings without end"),
    ("statement/ends/victory", {"before": "6", "wins": "no"}, "no victory by securing"),
    ("statement/ends/defeat", {"unrest": "0", "revolts": "0", "roma": "0"}, "an Empire that nothing ends"),
    ("statement/ends/defeat", {"revolts": "1/2"}, "a fall that the dice decide"),
    ("statement/ends/unrest", {"bound": "1/2", "lost": "1/2"}, "an Empire that falls less often"),
    ("statement/ends/domino", {"lost": "1"}, "an Empire that falls in any case"),
    ("statement/ends/reserve", {"legal": "yes"}, "a revolt reduced to an unrest that is not there"),
    ("statement/ends/reserve-falls", {"end": "revolts"}, "another reason for the fall"),
    ("statement/ends/border-kept", {"after": "0"}, "a border lost under the usual reading"),
    ("statement/ends/border-lost", {"after": "1"}, "a border kept under the other reading"),
    ("statement/board/provinces", {"roman": "48", "regions": "8"}, "an eighth region"),
    ("statement/board/capitals", {"galerius": "pannonia_superior"}, "another capital"),
    ("statement/board/britannia", {"zones": "1"}, "a coast for Britannia"),
    ("statement/strength", {"worse": "2"}, "more strength hurts twice"),
    ("statement/strength", {"even-victory": "18", "even-defeat": "12"}, "Rome is stronger where both sides are equal"),
    ("statement/strength", {"mirrored": "575", "verdict": "refuted"}, "one cell is no mirror image"),
    ("statement/geography/uprisings", {"most": "7"}, "a province with seven neighbours"),
    ("statement/geography/headquarters", {"diocletian": "3"}, "a capital nearer to the border"),
    ("statement/geography/capitals", {"maximian.most": "3"}, "a shorter way from a capital"),
    ("statement/levels/medium", {"easier": "16", "neither": "49"}, "a level easier than 4211 that is not"),
    ("statement/levels/easiest", {"harder": "79", "neither": "1"}, "a level not harder than 5300"),
    ("statement/levels/example", {"than-4211": "easier.easier.same.same"}, "5111 helps at sea"),
    ("statement/set-up/first-revolts", {"ways": "46656"}, "first provinces not rolled again"),
    ("statement/set-up/additional", {"placed": "36", "again": "0"}, "no throw is made again"),
    ("statement/set-up/capitals", {"chance": "64/125"}, "the chance of the contrary"),
    ("statement/round/entry", {"covered": "16"}, "entry into a covered capital"),
    ("statement/round/garrisons", {"lost": "146", "lost-by-defeat": "0"}, "garrisons lost without battles"),
    ("statement/round/dice", {"most": "3"}, "a roll of three dice"),
    ("statement/prices/rules", {"move.broken": "1"}, "broken links at the price of others"),
    ("statement/prices/by-sea", {"moves.2": "153"}, "moves in one direction only"),
    ("statement/prices/summary", {"attacks-like-moves": "3"}, "one attack at another price"),
    ("statement/borders/own-region", {"blocked": "38"}, "linked revolts of other regions block"),
    ("statement/borders/own-region", {"wrong": "2", "verdict": "refuted"}, "the rulebook is wrong"),
    ("statement/borders/own-region", {"linked-elsewhere": "0"}, "no border is linked to another region"),
    ("statement/movement", {"by-sea": "2"}, "a more expensive way by sea"),
    ("statement/movement", {"may-stay": "yes"}, "two Emperors in one province"),
    ("statement/movement", {"left": "3", "into-the-revolt": "2"}, "the revolt costs nothing"),
    ("statement/battle/attack", {"garrisons": "2", "victory": "18", "defeat": "15"}, "a smaller group"),
    ("statement/battle/rhaetia", {"armies": "0"}, "no support from Rhaetia"),
    ("statement/battle/pannonia", {"groups": "of-1.of-4", "garrisons": "4"}, "a larger group"),
    ("statement/waiting/values", {"wait.victory": "12", "verdict": "refuted"}, "who waits has other values"),
    ("statement/waiting/chance", {"comes": "1", "verdict": "refuted"}, "the link is not broken"),
    (
        "statement/waiting/turn",
        {"wait.victory": "1/3", "wait.victory-if-it-comes": "2/3", "verdict": "confirmed"},
        "no loss",
    ),
    ("statement/barbarians/landings", {"by-sea": "388", "verdict": "refuted"}, "attacks by sea"),
    ("statement/barbarians/echo", {"echo.3": "36", "verdict": "refuted"}, "a fourth army"),
    ("statement/barbarians/broken-links", {"passed": "72", "verdict": "refuted"}, "two thirds of the faces"),
    ("statement/modules/together", {"at-4211": "15"}, "a set of modules that cannot be played"),
    ("statement/modules/easier", {"dux.kept": "0"}, "the Dux takes all actions away"),
    ("statement/modules/harder", {"better": "1", "same": "1223"}, "a battle that the Goths make better"),
    ("statement/dux/deployment", {"legal": "2304"}, "deployment everywhere"),
    ("statement/dux/deeds", {"lacking": "-"}, "the Dux secures"),
    ("statement/dux/death", {"again": "132"}, "a second Dux"),
    ("statement/vicarius/moves", {"into-revolts": "0"}, "moves into revolts"),
    ("statement/vicarius/dice", {"unrest.vicarius": "33"}, "no calm where he stands"),
    ("statement/vicarius/troops", {"changed": "438", "verdict": "refuted"}, "he has troops"),
    ("statement/pirates/levels", {"levels": "81"}, "Pirates with three fleets"),
    ("statement/pirates/attack", {"price": "1"}, "a cheaper attack"),
    ("statement/pirates/return", {"back.12": "36"}, "they come back from everywhere"),
    ("statement/goths/three", {"echo.3": "36", "verdict": "refuted"}, "a fourth army"),
    ("statement/goths/permanent", {"kept": "6", "lost": "-", "verdict": "confirmed"}, "no border can be lost"),
    ("statement/goths/broken-links", {"with": "42"}, "the Goths pass as others do"),
    ("statement/variants/actions", {"lost": "1"}, "a variant takes an action away"),
    ("statement/variants/actions", {"imperium.more": "0"}, "a power without use"),
    ("statement/variants/actions", {"barbaria.more": "1"}, "actions from the Barbarian player"),
    ("statement/imperium/price", {"uses.5": "6"}, "a use without a disc"),
    ("statement/imperium/maximian", {"with": "8"}, "two IP more"),
    ("statement/imperium/galerius", {"victory.1": "26"}, "each disc counts twice"),
    ("statement/mare-nostrum/zones", {"with.13": "702"}, "zones that do not touch are joined"),
    ("statement/mare-nostrum/zones", {"most.123": "1"}, "one IP for all zones"),
    ("statement/mare-nostrum/easier", {"dearer": "1"}, "a move becomes more expensive"),
    ("statement/via-romana", {"onto-a-disc": "408"}, "marches onto discs"),
    ("statement/via-romana", {"broken": "1"}, "broken links at the price of others"),
    ("statement/via-romana", {"elsewhere": "2"}, "marches out of the Empire"),
    ("statement/usurper/rising", {"unsecured": "36"}, "usurpers where no border is secured"),
    ("statement/usurper/rising", {"stay": "0"}, "usurpers march at once"),
    ("statement/usurper/way", {"longer": "-"}, "arrows are shortest ways"),
    ("statement/roma-aeterna/glory", {"defeat.1": "1"}, "a defeat takes no glory"),
    ("statement/roma-aeterna/great", {"fewest": "2"}, "two borders are enough"),
    ("statement/roma-aeterna/great", {"great.5": "4092"}, "there is always a Great"),
    ("statement/barbaria/discs", {"gray": "5"}, "a fifth disc"),
    ("statement/barbaria/rerolls", {"uprising.4": "1"}, "certain uprisings"),
    ("statement/barbaria/rerolls", {"uprising.4": "4651/7776"}, "a roll again for each disc"),
    ("statement/barbaria/black", {"roma": "1", "places": "38"}, "a revolt in Roma"),
    ("statement/scenario/carausian", {"revolts": "9", "verdict": "refuted"}, "more revolts than its level"),
    ("statement/scenario/persian", {"skipped": "1"}, "a turn is skipped"),
    ("statement/scenario/danubian", {"on-a-revolt": "1", "verdict": "refuted"}, "an Emperor begins on a revolt"),
    ("statement/wars/supply", {"revolts.persian": "22", "verdict": "refuted"}, "more revolts than there are"),
    ("statement/wars/fixed", {"third.carausian": "6"}, "a revolt too many"),
    ("statement/wars/rebels", {"stay": "3", "verdict": "refuted"}, "rebels march"),
    ("statement/rebels/carausian", {"at-first": "2"}, "attacks while the Pirates are there"),
    ("statement/rebels/mauretanian", {"without-it": "4", "verdict": "refuted"}, "attacks without a fleet"),
    ("statement/rebels/persian", {"fleet": "zone-1"}, "another zone"),
]


@pytest.mark.parametrize(
    ("fact", "changed", "meaning"), FALSE, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_false_claim_is_refuted(fact: str, changed: dict[str, str], meaning: str) -> None:
    assert changed.keys() <= TRUE[fact].keys() and changed.items().isdisjoint(TRUE[fact].items()), meaning
    assert refutes(fact, TRUE[fact] | changed)


def test_every_topic_has_three_false_claims() -> None:
    for topic in topics():
        assert sum(f"{fact}/".startswith(f"{topic['id']}/") for fact, _, _ in FALSE) >= 3, topic


def test_the_true_claims_are_not_refuted() -> None:
    assert [fact for fact in {fact for fact, _, _ in FALSE} if refutes(fact, TRUE[fact])] == []


# -- the opposite verdict, with a position that shows it ------------------------------------------------------------

# Examples, and positions of a forger's choice where the opposite verdict is true
PICTURE = "23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"
POSITIONS = {
    "statement/battle/attack": "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/-",
    "statement/battle/cisalpina": "4211 M:6 bit/pin/aqu/cis 23 nar nar - -/-/lug/etr.dal",
    "statement/battle/diocletian": f"4211 M:6 bit/pin/aqu/gsu {PICTURE}",
    "statement/battle/rhaetia": f"4211 M:6 bit/pin/aqu/gsu {PICTURE}",
    "statement/battle/constantius": f"4211 C:6 lug/pin/aqu/gsu {PICTURE}",
    "statement/battle/pannonia": "4211 M:6 bit/pin/aqu/psu 23 nar.rha tin.bae.lus.car.gla.tar.nar.rha - -/-/lug/etr",
    "statement/waiting/values": None,  # no position shows it: who attacks changes nothing
    "statement/waiting/turn": "4211 M:6 bit/pin/aqu/cis 23 nar nar - -/-/lug/etr.dal",
    "statement/barbarians/domino": "4200 D:b -/-/-/- 23 - rom - -/-/-/-",
    "statement/barbarians/chain": "4200 D:b -/-/-/- 23 - bae.lus.gin.gsu.psu.nor.msu.thr.cil.cap.cyr.tri - -/-/-/-",
}
FLIPPED = {"confirmed": "refuted", "refuted": "confirmed"}


@pytest.mark.parametrize("fact", [*POSITIONS, *(fact for fact in ROWS if fact.startswith("statement/ends/"))])
def test_the_opposite_verdict_is_refuted(fact: str) -> None:
    assert refutes(fact, TRUE[fact] | {"verdict": FLIPPED[TRUE[fact]["verdict"]]})


@pytest.mark.parametrize("fact", [fact for fact, position in POSITIONS.items() if position])
def test_numbers_of_another_position_are_refuted(fact: str) -> None:
    row = replace(ROWS[fact], position=POSITIONS[fact])
    found = {path: value_text(value) for path, value in row.work_out(Board.standard()).items()}
    assert found != TRUE[fact]
    forged = found | {"verdict": FLIPPED[TRUE[fact]["verdict"]]}

    assert refutes(fact, forged)
    assert refutes(fact, found)


def test_a_position_is_no_part_of_a_claim() -> None:
    assert refutes("statement/battle/attack", TRUE["statement/battle/attack"] | {"position": "x"})
    assert refutes("statement/battle/attack", TRUE["statement/battle/attack"] | {"witness": "w2c0c8791903b"})


def test_there_is_no_other_statement() -> None:
    assert refutes("statement/battle/another", TRUE["statement/battle/attack"])


# -- the file of the rows --------------------------------------------------------------------------------------------


def test_the_checker_knows_the_rows_by_their_digest(tmp_path: Path) -> None:
    """With rows in which the rulebook is right about waiting the checker proves nothing."""
    shutil.copytree(checker_folder(), tmp_path / "proofs" / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    data = tmp_path / "tetrasolve" / "tetrarchia" / "data"
    data.mkdir(parents=True)
    (data / "tetrarchia.toml").write_text(standard_text(), "utf-8")
    rows = (checker_folder().parent.parent / "tetrasolve" / "tetrarchia" / "data" / "statements.toml").read_text(
        "ascii"
    )
    ask = "from statements import read_rows; print(len(read_rows()))"
    run = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path / 'proofs' / 'checker')!r}); {ask}"]

    def says(text: str) -> str:
        (data / "statements.toml").write_text(text, "ascii")
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert says(rows).strip() == str(len(ROWS))
    for forged in (
        rows.replace('holds = "attack_victory == wait_victory_if_it_comes"', 'holds = "True"'),
        rows.replace("4200 D:b -/-/-/- 23 - rom cis.etr -/-/-/-", "4200 D:b -/-/-/- 23 - rom - -/-/-/-"),
        rows + "\n",
    ):
        assert forged != rows
        assert "these are not the statements that this checker knows" in says(forged)
