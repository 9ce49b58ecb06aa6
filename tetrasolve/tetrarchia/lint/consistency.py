"""Whether the rules are consistent: each claim proved, refuted with a trace, or unknown with what was searched.

=============== ==========================================================================================
claim           what it says
=============== ==========================================================================================
``faces``       every face of every roll has a defined effect
``supply``      no reserve is ever negative or has more than there is, and no fleet is lost or won, in the base game
``modules``     the same with modules, variants and scenarios
``way-on``      in no position the game is stuck: an Emperor can act or end his turn, a phase comes to an end
``in-play``     every rule of the rulebook that steps of a game show applies in some game
``won``         from every set-up the game can be won
``lost``        from every set-up the game can be lost
``ends``        a game ends with probability 1, whatever Rome plays
``passive``     a game of the base game ends with probability 1 while Rome only enters, moves and sails
=============== ==========================================================================================

The positions searched are those of recorded games (the examples of the stored profile), all that one action or one roll makes of
them, and positions in which a reserve is empty. A trace is the record of a game, or a position, with what was done then.

That a game can be won is shown by stored games with kind dice, which are replayed, from one set-up of each of many tables; no
argument is known for the other set-ups. That it can be lost follows from an argument (`tetrasolve.tetrarchia.lint.losing`) whose
premises are checked; that it need not end, from waiting play (`tetrasolve.tetrarchia.lint.ends`), whose positions are played again.
That it ends for a passive Rome, and how soon on average at the latest, is proved by a table (`tetrasolve.tetrarchia.lint.passive`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from tetrasolve.errors import TetrasolveError
from tetrasolve.exact.deadline import is_over, stop_of
from tetrasolve.lint.verdicts import Status, Verdict
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.lint import losing
from tetrasolve.tetrarchia.lint.compare import EnginesDifferError
from tetrasolve.tetrarchia.lint.ends import NotClosedError, Waiting, Witnesses, all_tables, stored_witnesses
from tetrasolve.tetrarchia.lint.inplay import all_rules, applications
from tetrasolve.tetrarchia.lint.passive import bound_problems, most_phases, stored_bound
from tetrasolve.tetrarchia.lint.profile import Profile
from tetrasolve.tetrarchia.lint.rarerules import rare_games
from tetrasolve.tetrarchia.numbers import ARMIES, DIE, REVOLTS, UNREST
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.rules import Battle, Choice, Fall, GivenDice
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, EchoRegion
from tetrasolve.tetrarchia.rules.chance import FACES, passes
from tetrasolve.tetrarchia.rules.step import Step
from tetrasolve.tetrarchia.ruleset import Ruleset

EVERY = 25  # of the positions of the recorded games one in so many is searched
MOST_STEPS = 60  # of one phase that are looked at
MOST_GARRISONS, MOST_EMPERORS, MOST_BONUS = (
    12,
    4,
    1,
)  # in battle: five discs, two printed ones and five payments; the Dux; the Goths
TOGETHER = all_tables()[-2:]  # all modules, and all variants
SPARE = (2, 5, 3, 4, 6, 1, 4, 2, 5, 6, 3, 3, 1, 2) * 3  # faces for dice that are rolled again
SUPPLY_FACTS = (
    "invariant/supply-revolt",
    "invariant/supply-unrest",
    "invariant/supply-army",
    "invariant/supply-garrison",
    "invariant/supply-fleet",
)
END_FACTS = ("statement/ends/turn", "statement/ends/phase")


class _RefutedError(Exception):
    """A claim does not hold: in this position, after this."""

    def __init__(self, problem: str, position: Position | None = None, then: str = "") -> None:
        super().__init__(problem)
        self.position, self.then = position, then


CLAIMS = {
    "faces": "every face of every roll has a defined effect",
    "supply": "no reserve is ever negative or has more than there is, and the number of fleets stays, in the base game",
    "modules": "no reserve is ever negative or has more than there is, and the number of fleets stays, with modules",
    "way-on": "in no position the game is stuck",
    "in-play": "every rule that steps of a game show applies in some game",
    "won": "from every set-up the game can be won",
    "lost": "from every set-up the game can be lost",
    "ends": "a game ends with probability 1, whatever Rome plays",
    "passive": "a game of the base game ends with probability 1 while Rome only enters, moves and sails",
}

# Why claims are open, which no argument is known to cover
OPEN = {
    "modules": "open: the facts are about the base game, and no argument covers each way in which modules place and pay for discs",
    "way-on": "open: that he who passes another figure can always move on, and with modules that each phase ends",
    "won": "; open: how Rome beats the armies in time depends on the set-up, and no plan is known that does it from each",
}


def check_consistency(
    profile: Profile,
    witnesses: Witnesses | None = None,
    *,
    board: Board | None = None,
    every: int = EVERY,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> tuple[Verdict, ...]:
    """The verdict on each claim, from the examples of a profile; of their positions each `every`-th is searched.

    `witnesses` are games that are won and lost, by default those of the library. After `seconds`, or when `cancel` is set, what
    was searched until then counts.
    """
    board, stop = board or Board.standard(), stop_of(seconds, cancel)
    games: list[tuple[tuple[str, ...], Game | None, str]] = []
    for example in profile.examples:
        if is_over(stop):
            break
        games.append((example.record, *_read(example.record, board)))
    search = _Search(stop)
    search.games(games, every)
    search.edges(board)
    return (
        _faces(board, search, stop),
        search.verdict("supply"),
        search.verdict("modules"),
        search.verdict("way-on"),
        _in_play(profile, games, board, stop),
        *_ends(stored_witnesses() if witnesses is None else witnesses, board, stop),
    )


def _read(record: Sequence[str], board: Board) -> tuple[Game | None, str]:
    """The game of a record, or what keeps it from being replayed."""
    try:
        return read_record("\n".join(record) + "\n", board), ""
    except Exception as error:  # noqa: BLE001  # a defect of the rules can raise anything
        return None, _named(error)


def _named(error: Exception) -> str:
    return str(error) if isinstance(error, TetrasolveError) else f"{type(error).__name__}: {error}"


def _refuted(claim: str, problem: str, trace: Sequence[str], then: str = "") -> Verdict:
    return Verdict(claim, CLAIMS[claim], Status.REFUTED, problem, (), tuple(trace), then)


# -- faces -------------------------------------------------------------------------------------------------------------


def _faces(board: Board, search: _Search, stop: Stop | None) -> Verdict:
    """By enumeration: what a face does depends on what it names and on what is there."""
    count = 0
    try:
        for count, _ in enumerate(_face_cases(board), start=1):
            if is_over(stop):
                return Verdict("faces", CLAIMS["faces"], Status.UNKNOWN, f"the time ran out after {count:,} rolls")
    except _RefutedError as error:
        position = [] if error.position is None else [str(error.position)]
        return _refuted("faces", str(error), position, error.then)
    if found := search.refuted.get("faces"):
        return found
    how = (
        f"enumeration: {count:,} rolls with each face, of set-ups, of activities and echoes in each province and on each border "
        f"with each disc and figure alone, of checks, and of battles with all values; and {search.rolls:,} rolls in recorded games"
    )
    return Verdict("faces", CLAIMS["faces"], Status.PROVED, how)


def _tried(what: str, position: Position | None, call: Callable[[], object]) -> object:
    try:
        return call()
    except Exception as error:  # a defect of the rules can raise anything
        raise _RefutedError(f"{what}: {_named(error)}", position, what) from error


def _face_cases(board: Board) -> Iterator[str]:
    """Each roll with what it can meet; every face of it is tried."""
    base = Position.parse("4111 D:b -/-/-/- 1 - - - -/-/-/-", board)
    for what in (None, UNREST_DISC, REVOLT_DISC, *(emperor.id for emperor in board.emperors)):
        for place in board.ids:
            yield from _activity_cases(base, place, what)
    for border, who in product(board.borders, (None, "army", *(emperor.id for emperor in board.emperors))):
        armies = (border,) if who == "army" else ()
        emperors = {} if who in (None, "army") else {who: border}
        yield _rolled(
            f"an echo with {who or 'nobody'} on {border}", EchoRegion(base.replace(armies=armies, emperors=emperors))
        )
    for face in FACES:
        if not isinstance(_tried(f"a check with {face}", None, partial(passes, face)), bool):
            raise _RefutedError(f"a check with {face} neither passes nor stops")
        yield "check"
    values = product(
        range(MOST_GARRISONS + 1), range(MOST_EMPERORS + 1), range(REVOLTS + 1), range(ARMIES), range(MOST_BONUS + 1)
    )
    for value in values:
        fight = Battle(*value)
        outcomes = _tried(f"a battle of {fight}", None, fight.outcomes)
        if (
            not isinstance(outcomes, tuple)
            or len(outcomes) != DIE * DIE
            or not all(isinstance(o, Outcome) for o in outcomes)
        ):
            raise _RefutedError(f"a battle of {fight} has no outcome for some faces", None, f"battle {fight}")
        yield "battle"
    yield from _set_up_cases(board)


def _activity_cases(base: Position, place: str, disc: str | None) -> Iterator[str]:
    """Rolls of an activity and of an echo's province, with this disc in this province."""
    if base.board[place].is_border and disc in (UNREST_DISC, REVOLT_DISC):
        return
    position = base.replace(discs={} if disc is None else {place: disc})
    yield _rolled(f"an activity with {disc or 'no disc'} in {place}", Activity(position))
    region = base.board[place].region
    if region:
        yield _rolled(f"an echo in region {region} with {disc or 'no disc'} in {place}", EchoProvince(position, region))


