"""The commands of the game. `tetrasolve.tetrarchia.definition` lists them; each module is imported when its command is called."""
