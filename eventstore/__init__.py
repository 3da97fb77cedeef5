"""Facts on disk, in order: the vocabulary, the record and its chain, and the store that keeps them."""
