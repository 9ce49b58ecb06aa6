"""Which rows of the board a fact depends on: its values on every board that differs in one uncertain row, and in two.

A topic of facts is asked on the changes (`changes`) of those kinds of rows that it reads. One change at a time all of them
are tried. Two at a time are tried for the topics that have a fact which no single change breaks: all pairs where that takes
little time, else pairs drawn at random, and then the share of those that break it is an estimate.

These results rest on the library's own derivations alone. A certificate speaks of one board, the one it names.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, TypeAlias

from tetrasolve.claims.checking import Problem, of_topics
from tetrasolve.claims.fact import Topic, Values, value_text
from tetrasolve.claims.index import (
    ANY_ONE,
    ANY_TWO,
    BREAKS,
    NAME,
    READS_NONE,
    Entry,
    Index,
    Pairs,
    Robustness,
)
from tetrasolve.claims.proving import Progress
from tetrasolve.claims.subject import Subject
from tetrasolve.exact.checkpoint import Checkpoint, CheckpointError, CheckpointInUseError
from tetrasolve.exact.cluster import Workers, run_jobs
from tetrasolve.exact.deadline import answering, stop_of
from tetrasolve.exact.executor import seed_of
from tetrasolve.stop import Stop, Stopped

VERSION = 1  # of what is asked; another one makes all answers stale
CHECKPOINT = "robustness.checkpoint"
SHOWN = 3  # values that are shown of a change
FIRST = 3  # pairs that are shown
PAIRS_SECONDS = 8.0  # of one process, for each topic; how long a derivation takes is stated by its `effort`
PAIRS_JOB = 25  # pairs in one job
BOARD_SECONDS = 0.003  # to make a board and to see that it is possible

SINGLES, PAIRS = "one row wrong", "two rows wrong"  # the stages of the work

# What a change does: by topic and instance the paths of the values that are others, and the first of them with their values
Broken: TypeAlias = dict[str, dict[str, tuple[list[str], list[str]]]]
Texts: TypeAlias = Mapping[str, Mapping[str, str]]  # the values of a topic as text, by instance and path


# -- what is asked -----------------------------------------------------------------------------------------------------


def fresh_digest(kind_id: str, entries: Iterable[Entry], subject: Subject) -> str:
    """A digest of all that the robustness of a topic depends on: the board, the changes, its facts with their values.

    The library's way to derive them is not in it; that is what `tetrasolve facts check --sample` looks at.
    """
    topic = subject.claims.topics()[kind_id]
    changes = [[change.name, *change.rows, change.doubt] for change in subject.neighbourhood().about(topic.rows)]
    facts = [[entry.id, dict(entry.values)] for entry in entries]
    data = [VERSION, subject.digest(), list(topic.rows), topic.effort, changes, facts]
    return hashlib.sha256(json.dumps(data).encode("ascii")).hexdigest()[:16]


def pairs_of(topic: Topic, subject: Subject) -> tuple[int, list[tuple[int, int]]]:
    """How many pairs of changes there are for a topic, and those to be tried, by the numbers of the changes."""
    near = subject.neighbourhood()
    numbers = [number for number, change in enumerate(near.changes) if change.kinds & set(topic.rows)]
    pairs = list(combinations(numbers, 2))
    most = int(PAIRS_SECONDS / (topic.effort + BOARD_SECONDS))
    if len(pairs) <= most:
        return len(pairs), pairs
    drawn = Random(seed_of("pairs of rows", topic.id)).sample(pairs, most)
    return len(pairs), sorted(drawn)


def counted(subject: Subject) -> Mapping[str, tuple[int, int]]:
    """How many changes of each kind of rows are asked about, and how many were left out since they cannot be."""
    near = subject.neighbourhood()
    return MappingProxyType({name: (len(near.about([name])), near.impossible[name]) for name in near.impossible})


# -- asking --------------------------------------------------------------------------------------------------------------


def differences(topic: Topic, base: Texts, board: Any) -> dict[str, tuple[list[str], list[str]]]:
    """The instances of a topic with other values on a board: the paths of these values, and what the first of them are."""
    found = topic.derive(board)
    broken = {}
    for instance, before in base.items():
        if instance not in found:
            broken[instance] = (sorted(before), ["there is no such fact"])
            continue
        after = _texts(found[instance])
        changed = [path for path in sorted(before.keys() | after.keys()) if before.get(path) != after.get(path)]
        if changed:
            shown = [f"{path} {after[path]}" if path in after else f"no {path}" for path in changed[:SHOWN]]
            broken[instance] = (changed, shown)
    return broken


def _texts(values: Values) -> dict[str, str]:
    return {path: value_text(value) for path, value in values.items()}


def _ask_one(context: tuple[Subject, dict[str, Texts], list[tuple[int, list[str]]]], number: int) -> Broken:
    """What one change does to the facts of some topics."""
    subject, bases, jobs = context
    change, names = jobs[number]
    changed = subject.neighbourhood().changes[change].apply(subject.board)
    return {name: differences(subject.claims.topics()[name], bases[name], changed) for name in names}


def _ask_pairs(
    context: tuple[Subject, dict[str, Texts], list[tuple[str, str, list[tuple[int, int]]]]], number: int
) -> tuple[str, dict[str, list[Any]], int]:
    """What some pairs of changes do to the facts of a topic, by instance: how many break it, and the first of these.

    With the id of the topic, and with the number of pairs that are none, since they cannot be true together.
    """
    subject, bases, jobs = context
    name, _, pairs = jobs[number]
    topic = subject.claims.topics()[name]
    changes = subject.neighbourhood().changes
    found: dict[str, list[Any]] = {}
    none = 0
    for a, b in pairs:
        changed = subject.both(changes[a], changes[b])
        if changed is None:
            none += 1
            continue
        for instance in differences(topic, bases[name], changed):
            row = found.setdefault(instance, [0])
            row[0] += 1
            if len(row) <= FIRST:
                row.append(f"{changes[a].name} and {changes[b].name}")
    return name, found, none


# -- all of it ---------------------------------------------------------------------------------------------------------------


def ask(
    index: Index,
    subject: Subject,
    folder: Path,
    chosen: Collection[str] | None = None,
    *,
    fresh: bool = False,
    workers: Workers = 1,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> Index:
    """The index with the robustness of all facts, or of those of some topics, written to the folder.

    Answers that are there and still stand are kept, unless `fresh`. A run that is interrupted leaves a checkpoint in the
    folder, from which the next one continues; so does one that ends after `seconds`, or since `cancel` is set.

    :raises OutOfTimeError: when the time ran out before all was asked.
    :raises OSError: when a file cannot be written.
    """
    by_topic: dict[str, list[Entry]] = {}
    for entry in index.entries:
        by_topic.setdefault(entry.topic.id, []).append(entry)
    digests = {name: fresh_digest(name, entries, subject) for name, entries in by_topic.items()}
    asked = {
        name: {entry.instance: dict(entry.values) for entry in entries}
        for name, entries in by_topic.items()
        if (chosen is None or name in chosen)
        and (fresh or any(entry.robustness is None or entry.robustness.digest != digests[name] for entry in entries))
    }
    if asked:
        stop = stop_of(seconds, cancel)
        with (
            answering("robustness", "all was asked; the next run continues from there"),
            _checkpoint(folder / CHECKPOINT, {"version": VERSION, "board": subject.digest()}) as checkpoint,
        ):
            log = _Log(checkpoint, {name: f"{name} {digests[name]}" for name in asked}, progress)
            singles = _singles(subject, asked, log, workers, stop)
            pairs = _pairs(subject, asked, singles, log, workers, stop)
            index = replace(
                index,
                neighbourhood=counted(subject),
                entries=tuple(
                    replace(entry, robustness=_answer(entry, subject, digests[entry.topic.id], singles, pairs))
                    if entry.topic.id in asked
                    else entry
                    for entry in index.entries
                ),
            )
            index.write(folder / NAME)
            if chosen is None:
                checkpoint.remove()  # with what it may hold of facts that were others once
            else:
                log.forget()
    return index


def _checkpoint(path: Path, task: Mapping[str, Any]) -> Checkpoint:
    """What an interrupted run about the same board left, or nothing."""
    try:
        return Checkpoint(path, task)
    except CheckpointInUseError:
        raise
    except CheckpointError:  # of another board, or damaged: of no use any more
        path.unlink()
        return Checkpoint(path, task)


@dataclass(frozen=True, slots=True)
class _Log:
    """Where answers go as they come: into the checkpoint, each topic by itself under its digest, and to who watches."""

    checkpoint: Checkpoint
    keys: Mapping[str, str]  # by the id of a topic
    progress: Progress | None

    def kept(self, stage: str) -> dict[str, dict[str, Any]]:
        """The answers that are there, by topic, each by the number of its question as text."""
        answers = self._answers(stage)
        return {name: answers.setdefault(key, {}) for name, key in self.keys.items()}

    def keep(self, stage: str, done: int, total: int) -> None:
        """One more answer has come into what `kept` gave."""
        self.checkpoint.keep(stage, self._answers(stage))
        if self.progress is not None:
            self.progress(stage, done, total)

    def forget(self) -> None:
        """These topics are done; what is known of others stays for the run that asks them."""
        left = 0
        for stage in (SINGLES, PAIRS):
            answers = self._answers(stage)
            for key in self.keys.values():
                answers.pop(key, None)
            left += len(answers)
        if left:
            self.checkpoint.write()
        else:
            self.checkpoint.remove()

    def _answers(self, stage: str) -> dict[str, dict[str, Any]]:
        if self.checkpoint.stage(stage) is None:
            self.checkpoint.keep(stage, {})
        answers: dict[str, dict[str, Any]] = self.checkpoint.stage(stage)
        return answers


def _singles(
    subject: Subject, asked: Mapping[str, Texts], log: _Log, workers: Workers, stop: Stop | None
) -> dict[str, dict[int, Any]]:
    """For each topic what each change does that it reads, by the number of the change."""
    topics = subject.claims.topics()
    kept = log.kept(SINGLES)
    questions = {
        number: [name for name in asked if change.kinds & set(topics[name].rows)]
        for number, change in enumerate(subject.neighbourhood().changes)
    }
    jobs = [(number, [name for name in names if str(number) not in kept[name]]) for number, names in questions.items()]
    jobs = [(number, names) for number, names in jobs if names]
    context = (subject, dict(asked), jobs)
    try:
        with closing(run_jobs(_ask_one, context, range(len(jobs)), workers, stop)) as results:
            for done, (job, broken) in enumerate(results, start=1):
                for name, found in broken.items():
                    kept[name][str(jobs[job][0])] = found
                log.keep(SINGLES, done, len(jobs))
    finally:
        log.checkpoint.write()
    return {
        name: {number: kept[name][str(number)] for number, names in questions.items() if name in names}
        for name in asked
    }


def _pairs(
    subject: Subject,
    asked: Mapping[str, Texts],
    singles: Mapping[str, dict[int, Any]],
    log: _Log,
    workers: Workers,
    stop: Stop | None,
) -> dict[str, tuple[int, int, dict[str, list[Any]]]]:
    """For each topic how many pairs are possible as far as is known, how many were tried, and what these did."""
    topics = subject.claims.topics()
    bases = {}
    for name, base in asked.items():
        broken = {instance for found in singles[name].values() for instance in found}
        whole = {instance: values for instance, values in base.items() if instance not in broken}
        if whole and topics[name].rows:
            bases[name] = whole
    plans = {name: pairs_of(topics[name], subject) for name in bases}
    kept = log.kept(PAIRS)
    jobs = [
        (name, str(start), pairs[start : start + PAIRS_JOB])
        for name, (_, pairs) in plans.items()
        for start in range(0, len(pairs), PAIRS_JOB)
        if str(start) not in kept[name]
    ]
    try:
        with closing(run_jobs(_ask_pairs, (subject, bases, jobs), range(len(jobs)), workers, stop)) as results:
            for done, (job, row) in enumerate(results, start=1):
                name, start, _ = jobs[job]
                kept[name][start] = row
                log.keep(PAIRS, done, len(jobs))
    finally:
        log.checkpoint.write()
    totals: dict[str, tuple[int, int, dict[str, list[Any]]]] = {}
    for name, (possible, pairs) in plans.items():
        rows = [kept[name][str(start)] for start in range(0, len(pairs), PAIRS_JOB)]
        none = sum(row[2] for row in rows)
        merged: dict[str, list[Any]] = {}
        for _, found, _ in rows:
            for instance, (count, *names) in found.items():
                row = merged.setdefault(instance, [0])
                row[0] += count
                row += names[: FIRST + 1 - len(row)]
        exhaustive = len(pairs) == possible
        totals[name] = (possible - none if exhaustive else possible, len(pairs) - none, merged)
    return totals


def _answer(
    entry: Entry,
    subject: Subject,
    digest: str,
    singles: Mapping[str, dict[int, Any]],
    pairs: Mapping[str, tuple[int, int, dict[str, list[Any]]]],
) -> Robustness:
    """What all that was tried says of one fact."""
    name = entry.topic.id
    if not entry.topic.rows:
        return Robustness(READS_NONE, 0, MappingProxyType({}), (), digest)
    changes = subject.neighbourhood().changes
    breaks: dict[str, tuple[int, tuple[str, ...]]] = {}
    unsteady: set[str] = set()
    tried = len(singles[name])
    for number, found in singles[name].items():
        if entry.instance in found:
            paths, first = found[entry.instance]
            unsteady.update(paths)
            breaks[changes[number].name] = (len(paths), tuple(first))
    if breaks:
        changed = tuple(path for path in entry.values if path in unsteady)
        return Robustness(BREAKS, tried, MappingProxyType(breaks), changed, digest)
    possible, made, broken = pairs[name]
    count, *first = broken.get(entry.instance, [0])
    two = Pairs(possible, made, count, tuple(first))
    verdict = ANY_TWO if two.all_tried and not two.breaking else ANY_ONE
    return Robustness(verdict, tried, MappingProxyType({}), (), digest, two)


# -- whether it still stands -------------------------------------------------------------------------------------------------


def stale(index: Index, subject: Subject, chosen: Collection[str] | None = None) -> list[Problem]:
    """The facts, of some topics or all, whose robustness was not asked, or asked of other facts, boards or changes."""
    topics = subject.claims.topics()
    by_topic: dict[str, list[Entry]] = {}
    for entry in of_topics(index, chosen):
        if entry.topic.id in topics:
            by_topic.setdefault(entry.topic.id, []).append(entry)
    problems = []
    asked = any(entry.robustness is not None for entry in index.entries)
    is_counted_so = dict(index.neighbourhood) == dict(counted(subject))
    is_of_board = is_counted_so and index.digest == subject.digest()
    if asked and not is_counted_so:
        problems.append(Problem(index.source, "the changes of the board that it counts are not those of the board"))
    never = [entry.id for entries in by_topic.values() for entry in entries if entry.robustness is None]
    if never:
        what = f"{never[0]} and {len(never) - 1} more" if len(never) > 1 else never[0]
        problems.append(Problem(index.source, f"nobody asked how robust {what} is; `tetrasolve facts robust` does"))
    for name, entries in by_topic.items():
        digest = fresh_digest(name, entries, subject)
        answered = [entry for entry in entries if entry.robustness is not None]
        wrong = [entry for entry in answered if entry.robustness is not None and entry.robustness.digest != digest]
        if is_of_board and wrong == answered and len(wrong) > 1:  # one that was changed is no fault of the others
            text = (
                f"when it was asked how robust {name} is, one of its facts had other values, or there were other facts"
            )
            problems.append(Problem(index.source, text))
            continue
        text = "its robustness is of other values, of another board, or of other changes of it"
        problems += [Problem(entry.id, text) for entry in wrong]
    return problems


def asked_again(
    index: Index,
    subject: Subject,
    count: int,
    seed: int,
    chosen: Collection[str] | None = None,
    stop: Stop | None = None,
) -> list[Problem]:
    """The facts of which the library, asked again, says something else of a change; topics and changes are drawn at random.

    :raises Stopped: when `stop` is set before all are asked; its `partial` are the problems found.
    """
    topics = subject.claims.topics()
    random = Random(seed)
    near = subject.neighbourhood()
    changes = near.changes
    numbers = {change.name: number for number, change in enumerate(changes)}
    known = dict.fromkeys(entry.topic for entry in of_topics(index, chosen))
    # A topic whose rows are all certain has no change to be asked about
    readers = [topic.id for topic in known if topic.id in topics and near.about(topics[topic.id].rows)]
    by_topic = {name: {entry.instance: entry for entry in index.entries if entry.topic.id == name} for name in readers}
    bases = {
        name: {instance: dict(entry.values) for instance, entry in entries.items()}
        for name, entries in by_topic.items()
    }
    jobs: list[tuple[int, list[str]]] = []
    for _ in range(count if readers else 0):
        name = random.choice(readers)
        change = random.choice(near.about(topics[name].rows))
        jobs.append((numbers[change.name], [name]))
    problems: list[Problem] = []
    try:
        with closing(run_jobs(_ask_one, (subject, bases, jobs), range(len(jobs)), 1, stop)) as results:
            for number, found in results:
                row, (name,) = jobs[number]
                problems += _other_answers(changes[row].name, by_topic[name], found[name])
    except Stopped as stopped:
        raise Stopped(stopped.reason, problems) from None
    return problems


def _other_answers(
    change: str, entries: Mapping[str, Entry], found: Mapping[str, tuple[list[str], list[str]]]
) -> Iterator[Problem]:
    """The facts of a topic of which the index says something else of a change."""
    for instance, entry in entries.items():
        if entry.robustness is None:
            continue
        paths, first = found.get(instance, ([], []))
        if entry.robustness.breaks.get(change) != ((len(paths), tuple(first)) if paths else None):
            yield Problem(entry.id, f"asked again, it says something else of the change '{change}'")
