"""What the analysis protocol answers about Tetrarchia, compared with its JSON Schema and against the library."""

import io
import json
from fractions import Fraction
from importlib.resources import files
from itertools import combinations

import pytest
from jsonschema import Draft202012Validator

from tetrasolve.analysis.server import Server
from tetrasolve.analysis.worker import RequestContext
from tetrasolve.errors import IllegalPositionError, OutOfTimeError
from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.strict import StrictError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.hint.advice import hint
from tetrasolve.tetrarchia.hint.choices import advise_on_phase
from tetrasolve.tetrarchia.hint.comparison import compare
from tetrasolve.tetrarchia.hint.service import HANDLERS, about
from tetrasolve.tetrarchia.phase.text import risk_svg
from tetrasolve.tetrarchia.plan.steps import turn_data
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk import risk
from tetrasolve.tetrarchia.risk.best import best_play, read_wanted
from tetrasolve.tetrarchia.risk.deciders import by_best_play, by_policy
from tetrasolve.tetrarchia.risk.horizon import horizon
from tetrasolve.tetrarchia.risk.views import by_disc, by_event, by_province
from tetrasolve.tetrarchia.service.survey import HANDLERS as SEVERAL

SCHEMA = json.loads((files("tetrasolve.tetrarchia") / "data/analysis.schema.json").read_text("utf-8"))
FIGHT, MOVEMENT = str(example("fight")), str(example("movement"))
SMALL = '4210+barbaria D:b cis/-/-/- 12 - rha dac -/-/-/- barbarian_discs={"gray":1,"black":0}'
LARGE = '4210+barbaria D:b cis/-/-/- 12 rha.nor rha.nor dac.cil -/-/-/- barbarian_discs={"gray":2,"black":1}'
DECIDED = '4210+barbaria D:b cis/-/-/- 12 rha rha dac -/-/-/- barbarian_discs={"gray":1,"black":0}'


def validator(name):
    return Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{name}"})


def ask(name, /, context=None, **fields):
    return HANDLERS[name](fields, context or RequestContext())


def test_the_schema_is_one():
    """By the rules of its draft."""
    Draft202012Validator.check_schema(SCHEMA)


def test_a_hint_over_the_protocol():
    """Requests and answers keep to the schema; partial answers come before the final one, which is the library's hint."""
    requests = [
        {"id": "a", "ask": "about"},
        {"id": "h", "ask": "hint", "position": FIGHT, "budget": "expectimax", "top": 2, "seed": 5, "report_every": 0.01},
        {"id": "j", "ask": "hint", "position": json.loads(example("fight").to_json()), "top": 1, "budget": "greedy"},
        {"id": "r", "ask": "risk", "position": MOVEMENT, "seconds": 60},
        {"id": "s", "ask": "status", "position": MOVEMENT},
        {"id": "c", "ask": "cancel", "target": "nobody"},
    ]  # fmt: skip
    for request in requests:
        validator("request").validate(request)
    answers = []
    lines = b"\n".join(json.dumps(request).encode() for request in requests)
    Server("tetrasolve.tetrarchia.hint.service", lambda line: answers.append(json.loads(line))).serve(io.BytesIO(lines))
    for answer in answers:
        validator("answer").validate(answer)
    final = {answer["id"]: answer["result"] for answer in answers if answer["final"]}
    assert set(final) == {request["id"] for request in requests}
    for name in ("h", "j"):
        validator("hint").validate(final[name])
    expected = hint(example("fight"), budget="expectimax", top=2, seed=5)
    data = expected.as_data()
    for row, advice in zip(data["plans"], expected.advice, strict=True):
        row["turn"] = turn_data(example("fight"), advice.plan)
    assert {**final["h"], "seconds": 0} == {**data, "seconds": 0}
    assert final["r"]["p_uprising"]["exact"] == str(risk(example("movement")).figures.p_uprising)
    assert final["s"] == {"position": MOVEMENT, "legal": True, "reasons": []}
    validator("limits").validate(final["a"]["limits"])
    assert final["a"]["asks"] == about()["asks"] == ["about", "cancel", "hint", "risk", "status"]


