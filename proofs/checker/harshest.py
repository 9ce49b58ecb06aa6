"""How soon the game can be won from the harshest of all set-ups: bounds from below and from above.

From below, for one set-up that is stated, by free tours; see `freetours`. From above by games for every set-up, with kind dice:
activity names a protected province, broken links do not hold, and a battle that can be won is won.

One game serves for many set-ups. Say that table T is *within* table S if Emperors, garrisons and fleets are the same, each
army and each revolt of T is in S too, and each unrest of T is an unrest or a revolt in S. Let a game go on from S in which the
dice are kind, nobody is driven out, no army is beaten but on a border, and none is kept waiting by another or comes to a
garrison. Then the same Emperors can do the same from T. What is not there need not be removed, a move instead of an attack
costs the same, and no way costs more, for only revolts make ways dearer. The army's group of revolts is no larger, nor are
there more armies beside the Emperor; so what can be won in S can be won in T. Unrest turns where it does in S at most; what is
protected in S is so in T. So T stays within S.

And a game can be made of two halves, two Emperors in three regions each. A half supposes the worst of the regions of the
others: a revolt in every province where one can ever lie, an army wherever one can come, now and for ever. Whatever the others
do, the true table is within that. They do not meet: each half goes nowhere but to its own regions and to Italia, and nobody
stops in Italia. Both halves play at the same time, and all is won when the slower one has secured its borders. In every phase
dice must be able to name a protected province: one of the halves, the *guarded* one, has to see to that alone.

So one repertoire serves all levels with the same number of additional revolts: its games begin with armies on all borders and with
a single fleet. Where there are fewer armies the true table is within that of the game. Where there are more fleets the others
are not used; a fleet stands in nobody's way, and makes nothing dearer.

So there are some divisions into halves, with games for each half. It is enough that for every set-up some division has games
of both halves that begin with its revolts or more, one of them guarded.
"""

from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from board import Board
from claim import MOST_REVOLTS, province
from claimed import Fact
from distances import ways
from freetours import least_turns
from rules import IP_A_TURN, READINGS, State, Table, Turn
from text import Lines, Unreadable

Places = frozenset[str]
Plans = tuple[str, ...]
Game = tuple[Places, Plans]  # where revolts may lie at the start, and the plan of each turn of the half
NO_GAME, QUIET, GUARDED = range(3)
USUAL = {name: usual for name, (usual, _) in READINGS.items()}
GARRISONS = 3  # with the fewest that a level gives; what is done with them can be done with more
FACES = range(1, 7)


class Half(NamedTuple):
    """Two Emperors by their index, their regions, zones with a fleet; is there a further revolt, is there an army."""

    board: Board
    emperors: tuple[int, ...]
    regions: frozenset[int]
    fleets: frozenset[int]
    more: bool
    armed: bool

    def own(self) -> Places:
        """Their provinces, borders too."""
        return of_regions(self.board, self.regions)

    def borders(self) -> Places:
        """The borders that they secure."""
        return self.own() & self.board.borders

    def trail(self, places: Places) -> Places:
        """Where armies from these borders can come without a roll."""
        found = set(places) if self.armed else set()
        edge = list(found)
        while edge:
            target = step_of(self.board, edge.pop())
            if target is not None and target not in found:
                found.add(target)
                edge.append(target)
        return frozenset(found)


class Rest(NamedTuple):
    """What a half supposes of the regions of the others."""

    revolts: Places
    armies: Places


@cache
def of_regions(board: Board, regions: frozenset[int]) -> Places:
    """All provinces of regions, and their borders."""
    return frozenset(place for place in board.provinces if board.region[place] in regions)


@cache
def rest_of(half: Half) -> Rest:
    """What a half supposes of the regions of the others: an army leaves a revolt even on the number 1 of a region."""
    board = half.board
    first = 1 if half.more or half.armed else 2
    revolts = frozenset(place for place, number in board.number.items() if number >= first) - half.own()
    return Rest(revolts, half.trail(frozenset(board.borders) - half.own()))


@cache
def costs(board: Board, place: str, fleets: frozenset[int]) -> dict[str, int]:
    """What moves cost, without the toll for a revolt."""
    return ways(board, place, fleets)


