"""What a player can know of a play from what it was told: the histories that fit, found by native code."""
