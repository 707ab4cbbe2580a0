"""Two kinds of eyes above a simulated table: the real ones, and modelled ones that draw nothing."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from bench.live.disturb import DisturbedRenderer, moved_lens
from bench.live.modelled import ModelledReader
from bench.live.rates import Rates
from models.sets import faces_for
from models.world import WorldLooks, clutter, look_from, tapped_corners
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.edit import watcher_of
from table_assist.twin.lens import Lens
from table_assist.twin.moment import CameraMoment
from table_assist.twin.scene import Point
from table_assist.upkeep.demo import demo_config
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.dice import DiceTray
from table_assist.vision.table.observation import Observation, observe
from table_assist.vision.table.occlusion import CELLS, TableView, to_cells
from table_assist.vision.table.tile_size import TILE_MM, TileSize
from table_assist.vision.table.tile_tracker import TileTracker
from table_assist.vision.table.viewpoint import viewpoint
from table_assist.vision.table.watcher import pushed_together
from table_assist.vision.table.zones import Layout, Zone, ZoneKind

OVERHEAD = Lens()
# Over the shoulder of seat 0: the whole table just fits.
OBLIQUE = Lens(px_per_mm=1.16, height_mm=1500.0, tilt_deg=20.0)
CAMERAS = {"overhead": OVERHEAD, "oblique": OBLIQUE}
# How long until a bump is noticed, and until it is certain where the table is: as camera_moved.py.
NOTICED_S, REFITTED_S = 0.5, 1.5


class StandInEyes(Protocol):
    """The stand-in for camera and reader; it sees the faces of a tile set."""

    tile_set: str

    def look(self, moment: CameraMoment, t: float) -> Observation:
        """The steady things on the table after this moment."""

    def attend(self, attention: Attention) -> None:
        """Take over which parts of the table must be seen now."""


class RealEyes:
    """Draws each moment and reads the picture with the trained networks."""

    def __init__(
        self,
        rules: RuleSet,
        reader: Reader,
        camera: Lens,
        *,
        seed: int,
        faces: Path | None,
        looks: WorldLooks = WorldLooks.USUAL,
    ) -> None:
        every = (*rules.kinds, *rules.bonus_tiles)
        drawn = faces_for(faces, looks, seed, needed=rules.kinds, all_of=every)
        look = look_from(looks, seed)
        is_usual = looks is WorldLooks.USUAL
        self._beside = () if is_usual else clutter(seed)
        self.tile_set = drawn.name
        self._pictures = DisturbedRenderer(drawn, look, camera, seed)
        corners = None if is_usual else tapped_corners(camera, look, seed)
        settings = demo_config(camera, port="", log=Path(), corners_px=corners)
        self.observer = watcher_of(settings, reader)
        self.attend = self.observer.attend
        if self.observer.lessons:
            self.observer.lessons.run = lambda learn: learn()  # on simulated time

    def look(self, moment: CameraMoment, t: float) -> Observation:
        """The steady things on the table after this moment."""
        if self._beside:
            covers = (*self._beside, *moment.scene.covers)
            moment = replace(moment, scene=replace(moment.scene, covers=covers))
        return self.observer.look(self._pictures.picture(moment), t)


class ModelledEyes:
    """Errs as often and in the same ways as the reader was measured to."""

    def __init__(
        self,
        rates: dict[str, Rates],
        camera: Lens,
        *,
        limits: Limits,
        seed: int,
        tile_set: str = "",
    ) -> None:
        self.tile_set = tile_set
        self._reader = ModelledReader(camera, rates, seed)
        self._camera = camera
        self._steady, self._tray = TileTracker(limits), DiceTray()
        self._moved: Point = (0.0, 0.0)
        self._moved_t = float("-inf")
        self._known, self._calibration = camera, Calibration(camera.corners_px())
        self._latest = Observation(0.0, ())
        self._seen: tuple[Readings, Calibration, Observation] | None = None
        self._size, self._layout = TileSize(), Layout()
        self._view = TableView(self._layout)

    def attend(self, attention: Attention) -> None:
        """Nothing is remembered here that would have to be read afresh."""

    def look(self, moment: CameraMoment, t: float) -> Observation:
        """The steady things on the table after this moment."""
        lens = moved_lens(self._camera, moment.moved_mm)
        if moment.moved_mm != self._moved:
            self._moved, self._moved_t = moment.moved_mm, t
        since_s = t - self._moved_t
        if NOTICED_S <= since_s < REFITTED_S:
            return replace(self._latest, t=t)
        if since_s >= REFITTED_S and self._known != lens:
            self._known, self._calibration = lens, Calibration(lens.corners_px())
        readings = self._reader.read(moment.scene, moment.spoiled, camera=lens)
        is_new = self._seen is None or self._seen[0] is not readings
        seen = self._observed(readings, t)
        if is_new:
            # As the watcher does: where the tiles all lie elsewhere, the table was bumped.
            pushed = pushed_together(self._steady.followed, seen.tiles)
            if pushed.transform is not None:
                self._calibration = pushed.refit(self._calibration)
                seen = self._observed(readings, t)
            elif pushed.is_amiss and since_s < REFITTED_S:
                return replace(self._latest, t=t)
        hidden = np.zeros((CELLS, CELLS), np.uint8)
        for cover in moment.scene.covers:
            lifted = np.array([(x, y, cover.height_mm) for x, y in cover.polygon_mm])
            outline = self._calibration.to_table(lens.project_points(lifted).astype(np.float32))
            cv2.fillPoly(hidden, [np.floor(to_cells(outline)).astype(np.int32)], 1)
        self._view.hide(hidden > 0, {}, t)
        steady = self._steady.update(seen, self._view.hides, self._view.crowds)
        covered = Zone(ZoneKind.DICE) in {gone.zone for gone in self._view.unavailable}
        dice = self._tray.update(t, seen.seen_dice, covered=covered).settled
        gone, hidden_too = self._view.unavailable, self._view.partly_hidden
        self._latest = replace(steady, dice=dice, unavailable=gone, partly_hidden=hidden_too)
        return self._latest

    def _observed(self, readings: Readings, t: float) -> Observation:
        """The readings placed on the table; computed anew only where something is new."""
        there = self._calibration
        if self._seen is None or self._seen[0] is not readings or self._seen[1] != there:
            above = viewpoint(there, self._camera.size_wh)
            place = partial(observe, readings, there, t=t, viewpoint=above)
            observed = place(self._layout, tile_mm=self._size.mm)
            if self._size.update(observed.measured_mm):
                self._layout = Layout().fitted(self._size.mm)
                self._view.fit(self._layout, self._size.mm / TILE_MM)
                observed = place(self._layout, tile_mm=self._size.mm)
            self._seen = readings, there, observed
        return replace(self._seen[2], t=t)
