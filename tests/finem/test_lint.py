"""The linter of the second game: what is stored is what the rules say, and the search finds what is planted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tablefinem import after, options, table

from tetrasolve.cli.main import run
from tetrasolve.errors import ArgumentError, FindingError, OutOfTimeError
from tetrasolve.exact.checkpoint import Checkpoint, CheckpointError, FileLock
from tetrasolve.exact.deadline import stop_of
from tetrasolve.finem.lint import besides, bylearned, effects, report, search, stored
from tetrasolve.finem.lint.domain import DOMAIN, size_of
from tetrasolve.finem.lint.inwords import decision, differences_in_words
from tetrasolve.finem.lint.pairs import Pair, digest, pairs, rulesets_of
from tetrasolve.finem.lint.turns import turn_chances
from tetrasolve.finem.lint.wholegames import stored_games
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.ruleset import READINGS, Ruleset
from tetrasolve.finem.turnrisk import turn_risk
from tetrasolve.lint.findings import Certainty, Report, Searched, Shown
from tetrasolve.stop import Stopped

ROOT = Path(__file__).parents[2]
UPDATE = bool(os.environ.get("TETRASOLVE_UPDATE"))
PAGES = {"en": "et-finem-open-points.md", "es": "et-finem-puntos-abiertos.md"}


def test_the_findings_are_what_the_reference_rules_say() -> None:
    assert stored.problems(stored.findings()) == []


@pytest.mark.parametrize("change", ["size", "position", "differences", "at_least"])
def test_a_finding_that_was_changed_is_found(change: str) -> None:
    """The three that a forger would try: a smaller size, another position, something else that differs."""
    whole = stored.findings().to_json()
    name = "E-WIN=at-once/phase" if change == "at_least" else "E-DICTATOR=may/must"
    row = next(row for row in whole["findings"] if row["id"] == name)
    if change == "size":
        row["size"], row["at_least"] = 1, 1
    elif change == "position":
        row["position"] = row["position"].replace("1111/O", "1111/C")
    elif change == "differences":
        row["differences"][0]["what"] = "move E5"
    else:
        row["searched"][0]["enumerated"] = row["searched"][0]["enumerated"][:-2]  # smaller ones were not enumerated
    problems = stored.problems(Report.read(json.dumps(whole), "changed"))
    assert problems == [] if change == "position" else problems  # the other tribe shows the same


def test_each_reading_has_findings_games_effects_and_questions_in_both_languages() -> None:
    found = {row.finding.id: row for row in report.report_rows()}

    assert found.keys() == {pair.id for pair in pairs()}
    for row in found.values():
        assert row.games, row.finding.id
        assert row.by_reference == (row.finding.values[1] in READINGS[row.finding.reading].reference)
        assert row.effect is not None and "differ" in dict(report.lines_of(row, "en"))["A turn"]
        asked = {language: row.question.about(row.finding.values[1], language) for language in ("en", "es")}
        assert all(text.endswith("?") for text in asked.values()) and "¿" in asked["es"]
        assert dict(report.lines_of(row, "es"))["Pregunta"] == asked["es"]
    assert {row.finding.reading for row in found.values()} == READINGS.keys()
    for point in stored.open_points():
        for words in (point.text, point.taken, point.other):
            assert words.keys() >= {"en", "es"}
            assert all(words.values())
        assert all(text.endswith("?") for text in point.text.values())
        for reason in (point.settled, point.no_game):
            assert not reason or reason.keys() == {"en", "es"}  # what has neither is an open point
        assert not (point.settled and point.no_game)
        if point.position:
            state = after(Position.parse(point.position), *point.play.split(", ")[:-1])
            assert Position.parse(point.position).status() == () and isinstance(state, Position)


def test_a_question_about_a_value_tells_it_from_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where that of the reading does not, in both languages and about values that there are."""
    asked = stored.questions()["E-LAST"]
    assert asked.about("put", "en") == READINGS["E-LAST"].question != asked.about("drawn", "en")
    assert {row.reading: [*row.asks["es"]] for row in stored.questions().values() if row.asks["es"]}["E-LAST"] == [
        "drawn"
    ]
    changed = {**READINGS, "E-LAST": replace(READINGS["E-LAST"], asks={"put": "Is it?"})}
    monkeypatch.setattr(stored, "READINGS", changed)
    stored.questions.cache_clear()
    with pytest.raises(FindingError, match="E-LAST: expected questions about put"):
        stored.questions()
    stored.questions.cache_clear()


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_differs_in_a_smallest_position_is_said_of_both_ways(language: str) -> None:
    """Each difference that is listed has two texts, which are not the same; the page, `lint` and its JSON have them."""
    words = report.words_of(language)
    for row in report.report_rows():
        finding, said = row.finding, differences_in_words(row.finding, words)
        assert bool(said) == (finding.position is not None), finding.id
        assert [text for head, text in report.lines_of(row, language) if head == words["there_head"]] == said
        assert row.as_data()["in_words"][language] == said
        for shown in finding.differences:
            (alone,) = differences_in_words(replace(finding, differences=(shown,), more=0), words)
            first, second = alone.split({"en": ": under the first way ", "es": ": de la primera manera, "}[language])[
                1
            ].split({"en": "; under the second ", "es": "; de la segunda, "}[language])
            assert first and second and first != second, alone
            assert "{" not in alone


