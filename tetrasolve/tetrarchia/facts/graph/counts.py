"""What can be counted on the map: provinces, links, degrees, neighbours of borders, coasts."""

from __future__ import annotations

from tetrasolve.claims.fact import Values
from tetrasolve.claims.saying import many, words
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.graph.network import largest, map_kind, smallest
from tetrasolve.tetrarchia.facts.saying import named, provinces

# -- provinces and links ---------------------------------------------------------------------------------------


def _counts(board: Board) -> dict[str, Values]:
    ends = [(board[link.between[0]], board[link.between[1]], link.broken) for link in board.links]
    inner = [(a, b) for a, b, _ in ends if not (a.is_border or b.is_border)]
    return {
        "": {
            "provinces": len(board.ids),
            "borders": len(board.borders),
            "roman": len(board.ids) - len(board.borders),
            "links": len(ends),
            "broken": sum(broken for _, _, broken in ends),
            "normal": sum(not broken for _, _, broken in ends),
            "roman-links": len(inner),
            "border-links": len(ends) - len(inner),
            "border-broken": sum(broken for a, b, broken in ends if a.is_border or b.is_border),
            "across-regions": sum(a.region != b.region for a, b in inner),
        }
    }


def _say_counts(_: str, v: Values) -> str:
    return (
        f"The map has {v['provinces']} provinces, {v['borders']} of them borders, and {v['links']} links, {v['broken']} of them "
        f"broken; {v['border-links']} links lead to a border ({v['border-broken']} broken), and {v['across-regions']} "
        f"of the other {v['roman-links']} from one region to another."
    )


def _degrees(board: Board) -> dict[str, Values]:
    found: dict[str, object] = {}
    links = {place: len(board.neighbours(place)) for place in board.ids}
    for place in board.ids:
        found[f"links.{place}"] = links[place]
        found[f"broken.{place}"] = sum(link.broken for link in board.neighbours(place).values())
    found["max"], found["most"] = largest(links)
    found["min"], found["fewest"] = smallest(links)
    return {"": found}  # type: ignore[dict-item]  # numbers and rows


def _say_degrees(_: str, v: Values) -> str:
    return (
        f"No province has more than {many(v['max'], 'link')} ({provinces(v, 'most')}), "
        f"and none has fewer than {v['min']} ({provinces(v, 'fewest')})."
    )


# -- borders ---------------------------------------------------------------------------------------------------


def _borders(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for border in board.borders:
        links = board.neighbours(border)
        by_row = tuple(place for place in board.ids if place in links)
        abroad = tuple(place for place in by_row if board[place].region != board[border].region)
        facts[border] = {
            "links": len(links),
            "broken": sum(link.broken for link in links.values()),
            "neighbours": by_row,
            "other-regions": abroad,
        }
    return facts


def _say_border(border: str, v: Values) -> str:
    beyond = words(v, "other-regions")
    outside = f", outside its own region {provinces(v, 'other-regions')}" if beyond else ", all of its own region"
    return (
        f"{named(border)} is linked to {many(v['links'], 'province')}, {v['broken']} by a broken link: "
        f"{provinces(v, 'neighbours')}{outside}."
    )


# -- coasts ----------------------------------------------------------------------------------------------------


def _coasts(board: Board) -> dict[str, Values]:
    return {
        str(zone): {
            "count": len(coast),
            "provinces": coast,
            "only": tuple(place for place in coast if len(board[place].zones) == 1),
        }
        for zone, coast in board.coast.items()
    }


def _say_coast(zone: str, v: Values) -> str:
    return f"{many(v['count'], 'province')} lie on the coast of zone {zone}, {len(words(v, 'only'))} of them on no other coast."


def _inland(board: Board) -> dict[str, Values]:
    dry = tuple(place for place in board.ids if not board[place].is_border and not board[place].is_coastal)
    two = tuple(place for place in board.ids if len(board[place].zones) > 1)
    wet = tuple(border for border in board.ids if board[border].is_border and board[border].is_coastal)
    return {"": {"count": len(dry), "provinces": dry, "two-coasts": two, "border-coasts": wet}}


def _say_inland(_: str, v: Values) -> str:
    return (
        f"{many(v['count'], 'Roman province')} lie on no coast: {provinces(v, 'provinces')}; on more than one "
        f"{provinces(v, 'two-coasts')}; of the borders {provinces(v, 'border-coasts')} lie on a coast."
    )


TOPICS = (
    map_kind(
        "map/count",
        "How many provinces and links the map has",
        "counted on the board's rows",
        ("links", "kinds", "regions"),
        _counts,
        _say_counts,
    ),
    map_kind(
        "map/degree",
        "How many links each province has",
        "counted on the board's rows",
        ("links", "kinds"),
        _degrees,
        _say_degrees,
    ),
    map_kind(
        "map/border",
        "To what each border is linked",
        "read off the board's rows",
        ("links", "kinds", "regions"),
        _borders,
        _say_border,
    ),
    map_kind("map/coast", "The coast of each sea zone", "read off the board's rows", ("zones",), _coasts, _say_coast),
    map_kind(
        "map/inland",
        "Provinces without a coast, and with two",
        "read off the board's rows",
        ("zones",),
        _inland,
        _say_inland,
    ),
)
