"""Proves facts: derives all values, writes the certificates below a folder, then the index of what is there.

A fact whose form is `RECOUNT` has no certificate; the index is all there is to write.

Each certificate is a file of its own, written beside its place and renamed, so whatever happens a file is whole. Work that
was interrupted continues where it stopped: a certificate which is there, whole, and claims these values of this fact on this
board is kept. Whether it proves them is for the checker to say; `fresh` keeps nothing. The same facts give the same bytes.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from tetrasolve.certify.form import Certificate, digest, load
from tetrasolve.claims.certificates import value_lines
from tetrasolve.claims.fact import RECOUNT, Fact, Topic, Value, facts_of
from tetrasolve.claims.families import Claims
from tetrasolve.claims.index import NAME, Entry, Index, entry_of, sha256_of
from tetrasolve.claims.subject import Subject
from tetrasolve.errors import CertificateError, ClusterError, FactError, shown
from tetrasolve.exact.cluster import Cluster, Workers, run_jobs
from tetrasolve.exact.deadline import stop_of
from tetrasolve.files import write_bytes
from tetrasolve.stop import Stop, Stopped

Progress: TypeAlias = Callable[[str, int, int], None]  # what is being done, how much of it, of how much

Task: TypeAlias = tuple[str, dict[str, Value]]  # a fact as it is sent to workers: its id and its values

LONGEST_PLAIN = 4096  # bytes of text: a certificate that is longer is compressed
A_JOB = 8  # facts of one topic at most, so that what they share is worked out once


@dataclass(frozen=True, slots=True)
class Proved:
    """What a run did: the index, and how many certificates it wrote and how many it found.

    `status` is ``complete``, or ``interrupted`` where the time ran out: then the certificates that it wrote are there, the
    index is the one from before, and the next run continues.
    """

    index: Index
    written: int
    kept: int
    status: Literal["complete", "interrupted"] = "complete"


# -- what is to be proved ----------------------------------------------------------------------------------------------


def derive_all(
    subject: Subject,
    workers: Workers = 1,
    chosen: Collection[str] | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> tuple[Fact, ...]:
    """All facts of the library on a board, in the order of the families, or those of some topics.

    :raises Stopped: when `stop` is set.
    """
    topics = subject.claims.topics()
    names = [name for name in topics if chosen is None or name in chosen]
    found: dict[int, tuple[Fact, ...]] = {}
    context = (subject, names)
    with closing(run_jobs(_derive, context, range(len(names)), workers, stop)) as results:
        for number, values in results:
            topic = topics[names[number]]
            found[number] = tuple(Fact(fact_id, topic, fact_values) for fact_id, fact_values in values)
            if progress is not None:
                progress("derived", len(found), len(names))
    return tuple(fact for number in range(len(names)) for fact in found[number])


def _derive(context: tuple[Subject, list[str]], number: int) -> list[Task]:
    subject, names = context
    facts = facts_of(subject.claims.topics()[names[number]], subject.board)
    return [(fact.id, dict(fact.values)) for fact in facts]


def topics_chosen(claims: Claims, wanted: Sequence[str], families: Sequence[str] = ()) -> frozenset[str] | None:
    """The topics with these ids (of facts, topics or kinds) and in these families; None, for all, where none is given.

    :raises FactError: when there is no such fact, topic, kind or family.
    """
    topics = claims.topics()
    for family in families:
        if family not in claims.families:
            raise FactError(f"{shown(family)} is no family of facts, expected one of {', '.join(claims.families)}")
    names = {topic.id for fact_id in wanted for topic in topics_of(claims, fact_id)}
    names |= {topic.id for topic in topics.values() if topic.family in families}
    return frozenset(names) if wanted or families else None


def topics_of(claims: Claims, name: str) -> tuple[Topic, ...]:
    """The topic of a fact, a topic by its id, or all topics of a kind.

    :raises FactError: when there is none.
    """
    topics = claims.topics()
    words = name.split("/")
    for count in range(len(words), 0, -1):
        if (topic := topics.get("/".join(words[:count]))) is not None:
            return (topic,)
    found = tuple(topic for topic in topics.values() if topic.kind == name)
    if not found:
        raise FactError(f"{shown(name)} is no kind or topic of facts; `tetrasolve facts list --kinds` has them all")
    return found


def single_facts(claims: Claims, wanted: Sequence[str]) -> list[str]:
    """Those of these ids that stand for one fact of several, not for a topic or a kind."""
    topics = claims.topics()
    return [name for name in wanted if name not in topics and all(name != topic.kind for topic in topics.values())]


# -- certificates as files ---------------------------------------------------------------------------------------------


def certificate_text(fact: Fact, subject: Subject) -> str:
    """The certificate of a fact as text.

    :raises FactError: when it is one of another fact, or of other values, which is a mistake of its family.
    """
    if fact.topic.certify is None:
        raise FactError(f"fact {fact.id} has no certificate, the checker counts it again")
    certificate = fact.topic.certify(subject.board, fact.instance, fact.values)
    if not begins(certificate, fact, subject):
        raise FactError(f"fact {fact.id}: its certificate claims something else; please report this")
    return certificate.text()


def begins(certificate: Certificate, fact: Fact, subject: Subject) -> bool:
    """Whether a certificate begins as the one of this fact: its topic, the board, the fact, its values."""
    start = [("board", f"{subject.id} {subject.digest()}"), ("fact", fact.id)]
    first = certificate.sections[:1]
    return (
        certificate.kind == fact.topic.certificate
        and list(certificate.fields[:2]) == start
        and first == (("values", value_lines(fact.values)),)
    )


def file_of(fact: Fact, text: str) -> str:
    """Where a certificate lies below the folder of the index: the family, then the id of the fact; long ones compressed."""
    return f"{fact.topic.family}/{fact.id}.cert{'.xz' if len(text) > LONGEST_PLAIN else ''}"


def packed(file: str, text: str) -> bytes:
    """The bytes of a certificate in this file, always the same."""
    data = text.encode("ascii")
    return lzma.compress(data, preset=9 | lzma.PRESET_EXTREME) if file.endswith(".xz") else data


def certified(folder: Path, fact: Fact, subject: Subject) -> str | None:
    """The file, below the folder, of the certificate that claims this fact with these values; None where none does.

    It is read as far as its values, and its digest is compared.
    """
    for file in _files(fact):
        try:
            text = load(folder / file)
        except (OSError, CertificateError):
            continue
        if _claims(text, fact, subject) and file_of(fact, text) == file:
            return file
    return None


def _claims(text: str, fact: Fact, subject: Subject) -> bool:
    body, _, last = text.rpartition("sha256 ")
    lines = body.split("\n")
    values = [f"values {len(fact.values)}", *value_lines(fact.values)]
    head = [f"kind {fact.topic.certificate}", f"board {subject.id} {subject.digest()}", f"fact {fact.id}"]
    start = lines.index(values[0]) if values[0] in lines else 0
    return lines[1:4] == head and lines[start : start + len(values)] == values and last == f"{digest(body)}\n"


def strays(folder: Path, index: Index, claims: Claims) -> list[str]:
    """The certificates below a folder that prove no fact of the index, and what was left of files half written."""
    known = {entry.file for entry in index.entries if entry.file}
    found = (
        path.relative_to(folder).as_posix() for family in claims.families for path in (folder / family).rglob("*.cert*")
    )
    return sorted(file for file in found if file not in known)


# -- proving -----------------------------------------------------------------------------------------------------------


def prove(
    subject: Subject,
    folder: Path,
    chosen: Collection[str] | None = None,
    *,
    only: Collection[str] | None = None,
    fresh: bool = False,
    workers: Workers = 1,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> Proved:
    """Prove all facts about a board, or those of some topics, and write certificates and index into a folder.

    What the index says of other facts stays; what it says of robustness stays too where the values do. The index is
    written last: while a run is interrupted the old one is there. After `seconds`, or when `cancel` is set, it ends with the
    certificates that it has written.

    :param only: of the facts of these topics those with these ids.
    :raises FactError: when the index that is there cannot be read, or one of `only` is no fact.
    :raises OSError: when a file cannot be written.
    """
    stop = stop_of(seconds, cancel)
    path = folder / NAME
    old = Index.load(path) if path.exists() and not (fresh and chosen is None) else Index.about(subject, ())
    try:
        facts = derive_all(subject, workers, chosen, progress, stop)
    except Stopped:
        return Proved(old, 0, 0, "interrupted")
    derived = {fact.id for fact in facts}
    if only is not None:
        for fact_id in only:
            if fact_id not in derived:
                raise FactError(f"{shown(fact_id)} is no fact; `tetrasolve facts list` has them all")
        facts = tuple(fact for fact in facts if fact.id in only)
    there = {fact.id: "" for fact in facts if fact.topic.form == RECOUNT}
    proofs = [fact for fact in facts if fact.id not in there]
    if not fresh:
        there |= {fact.id: file for fact in proofs if (file := certified(folder, fact, subject)) is not None}
    missing = [fact for fact in facts if fact.id not in there]
    done = 0
    try:
        for done, (fact_id, file) in enumerate(_write_all(subject, folder, missing, workers, stop), start=1):
            there[fact_id] = file
            if progress is not None:
                progress("proved", len(proofs) - len(missing) + done, len(proofs))
    except Stopped:
        return Proved(old, done, len(proofs) - len(missing), "interrupted")
    if old.changed_rows(subject):
        old = Index.about(subject, ())
    stay = [
        entry
        for entry in old.entries
        if (chosen is not None and entry.topic.id not in chosen) or (only is not None and entry.id in derived)
    ]
    new = [_entry(folder, fact, there[fact.id], old) for fact in facts]
    entries = _with_facts(stay, new, list(subject.claims.topics()))
    index = replace(Index.about(subject, entries), neighbourhood=old.neighbourhood, source=str(path))
    if chosen is None:
        for file in strays(folder, index, subject.claims):
            (folder / file).unlink()
    folder.mkdir(parents=True, exist_ok=True)
    index.write(path)
    return Proved(index, len(missing), len(proofs) - len(missing))


def _entry(folder: Path, fact: Fact, file: str, old: Index) -> Entry:
    """What the new index says of a fact; what the old one knows of its robustness stays where the fact is the same."""
    before = old.by_id.get(fact.id)
    known = before.robustness if before is not None and before.says(fact) else None
    return entry_of(fact, file, sha256_of(folder / file) if file else "", known)


def _with_facts(stay: Sequence[Entry], new: Sequence[Entry], topics: Sequence[str]) -> list[Entry]:
    """Entries by the order of their topics; within a topic new ones take the places of those they replace."""
    entries = {entry.id: entry for entry in (*stay, *new)}
    order = {name: row for row, name in enumerate(topics)}
    return sorted(entries.values(), key=lambda entry: order.get(entry.topic.id, len(order)))


def _write_all(
    subject: Subject, folder: Path, facts: Sequence[Fact], workers: Workers, stop: Stop | None
) -> Iterator[tuple[str, str]]:
    """The ids of facts and the files of their certificates, as they are written.

    :raises Stopped: when `stop` is set.
    """
    jobs: list[list[Task]] = []
    for fact in facts:
        last = jobs[-1] if jobs else []
        if not last or topics_of(subject.claims, last[0][0])[0] != fact.topic or len(last) == A_JOB:
            jobs.append(last := [])
        last.append((fact.id, dict(fact.values)))
    by_id = {fact.id: fact for fact in facts}
    has_folder = not isinstance(workers, Cluster)  # machines of a cluster do not have it: they give the files back
    context = (subject, str(folder) if has_folder else None, jobs)
    with closing(run_jobs(_certify, context, range(len(jobs)), workers, stop)) as results:
        for number, files in results:
            if not has_folder:
                _take_all(folder, [by_id[fact_id] for fact_id, _ in jobs[number]], subject, files)
            yield from ((fact_id, file) for fact_id, file, _ in files)


def _certify(context: tuple[Subject, str | None, list[list[Task]]], number: int) -> list[tuple[str, str, bytes | None]]:
    """The ids of facts and the files of their certificates: these are written, or given back where there is no folder."""
    subject, folder, jobs = context
    facts = [Fact(fact_id, topics_of(subject.claims, fact_id)[0], values) for fact_id, values in jobs[number]]
    if folder is not None:
        return [(fact.id, write(Path(folder), fact, subject), None) for fact in facts]
    found: list[tuple[str, str, bytes | None]] = []
    for fact in facts:
        text = certificate_text(fact, subject)
        file = file_of(fact, text)
        found.append((fact.id, file, packed(file, text)))
    return found


def _take_all(
    folder: Path, facts: Sequence[Fact], subject: Subject, files: Sequence[tuple[str, str, bytes | None]]
) -> None:
    """Write the certificates of these facts, which another machine made.

    :raises ClusterError: when one is none of its fact; it is not kept.
    """
    names = [fact.id for fact in facts]
    if [fact_id for fact_id, _, _ in files] != names:
        raise ClusterError(f"a worker gave something else than certificates of {', '.join(names)}")
    for fact, (_, file, data) in zip(facts, files, strict=True):
        if file in _files(fact) and data is not None:
            _put(folder, fact, file, data)
            if certified(folder, fact, subject) == file:
                continue
            (folder / file).unlink()
        raise ClusterError(f"a worker gave something else than a certificate of {fact.id}")


def write(folder: Path, fact: Fact, subject: Subject) -> str:
    """Prove a fact, and write its certificate; the file's name below the folder.

    :raises OSError: when it cannot be written.
    """
    text = certificate_text(fact, subject)
    file = file_of(fact, text)
    _put(folder, fact, file, packed(file, text))
    return file


def _put(folder: Path, fact: Fact, file: str, data: bytes) -> None:
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, data)
    for other in _files(fact):  # the one it had before it grew or shrank
        if other != file:
            (folder / other).unlink(missing_ok=True)


def _files(fact: Fact) -> tuple[str, str]:
    """The files below the folder that its certificate may have."""
    return f"{fact.topic.family}/{fact.id}.cert", f"{fact.topic.family}/{fact.id}.cert.xz"
