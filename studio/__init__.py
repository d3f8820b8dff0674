"""The pages on this machine: local games against bots, without a manager."""
