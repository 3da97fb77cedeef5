"""The law of the clock: a line typed at a table moves the clock to where its act belongs, or says that it moves nothing.

Every play and fixture, and lawful fights, are typed once more, line by line, as the grammar prints them, without the clock
facts that an act follows: segments, slots or turns; rounds are typed, and what nobody acts in. Each line is typed where the
record stood just then, and judged:

- same: it moves the clock as the record does;
- refused: it leaves the clock where it is and says why, so that the clock has to be typed;
- blamed: it does otherwise, and the audit has a finding on what the record has there;
- later: it does otherwise, and the record has the act after its own place, which its rules leave to whoever acts;
- other: anything else, which is a fault.

    python -m tests.clock [RULESET ...] [--fights N] [--seed S] [--show VERDICT]
"""
