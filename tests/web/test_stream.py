"""The stream: whole views, beats, resuming, and a limit on viewers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table_assist.game.events import Discarded
from table_assist.record.snapshot import Snapshot
from table_assist.tiles.tile import Tile
from tests.stages.web_fakes import FakeTable, empty_snapshot, healthy, opened
from web import create_app
from web.access.pairing_sessions import PAIRING_COOKIE
from web.access.roles import LOCAL_VIEWER, Role
from web.access.roles import Viewer as viewer_of  # noqa: N813 - this file's Viewer reads a stream
from web.api.stream import Viewers


@dataclass
class Message:
    event: str
    id: str
    data: dict


class Viewer:
    """Reads one stream, message by message."""

    def __init__(self, client: FlaskClient, path: str = "/api/stream", **headers: str) -> None:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        self.reply = client.get(path, headers=sent, buffered=False)
        assert self.reply.status_code == 200
        self._parts: Iterator[bytes] = iter(self.reply.response)

    def read(self) -> str:
        return next(self._parts).decode()

    def next(self, *events: str) -> Message:
        """The next message, of those events only if any are named."""
        while True:
            part = self.read()
            fields = dict(line.split(": ", 1) for line in part.splitlines() if line[:1] not in ":")
            if "event" in fields and (not events or fields["event"] in events):
                return Message(fields["event"], fields.get("id", ""), json.loads(fields["data"]))

    def close(self) -> None:
        self.reply.close()


def viewers_of(app: Flask) -> Viewers:
    return app.extensions["viewers"]


def test_a_new_viewer_is_greeted_and_gets_the_whole_view(client: FlaskClient) -> None:
    viewer = Viewer(client)
    assert viewer.reply.mimetype == "text/event-stream"
    first = viewer.read()
    assert first.startswith("retry: 1000\nevent: hello\n")
    view = viewer.next()
    assert view.event == "view"
    assert view.data["headline"]["en"] == "Ana discards"
    assert [source["name"] for source in view.data["health"]] == ["camera", "board", "log"]
    viewer.close()


def test_a_change_brings_the_whole_view(client: FlaskClient, table: FakeTable) -> None:
    viewer = Viewer(client)
    viewer.next("view")
    table.publish(opened().do(Discarded(0, Tile.P5)).snapshot())
    message = viewer.next()
    assert (message.event, message.data["seats"][0]["river"]) == ("view", ["5p"])
    viewer.close()


def test_a_change_of_health_brings_health_alone(client: FlaskClient, table: FakeTable) -> None:
    viewer = Viewer(client)
    viewer.next("view")
    now = table.snapshot.t + 1
    table.publish(replace(table.snapshot, t=now, health=healthy(now)))
    message = viewer.next()
    assert message.event == "health"
    assert set(message.data) == {"t", "health"}
    viewer.close()


def test_a_slow_viewer_gets_the_newest_view_only(client: FlaskClient, table: FakeTable) -> None:
    viewer = Viewer(client)
    viewer.next("view")
    evening = opened()
    for tile in (Tile.P1, Tile.P2, Tile.P3):
        table.publish(evening.do(Discarded(0, tile)).snapshot())
    assert viewer.next().data["seats"][0]["river"] == ["1p", "2p", "3p"]
    table.publish(empty_snapshot())
    assert viewer.next().data["hand"] == 0
    viewer.close()


def test_a_viewer_that_saw_the_newest_view_is_not_sent_it_again(
    client: FlaskClient, app: Flask, table: FakeTable
) -> None:
    viewers_of(app).beat_s = 0.0
    viewer = Viewer(client, Last_Event_ID=f"{viewers_of(app).run}.1")
    assert [viewer.next().event for _ in range(3)] == ["hello", "beat", "beat"]
    table.publish(empty_snapshot())
    assert viewer.next("view").data["hand"] == 0
    viewer.close()


@pytest.mark.parametrize("seen", ["0", "1", "other.1", "{run}.0", "{run}.2", "{run}.x", "é"])
def test_a_viewer_that_saw_something_else_gets_the_whole_view(
    client: FlaskClient, app: Flask, seen: str
) -> None:
    last = seen.replace("{run}", viewers_of(app).run).encode().decode("latin1")
    viewer = Viewer(client, Last_Event_ID=last)
    assert [viewer.next().event for _ in range(2)] == ["hello", "view"]
    viewer.close()


def test_a_quiet_table_beats_and_comments(client: FlaskClient, app: Flask) -> None:
    viewers_of(app).beat_s = viewers_of(app).comment_s = 0.0
    viewer = Viewer(client)
    parts = [viewer.read() for _ in range(4)]
    assert parts[2].startswith("event: beat\n")
    assert parts[3] == ": here\n\n"
    viewer.close()


def test_a_stream_ends_after_its_lifetime(client: FlaskClient, app: Flask) -> None:
    viewers_of(app).lifetime_s = 0.0
    viewer = Viewer(client)
    viewer.next("hello")
    with pytest.raises(StopIteration):
        viewer.read()
    viewer.close()
    assert viewers_of(app).count == 0


def test_beyond_the_limit_a_viewer_is_told_to_come_back(client: FlaskClient, app: Flask) -> None:
    viewers_of(app).limit = 2
    first, second = Viewer(client), Viewer(client)
    refused = client.get("/api/stream")
    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "5"
    assert refused.json["error"]["en"].startswith("All 2 places")
    assert client.get("/api/table").status_code == 200
    first.close()
    third = Viewer(client)
    assert third.next("view").data["hand"] == 1
    second.close()
    third.close()
    assert viewers_of(app).count == 0


def test_the_view_is_made_once_for_all_viewers_of_a_kind(app: Flask, table: FakeTable) -> None:
    viewers = viewers_of(app)
    seat, scorer = viewer_of(Role.SEAT, 1, "Ben"), viewer_of(Role.SCORER, None, "Ana")
    first = viewers.texts(table.snapshot, seat)
    assert viewers.texts(table.snapshot, viewer_of(Role.SEAT, 1, "another"))[0] is first[0]
    assert viewers.texts(table.snapshot, scorer)[0] is not first[0]
    table.publish(empty_snapshot())
    assert viewers.texts(table.snapshot, seat) != first


def test_a_stream_ends_with_its_session(app: Flask) -> None:
    sessions = app.extensions["sessions"]
    client = app.test_client()
    client.set_cookie(PAIRING_COOKIE, sessions.open(Role.SCORER, None, "a phone", since=0.0))
    viewer = Viewer(client)
    viewer.next("view")
    sessions.close(sessions.devices[0][0].id)
    with pytest.raises(StopIteration):
        viewer.read()
    viewer.close()


def test_the_phones_that_wait_are_told_to_who_may_let_them_in(app: Flask) -> None:
    pairing = app.extensions["pairing"]
    pairing.ask(pairing.offer(Role.SEAT, 2).code, "Cy's phone", "192.0.2.7")
    viewers_of(app).beat_s = 0.0
    desk = Viewer(app.test_client())
    assert desk.next("waiting").data["waiting"][0]["seat"] == 2
    pairing.decide(pairing.waiting(LOCAL_VIEWER)[0][0].id, LOCAL_VIEWER, allow=True)
    assert desk.next("waiting").data == {"waiting": []}
    desk.close()
    television = Viewer(app.test_client(), X_Forwarded_For="192.0.2.8")
    assert [television.next().event for _ in range(4)] == ["hello", "view", "beat", "beat"]
    television.close()


def test_a_version_read_before_its_snapshot_is_in_place_skips_nothing() -> None:
    class HalfPublished(FakeTable):
        """Shows the coming version early; `wait`, which takes the lock, sees both or neither."""

        coming: Snapshot | None = None

        @property
        def version(self) -> int:
            return self._version + (self.coming is not None)

        def wait(self, after: int, timeout_s: float) -> Snapshot | None:
            if self.coming is not None and after == self._version:
                coming, self.coming = self.coming, None
                self.publish(coming)
            return super().wait(after, timeout_s)

    table = HalfPublished(opened().snapshot())
    app = create_app(table)
    viewers_of(app).lifetime_s = 5.0
    viewer = Viewer(app.test_client())
    viewer.next("view")
    table.publish(opened().do(Discarded(0, Tile.P1)).snapshot())
    table.coming = opened().do(Discarded(0, Tile.P2)).snapshot()
    assert viewer.next("view").data["seats"][0]["river"] == ["2p"]
    viewer.close()
