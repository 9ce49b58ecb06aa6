"""Every call over real HTTP: its example is answered as its schema says, and by what the library answers."""

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner
from httpservice import WAIT
from jsonschema import Draft202012Validator

from tetrasolve.cli.main import program
from tetrasolve.games import game
from tetrasolve.serve.document import calls
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.jsonform import to_data
from tetrasolve.tetrarchia.parts import PLAY
from tetrasolve.tetrarchia.plan import plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import write_record
from tetrasolve.tetrarchia.risk import risk
from tetrasolve.tetrarchia.risk.combat import fight
from tetrasolve.tetrarchia.rules import RandomDice, cost, legal_actions, parse, play
from tetrasolve.tetrarchia.ruleset import Ruleset
from tetrasolve.tetrarchia.text import position_text

SCHEMA = game().get_messages()
CALLS = list(calls(SCHEMA))
FIGHT = str(example("fight"))


@pytest.fixture(scope="module")
def document(served):
    return served.client.get("/v1/openapi.json").json()


def validator(document, name):
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": document["components"]})


def test_the_document_has_every_kind_of_request(document):
    """As the protocol lists them, but for those that the server of the protocol answers itself."""
    asks = set(SCHEMA["$defs"]["request"]["properties"]["ask"]["enum"]) - {"about", "cancel"}
    posts = {path.removeprefix("/v1/") for path, said in document["paths"].items() if "post" in said}
    assert asks == {call.ask for call in CALLS} <= posts
    assert document["openapi"].startswith("3.1")
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.ask)
def test_each_example_is_answered_as_the_document_says(served, document, call):
    media = document["paths"][f"/v1/{call.ask}"]["post"]["requestBody"]["content"]["application/json"]
    assert [row["value"] for row in media["examples"].values()] == list(call.examples) != []
    for body in call.examples:
        validator(document, call.body).validate(body)
        assert not validator(document, call.body).is_valid({**body, "nonsense": 1})
        found = served.post(call.ask, body)
        assert found.status_code == 200, found.text
        validator(document, call.result).validate(found.json())
        refused = served.post(call.ask, {**body, "nonsense": 1})
        assert (refused.status_code, refused.json()["where"]) == (422, "nonsense")
        validator(document, "problem").validate(refused.json())


JSON_TYPE = {"content-type": "application/json"}


def test_the_service_says_what_it_is(served):
    about = served.client.get("/v1/about").json()
    assert about["game"] == "tetrarchia" and set(about["quick"]) < set(about["asks"])
    assert about["limits"]["line"] == about["service"]["body"] == 2**16 and about["limits"]["depth"] == 32
    for depth, status in ((31, 422), (32, 400)):  # below the object itself
        deep = served.client.post(
            "/v1/read", content='{"position": ' + "[" * depth + "]" * depth + "}", headers=JSON_TYPE
        )
        assert deep.status_code == status, deep.text
    assert served.client.get("/v1/health").json() == {"status": "alive"}
    assert served.client.get("/v1/ready").json() == {"status": "ready"}
    assert served.client.get("/v1/schema").json() == SCHEMA
    metrics = served.client.get("/v1/metrics").text
    assert 'tetrasolve_requests_total{call="/v1/about",status="200"}' in metrics


def test_a_position_has_three_forms(served):
    position = example("fight")
    found = served.post("read", {"position": to_data(position)}).json()
    assert (found["position"], found["json"], found["legal"]) == (FIGHT, to_data(position), True)
    text = served.post("read", {"position": FIGHT}, accept="text/plain")
    assert text.headers["content-type"].startswith("text/plain") and text.text == position_text(position)
    picture = served.post("picture", {"position": FIGHT}, accept="image/svg+xml")
    assert picture.headers["content-type"] == "image/svg+xml" and picture.text == board_svg(
        position.board, Position.parse(FIGHT)
    )
    impossible = served.post("read", {"position": FIGHT.replace(" 23 ", " 22 ")}).json()
    assert not impossible["legal"] and {"code", "where", "text", "rule"} == set(impossible["reasons"][0])


