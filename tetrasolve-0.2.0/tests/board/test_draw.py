"""Pictures of the board: valid, complete, the same each time, and nothing on top of anything else."""

import math
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.draw.layout import RADIUS, box, layout, plate, way_out
from tetrasolve.tetrarchia.draw.picture import FREE_DIRECTIONS, clear_angles, description, turn_between
from tetrasolve.tetrarchia.pieces import Pieces, Rebel
from tetrasolve.tetrarchia.rules import rolled_scenario, scenario, scenarios

SVG = "{http://www.w3.org/2000/svg}"


def position(**fields):
    given = {
        "to_move": "maximian",
        "phase": "roman",
        "ip": 4,
        "emperors": {"diocletian": None, "galerius": "noricum", "constantius": "aquitania", "maximian": "cisalpina"},
        "fleets": (2, 3),
        "armies": ("narbonensis", "sarmatia"),
        "discs": {
            "narbonensis": "revolt",
            "tarraconensis": "unrest",
            "etruria": "maximian",
            "britannia": "constantius",
        },
    }
    if "pieces" in fields:
        fields["pieces"] = Pieces.of(fields["pieces"])
    return SimpleNamespace(**(given | fields))


@pytest.fixture(scope="module")
def board():
    return Board.standard()


def parsed(text):
    return ET.fromstring(text)  # noqa: S314 - our own text


def of_class(root, name):
    return [item for item in root.iter() if name in item.get("class", "").split()]


def province(root, name):
    (found,) = [item for item in of_class(root, "province") if item.get("data-province") == name]
    return found


def words(item):
    return " ".join(text.text for text in item.iter(f"{SVG}text"))


def tooltip(item):
    return item.find(f"{SVG}title").text


# -- what is there -------------------------------------------------------------------------------------------------


def test_every_province_is_there_with_name_and_coordinates(board):
    root = parsed(board_svg(board))

    assert [item.get("data-province") for item in of_class(root, "province")] == list(board.ids)
    for item in board.provinces.values():
        shown = words(province(root, item.id))
        assert item.name in shown
        assert not item.number or item.coordinates in shown
        assert tooltip(province(root, item.id)).startswith(item.name)


def test_every_link_is_there_and_broken_ones_are_marked(board):
    root = parsed(board_svg(board))
    drawn = {tuple(item.get("data-link").split("-")): item for item in of_class(root, "link")}

    assert set(drawn) == {link.between for link in board.links}
    for link in board.links:
        item = drawn[link.between]
        assert item.get("class") == ("link broken" if link.broken else "link normal")
        solid = [line for line in item.iter(f"{SVG}line") if line.get("stroke-width") == "4"]
        assert len(solid) == (2 if link.broken else 1)  # a broken one is in two pieces
        assert ("broken" if link.broken else "normal") in tooltip(item)


def test_a_broken_link_has_a_gap(board):
    root = parsed(board_svg(board))
    for item in of_class(root, "broken"):
        first, second = [line for line in item.iter(f"{SVG}line") if line.get("stroke-width") == "4"]
        ends = [complex(float(line.get("x2")), float(line.get("y2"))) for line in (first, second)]
        assert abs(ends[0] - ends[1]) > 10


def test_every_arrow_is_there(board):
    root = parsed(board_svg(board))

    assert {(item.get("data-from"), item.get("data-to")) for item in of_class(root, "path")} == {
        (p.id, p.arrow) for p in board.provinces.values() if p.arrow
    }


def test_coasts_show_their_zones(board):
    root = parsed(board_svg(board))
    for item in board.provinces.values():
        shores = of_class(province(root, item.id), "shore")
        assert {int(shore.get("data-zone")) for shore in shores} == item.zones
    assert {words(zone) for zone in of_class(root, "zone")} >= {"1 Mare Atlanticum Mare Atlanticum"}


def test_printed_discs_are_there_until_something_covers_them(board):
    empty = parsed(board_svg(board))
    covered = parsed(board_svg(board, position(discs={"cisalpina": "galerius"})))

    assert {p.id for p in board.provinces.values() if of_class(province(empty, p.id), "printed")} == {
        "roma",
        *(emperor.capital for emperor in board.emperors),
    }
    assert not of_class(province(covered, "cisalpina"), "printed")
    assert of_class(province(covered, "roma"), "printed")


