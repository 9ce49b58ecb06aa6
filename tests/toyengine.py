"""An engine for tests of the protocol: it adds numbers, sleeps, fails, crashes and hangs as it is asked to."""

import os
import time

from tetrasolve.analysis.messages import RequestError, number, only
from tetrasolve.errors import TetrasolveError


def about():
    """What it is."""
    return {"engine": "toy", "asks": sorted(ASKS)}


def add(fields, talk):  # noqa: ARG001  # as handlers are called
    """The sum of two numbers."""
    only(fields, {"a": "", "b": ""})
    return {"sum": number(fields.get("a"), "a", -1e6, 1e6) + number(fields.get("b"), "b", -1e6, 1e6)}


def sleep(fields, talk):
    """Wait, with reports, until the time is over or somebody says stop."""
    end = time.monotonic() + number(fields.get("seconds"), "seconds", 0, 60)
    ticks = 0
    while time.monotonic() < end and not talk.is_stopped():
        time.sleep(0.001)
        ticks += 1
        if talk.wants_report():
            talk.report({"ticks": ticks})
    return {"ticks": ticks}


def fail(fields, talk):  # noqa: ARG001  # as handlers are called
    """Fail as the library does, or by a mistake."""
    if fields.get("how") == "mistake":
        raise ZeroDivisionError("by zero")
    raise TetrasolveError("this cannot be")


def refuse(fields, talk):  # noqa: ARG001  # as handlers are called
    """Refuse a field."""
    raise RequestError("found 7", where="colour", expected="red or blue")


def crash(fields, talk):  # noqa: ARG001  # as handlers are called
    """End the process at once."""
    os._exit(7)


def hang(fields, talk):  # noqa: ARG001  # as handlers are called
    """Hear nothing."""
    while True:
        time.sleep(1)


ASKS = {"add": add, "sleep": sleep, "fail": fail, "refuse": refuse, "crash": crash, "hang": hang}
