"""Who asked for a late view gets nothing that is younger, by any way."""

import json
import threading
import time
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from bench.live.evening import Clock
from table_assist.contract.snapshot import Snapshot
from tests.stages.keeping_table import wait_for
from tests.stages.web_fakes import FakeTable, asked, empty_snapshot, opened, played
from tests.web.test_stream import Viewer
from web import create_app
from web.api.stream import Viewers
from web.api.viewers import LONGEST_S, NOTHING_YET, TablePast


def numbered(seq: int) -> Snapshot:
    return replace(empty_snapshot(), seq=seq)


class Quiet(FakeTable):
    """Publishes nothing by itself: what is kept, a test keeps."""

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        threading.Event().wait(3600)
        return None


@given(
    steps=st.lists(st.floats(0.0, 40.0), max_size=40),
    delays=st.lists(st.integers(1, LONGEST_S), min_size=1, max_size=3),
)
def test_the_newest_that_is_old_enough_is_shown_and_nothing_younger(
    steps: list[float], delays: list[int]
) -> None:
    clock = Clock(1000.0)
    past = TablePast(Quiet(numbered(0)), clock)
    late = [past.behind(delay) for delay in delays]
    published: list[tuple[float, int]] = []
    for version, step in enumerate(steps):
        clock.t += step
        past.keep(version, numbered(version))
        published.append((clock.t, version))
        for each in late:
            old = [v for at, v in published if at <= clock.t - each.delay_s]
            assert each.version == (old[-1] if old else NOTHING_YET)
            assert (each.snapshot.seq if each.snapshot else NOTHING_YET) == each.version


def test_only_what_may_still_be_shown_is_kept() -> None:
    clock = Clock(1000.0)
    past = TablePast(Quiet(numbered(0)), clock)
    past.behind(10)
    for version in range(1000):
        clock.t += 1
        past.keep(version, numbered(version))
    assert len(past._kept) <= 12


def test_a_stream_comes_late_by_a_real_clock() -> None:
    table = FakeTable(opened().snapshot())
    app = create_app(table)
    viewers: Viewers = app.extensions["viewers"]
    viewers.beat_s = 0.2
    begun = time.monotonic()
    earliest = time.time() - 1
    viewer = Viewer(app.test_client(), "/api/stream?delay=1")
    hello = viewer.next("hello")
    assert earliest - 0.01 <= hello.data["now"] <= time.time() - 1 + 0.01
    first = viewer.next("view")
    assert time.monotonic() - begun >= 1
    assert first.data["questions"] == []
    told_s = time.monotonic()
    table.publish(asked(played(opened())).snapshot())
    second = viewer.next("view")
    assert second.data["questions"]
    assert 1 <= time.monotonic() - told_s < 10
    viewer.close()
    assert viewers.count == 0
    viewers.end_all()


def test_a_stream_beats_while_nothing_is_old_enough() -> None:
    app = create_app(FakeTable(opened().snapshot()))
    viewers: Viewers = app.extensions["viewers"]
    viewers.beat_s = 0.0
    viewer = Viewer(app.test_client(), f"/api/stream?delay={LONGEST_S}")
    assert [viewer.next().event for _ in range(3)] == ["hello", "beat", "beat"]
    viewer.close()
    viewers.end_all()


def test_a_table_is_asked_for_late() -> None:
    table = FakeTable(opened().snapshot())
    app = create_app(table)
    clock = Clock(1000.0)
    app.extensions["viewers"].now = clock
    client = app.test_client()

    def late(after_s: float) -> Any:
        clock.t += after_s
        return client.get("/api/table?delay=1")

    refused = late(0)
    assert refused.status_code == 404
    assert "1 s old" in json.loads(refused.data)["error"]["en"]
    wait_for(lambda: late(0.5).status_code == 200)
    assert late(0).json["questions"] == []
    table.publish(asked(played(opened())).snapshot())
    assert client.get("/api/table").json["questions"]
    assert late(0.9).json["questions"] == []
    wait_for(lambda: late(0.2).json["questions"])
    app.extensions["viewers"].end_all()


@pytest.mark.parametrize("said", ["-1", "301", "1.5", "abc", "", "٣", "0x10", "1e2", "9999999999"])
@pytest.mark.parametrize("path", ["/api/stream", "/api/table", "/overlay", "/obs"])
def test_a_delay_that_is_none_is_refused(said: str, path: str) -> None:
    app = create_app(FakeTable())
    answer = app.test_client().get(path, query_string={"delay": said})
    assert answer.status_code == 400
    assert b"0 to 300" in answer.data


def test_viewers_of_one_delay_share_their_views_and_leave_nothing() -> None:
    app: Flask = create_app(FakeTable(opened().snapshot()))
    viewers: Viewers = app.extensions["viewers"]
    one, other = (Viewer(app.test_client(), "/api/stream?delay=1") for _ in range(2))
    assert viewers.behind(1) is viewers.behind(1)
    assert viewers.count == 2
    one.close()
    other.close()
    del one, other
    assert viewers.count == 0
    assert dict(viewers._late) == {}
    viewers.end_all()
