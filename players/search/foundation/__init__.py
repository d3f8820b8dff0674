"""What every search needs: its interface, settings, arguments of kernels, values of leaves."""
