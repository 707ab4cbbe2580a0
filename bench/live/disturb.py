"""The moments between a step of the table and the camera: calm ones, or a hard evening's.

A step becomes moments: what lies on the table, what covers it, and what becomes of the picture.
Everything is drawn from one seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import cv2
import numpy as np

from table_assist.twin.faces import FaceSet
from table_assist.twin.lens import Lens
from table_assist.twin.looks import Colour, TableLook
from table_assist.twin.moment import CameraMoment, Spoiled
from table_assist.twin.render import Renderer
from table_assist.twin.scene import SKIN, SLEEVE, Cover, Point, Scene, reaching_arm, rectangle
from table_assist.twin.table import TableStep
from table_assist.vision.pictures.picture import Image

# Between two pictures of a calm step, and how many it has: a camera looks twice as often.
CALM_STEP_S, CALM_PICTURES = 0.4, (3, 6)
HARD_PICTURES = 4  # after the hand is gone again
SHIFT_MM = 30.0
SKINS: tuple[Colour, ...] = (SKIN, (120, 150, 196), (70, 96, 140), (168, 192, 228))
SLEEVES: tuple[Colour, ...] = (SLEEVE, (30, 30, 34), (222, 226, 228), (60, 40, 150), (70, 110, 60))
BRACELETS: tuple[Colour, ...] = ((70, 190, 220), (200, 204, 206), (40, 40, 44), (110, 160, 90))
CLOTH, SHINE = (70, 80, 130), (252, 252, 252)


@dataclass(frozen=True, slots=True)
class Hardness:
    """How often what happens, 0-1 a step or a picture."""

    reaches: float = 0.8  # of the hands that bring a step about are seen doing it
    blurs: float = 0.35  # of the pictures with a moving hand
    drops: float = 0.10
    freezes: float = 0.06
    tints: float = 0.01  # of the steps begin or end a wrong white balance
    shines: float = 0.05  # of the steps move a glare that hides some tiles
    cloths: float = 0.01  # of the steps cover a third of the table for a while
    bumps: float = 0.002  # of the steps move the camera by three centimetres
    rolls: float = 0.08  # of the steps have a bystander's hand above the table


class Disturber:
    """Makes moments of steps. The same seed and steps give the same moments."""

    def __init__(self, seed: int, hardness: Hardness | None = None) -> None:
        """Without a hardness everything is calm."""
        self._rng = Random(f"disturb-{seed}")
        self._hardness = hardness
        self._before = Scene()
        self._tinted = False
        self._shine, self._cloth = tuple[Cover, ...](), tuple[Cover, ...]()
        self._cloth_steps = 0
        self._moved: Point = (0.0, 0.0)
        self._clothes: list[tuple[Colour, Colour, Colour | None]] = []
        for seat in range(4):
            own = Random(f"clothes-{seed}-{seat}")
            ring = own.choice(BRACELETS) if own.random() < 0.5 else None
            self._clothes.append((own.choice(SKINS), own.choice(SLEEVES), ring))

    def moments(self, step: TableStep) -> Iterator[CameraMoment]:
        """The camera's moments while the step happens and until the next one."""
        if self._hardness is None:
            fewest, most = CALM_PICTURES
            pictures = min(max(round(step.seconds / CALM_STEP_S), fewest), most)
            for _ in range(pictures):
                yield CameraMoment(step.scene, step.seconds / pictures)
        else:
            hardness, rng, reach = self._hardness, self._rng, step.reach
            if rng.random() < hardness.tints:
                self._tinted = not self._tinted
            if rng.random() < hardness.shines:
                at = () if self._shine else (rng.uniform(-330, 330), rng.uniform(-330, 330))
                self._shine = (lamp(*at, rng.uniform(12, 35)),) if at else ()
            self._cloth_steps = max(0, self._cloth_steps - 1)
            if not self._cloth_steps:
                self._cloth = ()
                if rng.random() < hardness.cloths:  # somebody's newspaper, jacket or tray
                    place = rng.choice((-1, 1)) * rng.uniform(80, 300), rng.uniform(-250, 250)
                    sides = [2 * rng.uniform(150, most) for most in (260, 300)]
                    cloth = rectangle(*place, width=sides[0], depth=sides[1])
                    self._cloth, self._cloth_steps = (Cover(cloth, CLOTH, 70.0),), rng.randint(1, 4)
            if rng.random() < hardness.bumps:
                x, y = self._moved
                way = rng.choice((1, -1)) * SHIFT_MM
                self._moved = (0.0, y) if x else (way, y)
            arms: list[tuple[Scene, tuple[Cover, ...]]] = []
            if reach is not None and rng.random() < hardness.reaches:
                halfway = 0.5 + rng.uniform(-0.1, 0.2)
                near = (reach.x_mm * halfway, reach.y_mm * halfway)
                whole = self._arm(reach.seat, reach.x_mm, reach.y_mm)
                arms = [(self._before, whole), (step.scene, whole)]
                arms += [(step.scene, self._arm(reach.seat, *near))]
            elif rng.random() < hardness.rolls:
                place = rng.uniform(-250, 250), rng.uniform(-250, 250)
                arms = [(step.scene, self._arm(rng.randrange(4), *place))] * 2
            looks = [*arms, *[(step.scene, ())] * HARD_PICTURES]
            for scene, arm in looks:
                spoiled = Spoiled.TINTED if self._tinted else Spoiled.CLEAR
                if arm and rng.random() < hardness.blurs:
                    spoiled = Spoiled.BLURRED
                covers = (*scene.covers, *self._shine, *arm, *self._cloth)
                yield CameraMoment(
                    replace(scene, covers=covers) if covers else scene,
                    step.seconds / len(looks),
                    spoiled=spoiled,
                    arrives=rng.random() >= hardness.drops,
                    is_frozen=rng.random() < hardness.freezes,
                    moved_mm=self._moved,
                )
        self._before = step.scene

    def _arm(self, seat: int, x_mm: float, y_mm: float) -> tuple[Cover, ...]:
        """A seat's arm in its own sleeve, with what is worn at the wrist."""
        skin, sleeve, ring = self._clothes[seat]
        arm = reaching_arm(seat, x_mm, y_mm, skin=skin, sleeve=sleeve)
        if ring is None:
            return arm
        left, beyond_left, *_, beyond_right, right = arm[1].polygon_mm
        band = left, _between(left, beyond_left), _between(right, beyond_right), right
        return (*arm, Cover(band, ring, arm[1].height_mm + 2))


