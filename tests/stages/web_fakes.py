"""A table for the dashboard's tests: scripted events, the real fold, the real rules."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Generic, TypeVar

import requests
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.schemas import APIOperation

from table_assist.game.events import (
    AntesPlaced,
    Asked,
    BirdTurned,
    Claimed,
    DiceRolled,
    Discarded,
    Event,
    HandShown,
    HandStarted,
    KongDeclared,
    Settled,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.fold import apply, replay
from table_assist.game.outcome import HandEnd, end_of_hand
from table_assist.game.question import QuestionId
from table_assist.game.state import TableState
from table_assist.languages.words import Words
from table_assist.live.sight import TableEyes
from table_assist.record.commands import Change, Command
from table_assist.record.evidence import Evidence
from table_assist.record.log import Entry, Source
from table_assist.record.seal import HandSeal
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.rules.options import OptionValue
from table_assist.rules.reckoning import settle_wins
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import ShownHand
from table_assist.rules.wall import dead_tiles, live_after_deal
from table_assist.session.session import Session
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from table_assist.vision.photos.photo_hand import PhotoService
from web.access import guard
from web.access.guard import TOKEN_HEADER
from web.api import openapi

NAMES = ("Ana", "Ben", "陈德", "Dai")
CHANGSHA: RuleSet = find_rules("changsha")


def healthy(now: float) -> tuple[SourceHealth, ...]:
    return (
        SourceHealth("camera", "live", last_t=now),
        SourceHealth("board", "live", last_t=now, counters=(("frames dropped", 0),)),
        SourceHealth("log", "live", last_t=now),
    )


def empty_snapshot(now: float = 1_700_000_000.0) -> Snapshot:
    return Snapshot(0, now, NAMES, CHANGSHA, TableState(), health=healthy(now))


Places = tuple[tuple[tuple[float, float], ...], ...]


Of = TypeVar("Of", bound=Session)


class PlainTable:
    """A `LiveTable` that keeps nothing and whose camera shows no more than a picture."""

    photos: PhotoService | None = None

    def was_done(self, key: str) -> bool:
        return False

    def hand_seals(self) -> tuple[str, tuple[HandSeal, ...]]:
        return "", ()

    def hold_evidence(self, hand: int) -> None:
        pass

    @property
    def eyes(self) -> TableEyes:
        return self

    def picture(self) -> bytes | None:
        return b"jpeg"

    def sure_picture(self) -> tuple[float, bytes] | None:
        return None

    def open_places(self, t: float) -> Places:
        return ()

    def hand_places(self, t: float, size_wh: tuple[int, int]) -> Places:
        return ()


class SessionTable(PlainTable, Generic[Of]):
    """A table of a session."""

    session: Of

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        return self.session.submit(command, by, key)

    def was_done(self, key: str) -> bool:
        return self.session.was_done(key)

    def preview(self, command: Command) -> Change | Words:
        return self.session.preview(command)

    def entries(self) -> tuple[Entry, ...]:
        return self.session.entries()


class FakeTable(PlainTable):
    """A `LiveTable` whose snapshots a test publishes."""

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self.commands: list[Command] = []
        self.by: list[str] = []
        self.keys: list[str] = []
        self.seals: tuple[HandSeal, ...] = ()
        self.refusal: str | None = None
        self.previewed: list[Command] = []
        self.change: Change | Words = Change((0, 0, 0, 0), (0, 0, 0, 0))
        self.kept_evidence: dict[str, Evidence] = {}
        self.held: list[int] = []
        self.jpeg: bytes | None = None
        self.photos: PhotoService | None = None
        self._snapshot = snapshot or empty_snapshot(time.time())
        self._version = 1
        self._changed = threading.Condition()

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    @property
    def version(self) -> int:
        return self._version

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        with self._changed:
            if self._changed.wait_for(lambda: self._version > after, timeout_s):
                return self._snapshot
            return None

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        self.keys.append(key)
        self.by.append(by)
        self.commands.append(command)  # last: whoever waits for it finds the others
        return self.refusal

    def preview(self, command: Command) -> Change | Words:
        self.previewed.append(command)
        return self.change

    def entries(self) -> tuple[Entry, ...]:
        return self._snapshot.entries

    def hand_seals(self) -> tuple[str, tuple[HandSeal, ...]]:
        return "0" * 64, self.seals

    def evidence(self, id: str) -> Evidence | None:
        return self.kept_evidence.get(id)

    def hold_evidence(self, hand: int) -> None:
        self.held.append(hand)

    def picture(self) -> bytes | None:
        return self.jpeg

    def publish(self, snapshot: Snapshot) -> None:
        with self._changed:
            self._snapshot = snapshot
            self._version += 1
            self._changed.notify_all()


def expect_commands(table: FakeTable, *commands: Command, patience_s: float = 15.0) -> None:
    """Wait until the table was told these and nothing else: a click returns before it arrives."""
    until = time.monotonic() + patience_s
    while table.commands != [*commands] and time.monotonic() < until:
        time.sleep(0.01)
    assert table.commands == [*commands]


@dataclass
class Evening:
    """Builds snapshots from events, as a session would."""

    names: tuple[str, str, str, str] = NAMES
    state: TableState = field(default_factory=TableState)
    entries: list[Entry] = field(default_factory=list)
    history: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    start: float = field(default_factory=time.time)

    def do(
        self, event: Event, source: Source = Source.CAMERA, confidence: float = 0.99
    ) -> "Evening":
        if isinstance(event, WallBuilt):
            self.entries.clear()
        self.state = apply(self.state, event)
        seq = self.entries[-1].seq + 1 if self.entries else 1 + 100 * len(self.history)
        self.entries.append(Entry(seq, self.start + 4 * seq, source, event, confidence))
        if isinstance(event, Settled):
            moved, after = event.transfers, self.state.scores
            self.history.append((self.state.hand, moved, after))
        return self

    def snapshot(self, **changes: object) -> Snapshot:
        now = time.time()
        made = Snapshot(
            seq=self.entries[-1].seq if self.entries else 0,
            t=now,
            names=self.names,
            rules=CHANGSHA,
            state=self.state,
            entries=tuple(self.entries),
            history=tuple(self.history),
            health=healthy(now),
        )
        if self.state.shown:
            settlement = settle_wins(CHANGSHA, self.shown_hands(), self.state.birds or None)
            made = replace(
                made,
                settlement=settlement,
                verdicts=tuple(sorted(settlement.verdicts.items())),
            )
        return replace(made, **changes)

    def shown_hands(self) -> list[ShownHand]:
        state = self.state
        return [
            ShownHand(
                concealed=hand.concealed,
                winning_tile=hand.winning_tile,
                winner=hand.seat,
                dealer=state.dealer,
                melds=state.seats[hand.seat].melds,
                self_drawn=hand.self_drawn,
                discarder=None if hand.self_drawn else state.last_discard[0],
            )
            for hand in state.shown
        ]


def opened(evening: Evening | None = None, *, hand: int = 1, dealer: int = 0) -> Evening:
    """A hand just dealt."""
    evening = evening or Evening()
    return (
        evening.do(WallBuilt(), Source.BOARD, 1)
        .do(DiceRolled(dealer, (3, 5)), Source.BOARD, 1)
        .do(HandStarted(hand, "changsha", dealer, 55))
    )


def played(evening: Evening) -> Evening:
    """Discards, a pung, a chow and a concealed kong; Ben (seat 1) is one tile from a win."""
    line = (
        "0 9m 1 1s 2 9p 3 1m 0 1p 1 9s 2 4m 3 7s 0 9s 1 1m 2 6s 3 3p 0 2m 1 4s 2 1s 3 9p "
        "0 7m 1 8m 2 3s"
    )
    _discard(evening, line)
    evening.do(Claimed(3, MeldKind.CHOW, parse_tiles("345s"), 2))
    _discard(evening, "3 6p 0 6m 1 7p 2 8p")
    evening.do(Claimed(0, MeldKind.PUNG, parse_tiles("888p"), 2))
    _discard(evening, "0 3m 1 5s 2 1p 3 2s")
    evening.do(KongDeclared(0, MeldKind.KONG_CONCEALED, Tile.M5))
    _discard(evening, "0 4p 1 9m 2 7m 3 6s 0 3p 1 3s 2 8m 3 4m")
    return evening


def asked(evening: Evening) -> Evening:
    """A discard that nobody could read, and the question about it."""
    evening.do(Discarded(0, Tile.UNKNOWN), Source.CAMERA, 0.41)
    text = Words(
        "What did Ana discard? The camera sees 6 or 8 bamboo.",
        "Ana打出的是什么牌？摄像头看到六条或八条。",
    )
    about = evening.entries[-1].seq
    return evening.do(
        Asked(QuestionId.parse("tile-1"), text, ("6s", "8s", "no"), about), Source.RULES, 1
    )


def won(evening: Evening, birds: str = "") -> Evening:
    """Ben wins on a discard by Ana with all pungs but one chow short: a small win."""
    evening.do(Discarded(0, Tile.P6)).do(WinDeclared(1), Source.BOARD, 1)
    evening.do(HandShown(1, parse_tiles("234m 678m 456p 222p 55s"), Tile.P6, self_drawn=False))
    for bird in birds.split():
        evening.do(BirdTurned(parse_tile(bird)))
    return evening


def settled(evening: Evening) -> Evening:
    settlement = evening.snapshot().settlement
    steps = settlement.steps
    return evening.do(
        Settled(settlement.winners, settlement.payments, settlement.winners[0], steps),
        Source.RULES,
        1,
    )


def with_history(evening: Evening) -> Evening:
    """Some hands played before."""
    for hand, moved in enumerate(
        [(14, -14, 0, 0), (-2, 6, -2, -2), (0, 0, 0, 0), (-1, -1, 3, -1), (-7, 0, 21, -14)], 1
    ):
        opened(evening, hand=hand).do(Settled((0,), moved, 0), Source.RULES, 1)
    return evening


def _discard(evening: Evening, line: str) -> None:
    words = line.split()
    for seat, tile in zip(words[::2], words[1::2], strict=True):
        evening.do(Discarded(int(seat), parse_tile(tile)))


STRANGER = {"X-Forwarded-For": "192.0.2.9"}


def described(app: Flask) -> schemathesis.BaseSchema:
    """The app's own description."""
    return schemathesis.openapi.from_dict(openapi.describe(app))


