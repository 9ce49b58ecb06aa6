"""Tables of games with modules and variants: as `tabletop.make_position`, with their pieces on it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from tabletop import CAPITALS, make_position

from tetrasolve.errors import RulesetError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import read_piece
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS, MODULES, VARIANTS, Ruleset

AT_THE_START = {
    "dux": {"dux": None},
    "vicarius": {"vicarius": None},
    "pirates": {"pirates": None},
    "goths": {"goths": "reserve"},
    "imperium": {"removed": dict.fromkeys(CAPITALS, 0)},
    "roma-aeterna": {"glory": dict.fromkeys(CAPITALS, 0)},
    "barbaria": {"barbarian_discs": {"gray": 4, "black": 1}},
}


def extended(
    extensions: str,
    pieces: Mapping[str, object] | None = None,
    to_move: str = "diocletian",
    at: Mapping[str, str] | None = None,
    *,
    readings: Mapping[str, str] | None = None,
    legal: bool = True,
    **on_the_table,
) -> Position:
    """A position with these modules and variants, ``dux+usurpator``; of their pieces those that are named, else as at the start.

    `pieces` are as in the JSON form. Diocletian is in Asia unless it says where Emperors are. What cannot occur is a
    mistake of the test unless it says `legal=False`.
    """
    plain = make_position(to_move, {"diocletian": "asia"} if at is None else at, legal=False, **on_the_table)
    names = frozenset(filter(None, extensions.split("+")))
    ruleset = Ruleset(
        plain.ruleset.garrisons,
        plain.ruleset.fleets,
        modules=names & set(MODULES),
        variants=names & set(VARIANTS),
        interpretations=tuple((readings or {}).items()),
    )
    given: dict[str, object] = {}
    for name in names:
        given |= AT_THE_START.get(name, {})
    for key in ("glory", "removed"):
        if pieces and key in pieces:
            pieces = {**pieces, key: dict.fromkeys(CAPITALS, 0) | dict(pieces[key])}
    if pieces and "barbarian_discs" in pieces:
        pieces = {**pieces, "barbarian_discs": {"gray": 0, "black": 0} | dict(pieces["barbarian_discs"])}
    given |= pieces or {}
    position = plain.replace(
        ruleset=ruleset, pieces={key: read_piece(key, value, plain.board) for key, value in given.items()}
    )
    if legal:
        assert position.status() == (), [str(reason) for reason in position.status()]
    return position


def rebel_army(figure: str = "dux", fleet: int = 3) -> dict[str, object]:
    """One rebel army as the JSON form has it."""
    return {"figure": figure, "fleet": fleet}


def random_ruleset(random: Random) -> Ruleset:
    """Any level with any modules, variants and readings that can be combined."""
    modules = frozenset(name for name in MODULES if random.random() < 0.6)
    variants = frozenset(name for name in VARIANTS if random.random() < 0.5)
    names = [name for name, reading in KERNEL_READINGS.items() if reading.applies(modules | variants)]
    return Ruleset(
        random.choice((3, 4, 5)),
        random.choice((1, 2) if "pirates" in modules else (1, 2, 3)),
        random.choice((0, 1, 2)),
        random.choice((0, 1, 2)),
        modules,
        variants,
        tuple((name, random.choice(list(KERNEL_READINGS[name].played))) for name in names if random.random() < 0.3),
    )


def random_start(random: Random, board: Board | None = None) -> Position:
    """A game about to begin with a random ruleset, or a historical scenario with what fits it."""
    ruleset, seed = random_ruleset(random), random.randrange(10**9)
    if random.random() < 0.7:
        return rules.random_set_up(ruleset, seed, board=board)
    war = rules.scenario(random.choice(rules.scenarios()))
    try:
        fitting = war.ruleset(ruleset.garrisons, ruleset.modules, ruleset.variants, ruleset.interpretations)
    except RulesetError:  # a figure of a module is a rebel there
        fitting = war.ruleset(ruleset.garrisons, (), ruleset.variants)
    fixed = random.random() < 0.5
    return rules.rolled_scenario(war.name, seed, ruleset=fitting, fixed=fixed, board=board).position


def phase(position: Position, *course: int | str) -> Position | rules.Fall:
    """One Barbarian phase with these faces and answers, all of which have to be used."""
    given = rules.GivenCourse(course)
    after = rules.sample(position, given, given.decide)
    assert given.left == (), f"{given.left} were not asked for"
    return after


def first_choice(position: Position, *course: int | str) -> rules.Choice:
    """The choice that is asked for after these faces and answers."""
    given = rules.GivenCourse(course)
    asked: list[rules.Choice] = []

    def decide(choice: rules.Choice) -> int:
        if not given.left:
            asked.append(choice)
            raise LookupError
        return given.decide(choice)

    try:
        rules.sample(position, given, decide)
    except LookupError:
        if asked:
            return asked[0]
        raise
    raise AssertionError("the phase ended without another choice")
