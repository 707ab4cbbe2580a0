"""Act one beside the pictures: which face was read as what, and how good the pictures are."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import atan2, degrees, hypot
from pathlib import Path

from table_assist.settings.build import calibration_of, layout_of
from table_assist.settings.config import Config, ConfigError
from table_assist.tiles.tile import Tile
from table_assist.upkeep.trial.instruction import Script, TrialAct
from table_assist.upkeep.trial.pictures import pictures_of, settings_for
from table_assist.upkeep.trial.progress import Mark, Progress
from table_assist.vision.enrolment.learn import Sample
from table_assist.vision.enrolment.pictures import samples_at
from table_assist.vision.pictures.picture import Image, PictureError, load_picture
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.table.advice import Advice, Conditions, advice_on, measure
from table_assist.vision.table.calibration import Calibration, CalibrationError
from table_assist.vision.table.observation import Observation, SeenTile, observe
from table_assist.vision.table.viewpoint import Viewpoint, viewpoint
from table_assist.vision.table.views import CameraView, JoinedViews
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
class TrialFaces:
    """All of act one that were laid as the script says."""

    each: tuple[ReadFace, ...] = ()

    def __len__(self) -> int:
        return len(self.each)

    @property
    def right(self) -> int:
        """Those that were read as what they are."""
        return len(self) - self.wrong - self.asked

    @property
    def wrong(self) -> int:
        """Those that were read as another one."""
        return sum(f.read not in (f.tile, Tile.UNKNOWN, None) for f in self.each)

    @property
    def asked(self) -> int:
        """Those that were not read."""
        return sum(f.read in (Tile.UNKNOWN, None) for f in self.each)

    @property
    def alike(self) -> tuple[tuple[Tile, Tile], ...]:
        """Pairs that were taken, or might have been taken, for each other."""
        pairs = Counter(
            (min(f.tile, other), max(f.tile, other))
            for f in self.each
            for other in {f.read if f.read != Tile.UNKNOWN else f.next_best, None} - {None, f.tile}
            if other is not None and other.is_face
        )
        return tuple(sorted(pairs))


@dataclass(frozen=True, slots=True)
class SeenBy:
    """The faces in one camera's pictures.

    Attributes:
        faces: as it reads them alone.
        conditions: of the last picture of act one.
        tilt_deg: how far from straight down the camera looks; None where that is not known.
        advice: what would help, what matters most first.
        picture: the last one of act one.
    """

    faces: TrialFaces
    conditions: Conditions
    tilt_deg: float | None
    advice: tuple[Advice, ...]
    picture: Path


@dataclass(frozen=True, slots=True)
class SeenFaces:
    """The faces in the pictures of a trial.

    Attributes:
        faces: as all cameras together read them.
        cameras: each of them.
        tile_mm: how wide a tile is; None where too few lie side by side.
    """

    faces: TrialFaces = TrialFaces()
    cameras: tuple[SeenBy, ...] = ()
    tile_mm: float | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """A picture of a table, and what was read in it.

    Attributes:
        image: the part with the table, (h, w, 3) BGR.
        calibration: where the table lies in that part.
        above: from where the camera looks at it; None where that is not known.
    """

    image: Image
    calibration: Calibration
    readings: Readings
    observation: Observation
    above: Viewpoint | None

    @property
    def tilt_deg(self) -> float | None:
        """How far from straight down the camera looks."""
        if self.above is None:
            return None
        return degrees(atan2(hypot(self.above.x_mm, self.above.y_mm), self.above.z_mm))

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
    return Look(window, moved, readings, found, viewpoint(calibration, size))


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of act one that was laid as the script says.

    Attributes:
        number: of the rows, from 0.
        pictures: by camera, as `looks`.
    """

    number: int
    tiles: Sequence[Tile]
    pictures: Mapping[str, Path]
    looks: Mapping[str, Look]

    def found(self, observation: Observation) -> list[SeenTile]:
        """The tiles seen where the row lies, from the left."""
        seat, kind = self.number % 4, ZoneKind.MELDS
        if self.number < ROWS_OF_HANDS:
            kind = ZoneKind.HAND
        tiles = observation.in_zone(kind, seat)
        return sorted(tiles, key=lambda t: to_seat(t.x_mm, t.y_mm, seat)[0])


def _rows(
    folder: Path, script: Script, progress: Progress, config: Config, reader: Reader
) -> Iterator[_Row]:
    """The rows laid as the script says, with what the cameras saw of each.

    Args:
        folder: of the steps' pictures.
    """
    done = {each.step for each in progress.marks if each.mark is Mark.DONE}
    rows = (at for at, step in enumerate(script.steps) if step.act is TrialAct.SET and step.tiles)
    for number, at in enumerate(rows):
        pictures = pictures_of(folder, at) if at in done else {}
        looks: dict[str, Look] = {}
        for camera, path in pictures.items():
            try:
                own = settings_for(config, camera)
                looks[camera] = look_at(load_picture(path), own, reader)
            except (PictureError, ConfigError, CalibrationError):
                continue  # what cannot be read says nothing
        if looks:
            yield _Row(number, script.steps[at].tiles, pictures, looks)


def together(looks: Sequence[Look]) -> Observation:
    """The observation of several cameras at once, as the table that they watch is followed."""
    if len(looks) == 1:
        return looks[0].observation
    views = {str(n): CameraView(look.observation, look.above) for n, look in enumerate(looks)}
    return JoinedViews().together(views, 0.0)


def look_at_faces(
    folder: Path, script: Script, progress: Progress, config: Config, reader: Reader
) -> SeenFaces:
    """Read the pictures of act one, and say what would help."""
    faces: tuple[ReadFace, ...] = ()
    tile_mm: float | None = None
    cameras: dict[str, SeenBy] = {}
    for row in _rows(folder, script, progress, config, reader):
        faces += matched(row.tiles, row.found(together(list(row.looks.values()))))
        for camera, look in row.looks.items():
            tile_mm = look.observation.measured_mm or tile_mm
            conditions = measure(look.image, look.readings)
            before = cameras[camera].faces.each if camera in cameras else ()
            own = TrialFaces((*before, *matched(row.tiles, row.found(look.observation))))
            picture, advice = row.pictures[camera], advice_on(conditions)
            cameras[camera] = SeenBy(own, conditions, look.tilt_deg, advice, picture)
    ordered = (cameras[camera] for camera in sorted(cameras))
    return SeenFaces(TrialFaces(faces), tuple(ordered), tile_mm)


def set_samples(
    folder: Path, script: Script, progress: Progress, config: Config, reader: Reader
) -> list[Sample]:
    """Act one's tiles for learning the set: the script says which tile is which.

    A row of which more or fewer tiles were found than were laid is left out.
    """
    found: list[Sample] = []
    pictures = 0
    for row in _rows(folder, script, progress, config, reader):
        for look in row.looks.values():
            tiles = row.found(look.observation)
            if len(row.tiles) == len(tiles):
                laid = zip(row.tiles, tiles, strict=True)
                places = [(look.middle_of(seen), int(tile)) for tile, seen in laid]
                found += samples_at(look.image, reader.detector, places, pictures)
            pictures += 1
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
