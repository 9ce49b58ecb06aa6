"""The same question about each position of a list: answers in order, errors that cost nothing else, and a shared time."""

from random import Random

import pytest
from httpservice import PROGRESS
from jsonschema import Draft202012Validator
from moduletable import random_start

from tetrasolve.analysis.messages import Request, RequestError
from tetrasolve.analysis.several import PartRequest, batch
from tetrasolve.analysis.worker import DEADLINE, RequestContext, handle
from tetrasolve.errors import OutOfTimeError, TetrasolveError
from tetrasolve.strict import StrictError
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.game import new_scenario
from tetrasolve.tetrarchia.jsonform import to_data
from tetrasolve.tetrarchia.service import survey
from tetrasolve.tetrarchia.service.engine import HANDLERS, ask, schema

FIGHT, MOVEMENT = str(example("fight")), str(example("movement"))
IMPOSSIBLE = FIGHT.replace(" 23 ", " 22 ")
WAR = str(new_scenario("danubian-wars", 3).start)
MODULES = str(random_start(Random(48)))
# Its Barbarian phase has millions of outcomes
LARGE = "4211 G:6 bae/thr/cyr/gma 13 tin.bit tin.aqu.dac.bit - cis.bel.nar.srm/sar.gae.bri/gla.cyr/thr.ach.per.lib"


def validate(name, data):
    Draft202012Validator({"$defs": schema()["$defs"], "$ref": f"#/$defs/{name}"}).validate(data)


def entry(kind, fields):
    """What the single call answers, as an entry of a batch."""
    message = handle(HANDLERS, Request("", kind, fields=fields), RequestContext())
    return {name: message[name] for name in ("result", "error") if name in message}


def without_time(found):
    return {"result": {**found["result"], "seconds": 0}} if "seconds" in found.get("result", {}) else found


@pytest.mark.parametrize("kind", survey.OF)
def test_each_answer_is_that_of_the_single_call(kind):
    """In order, and what is wrong with one costs the others nothing."""
    options = {"budget": "greedy", "top": 1, "seed": 3} if kind == "hint" else {}
    positions = [FIGHT, "nonsense", to_data(example("movement")), IMPOSSIBLE, MODULES, WAR, {}, FIGHT]
    found = ask("batch", of=kind, positions=positions, **options)
    validate("result_batch", found)
    expected = [entry(kind, {"position": position, **options}) for position in positions]
    assert list(map(without_time, found["answers"])) == list(map(without_time, expected))
    assert (found["of"], found["status"], found["missing"]) == (kind, "complete", [])
    assert [number for number, row in enumerate(found["answers"]) if "error" in row][:1] == [1]
    assert "result" in found["answers"][-1] and found["answers"][1]["error"]["where"].startswith("position: ")


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"of": None}, "of"),
        ({"of": "dance"}, "of"),
        ({"of": ["read"]}, "of"),
        ({"of": "batch"}, "of"),
        ({"of": "picture"}, "of"),
        ({"positions": []}, "positions"),
        ({"positions": [MOVEMENT] * 51}, "positions"),
        ({"positions": MOVEMENT}, "positions"),
        ({"positions": None}, "positions"),
        ({"positions": [MOVEMENT, 5]}, "positions[1]"),
        ({"positions": [[MOVEMENT]]}, "positions[0]"),
        ({"position": MOVEMENT}, "position"),
        ({"budget": "greedy"}, "budget"),
        ({"decide": "always"}, "decide"),
        ({"of": "hint", "decide": "eager"}, "decide"),
        ({"of": "hint", "budget": 3}, "budget"),
        ({"of": "hint", "top": 1000}, "top"),
    ],
)
def test_what_is_wrong_for_all_is_refused_before_any_of_them(served, fields, where):
    """By the engine, by the schema, and with a 422."""
    request = {"of": "risk", "positions": [MOVEMENT, FIGHT], **fields}
    with pytest.raises(StrictError) as refused:
        HANDLERS["batch"](request, RequestContext(lambda _: pytest.fail("one began"), report_every=0.0))
    assert refused.value.where == where
    messages = Draft202012Validator({"$defs": schema()["$defs"], "$ref": "#/$defs/request"})
    assert not messages.is_valid({"id": "b", "ask": "batch", **request})
    found = served.post("batch", request)
    assert (found.status_code, found.json()["where"]) == (422, where)


def test_fields_that_are_missing_are_named():
    for fields, where in (({"positions": [FIGHT]}, "of"), ({"of": "read"}, "positions")):
        with pytest.raises(StrictError, match="missing") as refused:
            HANDLERS["batch"](fields, RequestContext())
        assert refused.value.where == where


