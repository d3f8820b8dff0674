"""From the typed tree to readable Python source on words, which runs as it is and compiles to native code."""
