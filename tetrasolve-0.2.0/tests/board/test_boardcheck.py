"""Every constraint on a board finds a board that breaks it, and names the row."""

import pytest

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.boardcheck import CLAIMS, PARTS, Finding, certain, check, trail_from


@pytest.mark.rule("p05-borders", "p05-capitals", "p11-black-sea", "p11-britannia")
def test_nothing_is_known_against_the_board_of_the_library():
    assert check(Board.standard()) == ()


def test_a_finding_reads_well():
    finding = Finding("link a-b", "is missing", "an example uses it", "rulebook")

    assert str(finding) == "link a-b: is missing (rulebook: an example uses it)"
    assert finding.to_json() == {
        "row": "link a-b",
        "problem": "is missing",
        "rule": "an example uses it",
        "source": "rulebook",
    }


# -- what follows from the components ----------------------------------------------------------------------------


def close_region(draft):
    """Make Libya and its region part of Asia Minor."""
    draft.data["region"] = [row for row in draft.data["region"] if row["id"] != "africa"]
    for row in draft.data["province"]:
        if row["region"] == "africa":
            row["region"] = "asia_minor"


def move_capital(draft, emperor, province):
    for row in draft.data["province"]:
        if row["id"] != "roma" and emperor in row.get("printed", []):
            row["printed"].remove(emperor)
    row = draft.row("province", province)
    row["printed"] = [*row.get("printed", []), emperor]


# Name of the constraint, what breaks it, the row that must be named
MALFORMED = [
    ("seven_regions", close_region, "region VI"),
    ("six_in_each_region", lambda draft: draft.province("dacia", region="graecia"), "region illyricum"),
    ("one_border_each", lambda draft: draft.province("libya", kind="roman"), "province libya"),
    ("one_border_each", lambda draft: draft.province("libya", region="asia_minor"), "province libya"),
    ("one_border_each", lambda draft: draft.province("dacia", kind="border"), "province dacia"),
    ("numbers_one_to_six", lambda draft: draft.province("dacia", number=None), "province dacia"),
    ("numbers_one_to_six", lambda draft: draft.province("dacia", number=6), "province dacia"),
    ("numbers_one_to_six", lambda draft: draft.province("dacia", number=6), "region illyricum"),
    ("no_other_numbers", lambda draft: draft.province("sicilia", number=1), "province sicilia"),
    ("no_other_numbers", lambda draft: draft.province("libya", number=1), "province libya"),
    ("names_tell_apart", lambda draft: draft.province("sicilia", name="SAR"), "province sardinia"),
    ("three_zones", lambda draft: draft.data["sea"]["zones"].append("Pontus"), "[sea]"),
    ("three_zones", lambda draft: draft.data["sea"]["adjacent"].append([1, 3]), "[sea]"),
    ("turn_order", lambda draft: draft.data["emperor"].reverse(), "emperor maximian"),
    ("printed_discs", lambda draft: draft.province("roma", printed=["galerius"]), "province roma"),
    ("printed_discs", lambda draft: move_capital(draft, "galerius", "libya"), "province libya"),
    ("printed_discs", lambda draft: move_capital(draft, "galerius", "bithynia"), "province bithynia"),
    ("arrows_follow_links", lambda draft: draft.province("rhaetia", arrow="roma"), "province rhaetia"),
    ("paths_end_in_roma", lambda draft: draft.province("etruria", arrow=None), "province etruria"),
    ("paths_end_in_roma", lambda draft: draft.province("etruria", arrow="cisalpina"), "province etruria"),
    ("paths_end_in_roma", lambda draft: draft.province("libya", arrow=None), "province libya"),
    ("paths_end_in_roma", lambda draft: draft.province("roma", arrow="etruria"), "province roma"),
    ("arrows_lie_on_paths", lambda draft: draft.province("dacia", arrow="moesia_superior"), "province dacia"),
]


@pytest.mark.rule("p05-regions", "p05-zones", "p05-roma", "p05-arrows", "p07-turn-order")
@pytest.mark.parametrize(
    ("part", "damage", "row"), MALFORMED, ids=[f"{number}-{part}" for number, (part, _, _) in enumerate(MALFORMED)]
)
def test_what_follows_from_the_components(draft, part, damage, row):
    rules = {function.__name__: rule for function, rule in PARTS.items()}
    damage(draft)

    found = [finding for finding in check(draft.board()) if finding.rule == rules[part]]

    assert row in [finding.row for finding in found]
    assert all(finding.source == "rulebook" and finding.problem for finding in found)