def test_legal_actions_cost_what_they_cost(served):
    position = example("fight")
    found = served.post("actions", {"position": FIGHT}).json()["actions"]
    expected = [(str(action), cost(position, action)) for action in legal_actions(position)]
    assert [(row["action"], row["ip"]) for row in found] == [*expected, ("end", 0)]
    over = str(play(position, parse(position, "end")))
    assert served.post("actions", {"position": over}).json()["actions"] == []
    refused = served.post("actions", {"position": FIGHT.replace(" 23 ", " 22 ")})
    assert refused.status_code == 422 and "cannot occur" in refused.json()["detail"]


@pytest.mark.parametrize(
    "position",
    [
        FIGHT.replace("M:6", "M:0"),  # no IP is left
        "4211?I-ENTRY-ROMA=no-disc D:6 -/-/-/- 12 - rom.bit - -/-/-/-",  # both places where he could enter are closed
    ],
    ids=["no IP", "closed out"],
)
def test_a_turn_in_which_nothing_else_is_legal_can_still_be_ended(served, position):
    found = served.post("actions", {"position": position}).json()["actions"]
    assert [row["action"] for row in found] == ["end"]
    assert served.post("apply", {"position": position, "action": "end"}).status_code == 200


def test_an_action_is_carried_out(served):
    position = example("fight")
    for row in served.post("actions", {"position": FIGHT}).json()["actions"]:
        after = served.post("apply", {"position": FIGHT, "action": row["action"]}).json()
        assert after["position"] == str(play(position, parse(position, row["action"]))) and after["result"] == ""
    rolled = served.post("apply", {"position": FIGHT, "action": "attack narbonensis", "seed": 3}).json()
    again = served.post("apply", {"position": FIGHT, "action": "attack narbonensis", "faces": rolled["faces"]}).json()
    outcomes = PLAY.outcomes(position, "attack narbonensis")
    assert again == rolled and Position.parse(rolled["position"]) in {state for state, _ in outcomes.items()}
    over = served.post("apply", {"position": FIGHT, "action": "end"}).json()["position"]
    phase = served.post("apply", {"position": over, "action": "barbarians", "seed": 3}).json()
    again = served.post("apply", {"position": over, "action": "barbarians", "faces": phase["faces"]}).json()
    possible = PLAY.outcomes(Position.parse(over), "barbarians")
    assert again == phase and Position.parse(phase["position"]) in {state for state, _ in possible.items()}


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"action": "sing"}, "action"),
        ({"action": "move roma"}, "action"),
        ({"action": "attack narbonensis"}, "action"),
        ({"action": "attack narbonensis: victory", "seed": 1}, "action"),
        ({"action": "attack roma", "seed": 1}, "action"),
        ({"action": "barbarians", "seed": 1}, "action"),
        ({"action": "secure", "faces": [1]}, "action"),
        ({"action": "attack narbonensis", "faces": [1]}, "faces"),
        ({"action": "attack narbonensis", "faces": [0, 7]}, "faces"),
        ({"action": "attack narbonensis", "faces": [1, 2], "seed": 1}, "faces"),
        ({"action": "attack narbonensis", "seed": -1}, "seed"),
        ({"action": 5}, "action"),
        ({}, "action"),
    ],
)
def test_what_the_rules_forbid_is_refused_where_it_is(served, fields, where):
    found = served.post("apply", {"position": FIGHT, **fields})
    assert (found.status_code, found.json()["where"]) == (422, where)


def test_a_phase_takes_the_dice_it_needs(served):
    over = served.post("apply", {"position": FIGHT, "action": "end"}).json()["position"]
    for fields, where in (({}, "seed"), ({"faces": [3]}, "faces"), ({"faces": [1] * 99}, "faces")):
        found = served.post("apply", {"position": over, "action": "barbarians", **fields})
        assert (found.status_code, found.json()["where"]) == (422, where)


def test_a_game_is_set_up_and_replayed(served):
    played = new_game(Ruleset.from_text("4211"), 7)
    found = served.post("new", {"level": "4211", "seed": 7}).json()
    assert found == {"position": str(played.start), "record": write_record(played)}
    played.act(parse(played.position, "enter roma"))
    played.end()
    played.barbarians(RandomDice(5))
    states = served.post("replay", {"record": write_record(played)}).json()["states"]
    assert [row["position"] for row in states] == [str(state) for state in played.states]
    assert states[3]["faces"] == list(played.played[2].course)
    again = served.post("replay", {"record": write_record(played), "json": True}).json()["states"]
    assert [row.pop("json") for row in again] == [to_data(state) for state in played.states] and again == states
    assert served.post("replay", {"record": write_record(played), "json": 1}).json()["where"] == "json"
    wrong = served.post("replay", {"record": write_record(played).replace("result open", "result won")}).json()
    assert not wrong["verified"] and wrong["line"] == 8 and "open" in wrong["problem"]
    for fields, where in (
        ({"seed": 1}, "level"),
        ({"level": "9", "seed": 1}, "level"),
        ({"scenario": "x", "seed": 1}, "scenario"),
    ):
        assert served.post("new", fields).json()["where"] == where


