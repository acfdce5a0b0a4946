"""A play-by-email game master server."""

__version__ = "0.1.0"
