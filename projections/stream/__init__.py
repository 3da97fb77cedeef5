"""The corrected stream of facts: what the records say once strikes, amendments and insertions are applied."""
