"""Hints: how good a table is for Rome, what to do in a turn, and why.

============== ==================================================================================================
`features`     what the evaluation looks at
`weights`      the evaluation's weights, and what made them; `train` makes new ones
`evaluation`   how good a table is, as the evaluation sees it
`policy`       the best ways to play a turn, by search within a budget
`rollout`      estimates from games played to their end
`prospects`    what a plan leads to, exactly
`reasons`      why a plan is good, as data and in words
`advice`       hints: the best plans with all of that
`review`       a game looked through, luck and skill apart; `plot` draws it
`service`      what is answered over the analysis protocol
============== ==================================================================================================
"""
