"""Those who ask the same at the same time share one run: each has the answer, and nobody's leaving costs another anything."""

import asyncio
import threading
from contextlib import ExitStack

import pytest
from httpservice import TOY, events_of, running, wait_until

from tetrasolve.serve.runs import Run
from tetrasolve.serve.store import Store

LONG = {"time": 60, "seconds": 60}
STREAM = {"accept": "text/event-stream"}


def joined(found):
    """How many questions have joined a run."""
    return found.service.metrics.registry.get_sample_value("tetrasolve_shared_questions_total")


def opened(found, fields):
    """The place of a new job."""
    return found.client.post("/v1/jobs/sleep", json=fields).headers["location"]


def state(found, place):
    """What is said of a job."""
    return found.client.get(place).json()


def partly(stack, found, fields=LONG, ask="sleep"):
    """An open stream that has had a partial answer, and the parts that follow."""
    stream = stack.enter_context(found.client.stream("POST", f"/v1/{ask}", json=fields, headers=STREAM))
    parts = stream.iter_text()
    stack.callback(lambda: parts)  # kept: the connection is closed with it
    text = ""
    while "event: partial" not in text:
        text += next(parts)
    return parts


def blocked(found):
    """A thread whose question has the only worker."""
    wait_until(lambda: found.post("add", {"a": 1, "b": 1}).status_code == 200)  # the worker has started
    thread, _ = asking(found.post, "sleep", {"time": 60})
    wait_until(lambda: any(run.has_begun for run in found.service.questions._open.values()))
    return thread


def free(found):
    """End the question that began first."""
    server = found.service.questions._server
    server._cancel_jobs([next(iter(server._open.values()))])


