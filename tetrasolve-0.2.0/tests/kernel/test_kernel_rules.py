"""Each rule of the Roman phase on a small position, counted by hand; the values themselves; what is refused."""

import pickle

import pytest

from tetrasolve.tetrarchia import kernel
from tetrasolve.tetrarchia.kernel import ATTACK, END, MOVE, OFF, REDUCE, REMOVE, SAIL, SECURE, KernelError, Rng, State

NAMED_IN_THE_EXAMPLE = "narbonensis tingitana baetica lusitania carthagenensis gallaecia tarraconensis"


def kinds(codes):
    return [code & 15 for code in codes]


def targets(codes, kind=MOVE):
    return {code >> 4 & 63 for code in codes if code & 15 == kind}


# -- moving and sailing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "goal", "fleets", "revolts", "cost"),
    [
        ("roma", "etruria", 0, "", 1),
        ("roma", "etruria", 0, "etruria", 2),
        ("cisalpina", "narbonensis", 0, "", 2),
        ("cisalpina", "narbonensis", 0, "narbonensis", 3),
        ("bithynia", "thracia", 0, "", 2),
        ("bithynia", "thracia", 4, "", 1),  # the fleet is cheaper than the broken link
        ("bithynia", "aegyptus", 4, "", 1),
        ("bithynia", "aegyptus", 4, "aegyptus", 2),
        ("belgica", "britannia", 0, "", 2),
    ],
)
def test_a_move_costs_the_cheapest_way(kit, base, start, goal, fleets, revolts, cost):
    state = kit.state(at={"diocletian": start}, fleets=fleets, revolts=revolts)
    assert base.cost(state, kit.move(goal)) == cost
    assert base.play(state, kit.move(goal)).ip == 6 - cost
    short = kit.state(at={"diocletian": start}, fleets=fleets, revolts=revolts, ip=cost - 1)
    assert kit.move(goal) not in base.legal(short)


def test_no_move_where_neither_link_nor_fleet_leads_nor_to_an_army(kit, base):
    state = kit.state(at={"diocletian": "roma"}, armies="etruria")
    assert targets(base.legal(state)) == {kit.row["lucania"]}
    by_sea = kit.state(at={"diocletian": "bithynia"}, fleets=2)
    assert kit.row["aegyptus"] not in targets(base.legal(by_sea))


def test_fleets_sail_to_adjacent_free_zones_wherever_the_emperor_is(kit, base):
    def sails(fleets):
        codes = base.legal(kit.state(at={"diocletian": "rhaetia"}, fleets=fleets))
        return {(code >> 4 & 63, code >> 10) for code in codes if code & 15 == SAIL}

    assert sails(0b001) == {(1, 2)}
    assert sails(0b010) == {(2, 1), (2, 3)}
    assert sails(0b101) == {(1, 2), (3, 2)}
    assert sails(0b011) == {(2, 3)}
    assert sails(0b111) == set()
    state = kit.state(at={"diocletian": "rhaetia"}, fleets=0b011)
    assert base.play(state, SAIL | 2 << 4 | 3 << 10).fleets == 0b101


# -- sharing a province ---------------------------------------------------------------------------------------------------


def test_the_printed_example_of_crossing_paths(kit, base):
    state = kit.state(at={"diocletian": "bithynia", "galerius": "macedonia"}, fleets=4, revolts="dalmatia")
    there = base.play(state, kit.move("macedonia"))
    assert there.ip == 5
    assert not base.may_end(there)
    assert set(kinds(base.legal(there))) == {MOVE}
    dalmatia = base.play(there, kit.move("dalmatia"))
    assert dalmatia.ip == 2
    assert base.play(dalmatia, REMOVE).ip == 0


def test_nobody_walks_into_a_shared_province_he_cannot_leave(kit, base):
    at = {"diocletian": "etruria", "galerius": "roma"}
    assert kit.move("roma") not in base.legal(kit.state(at=at, ip=1))
    assert kit.move("roma") in base.legal(kit.state(at=at, ip=2))