@pytest.mark.parametrize(
    ("change", "first", "second"),
    [
        ({"role": "prefect"}, "role consul", "role prefect"),
        ({"pawn": "E5"}, "pawn on C7", "pawn on E5"),
        ({"start": "E5"}, "start at C7", "start at E5"),
        ({"last": "C7"}, "E5 is the region last invaded", "C7 is the region last invaded"),
        ({"dice": (1, 2, 1, 0)}, "die of copas at 1, die of bastos at 1", "die of copas at 2, bastos eradicated"),
        ({"pacified": frozenset("O")}, "oros not pacified", "oros pacified"),
        ({"decline": 3}, "decline at 1", "decline at 3"),
        ({"outbreaks": 2}, "outbreaks at 1", "outbreaks at 2"),
        ({"step": Step.INVADE, "left": 1}, "next: 2 actions", "next: one card of the invasion"),
        ({"left": 1}, "next: 2 actions", "next: one action"),
        ({"card": "C6"}, "no card seen", "card seen: C6"),
        ({"hand": ("C6",)}, "no card kept", "cards kept: C6"),
        ({"out": frozenset()}, "cards out of the deck: C5", "no card is out of the deck"),
        ({"protected": "C6"}, "protected: none", "protected: C6"),
        ({"is_quiet": True}, "an invasion in this turn", "no invasion in this turn"),
        ({"has_exchanged": True}, "the exchange is not used", "the exchange is used"),
    ],
    ids=str,
)
def test_each_thing_that_differs_has_words(change: dict[str, Any], first: str, second: str) -> None:
    """By hand, for each field of a position but its rules and its cubes."""
    before = Position.parse("standard consul C7/C7/E5 1111/- 1/1 - act:3 C5")
    one = before.replace(left=2)
    lines = tuple(str(state).partition(" ")[2] for state in (one, one.replace(**change)))
    finding = replace(stored.findings().findings[-1], position=str(before), more=0)
    finding = replace(finding, differences=(Shown("effect", "move C6", (lines[0], lines[1])),))
    (said,) = differences_in_words(finding, report.words_of("en"))
    assert said.partition(": under the first way ")[2] == f"{first}; under the second {second}"


