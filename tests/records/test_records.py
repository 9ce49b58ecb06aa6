"""Game records: what is written is read back as the same game, and what has been tampered with is refused at its line."""

import re
from collections import Counter
from functools import cache
from random import Random

import pytest
from scatter import RECIPES, any_readings, scattered
from tabletop import MAP, make_position, others_than, played_on

from tetrasolve.errors import RecordError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, REDUCE, SECURE, Kind
from tetrasolve.tetrarchia.game import Game, new_game
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.record import FORMAT, read_record, write_record
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import all_levels

LEVELS = list(all_levels())
THINGS = 25  # played in a game before it is cut off
CORRUPTIONS = 900

# -- games -----------------------------------------------------------------------------------------------------


@cache
def game_of(level):
    """A game of a level from its set-up on, sentences read in any way in every second of them."""
    number = LEVELS.index(level)
    ruleset = any_readings(level, Random(str(level))) if number % 2 else level
    return played_on(new_game(ruleset, f"record {level}", board=MAP), level, THINGS)


@cache
def odd_games():
    """Games that begin in the midst of things, in either phase: they win, fall in each way, or are cut off."""
    random = Random("odd games")
    games = []
    for number in range(12 * len(RECIPES)):
        recipe = list(RECIPES)[number % len(RECIPES)]
        phase = random.choice(list(Phase))
        position = scattered(recipe, any_readings(random.choice(LEVELS), random), random, MAP, phase)
        games.append(played_on(Game(position), number, 12))
    return (*games, nearly_won(), fallen_by_reducing())


def nearly_won():
    """A game that ends with the sixth border."""
    secured = {"galerius": "britannia gaetulia", "constantius": "germania_magna", "maximian": "persia libya"}
    game = Game(make_position("diocletian", {"diocletian": "sarmatia"}, garrisons=secured))
    game.act(SECURE)
    return game


def fallen_by_reducing():
    """A game that ends in the midst of a turn: reducing with no unrest left, where that is read as a fall."""
    free = [place for place in MAP.ids if not MAP[place].is_border and place != "galatia"][:20]
    start = make_position(
        "diocletian",
        {"diocletian": "galatia"},
        revolts="galatia",
        unrest=others_than(*free, "galatia"),
        readings={"I-RESERVE": "falls"},
    )
    assert start.reserve_unrest == 0
    game = Game(start)
    game.act(REDUCE)
    return game


def all_games():
    return (*map(game_of, LEVELS), *odd_games())


# -- there and back --------------------------------------------------------------------------------------------


def assert_comes_back(game):
    text = write_record(game)
    again = read_record(text, MAP)
    assert again.start == game.start
    assert again.set_up == game.set_up
    assert again.played == game.played
    assert again.state == game.state
    assert again.result == game.result
    assert write_record(again) == text
    assert text.startswith(FORMAT + "\n") and text.endswith(f"\nresult {game.result}\n")


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_a_game_of_each_level_comes_back_from_its_record(level):
    """Reading what was written gives the same start, set-up dice, actions, faces and result, and the same text again."""
    game = game_of(level)
    assert len(game.played) == THINGS or game.is_over
    assert game.set_up is not None
    assert_comes_back(game)


def test_games_from_the_midst_of_things_come_back_from_their_records():
    """A record may begin with any legal position in either phase, and end in any way."""
    for game in odd_games():
        assert game.set_up is None
        assert "\nset-up " not in write_record(game)
        assert_comes_back(game)


def test_every_result_is_among_the_games():
    """The games above are won, fallen for each cause, or open; one falls in the midst of a turn."""
    met = Counter(game.result for game in odd_games())
    assert set(met) == {"won", "open", *(f"fallen: {fall}" for fall in Fall)}
    assert met["open"] >= 10
    assert sum(count for result, count in met.items() if result.startswith("fallen")) >= 10
    assert fallen_by_reducing().played[-1].action == REDUCE
    assert {game.start.phase for game in odd_games()} == set(Phase)


def test_every_kind_of_action_is_among_the_games():
    """Whatever an Emperor can do is written in some record, each outcome of an attack and Barbarian phases among it."""
    actions = [played.action for game in all_games() for played in game.played]
    base_game = {*Kind} - {Kind.DEPLOY, Kind.TRANSFER, Kind.IMPERIUM}
    assert {None if action is None else action.kind for action in actions} == {None, *base_game}
    assert len({action.outcome for action in actions if action is not None and action.outcome is not None}) == 3


