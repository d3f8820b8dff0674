"""The language server: what editors show of rules files while they are written. `server` alone knows the protocol."""