def test_everything_on_the_board_is_drawn(board):
    shown = position()
    root = parsed(board_svg(board, shown))
    (legend,) = of_class(root, "legend")

    for name, kind in shown.discs.items():
        (disc,) = of_class(province(root, name), "disc")
        assert disc.get("class") == f"disc {kind}"
    for name, place in shown.emperors.items():
        figures = len(of_class(root, "emperor")) - len(of_class(legend, "emperor"))
        assert figures == 3
        drawn = [item for item in of_class(root, name) if "emperor" in item.get("class")]
        assert len(drawn) == (2 if place else 1)  # one of them in the legend
    assert len(of_class(root, "army")) == 1 + len(shown.armies)
    assert len(of_class(root, "fleet")) == 1 + len(shown.fleets)


def test_a_board_without_a_position_has_no_pieces(board):
    root = parsed(board_svg(board))
    (legend,) = of_class(root, "legend")

    for kind in ("army", "fleet", "emperor", "disc"):
        assert len(of_class(root, kind)) == len(of_class(legend, kind))


def test_whose_turn_it_is(board):
    assert "Maximian to move, 4 IP left" in words(parsed(board_svg(board, position())))
    barbarian = words(parsed(board_svg(board, position(phase="barbarian", ip=0))))
    assert "Barbarian phase after the turn of Maximian" in barbarian
    assert "1 of 6 borders secured" in barbarian
    assert "off the board: Diocletian" in barbarian


# -- modules, variants, scenarios ----------------------------------------------------------------------------------

ON_THE_MAP = {
    "dux": {"dux": "roma"},
    "vicarius": {"vicarius": "sicilia"},
    "pirates": {"pirates": 1},
    "goths": {"goths": "sarmatia"},
    "rebels": {"rebels": (("sarmatia", Rebel("dux", 3)),)},
}
LABELS = {"dux": "Dux", "vicarius": "Vicarius", "pirates": "Pirates", "goths": "Goths", "rebels": "Rebels"}


def legend_words(root):
    (legend,) = of_class(root, "legend")
    return {text.text for text in legend.iter(f"{SVG}text")}


@pytest.mark.parametrize("name", ON_THE_MAP)
def test_a_figure_of_a_module_is_on_the_map_and_in_the_legend(board, name):
    """It is there once each; no other figure of a module is, nor in the base game."""
    root = parsed(board_svg(board, position(pieces=ON_THE_MAP[name])))
    base = parsed(board_svg(board, position()))

    for other in ON_THE_MAP:
        assert len(of_class(root, other)) == (2 if other == name else 0)
        assert not of_class(base, other)
    added = legend_words(root) - legend_words(base)
    assert {word.split(" ")[0] for word in added if word != "3"} == {LABELS[name]}  # 3: on the banner of the rebels


@pytest.mark.parametrize(
    "pieces",
    [
        {"dux": None, "vicarius": "dead", "pirates": None, "goths": "reserve"},
        {"dux": "dead", "vicarius": None, "goths": "out"},
        {},
    ],
)
def test_a_figure_that_is_not_on_the_map_has_no_sign(board, pieces):
    """Neither there nor in the legend, even while its module is in use."""
    root = parsed(board_svg(board, position(pieces=pieces)))

    assert legend_words(root) == legend_words(parsed(board_svg(board, position())))
    for name in ON_THE_MAP:
        assert not of_class(root, name)


def test_pirates_lie_in_their_zone(board):
    """A black ship with the number of the zone; a position that cannot be may have a fleet there too."""
    for zone in board.coast:
        root = parsed(board_svg(board, position(pieces={"pirates": zone})))
        holding = [item for item in of_class(root, "zone") if of_class(item, "pirates")]
        assert [int(item.get("data-zone")) for item in holding] == [zone]
        assert words(holding[0]).startswith(f"{zone} {board.zones[zone - 1]}")
        assert len(of_class(holding[0], "fleet")) == (1 if zone in position().fleets else 0)


def test_armies_tell_what_they_are(board):
    """The Goths by their initial, rebels by that of their figure and by the zone of the fleet, others by nothing."""
    rebels = (("libya", Rebel("goths", 3)), ("persia", Rebel("dux", 1)))
    shown = position(
        armies=("narbonensis", "sarmatia", "libya", "persia"), pieces={"goths": "sarmatia", "rebels": rebels}
    )
    root = parsed(board_svg(board, shown))
    (legend,) = of_class(root, "legend")
    known = set(of_class(legend, "army"))
    stated = {tooltip(item): words(item) for item in of_class(root, "army") if item not in known}

    assert stated == {
        "Barbarian army": "",
        "Goths": "G",
        "Rebels (Goths figure; only with a fleet in Mare Aegaeum)": "G 3",
        "Rebels (Dux figure; only with a fleet in Mare Atlanticum)": "D 1",
    }
    assert {"Rebels (fleet in zone 1)", "Rebels (fleet in zone 3)"} <= legend_words(root)