def test_a_won_game_has_a_record():
    """A game that is won ends with the action that won it, and its record says so."""
    assert write_record(nearly_won()).splitlines()[-2:] == ["1 diocletian: secure", "result won"]


def test_a_game_in_which_nothing_was_played_has_a_record():
    """A game that has not begun, and a position on which nobody can do anything any more, are records too."""
    assert_comes_back(new_game(LEVELS[0], "nothing", board=MAP))
    assert_comes_back(Game(nearly_won().position))


def test_a_record_can_be_read_at_every_step_of_a_game():
    """Cut off after any action or phase, a game is still a record of an open game, the last turn unfinished or not."""
    for level in LEVELS[::27]:
        whole = game_of(level)
        game = Game(whole.start, whole.set_up)
        for played, state in zip(whole.played, whole._states[1:], strict=True):
            if played.action is None:
                game.barbarians(rules.GivenDice(played.faces))
            else:
                game.act(played.action, played.faces)
            assert game.state == state
            assert_comes_back(game)


def test_comments_and_blank_lines_say_nothing():
    """Lines that are blank or begin with # may stand anywhere, and the line of an error counts them."""
    for game in (game_of(LEVELS[5]), *odd_games()[:3]):
        lines = write_record(game).splitlines()
        loose = "\n".join(f"# a word\n\n  {line}  " for line in lines)
        assert write_record(read_record(loose, MAP)) == write_record(game)
        with pytest.raises(RecordError) as caught:
            read_record(loose.replace("board tetrarchia", "board chess"), MAP)
        assert caught.value.line == 6


# -- set-up ----------------------------------------------------------------------------------------------------


def line_of(text, word):
    """Number and text of the only line that begins with a word."""
    [(number, line)] = [row for row in enumerate(text.splitlines(), 1) if row[1].startswith(word + " ")]
    return number, line


def refused(text):
    """The error that refuses a record, which names one of its lines and says so."""
    with pytest.raises(RecordError) as caught:
        read_record(text, MAP)
    error = caught.value
    assert 1 <= error.line <= max(1, len(text.splitlines()))
    assert str(error) == f"line {error.line}: {error.problem}"
    assert error.problem
    return error


@pytest.mark.parametrize("level", LEVELS[::4], ids=str)
def test_the_dice_of_a_set_up_are_verified(level):
    """The start must be the position that the set-up dice give: another start is refused, and so are too few or too many dice."""
    text = write_record(new_game(level, f"verified {level}", board=MAP))
    at, start = line_of(text, "start")
    dice_at, dice = line_of(text, "set-up")
    table_read = Position.parse(start.removeprefix("start "), MAP)
    for other in (
        table_read.with_disc("roma", "unrest"),
        table_read.with_emperor("galerius", "roma"),
        table_read.with_disc(min(table_read.revolts), None),
        table_read.replace(to_move="maximian"),
    ):
        assert other.status() == ()
        error = refused(text.replace(start, f"start {other}"))
        assert error.line == at
        assert "the dice of the set-up give" in error.problem
    assert refused(text.replace(dice, dice + " 3")).line == dice_at
    assert refused(text.replace(dice, dice[:-2])).line == dice_at
    assert refused(text.replace(dice, "set-up 1234" + dice[dice.index(":") :])).line == dice_at
    without = text.replace(dice + "\n", "")
    assert read_record(without, MAP).set_up is None
    assert read_record(without, MAP).start == table_read


# -- taking back -----------------------------------------------------------------------------------------------


def test_undo_takes_back_everything_down_to_the_start():
    """Each undo gives what was played last and the position before it; at the start there is nothing to take back."""
    for whole in (*map(game_of, LEVELS[::5]), *odd_games()[::6], nearly_won(), fallen_by_reducing()):
        game = read_record(write_record(whole), MAP)
        states = list(whole._states)
        for played, after, before in zip(reversed(whole.played), reversed(states), reversed(states[:-1]), strict=False):
            assert game.state == after
            assert game.undo() == played
            assert game.state == before
        assert (game.state, game.played) == (whole.start, ())
        assert game.undo() is None
        assert (game.state, game.set_up) == (whole.start, whole.set_up)