def test_several_shared_provinces_in_a_row_need_a_way_out_at_the_end(kit, base):
    at = {"diocletian": "roma", "galerius": "roma", "constantius": "lucania"}
    # from Lucania: Roma is shared, Epirus and Sicilia lie behind broken links
    assert kit.move("lucania") not in base.legal(kit.state(at=at, ip=2))
    assert kit.move("lucania") in base.legal(kit.state(at=at, ip=3))
    single = kit.kernel(pass_single=True)
    assert targets(single.legal(kit.state(at=at, ip=6))) == {kit.row["etruria"]}


def test_passing_singly_needs_a_free_province_next_to_the_shared_one(kit, base):
    at = {"diocletian": "etruria", "galerius": "roma", "constantius": "lucania", "maximian": "epirus"}
    single = kit.kernel(pass_single=True)
    state = kit.state(at=at, ip=2)
    assert kit.move("roma") in base.legal(state)
    assert kit.move("roma") in single.legal(state)  # back to Etruria
    blocked = kit.state(
        at={"diocletian": "lucania", "galerius": "roma", "constantius": "etruria"}, armies="sicilia", ip=3
    )
    back = base.play(blocked, kit.move("roma"))
    assert kit.move("etruria") in base.legal(back)
    assert targets(single.legal(back)) == {kit.row["lucania"]}


# -- entry ----------------------------------------------------------------------------------------------------------------


def test_entry_in_roma_or_in_an_uncovered_capital(kit, base):
    assert base.legal(kit.state()) == sorted([kit.enter("roma"), kit.enter("bithynia")])
    assert base.legal(kit.state(revolts="bithynia")) == [kit.enter("roma")]
    assert base.legal(kit.state(discs={"diocletian": "bithynia"})) == [kit.enter("roma")]
    assert base.legal(kit.state(armies="roma")) == [kit.enter("bithynia")]
    entered = base.play(kit.state(), kit.enter("bithynia"))
    assert (entered.ip, entered.emperors[0]) == (6, kit.row["bithynia"])


def test_who_can_enter_must(kit, base):
    assert not base.may_end(kit.state())
    assert kit.kernel(entry_may=True).may_end(kit.state())
    barred = kit.state(armies="roma", revolts="bithynia")
    assert base.legal(barred) == []
    assert base.may_end(barred)
    assert base.play(barred, END).phase == kernel.BARBARIAN


def test_entry_where_another_emperor_stands(kit, base):
    state = kit.state(at={"galerius": "roma"})
    assert kit.enter("roma") in base.legal(state)
    assert kit.kernel(entry_free_only=True).legal(state) == [kit.enter("bithynia")]
    trapped = kit.state(at={"galerius": "roma"}, armies="etruria lucania")
    assert base.legal(trapped) == [kit.enter("bithynia")]


# -- securing and subduing ------------------------------------------------------------------------------------------------


def test_securing_a_roman_province(kit, base):
    for free in ("noricum", "bithynia"):  # a printed disc does not hinder
        state = kit.state(at={"diocletian": free})
        assert base.cost(state, SECURE) == 1
        assert base.play(state, SECURE).garrisons == (kit.mask(free), 0, 0, 0)
    for disc in ({"revolts": "noricum"}, {"unrest": "noricum"}, {"discs": {"galerius": "noricum"}}):
        assert SECURE not in base.legal(kit.state(at={"diocletian": "noricum"}, **disc))
    spent = {"diocletian": "asia syria thracia etruria"}
    assert SECURE not in base.legal(kit.state(at={"diocletian": "noricum"}, discs=spent))
    assert SECURE in kit.kernel(garrisons=5).legal(kit.state(at={"diocletian": "noricum"}, discs=spent))


