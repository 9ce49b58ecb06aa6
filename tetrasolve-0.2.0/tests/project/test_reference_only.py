"""Readings that only the reference rules play: what needs a kernel refuses them by one sentence before any work, the rest answers.

Every public function, command and request is in one of the tables: a new one has to be entered.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tetrasolve
from tetrasolve.analysis.server import Server
from tetrasolve.cli.main import run
from tetrasolve.errors import HouseRuleError, ReferenceOnlyError
from tetrasolve.games import game
from tetrasolve.serve.document import calls
from tetrasolve.tetrarchia.definition import GAME
from tetrasolve.tetrarchia.hint.choices import advise
from tetrasolve.tetrarchia.lint.compare import with_value
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset

READING = "I-GARRISON-ATTACK=gone"
SENTENCE = f"{READING}: only the reference rules play this reading; what was asked needs the kernel"
FIGHT = with_value(tetrasolve.example("fight"), *READING.split("="))
LEVEL = Ruleset.from_text(f"4211?{READING}")
CALLS = {call.ask: call for call in calls(game().get_messages())}

# -- the library ---------------------------------------------------------------------------------------------------

REFUSED: dict[str, Callable[[], object]] = {
    "best_play": lambda: tetrasolve.best_play(FIGHT),
    "campaign": lambda: tetrasolve.campaign(FIGHT, "reach belgica"),
    "fight": lambda: tetrasolve.fight(FIGHT),
    "hint": lambda: tetrasolve.hint(FIGHT),
    "plan": lambda: tetrasolve.plan(FIGHT, "kill narbonensis"),
    "review": lambda: tetrasolve.review(tetrasolve.new_game(LEVEL, seed=1)),
    "risk": lambda: tetrasolve.risk(FIGHT),
}
ANSWERED: dict[str, Callable[[], object]] = {
    "Position": lambda: Position.parse(str(FIGHT)).status() == (),
    "Ruleset": lambda: Ruleset.from_text(str(LEVEL)) == LEVEL,
    "Game": lambda: tetrasolve.Game(FIGHT).result,
    "build": lambda: tetrasolve.build(LEVEL),
    "legal_actions": lambda: tetrasolve.legal_actions(FIGHT),
    "new_game": lambda: tetrasolve.new_game(LEVEL, seed=1),
    "objection": lambda: tetrasolve.objection(FIGHT, tetrasolve.legal_actions(FIGHT)[0]) is None,
    "outcomes": lambda: tetrasolve.outcomes(FIGHT),
    "parse": lambda: tetrasolve.parse(FIGHT, "move belgica"),
    "play": lambda: tetrasolve.play(FIGHT, tetrasolve.parse(FIGHT, "move belgica")),
    "read_record": lambda: tetrasolve.read_record(tetrasolve.write_record(tetrasolve.new_game(LEVEL, seed=1))),
    "write_record": lambda: tetrasolve.write_record(tetrasolve.new_game(LEVEL, seed=1)),
}
WITHOUT_RULESET = {"Board", "example", "examples", "facts"}
RESULTS = {
    "BestPlay",
    "CampaignResult",
    "FactList",
    "Fights",
    "Hint",
    "Plan",
    "PlanResult",
    "PositionBuilder",
    "Review",
    "Risk",
}


def test_every_public_name_is_in_a_table() -> None:
    named = {*REFUSED, *ANSWERED, *WITHOUT_RULESET, *RESULTS, "TetrasolveError"}

    assert named == {*tetrasolve.__all__}


@pytest.mark.parametrize("name", REFUSED)
def test_a_function_that_needs_a_kernel_refuses(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is made or solved: neither kernel makes a position or a table."""
    from tetrasolve.tetrarchia import fast

    for made in ("Kernel", "State"):
        monkeypatch.setattr(fast, made, lambda *_, **__: pytest.fail("a kernel is at work"))
    with pytest.raises(ReferenceOnlyError, match=SENTENCE) as caught:
        REFUSED[name]()
    assert caught.value.readings == (READING,)


@pytest.mark.parametrize("name", ANSWERED)
def test_a_function_of_the_reference_rules_answers(name: str) -> None:
    assert ANSWERED[name]() is not None


HOUSE = Ruleset.from_text("4211?attack=1")
FOR_THE_RULEBOOK = {
    "best_play",
    "campaign",
    "fight",
    "plan",
    "review",
}  # the others take their numbers from the ruleset


