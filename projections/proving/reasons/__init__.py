"""The law of reasons: a value cites the facts and options that it depends on, and nothing else."""
