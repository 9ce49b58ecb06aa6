"""Stop flags: how a deadline, another thread or a signal ends a long call of the kernels.

Every call of `tetrasolve.tetrarchia.kernel`, `tetrasolve.tetrarchia.whole` and `tetrasolve.finem.kernel` that can take longer than ten milliseconds has a
keyword `stop`. It looks at the flag about every millisecond, ends by raising `Stopped`, and leaves every object as usable as before.
One flag may serve any number of calls and threads, and stays set once it is set.

>>> stop = Stop(seconds=60)
>>> stop.is_set()
False
>>> stop.set()
>>> stop.is_set(), stop.remaining
(True, 0.0)
"""

from typing import Any, Literal

class Stopped(Exception):  # noqa: N818 -- nothing went wrong: the caller asked for it
    """A call that was stopped before its end.

    `reason` is "deadline", or "set" by somebody; `partial` is what had been worked out until then, in the form that the docstring of the
    method says, or None.
    """

    reason: Literal["deadline", "set"]
    partial: Any

    def __init__(self, reason: Literal["deadline", "set"], partial: Any = None) -> None: ...

class Stop:
    """A flag that ends long calls when it is set, or when so many seconds have passed since it was made.

    With `parent` it is set as soon as that one is, too. Any thread may call any method at any time.
    """

    def __init__(self, seconds: float | None = None, *, parent: Stop | None = None) -> None: ...  # ValueError below 0
    def set(self) -> None: ...
    def is_set(self) -> bool: ...  # reads the deadline itself: no thread has to
    @property
    def remaining(self) -> float | None: ...  # seconds; 0.0 once it is set, None without a deadline
    def check(self) -> None: ...  # raises `Stopped` if it is set: for loops in Python
