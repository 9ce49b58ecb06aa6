"""Et finem Imperii Romani, a card game for one player against four tribes: its rules, positions, games and records."""
