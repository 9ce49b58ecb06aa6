"""Hypothesis strategies for positions on the standard board: whatever a `Position` can hold, legal or not."""

from __future__ import annotations

from hypothesis import strategies as st

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import REBEL_FIGURES, Rebel
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS, MODULES, VARIANTS, Ruleset

BOARD = Board.standard()
EMPERORS = tuple(emperor.id for emperor in BOARD.emperors)
PLACES = st.sampled_from(BOARD.ids)
COUNTS = st.integers(0, 99)


@st.composite
def rulesets(draw) -> Ruleset:
    """Any level with any modules and variants there are, and any readings of them and of the base game."""
    modules = draw(st.frozensets(st.sampled_from(MODULES)))
    variants = draw(st.frozensets(st.sampled_from(VARIANTS)))
    names = [name for name, reading in KERNEL_READINGS.items() if reading.applies(modules | variants)]
    chosen = draw(st.lists(st.sampled_from(names), unique=True))
    return Ruleset(
        draw(st.integers(3, 5)),
        draw(st.integers(1, 2 if "pirates" in modules else 3)),
        draw(st.integers(0, 2)),
        draw(st.integers(0, 2)),
        modules,
        variants,
        interpretations=tuple((name, draw(st.sampled_from(sorted(KERNEL_READINGS[name].played)))) for name in chosen),
    )


def tables(names: tuple[str, ...]) -> st.SearchStrategy[tuple[tuple[str, int], ...]]:
    """A table of numbers in the form in which a position keeps it."""
    return st.dictionaries(st.sampled_from(names), COUNTS).map(lambda table: tuple(sorted(table.items())))


PIECES = st.fixed_dictionaries(
    {},
    optional={
        "dux": st.one_of(st.none(), st.just("dead"), PLACES),
        "vicarius": st.one_of(st.none(), st.just("dead"), PLACES),
        "pirates": st.one_of(st.none(), st.integers(1, 3)),
        "goths": st.one_of(st.sampled_from(["reserve", "out"]), PLACES),
        "passing": st.sampled_from([*EMPERORS, "dux", "vicarius"]),
        "rebels": st.dictionaries(
            PLACES, st.builds(Rebel, st.sampled_from(REBEL_FIGURES), st.integers(1, 3)), max_size=3
        ).map(lambda rebels: tuple(sorted(rebels.items(), key=lambda pair: pair[0]))),
        "removed": tables(EMPERORS),
        "power": st.just(True),
        "glory": tables(EMPERORS),
        "barbarian_discs": tables(("gray", "black")),
    },
)


@st.composite
def positions(draw) -> Position:
    """Any position, most of them impossible."""
    return Position(
        board=BOARD,
        ruleset=draw(rulesets()),
        to_move=draw(st.sampled_from(EMPERORS)),
        phase=draw(st.sampled_from(Phase)),
        ip=draw(st.one_of(st.integers(0, 6), st.integers(-99, 99))),
        emperors={emperor: draw(st.one_of(st.none(), PLACES)) for emperor in EMPERORS},
        fleets=tuple(draw(st.lists(st.integers(1, 3), max_size=4))),
        armies=tuple(draw(st.lists(PLACES, max_size=5))),
        discs=draw(st.dictionaries(PLACES, st.sampled_from(["unrest", "revolt", *EMPERORS]), max_size=48)),
        pieces=draw(st.one_of(st.just({}), PIECES)),
    )