def test_a_plan_is_compared_over_the_protocol():
    """As the library compares it; what does not go together, and what the rules forbid, is refused where it is."""
    request = {"position": FIGHT, "compare": "attack narbonensis", "budget": "greedy", "seed": 3}
    validator("request").validate({"id": "p", "ask": "hint", **request})
    found = ask("hint", **request)
    validator("comparison").validate(found)
    compared = compare(example("fight"), "attack narbonensis", budget="greedy", seed=3)
    expected = compared.as_data()
    for name, advice in (("mine", compared.mine), ("best", compared.best)):
        expected[name]["turn"] = turn_data(example("fight"), advice.plan)
    assert {**found, "seconds": 0} == {**expected, "seconds": 0} and found["refutation"]["outcome"] == "defeat"
    for name in ("top", "games"):
        assert not validator("request").is_valid(
            {"id": "p", "ask": "hint", **request, name: 720 if name == "games" else 2}
        )
        with pytest.raises(StrictError, match="it does not go with compare"):
            ask("hint", **request, **{name: 720 if name == "games" else 2})
    for plan, said in (("move roma", "move roma: neither a link"), ("sing", "is no action"), (5, "found 5")):
        with pytest.raises(StrictError, match=said) as refused:
            ask("hint", **{**request, "compare": plan})
        assert refused.value.where == "compare"
    same = ask("hint", position=FIGHT, compare=found["best"]["plan"], budget="greedy")
    validator("comparison").validate(same)
    assert same["same"] and same["refutation"] is None


BLACK = '4211+barbaria D:b -/-/-/- 12 lib gla.gin.dac.thr.asi.cyr.num - -/-/-/- barbarian_discs={"black":1,"gray":4}'
BOTH = (
    '4210+barbaria+imperium D:b asi/-/cis/- 13 rha rha dac -/-/-/- barbarian_discs={"black":0,"gray":2} '
    'removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
)
COURSE = [5, 6, "reroll", 3, 5, "no", 4, "no"]  # up to a choice of Constantius


@pytest.mark.parametrize(
    ("position", "fields"),
    [(BLACK, {"top": 2, "budget": "deep"}), (DECIDED, {"faces": [1, 2]}), (BOTH, {"faces": COURSE, "seed": 4})],
)
def test_a_hint_in_a_phase_is_advice_on_a_choice(position, fields):
    """As the library gives it; the schema of a hint has it, and that of plans has not."""
    validator("request").validate({"id": "c", "ask": "hint", "position": position, **fields})
    found = ask("hint", position=position, **fields)
    faces, seed = fields.get("faces", ()), fields.get("seed", 0)
    assert found == advise_on_phase(Position.parse(position), faces, seed=seed).as_data()
    validator("choice_advice").validate(found)
    validator("result_hint").validate(found)
    assert not validator("hint").is_valid(found)
    assert found["decider"] == ("constantius" if position == BOTH else "barbarian")


def test_advice_on_a_choice_is_reported_on_the_way():
    """After 2 phases, 4, and so on; each is what as many phases give, and the last is the answer."""
    reports = []
    found = ask("hint", RequestContext(reports.append, report_every=0.0), position=BLACK)
    phases = [report["phases"] for report in reports]
    assert phases == [2, 4, 8, 16, 32, 64, found["phases"]] and reports[-1] == found
    for report in reports[:3]:
        validator("choice_advice").validate(report)
        assert report == advise_on_phase(Position.parse(BLACK), phases=report["phases"]).as_data() | {
            "status": "interrupted"
        }


