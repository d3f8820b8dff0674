"""The game manager: referee, clocks, store, and the web front."""
