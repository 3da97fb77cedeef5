"""Where logs are kept: files, databases, services, shelves; and what comes from outside: the clock, chance, a model."""
