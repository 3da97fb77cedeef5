"""Turns: their order, delayed turns, held and immediate actions."""
