"""What a player does on the page, by mouse and by keyboard, through the real service."""

import re
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from pageaddress import CHANCE, FIGHT, KILL, RECORD, at

from tetrasolve.tetrarchia.boardfile import read_board
from tetrasolve.tetrarchia.puzzle.collection import select, shipped
from tetrasolve.tetrarchia.ruleset import MODULES

WON = "4211 D:6 rom/-/-/- 12 - - - -/-/-/-"


def state(page):
    """The state in the address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def wait_state(page, name, value):
    """Wait until the state in the address has a value that fits."""
    page.wait_for_function(
        "([name, value]) => new RegExp(value).test(new URLSearchParams(location.search).get(name) ?? '')",
        arg=[name, value],
    )


def answer_of(puzzle):
    (entry,) = (entry for entry in shipped() if entry.id == puzzle)
    return entry


def focus(page, selector, most=60):
    """Press Tab until an element that fits has the focus."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


# -- playing -----------------------------------------------------------------------------------------------------------


def test_a_turn_and_a_hint_by_keyboard_alone(visit):
    page = visit(at("play", position=FIGHT))
    page.wait_for_selector(".view.play .actions button", state="attached")
    page.evaluate("document.activeElement.blur()")
    focus(page, ".hit[data-province=germania_superior], .hit[tabindex='0']")
    page.keyboard.type("rhaetia")  # letters find a province
    focus(page, ".hit[data-province=rhaetia]", 1)
    page.keyboard.press("Enter")  # what an action costs
    page.wait_for_selector(".here button")
    page.keyboard.press("Enter")  # and it is done
    wait_state(page, "position", r"^4211 M:[0-5] bit/pin/aqu/rha")
    focus(page, ".typed input")
    page.keyboard.type("end")
    page.keyboard.press("Enter")
    wait_state(page, "position", "^4211 M:b")
    focus(page, ".actions button.primary", 80)
    page.keyboard.press("Enter")  # the dice of the phase
    wait_state(page, "position", "^4211 D:6")
    page.evaluate("document.activeElement.blur()")
    focus(page, "[data-panel=hint]", 80)
    page.keyboard.press("Enter")
    focus(page, ".panel .body button.primary, .panel .body form button", 20)
    page.keyboard.press("Enter")
    page.wait_for_selector(".panel .body .turn")
    assert page.inner_text("[role=status][aria-live]") != ""


def test_a_game_to_its_end(visit):
    """The Emperor whose last figure wins the game does so, and the page says it; undo leads back."""
    puzzle = next(
        entry for entry in shipped() if entry.question.kind.name == "win" and "{" not in str(entry.data["answer"])
    )
    position = str(puzzle.question.position)
    page = visit(at("play", position=position))
    page.wait_for_selector(".view.play .actions button", state="attached")
    for action in str(puzzle.data["answer"]).split("; "):
        if page.is_visible(".typed input"):
            before = page.url
            page.fill(".typed input", action)
            page.press(".typed input", "Enter")
            page.wait_for_function("before => location.href !== before", arg=before)
        if "The Empire is saved" in page.inner_text("h1"):
            break
    page.wait_for_function("() => /The Empire is saved/.test(document.querySelector('h1').textContent)")
    assert not page.is_visible(".actions button")
    page.click("text=Undo")
    page.wait_for_function("() => !/The Empire is saved/.test(document.querySelector('h1').textContent)")


# -- puzzles -----------------------------------------------------------------------------------------------------------


