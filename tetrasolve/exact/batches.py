"""Work in numbered batches: computed in any order, combined in the order of their numbers, saved on the way.

The total after a number of batches does not depend on the executor or on interruptions: each batch depends on its number
only, and totals are folded in the order of the numbers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tetrasolve.exact.checkpoint import Checkpoint, counted_stage
from tetrasolve.exact.deadline import check
from tetrasolve.exact.estimate import Estimate
from tetrasolve.exact.executor import Executor, Job, SerialExecutor
from tetrasolve.exact.stopping import StoppingRule
from tetrasolve.stop import Stop, Stopped

Progress: TypeAlias = Callable[[str, int, int], None]  # stage, batches done, of how many
Why: TypeAlias = Literal["all", "narrow", "time"]  # reasons to end: all runs made, interval narrow enough, time over
Fold: TypeAlias = Callable[[Any, Any], Any]  # total so far (None at first), next result -> total


class Stage:
    """One kind of batches and their total so far; both results and totals are JSON data."""

    def __init__(self, name: str, job: Job, context: Any, fold: Fold, checkpoint: Checkpoint | None = None) -> None:
        self.name = name
        self._job = job
        self._context = context
        self._fold = fold
        self._checkpoint = checkpoint
        self.done: int = 0
        self.total: Any = None
        self._ahead: dict[int, Any] = {}
        if checkpoint is not None:
            self.done, self.total, self._ahead = counted_stage(checkpoint, name)

    @property
    def has_begun(self) -> bool:
        """Whether a batch is done."""
        return bool(self.done or self._ahead)

    def begin_at(self, done: int, total: Any) -> None:
        """Take the first batches as done, with their total; only before the first one."""
        if self.has_begun:
            raise ValueError(f"stage {self.name}: has begun already")
        self.done, self.total = done, total
        self._keep()

    def run_to(
        self,
        count: int,
        executor: Executor | None = None,
        progress: Progress | None = None,
        is_over: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Do all batches before number `count`; False if `is_over` was true before the last of them was done.

        Whatever ends it, an error or an interruption from the keyboard, the checkpoint is written first.
        """
        if self._checkpoint is not None and self.done > count:
            raise self._checkpoint.refuse(self.name, f"{self.done} batches are done, expected at most {count}")
        left = [number for number in range(self.done, count) if number not in self._ahead]
        self._take_in()
        if not left:
            return True
        one_only = len(left) == 1  # not worth starting workers
        executor = SerialExecutor() if executor is None or one_only else executor
        results = executor.run(self._job, self._context, left)
        try:
            with closing(results):
                for number, result in results:
                    self._ahead[number] = result
                    self._take_in()
                    self._keep()
                    if progress is not None:
                        progress(self.name, self.done + len(self._ahead), count)
                    if self.done < count and is_over():
                        return False
        finally:
            if self._checkpoint is not None:
                self._checkpoint.write()
        return True

    def _take_in(self) -> None:
        while self.done in self._ahead:
            self.total = self._fold(self.total, self._ahead.pop(self.done))
            self.done += 1

    def _keep(self) -> None:
        if self._checkpoint is not None:
            ahead = {str(number): result for number, result in self._ahead.items()}
            self._checkpoint.keep(self.name, {"done": self.done, "total": self.total, "ahead": ahead})


@dataclass(frozen=True)
class Runner:
    """The executor, checkpoint and progress callback that all stages of a task share."""

    executor: Executor
    checkpoint: Checkpoint | None = None
    progress: Progress | None = None

    def stage(self, name: str, job: Job, context: Any, fold: Fold) -> Stage:
        """A stage with its progress so far."""
        return Stage(name, job, context, fold, self.checkpoint)


def run_until(
    stage: Stage,
    rule: StoppingRule,
    runner: Runner,
    judge: Callable[[Any], Estimate],
    stop: Stop | None = None,
) -> tuple[Any, Why]:
    """Batches up to the first look at which the rule says that they are enough: the total at that look, and why.

    Batches may raise `Stopped`, and so does `stop` between them: then the total is that of the look before, and None where
    there was none.

    `judge` gives the estimate on which the rule decides, computed for `StoppingRule.confidence_at_look`.
    """
    deadline = None if rule.seconds is None else time.monotonic() + rule.seconds
    total: Any = None

    def is_over() -> bool:
        check(stop)
        return total is not None and deadline is not None and time.monotonic() > deadline

    for look in rule.looks():
        if look < stage.done:
            continue  # this look was before an interruption, and the rule was not met
        try:
            if not stage.run_to(look, runner.executor, runner.progress, is_over):
                return total, "time"
        except Stopped:  # a batch reached its deadline; without an earlier look there is no total
            return total, "time"
        total = stage.total
        if rule.is_met(judge(total)):
            return total, "narrow"
        try:
            if look < rule.most and is_over():
                return total, "time"
        except Stopped:
            return total, "time"
    return total, "all"
