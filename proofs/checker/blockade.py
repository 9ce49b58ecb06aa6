"""Shortest ways with revolts put where they hinder most: the dearest that k revolts can make the cheapest way.

That they can make it so dear is shown by a placement, with a potential: at each province it is what the best step costs and
what is left after that step, so no way costs less than the potential at its start.

That they cannot make it dearer is shown by ways. One stands there for no revolts: what it costs is the first bound. If none
of the k revolts lies on it, it is as cheap; else one of them lies on one of its provinces, and for each of these a way is
listed that answers this one revolt, and so on until no revolt is left. Where even a revolt more for each that is left would
not make a way too dear, nothing more need be listed.
"""

from board import Board
from claimed import Fact
from distances import Fleets, Potential, read_numbers, settings, voyages, ways, word_of
from text import Lines

MOST = 3  # revolts

Revolts = frozenset[str]
Road = tuple[str, str]  # the setting and the border


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact."""
    start = fact.fields["from"]
    if fact.id != f"route-blocked/{start}" or start not in {board.roma, *board.capital.values()}:
        raise lines.refuted(f"ways from {start} are not what {fact.id} speaks of")
    least = read_placements(lines, board, start)
    answers = read_ways(lines, board, start)
    values = {}
    for setting in settings(board):
        for border in board.borders:
            for revolts in range(1, MOST + 1):
                bound = least.get((setting, border, revolts))
                if bound is None:
                    if not cut_off(board, start, border, settings(board)[setting][0]):
                        raise lines.refuted(f"no placement of {revolts} revolts is listed for {setting} {border}")
                    values[f"{revolts}.{setting}.{border}"] = "never"
                    continue
                look_up(lines, board, answers, bound, (setting, border, frozenset()), revolts)
                values[f"{revolts}.{setting}.{border}"] = str(bound)
    for answer in answers.values():
        if not answer.used:
            lines.number = answer.line
            raise lines.refuted("nothing depends on this way")
    return values


def cut_off(board: Board, start: str, border: str, fleets: Fleets) -> bool:
    """Whether no way leads there, wherever as many fleets lie."""
    seen, edge = {(start, fleets)}, [(start, fleets)]
    while edge:
        place, there = edge.pop()
        new = {(other, there) for other in ways(board, place, there)} | {
            (place, other) for other in voyages(board, there)
        }
        edge += new - seen
        seen |= new
    return all(place != border for place, _ in seen)


def read_revolts(lines: Lines, board: Board, text: str) -> Revolts:
    """Roman provinces by their codes, in the order of the board."""
    codes = [] if text == "-" else text.split(".")
    places = [board.by_code.get(code, "") for code in codes]
    if "" in places or set(places) & board.borders or places != sorted(set(places), key=lambda place: board.row[place]):
        raise lines.unreadable("expected Roman provinces by their codes, in the order of the board")
    return frozenset(places)


def read_road(lines: Lines, board: Board, words: list[str], least: int) -> tuple[Road, list[str]]:
    """The setting and the border at the front of a line with at least so many words."""
    if len(words) < least or words[0] not in settings(board) or words[1] not in board.borders:
        raise lines.unreadable("expected a setting of fleets and a border")
    return (words[0], words[1]), words[2:]


# -- as dear as this -------------------------------------------------------------------------------------------


def read_placements(lines: Lines, board: Board, start: str) -> dict[tuple[str, str, int], int]:
    """Placements with their potentials, one for each set of fleets that comes into question; what each proves."""
    potentials: dict[tuple[str, str, int, Revolts], dict[Fleets, Potential]] = {}
    by_word = {word_of(fleets): fleets for fleets, _ in settings(board).values()}
    line_of = {}
    before: tuple[object, ...] = ()
    for line in lines.section("placements"):
        words = line.split(" ")
        (setting, border), rest = read_road(lines, board, words, 6)
        if rest[2] not in by_word or len(rest) != 3 + len(board.provinces):
            raise lines.unreadable(
                "expected a number of revolts, provinces, a set of fleets, a number for each province"
            )
        revolts = read_revolts(lines, board, rest[1])
        key = (setting, border, lines.whole(rest[0]), revolts)
        if not len(revolts) <= key[2] <= MOST:
            raise lines.refuted(f"expected 1 to {MOST} revolts, and no more provinces")
        order = ([*settings(board)].index(setting), board.region[border], key[2], rest[2])
        if order <= before:
            raise lines.unreadable("expected potentials by setting, border, number of revolts and fleets, each once")
        before = order
        potentials.setdefault(key, {})[by_word[rest[2]]] = read_numbers(lines, rest[3:])
        line_of[key] = lines.number
    last = lines.number
    least = {}
    for key, by_fleets in potentials.items():
        lines.number = line_of[key]
        setting, border, number, revolts = key
        fleets, sails = settings(board)[setting]
        if (setting, border, number) in least or fleets not in by_fleets:
            raise lines.unreadable("expected one placement, and a potential where the fleets lie")
        look_at(lines, board, border, revolts, by_fleets, sails=sails)
        ip = by_fleets[fleets][board.row[start]]
        if ip is None:
            raise lines.refuted("the start has no potential")
        least[setting, border, number] = ip
    lines.number = last
    return least


def look_at(
    lines: Lines, board: Board, border: str, revolts: Revolts, by_fleets: dict[Fleets, Potential], *, sails: bool
) -> None:
    """Make sure that a potential fits at each province."""
    for fleets, potential in by_fleets.items():
        for place, own in zip(board.provinces, potential, strict=True):
            left = [
                (potential[board.row[other]], cost + (other in revolts))
                for other, cost in ways(board, place, fleets).items()
            ]
            for there in voyages(board, fleets) if sails else ():
                if there not in by_fleets:
                    raise lines.unreadable(f"expected a potential for the fleets {word_of(there)} too")
                left.append((by_fleets[there][board.row[place]], 1))
            best = min((ip + cost for ip, cost in left if ip is not None), default=None)
            if own != (0 if place == border else best):
                raise lines.refuted(f"the potential at {place} does not fit those to which a step leads")


# -- and no dearer ---------------------------------------------------------------------------------------------


class Answer:
    """A way to a border under some revolts: what it costs, the provinces of it on which more revolts may lie."""

    def __init__(self, line: int, paid: int, entered: Revolts) -> None:
        self.line, self.paid, self.entered = line, paid, entered
        self.used = False


Answers = dict[tuple[str, str, Revolts], Answer]


def read_ways(lines: Lines, board: Board, start: str) -> Answers:
    """Ways, each with the revolts that it answers."""
    answers: Answers = {}
    before: tuple[int, ...] = ()
    for line in lines.section("ways"):
        (setting, border), rest = read_road(lines, board, line.split(" "), 3)
        revolts = read_revolts(lines, board, rest[0])
        rows = sorted(board.row[place] for place in revolts)
        order = ([*settings(board)].index(setting), board.region[border], len(rows), *rows)
        if order <= before:
            raise lines.unreadable("expected ways by setting, border, number of revolts and their provinces, each once")
        before = order
        fleets, sails = settings(board)[setting]
        paid, entered = walk(lines, board, [start, border, *rest[1:]], revolts, fleets, sails=sails)
        answers[setting, border, revolts] = Answer(lines.number, paid, entered - board.borders - revolts)
    return answers


def walk(
    lines: Lines, board: Board, steps: list[str], revolts: Revolts, fleets: Fleets, *, sails: bool
) -> tuple[int, Revolts]:
    """What a way costs, and the provinces that it enters; the first two of the steps are its start and its end."""
    by_word = {word_of(fleets): fleets for fleets, _ in settings(board).values()}
    place, border = steps[:2]
    paid, entered = 0, set[str]()
    for step in steps[2:]:
        if step in by_word:
            if not sails or by_word[step] not in voyages(board, fleets):
                raise lines.refuted(f"no sail leads from {word_of(fleets)} to {step}")
            fleets, paid = by_word[step], paid + 1
            continue
        target = board.by_code.get(step, "")
        cost = ways(board, place, fleets).get(target)
        if cost is None:
            raise lines.refuted(f"no move leads from {place} to '{step}'")
        place, paid = target, paid + cost + (target in revolts)
        entered.add(target)
    if place != border:
        raise lines.refuted(f"this way ends in {place}")
    return paid, frozenset(entered)


def look_up(
    lines: Lines, board: Board, answers: Answers, bound: int, question: tuple[str, str, Revolts], more: int
) -> None:
    """Make sure that so many revolts more are answered by ways that are no dearer than the bound."""
    setting, border, revolts = question
    if question not in answers:
        raise lines.refuted(
            f"{setting} {border}: no way is listed for revolts in {', '.join(sorted(revolts)) or 'no province'}"
        )
    answer = answers[question]
    answer.used = True
    if answer.paid > bound:
        lines.number = answer.line
        raise lines.refuted(f"this way costs {answer.paid} IP, more than {bound}")
    if answer.paid + more > bound:
        for place in answer.entered:
            look_up(lines, board, answers, bound, (setting, border, revolts | {place}), more - 1)
