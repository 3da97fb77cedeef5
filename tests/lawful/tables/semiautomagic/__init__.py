"""Random play of Semiautomagic: people, their order, their turns, and how rules are broken."""
