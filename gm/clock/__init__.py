"""Deadlines: wall-clock rules in a named zone, computed to UTC. The database decides what is due, not a timer."""
