# cython: language_level=3, embedsignature=True, binding=True, auto_pickle=False, freethreading_compatible=True
"""Stop flags: how a deadline, another thread or a signal ends a long call of the kernels.

What the names mean is written in ``tetrasolve/stop.pyi``; how a loop looks at a flag, in ``ext/tetrasolve/stop.pxd``.
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport Py_DECREF, Py_INCREF

cdef enum:
    NANOSECONDS = 1_000_000_000
    MOST_SECONDS = 1_000_000_000       # some thirty years: no deadline lies beyond
    BETWEEN_SIGNALS = 50_000_000       # nanoseconds


class Stopped(Exception):
    """A call that was stopped before its end; `reason` is "deadline" or "set", `partial` what it had worked out, or None."""

    def __init__(self, reason, partial=None):
        self.reason = reason
        self.partial = partial
        super().__init__(
            "stopped at the deadline before the result was complete" if reason == "deadline"
            else "stopped by the caller before the result was complete")

    def __reduce__(self):
        return (Stopped, (self.reason, self.partial))


cdef class Stop:
    """A flag that ends long calls, once and for all, when it is set or when its seconds are over."""

    def __cinit__(self, seconds=None, *, Stop parent=None):
        self.flag.set = 0
        self.flag.deadline = NO_DEADLINE
        self.flag.parent = NULL
        self.parent = parent
        if parent is not None:
            self.flag.parent = &parent.flag
        if seconds is not None:
            number = float(seconds)
            if not number >= 0:
                raise ValueError(f"seconds: expected a number of at least 0, got {seconds!r}")
            self.flag.deadline = nanoseconds_now() + <int64_t> (min(number, <double> MOST_SECONDS) * NANOSECONDS)

    def set(self):
        """Stops every call that looks at this flag."""
        FLAG_SET(&self.flag)

    def is_set(self):
        """Whether it was set, its seconds are over, or its parent says so."""
        return reason_of(&self.flag) != GO_ON

    @property
    def remaining(self):
        """Seconds that are left, 0.0 once it is set; None where there is no deadline."""
        cdef const StopFlag* flag = &self.flag
        cdef int64_t deadline = NO_DEADLINE
        if self.is_set():
            return 0.0
        while flag:
            deadline = min(deadline, flag.deadline)
            flag = flag.parent
        if deadline == NO_DEADLINE:
            return None
        return max(deadline - nanoseconds_now(), 0) / <double> NANOSECONDS

    def check(self):
        """Raises `Stopped` if it is set: for loops in Python."""
        cdef Reason reason = reason_of(&self.flag)
        if reason != GO_ON:
            raise Stopped(name_of(reason))


cdef str name_of(Reason reason):
    return "deadline" if reason == STOP_DEADLINE else "set"


cdef Reason reason_of(const StopFlag* flag) noexcept nogil:
    """What a flag and those above it say; the clock is read only if one of them has a deadline."""
    cdef int64_t deadline = NO_DEADLINE
    while flag:
        if FLAG_IS_SET(flag):
            return STOP_SET
        deadline = min(deadline, flag.deadline)
        flag = flag.parent
    if deadline != NO_DEADLINE and nanoseconds_now() >= deadline:
        return STOP_DEADLINE
    return GO_ON


cdef void watch_open(Watch* watch, Stop stop) noexcept:
    watch.flag = &stop.flag if stop is not None else NULL
    watch.ticks = 0                    # a flag that is set already stops the call at its first step
    watch.stopped = GO_ON
    watch.signals_at = 0
    watch.raised = NULL


cdef int look(Watch* watch) noexcept nogil:
    cdef int64_t now
    watch.ticks = TICKS
    if watch.stopped:
        watch.ticks = 0
        return watch.stopped
    watch.stopped = reason_of(watch.flag)
    if not watch.stopped:
        now = nanoseconds_now()
        if watch.signals_at == 0:
            watch.signals_at = now + BETWEEN_SIGNALS
        elif now >= watch.signals_at:
            ask_for_signals(watch)
            if watch.signals_at != NO_DEADLINE:
                watch.signals_at = now + BETWEEN_SIGNALS
    if watch.stopped:
        watch.ticks = 0
    return watch.stopped


cdef void ask_for_signals(Watch* watch) noexcept with gil:
    """Runs signal handlers that wait; Python runs them in its main thread only, so no other needs to ask again."""
    import threading
    try:
        if threading.current_thread() is not threading.main_thread():
            watch.signals_at = NO_DEADLINE
        PyErr_CheckSignals()
    except BaseException as error:
        Py_INCREF(error)
        watch.raised = <void*> error
        watch.stopped = STOP_SIGNAL


cdef object stopped_error(Watch* watch, object partial):
    cdef object error
    if watch.raised != NULL:
        error = <object> watch.raised
        watch.raised = NULL
        Py_DECREF(error)
        return error
    return Stopped(name_of(<Reason> watch.stopped), partial)
