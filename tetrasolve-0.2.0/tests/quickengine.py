"""An engine with a quick kind of request and with preparations, for tests of the protocol and the service."""

import os
import time

SEEN = []


def about():
    """What it is."""
    return {"engine": "quick", "asks": sorted(HANDLERS), "quick": ["nap"]}


def nap(fields, context):  # noqa: ARG001  # as handlers are called
    """Sleep for a moment."""
    SEEN.append("nap")
    time.sleep(fields.get("time", 0.0))
    return {"naps": len(SEEN)}


def seen(fields, context):  # noqa: ARG001  # as above
    """What was asked before in this process, by itself too."""
    return {"seen": list(SEEN)}


def broken(fields, context):  # noqa: ARG001  # as above
    """Fail."""
    SEEN.append("broken")
    raise ZeroDivisionError


def pid(fields, context):  # noqa: ARG001  # as above
    """Its process."""
    return {"pid": os.getpid()}


HANDLERS = {"nap": nap, "seen": seen, "broken": broken, "pid": pid}
PREPARE = {"broken": {}, "nap": {"time": 0.3}}
