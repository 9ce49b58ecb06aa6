"""Securing and subduing (rulebook page 8)."""

import pytest
from tabletop import barbarians, chance, faces_of, make_position, play

from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import REDUCE, REMOVE, SECURE

# -- secure ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("p08-secure")
def test_a_garrison_in_a_province_costs_one_ip():
    """One disc of his own comes from the reserve to the Emperor's province for 1 IP (p. 8)."""
    position = make_position("maximian", {"maximian": "sardinia"})
    after = play(position, "secure")

    assert (dict(after.discs), after.ip) == ({"sardinia": "maximian"}, 5)
    assert (position.reserve_garrisons("maximian"), after.reserve_garrisons("maximian")) == (4, 3)


@pytest.mark.rule("p08-secure-no-disc", "p07-one-disc", "p11-one-of-each")
@pytest.mark.parametrize(
    "disc",
    [
        {"revolts": "asia"},
        {"unrest": "asia"},
        {"garrisons": {"diocletian": "asia"}},
        {"garrisons": {"galerius": "asia"}},
    ],
)
def test_no_garrison_where_another_disc_lies(disc):
    """A province with a disc, his own garrison included, takes no other (p. 8)."""
    position = make_position("diocletian", {"diocletian": "asia"}, **disc)

    assert "lies there" in rules.objection(position, SECURE)


@pytest.mark.choice("I-SECURE-OWN", "I-SECURE-OTHERS", "I-SECURE-ROMA")
@pytest.mark.parametrize("place", ["cisalpina", "bithynia", "roma"])
def test_a_printed_disc_does_not_hinder_a_garrison(place):
    """A printed disc is no disc: his capital, another's and Roma can be secured (p. 5, 8)."""
    after = play(make_position("maximian", {"maximian": place}), "secure")

    assert after.discs[place] == "maximian"


@pytest.mark.rule("p06-level-garrisons")
@pytest.mark.parametrize("level", [3, 4, 5])
def test_the_reserve_limits_his_garrisons(level):
    """Each Emperor has as many garrisons as the level says, and without one in reserve he cannot secure (p. 6, 8)."""
    placed = ["galatia", "cappadocia", "syria", "cilicia", "thracia"]
    full = make_position(
        "diocletian", {"diocletian": "asia"}, level=level, garrisons={"diocletian": " ".join(placed[:level])}
    )
    almost = make_position(
        "diocletian", {"diocletian": "asia"}, level=level, garrisons={"diocletian": " ".join(placed[1:level])}
    )

    assert rules.objection(full, SECURE) == "he has no garrison left in the reserve"
    assert rules.objection(almost, SECURE) is None


@pytest.mark.rule("p06-level-garrisons")
def test_others_garrisons_do_not_help_him():
    """Garrisons are discs of the Emperor's own colour (p. 8)."""
    position = make_position("galerius", {"galerius": "dacia"}, garrisons={"galerius": "noricum rhaetia dalmatia roma"})

    assert position.reserve_garrisons("maximian") == 4
    assert rules.objection(position, SECURE) == "he has no garrison left in the reserve"


@pytest.mark.rule("p08-border")
def test_a_border_costs_two_ip():
    """Securing a border costs 2 IP, and 1 does not suffice (p. 8)."""
    position = make_position("constantius", {"constantius": "britannia"}, ip=2)
    after = play(position, "secure")

    assert (dict(after.discs), after.ip) == ({"britannia": "constantius"}, 0)
    assert after.secured == ("britannia",)
    assert "costs 2 IP" in rules.objection(position.replace(ip=1), SECURE)


@pytest.mark.rule("p08-border-no-revolt")
@pytest.mark.parametrize("place", ["tingitana", "baetica", "lusitania", "carthagenensis", "gallaecia", "tarraconensis"])
def test_a_revolt_anywhere_in_its_region_keeps_a_border_from_being_secured(place):
    """The region of the border must be free of revolts, all six provinces of it (p. 8)."""
    position = make_position("maximian", {"maximian": "gaetulia"}, revolts=place)

    assert place in rules.objection(position, SECURE)


@pytest.mark.rule("p08-border-no-revolt")
def test_unrest_in_the_region_does_not_hinder():
    """The rules state free of revolt, not free of unrest (p. 8)."""
    position = make_position("maximian", {"maximian": "gaetulia"}, unrest="tingitana baetica")

    assert play(position, "secure").secured == ("gaetulia",)


@pytest.mark.rule("p11-own-border")
def test_borders_belong_to_their_own_region_only():
    """Gaetulia is linked to Caesariensis of region VI, but only revolts of region I count (p. 11)."""
    position = make_position("maximian", {"maximian": "gaetulia"}, revolts="caesariensis numidia aquitania")

    assert play(position, "secure").secured == ("gaetulia",)


