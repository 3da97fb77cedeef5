"""Squares: who stands where, what is threatened, and what provokes."""
