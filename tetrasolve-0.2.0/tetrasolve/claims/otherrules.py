"""Facts under other rules: which of them stand when a reading has another value, or a number of the rulebook is another.

============ ====================================================================================================
verdict      of a fact under other rules
============ ====================================================================================================
`SAME`       derived again with the same values, or it cannot depend on what was changed
`CHANGES`    derived again with other values, which are named
`FAILS`      it cannot be derived: its position cannot occur, or an action in it is illegal
`UNKNOWN`    its derivation does not take all rules from the ruleset, so nothing is said
============ ====================================================================================================

A game that has such answers has a module ``otherrules`` in the package of its claims, with `canonical` (the text of other
rules as it is written), `assume` (from now on all rulesets of this process have them) and `standing` (whether a topic has to
be derived). Each set of other rules is asked in processes of its own, which derive nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, cast

from tetrasolve.claims.fact import Topic, value_text
from tetrasolve.claims.index import Entry, Index
from tetrasolve.claims.proving import Progress
from tetrasolve.claims.subject import Subject
from tetrasolve.errors import FactError, shown
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.cluster import Cluster, Workers
from tetrasolve.exact.deadline import answering, stop_of
from tetrasolve.exact.executor import Executor, ProcessExecutor
from tetrasolve.files import SIZE, read_text, write_text
from tetrasolve.stop import Stop
from tetrasolve.strict import StrictError, read_json

FORMAT = "tetrasolve-facts-under/1"
VERSION = 1  # of what is asked; another one makes all answers stale
NAME = "otherrules.json"
CHECKPOINT = "otherrules.checkpoint"
STAGE = "topics"
SHOWN = 3  # values that are shown of a fact

SAME, CHANGES, FAILS, UNKNOWN = "same", "changes", "fails", "unknown"
VERDICTS = (SAME, CHANGES, FAILS, UNKNOWN)
DERIVE = ""  # the standing of a topic that has to be derived


@dataclass(frozen=True, slots=True)
class Verdict:
    """What other rules do to a fact, and why: values that are others, or a reason."""

    verdict: str
    text: str

    def __str__(self) -> str:
        words = {SAME: "same", CHANGES: "changes to", FAILS: "fails", UNKNOWN: "not known"}[self.verdict]
        return f"{words}: {self.text}" if self.text else words


class OtherRules(Protocol):
    """What a game says of other rules, in the module ``otherrules`` of its claims."""

    def canonical(self, text: str) -> str:
        """The text as it is written; it raises the error of the game for other rules that do not exist."""
        ...

    def assume(self, text: str) -> None:
        """From now on all rulesets of this process have these rules."""
        ...

    def standing(self, topic: Topic, text: str) -> tuple[str, str]:
        """The verdict on a topic that is not derived, with the reason; `DERIVE` where it has to be."""
        ...


def rules_of(subject: Subject) -> OtherRules:
    """What the game of a subject says of other rules.

    :raises FactError: when it says nothing.
    """
    package = subject.claims.package
    try:
        return cast("OtherRules", import_module(f"{package}.otherrules".lstrip(".")))
    except ModuleNotFoundError:
        raise FactError(f"the facts of {subject.claims.game} are not derived under other rules") from None


def fresh_digest(text: str, index: Index, subject: Subject) -> str:
    """A digest of all that the answers depend on but the library's derivations: the board, the rules, the facts."""
    facts = [[entry.id, dict(entry.values)] for entry in index.entries]
    data = [VERSION, subject.digest(), text, facts]
    return hashlib.sha256(json.dumps(data).encode("ascii")).hexdigest()[:16]


# -- asking ------------------------------------------------------------------------------------------------------------


def _derived(context: tuple[Subject, str, Sequence[tuple[str, Mapping[str, Mapping[str, str]]]]], number: int) -> Any:
    """The verdicts on the facts of a topic, by instance; in a process that has derived nothing under other rules than these."""
    subject, text, jobs = context
    rules_of(subject).assume(text)
    name, base = jobs[number]
    return {
        key: [one.verdict, one.text] for key, one in judged(subject.claims.topics()[name], base, subject.board).items()
    }


def judged(topic: Topic, base: Mapping[str, Mapping[str, str]], board: Any) -> dict[str, Verdict]:
    """The verdicts on the instances of a topic by the rules that this process assumes; `base` has their values as text."""
    try:
        found = topic.derive(board)
    except Exception as error:  # noqa: BLE001  # whatever stops a derivation is its verdict
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return dict.fromkeys(base, Verdict(FAILS, shown(reason, 160).strip("'\"")))
    verdicts = {}
    for instance, before in base.items():
        if instance not in found:
            verdicts[instance] = Verdict(FAILS, "there is no such fact")
            continue
        after = {path: value_text(value) for path, value in found[instance].items()}
        changed = [path for path in sorted(before.keys() | after.keys()) if before.get(path) != after.get(path)]
        more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
        named = [f"{path} {after[path]}" if path in after else f"no {path}" for path in changed[:SHOWN]]
        verdicts[instance] = Verdict(CHANGES, f"{', '.join(named)}{more}") if changed else Verdict(SAME, "")
    return verdicts


