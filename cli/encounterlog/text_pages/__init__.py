"""Views as pages for people: each module turns one view into lines of text."""
