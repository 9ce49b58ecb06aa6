"""``tetrasolve facts``: list, show, prove and check facts about the rules, and test how they depend on the board."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from tetrasolve.claims import checking, otherrules, robust
from tetrasolve.claims.families import FOLDERS
from tetrasolve.claims.index import (
    ANY_ONE,
    BREAKS,
    NAME,
    Entry,
    Index,
    TopicRow,
)
from tetrasolve.claims.proving import prove, single_facts, topics_chosen
from tetrasolve.cli.common import OutputError, console, echo_json, json_option, seconds_option, status_code
from tetrasolve.cli.game import current_game
from tetrasolve.cli.searching import stage_bars
from tetrasolve.cli.workers import workers_options
from tetrasolve.errors import FactError, shown
from tetrasolve.exact.cluster import Workers
from tetrasolve.exact.deadline import stop_of
from tetrasolve.stop import Stopped
from tetrasolve.tables import titled

PROBLEMS, UNKNOWN = 1, 3
FEW = 8  # values that are named in a sentence

F = TypeVar("F", bound=Callable[..., Any])


@click.group("facts")
def command() -> None:
    """List, show, prove and check facts about the rules."""


class _Family(click.ParamType):  # type: ignore[type-arg]  # not generic before click 8.2
    """A family of claims of the current game."""

    name = "family"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """The families, in the style of `click.Choice`."""
        del param, ctx
        return f"[{'|'.join(current_game().get_claims().families)}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name of a family that exists."""
        return str(click.Choice(list(current_game().get_claims().families)).convert(value, param, ctx))


def folder_option(command: F) -> F:
    """The option --folder."""
    return click.option(
        "--folder", metavar="DIR", help="The folder of index and certificates (default: those of the library)."
    )(command)


def workers_option(command: F) -> F:
    """The option --workers."""
    return click.option("--workers", type=click.IntRange(1), help="Number of processes (default: one for each core).")(
        command
    )


def family_option(command: F) -> F:
    """The option --family."""
    return click.option("--family", "families", multiple=True, type=_Family(), help="Only these.")(command)


def find_folder(folder: str | None) -> Path:
    """The folder of index and certificates."""
    return current_game().get_claims().proofs_folder() if folder is None else Path(folder)


def find_folder_to_write(folder: str | None) -> Path:
    """The folder of index and certificates, for a command that writes them.

    :raises FactError: when no folder is named and the library is installed from a wheel.
    """
    place = find_folder(folder)
    if folder is None and place.is_relative_to(FOLDERS[0]):
        raise FactError(f"--folder: expected a folder to write to, since {place} belongs to the installed package")
    return place


def find_index(folder: str | None) -> Index:
    """The index in a folder.

    :raises FactError: when there is none, or it cannot be read.
    """
    return Index.load(find_folder(folder) / NAME)


# -- list, show --------------------------------------------------------------------------------------------------------


