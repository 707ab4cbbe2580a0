"""Many live viewers at one table: how long from an event to each of them, and what it costs.

The server runs in this process beside a session that is told a simulated hand; the viewers are in
a process of their own, as phones are machines of their own. Some of them never read what they
are sent: they must cost the others nothing.
"""

import argparse
import multiprocessing
import selectors
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from random import Random

from table_assist.game.events import Drew
from table_assist.game.state import TableState
from table_assist.rules.registry import find_rules
from table_assist.twin.play.hand import play_hand
from tests.secrecy.stage import LeakStage
from web import create_app
from web.access.pairing_sessions import PAIRING_COOKIE
from web.access.roles import Role
from web.access.trust import parse_trust
from web.serve import serve

PROXY = parse_trust("http://127.0.0.1", ["127.0.0.1"], local_admin=True)
IDLE_OF_ONE = 40  # silent connections of one sender, who may have 48
LAST_S = 20.0  # how long the last event may take to reach the last viewer
P95_S = 0.2
HEAR_S = 60.0  # how long the viewers may take to come in


@dataclass(frozen=True, slots=True)
class Load:
    """The result of a run; times in seconds.

    Attributes:
        delays: from each event to each viewer that has got it, or a newer view instead.
        complete: viewers that have the last view.
        tell_alone, tell_watched: of the session for each event, without and with viewers.
        cpu: of this process for each event, the session's part included.
    """

    viewers: int
    dead: int
    idle: int
    events: int
    delays: tuple[float, ...]
    complete: int
    tell_alone: float
    tell_watched: float
    cpu: float

    def share(self, part: float) -> float:
        """The delay that so great a part of all delays does not exceed."""
        ordered = sorted(self.delays)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))]

    @property
    def line(self) -> str:
        """All of it for people."""
        return (
            f"{self.viewers} viewers and {self.dead} that never read, {self.idle} silent "
            f"connections, {self.events} events: "
            f"event to viewer median {self.share(0.5) * 1000:.0f} ms, p95 "
            f"{self.share(0.95) * 1000:.0f} ms, longest {self.share(1.0) * 1000:.0f} ms; "
            f"{self.complete} viewers have the last view; the session takes "
            f"{self.tell_alone * 1000:.1f} ms an event alone and {self.tell_watched * 1000:.1f} ms "
            f"watched; {self.cpu * 1000:.0f} ms of processor an event"
        )


