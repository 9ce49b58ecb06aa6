"""Chains of uprisings: how long one can be expected to be, over all positions, and the revolts of the longest one.

*A simple bound.* An echo names one of the m revolts that lie in numbered provinces of regions whose borders are not empty with
chance m/36, and m never shrinks in a phase. So the chance that n more uprisings follow one is (M/36)^n at most, where M is the
largest m, and M / (36 - M) more are expected at most.

*The maximum.*
Let V(S) be their number when the revolts are S and no border is empty; where a border is empty, or no army is left in the
reserve, there are no more. The dice raise each province of S that they can name with chance 1/36. If d neighbours
behind normal links and b behind broken ones are not in S, the uprising adds d revolts and as many more as of b fair coins
fall well. Let H(n) be the largest V of n provinces, and 0 beyond 21, where the Empire has fallen. If V(S) is x or more for a set S
of k provinces, then the sum over S of 1 + P(nothing is added) x + P(j are added) H(k + j) is 36 x or more.

So all sets are listed that come to 36 x, for the x that is claimed to be H(k): provinces are taken in or left out one
after the other, and a beginning is dropped when it cannot come to the sum any more, whatever follows. Then V is worked out for
each set of the list. None may have more than x, and one must have it. So it is done for 21 revolts, then for 20. Sets of 19
and fewer: with y for the largest V among them and H for the larger of both, y is at most 19/36 (1 + max(y, H)), so it is at most
19/17 or less than H.

The certificate states H(21) and H(20). The first of the sets that have the larger one is a value of the fact: with these
revolts, no unrest and no empty border so many uprisings are expected.
"""

from fractions import Fraction
from math import ceil, comb, lcm

from barbarian import FACES
from board import Board
from claim import MOST_REVOLTS
from claimed import Fact
from maps import row
from text import Lines

MOST_BEGINNINGS = 500_000  # followed at the same time; for the right numbers there are a fifth of it