def _rolled(what: str, step: Activity | EchoProvince | EchoRegion) -> str:
    def check() -> None:
        problem = _roll_problem(step)
        if problem:
            raise _RefutedError(f"{what}: {problem}", step.position, what)

    try:
        check()
    except _RefutedError:
        raise
    except Exception as error:  # a defect of the rules can raise anything
        raise _RefutedError(f"{what}: {_named(error)}", step.position, what) from error
    return what


def _roll_problem(step: Step) -> str:
    """Why a roll has a face without an effect; the empty text where it has none."""
    assert not isinstance(step, (Position, Fall, Choice)), "it is a roll"
    roll = step.roll()
    if len(roll.results) != DIE ** len(roll.questions):
        return f"{len(roll.results)} results for {len(roll.questions)} dice"
    for faces, result in zip(roll.faces, roll.results, strict=True):
        if not isinstance(result, (Position, Fall, Choice)) and not hasattr(result, "roll"):
            return f"{'-'.join(map(str, faces))} has no effect"
    return ""


def _set_up_cases(board: Board) -> Iterator[str]:
    """Set-ups with every face of every die; where dice are rolled again, spare faces follow."""
    for text, fleets in (("4222", (1, 2)), ("4111+pirates+goths", (1,))):
        ruleset = Ruleset.from_text(text)
        usual = rules.rolled_set_up(ruleset, 1, None, board).faces
        for die, face in product(range(len(usual)), FACES):
            faces = (*usual[:die], face, *SPARE)
            what = f"set-up of {text} with {' '.join(map(str, faces[: die + 1]))}"
            made = _tried(what, None, partial(rules.set_up, ruleset, fleets, GivenDice(faces), board))
            if isinstance(made, Position) and (reasons := made.status()):
                raise _RefutedError(f"{what}: {reasons[0]}", made, what)
            yield what


