"""The map as a value: look-ups, masks, symmetry, paths; and what the how-to page says about correcting it."""

import json
import re
import tomllib
from pathlib import Path

import networkx
import pytest

from tetrasolve.cli.main import run
from tetrasolve.tetrarchia.board import ROMAN_NUMERALS, Board
from tetrasolve.tetrarchia.boardcheck import cheapest_way, check
from tetrasolve.tetrarchia.boardfile import standard_text

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "correct-the-board.md"


@pytest.fixture(scope="module")
def board():
    return Board.standard()


@pytest.mark.rule("p05-provinces", "p05-regions")
def test_components(board):
    borders = [province for province in board.provinces.values() if province.is_border]

    assert (len(board.provinces), len(borders), len(board.zones)) == (48, 6, 3)
    assert [len(board.members(region)) for region in range(7)] == [6] * 7
    assert {(p.region, p.number) for p in board.provinces.values() if p.number} == {
        (region, number) for region in range(1, 7) for number in range(1, 7)
    }
    assert [board[name].region for name in board.borders] == [1, 2, 3, 4, 5, 6]


@pytest.mark.rule("p05-links", "p05-zones")
def test_links_and_seas_have_no_direction(board):
    for name in board.provinces:
        for other, link in board.neighbours(name).items():
            assert board.neighbours(other)[name] is link
            assert set(link.between) == {name, other}
    assert sum(len(board.neighbours(name)) for name in board.provinces) == 2 * len(board.links)
    assert [board.adjacent(zone) for zone in (1, 2, 3)] == [(2,), (1, 3), (2,)]


@pytest.mark.rule("p05-coasts")
def test_coast_and_zones_say_the_same(board):
    assert {(zone, name) for zone, names in board.coast.items() for name in names} == {
        (zone, province.id) for province in board.provinces.values() for zone in province.zones
    }


@pytest.mark.rule("p05-arrows")
@pytest.mark.parametrize("border", ["gaetulia", "britannia", "germania_magna", "sarmatia", "persia", "libya"])
def test_each_path_goes_along_links_to_roma(board, border):
    steps = 0
    here = border
    while here != "roma":
        following = board[here].arrow
        assert board.link(here, following) is not None
        here, steps = following, steps + 1

    assert board.distance_to_roma[border] == steps


def test_distance_is_only_defined_for_provinces_on_a_path(draft):
    draft.province("etruria", arrow="cisalpina")

    distances = draft.board().distance_to_roma

    assert "britannia" not in distances
    assert distances["sarmatia"] == 6


@pytest.mark.rule("p05-coordinates")
def test_a_province_is_found_by_each_of_its_names(board):
    for province in board.provinces.values():
        for text in (province.id, province.code, province.name, province.name.upper(), f" {province.name} "):
            assert board.find(text) is province
        if province.number:
            assert board.find(f"{ROMAN_NUMERALS[province.region].lower()}:{province.number}") is province
            assert board.at(province.region, province.number) == province.id
    assert board.find("atlantis") is None
    assert board.find("VII:1") is None


def test_an_emperor_is_found_by_each_of_his_names(board):
    for emperor in board.emperors:
        assert board.emperor(emperor.id) is board.emperor(emperor.name.upper()) is board.emperor(emperor.letter)
        assert set(board.printed(emperor.id)) == {"roma", emperor.capital}
    assert board.emperor("nero") is None


def test_masks_are_sets(board):
    for index, name in enumerate(board.ids):
        assert board.mask([name]) == 1 << index
    assert board.unmask(board.mask(["libya", "roma", "roma"])) == ("roma", "libya")
    assert board.unmask(board.mask(board.ids)) == board.ids


def test_equal_by_value_whatever_the_evidence(draft, board):
    draft.link("lucania", "roma")["confidence"] = 0.25
    draft.province("roma", why="seen", evidence={})
    draft.data["link"].reverse()

    assert draft.board() == board
    assert hash(draft.board()) == hash(board)


def test_a_correction_makes_another_board(draft, board):
    draft.link("rhaetia", "cisalpina")["broken"] = False

    assert draft.board() != board
    assert not draft.board().link("cisalpina", "rhaetia").broken


def test_evidence_is_kept(board):
    assert str(board["roma"].evidence["zones"]) == "inferred 0.8"
    assert board.link("narbonensis", "cisalpina").kind.certain
    assert not board.link("sardinia", "etruria").exists.certain
    assert board.emperors[1].evidence["colour"].source == "designer"
    assert all(link.why for link in board.links)


def test_nothing_can_be_written_to(board):
    with pytest.raises(AttributeError):
        board.roma = "etruria"
    with pytest.raises(AttributeError):
        board["roma"].number = 1
    with pytest.raises(TypeError):
        board.provinces["roma"] = board["etruria"]
    with pytest.raises(TypeError):
        board["roma"].evidence["name"] = None


