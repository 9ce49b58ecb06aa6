"""Why a position cannot occur: each reason is found where it is, and only there."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import positions
from tabletop import make_position, random_game

from tetrasolve.errors import IllegalPositionError
from tetrasolve.tetrarchia.pieces import Rebel
from tetrasolve.tetrarchia.ruleset import Ruleset
from tetrasolve.tetrarchia.status import CHECKS, Reason, require_legal, status

HERE = {"diocletian": "asia"}
MANY = (
    "roma cisalpina etruria lucania sicilia sardinia baetica lusitania carthagenensis gallaecia tarraconensis narbonensis "
    "belgica lugdunensis aquitania rhaetia noricum dacia dalmatia thracia macedonia achaia"
)
assert len(MANY.split()) == 22


def with_pieces(extensions, pieces, at=None, **on_the_table):
    """A table of a game with these modules and variants, and these pieces on it."""
    plain = make_position("diocletian", HERE if at is None else at, legal=False, **on_the_table)
    return plain.replace(
        ruleset=Ruleset.from_text("+".join(["4200", *filter(None, extensions.split("+"))])), pieces=pieces
    )


def rebels(*borders):
    return tuple((border, Rebel("dux", 3)) for border in borders)


def glory(each):
    return tuple((emperor, each) for emperor in sorted(make_position("diocletian").emperors))


def imperial(more, removed=0, **on_the_table):
    """A position with Imperium, where each Emperor has paid so many discs."""
    return with_pieces("imperium", {"removed": glory(removed)} | more, **on_the_table)


def barbaria(gray=4, black=1, also="", **on_the_table):
    """A position with Barbaria, and what the Barbarian player has."""
    discs = {"barbarian_discs": (("black", black), ("gray", gray))}
    return with_pieces(f"barbaria+{also}", discs | on_the_table.pop("pieces", {}), **on_the_table)


DOMITIANUS = rebels("libya")
POWER = {"power": True}
TWO = HERE | {"galerius": "asia"}

# code, where, the position that has this reason and no other
IMPOSSIBLE = [
    ("too-many-revolt", "revolt", make_position("diocletian", HERE, revolts=MANY, legal=False)),
    ("too-many-unrest", "unrest", make_position("diocletian", HERE, unrest=MANY, legal=False)),
    (
        "too-many-garrisons",
        "galerius",
        make_position(
            "diocletian",
            HERE,
            garrisons={"galerius": "noricum rhaetia dacia libya", "maximian": "roma"},
            level=3,
            legal=False,
        ),
    ),
    ("disc-on-border", "libya", make_position("diocletian", HERE, revolts="libya", legal=False)),
    ("disc-on-border", "persia", make_position("diocletian", HERE, unrest="persia", legal=False)),
    (
        "too-many-armies",
        "armies",
        make_position("diocletian", HERE, armies="libya persia sarmatia britannia", legal=False),
    ),
    ("armies-share", "libya", make_position("diocletian", HERE, armies="libya libya", legal=False)),
    ("army-in-roma", "roma", make_position("diocletian", HERE, armies="roma", revolts="roma", legal=False)),
    ("army-off-path", "noricum", make_position("diocletian", HERE, armies="noricum", revolts="noricum", legal=False)),
    (
        "army-on-secured-border",
        "libya",
        make_position("diocletian", HERE, armies="libya", garrisons={"maximian": "libya"}, legal=False),
    ),
    ("army-without-revolt", "syria", make_position("diocletian", HERE, armies="syria", legal=False)),
    ("army-without-revolt", "syria", make_position("diocletian", HERE, armies="syria", unrest="syria", legal=False)),
    (
        "emperor-with-army",
        "libya",
        make_position("diocletian", {"diocletian": "libya"}, armies="libya", legal=False),
    ),
    (
        "emperors-share",
        "roma",
        make_position("diocletian", HERE | {"galerius": "roma", "maximian": "roma"}, legal=False),
    ),
    (
        "emperors-share",
        "roma",
        make_position("maximian", {"galerius": "roma", "maximian": "roma"}, barbarian=True, legal=False),
    ),
    (
        "emperors-share",
        "roma",
        make_position("maximian", {"galerius": "roma", "maximian": "roma", "diocletian": "roma"}, legal=False),
    ),
    ("fleet-count", "fleets", make_position("diocletian", HERE, fleets=(2,)).replace(fleets=(2, 3))),
    ("fleet-count", "fleets", make_position("diocletian", HERE, fleets=(2, 3)).replace(fleets=(2,))),
    ("fleets-share", "zone 2", make_position("diocletian", HERE, fleets=(2, 2), legal=False)),
    ("ip", "ip", make_position("diocletian", HERE, ip=7, legal=False)),
    ("ip", "ip", make_position("diocletian", HERE, ip=-1, legal=False)),
    ("off-in-mid-turn", "diocletian", make_position("diocletian", ip=5, legal=False)),
    ("piece-without-rule", "dux", make_position("diocletian", HERE).replace(pieces={"dux": None})),
    (
        "piece-without-rule",
        "passing",
        make_position("diocletian", HERE | {"galerius": "asia"}).replace(pieces={"passing": "diocletian"}),
    ),
    ("piece-missing", "pirates", with_pieces("pirates", {})),
    ("piece-missing", "glory", with_pieces("roma-aeterna", {})),
    ("emperor-with-army", "libya", with_pieces("dux", {"dux": "libya"}, armies="libya")),
    ("emperor-with-army", "libya", with_pieces("vicarius", {"vicarius": "libya"}, armies="libya")),
    ("emperors-share", "asia", with_pieces("dux", {"dux": "asia"}, barbarian=True)),
    ("emperors-share", "roma", with_pieces("dux+vicarius", {"dux": "roma", "vicarius": "roma"})),
    ("nobody-passing", "asia", with_pieces("dux", {"dux": "asia"})),
    ("passing-alone", "passing", with_pieces("dux", {"dux": "roma", "passing": "dux"})),
    ("passing-alone", "passing", with_pieces("dux", {"dux": "dead", "passing": "dux"})),
    (
        "passing-unmoved",
        "passing",
        with_pieces("dux", {"dux": "roma", "passing": "galerius"}, at=HERE | {"galerius": "roma"}),
    ),
    (
        "passing-unled",
        "passing",
        with_pieces("dux+vicarius", {"dux": "roma", "vicarius": "roma", "passing": "dux"}, at={}),
    ),
    ("vicarius-on-disc", "roma", with_pieces("vicarius", {"vicarius": "roma"}, revolts="roma")),
    ("vicarius-on-disc", "roma", with_pieces("vicarius", {"vicarius": "roma"}, unrest="roma")),
    ("pirates-with-fleet", "zone 2", with_pieces("pirates", {"pirates": 2})),
    ("goths-out", "goths", with_pieces("goths", {"goths": "out"})),
    ("goths-without-army", "sarmatia", with_pieces("goths", {"goths": "sarmatia"}, armies="libya")),
    (
        "goths-and-rebels",
        "libya",
        with_pieces("goths", {"goths": "libya", "rebels": DOMITIANUS}, armies="libya", revolts="libya"),
    ),
    ("no-rebels", "rebels", with_pieces("", {"rebels": ()})),
    ("rebel-off-border", "syria", with_pieces("", {"rebels": rebels("syria")}, armies="syria", revolts="syria")),
    ("rebel-without-army", "libya", with_pieces("", {"rebels": DOMITIANUS}, revolts="libya")),
    ("rebel-without-revolt", "libya", with_pieces("", {"rebels": DOMITIANUS}, armies="libya")),
    (
        "rebel-figure-in-use",
        "libya",
        with_pieces("dux", {"rebels": DOMITIANUS, "dux": None}, armies="libya", revolts="libya"),
    ),
    (
        "rebel-figure-twice",
        "persia",
        with_pieces("", {"rebels": rebels("libya", "persia")}, armies="libya persia", revolts="libya persia"),
    ),
    ("glory-missing", "glory", with_pieces("roma-aeterna", {"glory": (("diocletian", 1),)})),
    ("piece-missing", "removed", with_pieces("imperium", {})),
    ("removed-missing", "removed", with_pieces("imperium", {"removed": (("diocletian", 1),)})),
    (
        "too-many-removed",
        "galerius",
        imperial({}, 2, garrisons={"galerius": "noricum rhaetia dacia"}),
    ),
    ("power-unpaid", "power", imperial(POWER)),
    ("power-after-turn", "power", imperial(POWER, 1, barbarian=True)),
    ("power-off-board", "power", imperial(POWER, 1, at={})),
    ("power-of-another", "power", imperial(POWER, 1).replace(to_move="galerius")),
    ("piece-without-rule", "power", with_pieces("dux", {"dux": None} | POWER)),
    ("ip", "ip", imperial(POWER, 1, ip=7)),
    ("ip", "ip", imperial({}, 1, at={"maximian": "roma"}, ip=7).replace(to_move="maximian")),
    ("ip", "ip", imperial(POWER, 1, at={"maximian": "roma"}, ip=8).replace(to_move="maximian")),
    ("nobody-passing", "asia", imperial({}, at=TWO)),
    ("passing-unmoved", "passing", imperial({"passing": "galerius"}, 1, at=TWO)),
    ("piece-missing", "barbarian_discs", with_pieces("barbaria", {})),
    ("barbarian-discs-missing", "barbarian_discs", with_pieces("barbaria", {"barbarian_discs": (("gray", 2),)})),
    ("too-many-gray", "barbarian_discs", barbaria(5)),
    ("too-many-black", "barbarian_discs", barbaria(black=2)),
    ("gray-not-left", "barbarian_discs", barbaria(unrest=" ".join(MANY.split()[:18]))),
    (
        "gray-not-left",
        "barbarian_discs",
        barbaria(2, also="roma-aeterna", pieces={"glory": glory(1)}, unrest=" ".join(MANY.split()[:16])),
    ),
    ("black-not-left", "barbarian_discs", barbaria(revolts=" ".join(MANY.split()[:21]))),
    ("disc-on-border", "libya", barbaria(revolts="libya")),
    (
        "too-much-glory",
        "glory",
        with_pieces("roma-aeterna", {"glory": glory(2)}, unrest=" ".join(MANY.split()[:20])),
    ),
]


@pytest.mark.parametrize(
    ("code", "where", "position"), IMPOSSIBLE, ids=[f"{row}-{code}" for row, (code, _, _) in enumerate(IMPOSSIBLE)]
)
def test_each_reason_is_found_alone(code, where, position):
    """A position that breaks one rule has exactly one reason, with code, place, words and rule."""
    (reason,) = position.status()

    assert (reason.code, reason.where) == (code, where)
    assert reason.text
    assert reason.rule
    assert str(reason) == f"{where}: {reason.text} ({reason.rule})"


def test_every_code_is_tried():
    """No reason that the checks can give is missing above: they give as many codes as the list has."""
    import ast
    import inspect

    from tetrasolve.tetrarchia.status import base, modules

    calls = [
        node
        for module in (base, modules)
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Reason"
    ]
    codes = set()
    for call in calls:
        first = call.args[0]
        codes |= {first.value} if isinstance(first, ast.Constant) else {"too-many-revolt", "too-many-unrest"}

    assert codes == {code for code, _, _ in IMPOSSIBLE}
    assert len(CHECKS) == 17


@pytest.mark.parametrize(
    "position",
    [
        make_position("maximian", {"maximian": "roma", "galerius": "roma"}),  # passing through
        make_position("maximian", ip=6),  # off the board, about to enter
        make_position("maximian", barbarian=True),  # beaten in his own turn
        make_position("maximian", ip=0, at={"maximian": "persia"}, garrisons={"galerius": "persia"}, revolts="syria"),
        make_position("maximian", {"maximian": "roma"}, revolts=" ".join(MANY.split()[:21])),
        make_position("maximian", {"maximian": "roma"}, armies="libya aegyptus etruria", revolts="aegyptus etruria"),
        with_pieces("usurpator", {}, armies="noricum", revolts="noricum"),  # a usurper, on no Barbarian path
        with_pieces("dux+vicarius", {"dux": "syria", "vicarius": None}, revolts="syria"),
        with_pieces("dux+vicarius", {"dux": "asia", "vicarius": "dead", "passing": "dux"}),
        with_pieces("dux+vicarius", {"dux": "asia", "vicarius": "roma", "passing": "diocletian"}),
        with_pieces("dux+vicarius", {"dux": "roma", "vicarius": "roma", "passing": "vicarius"}, ip=2),
        with_pieces("vicarius", {"vicarius": "persia"}, at={}, barbarian=True),
        with_pieces("pirates", {"pirates": None}),
        with_pieces("goths", {"goths": "moesia_inferior"}, armies="moesia_inferior", revolts="moesia_inferior"),
        with_pieces("", {"rebels": DOMITIANUS}, armies="libya", revolts="libya syria"),
        imperial({}, 4),
        imperial(POWER, 1),
        imperial(POWER, 1, at={"maximian": "roma"}, ip=7).replace(to_move="maximian"),
        imperial({"passing": "diocletian"}, at=TWO),
        imperial(POWER | {"passing": "galerius"}, 1, at=TWO),
        imperial({}, 1, garrisons={"galerius": "noricum rhaetia dacia"}),
        barbaria(),
        barbaria(0, 0, armies="achaia", revolts="achaia"),  # turned there
        barbaria(unrest=" ".join(MANY.split()[:17])),
        barbaria(revolts=" ".join(MANY.split()[:20])),
        barbaria(0, 0, revolts="libya").replace(
            ruleset=Ruleset.from_text("4200+barbaria?I-BLACK-PLACE=any")
        ),  # his black disc
        with_pieces("roma-aeterna", {"glory": glory(2)}, unrest=" ".join(MANY.split()[:13])),
    ],
)
def test_what_only_looks_odd_is_legal(position):
    """Nothing is called impossible that can happen in a game."""
    assert position.status() == ()
    require_legal(position)


def test_all_reasons_are_given_at_once():
    """A position with several faults lists them all, and refusing it names them all."""
    position = make_position(
        "diocletian",
        {"diocletian": "libya"},
        ip=9,
        armies="libya libya noricum",
        unrest="persia",
        fleets=(1, 1, 1),
        legal=False,
    )
    codes = [reason.code for reason in position.status()]

    assert set(codes) == {
        "disc-on-border",
        "armies-share",
        "army-off-path",
        "emperor-with-army",
        "fleets-share",
        "ip",
    }
    with pytest.raises(IllegalPositionError) as caught:
        require_legal(position)
    assert caught.value.reasons == position.status()
    assert all(str(reason) in str(caught.value) for reason in position.status())


def test_positions_of_games_are_legal():
    """No position that a game at random reaches has a reason against it."""
    count = 0
    for seed in range(40):
        for position in random_game(f"legal {seed}", 16):
            assert status(position) == (), position
            count += 1

    assert count > 1000


@given(positions())
def test_any_position_has_a_status(position):
    """Whatever a position holds, its reasons are listed, each once, without changing it."""
    before = str(position)
    reasons = position.status()

    assert all(isinstance(reason, Reason) for reason in reasons)
    assert len({(reason.code, reason.where) for reason in reasons}) == len(reasons)
    assert str(position) == before
    assert position.status() == reasons
