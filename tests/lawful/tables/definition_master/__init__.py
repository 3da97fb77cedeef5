"""The tables of the generator for Definition Master: who fights, the sums, the play, and the ways to break a rule."""
