"""The reader: what people write at a table, read by its meaning, and the facts that they mean.

A line goes through steps, each a module of pure functions: `tokens` (words, numbers, dice), `tags` (what each can be, by the lexicon and
the state), `roles` (what each number and name is to its verb), `clauses` (where one thing ends and the next begins), `frames` (what can be
told, with its slots), `composition` (what stands behind an act befalls whom it befell), `decision` (recorded, offered or kept as a note).
"""
