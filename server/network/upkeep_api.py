"""The HTTP API for maintenance of the store: archiving journals, and copying it."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from server.network.answers import Access, Refusal, as_json, body_of
from server.store.archive import archive_batch, copy_store
from server.store.store import Store
from server.store.wall_clock import iso_text


class ArchiveRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /archive`: journals of matches that ended more than this many days ago."""

    older_than_days: Annotated[float, Meta(ge=0, le=36_500)] = 30.0


class UpkeepApi:
    """The handlers.

    Args:
        store: of the manager. Archives and copies are written beside it: requests cannot name files.
        access: decides who may use it.
    """

    def __init__(self, store: Store, access: Access) -> None:
        self._store = store
        self._access = access
        self._busy = asyncio.Lock()

    async def archive(self, request: Request) -> Response:
        """Move old journals out of the store into a folder beside it; results and errors stay."""
        self._access.check(request)
        wanted = await body_of(request, ArchiveRequest)
        before = iso_text(datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=wanted.older_than_days))
        folder = self._store.path.with_name(f"{self._store.path.name}-journals")
        async with self._only_one():
            count = 0
            try:
                while (some := await asyncio.to_thread(archive_batch, self._store, folder, before)) > 0:
                    count += some
            except OSError as error:
                raise Refusal(507, f"cannot archive to {folder}: {error.strerror}; nothing more was removed") from error
        return as_json({"archived": count, "folder": str(folder)})

    async def backup(self, request: Request) -> Response:
        """Copy the store to a file beside it, while the manager is running."""
        self._access.check(request)
        moment = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S-%f")
        target: Path = self._store.path.with_name(f"{self._store.path.name}-{moment}.backup")
        async with self._only_one():
            try:
                await asyncio.to_thread(copy_store, self._store.path, target)
            except OSError as error:
                raise Refusal(507, f"cannot write {target}: {error.strerror}") from error
        return as_json({"file": str(target), "bytes": target.stat().st_size}, 201)

    def _only_one(self) -> asyncio.Lock:
        if self._busy.locked():
            raise Refusal(409, "the store is being archived or copied already")
        return self._busy
