"""A value that only the reference rules play: what needs the kernel, a model or the checker refuses it, the rest answers.

There is none now, so that one of the kernel's is listed as such here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from tablefinem import table

from tetrasolve.analysis.worker import RequestContext
from tetrasolve.cli.main import run
from tetrasolve.errors import ReferenceOnlyError
from tetrasolve.finem import fast, rules, ruleset
from tetrasolve.finem.bestturn import best_turn
from tetrasolve.finem.certificate import certify
from tetrasolve.finem.definition import GAME
from tetrasolve.finem.evaluation import read_objective
from tetrasolve.finem.game import new_game
from tetrasolve.finem.hint.advice import hint
from tetrasolve.finem.hint.comparison import compare
from tetrasolve.finem.hint.players import games, player_of
from tetrasolve.finem.hint.review import review
from tetrasolve.finem.judge import judge
from tetrasolve.finem.lint import pairs as linted
from tetrasolve.finem.lint.pairs import kernel_pairs
from tetrasolve.finem.lint.played import play
from tetrasolve.finem.model import solve_model
from tetrasolve.finem.perft import perft
from tetrasolve.finem.plan import plan, situations
from tetrasolve.finem.position import Position
from tetrasolve.finem.puzzle.kinds import kinds
from tetrasolve.finem.puzzle.solving import solve
from tetrasolve.finem.record import read_record, write_record
from tetrasolve.finem.risk import phase_risk
from tetrasolve.finem.ruleset import KERNEL_READINGS, READINGS, Ruleset
from tetrasolve.finem.service.engine import HANDLERS
from tetrasolve.finem.turnrisk import turn_risk
from tetrasolve.finem.webpage import spanish
from tetrasolve.sentences import Sentences
from tetrasolve.serve.pagecalls import shared

READING = "E-CRISIS-GONE=again"
SENTENCE = f"{READING}: only the reference rules play this reading; what was asked needs the kernel"
LEVEL = f"introductory?{READING}"
TURN = table("consul", rules=LEVEL, dice="2221/-", cubes="C7:C3.E5:E2")
DRAWN = table("consul", rules=LEVEL, dice="2221/-", cubes="C7:C3.E5:E2", step="draw")
LATE = table(
    "consul", rules=LEVEL, dice="4321/-", tracks="2/1", cubes="B5:B1", last="B5", step="invade:1", more="O5.O6.C5.B5"
)
ALONE = replace(READINGS["E-CRISIS-GONE"], reference=("again",), later=())
QUESTIONS = [question for kind in kinds().values() for one in (TURN, DRAWN) for question in kind.questions(one)]

REFUSED: dict[str, Callable[[], object]] = {
    "engine_of": lambda: fast.engine_of(TURN.ruleset),
    "turn_risk": lambda: turn_risk(TURN),
    "best_turn": lambda: best_turn(TURN),
    "perft": lambda: perft(TURN, 2),
    "plan": lambda: plan(TURN),
    "situations": lambda: situations(TURN),
    "certify": lambda: certify(TURN, "cubes=-1"),
    "solve_model": lambda: solve_model(TURN, read_objective("cubes=-1")),
    "judge": lambda: judge(TURN, "cubes=-1"),
    "hint": lambda: hint(TURN),
    "compare": lambda: compare(TURN, ["pass", "move C6"]),
    "review": lambda: review(new_game(Ruleset.from_text(LEVEL), 1)),
    "player_of": lambda: player_of(TURN.ruleset),
    "games": lambda: games(TURN.ruleset, "random", 0, 0, 1),
    "solve": lambda: [solve(question) for question in QUESTIONS],
    "play": lambda: play(LEVEL, 0, 0, 1),
}


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The value is one of the reference rules alone."""
    for module in (ruleset, linted):
        monkeypatch.setattr(module, "READINGS", {**READINGS, ALONE.name: ALONE})
    fast.engine_of.cache_clear()
    yield
    fast.engine_of.cache_clear()


@pytest.mark.parametrize("name", REFUSED)
def test_what_needs_the_kernel_refuses(name: str) -> None:
    """Before a state is made for the kernel."""
    with pytest.raises(ReferenceOnlyError, match=SENTENCE) as caught:
        REFUSED[name]()
    assert caught.value.readings == (READING,)


