"""Hints: how good a table is for Rome, what to do in a turn, and why.

============== ==================================================================================================
`features`     what the evaluation looks at
`weights`      the evaluation's weights, and what made them; `learn` makes new ones
`evaluation`   how good a table is, as the evaluation sees it
`players`      a pool of compiled players, so that threads do not share one
`policy`       the best ways to play a turn, by search within a budget
`rollout`      estimates from games played to their end
`calibration`  what came of games in which the evaluation had said as much; `calibrate` makes it
`prospects`    what a plan leads to, exactly
`opinion`      the chance to win as the evaluation sees it, calibrated
`reasons`      why a plan is good, as data and in words
`advice`       hints: the best plans with all of that
`review`       a game looked through, luck and skill apart; `plot` draws it
`service`      what is answered over the analysis protocol
============== ==================================================================================================
"""