def test_each_of_these_constraints_is_tested():
    assert {part for part, _, _ in MALFORMED} == {function.__name__ for function in PARTS}


def test_a_pair_that_the_file_holds_apart(draft):
    draft.add_link("aquitania", "gallaecia")

    (finding,) = check(draft.board())

    assert finding.row == "link aquitania-gallaecia"
    assert finding.source == "rulebook"
    assert "Narbonensis" in finding.rule  # the grounds that the row gives


# -- findings about single rows -----------------------------------------------------------------------------------


def at(text):
    return Board.standard().find(text).id


def others(name):
    """Coordinates to swap with: a province of the same region."""
    board = Board.standard()
    return [other for other in board.members(board[name].region) if other != name]


def break_region(draft, claim):
    row = next(row for row in draft.data["region"] if row.get("number") == claim["number"])
    row["name"] = "Thule"
    return f"region {row['id']}"


def break_border_leaves(draft, claim):
    board = Board.standard()
    border = board.borders[claim["number"] - 1]
    for name in board.neighbours(border):
        if board[name].region != claim["number"]:
            draft.unlink(border, name)
    return f"province {border}"


def break_border_stays(draft, claim):
    border = Board.standard().borders[claim["number"] - 1]
    draft.add_link("roma", border)
    return f"link {border}-roma"


def break_exist(draft, claim):
    name = claim["provinces"][-1]
    old = draft.row("province", name)
    old["id"], old["name"], old["code"] = "thule", "Thule", "thu"
    for row in draft.data["province"]:
        if row.get("arrow") == name:
            row["arrow"] = "thule"
    for row in draft.data["link"] + draft.data["no_link"]:
        row["between"] = ["thule" if end == name else end for end in row["between"]]
    return f"province {name}"


def break_coordinates(draft, claim):
    draft.swap(claim["province"], others(claim["province"])[0], "number")
    return f"province {claim['province']}"


def break_elsewhere(draft, claim):
    draft.swap(claim["province"], at(claim["not_at"][0]), "number")
    return f"province {claim['province']}"


def break_capital(draft, claim):
    move_capital(draft, claim["emperor"], "sicilia")
    return "province sicilia"


def break_capitals_in_revolt(draft, _claim):
    draft.swap("bithynia", "syria", "number")
    draft.swap("germania_inferior", "belgica", "number")
    return "province bithynia, germania_inferior"


def break_linked(draft, claim):
    a, b = (at(end) for end in claim["between"])
    draft.unlink(a, b)
    return f"link {a}-{b}"


def break_not_linked(draft, claim):
    draft.add_link(*claim["between"])
    return "link " + "-".join(claim["between"])


def break_not_normal(draft, claim):
    draft.link(*claim["between"])["broken"] = False
    return "link " + "-".join(claim["between"])


def break_group(draft, _claim):
    draft.unlink("etruria", "roma")
    return "link cisalpina-roma"


def break_linked_to_group(draft, claim):
    draft.unlink(claim["province"], "cisalpina")
    return f"link {claim['province']}-cisalpina"


def break_coast(draft, claim):
    draft.province(claim["province"], zones=[1])
    return f"province {claim['province']}"


def break_not_coastal(draft, claim):
    draft.province(claim["province"], zones=[1])
    return f"province {claim['province']}"


def break_arrow(draft, claim):
    draft.province(claim["province"], arrow="aquitania")
    return f"province {claim['province']}"


def break_arrow_broken(draft, claim):
    arrow = Board.standard()[claim["province"]].arrow
    draft.link(claim["province"], arrow)["broken"] = False
    return f"link {claim['province']}-{arrow}"


def break_on_path(draft, claim):
    draft.province("germania_magna", arrow="noricum")
    return f"province {claim['province']}"


def break_path_through(draft, claim):
    draft.province("tarraconensis", arrow="aquitania")
    return f"province {claim['province']}"