def test_securing_a_border_needs_its_own_region_quiet(kit, base):
    state = kit.state(at={"diocletian": "gaetulia"}, revolts="caesariensis")  # linked to Gaetulia, but Africa
    assert base.cost(state, SECURE) == 2
    assert SECURE not in base.legal(kit.state(at={"diocletian": "gaetulia"}, revolts="lusitania"))
    assert SECURE in base.legal(kit.state(at={"diocletian": "gaetulia"}, unrest="lusitania"))
    assert SECURE not in base.legal(kit.state(at={"diocletian": "gaetulia"}, ip=1))


def test_the_sixth_border_wins_at_once(kit, base):
    state = kit.state(
        at={"diocletian": "libya"},
        discs={"diocletian": "gaetulia", "galerius": "britannia germania_magna", "maximian": "sarmatia persia"},
    )
    won = base.play(state, SECURE)
    assert (won.result, won.ip) == (kernel.WON, 4)
    assert base.legal(won) == []
    assert not base.may_end(won)
    assert base.ends(won) == 1


def test_subduing(kit, base):
    revolt = kit.state(at={"diocletian": "noricum"}, revolts="noricum")
    assert (base.cost(revolt, REMOVE), base.cost(revolt, REDUCE)) == (2, 1)
    assert base.play(revolt, REMOVE).revolts == 0
    reduced = base.play(revolt, REDUCE)
    assert (reduced.revolts, reduced.unrest) == (0, kit.mask("noricum"))
    assert base.cost(reduced, REMOVE) == 1
    assert REDUCE not in base.legal(reduced)
    assert base.play(reduced, REMOVE).unrest == 0
    poor = kit.state(at={"diocletian": "noricum"}, revolts="noricum", ip=1)
    assert REDUCE in base.legal(poor)
    assert REMOVE not in base.legal(poor)


def test_reducing_with_no_unrest_left(kit, base):
    full = sum(1 << row for row in range(21))
    state = State(revolts=1 << 30, unrest=full, emperors=(30, OFF, OFF, OFF))
    assert REDUCE not in base.legal(state)
    falls = kit.kernel(reserve_falls=True)
    assert falls.play(state, REDUCE).result == kernel.FALLEN


# -- battle ---------------------------------------------------------------------------------------------------------------


def test_the_numbers_of_the_printed_fight(kit, base):
    field = {"armies": "narbonensis", "revolts": NAMED_IN_THE_EXAMPLE}
    discs = {"maximian": "etruria", "constantius": "lugdunensis"}
    at = {"maximian": "germania_superior", "constantius": "aquitania"}
    narbonensis = kit.row["narbonensis"]
    state = kit.state("maximian", at, discs, **field)
    assert base.battle(state, narbonensis, 3) == (3, 1, 7, 0)  # Cisalpina, Etruria, Roma; Constantius
    assert base.cost(state, kit.attack("narbonensis")) == 2
    assert base.odds(state, narbonensis) == (24, 3, 9)
    from_cisalpina = kit.state("maximian", at | {"maximian": "cisalpina"}, discs, **field)
    assert base.battle(from_cisalpina, narbonensis, 3) == (3, 1, 7, 0)
    assert base.cost(from_cisalpina, kit.attack("narbonensis")) == 3
    with_diocletian = kit.state("maximian", at | {"diocletian": "lugdunensis"}, discs, **field)
    assert base.battle(with_diocletian, narbonensis, 3) == (3, 2, 7, 0)
    with_rhaetia = kit.state("maximian", at, discs, armies="narbonensis rhaetia", revolts=NAMED_IN_THE_EXAMPLE)
    assert base.battle(with_rhaetia, narbonensis, 3) == (3, 1, 7, 1)
    assert base.battle(state, narbonensis, 2) == (1, 1, 7, 0)  # Constantius the attacker
    subdued = NAMED_IN_THE_EXAMPLE.replace(" tarraconensis", "")
    quieter = kit.state("constantius", at, discs, armies="narbonensis", revolts=subdued)
    assert base.battle(quieter, narbonensis, 2) == (1, 1, 1, 0)
    one_group = kit.state(
        "maximian", {"maximian": "pannonia_superior"}, {"maximian": "etruria dalmatia"}, armies="rhaetia"
    )
    assert base.battle(one_group, kit.row["rhaetia"], 3) == (3, 0, 0, 0)


