"""Schedules: the order of a round, the combatants who are due and why, and the boundaries of time.

There are two kinds: turns that follow a list (`turn_schedule`), and acts that come at points of a round (`ladder_schedule`). The folds,
the views and the grammar use the questions that both answer: `Schedule`.
"""