# -- positions of games, and what follows from them --------------------------------------------------------------------


class _Search:
    """What follows from positions: their actions, and the steps of their phases."""

    def __init__(self, stop: Stop | None) -> None:
        self._stop = stop
        self.refuted: dict[str, Verdict] = {}
        self.positions = self.made = self.rolls = self.edge = 0

    def verdict(self, claim: str) -> Verdict:
        """What the search says of a claim; that of the supply of the base game is proved by facts."""
        if claim in self.refuted:
            return self.refuted[claim]
        searched = (
            f"{self.positions:,} positions of recorded games and {self.edge} at limits, {self.made:,} that one action or roll "
            f"makes of them; {self.rolls:,} rolls"
        )
        if claim == "supply":
            how = f"the facts prove it; nothing was found in {searched}"
            return Verdict(claim, CLAIMS[claim], Status.PROVED, how, SUPPLY_FACTS)
        if claim == "way-on":
            how = f"the facts say that turns and phases of the base game end; nothing was found in {searched}; {OPEN[claim]}"
            return Verdict(claim, CLAIMS[claim], Status.UNKNOWN, how, END_FACTS)
        return Verdict(claim, CLAIMS[claim], Status.UNKNOWN, f"nothing was found in {searched}; {OPEN[claim]}")

    def games(self, games: Iterable[tuple[tuple[str, ...], Game | None, str]], every: int) -> None:
        """Search the positions of games; a record that does not replay refutes that its rolls have effects."""
        for record, game, problem in games:
            if game is None:
                self.refuted.setdefault("faces", _refuted("faces", problem, record, "replay"))
                continue
            for number, state in enumerate(game.states):
                if is_over(self._stop):
                    return
                if number % every == 0 and isinstance(state, Position):
                    self.positions += 1
                    self._position(state, partial(_until, game, number))

    def edges(self, board: Board) -> None:
        """Search positions in which a reserve is empty."""
        for position in _edges(board):
            if is_over(self._stop):
                return
            self.edge += 1
            self._position(position, partial(_alone, position))

    def _position(self, position: Position, trace: Callable[[], tuple[str, ...]]) -> None:
        if position.is_won:
            return
        if position.phase is Phase.BARBARIAN:
            self._phase(position, trace)
            return
        actions = rules.legal_actions(position)
        if not actions and not rules.may_end(position):
            self._refute("way-on", "no action is legal, and the turn may not end", trace, "")
        for action in actions:
            try:
                after = rules.play(position, action)
            except Exception as error:  # noqa: BLE001  # a defect of the rules can raise anything
                self._refute("way-on", _named(error), trace, str(action))
                continue
            self._made(after, trace, str(action))

    def _phase(self, position: Position, trace: Callable[[], tuple[str, ...]]) -> None:
        """The first steps of a phase, breadth first; `then` names the first roll that leads to a problem."""
        try:
            waiting: list[tuple[Step, str]] = [(rules.begin(position), "phase")]
        except Exception as error:  # noqa: BLE001  # a defect of the rules can raise anything
            self._refute("way-on", _named(error), trace, "phase")
            return
        seen = {waiting[0][0]}
        for step, path in waiting:
            if isinstance(step, (Position, Fall)):
                continue
            if len(seen) > MOST_STEPS:
                return
            try:
                following = self._following(step, path)
            except _RefutedError as error:
                self._refute("faces", str(error), trace, error.then)
                return
            except Exception as error:  # noqa: BLE001  # a defect of the rules can raise anything
                self._refute("faces", _named(error), trace, path)
                return
            for after, way in following:
                if after not in seen:
                    seen.add(after)
                    waiting.append((after, way))
                    self._made(after if isinstance(after, (Position, Fall)) else after.position, trace, way)

    def _following(self, step: Step, path: str) -> list[tuple[Step, str]]:
        assert not isinstance(step, (Position, Fall)), "it is a roll or a choice"
        if isinstance(step, Choice):
            return [(step.after(option), f"{path} {option}") for option in step.options]
        self.rolls += 1
        if problem := _roll_problem(step):
            raise _RefutedError(problem, step.position, path)
        roll = step.roll()
        return [
            (after, f"{path} {'-'.join(map(str, faces))}")
            for faces, after in zip(roll.faces, roll.results, strict=True)
        ]

    def _made(self, after: Position | Fall, trace: Callable[[], tuple[str, ...]], then: str) -> None:
        """A position that the rules made."""
        self.made += 1
        if isinstance(after, Fall):
            return
        if problem := supply_problem(after):
            self._refute("modules" if after.rules_in_use else "supply", problem, trace, then)
        if (
            after.phase is Phase.ROMAN
            and not after.is_won
            and not rules.may_end(after)
            and not rules.legal_actions(after)
        ):
            self._refute("way-on", f"in '{after}' no action is legal, and the turn may not end", trace, then)

    def _refute(self, claim: str, problem: str, trace: Callable[[], tuple[str, ...]], then: str) -> None:
        if claim not in self.refuted:
            self.refuted[claim] = _refuted(claim, problem, trace(), then)


