"""The meaning of typed expressions: plainly on Python values, before play and in it."""
