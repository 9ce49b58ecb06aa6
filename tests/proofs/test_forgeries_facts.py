"""False facts made by hand, for each form of proof and each kind of facts of three families: none of them is confirmed.

A row is a fact, a name, what a thoughtful forger changes in its certificate, the values that he claims, and why that is
false. Everything else is made consistent: the values of the certificate are those of the index, and counts of lines and
digests are computed again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import checker  # puts the modules of the checker within reach
import pytest
from board import read_board

from tetrasolve.certify.form import digest, load
from tetrasolve.tetrarchia.facts.families import CLAIMS

Lines = list[str]
Edit = Callable[[Lines], Lines]


@cache
def rows() -> dict[str, dict[str, Any]]:
    """The facts as they stand in the index, by id."""
    data = json.loads((CLAIMS.proofs_folder() / "index.json").read_text("ascii"))
    return {row["id"]: row for row in data["facts"]}


class Forgery(NamedTuple):
    """A false claim: the fact, its name, what is changed in the certificate, the values that are changed (None: left out)."""

    fact: str
    name: str
    edit: Edit | None
    values: dict[str, str | None]
    why: str


# -- facts that are counted again ------------------------------------------------------------------------------------------

INVARIANTS = tuple(
    f"invariant/{name}"
    for name in (
        *("one-disc", "one-figure", "one-fleet", "army-on-revolt", "army-border-bare", "army-on-way", "roma-no-army"),
        "border-no-threat",
    )
)
COUNTED: list[tuple[str, str, dict[str, str | None], str]] = [
    ("map/count", "one link more", {"links": "81"}, "80 links"),
    ("map/count", "a province less", {"provinces": "47"}, "48 provinces"),
    ("map/count", "a value of the forger's own", {"zones": "3"}, "this fact has no such value"),
    ("map/degree", "no broken links", {"broken.africa": "0"}, "Africa has one"),
    ("map/degree", "the most hidden", {"max": None}, "a value is left out"),
    ("map/degree", "a fraction", {"max": "16/2"}, "one way to write a number"),
    ("map/border/libya", "a neighbour less", {"neighbours": "aegyptus.cyrenaica"}, "three provinces"),
    ("map/border/libya", "in another order", {"neighbours": "cyrenaica.aegyptus.tripolitania"}, "the order of the board"),
    ("map/border/libya", "links that are broken", {"broken": "3"}, "none is"),
    ("map/coast/1", "a coast more", {"provinces": "roma."}, "Roma is in zone 2"),
    ("map/coast/1", "nothing alone", {"only": "-"}, "six provinces have no other coast"),
    ("map/coast/2", "of another zone", {"provinces": rows()["map/coast/1"]["values"]["provinces"]}, "zone 1"),
    ("map/inland", "one less", {"count": "8"}, "9"),
    ("map/inland", "with a coast", {"provinces": "roma."}, "Roma has a coast"),
    ("map/inland", "nothing", {"provinces": "-", "count": "0"}, "9"),
    ("map/articulation", "none", {"count": "0", "provinces": "-", "parts.belgica": None, "parts.etruria": None}, "two"),
    ("map/articulation", "in three parts", {"parts.etruria": "3"}, "two parts"),
    ("map/articulation", "another one", {"provinces": "belgica.roma"}, "the map holds without Roma"),
    ("map/bridge", "one of two", {"count": "1", "links": "etruria:sardinia."}, "Britannia depends on one as well"),
    ("map/bridge", "turned round", {"links": "sardinia:etruria.belgica:britannia"}, "one way to write a link"),
    ("map/bridge", "three", {"count": "3"}, "two"),
    ("map/unbroken", "one part", {"parts": "1"}, "islands are alone"),
    ("map/unbroken", "larger", {"largest": "48"}, "21"),
    ("map/unbroken", "nobody alone", {"alone": "-"}, "there are islands"),
    ("map/distance/roma", "nearer", {"max": "7"}, "8"),
    ("map/distance/roma", "a step nearer", {"to.persia": "7"}, "8"),
    ("map/distance/roma", "never", {"to.persia": "never"}, "there is a way"),
    ("map/radius", "a smaller diameter", {"diameter": "10"}, "11"),
    ("map/radius", "Roma in the centre", {"centre": "roma."}, "it is not"),
    ("map/radius", "a larger radius", {"radius": "8"}, "7"),
    ("map/reach/1", "too many", {"max-linked": "9"}, "not so many are linked"),
    ("map/reach/1", "of two uprisings", {**rows()["map/reach/2"]["values"]}, "two reach farther"),
    ("map/reach/1", "by broken links", {"max-unlinked": rows()["map/reach/1"]["values"]["max-linked"] + "0"}, "less"),
    ("map/spread", "quicker", {"min": "1"}, "not so near"),
    ("map/spread", "slower", {"max": "99"}, "not so far"),
    ("map/spread", "nobody", {"quickest": "-"}, "somebody is"),
    ("arrow/path/libya", "a move less", {"moves": "6"}, "7"),
    ("arrow/path/libya", "no checks", {"broken": "0", "checks": "-"}, "two broken links"),
    ("arrow/path/libya", "by land", {"path": "libya.roma"}, "seven moves"),
    ("arrow/cover", "safe Roma", {"safe": "roma."}, "all paths end there"),
    ("arrow/cover", "all paths at once", {"max": "6"}, "3"),
    ("arrow/cover", "one less", {"count": "0"}, "paths lead through provinces"),
    *((fact, "does not hold", {"holds": "no"}, "it does") for fact in (
        *INVARIANTS,
        "invariant/border-secured", "invariant/supply-revolt", "invariant/supply-unrest", "invariant/supply-army",
        "invariant/supply-garrison",
    )),
    *((fact, "of fewer changes", {"changes": "18"}, "there are 19") for fact in (
        *INVARIANTS,
        "invariant/border-secured", "invariant/supply-fleet",
    )),
    *((fact, "tried on fewer views", {"views": "1"}, "there are more") for fact in (
        *INVARIANTS,
        "invariant/border-secured", "invariant/supply-fleet",
    )),
    ("invariant/border-secured", "without support", {"support": "-"}, "it needs three other invariants"),
    ("chain", "fewer uprisings", {"borders.6.mean": "1"}, "7/5"),
    ("chain", "no chain at all", {"borders.6.goes-on": "0", "borders.6.further": "0"}, "21 of 36 throws continue"),
    ("chain", "a chain with all borders empty", {"borders.0.goes-on": "1/36"}, "an army comes"),
    ("route/blocked/roma", "cheaper than it is", {"1.none.persia": "11"}, "12"),
    ("route/blocked/roma", "more expensive than it is", {"1.none.persia": "13"}, "12"),
    ("route/blocked/roma", "three revolts do no more than two", {"3.none.persia": "12"}, "13"),
    ("route/blocked/roma", "two revolts do no more than one", {"2.none.libya": "1"}, "far more"),
    ("route/blocked/roma", "never", {"3.none.persia": "never"}, "revolts bar no way"),
    ("route/blocked/roma", "four revolts", {"4.none.persia": "15"}, "three at most"),
    ("route/blocked/bithynia", "with fewer fleets", {"1.1.persia": "5"}, "none, or one in every zone"),
    ("march/libya", "sooner", {"min": "6"}, "seven phases"),
    ("march/libya", "later on average", {"mean": "10"}, "9"),
    ("march/libya", "all numbers zero", {path: "0" for path in rows()["march/libya"]["values"]}, "it is not there at once"),
    ("march/libya", "a province left out", {"from.sicilia": None, "mean-from.sicilia": None}, "the way is longer"),
    ("march/libya", "two provinces exchanged", {"from.sicilia": "3", "from.africa": "2"}, "the way is another"),
    ("march/libya", "a province more", {"from.roma": "0", "mean-from.roma": "0"}, "Roma is the end"),
    ("march/libya", "of another border", {**rows()["march/sarmatia"]["values"]}, "another way"),
    ("march/libya", "never", {"min": "never"}, "there is a way"),
    ("march/libya", "likelier at the soonest", {"soonest": "3/4"}, "1/4"),
    ("march/libya", "no broken links", {"broken": "0"}, "two"),
]  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("fact", "name", "values", "why"), COUNTED, ids=[f"{row[0]}-{row[1]}" for row in COUNTED])
def test_a_false_count_is_refuted(fact: str, name: str, values: dict[str, str | None], why: str) -> None:
    good = rows()[fact]["values"]
    assert checker.recount(fact, good) == (checker.CONFIRMED, ""), fact
    forged = {path: value for path, value in (good | values).items() if value is not None}
    code, message = checker.recount(fact, forged)

    assert forged != good and code == checker.REFUTED, (name, why, message)


NO_FACTS = [
    ("map/border/roma", "Roma is no border"),
    ("map/coast/4", "there are three zones"),
    ("map/coast", "a coast of which zone?"),
    ("map/distance/gallia", "no province"),
    ("map/count/all", "there is one such fact"),
    ("map/reach/0", "not counted"),
    ("map/reach/01", "one way to write it"),
    ("arrow/path/roma", "no border"),
    ("invariant/supply-emperor", "no such supply"),
    ("invariant/supply", "a supply of what?"),
    ("invariant/one-disc/roma", "it speaks of all provinces"),
    ("invariant/border-secured-removed", "it does not hold"),
    ("invariant/border", "what of it?"),
    ("route/blocked/asia", "nobody begins there"),
    ("route/blocked", "from where?"),
    ("statement/ends", "which end?"),
    ("statement/ends/draw", "no such end"),
    ("statement/ends/turn/roma", "it speaks of all turns"),
]


@pytest.mark.parametrize(("fact", "why"), NO_FACTS, ids=[fact for fact, _ in NO_FACTS])
def test_what_is_no_fact_is_not_confirmed(fact: str, why: str) -> None:
    """With the values of another fact of its kind."""
    kind = fact.partition("/")[0]
    values = next(row["values"] for row in rows().values() if row["topic"].partition("/")[0] == kind)

    assert checker.recount(fact, values)[0] != checker.CONFIRMED, why


# -- facts with certificates -----------------------------------------------------------------------------------------------


def replace(old: str, new: str, times: int = 1) -> Edit:
    """Every line with this text, the first so many, has another."""

    def edit(lines: Lines) -> Lines:
        found = [row for row, line in enumerate(lines) if re.search(old, line)][:times]
        assert found, old
        return [re.sub(old, new, line) if row in found else line for row, line in enumerate(lines)]

    return edit


def drop(text: str) -> Edit:
    """The first line with this text is left out."""

    def edit(lines: Lines) -> Lines:
        row = next(row for row, line in enumerate(lines) if re.search(text, line))
        return lines[:row] + lines[row + 1 :]

    return edit


def add(after: str, line: str) -> Edit:
    """A line more after the first one with this text."""

    def edit(lines: Lines) -> Lines:
        row = next(row for row, line in enumerate(lines) if re.search(after, line))
        return [*lines[: row + 1], line, *lines[row + 1 :]]

    return edit


def keep(section: str, count: int) -> Edit:
    """The first lines of a section only."""

    def edit(lines: Lines) -> Lines:
        row = max(row for row, line in enumerate(lines) if re.fullmatch(rf"{section} [0-9]+", line))  # not a value
        size = int(lines[row].split()[1])
        return lines[: row + 1 + count] + lines[row + 1 + size :]

    return edit


def swap(one: str, other: str) -> Edit:
    """Two lines change places."""

    def edit(lines: Lines) -> Lines:
        a = next(row for row, line in enumerate(lines) if re.search(one, line))
        b = next(row for row, line in enumerate(lines) if re.search(other, line))
        found = list(lines)
        found[a], found[b] = found[b], found[a]
        return found

    return edit


def each(*edits: Edit) -> Edit:
    """One edit after the other."""

    def edit(lines: Lines) -> Lines:
        for one in edits:
            lines = one(lines)
        return lines

    return edit


ARMIES, GAME, CUT = "turn-most/armies", "victory-harsh/0", "barrier/cut-libya"
GROWTH_1, GROWTH_2 = "growth/1", "growth/2"  # with so many borders that are not empty
NONE: dict[str, str | None] = {}

REPLAYED = [
    ("a smaller maximum", None, {"ip.6": "2"}, "3 armies can be beaten"),
    ("a larger maximum", None, {"ip.6": "4"}, "there are three armies"),
    ("a maximum in place of an interval", None, {"least.4": None, "most.4": None, "ip.4": "2"}, "the bound is 3"),
    ("the bound as maximum", None, {"least.4": None, "most.4": None, "ip.4": "3"}, "no plan does so much"),
    ("a narrower interval", None, {"most.4": "2"}, "the bound is 3"),
    ("a wider interval", None, {"most.4": "4"}, "the bound is 3"),
    ("a seventh IP", add("^3300 D:6 ", "3300 D:7 rom/-/-/- 123 - - - -/-/-/-: end"), {"ip.7": "3"}, "six"),
    ("no witnesses", keep("witnesses", 0), {}, "nothing is shown"),
    ("a witness with more IP", replace("3300 D:3 ", "3300 D:4 "), NONE, "he has 3"),
    ("a witness with no army", replace(r"123 aeg\.lib aeg ", "123 - aeg "), NONE, "nobody to beat"),
    ("an army without a revolt", replace(r"123 etr etr ", "123 etr - "), NONE, "it stands on one"),
    ("a fourth army", replace(r"123 aeg\.cyr\.lib aeg\.cyr", "123 aeg.cyr.lib.per aeg.cyr"), NONE, "there are three"),
    ("an army across the map", replace("(D:6 .*: )attack etruria", r"\1attack libya"), NONE, "not linked"),
    ("a witness with another outcome", replace("attack aegyptus: victory", "attack aegyptus: triumph"), NONE, "no outcome"),
    ("a draw for a victory", replace("attack aegyptus: victory", "attack aegyptus: draw"), NONE, "nobody is beaten"),
    ("an attack without an end", replace("attack aegyptus: victory", "attack aegyptus"), NONE, "the dice decide"),
    ("a witness that repeats itself", replace("attack libya: victory$", "attack libya: victory; attack libya: victory"),
     NONE, "he is beaten"),
    ("a witness in which two share a province", replace("D:3 syr/-/-/-", "D:3 syr/syr/-/-"), NONE, "one figure a province"),
    ("a witness left out", drop("^3300 D:3 "), NONE, "six are needed"),
    ("a weaker witness for a maximum", replace("^(3300 D:3 .*); attack libya: victory$", r"\1"), NONE, "one battle alone"),
    ("witnesses in another order", swap("^3300 D:3 ", "^3300 D:4 "), NONE, "by IP"),
    ("another fact", replace("^fact turn-most/armies", "fact turn-most/garrisons"), NONE, "garrisons are others"),
    ("of a thing that is not counted", replace("^fact turn-most/armies", "fact turn-most/borders"), NONE, "there is no such fact"),
]  # fmt: skip

GAMES = [
    ("a turn less", None, {"turns": "9"}, "no 9 turns are enough"),
    ("a turn more", None, {"turns": "11"}, "10 are enough"),
    ("an interval that is no interval", None, {"turns": None, "least": "9", "most": "10"}, "the bound is 10"),
    ("a game that stops before the end", drop("move germania_magna; secure$"), {"turns": "9"}, "one border is open"),
    ("no start", each(keep("start", 0), keep("turns", 0)), NONE, "nothing shows that 10 are enough"),
    ("a start without a game", keep("turns", 0), NONE, "nothing shows that 10 are enough"),
    ("a revolt less", replace(r"gla\.aqu\.dal", "gla.aqu"), NONE, "each region has one"),
    ("a revolt in Italia", replace(r" - gla\.aqu", " - etr.aqu"), NONE, "none lies there"),
    ("two in one region", replace(r" - gla\.aqu\.", " - lus.gla."), NONE, "one has none"),
    ("other revolts than those claimed", replace(r" - gla\.aqu", " - lus.aqu"), NONE, "the start shows others"),
    ("garrisons at the start", replace(" -/-/-/-$", " per/-/-/-"), NONE, "none lies there"),
    ("an Emperor on the board", replace("D:6 -/-/-/-", "D:6 bit/-/-/-"), NONE, "all are off the board"),
    ("two fleets more", replace("/- 2 - gla", "/- 123 - gla"), NONE, "the level has one"),
    ("another level", replace("^3100 ", "3110 "), NONE, "it has a further revolt"),
    ("an army", replace("/- 2 - gla", "/- 2 bri gla"), NONE, "the level has none"),
    ("another Emperor begins", replace("^3100 D:", "3100 G:"), NONE, "Diocletian does"),
    ("a border that nobody secures", replace("move britannia; secure", "move britannia"), NONE, "it is not secured"),
    ("a move across the map", replace("move belgica; move britannia", "move britannia"), NONE, "not linked"),
    ("a seventh IP", replace("move gaetulia$", "move gaetulia; secure"), NONE, "six"),
    ("turns exchanged", swap("^enter germania_inferior", "^enter roma; move caesariensis"), NONE, "not his capital"),
    ("dice for no phase", add("^dice ", "12 activity 1 1"), NONE, "there is no twelfth turn"),
    ("dice with seven faces", add("^dice ", "2 activity 7 1"), NONE, "a die has six"),
    ("dice that are not asked for", add("^dice ", "2 activity 1 1; battle 6 6"), NONE, "there is no battle"),
    (
        "as a game with a further revolt",
        replace("^fact victory-harsh/0", "fact victory-harsh/1"),
        NONE,
        "there is none",
    ),
]

STATES = [
    (GROWTH_2, "a smaller maximum", None, {"max.1": "19"}, "20 can come"),
    (GROWTH_2, "a larger maximum", None, {"max.1": "21"}, "the Empire falls then"),
    (GROWTH_2, "a maximum as an interval", None, {"max.1": None, "reached.1": "19", "bound.1": "20"}, "20 are shown"),
    (GROWTH_2, "a fall from one revolt", None, {"falls-with": "1"}, "another one is needed"),
    (GROWTH_2, "a later fall", None, {"falls-with": "3"}, "two are enough"),
    (GROWTH_2, "no fall", keep("witnesses", 1), {"falls-with": None}, "the Empire falls from two"),
    (GROWTH_2, "no witnesses", keep("witnesses", 0), {"falls-with": None, "max.1": None}, "nothing is shown"),
    (GROWTH_2, "a witness that stops early", replace(", link 6, echo 1, link 6$", ""), NONE, "fewer revolts come"),
    (GROWTH_2, "a link that holds", replace(", link 6$", ", link 1"), NONE, "the last revolt does not come"),
    (GROWTH_2, "a witness with unrest", replace("- gsu - gma", "- gsu cis gma"), NONE, "there is none"),
    (GROWTH_2, "a witness with two revolts", replace("- gsu - gma", "- gsu.min - gma"), NONE, "one revolt, as stated"),
    (GROWTH_2, "three borders", replace("gma/srm/-/-", "gma/srm/per/-"), NONE, "two are not empty"),
    (GROWTH_2, "one border", replace("gma/srm/-/-", "gma/-/-/-"), NONE, "two are not empty"),
    (GROWTH_2, "a border twice", replace("gma/srm/-/-", "gma/gma/-/-"), NONE, "no such position"),
    (GROWTH_2, "an army more", replace(r"23 - gsu - gma", "23 gsu gsu - gma"), NONE, "other dice are rolled"),
    (GROWTH_2, "another reading", replace("^4211 ", "4211?I-CHECK=one-roll "), NONE, "the usual ones"),
    (GROWTH_2, "a die with seven faces", replace("activity 2 3", "activity 2 7"), NONE, "a die has six"),
    (GROWTH_2, "an uprising where none can be", replace("activity 2 3", "activity 1 1"), NONE, "no revolt lies there"),
    (GROWTH_2, "an echo of an empty border", replace("echo 3, province 1", "echo 2, province 1"), NONE, "an army comes"),
    (GROWTH_2, "a turn of an Emperor", replace("D:b ", "D:3 "), NONE, "no Barbarian phase"),
    (GROWTH_2, "text in place of a witness", replace("^4211 .*$", "everything"), NONE, "no position"),
    (GROWTH_2, "a witness left out", drop("^4211 .* - gsu - "), NONE, "a row for each number of revolts"),
    (GROWTH_2, "a witness more", add("^4211 .* gsu.min - ", "4211 D:b -/-/-/- 23 - gsu.min.cis - srm/per/-/-: activity 2 3"),
     NONE, "nothing comes after a fall"),
    (GROWTH_2, "in another order", swap("^4211 .* - gsu - ", "^4211 .* gsu.min - "), NONE, "one order"),
    (GROWTH_2, "of one border", replace("^fact growth/2", "fact growth/1"), NONE, "other numbers"),
    (GROWTH_2, "of three borders", replace("^fact growth/2", "fact growth/3"), NONE, "no such fact"),
    (GROWTH_1, "what is reached as a maximum", replace("(tin tin.gsu.*), link 6$", r"\1, link 1"), {"max.3": "17"}, "18 at most"),
    (GROWTH_1, "an idle fall", replace("(tin.car tin.car.*), link 6, echo 5, link 6$", r"\1, link 6, echo 5, link 1"),
     NONE, "four revolts do not fall so"),
    (GROWTH_1, "a narrower interval", replace("(tin tin.gsu.*), link 6$", r"\1, link 1"),
     {"max.3": None, "reached.3": "17", "bound.3": "17"}, "the bound is 18"),
    (GROWTH_1, "a fall with less", None, {"falls-with": "3"}, "the bound excludes it"),
    (GROWTH_1, "a smaller maximum", None, {"max.3": "17"}, "18 can come"),
]  # fmt: skip

COVERS = [
    ("a smaller set", replace(r"^cis\.luc$", "cis"), {"least": "1"}, "two are needed"),
    ("sets of one", each(keep("sets", 1), replace(r"^cis\.luc$", "luc")),
     {"least": "1", "count": "1"}, "the border is reached"),
    ("a set left out", drop(r"^cis\.luc$"), {"count": "9"}, "there are ten"),
    ("one set alone", keep("sets", 1), {"count": "1"}, "there are ten"),
    ("a set more", add(r"^cis\.luc$", "cis.tri"), {"count": "11"}, "it cuts nothing"),
    ("a set twice", add(r"^cis\.luc$", "cis.luc"), {"count": "11"}, "once each"),
    ("larger sets", replace(r"^([a-z]{3}\.[a-z]{3})$", r"\1.bel", 99), {"least": "3"}, "two are enough"),
    ("sets in another order", swap(r"^cis\.luc$", r"^etr\.luc$"), NONE, "one order"),
    ("provinces in another order", replace(r"^cis\.luc$", "luc.cis"), NONE, "one order"),
    ("a province without an arrow", replace(r"^cis\.luc$", "rom.luc"), NONE, "no army stands there"),
    ("no province", replace(r"^cis\.luc$", "xyz.luc"), NONE, "no such code"),
    ("no sets and no proof", each(keep("sets", 0), keep("proof", 0)), {"count": "0", "least": "never"}, "there are ten"),
    ("no proof", keep("proof", 0), NONE, "nothing shows that there is no other"),
    ("the end of a proof", keep("proof", 13), NONE, "the empty clause is missing"),
    ("an empty clause at once", each(keep("proof", 0), add("^proof ", "317 0 1 0")), NONE, "it does not follow"),
    ("a step without reasons", replace(r"^(330 0) .*$", r"\1 0"), NONE, "it does not follow"),
    ("a step from itself", replace(r"^(330 0) .*$", r"\1 330 0"), NONE, "it does not follow"),
    ("a step from later ones", replace(r"^(317 3 51) 0 .*$", r"\1 0 330 0"), NONE, "they come later"),
    ("a clause that is not implied", replace(r"^317 3 51 0 ", "317 3 0 "), NONE, "it does not follow"),
    ("always needed", None, {"always": "luc."}, "not in each of them"),
    ("of another border", replace("^fact barrier/cut-libya", "fact barrier/cut-persia"), NONE, "other ways"),
]  # fmt: skip


FORGERIES = [
    *(Forgery(ARMIES, *row) for row in REPLAYED),
    *(Forgery(GAME, *row) for row in GAMES),
    *(Forgery(*row) for row in STATES),
    *(Forgery(CUT, *row) for row in COVERS),
    Forgery("victory-soonest", "a turn less", None, {"turns.300": "8"}, "the bound is 9"),
    Forgery("victory-soonest", "a bound as a game", None,
            {"least.120": None, "most.120": None, "turns.120": "9"}, "none is known"),
    Forgery("victory-soonest", "a game of another level", replace("^3300 ", "3200 "), NONE, "it has three fleets"),
    Forgery("turn-most/revolts", "the bound as maximum", None, {"ip.6": "9"}, "six IP do not do so much"),
    Forgery("turn-most/provinces", "of another thing", replace("^(fact turn-most)/provinces", r"\1/revolts"), NONE, "provinces"),
]  # fmt: skip


BOARD = read_board(checker.BOARDS[0])
COVER = ("sets", "proof")  # the sections of a cover
SLOW = {ARMIES, GROWTH_1, GROWTH_2, "victory-soonest"}  # looked at once


def heads(lines: Lines) -> list[int]:
    """The rows with which the sections of a good certificate begin: names, and how many lines there are."""
    found = [next(row for row, line in enumerate(lines) if re.fullmatch("values [0-9]+", line))]
    while (row := found[-1] + 1 + int(lines[found[-1]].split()[1])) < len(lines):
        found.append(row)
    return found


def forged_text(lines: Lines, good: Lines, values: dict[str, str]) -> str:
    """The text of a certificate with these values, and with the counts of lines and the digest as they should be."""
    first, *others = (good[row].split()[0] for row in heads(good))
    start = next(row for row, line in enumerate(lines) if line.startswith(f"{first} "))
    size = int(lines[start].split()[1])
    body = [*lines[:start], f"{first} {len(values)}", *(f"{path} {value}" for path, value in sorted(values.items()))]
    rest = lines[start + 1 + size :]
    rows_of = [max(row for row, line in enumerate(rest) if re.fullmatch(rf"{name} [0-9]+", line)) for name in others]
    for head, end in zip(rows_of, [*rows_of[1:], len(rest)], strict=True):
        rest[head] = f"{rest[head].split()[0]} {end - head - 1}"
    text = "".join(f"{line}\n" for line in [*body, *rest])
    return f"{text}sha256 {digest(text)}\n"


def of_sets(lines: Lines, good: dict[str, str]) -> dict[str, str | None]:
    """The values of a cover that follow from its sets, so that only what is claimed of other sets is false."""
    (row, end) = (max(row for row, line in enumerate(lines) if re.fullmatch(rf"{name} [0-9]+", line)) for name in COVER)
    sets = [[BOARD.by_code.get(code, code) for code in line.split(".")] for line in lines[row + 1 : end]]
    if not sets:
        return {**dict.fromkeys(good, None), "count": "0", "least": "never"}
    always = [place for place in sets[0] if all(place in chosen for chosen in sets)]
    first = min(sets, key=lambda chosen: [BOARD.row.get(place, 0) for place in chosen])
    named = {"first": first, "always": always}
    times = {path: str(sum(path[6:] in chosen for chosen in sets)) for path in good if path.startswith("times.")}
    rows_of = {path: ".".join(places) + "." * (len(places) == 1) or "-" for path, places in named.items()}
    return {**times, **rows_of, "count": str(len(sets)), "least": str(len(sets[0]))}


def forge(row: Forgery, folder: Path) -> tuple[dict[str, Any], str]:
    """The entry of the index for a forged certificate, which lies in a folder; and its text."""
    entry = rows()[row.fact]
    good = load(CLAIMS.proofs_folder() / entry["file"]).split("\n")[:-2]
    lines = row.edit(good) if row.edit is not None else good
    shown = of_sets(lines, entry["values"]) if entry["form"] == "cover" else {}
    values = {path: value for path, value in (entry["values"] | shown | row.values).items() if value is not None}
    assert row.edit is None or lines != good, "nothing is changed"
    text = forged_text(lines, good, values)
    name = next(line.removeprefix("fact ") for line in lines if line.startswith("fact "))
    (folder / "forged.cert").write_text(text, "ascii")
    sha256 = hashlib.sha256(text.encode("ascii")).hexdigest()
    return entry | {"id": name, "values": values, "file": "forged.cert", "sha256": sha256}, text


@pytest.mark.sampled(6)
@pytest.mark.parametrize("row", FORGERIES, ids=lambda row: f"{row.fact}-{row.name}")
def test_a_forged_certificate_is_not_confirmed(row: Forgery, tmp_path: Path) -> None:
    entry, text = forge(row, tmp_path)

    assert not checker.stands(tmp_path, entry), row.why
    if row.fact not in SLOW:
        assert checker.verdict(text)[0] != checker.CONFIRMED, row.why


@pytest.mark.parametrize("fact", sorted({row.fact for row in FORGERIES}))
def test_what_a_forger_begins_with_is_confirmed(fact: str, tmp_path: Path) -> None:
    """With nothing changed, the same steps give a certificate that is confirmed: what is rejected above is the change."""
    entry, _ = forge(Forgery(fact, "", None, {}, ""), tmp_path)

    assert checker.stands(tmp_path, entry)
