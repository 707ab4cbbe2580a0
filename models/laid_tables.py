"""A simulated table with what lies on it, and what the reader makes of its faces."""

from collections import Counter
from dataclasses import dataclass, replace
from math import atan2, degrees, hypot
from pathlib import Path

import numpy as np

from table_assist.rules.ruleset import RuleSet
from table_assist.settings.build import calibration_of, layout_of
from table_assist.settings.config import Config
from table_assist.tiles.tile import Tile
from table_assist.twin.demo.demo import demo_config
from table_assist.twin.faces import FaceSet
from table_assist.twin.lens import Lens
from table_assist.twin.looks import TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation, SeenTile, observe
from table_assist.vision.table.viewpoint import Viewpoint, viewpoint

NEAR = 0.6  # of a tile's width: what was read so near to a tile is a reading of it
KINDS = ("right", "asked", "wrong")


def mirrored_set(faces: FaceSet) -> FaceSet:
    """A set whose characters the networks have never seen."""
    turned = {tile: np.ascontiguousarray(face[:, ::-1]) for tile, face in faces.pictures.items()}
    return FaceSet(f"{faces.name} mirrored", turned)


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
class TableExample:
    """One camera above one table with one set."""

    rules: RuleSet
    faces: FaceSet
    look: TableLook
    lens: Lens
    seed: int

    @property
    def config(self) -> Config:
        """The settings of whoever plays there."""
        return demo_config(self.lens, port="", log=Path("log"), rules=self.rules)

    def looked_at(self, scene: Scene, reader: Reader) -> Look:
        """The reader's look at a picture of it."""
        picture = Renderer(self.faces, self.look, self.lens, self.seed).picture(scene)
        return look_at(picture, self.config, reader)

    def tally(self, scene: Scene, look: Look) -> Counter[str]:
        """Faces right, asked (or not found) and wrong."""
        window = np.array(self.lens.corners_px()[0]) - np.array(look.calibration.corners_px[0])
        seen = [(np.array(look.middle_of(each)) + window, each) for each in look.observation.tiles]
        found: Counter[str] = Counter()
        for tile in scene.tiles:
            if tile.shows is None or not tile.shows.is_face:
                continue
            width, _, height = tile.size_mm
            middle = np.array(self.lens.project(tile.x_mm, tile.y_mm, height))
            beside = np.array(self.lens.project(tile.x_mm + width, tile.y_mm, height))
            far = [float(np.linalg.norm(at - middle)) for at, _ in seen]
            near = int(np.argmin(far)) if far else -1
            if near < 0 or far[near] > NEAR * np.linalg.norm(beside - middle):
                found["asked"] += 1
                continue
            read = seen[near][1].tile
            kind = "right" if read is tile.tile else "asked" if read is Tile.UNKNOWN else "wrong"
            found[kind] += 1
        return found
