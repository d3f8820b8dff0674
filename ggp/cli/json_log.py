"""The log as JSON, one object per line, for programs that collect logs."""

from __future__ import annotations

import json
import logging
import time

from ggp.terminal import safe_text

MAX_MESSAGE = 2000
MAX_TRACEBACK = 20_000


class JsonFormatter(logging.Formatter):
    """Formats a record as one line: `time`, `level`, `part`, `message`, and `traceback` for our own errors."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        facts = {
            "time": f"{moment}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "part": record.name,
            "message": safe_text(record.getMessage(), MAX_MESSAGE),
        }
        if record.exc_info:
            facts["traceback"] = self.formatException(record.exc_info)[-MAX_TRACEBACK:]
        return json.dumps(facts, ensure_ascii=False)


def log_as_json() -> None:
    """Write all log records from level `info` to standard error as JSON."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
