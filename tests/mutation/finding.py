"""Open points: other readings of the sentences of the rulebook, made by operators, that no other sentence speaks against."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from hashlib import sha256

from mutation import table
from mutation.judging import Case

from tetrasolve.lint.changes import definitions
from tetrasolve.lint.operators import changes
from tetrasolve.lint.vocabulary import Vocabulary

PLACES = ("position.py", "pieces.py", "numbers.py", "rules/**/*.py")  # in the folder of the game

# What definitions call a province
PLACE_NAMES = ("place", "here", "target", "army", "origin", "province", "border", "there", "where")

# What the rulebook calls "figure", "garrison", "empty", "province", "army", in the names of the code
WORDS = Vocabulary(
    groups=(
        ("emperors", "generals", "romans"),
        ("garrisons", "own_discs"),
        ("armies", "rebels"),
        ("members", "neighbours"),
        ("secured", "borders"),
        ("revolts", "unrest"),
        ("reserve_revolts", "reserve_unrest"),
        ("link_cost", "sea_cost", "move_cost", "attack_cost"),
        ("combinations", "combinations_with_replacement"),
        ("UNREST_DISC", "REVOLT_DISC"),
        ("VICTORY", "DRAW", "DEFEAT"),
        ("ENTER", "MOVE", "SAIL", "SECURE", "REMOVE", "REDUCE", "ATTACK", "DEPLOY", "TRANSFER", "END"),
        ("ATTACKS", "DEFENDS", "AT_SEA"),
        ("DUX", "VICARIUS"),
        ("DIOCLETIAN", "GALERIUS", "CONSTANTIUS", "MAXIMIAN"),
        ("gray", "black"),
        ("EchoProvince", "EchoRegion"),
        ("roma", "capital"),
    ),
    kinds=(
        (
            *PLACE_NAMES,
            "{table}.here",
            "{board}.roma",
        ),
        ("self.target", "self.armies[0]", "{board}.roma"),
        ("leader", "figure", "general", "emperor", "active", "{table}.to_move"),
        (
            "position",
            "paid",
            "after",
            "spread",
            "taken",
            "deployed",
            "moved",
            "marched",
            "beaten",
            "entered",
            "placed",
            "spent",
        ),
    ),
    rewrites=(
        (
            "_x.has_garrison(_p)",
            "_x.is_protected(_p)",
            "_x.discs.get(_p) == _x.to_move",
            "_x.discs.get(_p, _x.to_move) != _x.to_move",
            "_p in _x.discs",
        ),
        ("_x.is_protected(_p)", "_x.has_garrison(_p)", "_x.discs.get(_p) == _x.to_move", "not _x.is_empty(_p)"),
        (
            "_p in _x.discs",
            "_x.has_revolt(_p)",
            "_x.has_unrest(_p)",
            "_x.has_garrison(_p)",
            "_x.is_protected(_p)",
            "_x.has_revolt(_p) or _x.has_unrest(_p)",
            "_x.discs.get(_p, _x.to_move) != _x.to_move",
            "not _x.is_empty(_p)",
            "_p in _x.discs or bool(_x.board[_p].printed)",
        ),
        (
            "_p not in _x.discs",
            "not _x.has_revolt(_p)",
            "not _x.has_garrison(_p)",
            "_x.is_empty(_p)",
            "not _x.is_protected(_p)",
        ),
        (
            "_x.has_revolt(_p)",
            "_x.has_unrest(_p)",
            "_x.has_revolt(_p) or _x.has_unrest(_p)",
            "_p in _x.discs",
            "_x.has_revolt(_p) or _p in _x.armies",
        ),
        ("_x.has_unrest(_p)", "_x.has_revolt(_p)", "_x.has_revolt(_p) or _x.has_unrest(_p)", "_p in _x.discs"),
        (
            "_x.is_empty(_p)",
            "_p not in _x.discs",
            "_p not in _x.armies and _p not in _x.romans.values()",
            "_p not in _x.armies",
            "_p not in _x.discs and _p not in _x.armies",
            "_x.is_empty(_p) and not _x.board[_p].printed",
        ),
        ("_p in _x.armies", "not _x.is_empty(_p)", "_p in _x.armies or _p in _x.romans.values()", "_p == _x.goths"),
        ("_p in _x.romans.values()", "not _x.is_empty(_p)", "_p == _x.here"),
        ("_p not in _x.generals.values()", "_p != _x.here", "_p not in _x.romans.values()"),
        ("_x.discs.get(_p) != _e", "not _x.has_garrison(_p)", "not _x.is_protected(_p)", "_p not in _x.own_discs(_e)"),
        ("_x.discs.get(_p) == _e", "_x.has_garrison(_p)", "_x.is_protected(_p)", "_p in _x.own_discs(_e)"),
        (
            "_b.neighbours(_p)",
            "dict.fromkeys(_b.members(_b[_p].region), next(iter(_b.neighbours(_p).values())))",
            "{n: link for n, link in _b.neighbours(_p).items() if not link.broken}",
            "{n: link for n, link in _b.neighbours(_p).items() if not _b[n].is_border}",
            "{n: link for n, link in _b.neighbours(_p).items() if _b[n].region == _b[_p].region}",
        ),
        (
            "_b.members(_b[_p].region)",
            "_b.neighbours(_p)",
            "(*_b.members(_b[_p].region), *_b.neighbours(_p))",
        ),
        (
            "_b.members(_r)",
            "(*_b.members(_r), _b.borders[_r - 1])",
            "_b.neighbours(_b.borders[_r - 1])",
            "_b.ids",
            "{q for p in _b.neighbours(_b.borders[_r - 1]) for q in _b.members(_b[p].region)} | {*_b.members(_r)}",
        ),
        (
            "linked(_x, _p)",
            "frozenset(_x.board.members(_x.board[_p].region))",
            "(linked(_x, _p) | {_p})",
            "frozenset(n for n, link in _x.board.neighbours(_p).items() if not link.broken)",
            "frozenset(_x.board.ids)",
            "frozenset()",
        ),
        (
            "_x.own_discs(_e)",
            "_x.garrisons(_e)",
            "frozenset().union(*map(_x.own_discs, _x.emperors))",
            "_x.own_discs(_x.to_move)",
            "(_x.own_discs(_e) - {_x.place_of(_e)})",
            "frozenset(p for p in _x.own_discs(_e) if not _x.board[p].is_border)",
        ),
        ("_x.garrisons(_e)", "_x.own_discs(_e)", "frozenset().union(*map(_x.garrisons, _x.emperors))"),
        (
            "_b.printed(_e)",
            "[p for e in _b.emperors for p in _b.printed(e.id)]",
            "[p for p in _b.printed(_e) if p != _b.roma]",
        ),
        (
            "_x.armies",
            "tuple(a for a in _x.armies if a not in _x.rebels)",
            "tuple(a for a in _x.armies if a != _x.goths)",
            "tuple(a for a in _x.armies if not _x.board[a].is_border)",
            "tuple(a for a in _x.armies if _x.board[a].is_border)",
        ),
        ("_x.revolts", "(_x.revolts | _x.unrest)", "frozenset(p for p in _x.revolts if not _x.board[p].is_border)"),
        ("_x.fleets", "_x.fleets[:1]", "_x.fleets[-1:]", "range(1, len(_x.board.zones) + 1)", "()"),
        ("_x.secured", "tuple(b for b in _x.secured if _x.discs.get(b) == _x.to_move)", "_x.board.borders"),
        (
            "_x.with_disc(_p, None)",
            "_x.with_disc(_p, 'unrest' if _x.has_revolt(_p) else None)",
            "(_x.with_disc(_p, None) if _x.discs.get(_p) in ('revolt', 'unrest') else _x)",
            "(_x.with_disc(_p, None) if _x.discs.get(_p) not in ('revolt', 'unrest') else _x)",
            "_x.with_disc(_p, 'unrest')",
            "_x.with_disc(_p, 'revolt')",
        ),
        ("_x.with_disc(_p, _d)", "(_x if _p in _x.discs else _x.with_disc(_p, _d))", "_x.with_disc(_p, None)"),
        ("_x.with_figure(_f, None)", "_x.with_figure(_f, _x.board.roma)"),
        ("_x.with_figure(_f, _p)", "_x.with_figure(_f, None)", "_x.with_figure(_x.to_move, _p)"),
        (
            "_x.with_army(_a, None)",
            "_x.with_army(_a, _x.board[_a].arrow)",
            "_x.with_army(_a, None).with_disc(_a, None)",
        ),
        ("(_b.roma, _e.capital)", "(_b.roma, *(e.capital for e in _b.emperors))"),
        (
            "_largest(_g)",
            "len(frozenset().union(*_g))",
            "sum(map(len, _g))",
            "min(map(len, _g), default=0)",
        ),
        ("remove_army(_x, _a)", "_x.with_army(_a, None)", "_x.with_disc(_a, None)"),
        ("_x.with_piece(_k, _v)", "_x.without_piece(_k)"),
        ("_x.board[_p].arrow", "min(_x.board.neighbours(_p), key=_x.board.order.__getitem__, default=None)"),
        (
            "_x.emperors",
            "{e: p for e, p in _x.emperors.items() if p is not None}",
            "{_x.to_move: _x.emperors[_x.to_move]}",
        ),
        ("_x.generals", "{e: p for e, p in _x.generals.items() if e == _x.to_move}"),
        ("_x.discs.get(_p)", "_x.discs.get(_x.board.roma)"),
        ("_x.replace(ip=_i)", "_x.replace(ip=0)", "_x.replace(ip=max(_i - 1, 0))", "_x.replace(ip=_x.ip)"),
        ("_x.reserve_garrisons(_e)", "max(map(_x.reserve_garrisons, _x.emperors))", "_x.ruleset.garrisons"),
    ),
    senses=(
        "{board}[{place}].is_border",
        "{board}[{place}].number == 1",
        "{board}[{place}].printed",
        "{place} == {board}.roma",
        "{board}[{place}].region == 0",
        "{board}[{place}].zones",
        "{table}.has_revolt({place})",
        "{table}.has_unrest({place})",
        "{table}.has_garrison({place})",
        "{table}.discs.get({place}) == {table}.to_move",
        "{place} in {table}.discs",
        "{table}.is_protected({place})",
        "{place} in {table}.armies",
        "{place} in {table}.romans.values()",
        "{place} in {table}.generals.values()",
        "{place} in {table}.emperors.values()",
        "{place} == {table}.here",
        "{place} in {table}.rebels",
        "{place} == {table}.goths",
        "{table}.here in {board}.neighbours({place})",
        "set({board}.neighbours({place})) & set({table}.armies)",
        "set({board}[{place}].zones) & set({table}.fleets)",
        "any(map({table}.has_revolt, {board}.members({board}[{place}].region)))",
        "any(link.broken for link in {board}.neighbours({place}).values())",
        "{figure} == {table}.to_move",
        "{figure} in {table}.emperors",
        "{table}.place_of({figure}) is not None",
        "{table}.to_move == {board}.emperors[0].id",
        "{table}.here is None",
        "{table}.ip == {table}.ruleset.numbers['ip']",
        "{table}.armies",
    ),
    counts=(
        "_x.numbers[_n]",
        "numbers[_n]",
        "len(_x)",
        "sum(_x)",
        "_x.ip",
        "_x.reserve_armies",
        "_x.reserve_unrest",
        "_x.reserve_revolts",
        "_largest(_x)",
        "revolt_group(_x, _a)",
        "_garrison_group(_x, _l, _p)",
        "_revolt_toll(_x, _p)",
        "link_cost(_x, _a, _p)",
        "position.glory.get(_l, 0)",
        "crossed",
    ),
    effects=frozenset(
        """with_disc with_discs with_figure with_emperor with_army with_piece without_piece with_barbarian_discs replace
        fought remove_army without_garrisons end_of_defeat _turn_over _beaten put_unrest put_revolts _without_struck paid _spent
        struck entered union difference intersection enter move""".split()
    ),
    additions=(
        ".with_disc({place}, None)",
        ".with_disc({place}, {table}.to_move)",
        ".with_disc({place}, 'unrest')",
        ".with_disc({place}, 'revolt')",
        ".with_figure({figure}, None)",
        ".with_figure({figure}, {place})",
        ".with_army({place}, None)",
        ".replace(ip=0)",
        ".replace(ip=6)",
        ".replace(phase=type({table}.phase)('roman'), ip=6)",
        ".replace(phase=type({table}.phase)('barbarian'), ip=0)",
        ".replace(phase=type({table}.phase)('roman'), ip={table}.ip)",
    ),
    tables=("position", "self.position", "spread", "paid", "after", "moved", "self"),
    boards=("board",),
    places=(
        *(
            *PLACE_NAMES,
            "name",
            "neighbour",
            "p",
            "near",
        ),
        *("self.target", "action.place"),
    ),
    figures=("leader", "figure", "general", "emperor", "who", "action.figure", "active", "self.general"),
    always=(".here", ".to_move", ".roma"),  # what every position and board has
)


def cases() -> Iterator[Case]:
    """Every change that an operator makes in the definitions of the rules, with the rows that state these.

    A definition that no row names belongs to those of the definitions that use it, of its file or of another.
    """
    marked: dict[tuple[str, str], set[str]] = defaultdict(set)
    coverage = table.rulebook().read(table.ROOT)
    for row, places in coverage.code.items():
        for place in places:
            marked[place.path, place.name].add(row)
    texts = {
        path.relative_to(table.ROOT).as_posix(): path.read_text("utf-8")
        for pattern in PLACES
        for path in sorted(table.GAME.glob(pattern))
    }
    rows = _all_rows(texts, marked)
    top = table.GAME.relative_to(table.ROOT).as_posix()
    for path, text in texts.items():
        for definition, node in definitions(text).items():
            own = rows.get((path, definition))
            if isinstance(node, ast.ClassDef) or not own:
                continue
            for operator, change in changes(path.removeprefix(f"{top}/"), text, definition, WORDS):
                name_of = sha256(f"{change}".encode()).hexdigest()[:8]
                yield Case(f"{operator}-{name_of}", operator, tuple(sorted(own)), (change,))


def _all_rows(texts: Mapping[str, str], marked: dict[tuple[str, str], set[str]]) -> Mapping[tuple[str, str], set[str]]:
    """The rows of each definition: those at it, or at its class, else those of what uses it."""
    found: dict[tuple[str, str], set[str]] = {}
    users: dict[str, set[tuple[str, str]]] = defaultdict(set)  # by the name that they use
    for path, text in texts.items():
        for name, node in definitions(text).items():
            found[path, name] = _rows(path, name, marked)
            for used in _uses(node) if not isinstance(node, ast.ClassDef) else ():
                users[used].add((path, name))
    left = [place for place, rows in found.items() if not rows]
    while left:
        new = {
            place: set().union(*(found[user] for user in users[place[1].rpartition(".")[2]] if user != place))
            for place in left
        }
        found |= new
        before, left = left, [place for place, rows in new.items() if not rows]
        if len(left) == len(before):
            break
    return found


def _rows(path: str, name: str, marked: dict[tuple[str, str], set[str]]) -> set[str]:
    """The rows at a definition, else those at its class."""
    return marked[path, name] or marked[path, name.rpartition(".")[0]]


def _uses(node: ast.AST) -> set[str]:
    """The names and attributes in a definition."""
    found = {getattr(inner, "id", getattr(inner, "attr", None)) for inner in ast.walk(node)}
    return {name for name in found if name}