def operations(schema: schemathesis.BaseSchema) -> list[tuple[str, str]]:
    """Every operation of the API but the stream, which does not end."""
    found = [result.ok() for result in schema.get_all_operations()]
    return [(each.method, each.path) for each in found if each.path != "/api/stream"]


def drawn(
    operation: APIOperation, mode: GenerationMode, examples: int
) -> Callable[[Callable[[Case], None]], Callable[[], None]]:
    """Makes of a check of one case a check of so many, the same ones in each run."""
    drawn_by = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    cases = given(case=operation.as_strategy(generation_mode=mode))
    return lambda check: drawn_by(cases(check))


@dataclass(frozen=True)
class Said:
    """What is known of an operation: the answers that it names, and the role that it asks for."""

    statuses: frozenset[int]
    role: str
    takes_a_body: bool


_describe = cache(openapi.describe)


def said_of(app: Flask, method: str, path: str) -> Said:
    """The operation's own description."""
    definition = _describe(app)["paths"][path][method]
    statuses = frozenset(int(code) for code in definition["responses"])
    return Said(statuses, definition["x-role"], "requestBody" in definition)


def sender(app: Flask, cookie: str = "") -> dict[str, str]:
    """The headers of somebody in the network, with the page's token."""
    headers = dict(STRANGER)
    if cookie:
        headers["Cookie"] = cookie
    with app.test_request_context("/", headers=headers):
        headers[TOKEN_HEADER] = guard.token()
    return headers