@command.command("list")
@family_option
@click.option("--kind", "wanted", multiple=True, metavar="KIND", help="Only facts of this kind or topic.")
@click.option("--kinds", "as_kinds", is_flag=True, help="The kinds of facts with their topics, instead of the facts.")
@click.option(
    "--reading",
    "under",
    metavar="NAME=VALUE",
    help="Beside each fact its robustness, and what becomes of it under other rules, like I-CHECK=one-roll or ip=7; in games "
    "whose facts can be derived so.",
)
@folder_option
@json_option
def list_(
    families: Sequence[str],
    wanted: Sequence[str],
    as_kinds: bool,
    under: str | None,
    folder: str | None,
    as_json: bool,
) -> None:
    """List all proved facts, one sentence each.

    What becomes of them under other rules is kept by `facts under`: same, changes to, fails, or not known.
    """
    if under is not None and as_kinds:
        raise click.UsageError("--reading is about facts, not about kinds")
    index = find_index(folder)
    entries = [
        entry
        for entry in index.entries
        if (not families or entry.topic.family in families)
        and (not wanted or {entry.topic.id, entry.topic.kind} & {*wanted})
    ]
    for name in wanted:
        if all(name not in (entry.topic.id, entry.topic.kind) for entry in index.entries):
            raise FactError(f"{shown(name)} is no kind or topic of facts; `tetrasolve facts list --kinds` has them all")
    if under is not None:
        _list_under(under, entries, index, find_folder(folder), as_json)
        return
    rows = list(dict.fromkeys(entry.topic for entry in entries))
    if as_json:
        if as_kinds:
            echo_json([topic_data(topic) | {"facts": sum(entry.topic == topic for entry in entries)} for topic in rows])
        else:
            echo_json([{"id": entry.id, "sentence": entry.sentence, "values": dict(entry.values)} for entry in entries])
        return
    screen, titles = console(), current_game().get_claims().families
    for family in dict.fromkeys(topic.family for topic in rows):
        table = titled(titles.get(family, family), padded=False)
        if as_kinds:
            for topic in (topic for topic in rows if topic.family == family):
                number = sum(entry.topic == topic for entry in entries)
                table.add_row(topic.id, str(number), topic.form, " ".join(topic.rows) or "-", topic.title)
        else:
            for entry in (entry for entry in entries if entry.topic.family == family):
                table.add_row(entry.id, entry.sentence)
        screen.print(table)
    click.echo(f"{_counted(len(entries), 'fact')} of {_counted(len({topic.kind for topic in rows}), 'kind')}")


def _list_under(text: str, entries: Sequence[Entry], index: Index, folder: Path, as_json: bool) -> None:
    """Facts with their robustness and what becomes of them under other rules."""
    subject = current_game().get_subject()
    found = otherrules.StoredVerdicts.load(folder).of(text, index, subject)
    text = otherrules.rules_of(subject).canonical(text)
    if as_json:
        rows = [
            {
                "id": entry.id,
                "sentence": entry.sentence,
                "robustness": _robustness(entry),
                "verdict": found[entry.id].verdict,
                "text": found[entry.id].text,
            }
            for entry in entries
        ]
        echo_json({"rules": text, "verdicts": _counts(found[entry.id].verdict for entry in entries), "facts": rows})
        return
    table = titled(f"Facts under {text}", padded=False)
    for entry in entries:
        table.add_row(entry.id, _robustness(entry), str(found[entry.id]))
    console().print(table)
    counts = _counts(found[entry.id].verdict for entry in entries)
    click.echo(f"{_counted(len(entries), 'fact')}: " + ", ".join(f"{number} {word}" for word, number in counts.items()))


def _robustness(entry: Entry) -> str:
    """The verdict on the robustness of a fact in a few words."""
    return "not tested" if entry.robustness is None else entry.robustness.verdict


def _counts(verdicts: Iterable[str]) -> dict[str, int]:
    """How often each verdict occurs, in their order."""
    found = Counter(verdicts)
    return {word: found[word] for word in otherrules.VERDICTS if found[word]}


def topic_data(topic: TopicRow) -> dict[str, object]:
    """A topic as JSON holds it."""
    return {
        "id": topic.id,
        "kind": topic.kind,
        "family": topic.family,
        "title": topic.title,
        "form": topic.form,
        "certainty": topic.certainty,
        "ruleset": topic.ruleset,
        "rows": list(topic.rows),
        "how": topic.how,
    }