def run_load(
    viewers: int = 50, *, dead: int = 3, idle: int = 0, events: int = 60, pause_s: float = 0.25
) -> Load:
    """Tell a table's events to so many live viewers.

    Args:
        dead: viewers that come in and never read.
        idle: connections that never say anything, of many senders.
        pause_s: between two events; at a table they are seconds apart.
    """
    rules = find_rules("changchun")
    stage = LeakStage(rules)
    told = [e for e in play_hand(rules, TableState(), Random(2))[0] if not isinstance(e, Drew)]
    told = (told * (events // len(told) + 1))[:events]
    alone = [_tell(stage, event) for event in told]
    stage.new_session()
    app = create_app(stage, trust=PROXY)
    app.extensions["viewers"].run = "load"
    serving = serve(app, port=0)
    silent: list[socket.socket] = []
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    child = context.Process(target=_watch, args=(serving.port, _kinds(app, viewers), there))
    try:
        silent = [_open(serving.port, _from(250 - number)) for number in range(dead)]
        silent += [_silent(serving.port, number) for number in range(idle)]
        child.start()
        _hear(here)
        shown: dict[int, float] = {}
        watched = []
        cpu = time.process_time()
        for event in told:
            watched.append(_tell(stage, event))
            now = time.monotonic()
            shown[stage.show()] = now
            time.sleep(max(0.0, now + pause_s - time.monotonic()))
        cpu = time.process_time() - cpu
        here.send(stage.version)
        arrived: list[dict[int, float]] = _hear(here)
    finally:
        child.join(LAST_S)
        child.kill()
        for each in silent:
            each.close()
        serving.close()
    delays = tuple(d for each in arrived for d in _delays(shown, each))
    complete = sum(stage.version in each for each in arrived)
    half = len(told) // 2
    return Load(
        viewers,
        dead,
        idle,
        len(told),
        delays,
        complete,
        sorted(alone)[half],
        sorted(watched)[half],
        cpu / len(told),
    )


def _hear(pipe: Connection) -> list[dict[int, float]]:
    if not pipe.poll(HEAR_S):
        raise TimeoutError(f"the viewers said nothing for {HEAR_S:.0f} s")
    heard: list[dict[int, float]] = pipe.recv()
    return heard


def _tell(stage: LeakStage, event: object) -> float:
    started = time.perf_counter()
    stage.session.tell(event)  # type: ignore[arg-type]
    return time.perf_counter() - started


def _kinds(app: object, viewers: int) -> list[str]:
    """The headers of each viewer: four seats, a scorer, a referee, and televisions."""
    sessions = app.extensions["sessions"]  # type: ignore[attr-defined]
    wanted = [(Role.SEAT, seat) for seat in range(4)] + [(Role.SCORER, None), (Role.REFEREE, None)]
    cookies = [sessions.open(role, seat, "a viewer", since=0.0) for role, seat in wanted]
    headers = [f"{_from(0)}Cookie: {PAIRING_COOKIE}={cookie}\r\n" for cookie in cookies]
    return (headers + [_from(number) for number in range(1, viewers + 1)])[:viewers]


def _from(number: int) -> str:
    """The header by which a proxy tells one sender from another."""
    return f"X-Forwarded-For: 198.18.{number // 250}.{number % 250}\r\n"


def _delays(shown: dict[int, float], arrived: dict[int, float]) -> Sequence[float]:
    """For each event the time until its view, or a newer one in its place, came."""
    found = []
    newer: float | None = None
    for version in sorted(shown, reverse=True):
        at = arrived.get(version)
        if at is not None:
            newer = at
        if newer is not None:
            found.append(newer - shown[version])
    return found


# --- The viewers' process


def _open(port: int, headers: str) -> socket.socket:
    viewer = socket.create_connection(("127.0.0.1", port), 30)
    request = f"GET /api/stream HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n"
    viewer.sendall(request.encode())
    return viewer


def _silent(port: int, number: int) -> socket.socket:
    """A connection of a sender in the network."""
    source = f"127.0.1.{number // IDLE_OF_ONE}"
    return socket.create_connection(("127.0.0.1", port), 30, (source, 0))


def _watch(port: int, headers: list[str], pipe: Connection) -> None:
    """Read all streams, and note when each version came."""
    chosen = selectors.DefaultSelector()
    arrived: list[dict[int, float]] = [{} for _ in headers]
    tails = [b""] * len(headers)
    for number, each in enumerate(headers):
        chosen.register(_open(port, each), selectors.EVENT_READ, number)
    last: int | None = None
    until = float("inf")
    ready = False
    while time.monotonic() < until and not (last is not None and all(last in a for a in arrived)):
        for key, _ in chosen.select(0.05):
            number = key.data
            content = tails[number] + key.fileobj.recv(1 << 20)  # type: ignore[union-attr]
            now = time.monotonic()
            for line in content.split(b"\n")[:-1]:
                if line.startswith(b"id: load."):
                    arrived[number].setdefault(int(line[9:]), now)
            tails[number] = content[-40:].split(b"\n")[-1]
        if not ready and all(arrived):
            ready = True
            pipe.send([])
        if last is None and pipe.poll():
            last = pipe.recv()
            until = time.monotonic() + LAST_S
    pipe.send(arrived)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.web.load", description=__doc__)
    for name, default, about in (
        ("--viewers", 50, "live pages"),
        ("--dead", 3, "viewers that never read"),
        ("--idle", 0, "connections that never say anything"),
        ("--events", 120, "of the table"),
    ):
        parser.add_argument(name, type=int, default=default, metavar="N", help=about)
    load = run_load(**vars(parser.parse_args()))
    print(load.line)
    return 1 if load.share(0.95) > P95_S or load.complete < load.viewers else 0


if __name__ == "__main__":
    sys.exit(main())
