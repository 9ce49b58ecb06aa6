"""Numbers of measurements on pages: they are those of the files, and a page that asks for another does not build."""

import json
import re
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tetrasolve.tetrarchia.rules import scenarios

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MINUS = "\N{MINUS SIGN}"

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the documentation is absent")

CONF = f"""
import sys
sys.path.insert(0, {str(DOCS)!r})
extensions = ["myst_parser", "benchpages"]
html_theme = "basic"
bench_results = "results"
exclude_patterns = ["results"]
"""
LEVELS = {
    "confidence": 0.95, "seed": 5, "weights": "0123456789abcdef", "commit": {"id": "f" * 40},
    "levels": {
        "5300": {"games": 8, "won": 8, "open": 0, "turns": 160, "fell_in_step": [0, 0, 0]},
        "3122": {"games": 6, "won": 3, "open": 1, "turns": 150, "fell_in_step": [0, 1, 1]},
        "4211": {"games": 0, "won": 0, "open": 0, "turns": 0, "fell_in_step": [0, 0, 0]},
    },
}  # fmt: skip
BINS = [{"from": 0.8, "to": 0.9, "tables": 90, "games": 7, "predicted": 0.85, "won": 0.75, "ci": [0.5, 0.9]}]
MOMENT = {
    "tables": 90, "games": 7, "predicted": 0.85, "base_rate": 0.75, "brier": 0.12344, "brier_of_base_rate": 0.1875,
    "gain": {"value": 0.06406, "ci": [0.01, 0.1]}, "bins": BINS,
}  # fmt: skip
CALIBRATION = {
    "games": 7,
    "seed": 3,
    "weights": {"digest": "abcdef"},
    "moments": {"start": MOMENT, "end": MOMENT, "hint": MOMENT},
}
BOUNDS = {
    "confidence": 0.95, "turns": 8, "seed": 5, "weights": "0123456789abcdef", "commit": {"id": "f" * 40},
    "levels": {
        "5300": {"bound": {"value": {"kind": "exact", "exact": "99/100", "float": 0.99}}, "games": 10, "fallen": 0},
        "3122": {"bound": {"value": {"kind": "exact", "exact": "3/4", "float": 0.75}}, "games": 10, "fallen": 5},
    },
}  # fmt: skip

SECOND = {
    "shipped": 5,
    "puzzles": {
        "a1": {"kind": "kill", "says": "1", "proof": "2", "search": "confirmed", "solver": "confirmed"},
        "a2": {"kind": "kill", "says": "3", "proof": "4", "search": "confirmed", "solver": "dice decide"},
        "a3": {"kind": "fall", "says": "5", "proof": "6", "search": "confirmed", "solver": "no choice"},
    },
}

FINEM_PART = {
    "count": 1234,
    "games": 9,
    "levels": {"standard": 1234},
    "options": {"corner": 300},
    "values": {"E-WIN=turn": 1234, "E-MAP=a": 77},
}
FINEM_ENGINES = {
    "seed": 21, "goals": {"states": 1000, "turns": 5}, "commit": {"id": "e" * 40}, "states": FINEM_PART,
    "turns": FINEM_PART | {"count": 8, "games": 8},
}  # fmt: skip

FINEM_MOMENT = MOMENT | {"difference": {"value": 0.1, "ci": [-0.05, 0.35]}}
FINEM_FIRST = MOMENT | {"difference": {"value": 0.1, "ci": [0.01, 0.2]}}
FINEM_CALIBRATION = {
    "seed": 4, "games": 7, "policy": "greedy", "weights": "0123456789abcdef", "commit": {"id": "e" * 40},
    "groups": {"standard": {"moments": {"turn": FINEM_MOMENT, "first": FINEM_FIRST}}},
}  # fmt: skip
FINEM_TURNS = {
    "seed": 5, "goals": {"turns_a_second": 1e5, "milliseconds": 50}, "exact_turns": 6, "commit": {"id": "e" * 40},
    "machine": {"processor": "P", "cores": 2, "load": [0.5, 0.4, 0.3]},
    "found": {"standard": {"random_turns_a_second": {"median": 123456, "least": 7, "most": 234567},
                           "exact_turn_ms": {"careful": {"median": 1.234, "nine_tenths": 2.5, "most": 30.25}}}},
}  # fmt: skip