def test_a_printed_disc_counts_until_anything_covers_it(kit, base):
    def g(**discs):
        state = kit.state("maximian", {"maximian": "etruria"}, armies="cisalpina", **discs)
        return base.battle(state, kit.row["cisalpina"], 3)[0]

    # Etruria itself is not his: Roma and Cisalpina are two groups of one, not linked to each other
    assert g() == 1
    assert g(discs={"maximian": "etruria"}) == 3
    assert g(discs={"maximian": "etruria", "galerius": "roma"}) == 2
    assert g(discs={"maximian": "etruria roma"}) == 3
    assert g(discs={"maximian": "etruria"}, unrest="roma", revolts="cisalpina") == 1


def test_the_revolts_of_an_army_without_one_under_it(kit, base):
    state = kit.state(
        at={"diocletian": "cisalpina"},
        armies="rhaetia",
        revolts="noricum pannonia_superior pannonia_inferior germania_superior",
    )
    # Noricum, Pannonia Superior and Inferior are connected; Germania Superior is a group of its own
    assert base.battle(state, kit.row["rhaetia"], 0)[2] == 3
    assert kit.kernel(group_under_army=True).battle(state, kit.row["rhaetia"], 0)[2] == 0


def test_broken_links_count_in_battle_unless_read_otherwise(kit, base):
    state = kit.state(at={"diocletian": "cisalpina", "galerius": "germania_magna"}, armies="rhaetia")
    assert base.battle(state, kit.row["rhaetia"], 0) == (0, 1, 0, 0)
    assert kit.kernel(battle_unbroken=True).battle(state, kit.row["rhaetia"], 0) == (0, 0, 0, 0)


def test_victory_draw_and_defeat(kit, base):
    state = kit.state(
        at={"diocletian": "noricum", "galerius": "roma"},
        armies="rhaetia",
        unrest="rhaetia",
        discs={"galerius": "noricum"},
    )
    assert base.odds(state, kit.row["rhaetia"]) == (15, 6, 15)
    assert {code for code in base.legal(state) if code & 15 == ATTACK} == {kit.attack("rhaetia", i) for i in range(3)}
    victory = base.play(state, kit.attack("rhaetia", 0))
    assert (victory.armies, victory.unrest, victory.emperors[0], victory.ip) == (0, 0, kit.row["rhaetia"], 5)
    draw = base.play(state, kit.attack("rhaetia", 1))
    assert (draw.armies, draw.emperors, draw.ip, draw.phase) == (state.armies, state.emperors, 5, kernel.ROMAN)
    defeat = base.play(state, kit.attack("rhaetia", 2))
    assert (defeat.emperors[0], defeat.garrisons[1], defeat.ip, defeat.phase) == (OFF, 0, 0, kernel.BARBARIAN)
    assert base.legal(defeat) == []


def test_a_secured_border_survives_a_defeat(kit, base):
    state = kit.state(
        at={"diocletian": "britannia"}, armies="belgica", discs={"galerius": "britannia"}, revolts="belgica lugdunensis"
    )
    assert base.play(state, kit.attack("belgica", 2)).garrisons[1] == kit.mask("britannia")
    removes = kit.kernel(border_defeat_removes=True)
    assert removes.play(state, kit.attack("belgica", 2)).garrisons[1] == 0


