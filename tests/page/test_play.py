"""Playing on the page: by keyboard alone, with dice of the service and of a table, back and forth, shared, hostile addresses."""

import json
import re

import pytest
from httpservice import running
from pageaddress import FIGHT, at

from tetrasolve.games import game
from tetrasolve.serve.keys import Key, digest_of
from tetrasolve.tetrarchia.record import read_record

OVER = FIGHT.replace("M:6", "M:b")
BLACK = '4211+barbaria D:b -/-/-/- 12 lib gla.gin.dac.thr.asi.cyr.num - -/-/-/- barbarian_discs={"black":1,"gray":4}'
DICE_FIRST = '4210+barbaria D:b cis/-/-/- 12 - rha dac -/-/-/- barbarian_discs={"gray":1,"black":0}'
BOOST = (
    "4211+imperium G:6 bit/gsu/aqu/pin 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal "
    'removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
)
READY = ".tabs [aria-pressed=true]"
HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=1</script>'


def opened(visit, position=FIGHT, **state):
    page = visit(at("play", position=position, seed="5", **state))
    page.wait_for_selector(READY)
    return page


def title(page, text):
    """Wait for a title of the position."""
    page.wait_for_selector(f"h1:has-text('{text}')")


def record_of(page):
    """The record in the address, read by the library."""
    return read_record(page.evaluate("new URLSearchParams(location.hash.slice(1)).get('record')"))


def focused(page):
    return page.evaluate("document.activeElement.dataset.province ?? document.activeElement.textContent")


