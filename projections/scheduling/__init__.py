"""Who comes when: a schedule owns the order of a round, who is due and why, and the boundaries of time.

There are two kinds: turns that follow a list (`turn_schedule`), and acts that come at points of a round
(`ladder_schedule`). What the folds, the views and the grammar ask of either is `Schedule`.
"""