def test_what_was_undone_can_be_done_again():
    """To undo some things and play them again with the same faces gives an equal game, with the same record."""
    random = Random("again")
    for whole in (*map(game_of, LEVELS[::5]), *odd_games()[::6], nearly_won(), fallen_by_reducing()):
        game = read_record(write_record(whole), MAP)
        back = [game.undo() for _ in range(random.randint(1, len(whole.played)))] if whole.played else []
        assert len(game.played) == len(whole.played) - len(back)
        for played in reversed(back):
            if played.action is None:
                assert game.barbarians(rules.GivenDice(played.faces)) == played.faces
            else:
                game.act(played.action, played.faces)
        assert (game.state, game.played, game.result) == (whole.state, whole.played, whole.result)
        assert write_record(game) == write_record(whole)


def test_redo_gives_back_what_was_undone_until_something_else_is_played():
    """Any number of undos and as many redos give the same game; an action forgets what was undone."""
    random = Random("redo")
    for whole in (*map(game_of, LEVELS[::9]), *odd_games()[::9], nearly_won(), fallen_by_reducing()):
        game = read_record(write_record(whole), MAP)
        assert game.redo() is None
        back = [game.undo() for _ in range(random.randint(1, len(whole.played)))] if whole.played else []
        assert [game.redo() for _ in back] == back[::-1]
        assert game.redo() is None
        assert (game.state, game.played, game.states) == (whole.state, whole.played, whole.states)
    game = read_record(write_record(game_of(LEVELS[0])), MAP)
    for _ in range(10):
        game.undo()
    assert game.redo() is not None
    kept = game.played
    played_on(game, "another", 1)
    assert game.redo() is None
    assert game.played[: len(kept)] == kept


def test_after_undo_the_game_can_go_another_way():
    """What was taken back leaves no trace: played differently, the record is that of the other game."""
    for level in LEVELS[::9]:
        game = read_record(write_record(game_of(level)), MAP)
        for _ in range(10):
            game.undo()
        kept = game.played
        played_on(game, f"another {level}", 10)
        assert game.played[: len(kept)] == kept
        assert_comes_back(game)


# -- tampering -------------------------------------------------------------------------------------------------

FACES = re.compile(r"(?<![0-9>])[1-6](?![0-9>])")
GARBAGE = (
    "?",
    "move",
    "dice: 7",
    "0 nero: end",
    "result won",
    "start",
    "dice:",
    "1 diocletian: end",
    "\u2603",
    "set-up 1: 1",
)


def other_face(line, random):
    """The line with one of its faces changed."""
    head, colon, tail = line.partition(":")
    spots = [spot.start() for spot in FACES.finditer(tail)]
    if not spots:
        return line
    at = random.choice(spots)
    return head + colon + tail[:at] + random.choice("123456".replace(tail[at], "")) + tail[at + 1 :]


def change_face(lines, random):
    """Another face in a Barbarian phase or a battle."""
    at = random.choice([n for n, line in enumerate(lines) if line.startswith("dice:") or "attack" in line] or [0])
    return [*lines[:at], other_face(lines[at], random), *lines[at + 1 :]]


def change_set_up(lines, random):
    """Another face, or another zone, in the set-up."""
    at = next((n for n, line in enumerate(lines) if line.startswith("set-up ")), None)
    if at is None:
        return lines
    head, colon, faces = lines[at].partition(":")
    line = other_face(lines[at], random) if random.random() < 0.7 else head[:-1] + random.choice("123") + colon + faces
    return [*lines[:at], line, *lines[at + 1 :]]


def add_or_drop_face(lines, random):
    """A face too many or too few."""
    at = random.choice([n for n, line in enumerate(lines) if line.startswith(("dice:", "set-up"))] or [0])
    words = lines[at].split()  # a phase without dice ends with a blank, which says nothing
    words = words[:-1] if random.random() < 0.5 else [*words, random.choice("123456")]
    return [*lines[:at], " ".join(words), *lines[at + 1 :]]