@command.command("show")
@click.argument("fact", metavar="FACT")
@folder_option
@json_option
def show(fact: str, folder: str | None, as_json: bool) -> None:
    """Show one fact: its values, how it is derived and proved, and the rows of the board that it depends on."""
    entry = find_index(folder)[fact]
    if as_json:
        echo_json(entry_data(entry) | {"readings": dict(current_game().get_subject().readings())})
        return
    topic = entry.topic
    click.echo(entry.sentence)
    rows = [
        ("certainty", topic.certainty),
        ("rules", topic.ruleset),
        ("board rows", ", ".join(topic.rows) or "none"),
        ("derived", topic.how),
        ("proof", ", ".join(filter(None, (topic.form, entry.file)))),
    ]
    screen = console()
    table = titled(None, padded=False)
    for row in rows:
        table.add_row(*row)
    screen.print(table)
    values = titled("Values", padded=False)
    for path, value in entry.values.items():
        values.add_row(path, value)
    screen.print(values)
    click.echo(verdict(entry))
    if entry.robustness is not None and entry.robustness.breaks:
        breaks = titled(None, padded=False)
        for change, (count, first) in entry.robustness.breaks.items():
            more = f" and {count - len(first)} more" if count > len(first) else ""
            breaks.add_row(change, f"{', '.join(first)}{more}")
        screen.print(breaks)


def verdict(entry: Entry) -> str:
    """How a fact depends on single rows of the board, in one or two sentences."""
    found = entry.robustness
    if found is None:
        return "Robustness: not tested; `tetrasolve facts robust` does."
    if not found.tried:
        return "Robustness: it reads no row of the board."
    if found.verdict == BREAKS:
        steady = [path for path in entry.values if path not in found.unsteady]
        verb = "holds" if len(steady) == 1 else "hold"
        whole = f"{len(steady):,} of its {_counted(len(entry.values), 'value')} {verb} whichever row is wrong"
        few = f" ({', '.join(steady)})" if 0 < len(steady) <= FEW else ""
        changes = _counted(found.tried, "change")
        return f"Robustness: {whole}{few}; {len(found.breaks):,} of {changes} of one uncertain row alter others:"
    text = f"Robustness: it holds on all {found.tried:,} boards that differ in one uncertain row"
    pairs = found.pairs
    if found.verdict != ANY_ONE:
        assert pairs is not None
        return f"{text}, and on all {pairs.tried:,} that differ in two."
    if pairs is None or not pairs.tried:
        return f"{text}."
    of = "all" if pairs.all_tried else "a random sample of"
    estimate = "" if pairs.all_tried else "estimate: "
    return f"{text}; {estimate}{pairs.breaking:,} of {of} {pairs.tried:,} that differ in two make it otherwise."


def entry_data(entry: Entry) -> dict[str, object]:
    """A fact as JSON holds it."""
    found = entry.robustness
    data: dict[str, object] = {
        "id": entry.id,
        "sentence": entry.sentence,
        "values": dict(entry.values),
        "topic": topic_data(entry.topic),
        "certificate": {"file": entry.file, "sha256": entry.sha256} if entry.file else None,
        "robustness": None,
    }
    if found is not None:
        pairs = found.pairs
        data["robustness"] = {
            "verdict": found.verdict,
            "changes_tried": found.tried,
            "unsteady": list(found.unsteady),
            "breaks": {
                change: {"values": count, "first": list(first)} for change, (count, first) in found.breaks.items()
            },
            "pairs": None
            if pairs is None
            else {
                "possible": pairs.possible,
                "tried": pairs.tried,
                "breaking": pairs.breaking,
                "first": list(pairs.first),
                "certainty": "exact" if pairs.all_tried else "estimate",
            },
        }
    return data


# -- prove, check, robust ------------------------------------------------------------------------------------------------


