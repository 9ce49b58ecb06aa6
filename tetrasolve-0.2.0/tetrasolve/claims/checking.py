"""Checks all that the index of facts says: the certificates by the checker, everything around them here.

The checker runs in interpreters of its own that import nothing of tetrasolve. It confirms that each certificate proves the
values which the index gives. What it cannot know is asked here: whether the index has every fact that the library knows and
no other, whether sentences are those of the values, whether the board is still the one that the facts speak of, whether
robustness was asked of the same boards.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeAlias

from tetrasolve.certify.checking import run_checker_on_index
from tetrasolve.certify.form import load
from tetrasolve.claims.fact import RECOUNT, Fact, Topic, facts_of, read_value
from tetrasolve.claims.index import Entry, Index, TopicRow, sha256_of, texts
from tetrasolve.claims.proving import certificate_text, derive_all, file_of, strays
from tetrasolve.claims.subject import Subject
from tetrasolve.errors import TetrasolveError
from tetrasolve.exact.cluster import run_jobs
from tetrasolve.stop import Stop, Stopped

Progress: TypeAlias = Callable[[str, int, int], None]

BATCHES = 8  # for each worker, so that all of them end at about the same time
A_BATCH = 10  # facts at least, or starting the checker would take longer than its work


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a fact, or with the whole (then `fact` is the index)."""

    fact: str
    problem: str

    def __str__(self) -> str:
        return f"{self.fact}: {self.problem}"


# -- what the checker says -----------------------------------------------------------------------------------------------


