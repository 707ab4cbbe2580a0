"""A table that is followed: hidden tiles stay, a bumped table is fitted again, faults are told."""

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from table_assist.tiles.tile import SUITED, Tile
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.quality import Poor, QualityWatch
from table_assist.vision.table.tile_tracker import TileTracker
from table_assist.vision.table.unseen import WhyUnseen
from table_assist.vision.table.watcher import AFRESH_S, LOOK_PATIENCE_S, Watcher, pushed_together
from table_assist.vision.table.zones import Layout, Zone, ZoneKind
from tests.stages.vision_networks import PlainEyes

SIDE = 860
EDGE = 30
CALIBRATION = Calibration(
    ((EDGE, SIDE - EDGE), (SIDE - EDGE, SIDE - EDGE), (SIDE - EDGE, EDGE), (EDGE, EDGE))
)
FELT, SKIN, IVORY = (62, 104, 42), (142, 172, 214), (224, 236, 242)
RIVER = Zone(ZoneKind.RIVER, 0)
PLACES = [(-65.0 + 28 * i, -100.0 - 37 * row) for row in range(2) for i in range(5)]


def picture(
    places: Iterable[tuple[float, float]] = PLACES,
    *,
    seed: int = 0,
    arm: tuple[float, float] | None = None,
    shift: tuple[float, float] = (0.0, 0.0),
) -> Image:
    """A felt with tiles, each with a few strokes, 1 px a mm."""
    image = np.full((SIDE, SIDE, 3), FELT, np.uint8)
    for x, y in places:
        left, top, right, bottom = box(x + shift[0], y + shift[1])
        image[top:bottom, left:right] = IVORY
        image[top + 6 : bottom - 6 : 4, left + 4 : right - 4] = 40
    if arm is not None:
        left, top, right, _ = box(*arm, width=90, height=60)
        image[top:, left:right] = SKIN
    noise = np.random.default_rng(seed).normal(0, 3, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def box(x: float, y: float, width: float = 26, height: float = 35) -> tuple[int, int, int, int]:
    left, top = x - width / 2 + SIDE / 2, SIDE / 2 - y - height / 2
    return round(left), round(top), round(left + width), round(top + height)


class Eyes:
    """Finds ivory boxes in a window and names them by their order on the table."""

    def __init__(self) -> None:
        self.faces = dict(zip(PLACES, SUITED, strict=False))
        self.shift = (0.0, 0.0)
        self.unsure = False

    def read(self, window: Image) -> Readings:
        offset = 8 + 14  # the window begins 22 px inside the picture
        boxes, names = [], []
        for (x, y), tile in self.faces.items():
            place = box(x + self.shift[0], y + self.shift[1])
            left, top, right, bottom = (value - offset for value in place)
            seen = window[top + 2, left + 2].astype(int)
            if seen.max() < 120 or np.abs(seen - SKIN).max() < 25:
                continue  # gone, or covered by the arm
            label = "?" if self.unsure else str(tile)
            boxes.append((left, top, right, bottom))
            names.append(Name(label, 0.97, (Candidate(str(tile), 0.97),)))
        height, width = window.shape[:2]
        return box_readings((width, height), np.array(boxes, np.float32).reshape(-1, 4), names)


def watching() -> tuple[Watcher, Eyes]:
    eyes = Eyes()
    return Watcher(PlainEyes(eyes.read), CALIBRATION, Layout(), limits=Limits.alike(0.9)), eyes


def settled(watcher: Watcher, t: float = 0.0, **changes: object) -> Observation:
    for step in range(4):
        seen = watcher.look(picture(seed=step, **changes), t + step / 3)  # type: ignore[arg-type]
    return seen


def faces(seen: Observation) -> list[Tile]:
    return sorted(tile.tile for tile in seen.tiles)


def test_tiles_under_an_arm_stay_with_their_age_and_are_not_missed() -> None:
    watcher, _ = watching()
    watcher.look(picture([]), -1.0)
    before = settled(watcher)
    assert len(before.tiles) == len(PLACES)
    assert before.can_see(ZoneKind.RIVER, 0)
    under = settled(watcher, 2.0, arm=(-60.0, -120.0))
    assert not under.can_see(ZoneKind.RIVER, 0)
    assert under.can_see(ZoneKind.RIVER, 2)
    assert faces(under) == faces(before)
    hidden = [tile for tile in under.tiles if tile.age_s > 0]
    assert 2 <= len(hidden) < len(PLACES)
    assert max(tile.age_s for tile in hidden) == pytest.approx(2.0, abs=0.4)
    again = settled(watcher, 4.0)
    assert again.unavailable == ()
    assert {tile.id for tile in again.tiles} == {tile.id for tile in before.tiles}
    assert all(tile.age_s == 0 for tile in again.tiles)


def test_a_tile_taken_away_in_plain_sight_is_gone() -> None:
    watcher, eyes = watching()
    watcher.look(picture([]), -1.0)
    settled(watcher)
    left = PLACES[1:]
    eyes.faces.pop(PLACES[0])
    for step in range(4):
        seen = watcher.look(picture(left, seed=step), 2.0 + step / 3)
    assert len(seen.tiles) == len(left)


def test_a_table_bumped_by_3_cm_is_fitted_again_at_once_and_keeps_its_tiles() -> None:
    watcher, eyes = watching()
    watcher.look(picture([]), -1.0)
    before = settled(watcher)
    eyes.shift = (24.0, 18.0)
    for step in range(8):
        after = watcher.look(picture(shift=eyes.shift, seed=step), 2.0 + step / 30)
        assert faces(after) == faces(before)
        assert {tile.id for tile in after.tiles} == {tile.id for tile in before.tiles}
    assert "bumped" in watcher.note
    places = {tile.id: (tile.x_mm, tile.y_mm) for tile in before.tiles}
    for tile in after.tiles:
        assert (tile.x_mm, tile.y_mm) == pytest.approx(places[tile.id], abs=1.5)


def test_a_few_pushed_tiles_are_no_bump() -> None:
    def at(tile: Tile, x: float, y: float) -> SeenTile:
        return SeenTile(tile, 0.9, x, y, 26.0, RIVER, ((tile, 0.9),), id=1 + int(tile))

    before = [at(SUITED[i], *place) for i, place in enumerate(PLACES)]
    pushed = [replace(tile, y_mm=tile.y_mm - 30) for tile in before[:4]] + before[4:]
    assert pushed_together(before, pushed).transform is None
    assert not pushed_together(before, pushed).is_amiss
    assert pushed_together(before, []).transform is None, "swept away"
    every_way = [
        replace(tile, x_mm=tile.x_mm + 50 * (-1) ** i, y_mm=tile.y_mm + 11 * i)
        for i, tile in enumerate(before)
    ]
    assert pushed_together(before, every_way).is_amiss


def test_a_blind_camera_keeps_what_lay_there_and_says_why() -> None:
    watcher, _ = watching()
    before = settled(watcher)
    blind = watcher.blind(WhyUnseen.COVERED, 11.0)
    assert faces(blind) == faces(before)
    assert {gone.why for gone in blind.unavailable} == {WhyUnseen.COVERED}
    assert all(tile.age_s == pytest.approx(10.0) for tile in blind.tiles)
    assert not blind.can_see(ZoneKind.RIVER)


def quality(*pictures: Image, unsure: bool = False, cast: float = 0.0) -> QualityWatch:
    eyes = Eyes()
    watch = QualityWatch()
    for step, image in enumerate(pictures):
        eyes.unsure = unsure and step > 0
        readings = eyes.read(image[22:-22, 22:-22])
        watch.update(image[22:-22, 22:-22], readings, cast if step else 0.0, float(step))
    return watch


def tinted(gain: tuple[float, float, float]) -> Image:
    return np.clip(picture() * np.array(gain), 0, 255).astype(np.uint8)


def test_wrong_colours_are_told_within_two_seconds_and_read_while_the_tiles_are_sure() -> None:
    for gain, change in (((0.55, 0.95, 1.25), 0.0), ((1.3, 0.95, 0.66), 0.68)):
        wrong = tinted(gain)
        assert quality(picture(), wrong, wrong, cast=change).latest.poor is Poor.CAST
    assert quality(picture([]), picture([]), picture([]), cast=0.6).latest.poor is Poor.CAST
    assert quality(picture(), picture(), picture(), cast=0.6).latest.poor is None, "ivory is ivory"
    wrong = tinted((0.55, 0.95, 1.25))
    assert quality(picture(), wrong).latest.poor is None
    watch = quality(picture(), wrong, wrong)
    assert watch.latest.poor is Poor.CAST
    assert watch.latest.is_readable
    assert "white balance" in watch.latest.words.en
    assert not quality(picture(), wrong, wrong, unsure=True, cast=0.8).latest.is_readable


def test_a_blur_is_told_also_when_nothing_can_be_read_any_more() -> None:
    blurred = np.asarray(cv2.GaussianBlur(picture(), (0, 0), 3.0), np.uint8)
    watch = quality(picture(), blurred, blurred)
    assert watch.latest.poor is Poor.BLURRED
    assert "focus" in watch.latest.words.en
    assert quality(picture(), blurred, blurred, picture(), picture()).latest.poor is None


@pytest.mark.parametrize(
    "image",
    [tinted((0.6,) * 3), tinted((0.85, 0.98, 1.04)), picture(arm=(0.0, -60.0)), picture([])],
    ids=["dimmer", "warmer", "arm", "swept"],
)
def test_lamps_arms_and_an_empty_table_are_no_poor_pictures(image: Image) -> None:
    assert quality(picture(), image, image, image).latest.poor is None


def seen_at(t: float, tile: Tile = Tile.M1, confidence: float = 0.95) -> Observation:
    lies = SeenTile(tile, confidence, 0.0, -100.0, 26.0, RIVER, ((tile, confidence),))
    return Observation(t, (lies,))


def test_thirty_readings_a_second_are_no_more_looks_than_five() -> None:
    steady = TileTracker(Limits.alike(0.9))
    for step in range(31):
        seen = steady.update(seen_at(step / 30))
        if step == 1:
            assert [tile.pictures for tile in seen.tiles] == [2], "the second one counts at once"
    assert seen.tiles[0].pictures <= 6
    assert seen.tiles[0].confidence == pytest.approx(0.95)


def test_a_tile_missed_for_a_few_fast_pictures_is_still_there() -> None:
    steady = TileTracker(Limits.alike(0.9))
    for step in range(10):
        steady.update(seen_at(step / 30))
    missed = [steady.update(Observation((10 + step) / 30, ())) for step in range(12)]
    assert [len(seen.tiles) for seen in missed[:5]] == [1] * 5
    assert missed[-1].tiles == ()


def test_a_pushed_tile_keeps_its_identity_and_another_gets_its_own() -> None:
    steady = TileTracker(Limits.alike(0.9))
    ids = set()
    for step in range(10):
        lies = replace(seen_at(0).tiles[0], x_mm=3.0 * step)
        ids |= {tile.id for tile in steady.update(Observation(float(step), (lies,))).tiles}
    assert len(ids) == 1
    far = replace(seen_at(0).tiles[0], x_mm=100.0)
    for t in (20.0, 21.0):
        seen = steady.update(Observation(t, (far,)))
    assert seen.tiles[-1].id not in ids


class Asked(PlainEyes):
    """Counts what is to be read afresh."""

    def __init__(self, eyes: Eyes) -> None:
        super().__init__(eyes.read)
        self.areas: list[tuple[int, int, int, int]] = []

    def read_afresh(self, area: tuple[int, int, int, int]) -> None:
        self.areas.append(area)


def test_what_is_decisive_is_read_afresh_again_and_again() -> None:
    eyes = Asked(Eyes())
    watcher = Watcher(eyes, CALIBRATION, Layout(), limits=Limits.alike(0.9))
    settled(watcher)
    assert eyes.areas == []
    watcher.attend(Attention(frozenset({RIVER})))
    settled(watcher, 2.0)
    assert len(eyes.areas) == 1
    left, top, right, bottom = eyes.areas[0]
    for x, y in PLACES:  # in the window, which begins 22 px inside the picture
        x0, y0, x1, y1 = (value - 22 for value in box(x, y))
        assert left <= x0 < x1 <= right
        assert top <= y0 < y1 <= bottom
    settled(watcher, 2.1 + AFRESH_S)
    assert len(eyes.areas) == 2


def test_what_cannot_be_seen_for_a_persons_patience_is_read_afresh() -> None:
    eyes = Asked(Eyes())
    watcher = Watcher(eyes, CALIBRATION, Layout(), limits=Limits.alike(0.9))
    settled(watcher)
    for step in range(12):
        watcher.look(picture(seed=step, arm=(0.0, -130.0)), 2 + step / 3)
    assert eyes.areas == []
    settled(watcher, 2.1 + LOOK_PATIENCE_S, arm=(0.0, -130.0))
    assert eyes.areas
