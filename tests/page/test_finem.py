"""The page of the second game: play by keyboard alone, cards by seed and of a table, records, advice, languages, accessibility."""

import json

import pytest
from pageaddress import at

from tetrasolve.finem.examples import examples
from tetrasolve.finem.hint.comparison import compare
from tetrasolve.finem.lint.stored import questions
from tetrasolve.finem.position import Position
from tetrasolve.finem.puzzle.puzzle import shipped
from tetrasolve.finem.record import read_record
from tetrasolve.finem.turnrisk import turn_risk

START = "standard none C7/C7/BC 1111/- 1/1 O5:O1.O7:O1.OC:O2.C6:C3.CR:C2.ES:E2.ER:E3.B5:B3.BC:B1 act:4 -"
PERIL = str(examples()["peril"])
HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
READY = ".tabs [aria-pressed=true]"
PHASE = "actions none: move C6; confront C; pass"


def opened(visit, position=START, *, options=None, **state):
    page = visit(at("play", position=position, seed="5", **state), **(options or {}))
    page.wait_for_selector(READY)
    return page


def title(page, text):
    page.wait_for_selector(f"h1:has-text('{text}')")


def until(page, expression, *, most=300):
    """Wait until an expression holds; the policy of the page forbids what `wait_for_function` does."""
    for _ in range(most):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(100)
    raise AssertionError(expression)


def played(page):
    """The events of the record in the address, read by the library."""
    record = page.evaluate("new URLSearchParams(location.hash.slice(1)).get('record')")
    return read_record(record).played


def test_a_whole_turn_by_keyboard_alone(visit_finem):
    page = opened(visit_finem)
    page.focus(".hit[data-region=C7]")
    assert page.locator(".hit[tabindex='0']").count() == 1  # the board is one tab stop
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.region") == "C6"
    page.keyboard.press("Enter")
    page.wait_for_selector(".here .action:has-text('Move to C6')")
    page.keyboard.press("Enter")
    title(page, "3 actions left")
    page.focus("[name=action]")
    page.keyboard.type("confront C; confront C; pass")
    page.keyboard.press("Enter")
    title(page, "a card of the campaign")
    page.focus(".actions .primary")
    while "actions left" not in page.inner_text("h1"):
        before = page.inner_text("h1")
        assert page.locator(".actions button").count() > 0
        page.focus(".actions button")
        page.keyboard.press("Enter")
        until(
            page,
            f"document.querySelector('h1').textContent !== {json.dumps(before)} && !document.querySelector('.busy')",
        )
    assert played(page)[:4] == ("move C6", "confront C", "confront C", "pass") and len(played(page)) > 8
    assert "turn 2" in page.inner_text(".facts")


def test_undo_and_redo_keep_the_cards(visit_finem):
    page = opened(visit_finem, PERIL)
    page.click("button:has-text('Draw one card')")
    until(page, "location.hash.includes('invasion')")
    first = played(page)
    page.click("button:has-text('Undo')")
    until(page, "!location.hash.includes('invasion')")
    assert played(page) == ()
    page.click("button:has-text('Draw one card')")
    until(page, "location.hash.includes('invasion')")
    assert played(page) == first


def test_of_a_typed_line_what_was_not_done_is_left(visit_finem):
    """A line that stops at an action that is refused keeps it and those after it; corrected, it does nothing twice."""
    page = opened(visit_finem)
    page.fill("[name=action]", "move C6; confront B; confront C")
    page.press("[name=action]", "Enter")
    until(page, "document.querySelector('[name=action]').value === 'confront B; confront C'")
    until(page, "!document.querySelector('.busy')")
    title(page, "3 actions left")
    page.fill("[name=action]", "confront C; confront C")
    page.press("[name=action]", "Enter")
    until(page, "document.querySelector('[name=action]').value === '' && !document.querySelector('.busy')")
    assert played(page) == ("move C6", "confront C", "confront C")