def judged(
    index: Index,
    folder: Path,
    *,
    chosen: Collection[str] | None = None,
    board_file: Path | None = None,
    checker: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> list[Problem]:
    """The facts that the checker does not confirm, and why, in the order of the index.

    :param chosen: topics of facts; None: all.
    :param checker: `Claims.checker`.
    :raises ProofError: when there is no checker to run.
    :raises Stopped: when `stop` is set before all are judged; its `partial` are the problems found.
    """
    workers = workers or os.cpu_count() or 1
    entries = of_topics(index, chosen)
    batches = _batches(entries, folder, min(workers * BATCHES, 1 + len(entries) // A_BATCH))
    problems: list[Problem] = []
    done = 0
    ended = Stop(parent=stop)  # also when one checker fails, or at Ctrl-C: then no other continues
    order = {entry.id: row for row, entry in enumerate(index.entries)}

    def in_order() -> list[Problem]:
        unique = dict.fromkeys(problems)  # what is wrong with the whole index is reported once
        return sorted(unique, key=lambda problem: order.get(problem.fact, -1))

    with ThreadPoolExecutor(workers) as pool:
        futures = {pool.submit(_judged, index, batch, board_file, checker, ended): len(batch) for batch in batches}
        try:
            for future in as_completed(futures):
                problems += future.result()
                done += futures[future]
                if progress is not None:
                    progress("checked", done, len(entries))
        except Stopped as stopped:
            raise Stopped(stopped.reason, in_order()) from None
        finally:
            ended.set()
            pool.shutdown(wait=True, cancel_futures=True)
    return in_order()


def of_topics(index: Index, chosen: Collection[str] | None) -> tuple[Entry, ...]:
    """The entries of some topics; None: all."""
    return tuple(entry for entry in index.entries if chosen is None or entry.topic.id in chosen)


def _batches(entries: Sequence[Entry], folder: Path, count: int) -> list[list[str]]:
    """Facts by their ids in so many lists of about the same work, estimated by the sizes of their files."""
    batches: list[list[str]] = [[] for _ in range(count)]
    weights = [0] * count
    sized = sorted(((_size(folder / entry.file), entry.id) for entry in entries), reverse=True)
    for size, fact_id in sized:
        lightest = weights.index(min(weights))
        batches[lightest].append(fact_id)
        weights[lightest] += size + 2000  # a small one takes its time too
    return [batch for batch in batches if batch]


def _size(path: Path) -> int:
    return path.stat().st_size * (10 if path.suffix == ".xz" else 1) if path.is_file() else 0


def _judged(
    index: Index, batch: Sequence[str], board_file: Path | None, checker: Path | None, stop: Stop
) -> list[Problem]:
    code, output = run_checker_on_index(index.source, batch, board_file, checker, stop)
    if code == 0:
        return []
    *lines, last = output.splitlines()
    wrong = [Problem(*line.split(": ", 1)) for line in lines]
    return wrong or [Problem(index.source, last.removeprefix(f"{index.source}: "))]


# -- what the library knows ------------------------------------------------------------------------------------------------


def stale(
    index: Index, subject: Subject, folder: Path | None = None, chosen: Collection[str] | None = None
) -> list[Problem]:
    """What is not as it was when the facts were proved: rows of the board, topics, sentences, files of certificates.

    It takes a moment only: certificates are identified by their SHA-256, and nothing is derived again.

    :param folder: the folder of the certificates; None: not looked at.
    :param chosen: topics of facts; None: all, and then no other certificate may be in the folder.
    """
    topics = subject.claims.topics()
    entries = of_topics(index, chosen)
    problems = [Problem(index.source, row) for row in index.changed_rows(subject)]
    problems += [
        Problem(topic.id, "the index says something else of these facts than the library does")
        for topic in dict.fromkeys(entry.topic for entry in entries)
        if topic.id in topics and TopicRow.of(topics[topic.id]) != topic
    ]
    problems += [Problem(entry.id, text) for entry in entries for text in _stale(entry, topics)]
    if folder is not None:
        problems += [Problem(entry.id, text) for entry in entries for text in _file(entry, folder)]
    if folder is not None and chosen is None:
        problems += [
            Problem(index.source, f"{file} proves no fact of the index")
            for file in strays(folder, index, subject.claims)
        ]
    return problems


def _stale(entry: Entry, topics: Mapping[str, Topic]) -> Iterator[str]:
    topic = topics.get(entry.topic.id)
    if topic is None:
        yield "is no fact of this library"
        return
    fact = Fact(entry.id, topic, {path: read_value(text) for path, text in entry.values.items()})
    try:
        sentence = fact.sentence
    except (KeyError, ValueError, TypeError, AttributeError, AssertionError) as error:
        yield f"its values make no sentence ({type(error).__name__}: {error})"
        return
    if sentence != entry.sentence:
        yield f"the index says '{entry.sentence}', its values '{sentence}'"


def _file(entry: Entry, folder: Path) -> Iterator[str]:
    if entry.topic.form == RECOUNT:
        return
    path = folder / entry.file
    if not path.is_file():
        yield f"its certificate {entry.file} is missing"
    elif sha256_of(path) != entry.sha256:
        yield f"its certificate {entry.file} is not the one that was proved"


def compared(
    index: Index,
    subject: Subject,
    workers: int = 1,
    progress: Progress | None = None,
    chosen: Collection[str] | None = None,
    stop: Stop | None = None,
) -> list[Problem]:
    """Where the index and what the library derives again are not the same: facts missing, facts too many, other values.

    :raises Stopped: when `stop` is set.
    """
    facts = {fact.id: fact for fact in derive_all(subject, workers, chosen, progress, stop)}
    entries = of_topics(index, chosen)
    problems = [
        Problem(fact_id, "is a fact of this library, and missing in the index")
        for fact_id in facts
        if fact_id not in index.by_id
    ]
    for entry in entries:
        fact = facts.get(entry.id)
        if fact is None:
            problems.append(Problem(entry.id, "is no fact of this library"))
        elif not entry.says(fact):
            problems.append(Problem(entry.id, "the library derives something else than the index says"))
    if not problems and [entry.id for entry in entries] != list(facts):
        problems.append(Problem(index.source, "the facts stand in another order than the library has them"))
    return problems


# -- proved again --------------------------------------------------------------------------------------------------------------


def sampled(entries: Sequence[Entry], count: int, seed: int) -> tuple[Entry, ...]:
    """Some entries at random, of as many different topics as can be."""
    random = Random(seed)
    by_topic: dict[str, list[Entry]] = {}
    for entry in random.sample(entries, len(entries)):
        by_topic.setdefault(entry.topic.id, []).append(entry)
    drawn: list[Entry] = []
    while len(drawn) < min(count, len(entries)):
        for name in random.sample(list(by_topic), len(by_topic)):
            if by_topic[name] and len(drawn) < count:
                drawn.append(by_topic[name].pop())
    return tuple(drawn)


def proved_again(
    entries: Iterable[Entry],
    subject: Subject,
    folder: Path,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> list[Problem]:
    """Facts of which the library, asked again, writes another certificate than the one that is there, or has other values.

    :raises Stopped: when `stop` is set before all are proved; its `partial` are the problems found.
    """
    rows = [(entry.id, entry.topic.id, dict(entry.values), entry.file) for entry in entries]
    problems: list[Problem] = []
    try:
        with closing(run_jobs(_proved_again, (subject, folder, rows), range(len(rows)), 1, stop)) as results:
            for done, (number, problem) in enumerate(results, start=1):
                if problem is not None:
                    problems.append(Problem(rows[number][0], problem))
                if progress is not None:
                    progress("proved again", done, len(rows))
    except Stopped as stopped:
        raise Stopped(stopped.reason, problems) from None
    return problems


_Row: TypeAlias = tuple[str, str, dict[str, str], str]  # of the index: fact, topic, values, file of the certificate


def _proved_again(context: tuple[Subject, Path, list[_Row]], number: int) -> str | None:
    """What is wrong with one fact, proved again."""
    subject, folder, rows = context
    fact_id, topic_id, values, file = rows[number]
    topic = subject.claims.topics().get(topic_id)
    if topic is None:
        return "is no fact of this library"
    fact = Fact(fact_id, topic, {path: read_value(text) for path, text in values.items()})
    if topic.form == RECOUNT:
        again = {other.id: texts(other) for other in facts_of(topic, subject.board)}
        return None if again.get(fact_id) == values else "counted again, it has other values"
    path = folder / file
    try:
        text = certificate_text(fact, subject)
        there = load(path) if path.is_file() else None
    except TetrasolveError as error:
        return f"cannot be proved again: {error}"
    # the text, not the bytes: another version of xz may pack the same text otherwise
    if there != text or file_of(fact, text) != file:
        return "proved again, it has another certificate"
    return None
