"""The board game Tetrarchia: its board and positions, its rules in two engines, and the analysis built on them."""
