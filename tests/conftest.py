"""Makes the modules of this folder importable from all tests, and lets processes that tests start be interrupted."""

import signal

# A shell that runs the tests in the background has them ignore interrupts, and whoever they start inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)
