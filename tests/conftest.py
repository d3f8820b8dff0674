"""Makes the modules of this folder importable from all tests."""
