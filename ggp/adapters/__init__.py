"""Games of ggp in other people's tools, and their players and games in ours. Each module needs an extra of its name."""