def test_a_batch_reports_what_is_there():
    """Before each that may take long, and with each partial hint."""
    reports = []
    context = RequestContext(reports.append, report_every=60.0)
    last = HANDLERS["batch"]({"of": "risk", "positions": [MOVEMENT, "nonsense", FIGHT]}, context)
    assert [report["missing"] for report in reports] == [[1, 2], [2]] and last["missing"] == []
    for report in reports:
        validate("result_batch", report)
        assert report["status"] == "interrupted"
        assert [number for number, row in enumerate(report["answers"]) if row is None] == report["missing"]
    reports.clear()
    context = RequestContext(reports.append, report_every=60.0)
    HANDLERS["batch"]({"of": "hint", "positions": [FIGHT, MOVEMENT], "budget": "greedy"}, context)
    assert [1] in [report["missing"] for report in reports] and [] in [report["missing"] for report in reports]
    for report in reports:
        validate("result_batch", report)


def test_what_there_is_no_time_for_is_named():
    """A large phase takes its share alone: the one after it is exact."""
    found = ask("batch", of="risk", positions=[LARGE, MOVEMENT], seconds=0.5)
    validate("result_batch", found)
    assert [row["result"]["status"] for row in found["answers"]] == ["interrupted", "complete"]
    assert (found["status"], found["missing"]) == ("interrupted", [])
    context = RequestContext()
    context.stop("cancelled")
    found = HANDLERS["batch"]({"of": "risk", "positions": [LARGE, MOVEMENT]}, context)
    assert found["answers"] == [None, None] and found["missing"] == [0, 1]


# -- any engine -----------------------------------------------------------------------------------------------------


def toy(answer, most=9):
    """A batch of this handler, which gets the position and the context."""

    def handler(fields, context):
        if "position" not in fields:
            raise RequestError("missing", where="position")
        return answer(fields["position"], context)

    return batch({"toy": PartRequest(handler)}, most)


def test_each_position_gets_an_equal_share_of_what_is_left():
    seconds = []

    def note(_, context):
        seconds.append(context.seconds)
        return {}

    toy(note)({"of": "toy", "positions": ["a", "b", "c"]}, RequestContext(seconds=30.0))
    assert [round(found) for found in seconds] == [10, 15, 30]


def test_a_batch_that_is_stopped_begins_with_no_more():
    begun = []

    def stop(position, context):
        begun.append(position)
        if position == "b":
            whole.stop("cancelled")
            assert context.is_stopped()
        return {"position": position}

    whole = RequestContext()
    found = toy(stop)({"of": "toy", "positions": ["a", "b", "c"]}, whole)
    assert begun == ["a", "b"] and found["missing"] == [2] and found["answers"][1] == {"result": {"position": "b"}}


def test_each_error_is_that_of_its_position():
    """Only one that no other try would avoid is complete; one that had no time is missing."""

    def fail(position, context):
        match position:
            case "wrong":
                raise TetrasolveError("this cannot be")
            case "mistake":
                raise ZeroDivisionError("by zero")
            case "late":
                context.stop(DEADLINE)
                raise OutOfTimeError("too late")
        return {}

    def answers(*positions):
        return toy(fail)({"of": "toy", "positions": list(positions)}, RequestContext())

    found = answers("wrong", "fine")
    assert found["status"] == "complete" and found["answers"] == [
        {"error": {"problem": "this cannot be"}}, {"result": {}},
    ]  # fmt: skip
    found = answers("fine", "mistake", "fine")
    assert found["status"] == "interrupted" and found["answers"][1]["error"]["kind"] == "internal"
    assert found["answers"][2] == {"result": {}} and found["missing"] == []
    assert (answers("late", "fine")["missing"], answers("late")["status"]) == ([0], "interrupted")


# -- over HTTP ------------------------------------------------------------------------------------------------------


def test_a_batch_streams(served):
    fields = {"of": "hint", "positions": [FIGHT, "nonsense", MOVEMENT], "budget": "greedy", "top": 1}
    *before, (_, kind, last) = served.events("batch", fields)
    assert kind == "done" and {name for _, name, _ in before} <= PROGRESS
    plans = [served.post("hint", {"position": line, "budget": "greedy", "top": 1}).json() for line in (FIGHT, MOVEMENT)]
    assert [last["answers"][number]["result"]["plans"] for number in (0, 2)] == [plan["plans"] for plan in plans]


def test_a_batch_of_quick_questions_is_quick(served):
    service = served.service
    assert service._pool("batch", {"of": "status"}) is service._pool("status", {}) is service.quick
    for fields in ({"of": "hint"}, {"of": ["status"]}, {}):
        assert service._pool("batch", fields) is service.questions
    assert service._pool("hint", {"of": "status"}) is service.questions