@command.command("prove")
@click.argument("facts", metavar="[FACT|TOPIC|KIND]...", nargs=-1)
@family_option
@workers_options(None)
@click.option("--fresh", is_flag=True, help="Prove again what is proved already.")
@seconds_option
@folder_option
@json_option
def prove_(
    facts: Sequence[str],
    families: Sequence[str],
    workers: Workers,
    fresh: bool,
    seconds: float | None,
    folder: str | None,
    as_json: bool,
) -> int:
    """Prove all facts, or some, and write certificates and index.

    Certificates that are there and claim what is to be proved are kept. When it is interrupted, or its time is over (exit
    code 3), call it again: it continues where it stopped.
    """
    chosen = topics_chosen(current_game().get_claims(), facts, families)
    only = None
    if single := single_facts(current_game().get_claims(), facts):
        if len(single) < len(facts) or families:
            raise FactError("either some facts or whole kinds of them, not both")
        only = set(facts)
    place = find_folder_to_write(folder)
    with stage_bars() as progress:
        try:
            done = prove(
                current_game().get_subject(),
                place,
                chosen,
                only=only,
                fresh=fresh,
                workers=workers,
                seconds=seconds,
                progress=progress,
            )
        except OSError as error:
            raise OutputError(f"{error.filename or place}: cannot be written ({error.strerror})") from None
    is_over = done.status == "interrupted"
    if as_json:
        data = {"folder": str(place), "facts": len(done.index.entries), "written": done.written, "kept": done.kept}
        echo_json(data | ({"status": done.status} if is_over else {}))
        return status_code(done.status)
    click.echo(
        f"{place / NAME}: {_counted(len(done.index.entries), 'fact')} of {_counted(len(done.index.kinds), 'kind')}; "
        f"{_counted(done.written, 'certificate')} written, {done.kept:,} kept"
        f"{'; the time ran out, and the index is the one from before' if is_over else ''}"
    )
    return status_code(done.status)


@command.command("check")
@click.argument("facts", metavar="[FACT|TOPIC|KIND]...", nargs=-1)
@family_option
@click.option("--sample", type=click.IntRange(0), default=0, help="Prove this many facts again, drawn at random.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the draw.")
@click.option("--board", metavar="FILE", help="The board file that the facts are about.")
@workers_option
@seconds_option
@folder_option
@json_option
def check(
    facts: Sequence[str],
    families: Sequence[str],
    sample: int,
    seed: int,
    board: str | None,
    workers: int | None,
    seconds: float | None,
    folder: str | None,
    as_json: bool,
) -> int:
    """Check every certificate with the stand-alone checker, and that the index states what they prove.

    Of some facts or families: all facts of their kinds. Exit code 1: something is wrong; each such fact or row of the
    board is named. Exit code 3: the time ran out before everything was checked, and nothing wrong was found.
    """
    stop = stop_of(seconds)
    place, index = find_folder(folder), find_index(folder)
    table = current_game().get_subject(board)
    chosen = topics_chosen(current_game().get_claims(), facts, families)
    for fact in single_facts(current_game().get_claims(), facts):
        index[fact]  # raises if there is none
    entries = checking.of_topics(index, chosen)
    drawn = checking.sampled(entries, sample, seed)
    processes = workers or os.cpu_count() or 1
    problems = checking.stale(index, table, place, chosen)
    is_over = False
    with stage_bars() as progress:
        if not index.changed_rows(table):
            file = None if board is None else Path(board)
            try:
                problems += checking.judged(
                    index,
                    place,
                    chosen=chosen,
                    board_file=file,
                    checker=table.claims.checker,
                    workers=processes,
                    progress=progress,
                    stop=stop,
                )
                problems += checking.compared(index, table, processes, progress, chosen, stop)
                problems += robust.stale(index, table, chosen)
                problems += checking.proved_again(drawn, table, place, progress, stop)
                problems += robust.asked_again(index, table, sample, seed, chosen, stop)
            except Stopped as stopped:
                problems += stopped.partial or []
                is_over = True
    wrong = list(dict.fromkeys(problems))
    if as_json:
        echo_json(
            {
                "index": index.source,
                "facts": len(entries),
                "kinds": len({entry.topic.kind for entry in entries}),
                "proved_again": [] if is_over else [entry.id for entry in drawn],
                "problems": [{"fact": problem.fact, "problem": problem.problem} for problem in wrong],
                **({"status": "interrupted"} if is_over else {}),
            }
        )
        return PROBLEMS if wrong else UNKNOWN if is_over else 0
    for problem in wrong:
        click.echo(str(problem))
    of = f"{_counted(len(entries), 'fact')} of {_counted(len({entry.topic.kind for entry in entries}), 'kind')}"
    if wrong:
        click.echo(f"{_counted(len(wrong), 'problem')} with {of}")
        return PROBLEMS
    if is_over:
        click.echo(f"{of}: the time ran out before all of them were checked; no problem until then")
        return UNKNOWN
    again = f", {len(drawn)} of them proved again" if drawn else ""
    click.echo(f"{of} confirmed by the checker{again}")
    return 0


