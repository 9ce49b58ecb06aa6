"""An engine for tests of the protocol: it adds numbers, sleeps, fails, crashes, hangs and uses up limits as it is asked to."""

import os
import signal
import struct
import threading
import time

from tetrasolve.analysis.depth import FINAL
from tetrasolve.analysis.messages import RequestError, number, only
from tetrasolve.errors import TetrasolveError


def about():
    """What it is."""
    return {"engine": "toy", "asks": sorted(HANDLERS)}


def digest():
    """What stored answers depend on."""
    return "toy"


def add(fields, context):  # noqa: ARG001  # as handlers are called
    """The sum of two numbers."""
    only(fields, {"a": "", "b": ""})
    return {"sum": number(fields.get("a"), "a", -1e6, 1e6) + number(fields.get("b"), "b", -1e6, 1e6)}


def depth(kind, result):  # noqa: ARG001  # as the service calls it
    """All answers are final."""
    return FINAL


def sleep(fields, context):
    """Wait, with reports, until the time is over or somebody says stop."""
    end = time.monotonic() + number(fields.get("time"), "time", 0, 60)
    ticks = 0
    while time.monotonic() < end and not context.is_stopped():
        time.sleep(0.001)
        ticks += 1
        if context.report_is_due():
            context.report({"ticks": ticks})
    return {"ticks": ticks}


def fail(fields, context):  # noqa: ARG001  # as handlers are called
    """Fail as the library does, or by a mistake."""
    if fields.get("how") == "mistake":
        raise ZeroDivisionError("by zero")
    raise TetrasolveError("this cannot be")


def refuse(fields, context):  # noqa: ARG001  # as handlers are called
    """Refuse a field."""
    raise RequestError("found 7", where="colour", expected="red or blue")


def crash(fields, context):  # noqa: ARG001  # as handlers are called
    """End the process at once."""
    os._exit(7)


def hang(fields, context):  # noqa: ARG001  # as handlers are called
    """Do not look whether to stop; report once, if somebody asks."""
    if context.report_is_due():
        context.report({"ticks": 1})
    while True:
        time.sleep(1)


def burn(fields, context):
    """Use processor time, and look whether to stop or not."""
    while fields.get("blind") or not context.is_stopped():
        sum(range(1000))
    return {"reason": context.stop_reason}


def hoard(fields, context):  # noqa: ARG001  # as handlers are called
    """Use more memory than there is."""
    hoarded = []
    while True:
        hoarded.append(bytearray(2**24))


KEPT = []


def keep(fields, context):  # noqa: ARG001  # as handlers are called
    """Keep 16 MiB for ever, as a cache that grows does."""
    KEPT.append(bytearray(2**24))
    return {"pid": os.getpid()}


def confuse(fields, context):  # noqa: ARG001  # as handlers are called
    """Give a result that JSON cannot say."""
    return {"result": {"set"} if fields.get("how") == "set" else float("nan")}


def stopped(fields, context):  # noqa: ARG001  # as handlers are called
    """Wait for the callback, which comes without looking."""
    event = threading.Event()
    context.on_stop(event.set)
    event.wait(60)
    return {"reason": context.stop_reason}


def freeze(fields, context):  # noqa: ARG001  # as handlers are called
    """Be stopped by the system in the middle of a message."""
    pipe = context._send.args[0].__self__
    os.write(pipe.fileno(), struct.pack("!i", 10_000) + b"p{")
    os.kill(os.getpid(), signal.SIGSTOP)


HANDLERS = {
    "add": add, "burn": burn, "confuse": confuse, "crash": crash, "fail": fail, "freeze": freeze, "hang": hang, "hoard": hoard,
    "keep": keep, "refuse": refuse, "sleep": sleep, "stopped": stopped,
}  # fmt: skip