def supply_problem(position: Position) -> str:
    """Which reserve of a position is negative or has too much, or why it cannot occur; the empty text where all is well."""
    reserves = {
        "revolts": (position.reserve_revolts, REVOLTS),
        "unrest": (position.reserve_unrest, UNREST),
        "armies": (position.reserve_armies, ARMIES),
        **{f"garrisons of {e}": (position.reserve_garrisons(e), position.ruleset.garrisons) for e in position.emperors},
    }
    for what, (left, most) in reserves.items():
        if not 0 <= left <= most:
            return f"{left} {what} in the reserve, expected 0 to {most}"
    if len(position.fleets) != position.ruleset.fleets:
        return f"{len(position.fleets)} Roman fleets, expected {position.ruleset.fleets}"
    return ""


def _alone(position: Position) -> tuple[str, ...]:
    return (str(position),)


def _until(game: Game, number: int) -> tuple[str, ...]:
    """The record of a game up to a state."""
    part = Game(game.start, game.set_up)
    for played, state in zip(game.played[:number], game.states[1 : number + 1], strict=True):
        part._push(state, played)  # noqa: SLF001  # the states are those of a game, which need not be played again
    return tuple(write_record(part).splitlines())


def _edges(board: Board) -> Iterator[Position]:
    """Positions in which one reserve is empty, before the phase and in a turn; and one beside another Emperor with the last IP."""
    roman = [place for place in board.ids if not board[place].is_border and place != board.roma]
    who = board.emperors[0].id
    for phase, text in (
        (Phase.BARBARIAN, "3111 D:b rom/-/-/- 1 - - - -/-/-/-"),
        (Phase.ROMAN, "3111 D:6 rom/-/-/- 1 - - - -/-/-/-"),
    ):
        start = Position.parse(text, board)
        assert start.phase is phase
        far = roman[::-1]
        yield start.replace(
            discs={**dict.fromkeys(roman[:REVOLTS], REVOLT_DISC), **dict.fromkeys(far[:5], UNREST_DISC)}
        )
        yield start.replace(discs=dict.fromkeys(far[:UNREST], UNREST_DISC))
        yield start.replace(discs=dict.fromkeys(far[: start.ruleset.garrisons], who))
        places = [place for place in roman if board[place].arrow is not None][:ARMIES]
        yield start.replace(armies=tuple(places), discs=dict.fromkeys(roman[:18], REVOLT_DISC))
        yield start.replace(
            discs={**dict.fromkeys(roman[:REVOLTS], REVOLT_DISC)}, emperors={who: roman[0]}
        )  # on a revolt, which he can reduce or remove
    other = board.emperors[1].id
    beside = next(place for place, link in board.neighbours(board.roma).items() if not link.broken)
    yield Position.parse("3111 D:1 rom/-/-/- 1 - - - -/-/-/-", board).replace(emperors={who: board.roma, other: beside})


