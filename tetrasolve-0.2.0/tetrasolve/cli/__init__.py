"""The `tetrasolve` command and the commands that all games share. Games are known through `tetrasolve.games` only."""
