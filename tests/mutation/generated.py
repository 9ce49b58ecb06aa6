"""Which planted points the finder finds: `python tests/mutation/generated.py planted`, with seconds as in points.py.

The judge is measured on the planted changes (points.py). Here the operators are. A planted point that is open, or was open and is a
reading now, is *made* when one of their changes gives the planted answer at the position that shows the point: a change of a
definition that is run through for the answer, and no other value of a reading. Where a game says where decisions lead, a change
whose decisions lead there gives the answer, too, whatever they are called. Beside the first of these the same changes are kept
where a condition holds (`finding.narrower`). It is *found* when the judge leaves such a change standing, which
`python tests/mutation/found.py` asks. Of the points that were planted later all are measured, those that the text settles too: an
operator that makes plausible readings makes both kinds. Results are kept in a file for each set, and only what is not
there is measured.
"""

from __future__ import annotations

import ast
import json
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache, partial
from itertools import chain, islice
from math import inf
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutation import children, finding, judging, points, running, table  # found on the path set above
from mutation.games import Game
from mutation.judging import Case
from mutation.points import PlantedSet
from plantfile import Shown
from plants import Plant, planted

from tetrasolve.errors import ArgumentError
from tetrasolve.files import write_text
from tetrasolve.lint import patching
from tetrasolve.lint.changes import definitions

SECONDS = 1  # of processor time for one change at one position, which takes some thousandths
MOST = 12  # changes of a point that are kept, for the judge
NARROWER = 48  # and as many that are made only where a condition holds
PAST = ("connective", "part", "condition", "choice", "restriction")  # what goes past a value where one is asked for
VALUE = re.compile(r'readings\["[\w-]+"\](?: [!=]= "[\w-]+")?')  # what asks for the value of a reading
# Those that say most of when and where come first: they leave most of the rules as they are
PRECISE = ("names", "restriction", "bound", "part", "quantity", "effect", "order", "choice", "connective", "condition")


@dataclass(frozen=True)
class Made:
    """A planted point, the first change of an operator that gives its answer (none: not made), and how many changes were tried.

    `like` are the ids of changes that give it, at most `MOST` and one of each other operator, then those of `NARROWER`.
    """

    plant: str
    by: str
    change: str
    tried: int
    like: tuple[str, ...] = ()


def file_of(which: str) -> Path:
    """Where the results of a set are kept."""
    return table.HERE / ("generated.jsonl" if which == "planted" else f"generated-{which}.jsonl")


def wanted(which: str) -> Iterator[Plant]:
    """The planted points that are measured, with a position that shows them."""
    chosen = points.SETS[which]
    return (p for p in chosen.read() if p.label in chosen.makes and p.shown is not None)


def near(
    plant: Plant,
    cases: tuple[Case, ...],
    runs: frozenset[tuple[str, str]],
    used: frozenset[str],
    values: frozenset[str],
    said: Mapping[tuple[str, str], frozenset[str]],
) -> tuple[list[Case], list[Case]]:
    """The changes that can give the answer: those of definitions that the plant changes, then those of its rows; and all others.

    Definitions `runs` and constants `used` are asked for the answer; `values` are functions that ask for the value of a reading,
    `said` the names that definitions give to one.
    """
    own = {(f"{change.module.replace('.', '/')}.py", change.function) for change in plant.changes}
    rows = {*getattr(plant, "rows", ())}  # without any, every definition that is run through is as near
    first: list[Case] = []
    second: list[Case] = []
    others: list[Case] = []
    for case in sorted(cases, key=lambda case: PRECISE.index(case.operator)):
        (change,) = case.changes
        asked = values | said.get((change.path, change.name), frozenset())
        if is_switch(case, asked) or (change.name.isupper() and change.name not in used):
            continue
        place, is_of_row = (change.path, change.name), not rows or bool(rows.intersection(case.rows))
        if place in own:
            first.append(case)
        elif is_of_row and (place in runs or change.name.isupper()):
            second.append(case)
        elif place in runs:
            others.append(case)
    return first + second, others


def is_switch(case: Case, asking: frozenset[str] = frozenset()) -> bool:
    """Whether a change goes past the value of a reading, by asking for another one or by what it is asked with.

    That other side has a name. `asking` are functions that only ask for a value, and what a definition calls one.
    """
    (change,) = case.changes
    before, after = (Counter(VALUE.findall(text.replace("'", '"'))) for text in (change.before, change.after))
    asked = [Counter(re.findall(r"\w+", text)) for text in (change.before, change.after)]
    is_past = any(asked[0][name] != asked[1][name] for name in asking)
    return is_past or before != after or (bool(before) and case.operator in PAST)