def change_action(lines, random):
    """An action changed, dropped, doubled or exchanged with the next."""
    turns = [n for n, line in enumerate(lines) if line[0].isdigit()]
    if not turns:
        return lines
    at = random.choice(turns)
    head, _, tail = lines[at].partition(": ")
    actions = tail.split("; ")
    which = random.randrange(len(actions))
    match random.randrange(4):
        case 0:
            place = random.choice(MAP.ids)
            some = ["secure", "remove", "reduce", "end", "sail 1>2", "sail 2>3", "enter roma", f"move {place}"]
            actions[which] = random.choice([*some, f"attack {place}: draw 3-3", f"move {place}", f"move {place}"])
        case 1 if len(actions) > 1:
            del actions[which]
        case 2:
            actions.insert(which, actions[which])
        case _:
            actions[which : which + 2] = reversed(actions[which : which + 2])
    return [*lines[:at], f"{head}: {'; '.join(actions)}", *lines[at + 1 :]]


def change_turn(lines, random):
    """Another number or another Emperor before a turn."""
    turns = [n for n, line in enumerate(lines) if line[0].isdigit()]
    if not turns:
        return lines
    at = random.choice(turns)
    head, _, tail = lines[at].partition(": ")
    number, emperor = head.split()
    if random.random() < 0.5:
        number = str(int(number) + random.choice([-1, 1, 10]))
    else:
        emperor = random.choice(["diocletian", "galerius", "constantius", "maximian", "nero"])
    return [*lines[:at], f"{number} {emperor}: {tail}", *lines[at + 1 :]]


def drop_line(lines, random):
    """A line is missing."""
    at = random.randrange(len(lines))
    return [*lines[:at], *lines[at + 1 :]]


def double_line(lines, random):
    """A line stands there twice."""
    at = random.randrange(len(lines))
    return [*lines[:at], lines[at], *lines[at:]]


def exchange_lines(lines, random):
    """Two lines have changed places."""
    a, b = random.sample(range(len(lines)), 2)
    changed = list(lines)
    changed[a], changed[b] = lines[b], lines[a]
    return changed


def change_result(lines, random):
    """Another result."""
    results = ["won", "open", "lost", "fallen: ", *(f"fallen: {fall}" for fall in Fall)]
    return [*lines[:-1], f"result {random.choice(results)}".rstrip()]


def change_start(lines, random):
    """Another position at the beginning, possible or not."""
    at = next(n for n, line in enumerate(lines) if line.startswith("start "))
    start = Position.parse(lines[at].removeprefix("start "), MAP)
    place = random.choice(MAP.ids)
    other = random.choice(
        [
            start.with_disc(place, random.choice(["revolt", "unrest", "galerius", None])),
            start.with_emperor(random.choice(list(start.emperors)), random.choice([place, None])),
            start.with_army(None, place),
            start.replace(ip=random.randint(0, 7)),
            start.replace(to_move=random.choice(list(start.emperors))),
            start.replace(fleets=(random.randint(1, 3), *start.fleets[1:])),
            start.replace(ruleset=random.choice(LEVELS)),
        ]
    )
    return [*lines[:at], f"start {other}", *lines[at + 1 :]]


def change_head(lines, random):
    """Another format, board or ruleset."""
    at = random.randrange(3)
    line = random.choice([("tetrasolve-record/2", ""), ("board chess", "board"), ("ruleset 4411", "ruleset 5300")][at])
    return [*lines[:at], line, *lines[at + 1 :]]


def insert_garbage(lines, random):
    """A line, or a word in a line, that means nothing there."""
    at = random.randrange(len(lines))
    garbage = random.choice(GARBAGE)
    if random.random() < 0.5:
        return [*lines[:at], garbage, *lines[at:]]
    words = lines[at].split(" ")
    words.insert(random.randint(0, len(words)), garbage)
    return [*lines[:at], " ".join(words), *lines[at + 1 :]]


TAMPERING = (
    change_face,
    change_set_up,
    add_or_drop_face,
    change_action,
    change_turn,
    drop_line,
    double_line,
    exchange_lines,
    change_result,
    change_start,
    change_head,
    insert_garbage,
)


def first_difference(lines, others):
    """The first line, from 1, at which a text differs from another; its last line where it only ends before."""
    pairs = enumerate(zip(lines, others, strict=False), 1)
    shorter = min(len(lines), len(others)) + 1
    return min(next((number for number, (a, b) in pairs if a != b), shorter), len(lines))


def read_or_refused(text):
    """The game of a record, or the error that refuses it."""
    try:
        return read_record(text, MAP)
    except RecordError as error:
        return error


