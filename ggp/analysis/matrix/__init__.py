"""Zero-sum matrix games: their values and optimal strategies."""
