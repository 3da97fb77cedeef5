"""Reading logs: records and replays, listings, following, folders, exports."""
