"""The engine of the analysis protocol: every kind of request by its schema, refusals, deadlines, and over the server and HTTP."""

import io
import json
import time

import pytest
from httpservice import running
from jsonschema import Draft202012Validator

from tetrasolve.analysis.messages import Request
from tetrasolve.analysis.server import Server
from tetrasolve.analysis.worker import RequestContext, handle
from tetrasolve.errors import TetrasolveError
from tetrasolve.finem.bestturn import best_turn
from tetrasolve.finem.examples import examples
from tetrasolve.finem.game import new_game
from tetrasolve.finem.hint.advice import hint
from tetrasolve.finem.hint.comparison import compare
from tetrasolve.finem.position import Position
from tetrasolve.finem.record import read_record
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.service.engine import HANDLERS, QUICK, about, depth, digest, schema
from tetrasolve.games import game

SCHEMA = schema()
ASKS = sorted(HANDLERS)
ACTION = SCHEMA["$defs"]["ask_hint"]["examples"][0]["position"]  # the last action of a turn
SLOW = str(new_game(Ruleset("standard"), 3).start)


# Of requests that need no field: one that is refused
WRONG = {"puzzles": {"kinds": ["chess"]}, "puzzle_of_the_day": {"date": "soon"}, "findings": {"readings": ["E-CHESS"]}}


def valid(name, data):
    Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{name}"}).validate(data)


def ask(kind, **fields):
    return HANDLERS[kind](fields, RequestContext())


def test_the_schema_is_one_and_names_all_kinds():
    Draft202012Validator.check_schema(SCHEMA)
    assert sorted(name[4:] for name in SCHEMA["$defs"] if name.startswith("ask_")) == ASKS
    assert SCHEMA["$defs"]["request"]["properties"]["ask"]["enum"] == about()["asks"]
    assert set(QUICK) <= set(ASKS)


@pytest.mark.parametrize("kind", ASKS)
def test_examples_and_their_answers_keep_to_the_schema(kind):
    for example in SCHEMA["$defs"][f"ask_{kind}"]["examples"]:
        valid("request", {"id": "x", "ask": kind, **example})
        result = ask(kind, **example)
        valid(SCHEMA["$defs"][f"ask_{kind}"]["x-result"], json.loads(json.dumps(result)))


@pytest.mark.parametrize("kind", ASKS)
def test_unknown_and_missing_fields_are_refused(kind):
    (example, *_) = SCHEMA["$defs"][f"ask_{kind}"]["examples"]
    for fields in ({**example, "more": 1}, WRONG.get(kind, {})):
        answer = handle(HANDLERS, Request("x", kind, fields=fields), RequestContext())
        assert answer["status"] == "error"
        assert answer["error"]["where"] in (
            "more",
            "position",
            "record",
            "seed",
            "level",
            "puzzle",
            "kinds",
            "date",
            "readings",
            "finding",
        )
        assert "internal" not in answer["error"]["problem"]