def test_impossible_outcomes_are_no_actions(kit, base):
    state = kit.state(
        at={"diocletian": "etruria", "galerius": "roma"},
        discs={"diocletian": "etruria lucania sardinia"},
        armies="cisalpina",
    )
    # g = 4 with Roma against a bare army: 5 to 10 against 1 to 6
    assert base.odds(state, kit.row["cisalpina"]) == (33, 2, 1)
    doubled = kit.state(
        at={"diocletian": "etruria", "galerius": "rhaetia", "constantius": "narbonensis"},
        discs={"diocletian": "etruria lucania sardinia"},
        armies="cisalpina",
    )
    assert base.odds(doubled, kit.row["cisalpina"]) == (36, 0, 0)
    assert {code for code in base.legal(doubled) if code & 15 == ATTACK} == {kit.attack("cisalpina", 0)}


def test_no_attack_by_sea_nor_while_sharing(kit, base):
    by_sea = kit.state(at={"diocletian": "asia"}, fleets=4, armies="syria")
    assert ATTACK not in kinds(base.legal(by_sea))
    sharing = kit.state(at={"diocletian": "cilicia", "galerius": "cilicia"}, armies="syria")
    assert set(kinds(base.legal(sharing))) == {MOVE}


# -- counting -------------------------------------------------------------------------------------------------------------


def test_perft_by_hand(kit, base):
    roma = kit.state(at={"diocletian": "roma"}, ip=2)
    # at 2 IP: Etruria, Lucania, a garrison; then from Etruria Cisalpina, Roma, a garrison; from Lucania Roma, a garrison;
    # after the garrison in Roma Etruria, Lucania
    assert [base.perft(roma, depth) for depth in range(4)] == [1, 3, 7, 0]
    assert base.divide(roma, 2) == sorted([(kit.move("etruria"), 3), (kit.move("lucania"), 2), (SECURE, 2)])
    off = kit.state()
    assert base.perft(off, 1) == 2
    fight = kit.state(at={"diocletian": "noricum"}, armies="rhaetia", ip=1)
    # Pannonia Superior and Inferior, a garrison, three outcomes
    assert base.perft(fight, 1) == 6


def test_counting_the_last_actions_is_playing_them(kit, base, played):
    kernels = [base, kit.kernel(pass_single=True, reserve_falls=True), kit.kernel(entry_may=True, battle_unbroken=True)]
    for state in played:
        for engine in kernels:
            assert engine.perft(state, 3) == engine.perft(state, 3, bulk=False)
            assert engine.perft(state, 3) == sum(count for _, count in engine.divide(state, 3))
            assert engine.perft(state, 1) == len(engine.legal(state))


def test_ends_are_what_a_search_finds(base, played):
    for state in played[:12]:
        short = State(**{**fields(state), "ip": min(state.ip, 3)}) if state.emperors[state.to_move] != OFF else state
        found = {}
        waiting = [short]
        seen = {short}
        while waiting:
            here = waiting.pop()
            if here.result == kernel.WON or base.may_end(here):
                key = tuple(value for name, value in fields(here).items() if name != "ip")
                found[key] = max(found.get(key, 0), here.ip)
            for code in base.legal(here):
                if code & 15 != ATTACK and (after := base.play(here, code)) not in seen:
                    seen.add(after)
                    waiting.append(after)
        ends = base.end_states(short)
        assert base.ends(short) == len(ends) == len(found)
        for end in ends:
            assert found[tuple(value for name, value in fields(end).items() if name != "ip")] == end.ip


# -- values ---------------------------------------------------------------------------------------------------------------


def fields(state):
    names = ("revolts", "unrest", "garrisons", "armies", "emperors", "fleets", "to_move", "ip", "phase", "result")
    return {name: getattr(state, name) for name in names}


def test_a_state_is_its_64_bytes(played):
    for state in played:
        again = State.from_bytes(bytes(state))
        assert len(bytes(state)) == 64
        assert again == state == State(**fields(state)) == pickle.loads(pickle.dumps(state))  # noqa: S301
        assert hash(again) == hash(state)
    assert len(set(played)) == len({bytes(state) for state in played})
    assert played[0] != "a state"