@pytest.mark.rule("p08-secure-no-disc")
def test_a_secured_border_is_not_secured_again():
    """One disc a province: a border that has a garrison is done (p. 8)."""
    position = make_position("maximian", {"maximian": "libya"}, garrisons={"diocletian": "libya"})

    with pytest.raises(IllegalActionError, match="lies there"):
        play(position, "secure")


@pytest.mark.rule("p11-secured-for-good")
def test_a_secured_border_stays_secured():
    """Borders are secured for good, whatever happens in their region (p. 11)."""
    position = make_position(
        "maximian",
        {"maximian": "roma"},
        garrisons={"diocletian": "libya"},
        revolts="aegyptus cyrenaica tripolitania",
        armies="persia germania_magna gaetulia",
        barbarian=True,
    )

    assert chance(position, lambda after: "libya" in after.secured) == chance(position, lambda _: True) == 1


# -- subdue ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("p08-remove-revolt", "p08-reduce-revolt", "p08-remove-unrest", "p08-subdue-here")
@pytest.mark.parametrize(
    ("lying", "line", "price", "left"),
    [
        ("revolts", "remove", 2, None),
        ("revolts", "reduce", 1, "unrest"),
        ("unrest", "remove", 1, None),
    ],
)
def test_what_subduing_costs_and_does(lying, line, price, left):
    """A revolt is removed for 2 IP or reduced to unrest for 1, unrest is removed for 1 (p. 8)."""
    position = make_position("galerius", {"galerius": "dacia"}, ip=price, **{lying: "dacia asia"})
    after = play(position, line)

    assert after.discs.get("dacia") == left
    assert after.ip == 0
    assert after.discs["asia"] == position.discs["asia"]  # only his province
    assert rules.objection(position.replace(ip=price - 1), rules.parse(position, line)) is not None


@pytest.mark.rule("p08-remove-revolt", "p08-reduce-revolt", "p08-remove-unrest")
def test_discs_go_back_to_their_reserve():
    """What is removed lies in the reserve again (p. 8)."""
    position = make_position("galerius", {"galerius": "dacia"}, revolts="dacia asia", unrest="achaia")
    reduced = play(position, "reduce")

    assert (position.reserve_revolts, position.reserve_unrest) == (19, 20)
    assert (reduced.reserve_revolts, reduced.reserve_unrest) == (20, 19)
    assert (play(reduced, "remove").reserve_revolts, play(reduced, "remove").reserve_unrest) == (20, 20)


@pytest.mark.rule("p08-border-no-revolt")
def test_unrest_in_its_region_keeps_no_border_open():
    """The region is free of revolts, unrest may lie there (p. 8)."""
    assert play(make_position("galerius", {"galerius": "persia"}, unrest="asia"), "secure").secured == ("persia",)


@pytest.mark.rule("p08-reduce-revolt")
def test_only_a_revolt_is_reduced():
    """Unrest and garrisons are reduced to nothing else (p. 8)."""
    for lying in ({"unrest": "dacia"}, {"garrisons": {"galerius": "dacia"}}):
        assert (
            rules.objection(make_position("galerius", {"galerius": "dacia"}, **lying), REDUCE) == "no revolt lies there"
        )


@pytest.mark.rule("p11-garrisons-stay")
@pytest.mark.parametrize("lying", [{}, {"garrisons": {"galerius": "dacia"}}, {"garrisons": {"maximian": "dacia"}}])
def test_only_revolts_and_unrest_can_be_subdued(lying):
    """Garrisons cannot be removed, and where nothing lies there is nothing to subdue (p. 8, 11)."""
    position = make_position("galerius", {"galerius": "dacia"}, **lying)

    assert rules.objection(position, REMOVE) == "neither a revolt nor an unrest lies there"
    assert rules.objection(position, REDUCE) == "no revolt lies there"


@pytest.mark.rule("p08-reduce-revolt")
def test_unrest_cannot_be_reduced():
    """Reducing is for revolts (p. 8)."""
    position = make_position("galerius", {"galerius": "dacia"}, unrest="dacia")

    assert rules.objection(position, REDUCE) == "no revolt lies there"


@pytest.mark.rule("p11-no-protection", "p08-secure-effect")
def test_an_emperor_does_not_protect_but_his_garrison_does():
    """Against the roll of the Barbarians only garrisons protect, not Emperors (p. 11)."""
    here = {"galerius": "dacia", "maximian": "roma"}
    bare = make_position("galerius", here, barbarian=True)
    secured = make_position("galerius", here, garrisons={"galerius": "dacia"}, barbarian=True)

    assert barbarians(bare, *faces_of("dacia")).discs == {"dacia": "unrest"}
    assert barbarians(secured, *faces_of("dacia")).discs == {"dacia": "galerius"}
