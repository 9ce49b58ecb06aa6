"""Everything about a position in one call: each part is what the single call gives, and what is not there is named."""

from fractions import Fraction
from itertools import groupby
from random import Random

import pytest
from httpservice import PROGRESS
from jsonschema import Draft202012Validator
from moduletable import random_start

from tetrasolve.analysis.messages import Request, RequestError
from tetrasolve.analysis.several import PartRequest, require
from tetrasolve.analysis.worker import DEADLINE, RequestContext, handle
from tetrasolve.errors import OutOfMemoryError, OutOfTimeError
from tetrasolve.stop import Stop
from tetrasolve.strict import StrictError
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.game import new_scenario
from tetrasolve.tetrarchia.jsonform import to_data
from tetrasolve.tetrarchia.parts import PLAY
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import legal_actions, parse, play
from tetrasolve.tetrarchia.service import survey
from tetrasolve.tetrarchia.service.engine import HANDLERS, ask, schema

FIGHT = str(example("fight"))
OVER = str(play(example("fight"), parse(example("fight"), "end")))
LAST = Position.parse("4211 D:2 srm/mac/-/- 23 - lus - -/-/gae.bri/gma.lib.per")
WON = str(play(LAST, parse(LAST, "secure")))
IMPOSSIBLE = FIGHT.replace(" 23 ", " 22 ")
# Its Barbarian phase has millions of outcomes
LARGE = "4211 G:6 bae/thr/cyr/gma 13 tin.bit tin.aqu.dac.bit - cis.bel.nar.srm/sar.gae.bri/gla.cyr/thr.ach.per.lib"
DISCS = 'barbarian_discs={"black":1,"gray":4} removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
LARGE_WITH_MODULES = f"{LARGE.replace(' ', '+barbaria+imperium ', 1)} {DISCS}"
DECIDED = '4210+barbaria D:b cis/-/-/- 12 rha rha dac -/-/-/- barbarian_discs={"gray":1,"black":0}'


def validate(name, data):
    Draft202012Validator({"$defs": schema()["$defs"], "$ref": f"#/$defs/{name}"}).validate(data)


def single(name, fields):
    """What the call of this name answers: its result or its error."""
    message = handle(HANDLERS, Request("", name, fields=fields), RequestContext())
    return message.get("result", message.get("error"))


def without_time(found):
    return {**found, "seconds": 0} if "seconds" in found else found


def chosen():
    """Positions of the base game, with modules and variants, of scenarios, and some in which little can be asked."""
    random = Random(48)
    started = [str(random_start(random)) for _ in range(4)]
    wars = [str(new_scenario(war, 3).start) for war in ("danubian-wars", "carausian-revolt")]
    return [*(str(example(name)) for name in examples()), *started[::2], *wars, DECIDED, WON, OVER, IMPOSSIBLE]


@pytest.mark.parametrize("line", chosen())
def test_each_part_is_that_of_the_single_call(line):
    found = ask("survey", position=line, budget="greedy", top=2, seed=5)
    validate("result_survey", found)
    assert {*found["parts"], *found["refused"]} == set(survey.PARTS) and found["missing"] == []
    for name in survey.PARTS:
        options = {"budget": "greedy", "top": 2, "seed": 5} if name == "hint" else {}
        expected = single(name, {"position": line, **options})
        assert without_time(found["parts"].get(name) or found["refused"][name]) == without_time(expected), name
    assert found["status"] == "complete"


def test_what_the_rules_refuse_is_refused_alone():
    assert set(ask("survey", position=IMPOSSIBLE)["refused"]) == {"actions", "risk", "hint"}
    assert set(ask("survey", position=OVER)["refused"]) == {"hint"}
    assert set(ask("survey", position=WON, parts=["actions", "risk", "hint"])["refused"]) == {"risk", "hint"}


