"""The numbers of the rulebook, each with a name, in one place.

The reference rules and everything above them take each number from here, or from `Ruleset.numbers` where a house rule can change
it (`tetrasolve.tetrarchia.house`). The kernel has its own in ``ext/``, so that tests that compare the engines find a wrong number
in one of them. The numbers of a difficulty level are in `Ruleset`.
"""

from __future__ import annotations

# -- figures and discs in the box ------------------------------------------------------------------------------

ARMIES = 3  # Rule p04-figures
REVOLTS = 21  # Rule p04-revolts
UNREST = 21  # Rule p04-unrest
GRAY_DISCS = 4  # Rule p15-barbaria-discs, p15-barbaria-refill
BLACK_DISCS = 1  # Rule p15-barbaria-discs

# -- difficulty levels: the least and the most of each digit ---------------------------------------------------

GARRISONS_A_LEVEL = (3, 5)  # Rule p06-level-garrisons
FLEETS_A_LEVEL = (1, 3)  # Rule p06-level-fleets
REVOLTS_A_LEVEL = (0, 2)  # Rule p06-level-revolts
ARMIES_A_LEVEL = (0, 2)  # Rule p06-level-armies
MOST_FLEETS_WITH_PIRATES = 2  # Rule p13-pirates-fleets

# -- set-up ----------------------------------------------------------------------------------------------------

FIRST_REVOLTS = 1  # rolled for each region  # Rule p06-first-revolts
FIRST_PROVINCE = 1  # the number on which a region's first revolt is rolled again  # Rule p06-first-revolts-reroll
FIXED_PROVINCE = 3  # the number of a region's revolt in the fixed set-up of a scenario  # Rule p16-fixed
PIRATE_ZONES = (2, 3)  # the faces, and zones, that are not rolled again  # Rule p13-pirates-roll
GOTH_REGIONS = (3, 4)  # their borders are those of the Goths  # Rule p13-goths-placed

# -- Roman phase: IP -------------------------------------------------------------------------------------------

IP_A_TURN = 6  # Rule p07-ip
NORMAL_LINK = 1  # Rule p07-move-link
BROKEN_LINK = 2  # Rule p07-move-broken
BY_SEA = 1  # a sea zone  # Rule p07-move-fleet
INTO_A_REVOLT = 1  # in addition to the way  # Rule p07-move-revolt
SAIL_COST = 1  # Rule p08-sail
SECURE_PROVINCE = 1  # Rule p08-secure
SECURE_BORDER = 2  # Rule p08-border
REMOVE_REVOLT = 2  # Rule p08-remove-revolt
REMOVE_UNREST = 1  # Rule p08-remove-unrest
REDUCE_REVOLT = 1  # Rule p08-reduce-revolt
ATTACK = 0  # beyond the way  # Rule p08-attack-cost
DEPLOY_DUX = 2  # Rule p12-dux-deploy
DEPLOY_VICARIUS = 2  # Rule p12-vicarius-deploy
ATTACK_PIRATES = 2  # Rule p13-pirates-attack
POWER_COST = 0  # a power is paid for with discs  # Rule p14-imperium-price
MAXIMIAN_IP = 1  # the IP that he gains  # Rule p14-imperium-maximian

# -- dice ------------------------------------------------------------------------------------------------------

DIE = 6  # Rule p04-dice
BLOCKED = 3  # the highest face that blocks a broken link  # Rule p09-check
SUPPORT_FACTOR = 2  # the factor for each supporting figure  # Rule p08-battle-emperors, p08-battle-armies
ROMAN_BONUS = 0  # added to the Roman die, and
BARBARIAN_BONUS = 0  # to the Barbarian one  # Rule p08-battle-dice
GOTHS_IN_BATTLE = 1  # added to the Barbarian die  # Rule p13-goths-battle
GOTHS_AT_A_CHECK = 1  # added to the check  # Rule p13-goths-link

# -- victory ---------------------------------------------------------------------------------------------------

BORDERS_TO_WIN = 6  # Rule p11-victory

# -- glory -----------------------------------------------------------------------------------------------------

GLORY_A_BATTLE = 1  # Rule p15-glory-victory, p15-glory-defeat
AHEAD_OF_ALL = 2  # points above each other Emperor  # Rule p15-great
