"""The rules of Tetrarchia as readable Python: the reference engine, a module for each chapter of the rulebook.

=================== ============================================ ==============
module              chapter                                      rulebook page
=================== ============================================ ==============
`setup`             set-up                                       6
`roman`             Roman phase, attack                          7, 8
`movement`          entering, moving, sailing                    7
`protection`        securing, subduing                           8
`links`             links and the cost of ways                   7
`battle`, `combat`  combat values                                8, 9
`barbarian`         Barbarian phase                              9
`revolts`           1. revolts                                   9
`activity`          2. activity, uprisings, echoes               10
`advance`           3. advance                                   10
`precedence`        armies of one rank                           10
`handling`          what is left without an order                9 to 15
`end`, `reserve`    victory and fall, the reserve                11
`modules`           modules and variants                         12 to 16
`scenario`          historical scenarios                         16 to 19
`shortest`          ways where no arrow leads                    15
`chance`, `step`    dice made explicit
`choices`           decisions in the Barbarian phase             14 to 16
`optimum`           the best ones
=================== ============================================ ==============

Each module and variant is a *rule module*, a file of `modules` that registers itself (`registry`). It changes the base game
through `hooks`, which the modules call; `questions` has the calls that several of them share.

Chance is explicit: a random step is a `Roll` with the result of each face, so the exact distribution, a sampled game and the
replay of a record use the same code.
"""

from tetrasolve.exact.deadline import public_question
from tetrasolve.tetrarchia.rules import barbarian, roman
from tetrasolve.tetrarchia.rules.barbarian import Figures, SolvedPhase, uprising_share
from tetrasolve.tetrarchia.rules.battle import battle
from tetrasolve.tetrarchia.rules.chance import Dice, GivenDice, RandomDice, Roll, throw
from tetrasolve.tetrarchia.rules.choices import POLICIES, Decide, GivenCourse, decline, eager
from tetrasolve.tetrarchia.rules.combat import Battle
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.modules.aeterna import great, scores
from tetrasolve.tetrarchia.rules.modules.imperium import boosts
from tetrasolve.tetrarchia.rules.scenario import Scenario, rolled_scenario, scenario, scenario_set_up, scenarios
from tetrasolve.tetrarchia.rules.setup import (
    RolledSetUp,
    fleet_choices,
    open_choices,
    random_set_up,
    rolled_set_up,
    set_up,
)
from tetrasolve.tetrarchia.rules.step import Choice

# Called from outside, these check that they get a position and an action; the rules call each other without
begin = public_question(barbarian.begin)
figures = public_question(barbarian.figures)
outcomes = public_question(barbarian.outcomes)
sample = public_question(barbarian.sample)
solve = public_question(barbarian.solve)
uprising_chance = public_question(barbarian.uprising_chance)
attack_roll = public_question(roman.attack_roll)
rolled_attack = public_question(roman.rolled_attack)
cost = public_question(roman.cost)
legal_actions = public_question(roman.legal_actions)
may_end = public_question(roman.may_end)
objection = public_question(roman.objection)
parse = public_question(roman.parse)
play = public_question(roman.play)

__all__ = [
    "POLICIES",
    "Battle",
    "Choice",
    "Decide",
    "Dice",
    "Fall",
    "Figures",
    "GivenCourse",
    "GivenDice",
    "RandomDice",
    "Roll",
    "RolledSetUp",
    "Scenario",
    "SolvedPhase",
    "attack_roll",
    "battle",
    "begin",
    "boosts",
    "cost",
    "decline",
    "eager",
    "figures",
    "fleet_choices",
    "great",
    "legal_actions",
    "may_end",
    "objection",
    "open_choices",
    "outcomes",
    "parse",
    "play",
    "random_set_up",
    "rolled_scenario",
    "rolled_set_up",
    "sample",
    "scenario",
    "scenario_set_up",
    "scenarios",
    "scores",
    "set_up",
    "solve",
    "throw",
    "uprising_chance",
    "uprising_share",
]
