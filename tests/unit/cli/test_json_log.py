"""The log as JSON."""

from __future__ import annotations

import json
import logging
import sys

from ggp.cli.json_log import JsonFormatter


def test_a_record_is_one_line_whatever_its_text() -> None:
    record = logging.LogRecord("ggp.match", logging.WARNING, "", 0, "%s\n\x1b[2J", ("forged",), None)
    line = JsonFormatter().format(record)
    assert "\n" not in line
    facts = json.loads(line)
    assert (facts["level"], facts["part"], facts["message"]) == ("warning", "ggp.match", "forged\\x0a\\x1b[2J")
    assert facts["time"].endswith("Z")


def test_a_mistake_of_our_own_has_its_traceback() -> None:
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "it fails", (), sys.exc_info())
    assert "ZeroDivisionError" in json.loads(JsonFormatter().format(record))["traceback"]
