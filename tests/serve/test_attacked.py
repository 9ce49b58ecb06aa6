"""Requests that an attacker wrote by hand: each is answered in good form, and says what was wrong in a few words."""

import json

import pytest

from tetrasolve.tetrarchia.boardfile import standard_text
from tetrasolve.tetrarchia.examples import example

FIGHT = str(example("fight"))
SPANISH = {"accept-language": "es"}
LONE = "\\ud800"  # half a character, as JSON may say it
ESCAPED = "\\\\ud800"  # the same as TOML would say it
RULED = FIGHT.replace(" ", "?ip=7 ", 1)
DEEP = "attack thr {victory 1/2: " * 1200 + "end" + "}" * 1200


def board_with(note):
    """The board file with this as the note of a row, as a text of JSON."""
    return json.dumps(standard_text()).replace('why = \\"', f'why = \\"{note}', 1)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("ask", "body", "where"),
    [
        ("view", f'{{"position": "{LONE}"}}', "position: active Emperor"),
        ("view", f'{{"position": "{FIGHT}", "action": "move {LONE}"}}', "action"),
        ("view", f'{{"position": "{RULED.replace("ip=7", "ip=7,ip=7")}"}}', "position: ruleset"),
        ("view", f'{{"position": "{RULED.replace("=7", "=" + "9" * 4000)}"}}', "position: ruleset"),
        ("view", f'{{"position": "{RULED.replace("=7", "=" + chr(0x667))}"}}', "position: ruleset"),
        ("view", f'{{"position": {{"ip": {"9" * 4299}}}}}', "position: format"),
        ("view", f'{{"position": {"[" * 30}{"]" * 30}}}', "position"),
        ("view", f'{{"position": "{FIGHT}", "<script>": 1}}', "<script>"),
        ("new", f'{{"level": "4211", "seed": 1, "fleets": [{", ".join(["9" * 1000] * 30)}]}}', "fleets"),
        ("new", '{"level": "4211?ip=8_0", "seed": 1}', "level"),
        ("new", '{"level": "4211\\u0000", "seed": 1}', "level"),
        ("new", '{"level": "4211", "scenario": "../../etc/passwd", "seed": 1}', "scenario"),
        ("hint", f'{{"position": "{FIGHT}", "compare": "{DEEP}", "seconds": 0.5}}', "compare"),
        ("risk", f'{{"position": "{FIGHT}", "horizon": 2, "plans": ["{DEEP}"], "seconds": 0.5}}', "plans"),
        ("risk", f'{{"position": "{FIGHT}", "decide": ["best"]}}', "decide"),
        ("board", f'{{"board": {board_with(LONE)}}}', "board"),
        ("board_check", f'{{"board": {board_with(ESCAPED)}}}', "board"),
        ("board_facts", '{"board": "' + "[[province]]\\n" * 4000 + '"}', "board"),
        ("board_facts", f'{{"board": {json.dumps("a={b=" * 31 + "1" + "}" * 31)}}}', "board"),
        ("batch", f'{{"of": "__class__", "positions": ["{FIGHT}"]}}', "of"),
        ("puzzle", '{"puzzle": "../x\\u0000"}', "puzzle"),
        ("findings", f'{{"readings": ["{LONE}"]}}', "readings"),
    ],
)  # fmt: skip
def test_a_hostile_question_is_refused(served, ask, body, where):
    """Also in Spanish, and for those who accept text or a picture alone."""
    for accept in ("application/json", "text/plain", "image/svg+xml"):
        headers = {**SPANISH, "accept": accept, "content-type": "application/json"}
        answer = served.client.post(f"/v1/{ask}", content=body.encode(), headers=headers)
        assert (answer.status_code, answer.json()["where"]) == (422, where), answer.text[:500]
        assert len(answer.content) < 4000


def test_a_worker_is_there_after_a_plan_that_cannot_be_read(served):
    """It has neither run into the end of its time nor of its stack."""
    answer = served.post("hint", {"position": FIGHT, "compare": DEEP, "seconds": 0.5}).json()
    assert answer["detail"] == "nested too deep, expected at most 32 attacks in a row"
    assert served.post("turn", {"position": FIGHT, "plan": "{" * 33}).json()["detail"] == "nested too deep"


def test_a_document_says_what_it_depends_on(served):
    found = served.client.get("/", headers={"accept-language": "en;q=0.5, es;q=0.4", "range": "bytes=0-9"})
    assert found.status_code == 200 and '<html lang="en">' in found.text and "etag" not in found.headers
    assert {"accept-encoding", "accept-language", "sec-fetch-dest"} == set(found.headers["vary"].split(", "))
