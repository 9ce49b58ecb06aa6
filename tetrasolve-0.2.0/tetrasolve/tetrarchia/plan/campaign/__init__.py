"""Several Emperors' turns in a row: the fewest turns, then the least IP, until a goal is met.

A `Campaign` is the problem; `solve_campaign` solves it with our own search, with CP-SAT, or with both.
"""

from tetrasolve.tetrarchia.plan.campaign.dice import DiceError, PhaseDice, read_dice
from tetrasolve.tetrarchia.plan.campaign.question import Campaign, read_goal
from tetrasolve.tetrarchia.plan.campaign.result import CampaignResult, TurnPlan
from tetrasolve.tetrarchia.plan.campaign.solving import ENGINES, campaign, solve_campaign

__all__ = [
    "ENGINES",
    "Campaign",
    "CampaignResult",
    "DiceError",
    "PhaseDice",
    "TurnPlan",
    "campaign",
    "read_dice",
    "read_goal",
    "solve_campaign",
]