def test_a_choice_has_advice_in_a_survey_and_in_a_batch():
    """Beside plans of turns; where dice come first it is refused with what to do."""
    found = survey("batch", {"of": "hint", "positions": [FIGHT, BLACK, DECIDED], "budget": "greedy", "top": 1})
    validator("result_batch").validate(found)
    plans, options, refused = found["answers"]
    assert plans["result"]["plans"] and options["result"]["options"]
    assert "begins with dice" in refused["error"]["problem"]
    found = survey("survey", {"position": BLACK, "parts": ["read", "hint"]})
    validator("result_survey").validate(found)
    assert found["status"] == "complete" and found["parts"]["hint"] == options["result"]


def survey(name, fields):
    return SEVERAL[name](fields, RequestContext())


def test_advice_on_a_choice_that_is_cancelled_at_once_has_nothing_to_say():
    context = RequestContext()
    context.stop("cancelled")
    with pytest.raises(OutOfTimeError, match=r"the time ran out after [01] phases"):
        ask("hint", context, position=BLACK)


@pytest.mark.parametrize(
    ("position", "fields", "where", "said"),
    [
        (DECIDED, {"faces": [1, 2], "compare": "end"}, "compare", "a choice of a phase"),
        (DECIDED, {"faces": [1, 2], "games": 720}, "games", "a choice of a phase"),
        (BLACK, {"games": 720}, "games", "a choice of a phase"),
        (DECIDED, {"faces": [1]}, "faces", "no die is left for: activity: province"),
        (DECIDED, {"faces": [1, 2, "maybe"]}, "faces", "'maybe' is no answer to"),
        (BOTH, {"faces": COURSE[:6]}, "faces", "no choice to advise on after 5 6 reroll 3 5 no: dice come next"),
        (DECIDED, {"faces": [7]}, "faces", "a list of faces from 1 to 6"),
        (DECIDED, {"faces": "1 2"}, "faces", "a list of faces from 1 to 6"),
        (FIGHT, {"faces": [1, 2]}, "faces", "the Emperor's turn is not over"),
        (FIGHT.replace("M:6", "M:b"), {"faces": [1, 2]}, "faces", "expected barbaria or imperium"),
    ],
)
def test_faces_without_a_choice_behind_them_are_refused(position, fields, where, said):
    with pytest.raises(StrictError, match=said) as refused:
        ask("hint", position=position, **fields)
    assert refused.value.where == where
    if {"compare", "games"} & {*fields} and "faces" in fields:
        assert not validator("request").is_valid({"id": "c", "ask": "hint", "position": position, **fields})


def test_a_phase_that_begins_with_dice_says_what_to_ask():
    """Not about a field: the position alone has no answer."""
    for fields in ({}, {"faces": []}):
        with pytest.raises(IllegalPositionError, match="begins with dice, and nobody can decide anything before them"):
            ask("hint", position=DECIDED, **fields)


def test_a_risk_takes_what_the_command_takes():
    """Positions with modules, policies, and best play."""
    declined, eager = (ask("risk", position=DECIDED, decide=policy) for policy in ("decline", "eager"))
    assert (declined["policy"], eager["policy"]) == ("decline", "eager")
    assert declined["e_revolts"] != eager["e_revolts"]
    best = ask("risk", position=DECIDED, decide="best", objective="most e_revolts", price="1/100")
    assert best == best_play(Position.parse(DECIDED), "most e_revolts", price=Fraction(1, 100)).as_data()
    validator("best").validate(best)
    validator("request").validate(
        {"id": "b", "ask": "risk", "position": DECIDED, "decide": "best", "objective": "e_revolts", "price": "1/20"}
    )
    context = RequestContext()
    context.stop("cancelled")
    bounds = ask("risk", context, position=DECIDED, decide="best")
    validator("best").validate(bounds)
    assert bounds["status"] == "interrupted"


