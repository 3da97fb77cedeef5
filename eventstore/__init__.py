"""Facts on disk, in order: the event types, the record and its hash chain, and the store that keeps them."""