def break_path(draft, _claim):
    draft.province("macedonia", arrow="achaia")
    return "province macedonia"


def break_reach(draft, claim):
    start, goal = at(claim["from"]), at(claim["to"])
    for name in Board.standard().neighbours(goal):
        draft.unlink(goal, name)
    draft.province(goal, zones=[])
    assert start != goal
    return f"province {goal}"


BREAKS = {name.removeprefix("break_"): function for name, function in dict(globals()).items() if name[:6] == "break_"}


@pytest.mark.rule("p05-borders", "p05-capitals", "p05-coordinates", "p11-own-border", "p11-black-sea", "p11-britannia")
@pytest.mark.parametrize(
    "claim", certain(), ids=[f"{number}-{claim['claim']}" for number, claim in enumerate(certain())]
)
def test_findings_about_single_rows(draft, claim):
    row = BREAKS[claim["claim"]](draft, claim)

    found = [finding for finding in check(draft.board()) if (finding.rule, finding.row) == (claim["rule"], row)]

    assert found
    assert {finding.source for finding in found} == {claim["source"]}


@pytest.mark.rule("p05-borders")
def test_a_region_with_the_border_of_another_is_found(draft):
    rows = {row["id"]: row for row in draft.data["region"]}
    rows["africa"]["border"], rows["hispania"]["border"] = rows["hispania"]["border"], rows["africa"]["border"]

    problems = {(finding.row, finding.problem) for finding in check(draft.board())}

    assert ("region africa", "has the border gaetulia, expected libya") in problems


def test_each_kind_of_claim_is_used_and_known():
    assert {claim["claim"] for claim in certain()} == set(CLAIMS) == set(BREAKS)


def test_each_claim_says_who_says_so():
    for claim in certain():
        assert claim["source"] in {"rulebook", "designer", "report"}
        assert claim["rule"]


# -- sides of a constraint that the table above leaves out ---------------------------------------------------------


def findings(draft):
    return {finding.row: finding.problem for finding in check(draft.board())}


def test_a_link_of_the_wrong_kind(draft):
    draft.link("narbonensis", "cisalpina")["broken"] = False
    draft.link("noricum", "pannonia_inferior")["broken"] = True

    assert findings(draft) == {
        "link narbonensis-cisalpina": "is normal, expected broken",
        "link noricum-pannonia_inferior": "is broken, expected normal",
    }


def test_a_border_of_another_region(draft):
    for one, other in (("asia_minor", "libya"), ("africa", "persia")):
        draft.row("region", one)["border"] = other

    assert "has the border libya, expected persia" in findings(draft)["region asia_minor"]


def test_a_path_that_is_too_short(draft):
    draft.province("epirus", arrow=None)

    assert "stops here" in findings(draft)["province epirus"] or "no arrow" in findings(draft)["province epirus"]


def test_a_path_of_a_border_that_is_too_long(draft):
    draft.province("lucania", arrow="sicilia")
    draft.province("sicilia", arrow="roma")
    draft.add_link("sicilia", "roma")

    assert findings(draft)["province lucania"] == "its arrow leads to sicilia, expected roma on the path of sarmatia"


def test_a_way_that_became_too_dear(draft):
    draft.link("bithynia", "galatia")["broken"] = True
    draft.province("bithynia", zones=[])

    assert findings(draft)["province cappadocia"] == "from bithynia it costs 3 IP, expected 2 at most"


def test_a_fleet_that_helps_keeps_a_way_cheap(draft):
    draft.link("galatia", "cappadocia")["broken"] = True
    draft.link("syria", "cappadocia")["broken"] = True  # Syria has the sea
    assert "province cappadocia" in findings(draft)

    draft.province("cappadocia", zones=[3])
    assert "province cappadocia" not in findings(draft)


def test_a_corrected_board_may_renumber_its_provinces(draft):
    """II:1 is another province now: what is recorded about II:1 goes with the number."""
    draft.swap("belgica", "lugdunensis", "number")

    assert findings(draft)["link lugdunensis-britannia"] == "is missing"


def test_trails_stop_where_they_would_turn_back(draft):
    draft.province("etruria", arrow="cisalpina")

    assert trail_from(draft.board(), "rhaetia") == ("rhaetia", "cisalpina", "etruria")