def test_a_puzzle_is_tried_on_the_board_and_refuted_and_solved_after_help(visit):
    page = visit(at("puzzles", puzzle=KILL))
    page.wait_for_selector(".legal button")
    assert not page.query_selector(".chip")  # themes say something about the answer
    page.click(".hit[data-province=cyrenaica] circle", force=True)
    page.wait_for_function("() => document.querySelector('form textarea').value === 'move cyrenaica'")
    page.click(".legal button:has-text('Place a garrison')")
    page.wait_for_function("() => document.querySelector('form textarea').value === 'move cyrenaica; secure'")
    page.click(".legal button:has-text('End the turn')")
    page.wait_for_function("() => document.querySelector('form textarea').value.endsWith('end')")
    page.click("text=Check the answer")
    page.wait_for_selector(".result .path .bad")
    assert "End the turn" in page.inner_text(".result .path .bad") and "17/18" in page.inner_text(".result .pair")
    assert not page.query_selector(".chip")
    page.fill("form textarea", "attack syria")  # its branches may be left out
    page.click("text=Check the answer")
    page.wait_for_selector(".result .pair:has-text('19/9 ≈ 2.111')")  # IP are no chance
    for number in range(1, 6):
        page.click(f"text=Show step {number} of 5")
        page.wait_for_selector(f".steps li:nth-child({number})")
    assert page.query_selector(".chip")  # the answer is on the page now
    page.fill("form textarea", str(answer_of(KILL).data["answer"]))
    page.click("text=Check the answer")
    page.wait_for_selector(".result h2.good")
    assert page.is_visible("a:has-text('Next puzzle')")
    page.reload()
    page.wait_for_selector(".chip")  # what was solved stays so in this browser


def test_an_answer_that_is_a_number(visit):
    page = visit(at("puzzles", puzzle=CHANCE))
    page.fill("form input", "1/7")
    page.click("text=Check the answer")
    page.wait_for_selector(".result h2.bad")
    page.fill("form input", str(answer_of(CHANCE).data["answer"]))
    page.press("form input", "Enter")
    page.wait_for_selector(".result h2.good")


def test_puzzles_are_filtered_and_opened_by_keyboard(visit):
    page = visit(at("puzzles"))
    page.wait_for_selector(".cards li:nth-child(24)")
    page.select_option("select[name=kind]", "win")
    wait_state(page, "kind", "^win$")
    wins = sum(entry.question.kind.name == "win" for entry in shipped())
    page.wait_for_function(f"() => / of {wins} puzzles/.test(document.querySelector('main').textContent)")
    page.focus("ol.cards li:first-child a")
    page.keyboard.press("Enter")
    page.wait_for_selector(".legal button")
    assert page.evaluate("document.activeElement.tagName") == "H1"
    page.go_back()
    page.wait_for_selector("ol.cards li:nth-child(12)")
    assert state(page)["kind"] == "win"


def chance_before_a_gap(begun, following):
    """Whether the answer is a number, and puzzles between these two are left out."""
    return begun[1].question.kind.form == "chance" and following[0] > begun[0] + 1


def test_the_next_puzzle_is_one_that_the_filters_leave(visit):
    pairs = [
        (name, *pair)
        for name in MODULES
        for pair in pairwise(select(shipped(), module=name))
        if chance_before_a_gap(*pair)
    ]
    module, (_, begun), (_, following) = pairs[0]
    page = visit(at("puzzles", puzzle=begun.id, module=module))
    page.fill("form input", str(begun.data["answer"]))
    page.press("form input", "Enter")
    page.click("a:has-text('Next puzzle')")
    wait_state(page, "puzzle", f"^{following.id}$")
    assert state(page)["module"] == module


# -- review, editor, map -----------------------------------------------------------------------------------------------


def test_a_record_is_reviewed_and_a_turn_chosen_in_the_plot(visit):
    page = visit(at("review"))
    page.fill("textarea", RECORD)
    page.click("text=Review the game")
    page.wait_for_selector("tbody tr:nth-child(2)")
    assert page.inner_text(".whole [role=status]").strip() == "The game is not over"
    assert "Maximian" in page.inner_text("tbody tr:first-child")
    page.click(".plot .turn:nth-of-type(2) .hold", force=True)
    wait_state(page, "turn", "^2$")
    page.wait_for_selector(".detail .hit", state="attached")
    page.fill("textarea", RECORD.replace("victory 6-1", "victory 1-6"))
    page.click("text=Review the game")
    page.wait_for_selector("[role=alert].bad:has-text('Line 5')")


