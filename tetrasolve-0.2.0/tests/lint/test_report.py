"""The report for the designer: every finding has its page, every word its translation, and what is shown is what is stored."""

import json
from html.parser import HTMLParser

import pytest

from tetrasolve.errors import ArgumentError, FindingError, OutOfTimeError
from tetrasolve.tetrarchia.lint import report
from tetrasolve.tetrarchia.lint.points import RANKS
from tetrasolve.tetrarchia.lint.report import DATA, INDEX, LANGUAGES, report_files, report_rows
from tetrasolve.tetrarchia.lint.stored import findings, questions
from tetrasolve.tetrarchia.ruleset import READINGS

SOME = ["I-ENTRY", "I-FRESH", "I-BATTLE-BROKEN", "I-SETUP-REROLL", "I-ORDER", "I-GLORY-RESERVE", "I-REROLL"]


class Page(HTMLParser):
    """The text of a page, its links, and whether each element is closed."""

    def __init__(self, text):
        super().__init__()
        self.text, self.links, self.open, self.language = [], [], [], None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if tag == "html":
            self.language = dict(attrs)["lang"]
        if tag == "a":
            self.links.append(dict(attrs)["href"])
        assert tag not in ("script", "link", "iframe", "img")
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module", params=LANGUAGES)
def pages(request):
    return request.param, dict(report_files(SOME, language=request.param))


def test_every_finding_has_a_page_and_every_link_leads_to_one(pages):
    language, files = pages
    assert list(files)[-2:] == [DATA, INDEX]
    assert list(files)[:-2] == [row.page for row in report_rows(SOME)]
    for name, text in files.items():
        if name != DATA:
            page = Page(text)
            assert (page.language, page.open) == (language, [])
            assert set(page.links) <= set(files)
    assert set(Page(files[INDEX]).links) == set(files) - {INDEX, DATA}


def test_a_page_shows_the_question_and_the_numbers(pages):
    language, files = pages
    for row in report_rows(SOME):
        shown = " ".join(Page(files[row.page]).text)
        question = row.question
        assert (question.english if language == "en" else question.spanish) in shown
        assert (question.rule if language == "en" else question.spanish_rule) in shown
        assert row.finding.id in shown
        for found in row.games:
            assert f"{100 * found.difference.value:+.1f}" in shown
        assert row.finding.position is None or row.finding.position in shown
        assert files[row.page].count("<svg") == (0 if row.finding.position is None else 2)


def test_the_data_are_those_of_the_findings(pages):
    _, files = pages
    data = json.loads(files[DATA])
    assert data["rules"] == findings().rules
    stored = {found["id"]: found for found in findings().to_json()["findings"]}
    for found in data["findings"]:
        assert {key: found[key] for key in stored[found["id"]]} == json.loads(json.dumps(stored[found["id"]]))


def test_the_gravest_come_first():
    rows = report_rows()
    assert {row.finding.id for row in rows} == {finding.id for finding in findings().findings}
    assert len({row.page for row in rows}) == len(rows)
    assert [RANKS[row.gravity] for row in rows] == sorted(RANKS[row.gravity] for row in rows)
    assert {row.question.state for row in report_rows(states=["settled"])} == {"settled"}


def test_both_languages_have_the_same_words():
    """But for sentences that the library has in English."""

    def keys(words, own=("sizes", "arguments", "replaced", "names")):
        return {
            (key, *([] if not isinstance(value, dict) else sorted(value)))
            for key, value in words.items()
            if key not in own
        }

    words = report._words()
    assert keys(words["en"]) == keys(words["es"])


def test_every_reading_is_translated():
    for name, question in questions().items():
        assert question.spanish_rule and list(question.spanish_values) == list(READINGS[name].options)
        assert all(question.spanish_values.values())
        assert bool(question.spanish_by) == bool(question.by)
    inert = [row.question.reading for row in report_rows() if row.gravity == "inert"]
    assert set(report._words()["es"]["arguments"]) == set(inert)


def test_text_of_findings_is_escaped():
    """What a data file holds is text, not markup."""
    row = report_rows(["I-SETUP-REROLL"])[0]
    writer = report._Writer(report._words()["en"], "en")
    argument = "<script>alert(1)</script>"
    changed = report.Row(
        report.replace(row.finding, argument=argument), row.question, row.gravity, row.effect, row.games
    )
    text = writer.finding_page(changed, None, None)
    assert "<script>" not in text and "&lt;script&gt;" in text


def test_what_is_refused():
    with pytest.raises(ArgumentError, match="one of en, es"):
        report_files(language="la")
    with pytest.raises(FindingError, match="I-NONE"):
        report_files(["I-NONE"])
    with pytest.raises(OutOfTimeError):
        list(report_files(SOME, seconds=0))
