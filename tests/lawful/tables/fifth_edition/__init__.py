"""A table that plays the fifth edition: who is at it, how it plays, how it breaks a rule."""
