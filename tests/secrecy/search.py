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
    hands: int,
    devices: Path,
    *,
    first_seed: int = 0,
    every: int = 1,
    stride: int = 1,
    ends_at_a_leak: bool = False,
) -> LeakReport:
    """Play so many hands twice, and compare what came.

    Args:
        devices: a file for the servers' sessions that does not exist yet.
        every: in every so many hands all that can be got is asked for by all clients.
        stride: so many changes are shown at once.
        ends_at_a_leak: the first leak is enough.
    """
    report, rules = LeakReport(), find_rules("changchun")
    started = perf_counter()
    with houses(devices) as pair:
        for seed in range(first_seed, first_seed + hands):
            report.hands += 1
            hand = simulate(rules, seed)
            if hand is not None:
                report.hidden += 1
                may_know = _play_twice(pair, hand, report, stride=stride)
                if report.hidden % every == 0 and not (ends_at_a_leak and report.leaks):
                    _ask_all(pair, hand, report, may_know, ends_at_a_leak=ends_at_a_leak)
                _reveal(pair[0], hand, report)
                pair[1].stage.version = pair[0].stage.version  # both go on with the same numbers
    report.seconds = perf_counter() - started
    return report


def _play_twice(
    pair: tuple[House, House], hand: TwinHand, report: LeakReport, *, stride: int
) -> list[str]:
    """Tell both houses their hand up to the reveal. Returns the clients that may know by then."""
    streams: list[dict[str, bytes]] = []
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
    report.steps = len(report.delays[0])
    for name in streams[0]:
        if name not in may_know:
            _compare(hand, name, "the stream", [each[name] for each in streams], report)
    report.entitled += any(streams[0][name] != streams[1][name] for name in may_know)
    return may_know


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


def _ask_all(
    pair: tuple[House, House],
    hand: TwinHand,
    report: LeakReport,
    may_know: list[str],
    *,
    ends_at_a_leak: bool,
) -> None:
    asked = [
        [(path, None) for path in readable(house.app, house.stage)]
        + [each for tile in hand.faces for each in guesses(house.stage, tile)]
        for house in pair
    ]
    assert asked[0] == asked[1], "both are asked the same"
    names = [name for name in pair[0].clients if name not in may_know]
    for name in names:
        for path, body in asked[0]:
            answers = [house.clients[name].ask(path, body) for house in pair]
            where = path if body is None else f"{path} {json.dumps(body)}"
            report.requests += len(answers)
            _compare(hand, name, where, answers, report)
            if ends_at_a_leak and report.leaks:
                return


def _compare(
    hand: TwinHand, client: str, where: str, contents: list[bytes], report: LeakReport
) -> None:
    first, second = map(quiet, contents)
    report.compared += len(first)
    if first != second:
        report.leaks.append(Leak(hand.seed, client, where, difference(first, second)))


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
