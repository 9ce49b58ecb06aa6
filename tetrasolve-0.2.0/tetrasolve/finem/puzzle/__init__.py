"""Puzzles of Et finem Imperii Romani: questions about a turn that have one answer."""
