"""Reading logs: records and replays, listings, following, campaigns, exports."""
