"""Turns solved exactly against all policies tried out one by one."""

from fractions import Fraction

import pytest

from tetrasolve.tetrarchia import kernel
from tetrasolve.tetrarchia.kernel import ATTACK, END, FALLEN, OFF, OPEN, ROMAN, WON, KernelError, State, Turn


def short_states(kit, played):
    """Open positions with few IP, most of them beside an army."""
    yield kit.state(at={"diocletian": "noricum"}, armies="rhaetia germania_magna", revolts="noricum", ip=3)
    yield kit.state(
        at={"diocletian": "cisalpina", "galerius": "etruria"}, armies="rhaetia", unrest="cisalpina", fleets=2, ip=3
    )
    yield kit.state(
        at={"diocletian": "pannonia_superior"}, armies="rhaetia", revolts="noricum", unrest="dalmatia", ip=4
    )
    yield kit.state(armies="roma", revolts="bithynia", unrest="asia")
    for state in played[:10]:
        if state.emperors[state.to_move] != OFF:
            yield State(
                revolts=state.revolts,
                unrest=state.unrest,
                garrisons=state.garrisons,
                armies=state.armies,
                emperors=state.emperors,
                fleets=state.fleets,
                to_move=state.to_move,
                ip=2,
            )


class SlowTurn:
    """Every value that some policy has, as a set; small turns only."""

    def __init__(self, engine, start, criteria):
        self.engine, self.start, self.criteria = engine, start, criteria
        self.known = {}

    def worth(self, state, left):
        row = []
        for kind, *given in self.criteria:
            if kind == "goal":
                emperor, garrisons, no_revolt, no_unrest, no_army = given
                held = sum(state.garrisons)
                place = state.emperors[state.to_move]
                good = (
                    (not emperor or emperor >> place & 1)
                    and garrisons & ~held == 0
                    and not (no_revolt & state.revolts or no_unrest & state.unrest or no_army & state.armies)
                    and state.result != FALLEN
                )
                row.append(Fraction(bool(good)))
            elif kind == "linear":
                masks = (state.revolts, state.unrest, sum(state.garrisons), state.armies)
                *weights, of_emperor, constant = given
                total = constant + sum(
                    w[p] for w, mask in zip(weights, masks, strict=True) if w for p in range(48) if mask >> p & 1
                )
                place = state.emperors[state.to_move]
                row.append(Fraction(total + (of_emperor[place] if of_emperor and place != OFF else 0)))
            elif kind == "ip":
                row.append(Fraction(left - self.start.ip))
            elif state.result != OPEN:
                row.append(Fraction(-(state.result == FALLEN)))
            else:
                chance = self.engine.phase(state)["p_uprising"]
                row.append(-Fraction(chance).limit_denominator(36 << 12))
        return tuple(row)

    def values(self, state, left):
        if (state, left) in self.known:
            return self.known[state, left]
        found = set()
        if state.phase != ROMAN or state.result != OPEN:
            found = {self.worth(state, left)}
        else:
            if self.engine.may_end(state):
                found.add(self.worth(self.engine.play(state, END), left))
            fights = {}
            for code in self.engine.legal(state):
                after = self.engine.play(state, code)
                rest = state.ip - self.engine.cost(state, code)
                if code & 15 == ATTACK:
                    chance = Fraction(self.engine.odds(state, code >> 4 & 63)[code >> 10], 36)
                    fights.setdefault(code >> 4 & 63, []).append((chance, self.values(after, rest)))
                else:
                    found |= self.values(after, rest)
            for outcomes in fights.values():
                sums = {tuple(Fraction(0) for _ in self.criteria)}
                for chance, values in outcomes:
                    top = sorted(values)[-3:]  # enough for the best two sums
                    sums = {
                        tuple(a + chance * b for a, b in zip(done, value, strict=True))
                        for done in sums
                        for value in top
                    }
                found |= sums
        self.known[state, left] = found
        return found

    def follow(self, state, left, plan):
        """The value of a plan; every code in it must be legal."""
        codes, fight = plan
        for code in codes:
            left -= self.engine.cost(state, code)
            state = self.engine.play(state, code)
        if fight is None:
            if state.phase == ROMAN and state.result == OPEN:
                state = self.engine.play(state, END)
            return self.worth(state, left)
        province, branches = fight
        odds = self.engine.odds(state, province)
        assert {outcome: chance for outcome, (chance, _) in branches.items()} == {
            outcome: chance for outcome, chance in enumerate(odds) if chance
        }
        total = tuple(Fraction(0) for _ in self.criteria)
        for outcome, (chance, rest) in branches.items():
            code = ATTACK | province << 4 | outcome << 10
            value = self.follow(self.engine.play(state, code), left - self.engine.cost(state, code), rest)
            total = tuple(a + Fraction(chance, 36) * b for a, b in zip(total, value, strict=True))
        return total


