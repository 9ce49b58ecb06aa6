"""Games at random on the reference rules: what holds after every single step."""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tabletop import CAPITALS

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, REDUCE, REMOVE, SECURE, Kind, Outcome, attack, enter, move, sail
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Phase, Position, next_emperor
from tetrasolve.tetrarchia.rules import Fall, RandomDice
from tetrasolve.tetrarchia.ruleset import all_levels

BOARD = Board.standard()
LEVELS = list(all_levels())
EMPERORS = tuple(CAPITALS)
POOL = [
    *map(enter, BOARD.ids),
    *map(move, BOARD.ids),
    *(sail(a, b) for a in (1, 2, 3) for b in (1, 2, 3)),
    *(attack(place, outcome) for place in BOARD.ids for outcome in Outcome),
    SECURE,
    REMOVE,
    REDUCE,
]


class Game(RuleBasedStateMachine):
    """A game whose actions hypothesis chooses and whose Barbarian phases come from seeds."""

    def __init__(self):
        super().__init__()
        self.now: Position | Fall | None = None

    @initialize(level=st.sampled_from(LEVELS), seed=st.integers(0, 10**6))
    def set_up(self, level, seed):
        self.now = rules.random_set_up(level, seed)

    @precondition(lambda self: isinstance(self.now, Fall) or (isinstance(self.now, Position) and self.now.is_won))
    @rule(level=st.sampled_from(LEVELS), seed=st.integers(0, 10**6))
    def another_game(self, level, seed):
        self.now = rules.random_set_up(level, seed)

    def playing(self):
        return isinstance(self.now, Position) and self.now.phase is Phase.ROMAN and not self.now.is_won

    @precondition(lambda self: self.playing() and rules.legal_actions(self.now))
    @rule(data=st.data())
    def act(self, data):
        """One legal action: it costs what it says, and what it does not touch stays."""
        before = self.now
        action = data.draw(st.sampled_from(rules.legal_actions(before)))
        price = rules.cost(before, action)
        after = self.now = rules.play(before, action)
        assert 0 <= price <= before.ip
        assert rules.play(before, action) == after
        assert isinstance(after, Position), "with the default readings no action of Rome lets the Empire fall"
        assert after.to_move == before.to_move
        if action.outcome is Outcome.DEFEAT:
            assert (after.phase, after.ip, after.here) == (Phase.BARBARIAN, 0, None)
        else:
            assert (after.phase, after.ip) == (Phase.ROMAN, before.ip - price)
        unmoved = {e: place for e, place in before.emperors.items() if e != before.to_move}
        assert {e: place for e, place in after.emperors.items() if e != before.to_move} == unmoved
        assert (after.fleets != before.fleets) == (action.kind is Kind.SAIL)
        assert (after.armies != before.armies) == (action.outcome is Outcome.VICTORY)
        changed = {p for p in BOARD.ids if before.discs.get(p) != after.discs.get(p)}
        assert changed <= {before.here, after.here}
        assert len(after.revolts) <= len(before.revolts)
        assert set(before.secured) <= set(after.secured)

    @precondition(lambda self: self.playing() and rules.may_end(self.now))
    @rule()
    def stop(self):
        """Stopping hands over to the Barbarians and changes nothing on the board."""
        before = self.now
        self.now = rules.play(before, END)
        assert self.now == before.replace(phase=Phase.BARBARIAN, ip=0)

    @precondition(lambda self: isinstance(self.now, Position) and self.now.phase is Phase.BARBARIAN)
    @rule(seed=st.integers(0, 10**6))
    def barbarians(self, seed):
        """One Barbarian phase: the next Emperor has 6 IP; Rome gains nothing, armies come one at most."""
        before = self.now
        after = self.now = rules.sample(before, RandomDice(seed))
        assert rules.sample(before, RandomDice(seed)) == after
        if isinstance(after, Fall):
            return
        assert (after.to_move, after.phase, after.ip) == (next_emperor(before), Phase.ROMAN, 6)
        assert len(after.armies) <= len(before.armies) + 1
        assert len(after.unrest) <= len(before.unrest) + 1
        assert after.fleets == before.fleets
        assert after.secured == before.secured
        for emperor in EMPERORS:
            assert after.garrisons(emperor) <= before.garrisons(emperor)
            assert after.emperors[emperor] in (before.emperors[emperor], None)

    @invariant()
    def the_table_is_in_order(self):
        """Nothing impossible lies on the board, no disc or figure is lost, one figure stands in a province."""
        position = self.now
        if not isinstance(position, Position):
            return
        assert position.status() == ()
        assert 0 <= position.ip <= 6
        assert len(position.revolts) + position.reserve_revolts == 21
        assert len(position.unrest) + position.reserve_unrest == 21
        assert len(position.armies) + position.reserve_armies == 3
        assert min(position.reserve_revolts, position.reserve_unrest, position.reserve_armies) >= 0
        for emperor in EMPERORS:
            assert position.reserve_garrisons(emperor) >= 0
        figures = [place for place in position.emperors.values() if place is not None] + list(position.armies)
        for place in set(figures):
            assert figures.count(place) == 1 or (
                figures.count(place) == 2 and position.is_shared and place == position.here
            )
        assert BOARD.roma not in position.armies

    @invariant()
    def listed_is_what_meets_no_objection(self):
        """`legal_actions` and `objection` agree on sixty actions drawn for this position; a way on always exists."""
        position = self.now
        if not isinstance(position, Position):
            return
        listed = rules.legal_actions(position)
        for action in [*Random(str(position)).sample(POOL, 60), *listed]:
            assert (rules.objection(position, action) is None) == (action in listed)
        assert (rules.objection(position, END) is None) == rules.may_end(position)
        over = position.is_won or position.phase is Phase.BARBARIAN
        assert bool(listed or rules.may_end(position)) != over
        if position.is_shared and not over:
            assert {action.kind for action in listed} == {Kind.MOVE}
            assert not rules.may_end(position)


TestGame = Game.TestCase
TestGame.settings = settings(stateful_step_count=40, max_examples=settings.default.max_examples * 2 // 5)