def test_a_risk_takes_details_and_a_picture():
    """They are the library's."""
    details = {"event": by_event, "province": by_province, "disc": by_disc}
    for name, view in details.items():
        assert ask("risk", position=MOVEMENT, by=name)[f"by_{name}"] == view(example("movement"))
    eager, best = by_policy("eager"), by_best_play(read_wanted("e_revolts", Board.standard()))
    for name, view in (("event", by_event), ("province", by_province)):
        found = ask("risk", position=SMALL, by=name, decide="eager")
        assert found[f"by_{name}"] == view(Position.parse(SMALL), None, eager)
        found = ask("risk", position=SMALL, by=name, decide="best", objective="e_revolts")
        validator("best").validate(found)
        assert found.pop(f"by_{name}") == view(Position.parse(SMALL), None, best)
        assert found == best_play(Position.parse(SMALL), "e_revolts").as_data()
    drawn = ask("risk", position=MOVEMENT, svg=True)
    assert drawn["svg"] == risk_svg(risk(example("movement")))
    context = RequestContext()
    context.stop("cancelled")
    short = ask("risk", context, position=FIGHT, by="disc")
    assert short["status"] == "interrupted" and "by_disc" not in short
    short = ask("risk", context, position=SMALL, by="disc", decide="best")
    validator("best").validate(short)
    assert short["status"] == "interrupted" and "by_disc" not in short


def test_details_of_best_play_need_a_small_phase():
    """The refusal names the field, and what can be asked instead."""
    with pytest.raises(StrictError, match="ask for them under decline or eager") as refused:
        ask("risk", position=LARGE, by="event", decide="best")
    assert refused.value.where == "by"


def test_a_risk_of_several_phases_is_a_horizon():
    """With plans and modules; without runs it is the same every time."""
    asked = {"horizon": 2, "plans": ["end"], "decide": "eager", "runs": 0}
    found = ask("risk", position=DECIDED, **asked)
    again = horizon(Position.parse(DECIDED), 2, plans=["end"], policy="eager", runs=0, executor=SerialExecutor())
    assert found == again.as_data()
    assert found["notes"][0] == "choices in the phases: eager"
    context = RequestContext()
    context.stop("cancelled")
    assert ask("risk", context, position=DECIDED, horizon=2)["status"] == "interrupted"


FIELDS = {
    "decide": ["decline", "best"],
    "objective": ["p_lost"],
    "price": ["1/20"],
    "by": ["event"],
    "svg": [True, False],
    "horizon": [1],
    "plans": [["end"]],
    "runs": [0],
    "run_seed": [3],
}


def pairs_of_fields():
    """Every two fields with each of their values, and each of them alone."""
    single = [{name: value} for name, values in FIELDS.items() for value in values]
    return [{}, *single, *({**a, **b} for a, b in combinations(single, 2) if not set(a) & set(b))]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("fields", [*pairs_of_fields(), {"horizon": 1, "plans": ["end"], "decide": "eager"}], ids=str)
def test_the_schema_takes_what_the_engine_takes(fields):
    """Fields that do not go together are refused by both."""
    request = {"id": "x", "ask": "risk", "position": DECIDED, **fields}
    refused = None
    try:
        ask("risk", position=DECIDED, **fields)
    except StrictError as error:
        refused = error.where
    assert (refused is None) == validator("request").is_valid(request)
    assert refused is None or refused in fields


def test_an_estimate_has_the_form_of_an_opinion():
    """A client reads `value` and `interval`, whichever kind it is."""
    nearly_won = "4211 D:2 srm/mac/-/- 23 - lus - -/-/gae.bri/gma.lib.per"
    parts = []
    last = ask(
        "hint",
        RequestContext(parts.append, report_every=0.0),
        position=nearly_won,
        budget="greedy",
        top=1,
        games=720,
    )
    for part in (*parts, last):
        validator("hint").validate(part)
    wins = [part["plans"][0]["win"] for part in (parts[0], last)]
    assert [win["kind"] for win in wins] == ["evaluation", "estimate"]
    assert all(win["value"] == 1 and win["interval"] == [1, 1] for win in wins)


