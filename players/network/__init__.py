"""Players on a game manager."""
