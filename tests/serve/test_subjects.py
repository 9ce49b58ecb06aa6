"""What a decision is about, for clients of another language: every question of the rules is taken apart, in both languages."""

import inspect
import re
from pathlib import Path
from random import Random

import pytest
from moduletable import random_start
from scattermodules import with_figures

from tetrasolve.games import DEFAULT, game
from tetrasolve.serve.pages import LANGUAGES, strings
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.rules import Choice, RandomDice
from tetrasolve.tetrarchia.service import courses
from tetrasolve.tetrarchia.service.subjects import FORMS, subject

VALUE = re.compile(r"{[^{}]*}")


def kinds(base=Choice):
    """All classes of decisions."""
    return [kind for found in base.__subclasses__() for kind in (found, *kinds(found))]


def questions(text):
    """The questions that a source text writes, each with a word in place of every value."""
    return {VALUE.sub("2", found.replace("{way}", "is blocked")) for found in re.findall(r'f?"([^"]+\?)"', text)}


def test_every_question_that_the_rules_write_has_a_form():
    sources = {inspect.getsourcefile(kind) for kind in kinds()} | {courses.__file__}
    written = {question for source in sources for question in questions(Path(source).read_text("utf-8"))}

    assert len(written) >= len(FORMS) - 3  # of some parts the questions are put together
    assert [question for question in written if subject(question)["form"] == "other"] == []
    assert subject("anything else?") == {"form": "other", "text": "anything else?"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_has_its_words(language):
    texts = strings(game(DEFAULT).get_page().folder, language)

    for form, pattern in FORMS.items():
        assert {*VALUE.findall(texts[f"asked.{form}"])} <= {f"{{{name}}}" for name in pattern.groupindex}, form
        assert texts[f"choice.{form}"]
    for kind in ("no", "reroll", "cancel", "turn", "block", "boost", "black", "army", "first", "way", "zone"):
        assert f"option.{kind}" in texts


@pytest.mark.parametrize("seed", range(4))
def test_questions_of_phases_are_taken_apart(seed):
    random, met = Random(seed), set()

    def decide(choice):
        found = subject(choice.question)
        met.add(found["form"])
        assert all(text in choice.question for text in found.values() if text != found["form"])
        assert choice.options[0] == "no"
        assert f"option.{choice.options[1].partition(':')[0]}" in texts
        return random.randrange(len(choice.options))

    texts = strings(game(DEFAULT).get_page().folder, "es")
    for _ in range(60):
        start = random_start(random)
        position = with_figures("invasion", start.ruleset, random, start.board, Phase.BARBARIAN)
        rules.sample(position, RandomDice(random.randrange(10**6)), decide)
    assert len(met) > 2
