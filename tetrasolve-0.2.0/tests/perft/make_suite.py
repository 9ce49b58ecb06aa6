"""Writes suite.perft: positions that need one rule of the Roman phase each, and positions of games, with their counts.

Those with modules, variants and scenarios are in perftmodules.py.

Every count is made by the reference rules. Run it when a rule of the Roman phase changes, and read what changed::

    PYTHONPATH=tests python tests/perft/make_suite.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from random import Random

from perftmodules import games_with_modules, modules_one_by_one
from scatter import any_readings, scattered
from tabletop import MAP, make_position, others_than, random_game

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import all_levels

HEADER = """\
# Counts of the Roman phase, made by make_suite.py with the reference rules on the map of the tests (tabletop.py).
#
# A position is a block of four lines:
#   id        the rule that it needs, or where it comes from
#   position  in one-line notation
#   perft     sequences of 1, 2, 3 and 4 actions (an attack counts once for each outcome it can have; stopping is no action)
#   ends      positions on which the turn can end without an attack, IP not counted, and the SHA-256 of their sorted one-line
#             notations, each with 0 IP and a line feed between two of them
#
# An id that begins with a module, a variant or a scenario is a position with it, whatever the rest of the ruleset.
# An id with a question mark is the position of that name with one sentence of the rulebook read in the other way: another
# position is reached, or counted, by some sequence of actions.
"""

DEPTHS = (1, 2, 3, 4)
ON, TWO, BACK = "diocletian", "galerius", "constantius"


def rules_one_by_one() -> Iterator[tuple[str, Position]]:
    """Positions that need one rule each; few IP and few garrisons keep the counts of the others small."""
    yield from entering()
    yield from moving()
    yield from passing()
    yield from sailing()
    yield from securing()
    yield from subduing()
    yield from attacking()
    yield from fighting()


def spent(*emperors: str) -> Mapping[str, str]:
    """Three garrisons, which is all at level 3, of Emperors who are not to secure anything."""
    places = {ON: "gallaecia lusitania baetica", TWO: "numidia caesariensis africa", BACK: "dacia noricum lugdunensis"}
    return {emperor: places[emperor] for emperor in emperors}


def entering() -> Iterator[tuple[str, Position]]:
    off = {"ip": 6, "level": 3, "fleets": (1,), "garrisons": spent(ON)}
    yield "entry-roma", make_position(ON, **off)
    yield "entry-capital-covered", make_position(ON, unrest="bithynia", **off)
    yield "entry-capital-covered-by-garrison", make_position(ON, **off | {"garrisons": spent(ON) | {TWO: "bithynia"}})
    yield "entry-capital-revolt", make_position(ON, revolts="bithynia", **off)
    yield "entry-roma-covered", make_position(ON, unrest="roma bithynia", **off)
    shared = make_position(ON, {TWO: "roma"}, unrest="bithynia", **off)
    yield "entry-roma-occupied", shared
    yield from other(shared, "entry-roma-occupied", "I-ENTRY-SHARED", "free-only")
    stuck = make_position(
        ON, {TWO: "roma", BACK: "bithynia"}, armies="etruria lucania", revolts="etruria lucania", **off
    )
    yield "entry-shared-capital-only", stuck
    yield (
        "entry-impossible",
        make_position(ON, {TWO: "roma"}, armies="etruria lucania", revolts="etruria lucania", unrest="bithynia", **off),
    )
    must = make_position(ON, unrest="bithynia", armies="etruria", revolts="etruria", **off)
    yield "entry-must", must
    yield from other(must, "entry-must", "I-ENTRY", "may")
    yield "entry-capital", make_position(ON, {TWO: "roma"}, armies="etruria lucania", revolts="etruria lucania", **off)
    hard_pressed = {TWO: "cyrenaica", BACK: "rhaetia", "maximian": "asia"}
    yield (
        "off-board-mid-game",
        make_position(ON, hard_pressed, armies="libya", revolts="galatia syria", unrest="roma asia", **off),
    )
    yield (
        "entry-costs-nothing",
        make_position(TWO, revolts="pannonia_inferior", **off | {"garrisons": spent(TWO), "fleets": (1,)}),
    )


def moving() -> Iterator[tuple[str, Position]]:
    def at(here: str, ip: int, **more: object) -> Position:
        return make_position(ON, {ON: here}, ip=ip, **{"fleets": (1,), "level": 3, "garrisons": spent(ON)} | more)

    yield "move-normal", at("belgica", 1)
    yield "move-broken", at("rhaetia", 2)
    yield "move-broken-link-too-dear", at("rhaetia", 1)
    yield "move-into-revolt", at("noricum", 2, revolts="pannonia_inferior rhaetia", garrisons={})
    yield "move-broken-link-into-revolt", at("rhaetia", 3, revolts="cisalpina noricum")
    yield "move-out-of-revolt-costs-no-more", at("noricum", 2, revolts="noricum", garrisons=spent(TWO))
    yield "move-into-unrest-costs-no-more", at("noricum", 2, unrest="rhaetia pannonia_inferior", garrisons=spent(TWO))
    yield "move-army-blocks", at("noricum", 3, armies="rhaetia", revolts="rhaetia", garrisons=spent(TWO))
    yield "move-onto-border", at("belgica", 3)
    yield "move-through-border", at("tingitana", 5)
    yield "sea", at("asia", 1, fleets=(3,))
    yield "fleet-none-in-zone", at("asia", 1, fleets=(2,))
    yield "sea-cheaper-than-broken-link", at("sicilia", 2, fleets=(2,))
    yield "sea-into-revolt-costs-one-more", at("sicilia", 2, fleets=(2,), revolts="lucania sardinia africa")
    yield "sea-never-into-an-army", at("sicilia", 2, fleets=(2,), armies="africa", revolts="africa")
    yield "sea-coast-of-two-zones", at("achaia", 2, fleets=(2, 3))
    yield "sea-and-link-are-one-move", at("bithynia", 2, fleets=(3,))
    yield "black-sea", at("moesia_inferior", 1, fleets=(3,))
    yield "sea-one-zone-only", at("achaia", 1, fleets=(2,))
    yield "sea-change-at-coast-of-two-zones", at("sardinia", 2, fleets=(1, 2))
    yield "sea-not-from-inland", at("noricum", 2, fleets=(1, 2, 3))


def passing() -> Iterator[tuple[str, Position]]:
    at = {ON: "lusitania", TWO: "carthagenensis"}
    small = {"fleets": (3,), "level": 3, "garrisons": {ON: "asia syria bithynia"}}
    yield "pass-through-one", make_position(ON, at, ip=2, **small)
    yield "pass-not-without-a-way-on", make_position(ON, at, ip=1, **small)
    yield (
        "pass-on-costs-more-into-revolt",
        make_position(ON, at, ip=2, revolts="baetica gallaecia tarraconensis lusitania", **small),
    )
    two = make_position(ON, {ON: "lusitania", TWO: "gallaecia", BACK: "tarraconensis"}, ip=3, **small)
    yield "pass-through-two", two
    yield from other(two, "pass-through-two", "I-PASS", "single")
    yield "pass-no-way-out", make_position(ON, {ON: "etruria", TWO: "sardinia"}, ip=3, **small)
    yield "pass-no-way-out-but-back", make_position(ON, {ON: "etruria", TWO: "sardinia"}, ip=4, **small)
    yield "pass-on-by-sea", make_position(ON, {ON: "etruria", TWO: "sardinia"}, ip=3, **small | {"fleets": (2,)})
    both = make_position(
        ON, {ON: "baetica", TWO: "baetica"}, ip=3, revolts="baetica tingitana", armies="tingitana", fleets=(3,)
    )
    yield "pass-in-mid-turn", both
    yield (
        "pass-three-in-a-row",
        make_position(ON, {ON: "numidia", TWO: "africa", BACK: "tripolitania", "maximian": "cyrenaica"}, ip=4, **small),
    )


def sailing() -> Iterator[tuple[str, Position]]:
    def fleet(*fleets: int, ip: int = 2) -> Position:
        return make_position(ON, {ON: "galatia"}, ip=ip, fleets=fleets, level=3, garrisons=spent(ON))

    yield "sail", fleet(2)
    yield "sail-not-from-one-to-three", fleet(1)
    yield "sail-blocked-zone", fleet(1, 2)
    yield "sail-with-two-to-the-middle", fleet(1, 3)
    yield "sail-no-zone-free", fleet(1, 2, 3)
    yield "sail-not-without-ip", fleet(2, ip=0)
    yield "sail-then-move", make_position(ON, {ON: "asia"}, ip=2, fleets=(2,), level=3, garrisons=spent(ON))


def securing() -> Iterator[tuple[str, Position]]:
    def at(here: str, ip: int, **more: object) -> Position:
        return make_position(ON, {ON: here}, ip=ip, **{"fleets": (1,), "level": 3} | more)

    yield "secure-province", at("galatia", 2)
    yield "secure-on-printed-disc", at("cisalpina", 1)
    yield "secure-disc-lies-there", at("galatia", 1, unrest="galatia")
    yield "secure-not-on-a-garrison", at("galatia", 2, garrisons={TWO: "galatia", ON: "asia"})
    yield "last-garrison", at("galatia", 3, garrisons={ON: "numidia africa"})
    yield "no-garrison-left", at("galatia", 3, garrisons={ON: "numidia africa tripolitania"})
    yield "garrisons-of-the-level", at("galatia", 3, level=5, garrisons={ON: "numidia africa tripolitania aegyptus"})
    yield "border-costs-two", at("persia", 2)
    yield "border-too-dear", at("persia", 1)
    yield "border-not-free", at("sarmatia", 2, revolts="achaia")
    yield "border-free", at("sarmatia", 2, revolts="dacia")
    yield "border-unrest-does-not-matter", at("sarmatia", 2, unrest="achaia thracia")
    yield "border-after-subduing", at("belgica", 6, revolts="belgica", garrisons={ON: "asia syria"})
    yield "border-secured-already", at("persia", 2, garrisons={TWO: "persia"})
    secured = {TWO: "britannia gaetulia", BACK: "germania_magna", "maximian": "persia libya"}
    yield "sixth-border-wins", at("sarmatia", 4, garrisons=secured)
    yield "sixth-border-not-free", at("sarmatia", 4, revolts="epirus", garrisons=secured)
    yield "won-has-none", at("sarmatia", 4, garrisons=secured | {ON: "sarmatia"})
    yield "barbarian-phase-has-none", at("sarmatia", 0, barbarian=True)


def subduing() -> Iterator[tuple[str, Position]]:
    def at(here: str, ip: int, **more: object) -> Position:
        return make_position(ON, {ON: here}, ip=ip, **{"fleets": (1,), "level": 3} | more)

    yield "remove-revolt", at("galatia", 2, revolts="galatia")
    yield "remove-revolt-too-dear", at("galatia", 1, revolts="galatia")
    yield "reduce-revolt", at("galatia", 3, revolts="galatia cappadocia")
    yield "remove-unrest", at("galatia", 2, unrest="galatia cappadocia")
    yield "remove-no-garrison", at("galatia", 2, garrisons={ON: "galatia asia cilicia"})
    free = (
        "dacia noricum belgica syria cilicia achaia roma etruria sardinia lucania sicilia africa numidia tripolitania"
    )
    smoke = others_than(*free.split(), "galatia", "asia", "bithynia", "epirus", "cyrenaica", "thracia", "macedonia")
    full = at("galatia", 3, revolts="galatia", unrest=smoke)
    assert full.reserve_unrest == 0
    yield "reserve-of-unrest-empty", full
    yield from other(full, "reserve-of-unrest-empty", "I-RESERVE", "falls")
    yield "reserve-of-unrest-one-left", full.with_disc(min(full.unrest), None)


def attacking() -> Iterator[tuple[str, Position]]:
    def at(here: str, ip: int, armies: str, **more: object) -> Position:
        return make_position(ON, {ON: here}, ip=ip, armies=armies, **{"fleets": (1,), "level": 3} | more)

    yield "attack-three-outcomes", at("cyrenaica", 1, "libya")
    yield "attack-broken-link-costs-two", at("belgica", 2, "britannia", garrisons=spent(ON))
    yield "attack-broken-link-too-dear", at("belgica", 1, "britannia")
    yield "attack-revolt-under-the-army", at("noricum", 2, "rhaetia", revolts="rhaetia")
    yield "attack-revolt-under-the-army-too-dear", at("noricum", 1, "rhaetia", revolts="rhaetia")
    yield "attack-costs-broken-and-revolt", at("cisalpina", 3, "rhaetia", revolts="rhaetia", garrisons=spent(ON))
    yield (
        "attack-never-by-sea",
        at("sicilia", 2, "tripolitania", revolts="tripolitania", fleets=(2,), garrisons=spent(ON)),
    )
    sure = at("cyrenaica", 2, "libya", garrisons={ON: "cyrenaica tripolitania aegyptus"})
    yield "attack-certain-victory", sure.with_emperor(TWO, "aegyptus")
    rising = "carthagenensis gallaecia lusitania baetica tingitana caesariensis numidia africa"
    yield "attack-certain-defeat", at("tarraconensis", 3, "carthagenensis", revolts=rising)
    yield "attack-victory-goes-on", at("noricum", 5, "rhaetia", revolts="rhaetia", garrisons=spent(ON) | spent(TWO))
    yield "attack-goes-on-after-draw", at("cyrenaica", 3, "libya", garrisons=spent(TWO))
    yield "attack-two-armies", at("cyrenaica", 3, "libya aegyptus", revolts="aegyptus", garrisons=spent(TWO))
    yield "attack-from-border-defeat", at("persia", 4, "syria", revolts="syria", garrisons=spent(TWO) | {ON: "persia"})
    yield (
        "attack-not-while-passing",
        make_position(ON, {ON: "cyrenaica", TWO: "cyrenaica"}, ip=2, armies="libya", fleets=(1,), level=3),
    )
    grip = {ON: "moesia_superior asia"}
    yield (
        "attack-frees-the-region",
        at("moesia_superior", 6, "moesia_inferior", revolts="moesia_inferior", garrisons=grip),
    )


def fighting() -> Iterator[tuple[str, Position]]:
    # The values of a battle show in the counts where they make an outcome impossible
    def africa(
        discs: Mapping[str, str], ip: int = 1, others: Mapping[str, str] | None = None, armies: str = "libya"
    ) -> Position:
        revolts = armies.replace("libya", "")
        at = {ON: "cyrenaica"} | dict(others or {})
        return make_position(ON, at, ip=ip, armies=armies, revolts=revolts, fleets=(1,), level=5, garrisons=discs)

    yield "battle-group-of-garrisons", africa({ON: "cyrenaica tripolitania africa numidia caesariensis"})
    yield "battle-own-discs-only", africa({TWO: "cyrenaica tripolitania africa numidia caesariensis"})
    yield "battle-one-group-only", africa({ON: "aegyptus tripolitania africa numidia caesariensis"})
    allies = {TWO: "aegyptus", BACK: "tripolitania"}
    yield "battle-each-emperor-doubles", africa({ON: "cyrenaica"}, others=allies)
    yield "battle-emperors-elsewhere-do-not", africa({ON: "cyrenaica"}, others={TWO: "aegyptus", BACK: "africa"})
    yield "battle-each-army-doubles", africa({}, ip=2, armies="libya aegyptus tripolitania")

    def asia(unrest: str) -> Position:
        discs = {ON: "asia cilicia syria thracia macedonia"}
        return make_position(
            ON,
            {ON: "asia"},
            ip=2,
            armies="galatia",
            revolts="galatia",
            unrest=unrest,
            fleets=(1,),
            level=5,
            garrisons=discs,
        )

    yield "battle-printed-disc-counts", asia("")
    yield "battle-printed-disc-covered", asia("bithynia")

    hispania = "tarraconensis carthagenensis gallaecia lusitania baetica tingitana"
    broken = make_position(
        ON, {ON: "lugdunensis"}, ip=2, armies="narbonensis", revolts=f"narbonensis {hispania}", fleets=(3,), level=3
    )
    yield "battle-broken-links-count", broken
    yield from other(broken, "battle-broken-links-count", "I-BATTLE-BROKEN", "not-linked")
    gallia = "germania_inferior germania_superior lugdunensis aquitania narbonensis belgica rhaetia"
    beside = make_position(
        ON, {ON: "belgica"}, ip=2, armies="britannia", revolts=gallia, fleets=(3,), level=3, garrisons=spent(TWO)
    )
    yield "battle-revolts-beside-the-army", beside
    yield from other(beside, "battle-revolts-beside-the-army", "I-REVOLT-GROUP", "under-army")
    yield "battle-revolts-beside-the-emperor-do-not-count", beside.with_disc("belgica", None)


def other(position: Position, name: str, reading: str, value: str) -> Iterator[tuple[str, Position]]:
    """The same position with one sentence of the rulebook read in the other way."""
    ruleset = position.ruleset.with_readings([(reading, value)])
    yield f"{name}?{reading}={value}", position.replace(ruleset=ruleset)


def games() -> Iterator[tuple[str, Position]]:
    """Positions of games and scattered ones, with at most 4 IP where an Emperor is on the board."""
    for seed in range(24):
        roman = [p for p in random_game(f"perft {seed}", board=MAP) if p.phase is Phase.ROMAN and p.here is not None]
        late = roman[len(roman) * 2 // 3]
        yield f"game-{seed + 1}", late.replace(ip=min(late.ip, 2 + seed % 3))
    whole = (
        p for seed in count() for p in random_game(f"whole {seed}", board=MAP) if p.phase is Phase.ROMAN and p.ip == 6
    )
    spread = [p for p in islice(whole, 200) if p.here is not None]
    for number in range(4):
        yield f"whole-turn-{number + 1}", spread[number * len(spread) // 4]
    random = Random("perft")
    levels = list(all_levels())
    for number, recipe in enumerate(("mixed", "invasion", "walled", "smouldering", "before Roma", "quiet")):
        while True:
            position = scattered(recipe, any_readings(random.choice(levels), random), random, MAP)
            if position.here is not None and position.ip >= 2 and not position.is_won:
                break
        yield f"scattered-{number + 1}", position.replace(ip=min(position.ip, 3))


def perft(position: Position | Fall, depth: int, known: dict[tuple[Position, int], int]) -> int:
    """Sequences of exactly so many actions, an attack counted once for each outcome; `known` is what was counted before."""
    if depth == 0:
        return 1
    if isinstance(position, Fall):
        return 0
    key = (position, depth)
    if key not in known:
        actions = rules.legal_actions(position)
        if depth == 1:
            known[key] = len(actions)
        else:
            known[key] = sum(perft(rules.play(position, action), depth - 1, known) for action in actions)
    return known[key]


def counts_of(position: Position, depths: Iterable[int] = DEPTHS) -> tuple[int, ...]:
    """Sequences of so many actions, for each depth."""
    known: dict[tuple[Position, int], int] = {}
    return tuple(perft(position, depth, known) for depth in depths)


def ends_of(position: Position) -> set[Position]:
    """Every position, with 0 IP, on which the turn can end without an attack, or on which the game is won."""
    met = {position}
    edge = [position]
    while edge:
        here = edge.pop()
        for action in rules.legal_actions(here):
            after = rules.play(here, action)
            if action.kind is not Kind.ATTACK and isinstance(after, Position) and after not in met:
                met.add(after)
                edge.append(after)
    return {here.replace(ip=0) for here in met if here.is_won or rules.may_end(here)}


def digest(ends: Iterable[Position]) -> str:
    """SHA-256 of the sorted one-line notations."""
    return sha256("\n".join(sorted(map(str, ends))).encode()).hexdigest()


def block(name: str, position: Position) -> str:
    """The lines of one position."""
    assert position.status() == (), f"{name} cannot occur"
    counts = " ".join(map(str, counts_of(position)))
    ends = ends_of(position)
    return f"id {name}\nposition {position}\nperft {counts}\nends {len(ends)} {digest(ends)}\n"


def suite() -> Iterator[str]:
    """The file, in parts."""
    yield HEADER
    for name, position in (*rules_one_by_one(), *games(), *modules_one_by_one(), *games_with_modules()):
        yield "\n" + block(name, position)


def main() -> None:
    """Write the file beside this script, and tell how far it is."""
    parts = []
    for part in suite():
        parts.append(part)
        print(f"{len(parts):4}  {part.strip().splitlines()[0]}", flush=True)  # noqa: T201
    Path(__file__).with_name("suite.perft").write_text("".join(parts), "utf-8")


if __name__ == "__main__":
    main()
