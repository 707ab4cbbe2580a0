"""Whether anything that is served tells the treasure to who may not know it.

Each simulated hand is played twice on two real servers that differ in one thing: which tile the
players who declared ready have looked at. Every client of a server gets its view as people do, by
the stream, and asks for every other thing there is to get; every byte is kept. What came to the
clients that may not know the treasure must be the same from both servers, up to its reveal, apart
from what is declared as `NOISE`. Then nothing can be derived from it, however it is written.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from table_assist.game.events import Drew
from table_assist.rules.registry import find_rules
from tests.secrecy.houses import House, houses
from tests.secrecy.questions import guesses, readable
from tests.secrecy.twins import TwinHand, simulate

OUTSIDE = "a broker and a webhook"  # who are told without asking
# The parts that may differ between two servers: the time of day, where it is told, and their own
# addresses.
NOISE = (
    re.compile(rb"(?<=127\.0\.0\.1:)[0-9]+"),
    re.compile(rb"^date: [^\r\n]*", re.MULTILINE | re.IGNORECASE),
    re.compile(rb'(?<="now":)[0-9.]+'),
    # In a PDF, with an identity that is made from it.
    re.compile(rb"\(D:[0-9]{14}[^)]*\)"),
    re.compile(rb"<[0-9a-f]{32}>"),
)


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
class LeakReport:
    """The result of a run.

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


def search(
    hands: int, devices: Path, *, first_seed: int = 0, every: int = 1, stride: int = 1
) -> LeakReport:
    """Play so many hands twice, and compare what came.

    Args:
        devices: a file for the servers' sessions that does not exist yet.
        every: in every so many hands all that can be got is asked for by all clients.
        stride: so many changes are shown at once.
    """
    report, rules = LeakReport(), find_rules("changchun")
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
    pair: tuple[House, House], hand: TwinHand, report: LeakReport, *, asks: bool, stride: int
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
        house.take_outside()
        for count, event in enumerate(hand.told[number]):
            stage.session.tell(event)
            if not isinstance(event, Drew) and count % stride == 0:  # it is seen with the next
                report.delays[number].append(_show(house))
        _show(house)
        told = {name: client.take() for name, client in house.clients.items()}
        streams.append({**told, OUTSIDE: house.take_outside()})
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
    house.tell_outside()
    return waited


def _ask_all(house: House, hand: TwinHand, may_know: list[str]) -> dict[tuple[str, str], bytes]:
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
    hand: TwinHand,
    streams: list[dict[str, bytes]],
    answers: list[dict[tuple[str, str], bytes]],
    may_know: list[str],
    report: LeakReport,
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


def _reveal(house: House, hand: TwinHand, report: LeakReport) -> None:
    """The rest of the hand: at its end everybody is told."""
    for event in hand.after:
        house.stage.session.tell(event)
    _show(house)
    told = house.clients["television"].take()
    treasure = json.dumps([str(tile) for tile in house.stage.snapshot.state.treasures])
    report.revealed += f'"tiles":{treasure}'.replace(" ", "").encode() in told
    for client in house.clients.values():
        client.take()
    house.take_outside()


def quiet(content: bytes) -> bytes:
    """The bytes, without the declared noise."""
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