def _between(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def lamp(x_mm: float, y_mm: float, half_mm: float) -> Cover:
    """A lamp's mirror image: what lies in it cannot be read."""
    outline = rectangle(x_mm, y_mm, width=2 * half_mm, depth=2 * half_mm)
    return Cover(outline, SHINE, 22.0, is_light=True)


BLUR_PX = 2.2
# A lamp of another colour than the camera was set for, before it has adapted.
WRONG_WHITE = ((0.62, 0.95, 1.25), (1.3, 0.95, 0.66))


class DisturbedRenderer:
    """Takes pictures of moments; one renderer for each place of the camera."""

    def __init__(self, faces: FaceSet, look: TableLook, lens: Lens, seed: int) -> None:
        tint = WRONG_WHITE[Random(f"tint-{seed}").randrange(len(WRONG_WHITE))]
        gains = np.outer(np.arange(256), tint)
        self._tint = np.round(np.clip(gains, 0, 255)).astype(np.uint8)[:, None]
        self._at = cache(lambda moved_mm: Renderer(faces, look, moved_lens(lens, moved_mm), seed))

    def picture(self, moment: CameraMoment) -> Image:
        """Shape (h, w, 3), BGR."""
        image: Image = self._at(moment.moved_mm).picture(moment.scene)
        match moment.spoiled:
            case Spoiled.BLURRED:
                return np.asarray(cv2.GaussianBlur(image, (0, 0), BLUR_PX), np.uint8)
            case Spoiled.TINTED:
                return np.asarray(cv2.LUT(image, self._tint), np.uint8)
            case Spoiled.CLEAR:
                return image


@cache
def moved_lens(lens: Lens, moved_mm: Point) -> Lens:
    """The camera that sees the table shifted by so much."""
    x, y = lens.aim_mm
    return replace(lens, aim_mm=(x - moved_mm[0], y - moved_mm[1]))
