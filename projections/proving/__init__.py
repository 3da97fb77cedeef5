"""Proving: encounter scripts, the plays in them, and the rulebooks that consist of plays."""