@pytest.mark.parametrize(
    ("text", "english", "spanish"),
    [
        ("discard O1", "take off 1 of oros", "descartar 1 de oros"),
        ("discard O2 E1", "take off 2 of oros and 1 of espadas", "descartar 2 de oros y 1 de espadas"),
        ("remove C7 B", "remove one cube of bastos from C7", "retirar un cubito de bastos de C7"),
        ("remove C7 B all", "remove all cubes of bastos from C7", "retirar todos los cubitos de bastos de C7"),
        (
            "remove C7 B all E5",
            "remove all cubes of bastos from C7 and one from E5",
            "retirar todos los cubitos de bastos de C7 y uno de E5",
        ),
        ("exchange", "see another card first", "ver antes otra carta"),
        ("exchange O5", "exchange O5", "cambiar O5"),
        ("move C6", "move C6", "mover a C6"),
        ("prefect", "prefect", "Prefecto"),
    ],
)
def test_decisions_are_said_in_words(text: str, english: str, spanish: str) -> None:
    assert [decision(text, report.words_of(language)) for language in ("en", "es")] == [english, spanish]


def test_cubes_and_ends_that_differ_have_words() -> None:
    before = "consul C7/C7/E5 1111/- 1/1 C7:C2 act:3 -"
    after = "consul C7/C7/E5 1111/- 1/1 C7:C1.E5:E3 act:3 -"
    values = [(before, after), ("won", before), ("lost: no cube of E left", "lost: decline")]
    shown = [Shown("effect", f"move {region}", pair) for region, pair in zip(("C6", "CS", "E5"), values, strict=True)]
    finding = replace(stored.findings().findings[-1], position=f"standard {before}", differences=tuple(shown), more=2)
    moved, *others = differences_in_words(finding, report.words_of("en"))
    assert moved == (
        "decision move C6 (next: 3 actions): under the first way 2 cubes of copas on C7, no cube of espadas on E5; "
        "under the second one cube of copas on C7, 3 cubes of espadas on E5"
    )
    (last,) = others
    assert last == (
        "decision move CS: under the first way the game is won; under the second the game goes on (next: 3 actions)"
        " (something differs with 3 other decisions, too)"
    )
    (said,) = differences_in_words(replace(finding, differences=(shown[2],), more=0), report.words_of("en"))
    assert said.endswith("because no cube of espadas is left; under the second the game is lost by the decline")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "language", "said"),
    [
        (
            "E-WHEN=at-once/after",
            "en",
            'if E-ORDER is "no" (dice, decline or event, crisis), or if E-EVENT is "no"',
        ),
        (
            "E-WHEN=at-once/after",
            "es",
            "si E-ORDER es «no» (dados, declive o evento, crisis), ni si E-EVENT es «no»",
        ),
        ("E-FOURTH=any/first-three", "en", 'if E-TRIBUNE is "yes"'),
        ("E-LAST=invaded/drawn", "en", "in the expert game or in the standard game"),
        ("E-LAST=invaded/put", "en", ""),
        ("E-START=place/card", "es", "si E-MAP es «sí», ni con inicio en una esquina, si E-CORNER-START es «sí»"),
    ],
)
def test_a_question_that_makes_no_difference_beside_another_answer_says_so(name: str, language: str, said: str) -> None:
    words, (row,) = report.words_of(language), (r for r in report.report_rows() if r.finding.id == name)
    assert besides.not_asked(row.finding, words) == said
    assert [text for head, text in report.lines_of(row, language) if head == words["asked"]] == [said] * bool(said)


@pytest.mark.parametrize("name", [name for name, reading in READINGS.items() if len(reading.idle) > 1])
def test_conditions_that_are_put_together_are_the_same_conditions(name: str) -> None:
    rows = [{key: frozenset([value]) for key, value in row.items()} for row in READINGS[name].idle]
    merged = besides._merged(rows)
    apart = [dict(zip(row, values, strict=True)) for row in merged for values in product(*row.values())]
    assert len(merged) <= len(rows) == len(apart)
    assert all(dict(row) in apart for row in READINGS[name].idle)


def test_what_the_text_settles_and_what_changes_no_game_stand_apart() -> None:
    """After the open questions; a file whose answers speak of other readings is refused."""
    text = report.markdown("en")
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    readings = [line for line in heads if line.startswith("## E-")]
    assert heads == [
        *readings,
        "## What changes no game",
        "## What we think the text settles",
    ]
    assert {row["no_game"]["es"] != "" for row in (r.as_data() for r in report.report_rows(["E-WAR-ORDER"]))} == {True}
    assert not any(row.question.no_game or row.question.settled for row in report.report_rows(["E-SETUP", "E-WAR"]))