@pytest.mark.parametrize(
    ("kind", "fields", "where"),
    [
        ("hint", {"position": ACTION, "top": 0}, "top"),
        ("hint", {"position": ACTION, "top": True}, "top"),
        ("hint", {"position": ACTION, "budget": "all"}, "budget"),
        ("hint", {"position": ACTION, "compare": "fly"}, "compare"),
        ("hint", {"position": ACTION, "compare": " ; "}, "compare"),
        ("hint", {"position": ACTION, "compare": "pass; pass"}, "compare"),
        ("hint", {"position": ACTION, "compare": "pass; " * 400}, "compare"),
        ("hint", {"position": ACTION, "compare": ["pass"]}, "compare"),
        ("hint", {"position": ACTION, "compare": "\ud800\0{}"}, "compare"),
        ("hint", {"position": ACTION, "compare": "pass", "top": 3}, "top"),
        ("hint", {"position": str(examples()["peril"]), "compare": "pass"}, ""),
        ("hint", {"position": 7}, "position"),
        ("hint", {"position": "standard"}, "position: "),
        ("risk", {"position": ACTION, "policy": "worst"}, "policy"),
        ("risk", {"position": ACTION, "objective": "p_won"}, "objective"),
        ("risk", {"position": ACTION, "policy": "best", "objective": "glory"}, "objective"),
        ("risk", {"position": ACTION, "policy": "best", "cards": "O5"}, "cards"),
        ("risk", {"position": ACTION, "policy": "best", "cards": ["X9"]}, "cards"),
        ("plan", {"position": ACTION, "objective": "money"}, "objective"),
        ("plan", {"position": ACTION, "objective": 4}, "objective"),
        ("apply", {"position": ACTION, "action": "fly"}, "action"),
        ("apply", {"position": ACTION, "action": "pass", "seed": 1}, "seed"),
        ("apply", {"position": ACTION, "seed": 1}, "seed"),
        ("new", {"level": "easy", "seed": 1}, "level"),
        ("new", {"level": "standard", "seed": -1}, "seed"),
        ("review", {"record": "nothing"}, "record"),
        ("replay", {"record": 5}, "record"),
    ],
)
def test_what_is_wrong_is_named(kind, fields, where):
    answer = handle(HANDLERS, Request("x", kind, fields=fields), RequestContext())
    assert answer["status"] == "error", answer
    assert answer["error"].get("where", "").startswith(where)
    assert len(str(answer)) < 600 and "internal" not in answer["error"]["problem"]


def test_the_best_decisions_of_a_turn_are_those_of_the_library():
    """With the same limits as any question: in no time there is an interval."""
    limit = examples()["limit"]
    for fields in ({}, {"objective": "die:C=3 die:O=1"}, {"objective": "most p_lost"}):
        found = ask("risk", position=str(limit), policy="best", **fields)
        valid("result_risk", found)
        assert found == {"position": str(limit), **best_turn(limit, fields.get("objective", "p_lost")).as_data()}
    short = HANDLERS["risk"]({"position": SLOW, "policy": "best"}, RequestContext(seconds=0.001))
    valid("result_risk", short)
    assert (short["status"], short["value"]["kind"]) == ("interrupted", "interval")
    assert not depth("risk", short).is_final


def test_a_text_that_is_too_long_says_how_long_it_may_be():
    for kind, name, text in (("hint", "compare", "pass; " * 400), ("plan", "objective", "cubes=1 " * 400)):
        answer = handle(HANDLERS, Request("x", kind, fields={"position": ACTION, name: text}), RequestContext())
        assert answer["error"]["where"] == name and answer["error"]["problem"] == f"found {len(text):,} characters"
        assert " as text, at most " in answer["error"]["expected"]


def test_a_position_that_cannot_occur_is_refused_with_its_reasons():
    wrong = str(examples()["peril"].replace(outbreaks=4))
    for kind in ("hint", "risk", "plan", "actions"):
        with pytest.raises(TetrasolveError, match="outbreaks"):
            ask(kind, position=wrong)
    found = ask("status", position=wrong)
    assert not found["legal"]
    assert found["reasons"] == ask("read", position=wrong)["reasons"] != []


def test_puzzles_say_in_both_languages_where_they_come_from():
    answer = handle(HANDLERS, Request("x", "puzzles", fields={}), RequestContext())
    for row in answer["result"]["puzzles"]:
        assert "greedy program at" in row["origin"]["en"] and row["origin"]["en"] != row["source"]
        assert "programa voraz en el nivel" in row["origin"]["es"]
        assert row["kind"] not in row["origin"]["es"].split()


def test_a_game_is_played_through_the_protocol():
    """From the set-up to its end; the record of the same game verifies."""
    new = ask("new", level="standard", seed=3)
    played, position = read_record(new["record"]), new["position"]
    for number in range(500):
        can = ask("actions", position=position)
        if can["is_chance"]:
            found = ask("apply", position=position, seed=number)
            assert found["action"] in {row["action"] for row in can["actions"]}
        else:
            found = ask("apply", position=position, action=can["actions"][-1]["action"])
        played.take(found["action"])
        if found["position"] is None:
            break
        position = found["position"]
    assert found["result"] == played.result != "open"


