"""The law of reasons: a value cites the things that it depends on, and nothing else."""
