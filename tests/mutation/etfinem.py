"""The second game as the finder of open points sees it: its names, sections, tests of the text, and positions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from mutation import etfinempositions as positions
from mutation import etfinemtwice, table
from mutation.games import ROOT, Game, Positions, Rows

from tetrasolve.finem.position import Phase
from tetrasolve.finem.ruleset import READINGS, Ruleset
from tetrasolve.lint.changes import definitions
from tetrasolve.lint.vocabulary import Repeated, Vocabulary

# What the author calls region, tribe, pacified, eradicated, last invaded, out of the deck, in the names of the code
WORDS = Vocabulary(
    groups=(
        ("pawn", "start", "last"),
        ("hand", "out", "deck"),
        ("decline", "outbreaks"),
        ("PREFECT_AT", "PACIFIED_AT"),
        ("TWO_OF_A_SUIT", "THREE_OF_A_SUIT"),
        ("SET_UP_CARDS", "SET_UP_GROUPS"),
        ("DECLINE_A_CARD", "DECLINE_A_CARD_CAPPED"),
        ("CRISIS_CUBES", "MOST_IN_REGION", "FIRST_DIE"),
        ("MAGISTER", "DICTATOR", "PREFECT", "TRIBUNE", "EMPEROR"),
        ("CONFRONT", "MOVE", "PACIFY", "RIDE"),
        ("DISCARD", "DISCARD_EVENT"),
        ("EVENT", "TRAVEL", "RESIST", "RAISE", "PROTECT", "CIVIL_WAR", "CRISIS", "DICE", "DECLINE", "INVADE"),
        ("ROLE", "APPOINT"),
        ("ACT", "DRAW", "RIDE", "EXCHANGE", "SWAP"),
        ("LOST_BY_OUTBREAKS", "LOST_BY_DECLINE"),
        ("pacify", "end_of_phase"),
        ("corners", "cards"),
        ("put", "invaded", "outbreak"),
    ),
    kinds=(
        (
            "region",
            "card",
            "here",
            "other",
            "{table}.pawn",
            "{table}.start",
            "{table}.last",
            "{table}.protected",
        ),
        ("position", "after", "state"),
        ("before", "after", "decline"),
        ("pawn", "start", "ruleset.layout.start"),
    ),
    rewrites=(
        ("_x.count(_r, _t)", "sum(_x.occupied.get(_r, {}).values())", "_x.on_map(_t)", "_x.count(_x.pawn, _t)"),
        (
            "_x.on_map(_t)",
            "sum(map(sum, _x.cubes))",
            "max(map(_x.on_map, 'OCEB'))",
            "len([r for r in _x.occupied if r[0] == _t])",
        ),
        (
            "_x.is_eradicated(_t)",
            "_t in _x.pacified",
            "not _x.on_map(_t)",
            "(_t in _x.pacified and not _x.on_map(_t))",
            "_t not in _x.pacified",
        ),
        (
            "_t in _x.pacified",
            "_x.is_eradicated(_t)",
            "bool(_x.pacified)",
            "not _x.on_map(_t)",
            "_t not in _x.pacified",
        ),
        ("_t not in _x.pacified", "not _x.is_eradicated(_t)", "_x.on_map(_t)", "not _x.pacified"),
        (
            "_x.layout.neighbours[_r]",
            "(*_x.layout.neighbours[_r], _r)",
            "tuple(n for n in _x.layout.neighbours[_r] if n[0] == _r[0])",
            "tuple(n for n in _x.layout.neighbours[_r] if n[0] != _r[0])",
            "tuple(n for n in _x.layout.neighbours if n[0] == _r[0])",
            "tuple(n for n in _x.layout.neighbours if n[1] == _r[1])",
            "tuple({n for m in _x.layout.neighbours[_r] for n in _x.layout.neighbours[m]})",
        ),
        ("_x.deck", "tuple(_x.layout.neighbours)", "_x.hand", "tuple(r for r in _x.deck if r in _x.occupied)"),
        ("REGIONS", "tuple(r for r in REGIONS if r not in position.out)", "tuple(position.occupied)"),
        (
            "_x.occupied",
            "{r: t for r, t in _x.occupied.items() if r == _x.pawn}",
            "{r: t for r, t in _x.occupied.items() if r not in _x.out}",
        ),
        ("_x.occupied.items()", "{r: {r[0]: t[r[0]]} for r, t in _x.occupied.items() if r[0] in t}.items()"),
        (
            "_x.with_count(_r, _t, _n)",
            "_x.with_count(_x.pawn, _t, _n)",
            "_x.with_count(_r, _t, 3)",
            "_x.with_count(_r, _t, 0)",
        ),
        (
            "_x.with_die(_t, _n)",
            "_x.with_die(_t, 1)",
            "_x.with_die(_t, 0)",
            "_x.with_die(_t, 6)",
            "_x.with_die(_t, min(_n, 6))",
        ),
        ("_x.die(_t)", "max(_x.dice)", "min(_x.dice)", "sum(_x.dice)"),
        ("_x.points", "sum(_x.dice)", "sum(die - 1 for die in _x.dice if die)", "max(_x.dice)"),
        ("_x.pacified | {_t}", "_x.pacified", "_x.pacified | {*'OCEB'}"),
        ("_c[0]", "_c[1]"),
        ("_c[1]", "_c[0]"),
        (
            "position.hand",
            "tuple(position.out)",
            "position.hand[:1]",
            "position.hand[1:]",
            "tuple(c for c in position.hand if not position.is_eradicated(c[0]))",
        ),
        ("_x.ruleset.is_introductory", "True", "not _x.ruleset.is_introductory"),
        (
            "TRIBES",
            "tuple(t for t in TRIBES if t not in position.pacified)",
            "tuple(t for t in TRIBES if position.on_map(t))",
        ),
        ("in_order(_x)", "_x"),
        ("'consul'", "'dictator'"),
        ("'5'", "'6'"),
        ("'6'", "'7'"),
        ("'7'", "'5'"),
        ("'S'", "'C'"),
        ("'C'", "'R'"),
    ),
    senses=(
        "{place} == {table}.pawn",
        "{place} == {table}.start",
        "{place} == {table}.last",
        "{place} == {table}.protected",
        "{place} in {table}.out",
        "{place} in {table}.occupied",
        "{table}.count({place}, {place}[0]) > 0",
        "{table}.count({place}, {place}[0]) > 2",
        "{table}.is_eradicated({place}[0])",
        "{place}[0] in {table}.pacified",
        "{table}.is_eradicated({figure})",
        "{figure} in {table}.pacified",
        "{table}.on_map({figure}) > 0",
        "{table}.die({figure}) == 1",
        "{table}.die({figure}) > 4",
        "{table}.count({table}.pawn, {figure}) > 0",
        "{table}.role is None",
        "{table}.role == 'prefect'",
        "{table}.role == 'emperor'",
        "{table}.ruleset.is_introductory",
        "{table}.protected",
        "{table}.left == 1",
        "{table}.has_exchanged",
        "{table}.is_quiet",
        "not {table}.ruleset.is_introductory and {table}.points >= numbers.MOST_POINTS",
        "{table}.decline % numbers.CRISIS_EVERY == 0",
        "{table}.outbreaks == numbers.MOST_OUTBREAKS - 1",
        "{table}.on_map({figure}) == numbers.CUBES",
        "{table}.die({figure}) == numbers.PACIFIED_AT",
    ),
    times=tuple(f"{{table}}.phase == '{phase}'" for phase in Phase),
    counts=(
        "_number(_n)",
        "_x.count(_r, _t)",
        "_x.on_map(_t)",
        "_x.die(_t)",
        "_x.points",
        "_x.left",
        "_x.decline",
        "_x.outbreaks",
        "len(_x)",
        "sum(_x)",
        "above_limit(_x)",
        "suits(_x)",
        "invasion_cards(_r, _d)",
        "missing",
        "points",
        "step",
    ),
    effects=frozenset(
        """replace with_count with_die remove put pacify outbreak chain_of looked_at raise_die invaded last_invaded proceed
        end_of_phase begin _look _with_left _filled _struck _exchanged _carried_out _raised _declined""".split()
    ),
    additions=(
        ".replace(last={place})",
        ".replace(pawn={place})",
        ".replace(protected=None)",
        ".replace(out=frozenset())",
        ".replace(left=0)",
        ".replace(left={table}.left + 1)",
        ".replace(decline={table}.decline + 1)",
        ".replace(outbreaks={table}.outbreaks + 1)",
        ".replace(pacified={table}.pacified | {{{figure}}})",
        ".with_die({figure}, 1)",
        ".with_die({figure}, 0)",
        ".with_count({place}, {place}[0], 0)",
        ".with_count({place}, {place}[0], 3)",
        ".with_count({place}, {place}[0], min({table}.count({place}, {place}[0]) + 1, 3))",
        ".replace(is_quiet=True)",
        ".replace(has_exchanged=False)",
    ),
    tables=("position", "self", "after"),
    places=("region", "card", "here", "other", "option", "r", "position.pawn", "position.last"),
    figures=("tribe", "tribe_", "suit"),
    always=(".pawn", ".start", ".last"),
    ends=("lost_by_reserve(tribe)", "LOST_BY_DECLINE", "LOST_BY_OUTBREAKS", "Result(WON)"),
    waivers=("KEEP", "STAY"),
    values=("_x.readings[_n]", "readings[_n]"),
    repeated=Repeated(
        "(_o, _t)",
        "__import__('mutation.etfinemtwice').etfinemtwice.twice(_o, _t{only})",
        "__import__('mutation.etfinemtwice').etfinemtwice.either_or_both(_o, _t{only})",
        same=(", same='tribe'", ", same='region'"),
        of_place=", of='region', holds=lambda position, region: {sense}",
        of_figure=", of='tribe', holds=lambda position, tribe: {sense}",
        of_table=", holds=lambda position: {sense}",
    ),
)

# What holds the rules, and the sections that it states
SECTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "rules/setup.py": ("et-set-up",),
        "rules/actions.py": ("et-actions", "et-roles"),
        "rules/campaign.py": ("et-campaign", "et-result", "et-standard"),
        "rules/crisis.py": ("et-crisis",),
        "rules/events.py": ("et-events",),
        "rules/invasion.py": ("et-invasion",),
        "rules/outbreak.py": ("et-outbreaks",),
        "rules/tribes.py": ("et-pacified", "et-end"),
        "rules/roles.py": ("et-roles",),
        "rules/turn.py": ("et-actions", "et-campaign", "et-events", "et-invasion", "et-roles"),
        "tracks.py": ("et-decks", "et-result"),
        "numbers.py": ("et-decks",),
        "layout.py": ("et-set-up", "et-expert"),
        "position.py": ("et-decks", "et-standard"),
        "ruleset.py": ("et-standard", "et-expert"),
    }
)


# Of these files the definitions that hold rules: the others are about notation and forms
RULES_THERE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "rules/setup.py": ("cards_of_set_up", "cubes_of_set_up", "set_up", "drawn_set_up", "kept_cards", "is_full"),
        "rules/turn.py": ("_STEPS",),
        "position.py": ("Position.is_eradicated", "Position.deck", "Position.points"),
        "ruleset.py": ("Ruleset.decline_a_card", "Ruleset.most_decline", "Ruleset.is_introductory"),
        "layout.py": (
            "Layout.neighbours",
            "Layout._reached",
            "Layout._across",
            "Layout.start",
            "Layout._at",
            "_DIRECTIONS",
        ),
    }
)


def _rows(texts: Mapping[str, str]) -> Rows:
    return {(path, name): {*SECTIONS[path]} for path, text in texts.items() for name in definitions(text)}


def _holds(path: str, name: str) -> bool:
    return path not in RULES_THERE or name in RULES_THERE[path]


def _text_tests() -> dict[str, frozenset[str]]:
    """The tests of the game that are marked with sections."""
    found = {}
    for path in sorted((ROOT / "tests/finem").glob("test_*.py")):
        names = frozenset(name for _, _, name in table.rulebook().in_tests(path.read_text("utf-8")))
        if names:
            found[path.relative_to(ROOT).as_posix()] = names
    return found


ET_FINEM = Game(
    folder=ROOT / "tetrasolve/finem",
    files=tuple(SECTIONS),
    words=WORDS,
    rows=_rows,
    tests=_text_tests,
    holds=_holds,
    steps=("rules/turn.py", "_STEPS"),
    repeated=Path(etfinemtwice.__file__),
    positions=Positions(
        pool=positions.pool,
        behaviour=positions.behaviour,
        size=positions.size,
        smaller=positions.smaller,
        text=str,
        read=str,
        source=Path(positions.__file__),
        with_reading=positions.with_reading,
        is_plain=lambda line: "?" not in line,
    ),
    readings=READINGS,
    ruleset=Ruleset,
    fixed=MappingProxyType({("E-MAP", "dealt"): "a position has the map that was dealt"}),
    modules=("tetrasolve.finem.rules", "tetrasolve.finem.status"),
    seconds=30,  # a change of what each step runs is judged by all tests, which take some ten seconds together
    most=1000,
)
