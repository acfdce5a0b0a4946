"""What a club has above its games: campaigns, their zine, and the weekly mail on how all goes."""
