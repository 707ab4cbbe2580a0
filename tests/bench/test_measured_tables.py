"""Modelled eyes err as today's networks do; each table of the world was measured by itself."""

import hashlib

import numpy as np
import pytest

from bench import BenchError
from bench.live.hands import WantedHands, eyes_for
from bench.live.measure import dresses_for, read_as_told
from bench.live.rates import MeasuredRates, load_rates, rates_path
from models.world import WorldLooks
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.reading.weights import WEIGHTS
from table_assist.vision.table.calibration import Calibration

MEASURED = {looks: load_rates(rates_path(looks)) for looks in (WorldLooks.USUAL, WorldLooks.WORLD)}


@pytest.mark.parametrize("measured", MEASURED.values(), ids=MEASURED)
def test_the_rates_are_those_of_todays_networks(measured: MeasuredRates) -> None:
    """New networks err in another way: ``python -m bench live measure`` finds out how."""
    files = sorted(WEIGHTS.glob("*.onnx"))
    shas = [hashlib.sha256(each.read_bytes()).hexdigest()[:12] for each in files]
    assert measured.networks == " ".join(shas)


def test_held_out_tables_are_neither_measured_nor_modelled() -> None:
    with pytest.raises(BenchError, match="nothing is tuned by them"):
        dresses_for(WorldLooks.HELD_OUT, None)
    with pytest.raises(BenchError, match="--eyes real"):
        eyes_for(WantedHands(1, looks=WorldLooks.HELD_OUT))


class CarelessReader:
    """Reads backs in a row, and two more where nothing lies."""

    def read(self, window: np.ndarray, *, of_a_table: bool) -> Readings:
        boxes = [(100 + 40 * i, 300, 126 + 40 * i, 335) for i in range(12)]
        names = [Name("back", 0.97, (Candidate("back", 0.97),))] * len(boxes)
        return box_readings((800, 800), np.array(boxes, np.float32), names)


def test_cloth_that_the_program_knows_is_no_error_of_its_eyes() -> None:
    """Backs between the ends of the walls, which the watcher leaves out, were counted as seen: of
    200 hands with modelled eyes two in a hundred had a question about a wall that is too long."""
    window = np.full((800, 800, 3), (62, 104, 42), np.uint8)
    for left in range(100, 500, 40):
        window[300:335, left : left + 26] = (42, 138, 214)
    calibration = Calibration(((0, 800), (800, 800), (800, 0), (0, 0)))
    told = read_as_told(CarelessReader(), window, calibration, None, 26.0)  # type: ignore[arg-type]
    assert len(told) == 10
    assert told.polygons[:, :, 0].max() < 490
