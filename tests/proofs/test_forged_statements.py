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
    ("book-board/provinces", {"roman": "48", "regions": "8"}, "an eighth region"),
    ("book-board/capitals", {"galerius": "pannonia_superior"}, "another capital"),
    ("book-board/britannia", {"zones": "1"}, "a coast for Britannia"),
    ("book-geography/uprisings", {"most": "7"}, "a province with seven neighbours"),
    ("book-geography/headquarters", {"diocletian": "3"}, "a capital nearer to the border"),
    ("book-geography/capitals", {"maximian.most": "3"}, "a shorter way from a capital"),
    ("book-levels/medium", {"easier": "16", "neither": "49"}, "a level easier than 4211 that is not"),
    ("book-levels/easiest", {"harder": "79", "neither": "1"}, "a level not harder than 5300"),
    ("book-levels/example", {"than-4211": "easier.easier.same.same"}, "5111 helps at sea"),
    ("book-set-up/first-revolts", {"ways": "46656"}, "first provinces not rolled again"),
    ("book-set-up/additional", {"placed": "36", "again": "0"}, "no throw is made again"),
    ("book-set-up/capitals", {"chance": "64/125"}, "the chance of the contrary"),
    ("book-round/entry", {"covered": "16"}, "entry into a covered capital"),
    ("book-round/garrisons", {"lost": "146", "lost-by-defeat": "0"}, "garrisons lost without battles"),
    ("book-round/dice", {"most": "3"}, "a roll of three dice"),
    ("book-prices/rules", {"move.broken": "1"}, "broken links at the price of others"),
    ("book-prices/by-sea", {"moves.2": "153"}, "moves in one direction only"),
    ("book-prices/summary", {"attacks-like-moves": "3"}, "one attack at another price"),
    ("book-borders/own-region", {"blocked": "38"}, "linked revolts of other regions block"),
    ("book-borders/own-region", {"wrong": "2", "verdict": "refuted"}, "the rulebook is wrong"),
    ("book-borders/own-region", {"linked-elsewhere": "0"}, "no border is linked to another region"),
    ("book-movement", {"by-sea": "2"}, "a dearer way by sea"),
    ("book-movement", {"may-stay": "yes"}, "two Emperors in one province"),
    ("book-movement", {"left": "3", "into-the-revolt": "2"}, "the revolt costs nothing"),
    ("book-battle/attack", {"garrisons": "2", "victory": "18", "defeat": "15"}, "a smaller group"),
    ("book-battle/rhaetia", {"armies": "0"}, "no support from Rhaetia"),
    ("book-battle/pannonia", {"groups": "of-1.of-4", "garrisons": "4"}, "a larger group"),
    ("book-waiting/values", {"wait.victory": "12", "verdict": "refuted"}, "who waits has other values"),
    ("book-waiting/chance", {"comes": "1", "verdict": "refuted"}, "the link is not broken"),
    (
        "book-waiting/turn",
        {"wait.victory": "1/3", "wait.victory-if-it-comes": "2/3", "verdict": "confirmed"},
        "no loss",
    ),
    ("book-barbarians/landings", {"by-sea": "388", "verdict": "refuted"}, "attacks by sea"),
    ("book-barbarians/echo", {"echo.3": "36", "verdict": "refuted"}, "a fourth army"),
    ("book-barbarians/broken-links", {"passed": "72", "verdict": "refuted"}, "two thirds of the faces"),
    ("book-modules/together", {"at-4211": "15"}, "a set of modules that cannot be played"),
    ("book-modules/easier", {"dux.kept": "0"}, "the Dux takes all actions away"),
    ("book-modules/harder", {"better": "1", "same": "1223"}, "a battle that the Goths make better"),
    ("book-dux/deployment", {"legal": "2304"}, "deployment everywhere"),
    ("book-dux/deeds", {"lacking": "-"}, "the Dux secures"),
    ("book-dux/death", {"again": "132"}, "a second Dux"),
    ("book-vicarius/moves", {"into-revolts": "0"}, "moves into revolts"),
    ("book-vicarius/dice", {"unrest.vicarius": "33"}, "no calm where he stands"),
    ("book-vicarius/troops", {"changed": "438", "verdict": "refuted"}, "he has troops"),
    ("book-pirates/levels", {"levels": "81"}, "Pirates with three fleets"),
    ("book-pirates/attack", {"price": "1"}, "a cheaper attack"),
    ("book-pirates/return", {"back.12": "36"}, "they come back from everywhere"),
    ("book-goths/three", {"echo.3": "36", "verdict": "refuted"}, "a fourth army"),
    ("book-goths/permanent", {"kept": "6", "lost": "-", "verdict": "confirmed"}, "no border can be lost"),
    ("book-goths/broken-links", {"with": "42"}, "the Goths pass as others do"),
    ("book-variants/actions", {"lost": "1"}, "a variant takes an action away"),
    ("book-variants/actions", {"imperium.more": "0"}, "a power without use"),
    ("book-variants/actions", {"barbaria.more": "1"}, "actions from the Barbarian player"),
    ("book-imperium/price", {"uses.5": "6"}, "a use without a disc"),
    ("book-imperium/maximian", {"with": "8"}, "two IP more"),
    ("book-imperium/galerius", {"victory.1": "26"}, "each disc counts twice"),
    ("book-mare-nostrum/zones", {"with.13": "702"}, "zones that do not touch are joined"),
    ("book-mare-nostrum/zones", {"most.123": "1"}, "one IP for all zones"),
    ("book-mare-nostrum/easier", {"dearer": "1"}, "a move becomes dearer"),
    ("book-via-romana", {"onto-a-disc": "408"}, "marches onto discs"),
    ("book-via-romana", {"broken": "1"}, "broken links at the price of others"),
    ("book-via-romana", {"elsewhere": "2"}, "marches out of the Empire"),
    ("book-usurper/rising", {"unsecured": "36"}, "usurpers where no border is secured"),
    ("book-usurper/rising", {"stay": "0"}, "usurpers march at once"),
    ("book-usurper/way", {"longer": "-"}, "arrows are shortest ways"),
    ("book-roma-aeterna/glory", {"defeat.1": "1"}, "a defeat takes no glory"),
    ("book-roma-aeterna/great", {"fewest": "2"}, "two borders are enough"),
    ("book-roma-aeterna/great", {"great.5": "4092"}, "there is always a Great"),
    ("book-barbaria/discs", {"gray": "5"}, "a fifth disc"),
    ("book-barbaria/rerolls", {"uprising.4": "1"}, "certain uprisings"),
    ("book-barbaria/black", {"roma": "1", "places": "38"}, "a revolt in Roma"),
    ("book-scenario/carausian", {"revolts": "9", "verdict": "refuted"}, "more revolts than its level"),
    ("book-scenario/persian", {"skipped": "1"}, "a turn is skipped"),
    ("book-scenario/danubian", {"on-a-revolt": "1", "verdict": "refuted"}, "an Emperor begins on a revolt"),
    ("book-wars/supply", {"revolts.persian": "22", "verdict": "refuted"}, "more revolts than there are"),
    ("book-wars/fixed", {"third.carausian": "6"}, "a revolt too many"),
    ("book-wars/rebels", {"stay": "3", "verdict": "refuted"}, "rebels march"),
    ("book-rebels/carausian", {"at-first": "2"}, "attacks while the Pirates are there"),
    ("book-rebels/mauretanian", {"without-it": "4", "verdict": "refuted"}, "attacks without a fleet"),
    ("book-rebels/persian", {"fleet": "zone-1"}, "another zone"),
]


