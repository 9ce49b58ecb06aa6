"""Counts of the Roman phase in suite.perft, again by the reference rules and by the kernel."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from tabletop import MAP

from tetrasolve.tetrarchia import fast, kernel, rules, whole
from tetrasolve.tetrarchia.action import Kind, read_action
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS, MODULES, VARIANTS

SUITE = Path(__file__).with_name("suite.perft")
FEW_ENDS = 1_200  # the reference looks for them in a quick test
MANY_ENDS = 10_000  # the kernel lists more of them in a slow test alone; a quick one counts them
SHALLOW = (1, 2)


def script():
    """The script that makes the suite, as a module."""
    spec = spec_from_file_location("make_suite", SUITE.with_name("make_suite.py"))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKE = script()


def read_suite(text):
    """The blocks of a suite by id: position, counts of 1 to 4 actions, number and digest of the ends."""
    lines = [line.partition(" ") for line in text.splitlines() if line and not line.startswith("#")]
    found = {}
    for start in range(0, len(lines), 4):
        block = lines[start : start + 4]
        assert [word for word, _, _ in block] == ["id", "position", "perft", "ends"]
        name, position, counts, ends = (rest for _, _, rest in block)
        assert name not in found
        number, digest = ends.split()
        found[name] = (Position.parse(position, MAP), tuple(map(int, counts.split())), int(number), digest)
    return found


ENTRIES = read_suite(SUITE.read_text("utf-8"))
NAMES = list(ENTRIES)

# For each rule of the Roman phase: actions that its position allows, and actions that it forbids
SHOWN = {
    "entry-roma": ("enter roma, enter bithynia", "enter cisalpina, secure, move etruria, end"),
    "entry-capital": ("enter bithynia", "enter roma, end"),
    "entry-capital-covered": ("enter roma", "enter bithynia, end"),
    "entry-roma-occupied": ("enter roma", "enter bithynia, end"),
    "entry-roma-occupied?I-ENTRY-SHARED=free-only": ("end", "enter roma, enter bithynia"),
    "entry-must": ("enter roma", "end"),
    "entry-must?I-ENTRY=may": ("enter roma, end", "enter bithynia"),
    "entry-impossible": ("end", "enter roma, enter bithynia"),
    "off-board-mid-game": ("enter roma, enter bithynia", "attack libya: draw, secure, sail 1>2, move libya, end"),
    "move-normal": ("move lugdunensis, move germania_superior, end", "move rhaetia, move roma, enter roma"),
    "move-broken": ("move cisalpina, move germania_magna", "move roma"),
    "move-broken-link-too-dear": ("move noricum", "move cisalpina, move germania_magna"),
    "move-into-revolt": ("move pannonia_inferior, move rhaetia", "move dacia"),
    "move-broken-link-into-revolt": ("move cisalpina, move noricum", "move roma"),
    "move-army-blocks": ("move pannonia_superior", "move rhaetia"),
    "move-onto-border": ("move britannia", "move libya"),
    "sea": ("move achaia, move aegyptus", "move roma, move sicilia"),
    "sea-cheaper-than-broken-link": ("move lucania, move africa", "move persia"),
    "sea-and-link-are-one-move": ("move asia, move thracia, move aegyptus", "move roma"),
    "sea-never-into-an-army": ("move lucania", "move africa"),
    "black-sea": ("move bithynia, move aegyptus, move macedonia", "move sarmatia, move roma"),
    "fleet-none-in-zone": ("move bithynia, sail 2>3", "move aegyptus, move achaia"),
    "sail": ("sail 2>1, sail 2>3", "sail 1>2, sail 3>2"),
    "sail-blocked-zone": ("sail 2>3", "sail 1>2, sail 2>1, sail 1>3"),
    "pass-through-one": ("move carthagenensis", "move aegyptus"),
    "pass-not-without-a-way-on": ("move baetica", "move carthagenensis"),
    "pass-through-two": ("move gallaecia", "move tarraconensis"),
    "pass-no-way-out": ("move cisalpina, move roma", "move sardinia"),
    "pass-in-mid-turn": (
        "move lusitania",
        "end, secure, remove, reduce, sail 3>2, attack tingitana: draw, move tingitana",
    ),
    "secure-province": ("secure", "remove, reduce"),
    "secure-on-printed-disc": ("secure", "remove"),
    "secure-disc-lies-there": ("remove", "secure, reduce"),
    "secure-not-on-a-garrison": ("move bithynia", "secure, remove"),
    "last-garrison": ("secure", "remove"),
    "no-garrison-left": ("move bithynia", "secure"),
    "border-free": ("secure", "remove"),
    "border-not-free": ("end", "secure"),
    "border-costs-two": ("secure", "remove"),
    "border-too-dear": ("end", "secure"),
    "sixth-border-wins": ("secure", "remove"),
    "sixth-border-not-free": ("end", "secure"),
    "remove-revolt": ("remove, reduce", "secure"),
    "remove-revolt-too-dear": ("reduce", "remove"),
    "reduce-revolt": ("reduce, remove", "secure"),
    "remove-unrest": ("remove", "reduce, secure"),
    "reserve-of-unrest-empty": ("remove", "reduce"),
    "reserve-of-unrest-empty?I-RESERVE=falls": ("remove, reduce", "secure"),
    "attack-three-outcomes": ("attack libya: victory, attack libya: draw, attack libya: defeat", "move libya"),
    "attack-certain-victory": ("attack libya: victory", "attack libya: draw, attack libya: defeat"),
    "attack-certain-defeat": (
        "attack carthagenensis: defeat",
        "attack carthagenensis: draw, attack carthagenensis: victory",
    ),
    "attack-costs-broken-and-revolt": ("attack rhaetia: victory, attack rhaetia: defeat", "move rhaetia"),
    "attack-never-by-sea": (
        "move africa",
        "attack tripolitania: victory, attack tripolitania: draw, move tripolitania",
    ),
    "attack-victory-goes-on": ("attack rhaetia: victory", "secure, move rhaetia"),
    "attack-from-border-defeat": ("attack syria: defeat, attack syria: victory", "secure"),
    "attack-not-while-passing": ("move aegyptus", "attack libya: draw"),
    "barbarian-phase-has-none": ("", "end, secure, move moesia_inferior, sail 1>2"),
    "won-has-none": ("", "end, secure, move moesia_inferior, sail 1>2"),
}
MODULES_SHOWN = {
    "dux-deploy": (
        "deploy dux pannonia_superior, deploy dux pannonia_inferior",
        "deploy dux rhaetia, deploy dux dacia",
    ),
    "dux-deploy?I-DUX-REVOLT=forbidden": ("deploy dux pannonia_superior", "deploy dux pannonia_inferior"),
    "dux-deploy-too-dear": ("move rhaetia", "deploy dux rhaetia"),
    "dux-moves-and-subdues": ("dux: remove, dux: reduce, dux: move asia", "dux: secure, dux: move roma, remove"),
    "dux-attacks": ("dux: attack libya: victory, dux: attack libya: defeat", "attack libya: victory, dux: move libya"),
    "dux-attacks-with-support": ("dux: attack libya: victory, attack libya: victory", "attack libya: defeat"),
    "dux-supports": ("attack germania_magna: victory, dux: attack germania_magna: draw", "dux: secure"),
    "dux-passes": ("move rhaetia, dux: move noricum, dux: move cisalpina", "deploy dux pannonia_superior"),
    "dux-has-to-move-on": (
        "dux: move pannonia_superior",
        "move pannonia_superior, end, attack rhaetia: draw, sail 1>2",
    ),
    "dux-is-passed": ("move pannonia_superior", "dux: move pannonia_superior, end"),
    "dux-dead": ("move rhaetia, end", "deploy dux rhaetia, dux: move rhaetia"),
    "dux-does-not-act-alone": ("end", "dux: move bithynia, enter roma, sail 1>2"),
    "vicarius-deploy": (
        "deploy vicarius sicilia, deploy vicarius lusitania",
        "deploy vicarius roma, deploy vicarius asia",
    ),
    "vicarius-moves": ("vicarius: move lucania, vicarius: move roma", "vicarius: move africa, vicarius: move sardinia"),
    "vicarius-moves-onto-a-border": ("vicarius: move britannia", "vicarius: move germania_inferior, vicarius: secure"),
    "vicarius-passes": ("vicarius: move noricum, move rhaetia", "vicarius: move pannonia_superior"),
    "vicarius-has-to-move-on": ("vicarius: move rhaetia", "vicarius: move pannonia_superior, move rhaetia, end"),
    "vicarius-dead": ("end", "deploy vicarius roma, vicarius: move roma"),
    "pirates-attack": (
        "attack pirates: victory, attack pirates: draw, attack pirates: defeat",
        "dux: attack pirates: draw, sail 1>3",
    ),
    "pirates-attack-too-dear": ("end", "attack pirates: draw"),
    "pirates-elsewhere": ("end", "attack pirates: draw, sail 1>2"),
    "pirates-printed-disc": ("attack pirates: victory", "attack achaia: draw"),
    "pirates-printed-disc?I-PIRATES-PRINTED=discs-only": ("attack pirates: draw", "attack pirates: victory"),
    "pirates-helped-by-an-army": ("attack pirates: defeat", "attack pirates: draw, attack pirates: victory"),
    "pirates-attacked-with-an-ally": ("attack pirates: victory, attack pirates: defeat", "sail 2>3"),
    "pirates-keep-fleets-out": ("end", "sail 2>3, sail 1>2"),
    "pirates-beaten": ("sail 2>3, sail 2>1", "attack pirates: draw"),
    "pirates-attacked-by-the-dux": ("dux: attack pirates: defeat", "attack pirates: defeat"),
    "goths-attacked": ("attack rhaetia: victory", "move rhaetia"),
    "goths-cannot-be-held": ("attack rhaetia: defeat", "attack rhaetia: draw, attack rhaetia: victory"),
    "goths-in-the-reserve": ("attack rhaetia: defeat, attack rhaetia: draw", "attack rhaetia: victory"),
    "goths-support": ("attack rhaetia: defeat", "attack rhaetia: draw"),
    "goths-support?I-GOTHS-SUPPORT=leader": ("attack rhaetia: draw", "attack rhaetia: victory"),
    "mare-nostrum-two-zones": ("move roma, move aquitania, move achaia", "move asia"),
    "mare-nostrum-three-zones": ("move roma, move asia", "move libya"),
    "mare-nostrum-zone-between": ("sail 1>2, sail 3>2", "move roma, move asia"),
    "mare-nostrum-too-far": ("move gallaecia", "move roma"),
    "mare-nostrum-into-revolt": ("move roma, move syria", "move asia"),
    "mare-nostrum-for-all-figures": ("dux: move roma, vicarius: move roma", "move roma, dux: move asia"),
    "via-romana-transfer": ("transfer noricum, transfer cisalpina", "transfer germania_magna, transfer roma"),
    "via-romana-broken-link-costs-two": ("transfer cisalpina", "transfer noricum"),
    "via-romana-not-another's": ("move noricum", "transfer noricum"),
    "via-romana-not-while-passing": ("move noricum", "transfer noricum, end"),
    "via-romana-figure": ("transfer germania_superior", "transfer noricum"),
    "via-romana-figure?I-VIA-EMPTY=no-disc": ("transfer noricum", "transfer cisalpina"),
    "via-romana-border": ("end", "transfer syria"),
    "via-romana-border?I-VIA-BORDER=moves": ("transfer syria, transfer cappadocia", "transfer asia"),
    "usurpator-in-a-full-region": ("move tarraconensis, move baetica", "move lusitania, attack lusitania: draw"),
    "usurpator-attacked": ("attack lusitania: victory", "move lusitania"),
    "roma-aeterna-victory-takes-the-last-unrest": ("attack rhaetia: victory", "secure"),
    "roma-aeterna-no-unrest-left": ("remove", "reduce"),
    "roma-aeterna-attacked-without-glory": ("attack rhaetia: defeat", "reduce"),
    "imperium-to-be-paid": ("imperium reserve, imperium gallaecia", "imperium lusitania, galerius: move cisalpina"),
    "imperium-diocletian-leads": (
        "galerius: move noricum, constantius: move germania_inferior, maximian: move roma",
        "imperium gallaecia, galerius: remove, constantius: move roma",
    ),
    "imperium-led-through-another": ("galerius: move cisalpina, galerius: move noricum", "galerius: move roma"),
    "imperium-led-has-to-move-on": ("constantius: move noricum", "galerius: move noricum, move roma, end"),
    "imperium-not-while-passing": ("move rhaetia", "imperium reserve, galerius: move rhaetia, end"),
    "imperium-disc-of-a-border": ("imperium lusitania, end", "imperium gaetulia, imperium reserve"),
    "imperium-disc-of-a-border?I-IMPERIUM-BORDER=any": ("imperium lusitania, imperium gaetulia", "imperium reserve"),
    "imperium-nothing-left-to-pay": ("move rhaetia", "imperium reserve, secure"),
    "imperium-maximian-has-one-more": ("imperium reserve, imperium gallaecia", "attack belgica: draw"),
    "imperium-maximian-has-seven": ("move belgica", "imperium gallaecia"),
    "imperium-galerius-pays-after-the-dice": (
        "attack libya: victory, attack libya: victory +reserve, attack libya: defeat +reserve +aegyptus",
        "attack libya: victory +reserve +reserve, attack libya: draw +cyrenaica, imperium reserve",
    ),
    "imperium-galerius-pays-on-the-spot": ("attack libya: defeat +cyrenaica", "attack libya: draw +persia"),
    "imperium-galerius-pays-on-the-spot?I-IMPERIUM-BORDER=any": (
        "attack libya: draw +persia, attack libya: victory +cyrenaica +persia",
        "attack libya: draw +reserve",
    ),
    "imperium-galerius-against-pirates": (
        "attack pirates: draw +reserve, attack pirates: victory +reserve +syria",
        "attack pirates: victory +reserve +reserve",
    ),
    "imperium-constantius-has-none": ("move etruria", "imperium reserve"),
    "barbaria-gray-is-the-last-unrest": ("remove", "reduce"),
    "barbaria-gray-has-come-back": ("remove, reduce", "secure"),
    "barbaria-army-turned": ("attack lusitania: victory", "move lusitania"),
    "barbaria-revolt-on-a-border": ("remove, reduce", "secure"),
    "carausian-revolt-begins": ("move rhaetia", "attack britannia: draw, attack pirates: draw, sail 2>1"),
    "carausian-revolt-landing": ("attack britannia: victory, attack britannia: defeat", "move britannia"),
    "carausian-revolt-without-a-fleet": ("move germania_superior", "attack britannia: victory, attack britannia: draw"),
    "carausian-revolt-pirates-first": ("attack pirates: victory", "sail 2>1, attack britannia: draw"),
    "danubian-wars-sarmatians": ("attack sarmatia: defeat", "move sarmatia, attack germania_magna: draw"),
    "danubian-wars-germans": ("attack germania_magna: draw", "move germania_magna"),
    "mauretanian-war-berbers": ("attack gaetulia: victory", "move gaetulia"),
    "mauretanian-war-without-a-fleet": ("move africa", "attack gaetulia: victory"),
    "great-persian-war-egypt": ("attack libya: victory", "attack persia: draw"),
    "great-persian-war-armenia": ("attack persia: defeat", "attack libya: draw"),
    "great-persian-war-pirates-first": ("attack pirates: draw", "attack persia: draw, sail 2>3"),
}
SHOWN |= MODULES_SHOWN
# What comes after an action: the first is what a position is about, the others are legal or illegal then
AFTERWARDS = {
    "entry-roma": ("enter roma", "move etruria, end", "enter bithynia"),
    "entry-roma-occupied": ("enter roma", "move etruria", "end, secure"),
    "sea-cheaper-than-broken-link": ("move lucania", "move africa, move roma, end", "move asia"),
    "move-broken": ("move cisalpina", "end", "move etruria"),
    "pass-through-one": ("move carthagenensis", "move baetica", "end, secure, sail 3>2"),
    "pass-through-two": ("move gallaecia", "move tarraconensis, move carthagenensis", "end, secure"),
    "pass-through-two?I-PASS=single": ("move gallaecia", "move carthagenensis", "move tarraconensis, end"),
    "last-garrison": ("secure", "move asia, end", "secure"),
    "border-costs-two": ("secure", "end", "move syria"),
    "sixth-border-wins": ("secure", "", "end, move moesia_inferior"),
    "remove-revolt": ("remove", "end", "secure, move asia"),
    "reduce-revolt": ("reduce", "remove, move asia", "reduce"),
    "sail": ("sail 2>3", "sail 3>2", "sail 2>1"),
    "attack-costs-broken-and-revolt": ("attack rhaetia: victory", "end", "secure, move noricum"),
    "attack-victory-goes-on": ("attack rhaetia: victory", "move noricum, end", "attack rhaetia: draw"),
    "attack-three-outcomes": ("attack libya: draw", "end", "attack libya: draw"),
    "attack-from-border-defeat": ("attack syria: defeat", "", "end, move persia, enter roma"),
    "dux-deploy": (
        "deploy dux pannonia_superior",
        "dux: move dalmatia",
        "deploy dux pannonia_inferior, dux: move rhaetia",
    ),
    "dux-attacks": ("dux: attack libya: defeat", "", "end, move rhaetia"),
    "dux-attacks?I-DUX-DEFEAT=dux-only": ("dux: attack libya: defeat", "end, move rhaetia", "dux: move tripolitania"),
    "dux-passes": ("dux: move noricum", "dux: move pannonia_superior", "end, move rhaetia"),
    "vicarius-deploy": (
        "deploy vicarius etruria",
        "vicarius: move cisalpina",
        "deploy vicarius lusitania, vicarius: move roma",
    ),
    "pirates-attack": ("attack pirates: victory", "move galatia, end", "attack pirates: draw"),
    "pirates-printed-disc": ("attack pirates: defeat", "", "end, move aegyptus"),
    "goths-attacked": ("attack rhaetia: victory", "end", "attack rhaetia: draw"),
    "mare-nostrum-zone-between": ("sail 1>2", "end", "sail 1>2"),
    "via-romana-transfer": ("transfer noricum", "end", "transfer cisalpina"),
    "roma-aeterna-victory-takes-the-last-unrest": ("attack rhaetia: victory", "end", "move roma"),
    "roma-aeterna-no-unrest-left": ("remove", "end", "reduce"),
    "carausian-revolt-landing": ("attack britannia: victory", "end", "attack britannia: draw"),
    "imperium-to-be-paid": ("imperium gallaecia", "galerius: move cisalpina, secure, end", "imperium reserve"),
    "imperium-led-through-another": (
        "galerius: move noricum",
        "galerius: move pannonia_superior",
        "end, move pannonia_superior, constantius: move roma",
    ),
    "imperium-maximian-has-one-more": ("imperium reserve", "move etruria, end", "imperium gallaecia"),
    "imperium-galerius-pays-on-the-spot": ("attack libya: defeat +cyrenaica", "", "end, enter roma"),
    "barbaria-revolt-on-a-border": ("reduce", "remove, end", "secure, reduce"),
}


def engine_and_state(position):
    return fast.kernel_of(position), fast.to_state(position)


def actions_of(texts):
    return [action for text in filter(None, texts.split(", ")) for action in read_action(text, MAP)]


def assert_shown(position, allowed, forbidden):
    """These actions are legal and those are not, as the reference and as the kernel see it."""
    engine, state = engine_and_state(position)
    codes = {*engine.legal(state), *([kernel.END] if engine.may_end(state) else [])}
    for texts, legal in ((allowed, True), (forbidden, False)):
        for action in actions_of(texts):
            assert (rules.objection(position, action) is None) is legal, str(action)
            assert (fast.to_code(action, MAP) in codes) is legal, str(action)


def test_the_suite_is_large_enough():
    """The suite has at least 64 positions, all legal, at least 20 of games, and all that an Emperor can do happens in it."""
    assert len(ENTRIES) >= 64
    kinds = set()
    for position, counts, _, _ in ENTRIES.values():
        assert position.status() == ()
        assert len(counts) == len(MAKE.DEPTHS) == 4
        engine, state = engine_and_state(position)
        kinds |= {code & 15 for code in engine.legal(state)}
    assert kinds == {*range(kernel.END), whole.DEPLOY, whole.TRANSFER, whole.PIRATES, whole.IMPERIUM}
    games = [ENTRIES[name][0] for name in NAMES if name.startswith(("game-", "whole-turn-"))]
    assert len(games) >= 20
    assert len({position.ruleset.level for position in games}) >= 12
    assert len({position for position, *_ in ENTRIES.values()}) == len(ENTRIES)


@pytest.mark.parametrize("name", SHOWN)
def test_each_rule_has_a_position_that_needs_it(name):
    """In the position named after a rule of the Roman phase the rule allows and forbids what it says."""
    assert_shown(ENTRIES[name][0], *SHOWN[name])


@pytest.mark.parametrize("name", AFTERWARDS)
def test_each_rule_continues_as_it_says(name):
    """After the action that a position is about, the rule allows and forbids what it says."""
    first, allowed, forbidden = AFTERWARDS[name]
    [action] = actions_of(first)
    assert_shown(rules.play(ENTRIES[name][0], action), allowed, forbidden)


def test_a_link_and_a_fleet_to_the_same_coast_are_one_move():
    """Where a link and a fleet lead to the same province there is one move, at the price of the cheaper way."""
    position, counts, _, _ = ENTRIES["sea-and-link-are-one-move"]
    actions = rules.legal_actions(position)
    assert len(set(actions)) == len(actions) == counts[0]
    [asia] = [action for action in actions if action.kind is Kind.MOVE and action.place == "asia"]
    assert rules.cost(position, asia) == 1


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", NAMES)
def test_the_reference_counts(name):
    """The reference rules count as many sequences of 1 and 2 actions, and find those ends where they are few."""
    position, counts, number, digest = ENTRIES[name]
    assert MAKE.counts_of(position, SHALLOW) == counts[: len(SHALLOW)]
    if number <= FEW_ENDS:
        ends = MAKE.ends_of(position)
        assert (len(ends), MAKE.digest(ends)) == (number, digest)


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_counts(name):
    """The kernel counts the same, whether it plays the last action, counts it, or adds up what follows each first action."""
    position, counts, ends, _ = ENTRIES[name]
    engine, state = engine_and_state(position)
    assert engine.perft(state, 0) == 1
    assert engine.ends(state) == ends
    for depth, count in enumerate(counts, start=1):
        assert engine.perft(state, depth, bulk=True) == count
        assert engine.perft(state, depth, bulk=False) == count
        divided = engine.divide(state, depth)
        assert [code for code, _ in divided] == engine.legal(state)
        assert sum(part for _, part in divided) == count
        assert all(part == engine.perft(engine.play(state, code), depth - 1) for code, part in divided)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (ENTRIES[name][2] > MANY_ENDS)) for name in NAMES]
)
def test_the_kernel_finds_the_ends(name):
    """The kernel lists the same turn ends, IP not counted, each once, and counts what it lists."""
    position, _, number, digest = ENTRIES[name]
    engine, state = engine_and_state(position)
    ends = [fast.to_position(end, MAP, position.ruleset).replace(ip=0) for end in engine.end_states(state)]
    assert engine.ends(state) == len(ends) == len(set(ends)) == number
    assert MAKE.digest(ends) == digest


def test_deeper_counts_of_the_kernel_agree_with_themselves():
    """Counted or played, as many sequences of 5 and 6 actions come out; an entry, a power and seven actions are the most."""
    for position, *_ in list(ENTRIES.values())[::9]:
        engine, state = engine_and_state(position.replace(ip=min(position.ip, 5)) if position.here else position)
        for depth in (5, 6):
            assert engine.perft(state, depth, bulk=True) == engine.perft(state, depth, bulk=False)
        assert engine.perft(state, 10 if "imperium" in position.ruleset.extensions else 8) == 0


@pytest.mark.parametrize("name", [name for name in NAMES if "?" in name and not name.startswith("game")])
def test_readings_change_the_counts(name):
    """A sentence of the rulebook read in the other way changes what can be done, in a position that stands beside in the suite."""
    plain, _, choice = name.partition("?")
    reading, _, value = choice.partition("=")
    position, *numbers = ENTRIES[plain]
    other, *other_numbers = ENTRIES[name]
    assert value in list(KERNEL_READINGS[reading].played)[1:]
    assert other == position.replace(ruleset=position.ruleset.with_readings([(reading, value)]))
    assert other_numbers != numbers


def test_every_reading_of_the_roman_phase_is_among_them():
    """Each sentence that changes what an Emperor can do stands in the suite in its other reading, too."""
    read = {name.partition("?")[2].partition("=")[0] for name in NAMES} - {""}
    base = {"I-ENTRY", "I-ENTRY-SHARED", "I-PASS", "I-RESERVE", "I-BATTLE-BROKEN", "I-REVOLT-GROUP"}
    modules = {"I-DUX-DEFEAT", "I-DUX-REVOLT", "I-PIRATES-PRINTED", "I-GOTHS-SUPPORT", "I-VIA-EMPTY", "I-VIA-BORDER"}
    assert read == base | modules | {"I-IMPERIUM-BORDER"}


@pytest.mark.parametrize("name", MODULES + VARIANTS)
def test_every_module_and_variant_has_its_positions(name):
    """At least two that are about it, and it is among those in use in at least two of games."""
    own = [entry[0] for key, entry in ENTRIES.items() if key.startswith(f"{name}-")]
    of_games = [entry[0] for key, entry in ENTRIES.items() if key.startswith("game-with-modules-")]

    assert len(own) >= 2
    assert all(name in position.ruleset.extensions for position in own)
    assert sum(name in position.ruleset.extensions for position in of_games) >= 2


@pytest.mark.parametrize("name", rules.scenarios())
def test_every_scenario_has_its_positions(name):
    """Its beginning and at least one table of its war; rebels that can be attacked, and some that cannot."""
    war = rules.scenario(name)
    own = {key: entry[0] for key, entry in ENTRIES.items() if key.startswith(f"{name}-")}

    assert len(own) >= 2
    assert own[f"{name}-begins"].to_move == war.first
    assert all(set(position.rebels) == set(war.rebels) for position in own.values())
    reached = [
        any(action.place in war.rebels for action in rules.legal_actions(position) if action.kind is Kind.ATTACK)
        for position in own.values()
    ]
    assert any(reached) is bool(war.rebels)
    assert not all(reached)


def test_what_modules_add_occurs():
    """Each figure acts in every way it can, and each new action occurs."""
    seen = set()
    for name, (position, *_) in ENTRIES.items():
        if name in MODULES_SHOWN:
            actions = rules.legal_actions(position)
            seen |= {(action.kind, action.figure, action.place == "pirates") for action in actions}
    own = {(kind, "dux", False) for kind in (Kind.DEPLOY, Kind.MOVE, Kind.REMOVE, Kind.REDUCE, Kind.ATTACK)}
    own |= {(kind, "vicarius", False) for kind in (Kind.DEPLOY, Kind.MOVE)}
    own |= {(Kind.ATTACK, None, True), (Kind.ATTACK, "dux", True), (Kind.TRANSFER, None, False)}
    own |= {(Kind.MOVE, emperor, False) for emperor in ("galerius", "constantius", "maximian")}

    assert {kind for kind in seen if kind[1] or kind[2] or kind[0] is Kind.TRANSFER} == own


def test_where_the_turn_is_over_nothing_ends_but_a_won_game():
    """A turn that is over has no ends, a won game is its own only one, and neither has actions."""
    over, *numbers = ENTRIES["barbarian-phase-has-none"]
    assert over.phase is Phase.BARBARIAN
    assert numbers[:2] == [(0, 0, 0, 0), 0]
    won, *numbers = ENTRIES["won-has-none"]
    assert won.is_won
    assert numbers == [(0, 0, 0, 0), 1, MAKE.digest([won.replace(ip=0)])]


@pytest.mark.slow
def test_the_suite_is_what_its_script_writes():
    """The script that made the suite writes it again: every count to depth 4, the ends of whole turns among it."""
    assert "".join(MAKE.suite()) == SUITE.read_text("utf-8")
