"""What follows from the rules alone."""
