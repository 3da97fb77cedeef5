"""Tools for the tests of this repository: what nothing would miss, places that are changed, reasons, campaigns of chance."""