def test_cards_of_a_table_are_chosen_on_the_map_or_typed(visit_finem):
    page = opened(visit_finem, PERIL, cards="table")
    page.click(".hit[data-region=CR] .form", force=True)
    page.click(".hit[data-region=CR] .form", force=True)
    until(page, "location.hash.includes('CR') && !document.querySelector('.busy')")  # while it is, Enter does nothing
    page.fill("[name=action]", "E5; no card")
    page.press("[name=action]", "Enter")
    page.wait_for_selector(".trouble:not([hidden])")  # the first one is done, the second one is no card
    assert played(page) == ("CR", "E5")


def test_hints_and_risk_say_what_the_library_says(visit_finem):
    page = opened(visit_finem, panel="hint", budget="greedy")
    page.click(".body .primary")
    page.wait_for_selector(".plan .steps button")
    page.wait_for_selector(".board .badge", state="attached")
    page.click(".plan:not([open]) summary")
    for number in (0, 1):
        page.locator(".plan [type=checkbox]").nth(number).check()
    page.wait_for_selector(".comparison tbody tr:nth-child(5)")
    assert page.locator(".comparison tbody tr:first-child code").count() == 2
    page.click(".plan[open] button:has-text('Play it')")
    until(page, "location.hash.includes('actions')")
    page = opened(visit_finem, PERIL, panel="risk")
    page.wait_for_selector(".board .badge.percent", state="attached")
    exact = turn_risk(examples()["peril"]).p_goes_on
    assert f"{exact.numerator}/{exact.denominator}" in page.inner_text(".body")


def test_why_not_my_plan(visit_finem, axe, wide):
    """What was played comes from the beginning of the actions; what is wrong is said where it was asked, in Spanish, too."""
    record = "\n".join(["tetrasolve-et-finem-record/1", "ruleset standard", f"start {START}", PHASE, "result open", ""])
    page = visit_finem(at("play", {"record": record}, panel="hint", budget="greedy", lang="es"), width=360)
    page.wait_for_selector(READY)
    page.click("details:has(textarea) > summary")
    page.fill(".body textarea", "move C6; move E5")
    page.click("button:has-text('Comparar con el mejor')")
    page.wait_for_selector("details:has(textarea) .note:has-text('move E5: en el paso act se esperaba')")
    page.click("button:has-text('Lo que he jugado')")
    assert page.input_value(".body textarea") == "move C6; confront C; pass"
    page.click("button:has-text('Comparar con el mejor')")
    page.wait_for_selector("details:has(textarea) .note:has-text('Cede')")
    mine = compare(Position.parse(START), "move C6; confront C; pass", budget="greedy")
    assert f"{100 * mine.gap:.1f}".replace(".", ",") in page.inner_text("details:has(textarea) .note >> nth=1")
    assert str(mine.mine.risk.p_lost) in page.inner_text(".comparison")
    assert "Mover a C6; Enfrentarse a copas; Terminar" in page.inner_text(".comparison")
    page.click(".past .steps button >> nth=0")
    page.wait_for_selector(".looking:not([hidden])")  # the plan begins before what is on the board
    assert axe(page) == [] and wide(page) == []


def test_a_record_is_opened_and_reviewed(visit_finem):
    record = "\n".join(["tetrasolve-et-finem-record/1", "ruleset standard", f"start {START}", PHASE, "result open", ""])
    page = visit_finem(at("play", {"record": record}))
    title(page, "a card of the campaign")
    page.click("nav a:has-text('Review')")
    page.click("button:has-text('Review the game')")
    page.wait_for_selector(".detail dd")
    assert "Move to C6; Confront copas" in page.inner_text(".detail")


@pytest.mark.parametrize(
    ("panel", "lang", "options"),
    [
        ("turn", "en", {}),
        ("hint", "es", {"width": 360}),
        ("risk", "en", {"color_scheme": "dark", "width": 360}),
        ("table", "es", {"color_scheme": "dark"}),
        ("game", "en", {"width": 768}),
    ],
)
def test_panels_are_accessible_and_fit(visit_finem, axe, wide, panel, lang, options):
    page = opened(visit_finem, panel=panel, lang=lang, options=options)
    page.wait_for_selector(".tracks td")
    if panel == "risk":
        page.wait_for_selector(".body table")
    assert page.get_attribute("html", "lang") == lang
    assert axe(page) == []
    assert wide(page) == []


