"""The messages between players and a game manager, as types; no sockets."""
