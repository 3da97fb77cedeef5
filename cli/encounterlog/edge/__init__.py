"""The edge: options of commands, output, errors as exit codes, the choice of a store, JSON Schema."""
