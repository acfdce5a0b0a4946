"""The life of a game: open a phase, freeze the sheets, adjudicate, store, and tell each reader what he may know."""