def test_a_side_that_nothing_settles_stands_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """None is left; one that is found comes there until it is a reading."""
    found = replace(stored.open_points()[0], settled={}, no_game={})
    monkeypatch.setattr(report, "open_points", lambda: (found, *stored.open_points()[1:]))
    text = report.markdown("en")

    assert text.index("## Open points that have no switch yet") < text.index("## What changes no game")
    assert text.count(found.text["en"]) == 1
    assert all(point.settled or point.no_game for point in stored.open_points())


def test_the_rules_play_the_sides_that_the_text_settles() -> None:
    """By hand, each point of the file by its name."""
    known = {point.id for point in stored.open_points() if point.settled}

    def played(name: str, line: str, *chosen: str) -> Position:
        known.remove(name)
        found = after(Position.parse(line), *chosen)
        assert isinstance(found, Position)
        return found

    out = played("cards-stay-out", "standard dictator C7/C7/E5 1111/- 1/1 - dictator:3 -", "E5", "stay")
    assert "E5" not in options(out.replace(step=Step.DRAW, left=0))
    assert played("consul-cost", "standard consul E7/C7/B5 1111/- 1/1 - act:4 -", "move B5").left == 3
    war = played("war-one-cube", "standard consul C7/C7/E5 1111/- 1/1 - civil-war O6.C6.E7.BR hand=O6.C6.E7", "OC")
    assert {region: dict(tribes) for region, tribes in war.occupied.items()} == {f"{t}C": {t: 1} for t in "OCEB"}
    line = "standard magister C7/C7/E5 1111/- 1/1 C6:C3.C7:E2 act:4 -"
    assert played("magister-region", line, "confront E all").occupied.keys() == {"C6"}
    assert not any(option.startswith("confront C") for option in options(Position.parse(line)))
    for some in ("corner", "sphere", "cap3", "corner+sphere+cap3"):
        assert str(Ruleset.from_text(f"expert+{some}")).startswith("expert+")
    known.remove("expert-some")
    spread = played("spread-last", "standard consul C7/C7/E5 1111/- 1/1 E7:E3 invade:2 -", "E7")
    assert spread.last == "E7" and spread.on_map("E") > 3
    line = "standard consul C7/C7/E5 1111/- 2/3 E7:E3 draw O5.O6 hand=O5.O6"
    assert played("first-white-cube", line, "C5").step is Step.CRISIS
    lost = after(Position.parse(line).replace(step=Step.INVADE, left=2, hand=()), "E7")
    assert not isinstance(lost, Position) and str(lost) == "lost: outbreaks"
    line = "introductory consul C7/C7/E5 0221/O 1/1 C7:C1.E5:E1.B6:B1 draw O5.C5 hand=O5.C5"
    assert played("gone-card-stays", line, "E5").hand == ("O5", "C5", "E5")
    line = "standard?E-PREFECT=standing,E-WIN=turn consul C7/C7/E5 5111/CEB 1/1 C7:C1 role -"
    begun = played("prefect-at-the-turn-of-his-role", line, "prefect")
    assert (begun.step, len(begun.pacified)) == (Step.ACT, 4)
    assert known == set()


def test_the_page_in_spanish_has_spanish_pictures_and_no_code() -> None:
    page = report.html("es", ["E-LIMIT", "E-RESIST-ALL"])
    assert "declive" in page and "decline" not in page and "96\N{NO-BREAK SPACE}558" in page
    assert "<code>hand</code>" in page and "`" not in page.partition("</style>")[2]