Build = Callable[[str], tuple[str, str]]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Builds a page with made-up results; what it says, and what was warned of."""
    pytest.importorskip("myst_parser")
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    monkeypatch.setattr(sys, "path", sys.path.copy())
    source = tmp_path / "docs"
    (source / "results").mkdir(parents=True)
    (source / "conf.py").write_text(CONF, "utf-8")
    for name, data in (
        ("levels", LEVELS),
        ("calibration", CALIBRATION),
        ("bounds", BOUNDS),
        ("second_solutions", SECOND),
        ("finem_engines", FINEM_ENGINES),
        ("finem_calibration", FINEM_CALIBRATION),
        ("finem_turns", FINEM_TURNS),
    ):
        (source / "results" / f"{name}.json").write_text(json.dumps(data), "utf-8")

    def made(page: str) -> tuple[str, str]:
        (source / "index.md").write_text(f"# Page\n\n{page}\n", "utf-8")
        warnings = StringIO()
        out = tmp_path / "html"
        with patch_docutils(), docutils_namespace():
            trees = tmp_path / "trees"
            app = Sphinx(source, source, out, trees, "html", status=None, warning=warnings, freshenv=True)
            app.build()
        return (out / "index.html").read_text("utf-8"), warnings.getvalue()

    return made


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page[page.index("Page</h1>") if "Page</h1>" in page else 0 :]))


def directive(name: str, content: str = "") -> str:
    return f"```{{{name}}}\n{content}\n```\n"


def test_the_map_shows_what_was_played_and_says_what_was_not(build: Build) -> None:
    page, warnings = build(directive("bench-levels", "What it *shows*."))

    assert not warnings
    assert page.count("not played yet</title>") == 79
    assert "5300: 100 % won, 95 % 63.1 to 100.0, 8 games" in page
    assert "3122: 50.0 % won, 95 % 11.8 to 88.2, 6 games" in page
    assert (
        "<em>shows</em>. 6 to 8 games a level, 79 levels not played yet; weights 01234567, seed 5, commit ffffffff."
        in page
    )
    deepest = re.search(r"3122: .*?fill-opacity=\"([0-9.]+)\"", page)
    assert deepest and float(deepest[1]) == pytest.approx(0.375)


def test_levels_are_listed_the_hardest_first(build: Build) -> None:
    page, warnings = build(directive("bench-levels-table"))

    assert not warnings and "All 2 levels" in page
    assert "3122 6 50.0 % 11.8 to 88.2 25.0 0 1 1 1 5300 8 100 %" in words(page)


def test_bounds_stand_beside_win_rates(build: Build) -> None:
    page, warnings = build(directive("bench-bounds"))

    assert not warnings and "All 2 levels" in page
    assert "3122 50.0 % 11.8 to 88.2 2.5e-01 25.0 50.0 % 18.7 to 81.3 5300 100 % 63.1 to 100.0 1.0e-02" in words(page)


def test_second_solutions_are_counted_by_kind_and_what_was_not_asked_has_its_reason(build: Build) -> None:
    page, warnings = build(directive("bench-second-solutions"))

    assert not warnings
    assert "kind puzzles search solver kill 2 2 1 fall 1 1 0 all 3 3 1" in words(page)
    assert "solver: 1 not asked: dice decide. solver: 1 not asked: no choice. Not looked at yet: 2, which" in words(
        page
    )


def test_a_second_solution_is_an_error_of_the_page(build: Build, tmp_path: Path) -> None:
    rows = {**SECOND["puzzles"], "a3": SECOND["puzzles"]["a3"] | {"solver": "WRONG: two answers"}}
    (tmp_path / "docs" / "results" / "second_solutions.json").write_text(
        json.dumps({"shipped": 5, "puzzles": rows}), "utf-8"
    )

    assert "second solutions or other faults: a3" in build(directive("bench-second-solutions"))[1]


def test_raw_values_are_drawn_and_scored(build: Build) -> None:
    page, warnings = build(directive("bench-reliability") + directive("bench-brier"))

    assert not warnings
    assert "start: predicted 85.0 %, won 75.0 % (95 % 50.0 to 90.0), 90 tables of 7 games" in page
    assert "end of a turn 90 7 85.0 % 75.0 % 0.1234 0.1875 0.0641 (0.0100 to 0.1000)" in words(page)


def test_a_number_in_the_text_is_that_of_the_file(build: Build) -> None:
    page, warnings = build(
        "Of {bench}`calibration games`: {bench}`calibration moments.end.bins.0.won as percent`, "
        "{bench}`calibration moments.start.brier as decimal`, {bench}`calibration moments.start.gain.ci.0 as points`."
    )

    assert not warnings and "Of 7: 75.0 %, 0.123, +1.0." in re.sub(r"<[^>]+>", "", page)


@pytest.mark.parametrize(
    ("page", "trouble"),
    [
        ("{bench}`calibration moments.middle.brier`", "no 'middle' among start, end, hint"),
        ("{bench}`calibration moments.start`", "this is no single number"),
        ("{bench}`calibration games as words`", "forms are percent, decimal, points"),
        ("{bench}`nothing games`", "no results of nothing are kept"),
        (directive("bench-rivals"), "no results of rivals are kept (python bench/rivals.py --keep)"),
    ],
)
def test_what_is_not_there_is_named(build: Build, page: str, trouble: str) -> None:
    assert trouble in build(page)[1]


def test_results_of_another_form_are_named(build: Build, tmp_path: Path) -> None:
    (tmp_path / "docs" / "results" / "strength.json").write_text('{"series": []}', "utf-8")

    assert "strength.json is not as expected: KeyError('weights')" in build(directive("bench-strength"))[1]


def test_tables_are_made_of_the_kept_results(build: Build, tmp_path: Path) -> None:
    """The files of bench/ as they are: each of them can be shown, with every number of the last row."""
    kept: dict[str, Any] = {}
    for name in ("strength", "rivals", "latency"):
        text = (ROOT / "bench" / "results" / f"{name}.json").read_text("utf-8")
        (tmp_path / "docs" / "results" / f"{name}.json").write_text(text, "utf-8")
        kept[name] = json.loads(text)
    page, warnings = build(
        "".join(directive(f"bench-{name}") for name in kept) + directive("bench-rivals", ":compared:")
    )

    assert not warnings
    shown = words(page)
    for name in ("strength", "rivals"):
        played = [entry for entry in kept[name]["series"] if entry["games"]]
        if name == "strength":  # with the weights that were played with last
            played = [entry for entry in played if entry["weights"] in (None, [*kept[name]["weights"]][-1])]
        entry = played[-1]
        assert f"{entry['level']} {entry['name']} {entry['games']:,} " in shown
    row = kept["latency"]["milliseconds"]["service"]["last"]
    assert f"service last {row['median']:.1f} {row['95%']:.1f} {row['max']:.1f}" in shown
    for found in kept["rivals"]["compared"]:
        assert f"{found['rival']} {found['games']:,} " in shown


RATE = {"kind": "estimate", "float": 0.75, "ci": [0.4, 0.95], "n": 8}
GAP = {"kind": "estimate", "float": -0.2, "ci": [-0.3, -0.1], "n": 8}
NEVER = {"games": 0, "goal": 20, "won": 0, "rate": None}


def module_row(course: str, opponent: str | None, than: str | None, **policies: Any) -> dict[str, Any]:
    gains = {"expectimax": GAP if policies else None, "search": None}
    return {
        "group": "Some", "course": course, "opponent": opponent, "than": than,
        "policies": {"greedy": NEVER, "expectimax": NEVER, **policies},
        "bar": {"more_than_greedy": gains, "reached": False if policies else None},
    }  # fmt: skip


def test_modules_that_are_not_measured_yet_are_named_so(build: Build, tmp_path: Path) -> None:
    played = {"games": 8, "goal": 20, "won": 6, "rate": RATE, "difference": GAP}
    better = played | {"games": 20, "difference": GAP | {"float": 0.2, "ci": [-0.01, 0.4]}}
    data = {
        "weights": {"aa": {}, "aa+bb": {}}, "seed": 5, "commit": {"id": "f" * 40},
        "table": [
            module_row("4211", None, None),
            module_row("4211+goths", None, "4211", greedy=played),
            module_row("4211+barbaria", "best", "4211", greedy=better),
            module_row("4211+dux", None, "4211"),
        ],
    }  # fmt: skip
    (tmp_path / "docs" / "results" / "strength-modules.json").write_text(json.dumps(data), "utf-8")
    page, warnings = build("".join(directive(f"bench-modules{part}") for part in ("", "-bar", "-digest")))

    assert not warnings
    shown = words(page)
    assert "4211 not measured yet not measured yet 4211+goths 75.0 % (40.0 to 95.0; 8 of 20) not measured yet" in shown
    assert f"not measured yet 4211 harder {MINUS}20.0 ({MINUS}30.0 to {MINUS}10.0) greedy, 8 " in shown
    assert "4211+barbaria, Barbarians: best 30.0 % (40.0 to 95.0; 20)" in shown
    assert f"4211 not distinguished +20.0 ({MINUS}1.0 to 40.0) greedy, 8 4211+dux" in shown
    assert "4211+dux not measured yet not measured yet 4211 not measured yet" in shown
    assert f"4211+goths {MINUS}20.0 ({MINUS}30.0 to {MINUS}10.0) not measured yet not reached" in shown
    assert (
        "1 of 8 series have all their games, 6 none. Of 4 rows 0 reach the bar, 2 do not, and 2 are not measured"
        in shown
    )
    assert "Networks aa, aa+bb" in shown


def test_the_kept_results_of_modules_are_shown(build: Build, tmp_path: Path) -> None:
    text = (ROOT / "bench" / "results" / "strength-modules.json").read_text("utf-8")
    (tmp_path / "docs" / "results" / "strength-modules.json").write_text(text, "utf-8")
    page, warnings = build("".join(directive(f"bench-modules{part}") for part in ("", "-bar", "-digest")))

    assert not warnings
    for row in json.loads(text)["table"]:
        assert row["course"] in page


def test_scenarios_stand_between_levels_whose_intervals_are_apart(build: Build, tmp_path: Path) -> None:
    def played(low: float, high: float) -> dict[str, Any]:
        rate = {"kind": "estimate", "float": (low + high) / 2, "ci": [low, high], "n": 20}
        return {"games": 20, "goal": 20, "won": round(10 * (low + high)), "rate": rate}

    data = {
        "weights": {"aa": {}}, "seed": 5, "commit": {"id": "f" * 40},
        "table": [
            module_row("5300", None, None, greedy=played(0.9, 1.0)),
            module_row("4222", None, None, greedy=played(0.6, 0.7)),
            module_row("danubian-wars", None, "4222", greedy=played(0.4, 0.5)),
            module_row("mauretanian-war fixed", None, "4222", greedy=played(0.65, 0.75)),
            module_row("great-persian-war", None, "4222"),
            module_row("4222+dux", None, "4222", greedy=played(0.1, 0.2)),
        ],
    }  # fmt: skip
    (tmp_path / "docs" / "results" / "strength-modules.json").write_text(json.dumps(data), "utf-8")
    page, warnings = build(directive("bench-scenarios"))

    assert not warnings
    shown = words(page)
    order = [shown.index(name) for name in ("danubian-wars", "4222 6", "mauretanian-war fixed", "5300 95")]
    assert order == sorted(order)
    assert "harder than 5300, 4222" in shown or "harder than 4222, 5300" in shown
    assert "harder than 5300 5300 95.0 %" in shown  # the last scenario is not distinguished from 4222
    assert "4222+dux" not in shown
    assert "Not measured yet: great-persian-war." in shown


def test_the_kept_results_of_scenarios_are_shown(build: Build, tmp_path: Path) -> None:
    text = (ROOT / "bench" / "results" / "strength-modules.json").read_text("utf-8")
    (tmp_path / "docs" / "results" / "strength-modules.json").write_text(text, "utf-8")
    page, warnings = build(directive("bench-scenarios"))

    assert not warnings
    for name in scenarios():
        assert name in page


def test_scenarios_that_nobody_played_are_named(build: Build, tmp_path: Path) -> None:
    data = {"weights": {}, "table": [module_row("danubian-wars", None, None)]}
    (tmp_path / "docs" / "results" / "strength-modules.json").write_text(json.dumps(data), "utf-8")

    assert "no scenario is measured by greedy" in build(directive("bench-scenarios"))[1]


def test_results_without_a_table_of_modules_are_named(build: Build, tmp_path: Path) -> None:
    (tmp_path / "docs" / "results" / "strength-modules.json").write_text('{"series": []}', "utf-8")

    assert "the results have no table" in build(directive("bench-modules"))[1]


def test_groups_of_a_calibration_are_shown_or_not_measured_yet(build: Build, tmp_path: Path) -> None:
    assert "The groups are not measured yet." in words(build(directive("bench-calibration-groups"))[0])

    bins = [
        {
            "from": 0.9,
            "to": 1.0,
            "tables": 77,
            "games": 44,
            "effective": 40,
            "predicted": 0.96,
            "won": 0.9,
            "ci": [0.8, 0.95],
        }
    ]
    groups = [
        {
            "group": name, "games": 120, "hints": 900, "predicted": 0.9, "won": 0.8, "brier": 0.1, "brier_of_base_rate": 0.16,
            "bins": bins, "difference": {"value": 0.1, "ci": ci},
        }
        for name, ci in (("5300", [-0.05, 0.25]), ("4211+dux", [0.02, 0.18]))
    ]  # fmt: skip
    path = tmp_path / "docs" / "results" / "calibration.json"
    path.write_text(json.dumps(CALIBRATION | {"groups": groups, "networks": ["aa", "bb"]}), "utf-8")
    page, warnings = build(directive("bench-calibration-groups"))

    assert not warnings
    shown = words(page)
    assert f"5300 120 900 90.0 % 80.0 % 0.1000 0.1600 +10.0 ({MINUS}5.0 to 25.0) yes" in shown
    assert "4211+dux 0.9 to 1.0 77 44 96.0 % 90.0 % 80.0 to 95.0" in shown
    assert (
        "4211+dux 120 900 90.0 % 80.0 % 0.1000 0.1600 +10.0 (2.0 to 18.0) no "
        "1 of 2 intervals contain 0; networks aa, bb; weights abcdef, seed 3." in shown
    )


def test_what_both_engines_of_the_second_game_agree_on(build: Build) -> None:
    page, warnings = build(directive("bench-finem-engines"))

    assert not warnings
    said = words(page)
    assert "random states 1,234 9 1,000 none" in said
    assert "exact turns 8 8 5 none" in said
    assert "2 values of readings, each in at least 77 (E-MAP=a)" in said
    assert "Seed 21, commit eeeeeeee." in said


@pytest.mark.parametrize("kind", ["states", "turns"])
def test_engines_that_were_not_compared_build_no_page(build: Build, tmp_path: Path, kind: str) -> None:
    found = FINEM_ENGINES | {kind: FINEM_PART | {"count": 0}}
    (tmp_path / "docs" / "results" / "finem_engines.json").write_text(json.dumps(found), "utf-8")
    assert f"no {kind} are compared" in build(directive("bench-finem-engines"))[1]


def test_how_fast_turns_of_the_second_game_are(build: Build) -> None:
    page, warnings = build(directive("bench-finem-turns"))

    assert not warnings
    said = words(page)
    assert "standard 123,456 7 234,567" in said
    assert "standard careful 1.23 2.5 30.2" in said
    assert "6 exact turns of each kind. P, 2 cores, load 0.5 at the beginning" in said


def test_what_hints_of_the_second_game_predicted(build: Build) -> None:
    page, warnings = build(directive("bench-finem-calibration") + directive("bench-finem-calibration", ":bins:"))

    assert not warnings
    said = words(page)
    assert f"standard of each turn 90 85.0 % 75.0 % +10.0 ({MINUS}5.0 to 35.0) yes 0.1234 0.1875" in said
    assert "standard of the first turn 90 85.0 % 75.0 % +10.0 (1.0 to 20.0) no 0.1234 0.1875" in said
    assert "standard 0.8 to 0.9 90 7 85.0 % 75.0 % 50.0 to 90.0" in said