def test_networkx_has_it_all(board):
    graph = board.to_networkx()

    assert set(graph) == set(board.provinces)
    assert {frozenset(edge) for edge in graph.edges} == {frozenset(link.between) for link in board.links}
    assert graph.edges["narbonensis", "cisalpina"] == {"broken": True, "cost": 2}
    assert graph.nodes["achaia"]["zones"] == [2, 3]


@pytest.mark.rule("p05-broken-links")
def test_cheapest_ways_are_those_of_networkx(board):
    costs = dict(networkx.all_pairs_dijkstra_path_length(board.to_networkx(), weight="cost"))

    for start in board.provinces:
        for goal in board.provinces:
            assert cheapest_way(board, start, goal) == costs[start].get(goal)


def test_fleets_make_ways_cheaper_never_dearer(board):
    assert cheapest_way(board, "bithynia", "macedonia", [3]) == 1
    assert cheapest_way(board, "bithynia", "macedonia", [2]) == 2  # the fleet sails first
    for goal in board.provinces:
        assert cheapest_way(board, "roma", goal, [1, 2, 3]) <= cheapest_way(board, "roma", goal)


def test_no_way_is_none(draft):
    draft.unlink("sardinia", "etruria")

    assert cheapest_way(draft.board(), "sardinia", "roma") is None


def test_load_reads_files(tmp_path, board):
    path = tmp_path / "my.toml"
    path.write_text("\ufeff" + standard_text(), "utf-8")

    assert Board.load(path) == Board.load(str(path)) == board
    assert Board.load(path).source == str(path)


# -- the how-to page ---------------------------------------------------------------------------------------------


def how_to_rows():
    if not HOW_TO.exists():
        pytest.skip("the documentation is absent")
    return [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", HOW_TO.read_text("utf-8"), re.DOTALL)]


def test_the_rows_of_the_how_to_page_are_good_rows(draft):
    rows = how_to_rows()
    for tables in rows:
        for table, (row,) in tables.items():
            key = "id" if table == "province" else "between"
            draft.data[table] = [old for old in draft.data[table] if old[key] != row[key]] + [row]
    board = draft.board()

    assert [table for tables in rows for table in tables] == ["link", "no_link", "province"]
    assert check(board) == ()
    assert not board.link("rhaetia", "cisalpina").broken
    assert board["cyrenaica"].zones == {2}


# -- the command ---------------------------------------------------------------------------------------------------


def run_board(capsys, *arguments):
    code = run(["board", *map(str, arguments)])
    return code, capsys.readouterr().out


def test_show_lists_every_row_in_plain_text(board, capsys):
    code, out = run_board(capsys, "show")
    lines = [line.split() for line in out.splitlines()]

    assert code == 0
    assert "\x1b" not in out
    assert all(any(name in line for line in lines) for name in board.ids)
    assert all(
        [*link.between, "broken" if link.broken else "normal"] in [line[:3] for line in lines] for link in board.links
    )


def test_show_as_json_has_the_evidence(board, capsys):
    code, out = run_board(capsys, "show", "--json")
    data = json.loads(out)

    assert code == 0
    assert [row["id"] for row in data["provinces"]] == list(board.ids)
    assert data["links"][0]["evidence"]["kind"] == {"source": "rulebook", "confidence": 1.0}


def test_show_gives_the_file_back(capsys, tmp_path):
    code, out = run_board(capsys, "show", "--toml")
    (tmp_path / "my.toml").write_text(out, "utf-8")

    assert (code, out) == (0, standard_text())
    assert run_board(capsys, "show", "--toml", "--board", tmp_path / "my.toml") == (0, standard_text())


def test_check_tells_findings_by_its_exit_code(draft, capsys, tmp_path):
    path = tmp_path / "my.toml"
    draft.province("libya", arrow=None)
    path.write_text(draft.text(), "utf-8")

    assert run_board(capsys, "check")[0] == 0
    code, out = run_board(capsys, "check", "--board", path)
    assert code == 1
    assert out.startswith("province libya: the path from libya does not reach roma")
    code, out = run_board(capsys, "check", "--board", path, "--json")
    assert code == 1
    assert "province libya" in [finding["row"] for finding in json.loads(out)["findings"]]
    assert run_board(capsys, "check", "--board", tmp_path / "none.toml")[0] == 2


def test_svg_writes_a_picture(capsys, tmp_path):
    code, out = run_board(capsys, "svg")
    assert code == 0
    assert out.startswith("<svg")

    assert run_board(capsys, "svg", "--out", tmp_path / "map.svg") == (0, "")
    assert (tmp_path / "map.svg").read_text("utf-8") == out
