"""A simulated table with what lies on it, and what the reader makes of its faces."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from table_assist.rules.ruleset import RuleSet
from table_assist.settings.config import Config
from table_assist.tiles.tile import Tile
from table_assist.twin.demo.demo import demo_config
from table_assist.twin.faces import FaceSet
from table_assist.twin.lens import Lens
from table_assist.twin.looks import TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene
from table_assist.upkeep.trial.faces import Look, look_at
from table_assist.vision.reading.read import Reader

NEAR = 0.6  # of a tile's width: what was read so near to a tile is a reading of it
KINDS = ("right", "asked", "wrong")


def mirrored_set(faces: FaceSet) -> FaceSet:
    """A set whose characters the networks have never seen."""
    turned = {tile: np.ascontiguousarray(face[:, ::-1]) for tile, face in faces.pictures.items()}
    return FaceSet(f"{faces.name} mirrored", turned)


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
