"""Where what the running table believes parts from what lies there, and whose fault it is.

For each step of a hand the last picture is kept with what was believed then. Where a belief is
false for several steps, the still picture of the first of them is read whole: if the reader names
there what lies there, it was memory that failed, and not the eyes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import hypot

import cv2
import numpy as np

from table_assist.tiles.tile import Tile
from table_assist.twin.scene import Scene
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation, SeenTile, observe
from table_assist.vision.table.viewpoint import Viewpoint
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, zone_at

# A tile is seen beside its foot: by a tile's height, seen from low above at the table's edge.
SAME_MM = 14.0
LASTS_STEPS = 2  # a belief that is false for less is no more than late


class Cause(StrEnum):
    """The first failure."""

    READER = "the reader: the whole still is misread too"
    HIDDEN = "a zone counts as unavailable though the still shows it"
    UNSURE = "the reader: it names what lies there, and is not sure enough of it"
    MEMORY = "memory: the whole still is read right"
    AFTERWARDS = "none of the eyes: all was believed as it lay"


@dataclass(frozen=True, slots=True)
class Still:
    """One step's last picture and what was believed then.

    Attributes:
        text: what happened, in the simulator's words.
        picture: the part that is read: the table and what lies at its edge.
        where: where the table lies in the picture; None: the program does not know.
        above: where the camera hangs, by that; None: straight above, far away.
    """

    number: int
    t: float
    text: str
    scene: Scene
    picture: bytes
    observation: Observation
    where: Calibration | None
    above: Viewpoint | None = None


@dataclass(frozen=True, slots=True)
class Parting:
    """One tile of which something false was believed.

    Attributes:
        lies: the tile that lies there; None: none does.
        believed: as what it was known; None: as nothing.
        still_says: what the whole still is read as there; None: as nothing.
        first: the number of the first step.
        steps: for how many it lasted.
    """

    lies: Tile | None
    believed: Tile | None
    still_says: Tile | None
    zone: Zone
    x_mm: float
    y_mm: float
    first: int
    steps: int
    cause: Cause

    def __str__(self) -> str:
        owner = "" if self.zone.seat is None else f" of seat {self.zone.seat}"
        return (
            f"step {self.first}, for {self.steps} steps, {self.zone.kind}{owner} at "
            f"({self.x_mm:.0f}, {self.y_mm:.0f}) mm: lies {self.lies or 'nothing'}, believed "
            f"{self.believed or 'nothing'}, the still is read as {self.still_says or 'nothing'}"
            f" – {self.cause}"
        )


@dataclass(frozen=True, slots=True)
class _Difference:
    lies: Tile | None
    believed: Tile | None
    zone: Zone
    x_mm: float
    y_mm: float
    is_likeliest: bool = False


def partings(stills: Sequence[Still], reader: Reader) -> list[Parting]:
    """All that was believed falsely for a while, first things first."""
    running: list[tuple[_Difference, int, int]] = []  # with first and last index
    over = []
    for index, still in enumerate(stills):
        now = _differences(still)
        kept = []
        for old, first, _ in running:
            same = next((new for new in now if _is_same(old, new)), None)
            if same is None:
                over.append((old, first, index - first))
            else:
                now.remove(same)
                kept.append((old, first, index))
        running = kept + [(new, index, index) for new in now]
    over += [(old, first, len(stills) - first) for old, first, _ in running]
    lasting = sorted((each for each in over if each[2] >= LASTS_STEPS), key=lambda each: each[1])
    looks = {first: read_whole(stills[first], reader)[2] for _, first, _ in lasting}
    return [_parting(each, stills[each[1]], looks[each[1]]) for each in lasting]


def read_whole(still: Still, reader: Reader) -> tuple[Image, Readings, Observation]:
    """The still picture, what it is read as when it is read whole, and that on the table."""
    image = unpacked(still.picture)
    readings = reader.read(image, of_a_table=True)
    if still.where is None:
        return image, readings, Observation(still.t, ())
    mm = still.observation.tile_mm
    layout = Layout().fitted(mm)
    return image, readings, observe(readings, still.where, layout, still.t, still.above, tile_mm=mm)


def packed(image: Image) -> bytes:
    """A picture as it is kept: what JPEG takes is below the sensor's noise."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 97])
    return data.tobytes()


def unpacked(picture: bytes) -> Image:
    """The pixels of a kept picture, (h, w, 3) BGR."""
    return np.asarray(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def cause_of(found: Sequence[Parting]) -> Cause:
    """The first failure of a whole hand."""
    return found[0].cause if found else Cause.AFTERWARDS


def _parting(each: tuple[_Difference, int, int], still: Still, look: Observation) -> Parting:
    difference, _, steps = each
    says = _nearest(look.tiles, difference.x_mm, difference.y_mm)
    said = says.tile if says is not None else None
    if said is not difference.lies:
        cause = Cause.READER
    elif any(gone.zone == difference.zone for gone in still.observation.unavailable):
        cause = Cause.HIDDEN
    elif difference.is_likeliest:
        cause = Cause.UNSURE
    else:
        cause = Cause.MEMORY
    return Parting(
        difference.lies,
        difference.believed,
        said,
        difference.zone,
        difference.x_mm,
        difference.y_mm,
        still.number,
        steps,
        cause,
    )


def _differences(still: Still) -> list[_Difference]:
    """Faces that lie there and are not believed, and believed ones that do not lie there.

    Backs and standing tiles are not compared: of a wall its stacks count, and not its tiles.
    """
    believed = list(still.observation.tiles)
    layout = Layout().fitted(still.observation.tile_mm)
    found = []
    for placed in still.scene.tiles:
        zone = zone_at(placed.x_mm, placed.y_mm, layout)
        if zone.kind is ZoneKind.ELSEWHERE:
            continue
        x, y = placed.x_mm, placed.y_mm
        if still.above is not None:
            x, y = still.above.seen_at(x, y, placed.size_mm[2])
        known = _nearest(believed, x, y)
        if known is not None:
            believed.remove(known)
        lies, said = placed.shows, known.tile if known is not None else None
        if lies is not None and lies.is_face and said is not lies:
            likeliest = known.candidates[0][0] if known is not None and known.candidates else said
            found.append(_Difference(lies, said, zone, x, y, likeliest is lies))
    # In a hand that stands, sides and edges are read as this and that, and nothing follows.
    shown = {each.zone for each in found} | {
        tile.zone for tile in still.observation.tiles if tile not in believed and tile.tile.is_face
    }
    ghosts = (
        tile
        for tile in believed
        if tile.tile is not Tile.BACK
        and (tile.zone.kind is not ZoneKind.HAND or tile.zone in shown)
    )
    found += [_Difference(None, tile.tile, tile.zone, tile.x_mm, tile.y_mm) for tile in ghosts]
    return found


def _is_same(one: _Difference, other: _Difference) -> bool:
    is_near = hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) < SAME_MM
    return is_near and one.lies is other.lies


def _nearest(tiles: Sequence[SeenTile], x: float, y: float) -> SeenTile | None:
    best = min(tiles, key=lambda tile: hypot(tile.x_mm - x, tile.y_mm - y), default=None)
    is_near = best is not None and hypot(best.x_mm - x, best.y_mm - y) < SAME_MM
    return best if is_near else None
