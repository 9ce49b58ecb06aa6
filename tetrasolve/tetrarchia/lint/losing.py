"""Why every set-up can be lost: *losing play*, and the premises of the argument that it ends in a fall.

Rome enters and moves on where it must, and does nothing else. A *target* is a province without a printed disc that two dice can
name. In each phase they name one in which no revolt lies. There an unrest comes, or an unrest becomes a revolt, or the Empire falls
since no disc is left. Nothing else takes discs off the board but victories over armies that attack; and no army comes, since one
comes with the echo of an uprising, where a region behind a secured border is full, or by the black disc, which is not used. Twice
the revolts plus the unrest can be no more than all discs allow, so Rome falls within `most_phases`. There are more targets than
discs of revolt, so one without a revolt is always left. No border is secured, so Rome does not win. This is about the usual
readings; whichever modules, variants and scenarios are in use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.lint.courses import game_of
from tetrasolve.tetrarchia.lint.ends import all_tables, named
from tetrasolve.tetrarchia.numbers import ARMIES, REVOLTS, UNREST
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.rules import Choice, Fall, GivenCourse
from tetrasolve.tetrarchia.rules.activity import Activity, resolve
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.rules.step import Step

NOTHING = "4111 D:b -/-/-/- 1 - - - -/-/-/-"


def most_phases() -> int:
    """The phases after which Rome has fallen: each adds 1 to the sum, and a victory takes 2 at most."""
    return 2 * REVOLTS + UNREST + 2 * ARMIES + 1


def targets(board: Board) -> tuple[str, ...]:
    """The provinces without a printed disc that two dice name."""
    return tuple(place for place in named(board) if not board[place].printed)


def problems(board: Board) -> Iterator[str]:
    """Which premises of the argument do not hold, in sentences."""
    places = targets(board)
    if len(places) <= REVOLTS:
        yield f"there are {len(places)} targets, expected more than {REVOLTS}"
    nothing = Position.parse(NOTHING, board)
    for place in places:
        for who in (None, *(emperor.id for emperor in board.emperors)):
            yield from _named(nothing.replace(emperors={} if who is None else {who: place}), place)
        full = {other: UNREST_DISC for other in places if other != place}
        if not isinstance(resolve(nothing.replace(discs=dict([*full.items()][:UNREST])), place), Fall):
            yield f"{place}: an unrest comes though none is left"
        full = {other: REVOLT_DISC for other in full}
        discs = {**dict([*full.items()][:REVOLTS]), place: UNREST_DISC}
        if not isinstance(resolve(nothing.replace(discs=discs), place), Fall):
            yield f"{place}: a revolt comes though none is left"
    for table in all_tables():
        start = game_of(table, 0).start
        if any(start.garrisons(emperor) for emperor in start.emperors) or len(start.armies) > ARMIES:
            yield f"{table}: the set-up has garrisons, or too many armies"


def _named(position: Position, place: str) -> Iterator[str]:
    """What is wrong where the dice name a target, without a disc and with an unrest."""
    for disc, wanted in ((None, UNREST_DISC), (UNREST_DISC, REVOLT_DISC)):
        before = position if disc is None else position.with_disc(place, disc)
        after = _state(resolve(before, place))
        if isinstance(after, Fall) or dict(after.discs) != {place: wanted} or after.armies:
            yield f"{place} with {disc or 'no disc'} and {', '.join(position.romans) or 'nobody'}: expected {wanted} and no army"


def _state(step: Step) -> Position | Fall:
    return step if isinstance(step, (Position, Fall)) else step.position


def play_to_the_fall(game: Game) -> int:
    """Losing play from the state of a game until it is over, and the number of phases; `most_phases` is the limit."""
    for phase in range(most_phases()):
        while isinstance(game.state, Position) and game.state.phase is Phase.ROMAN:
            if rules.may_end(game.state):
                game.end()
            else:
                game.act(rules.legal_actions(game.state)[0])
        if game.is_over:
            return phase
        given = GivenCourse(_course(game.position))
        game.barbarians(given, given.decide)
    return most_phases()


def play_problem(tables: Iterable[str], stop: Stop | None = None) -> str:
    """Why losing play does not end in a fall from a set-up of each of these tables; the empty text where it does.

    :raises Stopped: when `stop` is set before.
    """
    for table in tables:
        check(stop)
        game = game_of(table, 0)
        play_to_the_fall(game)
        if not game.result.startswith("fallen"):
            return f"losing play of {table} did not end in a fall"
    return ""


def _course(position: Position) -> tuple[int | str, ...]:
    """The faces and answers of a phase: all is declined, targets are named, and other dice show the first faces."""
    step: Step = rules.begin(position)
    taken: list[int | str] = []
    while not isinstance(step, (Position, Fall)):
        if isinstance(step, Choice):
            taken.append(step.options[0])
            step = step.after(step.options[0])
            continue
        roll = step.roll()
        at = 0
        if isinstance(step, Activity):
            wanted = next(place for place in targets(position.board) if not step.position.has_revolt(place))
            at = step.places().index(wanted)
        taken += roll.faces[at]
        step = landed(step, roll.faces[at], roll.results[at])
    return tuple(taken)