DECIDED = """\
tetrasolve-record/2
board tetrarchia
ruleset 4210+barbaria+imperium
start 4210+barbaria+imperium D:6 asi/-/cis/- 13 rha rha dac -/-/-/- barbarian_discs={"black":0,"gray":2} \
removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}
1 diocletian: imperium reserve; constantius: move etruria; constantius: move cisalpina; end
dice: 5 6 reroll 3 5 cancel
result open"""


def test_a_review_says_what_it_rests_on_and_does_not_grade(visit):
    page = visit(at("review"))
    page.fill("textarea", DECIDED)
    page.click("text=Review the game")
    page.wait_for_selector("tbody tr")
    said = page.inner_text(".whole .whole p.soft")
    assert (
        "raw values of network 0a05dc7c" in said
        and "with exactly these rules: 1, with each of them at least 379" in said
    )
    assert "not graded, and are part of the luck: Barbarian player 2" in said


def test_the_mark_of_a_turn_is_that_of_its_worst_decision(visit):
    page = visit(at("review"))
    grades = iter(["inaccuracy", "mistake"])  # of the two decisions of the first turn

    def graded(route):
        text = re.sub(r'"grade": ?""', lambda _: f'"grade": "{next(grades, "")}"', route.fetch().text())
        route.fulfill(body=text, content_type="text/event-stream")

    page.route("**/v1/jobs/*/events", graded)
    page.fill("textarea", RECORD)
    page.click("text=Review the game")
    page.wait_for_selector("tbody tr:nth-child(2)")
    assert "? mistake" in page.inner_text("tbody tr:first-child") and next(grades, None) is None


def test_a_position_is_set_by_keyboard_and_taken_over(visit):
    page = visit(at("editor", position=FIGHT))
    page.wait_for_selector(".verdict .good")
    page.check("input[value=army]")
    page.focus(".hit[tabindex='0']")
    page.keyboard.type("roma")
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict li:has-text('Roma')")
    assert "rom" in page.input_value("textarea").split(" ")[4]
    page.keyboard.press("Enter")  # the same again takes it away
    page.wait_for_selector(".verdict .good")
    page.check("label:has-text('Pirates') input")
    page.wait_for_function("() => document.querySelector('textarea').value.includes('pirates=')")
    page.wait_for_function("() => document.activeElement.closest('label')?.textContent === 'Pirates'")
    page.select_option("label:has-text('the Pirates') select", "1")
    page.wait_for_function("() => document.querySelector('textarea').value.includes('pirates=1')")
    page.fill("textarea", FIGHT)
    page.press("textarea", "Tab")
    page.wait_for_function("() => !document.querySelector('textarea').value.includes('pirates')")
    page.click("text=Take over into play")
    page.wait_for_selector(".view.play .actions button", state="attached")
    assert state(page)["position"] == FIGHT


def test_a_changed_link_shows_which_facts_change_and_downloads_the_file(visit):
    page = visit(at("map"))
    page.select_option(".panel select >> nth=0", "sardinia")
    page.select_option(".links label:has-text('Etruria') select", "absent")
    page.wait_for_selector(".facts summary")
    assert "49 facts change" in page.inner_text("main") and state(page)["changes"] == "link sardinia-etruria absent"
    with page.expect_download() as waiting:
        page.click("text=Download the board file")
    board = read_board(waiting.value.path().read_text("utf-8"))
    assert len(board.links) == 79 and "sardinia" not in board.neighbours("etruria")
    page.click("text=Hint and risk on this board")
    page.wait_for_selector("tbody tr:nth-child(4)")
    page.check(".claim label:has-text('Mare Aegaeum') input")  # a second row
    left = page.locator("p:has-text('not derived on this board yet')")
    left.wait_for()
    first = int(re.search(r"\d+", left.inner_text())[0])
    page.wait_for_function(  # they are derived again, one topic after the other
        "first => Number(/(\\d+) facts not derived/.exec(document.querySelector('main').innerText)?.[1] ?? 0) < first",
        arg=first,
    )
    page.click("button:has-text('Stop')")
    page.wait_for_selector("button:has-text('Stop')", state="detached")
    page.click("text=Undo all")
    page.wait_for_selector("text=None yet")
    assert "changes" not in state(page)


