"""The commands of the game."""