def beside(board, pieces):
    return " ".join(words_of.text for words_of in of_class(parsed(board_svg(board, position(pieces=pieces))), "beside"))


def test_what_no_place_on_the_map_shows_is_in_the_head(board):
    """Figures off the map, who passes, and discs that lie beside it; nothing where there is nothing."""
    glory = (("constantius", 0), ("diocletian", 2), ("galerius", 0), ("maximian", 1))

    assert beside(board, {}) == ""
    assert beside(board, {"dux": "roma", "pirates": 2, "goths": "sarmatia"}) == ""
    assert beside(board, {"dux": None, "vicarius": "dead"}) == "Dux not yet in play · Vicarius dead"
    assert beside(board, {"goths": "reserve", "pirates": None}) == "Pirates beaten · Goths in the reserve"
    assert beside(board, {"glory": glory}) == "glory: Diocletian 2, Maximian 1"
    assert beside(board, {"glory": tuple((name, 0) for name, _ in glory)}) == "glory: none"
    assert beside(board, {"removed": (("galerius", 3),)}) == "discs lost: Galerius 3"
    discs = {"barbarian_discs": (("black", 1), ("gray", 3))}
    assert beside(board, discs | {"power": True}) == "power used · Barbarian player 3 gray, 1 black"
    assert beside(board, {"dux": "roma", "passing": "dux"}) == "Dux has to move on"
    assert beside(board, {"dux": "roma", "passing": "maximian"}) == "Maximian has to move on"


def test_modules_are_described_in_words_too(board):
    """What is drawn, and what is in the head, is in the description."""
    pieces = {
        "dux": "dead",
        "vicarius": "roma",
        "pirates": 3,
        "goths": "sarmatia",
        "passing": "vicarius",
        "glory": (("maximian", 4),),
        "removed": (("galerius", 1),),
        "power": True,
        "barbarian_discs": (("black", 0), ("gray", 2)),
        "rebels": (("britannia", Rebel("dux", 1)),),
    }
    stated = description(board, position(pieces=pieces))

    assert stated.startswith(description(board, position()))
    for part in (
        "Dux: dead.",
        "Vicarius: Roma.",
        "Pirates: Mare Aegaeum.",
        "Goths: Sarmatia.",
        "Rebels (Dux figure; only with a fleet in Mare Atlanticum): Britannia.",
        "Has to move on: Vicarius.",
        "Glory: Maximian 4.",
        "Discs lost: Galerius 1.",
        "The active Emperor has used his power.",
        "Barbarian player: 2 gray, 0 black.",
    ):
        assert part in stated


@pytest.mark.parametrize("name", scenarios())
def test_a_scenario_shows_all_it_begins_with(name):
    """Rebels on their borders, Pirates, Goths, and nothing that it does not have."""
    war = scenario(name)
    start = rolled_scenario(name, 7).position
    root = parsed(board_svg(start.board, start))

    assert len(of_class(root, "rebels")) == len(war.rebels) + (1 if war.rebels else 0)  # one in the legend
    assert len(of_class(root, "pirates")) == (2 if war.pirates else 0)
    assert len(of_class(root, "goths")) == (2 if war.goths else 0)
    for words_of in war.rebels.values():
        assert any(f" {words_of.fleet}" in words(item) for item in of_class(root, "rebels"))
    assert not of_class(root, "dux")


def test_figures_in_one_province_stand_apart(board):
    emperors = {"diocletian": "roma", "galerius": "roma", "constantius": "roma", "maximian": "roma"}
    root = parsed(board_svg(board, position(emperors=emperors, armies=())))
    (legend,) = of_class(root, "legend")
    known = set(of_class(legend, "emperor"))
    shields = [item.find(f"{SVG}path").get("d") for item in of_class(root, "emperor") if item not in known]

    assert len(shields) == len(set(shields)) == 4


def test_a_route_is_drawn_step_by_step(board):
    route = [("cisalpina", "narbonensis", "1"), ("narbonensis", "narbonensis", "2"), ("narbonensis", "sicilia", "3<b>")]
    root = parsed(board_svg(board, route=route))

    assert [words(item) for item in of_class(root, "badge")] == ["1", "2", "3<b>"]
    by_land, by_sea = of_class(root, "step")
    assert not any(item.get("stroke-dasharray") for item in by_land.iter())
    assert any(item.get("stroke-dasharray") for item in by_sea.iter())


