"""Pages of the documentation of which a part, between two marks, is made from the program."""

from __future__ import annotations


def with_part(page: str, begin: str, end: str, part: str) -> str:
    """Return a page with what stands between two marks replaced.

    Args:
        page: the whole text.
        begin: the first mark; it stays.
        end: the second mark; it stays.
        part: what stands between them from now on.

    Raises:
        ValueError: the page has no such marks.
    """
    before, found_begin, rest = page.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found_begin or not found_end:
        raise ValueError("the page has no marks for the tables")
    return f"{before}{begin}{part}{end}{after}"