def test_undo_restores_every_byte(base, played):
    rng = Rng(5)
    for state in played:
        line = kernel.Line(base, state)
        history = [bytes(state)]
        while line.state.phase == kernel.ROMAN and line.state.result == kernel.OPEN:
            codes = base.legal(line.state) + [END] * base.may_end(line.state)
            line.make(codes[rng.next() % len(codes)])
            history.append(bytes(line.state))
        codes = line.codes
        for code in reversed(codes):
            assert bytes(line.state) == history.pop()
            assert line.undo() == code
        assert line.state == state
        assert line.codes == ()
        with pytest.raises(KernelError):
            line.undo()


def test_random_numbers_can_be_saved_and_differ_by_seed():
    rng = Rng(42)
    words = rng.words
    first = [rng.next() for _ in range(10)]
    rng.words = words
    assert [rng.next() for _ in range(10)] == first
    assert [Rng(43).next() for _ in range(10)] != first
    dice = [rng.d6() for _ in range(60_000)]
    assert set(dice) == {1, 2, 3, 4, 5, 6}
    assert all(abs(dice.count(face) - 10_000) < 500 for face in range(1, 7))
    with pytest.raises(KernelError):
        rng.words = (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("revolts", {"revolts": 1 << 48}),
        ("revolts", {"revolts": -1}),
        ("revolts", {"revolts": (1 << 22) - 1}),
        ("unrest", {"revolts": 1, "unrest": 1}),
        (r"garrisons\[2\]", {"garrisons": (0, 1, 1, 0)}),
        ("garrisons", {"garrisons": (0, 0, 0)}),
        ("armies", {"armies": 0b1111}),
        (r"emperors\[0\]", {"emperors": (48, 63, 63, 63)}),
        (r"emperors\[1\]", {"emperors": (63, 5, 63, 63), "armies": 1 << 5}),
        (r"emperors\[2\]", {"emperors": (63, 5, 5, 63)}),
        ("fleets", {"fleets": 8}),
        ("to_move", {"to_move": 4}),
        ("ip", {"ip": 7}),
        ("phase", {"phase": 2}),
        ("result", {"result": "won"}),
    ],
)
def test_states_without_sense_are_refused(field, values):
    with pytest.raises(KernelError, match=f"^{field}"):
        State(**values)


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("links", {"links": [(0, 1, False), (1, 0, True)]}),
        ("zones", {"zones": [0] * 47}),
        ("adjacent_zones", {"adjacent_zones": [(1, 1)]}),
        ("arrows", {"arrows": [47] * 48}),
        ("number", {"number": [0] * 48}),
        ("borders", {"borders": [0, 1, 2, 3, 4, 5]}),
        ("roma", {"roma": 48}),
        ("garrisons", {"garrisons": 0}),
        ("capitals", {"capitals": [0, 1, 2]}),
        ("printed", {"printed": [1 << 48, 0, 0, 0]}),
    ],
)
def test_boards_without_sense_are_refused(kit, field, change):
    with pytest.raises(KernelError, match=f"^{field}"):
        kit.kernel(**change)


def test_what_is_illegal_is_refused(kit, base):
    state = kit.state(at={"diocletian": "roma"})
    for code in (kit.move("syria"), REMOVE, kit.attack("etruria"), 1 << 20, -1, "a move"):
        with pytest.raises(KernelError, match=r"^code"):
            base.play(state, code)
    with pytest.raises(KernelError):
        base.play(kit.state(), END)  # he can enter, so he must
    with pytest.raises(KernelError, match=r"^garrisons"):
        kit.kernel(garrisons=3).legal(kit.state(discs={"diocletian": "roma etruria lucania syria"}))
    with pytest.raises(KernelError):
        kernel.Turn(base, base.play(state, END))