def send(app: Flask, case: Case, headers: dict[str, str]) -> tuple[int, str, bytes]:
    """The case as it is, but for who sends it: status, kind and content of the answer."""
    prepared = case.as_transport_kwargs(base_url="http://127.0.0.1")
    sent = {**prepared.get("headers", {}), **headers}
    client = app.test_client(use_cookies=False)
    request = requests.Request(**{**prepared, "headers": sent}).prepare()
    answer = client.open(
        request.path_url,
        method=request.method,
        headers=list(request.headers.items()),
        data=request.body,
        base_url="http://127.0.0.1",
    )
    return answer.status_code, answer.mimetype, answer.get_data()


def start(
    rules: str, dealer: int = 0, left: int | None = None, **options: OptionValue
) -> HandStarted:
    """A hand is dealt; of its wall so many tiles are left, all of them if nothing is said."""
    plan = find_rules(rules)
    live = live_after_deal(plan) if left is None else left
    return HandStarted(
        1, rules, dealer, live, dead_tiles(plan), options=tuple(sorted(options.items()))
    )


def discards(first: int, tiles: str) -> list[Event]:
    """One seat after the other discards a tile, drawn for where it held none."""
    return [
        Discarded((first + turn) % 4, parse_tile(tile)) for turn, tile in enumerate(tiles.split())
    ]


def claim(seat: int, kind: str, tiles: str, discarder: int) -> Claimed:
    return Claimed(seat, MeldKind(kind), parse_tiles(tiles), discarder)


def kong(seat: int, kind: str, tile: str) -> KongDeclared:
    return KongDeclared(seat, MeldKind(kind), parse_tile(tile))


def shown(seat: int, concealed: str, tile: str, *, drawn: bool, rush: bool = False) -> list[Event]:
    """A win is declared and the hand lies open."""
    hand = HandShown(seat, parse_tiles(concealed), parse_tile(tile), drawn, rush)
    return [WinDeclared(seat), hand]


def told(*events: Event | Sequence[Event]) -> TableState:
    """The state after events, given one by one or in lists."""
    flat: list[Event] = []
    for each in events:
        flat += each if isinstance(each, Sequence) else [each]
    return replay(flat)


def ended(*events: Event | Sequence[Event]) -> HandEnd:
    """What the hand came to; nothing may be left unknown."""
    result = end_of_hand(told(*events))
    assert result.final, (result.missing, result.unsure)
    return result


def antes(double_down: bool, *challenges: int) -> AntesPlaced:
    a, b, c, d = challenges
    return AntesPlaced(double_down, (a, b, c, d))


NO_POINTS = (0, 0, 0, 0)
ROUND = discards(0, "9m 8p 1s 7m")
# Ends in a General pair; seat 1 or 3 wins it with a tile that stands for no pattern.
SMALL = "123m 456p 789s 234s 55p"
ADDED_BY_1: list[Event] = [
    *discards(0, "1m"),
    claim(1, "pung", "111m", 0),
    *discards(1, "9m 9p 9s 8m"),
    kong(1, "kong_added", "1m"),
]
KONGS_OF_1: dict[str, list[Event]] = {
    "kong_concealed": [*discards(0, "9m"), kong(1, "kong_concealed", "1m")],
    "kong_exposed": [*discards(0, "1m"), claim(1, "kong_exposed", "1111m", 0)],
    "kong_added": ADDED_BY_1,
}