def test_a_puzzle_is_solved_with_help(visit_finem, axe, wide):
    entry = next(entry for entry in shipped() if entry.question.kind.name == "worst-card")
    page = visit_finem(at("puzzles"), width=360)
    page.wait_for_selector("ol.cards li:nth-child(24)")
    assert axe(page) == [] and wide(page) == []
    page = visit_finem(at("puzzles", puzzle=entry.id))
    page.click("button:has-text('Help')")
    page.wait_for_selector("ol li")
    page.click(f".hit[data-region={entry.data['other']}] .form", force=True)
    page.click("button:has-text('Check')")
    page.wait_for_selector(".result .bad")
    assert page.is_visible(".tracks caption >> nth=1")  # dice, cubes and tracks are part of the question
    assert page.evaluate("(one => one.scrollHeight - one.clientHeight)(document.querySelector('.frame'))") <= 1
    page.fill("[name=answer]", entry.data["answer"])
    page.click("button:has-text('Check')")
    page.wait_for_selector(".result .good")
    assert axe(page) == []


def test_puzzles_are_filtered_by_grade_and_theme(visit_finem):
    fit = [entry for entry in shipped() if entry.grade == 5 and "march" in entry.themes]
    page = visit_finem(at("puzzles", grade="5", theme="march"))
    page.wait_for_selector("ol.cards li")
    assert page.locator("ol.cards li").count() == len(fit) > 0
    assert page.get_attribute("ol.cards a", "href").count(fit[0].id) == 1
    page.select_option("select[name=grade]", "1")
    page.wait_for_selector("[role=status]:has-text('0 of 0')")


def test_a_position_is_set_on_the_map_and_says_why_it_cannot_be(visit_finem, axe, wide):
    page = visit_finem(at("editor", position=PERIL), width=360)
    page.wait_for_selector(".verdict .good")
    assert axe(page) == [] and wide(page) == []
    count = examples()["peril"].count("E7", "O")
    page.check("input[value='cube O']", force=True)
    for _ in range(4 - count):  # one more than there can be
        before = page.input_value("textarea")
        page.focus(".hit[data-region=E7]")
        page.keyboard.press("Enter")
        until(page, f"document.querySelector('textarea').value !== {json.dumps(before)}")
    page.wait_for_selector(".verdict li")
    assert "expected at most 3" in page.inner_text(".verdict")
    page.wait_for_selector(".board .marked", state="attached")
    page.fill("textarea", PERIL)
    page.press("textarea", "Tab")
    page.click(".verdict a:has-text('play')")
    page.wait_for_selector(READY)


def test_findings_are_chosen_and_shown_with_their_positions(visit_finem, axe, wide):
    page = visit_finem(at("findings", reading="E-PACIFY", lang="es"), width=360)
    page.wait_for_selector(".cards li")
    assert all(text == "E-PACIFY" for text in page.locator(".cards b").all_inner_texts())
    page.click(".cards li:first-child a")
    page.wait_for_selector(".finding svg")
    asked = questions()["E-PACIFY"]
    assert asked.text["es"] in page.inner_text(".finding") and asked.values["es"]["automatic"] in page.inner_text(
        ".finding"
    )
    assert axe(page) == [] and wide(page) == []


def test_print_shows_the_map_and_no_buttons(visit_finem):
    page = opened(visit_finem)
    page.emulate_media(media="print")
    assert page.is_visible(".board svg") and not page.is_visible("header") and not page.is_visible(".actions button")


def test_hostile_addresses_are_text(visit_finem):
    page = visit_finem(at("play", {"record": HOSTILE}, position=HOSTILE, panel=HOSTILE, cards=HOSTILE, lang=HOSTILE))
    page.wait_for_selector(READY)
    assert page.locator("img").count() == 0 and page.evaluate("document.title") != "1"


def test_without_scripts_there_are_the_board_and_advice(visit_finem):
    page = visit_finem(f"/?position={START.replace(' ', '+')}&advice=1", script=False)
    assert page.locator("figure svg").count() == 1
    assert "confront C" in page.inner_text("body") and "evaluation" in page.inner_text("body")
