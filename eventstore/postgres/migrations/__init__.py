"""The numbered SQL files that make and change the tables; a file that was released never changes."""