def test_questions_have_the_answers_of_the_library(served):
    found = served.post("risk", {"position": FIGHT}).json()
    assert found["p_uprising"]["exact"] == str(risk(example("fight")).figures.p_uprising)


def test_a_plan_is_data(served):
    """The tree of steps and branches has the values of the plan: its chances add up, its IP is what the plan expects to pay."""
    found = served.post("plan", {"position": FIGHT, "objective": "kill narbonensis"}).json()
    expected = plan(example("fight"), "kill narbonensis")
    assert (found["status"], found["plan"]) == ("optimal_proved", str(expected.plan))

    def leaves(turn, paid):
        paid += sum(step["ip"] for step in turn["steps"]) + turn.get("ip", 0)
        if "branches" not in turn:
            yield Fraction(turn["reached"]["exact"]), paid, turn["position"]
        for branch in turn.get("branches", []):
            yield from leaves(branch["then"], paid)

    for turn, values in (
        (found["turn"], expected.values),
        (
            served.post("turn", {"position": FIGHT, "plan": found["runner_up"]}).json()["turn"],
            expected.runner_up_values,
        ),
    ):
        ends = list(leaves(turn, 0))
        assert sum(chance for chance, _, _ in ends) == 1
        killed = sum(chance for chance, _, line in ends if not Position.parse(line).armies)
        assert [killed, sum(chance * paid for chance, paid, _ in ends)] == list(values)


@pytest.mark.parametrize(
    ("ask", "fields", "where"),
    [
        ("plan", {"objective": "sing"}, "objective"),
        ("plan", {}, "objective"),
        ("turn", {"plan": "move roma"}, "plan"),
        ("turn", {"plan": "attack narbonensis {victory 1: end}"}, "plan"),
        ("turn", {"plan": "attack narbonensis {victory 5/6: end | draw 1/12: end | defeat 1/12: end}"}, "plan"),
        ("turn", {"plan": "attack narbonensis {victory 1: " * 400 + "end" + "}" * 400}, "plan"),
        ("fight", {"decide": "best"}, "decide"),  # these rules leave nothing to decide
        ("fight", {"decide": "worst"}, "decide"),
        ("fight", {"decide": ["best"]}, "decide"),
        ("fight", {"decide": "eager", "objective": "p_lost"}, "objective"),
        ("fight", {"price": 1}, "price"),
        ("fight", {"decide": "best", "price": -1}, "price"),
        ("campaign", {"goal": "sing"}, "goal"),
        ("campaign", {"goal": "victory", "dice": "sing"}, "dice"),
        ("campaign", {"goal": "victory", "turns": 25}, "turns"),
        ("hint", {"compare": "attack narbonensis {victory 1: " * 40 + "end" + "}" * 40}, "compare"),
    ],
)
def test_a_question_is_refused_where_it_is_wrong(served, ask, fields, where):
    """Also a plan whose chances are not those of the dice."""
    found = served.post(ask, {"position": FIGHT, **fields})
    assert (found.status_code, found.json().get("where")) == (422, where)


WAITS = (
    "4211+imperium C:0 asi/-/aeg/- 23 lib - syr -/-/-/- "
    'removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
)


@pytest.mark.parametrize("policy", ["decline", "eager", "best"])
def test_a_fight_takes_what_the_command_takes(served, policy):
    """The data of the command with the same options."""
    more = {"objective": "emperor=10", "price": "20"} if policy == "best" else {}
    found = served.post("fight", {"position": WAITS, "decide": policy, **more}).json()
    options = (word for name, value in more.items() for word in (f"--{name}", value))
    result = CliRunner().invoke(program, ["fight", WAITS, "--decide", policy, *options, "--json"])
    assert found == json.loads(result.output)
    assert found["policy"] == policy and {name: found[name] for name in more} == more
    for name, data in (("result_fight", found), ("ask_fight", {"position": WAITS, "decide": policy, **more})):
        Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{name}"}).validate(data)


