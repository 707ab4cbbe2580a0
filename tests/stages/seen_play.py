"""A running hand and what the camera sees of it, told tile by tile."""

from collections.abc import Iterable

from table_assist.following.infer import Inferred, step
from table_assist.game.events import DealerChosen, Event, WallBuilt
from table_assist.game.fold import replay
from table_assist.game.start import hand_started
from table_assist.game.state import TableState
from table_assist.record.commands import Answer, StartHand
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.tiles.tile import parse_tiles
from table_assist.vision.table.dice import SeenDie
from table_assist.vision.table.observation import Observation, SeenTile
from tests.following.test_infer import tile

NAMES = ("Ann", "Bo", "Chen", "Du")


def started(rules: str, dealer: int = 0, **options: object) -> TableState:
    """Dealt, with what the rules want before it."""
    chosen = find_rules(rules).with_options(options)
    before = replay([DealerChosen(dealer), WallBuilt()])
    return replay([hand_started(plain_profile(chosen), before, dealer)], before)


def see(state: TableState, *groups: Iterable[SeenTile], heap: bool = False) -> Inferred:
    tiles = tuple(tile for group in groups for tile in group)
    return step(state, Observation(0.0, tiles), heap=heap)


def events(state: TableState, *groups: Iterable[SeenTile], heap: bool = False) -> list[Event]:
    return [proposed.event for proposed in see(state, *groups, heap=heap).proposed]


def heap(text: str, *, pictures: Iterable[int] = ()) -> list[SeenTile]:
    """Discards in the middle, anywhere between the tray and the walls."""
    places = [(100, 20), (-120, 150), (10, -160), (190, -90), (-200, 0), (60, 110), (-90, -110)]
    often = list(pictures) or [20] * len(places)
    return [
        tile(face, x, -y, 0, pictures=often[i])
        for i, (face, (x, y)) in enumerate(zip(parse_tiles(text), places, strict=False))
    ]


class Table:
    """A session with a clock of its own."""

    def __init__(self, rules: str, *, in_heap: bool = False, **options: object) -> None:
        self.t = 0.0
        self.record = Record(None, lambda: self.t)
        profile = plain_profile(find_rules(rules).with_options(options))
        self.session = Session(profile, NAMES, self.record, now=lambda: self.t, heap=in_heap)

    def put(self, *events: Event) -> None:
        for event in events:
            self.record.append(event, Source.BOARD)

    def hear(self, *contents: object) -> None:
        for content in contents:
            self.session.process(BoardSignal(content))  # type: ignore[arg-type]

    def look(self, *groups: Iterable[SeenTile], dice: tuple[SeenDie, ...] = ()) -> None:
        self.t += 0.5
        tiles = tuple(tile for group in groups for tile in group)
        values = tuple(sorted(die.value for die in dice if die.value))
        self.session.process(Observation(self.t, tiles, values, dice))

    def look_for(self, seconds: float, *groups: Iterable[SeenTile]) -> None:
        for _ in range(int(seconds / 0.5) + 2):
            self.look(*groups)

    def say(self, command: Answer | StartHand) -> None:
        self.session.put_command(command)
        self.session.drain()

    @property
    def state(self) -> TableState:
        return self.record.state

    @property
    def asked(self) -> list[str]:
        return [str(question.question) for question in self.state.questions]

    def last(self, kind: type) -> Event | None:
        return next((e for _, e in reversed(self.record.counting) if isinstance(e, kind)), None)
