"""What people in browsers send to a manager."""

import pytest
from websockets.asyncio.client import connect

from studio.visitors import Visitors
from tests.support.arena import arena, closing_code


@pytest.mark.parametrize("text", ["no json", "[1]", '{"token": 3}'])
async def test_what_asks_for_no_seat_is_left_and_is_no_error_of_the_manager(tmp_path, text, capfd):
    async with (
        arena(tmp_path, more=lambda host: Visitors(host.manager, 2).routes()) as here,
        connect(here.url.replace("/play", "/api/seat")) as socket,
    ):
        await socket.send(text)
        await closing_code(socket)
    assert "Traceback" not in capfd.readouterr().err