@cache
def asking(texts: tuple[tuple[str, str], ...]) -> frozenset[str]:
    """The functions that say yes or no by the value of a reading, in one expression."""
    found = set()
    for _, text in texts:
        for name, node in definitions(text).items():
            body = [
                s
                for s in getattr(node, "body", ())
                if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
            ]
            if (
                isinstance(node, ast.FunctionDef)
                and len(body) == 1
                and ast.unparse(node.returns or node.args) == "bool"
            ):
                found |= {name.rpartition(".")[2]} if VALUE.search(ast.unparse(node).replace("'", '"')) else set()
    return frozenset(found)


@cache
def called_values(texts: tuple[tuple[str, str], ...]) -> dict[tuple[str, str], frozenset[str]]:
    """What definitions call the answer whether a reading has a value, by their files and names."""
    return {(path, name): frozenset(_called(node)) for path, text in texts for name, node in definitions(text).items()}


def _called(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign) and len(inner.targets) == 1:
            target, value = inner.targets[0], inner.value
            several = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            pairs = zip(target.elts, value.elts, strict=False) if several else [(target, value)]
            for one, said in pairs:
                text = ast.unparse(said).replace("'", '"')
                if isinstance(one, ast.Name) and isinstance(said, ast.Compare) and VALUE.search(text):
                    yield one.id


def _runs(shown: Shown, of: PlantedSet) -> frozenset[tuple[str, str]]:
    """The definitions that are run through for an answer."""
    patching.forget()
    with judging.profiled() as ran:
        of.answer(shown)
    return judging.inside(ran, of.game)


def _used(runs: frozenset[tuple[str, str]], game: Game) -> frozenset[str]:
    """The names in definitions, and in constants, which are worked out of others."""
    there = _names(tuple(game.texts().items()))
    constants = [names for (_, name), names in there.items() if name.isupper()]
    return frozenset().union(*(names for place, names in there.items() if place in runs), *constants)


@cache
def _names(texts: tuple[tuple[str, str], ...]) -> dict[tuple[str, str], frozenset[str]]:
    """The names in each definition, by its file and name."""
    return {
        (path, name): frozenset(finding.uses(node)) for path, text in texts for name, node in definitions(text).items()
    }


@dataclass(frozen=True)
class _Point:
    """What a planted point is shown by, where its rules lead there and those of today; nothing where only words are compared."""

    shown: Shown
    of: PlantedSet
    wanted: frozenset[str]
    today: frozenset[str]

    def is_given(self, case: Case) -> bool:
        """Whether a changed rule gives the planted answer, or leads where the planted rules do."""
        if _given(case, self.of, lambda: self.of.answer(self.shown)) == self.shown.planted:
            return True
        now = self._leads(case)
        return bool(now) and (self.wanted <= now if self._is_one else now == self.wanted)

    def is_beyond(self, case: Case) -> bool:
        """Whether a changed rule leads to all of this and further."""
        now = self._leads(case)
        return not self._is_one and self.wanted < now and now != self.today

    @property
    def _is_one(self) -> bool:
        """Whether it is asked of one decision whether it can come, not of all."""
        return self.shown.question == "can"

    def _leads(self, case: Case) -> frozenset[str]:
        found = _given(case, self.of, lambda: self.of.leads(self.shown)) if self.wanted else None
        return found if isinstance(found, frozenset) else frozenset()


def _point(plant: Plant, of: PlantedSet) -> _Point:
    """The point, where planted rules lead anywhere else than the rules as they are."""
    assert plant.shown is not None
    today = of.leads(plant.shown)
    with planted(plant):
        wanted = of.wanted(plant.shown)
    is_there = wanted <= today if plant.shown.question == "can" else wanted == today
    return _Point(plant.shown, of, frozenset() if is_there else wanted, today)


