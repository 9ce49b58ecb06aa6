"""Positions for the counts in perft/suite.perft in which a module, a variant or a war of the scenarios matters.

The name of a position begins with what it needs; few IP and few garrisons keep the counts of all else small. As in the
rest of the suite, a name with a question mark is the position before it with a sentence read in the other way.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from random import Random

from moduletable import extended, random_start
from tabletop import MAP, others_than, random_action

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import RandomDice

ON, TWO, BACK, LAST = "diocletian", "galerius", "constantius", "maximian"
SPENT = {ON: "gallaecia lusitania baetica"}  # all three garrisons of level 3, so that he has none to secure with
HISPANIA = "carthagenensis gallaecia lusitania baetica tarraconensis"

Named = Iterator[tuple[str, Position]]


def modules_one_by_one() -> Named:
    """Positions that need one module, variant or scenario each."""
    yield from dux()
    yield from vicarius()
    yield from pirates()
    yield from goths()
    yield from mare_nostrum()
    yield from via_romana()
    yield from usurpator()
    yield from roma_aeterna()
    yield from imperium()
    yield from barbaria()
    yield from wars()


def small(extensions: str, pieces: dict[str, object] | None = None, here: str = "noricum", **more: object) -> Position:
    """Diocletian with no garrison left, a fleet far away, and what else is needed."""
    at = {ON: here} | dict(more.pop("at", {}))  # type: ignore[call-overload]  # a position, where it is given
    given = {"fleets": (1,), "level": 3, "garrisons": SPENT, "ip": 2} | more
    return extended(extensions, pieces, at=at, **given)  # type: ignore[arg-type]  # names of `table`


def other(name: str, position: Position, reading: str, value: str) -> Named:
    """A position, and the same position with one sentence of the rulebook read in the other way."""
    yield name, position
    ruleset = position.ruleset.with_readings([(reading, value)])
    yield f"{name}?{reading}={value}", position.replace(ruleset=ruleset)


def dux() -> Named:
    near = small("dux", at={TWO: "rhaetia"}, revolts="pannonia_inferior", ip=3)
    yield from other("dux-deploy", near, "I-DUX-REVOLT", "forbidden")
    yield "dux-deploy-too-dear", small("dux", ip=1)
    yield "dux-moves-and-subdues", small("dux", {"dux": "galatia"}, revolts="galatia", unrest="asia", ip=3)
    # Discs under him do not count, since he has none; the Emperor beside the army does
    alone = small("dux", {"dux": "cyrenaica"}, armies="libya", ip=3, garrisons={ON: "cyrenaica tripolitania aegyptus"})
    yield from other("dux-attacks", alone, "I-DUX-DEFEAT", "dux-only")
    yield "dux-attacks-with-support", alone.with_emperor(ON, "aegyptus")
    pressed = small("dux", {"dux": "noricum"}, "rhaetia", armies="germania_magna", revolts="rhaetia noricum", ip=3)
    yield "dux-supports", pressed
    yield "dux-passes", small("dux", {"dux": "rhaetia"}, ip=4)
    both = small("dux", {"dux": "noricum", "passing": "dux"}, armies="rhaetia", revolts="rhaetia", ip=3)
    yield "dux-has-to-move-on", both
    yield "dux-is-passed", small("dux", {"dux": "noricum", "passing": ON}, ip=4)
    yield "dux-dead", small("dux", {"dux": "dead"}, ip=2)
    shut = {"armies": "etruria lucania", "revolts": "etruria lucania", "unrest": "bithynia"}
    yield "dux-does-not-act-alone", extended("dux", {"dux": "asia"}, at={TWO: "roma"}, fleets=(1,), level=3, **shut)


def vicarius() -> Named:
    yield "vicarius-deploy", small("vicarius", at={TWO: "roma"}, revolts="asia", unrest="sicilia", ip=3)
    yield "vicarius-deploy-too-dear", small("vicarius", ip=1)
    moving = small("vicarius", {"vicarius": "sicilia"}, fleets=(2,), unrest="lucania", revolts="africa sardinia", ip=3)
    yield "vicarius-moves", moving
    border = small("vicarius", {"vicarius": "belgica"}, revolts="germania_inferior", armies="persia", ip=3)
    yield "vicarius-moves-onto-a-border", border
    yield "vicarius-passes", small("vicarius", {"vicarius": "rhaetia"}, revolts="pannonia_superior", ip=4)
    shut = {"revolts": "pannonia_superior pannonia_inferior", "armies": "germania_magna", "ip": 3}
    yield "vicarius-has-to-move-on", small("vicarius", {"vicarius": "noricum", "passing": "vicarius"}, **shut)
    yield "vicarius-dead", small("vicarius", {"vicarius": "dead"}, ip=2)


def pirates() -> Named:
    yield "pirates-attack", small("pirates", {"pirates": 3}, "asia", ip=4)
    yield "pirates-attack-too-dear", small("pirates", {"pirates": 3}, "asia", ip=1)
    yield "pirates-elsewhere", small("pirates", {"pirates": 2}, "asia", ip=2)
    risen = "moesia_inferior thracia macedonia achaia asia"  # on the coast of their zone; Bithynia's disc is printed
    coast = small("pirates", {"pirates": 3}, "syria", revolts=risen, ip=3)
    yield from other("pirates-printed-disc", coast, "I-PIRATES-PRINTED", "discs-only")
    yield "pirates-helped-by-an-army", coast.with_army(None, "aegyptus").with_disc("aegyptus", "revolt")
    yield "pirates-attacked-with-an-ally", coast.with_emperor(TWO, "cilicia")
    yield "pirates-keep-fleets-out", small("pirates", {"pirates": 3}, fleets=(1, 2), ip=2)
    yield "pirates-beaten", small("pirates", {"pirates": None}, "asia", fleets=(2,), ip=4)
    yield "pirates-attacked-by-the-dux", small("pirates+dux", {"pirates": 2, "dux": "sicilia"}, fleets=(1,), ip=4)


def goths() -> Named:
    def at(here: str, others: str, **more: object) -> Position:
        return small("goths", {"goths": here}, armies=f"{here} {others}", **{"revolts": here} | more)

    yield "goths-attacked", at("rhaetia", "", ip=3)
    # Five revolts and the 1 of the Goths make 7 at least; another army there may be held
    risen = {"revolts": "rhaetia cisalpina germania_superior narbonensis lugdunensis", "garrisons": {}, "ip": 3}
    yield "goths-cannot-be-held", at("rhaetia", "", **risen)
    yield "goths-in-the-reserve", small("goths", armies="rhaetia", **risen)
    support = at("germania_magna", "rhaetia", revolts="rhaetia cisalpina", ip=2)
    yield from other("goths-support", support, "I-GOTHS-SUPPORT", "leader")


def mare_nostrum() -> Named:
    def at(here: str, *fleets: int, **more: object) -> Position:
        return small("mare-nostrum", None, here, fleets=fleets, **{"garrisons": {ON: "dacia noricum belgica"}} | more)

    yield "mare-nostrum-two-zones", at("lusitania", 1, 2, ip=4)
    yield "mare-nostrum-three-zones", at("lusitania", 1, 2, 3, ip=3)
    yield "mare-nostrum-zone-between", at("lusitania", 1, 3, ip=3)
    yield "mare-nostrum-too-far", at("lusitania", 1, 2, 3, ip=1)
    yield "mare-nostrum-into-revolt", at("lusitania", 1, 2, 3, revolts="roma asia africa", ip=3)
    far = {"dux": "lusitania", "vicarius": "baetica"}
    yield "mare-nostrum-for-all-figures", small("mare-nostrum+dux+vicarius", far, fleets=(1, 2), ip=2)


def via_romana() -> Named:
    def at(here: str, **more: object) -> Position:
        return small("via-romana", None, here, **{"garrisons": {ON: f"{here} asia cilicia"}} | more)

    yield "via-romana-transfer", at("rhaetia", ip=4)
    yield "via-romana-broken-link-costs-two", at("rhaetia", unrest="noricum pannonia_superior germania_superior")
    yield "via-romana-not-another's", at("rhaetia", garrisons={TWO: "rhaetia", ON: "asia cilicia syria"})
    yield "via-romana-not-while-passing", at("rhaetia", at={TWO: "rhaetia"})
    met = at("rhaetia", at={TWO: "noricum"}, ip=1)
    yield from other("via-romana-figure", met, "I-VIA-EMPTY", "no-disc")
    yield from other("via-romana-border", at("persia", ip=2), "I-VIA-BORDER", "moves")


def usurpator() -> Named:
    inside = {"armies": "lusitania", "revolts": f"tingitana {HISPANIA}", "garrisons": {TWO: "gaetulia"}}
    yield "usurpator-in-a-full-region", small("usurpator", None, "roma", fleets=(2,), ip=4, **inside)
    few = inside | {"revolts": "lusitania", "garrisons": {TWO: "gaetulia", ON: "gallaecia asia cilicia"}, "ip": 3}
    yield "usurpator-attacked", small("usurpator", None, "gallaecia", **few)


def roma_aeterna() -> Named:
    at = {"armies": "rhaetia", "revolts": "rhaetia pannonia_inferior", "ip": 6}
    free = (
        *("noricum rhaetia pannonia_inferior pannonia_superior germania_superior cisalpina dalmatia dacia").split(),
        *("gallaecia lusitania baetica moesia_superior roma asia cilicia syria galatia bithynia thracia").split(),
    )
    # 3 unrest on the board, 18 in glory: none is left, unless a revolt is reduced before the battle is won
    glory = {"glory": {ON: 10, TWO: 7}}
    lying = {"unrest": " ".join(others_than(*free).split()[:3])}
    yield "roma-aeterna-victory-takes-the-last-unrest", small("roma-aeterna", glory, **at, **lying)
    full = {"glory": {ON: 10, TWO: 8}}
    yield (
        "roma-aeterna-no-unrest-left",
        small("roma-aeterna", full, here="pannonia_inferior", **at | {"ip": 4}, **lying),
    )
    yield "roma-aeterna-attacked-without-glory", small("roma-aeterna", **at | {"ip": 3})


def imperium() -> Named:
    def at(here: str, paid: int = 0, used: bool = False, to_move: str = ON, **more: object) -> Position:
        pieces = {"removed": {to_move: paid}} | ({"power": True} if used else {})
        return small("imperium", pieces | dict(more.pop("pieces", {})), here, to_move=to_move, **more)  # type: ignore[call-overload]

    led = {"at": {TWO: "rhaetia", BACK: "belgica", LAST: "etruria"}, "garrisons": {ON: "gallaecia lusitania"}}
    yield "imperium-to-be-paid", at("noricum", **led | {"garrisons": {ON: "gallaecia"}})
    yield "imperium-diocletian-leads", at("noricum", 1, True, revolts="germania_inferior", ip=3, **led)
    near = led | {"at": {TWO: "rhaetia", BACK: "cisalpina", LAST: None}}
    yield "imperium-led-through-another", at("noricum", 1, True, unrest="etruria", ip=3, **near)
    passing = led | {"at": {TWO: "rhaetia", BACK: "rhaetia", LAST: None}, "pieces": {"passing": BACK}}
    yield "imperium-led-has-to-move-on", at("noricum", 1, True, revolts="cisalpina", ip=3, **passing)
    met = {"at": {TWO: "noricum"}, "garrisons": {ON: "gallaecia"}, "pieces": {"passing": ON}}
    yield "imperium-not-while-passing", at("noricum", ip=3, **met)
    border = at("roma", 1, garrisons={ON: "gaetulia lusitania"}, ip=0)
    yield from other("imperium-disc-of-a-border", border, "I-IMPERIUM-BORDER", "any")
    yield "imperium-nothing-left-to-pay", at("noricum", 3, garrisons={})
    west = {"to_move": LAST, "at": {LAST: "roma", ON: None}, "garrisons": {LAST: "gallaecia lusitania"}}
    yield "imperium-maximian-has-one-more", at("roma", **west | {"ip": 2})
    seventh = west | {"at": {LAST: "britannia", ON: None}, "revolts": "belgica lugdunensis germania_inferior", "ip": 7}
    yield "imperium-maximian-has-seven", at("roma", 1, True, **seventh)
    east = {"to_move": TWO, "at": {TWO: "cyrenaica", ON: None}, "armies": "libya", "ip": 2}
    some = {"garrisons": {TWO: "aegyptus asia"}}
    yield "imperium-galerius-pays-after-the-dice", at("roma", **east | some)
    lost = {"garrisons": {TWO: "cyrenaica persia"}, "revolts": "tripolitania numidia africa caesariensis"}
    yield from other("imperium-galerius-pays-on-the-spot", at("roma", 1, **east | lost), "I-IMPERIUM-BORDER", "any")
    pirates = {"removed": {TWO: 1}, "pirates": 3}
    coast = small("imperium+pirates", pirates, to_move=TWO, at={TWO: "asia", ON: None}, garrisons={TWO: "syria"}, ip=2)
    yield "imperium-galerius-against-pirates", coast
    yield "imperium-constantius-has-none", at("roma", to_move=BACK, at={BACK: "roma", ON: None}, garrisons={}, ip=2)


def barbaria() -> Named:
    def at(gray: int, black: int, **more: object) -> Position:
        return small("barbaria", {"barbarian_discs": {"gray": gray, "black": black}}, **more)  # type: ignore[arg-type]

    free = "noricum rhaetia pannonia_inferior pannonia_superior germania_superior cisalpina dalmatia dacia".split()
    free += SPENT[ON].split()
    lying = {"revolts": "noricum", "unrest": " ".join(others_than(*free).split()[:17])}
    yield "barbaria-gray-is-the-last-unrest", at(4, 1, **lying)
    yield "barbaria-gray-has-come-back", at(3, 1, **lying)
    turned = {"armies": "lusitania", "revolts": "lusitania", "garrisons": {ON: "asia cilicia galatia"}, "ip": 3}
    yield "barbaria-army-turned", at(1, 0, here="gallaecia", **turned)
    anywhere = {"readings": {"I-BLACK-PLACE": "any"}, "revolts": "persia", "here": "persia", "ip": 3}
    yield "barbaria-revolt-on-a-border", at(0, 0, **anywhere)


def wars() -> Named:
    """How each scenario begins, with 3 IP, and a table of its war: rebels in reach, out of reach, and beaten."""
    for name in rules.scenarios():
        yield f"{name}-begins", rules.rolled_scenario(name, 7, board=MAP).position.replace(ip=3)
    britain = war("carausian-revolt", {BACK: "belgica", "maximian": None}, fleets=(1, 2), pirates=None)
    yield "carausian-revolt-landing", britain
    yield "carausian-revolt-without-a-fleet", britain.replace(fleets=(2, 3))
    yield "carausian-revolt-pirates-first", war("carausian-revolt", {BACK: "aquitania"}, fleets=(2, 3), pirates=1)
    yield "danubian-wars-sarmatians", war("danubian-wars", {ON: "moesia_inferior", TWO: "dacia"}, fleets=(1, 3))
    yield "danubian-wars-germans", war("danubian-wars", {ON: "rhaetia", TWO: "noricum"}, fleets=(1, 2))
    moors = war("mauretanian-war", {"maximian": "caesariensis", TWO: "tingitana"}, fleets=(1, 2))
    yield "mauretanian-war-berbers", moors
    yield "mauretanian-war-without-a-fleet", moors.replace(fleets=(2, 3))
    persians = war(
        "great-persian-war", {ON: "aegyptus", TWO: "cappadocia", BACK: "cyrenaica"}, fleets=(2, 3), pirates=None
    )
    yield "great-persian-war-egypt", persians
    yield "great-persian-war-armenia", persians.replace(to_move=TWO)
    yield "great-persian-war-pirates-first", war("great-persian-war", {ON: "cilicia"}, fleets=(1, 2), pirates=3)


def war(name: str, at: dict[str, str | None], fleets: tuple[int, ...], **pieces: int | None) -> Position:
    """A scenario later on: Emperors, fleets and Pirates elsewhere, 4 IP left."""
    start = rules.rolled_scenario(name, 7, fixed=True, board=MAP).position
    return start.replace(
        emperors={**start.emperors, **at}, fleets=fleets, pieces={**start.pieces.plain(), **pieces}, ip=4
    )


def games_with_modules() -> Named:
    """Positions of games with whatever modules, variants and scenarios; in turn one that can do each of what they add."""
    wanted = [
        lambda action: action.kind is Kind.DEPLOY,
        lambda action: action.figure == "dux",
        lambda action: action.figure == "vicarius",
        lambda action: action.place == "pirates",
        lambda action: action.kind is Kind.TRANSFER,
        lambda action: action.kind is Kind.ATTACK,
        lambda action: action.kind is Kind.IMPERIUM,
        lambda action: action.figure in (TWO, BACK, LAST),
        lambda action: bool(action.payments),
    ]
    for number, wanting in enumerate(wanted * 2, start=1):
        fitting = (
            position
            for seed in count()
            for position in one_game(f"{number} {seed}")
            if position.here is not None and any(map(wanting, rules.legal_actions(position)))
        )
        [position] = islice(fitting, 1)
        yield f"game-with-modules-{number}", position


def one_game(seed: str) -> Iterator[Position]:
    """The Roman phases of one game of a few turns, where 3 or 4 IP are left."""
    random, dice = Random(f"perft modules {seed}"), RandomDice(f"perft modules {seed}")
    now: Position | rules.Fall = random_start(random, MAP)
    for _ in range(60):
        if not isinstance(now, Position) or now.is_won:
            return
        if now.phase is Phase.BARBARIAN:
            now = rules.sample(now, dice)
            continue
        if 2 < now.ip <= 4:
            yield now
        action = random_action(now, random)
        if action is None:
            return
        now = rules.play(now, action)
