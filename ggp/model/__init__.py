"""What a game means: interpreter, code generator, compiled games and states, native functions."""
