"""The law of reasons: what a value cites is what it depends on, and nothing else."""
