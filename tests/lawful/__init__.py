"""Random lawful play: generators that share no code with the rulesets play fights by the rules, and break one on purpose.

One module for each of three rulesets, called as its package is (`osric.py`, `fifth_edition.py` for `5e`): its own clock, its own
little order, its own sums; and `common.py` for the others, which counts only what all games count alike. A lawful fight raises no finding, and every value that the generator knows is ours as well; a fight with one rule broken
on purpose raises exactly that finding.

    python -m tests.lawful [RULESET ...] [--rounds N] [--seed S]
"""