def test_options_go_to_their_parts():
    found = ask("survey", position=DECIDED, parts=["risk"], decide="best")
    assert list(found["parts"]) == ["risk"] and found["parts"]["risk"]["policy"] == "best"
    found = ask("survey", position=to_data(example("fight")), parts=["hint", "read"], budget="greedy", top=1)
    assert list(found["parts"]) == ["read", "hint"] and len(found["parts"]["hint"]["plans"]) == 1


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"position": None}, "position"),
        ({"position": "4211"}, "position: "),
        ({"parts": []}, "parts"),
        ({"parts": ["read", "read"]}, "parts"),
        ({"parts": ["plan"]}, "parts"),
        ({"parts": [["read"]]}, "parts"),
        ({"parts": "read"}, "parts"),
        ({"parts": ["read"], "budget": "greedy"}, "budget"),
        ({"parts": ["hint"], "decide": "eager"}, "decide"),
        ({"budget": "huge"}, "budget"),
        ({"top": 0}, "top"),
        ({"seed": -1}, "seed"),
        ({"decide": []}, "decide"),
        ({"games": 720}, "games"),
    ],
)
def test_what_is_wrong_for_all_is_refused_before_any_part(fields, where):
    request = {"position": FIGHT, **fields}
    context = RequestContext(lambda _: pytest.fail("a part began"), report_every=0.0)
    with pytest.raises(StrictError) as refused:
        HANDLERS["survey"](request, context)
    assert str(refused.value.where).startswith(where)
    if where != "position: ":
        assert not Draft202012Validator({"$defs": schema()["$defs"], "$ref": "#/$defs/request"}).is_valid(
            {"id": "s", "ask": "survey", **request}
        )


def test_what_is_there_first_is_reported_first():
    reports = []
    last = HANDLERS["survey"]({"position": FIGHT, "budget": "expectimax"}, RequestContext(reports.append, 60.0))
    known = [tuple(report["parts"]) for report in reports]
    quick = ("read", "actions", "picture")
    assert [*dict.fromkeys(known)][-3:] == [quick, (*quick, "risk"), (*quick, "risk", "hint")]
    for report in reports:
        validate("result_survey", report)
        assert {*report["parts"], *report["missing"]} == set(survey.PARTS) and report["status"] == "interrupted"
    assert last["status"] == "complete"


def test_without_reports_there_are_none():
    HANDLERS["survey"]({"position": FIGHT, "budget": "greedy"}, RequestContext(lambda _: pytest.fail("a report")))


@pytest.mark.parametrize("line", [LARGE, LARGE_WITH_MODULES])
def test_what_the_time_does_not_suffice_for_is_named(line):
    """With time for the quick parts there are intervals; stopped before it begins, everything is missing."""
    found = ask("survey", position=line, seconds=0.4, budget="greedy")
    validate("result_survey", found)
    assert found["status"] == "interrupted" and found["missing"] == []
    assert (found["parts"]["risk"]["status"], found["parts"]["risk"]["kind"]) == ("interrupted", "interval")
    context = RequestContext()
    context.stop("cancelled")
    found = HANDLERS["survey"]({"position": line}, context)
    assert (found["parts"], found["missing"], found["status"]) == ({}, list(survey.PARTS), "interrupted")


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_survey_that_is_cancelled_has_what_was_found(number):
    """At its first reports: with `read`, with all that is quick, with the risk, with a hint."""
    reports = []

    def send(report):
        reports.append(report)
        if len(reports) == number:
            context.stop("cancelled")

    context = RequestContext(send, 0.01)
    found = HANDLERS["survey"]({"position": FIGHT, "budget": "deep"}, context)
    assert found["status"] == "interrupted"
    assert {*found["parts"], *found["missing"]} == set(survey.PARTS)
    assert set(reports[-1]["parts"]) <= set(found["parts"])


def test_a_request_in_this_process_can_be_cancelled_and_names_what_is_wrong():
    cancel = Stop()
    cancel.set()
    found = ask("hint", position=LARGE, budget="deep", cancel=cancel)
    assert found["status"] == "interrupted" and found["plans"]
    for kind, fields, where in (("dance", {}, "kind"), ("risk", {"seconds": -1}, "seconds"), ("read", {}, "position")):
        with pytest.raises(StrictError) as refused:
            ask(kind, **fields)
        assert refused.value.where == where


# -- the machinery of several requests in one -------------------------------------------------------------------------


def survey_of(monkeypatch, risk, context=None):
    """A survey whose risk is this handler."""

    def handler(fields, context):
        require_position(fields)
        return risk(context)

    monkeypatch.setitem(survey.PARTS, "risk", PartRequest(handler, share=0.5))
    return HANDLERS["survey"]({"position": FIGHT, "parts": ["read", "risk"]}, context or RequestContext(seconds=60.0))


def require_position(fields):
    if "position" not in fields:
        raise RequestError("missing", where="position")