def test_heat_is_a_ring_and_a_number(board):
    root = parsed(board_svg(board, heat={"roma": 0.25, "etruria": 1.0, "sicilia": 0.0, "lucania": 0.001}))

    assert {item.get("data-province"): tooltip(item) for item in of_class(root, "heat")} == {
        "roma": "25%",
        "etruria": "100%",
        "sicilia": "0%",
        "lucania": "<1%",
    }
    assert "Probability" in words(root)
    assert "Probability" not in words(parsed(board_svg(board)))


# -- for everybody -------------------------------------------------------------------------------------------------


def test_the_picture_is_described_in_words(board):
    root = parsed(board_svg(board, position(), title="Two <wars> & a \x00 siege"))

    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text == "Two <wars> & a  siege"
    stated = root[1].text
    assert stated == description(board, position())
    for part in (
        "Galerius: Noricum.",
        "Diocletian: off the board.",
        "Armies: Narbonensis, Sarmatia.",
        "Revolt: Narbonensis.",
    ):
        assert part in stated
    assert "Garrison of Maximian: Etruria." in stated


def test_the_width_scales_the_picture_only(board):
    small, large = parsed(board_svg(board, width=400)), parsed(board_svg(board, width=1600))

    assert float(large.get("width")) == 4 * float(small.get("width"))
    assert abs(float(large.get("height")) - 4 * float(small.get("height"))) < 1
    assert small.get("viewBox") == large.get("viewBox")


def test_the_same_arguments_give_the_same_text(board, draft):
    layout.cache_clear()
    first = board_svg(board, position(), heat={"roma": 0.5})
    layout.cache_clear()

    assert board_svg(draft.board(), position(), heat={"roma": 0.5}) == first


@pytest.mark.parametrize(
    "arguments",
    [
        {"heat": {"thule": 0.5}},
        {"heat": {"roma": 1.5}},
        {"heat": {"roma": math.nan}},
        {"route": [("roma", "thule", "1")]},
        {"width": 0},
        {"width": math.inf},
        {"position": position(armies=("thule",))},
        {"position": position(discs={"thule": "revolt"})},
        {"position": position(fleets=(4,))},
    ],
)
def test_nonsense_is_refused(board, arguments):
    with pytest.raises(ValueError, match=r"thule|heat|width|zone 4"):
        board_svg(board, **arguments)


# -- space for everything -------------------------------------------------------------------------------------------


def spaces(board):
    """What circle and name plate of each province take: left, top, right, bottom."""
    map_ = layout(board)
    for name, place in map_.places.items():
        half = max(RADIUS, map_.plates[name].width / 2)
        bottom = RADIUS - 8 + map_.plates[name].height
        yield name, (place.real - half, place.imag - RADIUS, place.real + half, place.imag + bottom)


def assert_room(board):
    """No circle or name plate touches that of another province or leaves the map."""
    map_ = layout(board)
    places = list(spaces(board))
    for index, (name, (left, top, right, bottom)) in enumerate(places):
        assert left > 0, name
        assert top > 0, name
        assert right < map_.size.real, name
        assert bottom < map_.size.imag, name
        for other, (left_, top_, right_, bottom_) in places[:index]:
            assert right < left_ or right_ < left or bottom < top_ or bottom_ < top, (name, other)


def test_nothing_overlaps(board):
    assert_room(board)


def test_circles_keep_apart(board):
    places = list(layout(board).places.values())

    assert min(abs(a - b) for i, a in enumerate(places) for b in places[:i]) > 2 * RADIUS + 4


def test_enough_of_each_link_shows(board):
    map_ = layout(board)
    for link in board.links:
        a, b = link.between
        along = map_.places[b] - map_.places[a]
        assert abs(along) - way_out(map_.plates[a], along) - way_out(map_.plates[b], -along) > 16, str(link)


def test_no_link_runs_through_the_circle_of_another_province(board):
    map_ = layout(board)
    for link in board.links:
        a, b = (map_.places[end] for end in link.between)
        for name, place in map_.places.items():
            if name not in link.between:
                share = min(1, max(0, ((place - a) * (b - a).conjugate()).real / abs(b - a) ** 2))
                assert abs(a + share * (b - a) - place) > RADIUS, (str(link), name)


