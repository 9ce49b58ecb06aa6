"""The exact Barbarian phase against a slow second one written here, against dice, and against counts by hand."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise

import pytest

from tetrasolve.tetrarchia import kernel
from tetrasolve.tetrarchia.kernel import FALLEN, OFF, OPEN, KernelError, Rng, State

READINGS = [
    {},
    {"one_roll": True},
    {"fresh_wait": True, "group_under_army": True},
    {"order_file": True, "battle_unbroken": True},
]


class SlowPhase:
    """The Barbarian phase roll by roll on sets and dictionaries, in fractions; `None` is the fallen Empire."""

    def __init__(self, arguments, engine):
        self.a = arguments
        self.engine = engine  # for the odds of battles only
        self.links = defaultdict(dict)
        for p, q, broken in arguments["links"]:
            self.links[p][q] = self.links[q][p] = broken
        self.place = {}
        for p, (region, number) in enumerate(zip(arguments["region"], arguments["number"], strict=True)):
            if number:
                self.place[region, number] = p
        self.echoes = {}
        self.printed = {p for mask in arguments["printed"] for p in bits(mask)}

    def start(self, state):
        discs = {p: "revolt" for p in bits(state.revolts)} | {p: "unrest" for p in bits(state.unrest)}
        for who, mask in enumerate(state.garrisons):
            discs |= {p: f"garrison{who}" for p in bits(mask)}
        return (frozenset(discs.items()), frozenset(bits(state.armies)), state.emperors)

    def put(self, discs, new, kind):
        """The discs with this kind on all of `new`, or None."""
        discs = {p: d for p, d in discs if p not in new} | dict.fromkeys(new, kind)
        return None if list(discs.values()).count(kind) > 21 else frozenset(discs.items())

    def outcomes(self, state):
        """Position -> chance."""
        total = Counter()
        for table, chance in self.step_1(self.start(state)).items():
            for after, share in self.step_2(table).items():
                for end, part in self.step_3(after).items():
                    total[end] += chance * share * part
        return total

    def step_1(self, start):
        discs, armies, emperors = start
        result = Counter()
        half = Fraction(1, 2)
        todo = [(discs, frozenset(), None, Fraction(1))]  # failed links, what the one die showed
        while todo:
            discs, failed, die, chance = todo.pop()
            kind = dict(discs)
            ways = sorted(
                (broken, p, q)
                for p, disc in kind.items()
                if disc == "revolt"
                for q, broken in self.links[p].items()
                if kind.get(q) == "unrest" and (p, q) not in failed
            )
            if not ways:
                result[discs] += chance
                continue
            broken, p, q = ways[0]
            spread = frozenset((discs - {(q, "unrest")}) | {(q, "revolt")})
            if not broken or die:
                todo.append((spread, failed, die, chance))
            elif self.a.get("one_roll"):
                if die is None:
                    todo.append((spread, failed, True, chance * half))
                    todo.append((discs, failed | {(p, q)}, False, chance * half))
                else:
                    todo.append((discs, failed | {(p, q)}, False, chance))
            else:
                todo.append((spread, failed, die, chance * half))
                todo.append((discs, failed | {(p, q)}, die, chance * half))
        tables = Counter()
        for discs, chance in result.items():
            revolts = {p for p, disc in discs if disc == "revolt"}
            if len(revolts) > 21:
                tables[None] += chance
            else:
                tables[discs, armies, tuple(OFF if p in revolts else p for p in emperors)] += chance
        return tables

    def step_2(self, table):
        if table is None:
            return {None: Fraction(1)}
        result = Counter()
        for p in self.place.values():
            for after, chance in self.activity(table, p).items():
                result[after] += chance / 36
        return result

    def activity(self, table, p):
        discs, armies, emperors = table
        disc = dict(discs).get(p)
        if disc == "revolt":
            result = Counter()
            for after, chance in self.uprising(discs, p).items():
                echo = {None: Fraction(1)} if after is None else self.echo((after, armies, emperors))
                for end, share in echo.items():
                    result[end] += chance * share
            return result
        if disc == "unrest":
            discs = self.put(discs, {p}, "revolt")
        elif disc is None and p not in self.printed:
            discs = self.put(discs, {p}, "unrest")
        return {None if discs is None else (discs, armies, emperors, None): Fraction(1)}

    def uprising(self, discs, p):
        """Discs after it -> chance."""
        kind = dict(discs)
        sure, doubtful = set(), []
        for q, broken in self.links[p].items():
            if q not in self.a["borders"] and kind.get(q) != "revolt":
                if broken:
                    doubtful.append(q)
                else:
                    sure.add(q)
        sets = [frozenset(sure)]
        if self.a.get("one_roll"):
            sets = [frozenset(sure), frozenset(sure | set(doubtful))]
        else:
            for q in doubtful:
                sets += [held | {q} for held in sets]
        result = Counter()
        for held in sets:
            result[self.put(discs, held, "revolt")] += Fraction(1, len(sets))
        return result

    def echo(self, table):
        """After an uprising."""
        if table not in self.echoes:
            self.echoes[table] = self.new_echo(table)
        return self.echoes[table]

    def new_echo(self, table):
        """A position that repeats itself is solved for."""
        discs, armies, emperors = table
        if len(armies) == 3:
            return {(discs, armies, emperors, None): Fraction(1)}
        result = Counter()
        repeats = Fraction(0)
        for region, border in enumerate(self.a["borders"], 1):
            if border not in armies and border not in emperors and border not in dict(discs):
                result[discs, armies | {border}, emperors, border] += Fraction(1, 6)
                continue
            for number in range(1, 7):
                p = self.place[region, number]
                if dict(discs).get(p) == "revolt":
                    for after, chance in self.uprising(discs, p).items():
                        if after == discs:
                            repeats += chance / 36
                        elif after is None:
                            result[None] += chance / 36
                        else:
                            for end, share in self.echo((after, armies, emperors)).items():
                                result[end] += chance * share / 36
                else:
                    for end, share in self.activity(table, p).items():
                        result[end] += share / 36
        return {end: chance / (1 - repeats) for end, chance in result.items()}

    def step_3(self, table):
        if table is None:
            return {None: Fraction(1)}
        discs, armies, emperors, fresh = table
        movers = sorted(armies - {fresh} if self.a.get("fresh_wait") else armies, key=self.rank)
        tables = Counter({(discs, armies, emperors): Fraction(1)})
        for p in movers:
            moved = Counter()
            for now, chance in tables.items():
                if now is None:
                    moved[None] += chance
                else:
                    for after, share in self.march(now, p).items():
                        moved[after] += chance * share
            tables = moved
        return tables

    def rank(self, p):
        steps, q = 0, p
        while q != self.a["roma"]:
            q, steps = self.a["arrows"][q], steps + 1
        number = 7 if p in self.a["borders"] else self.a["number"][p]
        return (steps, self.a["region"][p], 0 if self.a.get("order_file") else number, p)

    def march(self, table, p):
        discs, armies, emperors = table
        q = self.a["arrows"][p]
        if q in armies:
            return {table: Fraction(1)}
        result = Counter()
        goes = Fraction(1)
        if self.links[p][q]:
            goes /= 2
            result[table] += goes
        wins = goes
        if q in emperors:
            who = emperors.index(q)
            state = self.as_state(table, to_move=who)
            victory, draw, defeat = (Fraction(n, 36) for n in self.engine.odds(state, p))
            result[table] += goes * draw
            rest = frozenset((at, disc) for at, disc in discs if at != p)
            result[rest, armies - {p}, emperors] += goes * victory
            wins = goes * defeat
            emperors = (*emperors[:who], OFF, *emperors[who + 1 :])
        discs = self.put(discs, {q}, "revolt")
        if discs is None or q == self.a["roma"]:
            result[None] += wins
        else:
            result[discs, armies - {p} | {q}, emperors] += wins
        return +result

    def as_state(self, table, **rest):
        discs, armies, emperors = table

        def lying(kind):
            return sum(1 << p for p, disc in discs if disc == kind)

        return State(
            revolts=lying("revolt"),
            unrest=lying("unrest"),
            garrisons=tuple(lying(f"garrison{who}") for who in range(4)),
            armies=sum(1 << p for p in armies),
            emperors=emperors,
            **rest,
        )


def bits(mask):
    return [p for p in range(48) if mask >> p & 1]


def crowded(states):
    """The same states with more unrest and less quiet borders, where uprisings chain."""
    rng = Rng(77)
    for state in states:
        free = ~(state.revolts | state.unrest | sum(state.garrisons))
        unrest = state.unrest | sum(1 << p for p in range(1, 42) if free >> p & 1 and rng.d6() == 1)
        borders = sum(1 << p for p in range(42, 48) if (free & ~state.armies) >> p & 1 and rng.d6() <= 3)
        if unrest.bit_count() <= 21:
            yield State(
                revolts=state.revolts,
                unrest=unrest,
                garrisons=tuple(mask | (borders if who == 0 else 0) for who, mask in enumerate(state.garrisons)),
                armies=state.armies,
                emperors=state.emperors,
                fleets=state.fleets,
                to_move=state.to_move,
            )


def in_the_way(kit):
    """Emperors whom armies meet, one after the other, with support on both sides and reserves running out."""
    garrisons = {"diocletian": "persia sarmatia", "galerius": "rhaetia britannia gaetulia", "maximian": "etruria"}
    at = {"diocletian": "cisalpina", "galerius": "rhaetia", "constantius": "etruria", "maximian": "aegyptus"}
    yield kit.state(at=at, discs=garrisons, armies="narbonensis germania_magna libya", revolts="narbonensis africa")
    yield kit.state(
        "galerius", at, garrisons, armies="narbonensis germania_superior", unrest="noricum", revolts="dacia"
    )
    yield kit.state("maximian", at, garrisons, armies="germania_magna", revolts="cyrenaica tripolitania", fleets=1)
    many = (
        "lusitania gallaecia carthagenensis tarraconensis aquitania lugdunensis belgica noricum dacia dalmatia thracia"
    )
    many += " macedonia achaia epirus syria cilicia galatia asia cappadocia narbonensis"
    yield kit.state("constantius", at, garrisons, armies="narbonensis libya", revolts=many)


@pytest.mark.parametrize("every", [6, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("readings", READINGS, ids=str)
def test_outcomes_are_those_of_the_slow_phase(kit, played, readings, every):
    engine = kit.kernel(garrisons=10, **readings)
    slow = SlowPhase(kit.arguments | readings, engine)
    states = [state for state in played if len(set(state.emperors) - {OFF}) == 4 - state.emperors.count(OFF)]
    few = [state for state in states + list(crowded(states)) if engine.phase(state)["outcomes"] <= 1000]
    assert len(few) >= 20
    for state in few[::every] + list(in_the_way(kit)):
        expected = {}
        for table, chance in slow.outcomes(state).items():
            end = (
                FALLEN if table is None else slow.as_state(table, fleets=state.fleets, to_move=(state.to_move + 1) % 4)
            )
            expected[end] = float(chance)
        found = {FALLEN if end.result == FALLEN else end: chance for end, chance in engine.outcomes(state)}
        assert found.keys() == expected.keys()
        assert all(abs(found[end] - expected[end]) < 1e-12 for end in found)


def test_chances_sum_to_one_and_figures_fit_the_outcomes(base, played):
    for state in played:
        outcomes = base.outcomes(state)
        figures = base.phase(state)
        assert abs(sum(chance for _, chance in outcomes) - 1) < 1e-12
        assert [bytes(end) for end, _ in outcomes] == sorted({bytes(end) for end, _ in outcomes})
        assert figures["outcomes"] == len(outcomes) <= figures["visits"]
        lost = sum(chance for end, chance in outcomes if end.result == FALLEN)
        revolts = sum(chance * end.revolts.bit_count() for end, chance in outcomes if end.result == OPEN)
        assert abs(lost - figures["p_lost"]) < 1e-12
        assert abs(revolts - figures["e_revolts"]) < 1e-9
        for end, _ in outcomes:
            assert (end.to_move, end.ip, end.phase) == ((state.to_move + 1) % 4, 6, kernel.ROMAN)


def test_a_phase_with_more_outcomes_than_the_cache_holds(base):
    """Large books put positions later than they come: nothing is lost, doubled or added to another."""
    state = State(
        revolts=0x80201240, unrest=0x4404, garrisons=(0x10000020, 0, 0x24000000, 0x10400000000), armies=0x440000000000,
        emperors=(47, 30, 16, 5), fleets=3, phase=1,
    )  # fmt: skip
    figures = base.phase(state)
    for _ in range(2):  # the second time in memory that is left from the first
        outcomes = base.outcomes(state)
        assert len(outcomes) == figures["outcomes"] == 174_589
        keys = [bytes(after) for after, _ in outcomes]
        assert all(a < b for a, b in pairwise(keys))
        assert sum(chance for _, chance in outcomes) == pytest.approx(1, abs=1e-12)
        standing = [(after, chance) for after, chance in outcomes if after.result == OPEN]
        assert sum(chance * after.revolts.bit_count() for after, chance in standing) == pytest.approx(
            figures["e_revolts"]
        )
    some = dict(outcomes[::5000])
    assert base.phase(State())["outcomes"] < 200  # and a small phase after it
    assert dict(base.outcomes(state)[::5000]) == some


def test_rolled_phases_come_as_often_as_they_should(base, kit, played):
    rounds = 40_000
    for engine, state in (
        (base, played[1]),
        (base, played[7]),
        (kit.kernel(one_roll=True, fresh_wait=True), played[7]),
    ):
        outcomes = engine.outcomes(state)
        rng = Rng(11)
        seen = Counter(engine.sample(state, rng) for _ in range(rounds))
        assert seen.keys() <= {end for end, _ in outcomes}
        # chi-squared over the outcomes that are expected ten times or more, the others taken as one
        often = [(end, chance) for end, chance in outcomes if chance * rounds >= 10]
        rest = 1 - sum(chance for _, chance in often)
        score = sum((seen[end] - rounds * chance) ** 2 / (rounds * chance) for end, chance in often)
        if rest * rounds >= 10:
            others = rounds - sum(seen[end] for end, _ in often)
            score += (others - rounds * rest) ** 2 / (rounds * rest)
        assert score < len(often) + 5 * (2 * len(often)) ** 0.5


def test_a_quiet_position(kit, base):
    state = kit.state(fleets=2)
    figures = base.phase(state)
    # 36 rolls: three printed capitals with a number are safe, 33 provinces get an unrest
    assert figures["outcomes"] == 34
    assert figures["p_uprising"] == figures["p_lost"] == figures["p_new_army"] == figures["e_revolts"] == 0
    chances = {end.unrest: chance for end, chance in base.outcomes(state)}
    assert chances[0] == pytest.approx(3 / 36)
    assert chances[kit.mask("syria")] == pytest.approx(1 / 36)


def test_unrest_catches_fire_over_links_and_dominoes(kit, base):
    normal = kit.state(revolts="lusitania", unrest="baetica carthagenensis tarraconensis")
    assert all(end.revolts.bit_count() >= 4 for end, _ in base.outcomes(normal))
    # one broken link: half of the time
    broken = kit.state(revolts="tingitana", unrest="baetica")
    assert base.phase(broken)["p_uprising"] == pytest.approx(1.5 / 36)
    # two broken links from one unrest to one group: three quarters; one die for both: one half
    both = kit.state(revolts="macedonia epirus", unrest="dalmatia lucania")
    assert base.phase(both)["p_uprising"] == pytest.approx(2.5 / 36)  # Lucania has no number
    one = kit.state(revolts="rhaetia germania_superior", unrest="cisalpina", discs={"galerius": "roma"})
    burnt = sum(chance for end, chance in base.outcomes(one) if end.revolts & kit.mask("cisalpina"))
    together = kit.kernel(one_roll=True)
    burnt_together = sum(chance for end, chance in together.outcomes(one) if end.revolts & kit.mask("cisalpina"))
    assert burnt > 0.75
    assert burnt - burnt_together == pytest.approx(0.25, abs=0.03)


def test_emperors_on_revolts_are_removed_before_the_activity(kit, base):
    state = kit.state(at={"diocletian": "baetica", "galerius": "roma"}, revolts="lusitania", unrest="baetica")
    assert {end.emperors for end, _ in base.outcomes(state)} == {(OFF, kit.row["roma"], OFF, OFF)}
    # an uprising that reaches an Emperor does not remove him
    reached = kit.state(at={"diocletian": "baetica"}, revolts="lusitania")
    assert {end.emperors[0] for end, _ in base.outcomes(reached)} == {kit.row["baetica"]}


def test_an_uprising_and_its_army(kit, base):
    state = kit.state(revolts="cyrenaica")
    figures = base.phase(state)
    # all borders are empty: every uprising ends with an army; Libya's moves on at once over an unbroken link
    assert figures["p_uprising"] == figures["e_uprisings"] == figures["p_new_army"] == pytest.approx(1 / 36)
    risen = kit.mask("cyrenaica aegyptus tripolitania")
    libyan = [(end, chance) for end, chance in base.outcomes(state) if end.armies == kit.mask("aegyptus")]
    assert [(end.revolts, pytest.approx(chance)) for end, chance in libyan] == [(risen, 1 / 36 / 6)]
    waits = kit.kernel(fresh_wait=True).outcomes(state)
    assert {end.armies & ~sum(1 << p for p in kit.borders) for end, _ in waits} == {0}


def test_uprisings_that_repeat_are_closed_exactly(kit, base):
    # no border is empty and the region of Libya is in revolt to its last province: nothing can change there
    state = kit.state(
        revolts="aegyptus cyrenaica tripolitania numidia caesariensis africa syria tingitana sicilia",
        discs={"diocletian": "gaetulia britannia germania_magna", "galerius": "sarmatia persia libya"},
    )
    full = "aegyptus cyrenaica tripolitania numidia caesariensis africa"
    assert kit.mask(full) & ~state.revolts == 0
    outcomes = base.outcomes(state)
    assert abs(sum(chance for _, chance in outcomes) - 1) < 1e-12
    figures = base.phase(state)
    assert figures["p_new_army"] == 0
    assert figures["e_uprisings"] > figures["p_uprising"] / (1 - 6 / 36)


def test_no_echo_when_all_armies_are_out(kit, base):
    state = kit.state(revolts="cyrenaica", armies="persia sarmatia britannia")
    figures = base.phase(state)
    assert figures["e_uprisings"] == pytest.approx(1 / 36)
    assert figures["p_new_army"] == 0


def test_armies_advance_and_are_stopped(kit, base):
    def after(**table):
        ends = base.outcomes(kit.state(**table))
        result = Counter()
        for end, chance in ends:
            result[FALLEN if end.result == FALLEN else frozenset(kit.names(end.armies))] += chance
        return {key: round(chance, 12) for key, chance in result.items()}

    assert after(armies="libya") == {frozenset({"aegyptus"}): 1}
    assert after(armies="britannia") == {frozenset({"britannia"}): 0.5, frozenset({"belgica"}): 0.5}
    assert after(armies="lucania") == {FALLEN: 1}
    # Etruria is nearer to Roma, so it makes way for Cisalpina
    assert after(armies="libya cyrenaica") == {frozenset({"aegyptus", "tripolitania"}): 1}
    # Narbonensis and Rhaetia both go to Cisalpina: the lower region first, each half of the time
    quarter = after(armies="narbonensis rhaetia")
    assert quarter[frozenset({"cisalpina", "rhaetia"})] == 0.5
    assert quarter[frozenset({"cisalpina", "narbonensis"})] == 0.25
    assert quarter[frozenset({"narbonensis", "rhaetia"})] == 0.25


def test_an_army_leaves_a_revolt_and_replaces_any_disc(kit, base):
    state = kit.state(armies="libya", discs={"galerius": "aegyptus"})
    for end, _ in base.outcomes(state):
        assert end.revolts & kit.mask("aegyptus")
        assert end.garrisons[1] == 0


def test_an_emperor_in_the_way_is_attacked(kit, base):
    state = kit.state(at={"galerius": "aegyptus"}, armies="libya")
    ends = base.outcomes(state)
    kept = sum(chance for end, chance in ends if end.armies == kit.mask("libya"))
    beaten = sum(chance for end, chance in ends if end.armies == 0)
    won = sum(chance for end, chance in ends if end.armies == kit.mask("aegyptus"))
    assert (beaten, kept, won) == (pytest.approx(15 / 36), pytest.approx(6 / 36), pytest.approx(15 / 36))
    for end, _ in ends:
        assert (end.emperors[1] == OFF) == (end.armies == kit.mask("aegyptus"))


def test_the_empire_falls_when_a_reserve_is_empty(kit, base):
    numbered = [p for p in range(48) if kit.arguments["number"][p]]
    unrest = sum(1 << p for p in numbered[:21])
    safe = sum(1 << p for p in numbered[21:] if 1 << p & sum(kit.arguments["printed"]))
    assert base.phase(State(unrest=unrest))["p_lost"] == pytest.approx((15 - safe.bit_count()) / 36)
    revolts = State(revolts=unrest)
    assert base.phase(revolts)["p_lost"] > 0


def test_a_phase_needs_an_open_game_and_no_shared_province(base):
    with pytest.raises(KernelError, match=r"^result"):
        base.phase(State(result=FALLEN))
    with pytest.raises(KernelError, match=r"^emperors"):
        base.outcomes(State(emperors=(3, 3, OFF, OFF)))


def test_bench_counts_the_visits_of_the_phases(base, played):
    states = played[:5]
    phases, visits = base.bench_phase(states, 3)
    assert phases == 15
    assert visits == 3 * sum(base.phase(state)["visits"] for state in states)


def test_random_games_end_and_repeat_with_their_seed(base):
    first = base.random_games(200, 1, 2, 1, seed=9)
    assert first == base.random_games(200, 1, 2, 1, seed=9)
    assert first != base.random_games(200, 1, 2, 1, seed=10)
    assert first["games"] == 200 == first["won"] + first["fallen"]
    rng = Rng(3)
    start = base.setup(2, 3, 2, rng)
    assert (start.revolts.bit_count(), start.fleets, start.armies.bit_count()) == (8, 7, 2)
    result, turns, plies = base.random_game(start, rng)
    assert result == FALLEN
    assert plies >= 2 * turns
    assert base.random_game(start, rng, max_turns=1)[1] == 1
