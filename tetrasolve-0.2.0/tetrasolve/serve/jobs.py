"""Questions that go on without their client: jobs, which this process runs, and those who listen to their events.

A job ends when it is answered or cancelled, or when nobody has listened to it for a while. When the process ends, a job in a
file is left without an owner: the process that is asked for it next begins with it again, and the numbers of its events go on.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any
from uuid import uuid4

from starlette.concurrency import run_in_threadpool

from tetrasolve.analysis.messages import WORKER
from tetrasolve.serve.database import StoreFailedError
from tetrasolve.serve.guard import LOG, new_id
from tetrasolve.serve.jobstore import FINAL, Event, Job, JobStore
from tetrasolve.serve.pool import Pool
from tetrasolve.serve.problems import ProblemError, data_of, unavailable
from tetrasolve.serve.runs import Exchange, digest_of
from tetrasolve.serve.settings import Settings
from tetrasolve.serve.streams import answers

BEAT = 1.0  # seconds between looks at all jobs
POLL = 0.25  # and at one that another process works on
NOTES = 8  # a listener is noted so often while a job may be without one
REPORT_EVERY = 0.5
PRIORITY = -1  # clients who wait for an answer come first
ATTEMPTS = 5  # a job whose process ended so often is not begun again
ID = re.compile(r"[0-9a-f]{32}")  # of a job: a UUID
TRIES = 2  # of a job whose worker was lost
OUTAGE = 30.0  # seconds for which an event is tried again while the store fails; then the job belongs to nobody
AGAIN = 0.25  # seconds between these tries


class Jobs:
    """The jobs of a service; `stored` gives an answer that is known, and `finished` gets each question with its result."""

    def __init__(
        self,
        store: JobStore,
        pool: Pool,
        settings: Settings,
        stored: Callable[[str, Mapping[str, Any]], Awaitable[Mapping[str, Any] | None]],
        finished: Callable[[str, Mapping[str, Any], Mapping[str, Any]], Awaitable[None]],
    ) -> None:
        self._store, self._pool, self._settings = store, pool, settings
        self._stored, self._finished = stored, finished
        self._owner = uuid4().hex
        self._slots = asyncio.Semaphore(max(1, settings.workers - 1))  # one worker is left for those who wait
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._clients: dict[str, str] = {}
        self._places = Counter[str]()  # jobs of each client, and those that it opens now
        self._exchanges: dict[str, Exchange] = {}
        self._news: dict[str, asyncio.Event] = {}
        self._beating: asyncio.Task[None] | None = None
        self._again: set[str] = set()  # jobs whose worker was lost
        self._lost: set[str] = set()  # jobs that may be ours in the store, and on which nobody works
        self._is_ending = False

    @property
    def running(self) -> int:
        """How many jobs this process has that have not ended."""
        return len(self._tasks)

    def start(self) -> None:
        """Begin to look after jobs."""
        self._beating = asyncio.get_running_loop().create_task(self._beat())

    def end(self) -> None:
        """Take no more jobs; those that wait for a place are stopped, those in work by their pool."""
        if self._is_ending:
            return
        self._is_ending = True
        for name, task in list(self._tasks.items()):
            if name not in self._exchanges:
                task.cancel()
        for name in list(self._news):
            self._tell(name)

    async def close(self) -> None:
        """End, and leave to others what has not ended."""
        self.end()
        if self._beating is not None:
            self._beating.cancel()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=1.0)
        with suppress(StoreFailedError):
            await run_in_threadpool(self._store.release, self._owner)
        self._store.close()

    # -- what clients ask ----------------------------------------------------------------------------------------

    async def open(self, ask: str, fields: Mapping[str, Any], key: str | None, client: str) -> Job:
        """The job for a question: the one that was opened with the same key, or a new one, which begins.

        :raises ProblemError: when the key was for another question, or there are too many jobs.
        """
        now, holder = self._store.now(), self._holder(client)
        job = Job(
            new_id(), digest_of(ask, fields), ask, fields, self._owner, now, now, 1, is_cancelled=False, ended=None,
            holder=holder,
        )  # fmt: skip
        is_full = self._places[client] >= self._settings.client_jobs
        most = 0 if is_full else self._settings.jobs  # a job that is there is found in any case
        self._places[client] += 1  # at once: others of this client may be on their way to the store
        try:
            found = await run_in_threadpool(self._store.open, job, _place_of(key, holder), most)
            if found is job:
                self._begin(job, client)
        except StoreFailedError:  # it may be there all the same
            self._lost.add(job.id)
            raise
        finally:
            self._free(client)
        if found is None:
            problem = "this client has too many jobs" if is_full else "there are too many jobs"
            raise unavailable(problem, self._settings.retry_after)
        if found.question != job.question:
            raise ProblemError(422, "was the key of another question", where="Idempotency-Key", expected="a new key")
        return job if found is job else await self.noticed(found, client)

    def _holder(self, client: str) -> str | None:
        """Who alone may look at a job of this client: the key, where keys are required."""
        return client if self._settings.keys else None

    async def find(self, name: str, client: str) -> Job:
        """The job with this id, which somebody listens to now.

        :raises ProblemError: when there is none that the client may look at.
        """
        found = await run_in_threadpool(self._store.find, name) if ID.fullmatch(name) else None
        if found is None or found.holder != self._holder(client):
            raise ProblemError(404, "there is no such job; one that has ended is kept for some minutes")
        return await self.noticed(found, client)

    async def noticed(self, job: Job, client: str) -> Job:
        """Note that somebody listens to a job, and work on it if nobody does."""
        now = self._store.now()
        if job.listened < now - self._settings.job_idle / NOTES:
            await run_in_threadpool(self._store.listen, job.id, now)
        if not job.is_orphan(now) or self._is_ending or job.id in self._tasks:
            return job
        adopted = await self._adopted(job)
        if adopted is None:
            return job
        self._begin(adopted, client)
        return adopted

    async def events(self, name: str, after: int = 0) -> list[Event]:
        """The events with higher numbers that are kept."""
        return await run_in_threadpool(self._store.events, name, after)

    async def listen(self, job: Job, after: int, client: str) -> AsyncGenerator[Event | None, None]:
        """Each event with a higher number as it comes, the last one is final; None when there is none for a while.

        Ends without a final event when the service ends and the job does not.
        """
        last = looked = time.monotonic()
        every = min(self._settings.heartbeat, self._settings.job_idle / NOTES)
        try:
            while True:
                news = self._news.setdefault(job.id, asyncio.Event())
                is_last = self._is_ending and (self._store.is_lasting or job.id not in self._tasks)
                for event in await self.events(job.id, after):
                    yield event
                    after, last = event.number, time.monotonic()
                    if event.kind in FINAL:
                        return
                if is_last:
                    return
                with suppress(TimeoutError):
                    async with asyncio.timeout(every if job.id in self._tasks else POLL):
                        await news.wait()
                now = time.monotonic()
                if now - last >= self._settings.heartbeat:
                    last = now
                    yield None
                if now - looked >= (every if job.id in self._tasks else POLL):
                    looked = now
                    await self.find(job.id, client)  # says that somebody listens
        finally:
            self._tell(job.id)

    async def cancel(self, job: Job) -> None:
        """Cancel it; nothing happens if it has ended."""
        await run_in_threadpool(self._store.cancel, job.id)
        await self._stop(job)

    # -- work ----------------------------------------------------------------------------------------------------

    def _begin(self, job: Job, client: str) -> None:
        self._clients[job.id] = client
        self._places[client] += 1
        task = asyncio.get_running_loop().create_task(self._run(job))
        self._tasks[job.id] = task
        task.add_done_callback(lambda _: self._forget(job.id))

    def _forget(self, name: str) -> None:
        self._tasks.pop(name, None)
        if (client := self._clients.pop(name, None)) is not None:
            self._free(client)
        self._tell(name)

    def _free(self, client: str) -> None:
        """A job of a client less; nothing is kept of one without."""
        self._places[client] -= 1
        if not self._places[client]:
            del self._places[client]

    def _tell(self, name: str) -> None:
        """Wake those who listen."""
        if (news := self._news.pop(name, None)) is not None:
            news.set()

    async def _run(self, job: Job) -> None:
        """Work on a job until it ends, or belongs to somebody else."""
        try:
            if job.attempts > ATTEMPTS:
                problem = ProblemError(500, f"the service ended {ATTEMPTS} times during this job", kind="worker")
                await self._append(job, "error", data_of(problem))
                return
            if (stored := await self._stored(job.ask, job.fields)) is not None:
                await self._append(job, "done", stored)
                return
            began = time.monotonic()
            is_waiting = self._slots.locked()
            if is_waiting:
                await self._append(job, "waiting", {"ahead": self._ahead(job)})
            async with self._slots:
                await self._work(job, began, is_waiting=is_waiting)
        except asyncio.CancelledError:  # while it waited for its place
            if not (self._is_ending and self._store.is_lasting):
                await self._append(job, "cancelled", {})
        except StoreFailedError as error:  # without its events nobody can have the answer here
            self._lost.add(job.id)
            LOG.error("%s", json.dumps({"job": str(error)}))  # a traceback shows values of the user

    def _ahead(self, job: Job) -> int:
        names = [name for name in self._tasks if name not in self._exchanges]
        return names.index(job.id) if job.id in names else 0

    async def _work(self, job: Job, began: float, *, is_waiting: bool) -> None:
        """Have it answered, once more where its worker is lost."""
        for attempt in range(1, TRIES + 1):
            is_waiting = await self._tried(job, began, is_waiting=is_waiting, is_last=attempt == TRIES)
            if job.id not in self._again:
                return
            self._again.discard(job.id)

    async def _tried(self, job: Job, began: float, *, is_waiting: bool, is_last: bool) -> bool:
        """Have it answered; `is_waiting` says whether its listeners know that it waits, which it does since `began`."""
        before = time.monotonic() - began
        exchange = self._pool.ask(job.ask, {"report_every": REPORT_EVERY, **job.fields, "priority": PRIORITY})
        self._exchanges[job.id] = exchange
        try:
            async for found in answers(exchange, self._pool, self._settings, None):
                if found is None:
                    continue
                kind, data = found
                if kind == "waiting" and is_waiting:
                    continue
                if is_waiting and exchange.has_begun:
                    await self._append(job, "started", {"waited": round(before + exchange.waited, 3)})
                is_waiting = kind == "waiting"
                if kind == "started":
                    continue
                if kind == "error" and data.get("kind") == WORKER and not is_last and not self._is_ending:
                    self._again.add(job.id)
                    break
                if kind == "done" and exchange.run.keep():
                    await self._finished(job.ask, job.fields, data)
                if kind == "cancelled" and self._is_ending and self._store.is_lasting:
                    if data:
                        await self._append(job, "partial", data)
                    break
                if not await self._append(job, kind, data):
                    break
        finally:
            del self._exchanges[job.id]
            self._pool.cancel(exchange)
        return is_waiting

    async def _append(self, job: Job, kind: str, data: Mapping[str, Any]) -> bool:
        """Add an event, and try again while the store fails; False when the job has ended, or belongs to somebody else.

        An event that the store took, though it seemed to fail, may be there twice; a final one is there once.
        """
        end = time.monotonic() + OUTAGE
        while True:
            try:
                added = await run_in_threadpool(self._store.append, job.id, self._owner, kind, data, self._store.now())
            except StoreFailedError:
                if time.monotonic() > end or self._is_ending or not self._store.is_lasting:
                    raise
                await asyncio.sleep(AGAIN)
                continue
            self._tell(job.id)
            return added

    async def _stop(self, job: Job) -> None:
        """Cancel a job of this process, or one on which nobody works."""
        if (exchange := self._exchanges.get(job.id)) is not None:
            self._pool.cancel(exchange)
        elif (task := self._tasks.get(job.id)) is not None:
            task.cancel()
        elif job.owner == self._owner or await self._adopted(job) is not None:
            partials = [event.data for event in await self.events(job.id) if event.kind == "partial"]
            await self._append(job, "cancelled", partials[-1] if partials else {})

    async def _adopted(self, job: Job) -> Job | None:
        """The job, which now belongs to this process; None when somebody works on it, or it has ended."""
        try:
            return await run_in_threadpool(self._store.adopt, job.id, self._owner, self._store.now())
        except StoreFailedError:  # it may be ours all the same
            self._lost.add(job.id)
            raise

    async def _beat(self) -> None:
        """Say every second that this process lives, and stop jobs that were cancelled or have no listener any more."""
        while True:
            await asyncio.sleep(BEAT)
            now = self._store.now()
            try:
                for name in [name for name in self._lost if name not in self._tasks]:
                    await run_in_threadpool(self._store.release, self._owner, name)
                    self._lost.discard(name)
                for job in await run_in_threadpool(self._store.beat, self._owner, now, self._settings.job_idle):
                    await self._stop(job)
            except StoreFailedError as error:
                LOG.error("%s", json.dumps({"job": str(error)}))  # as above


def _place_of(key: str | None, holder: str | None) -> bytes | None:
    """Where a job with an Idempotency-Key is stored: the keys of one holder are not those of another."""
    return None if key is None else sha256((key if holder is None else f"{holder}\n{key}").encode("ascii")).digest()
