"""Facts derived again on another board, one topic after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any, TypeAlias

from tetrasolve.claims import robust
from tetrasolve.claims.index import Index
from tetrasolve.claims.subject import Subject
from tetrasolve.exact.cluster import run_jobs
from tetrasolve.stop import Stop

Broken: TypeAlias = dict[str, tuple[list[str], list[str]]]  # as `tetrasolve.claims.robust.differences`


def on_board(
    index: Index, subject: Subject, board: Any, stop: Stop | None = None, fits: Callable[[float], bool] = lambda _: True
) -> Iterator[tuple[str, Broken]]:
    """The topics that read rows of the board, derived again on another board: the id of each, as it is done, with `differences`.

    The quick ones come first. With `stop` a process of its own derives them, which ends when it is set. Without one a topic cannot
    be stopped: `fits` says whether there is time for one of about so many seconds, and the first that does not fit is the end.

    :raises Stopped: when `stop` is set.
    """
    topics = subject.claims.topics()
    bases: dict[str, dict[str, Mapping[str, str]]] = {}
    for entry in index.entries:
        if entry.topic.id in topics and topics[entry.topic.id].rows:
            bases.setdefault(entry.topic.id, {})[entry.instance] = dict(entry.values)
    names = sorted(bases, key=lambda name: topics[name].effort)
    with closing(run_jobs(_ask_board, (subject, bases, names, board), range(len(names)), 1, stop)) as results:
        for number, found in results:
            yield names[number], found
            if not all(fits(topics[name].effort) for name in names[number + 1 : number + 2]):
                return


def _ask_board(context: tuple[Subject, Mapping[str, robust.Texts], list[str], Any], number: int) -> Broken:
    """What another board does to the facts of a topic."""
    subject, bases, names, board = context
    return robust.differences(subject.claims.topics()[names[number]], bases[names[number]], board)