@command.command("robust")
@click.argument("facts", metavar="[FACT|TOPIC|KIND]...", nargs=-1)
@family_option
@workers_options(None)
@click.option("--fresh", is_flag=True, help="Test again what has been tested already.")
@seconds_option
@folder_option
@json_option
def robust_(
    facts: Sequence[str],
    families: Sequence[str],
    workers: Workers,
    fresh: bool,
    seconds: float | None,
    folder: str | None,
    as_json: bool,
) -> None:
    """Test which facts change if a row of the board is wrong, and write the result into the index.

    Every uncertain row is changed, one at a time, in every way that could be meant; where no such change breaks a fact,
    two rows at a time. A run that is interrupted, or whose time is over (exit code 3), continues where it stopped.
    """
    place, index = find_folder_to_write(folder), find_index(folder)
    with stage_bars() as progress:
        index = robust.ask(
            index,
            current_game().get_subject(),
            place,
            topics_chosen(current_game().get_claims(), facts, families),
            fresh=fresh,
            workers=workers,
            seconds=seconds,
            progress=progress,
        )
    counts: dict[str, int] = {}
    for entry in index.entries:
        word = entry.robustness.verdict if entry.robustness is not None else "not tested"
        counts[word] = counts.get(word, 0) + 1
    if as_json:
        echo_json({"index": str(place / NAME), "verdicts": counts})
        return
    table = titled(None, padded=False)
    for word, number in counts.items():
        table.add_row(str(number), word)
    console().print(table)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' if number != 1 else ''}"


@command.command("under")
@click.argument("rules", metavar="NAME=VALUE...", nargs=-1, required=True)
@workers_option
@click.option("--fresh", is_flag=True, help="Ask again what is kept already.")
@seconds_option
@folder_option
@json_option
def under_(
    rules: Sequence[str],
    workers: int | None,
    fresh: bool,
    seconds: float | None,
    folder: str | None,
    as_json: bool,
) -> None:
    """Derive all facts again under other rules, and keep what becomes of them.

    Each NAME=VALUE is a reading with another value, a house rule, or several of them with commas: I-CHECK=one-roll, ip=7,attack=1.
    What does not take all its rules from the ruleset is not known. A game whose facts cannot be derived so says it. A run that is
    interrupted, or whose time is over (exit code 3), continues where it stopped. `facts list --reading NAME=VALUE` shows them.
    """
    subject = current_game().get_subject()
    otherrules.rules_of(subject)  # a game without other rules is refused before a folder is asked for
    place, index = find_folder_to_write(folder), find_index(folder)
    with stage_bars() as progress:
        kept = otherrules.ask(
            rules,
            index,
            subject,
            place,
            fresh=fresh,
            workers=workers or os.cpu_count() or 1,
            seconds=seconds,
            progress=progress,
        )
    names = list(dict.fromkeys(map(otherrules.rules_of(subject).canonical, rules)))
    counts = {text: _counts(one.verdict for one in kept.of(text, index, subject).values()) for text in names}
    if as_json:
        echo_json({"file": str(place / otherrules.NAME), "verdicts": counts})
        return
    for text, row in counts.items():
        click.echo(f"{text}: " + ", ".join(f"{number} {word}" for word, number in row.items()))
