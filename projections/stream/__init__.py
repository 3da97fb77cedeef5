"""The corrected stream of facts: the records with strikes, amendments and insertions applied."""