def tab_to(page, selector, most=40):
    """Press the tab key until an element has the focus."""
    for _ in range(most):
        if page.evaluate(f"document.activeElement.matches({json.dumps(selector)})"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by the tab key")


def test_a_turn_without_an_ip_left_can_be_ended(visit):
    page = opened(visit, FIGHT.replace("M:6", "M:1"))
    page.click("button.action[title=secure]")
    title(page, "0 IP")
    page.click("button.action[title=end]")
    title(page, "Barbarian phase")


def test_a_whole_turn_and_a_hint_by_keyboard_alone(visit):
    page = opened(visit)
    tab_to(page, ".hit")
    for letter in "belgica":
        page.keyboard.press(letter)
    assert focused(page) == "belgica"
    page.keyboard.press("Enter")
    page.wait_for_selector(".here .action")
    assert "1 IP" in page.inner_text(".here")  # the cost before it is paid
    assert "6 IP" in page.inner_text("h1")
    page.keyboard.press("Enter")
    title(page, "5 IP")
    page.keyboard.press("Enter")
    page.wait_for_selector(".here .action:has-text('garrison')")
    page.keyboard.press("Enter")
    title(page, "4 IP")
    tab_to(page, "[name=action]")
    page.keyboard.type("end")
    page.keyboard.press("Enter")
    title(page, "Barbarian phase")
    tab_to(page, ".actions .primary", most=120)
    page.keyboard.press("Enter")
    title(page, "6 IP")
    tab_to(page, "[data-panel=hint]", most=120)
    page.keyboard.press("Enter")
    tab_to(page, ".body select")
    page.keyboard.type("quick")
    tab_to(page, ".body .primary")
    page.keyboard.press("Enter")
    page.wait_for_selector(".plan .steps button")
    tab_to(page, ".plan .steps button", most=120)
    page.keyboard.press("Enter")
    page.wait_for_selector(".board .step, .board .badge", state="attached")
    game = record_of(page)
    assert [str(played.action) for played in game.played] == ["move belgica", "secure", "end", "None"]


def test_arrows_follow_links_and_the_board_is_one_stop(visit):
    page = opened(visit)
    page.focus(".hit[data-province=belgica]")
    assert page.locator(".hit[tabindex='0']").count() == 1
    page.keyboard.press("ArrowDown")
    first = focused(page)
    links = page.evaluate(
        "async () => (await (await fetch('/page/game/game.json')).json()).links.map(row => row.slice(0, 2))"
    )
    assert sorted(("belgica", first)) in [sorted(row) for row in links]
    assert page.locator(".hit[tabindex='0']").get_attribute("data-province") == first
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.matches('.hit')")


def test_undo_and_redo_keep_the_dice(visit):
    page = opened(visit)
    page.click(".action[title='attack narbonensis']")
    page.wait_for_selector(".log li")
    first = record_of(page).played[-1]
    page.click("button:has-text('Undo')")
    title(page, "6 IP")
    assert record_of(page).played == ()
    page.click("button:has-text('Redo')")
    page.wait_for_selector(".log li")
    assert record_of(page).played[-1] == first
    page.click("button:has-text('Undo')")
    title(page, "6 IP")
    page.click(".action[title='attack narbonensis']")  # another time: the same dice
    page.wait_for_selector(".log li")
    assert record_of(page).played[-1] == first


def test_dice_of_a_table_are_typed_one_by_one_or_together(visit):
    page = opened(visit, dice="table")
    page.click(".action[title='attack narbonensis']")
    page.wait_for_selector(".asked:has-text('Roman die')")
    page.click(".asked .die:has-text('6')")
    page.wait_for_selector(".asked:has-text('Barbarian die')")
    page.click(".asked .die:has-text('1')")
    page.wait_for_selector(".log li:has-text('victory')")
    assert record_of(page).played[-1].faces == (6, 1)
    page.click(".action[title=end]")
    title(page, "Barbarian phase")
    page.click(".actions .primary")
    page.fill(".asked input", "4 4 3 3 3 3 3 3 3 3")  # more than it takes is refused, and nothing is lost
    page.click(".asked form button")
    page.wait_for_selector(".trouble:visible")
    title(page, "Barbarian phase")
    page.fill(".asked input", "4 4")
    page.click(".asked form button")
    title(page, "Diocletian to move")
    assert record_of(page).played[-1].course == (4, 4)
    assert "Macedonia: unrest" in page.inner_text(".log .phase")
    page.emulate_media(media="print")
    assert page.is_visible(".log .line:has-text('End the turn')") and not page.is_visible(".typed")


def test_a_plan_asks_for_its_die_beside_the_hints_and_nothing_else_can_be_done(visit):
    page = opened(visit, dice="table", panel="hint", budget="greedy")
    page.click("button:has-text('Best plans')")
    page.wait_for_selector(".plan[open] .fork:has-text('Attack Narbonensis')")
    page.click(".plan[open] button:has-text('Play this plan')")
    page.wait_for_selector(".asked:has-text('Roman die')")
    title(page, "2 IP")  # what came before the die
    page.click("[data-panel=turn]")
    assert page.is_visible(".asked") and not page.is_visible(".actions") and not page.is_visible(".typed")
    page.click(".asked button:has-text('Take it back')")
    page.wait_for_selector(".asked", state="detached")
    assert page.is_visible(".action[title='attack narbonensis']")


def test_a_die_can_be_taken_back(visit):
    page = opened(visit, dice="table")
    page.click(".action[title='attack narbonensis']")
    page.click(".asked .die:has-text('6')")
    page.wait_for_selector(".asked:has-text('Barbarian die')")
    page.click(".asked button:has-text('Take it back')")
    page.wait_for_selector(".asked:has-text('Roman die')")  # one die after the other
    page.click(".asked button:has-text('Take it back')")
    page.wait_for_selector(".asked", state="detached")
    assert record_of(page).played == () and "6 IP" in page.inner_text("h1")


def test_undo_takes_back_a_die_while_one_is_asked_for(visit):
    page = opened(visit, dice="table")
    page.fill("[name=action]", "secure")
    page.keyboard.press("Enter")
    title(page, "5 IP")
    page.click(".action[title='attack narbonensis']")
    page.click(".asked .die:has-text('6')")
    page.wait_for_selector(".asked:has-text('Barbarian die')")
    page.click(".top button:has-text('Undo')")
    page.wait_for_selector(".asked:has-text('Roman die')")
    page.click(".top button:has-text('Undo')")
    page.wait_for_selector(".asked", state="detached")
    title(page, "5 IP")


def test_players_decide_in_a_phase_of_barbaria(visit, served):
    start = served.post("new", {"level": "4211+barbaria", "seed": 7}).json()["position"]
    position = start
    for action in ("enter roma", "end"):
        position = served.post("apply", {"position": position, "action": action}).json()["position"]
    page = opened(visit, position=position)
    page.click(".actions .primary")
    page.wait_for_selector(".asked button:has-text('Sardinia')")
    page.click(".hit[data-province=sardinia] circle", force=True)  # leads to its option, and decides nothing yet
    assert page.evaluate("document.activeElement.closest('.asked') && document.activeElement.textContent").endswith(
        "Sardinia"
    )
    answers = 0
    while page.locator("h1:has-text('IP left')").count() == 0:
        page.wait_for_selector(".asked button, h1:has-text('IP left')")
        if page.locator(".asked button").count():
            question = page.inner_text(".asked")
            page.click(".asked .row button:has-text('No')")
            answers += 1
            page.wait_for_timeout(300)  # for the next question, which may be the same in words
            del question
    assert answers > 0
    assert "no" in record_of(page).played[-1].course


def test_hints_in_a_phase_are_advice_on_the_choice_that_comes(visit):
    """On the first one beside the board; on each later one where it is asked for. Where dice come first, that is said."""
    page = opened(visit, position=BLACK, panel="hint")
    page.click("button:has-text('Best plans')")
    page.wait_for_selector(".body ol li:has-text('Spend the black disc in')")
    said = page.inner_text(".body")
    assert page.locator(".body ol li").count() == 32 and "%" in page.inner_text(".body ol li >> nth=0")
    assert "raw value of network" in said and "with each of them at least 379" in said and "{" not in said
    page = opened(visit, position=DICE_FIRST, panel="hint", dice="table")
    page.click("button:has-text('Best plans')")
    page.wait_for_selector(".body .note:has-text('begins with dice')")
    page.click("[data-panel=turn]")
    page.click(".actions .primary")
    page.fill(".asked input", "1 2")
    page.click(".asked form button")
    page.wait_for_selector(".asked:has-text('Roll these dice again?')")
    page.click(".asked button:has-text('What is best?')")
    page.wait_for_selector(".asked ol li:has-text('Roll again')")
    assert page.locator(".asked ol li").count() == 2 and "72 phases" in page.inner_text(".asked")
    page.click(".asked .row button:has-text('No')")
    title(page, "IP left")
    assert record_of(page).played[-1].course == (1, 2, "no")


def test_questions_of_a_phase_are_asked_in_spanish(visit):
    page = opened(visit, position=DICE_FIRST, dice="table", lang="es")
    page.click(".actions .primary")
    page.fill(".asked input", "1 2")
    page.click(".asked form button")
    page.wait_for_selector(".asked:has-text('¿Volver a tirar estos dados?')")
    assert page.inner_text(".asked .note").strip().startswith("actividad: región, actividad: provincia: 1-2")
    assert page.locator(".asked button:has-text('Volver a tirar')").count() == 1


def test_a_disc_for_a_battle_has_no_such_advice(visit):
    page = opened(visit, position=BOOST, dice="table")
    page.click(".action[title='attack narbonensis']")
    page.fill(".asked input", "1 6")
    page.click(".asked form button")
    page.wait_for_selector(".asked:has-text('Add 1 to the die for a disc?')")
    assert page.locator(".asked button:has-text('What is best?')").count() == 0


def test_what_the_rules_forbid_is_said_with_the_rule(visit):
    page = opened(visit)
    page.fill("[name=action]", "move aegyptus")
    page.keyboard.press("Enter")
    page.wait_for_selector(".trouble:visible")
    assert "aegyptus" in page.inner_text(".trouble") and "6 IP" in page.inner_text("h1")
    page.fill("[name=action]", "secure")
    page.keyboard.press("Enter")
    title(page, "5 IP")
    assert not page.is_visible(".trouble")  # it was about something else


def test_the_focus_stays_where_one_works(visit):
    """A button that is gone or disabled gives it to what took its place, not to the beginning of the page."""
    page = opened(visit, dice="table")
    tab_to(page, ".action[title=end]")
    page.keyboard.press("Enter")
    title(page, "Barbarian phase")
    assert page.evaluate("document.activeElement.matches('.actions .primary')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".die")
    page.keyboard.press("Shift+Tab")
    page.focus(".asked button:has-text('Take it back')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".asked", state="detached")
    assert page.evaluate("document.activeElement.matches('.view .panel *')")
    page.focus("button:has-text('Undo')")
    page.keyboard.press("Enter")
    title(page, "6 IP")
    page.wait_for_function("document.activeElement.textContent === 'Redo'")


def test_a_scenario_brings_its_level(visit):
    page = opened(visit, panel="game")
    assert page.input_value("[name=level]") == "4211"
    page.select_option("[name=scenario]", "great-persian-war")
    assert page.input_value("[name=level]") == "4222"
    page.select_option("[name=level]", "3222")
    page.click("button:has-text('Begin')")
    page.wait_for_selector(".facts:has-text('3222')")
    assert record_of(page).start.ruleset.level == "3222"


def test_a_key_is_asked_for_and_kept_for_the_tab(visit):
    """A wrong one is asked for again; who cancels is asked when he does something else."""
    key, first = "k" * 32, game()
    keys = {digest_of(key): Key("page")}
    with running(first.get_questions(), first.get_messages(), page=first.get_page(), keys=keys) as found:
        there = visit.raw()
        there.url = found.url
        page = there.page
        page.goto(found.url)
        page.wait_for_selector("dialog [type=password]:focus")
        page.click("dialog button:has-text('Cancel')")
        page.wait_for_selector(".trouble:visible")
        page.click("[data-panel=risk]")
        page.fill("dialog [type=password]", "wrong")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog:has-text('does not know')")
        page.fill("dialog [type=password]", key)
        page.keyboard.press("Enter")
        title(page, "IP left")
        page.reload()
        title(page, "IP left")
        assert page.locator("dialog").count() == 0 and key not in page.url
        assert page.evaluate("document.cookie + JSON.stringify(localStorage)") == "{}"
        there.close()


def test_the_rules_of_a_position_are_in_the_language_of_the_page(visit):
    page = opened(visit, FIGHT.replace("4211 ", "4211+via-romana+mare-nostrum?I-ORDER-ITALIA=last "), lang="es")
    page.wait_for_selector(".facts:has-text('I-ORDER-ITALIA=last')")
    assert page.inner_text(".facts").startswith("4211, Mare Nostrum, Via Romana, I-ORDER-ITALIA=last · ")


def test_what_a_phase_changed_is_there_after_a_reload(visit):
    page = opened(visit, OVER)
    page.click(".actions .primary")
    page.wait_for_selector(".log .phase .note")
    changes = page.inner_text(".log .phase .note")
    assert changes
    page.reload()
    page.wait_for_selector(".log .phase .note")
    assert page.inner_text(".log .phase .note") == changes


def test_the_table_has_what_is_left_and_the_pieces_of_modules(visit):
    position = '4211+barbaria D:b cis/-/-/- 12 - rha dac -/-/-/- barbarian_discs={"black":0,"gray":1}'
    page = opened(visit, position, panel="table", lang="es")
    page.wait_for_selector(".body th:has-text('Diocleciano')")
    rows = page.inner_text(".body table >> nth=0")
    assert "quedan 20" in rows and "1 grises, 0 negros" in rows


def test_a_link_shares_position_record_panel_and_language(visit):
    page = opened(visit)
    page.click(".action[title='secure']")
    title(page, "5 IP")
    assert page.inner_text(".log li").startswith("Maximian:")
    page.click("[data-panel=risk]")
    page.wait_for_selector(".body table")
    other = visit(page.url.replace(page.url.split("/?")[0], "").replace("view=play", "view=play&lang=es"))
    other.wait_for_selector(".body table")
    assert "quedan 5 PI" in other.inner_text("h1")
    assert record_of(other).played == record_of(page).played
    assert "73/144" in other.inner_text(".body")


def test_the_heat_map_and_its_table_have_the_same_exact_fractions(visit, served):
    page = opened(visit, panel="risk")
    page.wait_for_selector(".body table")
    found = served.post("risk", {"position": FIGHT}).json()
    text = page.inner_text(".body")
    for chance in found["new_revolts"].values():
        assert chance["exact"] in text
    assert page.locator(".board .share").count() == len(found["new_revolts"])
    assert page.locator(".board .percent").count() == len(found["new_revolts"])  # not by colour alone


def test_plans_are_compared_and_one_is_played(visit):
    page = opened(visit, panel="hint", budget="greedy")
    page.click(".body .primary")
    page.wait_for_selector(".body .primary ~ button:disabled")
    page.locator(".plan > summary").nth(1).click()
    for number in (0, 1):
        page.locator(".plan input[type=checkbox]").nth(number).check()
    page.wait_for_selector(".comparison td")
    assert page.locator(".comparison thead th").count() == 2
    page.locator(".plan button:has-text('Play this plan')").nth(0).click()
    page.wait_for_selector(".log li >> nth=1")
    assert len(record_of(page).played) >= 2


def test_why_not_my_plan(visit):
    page = opened(visit, panel="hint", budget="greedy")
    page.click("details:has(textarea) > summary")
    page.fill(".body textarea", "secure")
    page.fill(".body textarea", "move rome")
    page.click("button:has-text('Compare with the best')")
    page.wait_for_selector("details:has(textarea) .note:has-text('rome')")  # where one looks
    page.fill(".body textarea", "secure")
    page.click("button:has-text('Compare with the best')")
    page.wait_for_selector(".comparison th:has-text('What it gives up')")
    assert "≠" in page.inner_text(".comparison")


def test_a_record_is_opened_and_one_that_breaks_a_rule_is_refused(visit):
    page = opened(visit, panel="game")
    text = page.input_value(".body textarea").replace("result open", "1 maximian: secure; end\nresult open")
    page.fill(".body textarea", text.replace("secure", "move aegyptus"))
    page.click("button:has-text('Open this record')")
    page.wait_for_selector(".trouble:has-text('line 5')")
    page.fill(".body textarea", text)
    page.click("button:has-text('Open this record')")
    title(page, "Barbarian phase")
    assert [str(played.action) for played in record_of(page).played] == ["secure", "end"]


def test_a_new_game_has_the_rules_that_are_chosen(visit):
    page = opened(visit, panel="game")
    page.check("[name=module][value=goths]")
    page.check("[name=variant][value=barbaria]")
    page.click(".readings", force=True) if page.is_visible(".readings") else page.click(
        "details:has(.readings) > summary"
    )
    page.select_option("[name=I-ENTRY]", "may")
    page.select_option("[name=level]", "3122")
    page.click("button:has-text('Begin')")
    page.wait_for_selector(".facts:has-text('3122')")
    ruleset = record_of(page).start.ruleset
    assert (ruleset.level, ruleset.modules, ruleset.variants) == ("3122", {"goths"}, {"barbaria"})
    assert ruleset.readings["I-ENTRY"] == "may"


def test_house_rules_are_chosen_and_hints_say_that_they_are_not_calibrated(visit):
    page = opened(visit, panel="game")
    page.click("details:has([name=ip]) > summary")
    page.fill("[name=ip]", "7")
    assert not page.is_visible("[name=deploy-dux]")  # without the module it changes nothing
    page.click("button:has-text('Begin')")
    page.wait_for_selector(".facts:has-text('ip=7')")
    assert record_of(page).start.ruleset.house == (("ip", 7),)
    page.click("[data-panel=hint]")
    page.select_option(".body select", "greedy")
    page.click(".body .primary")
    page.wait_for_selector(".plan:has-text('not calibrated')")


def test_sentences_are_spanish_where_the_page_is(visit):
    """What the rules forbid, reasons of hints, why a position cannot occur: no English word of them is left."""
    page = opened(visit, lang="es", panel="hint", budget="greedy")
    page.click(".body .primary")
    page.wait_for_selector(".reasons li")
    page.wait_for_selector(".body .primary ~ button:disabled")
    texts = page.locator(".reasons li").all_inner_texts()
    page.click("[data-panel=turn]")
    page.fill("[name=action]", "move aegyptus")
    page.keyboard.press("Enter")
    page.wait_for_selector(".trouble:visible")
    texts.append(page.inner_text(".trouble p"))
    page.goto(page.url.split("?")[0] + at("editor", lang="es", position=FIGHT.replace(" nar ", " rom.nar "))[1:])
    page.wait_for_selector(".verdict li")
    texts += page.locator(".verdict li").all_inner_texts()
    assert len(texts) > 4
    for text in texts:
        assert not re.search(r"\b(the|with|chance|army|there|and|an|of|neither)\b", text.partition("): ")[0]), text


@pytest.mark.parametrize(
    "state", [{"position": HOSTILE}, {"panel": HOSTILE}, {"view": HOSTILE}, {"seed": HOSTILE}, {"lang": HOSTILE}]
)
def test_a_hostile_address_is_text(visit, state):
    page = visit(at(**{"view": "play", "position": FIGHT, **state}, fragment={"record": HOSTILE}))
    page.wait_for_selector("h1")
    page.wait_for_selector(f"{READY}, .trouble:visible")
    assert page.locator("main img, main script, .trouble img").count() == 0
    assert page.title() != "1"


def test_without_scripts_the_board_and_advice_are_there(visit):
    page = visit(at("play", position=FIGHT), script=False)
    assert page.locator("#ground svg").is_visible()
    page.click("button:has-text('Advice')")
    page.wait_for_selector("pre:has-text('attack narbonensis')")