def asking(ask, *arguments, **headers):
    """A thread that asks, and the list that its answer comes into."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(ask(*arguments, **headers)))
    thread.start()
    return thread, answers


def test_equal_questions_have_one_run_and_the_same_answer(toy):
    """Asked plainly or as a stream; the order of the fields is no difference."""
    found = toy(workers=4)
    first, plain = asking(found.post, "sleep", {"time": 2, "seconds": 0.8})
    wait_until(lambda: found.service.questions.open == 1)
    second, events = asking(found.events, "sleep", {"seconds": 0.8, "time": 2})
    third, other = asking(found.post, "sleep", {"time": 2, "seconds": 0.8})
    wait_until(lambda: joined(found) == 2)
    assert found.service.questions.open == 1
    for thread in (first, second, third):
        thread.join()
    *_, (_, kind, data) = events[0]
    assert kind == "done" and data == plain[0].json() == other[0].json() and data["ticks"] > 0
    wait_until(lambda: not found.service.questions._runs)


def test_what_is_no_equal_question(toy):
    """A longer time above all: an answer is never cut short by the time of somebody else."""
    found = toy(workers=4)
    asked = [
        asking(found.post, *question)
        for question in (
            ("sleep", {"time": 60, "seconds": 20}),
            ("sleep", {"time": 60, "seconds": 30}),
            ("sleep", {"time": 60, "seconds": 30, "report_every": 9}),
            ("sleep", {"time": 50, "seconds": 30}),
            ("hang", {"time": 60, "seconds": 30}),
        )
    ]
    wait_until(lambda: found.service.questions.open == len(asked))
    assert joined(found) == 0
    found.service.questions.cancel_all()
    for thread, _ in asked:
        thread.join()


def test_a_client_that_leaves_costs_the_others_nothing(toy):
    """No matter which of them began; the last one that leaves ends the run, and the next question has a run of its own."""
    found = toy()
    with ExitStack() as first, ExitStack() as second:
        partly(first, found)
        parts = partly(second, found)
        assert (joined(found), found.service.questions.open) == (1, 1)
        first.close()
        wait_until(lambda: found.service._streams == 1)
        text = next(parts)
        while "event: partial" not in text:
            text += next(parts)
        assert found.service.questions.open == 1
        second.close()
        wait_until(lambda: found.service.questions.open == 0)
        assert not found.service.questions._runs
    assert found.post("sleep", {"time": 0}).json() == {"ticks": 0}
    with ExitStack() as again:
        partly(again, found)
        assert (joined(found), found.service.questions.open) == (1, 1)


def test_who_joins_late_begins_with_the_newest_answer(toy):
    """And does not wait for the next: here there is none."""
    found = toy(workers=1)
    with ExitStack() as first, ExitStack() as second:
        partly(first, found, {}, "hang")
        partly(second, found, {}, "hang")
        assert joined(found) == 1


def test_each_client_waits_for_its_own_time(toy):
    """A run that waits for a worker is not given up with the first who gives up."""
    found = toy(workers=1, wait=0.8)
    blocking = blocked(found)
    first, refused = asking(found.post, "add", {"a": 1, "b": 2})
    wait_until(lambda: found.service.questions.open == 2)
    threading.Event().wait(0.4)
    second, answered = asking(found.post, "add", {"a": 1, "b": 2})
    first.join()
    assert refused[0].status_code == 503 and joined(found) == 1 and found.service.questions.open == 2
    free(found)
    second.join()
    blocking.join()
    name, _, milliseconds = answered[0].headers["server-timing"].partition(";dur=")
    assert answered[0].json() == {"sum": 3.0} and name == "wait" and 0 < float(milliseconds) < 800


def test_a_failure_is_that_of_all_and_of_nobody_after(toy):
    found = toy(workers=1)
    blocking = blocked(found)
    asked = [asking(found.post, "crash", {}) for _ in range(3)]
    wait_until(lambda: joined(found) == 2)
    free(found)
    for thread, _ in asked:
        thread.join()
    assert [(row[0].status_code, row[0].json()["kind"]) for _, row in asked] == [(503, "worker")] * 3
    assert found.post("crash", {}).status_code == 503 and joined(found) == 2
    blocking.join()


def test_all_have_a_final_answer_when_the_service_ends(toy):
    found = toy(workers=1)
    with ExitStack() as stack:
        first = partly(stack, found)
        second = partly(stack, found)
        plain, answers = asking(found.post, "sleep", LONG)
        wait_until(lambda: joined(found) == 2)
        found.server.should_exit = True
        for parts in (first, second):
            *_, (_, kind, data) = events_of("".join(parts))
            assert kind == "cancelled" and data["ticks"] > 0
        plain.join()
    assert answers[0].status_code == 503 and answers[0].json()["result"]["ticks"] > 0


def test_jobs_share_a_run_too(toy):
    """One that is cancelled ends with the result so far, and the other goes on."""
    found = toy(workers=3)
    fields = {**LONG, "report_every": 0.02}
    first, second = opened(found, fields), opened(found, fields)
    assert first != second
    wait_until(lambda: joined(found) == 1 and "result" in state(found, second))
    assert found.service.questions.open == 1
    assert found.client.delete(first).status_code == 204
    wait_until(lambda: state(found, first)["state"] == "cancelled")
    assert state(found, first)["result"]["ticks"] > 0 and state(found, second)["state"] == "open"
    seen = state(found, second)["event"]
    wait_until(lambda: state(found, second)["event"] > seen)
    found.client.delete(second)
    wait_until(lambda: state(found, second)["state"] == "cancelled" and found.service.questions.open == 0)


def test_a_shared_answer_is_stored_once(tmp_path):
    store = Store(str(tmp_path / "answers.db"))
    puts = []
    store.put = lambda *arguments: puts.append(arguments)
    with running("toyengine", TOY, store) as found:
        asked = [asking(ask, "sleep", {"time": 0.7}) for ask in (found.post, found.post, found.events)]
        for thread, _ in asked:
            thread.join()
        assert joined(found) == 2 and len(puts) == 1


@pytest.mark.parametrize("last", ["done", "error", "cancelled"])
def test_who_may_join_a_run(last):
    """As long as somebody listens and it has not failed; one that left before others has its own end."""

    async def check():
        run = Run(b"")
        one, two, three = run.join(), run.join(), run.join()
        run.put({"id": "x", "final": False, "status": "partial", "result": {"ticks": 1}})
        assert (await two.next())["result"] == (await two.run.join().next())["result"] == {"ticks": 1}
        assert not run.leave(two) and not run.leave(two)
        final = await two.final()
        assert (final["status"], final["final"], final["result"]) == ("cancelled", True, {"ticks": 1})
        run.put({"id": "x", "final": True, "status": last})
        assert (await one.final())["status"] == last and await one.begun(0) and not one.has_begun
        assert run.is_over and run.is_open is (last == "done")
        assert [run.keep(), run.keep()] == [True, False]
        assert not run.leave(three) and (await three.final())["status"] == last

    asyncio.run(check())


def test_quick_questions_that_share_a_run_are_counted_too():
    schema = {**TOY, "$defs": {**TOY["$defs"], "ask_nap": {**TOY["$defs"]["ask_add"], "title": "nap"}}}
    with running("quickengine", schema) as found:
        wait_until(lambda: found.post("nap", {}).status_code == 200)  # the worker has started
        before = joined(found)
        threads = [asking(found.post, "nap", {"time": 1.0}) for _ in range(3)]
        for thread, _ in threads:
            thread.join(30)
        assert [answers[0].status_code for _, answers in threads] == [200, 200, 200]
        assert joined(found) == before + 2 and len({answers[0].text for _, answers in threads}) == 1
