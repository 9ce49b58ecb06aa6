"""Sentences of answers in Spanish: every form that the library can say has a row, and only sentences change."""

import ast
import json
import re
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from httpservice import running
from hypothesis import given
from hypothesis import strategies as st

from tetrasolve.analysis.messages import error_answer
from tetrasolve.errors import TetrasolveError, shown
from tetrasolve.finem.examples import examples as finem_examples
from tetrasolve.finem.hint.reasons import Dangers, Outcome
from tetrasolve.finem.hint.reasons import reasons as finem_reasons
from tetrasolve.finem.text import position_text as finem_text
from tetrasolve.games import game
from tetrasolve.sentences import LONGEST, SLOT, Sentences, _hidden
from tetrasolve.serve.pagecalls import shared
from tetrasolve.tetrarchia import boardcheck
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.facts.changes import question as boardquestion
from tetrasolve.tetrarchia.facts.subject import standard_index
from tetrasolve.tetrarchia.game import new_scenario
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import scenarios
from tetrasolve.tetrarchia.service.engine import HANDLERS
from tetrasolve.tetrarchia.text import position_text
from tetrasolve.tetrarchia.webpage import spanish

FIGHT = str(example("fight"))
PHASE = '4210+barbaria D:b cis/-/-/- 12 - rha dac -/-/-/- barbarian_discs={"gray":1,"black":0}'
SPANISH = spanish().over(shared("es"))
LIBRARY = files("tetrasolve.tetrarchia")
# Where the rules say what is not legal and why a position cannot occur: what these functions return or yield is a sentence
SAID = ("rules", "rules/modules", "status")
# The beginnings of texts in these modules that are no sentences for players: mistakes of the caller, names of dice, set-ups, parts
BEGINNINGS = """
the outcomes of|no die is left|no answer is left|rules.parse|entering and ending|an action of no|Step|a worth|set-up|scenario
X: level
X: it is played|X: the set-up needs|X: the X figure|fleets in zones|different zones|revolt in region|additional revolt|no other roll
initial army|X: two X|the game is won:|usurper: |activity: |echo: |Roman die|Barbarian die|check |at sea|zone X|X + |(X +|X against
expected |X or X more|an army has entered|no revolt is left to|no unrest is left to|all broken|the disc that he spends
X is no answer|the border is empty
no rule module is|advances to| with X added| and X of glory|X is registered|X is no face|X: X is no option
(d6 + X
"""
OTHER = tuple(part for line in BEGINNINGS.splitlines() for part in line.split("|") if part)

# Names of rows of the board, parts of sentences that have rows as a whole, and the form in which a finding is written
PARTS = (
    "province X",
    "link X",
    "region X",
    "emperor X",
    "X: X (X",
    "without a number",
    "from X it X",
    "costs X",
    "cannot be reached",
    "is X, expected X",
)


