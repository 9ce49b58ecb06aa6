"""The board game Tetrarchia: its nouns, its rules twice, and what can be found out with them."""
