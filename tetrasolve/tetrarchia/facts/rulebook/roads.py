"""Mare Nostrum, Via Romana and Usurpator (pages 14 and 15): new ways for figures, garrisons and armies."""

from __future__ import annotations

from itertools import combinations

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import transfer
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Value
from tetrasolve.tetrarchia.facts.rulebook.tables import HE, barbarians, empire, kind, named, risen, started
from tetrasolve.tetrarchia.facts.statements import Answer, Statement
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.rules import advance
from tetrasolve.tetrarchia.rules.links import move_cost, sea_ways
from tetrasolve.tetrarchia.rules.shortest import shortest_way
from tetrasolve.tetrarchia.rules.usurpator import Rising
from tetrasolve.tetrarchia.ruleset import VARIANTS

CERTIFICATE = "variant"

# -- Mare Nostrum --------------------------------------------------------------------------------------------------


def _joined(board: Board) -> Answer:
    """The pairs of provinces between which fleets carry a figure, and the zones that they cross at most."""
    values: dict[str, Value] = {}
    right = True
    for fleets in ((1, 2), (2, 3), (1, 3), (1, 2, 3)):
        name = "".join(map(str, fleets))
        ways = {}
        for who, variant in (("without", ()), ("with", ("mare-nostrum",))):
            table = started(board, *variant, level=f"5{len(fleets)}00", fleets=fleets)
            ways[who] = {(here, there): zones for here in board.ids for there, zones in sea_ways(table, here).items()}
            values[f"{who}.{name}"] = len(ways[who])
        values[f"most.{name}"] = max(ways["with"].values())
        shore = {place for zone in fleets for place in board.coast[zone]}
        right &= ways["with"] == ways["without"] if name == "13" else len(ways["with"]) == len(shore) * (len(shore) - 1)
    return Answer(values, right and [values[f"most.{name}"] for name in ("12", "23", "13", "123")] == [2, 2, 1, 3])


def _cheaper(board: Board) -> Answer:
    """One move from anywhere to anywhere, with fleets in any two zones or more."""
    found = {"same": 0, "cheaper": 0, "new": 0, "dearer": 0}
    zones = range(1, len(board.zones) + 1)
    for fleets in (some for size in zones[1:] for some in combinations(zones, size)):
        base = started(board, level=f"5{len(fleets)}00", fleets=fleets)
        joined = started(board, "mare-nostrum", level=f"5{len(fleets)}00", fleets=fleets)
        for here in board.ids:
            for there in {*board.neighbours(here), *sea_ways(joined, here)}:
                before, now = move_cost(base, here, there), move_cost(joined, here, there)
                if before is None:
                    found["new"] += 1
                else:
                    assert now is not None
                    found["same" if now == before else "cheaper" if now < before else "dearer"] += 1
    return Answer(found, found["dearer"] == 0 < found["new"])


# -- Via Romana ----------------------------------------------------------------------------------------------------


def _marches(board: Board) -> Answer:
    """His garrison under an Emperor in each province, and each other province in turn as its goal."""
    found = {"links": 0, "marches": 0, "elsewhere": 0, "onto-a-disc": 0, "onto-a-figure": 0, "like-his-own": 0}
    prices: dict[bool, set[int]] = {False: set(), True: set()}
    for here in empire(board):
        table = started(board, "via-romana").with_emperor(HE, here).with_disc(here, HE)
        for there in board.ids:
            action, link = transfer(there), board.link(here, there)
            if rules.objection(table, action) is not None:
                found["links"] += link is not None and not board[there].is_border
                continue
            if link is None or board[there].is_border:
                found["elsewhere"] += 1
                continue
            after, price = rules.play(table, action), rules.cost(table, action)
            assert isinstance(after, Position) and after.garrisons(HE) == {there}
            found["links"] += 1
            found["marches"] += 1
            found["like-his-own"] += price == move_cost(table, here, there) == table.ip - after.ip
            prices[link.broken].add(price)
            occupied = [table.with_disc(there, disc) for disc in (HE, UNREST_DISC, REVOLT_DISC)]
            found["onto-a-disc"] += sum(rules.objection(other, action) is None for other in occupied)
            found["onto-a-figure"] += rules.objection(table.with_emperor("galerius", there), action) is None
    (normal,), (broken,) = prices[False], prices[True]
    right = found["links"] == found["marches"] == found["like-his-own"] and not found["elsewhere"]
    right &= not found["onto-a-disc"] and not found["onto-a-figure"] and (normal, broken) == (1, 2)
    return Answer({**found, "normal": normal, "broken": broken}, right)


# -- Usurpator -----------------------------------------------------------------------------------------------------


def _usurpers(board: Board) -> Answer:
    """Each province in turn is the last one of its region to revolt, its border secured or not, with an army left or none."""
    found = {"secured": 0, "unsecured": 0, "no-army-left": 0, "full-already": 0, "faces": 0, "taken": 0, "stay": 0}
    for last in named(board):
        region = board[last].region
        border = next(place for place in board.borders if board[place].region == region)
        members = board.members(region)
        revolts = dict.fromkeys(members, REVOLT_DISC)
        away = tuple(other for other in board.borders if other != border)[:3]
        table = barbarians(started(board, "usurpator", discs={**revolts, last: UNREST_DISC, border: HE}))
        step = risen(table, last, passed=False)
        found["secured"] += isinstance(step, Rising)
        found["unsecured"] += isinstance(risen(table.with_disc(border, None), last, passed=False), Rising)
        found["no-army-left"] += isinstance(risen(table.replace(armies=away), last, passed=False), Rising)
        found["full-already"] += isinstance(risen(table.with_disc(last, REVOLT_DISC), last, passed=False), Rising)
        assert isinstance(step, Rising)
        found["faces"] += sum(place in members for place in set(step.places()))
        ends = zip(step.places(), step.roll().results, strict=True)
        found["stay"] += sum(isinstance(end, Position) and end.armies == (place,) for place, end in ends)
        blocked = Rising(step.position.with_emperor(HE, last), step.regions, step.resting, step.then)
        found["taken"] += sum(after == blocked for after in blocked.roll().results)
    told = {"secured": 36, "unsecured": 0, "no-army-left": 0, "full-already": 0, "faces": 216, "taken": 36, "stay": 216}
    return Answer(found, found == told)