def forms(path):
    """The texts of a module with a word in them, their slots as X; no docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    inside |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.value


@pytest.mark.parametrize("folder", SAID)
def test_what_the_rules_say_has_a_row(folder):
    sentences = {
        text
        for path in (LIBRARY / folder).iterdir()
        if path.name.endswith(".py")
        for text in forms(path)
        if len(re.findall(r"(?<!-)\b[a-z]{2,}\b(?!-)", text)) > 2 and not text.startswith(OTHER)
    }
    missing = sorted(text for text in sentences if not SPANISH.knows(text))
    assert missing == [] and len(sentences) > 15


def test_stored_reasons_of_hints_are_wholly_spanish():
    """Those of all plans that tests of reasons keep: no English word is left but names and plans."""
    entries = json.loads((Path(__file__).parent.parent / "hint/data/explained.json").read_text("utf-8"))
    texts = {row.partition(": ")[2] for entry in entries for rows in entry["reasons"].values() for row in rows}
    english = re.compile(
        r"\b(the|with|and|chance|army|armies|borders?|revolts?|unrest|lowers|raises|of|in|leaves|only|other)\b"
    )
    for text in texts:
        said = SPANISH.say(text)
        is_alternative = text.startswith(("as good", "nearly as good"))  # they end with a plan, which is notation
        assert said != text and not english.search(said.rpartition(": ")[0] if is_alternative else said), said
    assert len(texts) > 100


# Modules whose texts say what is wrong with a question, by their folder
MISTAKES = {
    "tetrasolve": "positionfields recordlines strict",
    "tetrasolve.analysis": "messages several server worker",
    "tetrasolve.serve": "bodies guard jobcalls jobs problems",
    "tetrasolve.tetrarchia": "action boardfile builder game jsonform notation parts pieces position record ruleset",
    "tetrasolve.tetrarchia.service": "boards courses data engine games positions puzzles questions reading survey",
}
# The beginnings of texts in them that are no sentences for users of the page: mistakes of callers, names of fields and files, types
CODE = """
application/|data/|default-src|http.response|ruleset.|tetrasolve.|/proc/self|list[|tuple[|int | str|Mapping[|X/jobs/
example('fight'), build|new_game(|rules.parse(|this process assumes|X: expected only with a level
an id|an end|unnamed edition|processor time|stored robustness|derived on this board|barbarian phase|4211 D:6
: there is no choice for X|X faces are not usedX|the position cannot occur: |this position cannot occur:| with X added
X X does not exist
a table such as {
"""
UNSAID = tuple(part for line in CODE.splitlines() for part in re.split(r"\|(?! str)", line) if part)


# Words that no Spanish sentence has
ENGLISH = re.compile(
    r"(?<![\w-])(the|with|and|of|in|from|to|is|are|none|at|for|by|than|on|it|he|be|or|not|one|turns?|more|then|which|as|so|"
    r"army|armies|provinces?|revolts?|links?|borders?|expected|kind|name|number|shared|that|has|its|pieces?|must|may)(?![\w-])"
)
# Notes that are the same in both languages
ALIKE = ("Via Egnatia",)


def stays_english(text, sentences=SPANISH):
    """The English words that are left of a sentence in Spanish; notation and names in quotes are no sentences."""
    said = re.sub(r"'[^']*'", "", sentences.say(text))
    return text not in ALIKE and (said == text or ENGLISH.findall(said))


def numbers(text):
    return sorted(re.findall(r"\d+", text))


def test_all_facts_are_spanish_with_their_numbers():
    sentences = [entry.sentence for entry in standard_index().entries]
    assert {text: found for text in sentences if (found := stays_english(text))} == {}
    assert [text for text in sentences if numbers(text) != numbers(SPANISH.say(text))] == []
    assert len(sentences) > 300


def test_notes_of_the_board_and_what_can_be_wrong_with_one_are_spanish():
    board = Board.standard()
    notes = [row.why for row in (*board.provinces.values(), *board.links, *board.no_links) if row.why]
    rules = [*boardcheck.PARTS.values(), *(claim["rule"] for claim in boardcheck.certain())]
    texts = list(dict.fromkeys([*notes, *rules]))
    assert {text: found for text in texts if (found := stays_english(text))} == {} and len(texts) > 150
    said = [text for text in forms(LIBRARY / "boardcheck.py") if len(text.split()) > 2 and not text.startswith(PARTS)]
    filled = [re.sub(r"\bX\b", "1", text) for text in said]
    assert [text for text in filled if not SPANISH.knows(text)] == [] and len(filled) > 30


@pytest.mark.parametrize(
    "row", ["link roma-syria", "no link roma-syria", "kind of link roma-syria", "arrow roma", "zones roma"]
)
def test_questions_about_the_board_are_spanish(row):
    assert not stays_english(boardquestion(row, Board.standard()))


def test_findings_are_spanish():
    sentences = [finding.sentence() for finding in findings().findings]
    assert [text for text in sentences if stays_english(text.partition(", seed")[0])] == [] and len(sentences) > 80
    assert "semilla 1: 4221 D:6" in SPANISH.say(next(text for text in sentences if ", seed 1" in text))


@pytest.mark.parametrize("folder", MISTAKES)
def test_what_can_be_wrong_with_a_question_has_a_row(folder):
    texts = {
        re.sub(r"\bX\b", "1", text)
        for name in MISTAKES[folder].split()
        for text in forms(files(folder) / f"{name}.py")
        if len(re.findall(r"(?<!-)\b[a-z]{2,}\b(?!-)", text)) > 1 and not text.startswith(UNSAID)
    }
    assert {text: found for text in texts if (found := stays_english(text))} == {} and len(texts) > 9


RECORD = "tetrasolve-record/1\nboard tetrarchia\nruleset 4211\n"
WRONG = [
    *[("view", {"position": text}) for text in ("", "x", 3, None, {"a": 1}, f"{FIGHT} z", f"{FIGHT} foo=2")],
    *[
        ("view", {"position": FIGHT.replace("4211", rules)})
        for rules in ("9999", "4211+foo", "4211?I-X=y", "4211?I-PASS=y")
    ],
    ("view", {"position": FIGHT.replace(" nar ", " xxx ")}),
    ("view", {"position": FIGHT.replace("/", "")}),
    *[
        ("view", {"position": FIGHT, "action": text})
        for text in ("fly", "move xx", "sail 9>1", "deploy dux", "move aegyptus", 7)
    ],
    ("view", {"position": FIGHT, "action": "attack narbonensis: fun"}),
    ("hint", {}),
    ("hint", {"position": FIGHT, "budget": "x"}),
    ("hint", {"position": FIGHT, "top": 0}),
    ("hint", {"position": FIGHT, "foo": 0}),
    *[
        ("review", {"record": text})
        for text in ("", "x", 3, RECORD, f"{RECORD}set-up 23\n", RECORD.replace("4211", "9"))
    ],
    ("review", {"record": RECORD.replace("board tetrarchia", "board x")}),
    *[
        ("new", fields)
        for fields in ({}, {"level": "9999"}, {"level": 5}, {"scenario": "x"}, {"level": "4211", "modules": ["x"]})
    ],
    ("new", {"level": "4211", "fleets": "x"}),
    *[("new", {"level": "4211", "seed": 1, name: ["x"]}) for name in ("modules", "variants", "fleets")],
    *[("puzzle", fields) for fields in ({}, {"puzzle": "x"})],
    ("puzzle_of_the_day", {"date": "x"}),
    ("puzzles", {"grades": ["x"]}),
    ("finding", {"finding": "x"}),
    ("board_change", {"change": "x"}),
    ("hint", {"position": FIGHT.replace(" nar ", " rom.nar ")}),
    ("hint", {"position": FIGHT, "faces": [1, 2]}),
    ("hint", {"position": FIGHT.replace("M:6", "M:b"), "faces": [1, 2]}),
    ("hint", {"position": PHASE}),
    *[("hint", {"position": PHASE, "faces": faces}) for faces in ([7], [1, 2, "no"], [1, 2, "no", 3])],
    ("hint", {"position": PHASE, "faces": [1, 2], "compare": "end"}),
    ("plan", {"position": FIGHT, "objective": "x"}),
    ("campaign", {"position": FIGHT, "goal": "x"}),
    ("risk", {"position": FIGHT, "decide": "x"}),
]

NAMED = (
    r"'[^']*'|: se esperaba enter.*|(?<=una de las claves ).*|(?<=uno de ).*|(?<=un id como ).*"  # names of the library
)


@pytest.mark.parametrize(("kind", "fields"), WRONG)
def test_an_error_is_wholly_spanish(kind, fields):
    with pytest.raises(TetrasolveError) as caught:
        HANDLERS[kind](fields, SimpleNamespace(is_stopped=lambda: False, seconds=5.0))
    error = error_answer("x", caught.value)["error"]
    for text in (error["problem"], error.get("expected")):
        if text is not None:
            assert not ENGLISH.findall(re.sub(NAMED, "", SPANISH.say(text))), SPANISH.say(text)
            assert SPANISH.say(text) != text


@pytest.mark.parametrize(
    ("faces", "said"),
    [
        ([1], "fase bárbara: no queda ningún dado para: activity: province"),
        ([1, "no"], "fase bárbara: 'no' no es una cara de un dado, se esperaba de 1 a 6 para: activity: province"),
        (
            [1, 2, "reroll"],
            "no hay decisión .* después de 1 2 reroll: siguen dados .activity: region, activity: province.",
        ),
        ([1, 2, "maybe"], r"fase bárbara: 'maybe' no es una respuesta a: activity: .* se esperaba no, reroll"),
    ],
)
def test_what_is_wrong_with_faces_is_spanish_but_for_the_names_of_dice(faces, said):
    with pytest.raises(TetrasolveError) as caught:
        HANDLERS["hint"]({"position": PHASE, "faces": faces}, SimpleNamespace(is_stopped=lambda: False, seconds=5.0))
    assert re.fullmatch(said, SPANISH.say(error_answer("x", caught.value)["error"]["problem"]))


# -- the second game -------------------------------------------------------------------------------------------------------

EVERYTHING = (
    '4111+dux+vicarius+goths+imperium+roma-aeterna+barbaria D:6 bit/-/-/- 1 - - - -/-/-/- dux="dacia" vicarius="dead"'
    ' goths="reserve" power=true'
)
FINEM = game("et-finem").get_page().sentences["es"]().over(shared("es"))
FINEM_SAID = {
    "rules": "actions campaign crisis events invasion outbreak roles setup tribes turn",
    "status": "course firstturn table turn values victory",
    "hint": "reasons advice",
    "service": "engine puzzles",
    ".": "jsonform notation parts plan record ruleset turnrisk",
}
# Parts of sentences that have rows as a whole, names of fields, files and parts of the library
FINEM_UNSAID = (
    *(
        "X the number of X",
        "leaves X X X than",
        " or X more",
        "outbreak cards 0",
        "losing c",
        "hint: top",
        "hint: seed",
    ),
    *("the position cannot occur: ", "data/", "tetrasolve.", "ruleset.", "expert+", "plan: situations"),
)


@pytest.mark.parametrize("folder", FINEM_SAID)
def test_what_the_second_game_says_has_a_row(folder):
    texts = {
        re.sub(r"\bX\b", "1", text)
        for name in FINEM_SAID[folder].split()
        for text in forms(files("tetrasolve.finem") / folder / f"{name}.py")
        if len(re.findall(r"(?<!-)\b[a-z]{2,}\b(?!-)", text)) > 1 and not text.startswith(FINEM_UNSAID)
    }
    assert {text: found for text in texts if (found := stays_english(text, FINEM))} == {} and len(texts) > 4


def test_reasons_of_the_second_game_are_spanish():
    found = list(finem_examples().values())
    texts = set()
    for before, after in pairwise(found):
        outcomes = [Outcome(after, False, Dangers(1, 2, 3)), Outcome(before, False, Dangers(3, 2, 1))]
        for one, other in (outcomes, outcomes[::-1]):
            texts |= {*finem_reasons(before, Dangers(2, 3, 1), one, other, "the best plan")}
            texts |= {*finem_reasons(before, Dangers(2, 3, 1), one, other, "mine")}
            texts |= {*finem_reasons(after, Dangers(2, 3, 1), one, None, "the runner-up")}
    texts |= {*finem_reasons(found[0], Dangers(0, 0, 0), Outcome(None, True, None), None, "")}
    assert {text: words for text in texts if (words := stays_english(text, FINEM))} == {} and len(texts) > 30
    assert all(numbers(text) == numbers(FINEM.say(text)) for text in texts)


def test_lists_of_reasons_as_text_are_told():
    plan = {"plan": ["move C6"], "reasons": ["wins the game", "protects C6"]}
    assert FINEM.translated(plan) == {"plan": ["move C6"], "reasons": ["gana la partida", "protege C6"]}


# -- positions in words ----------------------------------------------------------------------------------------------------


def test_positions_in_words_are_spanish():
    places = [example(name) for name in examples()]
    wars = [new_scenario(name, seed=1).position for name in scenarios()]
    with_all = Position.parse(EVERYTHING)
    for position in (*places, *wars, with_all):
        lines = position_text(position).split("\n")
        said = SPANISH.say("\n".join(lines)).split("\n")
        assert len(said) == len(lines) and said[0] == lines[0]
        assert [line for line in said[1:] if ENGLISH.findall(line) or " left" in line] == []
        assert numbers("".join(lines)) == numbers("".join(said))
    for position in finem_examples().values():
        said = FINEM.say(finem_text(position)).split("\n")
        assert [line for line in said[1:] if ENGLISH.findall(line) or " left" in line] == []


# -- slots -----------------------------------------------------------------------------------------------------------------


def test_slots_of_numbers_hold_numbers_and_part_their_digits():
    found = Sentences({"{n} of {p} are left": "quedan {n} de {p}"}, thousands=" ")
    assert found.say("14,880 of Roma and Syria are left") == "quedan 14 880 de Roma and Syria"
    assert found.say("some of Roma are left") == "some of Roma are left"  # no number
    assert found.say("2 of it: Roma are left") == "2 of it: Roma are left"  # no names in a row


def test_forms_of_the_service_give_way_to_those_of_a_game():
    found = Sentences({"a": "de la partida"}).over({"a": "del servicio", "b": "otra"})
    assert [found.say(text) for text in ("a", "b", "c")] == ["de la partida", "otra", "c"]


def test_sentences_within_sentences_are_told():
    for text, said in (
        (
            "move aegyptus: neither a link nor a fleet leads there",
            "move aegyptus: ni un enlace ni una flota llevan allí",
        ),
        ("a disc (revolt) lies there", "hay un disco (revuelta) allí"),
        ("as good: attack roma: victory; end", "igual de bueno: attack roma: victory; end"),  # a plan is notation
        ("5 on the board, there are 3; an army in Roma", "hay 5 en el tablero y existen 3; un ejército en Roma"),
    ):
        assert SPANISH.say(text) == said


def test_what_a_user_wrote_is_kept():
    """Also where it looks like a sentence, or like the end of one; cut, escaped and in both kinds of quotation marks."""
    for wrote in (
        "a, expected a list",
        "true or false",
        "a revolt",
        "it's a list, or a name",
        "\\' and \"",
        "a list, " * 20,
        "{text}",
        "\0",
    ):
        found = shown(wrote)
        assert SPANISH.say(f"found {found}") == f"se encontró {found}"
        assert (
            SPANISH.say(f"found {found}, expected a list, or text")
            == f"se encontró {found}, se esperaba una lista, o texto"
        )
        assert SPANISH.say(f"{found} or {found}") == f"{found} o {found}"
        assert SPANISH.say(found) == found


def test_a_form_is_found_as_if_all_were_tried():
    """By its beginning, its end or a part of it, on each form with names, words and sentences in its slots."""

    def tried(text):
        hidden = _hidden(text)
        return next((number for number, (form, _) in enumerate(SPANISH._read) if form.parts_of(text, hidden)), None)

    for form in SPANISH.forms:
        for fill in ("Roma", "3", "a revolt and 2 unrest; or: Roma"):
            text = SLOT.sub(fill, form)
            candidates = SPANISH._candidates(text, _hidden(text))
            found = next(
                (number for number in candidates if SPANISH._read[number][0].parts_of(text, _hidden(text))), None
            )
            assert found == tried(text), text


def test_hostile_text_is_given_up_soon(monkeypatch):
    """Thousands of lines, and long ones: few forms are tried, and nothing long is remembered."""
    looked = []
    monkeypatch.setattr(SPANISH, "_known", lambda text, depth: looked.append(text) or SPANISH._said(text, depth))
    for text in ("\n".join(map(chr, range(0x4E00, 0x4E00 + 2000))), "x and " * 10_000, "\n" * 60_000, "ab, or " * 250):
        assert SPANISH.say(text) == text
    assert looked == []
    assert SPANISH.say("x, or " * 230) != "" and len(looked) < 40
    assert (
        max(
            len(SPANISH._candidates(text, text))
            for text in ("x, or " * 230, "; " * 700, "found " * 230, "a: b (c) / d")
        )
        < 40
    )


@given(st.text(max_size=80))
def test_other_text_is_told_without_an_error(text):
    assert isinstance(SPANISH.say(text), str)
    assert SPANISH.say(text * (LONGEST // max(1, len(text)) + 1) + "x") is not None


def test_rows_with_other_slots_are_refused():
    with pytest.raises(ValueError, match="different slots"):
        Sentences({"{a} and {b}": "{a}"})


# -- over HTTP -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def translated():
    with running(game().get_questions(), game().get_messages(), page=game().get_page()) as found:

        def ask(kind, body, language):
            if kind == "listen":
                return found.client.get(f"{body}/events", headers={"accept-language": language}).text
            return found.client.post(f"/v1/{kind}", json=body, headers={"accept-language": language}).json()

        yield ask


def test_the_language_changes_sentences_and_nothing_else(translated):
    fields = {"position": FIGHT, "budget": "greedy", "top": 1}
    english, again, other = (translated("hint", fields, language) for language in ("en", "es", "fr"))
    (plan,), (plano,), (third,) = english["plans"], again["plans"], other["plans"]
    assert [row["text"] for row in plan["reasons"]] == [row["text"] for row in third["reasons"]]
    assert all(a["text"] != b["text"] for a, b in zip(plan["reasons"], plano["reasons"], strict=True))
    assert [{**row, "text": ""} for row in plan["reasons"]] == [{**row, "text": ""} for row in plano["reasons"]]
    assert (plan["plan"], plan["win"], plan["turn"]) == (plano["plan"], plano["win"], plano["turn"])


def test_problems_and_reasons_are_told(translated):
    found = translated("view", {"position": FIGHT, "action": "move aegyptus"}, "es-ES,es;q=0.9")
    assert "ni un enlace ni una flota llevan allí" in found["detail"] and found["where"] == "action"
    seen = translated("view", {"position": FIGHT.replace(" nar ", " rom.nar ")}, "es")
    assert "un ejército en Roma" in [row["text"] for row in seen["read"]["reasons"]]
    assert "\nturno       Maximiano, quedan 6 PI\n" in seen["read"]["text"]


def test_a_job_is_told_in_the_language_of_who_listens(translated):
    fields = {"position": FIGHT, "budget": "greedy", "top": 1}
    place = translated("jobs/hint", fields, "es")["events"].removesuffix("/events")
    english, again = (translated("listen", place, language) for language in ("en", "es"))
    assert "event: done" in english and '"text": "beats the army' in english.replace('":"', '": "')
    assert '"text": "vence al ej' in again.replace('":"', '": "')
    assert "beats the army" not in again