@pytest.mark.parametrize("name", sorted(FOR_THE_RULEBOOK))
def test_what_is_made_for_the_numbers_of_the_rulebook_refuses_house_rules(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a sentence that names them; hints and the risk of a phase answer."""
    monkeypatch.setitem(globals(), "FIGHT", tetrasolve.example("fight").replace(ruleset=HOUSE))
    monkeypatch.setitem(globals(), "LEVEL", HOUSE)

    with pytest.raises(HouseRuleError, match="attack=1: what was asked is made for the numbers of the rulebook"):
        REFUSED[name]()


def test_hints_and_risks_take_house_rules() -> None:
    position = tetrasolve.example("fight").replace(ruleset=HOUSE)
    hint, risk = tetrasolve.hint(position, budget="greedy"), tetrasolve.risk(position)

    assert "its chances were never calibrated with attack=1" in str(hint.basis)
    assert "not calibrated" in str(hint.best.win)
    assert risk.figures == tetrasolve.risk(tetrasolve.example("fight")).figures  # an attack costs nothing in a phase


def test_advice_on_a_choice_is_refused() -> None:
    """A choice is made by the reference rules, its values come from a kernel."""
    ruleset = LEVEL.with_extensions((), ["barbaria"])
    waiting = tetrasolve.new_game(ruleset, seed=1).start.replace(phase=FIGHT.phase.BARBARIAN, ip=0)
    from tetrasolve.tetrarchia import rules

    choice = rules.begin(waiting)
    assert isinstance(choice, rules.Choice)
    with pytest.raises(ReferenceOnlyError):
        advise(choice)


# -- the commands --------------------------------------------------------------------------------------------------

COMMANDS: dict[str, tuple[list[str], int]] = {
    "campaign": ([str(FIGHT), "--goal", "reach belgica"], 2),
    "certify": ([str(FIGHT), "--objective", "kill narbonensis", "--out", "-"], 2),
    "ends": ([str(FIGHT)], 2),
    "fight": ([str(FIGHT)], 2),
    "hint": ([str(FIGHT)], 2),
    "perft": ([str(FIGHT), "1"], 2),
    "plan": ([str(FIGHT), "--objective", "kill narbonensis"], 2),
    "review": (["RECORD"], 2),
    "risk": ([str(FIGHT)], 2),
    "scenario": (["measure", str(FIGHT)], 2),
    "new": ([str(LEVEL), "--seed", "1"], 0),
    "replay": (["RECORD"], 0),
    "show": ([str(FIGHT)], 0),
}
OTHER_COMMANDS = {
    "analyse",
    "bench",
    "board",
    "check",
    "facts",
    "lint",
    "play",
    "puzzle",
    "rules",
    "serve",
}  # they take no position, or ask


def test_every_command_is_in_a_table() -> None:
    assert {*COMMANDS, *OTHER_COMMANDS} == {*GAME.commands}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_refuses_or_answers(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With exit code 2 and the sentence, as text and as JSON; or as ever."""
    record = tmp_path / "game.tsg"
    record.write_text(tetrasolve.write_record(tetrasolve.new_game(LEVEL, seed=1)), "utf-8")
    words, code = COMMANDS[name]
    args = [name, *(str(record) if word == "RECORD" else word for word in words)]

    assert run(args) == code
    assert (SENTENCE in capsys.readouterr().err) == (code == 2)
    if code:
        assert run([*args, "--json"]) == code
        error = json.loads(capsys.readouterr().err)["error"]
        assert (error["kind"], SENTENCE in error["problem"]) == ("ReferenceOnlyError", True)


# -- the protocol --------------------------------------------------------------------------------------------------

REFUSED_REQUESTS = {"campaign", "fight", "hint", "plan", "review", "risk"}
ANSWERED_REQUESTS = {
    "actions",
    "apply",
    "batch",
    "course",
    "view",
    "new",
    "picture",
    "read",
    "replay",
    "status",
    "survey",
    "turn",
}
OTHER_REQUESTS = {
    "board", "board_change", "board_check", "board_doubts", "board_facts", "finding", "findings",
    "puzzle", "puzzle_check", "puzzle_help", "puzzle_of_the_day", "puzzles",
}  # about no position that the client gives  # fmt: skip


def request(ask: str) -> dict[str, Any]:
    """The first example of a request, under the reading."""
    body = dict(CALLS[ask].examples[0])
    record = tetrasolve.write_record(tetrasolve.new_game(LEVEL, seed=1))
    under = {"position": str(FIGHT), "positions": [str(FIGHT)], "record": record, "level": str(LEVEL)}
    return body | {key: value for key, value in under.items() if key in body}


def test_every_request_is_in_a_table() -> None:
    assert {*CALLS} == REFUSED_REQUESTS | ANSWERED_REQUESTS | OTHER_REQUESTS


def test_the_protocol_refuses_or_answers() -> None:
    """All requests to one server, which answers each."""
    answers: list[dict[str, Any]] = []
    asks = sorted(REFUSED_REQUESTS | ANSWERED_REQUESTS)
    lines = b"\n".join(json.dumps({"id": ask, "ask": ask, **request(ask)}).encode() for ask in asks)
    Server("tetrasolve.tetrarchia.service.engine", lambda line: answers.append(json.loads(line))).serve(
        io.BytesIO(lines)
    )
    final = {answer["id"]: answer for answer in answers if answer["final"]}

    assert sorted(final) == asks
    for ask, answer in final.items():
        refused = answer["status"] == "error"
        assert refused == (ask in REFUSED_REQUESTS), answer
        assert not refused or SENTENCE in json.dumps(answer["error"])
    assert SENTENCE in json.dumps(final["batch"]["result"]["answers"][0]["error"])
    survey = final["survey"]["result"]
    assert set(survey["parts"]) == {"read", "actions", "picture"}
    assert all(SENTENCE in survey["refused"][name]["problem"] for name in ("risk", "hint"))
