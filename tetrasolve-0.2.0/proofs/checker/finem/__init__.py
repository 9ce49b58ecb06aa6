"""The part of the checker for the game et-finem: its map, positions, rules, turns and facts; standard library only."""
