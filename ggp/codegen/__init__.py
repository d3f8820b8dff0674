"""Machine code for this processor, its cache on disk, and the compiler of kernels. Knows nothing of games."""