def test_partial_answers_are_hints():
    """Each from a closer look, but for the second: the first is the best plan of the same look alone."""
    parts = []
    context = RequestContext(parts.append, report_every=0.0)
    last = ask("hint", context, position=FIGHT, budget="expectimax", top=2)
    assert [len(part["plans"]) for part in parts] == [1, *([2] * (len(parts) - 1))]
    assert parts[0]["nodes"] == parts[1]["nodes"] and parts[0]["plans"][0]["plan"] == parts[1]["plans"][0]["plan"]
    assert [part["nodes"]["turns"] for part in parts[1:]] == sorted({part["nodes"]["turns"] for part in parts})
    assert parts[-1] == last
    for part in parts:
        validator("hint").validate(part)


def test_a_cancelled_hint_has_what_was_found():
    """From the first look."""
    context = RequestContext()
    context.stop("cancelled")
    last = ask("hint", context, position=FIGHT, budget="deep")
    assert last["nodes"]["phases"] == 0 and last["plans"]


@pytest.mark.parametrize(
    ("name", "fields", "where"),
    [
        ("hint", {}, "position"),
        ("hint", {"position": 7}, "position"),
        ("hint", {"position": "4211"}, "position: "),
        ("hint", {"position": {"board": 1}}, "position: "),
        ("hint", {"position": FIGHT, "top": 0}, "top"),
        ("hint", {"position": FIGHT, "top": True}, "top"),
        ("hint", {"position": FIGHT, "seed": -1}, "seed"),
        ("hint", {"position": FIGHT, "budget": "huge"}, "budget"),
        ("hint", {"position": FIGHT, "budget": []}, "budget"),
        ("hint", {"position": FIGHT, "games": 0.5}, "games"),
        ("hint", {"position": FIGHT, "games": 36}, "games"),
        ("hint", {"position": FIGHT, "depth": 3}, "depth"),
        ("risk", {"position": MOVEMENT, "top": 3}, "top"),
        ("risk", {"position": DECIDED, "decide": "always"}, "decide"),
        ("risk", {"position": MOVEMENT, "by": "army"}, "by"),
        ("risk", {"position": MOVEMENT, "svg": "map.svg"}, "svg"),
        ("risk", {"position": MOVEMENT, "horizon": 0}, "horizon"),
        ("risk", {"position": MOVEMENT, "horizon": 2.0}, "horizon"),
        ("risk", {"position": MOVEMENT, "horizon": 2, "plans": "secure"}, "plans"),
        ("risk", {"position": MOVEMENT, "horizon": 2, "plans": ["fly"]}, "plans"),
        ("risk", {"position": MOVEMENT, "horizon": 2, "runs": -1}, "runs"),
        ("risk", {"position": MOVEMENT, "horizon": 2, "run_seed": -1}, "run_seed"),
        ("risk", {"position": DECIDED, "decide": []}, "decide"),
        ("risk", {"position": DECIDED, "objective": "p_lost"}, "objective"),
        ("risk", {"position": DECIDED, "decide": "best", "objective": 7}, "objective"),
        ("risk", {"position": DECIDED, "decide": "best", "objective": "fame"}, "objective"),
        ("risk", {"position": DECIDED, "decide": "best", "price": -1}, "price"),
        ("risk", {"position": DECIDED, "decide": "best", "price": "1/0"}, "price"),
        ("risk", {"position": DECIDED, "decide": "best", "price": True}, "price"),
        ("status", {}, "position"),
    ],
)
def test_what_is_wrong_is_named(name, fields, where):
    """By its field."""
    with pytest.raises(StrictError) as caught:
        ask(name, **fields)
    assert str(caught.value.where).startswith(where)


def test_a_position_that_cannot_occur_has_its_reasons():
    """All of them."""
    data = {**json.loads(example("movement").to_json()), "armies": ["roma"]}
    found = ask("status", position=data)
    assert not found["legal"] and found["reasons"]