def test_a_hint_is_that_of_the_library_and_reports_on_the_way():
    reports = []
    context = RequestContext(reports.append, report_every=0.0)
    found = HANDLERS["hint"]({"position": SLOW, "budget": "expectimax"}, context)
    mine = hint(new_game(Ruleset("standard"), 3).start, budget="expectimax").as_data()
    assert {**found, "seconds": 0} == {**mine, "seconds": 0}
    assert [one["status"] for one in reports] == ["interrupted", "complete"]


def test_a_typed_plan_is_compared_as_the_library_does():
    """With what stands between options as people write it; what is left is passed."""
    found = ask("hint", position=SLOW, compare=" move  O7, confront O;", budget="expectimax", seed=2)
    mine = compare(Position.parse(SLOW), "move O7; confront O", budget="expectimax", seed=2)
    assert found == mine.as_data() and not found["same"] and found["refutation"] is not None
    valid("comparison", json.loads(json.dumps(found)))
    assert depth("hint", found) == depth("hint", {**found, "plans": []})


@pytest.mark.parametrize(
    ("kind", "seconds", "fields"),
    [
        ("hint", 0.5, {"budget": "deep"}),
        ("hint", 0.5, {"budget": "deep", "compare": "pass"}),
        ("plan", 0, {"objective": "p_lost"}),
    ],
)
def test_a_deadline_gives_the_best_answer_so_far(kind, seconds, fields):
    began = time.monotonic()
    found = HANDLERS[kind]({"position": SLOW, **fields}, RequestContext(seconds=seconds))
    assert found["status"] == "interrupted"
    assert time.monotonic() - began < 20  # a loaded machine; how fast calls stop is measured in bench


def test_the_server_answers_for_this_game():
    """Through the command's own server, with a worker of its own."""
    requests = [
        {"id": "a", "ask": "about"},
        {"id": "h", "ask": "hint", "position": ACTION, "budget": "greedy"},
        {"id": "w", "ask": "board"},
    ]
    answers = []
    stream = io.BytesIO("\n".join(map(json.dumps, requests)).encode())
    Server(game("et-finem").get_questions(), lambda line: answers.append(json.loads(line))).serve(stream)
    finals = {answer["id"]: answer for answer in answers if answer["final"]}
    assert finals["a"]["result"]["game"] == "et-finem"
    assert finals["h"]["result"]["plans"][0]["plan"] == list(hint(Position.parse(ACTION), budget="greedy").best.plan)
    assert finals["w"]["error"]["where"] == "ask"
    for answer in finals.values():
        valid("answer", answer)


def test_the_service_answers_over_http():
    definition = game("et-finem")
    with running(definition.get_questions(), definition.get_messages(), page=definition.get_page()) as served:
        assert served.client.get("/v1/about").json()["game"] == "et-finem"
        for kind in ("actions", "hint", "risk"):
            fields = SCHEMA["$defs"][f"ask_{kind}"]["examples"][0]
            answer = served.post(kind, fields)
            assert answer.status_code == 200, answer.text
            valid(f"result_{kind}", answer.json())
        assert served.post("hint", {"position": "nonsense"}).status_code == 422
        wrong = served.post("hint", {"position": ACTION, "compare": "move E5"}, **{"accept-language": "es"})
        assert (wrong.status_code, wrong.json()["where"]) == (422, "compare")
        assert wrong.json()["detail"].startswith("move E5: en el paso act se esperaba uno de")
        assert served.client.get("/v1/openapi.json").json()["paths"]["/v1/hint"]


def test_a_deeper_answer_is_known_as_such():
    assert depth("risk", ask("risk", position=ACTION)).is_final
    assert depth("new", {}) is None
    assert (
        depth("hint", hint(examples()["limit"]).as_data()).work
        > depth("hint", hint(examples()["limit"], budget="greedy").as_data()).work
    )
    assert len(digest()) == 64