def test_the_map_still_looks_like_the_world(board):
    """Nudged provinces stay where they belong: neighbours to the east stay to the east."""
    places = layout(board).places

    assert places["gallaecia"].real < places["roma"].real < places["bithynia"].real < places["persia"].real
    assert places["britannia"].imag < places["roma"].imag < places["libya"].imag


def test_zones_have_their_names_in_the_water(board):
    map_ = layout(board)
    for zone in map_.zones.values():
        assert 84 <= zone.real <= map_.size.real - 84
        for left, top, right, bottom in (space for _, space in spaces(board)):
            assert not (left - 27 < zone.real < right + 27 and top - 27 < zone.imag < bottom + 27)


def test_everything_written_is_inside_the_picture(board):
    glory = tuple((emperor.id, 9) for emperor in board.emperors)
    pieces = {"dux": None, "vicarius": "dead", "pirates": None, "goths": "reserve", "glory": glory, "removed": glory}
    pieces |= {"passing": "maximian", "rebels": (("sarmatia", Rebel("dux", 3)),)}
    shown = position(pieces=pieces)
    root = parsed(board_svg(board, shown, route=[("roma", "etruria", "1")], heat=dict.fromkeys(board.ids, 0.5)))
    _, _, width, height = map(float, root.get("viewBox").split())
    moved = {id(item): 0.0 for item in root.iter()}
    for group in root.iter(f"{SVG}g"):
        if "translate" in group.get("transform", ""):
            x, y = (float(part) for part in group.get("transform")[10:-1].replace(",", " ").split())
            for item in group.iter():
                moved[id(item)] += complex(x, y)
    for item in root.iter(f"{SVG}text"):
        place = complex(float(item.get("x")), float(item.get("y"))) + moved[id(item)]
        half = len(item.text) * float(item.get("font-size")) * 0.3
        reach = {"start": (0, 2 * half), "end": (2 * half, 0)}.get(item.get("text-anchor"), (half, half))
        assert place.real - reach[0] > 0, item.text
        assert place.real + reach[1] < width, item.text
        assert 10 < place.imag < height, item.text


def test_a_plate_is_as_wide_as_its_longer_line():
    assert plate("Pannonia Superior").lines == ("Pannonia", "Superior")
    assert plate("Carthagenensis").width > plate("Asia").width
    assert box(plate("Pannonia Superior")).below > box(plate("Asia")).below


def test_shores_keep_clear_of_plates_and_of_each_other():
    for angle in range(-360, 720, 7):
        turned = clear_angles({2: math.radians(angle), 3: math.radians(angle + 3)})
        assert set(turned.values()) <= set(FREE_DIRECTIONS)
        assert abs(turn_between(*turned.values())) > 1


# -- a corrected board gives a corrected picture -------------------------------------------------------------------


def test_a_correction_is_drawn(draft):
    draft.link("rhaetia", "cisalpina")["broken"] = False
    draft.unlink("sardinia", "etruria")
    draft.province("cyrenaica", zones=[2], name="Pentapolis Libyae")
    root = parsed(board_svg(draft.board()))
    kinds = {item.get("data-link"): item.get("class") for item in of_class(root, "link")}

    assert kinds["rhaetia-cisalpina"] == "link normal"
    assert "sardinia-etruria" not in kinds
    assert {shore.get("data-zone") for shore in of_class(province(root, "cyrenaica"), "shore")} == {"2"}
    assert "Pentapolis Libyae" in words(province(root, "cyrenaica"))
    assert_room(draft.board())


def test_provinces_at_one_spot_come_apart(draft):
    for row in draft.data["province"]:
        row["lonlat"] = [12.0, 42.0]

    assert_room(draft.board())
    parsed(board_svg(draft.board(), position()))


def test_an_inland_sea_and_long_names(draft):
    draft.data["sea"] = {"zones": ["Mare"], "adjacent": []}
    for row in draft.data["province"]:
        row["zones"] = [1] if row["id"] == "dacia" else []
        row["name"] = row["name"] + " ulterior et citerior <&>"

    assert_room(draft.board())
    parsed(board_svg(draft.board()))


@settings(max_examples=5)
@given(data=st.data())
def test_any_coordinates_find_space(drafts, data):
    draft = drafts()
    for row in draft.data["province"]:
        row["lonlat"] = [data.draw(st.integers(-20, 60)) / 1, data.draw(st.integers(20, 60)) / 1]

    assert_room(draft.board())
    parsed(board_svg(draft.board()))
