import os
from pathlib import Path

from ggp.cli.free_memory import free_memory_bytes


def test_what_linux_tells(tmp_path: Path) -> None:
    told = tmp_path / "meminfo"
    told.write_text("MemTotal:       1000 kB\nMemFree:        10 kB\nMemAvailable:    300 kB\n")
    assert free_memory_bytes(told) == 300 * 1024


def test_without_it_the_memory_that_is_built_in(tmp_path: Path) -> None:
    built_in = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert free_memory_bytes(tmp_path / "nothing") == built_in >= free_memory_bytes()
