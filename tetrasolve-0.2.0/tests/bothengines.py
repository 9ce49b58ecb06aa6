"""Both engines on one position of a Roman phase: whatever one says, the other has to say."""

from collections import Counter

from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.action import END, Kind
from tetrasolve.tetrarchia.position import Position


def compare_turn(position):
    """Hold the engines against each other: legal actions, costs, odds, stopping and results.

    Each action of the reference rules, END among them, with what it leads to.
    """
    board, engine, state = position.board, fast.kernel_of(position), fast.to_state(position)
    assert isinstance(state, whole.State)
    assert fast.to_position(state, board, position.ruleset) == position
    actions = rules.legal_actions(position)
    codes = [fast.to_code(action, board) for action in actions]
    assert [fast.to_action(code, board) for code in codes] == list(actions)
    assert sorted(codes) == engine.legal(state), position
    may_end = rules.may_end(position)
    assert may_end == engine.may_end(state), position
    if may_end:
        actions, codes = (*actions, END), (*codes, whole.END)
    played = []
    for action, code in zip(actions, codes, strict=True):
        assert rules.cost(position, action) == engine.cost(state, code), (position, action)
        after, kernel_after = rules.play(position, action), engine.play(state, code)
        if action.kind is Kind.ATTACK:
            dice = rules.attack_roll(position, action.place, action.figure, action.payments)
            faces = Counter(result.outcome for result in dice.results)
            odds = whole.attack_odds(engine, state, code)
            assert tuple(faces[outcome] for outcome in fast.OUTCOMES) == odds, (position, action)
        if isinstance(after, Position):
            assert fast.to_position(kernel_after, board, position.ruleset) == after, (position, action)
            assert kernel_after.result == (whole.WON if after.is_won else whole.OPEN), (position, action)
        else:
            assert kernel_after.result == whole.FALLEN, (position, action)
        played.append((action, after))
    return played
