"""Maneuvers and their contests: trips, grapples, swallowing."""
