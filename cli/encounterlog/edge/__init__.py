"""The edge: options of commands, what goes to stdout, errors as exit codes, the choice of a store, JSON Schema."""
