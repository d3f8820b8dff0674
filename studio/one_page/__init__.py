"""One page that needs nothing: a game, its display and the search in one HTML file."""
