"""Games with chosen dice: won and lost ones, and waiting play, which has no end; and false ones of each kind."""

from dataclasses import replace

import pytest

from tetrasolve.errors import FindingError, IllegalActionError
from tetrasolve.lint.verdicts import Status
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.lint.consistency import check_consistency
from tetrasolve.tetrarchia.lint.courses import battle_faces, course, cruel, game_of, kind, lost_game, ways
from tetrasolve.tetrarchia.lint.ends import NotClosedError, Waiting, Witnesses, all_tables, stored_witnesses
from tetrasolve.tetrarchia.lint.profile import stored_profile
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import read_record
from tetrasolve.tetrarchia.rules import GivenCourse

KEPT = stored_witnesses()
NOTHING = replace(stored_profile(), examples=())


@pytest.fixture(scope="module")
def start():
    """Where waiting play begins."""
    state = read_record("\n".join(KEPT.waiting) + "\n").state
    assert isinstance(state, Position)
    return state


def verdicts(witnesses):
    return {v.claim: v for v in check_consistency(NOTHING, witnesses) if v.claim in ("won", "lost", "ends")}


def test_each_kind_of_table_has_a_game_of_each_end():
    """The five levels that are measured, and modules and variants alone."""
    wanted = {"5300", "4211", "4221", "4222", "3122"} | {t for t in all_tables() if t.count("+") == 1} - {
        "4211+barbaria"
    }

    assert wanted <= KEPT.lost.keys() <= {*all_tables()}
    assert wanted <= KEPT.won.keys() <= {*all_tables()}


def test_games_end_as_they_are_kept():
    few = Witnesses({"4211": KEPT.won["4211"]}, {"4211": KEPT.lost["4211"]})
    found = verdicts(few)

    assert [found[claim].status for claim in ("won", "lost", "ends")] == [Status.UNKNOWN, Status.PROVED, Status.UNKNOWN]
    assert "in 1 replayed games" in found["won"].how
    assert "1 lost games were replayed, and losing play was played" in found["lost"].how
    assert "there is none of 80 levels, carausian-revolt" in found["won"].how


def without_a_die(record):
    at = next(number for number, line in enumerate(record) if line.startswith("dice:"))
    return [*record[:at], record[at].rpartition(" ")[0], *record[at + 1 :]]


@pytest.mark.parametrize(
    "record",
    ids=("lost", "a die less", "no set-up", "open"),
    argvalues=[
        KEPT.lost["4211"],  # a lost game as a won one
        without_a_die(KEPT.won["4211"]),
        [line for line in KEPT.won["4211"] if not line.startswith("set-up")],  # from a position
        [*KEPT.won["4211"][:-3], "result open"],
    ],
)
def test_a_false_record_is_found(record):
    found = verdicts(Witnesses({"4211": record}, {}))["won"]

    assert found.status is Status.REFUTED
    assert found.trace == tuple(record)


# -- waiting play ------------------------------------------------------------------------------------------------------


def test_waiting_play_is_closed(start):
    """Each Emperor alone, without unrest and with one in each province without a garrison."""
    waiting = Waiting(start, KEPT.turns)

    assert waiting.check() == (4 * (1 + len(waiting.open)), 4 * (1 + len(waiting.open)) * (1 + len(waiting.open)))


def stays_there(turns):
    who = next(iter(turns))
    place, text = next(iter(turns[who].items()))
    return {**turns, who: {**turns[who], place: text.partition("; remove")[0] + "; remove; end"}}


def forgets_one(turns):
    who = next(iter(turns))
    return {**turns, who: dict(list(turns[who].items())[1:])}


@pytest.mark.parametrize("forged", [stays_there, forgets_one])
def test_turns_that_do_not_come_back_are_found(start, forged):
    with pytest.raises(NotClosedError, match="can become"):
        Waiting(start, forged(KEPT.turns)).check()


def one_guard_less(position):
    return position.with_disc(next(iter(position.garrisons("maximian"))), None)


def with_a_revolt(position):
    return position.with_disc(Waiting(position, {}).open[0], "revolt")


def elsewhere(position):
    return position.with_emperor("galerius", Waiting(position, {}).open[0])


@pytest.mark.parametrize("forge", [one_guard_less, with_a_revolt, elsewhere])
def test_a_start_that_is_not_closed_is_found(start, forge):
    with pytest.raises((NotClosedError, IllegalActionError)):
        Waiting(forge(start), KEPT.turns).check()


# -- courses -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("worth", [kind, cruel])
def test_a_course_is_that_of_a_phase(worth):
    """It replays with no die left; and what it is chosen by is never worse than by the first faces."""
    position = Position.parse("4111 D:b rom/-/-/- 1 aeg aeg num -/-/-/-")
    given = GivenCourse(course(position, worth))
    after = rules.sample(position, given, given.decide)

    assert given.left == ()
    assert worth(after) <= worth(rules.sample(position, rules.RandomDice(1)))


def test_cruel_dice_end_a_game():
    assert lost_game(game_of("3122", 0)).result.startswith("fallen")


def test_ways_are_those_of_moves():
    """The IP left are those after the cheapest way, and each way is legal."""
    position = Position.parse("4111 D:6 rom/-/-/- 2 - tar - -/-/-/-")
    found = ways(position)

    assert found["roma"] == (6, ())
    assert found["tarraconensis"][0] == 4  # by sea, into a revolt
    for place, (left, way) in found.items():
        now = position
        for action in way:
            now = rules.play(now, action)
        assert (now.here, now.ip) == (place, left)


def test_faces_of_a_battle():
    position = Position.parse("4111 D:6 aeg/-/-/- 1 lib - - -/-/-/-")
    faces = battle_faces(position, "libya", Outcome.VICTORY)

    assert faces is not None
    assert rules.attack_roll(position, "libya").result(faces).outcome is Outcome.VICTORY
    assert battle_faces(position, "persia", Outcome.VICTORY) is None


def test_a_file_that_holds_no_witnesses_is_refused():
    for data in (b"", b"x", b"{}", b'{"format": 2}'):
        with pytest.raises(FindingError):
            Witnesses.read(data, "x")


def test_the_dice_of_a_phase_do_not_go_round_in_echoes():
    """Where an echo that changes nothing is worth more than an army or an unrest, another step follows once it has come."""
    position = Position.parse("4111 D:b -/-/-/- 1 gma psu - -/-/-/-")
    calls = []

    def worth(state):
        calls.append(state)
        assert len(calls) < 2000, "the phase goes round"
        if isinstance(state, rules.Fall):
            return (1,)
        return 0, len(state.armies), len(state.unrest), -len(state.revolts)

    after = rules.sample(position, GivenCourse(course(position, worth)))

    assert isinstance(after, Position)
    assert len(after.armies) == 2 and len(after.revolts) > 9
