"""The first game as the finder of open points sees it: its names, its rows, its tests of the text and its positions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mutation import positions, table
from mutation.games import Game, Positions, Rows
from tabletop import MAP

from tetrasolve.errors import TetrasolveError
from tetrasolve.lint.vocabulary import Vocabulary
from tetrasolve.tetrarchia import house, rules, ruleset
from tetrasolve.tetrarchia.action import Action, read_action
from tetrasolve.tetrarchia.position import Phase, Position

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
        "{table}.reserve_armies == 0",
        "{table}.reserve_unrest == 0",
        "{table}.reserve_revolts == 0",
        "{table}.reserve_garrisons({figure}) == 0",
        "{table}.fleets",
    ),
    times=tuple(f"{{table}}.phase == '{phase}'" for phase in Phase),
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
    ends=tuple(f"Fall.{fall.name}" for fall in rules.Fall),
    values=("_x.readings[_n]", "readings[_n]"),
)


def _rows(texts: Mapping[str, str]) -> Rows:
    """The rows that comments name at definitions."""
    del texts
    top = table.GAME.relative_to(table.ROOT).as_posix()
    marked: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row, places in table.rulebook().read(table.ROOT).code.items():
        for place in places:
            marked[place.path.removeprefix(f"{top}/"), place.name].add(row)
    return marked


def _text_tests() -> dict[str, frozenset[str]]:
    """The tests that are marked with rows of the rulebook."""
    found: dict[str, set[str]] = {}
    for places in table.rulebook().read(table.ROOT).tests.values():
        for place in places:
            found.setdefault(place.path, set()).add(place.name)
    return {path: frozenset(names) for path, names in sorted(found.items())}


def _shown(one: Any) -> str:
    return f"set-up {one}" if isinstance(one, positions.Start) else str(one)


def _take_numbers() -> None:
    """Let rulesets have the numbers of the rulebook as they are now: the library reads them once."""
    for name, number in house._numbers().items():
        object.__setattr__(house.HOUSE_NUMBERS[name], "default", number.default)
    house.STANDARD = ruleset.STANDARD = MappingProxyType({n.name: n.default for n in house.HOUSE_NUMBERS.values()})
    kept = vars(ruleset.Ruleset)["numbers"]
    ruleset.Ruleset.numbers = property(kept.func)  # what was kept from before is not asked


def _keep_words(ask: Callable[..., str]) -> None:
    """Let an objection have its words of before a change, where there was one: tests ask for words, and words are no rule."""
    objection = rules.objection

    def said(position: Position, action: Action) -> str | None:
        words = objection(position, action)
        if words is None or position.board is not MAP:
            return words
        return ask(position, action) or words

    rules.objection = said


def _words_of(position: str, action: str) -> str:
    """What the rules say against an action; nothing where it is legal."""
    try:
        (meant,) = [one for one in read_action(action, MAP) if str(one) == action]
        return rules.objection(Position.parse(position, MAP), meant) or ""
    except (TetrasolveError, ValueError):
        return ""


TETRARCHIA = Game(
    folder=table.GAME,
    files=("position.py", "pieces.py", "numbers.py", "rules/**/*.py"),
    words=WORDS,
    rows=_rows,
    tests=_text_tests,
    positions=Positions(
        pool=positions.pool,
        behaviour=positions.behaviour,
        size=positions.size,
        smaller=positions.smaller,
        text=_shown,
        read=lambda text: Position.parse(text, MAP),
        source=Path(positions.__file__),
    ),
    readings=ruleset.READINGS,
    ruleset=ruleset.Ruleset,
    fixed=MappingProxyType(
        {
            (
                "I-BATTLE-BROKEN",
                "not-linked",
            ): "p. 9: the seven revolts of the picture are one group over the broken link of Narbonensis and Tarraconensis"
        }
    ),
    modules=tuple(f"tetrasolve.tetrarchia.{name}" for name in ("game", "facts", "examples", "record", "parts")),
    take_numbers=_take_numbers,
    keep_words=_keep_words,
    words_of=_words_of,
)