Seen = tuple[int, int] | None  # neighbours outside, behind normal and behind broken links; None: it is outside itself
Links = dict[str, dict[str, bool]]  # Roman provinces, and whether the links between them are broken
Places = frozenset[str]


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact."""
    if fact.id != "chain":
        raise lines.refuted(f"there is no fact {fact.id}")
    most, sets = largest(lines, board)
    longest, rest = max(most.values()), MOST_REVOLTS - 2
    values = {f"size.{size}": str(number) for size, number in most.items()}
    values |= {"max": str(longest), "bound": str(max(longest, Fraction(rest, 36 - rest)))}
    values["revolts"] = row(sorted(sets[max(most, key=most.__getitem__)], key=board.row.__getitem__))
    for borders in range(len(board.borders) + 1):
        values |= {f"borders.{borders}.{path}": str(number) for path, number in simple(board, borders).items()}
    return values


def simple(board: Board, borders: int) -> dict[str, Fraction]:
    """The bounds of the geometric series when so many borders are not empty."""
    named = [place for place in board.provinces if board.number[place]]
    by_region = sorted((sum(board.region[place] == region for place in named) for region in FACES), reverse=True)
    first = Fraction(min(MOST_REVOLTS, len(named)), 36)
    goes_on = Fraction(min(MOST_REVOLTS, sum(by_region[:borders])), 36)
    further = goes_on / (1 - goes_on)
    return {"goes-on": goes_on, "further": further, "mean": first * (1 + further)}


def largest(lines: Lines, board: Board) -> tuple[dict[int, Fraction], dict[int, Places]]:
    """The largest number that can be expected with 21 revolts and with 20, and the first set that has it.

    Each number is claimed, and held against all sets.
    """
    most: dict[int, Fraction] = {}
    first: dict[int, Places] = {}
    chains = Chains(board)
    for line in lines.section("sizes"):
        size = MOST_REVOLTS - len(most)
        word, _, text = line.partition(" ")
        claimed = lines.fraction(text)
        if word != str(size) or len(most) == 2:
            raise lines.unreadable("expected 21 and 20, each with a number")
        found = {chosen: chains.expected(chosen) for chosen in sets_reaching(board, chains.links, size, claimed, most)}
        if not found or max(found.values()) != claimed:
            raise lines.refuted(f"this is not the largest number for {size} revolts")
        most[size] = claimed
        having = (chosen for chosen, number in found.items() if number == claimed)
        first[size] = min(having, key=lambda chosen: sorted((board.row[place] for place in chosen), reverse=True))
    if len(most) != 2:
        raise lines.refuted("expected two numbers")
    return most, first


# -- all sets that may have so long a chain --------------------------------------------------------------------


def sets_reaching(
    board: Board, links: Links, size: int, claimed: Fraction, larger: dict[int, Fraction]
) -> list[Places]:
    """All sets of so many provinces whose sum is 36 times the number that is claimed, or more."""
    order = roman_order(links)
    worth, scale = worths(size, claimed, larger, max(map(len, links.values())))
    best, goal = max(worth.values()), ceil(36 * claimed * scale)
    at = {place: number for number, place in enumerate(order)}
    last = {place: max(at[other] for other in (place, *links[place])) for place in order}  # when all around is decided
    front: list[str] = []
    # beginnings by what is outside and by how many are taken in: the provinces taken in, and their sum so far
    beginnings: dict[tuple[tuple[Seen, ...], int], list[tuple[tuple[str, ...], int]]] = {((), 0): [((), 0)]}
    for number, place in enumerate(order):
        before = [(index, links[place][other]) for index, other in enumerate(front) if other in links[place]]
        front = [*front, place]
        stay = [index for index, other in enumerate(front) if last[other] > number]
        leave = [index for index, other in enumerate(front) if last[other] == number and board.number[other]]
        longer: dict[tuple[tuple[Seen, ...], int], list[tuple[tuple[str, ...], int]]] = {}
        for (seen, count), sets in beginnings.items():
            for way, new in ((without(seen, before), ()), (within(seen, before), (place,))):
                gained = sum(worth[outside] for index in leave if (outside := way[index]) is not None)
                left, now = tuple([way[index] for index in stay]), count + len(new)
                least = (
                    goal - gained - (size - now + len(left) - left.count(None)) * best
                )  # all that are open at their best
                good = [(chosen + new, total + gained) for chosen, total in sets if total >= least]
                if now <= size and good:
                    longer.setdefault((left, now), []).extend(good)
        front = [front[index] for index in stay]
        beginnings = longer
        if sum(map(len, beginnings.values())) > MOST_BEGINNINGS:
            return []  # so many come to a number that is far from the largest
    return [frozenset(chosen) for (_, count), sets in beginnings.items() if count == size for chosen, _ in sets]


def roman_order(links: Links) -> list[str]:
    """Roman provinces, always one next that leaves few with neighbours that come later; any order would do."""
    left = list(links)
    order: list[str] = []
    while left:
        waiting = {place: [p for p in [*order, place] if links[p].keys() & set(left) - {place}] for place in left}
        order.append(min(left, key=lambda place: len(waiting[place])))
        left.remove(order[-1])
    return order


def without(seen: tuple[Seen, ...], before: list[tuple[int, bool]]) -> list[Seen]:
    """The next province is left out: those linked to it have one more neighbour outside."""
    now = list(seen)
    for index, broken in before:
        outside = now[index]
        if outside is not None:
            now[index] = (outside[0], outside[1] + 1) if broken else (outside[0] + 1, outside[1])
    return [*now, None]


def within(seen: tuple[Seen, ...], before: list[tuple[int, bool]]) -> list[Seen]:
    """The next province is taken in: it has those outside that were left out."""
    outside = [broken for index, broken in before if seen[index] is None]
    return [*seen, (len(outside) - sum(outside), sum(outside))]


def worths(
    size: int, claimed: Fraction, larger: dict[int, Fraction], most: int
) -> tuple[dict[tuple[int, int], int], int]:
    """What a province of S adds to the sum by its neighbours outside, as whole numbers of one part."""
    exact = {}
    for normal in range(most + 1):
        for broken in range(most + 1 - normal):
            total = Fraction(1)
            for well in range(broken + 1):
                added = normal + well
                follows = larger.get(size + added, Fraction(0)) if added else claimed
                total += Fraction(comb(broken, well), 2**broken) * follows
            exact[normal, broken] = total
    scale = lcm(*(total.denominator for total in exact.values()))
    return {outside: int(total * scale) for outside, total in exact.items()}, scale


# -- the chains of a set ---------------------------------------------------------------------------------------


class Chains:
    """V of sets of revolts, each worked out once."""

    def __init__(self, board: Board) -> None:
        self.named = {place for place in board.provinces if board.number[place]}
        roman = [place for place in board.provinces if place not in board.borders]
        self.links: Links = {
            place: {other: broken for other, broken in board.links[place].items() if other in roman} for place in roman
        }
        self.known: dict[Places, Fraction] = {}

    def expected(self, revolts: Places) -> Fraction:
        """The uprisings expected when these are the revolts and no border is empty."""
        if len(revolts) > MOST_REVOLTS:
            return Fraction(0)  # the Empire has fallen
        if revolts not in self.known:
            total = stays = Fraction(0)
            for place in revolts & self.named:
                outside = {other: broken for other, broken in self.links[place].items() if other not in revolts}
                total += 1
                for added, chance in outcomes(outside):
                    if added:
                        total += chance * self.expected(revolts | added)
                    else:
                        stays += chance
            self.known[revolts] = total / (36 - stays)
        return self.known[revolts]


def outcomes(outside: dict[str, bool]) -> list[tuple[Places, Fraction]]:
    """The sets of provinces that an uprising adds, of those around it, with their chances."""
    found: list[tuple[Places, Fraction]] = [(frozenset(), Fraction(1))]
    for place, broken in outside.items():
        taken = [(added | {place}, chance / 2 if broken else chance) for added, chance in found]
        found = [(added, chance / 2) for added, chance in found] + taken if broken else taken
    return found