def assert_follows_the_rules(game):
    """Step by step, without the reader: a position that can occur, legal actions, and the state that the game says."""
    assert game.start.status() == ()
    if game.set_up is not None:
        assert (
            rules.set_up(game.start.ruleset, game.set_up.fleets, rules.GivenDice(game.set_up.faces), MAP) == game.start
        )
    state = game.start
    for played in game.played:
        if played.action is None:
            dice = rules.GivenDice(played.faces)
            state = rules.sample(state, dice)
            assert dice.left == 0
        else:
            assert played.action == END or played.action in rules.legal_actions(state)
            state = rules.play(state, played.action)
    assert state == game.state


def tampered(random, games):
    """How records were tampered with, the record before and after, without end."""
    number = 0
    while True:
        way = TAMPERING[number % len(TAMPERING)]
        number += 1
        lines = write_record(random.choice(games)).splitlines()
        changed = way(lines, random)
        if changed != lines:
            yield way.__name__, lines, changed


def test_a_record_that_was_tampered_with_is_refused_or_is_another_game():
    """Whatever is changed, reading refuses the record at a line that is not before the change, or finds another game that
    is correct and gives exactly its text back; it never fails in another way."""
    random = Random("tampering")
    games = all_games()
    refusals, others = Counter(), Counter()
    for (way, lines, changed), _ in zip(tampered(random, games), range(CORRUPTIONS), strict=False):
        text = "\n".join(changed) + "\n"
        found = read_or_refused(text)
        if isinstance(found, Game):
            assert write_record(found) == text, way
            assert_follows_the_rules(found)
            others[way] += 1
        else:
            assert first_difference(changed, lines) <= found.line <= len(changed), (way, found, text)
            assert str(found) == f"line {found.line}: {found.problem}"
            refusals[way] += 1
    assert refusals.total() + others.total() == CORRUPTIONS >= 600
    assert others.total() >= 10, "both must happen"
    assert {way.__name__ for way in TAMPERING} == set(refusals)
    assert min(refusals.values()) >= 10
    sure = ("change_turn", "double_line", "change_result", "change_head", "add_or_drop_face")
    assert not {way: others[way] for way in sure if others[way]}, "no game survives this"


def test_any_letter_changed_is_refused_or_read_as_a_game():
    """A letter dropped, doubled or changed anywhere is refused at a line, or leaves a record of a game that can be written."""
    random = Random("letters")
    games = all_games()
    refusals = 0
    for _ in range(600):
        text = write_record(random.choice(games))
        at = random.randrange(len(text))
        letter = random.choice(["", text[at] * 2, random.choice("abcxyz0123456789-~:;/.?+=#_ \n\t\u00b2\u0661")])
        changed = text[:at] + letter + text[at + 1 :]
        found = read_or_refused(changed)
        if isinstance(found, Game):
            assert_comes_back(found)
        else:
            assert 1 <= found.line <= len(changed.splitlines())
            refusals += 1
    assert refusals >= 400


@pytest.mark.parametrize("keep", [0, 1, 2, 3, 4, 5, -1])
def test_a_record_that_breaks_off_is_refused(keep):
    """Cut off after any line, a record is refused at its last line, an empty one at line 1."""
    for game in (game_of(LEVELS[40]), odd_games()[0]):
        lines = write_record(game).splitlines()[:keep]
        assert refused("\n".join(lines)).line == max(1, len(lines))


def test_the_faces_of_a_battle_must_lead_to_its_outcome():
    """An attack is written with the two faces that decided it: faces of another outcome, or none, are refused at its line."""
    seen = Counter()
    for game in all_games():
        text = write_record(game)
        for number, line in enumerate(text.splitlines(), 1):
            for found in re.finditer(r"attack [a-z_]+: (\w+) [1-6]-[1-6]", line):
                written = found.group()
                bare = text.replace(line, line.replace(written, written[:-4]))
                assert refused(bare).line == number
                for word in {"victory", "draw", "defeat"} - {found.group(1)}:
                    error = refused(text.replace(line, line.replace(f": {found.group(1)} ", f": {word} ")))
                    assert error.line == number
                    assert "the dice" in error.problem or "cannot be rolled" in error.problem
                    seen[found.group(1)] += 1
    assert set(seen) == {"victory", "draw", "defeat"}