def test_a_part_that_runs_out_of_time_is_missing(monkeypatch):
    def late(context):
        context.stop(DEADLINE)
        raise OutOfTimeError("too late")

    found = survey_of(monkeypatch, late)
    assert (found["missing"], found["refused"], found["status"]) == (["risk"], {}, "interrupted")


def test_a_mistake_of_ours_costs_one_part_and_is_not_complete(monkeypatch):
    """Nor is what a limit refuses: it must not be stored."""
    for error, kind in ((ZeroDivisionError("oh"), "internal"), (OutOfMemoryError("full"), "limit")):

        def fail(_, error=error):
            raise error

        found = survey_of(monkeypatch, fail)
        assert (found["refused"]["risk"]["kind"], found["status"]) == (kind, "interrupted")
        assert found["parts"]["read"]["legal"]


def test_a_risk_that_is_not_exact_gets_the_rest_of_the_time(monkeypatch):
    """A second answer counts where it is complete, and only there."""
    for second in ("complete", "interrupted"):
        seconds = []

        def improve(context, seconds=seconds, second=second):
            seconds.append(context.seconds)
            return {"status": second if len(seconds) > 1 else "interrupted", "number": len(seconds)}

        found = survey_of(monkeypatch, improve)
        assert len(seconds) == 2 and seconds[0] <= 30 and seconds[1] > 50
        assert found["parts"]["risk"]["number"] == (2 if second == "complete" else 1)
        assert found["status"] == second


def test_a_part_stops_with_the_whole_but_the_whole_not_with_it():
    whole = RequestContext(seconds=60.0)
    part = whole.part(0.5, lambda _: None)
    assert part.seconds is not None and 29 < part.seconds <= 30
    part.stop(DEADLINE)
    assert part.is_stopped() and not whole.is_stopped()
    second = whole.part(1.0, lambda _: None)
    whole.stop("cancelled")
    assert second.is_stopped() and second.stop_reason == "cancelled"
    assert whole.part(1.0, lambda _: None).is_stopped()
    assert whole.part(0.0, lambda _: None).seconds == 0.0
    assert RequestContext().part(0.5, lambda _: None).seconds is None


def test_a_handler_that_does_not_look_at_its_position_is_a_mistake():
    with pytest.raises(RuntimeError, match="without a position"):
        require(PartRequest(lambda *_: {}), {})


# -- chances of actions -----------------------------------------------------------------------------------------------


def fights():
    """Positions with attacks, also by other figures and with payments."""
    random, found = Random(7), [example("fight")]
    while len(found) < 40:
        position = random_start(random)
        for _ in range(20):
            moves = [] if not isinstance(position, Position) else PLAY.moves(position)
            if any(move.startswith("attack") or ": attack" in move for move in moves):
                found.append(position)
                break
            if not moves:
                break
            position = PLAY.sample(position, random.choice(moves), random)
    return found


def test_chances_of_an_attack_add_up():
    """Over its outcomes, for each leader and payment; without payments they are those of the rules."""
    seen = set()
    for position in fights():
        rows = {row["action"]: row for row in ask("actions", position=str(position))["actions"]}
        attacks = [action for action in legal_actions(position) if action.kind is Kind.ATTACK]
        assert [name for name, row in rows.items() if "chance" in row] == list(map(str, attacks))
        for way, group in groupby(attacks, key=lambda action: (action.figure, action.place, action.payments)):
            chances = {action: Fraction(rows[str(action)]["chance"]["exact"]) for action in group}
            seen.add((position, way))
            assert sum(chances.values()) == 1 and min(chances.values()) >= 0
            if not way[2]:
                move = f"attack {way[1]}" + (f" by {way[0]}" if way[0] else "")
                known = dict(PLAY.outcomes(position, move).items())
                assert all(known[play(position, action)] == chance for action, chance in chances.items())
    assert len(seen) >= 12 and {bool(way[2]) for _, way in seen} == {True, False}


# -- over HTTP --------------------------------------------------------------------------------------------------------


def test_a_survey_streams(served):
    fields = {"position": FIGHT, "budget": "greedy", "top": 1}
    *before, (_, kind, last) = served.events("survey", fields)
    assert kind == "done" and {name for _, name, _ in before} <= PROGRESS
    assert last["status"] == "complete"
    assert last["parts"]["risk"] == served.post("risk", {"position": FIGHT}).json()
    assert served.post("survey", {"position": 5}).json()["where"] == "position"
