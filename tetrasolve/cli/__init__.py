"""The `tetrasolve` command: the program, and the commands that every game can have. It knows games by `tetrasolve.games` only."""
