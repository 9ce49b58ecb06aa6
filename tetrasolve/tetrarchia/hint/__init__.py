"""Hints: how good a table is for Rome, and what to do in a turn, by evaluation, search and games played to their end."""
