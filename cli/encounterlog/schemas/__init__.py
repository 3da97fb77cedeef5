"""JSON Schema of input and output, and the pages that explain it."""
