"""A hand played before real eyes, with all that they had in each look."""

import time
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.live.corpus import CorpusHand, Folders
from bench.live.evening import HARD_LINE, EveningTable, follow_evening
from bench.live.eyes import RealEyes
from table_assist.capture.manifest import current_weights, program_version
from table_assist.capture.sightings.moments import (
    About,
    Fate,
    Happened,
    Heard,
    Lay,
    Looked,
    Lying,
    Moment,
    RecordedHand,
    Said,
    Seen,
)
from table_assist.contract.commands import Command
from table_assist.session.from_board import BoardSignal
from table_assist.twin.clumsy import Clumsiness
from table_assist.twin.disturb import CameraMoment, Hardness
from table_assist.twin.scene import PlacedTile
from table_assist.twin.steps import TableStep
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.reading.things import TellingReader, Things, read_whole, things_of
from table_assist.vision.table.attention import NOTHING_DECISIVE, Attention
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.watcher import AFRESH_S, Watcher

MOST_STILLS = 8  # of a hand; each costs as much as a whole picture


@dataclass(slots=True)
class Notes:
    """Everything that comes to a session, in its order."""

    moments: list[Moment] = field(default_factory=list)

    def happens(self, t: float, step: TableStep) -> None:
        """The truth."""
        self.moments.append(Happened(t, step.events, step.text))

    def said(self, t: float, command: Command, by: str) -> None:
        """A person gives a command."""
        self.moments.append(Said(t, command, by))

    def heard(self, t: float, signal: BoardSignal) -> None:
        """The board says something."""
        self.moments.append(Heard(t, signal.content, signal.origin))


class NotingEyes:
    """Real eyes whose every look is noted down.

    Args:
        reader: the one that they read with.
    """

    def __init__(self, eyes: RealEyes, reader: TellingReader, notes: Notes) -> None:
        self._eyes, self._reader, self._notes = eyes, reader, notes
        self._attention: Attention = NOTHING_DECISIVE
        self._lies: tuple[PlacedTile, ...] | None = None
        self._still_t = -np.inf
        self._stills = 0

    def attend(self, attention: Attention) -> None:
        """As `Eyes.attend`."""
        if attention.wanted - self._attention.wanted:
            self._still_t = -np.inf
        self._attention = attention
        self._eyes.attend(attention)

    def look(self, moment: CameraMoment, t: float) -> Observation:
        """As `Eyes.look`."""
        if moment.scene.tiles != self._lies:
            self._lies = moment.scene.tiles
            self._notes.moments.append(Lay(t, tuple(_lying(tile) for tile in self._lies)))
        observation = self._eyes.look(moment, t)
        seen = self._seen(t)
        self._notes.moments.append(Looked(t, observation, self._attention, seen, moment.moved_mm))
        return observation

    def _seen(self, t: float) -> Seen | None:
        watcher = self._eyes.observer
        latest = self._eyes.latest
        window = watcher.window
        if latest is None or window is None:
            return None
        live = watcher.eyes
        assert isinstance(live, LiveReader)
        image = latest[0]
        things = things_of(live, self._reader)
        return Seen(
            (image.shape[1], image.shape[0]),
            window,
            watcher.calibration,
            things,
            fates(things, live, watcher),
            hidden=watcher.hidden_cells.copy(),
            moving=live.unread.copy(),
            still=self._still(image, t),
        )

    def _still(self, image: Image, t: float) -> Things | None:
        """The whole picture read anew, as often as what is decisive is read afresh."""
        watcher = self._eyes.observer
        is_due = self._attention.wanted and t - self._still_t >= AFRESH_S
        if watcher.window is None or not is_due or self._stills >= MOST_STILLS:
            return None
        self._still_t, self._stills = t, self._stills + 1
        where = watcher.calibration
        stretch = 1.0 if where is None else where.foreshortening
        x0, y0, x1, y1 = watcher.window
        window = np.ascontiguousarray(image[y0:y1, x0:x1])
        return read_whole(replace(self._reader, stretch=stretch), window)


def fates(things: Things, live: LiveReader, watcher: Watcher) -> NDArray[np.uint8]:
    """(n,) what the program made of each thing, as `Fate`."""
    if watcher.told is None:
        return np.full(len(things), Fate.TOLD, np.uint8)
    read, told = (_labels(each) for each in watcher.told)
    found = []
    for box, name in zip(things.xyxy, live.named.names, strict=True):
        key = box.tobytes()
        if name is None or key not in read:
            found.append(Fate.NO_TILE)
        elif key not in told:
            found.append(Fate.CLOTH)
        elif told[key] != read[key]:
            found.append(Fate.GLARED)
        else:
            is_part = read[key][0] == UNKNOWN and name.label != UNKNOWN
            found.append(Fate.PART if is_part else Fate.TOLD)
    return np.array(found, np.uint8)


def _labels(readings: Readings) -> dict[bytes, tuple[str, int]]:
    """The label of each upright box, and how many candidates it has."""
    boxes = readings.polygons[:, [0, 2]].reshape(-1, 4)
    return {
        box.tobytes(): (label, len(known))
        for box, label, known in zip(boxes, readings.labels, readings.candidates, strict=True)
    }


def _lying(tile: PlacedTile) -> Lying:
    return Lying(tile.tile, tile.x_mm, tile.y_mm, tile.turn_deg, tile.pose.value, tile.scale)


def record_hand(hand: CorpusHand, folders: Folders, reader: Reader) -> RecordedHand:
    """Play a hand of a corpus, and note down what the program had of it.

    Args:
        reader: with the hand's own set, where it has one.
    """
    started = time.process_time()
    cv2.setNumThreads(1)
    wanted = hand.wanted(folders)
    telling = TellingReader(reader.detector, reader.recogniser, reader.limits)
    lens = wanted.lens(hand.seed)
    eyes = RealEyes(
        hand.rules, telling, lens, seed=hand.seed, faces=wanted.faces, looks=wanted.looks
    )
    notes = Notes()
    table = EveningTable(
        hand.rules,
        NotingEyes(eyes, telling, notes),
        seed=hand.seed,
        hardness=Hardness() if wanted.harsh else None,
        line_faults=HARD_LINE if wanted.harsh else 0.0,
        heap=hand.kind.heap,
        listener=notes,
    )
    for _ in follow_evening(
        hand.rules,
        table,
        seed=hand.seed,
        hands=1,
        clumsiness=Clumsiness() if wanted.clumsy else None,
        tile_scale=wanted.scale(hand.seed),
    ):
        pass
    own = hand.faces(folders) if hand.kind.is_learnt else ""
    about = About(
        corpus=hand.corpus,
        kind=hand.kind.name,
        rules=hand.rules.id,
        seed=hand.seed,
        hand=1,
        heap=hand.kind.heap,
        faces=hand.faces(folders),
        own_set=own,
        size_wh=lens.size_wh,
        tilt_deg=lens.tilt_deg,
        program=program_version(),
        weights=tuple(f"{name} {value}" for name, value in current_weights(own).items()),
        seconds=round(time.process_time() - started, 1),
    )
    return RecordedHand(about, tuple(notes.moments), tuple(table.record.entries))
