"""False claims about cascades, combat and routes, made by hand and consistent in themselves: the checker confirms none of them.

Digests and counts of lines are computed again after each change, since they are no obstacle for a forger.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import checker
import pytest
from board import Board, read_board
from phasesteps import Fallen, Scene
from phasetext import read_phase
from tampered import sealed

from tetrasolve.certify.form import load
from tetrasolve.tetrarchia.facts.families import CLAIMS
from tetrasolve.tetrarchia.facts.subject import standard_index

BOARD: Board = read_board(checker.BOARDS[0])
TRIED = 4  # placements
ROMAN = [place for place in BOARD.provinces if place not in BOARD.borders]


@cache
def lines_of(fact: str) -> tuple[str, ...]:
    """The lines of the certificate of a fact, without its digest."""
    return tuple(load(CLAIMS.proofs_folder() / standard_index().by_id[fact].file).split("\n")[:-2])


def section(lines: list[str], name: str, change: Callable[[list[str]], list[str]]) -> list[str]:
    """A certificate with another content of one section."""
    start = next(row for row, line in enumerate(lines) if line.startswith(f"{name} ") and line.split()[1].isdigit())
    end = start + 1 + int(lines[start].split()[1])
    new = change(lines[start + 1 : end])
    return [*lines[:start], f"{name} {len(new)}", *new, *lines[end:]]


def claimed(lines: list[str]) -> dict[str, str]:
    """The values that a certificate claims."""
    found: dict[str, str] = {}
    section(lines, "values", lambda rows: [found.update([row.split(" ")]) or row for row in rows])  # type: ignore[list-item]
    return found


def claiming(lines: list[str], values: dict[str, str]) -> list[str]:
    """A certificate that claims these values."""
    return section(lines, "values", lambda _: [f"{path} {value}" for path, value in sorted(values.items())])


# -- growth: a weak witness is no maximum ----------------------------------------------------------------------


def idle(revolts: int) -> tuple[str, int | None]:
    """A witness in which little happens, and how much it adds; None: the Empire falls by dice, wherever the forger tries."""
    random = Random(0)
    found = [played(random.sample(ROMAN, revolts)) for _ in range(TRIED)]
    return min(found, key=lambda one: 99 if one[1] is None else one[1])


def played(places: list[str]) -> tuple[str, int | None]:
    """A phase from revolts in these provinces, with dice for which little happens."""
    discs = ".".join(BOARD.code[place] for place in sorted(places, key=BOARD.row.__getitem__))
    text = f"4211 {BOARD.letters[0]}:b -/-/-/- 23 - {discs} - -/-/-/-"
    phase, scene = read_phase(text, BOARD)
    step, rolls = phase.begin(scene), []
    while not isinstance(step, Scene | Fallen):
        word, results = phase.roll(step)
        index = min(range(len(results)), key=lambda number: revolts_after(results[number]))
        faces = [index // 6 + 1, index % 6 + 1] if len(results) == 36 else [index + 1]
        rolls.append(" ".join((word, *map(str, faces))))
        step = results[index]
    new = None if isinstance(step, Fallen) else len(step.table.revolts - scene.table.revolts)
    return f"{text}: {', '.join(rolls)}", new


def revolts_after(step: object) -> tuple[bool, int]:
    """What a forger of idle witnesses needs to be small."""
    scene = step if isinstance(step, Scene) else getattr(step, "scene", None)
    return isinstance(step, Fallen), 0 if scene is None else len(scene.table.revolts)


def with_idle_witnesses() -> tuple[list[str], dict[str, str]]:
    """The certificate for empty borders with a weak witness instead of each that does not fall; and what the weak ones add."""
    lines = list(lines_of("growth/0"))
    weak: dict[str, str] = {}

    def replace(rows: list[str]) -> list[str]:
        for revolts in range(1, len(rows)):
            rows[revolts - 1], new = idle(revolts)
            weak[f"max.{revolts}"] = str(new)
        return rows

    return section(lines, "witnesses", replace), weak


def weak_maxima() -> list[str]:
    """What idle witnesses add is stated as the most."""
    lines, weak = with_idle_witnesses()
    return claiming(lines, claimed(lines) | weak)


def no_fall() -> list[str]:
    """No number of revolts can end the Empire: what falls is left out, and what is left adds little."""
    lines, weak = with_idle_witnesses()
    return claiming(section(lines, "witnesses", lambda rows: rows[: len(weak)]), weak)


def true_maxima_by_idle_witnesses() -> list[str]:
    """The values of the index, which these witnesses do not show."""
    return with_idle_witnesses()[0]


def less_at_one() -> list[str]:
    """One revolt adds none at most: a single idle witness among good ones."""
    witness, new = idle(1)
    lines = section(list(lines_of("growth/0")), "witnesses", lambda rows: [witness, *rows[1:]])
    return claiming(lines, claimed(lines) | {"max.1": str(new)})


def a_later_fall() -> list[str]:
    """The first fall left out: 13 revolts are stated to be too few."""
    lines = list(lines_of("growth/0"))
    return claiming(section(lines, "witnesses", lambda rows: rows[:-1]), claimed(lines) | {"falls-with": "14"})


def an_exact_number_from_an_open_one() -> list[str]:
    """An interval sold as a maximum: as much as an idle witness reaches with no border that is not empty."""
    witness, new = idle(2)
    lines = section(list(lines_of("growth/0")), "witnesses", lambda rows: [rows[0], witness, *rows[2:]])
    return claiming(lines, claimed(lines) | {"max.2": str(new)})


def another_class() -> list[str]:
    """What one border does is stated of none."""
    return [line.replace("fact growth/1", "fact growth/0") for line in lines_of("growth/1")]


def a_class_too_many() -> list[str]:
    """Three borders are no instance."""
    return [line.replace("fact growth/2", "fact growth/3") for line in lines_of("growth/2")]


GROWTH = (
    weak_maxima,
    no_fall,
    true_maxima_by_idle_witnesses,
    less_at_one,
    a_later_fall,
    an_exact_number_from_an_open_one,
    another_class,
    a_class_too_many,
)


@pytest.mark.parametrize("forge", GROWTH, ids=lambda forge: forge.__name__)
def test_forged_growth_is_not_confirmed(forge: Callable[[], list[str]]) -> None:
    code, message = checker.verdict(sealed(forge()))
    assert code != checker.CONFIRMED, message


def test_weak_witnesses_prove_an_interval() -> None:
    """Who shows less may claim less: with one idle witness the interval is wider, and all of it is true."""
    witness, new = idle(1)
    lines = section(list(lines_of("growth/0")), "witnesses", lambda rows: [witness, *rows[1:]])
    values = claimed(lines)
    values |= {"reached.1": str(new), "bound.1": values.pop("max.1")}

    assert checker.verdict(sealed(claiming(lines, values)))[0] == checker.CONFIRMED


# -- facts that are counted again: a forger may choose nothing but the row of the index ------------------------

# id, a value that is false, and a fact whose values are put in its place
ROWS = (
    ("uprising/in-germania_superior", {"max": "5"}, "uprising/in-lusitania"),
    ("uprising/in-lusitania", {"chance.2": "1/2", "chance.3": "1/2", "min": "2", "mean": "5/2"}, "uprising/in-baetica"),
    ("uprising/deadliest-empire", {"by-max": "germania_superior."}, "uprising/deadliest-region-2"),
    ("opening/00", {"max": "1"}, "opening/10"),
    ("opening/10", {"mean": "1"}, "opening/00"),
    ("opening/20", {"uprising": "7/36"}, "opening/10"),
    ("chain", {"borders.0.goes-on": "1/36"}, "march/libya"),
    ("march/gaetulia", {"min": "7", "broken": "3"}, "march/persia"),
    ("march/libya", {"soonest": "1"}, "march/sarmatia"),
    ("march/persia", {"mean": "9"}, "march/libya"),
    ("battle/e0-a0", {"certain": "0"}, "battle/e0-a1"),
    ("statement/strength", {"worse": "1"}, "battle/e0-a0"),
    ("battle/again-cost-1", {"even.again": "1"}, "battle/again-cost-2"),
    ("battle/first-broken", {"even.wait.victory": "5/12"}, "battle/first-normal"),
    ("support/most", {"emperors.britannia": "1"}, "support/printed-galerius"),
    ("support/printed-diocletian", {"group.2": "roma."}, "support/printed-maximian"),
    ("support/printed-galerius", {"group.1": "-"}, "support/printed-diocletian"),
    ("wait/example", {"wait.none": "0"}, "wait/alone-narbonensis"),
    ("wait/alone-cisalpina", {"attack.victory": "1"}, "wait/alone-britannia"),
    ("wait/alone-britannia", {"attack.ip": "1", "wait.none": "0"}, "wait/alone-libya"),
    ("route/to-persia", {"ip.none.roma": "10"}, "route/to-libya"),
    ("route/secure-from-roma", {"none.germania_magna": "6", "none.nearest": "libya."}, "route/secure-from-bithynia"),
    ("route/two-borders", {"123.one-turn": "2"}, "route/one-turn"),
)

SLOW = ("route/two-borders",)  # a count takes a second, and each is made four times

# of each such kind an instance that there is not, with the values of one that there is
NO_INSTANCES = (
    ("uprising/in-britannia", "uprising/in-baetica"),
    ("uprising/in-", "uprising/in-baetica"),
    ("opening/11", "opening/10"),
    ("opening/0", "opening/00"),
    ("march/roma", "march/libya"),
    ("march", "march/libya"),
    ("battle/e4-a0", "battle/e3-a0"),
    ("battle/again-cost-4", "battle/again-cost-3"),
    ("support/printed-nero", "support/printed-galerius"),
    ("wait/alone-roma", "wait/alone-etruria"),
    ("route/to-roma", "route/to-libya"),
    ("route/secure-from-asia", "route/secure-from-roma"),
)


def of_index(fact: str) -> dict[str, str]:
    """The values that the index has of a fact."""
    return dict(standard_index().by_id[fact].values)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("fact", "false", "other"),
    [pytest.param(*row, marks=pytest.mark.slow if row[0] in SLOW else (), id=row[0]) for row in ROWS],
)
def test_forged_rows_of_the_index_are_refuted(fact: str, false: dict[str, str], other: str) -> None:
    good = of_index(fact)
    assert good | false != good
    for values in (good | false, of_index(other), {path: good[path] for path in list(good)[1:]}, good | {"more": "1"}):
        code, message = checker.recount(fact, values)
        assert code == checker.REFUTED, message


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("fact", "other"), NO_INSTANCES)
def test_instances_that_there_are_not_are_not_confirmed(fact: str, other: str) -> None:
    assert checker.recount(fact, of_index(other))[0] != checker.CONFIRMED


def test_counted_facts_have_no_certificates() -> None:
    """Nobody can bring back a certificate, and with it the choice of a position."""
    lines = [
        line.replace("growth", "march").replace("fact march/0", "fact march/libya") for line in lines_of("growth/0")
    ]
    assert checker.verdict(sealed(claiming(lines, of_index("march/libya"))))[0] != checker.CONFIRMED


# -- sets, chains and ways that revolts bar --------------------------------------------------------------------


def changed(fact: str, new: dict[str, str], **sections: Callable[[list[str]], list[str]]) -> list[str]:
    """The certificate of a fact with other values, and other contents of sections."""
    lines = list(lines_of(fact))
    for name, change in sections.items():
        lines = section(lines, name, change)
    values = claimed(lines) | new
    return claiming(lines, {path: value for path, value in values.items() if value != "gone"})


def renamed(fact: str, other: str) -> list[str]:
    """The certificate of a fact that claims another one."""
    return [line.replace(f"fact {fact}", f"fact {other}") for line in lines_of(fact)]


def fewer(rows: list[str]) -> list[str]:
    return rows[:-1]


def larger(rows: list[str]) -> list[str]:
    """A set with a province more than need be, and no other."""
    return [".".join(sorted({*rows[0].split("."), "cis"}, key=lambda code: BOARD.row[BOARD.by_code[code]]))]


LISTED = {
    "cover: a set too few": lambda: changed("cover/revolts-all", {"count": "246"}, sets=fewer),
    "cover: one revolt less": lambda: changed("cover/revolts-all", {"least": "12"}),
    "cover: normal links for all": lambda: renamed("cover/revolts-normal", "cover/revolts-all"),
    "cover: all links for normal ones": lambda: renamed("cover/revolts-all", "cover/revolts-normal"),
    "cover: no such question": lambda: renamed("cover/revolts-all", "cover/armies-all"),
    "barrier: a set too few": lambda: changed("barrier/cut-gaetulia", {"count": "4"}, sets=fewer),
    "barrier: more armies than need be": lambda: changed("barrier/cut-britannia", {"least": "2"}, sets=larger),
    "barrier: another border": lambda: renamed("barrier/cut-britannia", "barrier/cut-gaetulia"),
    "barrier: none at all": lambda: changed(
        "barrier/cut-britannia", {"least": "never", "count": "0"}, sets=lambda _: []
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", LISTED)
def test_forged_certificates_are_not_confirmed(name: str) -> None:
    lines = LISTED[name]()
    fact = lines[3].removeprefix("fact ")
    assert fact not in standard_index().by_id or tuple(lines) != lines_of(fact)
    code, message = checker.verdict(sealed(lines))
    assert code != checker.CONFIRMED, message


# -- turns: a weak witness is an interval ----------------------------------------------------------------------


def idle_turn(rows: list[str]) -> list[str]:
    """With six IP the Emperor ends his turn at once."""
    return [*rows[:-1], rows[-1].partition(": ")[0] + ": end"]


@pytest.mark.parametrize("thing", ["armies", "garrisons", "revolts", "unrest"])
def test_an_idle_turn_is_no_maximum(thing: str) -> None:
    fact = f"turn-most/{thing}"
    most = of_index(fact)["ip.6"]
    for new in ({}, {"ip.6": "0"}, {"ip.6": "gone", "least.6": most, "most.6": most}):
        lines = changed(fact, new, witnesses=idle_turn)
        assert checker.verdict(sealed(lines))[0] != checker.CONFIRMED, new