def questions(kit):
    weights = [(-1) ** p * (p % 5) for p in range(48)]
    return [
        [("goal", 0, 0, 0, 0, kit.mask("rhaetia")), ("uprising",), ("ip",)],
        [("uprising",), ("linear", weights, None, weights, [7] * 48, weights, -3)],
        [("ip",)],
        [
            ("linear", [-10] * 48, [-3] * 48, None, [-20] * 48, None, 0),
            ("goal", kit.mask("roma cisalpina noricum"), 0, 0, 0, 0),
        ],
    ]


def test_the_optimum_is_the_best_of_all_policies(kit, base, played):
    for state in short_states(kit, played):
        turn = Turn(base, state)
        assert turn.ends == base.ends(state)
        for criteria in questions(kit):
            slow = SlowTurn(base, state, criteria)
            values = sorted(slow.values(state, state.ip))
            solution = turn.solve(criteria)
            assert tuple(Fraction(*value) for value in solution.values) == values[-1]
            assert slow.follow(state, state.ip, solution.plan()) == values[-1]
            if len(values) == 1:
                assert solution.runner_up is None
                assert solution.runner_up_plan() is None
            else:
                assert tuple(Fraction(*value) for value in solution.runner_up) == values[-2]
                assert slow.follow(state, state.ip, solution.runner_up_plan()) == values[-2]


def test_optimal_ends(kit, base):
    state = kit.state(at={"diocletian": "roma"}, ip=2)
    turn = Turn(base, state)
    # ends: Roma, Etruria, Lucania, Cisalpina without a garrison; and with one Roma, Etruria, Lucania; Roma secured then left
    assert turn.ends == 9
    anywhere = turn.solve([("goal", 0, 0, 0, 0, 0)])
    assert (anywhere.values, anywhere.runner_up, anywhere.optimal_ends) == (((1, 1),), None, 9)
    assert anywhere.plan() == ((kit.move("etruria"), kit.move("roma")), None) or anywhere.plan()[1] is None
    cheapest = turn.solve([("goal", 0, kit.mask("roma"), 0, 0, 0), ("ip",)])
    assert cheapest.values == ((1, 1), (-1, 1))
    assert cheapest.runner_up == ((1, 1), (-2, 1))
    assert cheapest.optimal_ends == 1
    assert cheapest.plan() == ((kernel.SECURE,), None)


def test_every_number_is_exact(kit, base):
    state = kit.state(at={"diocletian": "noricum"}, armies="rhaetia", discs={"galerius": "noricum"}, ip=2)
    solution = Turn(base, state).solve([("goal", 0, 0, 0, 0, kit.mask("rhaetia"))])
    # two attacks: victory 15/36, draw 6/36, then 15/36 again
    assert solution.values == ((35, 72),)
    assert Fraction(15, 36) + Fraction(6, 36) * Fraction(15, 36) == Fraction(35, 72)


def test_a_won_game_is_an_end(kit, base):
    state = kit.state(
        at={"diocletian": "libya"},
        discs={"diocletian": "gaetulia britannia germania_magna", "galerius": "sarmatia persia"},
        ip=2,
    )
    turn = Turn(base, state)
    solution = turn.solve([("goal", 0, kit.mask("libya"), 0, 0, 0), ("uprising",)])
    assert solution.values == ((1, 1), (0, 1))
    assert solution.optimal_ends == 1
    assert any(end.result == WON for end in base.end_states(state))


def test_turns_and_criteria_without_sense_are_refused(kit, base):
    state = kit.state(at={"diocletian": "roma"})
    with pytest.raises(KernelError, match=r"^max_nodes"):
        Turn(base, state, max_nodes=3)
    turn = Turn(base, state)
    for criteria in ([], [("speed",)], [("goal", 0)], [("linear", [0] * 47, None, None, None, None, 0)], [("ip", 1)]):
        with pytest.raises(KernelError, match=r"^criteria"):
            turn.solve(criteria)