# -- rules in play -----------------------------------------------------------------------------------------------------


def _in_play(
    profile: Profile, games: Sequence[tuple[tuple[str, ...], Game | None, str]], board: Board, stop: Stop | None
) -> Verdict:
    """Each rule that applies in an example is reachable: the example is its trace. So is a game with chosen dice."""
    found: set[str] = set()
    for record, game, problem in games:
        try:
            if game is None:
                return _refuted("in-play", f"an example does not replay: {problem}", record, "replay")
            found |= applications(game).keys()
        except TetrasolveError as error:
            return _refuted("in-play", str(error), record, "replay")
    observed = [rule.id for rule in all_rules().values() if rule.is_observed]
    left = [rule for rule in observed if rule not in found]
    hidden = len(all_rules()) - len(observed)
    how = f"{len(observed) - len(left)} of {len(observed)} rules apply in {len(games)} recorded games"
    try:
        for what, game in rare_games(board) if left and not is_over(stop) else ():
            applied = applications(game)
            shown = [rule for rule in left if rule in applied]
            left = [rule for rule in left if rule not in shown]
            how += f"; {', '.join(shown)} in {what}" if shown else ""
    except Exception as error:  # noqa: BLE001  # a defect of the rules can raise anything
        how += f"; games with chosen dice cannot be played: {_named(error)}"
    if left:
        total = sum(tally.games for tally in profile.tables.values())
        how += f"; in none of {total:,} games: {', '.join(left)}"
    how += f"; {hidden} are not observed, since no step shows them"
    return Verdict("in-play", CLAIMS["in-play"], Status.UNKNOWN if left else Status.PROVED, how)


# -- how games end -----------------------------------------------------------------------------------------------------


