"""Squares: positions, threatened squares, and acts that provoke."""
