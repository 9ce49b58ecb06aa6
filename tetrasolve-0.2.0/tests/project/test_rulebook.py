"""Every rule of the rulebook has its code and its tests: what docs/rulebook-coverage.md shows, without Sphinx."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="module")
def rulebook(root: Path) -> ModuleType:
    """docs/rulebook.py, which belongs to the documentation and is in no package."""
    spec = importlib.util.spec_from_file_location("rulebook", root / "docs" / "rulebook.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules["rulebook"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def coverage(rulebook: ModuleType, root: Path) -> Any:
    return rulebook.read(root)


def test_every_rule_has_code_and_tests(coverage: Any) -> None:
    assert coverage.problems() == []


def test_rules_come_in_the_order_of_the_rulebook(rulebook: ModuleType, coverage: Any) -> None:
    """Its rules stand on pages 4 to 19, none of them left out."""
    pages = [rulebook.page_of(rule) for chapter in coverage.chapters for rule in chapter.rules]

    assert pages == sorted(pages)
    assert set(pages) == set(range(4, 20))


def test_each_rule_is_a_sentence_stated_once(coverage: Any) -> None:
    for chapter in coverage.chapters:
        shown = list(chapter.rules.values())
        assert all(text[0].isupper() and text.endswith(".") for text in shown)
        assert len(set(shown)) == len(shown)


def test_every_module_and_variant_is_covered(coverage: Any) -> None:
    """The only chapter without code is about who plays."""
    uncovered = {chapter.title.rpartition(" ")[2].lower() for chapter in coverage.chapters if chapter.uncovered}

    assert uncovered == {"players"}


# -- what would be found -----------------------------------------------------------------------------------------

RULES = """
[[chapter]]
title = "Move"
[chapter.rules]
p07-one = "One."
p07-two = "Two."
[[chapter]]
title = "Later"
uncovered = "Not yet."
[chapter.rules]
p08-three = "Three."
"""
CODE = """
# Rule p07-one, p07-two
COST = 1
"""
TESTS = """
@pytest.mark.rule("p07-one", "p07-two")
def test_both():
    pass
"""


def problems(rulebook: ModuleType, root: Path, rules: str = RULES, code: str = CODE, tests: str = TESTS) -> list[str]:
    for name, text in (("docs/rulebook.toml", rules), ("tetrasolve/a.py", code), ("tests/test_a.py", tests)):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, "utf-8")
    found: list[str] = rulebook.read(root).problems()
    return found


def test_a_project_in_order(rulebook: ModuleType, tmp_path: Path) -> None:
    assert problems(rulebook, tmp_path) == []


@pytest.mark.parametrize(
    ("part", "old", "new", "problem"),
    [
        ("code", ", p07-two", "", "p07-two: no code names it"),
        ("tests", ', "p07-two"', "", "p07-two: no test names it"),
        ("tests", "def test_both", "def both", "p07-one: no test names it"),
        ("code", "p07-two", "p07-tow", "p07-tow: not in docs/rulebook.toml, but named at tetrasolve/a.py:3: COST"),
        ("tests", '"p07-two"', '"p07-tow"', "p07-tow: not in docs/rulebook.toml, but named at tests/test_a.py:3"),
        ("tests", '"p07-two"', "TWO", "TWO: not in docs/rulebook.toml, but named at tests/test_a.py:3: test_both"),
        ("tests", "p07-two", "p08-three", "p08-three: marked as uncovered, but named at tests/test_a.py:3"),
        ("rules", "p08-three", "p07-two", "p07-two: listed twice"),
        ("rules", "p08-three", "three", "three: an id is p, two figures for the page, and words"),
    ],
)
def test_what_is_wrong_is_reported(
    rulebook: ModuleType, tmp_path: Path, part: str, old: str, new: str, problem: str
) -> None:
    texts = {"rules": RULES, "code": CODE, "tests": TESTS}
    texts[part] = texts[part].replace(old, new)

    assert any(found.startswith(problem) for found in problems(rulebook, tmp_path, **texts))


def test_a_comment_marks_what_it_stands_above_beside_or_in(rulebook: ModuleType) -> None:
    text = """
class Base:
    # Rule p10-above
    @cache
    def asked(self):
        # Rule p10-within
        return 1

COST = 1  # Rule p10-beside
"""

    assert sorted(rulebook.in_code(text)) == [
        ("p10-above", 5, "Base.asked"),
        ("p10-beside", 9, "COST"),
        ("p10-within", 5, "Base.asked"),
    ]
    assert list(rulebook.in_data("# Rule p17-level\nlevel = '4221'\n")) == [("p17-level", 2, "level")]
