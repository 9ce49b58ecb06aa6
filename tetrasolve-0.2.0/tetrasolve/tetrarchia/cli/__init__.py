"""The commands of the game, listed in `tetrasolve.tetrarchia.definition`; each module is imported when its command is called."""
