"""How many uprisings there are in one Barbarian phase: a simple bound, and the exact maximum over all positions.

After an uprising the chain goes on only if the echo finds a border that is not empty and then a province in revolt: of 36
rolls no more are of this kind than revolts lie in regions whose borders are not empty, and there are 21 revolts in all.
So the chain ends with certainty, whatever the position, and its expected length is bounded by a geometric series.

The maximum is smaller.
Let V(S) be the uprisings that are expected in a phase when the revolts are S and no border is empty; other positions with
these revolts have no more. The dice raise each province of S that they can name with chance 1/36. Around it some Roman
provinces are not in revolt yet, d behind normal links and b behind broken ones; so the uprising adds d and as many
more as of b fair coins fall well. If it adds none, V(S) uprisings are to come; if it adds j, no more than H(k + j), where
k is the size of S and H(n) the largest V for n revolts; beyond 21 the Empire has fallen and there are none.
So if V(S) is x or more, then

    the sum over S of 1 + P(none) x + sum over j of P(j) H(k + j)  is  36 x  or more,

and each province adds to the sum what depends on its own neighbours only. All sets that come to 36 x are listed, by taking
provinces in or leaving them out one after the other and dropping beginnings that cannot come to it any more. With the x
of a good position they are few, and V is worked out for each of them: the largest is H(k). So it is done for 21 revolts and
then for 20. For 19 and fewer no more is needed than that dice name one of them with chance 19/36 at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import TypeAlias

from tetrasolve.certify.form import Certificate
from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.cascades.uprisings import nameable
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.gathered import EVERY_LEVEL
from tetrasolve.tetrarchia.facts.saying import provinces
from tetrasolve.tetrarchia.kernel import BARBARIAN, State
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.position import REVOLT_DISC, Phase, Position
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.ruleset import Ruleset

PAIRS = 36  # of faces
SIZES = (REVOLTS, REVOLTS - 1)
SMALLER = Fraction(REVOLTS - 2, PAIRS - (REVOLTS - 2))  # what p + p^2 + ... is for all smaller sets
MORE = 1e-9  # less is rounding

Outside: TypeAlias = "tuple[int, int]"  # neighbours that are left out, behind normal and behind broken links


# -- positions and their chains --------------------------------------------------------------------------------


def walled(board: Board, revolts: Iterable[str]) -> Position:
    """These revolts, garrisons on all borders but the last, where the first Emperor stands, and all armies in the reserve."""
    names = [emperor.id for emperor in board.emperors]
    discs = dict.fromkeys(sorted(revolts, key=board.order.__getitem__), REVOLT_DISC)
    *secured, last = board.borders
    discs |= {border: names[row % len(names)] for row, border in enumerate(secured)}
    return Position(board, Ruleset(), names[0], Phase.BARBARIAN, 0, {names[0]: last}, (2, 3), (), discs)


class _Lengths:
    """The uprisings expected from masks of revolts, by the kernel, in doubles."""

    def __init__(self, board: Board) -> None:
        empty = walled(board, ())
        self.kernel, self.bare = fast.kernel_of(empty), fast.to_state(empty)

    def of(self, revolts: int) -> float:
        bare = self.bare
        state = State(
            revolts=revolts,
            garrisons=bare.garrisons,
            emperors=bare.emperors,
            fleets=bare.fleets,
            to_move=bare.to_move,
            ip=0,
            phase=BARBARIAN,
        )
        return float(self.kernel.phase(state)["e_uprisings"])


def climbed(board: Board, size: int) -> int:
    """A mask of so many revolts with long chains: one after the other is moved, as long as that makes them longer."""
    lengths = _Lengths(board)
    roman = [1 << board.order[place] for place in board.ids if not board[place].is_border]
    champion, record = 0, -1.0
    for region in FACES:
        mask = _nearest(board, board.at(region, FACES[0]), size)
        best, moved = lengths.of(mask), True
        while moved:
            others = (mask ^ gone | new for gone in roman if mask & gone for new in roman if not mask & new)
            longest_now, other = max((lengths.of(other), other) for other in others)
            moved = longest_now > best + MORE
            if moved:
                mask, best = other, longest_now
        if best > record + MORE:
            champion, record = mask, best
    return champion


def _nearest(board: Board, start: str, size: int) -> int:
    """The mask of the Roman provinces nearest to one, itself first."""
    found = [start]
    for place in found:
        found += [p for p in board.neighbours(place) if not board[p].is_border and p not in found]
    return board.mask(found[:size])


# -- the maximum -----------------------------------------------------------------------------------------------


def around(board: Board) -> dict[str, dict[str, bool]]:
    """For each Roman province those linked to it, and whether the link is broken."""
    roman = [place for place in board.ids if not board[place].is_border]
    return {p: {o: link.broken for o, link in board.neighbours(p).items() if o in roman} for p in roman}


@lru_cache(maxsize=64)
def order(board: Board) -> tuple[str, ...]:
    """Roman provinces in an order in which few have to be remembered at a time: always one after which the fewest have."""
    links = around(board)
    taken: list[str] = []
    while len(taken) < len(links):
        left = [place for place in links if place not in taken]
        taken.append(min(left, key=lambda place: sum(not links[p].keys() <= {*taken, place} for p in (*taken, place))))
    return tuple(taken)


Beginning: TypeAlias = (
    "tuple[tuple[Outside | None, ...], int]"  # of each province of the front, and how many are taken in
)


def reaching(board: Board, size: int, gain: Mapping[Outside, int], goal: int) -> dict[int, int]:
    """All sets of so many Roman provinces, as masks, whose gains add up to `goal` at least, with their sums.

    Provinces that dice cannot name gain nothing.
    """
    links = around(board)
    most = max(gain.values())
    front: list[str] = []  # behind, with neighbours ahead
    ahead = {place: set(others) for place, others in links.items()}
    states: dict[Beginning, dict[int, int]] = {((), 0): {0: 0}}
    for place in order(board):
        bit = 1 << board.order[place]
        at = [(row, links[place][other]) for row, other in enumerate(front) if other in links[place]]
        front.append(place)
        for other in links[place]:
            ahead[other].discard(place)
        kept = [row for row, other in enumerate(front) if ahead[other]]
        done = [row for row, other in enumerate(front) if not ahead[other] and board[other].number]
        after: dict[Beginning, dict[int, int]] = {}
        for (state, count), masks in states.items():
            for taken in (False, True) if count < size else (False,):
                seen = _joined(state, at, taken=taken)
                gained = sum(gain[outside] for row in done if (outside := seen[row]) is not None)
                left = tuple([seen[row] for row in kept])
                to_come = (size - count - taken + len(left) - left.count(None)) * most
                good = {
                    mask | bit * taken: total + gained
                    for mask, total in masks.items()
                    if total + gained + to_come >= goal
                }
                if good:
                    after.setdefault((left, count + taken), {}).update(good)
        front = [front[row] for row in kept]
        states = after
    return {mask: total for (_, count), masks in states.items() if count == size for mask, total in masks.items()}


def _joined(state: tuple[Outside | None, ...], at: list[tuple[int, bool]], *, taken: bool) -> list[Outside | None]:
    """A state after the next province, which is linked to those at these rows, by a broken link or not."""
    seen = list(state)
    if taken:
        out = [broken for row, broken in at if seen[row] is None]
        return [*seen, (out.count(False), out.count(True))]
    for row, broken in at:
        outside = seen[row]
        if outside is not None:
            seen[row] = outside[0] + (not broken), outside[1] + broken
    return [*seen, None]


def _gains(board: Board, size: int, larger: Mapping[int, Fraction], least: Fraction) -> tuple[dict[Outside, int], int]:
    """What a province of a set is worth by its neighbours outside, as whole numbers of one part."""
    most = max(len(links) for links in around(board).values())
    exact = {}
    for normal in range(most + 1):
        for broken in range(most + 1 - normal):
            added = [normal + well for well in range(broken + 1)]
            chances = [Fraction(comb(broken, well), 2**broken) for well in range(broken + 1)]
            follows = [larger.get(size + new, Fraction(0)) if new else least for new in added]
            exact[normal, broken] = 1 + sum(
                (p * further for p, further in zip(chances, follows, strict=True)), Fraction(0)
            )
    scale = lcm(least.denominator, *(worth.denominator for worth in exact.values()))
    return {outside: int(worth * scale) for outside, worth in exact.items()}, scale


def _expected(board: Board, mask: int) -> Fraction:
    """The uprisings expected from a mask of revolts, by the reference rules."""
    return rules.figures(walled(board, board.unmask(mask))).e_uprisings


@lru_cache(maxsize=64)
def longest(board: Board) -> Mapping[int, tuple[Fraction, int]]:
    """For each of `SIZES` the largest number of uprisings that can be expected, and the first mask that has it."""
    lengths = _Lengths(board)
    found: dict[int, tuple[Fraction, int]] = {}
    for size in SIZES:
        least = _expected(board, climbed(board, size))
        gain, scale = _gains(board, size, {larger: best for larger, (best, _) in found.items()}, least)
        chains = {mask: lengths.of(mask) for mask in reaching(board, size, gain, int(PAIRS * least * scale))}
        near = max(chains.values()) - MORE
        exact = {mask: _expected(board, mask) for mask in sorted(chains) if chains[mask] > near}
        best = max(exact.values())
        found[size] = best, next(mask for mask, expected in exact.items() if expected == best)
    return found


# -- the fact --------------------------------------------------------------------------------------------------


def _number(value: Fraction) -> Value:
    return int(value) if value.denominator == 1 else value


def _most(board: Board, borders: int) -> int:
    """The most revolts that an echo can name when so many borders are not empty."""
    sizes = sorted((sum(board[p].region == region for p in nameable(board)) for region in FACES), reverse=True)
    return min(REVOLTS, sum(sizes[:borders]))


def _bounds(board: Board, borders: int) -> dict[str, Fraction]:
    """The bounds of the geometric series with so many borders that are not empty."""
    first = Fraction(min(REVOLTS, len(nameable(board))), PAIRS)
    most = _most(board, borders)
    further = Fraction(most, PAIRS - most)  # p + p^2 + ...
    return {"goes-on": Fraction(most, PAIRS), "further": further, "mean": first * (1 + further)}


@lru_cache(maxsize=64)
def _chain(board: Board) -> Mapping[str, Values]:
    values: dict[str, Value] = {f"size.{size}": _number(best) for size, (best, _) in longest(board).items()}
    best, mask = max(longest(board).values(), key=lambda found: found[0])
    values |= {"max": _number(best), "bound": _number(max(best, SMALLER)), "revolts": board.unmask(mask)}
    for borders in range(len(board.borders) + 1):
        values |= {f"borders.{borders}.{path}": _number(found) for path, found in _bounds(board, borders).items()}
    return {"": values}


def _certify(board: Board, _: str, values: Values) -> Certificate:
    sections = {"sizes": [f"{size} {best}" for size, (best, _) in longest(board).items()]}
    return fact_certificate("worst-chain", board, "chain", {}, values, sections)


def _say(_: str, v: Values) -> str:
    most = f"{v['max']} uprisings in the next phase (about {float(Fraction(str(v['max']))):.4f})"
    exact = f"No position makes one expect more than {most}, and there is one that does"
    near = f"There is a position that makes one expect {most}, and none with more than {v['bound']}"
    return (
        f"{exact if v['max'] == v['bound'] else near}: all borders occupied, revolts in {provinces(v, 'revolts')}. With all "
        f"{REVOLTS} revolts on the map the most is {v[f'size.{REVOLTS}']}, since then an uprising that adds a revolt is the end."
    )


TOPICS = (
    Topic(
        "chain",
        "cascades",
        "Chains of uprisings end; how long they can be expected to be, and the position with the longest one",
        "all sets of 20 and 21 provinces that can have so long a chain listed, and their phases solved; simple bounds by the "
        "borders that are not empty",
        "worst-chain",
        ("links", "kinds", "numbers", "regions"),
        _chain,
        _certify,
        _say,
        ruleset=EVERY_LEVEL,
        effort=1.0,
    ),
)
