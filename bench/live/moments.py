"""The eyes' findings in each look of one hand, and all else that the program was told meanwhile.

A picture of the table is megabytes, and what was found in it some kilobytes. With these a way of
following a table is tried on a hand that was seen once, without drawing or reading it again.
"""

from dataclasses import dataclass

from firmware_bridge.events import EventContent
from firmware_bridge.messages import Hello
from firmware_bridge.receiver import EventsLost
from table_assist.contract.commands import Command
from table_assist.game.events import Event
from table_assist.record.log import Entry
from table_assist.tiles.tile import Tile
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation


@dataclass(frozen=True, slots=True)
class Looked:
    """A picture was looked at.

    Attributes:
        observation: what the session was told.
        attention: what of the table was wanted then.
        calibration: where the table was in the picture; None while that was not certain.
        moved_mm: the truth: how far the table lies from where the camera saw it first.
    """

    t: float
    observation: Observation
    attention: Attention
    calibration: Calibration | None = None
    moved_mm: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Heard:
    """The board said something."""

    t: float
    content: EventContent | EventsLost | Hello
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A person gave a command."""

    t: float
    command: Command
    by: str = ""


@dataclass(frozen=True, slots=True)
class Lying:
    """The truth: one tile that lies or stands on the table, as `twin.scene.PlacedTile`."""

    tile: Tile
    x_mm: float
    y_mm: float
    turn_deg: float
    pose: str
    scale: float


@dataclass(frozen=True, slots=True)
class Lay:
    """The truth, which the program is never told: what is on the table from the next look on."""

    t: float
    tiles: tuple[Lying, ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """The truth, which the program is never told: what people do now.

    Attributes:
        text: in the simulator's words.
    """

    t: float
    events: tuple[Event, ...] = ()
    text: str = ""


Moment = Looked | Heard | Said | Lay | Happened


@dataclass(frozen=True, slots=True)
class About:
    """Which hand it is, and how it was recorded.

    Attributes:
        corpus: for what it was recorded; a corpus that is kept for the end is not looked at before.
        kind: of table, as `bench.live.corpus` has them.
        rules: the rule set's id.
        hand: its number in the evening, from 1.
        heap: discards are thrown into the middle.
        faces: the tile set's name.
        own_set: the set that was made known to the reader; empty for none.
        program: the version of table-assist; the networks' SHA-256 stand in ``weights``.
        seconds: of one core that it took to record.
    """

    corpus: str
    kind: str
    rules: str
    seed: int
    hand: int
    heap: bool
    faces: str
    own_set: str
    size_wh: tuple[int, int]
    tilt_deg: float
    program: str
    weights: tuple[str, ...]
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """One hand.

    Attributes:
        moments: in the order in which they came.
        log: what the program that saw it live wrote down.
    """

    about: About
    moments: tuple[Moment, ...]
    log: tuple[Entry, ...]

    @property
    def truth(self) -> tuple[Event, ...]:
        """The true events, in their order."""
        happened = (each for each in self.moments if isinstance(each, Happened))
        return tuple(event for each in happened for event in each.events)
