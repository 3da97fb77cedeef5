"""The reader: what people write at a table, read by its meaning, and the facts that it stands for.

A line goes through steps, each a module of pure functions: `tokens` (words, numbers, dice), `tags` (the meanings that
each can have, by the lexicon and the state), `parts` (the role of each number and name beside its verb), `clauses`
(where one thing ends and the next begins), `frames` (what can be reported, with its slots), `composition` (an outcome
befalls the target of the act before it), `decision` (recorded, offered or kept as a note).
"""
