"""What programs can ask about the game: the engine of the analysis protocol, behind ``analyse`` and ``serve``."""