def _like(point: _Point, tried: list[Case], others: list[Case], most: int) -> tuple[int, list[Case]]:
    """The changes that give the planted answer, and how many were tried for the first; in a process that ends with it.

    Of the `others` one, where no change that was `tried` before gives it. After the most of them comes one of each operator of
    which there is none, then those that are made where a condition holds, one of each of the first changes in turn. Where no
    change gives it, those are narrowed that say too much: they lead where the answer does, and further.
    """
    found: list[Case] = []
    first = number = 0
    for number, case in enumerate(chain(tried, others), start=1):
        if len(found) == most or (found and number > len(tried)):
            break
        if point.is_given(case):
            first = first or number
            found.append(case)
    if not found:
        beyond = [finding.narrower(point.of.game, case) for case in chain(tried, others) if point.is_beyond(case)]
        narrow = [*islice(_giving(beyond, point), NARROWER)]
        return number if narrow else 0, narrow
    more = _of_other_operators(tried[number - 1 :], {case.operator for case in found}, point)
    rest = [finding.narrower(point.of.game, case) for case in found]
    return first, [*found, *more, *islice(_giving(rest, point), NARROWER)]


def _of_other_operators(tried: list[Case], known: set[str], point: _Point) -> Iterator[Case]:
    """The first change of each operator that is not known to give the planted answer."""
    for case in tried:
        if case.operator not in known and point.is_given(case):
            known.add(case.operator)
            yield case


def _giving(rest: list[Iterator[Case]], point: _Point) -> Iterator[Case]:
    """Of several rows of cases those that give the planted answer, one of each row in turn."""
    while rest:
        for cases in [*rest]:
            one = next((case for case in cases if point.is_given(case)), None)
            if one is None:
                rest.remove(cases)
            else:
                yield one


def _given(case: Case, of: PlantedSet, ask: Callable[[], Any]) -> Any:
    """What a changed rule answers; the words of an error where it cannot."""
    (change,) = case.changes
    if change.name.isupper() and of.game.has_numbers:
        ((_, ended),) = children.run([partial(_constant, case, of, ask)], 1, SECONDS)
        return ended.value
    try:
        with _limited(), running.taken(change, of.game):
            return ask()
    except ArgumentError:
        return "no change of a function"
    except (Exception, _OverError) as error:  # noqa: BLE001  # a changed rule can do anything
        return type(error).__name__


def _constant(case: Case, of: PlantedSet, ask: Callable[[], Any]) -> Any:
    running.take_changes(case.changes, of.game)
    return ask()


class _OverError(BaseException):
    """The time for one change is over."""


@contextmanager
def _limited() -> Iterator[None]:
    """Processor time for a change, which can run for ever."""

    def over(_signal: int, _frame: object) -> None:
        raise _OverError

    signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def made(plant: Plant, cases: tuple[Case, ...], of: PlantedSet) -> Made:
    """Whether an operator makes the plant."""
    shown = plant.shown
    assert shown is not None
    runs = children.result(partial(_runs, shown, of), 60 * SECONDS)
    texts = tuple(of.game.texts().items())
    tried, others = near(plant, cases, runs, _used(runs, of.game), asking(texts), called_values(texts))
    first, found = children.result(partial(_like, _point(plant, of), tried, others, MOST), 3600)
    if not found:
        return Made(plant.id, "", "", len(tried) + len(others))
    return Made(plant.id, found[0].id, str(found[0].changes[0]), first, tuple(case.id for case in found))


def kept(which: str = "planted") -> dict[str, Made]:
    """The results in the file, of plants that are still there."""
    known, path = {plant.id for plant in wanted(which)}, file_of(which)
    rows = map(json.loads, path.read_text("utf-8").splitlines()) if path.exists() else ()
    return {row["plant"]: Made(**row | {"like": tuple(row["like"])}) for row in rows if row["plant"] in known}


def store(which: str, results: Mapping[str, Made]) -> None:
    """Write them, in the order of the plants."""
    lines = (json.dumps(asdict(results[p.id])) + "\n" for p in wanted(which) if p.id in results)
    write_text(file_of(which), "".join(lines))


def main(which: str, seconds: float = inf) -> None:
    """Measure what is not in the file."""
    chosen = points.SETS[which]
    running.prepare(chosen.game)
    results, cases, end = kept(which), tuple(finding.cases(chosen.game)), time.monotonic() + seconds
    for plant in sorted(wanted(which), key=lambda plant: plant.label == "settled"):
        if plant.id not in results and time.monotonic() < end:
            results[plant.id] = made(plant, cases, chosen)
            store(which, results)
            print(results[plant.id], flush=True)
    count = sum(bool(result.by) for result in results.values())
    print(f"{count} of {len(results)} planted points are made by an operator")


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:]))
