"""Whether anything that is served tells the treasure to who may not know it.

Each simulated hand is played twice on two real servers that differ in one thing: which tile the
players who declared ready have looked at. Every client of a server gets its view as people do, by
the stream, and asks for every other thing there is to get; every byte is kept. What came to the
clients that may not know the treasure must be the same from both servers, up to its reveal, apart
from what is declared as `NOISE`. Then nothing can be derived from it, however it is written.
"""

import http.client
import json
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from time import perf_counter

from flask import Flask

from table_assist.bench.web.leaks_stage import START_S, Stage
from table_assist.game.events import (
    Discarded,
    Drew,
    Event,
    HandShown,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    TilesExchanged,
)
from table_assist.game.state import TableState
from table_assist.play.hand import play_hand
from table_assist.rules.indicator import following
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles import Tile
from web import create_app
from web.access.pairing_sessions import COOKIE, Sessions
from web.access.roles import Role
from web.serve import Serving, serve

# What may differ between two servers: the time of day, where it is told.
NOISE = (
    re.compile(rb"^date: [^\r\n]*", re.MULTILINE | re.IGNORECASE),
    re.compile(rb'(?<="now":)[0-9.]+'),
    # In a PDF, with an identity that is made from it.
    re.compile(rb"\(D:[0-9]{14}[^)]*\)"),
    re.compile(rb"<[0-9a-f]{32}>"),
)
STRANGER = {"X-Forwarded-For": "192.0.2.9"}  # makes the local machine's request the network's
READ_TIMEOUT_S = 120.0


@dataclass(frozen=True, slots=True)
class Leak:
    """Something that tells.

    Attributes:
        hand: its seed.
        client: who got it.
        where: the stream, or what was asked for.
        what: the first difference, as it came from both servers.
    """

    hand: int
    client: str
    where: str
    what: tuple[str, str]


