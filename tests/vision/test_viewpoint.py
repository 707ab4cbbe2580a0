"""Where the camera is, by the table's corners alone; and in whose zone things above it are."""

import numpy as np
import pytest

from table_assist.tiles.tile import Tile
from table_assist.twin.lens import Lens
from table_assist.vision.reading.readings import box_readings
from table_assist.vision.reading.recognise import Name
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import observe
from table_assist.vision.table.viewpoint import viewpoint
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, from_seat

SIZE = (1920, 1080)
STACK_MM, WALL_D, MELDS_D = 40.0, 247.0, 300.0


def _camera(tilt: float, turn: float, height: float) -> Lens:
    return Lens(px_per_mm=1.1, height_mm=height, tilt_deg=tilt, turn_deg=turn)


@pytest.mark.parametrize("tilt", [0.0, 20.0, 30.0])
def test_a_wall_far_off_is_a_wall_and_a_back_among_the_melds_is_none(tilt: float) -> None:
    camera = _camera(tilt, 0.0, 1500.0)
    calibration = Calibration(camera.corners_px())
    for seat in range(4):
        for d, height, kind in (
            (WALL_D, STACK_MM, ZoneKind.WALL),
            (WALL_D, STACK_MM / 2, ZoneKind.WALL),
            (MELDS_D, STACK_MM / 2, ZoneKind.MELDS),
        ):
            x, y = camera.project(*from_seat(0.0, d, seat), height)
            box = np.array([[x - 15, y - 18, x + 15, y + 18]], np.float32)
            readings = box_readings(SIZE, box, [Name("back", 0.99, ())])
            stands = viewpoint(calibration, SIZE)
            (seen,) = observe(readings, calibration, Layout(), 0.0, stands).tiles
            assert (seen.tile, seen.zone) == (Tile.BACK, Zone(kind, seat))
