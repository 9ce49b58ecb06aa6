"""Where readings of open sentences differ: smallest positions, effects on a turn and on whole games, questions to the author."""
