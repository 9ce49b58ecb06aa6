"""Counts of the Roman phase in suite.perft, again by the reference rules and by the kernel."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from tabletop import MAP

from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.action import Kind, read_action
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import READINGS

SUITE = Path(__file__).with_name("suite.perft")
FEW_ENDS = 1_500  # the reference looks for them in a quick test
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
}


def engine_and_state(position):
    return fast.kernel_for(position.board, position.ruleset), fast.to_state(position)


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
    assert kinds == set(range(kernel.END))
    games = [ENTRIES[name][0] for name in NAMES if name.startswith(("game-", "whole-turn-"))]
    assert len(games) >= 20
    assert len({position.ruleset.level for position in games}) >= 12
    assert len({position for position, *_ in ENTRIES.values()}) == len(ENTRIES)


@pytest.mark.parametrize("name", SHOWN)
def test_each_rule_has_a_position_that_needs_it(name):
    """In the position named after a rule of the Roman phase the rule allows and forbids what it says."""
    assert_shown(ENTRIES[name][0], *SHOWN[name])


@pytest.mark.parametrize("name", AFTERWARDS)
def test_each_rule_goes_on_as_it_says(name):
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
    position, counts, _, _ = ENTRIES[name]
    engine, state = engine_and_state(position)
    assert engine.perft(state, 0) == 1
    for depth, count in enumerate(counts, start=1):
        assert engine.perft(state, depth, bulk=True) == count
        assert engine.perft(state, depth, bulk=False) == count
        divided = engine.divide(state, depth)
        assert [code for code, _ in divided] == engine.legal(state)
        assert sum(part for _, part in divided) == count
        assert all(part == engine.perft(engine.play(state, code), depth - 1) for code, part in divided)


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_finds_the_ends(name):
    """The kernel lists the same turn ends, IP not counted, each once, and counts what it lists."""
    position, _, number, digest = ENTRIES[name]
    engine, state = engine_and_state(position)
    ends = [fast.to_position(end, MAP, position.ruleset).replace(ip=0) for end in engine.end_states(state)]
    assert engine.ends(state) == len(ends) == len(set(ends)) == number
    assert MAKE.digest(ends) == digest


def test_deeper_counts_of_the_kernel_agree_with_themselves():
    """Counted or played, as many sequences of 5 and 6 actions come out, and none of 8: an entry and six actions are the most."""
    for position, *_ in list(ENTRIES.values())[::9]:
        engine, state = engine_and_state(position.replace(ip=min(position.ip, 5)) if position.here else position)
        for depth in (5, 6):
            assert engine.perft(state, depth, bulk=True) == engine.perft(state, depth, bulk=False)
        assert engine.perft(state, 8) == 0


@pytest.mark.parametrize("name", [name for name in NAMES if "?" in name and not name.startswith("game")])
def test_readings_change_the_counts(name):
    """A sentence of the rulebook read in the other way changes what can be done, in a position that stands beside in the suite."""
    plain, _, choice = name.partition("?")
    reading, _, value = choice.partition("=")
    position, *numbers = ENTRIES[plain]
    other, *other_numbers = ENTRIES[name]
    assert value in list(READINGS[reading].options)[1:]
    assert other == position.replace(ruleset=position.ruleset.with_readings([(reading, value)]))
    assert other_numbers != numbers


def test_every_reading_of_the_roman_phase_is_among_them():
    """Each sentence that changes what an Emperor can do stands in the suite in its other reading, too."""
    read = {name.partition("?")[2].partition("=")[0] for name in NAMES} - {""}
    assert read == {"I-ENTRY", "I-ENTRY-SHARED", "I-PASS", "I-RESERVE", "I-BATTLE-BROKEN", "I-REVOLT-GROUP"}


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
