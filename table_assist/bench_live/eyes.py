"""Two kinds of eyes above a simulated table: the real ones, and modelled ones that draw nothing."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from table_assist.bench_live.modelled import ModelledReader
from table_assist.bench_live.rates import Measured, Rates, RatesError
from table_assist.demo import demo_config
from table_assist.live import watcher_of
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.disturb import Moment, Spoiled
from table_assist.twin.disturb_pictures import DisturbedRenderer, moved_lens
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Camera
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Cover, Point
from table_assist.vision.calibration import Calibration
from table_assist.vision.dice import DiceTray
from table_assist.vision.observe import Observation, observe
from table_assist.vision.read import Reader
from table_assist.vision.steady import Steady
from table_assist.vision.unavailable import Unavailable, Why
from table_assist.vision.zone_views import zone_polygons
from table_assist.vision.zones import Layout, Zone

OVERHEAD = Camera()
# Over the shoulder of seat 0: the whole table just fits.
OBLIQUE = Camera(px_per_mm=1.16, height_mm=1500.0, tilt_deg=28.0)
CAMERAS = {"overhead": OVERHEAD, "oblique": OBLIQUE}
# A zone of which this share is hidden is one of which nothing can be said.
HIDDEN = 0.02
# As vision/moved.py: how long until a bump is noticed, and until it is certain where the table is.
NOTICED_S, REFITTED_S = 0.5, 1.5


class Eyes(Protocol):
    """What stands in for camera and reader."""

    def look(self, moment: Moment, t: float) -> Observation:
        """What is steady on the table after this moment."""


class RealEyes:
    """Draws each moment and reads the picture with the trained networks."""

    def __init__(
        self, rules: RuleSet, reader: Reader, camera: Camera, *, seed: int, faces: Path | None
    ) -> None:
        drawn = load_faces(faces, needed=rules.kinds)

        def make(lens: Camera) -> Renderer:
            return Renderer(drawn, look_of(seed), lens, seed)

        self._pictures = DisturbedRenderer(make, camera, seed)
        settings = demo_config(camera, port="", log=Path())
        self._watcher = watcher_of(settings, reader)

    def look(self, moment: Moment, t: float) -> Observation:
        """What is steady on the table after this moment."""
        return self._watcher.look(self._pictures.picture(moment), t)


class ModelledEyes:
    """Errs as often and in the same ways as the reader was measured to."""

    def __init__(self, rates: dict[str, Rates], camera: Camera, *, sure: float, seed: int) -> None:
        self._reader = ModelledReader(camera, rates, seed)
        self._camera = camera
        self._steady = Steady(sure)
        self._tray = DiceTray()
        self._moved: Point = (0.0, 0.0)
        self._moved_t = float("-inf")
        self._known = camera
        self._latest = Observation(0.0, ())
        self._zones = {
            zone: np.array(corners, np.float32) for zone, corners in zone_polygons(Layout()).items()
        }

    def look(self, moment: Moment, t: float) -> Observation:
        """What is steady on the table after this moment."""
        lens = moved_lens(self._camera, moment.moved_mm)
        if moment.moved_mm != self._moved:
            self._moved, self._moved_t = moment.moved_mm, t
        if NOTICED_S <= t - self._moved_t < REFITTED_S:
            return replace(self._latest, t=t)
        if t - self._moved_t >= REFITTED_S:
            self._known = lens
        readings = self._reader.read(moment.scene, moment.spoiled, camera=lens)
        seen = observe(readings, Calibration(self._known.corners_px()), Layout(), t)
        seen = self._steady.update(replace(seen, unavailable=self._hidden(moment.scene.covers, t)))
        self._latest = replace(seen, dice=self._tray.update(t, seen.seen_dice).settled)
        return self._latest

    def _hidden(self, covers: tuple[Cover, ...], t: float) -> tuple[Unavailable, ...]:
        """Zones over which something lies."""
        if not covers:
            return ()
        side = 400
        mask = np.zeros((side, side), np.uint8)
        for cover in covers:
            outline = np.array(cover.polygon_mm) * (side / 800) + side / 2
            cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 1)
        return tuple(
            Unavailable(zone, t, Why.HIDDEN) for zone in self._zones if self._is_hidden(zone, mask)
        )

    def _is_hidden(
        self, zone: Zone, mask: "np.ndarray[tuple[int, int], np.dtype[np.uint8]]"
    ) -> bool:
        own = np.zeros_like(mask)
        scale = len(mask) / 800
        outline = np.round(self._zones[zone] * scale + len(mask) / 2).astype(np.int32)
        cv2.fillConvexPoly(own, outline, 1)
        return bool((mask & own).sum() > HIDDEN * own.sum())


def rates_of(measured: Measured, camera: str, dress: str) -> dict[str, Rates]:
    """The measured rates of one camera and tile set, by what became of the picture.

    Raises:
        RatesError: they were not measured.
    """
    found = {}
    for spoiled in Spoiled:
        name = f"{camera}/{dress}/{spoiled}"
        if name not in measured.rates:
            raise RatesError(
                f"no rates were measured for {name!r}; there are {list(measured.rates)}"
            )
        found[str(spoiled)] = measured.rates[name]
    return found


def dresses_of(measured: Measured) -> tuple[str, ...]:
    """The tile sets that were measured, in their order."""
    return tuple(dict.fromkeys(name.split("/")[1] for name in measured.rates))


EyesOf = Callable[[RuleSet, int], Eyes]
