"""The analysis protocol: each id is answered once and finally, whatever comes in and whatever happens to a worker."""

import io
import json
import os
import threading
import time
from collections import Counter
from multiprocessing import active_children
from random import Random

import pytest

from tetrasolve.analysis.messages import LONGEST_LINE, PROTOCOL, Request
from tetrasolve.analysis.server import Limits, Server, lines_of
from tetrasolve.analysis.worker import CANCELLED, DEADLINE, RequestContext, handle, under_sanitizer
from tetrasolve.errors import OutOfTimeError


class Live:
    """A server that is fed line by line, as by a client that waits for answers."""

    def __init__(self, **limits):
        read, write = os.pipe()
        self._in = os.fdopen(write, "wb", buffering=0)
        self._stream = os.fdopen(read, "rb")
        self.answers = []
        self._news = threading.Condition()
        self._server = Server("toyengine", self._take, Limits(**limits))
        self._thread = threading.Thread(target=self._server.serve, args=(self._stream,))
        self._thread.start()

    def _take(self, line):
        with self._news:
            self.answers.append(json.loads(line))
            self._news.notify_all()

    def send(self, line):
        rest = memoryview(line + b"\n")
        while rest:  # a pipe takes what it has space for
            rest = rest[self._in.write(rest) :]

    def say(self, **request):
        self.send(json.dumps(request).encode())

    def wait(self, test, timeout=30):
        with self._news:
            assert self._news.wait_for(lambda: any(map(test, self.answers)), timeout), self.answers
            return next(answer for answer in self.answers if test(answer))

    def final(self, name):
        return self.wait(lambda answer: answer["id"] == name and answer["final"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._in.close()
        self._thread.join()
        self._stream.close()


@pytest.fixture(scope="module")
def patient():
    """One server for many requests that it refuses."""
    with Live() as client:
        yield client


def exchange(*requests):
    """All answers to these requests, given at once: objects, or lines as bytes."""
    lines = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in requests]
    answers = []
    Server("toyengine", lambda line: answers.append(json.loads(line))).serve(io.BytesIO(b"\n".join(lines)))
    return answers


def finals(answers):
    return {answer["id"]: answer for answer in answers if answer["final"]}


def test_a_request_is_answered_under_its_id():
    """Also when the input ends before it is done."""
    (answer,) = exchange({"id": "x", "ask": "add", "a": 1, "b": 2.5})
    assert answer == {"id": "x", "final": True, "status": "done", "result": {"sum": 3.5}}


def test_the_server_says_what_it_can():
    """Protocol, limits and what the engine tells of itself."""
    (answer,) = exchange({"id": "v", "ask": "about"})
    assert answer["result"]["protocol"] == PROTOCOL
    assert answer["result"]["limits"]["line"] == LONGEST_LINE
    assert answer["result"]["asks"] == [
        "add",
        "burn",
        "confuse",
        "crash",
        "fail",
        "freeze",
        "hang",
        "hoard",
        "keep",
        "refuse",
        "sleep",
        "stopped",
    ]


@pytest.mark.parametrize(
    ("line", "where", "words"),
    [
        (b"hello", None, "not JSON"),
        (b"[1]", None, "[1]"),
        (b"\xff\xfe", None, "not UTF-8"),
        (b'{"id": "a", "id": "b"}', "id", "occurs twice"),
        (b'{"ask": "add"}', "id", "missing"),
        (b'{"id": 7, "ask": "add"}', "id", "found 7"),
        (b'{"id": "", "ask": "add"}', "id", "found ''"),
        (b'{"id": "\\ud800", "ask": "add"}', "id", "found"),
        (b'{"id": "a", "ask": 3}', "ask", "found 3"),
        (b'{"id": "a"}', "ask", "missing"),
        (b'{"id": "a", "ask": "dance"}', "ask", "found 'dance'"),
        (b'{"id": "a", "ask": "add", "priority": 0.5}', "priority", "found 0.5"),
        (b'{"id": "a", "ask": "add", "priority": true}', "priority", "found True"),
        (b'{"id": "a", "ask": "add", "report_every": 0}', "report_every", "found 0"),
        (b'{"id": "a", "ask": "add", "a": NaN}', None, "NaN is not a number"),
        (b'{"id": "a", "ask": "add", "a": 1, "c": 1}', "c", "not known"),
        (b'{"id": "a", "ask": "add", "a": "1", "b": 1}', "a", "found '1'"),
        (b'{"id": "a", "ask": "about", "b": 1}', "b", "not known"),
        (b'{"id": "a", "ask": "cancel"}', "target", "missing"),
        (b'{"id": "a", "ask": "cancel", "target": "x", "targets": "all"}', "target", "wrong"),
        (b'{"id": "a", "ask": "refuse"}', "colour", "found 7"),
        (b'{"id": "a", "ask": "fail"}', None, "this cannot be"),
        (b'{"id": "a", "ask": "fail", "how": "mistake"}', None, "internal error: ZeroDivisionError"),
        (b"[" * 60_000, None, "nested more than 32 levels"),
        (b'{"id": "a", "ask": "add", "a": ' + b"[" * 500 + b"]" * 500 + b"}", None, "nested more than 32 levels"),
        (b"[" * 100_000, None, "a line of more than 65,536 bytes"),
        (b'{"id": "a", "ask": "add", "a": ' + b"9" * 10_000 + b"}", None, "a number of 10,000 digits"),
        (b'{"id": "a", "ask": "add", "seconds": 0}', "seconds", "found 0"),
        (b'{"id": "a", "ask": "add", "seconds": "1"}', "seconds", "found '1'"),
        (b'{"id": "a", "ask": "confuse"}', None, "internal error: ValueError"),
        (b'{"id": "a", "ask": "confuse", "how": "set"}', None, "internal error: TypeError"),
        (b'{"id": "' + b"a" * LONGEST_LINE + b'"}', None, "more than"),
    ],
)
def test_what_is_wrong_is_named(patient, line, where, words):
    """In one answer that names the field, and the next request is answered as if nothing had been."""
    patient.answers.clear()
    patient.send(line)
    patient.say(id="next", ask="add", a=1, b=1)
    assert patient.final("next")["result"] == {"sum": 2}
    error, _ = patient.answers
    assert error["status"] == "error" and error["final"]
    assert error["error"].get("where") == where
    assert words in error["error"]["problem"]


def test_a_request_without_fields_says_so(patient):
    """It names no list of fields where there is none."""
    patient.answers.clear()
    patient.say(id="a", ask="about", b=1)
    assert patient.final("a")["error"]["expected"] == "no other field"
    patient.say(id="b", ask="add", a=1, c=1)
    assert patient.final("b")["error"]["expected"].startswith("one of a, b")


def test_blank_lines_are_no_requests():
    """Nor is what comes after the last line feed."""
    assert exchange(b"", b"  ", b"\t") == []


def test_an_id_in_work_is_not_taken_twice():
    """The second request is refused under no id, so the first keeps its one final answer."""
    with Live() as client:
        client.say(id="a", ask="sleep", time=30)
        client.say(id="a", ask="add", a=1, b=1)
        refused = client.wait(lambda answer: answer["id"] is None)
        assert "'a' is in work" in refused["error"]["problem"]
        client.say(id="c", ask="cancel", target="a")
        assert client.final("a")["status"] == "cancelled"
        client.say(id="a", ask="add", a=1, b=1)  # now it is free again
        client.wait(lambda answer: answer["id"] == "a" and answer["status"] == "done")


def test_partial_answers_come_before_the_final_one():
    """As often as was asked for."""
    answers = exchange({"id": "a", "ask": "sleep", "time": 0.3, "report_every": 0.05})
    assert [answer["final"] for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert len(answers) >= 3
    ticks = [answer["result"]["ticks"] for answer in answers]
    assert ticks == sorted(ticks)


def test_the_higher_priority_goes_first():
    """And among equals the earlier one."""
    with Live() as client:
        client.say(id="first", ask="sleep", time=30)
        for name, priority in (("low", -1), ("b", 0), ("c", 0), ("high", 5)):
            client.say(id=name, ask="add", a=0, b=0, priority=priority)
        client.say(id="stop", ask="cancel", target="first")
        client.final("low")
    order = [answer["id"] for answer in client.answers if answer["id"] not in ("first", "stop")]
    assert order == ["high", "b", "c", "low"]


def test_cancelled_work_says_what_it_had():
    """What waits is answered at once, what is unknown is nobody's."""
    with Live() as client:
        client.say(id="a", ask="sleep", time=30, report_every=0.02)
        client.wait(lambda answer: answer["id"] == "a")
        client.say(id="b", ask="sleep", time=30)
        client.say(id="c1", ask="cancel", target="b")
        client.say(id="c2", ask="cancel", target="nobody")
        client.say(id="c3", ask="cancel", targets="all")
        assert client.final("a")["result"]["ticks"] > 0
    found = finals(client.answers)
    assert found["b"] == {"id": "b", "final": True, "status": "cancelled"}
    results = [{"cancelled": n, "told": n} for n in (1, 0, 1)]  # codespell:ignore told
    assert [found[name]["result"] for name in ("c1", "c2", "c3")] == results
    assert found["a"]["status"] == "cancelled"


def test_a_crash_costs_one_answer():
    """Another worker takes the place of the one that ended."""
    answers = exchange({"id": "a", "ask": "crash"}, {"id": "b", "ask": "add", "a": 1, "b": 1})
    assert "exit code 7" in finals(answers)["a"]["error"]["problem"]
    assert finals(answers)["b"]["result"] == {"sum": 2}


def test_a_request_that_does_not_stop_is_ended():
    """It costs its worker; what it had found stays."""
    with Live() as client:
        client.say(id="a", ask="hang", report_every=1)
        client.wait(lambda answer: answer["id"] == "a")
        client.say(id="c", ask="cancel", target="a")
        assert client.final("a") == {"id": "a", "final": True, "status": "cancelled", "result": {"ticks": 1}}
        client.say(id="b", ask="add", a=1, b=1)
        assert client.final("b")["status"] == "done"


def test_a_worker_that_stops_in_the_middle_of_a_message_is_ended():
    """It does not hold its thread in the server: the request has its answer, and the next one another worker."""
    with Live() as client:
        client.say(id="a", ask="freeze")
        assert "signal SIGKILL" in client.final("a")["error"]["problem"]
        client.say(id="b", ask="add", a=1, b=1)
        assert client.final("b")["result"] == {"sum": 2}
        client.say(id="c", ask="freeze", seconds=0.05)
        assert client.final("c")["status"] == "error"


def test_messages_arrive_whole_however_they_are_cut():
    """Of a long line, and of many partial answers, nothing is lost between two reads."""
    with Live() as client:
        client.say(id="a", ask="sleep", time=0.5, report_every=0.01)
        last = client.final("a")
        ticks = [answer["result"]["ticks"] for answer in client.answers if answer["id"] == "a"]
        assert len(ticks) > 10 and ticks == sorted(ticks) and last["result"]["ticks"] == ticks[-1]
        client.say(id="b", ask="add", a=1, b="x" * 60_000)
        assert client.final("b")["status"] == "error"


def test_several_workers_answer_side_by_side():
    """The long request does not keep the short one waiting."""
    with Live(workers=2) as client:
        client.say(id="long", ask="sleep", time=30)
        client.say(id="short", ask="add", a=1, b=1)
        assert client.final("short")["status"] == "done"
        client.say(id="c", ask="cancel", targets="all")


def test_too_many_requests_are_refused():
    """Each with an answer of its own."""
    with Live(waiting=3) as client:
        client.say(id="0", ask="sleep", time=30, report_every=0.02)
        client.wait(lambda answer: answer["id"] == "0")
        for number in range(1, 6):
            client.say(id=str(number), ask="add", a=1, b=1)
        assert "3 requests are waiting" in client.final("5")["error"]["problem"]
        client.say(id="c", ask="cancel", target="0")
    assert Counter(answer["status"] for answer in finals(client.answers).values()) == {
        "error": 2, "done": 4, "cancelled": 1,
    }  # fmt: skip


def test_a_client_that_goes_away_ends_the_server():
    """Nothing is written any more, and nothing hangs."""
    written = []

    def write(line):
        written.append(line)
        raise BrokenPipeError

    lines = [json.dumps({"id": str(n), "ask": "add", "a": 1, "b": 1}).encode() for n in range(5)]
    with pytest.raises(BrokenPipeError):
        Server("toyengine", write).serve(io.BytesIO(b"\n".join(lines)))
    assert len(written) == 1


def test_long_lines_are_cut_not_kept():
    """What follows a line that is too long is read as ever."""
    stream = io.BytesIO(b"x" * (3 * LONGEST_LINE) + b"\nshort\n")
    lines = list(lines_of(stream))
    assert [len(line) > LONGEST_LINE for line in lines] == [True, False]
    assert lines[1] == b"short"


# -- limits and deadlines ------------------------------------------------------------------------------------------


def test_time_is_over():
    """The handler sees it, or is called back; what it has is the answer. One that continues is ended, and its partial stays."""
    with Live() as client:
        client.say(id="a", ask="sleep", time=30, seconds=0.05)
        assert client.final("a")["status"] == "done"
        client.say(id="b", ask="stopped", seconds=0.05)
        assert client.final("b")["result"] == {"reason": "deadline"}
        client.say(id="c", ask="hang", seconds=0.05, report_every=1)
        late = client.final("c")
        assert (late["status"], late["result"]) == ("error", {"ticks": 1})
        assert late["error"]["problem"].startswith("the request did not stop 1 s after its 0.05 seconds")
        client.say(id="d", ask="add", a=1, b=1)
        assert client.final("d")["status"] == "done"


def test_cancelling_calls_back():
    with Live() as client:
        client.say(id="a", ask="stopped")
        client.say(id="b", ask="add", a=1, b=1)  # waits, so `a` is with the worker when the answer to `c` comes
        client.say(id="c", ask="cancel", target="a")
        assert client.final("a")["status"] == "cancelled"
        assert client.final("b")["status"] == "done"


@pytest.mark.parametrize(("reason", "status"), [(CANCELLED, "cancelled"), (DEADLINE, "error")])
def test_what_stops_before_there_is_a_result(reason, status):
    """A request that was cancelled has no error, and one that ran out of time has one."""

    def handler(_fields, context):
        context.stop(reason)
        raise OutOfTimeError("the sum: the time ran out before there was an answer")

    found = handle({"add": handler}, Request("a", "add", fields={}), RequestContext())
    assert (found["status"], found["final"]) == (status, True)
    assert ("error" in found) == (status == "error") and "result" not in found


@pytest.mark.skipif(under_sanitizer(), reason="a sanitizer reserves more address space than any limit")
def test_memory_is_used_up():
    """That is an answer of the worker, which continues."""
    with Live(memory=2**28) as client:
        for name in "ab":
            client.say(id=name, ask="hoard")
            assert client.final(name)["error"] == {"problem": "the limit of memory is reached", "kind": "limit"}
        client.say(id="c", ask="add", a=1, b=1)
        assert client.final("c")["status"] == "done"


@pytest.mark.skipif(under_sanitizer(), reason="a sanitizer reserves more address space than any limit")
def test_a_worker_whose_caches_fill_its_memory_makes_room_for_another():
    """After an answer, so no request is lost; before, each would have failed from the eighth on."""
    with Live(memory=2**28) as client:
        pids = []
        for number in range(16):
            client.say(id=str(number), ask="keep")
            pids.append(client.final(str(number))["result"]["pid"])
        assert 2 <= len(set(pids)) <= 8 and pids[0] == pids[1]


def test_processor_time_is_used_up():
    """A handler that polls gives what it has; one that does not is ended by the system."""
    with Live(processor_seconds=0.2) as client:
        client.say(id="a", ask="burn")
        found = client.final("a")
        assert found["error"] == {"problem": "the limit of processor time is reached", "kind": "limit"}
        assert found["result"] == {"reason": "processor time"}
        client.say(id="b", ask="burn", blind=1)
        assert client.final("b")["error"]["problem"].startswith("the limit of processor time is reached (0.2 s)")
        client.say(id="c", ask="add", a=1, b=1)
        assert client.final("c")["status"] == "done"


def test_the_bytes_that_wait_are_limited():
    """A place is free at once when what had it is cancelled."""
    with Live(queued=100_000) as client:
        client.say(id="0", ask="sleep", time=30, report_every=0.02)
        client.wait(lambda answer: answer["id"] == "0")
        for name in "abcd":
            client.say(id=name, ask="add", a="x" * 40_000)
        for name in "cd":
            assert "80" in client.final(name)["error"]["problem"]
        client.say(id="stop", ask="cancel", target="a")
        assert client.final("a")["status"] == "cancelled"
        client.say(id="e", ask="add", a="x" * 40_000)
        client.say(id="f", ask="cancel", targets="all")
        assert client.final("e")["status"] == "cancelled"
        assert client.final("f")["result"]["cancelled"] == 3


def test_cancelling_many_takes_linear_time():
    """Ten times as many take about ten times as long; one by one, and all at once."""

    def seconds(number, one_by_one):
        answers = []
        server = Server("toyengine", answers.append, Limits(waiting=20_000))
        for name in range(number):
            server.take(b'{"id": "%d", "ask": "add"}' % name)
        start = time.process_time()
        if one_by_one:
            for name in range(number):
                server.take(b'{"id": "c%d", "ask": "cancel", "target": "%d"}' % (name, name))
        else:
            server.take(b'{"id": "c", "ask": "cancel", "targets": "all"}')
        taken = time.process_time() - start
        assert len(answers) == number + (number if one_by_one else 1)
        assert not server._queue or len(server._queue) <= 64
        return taken

    for one_by_one in (False, True):
        few, many = seconds(1_000, one_by_one), seconds(10_000, one_by_one)
        assert many < 40 * few


def worker_processes():
    return [process for process in active_children() if process.name.startswith("SpawnProcess")]


def test_a_worker_that_died_while_idle_costs_nothing():
    """The request is tried once more, with another worker."""
    with Live() as client:
        for name in "abc":
            client.say(id=name, ask="add", a=1, b=1)
            assert client.final(name)["status"] == "done"
            for process in worker_processes():
                process.kill()


def test_an_engine_that_cannot_start_is_an_answer():
    """Here since no memory is left."""
    if under_sanitizer():
        pytest.skip("a sanitizer reserves more address space than any limit")
    with Live(memory=2**24) as client:
        client.say(id="a", ask="add", a=1, b=1)
        assert "the worker ended" in client.final("a")["error"]["problem"]


def random_line(random, number):
    """A request of any kind, often a broken one, and the id under which a final answer must come (None: any)."""
    name = f"n{number}"
    kind = random.randrange(12)
    if kind < 4:
        return json.dumps({"id": name, "ask": "add", "a": random.random(), "b": 1}).encode(), name
    if kind < 6:
        request = {"id": name, "ask": "sleep", "time": random.random() / 1_000, "priority": random.randrange(-3, 4)}
        return json.dumps(request).encode(), name
    if kind == 6:
        return json.dumps(
            {"id": name, "ask": "cancel", "target": f"n{max(0, number - random.randrange(9))}"}
        ).encode(), name
    if kind == 7:
        return json.dumps({"id": name, "ask": random.choice(["fail", "refuse", "nothing", ""])}).encode(), name
    if kind == 8:
        return random.randbytes(random.randrange(1, 60)).replace(b"\n", b"").strip() or b"?", None
    if kind == 9:
        whole = json.dumps({"id": name, "ask": "add", "a": 1, "b": 1}).encode()
        return whole[: random.randrange(1, len(whole))], None
    if kind == 10:
        return json.dumps(random.choice([None, 1, "a", [], {}, [{}], {"id": None}, {"ask": "add"}])).encode(), None
    return json.dumps(
        {"id": name, "ask": "add", random.choice("abxyz"): random.choice([None, "1", [], {}])}
    ).encode(), name


def test_ten_thousand_random_messages():
    """No crash, no answer lost, none doubled."""
    random = Random(1)
    lines = [random_line(random, number) for number in range(10_000)]
    answers = exchange(*(line for line, _ in lines))
    ids = Counter(answer["id"] for answer in answers if answer["final"])
    assert all(answer["final"] for answer in answers)
    nameless = ids.pop(None)
    expected = [name for _, name in lines if name]
    assert ids == dict.fromkeys(expected, 1)
    assert nameless == len(lines) - len(expected)
