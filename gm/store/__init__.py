"""The game store: SQLAlchemy tables and queries. The only truth of the server."""
