"""Words for people: facts in sentences, names, phrases, and the layout of pages."""
