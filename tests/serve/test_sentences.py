"""Sentences of answers in Spanish: every form that the library can say has a row, and only sentences change."""

import ast
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from httpservice import running
from hypothesis import given
from hypothesis import strategies as st

from tetrasolve.games import game
from tetrasolve.sentences import LONGEST, Sentences
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.webpage import spanish

FIGHT = str(example("fight"))
SPANISH = spanish()
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


def test_sentences_within_sentences_are_told():
    for text, said in (
        (
            "move aegyptus: neither a link nor a fleet leads there",
            "move aegyptus: ni una conexión ni una flota llevan allí",
        ),
        ("a disc (revolt) lies there", "hay un disco (revuelta) allí"),
        ("as good: attack roma: victory; end", "igual de bueno: attack roma: victory; end"),  # a plan is notation
        ("5 on the board, there are 3; an army in Roma", "hay 5 en el tablero y existen 3; un ejército en Roma"),
    ):
        assert SPANISH.say(text) == said


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
    assert "ni una conexión ni una flota llevan allí" in found["detail"] and found["where"] == "action"
    seen = translated("view", {"position": FIGHT.replace(" nar ", " rom.nar ")}, "es")
    assert "un ejército en Roma" in [row["text"] for row in seen["read"]["reasons"]]
    assert "en" in seen["read"]["text"]  # the position in words has no translation