@pytest.mark.parametrize(
    ("fact", "changed", "meaning"), FALSE, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_false_claim_is_refuted(fact: str, changed: dict[str, str], meaning: str) -> None:
    assert changed.keys() <= TRUE[fact].keys() and changed.items().isdisjoint(TRUE[fact].items()), meaning
    assert refutes(fact, TRUE[fact] | changed)


def test_every_topic_has_three_false_claims() -> None:
    for topic in topics():
        assert sum(fact.partition("/")[0] == topic for fact, _, _ in FALSE) >= 3, topic


def test_the_true_claims_are_not_refuted() -> None:
    assert [fact for fact in {fact for fact, _, _ in FALSE} if refutes(fact, TRUE[fact])] == []


# -- the opposite verdict, with a position that shows it ------------------------------------------------------------

# Examples, and positions of a forger's choice where the opposite verdict is true
PICTURE = "23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"
POSITIONS = {
    "book-battle/attack": "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/-",
    "book-battle/cisalpina": "4211 M:6 bit/pin/aqu/cis 23 nar nar - -/-/lug/etr.dal",
    "book-battle/diocletian": f"4211 M:6 bit/pin/aqu/gsu {PICTURE}",
    "book-battle/rhaetia": f"4211 M:6 bit/pin/aqu/gsu {PICTURE}",
    "book-battle/constantius": f"4211 C:6 lug/pin/aqu/gsu {PICTURE}",
    "book-battle/pannonia": "4211 M:6 bit/pin/aqu/psu 23 nar.rha tin.bae.lus.car.gla.tar.nar.rha - -/-/lug/etr",
    "book-waiting/values": None,  # no position shows it: who attacks changes nothing
    "book-waiting/turn": "4211 M:6 bit/pin/aqu/cis 23 nar nar - -/-/lug/etr.dal",
    "book-barbarians/domino": "4200 D:b -/-/-/- 23 - rom - -/-/-/-",
    "book-barbarians/chain": "4200 D:b -/-/-/- 23 - bae.lus.gin.gsu.psu.nor.msu.thr.cil.cap.cyr.tri - -/-/-/-",
}
FLIPPED = {"confirmed": "refuted", "refuted": "confirmed"}


@pytest.mark.parametrize("fact", [*POSITIONS, "turn-ends", "game-ends/illegal", "game-ends/falls"])
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
    assert refutes("book-battle/attack", TRUE["book-battle/attack"] | {"position": "x"})
    assert refutes("book-battle/attack", TRUE["book-battle/attack"] | {"witness": "w2c0c8791903b"})


def test_there_is_no_other_statement() -> None:
    assert refutes("book-battle/another", TRUE["book-battle/attack"])


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