def _ways(board: Board) -> Answer:
    """Where an army goes from each Roman province, and whether that is one link nearer to Roma where no arrow leads on."""
    import networkx

    network = networkx.Graph(link.between for link in board.links)
    network.add_nodes_from(board.ids)
    links = dict(networkx.single_source_shortest_path_length(network.subgraph(empire(board)), board.roma))
    table = barbarians(started(board, "usurpator"))
    values: dict[str, Value] = {}
    arrows, longer, right = 0, [], True
    for place in empire(board):
        if place == board.roma:
            continue
        target, distance = advance.way(table, place)
        assert target is not None
        if shortest_way(table, place) is None:
            arrows += 1
            longer += [place] * (distance > links[place])
            right &= target == board[place].arrow
        else:
            values[f"next.{place}"] = target
            right &= links[target] == links[place] - 1
    values |= {"arrows": arrows, "others": len(values), "longer": tuple(longer)}
    return Answer(values, right and arrows + int(str(values["others"])) == len(empire(board)) - 1)


# -- all six -------------------------------------------------------------------------------------------------------


def _gains(board: Board) -> Answer:
    """What each variant adds to the actions of an Emperor on his garrison, and what it takes away from them."""
    values: dict[str, Value] = {"actions": 0}
    lost = 0
    for variant in VARIANTS:
        values[f"{variant}.more"] = 0
    for here in empire(board):
        now = {who: _deeds(board, here, *names) for who, names in (("", ()), *((name, (name,)) for name in VARIANTS))}
        values["actions"] = int(str(values["actions"])) + len(now[""])
        for variant in VARIANTS:
            lost += len(now[""] - now[variant])
            values[f"{variant}.more"] = int(str(values[f"{variant}.more"])) + len(now[variant] - now[""])
    easier = [variant for variant in VARIANTS if values[f"{variant}.more"] != 0]
    return Answer({**values, "lost": lost}, easier == ["imperium", "mare-nostrum", "via-romana"] and not lost)


def _deeds(board: Board, here: str, *variants: str) -> set[tuple[str, int]]:
    table = started(board, *variants, level="5300", fleets=(1, 2, 3)).with_emperor(HE, here).with_disc(here, HE)
    return {(str(action), rules.cost(table, action)) for action in rules.legal_actions(table)}


GAIN = kind(
    "book-variants",
    "Variants as such",
    "An Emperor stands on his garrison in each Roman province, with three fleets, and his actions are compared.",
    ("links", "kinds", "zones", "regions", "printed"),
    {
        "actions": Statement(
            14,
            _gains,
            "To {actions} actions Imperium adds {imperium.more}, Mare Nostrum {mare-nostrum.more}, Via Romana {via-romana.more},"
            " the others {usurpator.more}, {roma-aeterna.more} and {barbaria.more}; {lost} are lost.",
        )
    },
    effort=0.1,
    certificate=CERTIFICATE,
)
SEA = kind(
    "book-mare-nostrum",
    "Mare Nostrum",
    "Every pair of provinces is asked for, with fleets in all sets of zones.",
    ("zones", "links", "kinds", "regions"),
    {
        "zones": Statement(
            14,
            _joined,
            "With fleets in zones 1 and 2 figures are carried between {with.12} pairs of provinces instead of {without.12}, with"
            " three fleets {with.123} instead of {without.123}, for up to {most.12} and {most.123} IP; with zones 1 and 3, which"
            " do not touch, {with.13} as before.",
        ),
        "easier": Statement(
            14, _cheaper, "{new} moves are new, {cheaper} cheaper, {same} cost the same, and {dearer} more."
        ),
    },
    effort=0.1,
    certificate=CERTIFICATE,
)
ROAD = kind(
    "book-via-romana",
    "Via Romana",
    "A garrison in every Roman province is sent to every other province.",
    ("links", "kinds", "regions"),
    {
        "": Statement(
            14,
            _marches,
            "A garrison can march over {marches} of {links} links inside the Empire, for {normal} IP or {broken} over a broken"
            " link, {like-his-own} times what its Emperor would pay; onto a disc {onto-a-disc} times, onto a figure"
            " {onto-a-figure} times.",
        )
    },
    effort=0.03,
    certificate=CERTIFICATE,
)
USURPER = kind(
    "book-usurper",
    "Usurpator",
    "Each of 36 provinces is the last of its region to revolt; an army stands in each Roman province.",
    ("links", "kinds", "arrows", "regions", "numbers", "printed"),
    {
        "rising": Statement(
            14,
            _usurpers,
            "Where the border is secured a usurper rises in {secured} of 36 cases, where it is not in {unsecured}, with no army"
            " left in {no-army-left}, where the region was full already in {full-already};"
            " in that phase he stays in {stay} of {faces}.",
        ),
        "way": Statement(
            15,
            _ways,
            "From {arrows} Roman provinces an arrow leads on, from {others} the shortest way to Roma; the arrows are a longer"
            " way from {longer}.",
        ),
    },
    effort=0.02,
    certificate=CERTIFICATE,
)
KINDS = (GAIN, SEA, ROAD, USURPER)