def test_the_stored_games_are_of_these_rules_and_played_again_they_are_the_same() -> None:
    games = stored_games()

    assert (games.rules, games.policy) == (digest(), bylearned.policy())
    for ruleset in (
        "standard",
        "standard?E-MAP=dealt",
        "introductory?E-CIVIL=return",
        "standard+cap3?E-CAP3-END=ten",
        "standard?E-PREFECT=found",
        "introductory?E-EXCHANGE=by-phase,E-TRIBUNE=either",
        "standard?E-LIMIT=before-six",
        "standard?E-LIMIT=each-point,E-LIMIT-ORDER=chosen",
        "introductory?E-THREE=either",
    ):
        assert bylearned.play(ruleset, games.seed, 0, 25) == games.series[ruleset][:25]


def test_the_intervals_are_at_most_as_wide_as_they_have_to_be() -> None:
    """One point at standard and for readings of the introductory game alone, 1.5 at introductory."""
    compared = [found for row in report.report_rows() for found in row.games]

    assert all(row.games for row in report.report_rows())
    assert [(found.pair, found.table) for found in compared if not found.is_narrow] == []
    levels = {found.goal: found.table for found in compared}
    assert set(levels) == {0.01, 0.015} and levels[0.015].startswith("introductory")


def test_each_finding_says_which_policy_played() -> None:
    assert {row.as_data()["policy"] for row in report.report_rows()} == {bylearned.policy()}


@pytest.mark.parametrize(
    "name", ["E-THREE=crisis/two", "E-CAP3-END=nine/ten", "E-PACIFY=automatic/action", "E-WIN=at-once/turn"]
)
def test_an_effect_on_a_turn_is_exact(name: str) -> None:
    found = stored.effects()[name]
    (pair,) = (pair for pair in pairs() if pair.id == name)
    position = Position.parse(found.position)
    other = position.replace(ruleset=position.ruleset.with_readings([(pair.reading, pair.second)]))

    assert turn_chances(position) == (Fraction(found.first), Fraction(found.first_won))
    assert turn_chances(other) == (Fraction(found.second), Fraction(found.second_won))
    assert found.change != 0


@pytest.mark.parametrize("pair", [pair for pair in pairs() if pair.is_later and not pair.by_reference], ids=str)
def test_the_kernel_follows_a_turn_as_the_reference_rules_did(pair: Pair) -> None:
    """The effects of values that the kernel learned later are those that the reference rules had come to."""
    found = stored.effects()[pair.id]
    position = Position.parse(found.position)
    other = position.replace(ruleset=position.ruleset.with_readings([(pair.reading, pair.second)]))
    if pair.reading == "E-CORNER-START":
        other = other.replace(start=other.ruleset.layout.start)

    for one, lost, won in ((position, found.first, found.first_won), (other, found.second, found.second_won)):
        risk = turn_risk(one)
        assert (risk.p_lost, risk.p_won) == (Fraction(lost), Fraction(won))


def test_an_effect_is_that_of_the_position_that_differs_most() -> None:
    """In losses, or else in victories; by hand from the first three positions."""
    (pair,) = (pair for pair in pairs() if pair.id == "E-CHAIN-FIRST=once/again")
    first, second = rulesets_of(pair, "standard")
    found = effects.effect(pair, "standard", count=3)
    rows = [
        (turn_risk(position).p_lost, turn_chances(position.replace(ruleset=second))[0])
        for position in effects.sample(str(first), 3)
    ]

    assert (found.positions, found.differing) == (3, sum(one != other for one, other in rows))
    assert found.change == max((other - one for one, other in rows), key=abs) != 0


def test_chances_are_said_with_as_many_figures_as_tell_them_apart() -> None:
    words, found = report.words_of("en"), stored.effects()["E-LIMIT-DICE=any/raised"]
    one = replace(found, first="1/2", second="1/3", first_won="10001/100000", second_won="10002/100000")

    assert report.of_turn(one, words).endswith(
        "in the one that differs most, that of a victory there from 10.001 % to 10.002 %"
    )
    assert "victory" not in report.of_turn(replace(one, second_won=one.first_won), words)
    assert "loss in none; from 10.001 % to 10.002 %" in report.of_turn(replace(one, second=one.first), words)