def step_of(board: Board, place: str) -> str | None:
    """Where an army goes from there without a roll."""
    target = board.arrow.get(place)
    return None if target is None or board.links[place].get(target, True) else target


# -- what is to be proved --------------------------------------------------------------------------------------------


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact."""
    if fact.kind != "victory-harshest" or fact.instance not in ("0", "1", "2"):
        raise lines.refuted(f"there is no fact {fact.id}")
    extras = int(fact.instance)
    least = least_turns(board, len(board.all_zones), read_set_up(lines, board, extras), None)
    halves = read_halves(lines, board, 1, extras, armed=True)
    games = read_games(lines, board, len(halves))
    if not halves:
        return {"least": str(least or "unknown"), "most": "unknown"}
    trails = sum(len(half.trail(half.borders()) - board.borders) for half in halves[:2])
    if len(board.borders) + extras + trails > MOST_REVOLTS:
        raise lines.refuted("there may not be revolts enough")
    most = max(last_turn(half, len(plans)) for half, its in zip(halves, games, strict=True) for _, plans in its)
    standings = []
    for number, (half, its) in enumerate(zip(halves, games, strict=True), start=1):
        strengths = [strength(half, game, most) for game in its]
        if NO_GAME in strengths:
            raise lines.refuted(f"game {strengths.index(NO_GAME) + 1} of half {number} goes wrong")
        standings.append(standing(half, extras, [revolts for revolts, _ in its], strengths))
    left = unanswered(halves, standings, extras)
    if left:
        places = ".".join(board.code[place] for place in sorted(min(left, key=sorted), key=board.row.__getitem__))
        raise lines.refuted(f"{len(left)} set-ups are left, one of them with revolts in {places}")
    return {"turns": str(most)} if least == most else {"least": str(least or "unknown"), "most": str(most)}


def read_set_up(lines: Lines, board: Board, extras: int) -> Places:
    """The revolts of the harsh set-up, those that no army can take away."""
    rows = list(lines.section("set-up"))
    if len(rows) != 1:
        raise lines.unreadable("expected one set-up")
    places = read_places(lines, board, rows[0])
    later = [place for place in places if board.number[place] != 1]
    if (
        len(places) != len(board.borders) + extras
        or not all(board.number[place] for place in places)
        or {board.region[place] for place in later} != {board.region[border] for border in board.borders}
    ):
        raise lines.refuted("no set-up of the level has these revolts")
    return places - set(board.arrow.values())


def read_places(lines: Lines, board: Board, word: str) -> Places:
    """Provinces by their codes, in the order of the board."""
    try:
        found = [province(code, board) for code in word.split(".")]
    except Unreadable as error:
        raise lines.unreadable(str(error)) from None
    rows = [board.row[place] for place in found]
    if rows != sorted(set(rows)):
        raise lines.unreadable("expected provinces in the order of the board, each once")
    return frozenset(found)


def read_halves(lines: Lines, board: Board, fleets: int, extras: int, *, armed: bool) -> list[Half]:
    """The halves, two after two: zones, Emperors, regions."""
    halves = []
    for line in lines.section("halves"):
        words = line.split(" ")
        if len(words) != 3 or not words[0].isdigit() or not words[2].isdigit():
            raise lines.unreadable("expected zones, Emperors and regions")
        zones = tuple(map(int, words[0]))
        emperors = tuple(board.emperors.index(name) for name in words[1].split("."))
        regions = tuple(map(int, words[2]))
        for row in (zones, emperors, regions):
            if list(row) != sorted(set(row)):
                raise lines.unreadable("expected zones, Emperors and regions in their order, each once")
        if len(zones) > fleets or not set(zones) <= set(board.all_zones):
            raise lines.refuted("the level has no such fleets")
        halves.append(Half(board, emperors, frozenset(regions), frozenset(zones), extras > 0, armed))
        if len(halves) % 2 == 0:
            one, other = halves[-2:]
            if (
                one.fleets != other.fleets
                or sorted(one.emperors + other.emperors) != list(range(len(board.emperors)))
                or one.regions | other.regions != set(FACES)
                or one.regions & other.regions
            ):
                raise lines.refuted("these are not two halves of all Emperors and regions, with the same fleets")
    if len(halves) % 2:
        raise lines.unreadable("expected halves two after two")
    return halves


def read_games(lines: Lines, board: Board, halves: int) -> list[list[Game]]:
    """The games of each half: its number, the codes of provinces, the plans."""
    games: list[list[Game]] = [[] for _ in range(halves)]
    last = 1
    for line in lines.section("games"):
        head, *plans = line.split(" | ")
        number, _, places = head.partition(" ")
        half = lines.whole(number)
        if not last <= half <= halves or not plans:
            raise lines.unreadable("expected the number of a half, in ascending order, provinces, and plans")
        last = half
        games[half - 1].append((read_places(lines, board, places), tuple(plans)))
    if not all(games):
        raise lines.unreadable("expected games for each half")
    return games


# -- the games -------------------------------------------------------------------------------------------------------


def last_turn(half: Half, plans: int) -> int:
    """The turn in which the last of so many plans is carried out."""
    turns = [turn for turn in range(1, 4 * plans + 1) if (turn - 1) % 4 in half.emperors]
    return turns[plans - 1]


@cache
def strength(half: Half, game: Game, turns: int) -> int:
    """Whether the plans secure the borders of the half and all is well for so many turns; and whether the half is guarded."""
    board, (revolts, plans) = half.board, game
    rest, own, borders = rest_of(half), half.own(), half.borders()
    if not revolts <= own - board.borders:
        return NO_GAME
    nothing = (frozenset[str](),) * len(board.emperors)
    armies = rest.armies | (borders if half.armed else frozenset())
    table = Table(half.fleets, armies, revolts | rest.revolts, frozenset(), nothing)
    places: list[str | None] = [None] * len(board.emperors)
    waiting, guarded = list(plans), True
    for turn in range(turns):
        active = turn % len(places)
        if active in half.emperors and waiting:
            state = play(half, places, active, table, waiting.pop(0))
            if state is None:
                return NO_GAME
            table, places[active] = state.table, state.place
        if turn + 1 < turns:
            guarded = guarded and is_guarded(half, table)
            after = phase(half, table, places)
            if after is None:
                return NO_GAME
            table = after
    if waiting or not borders <= table.secured() or any(places[emperor] is None for emperor in half.emperors):
        return NO_GAME
    return GUARDED if guarded else QUIET


def play(half: Half, places: list[str | None], active: int, table: Table, plan: str) -> State | None:
    """Where a turn ends; None where the plan breaks a rule, or leaves the regions of the half and Italia."""
    turn = turn_of(half.board, tuple(places), active)
    state = State(IP_A_TURN, places[active], table)
    steps = [] if plan == "-" else plan.split("; ")
    if state.place is None:
        word, _, place = steps.pop(0).partition(" ") if steps else ("", "", "")
        if word != "enter" or place not in set(turn.entries(state)):
            return None
        if place != half.board.roma and place not in half.own():
            return None
        state = state._replace(place=place)
    for step in steps:
        after = one_step(half, turn, state, step)
        if after is None:
            return None
        state = after
    return state if state.place in half.own() and state.place not in turn.others else None


@cache
def turn_of(board: Board, places: tuple[str | None, ...], active: int) -> Turn:
    """The rules of a turn."""
    return Turn(board, USUAL, GARRISONS, active, list(places))


def one_step(half: Half, turn: Turn, state: State, step: str) -> State | None:
    """What a step leads to: a move to a province of the half or of Italia, an attack, a deed where he stands."""
    ip, place, table = state
    assert place is not None
    word, _, target = step.partition(" ")
    shared = place in turn.others
    if word == "move":
        cost = costs(half.board, place, half.fleets).get(target)
        if cost is None or target in table.armies or not (target in half.own() or half.board.region[target] == 0):
            return None
        ip -= cost + (target in table.revolts)
        return State(ip, target, table) if ip >= 0 else None
    if shared or (place not in half.own() and word != "attack"):
        return None
    if word == "attack":
        army, _, outcome = target.partition(": ")
        price = turn.link_cost(table, place, army) if army in table.armies & half.borders() else None
        if price is None or price > ip or outcome != "victory" or not can_win(half.board, table, place, army):
            return None
        after = table.without_disc(army)._replace(armies=table.armies - {army})
        return State(ip - price, army, after)
    for action in [*turn.secure(ip, place, table), *turn.subdue(ip, place, table)]:
        if action.name == step:
            return action.ways[0].state
    return None


def can_win(board: Board, table: Table, place: str, army: str) -> bool:
    """Whether an Emperor there can beat an army, with a 6 against a 1, if nobody and nothing of his helps him."""
    _, _, r, a = turn_of(board, (None,) * len(board.emperors), 0).strengths(place, table, army)
    return max(FACES) > (min(FACES) + r) << a


def is_guarded(half: Half, table: Table) -> bool:
    """Whether dice can name a province of the half that is protected."""
    board = half.board
    capitals = set(board.capital.values()) - table.discs()
    return any(board.number[place] for place in half.own() & (table.secured() | capitals))


def phase(half: Half, table: Table, places: list[str | None]) -> Table | None:
    """The table after a phase with kind dice; None where it is one that a half must not come to."""
    board = half.board
    while True:  # revolts spread over normal links
        burnt = {
            unrest
            for unrest in table.unrest
            if any(not broken and near in table.revolts for near, broken in board.links[unrest].items())
        }
        if not burnt:
            break
        table = table._replace(revolts=table.revolts | burnt, unrest=table.unrest - burnt)
    if any(place in table.revolts for place in places):
        return None
    for army in sorted(table.armies & half.own(), key=board.row.__getitem__):
        target = step_of(board, army)
        if target is None:
            continue
        if target in table.armies | table.secured() or target not in half.own() or not board.number[target]:
            return None
        if target in places:
            if army not in board.borders or not can_win(board, table, target, army):
                return None
            table = table._replace(armies=table.armies - {army})
        else:
            armies = table.armies - {army} | {target}
            table = table._replace(armies=armies, revolts=table.revolts | {target}, unrest=table.unrest - {target})
    return table


# -- all set-ups -----------------------------------------------------------------------------------------------------

Standing = list[dict[Places, int]]  # by the number of further revolts: for each choice how strong its best game is


def standing(half: Half, extras: int, begins: list[Places], strengths: list[int]) -> Standing:
    """For all that a set-up can have in these regions the strength of the best game that begins with no less."""
    board = half.board
    holds = {
        place: sum(1 << number for number, revolts in enumerate(begins) if place in revolts) for place in half.own()
    }
    strong = sum(1 << number for number, its in enumerate(strengths) if its == GUARDED)
    found: Standing = [{} for _ in range(extras + 1)]
    for sizes in product(range(1, extras + 2), repeat=len(half.regions)):
        more = sum(sizes) - len(sizes)
        if more <= extras:
            for rows in product(*map(choices, [board] * len(sizes), sorted(half.regions), sizes)):
                choice = frozenset().union(*rows)
                games = (1 << len(begins)) - 1
                for place in choice:
                    games &= holds[place]
                found[more][choice] = GUARDED if games & strong else QUIET if games else NO_GAME
    return found


@cache
def choices(board: Board, region: int, size: int) -> list[Places]:
    """Where so many revolts of a set-up can lie in a region: at least one not on its number 1."""
    places = [place for place, number in board.number.items() if number and board.region[place] == region]
    return [
        frozenset(chosen) for chosen in combinations(places, size) if any(board.number[place] != 1 for place in chosen)
    ]


def unanswered(halves: list[Half], standings: list[Standing], extras: int) -> set[Places]:
    """The set-ups for which no division has games of both halves, one of them guarded."""
    first, second = standings[:2]
    left = set()
    for more in range(extras + 1):
        weakest = min(second[extras - more].values())
        for one, its in first[more].items():
            if not answers(its, weakest):
                left |= {one | other for other, others in second[extras - more].items() if not answers(its, others)}
    for number in range(2, len(halves), 2):
        a, b = ({choice: its for row in standings[at] for choice, its in row.items()} for at in (number, number + 1))
        own, far = halves[number].own(), halves[number + 1].own()
        left = {set_up for set_up in left if not answers(a[set_up & own], b[set_up & far])}
    return left


def answers(one: int, other: int) -> bool:
    """Whether games of these strengths, one of each half, are enough."""
    return NO_GAME not in (one, other) and GUARDED in (one, other)
