"""A phase or an attack die by die: it comes to what `apply` and the rules come to, with any source of dice and answers."""

from random import Random

import pytest

from tetrasolve.analysis.messages import RequestError
from tetrasolve.strict import StrictError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.game import Game, new_game
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import MODULES, Ruleset
from tetrasolve.tetrarchia.service.engine import ask

FIGHT = str(example("fight"))
RULES = [
    Ruleset(),
    Ruleset(modules=frozenset(MODULES)),
    Ruleset(variants=frozenset({"imperium", "mare-nostrum"})),
    Ruleset(variants=frozenset({"barbaria", "imperium"})),
    Ruleset(variants=frozenset({"barbaria"}), interpretations=(("I-REROLL", "again"),)),
    Ruleset(variants=frozenset({"usurpator", "via-romana", "roma-aeterna"})),
]


def phases(ruleset, most=6):
    """Positions in the Barbarian phase of a random game."""
    random = Random(str(ruleset))
    found, game = [], new_game(ruleset, 5)
    while len(found) < most and not game.is_over:
        position = game.position
        if position.phase is Phase.BARBARIAN:
            found.append(position)
            game.barbarians(rules.RandomDice(random.getrandbits(32)))
            continue
        legal = [action for action in rules.legal_actions(position) if not action.payments and action.outcome is None]
        if legal and not (rules.may_end(position) and random.random() < 0.1):
            game.act(random.choice(legal))
        else:
            game.end()
    return found


def step_by_step(position, action, random):
    """Ask for one die or answer after the other, as somebody with dice on a table does."""
    faces, asked = [], []
    while True:
        found = ask("course", position=str(position), action=action, faces=faces)
        assert found["faces"] == faces or found["next"] is None
        if found["next"] is None:
            return faces, asked, found
        following = found["next"]
        asked.append(following["kind"])
        faces.append(random.randint(1, 6) if following["kind"] == "die" else random.choice(following["options"]))


@pytest.mark.parametrize("ruleset", RULES, ids=str)
def test_a_phase_die_by_die_comes_to_what_apply_comes_to(ruleset):
    random = Random(3)
    for position in phases(ruleset):
        faces, asked, found = step_by_step(position, "barbarians", random)
        applied = ask("apply", position=str(position), action="barbarians", faces=faces)
        assert {key: found[key] for key in applied} == applied
        assert found["steps"][-1]["position"] == found["position"]
        game = Game(position)
        given = rules.GivenCourse(faces)
        game.barbarians(given, given.decide)
        assert found["position"] == (str(game.state) if isinstance(game.state, Position) else None)
        assert ("choice" in asked) <= ("barbaria" in ruleset.variants or "imperium" in ruleset.variants)


@pytest.mark.parametrize("ruleset", RULES, ids=str)
@pytest.mark.parametrize("policy", ["decline", "eager"])
def test_with_a_seed_and_a_policy_it_is_the_phase_of_apply(ruleset, policy):
    for seed, position in enumerate(phases(ruleset)):
        fields = {"position": str(position), "action": "barbarians", "seed": seed, "decide": policy}
        applied, found = ask("apply", **fields), ask("course", **fields)
        assert found["next"] is None and {key: found[key] for key in applied} == applied


def test_with_a_seed_it_stops_at_each_decision_and_goes_on_with_the_same_dice():
    """A client that answers as the policy does gets the phase of the policy."""
    decisions = 0
    for seed, position in enumerate(phases(RULES[3], most=12)):
        fields = {"position": str(position), "action": "barbarians", "seed": seed}
        whole = ask("course", **fields, decide="decline")
        found = ask("course", **fields)
        while found["next"] is not None:
            assert found["next"]["kind"] == "choice" and found["next"]["options"][0] == "no"
            decisions += 1
            found = ask("course", **fields, faces=[*found["faces"], "no"])
        assert found == whole
    assert decisions > 0


def test_an_attack_takes_two_dice():
    first = ask("course", position=FIGHT, action="attack narbonensis")
    assert first["next"] == {"kind": "die", "question": "Roman die"} and first["position"] == FIGHT
    for roman in range(1, 7):
        for barbarian in range(1, 7):
            found = ask("course", position=FIGHT, action="attack narbonensis", faces=[roman, barbarian])
            applied = ask("apply", position=FIGHT, action="attack narbonensis", faces=[roman, barbarian])
            assert {key: found[key] for key in applied} == applied and found["next"] is None
    assert (
        ask("course", position=FIGHT, action="attack narbonensis", seed=4)["faces"]
        == (ask("apply", position=FIGHT, action="attack narbonensis", seed=4)["faces"])
    )


def test_a_disc_can_be_paid_after_the_dice_of_an_attack():
    """Imperium: Galerius adds 1 for a disc, as long as the attack is no victory."""
    start = str(new_game(Ruleset.from_text("4211+imperium"), 1).start).split()
    position = " ".join(["4211+imperium", "G:6", "bit/cis/aqu/gsu", *FIGHT.split()[3:], *start[len(FIGHT.split()) :]])
    asked = ask("course", position=position, action="attack narbonensis", faces=[1, 1])
    assert asked["next"]["kind"] == "choice" and asked["next"]["decider"] == "galerius"
    paid = ask(
        "course", position=position, action="attack narbonensis", faces=[1, 1, asked["next"]["options"][1], "no"]
    )
    kept = ask("course", position=position, action="attack narbonensis", faces=[1, 1, "no"])
    assert paid["faces"] == kept["faces"] == [1, 1]
    assert paid["action"] != kept["action"]
    for found in (paid, kept):
        assert ask("apply", position=position, action=found["action"])["position"] == found["position"]


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"action": "barbarians"}, "action"),  # the turn is not over
        ({"action": "secure"}, "action"),
        ({"action": "attack roma"}, "action"),
        ({"action": "attack narbonensis: victory"}, "action"),
        ({"action": "sing"}, "action"),
        ({"action": 5}, "action"),
        ({}, "action"),
        ({"action": "attack narbonensis", "faces": [7]}, "faces"),
        ({"action": "attack narbonensis", "faces": [True]}, "faces"),
        ({"action": "attack narbonensis", "faces": ["no"]}, "faces: 1"),
        ({"action": "attack narbonensis", "faces": [1, 2, 3]}, "faces"),
        ({"action": "attack narbonensis", "faces": [1, 2, "no"]}, "faces"),
        ({"action": "attack narbonensis", "seed": -1}, "seed"),
        ({"action": "attack narbonensis", "decide": "best"}, "decide"),
    ],
)
def test_what_does_not_fit_is_refused_where_it_is(fields, where):
    with pytest.raises((RequestError, StrictError)) as error:
        ask("course", position=FIGHT, **fields)
    assert error.value.where == where


def test_an_answer_that_is_no_option_is_refused():
    for seed, position in enumerate(phases(RULES[3], most=12)):
        found = ask("course", position=str(position), action="barbarians", seed=seed)
        if found["next"] is not None:
            with pytest.raises(RequestError, match="found 'perhaps'"):
                ask("course", position=str(position), action="barbarians", faces=[*found["faces"], "perhaps"])
            return
    raise AssertionError("no phase with a decision")