def facts_under(
    text: str,
    index: Index,
    subject: Subject,
    *,
    workers: Workers = 1,
    work: Path | None = None,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> Mapping[str, Verdict]:
    """The verdict on each fact of an index under other rules, by its id, in the order of the index.

    `work` is a checkpoint, with which a run that was interrupted continues; it is removed at the end.

    :raises FactError: when the game has no answers.
    :raises OutOfTimeError: when the time ran out before all was asked.
    """
    rules = rules_of(subject)
    text, stop = rules.canonical(text), stop_of(seconds, cancel)
    by_topic: dict[str, list[Entry]] = {}
    for entry in index.entries:
        by_topic.setdefault(entry.topic.id, []).append(entry)
    topics = subject.claims.topics()
    standing = {name: rules.standing(topics[name], text) for name in by_topic if name in topics}
    jobs = [
        (name, {entry.instance: dict(entry.values) for entry in entries})
        for name, entries in by_topic.items()
        if name in standing and standing[name][0] == DERIVE
    ]
    with ExitStack() as open_ones:
        open_ones.enter_context(answering("other rules", "all facts were asked; with a folder the next run continues"))
        checkpoint = None
        if work is not None:
            task = {"version": VERSION, "digest": fresh_digest(text, index, subject)}
            checkpoint = open_ones.enter_context(Checkpoint(work, task))
        known: dict[str, Any] = dict((checkpoint.stage(STAGE) if checkpoint else None) or {})
        left = [number for number, (name, _) in enumerate(jobs) if name not in known]
        if left:
            executor: Executor
            if isinstance(workers, Cluster):
                executor = workers.executor(stop)
            else:
                executor = open_ones.enter_context(ProcessExecutor(workers, "spawn", stop=stop))
            with closing(executor.run(_derived, (subject, text, jobs), left)) as results:
                for number, row in results:
                    known[jobs[number][0]] = row
                    if checkpoint is not None:
                        checkpoint.keep(STAGE, known)
                        checkpoint.write()
                    if progress is not None:
                        progress(f"facts under {text}", len(known), len(jobs))
        if checkpoint is not None:
            checkpoint.remove()
    verdicts = {}
    for entry in index.entries:
        verdict, reason = standing.get(entry.topic.id, (UNKNOWN, "its kind does not exist any more"))
        row = known[entry.topic.id].get(entry.instance) if verdict == DERIVE else (verdict, reason)
        verdicts[entry.id] = Verdict(*row)
    return MappingProxyType(verdicts)


# -- stored ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StoredVerdicts:
    """Verdicts that are kept in a folder: for each other rules by their text the digest of what was asked, and the facts.

    Facts with the same verdict are kept together: `SAME` without a reason is the one that is left out.
    """

    rules: Mapping[str, tuple[str, Mapping[str, Verdict]]]

    @classmethod
    def load(cls, folder: Path) -> StoredVerdicts:
        """Those of a folder; none where it has no such file.

        :raises FactError: when the file cannot be read.
        """
        path = folder / NAME
        if not path.exists():
            return cls(MappingProxyType({}))
        try:
            data = read_json(read_text(path, SIZE), size=SIZE)
            if not isinstance(data, dict) or data.get("format") != FORMAT:
                raise FactError(f"{path}: expected facts under other rules that say {FORMAT!r}")
            rules = {
                text: (
                    str(row["digest"]),
                    MappingProxyType({name: _verdict(*pair) for name, pair in row["facts"].items()}),
                )
                for text, row in data["rules"].items()
            }
        except (StrictError, UnicodeDecodeError) as error:
            raise FactError(f"{path}: {error}") from None
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise FactError(f"{path}: no facts under other rules as this library writes them ({error!r})") from None
        return cls(MappingProxyType(rules))

    def write(self, folder: Path) -> None:
        """Write them to the folder, whole.

        :raises OSError: when the file cannot be written.
        """
        rules = {
            text: {"digest": digest, "facts": {name: [one.verdict, one.text] for name, one in facts.items()}}
            for text, (digest, facts) in sorted(self.rules.items())
        }
        write_text(folder / NAME, json.dumps({"format": FORMAT, "rules": rules}, indent=1, ensure_ascii=True) + "\n")

    def of(self, text: str, index: Index, subject: Subject) -> Mapping[str, Verdict]:
        """The verdicts under other rules.

        :raises FactError: when they are not kept, or are of other facts or another board.
        """
        text = rules_of(subject).canonical(text)
        digest, facts = self.rules.get(text, ("", {}))
        if digest != fresh_digest(text, index, subject):
            what = "is not kept" if not digest else "is of other facts, or of another board"
            raise FactError(f"what {text} does to the facts {what}; `tetrasolve facts under {text}` asks")
        return {entry.id: facts.get(entry.id, Verdict(SAME, "")) for entry in index.entries}


def _verdict(verdict: object, text: object) -> Verdict:
    if verdict not in VERDICTS or not isinstance(text, str):
        raise ValueError(f"{shown(verdict)} is no verdict")
    return Verdict(str(verdict), text)


def ask(
    texts: Iterable[str],
    index: Index,
    subject: Subject,
    folder: Path,
    *,
    fresh: bool = False,
    workers: Workers = 1,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> StoredVerdicts:
    """Ask what other rules do to all facts, and keep the answers in the folder; those that still stand are kept, unless `fresh`.

    A run that is interrupted keeps what it has, and the next one continues there.

    :raises FactError: when the game has no answers, or the file cannot be read.
    :raises OutOfTimeError: when the time ran out before all was asked.
    :raises OSError: when the file cannot be written.
    """
    stop, rules = stop_of(seconds, cancel), rules_of(subject)
    kept = StoredVerdicts.load(folder)
    for text in dict.fromkeys(map(rules.canonical, texts)):
        digest = fresh_digest(text, index, subject)
        if not fresh and kept.rules.get(text, ("",))[0] == digest:
            continue
        found = facts_under(
            text, index, subject, workers=workers, work=folder / CHECKPOINT, cancel=stop, progress=progress
        )
        others = {name: one for name, one in found.items() if one != Verdict(SAME, "")}
        kept = StoredVerdicts(MappingProxyType({**kept.rules, text: (digest, MappingProxyType(others))}))
        kept.write(folder)
    return kept