@dataclass(slots=True)
class Report:
    """What a run came to.

    Attributes:
        hidden: hands in which a treasure was hidden.
        entitled: hands in which a seat that may know the treasure got different bytes from the two
            servers: the comparison sees the treasure where it is.
        revealed: hands at whose end the television was told the treasure.
        compared: bytes from one of the two servers.
        delays: from each event to the television, in seconds, by server.
    """

    hands: int = 0
    hidden: int = 0
    entitled: int = 0
    revealed: int = 0
    steps: int = 0
    requests: int = 0
    compared: int = 0
    leaks: list[Leak] = field(default_factory=list)
    seconds: float = 0.0
    delays: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))

    @property
    def lines(self) -> tuple[str, ...]:
        """All of it for people."""
        first, second = (sorted(each)[len(each) // 2] if each else 0.0 for each in self.delays)
        return (
            f"{self.hands} hands in {self.seconds:.0f} s, {self.hidden} with a hidden treasure: "
            f"{self.steps} changes and {self.requests} requests, {self.compared / 1e6:.1f} MB to "
            f"clients that may not know it: {len(self.leaks)} leaks",
            f"ready seats were told it in {self.entitled} hands, everybody at the end of "
            f"{self.revealed}; median from event to television {first * 1000:.1f} ms with one "
            f"treasure, {second * 1000:.1f} ms with another",
            *(
                f"LEAK hand {leak.hand}, {leak.client}, {leak.where}: "
                f"{leak.what[0]!r} and {leak.what[1]!r}"
                for leak in self.leaks[:20]
            ),
        )


@dataclass(frozen=True, slots=True)
class Hand:
    """One simulated hand, told twice.

    Attributes:
        before: events that are the same on both servers and come before anybody is ready.
        told: for each server, the events from then on to just before the reveal.
        after: the rest, on the first server only.
        seats: seats that never declare ready before the reveal.
    """

    seed: int
    before: tuple[Event, ...]
    told: tuple[tuple[Event, ...], tuple[Event, ...]]
    after: tuple[Event, ...]
    faces: tuple[Tile, Tile]
    seats: frozenset[int]


def simulate(rules: RuleSet, seed: int) -> Hand | None:
    """A hand of bots and its twin with another treasure; None if none was hidden in it."""
    random = Random(seed)
    events, _ = play_hand(rules, TableState(), random)
    if seed % 2:  # at a real table nobody tells the draws
        events = [_unseen(event) for event in events if not isinstance(event, Drew)]
    turned = [event for event in events if isinstance(event, IndicatorTurned)]
    if not turned:
        return None
    ready_at = [n for n, event in enumerate(events) if isinstance(event, ReadyDeclared)]
    shown_at = (n for n, event in enumerate(events) if isinstance(event, HandShown))
    end = next(shown_at, len(events) - 1)
    others = {event.tile: _another(rules, event.tile, random) for event in turned}
    swapped = tuple(
        replace(event, tile=others[event.tile]) if isinstance(event, IndicatorTurned) else event
        for event in events
    )
    start = ready_at[0]
    if not any(isinstance(event, IndicatorTurned) for event in events[start:end]):
        return None
    ready = {event.seat for event in events[:end] if isinstance(event, ReadyDeclared)}
    return Hand(
        seed,
        tuple(events[:start]),
        (tuple(events[start:end]), swapped[start:end]),
        tuple(events[end:]),
        (turned[0].tile, others[turned[0].tile]),
        frozenset(range(4)) - ready,
    )


def _unseen(event: Event) -> Event:
    match event:
        case HandStarted():
            return replace(event, hands=())
        case TilesExchanged():
            return replace(event, given=())
        case _:
            return event


def _another(rules: RuleSet, tile: Tile, random: Random) -> Tile:
    return random.choice([each for each in rules.kinds if each is not tile])


# --- The two servers and their clients


class Client:
    """One browser at one server: a live stream, and requests beside it."""

    def __init__(self, name: str, serving: Serving, headers: dict[str, str]) -> None:
        self.name = name
        self.port = serving.port
        self.headers = {"Host": f"127.0.0.1:{serving.port}", **headers}
        self._socket = socket.create_connection(("127.0.0.1", serving.port), READ_TIMEOUT_S)
        lines = "".join(f"{key}: {value}\r\n" for key, value in self.headers.items())
        self._socket.sendall(f"GET /api/stream HTTP/1.0\r\n{lines}\r\n".encode())
        self._kept = b""
        self.token = ""

    def read_to(self, version: int) -> None:
        """Wait until the stream has told a version."""
        mark = b"id: leaks.%d\n" % version
        while mark not in self._kept or not self._kept.endswith(b"\n\n"):
            part = self._socket.recv(1 << 20)
            if not part:
                raise ConnectionError(f"the stream of {self.name} ended: {self._kept[-300:]!r}")
            self._kept += part

    def take(self) -> bytes:
        """What the stream has brought since this was asked last."""
        kept, self._kept = self._kept, b""
        return kept

    def ask(self, path: str, body: object = None) -> bytes:
        """One request: the status, headers and body as they came."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=READ_TIMEOUT_S)
        try:
            if body is None:
                connection.request("GET", path, headers=self.headers)
            else:
                sent = {**self.headers, "Content-Type": "application/json"}
                sent["X-Table-Token"] = self.token
                connection.request("POST", path, json.dumps(body), sent)
            answer = connection.getresponse()
            head = f"{answer.status}\n" + "".join(f"{k}: {v}\n" for k, v in answer.getheaders())
            return head.encode() + b"\n" + answer.read()
        finally:
            connection.close()

    def close(self) -> None:
        """Leave."""
        self._socket.close()


@dataclass(slots=True)
class House:
    """A server with its stage and all its clients."""

    stage: Stage
    app: Flask
    clients: dict[str, Client]


@contextmanager
def houses(devices: Path) -> Iterator[tuple[House, House]]:
    """Two servers with the same devices let in.

    Args:
        devices: a file that does not exist yet.
    """
    rules = find_rules("changchun")
    sessions = Sessions(devices, lambda: START_S)
    cookies = {
        f"seat {seat}": sessions.open(Role.SEAT, seat, f"phone {seat}", since=0.0)
        for seat in range(4)
    }
    for role in (Role.SCORER, Role.REFEREE, Role.ADMIN):
        cookies[str(role)] = sessions.open(role, None, f"a {role}", since=0.0)
    with ExitStack() as stack:
        made = []
        for _ in range(2):
            stage = Stage(rules)
            app = create_app(stage, devices=devices)
            viewers = app.extensions["viewers"]
            viewers.run, viewers.beat_s, viewers.comment_s = "leaks", 1e9, 1e9
            app.extensions["sessions"].now = lambda: START_S
            app.config["TABLE_POSTS"].per_minute = app.config["TABLE_POSTS"].burst = 1e9
            serving = serve(app, port=0)
            stack.callback(serving.close)
            clients = {"local": {}, "television": STRANGER} | {
                name: {**STRANGER, "Cookie": f"{COOKIE}={cookie}"}
                for name, cookie in cookies.items()
            }
            opened = {name: Client(name, serving, head) for name, head in clients.items()}
            for client in opened.values():
                stack.callback(client.close)
                found = re.search(rb'name="table-token" content="([^"]+)"', client.ask("/tv"))
                client.token = found[1].decode() if found else ""
            made.append(House(stage, app, opened))
        yield made[0], made[1]


def readable(app: Flask, stage: Stage) -> list[str]:
    """Everything that can be got but the stream, which is read anyway."""
    found = []
    ids = [id for _, id in stage.snapshot.entry_evidence]
    steps = len(stage.snapshot.entries)
    given = {"id": ids[-1:] + ids[:1], "number": ["0", "2"], "step": [str(steps), str(steps - 2)]}
    for rule in app.url_map.iter_rules():
        path = rule.rule
        if "GET" not in (rule.methods or ()) or path.startswith(("/static/", "/api/stream")):
            continue
        for turn in range(2):
            told = path
            for name in rule.arguments:
                value = given.get(name, ["1"])[-turn]
                told = re.sub(rf"<(\w+:)?{name}>", value, told)
            found.append(told)
    indicators = [
        id
        for seq, id in stage.snapshot.entry_evidence
        if any(
            entry.seq == seq and isinstance(entry.event, IndicatorTurned)
            for entry in stage.snapshot.entries
        )
    ]
    for id in indicators[-1:]:
        found += [f"/api/evidence/{id}", f"/api/evidence/{id}/crop.jpg"]
    return sorted(set(found))


def guesses(stage: Stage, tile: Tile) -> list[tuple[str, object]]:
    """Commands by which somebody may try to find the treasure out."""
    turned = [
        (entry.seq, entry.event)
        for entry in stage.snapshot.entries
        if isinstance(entry.event, IndicatorTurned)
    ]
    seq, event = turned[-1]
    guess = {"type": "IndicatorTurned", "tile": str(tile), "column": event.column}
    hand = ["1m"] * 13
    shown = {
        "type": "HandShown",
        "seat": 0,
        "concealed": [*hand, str(tile)],
        "winning_tile": str(tile),
        "self_drawn": True,
    }
    discards = [entry for entry in stage.snapshot.entries if isinstance(entry.event, Discarded)]
    discarded = {"type": "Discarded", "seat": 1, "tile": str(tile)}
    kong = {"type": "KongDeclared", "seat": 1, "kind": "kong_concealed", "tile": str(tile)}
    bodies: list[tuple[str, dict[str, object]]] = [
        ("correct", {"seq": discards[-1].seq, "event": discarded}),
        ("insert", {"before": discards[-1].seq, "event": discarded}),
        ("insert", {"before": 0, "event": kong}),
        ("undo", {"seq": discards[-1].seq}),
        ("correct", {"seq": seq, "event": guess}),
        ("insert", {"before": 0, "event": guess}),
        ("insert", {"before": 0, "event": shown}),
        ("treasure", {"seat": 0, "tile": str(tile)}),
        ("undo", {"seq": seq}),
        ("end", {}),
        ("win", {"seat": 0}),
    ]
    found: list[tuple[str, object]] = [(f"/api/{name}", body) for name, body in bodies]
    found += [("/api/preview", {"command": name, "body": body}) for name, body in bodies]
    return found + _reckonings(stage, following(tile))


def _reckonings(stage: Stage, treasure: Tile) -> list[tuple[str, object]]:
    """A ready player's hand with the treasure for its pair: what does it come to?"""
    seat = next(seat for seat, each in enumerate(stage.snapshot.state.seats) if each.ready)
    kept = ["4p", "5p", "6p", "7s", "8s", "9s", str(treasure)]
    melds = [
        {"type": "Meld", "kind": "pung", "tiles": ["W", "W", "W"], "supplements": []},
        {"type": "Meld", "kind": "chow", "tiles": ["1m", "2m", "3m"], "supplements": []},
    ]
    waiting = {"seat": seat, "concealed": kept, "melds": melds}
    won = {
        "seat": seat,
        "concealed": [*kept, str(treasure)],
        "melds": melds,
        "winning_tile": str(treasure),
        "wall_left": 30,
    }
    return [
        ("/api/told", {"hand": won, "dealer": 0}),
        ("/api/waits", {"hand": waiting, "dealer": 0}),
    ]


# --- The comparison


def search(
    hands: int, devices: Path, *, first_seed: int = 0, every: int = 1, stride: int = 1
) -> Report:
    """Play so many hands twice, and compare what came.

    Args:
        devices: a file for the servers' sessions that does not exist yet.
        every: in every so many hands all that can be got is asked for by all clients.
        stride: so many changes are shown at once.
    """
    report, rules = Report(), find_rules("changchun")
    started = perf_counter()
    with houses(devices) as pair:
        for seed in range(first_seed, first_seed + hands):
            report.hands += 1
            hand = simulate(rules, seed)
            if hand is not None:
                report.hidden += 1
                asks = report.hidden % every == 0
                _play_twice(pair, hand, report, asks=asks, stride=stride)
    report.seconds = perf_counter() - started
    return report


def _play_twice(
    pair: tuple[House, House], hand: Hand, report: Report, *, asks: bool, stride: int
) -> None:
    streams: list[dict[str, bytes]] = []
    answers: list[dict[tuple[str, str], bytes]] = []
    may_know = [f"seat {seat}" for seat in set(range(4)) - hand.seats]
    for number, house in enumerate(pair):
        stage = house.stage
        stage.face = hand.faces[number]
        stage.new_session()
        for event in hand.before:
            stage.session.tell(event)
        _show(house)
        for client in house.clients.values():
            client.take()
        for count, event in enumerate(hand.told[number]):
            stage.session.tell(event)
            if not isinstance(event, Drew) and count % stride == 0:  # it is seen with the next
                report.delays[number].append(_show(house))
        _show(house)
        streams.append({name: client.take() for name, client in house.clients.items()})
        answers.append(_ask_all(house, hand, may_know) if asks else {})
    report.steps = len(report.delays[0])
    report.requests += sum(len(each) for each in answers)
    _compare(hand, streams, answers, may_know, report)
    _reveal(pair[0], hand, report)
    pair[1].stage.version = pair[0].stage.version  # so that both go on with the same numbers


def _show(house: House) -> float:
    """Publish, and wait until every client has it. Returns how long the television waited."""
    started = perf_counter()
    version = house.stage.show()
    house.clients["television"].read_to(version)
    waited = perf_counter() - started
    for client in house.clients.values():
        client.read_to(version)
    return waited


def _ask_all(house: House, hand: Hand, may_know: list[str]) -> dict[tuple[str, str], bytes]:
    found = {}
    paths = readable(house.app, house.stage)
    for name, client in house.clients.items():
        if name in may_know:
            continue
        for path in paths:
            found[name, path] = client.ask(path)
        for tile in hand.faces:
            for path, body in guesses(house.stage, tile):
                found[name, f"{path} {json.dumps(body)}"] = client.ask(path, body)
    return found


def _compare(
    hand: Hand,
    streams: list[dict[str, bytes]],
    answers: list[dict[tuple[str, str], bytes]],
    may_know: list[str],
    report: Report,
) -> None:
    for name in streams[0]:
        first, second = (quiet(each[name]) for each in streams)
        if name in may_know:
            continue
        report.compared += len(first)
        if first != second:
            report.leaks.append(Leak(hand.seed, name, "the stream", difference(first, second)))
    report.entitled += any(streams[0][name] != streams[1][name] for name in may_know)
    for key in sorted(answers[0].keys() | answers[1].keys()):
        first, second = (quiet(each.get(key, b"(never asked)")) for each in answers)
        report.compared += len(first)
        if first != second:
            report.leaks.append(Leak(hand.seed, key[0], key[1], difference(first, second)))


def _reveal(house: House, hand: Hand, report: Report) -> None:
    """The rest of the hand: at its end everybody is told."""
    for event in hand.after:
        house.stage.session.tell(event)
    _show(house)
    told = house.clients["television"].take()
    treasure = json.dumps([str(tile) for tile in house.stage.snapshot.state.treasures])
    report.revealed += f'"tiles":{treasure}'.replace(" ", "").encode() in told
    for client in house.clients.values():
        client.take()


def quiet(content: bytes) -> bytes:
    """What came, without the declared noise."""
    for noise in NOISE:
        content = noise.sub(b"-", content)
    return content


def difference(first: bytes, second: bytes) -> tuple[str, str]:
    """Where two contents part, with what stands around it."""
    at = next(
        (n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    low = max(0, at - 60)
    return tuple(each[low : at + 40].decode("utf-8", "replace") for each in (first, second))  # type: ignore[return-value]