def _ends(witnesses: Witnesses, board: Board, stop: Stop | None) -> Iterator[Verdict]:
    yield _shown("won", witnesses.won, "won", board, stop)
    yield _lost(_shown("lost", witnesses.lost, "fallen", board, stop), witnesses, board, stop)
    yield _endless(witnesses, board, stop)
    yield _passive(board)


def _passive(board: Board) -> Verdict:
    """The table bounds the number of phases of a passive Rome, which it is checked to do."""
    bound = stored_bound()
    if problem := next(bound_problems(bound, board), None):
        return Verdict("passive", CLAIMS["passive"], Status.UNKNOWN, f"the table of phases proves nothing: {problem}")
    most = most_phases(bound)
    how = (
        f"Rome never wins, and falls after at most {most:,} phases on average, from every set-up of every level: a table of "
        f"{len(bound):,} numbers of revolts, unrest and armies, each checked against all that can follow; so it falls within "
        f"{2 * most:,} phases with a chance of at least one half"
    )
    return Verdict("passive", CLAIMS["passive"], Status.PROVED, how)


def _shown(claim: str, records: Mapping[str, Sequence[str]], wanted: str, board: Board, stop: Stop | None) -> Verdict:
    """What games that end as wanted show, each from one set-up of its table."""
    count = 0
    for table, record in records.items():
        if is_over(stop):
            break
        game, problem = _read(record, board)
        if game is None or game.set_up is None or not game.result.startswith(wanted):
            return _refuted(
                claim, f"the game of {table} is not {wanted}: {problem or 'it ends otherwise'}", record, "replay"
            )
        count += 1
    how = f"so it ends in {count} replayed games, each from one set-up of its table"
    left = [table for table in all_tables() if table not in records]
    levels = sum(table.isdigit() for table in left)
    others = [f"{levels} levels"] * (levels > 0) + [table for table in left if not table.isdigit()]
    how += f"; there is none of {', '.join(others)}" if left else "; levels, scenarios, modules and variants"
    return Verdict(claim, CLAIMS[claim], Status.UNKNOWN, f"{how}; other set-ups were not tried" + OPEN.get(claim, ""))


def _lost(shown: Verdict, witnesses: Witnesses, board: Board, stop: Stop | None) -> Verdict:
    """By an argument whose premises are checked, beside the games that are kept; losing play is played where there is none."""
    if shown.status is Status.REFUTED:
        return shown
    try:
        problem = next(losing.problems(board), None) or losing.play_problem(TOGETHER, stop)
    except Stopped:
        problem = "the time ran out"
    except Exception as error:  # noqa: BLE001  # a defect of the rules can raise anything
        problem = _named(error)
    if problem:
        return replace(shown, how=f"{shown.how}; the argument of losing play was not confirmed: {problem}")
    how = (
        f"in each phase dice can name one of {len(losing.targets(board))} provinces without a printed disc, one in which no revolt "
        "lies, and an unrest comes or becomes a revolt; while Rome does nothing no army comes, and only victories over the few "
        f"that attack take a revolt away; so Rome falls within {losing.most_phases()} phases. The premises were checked for each "
        f"province; {len(witnesses.lost)} lost games were replayed, and losing play was played with all modules and all variants"
    )
    return replace(shown, status=Status.PROVED, how=how)


def _endless(witnesses: Witnesses, board: Board, stop: Stop | None) -> Verdict:
    """Waiting play never ends, so that the claim is refuted where its positions are closed."""
    unknown = partial(Verdict, "ends", CLAIMS["ends"], Status.UNKNOWN)
    game, problem = _read(witnesses.waiting, board)
    if game is None or game.set_up is None or not isinstance(game.state, Position):
        return unknown(f"no record leads to waiting play: {problem or 'it does not begin at a set-up'}")
    try:
        positions, results = Waiting(game.state, witnesses.turns).check(stop)
    except Stopped:
        return unknown("the time ran out before waiting play was checked")
    except (NotClosedError, EnginesDifferError, TetrasolveError) as error:
        return unknown(f"waiting play is not closed: {error}")
    how = (
        f"waiting play never ends, whatever is rolled: the record leads to one of {positions} positions, and all {results:,} "
        "results of a turn and a phase from these are among them"
    )
    then = "each Emperor goes to the unrest there is, removes it and comes back"
    return _refuted("ends", how, witnesses.waiting, then)