def test_a_disc_that_is_dear_is_kept_in_a_fight(served):
    """Constantius blocks the army for a disc that costs nothing, and not for one that costs more than his life is worth."""
    asked = {"position": WAITS, "decide": "best", "objective": "emperor=10"}
    free, dear = (served.post("fight", {**asked, "price": price}).json()["fights"][0] for price in (0, "20"))
    assert free["waiting"]["exact"]["no_battle"]["exact"] == "1"
    assert dear["waiting"]["exact"]["no_battle"]["exact"] != "1"
    refused = served.post("fight", {**asked, "objective": "fame"})
    assert (refused.status_code, refused.json()["where"]) == (422, "objective")


def test_fights_reviews_and_findings(served):
    """Their figures are the library's."""
    fights = served.post("fight", {"position": FIGHT}).json()["fights"]
    chances = fight(example("fight")).fights[0].attacks[0].chances
    assert {name: Fraction(value["exact"]) for name, value in fights[0]["attacks"][0]["chances"].items()} == {
        str(outcome): chance for outcome, chance in chances.items()
    }
    for ask in ("review", "replay"):
        assert served.post(ask, {"record": 5}).json()["where"] == "record"
    assert served.post("review", {"record": "nonsense"}).json()["where"] == "record"
    rows = served.post("findings", {"readings": ["I-ENTRY"]}).json()["findings"]
    assert {row["reading"] for row in rows} == {"I-ENTRY"} and all(row["question"]["english"] for row in rows)
    assert served.post("findings", {"readings": ["nope"]}).json()["where"] == "readings"


def test_each_plan_of_a_hint_is_data(served):
    """The tree that `turn` gives, also of a comparison; the chances of its ends add up."""

    def chances(turn):
        if "branches" not in turn:
            return Fraction(turn["reached"]["exact"])
        return sum(chances(branch["then"]) for branch in turn["branches"])

    found = served.post("hint", {"position": FIGHT, "budget": "greedy", "top": 3}).json()["plans"]
    compared = served.post("hint", {"position": FIGHT, "budget": "greedy", "compare": "end"}).json()
    for advice in (*found, compared["mine"], compared["best"]):
        assert advice["turn"] == served.post("turn", {"position": FIGHT, "plan": advice["plan"]}).json()["turn"]
        assert chances(advice["turn"]) == 1
    assert any("branches" in advice["turn"] for advice in found)


def test_a_hint_streams(served):
    """Numbered events; the last one is the answer that comes without a stream."""
    fields = {"position": FIGHT, "budget": "greedy", "top": 1, "seed": 4}
    found = served.events("hint", fields)
    assert [number for number, _, _ in found] == list(range(1, len(found) + 1))
    kinds = [kind for _, kind, _ in found if kind not in WAIT]
    assert kinds == ["partial"] * (len(kinds) - 1) + ["done"]
    direct = served.post("hint", fields).json()
    assert {**found[-1][2], "seconds": 0} == {**direct, "seconds": 0}
    for data in (data for _, kind, data in found if kind not in WAIT):
        Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": "#/$defs/hint"}).validate(data)
    (refused,) = served.events("hint", {"position": 5})
    assert refused[1] == "error" and refused[2]["where"] == "position" and json.dumps(refused[2])


def test_a_method_that_is_not_there_names_all_that_are(served):
    """Also where each method of a path is a route of its own."""
    for method, path, allowed in (
        ("PUT", "jobs/x", "DELETE, GET"),
        ("PUT", "jobs/hint", "POST"),
        ("GET", "read", "POST"),
        ("POST", "about", "GET"),
    ):
        found = served.client.request(method, f"/v1/{path}")
        assert (found.status_code, found.headers["allow"]) == (405, allowed)
        assert found.json()["status"] == 405


def test_documents_have_the_type_that_the_document_says(served):
    said = served.client.get("/v1/openapi.json").json()["paths"]
    for name in ("about", "health", "ready", "metrics", "schema"):
        (documented,) = said[f"/v1/{name}"]["get"]["responses"]["200"]["content"]
        assert served.client.get(f"/v1/{name}").headers["content-type"].partition(";")[0] == documented
