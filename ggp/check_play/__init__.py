"""What random play shows of a game and its mistakes."""