def test_the_search_finds_the_smallest_position() -> None:
    """By hand: a Dictator with a card and nothing else that a second turn must have."""
    pair, other = pairs(["E-DICTATOR"])
    found = search.search(pair, "standard", size=2)

    assert (found.certainty, found.size) == (Certainty.PROVED, 2)
    assert [shown.what for shown in found.differences] == ["stay"]
    assert found.smaller == 0  # it has one piece less, and cannot occur without a point or a white cube
    assert other.is_later and search.search(other, "standard", size=2).position == found.position


@pytest.mark.parametrize("name", search.KNOWN)
def test_positions_by_hand_differ(name: str) -> None:
    (pair,) = (pair for pair in pairs() if pair.id == name)
    position = Position.parse(search.KNOWN[name])
    second = position.ruleset.with_readings([(pair.reading, pair.second)])
    assert search.can_occur(position, second)
    assert search.differ(position, second, by_name=pair.reading in search.NAMES_ALONE)
    assert [size_of(position)] == [
        finding.size for finding in stored.findings().findings if finding.id == name and finding.certainty == "proved"
    ]


@pytest.mark.parametrize(
    ("name", "line", "options"),
    [
        ("E-RESIST-ALL", "standard consul C7/C7/E5 1111/C 1/1 C7:C1 resist O5.C5.E6.E7 hand=O5.C5.E6", []),
        (
            "E-RESIST-ALL",
            "standard consul C7/C7/E5 1111/C 1/1 C6:C1.C7:C2 resist O5.C5.E6.E7 hand=O5.C5.E6",
            ["remove C6 C all C7", "remove C7 C all C6"],
        ),
        (
            "E-FILL",
            "standard consul ES/C7/B6 1123/- 3/1 B5:B3.B6:B2.B7:B3.BC:B1.BR:B1 crisis O6.OC.C5 hand=O6.OC.C5",
            [],
        ),
        (
            "E-FILL",
            "standard consul ES/C7/B6 1123/- 3/1 B5:B3.B6:B3.BS:B1.BR:B3 crisis O6.OC.C5 hand=O6.OC.C5",
            ["B5", "B6", "BR"],
        ),
    ],
    ids=["one cube", "two regions", "two losses", "one loss"],
)
def test_other_names_for_the_same_are_no_difference(name: str, line: str, options: list[str]) -> None:
    """By hand: of one cube all are one; with two cubes on C7 and one on C6, the first decision leaves one and the other none."""
    pair, position = pairs([name])[0], Position.parse(line)
    second = position.ruleset.with_readings([(name, pair.second)])

    assert search.differ(position, second) == search._differ_by_reference(position, second, False) == bool(options)
    assert name == "E-RESIST-ALL" or search.differ(
        position, second, by_name=True
    )  # a loss has a name, a position has none
    assert [shown.what for shown in search.differences(position, pair)] == options


def test_what_differs_in_names_alone_changes_no_game() -> None:
    """The readings that are said to do so, where they differ and at positions of games; no other finding is so."""
    drawn = [Position.parse(line) for line in (Path(__file__).parent / "drawn.txt").read_text("utf-8").splitlines()]
    for finding in stored.findings().findings:
        if finding.position is not None:
            position = Position.parse(finding.position)
            second = position.ruleset.with_readings([(finding.reading, finding.values[1])])
            assert search.differ(position, second, by_name=True)
            assert search.differ(position, second) == (finding.reading not in search.NAMES_ALONE), finding.id
    for pair in pairs(search.NAMES_ALONE):
        for position in drawn:
            assert not search.differ(position, position.ruleset.with_readings([(pair.reading, pair.second)]))


def test_what_differs_in_a_position_is_said_in_words() -> None:
    pair, _ = pairs(["E-WIN"])
    position = table("prefect", rules="standard", dice="1115/OCE", step="act:2")
    found = search.differences(position, pair)

    assert [(shown.what, shown.values[0]) for shown in found] == [("pacify B", "won")]
    assert size_of(position) == 1 + 4 + 3


