"""The service as its clients see it: a real server on the loopback, and clients that nobody here wrote."""
