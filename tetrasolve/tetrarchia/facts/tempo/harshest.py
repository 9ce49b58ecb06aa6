"""How soon the game can be won from the harshest of all set-ups, with kind dice: a bound from below, and one from above.

From below it is the bound of a harsh set-up, see `soonest`. From above it is a repertoire of games: whatever the set-up, one
is made of two halves, see `halves`, that takes no more turns.
"""

from __future__ import annotations

from functools import lru_cache

from tetrasolve.certify.form import Certificate
from tetrasolve.claims.fact import Kind, Value, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.tempo.divisions import Repertoire, length, repertoires, texts, turns
from tetrasolve.tetrarchia.facts.tempo.games import HARSH, games
from tetrasolve.tetrarchia.facts.tempo.soonest import MOST_TURNS, UNKNOWN, tours_of, with_revolts
from tetrasolve.tetrarchia.position import Position

KIND = "victory-harshest"
CERTIFICATE = "harshest-victory"


@lru_cache(maxsize=64)
def best(board: Board, level: str) -> tuple[int, Repertoire] | None:
    """The fewest turns in which a repertoire wins from every set-up of a level, and the first that does; None if none does."""
    _, revolts, armies = map(int, level)
    serving = [repertoire for repertoire in repertoires() if repertoire.serves(level)]
    for repertoire in sorted(serving, key=lambda one: length(one, board)):
        number = turns(repertoire, board, revolts, armed=armies > 0)
        if number is not None:
            return number, repertoire
    return None


def set_up(board: Board, level: str) -> tuple[str, ...]:
    """The revolts of the harsh set-up by which the bound from below is shown."""
    revolts = Position.parse(games(HARSH)[level][0].position, board).revolts
    return tuple(sorted(revolts, key=board.order.__getitem__))


@lru_cache(maxsize=16)
def bound(board: Board, revolts: tuple[str, ...], guess: int) -> int | None:
    """The fewest turns in which a game from a set-up with these revolts can be won, by free tours; sought from a guess on."""
    tours = tours_of(board, len(board.zones), revolts)
    if tours.enough(guess):
        return next((turns for turns in range(guess, 1, -1) if not tours.enough(turns - 1)), 1)
    return next((turns for turns in range(guess + 1, MOST_TURNS + 1) if tours.enough(turns)), None)


def _values(board: Board, level: str) -> dict[str, Value]:
    least = bound(board, set_up(board, level), len(games(HARSH)[level][0].turns))
    found = best(board, level)
    most = found[0] if found is not None else None
    if least is not None and least == most:
        return {"turns": least}
    return {"least": UNKNOWN if least is None else least, "most": UNKNOWN if most is None else most}


def hardest(extras: str) -> str:
    """The level with so many additional revolts for which games serve all others: one fleet, armies."""
    return f"1{extras}2"


def _certify(board: Board, extras: str, values: Values) -> Certificate:
    """The set-up for the bound from below; the halves and all their games."""
    level = hardest(extras)
    found = best(board, level)
    divisions = found[1].divisions if found is not None else ()
    parts = [(division.zones, part) for division in divisions for part in division.halves]
    sections = {
        "set-up": [".".join(board[place].code for place in set_up(board, level))],
        "halves": [
            f"{''.join(map(str, zones))} {'.'.join(part.emperors)} {''.join(map(str, part.regions))}"
            for zones, part in parts
        ],
        "games": [
            f"{number} {line}"
            for number, (_, part) in enumerate(parts, start=1)
            for line in texts(part, armed=level[2] != "0")
        ],
    }
    return fact_certificate(CERTIFICATE, board, f"{KIND}/{extras}", {}, values, sections)


def _say(extras: str, values: Values) -> str:
    where = with_revolts(extras)
    if "turns" in values:
        return (
            f"{where} a game can be won in {values['turns']} turns from every set-up, if the dice are as kind as can be; "
            "from the harshest it takes no fewer."
        )
    least = f"there is a set-up from which no game is won in fewer than {values['least']} turns"
    if values["most"] == UNKNOWN:
        return f"{where} {least}; how many are enough for every set-up is not known."
    return f"{where} {least}; with dice as kind as can be {values['most']} are enough for every set-up."


KINDS = (
    Kind(
        KIND,
        "tempo",
        "The fewest turns from the harshest set-up",
        "free tours from a harsh set-up as a bound, and games in two halves for all set-ups with kind dice",
        CERTIFICATE,
        ("links", "kinds", "arrows", "zones", "regions", "numbers", "printed"),
        lambda board: {extras: _values(board, hardest(extras)) for extras in "012"},
        _certify,
        _say,
        ruleset="the base game: the bound in every reading, the games in the usual one",
        certainty="proved",  # a bound from below and one from above, which do not always meet
        effort=5.0,
    ),
)