def test_a_search_keeps_what_it_has_and_stops() -> None:
    chosen = pairs(["E-DICTATOR", "E-EMPEROR"])
    first, complete = search.search_all(chosen[:1], Report(digest(), DOMAIN), size=2)
    assert complete
    again, complete = search.search_all(chosen, first, size=2, seconds=0)
    assert not complete
    assert again.findings == first.findings
    with pytest.raises(Stopped):
        effects.effect(chosen[0], "standard", count=2, stop=stop_of(0))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_leaves_the_findings_that_there_are(number: signal.Signals, tmp_path: Path) -> None:
    """What is found before the signal is in the file, whole, and the same command begins behind it."""
    out = tmp_path / "findings.json"
    begin = (  # a process that a shell starts in the background ignores SIGINT, and so do those that it starts
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "runpy.run_module('tetrasolve', run_name='__main__')"
    )
    words = [sys.executable, "-c", begin, "--game", "et-finem", "lint", "run", "--out", str(out)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        waited_until = time.monotonic() + 60
        while not out.exists() and process.poll() is None and time.monotonic() < waited_until:
            time.sleep(0.01)
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
    left = Report.read(out.read_text("utf-8"), "out")
    assert left.findings
    assert process.returncode == (3 if number == signal.SIGINT else -number)
    if number == signal.SIGINT:
        assert f"interrupted: {len(left.findings)} finding" in said
    assert run(["--game", "et-finem", "lint", "run", "--seconds", "0", "--out", str(out)]) == 3
    assert Report.read(out.read_text("utf-8"), "out").findings[: len(left.findings)] == left.findings


def test_a_deadline_leaves_all_that_is_there(tmp_path: Path) -> None:
    """A search that goes further than an earlier one, or asks for fewer readings, throws nothing away that it does not replace."""
    out = tmp_path / "findings.json"
    whole = stored.findings()
    (far,) = (finding for finding in whole.findings if finding.id == "E-WIN=at-once/turn")
    near = replace(far, certainty=Certainty.INTERVAL, at_least=2, searched=(Searched(far.table, (0,), drawn=30_000),))
    kept = replace(whole, findings=tuple(near if finding is far else finding for finding in whole.findings))
    kept.write(out)
    assert (
        run(
            [
                "--game",
                "et-finem",
                "lint",
                "run",
                "--reading",
                "E-WIN",
                "--size",
                "5",
                "--seconds",
                "0",
                "--out",
                str(out),
            ]
        )
        == 3
    )
    assert Report.read(out.read_text("utf-8"), "out") == kept


@pytest.mark.parametrize("field", ["rules", "domain"])
def test_findings_about_something_else_are_refused_and_left(
    field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "findings.json"
    replace(stored.findings(), **{field: "0" * 64}).write(out)
    before = out.read_bytes()
    assert run(["--game", "et-finem", "lint", "run", "--seconds", "0", "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert str(out) in said and "0" * 59 in said and "it was left as it is" in said
    assert field != "rules" or digest() in said
    assert out.read_bytes() == before
    with pytest.raises(FindingError, match="findings before: has findings about"):
        search.search_all(pairs(), Report.read(out.read_text("utf-8"), "out"), seconds=0)


def test_two_runs_do_not_write_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "findings.json"
    with FileLock(out):
        assert run(["--game", "et-finem", "lint", "run", "--seconds", "0", "--out", str(out)]) == 2
    assert "is in use by this process" in capsys.readouterr().err
    assert not out.exists()


def test_turns_are_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair that an interrupted run finished is not followed again, and all comes out as in one run."""
    chosen, path, asked = pairs(["E-CHAIN-FIRST", "E-CRISIS"]), tmp_path / "turns", []
    whole = [*effects.follow(chosen, "standard", count=2)]

    def noted(pair: Pair, *arguments: Any, **options: Any) -> effects.TurnEffect:
        asked.append(pair.id)
        if len(asked) == 2:
            raise Stopped("interrupted")
        return one_effect(pair, *arguments, **options)

    one_effect = effects.effect
    monkeypatch.setattr(effects, "effect", noted)
    with pytest.raises(Stopped):
        list(effects.follow(chosen, "standard", count=2, checkpoint=path))
    assert [*effects.follow(chosen, "standard", count=2, checkpoint=path)] == whole
    first, *others = (pair.id for pair in chosen)
    assert asked == [first, others[0], *others]

    with pytest.raises(CheckpointError, match="positions is 2 there, 3 here"):
        next(effects.follow(chosen, "standard", count=3, checkpoint=path))


@pytest.mark.parametrize(
    "change",
    [
        {"id": "E-FULL=whole/some"},
        {"table": "introductory"},
        {"first": "1e999999999"},
        {"second_won": "1/0"},
        {"positions": -1},
        {"more": "1"},
    ],
    ids=str,
)
def test_what_was_kept_of_turns_is_read_strictly(tmp_path: Path, change: Mapping[str, Any]) -> None:
    chosen, path = pairs(["E-CRISIS"])[:1], tmp_path / "turns"
    (found,) = effects.follow(chosen, "standard", count=2, checkpoint=path)
    task = {"task": "turn effects", "level": "standard", "positions": 2, "reference": False, "rules": digest()}
    with Checkpoint(path, task) as checkpoint:
        checkpoint.keep(chosen[0].id, found.as_data() | change)
        checkpoint.write()

    with pytest.raises(CheckpointError, match="delete the file to start again"):
        list(effects.follow(chosen, "standard", count=2, checkpoint=path))


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_page_of_the_documentation_is_made_of_what_is_stored(language: str) -> None:
    path = ROOT / "docs" / "explanation" / PAGES[language]
    if not path.parent.exists():
        pytest.skip("the documentation is absent")
    text = report.markdown(language)
    if UPDATE:
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


def test_a_report_is_one_page_with_all_pictures() -> None:
    text = report.html("es")

    pictures = [finding.position for finding in stored.findings().findings] + [p.position for p in stored.open_points()]
    assert text.count("<figure>") == sum(map(bool, pictures))
    assert "<script" not in text
    apart = {"E-MAP": "Lo que creemos que el texto ya decide", "E-WAR-ORDER": "Lo que no cambia ninguna partida"}
    for pair in pairs():
        level = "h3" if pair.reading in apart else "h2"
        assert f"<{level}>{pair.id}</{level}>" in text
    for name, heading in apart.items():
        assert name in text.partition(f"<h2>{heading}</h2>")[2].partition("<h2>")[0]


def test_a_report_ends_at_its_deadline() -> None:
    with pytest.raises(OutOfTimeError):
        report.html("en", seconds=0)


def test_a_report_ends_before_the_intervals_of_all_games_are_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take longer than the pictures, so that a report that looked at the clock after them came late."""
    worked_out: list[str] = []
    monkeypatch.setattr(type(report.stored_games()), "comparisons", lambda _, pair: worked_out.append(pair.id) or [])
    with pytest.raises(OutOfTimeError):
        report.html("en", seconds=0)
    assert worked_out == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_page_says_nothing_of_a_second_program_where_one_has_played_all(language: str) -> None:
    rows = report.report_rows(["E-THREE", "E-LIMIT", "E-LIMIT-ORDER"])
    assert {row.policy for row in rows} == {bylearned.policy()} and not any(row.by_reference for row in rows)
    page = report.markdown(language)
    assert not any(word in page for word in ("second, plainer", "otro programa"))


def test_levels_are_named_one_after_the_other() -> None:
    """Of "juego estándar" and "juego experto" one article is not enough in Spanish."""
    finding = stored.findings().named("E-LAST=invaded/drawn")
    assert report.not_asked(finding, report.words_of("es")) == "en el juego estándar o en el juego experto"


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ArgumentError):
        report.markdown("fr")
    with pytest.raises(FindingError, match="'E-WIN=at-once/turn' has no finding"):
        report.report_rows(["E-WIN=at-once/turn"])
    assert report.report_rows(["e-win"]) == report.report_rows(["E-WIN"])
    with pytest.raises(FindingError):
        pairs(["E-NOTHING"])