def test_the_reference_rules_answer() -> None:
    game = new_game(Ruleset.from_text(LEVEL), 1)
    assert read_record(write_record(game)).start == game.start
    assert Position.parse(str(TURN)) == TURN == Position.from_json(TURN.to_json()) and not TURN.status()
    assert phase_risk(LATE).status == "exact" and rules.node(TURN).options
    assert perft(TURN, 2, engine="reference").count > 10
    assert QUESTIONS


def test_the_kernel_takes_values_that_it_plays_alone() -> None:
    for name, reading in READINGS.items():
        assert (name in KERNEL_READINGS) == (len(reading.played) > 1)
        for value in {**READINGS, ALONE.name: ALONE}[name].reference:
            level = (reading.needs or ("introductory",))[0]
            chosen = Ruleset.from_text(level).with_readings([*reading.compared_beside(value).items(), (name, value)])
            assert chosen.reference_only == (f"{name}={value}",)
            with pytest.raises(ReferenceOnlyError, match=f"{name}={value}: only the reference rules"):
                chosen.require_kernel()


def test_the_kernel_plays_every_value() -> None:
    assert not [name for name, reading in READINGS.items() if reading.reference]


# -- commands and requests -----------------------------------------------------------------------------------------------

COMMANDS: dict[str, tuple[list[str], int]] = {
    "certify": ([str(TURN), "-o", "cubes=-1", "--out", "-"], 2),
    "hint": ([str(TURN)], 2),
    "perft": ([str(TURN), "1"], 2),
    "plan": ([str(TURN)], 2),
    "review": (["RECORD"], 2),
    "risk": ([str(TURN)], 2),
    "new": ([LEVEL, "--seed", "1"], 0),
    "replay": (["RECORD"], 0),
    "show": ([str(TURN)], 0),
}
OTHER_COMMANDS = {
    "analyse",
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
    assert {*COMMANDS} | OTHER_COMMANDS == {*GAME.commands}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_refuses_or_answers(name: str, tmp_path, capsys) -> None:
    record = tmp_path / "game.tsg"
    record.write_text(write_record(new_game(Ruleset.from_text(LEVEL), 1)), "utf-8")
    words, code = COMMANDS[name]
    args = ["--game", "et-finem", name, *(str(record) if word == "RECORD" else word for word in words)]

    assert run(args) == code
    assert (SENTENCE in capsys.readouterr().err) == (code == 2)


def test_the_linter_follows_turns_by_the_kernel_where_it_plays_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [pair.id for pair in kernel_pairs(["E-CRISIS-GONE"])] == ["E-CRISIS-GONE=nothing/return"]
    alone = replace(READINGS["E-CRISIS-GONE"], reference=("return", "again"))
    monkeypatch.setattr(linted, "READINGS", {**READINGS, "E-CRISIS-GONE": alone})
    with pytest.raises(ReferenceOnlyError, match=r"return, E-CRISIS-GONE=again: only the reference rules"):
        kernel_pairs(["E-CRISIS-GONE"])


def test_the_linter_plays_no_games_of_such_a_value(monkeypatch: pytest.MonkeyPatch, tmp_path, capsys) -> None:
    games = ["--game", "et-finem", "lint", "games", "--out", str(tmp_path / "out.json"), "--reading"]
    alone = replace(READINGS["E-CRISIS-GONE"], reference=("return", "again"))
    monkeypatch.setattr(linted, "READINGS", {**READINGS, "E-CRISIS-GONE": alone})
    assert run([*games, "E-CRISIS-GONE"]) == 2
    assert "only the reference rules" in capsys.readouterr().err


REFUSED_REQUESTS = {
    "hint": {},
    "plan": {},
    "risk": {},
    "review": {"position": None, "record": write_record(new_game(Ruleset.from_text(LEVEL), 1))},
}


@pytest.mark.parametrize("ask", REFUSED_REQUESTS)
def test_a_request_refuses(ask: str) -> None:
    fields = {"position": str(TURN)} | REFUSED_REQUESTS[ask]
    with pytest.raises(ReferenceOnlyError, match=SENTENCE) as caught:
        HANDLERS[ask]({key: value for key, value in fields.items() if value is not None}, RequestContext())
    said = Sentences({**shared("es"), **spanish().forms}).say(str(caught.value))
    assert said.startswith(f"{READING}: solo las reglas de referencia juegan esta lectura;")


@pytest.mark.parametrize("ask", ["actions", "picture", "read", "status"])
def test_a_request_answers(ask: str) -> None:
    assert json.dumps(HANDLERS[ask]({"position": str(TURN)}, RequestContext()))
