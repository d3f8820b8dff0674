"""A small typed intermediate representation of generated code: between the typed tree and Python or LLVM."""
