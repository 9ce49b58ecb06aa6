"""What the rulebook says of modules and variants as such: how many there are, what can be combined, who gains by them."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

from tetrasolve.errors import RulesetError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome, sail
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Value
from tetrasolve.tetrarchia.facts.rulebook.tables import HE, barbarians, kind, named, started
from tetrasolve.tetrarchia.facts.statements import Answer, Statement
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.activity import resolve
from tetrasolve.tetrarchia.rules.battle import Battle
from tetrasolve.tetrarchia.rules.chance import FACES, passes
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset, all_levels


def subsets(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """All sets of some of these names."""
    return [some for size in range(len(names) + 1) for some in combinations(names, size)]


def _count(board: Board) -> Answer:
    del board
    values = {"modules": len(MODULES), "variants": len(VARIANTS), "scenarios": len(rules.scenarios())}
    return Answer(values, values == {"modules": 4, "variants": 6, "scenarios": 4})


def accepted(level: Ruleset, modules: tuple[str, ...], variants: tuple[str, ...] = ()) -> bool:
    """Whether a game can be played like this."""
    try:
        level.with_extensions(modules, variants)
    except RulesetError:
        return False
    return True


@cache
def _together_() -> Answer:
    sets, medium = subsets(MODULES), Ruleset.from_level("4211")
    levels = [level for level in all_levels() for some in sets if accepted(level, some)]
    one_level = [some for some in sets if accepted(medium, some)]
    variants = [some for some in subsets(VARIANTS) if all(accepted(medium, modules, some) for modules in sets)]
    values = {
        "module-sets": len(sets),
        "variant-sets": len(subsets(VARIANTS)),
        "at-4211": len(one_level),
        "variants-at-4211": len(variants),
        "games": len(levels) * len(variants),
    }
    return Answer(values, len(one_level) == 16 and len(variants) == 64)


def _together(board: Board) -> Answer:
    del board
    return _together_()


# -- who gains -----------------------------------------------------------------------------------------------------


def _deeds(position: Position) -> dict[str, int]:
    return {str(action): rules.cost(position, action) for action in rules.legal_actions(position)}


def _easier(board: Board) -> Answer:
    """What can be done without Dux and Vicarius can be done with them, and while they are not in play all is as ever."""
    values: dict[str, Value] = {"actions": 0, "dux.more": 0, "vicarius.more": 0}
    kept = {"dux": 0, "vicarius": 0}
    for place in board.ids:
        without = _deeds(started(board, fleets=(2,)).with_emperor(HE, place))
        values["actions"] = int(str(values["actions"])) + len(without)
        for module in kept:
            within = _deeds(started(board, module, fleets=(2,)).with_emperor(HE, place))
            same = len(within.items() & without.items())
            kept[module] += same
            values[f"{module}.more"] = int(str(values[f"{module}.more"])) + len(within) - same
    alike = {
        module: sum(
            _discs(barbarians(started(board)), place) == _discs(barbarians(started(board, module)), place)
            for place in named(board)
        )
        for module in kept
    }
    right = all(number == values["actions"] for number in kept.values()) and set(alike.values()) == {36}
    values |= {f"{module}.kept": number for module, number in kept.items()}
    values |= {f"{module}.activity": number for module, number in alike.items()}
    return Answer(values, right)


def _discs(table: Position, province: str) -> object:
    after = resolve(table, province)
    assert isinstance(after, Position)
    return dict(after.discs)


def _harder(board: Board) -> Answer:
    """Pirates leave fewer places for fleets, and with the Goths no battle and no check turns out better for Rome."""
    places = {"without": 0, "with": 0}
    sails = {"without": 0, "with": 0}
    for fleets in (1, 2):
        base = started(board, level=f"5{fleets}00")
        raided = [started(board, "pirates", level=f"5{fleets}00", pieces={"pirates": zone}) for zone in (2, 3)]
        places["without"] += 2 * len(list(rules.open_choices(base)))
        places["with"] += sum(len(list(rules.open_choices(table))) for table in raided)
    for pirates, fleet in product((2, 3), range(1, len(board.zones) + 1)):
        if fleet == pirates:
            continue
        for who, modules, pieces in (("without", (), {}), ("with", ("pirates",), {"pirates": pirates})):
            table = started(board, *modules, fleets=(fleet,), pieces=pieces).with_emperor(HE, board.roma)
            voyages = (sail(fleet, zone) for zone in board.adjacent(fleet))
            sails[who] += sum(rules.objection(table, voyage) is None for voyage in voyages)
    battles = raised_battles()
    checks = {bonus: sum(passes(face, bonus) for face in FACES) for bonus in (0, 1)}
    values: dict[str, Value] = {f"places.{who}": number for who, number in places.items()}
    values |= {f"sails.{who}": number for who, number in sails.items()}
    values |= {**battles, "check.without": checks[0], "check.with": checks[1]}
    fewer = places["with"] < places["without"] and sails["with"] < sails["without"]
    return Answer(values, fewer and battles["better"] == 0 < battles["worse"] and checks[1] > checks[0])


@cache
def raised_battles() -> dict[str, int]:
    """Battles of up to 7 discs, 3 allies, 21 revolts and 2 allied armies: what +1 on the Barbarian die does to them."""
    found = {"battles": 0, "worse": 0, "same": 0, "better": 0}
    for numbers in product(range(8), range(4), range(22), range(3)):
        base, raised = Battle(*numbers).chances(), Battle(*numbers, bonus=1).chances()
        win, lose = (raised.get(end, 0) - base.get(end, 0) for end in (Outcome.VICTORY, Outcome.DEFEAT))
        found["battles"] += 1
        found["better" if win > 0 or lose < 0 else "worse" if win < 0 or lose > 0 else "same"] += 1
    return found


MODULE = kind(
    "book-modules",
    "Modules and variants as such",
    "Rulesets are made of all of them; actions, voyages, battles and checks are compared with and without.",
    ("links", "kinds", "zones", "regions", "numbers", "printed"),
    {
        "count": Statement(12, _count, "{modules} modules, {variants} variants and {scenarios} scenarios."),
        "together": Statement(
            12,
            _together,
            "At level 4211 {at-4211} of {module-sets} sets of modules can be played, with {variants-at-4211} of {variant-sets}"
            " sets of variants each; with all levels that makes {games} games.",
        ),
        "easier": Statement(
            12,
            _easier,
            "Of {actions} actions {dux.kept} are kept with the Dux and {vicarius.kept} with the Vicarius, and {dux.more} and"
            " {vicarius.more} come in addition; until they come the dice do the same in {dux.activity} of 36 provinces.",
        ),
        "harder": Statement(
            12,
            _harder,
            "Pirates leave {places.with} of {places.without} choices for fleets and {sails.with} of {sails.without} voyages;"
            " the Goths make {worse} of {battles} battles worse for Rome and {better} better, and pass a broken link with"
            " {check.with} faces instead of {check.without}.",
        ),
    },
    effort=0.1,
)
KINDS = (MODULE,)
