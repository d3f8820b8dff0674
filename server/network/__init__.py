"""The manager on the network: sockets, admission, the JSON API."""
