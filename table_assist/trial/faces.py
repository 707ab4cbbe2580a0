"""Act one beside the pictures: which face was read as what, and how good the pictures are."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import atan2, degrees, hypot
from pathlib import Path

from table_assist.settings.build import calibration_of, layout_of
from table_assist.settings.config import Config, ConfigError
from table_assist.tiles import Tile
from table_assist.trial.instruction import Act, Script
from table_assist.trial.progress import Mark, Progress
from table_assist.vision.enrolment.learn import Sample
from table_assist.vision.enrolment.pictures import samples_at
from table_assist.vision.pictures.picture import Image, PictureError, load_picture
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.table.advice import Advice, Conditions, advice_on, measure
from table_assist.vision.table.calibration import Calibration, CalibrationError
from table_assist.vision.table.observe import Observation, SeenTile, observe
from table_assist.vision.table.viewpoint import viewpoint
from table_assist.vision.table.zones import ZoneKind, to_seat

ROWS_OF_HANDS = 4  # the fifth row lies where melds lie


@dataclass(frozen=True, slots=True)
class ReadFace:
    """One face of act one.

    Attributes:
        read: UNKNOWN for "?"; None where nothing was found.
        next_best: what else it may be.
        confidence: of what was read.
    """

    tile: Tile
    read: Tile | None
    next_best: Tile | None = None
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Seen:
    """What the pictures of a trial tell.

    Attributes:
        conditions: of the last picture of act one; None without one.
        tilt_deg: how far from straight down the camera looks; None where that is not known.
        tile_mm: how wide a tile is; None where too few lie side by side.
        advice: what would help, what matters most first.
    """

    faces: tuple[ReadFace, ...] = ()
    conditions: Conditions | None = None
    tilt_deg: float | None = None
    tile_mm: float | None = None
    advice: tuple[Advice, ...] = ()

    @property
    def wrong(self) -> int:
        """Faces that were read as another one."""
        return sum(f.read not in (f.tile, Tile.UNKNOWN, None) for f in self.faces)

    @property
    def asked(self) -> int:
        """Faces that were not read."""
        return sum(f.read in (Tile.UNKNOWN, None) for f in self.faces)

    @property
    def alike(self) -> tuple[tuple[Tile, Tile], ...]:
        """Pairs that were taken, or might have been taken, for each other."""
        pairs = Counter(
            (min(f.tile, other), max(f.tile, other))
            for f in self.faces
            for other in {f.read if f.read != Tile.UNKNOWN else f.next_best, None} - {None, f.tile}
            if other is not None and other.is_face
        )
        return tuple(sorted(pairs))


@dataclass(frozen=True, slots=True)
class Look:
    """A picture of a table, and what was read in it.

    Attributes:
        image: the part with the table, (h, w, 3) BGR.
        calibration: where the table lies in that part.
        tilt_deg: as of `Seen`.
    """

    image: Image
    calibration: Calibration
    readings: Readings
    observation: Observation
    tilt_deg: float | None

    def middle_of(self, tile: SeenTile) -> tuple[float, float]:
        """Where in the image it is seen, in pixels."""
        return self.calibration.point(tile.x_mm, tile.y_mm)


def look_at(image: Image, config: Config, reader: Reader) -> Look:
    """Read one picture (h, w, 3) BGR of the table of these settings.

    Raises:
        ConfigError: where the table lies is not known.
        CalibrationError: the picture is not of the size that was calibrated on.
    """
    calibration, _ = calibration_of(config)
    size = (image.shape[1], image.shape[0])
    x0, y0, x1, y1 = calibration.window(size)
    window, moved = image[y0:y1, x0:x1].copy(), calibration.moved(-x0, -y0)
    upright = replace(reader, stretch=calibration.foreshortening)
    readings = upright.read(window, of_a_table=True)
    found = observe(readings, moved, layout_of(config), 0.0, viewpoint(moved, (x1 - x0, y1 - y0)))
    where = viewpoint(calibration, size)
    tilt = None if where is None else degrees(atan2(hypot(where.x_mm, where.y_mm), where.z_mm))
    return Look(window, moved, readings, found, tilt)


def rows_seen(
    folder: Path, script: Script, progress: Progress, config: Config, reader: Reader
) -> Iterator[tuple[Sequence[Tile], list[SeenTile], Look]]:
    """Each row of act one that was laid as the script says, and what was read of it from the left.

    Args:
        folder: of the steps' pictures.
    """
    for number, step in enumerate(s for s in script.steps if s.act is Act.SET and s.tiles):
        at = script.steps.index(step)
        is_laid = any(m.step == at and m.mark is Mark.DONE for m in progress.marks)
        path = folder / f"{at:04}.jpg"
        if not is_laid or not path.is_file():
            continue
        try:
            look = look_at(load_picture(path), config, reader)
        except (PictureError, ConfigError, CalibrationError):
            continue  # of phones each has corners of its own; what cannot be read says nothing
        yield step.tiles, _row(look.observation, number), look


def _row(found: Observation, number: int) -> list[SeenTile]:
    seat, kind = number % 4, ZoneKind.HAND if number < ROWS_OF_HANDS else ZoneKind.MELDS
    return sorted(found.in_zone(kind, seat), key=lambda t: to_seat(t.x_mm, t.y_mm, seat)[0])


def look_at_faces(
    folder: Path, script: Script, progress: Progress, config: Config, reader: Reader
) -> Seen:
    """Read the pictures of act one, and say what would help."""
    seen = Seen()
    for row, tiles, look in rows_seen(folder, script, progress, config, reader):
        conditions = measure(look.image, look.readings)
        seen = Seen(
            (*seen.faces, *matched(row, tiles)),
            conditions,
            look.tilt_deg,
            look.observation.measured_mm or seen.tile_mm,
            advice_on(conditions),
        )
    return seen


def set_samples(
    folder: Path, script: Script, progress: Progress, config: Config, reader: Reader
) -> list[Sample]:
    """Act one's tiles for learning the set: the script says which tile is which.

    A row of which more or fewer tiles were found than were laid is left out.
    """
    found: list[Sample] = []
    for number, (row, tiles, look) in enumerate(
        rows_seen(folder, script, progress, config, reader)
    ):
        if len(row) == len(tiles):
            places = [
                (look.middle_of(seen), int(tile)) for tile, seen in zip(row, tiles, strict=True)
            ]
            found += samples_at(look.image, reader.detector, places, number)
    return found


def matched(row: Sequence[Tile], tiles: Sequence[SeenTile]) -> tuple[ReadFace, ...]:
    """Each face of a row beside what was read there, both from the left.

    Where fewer or more were found than laid, by the fewest differences.
    """
    if len(tiles) == len(row):
        return tuple(_face(tile, seen) for tile, seen in zip(row, tiles, strict=True))
    found: list[ReadFace] = []
    at = 0
    for tile in row:
        ahead = next((n for n, seen in enumerate(tiles[at:]) if seen.tile is tile), None)
        left = len(row) - len(found)
        if ahead is not None and ahead <= max(0, len(tiles) - at - left) + 1:
            at += ahead
            found.append(_face(tile, tiles[at]))
            at += 1
        else:
            found.append(ReadFace(tile, None))
    return tuple(found)


def _face(tile: Tile, seen: SeenTile) -> ReadFace:
    others = [face for face, _ in seen.candidates if face is not tile]
    return ReadFace(tile, seen.tile, others[0] if others else None, round(seen.confidence, 3))