def test_a_doubt_opens_its_link(visit):
    page = visit(at("map"))
    page.click("button:has-text('Is there a link between Sardinia and Etruria?')")
    page.wait_for_selector("[data-with=etruria] select:focus")


@pytest.mark.parametrize(
    ("changes", "shows"),
    [
        ("link asia-cilicia broken", lambda board: board.neighbours("asia")["cilicia"].broken),
        ("link aquitania-gallaecia normal", lambda board: not board.neighbours("gallaecia")["aquitania"].broken),
        ("zones cyrenaica none", lambda board: board["cyrenaica"].zones == frozenset()),
        ("zones cyrenaica 2 3", lambda board: board["cyrenaica"].zones == {2, 3}),
        ("arrow libya tripolitania", lambda board: board["libya"].arrow == "tripolitania"),
        ("number syria 4;number galatia 1", lambda board: (board["syria"].number, board["galatia"].number) == (4, 1)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_file_of_a_change_is_a_board_with_it(visit, changes, shows):
    page = visit(at("map", changes=changes))
    page.wait_for_selector(".changes li")
    with page.expect_download() as waiting:
        page.click("text=Download the board file")
    board = read_board(waiting.value.path().read_text("utf-8"))
    assert shows(board)
    if changes.startswith(("zones cyrenaica 2", "number")):
        kind, place, _ = changes.split(";")[0].split(" ", 2)
        assert board[place].evidence[kind].certain


# -- the address -------------------------------------------------------------------------------------------------------


def test_a_shared_address_restores_the_state_in_a_fresh_browser(visit):
    first = visit(at("map"))
    first.select_option(".panel select >> nth=0", "sardinia")
    first.select_option(".links label:has-text('Etruria') select", "absent")
    first.wait_for_selector(".facts summary")
    address = first.url.removeprefix(first.evaluate("location.origin"))
    second = visit(address)
    second.wait_for_selector(".facts summary")
    assert second.inner_text(".changes") == first.inner_text(".changes")
    play = visit(at("play", position=FIGHT))
    play.wait_for_selector(".actions button", state="attached")
    play.fill(".typed input", "move rhaetia")
    play.press(".typed input", "Enter")
    wait_state(play, "position", "aqu/rha")
    again = visit(play.url.removeprefix(play.evaluate("location.origin")))
    again.wait_for_selector(".actions button", state="attached")
    assert again.inner_text("h1") == play.inner_text("h1") and again.inner_text(".log") == play.inner_text(".log")
    again.click("text=Undo")
    wait_state(again, "position", re.escape("bit/pin/aqu/gsu"))


def test_without_scripts_the_board_is_shown_and_advice_given(visit):
    page = visit(at("play", position=FIGHT), script=False)
    assert page.is_visible("figure svg") and "Narbonensis" in page.inner_text("main")
    page.click("button[name=advice]")
    page.wait_for_selector("pre:has-text('attack narbonensis')")


HOSTILE = "\"'><img src=x onerror=alert(1)><script>alert(1)</script>{{1}}"


@pytest.mark.parametrize("view", ["play", "puzzles", "review", "editor", "map", "findings", HOSTILE])
def test_hostile_text_in_the_address_is_only_text(visit, view):
    """Nothing is executed, added or stopped by the policy (a visit fails if it does); the page goes on."""
    names = ("position", "puzzle", "answer", "kind", "theme", "grade", "module", "turn", "changes", "reading", "finding",
             "panel", "seed", "dice", "lang", "__proto__")  # fmt: skip
    page = visit(at(view, {"record": HOSTILE, "board": HOSTILE}, **dict.fromkeys(names, HOSTILE)))
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    page.wait_for_selector("main:not([aria-busy])")
    page.wait_for_function("() => !document.querySelector('.trouble').hidden || document.querySelector('main h1')")
    assert page.evaluate("document.querySelectorAll('img, main script, [onerror]').length") == 0
    assert page.is_visible("nav a >> nth=0")
