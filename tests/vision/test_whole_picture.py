"""Whatever happened before: after five calm pictures the readings are those of the whole picture.

Rows are laid down and taken up, tiles are thrown, arms rest and go, the light changes, and much of
what comes looks, block by block, like what lay there before.
"""

from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.detect import Detections
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.named_boxes import differing, same_boxes, settled
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.readings import Readings
from table_assist.vision.reading.rechecks import RECHECK_S, SETTLED_S
from table_assist.vision.reading.recognise import Candidate, Name, Seen
from tests.stages.vision_networks import ColourRecogniser, RectangleDetector, draw

HEIGHT, WIDTH = 440, 520
INPUT = 320  # px: two by two pieces
TILE_PX = 40.0  # read at one scale
LABELS = ["1m", "5p", "9s", "W", "back"]  # five shades of grey
CALM, CALM_S = 5, 0.4
FAST_S, SLOW_S = 1 / 30, 0.2

Box = tuple[int, int, int, int]
Thing = tuple[str, int, int, int, int]  # what it is read as, and its box


@dataclass(frozen=True)
class Table:
    """What lies there: tiles by their upper left corner, arms, and how bright the cloth is."""

    tiles: tuple[tuple[int, int, str], ...] = ()
    arm: Box | None = None
    cloth: int = 40

    def laid(self, left: int, top: int, labels: list[str], apart: int) -> "Table":
        """With a row, which takes the place of what lay there."""
        row = [(left + apart * i, top, label) for i, label in enumerate(labels)]
        row = [tile for tile in row if tile[0] + 20 < WIDTH - 4]
        kept = tuple(t for t in self.tiles if not any(_meet(t, other) for other in row))
        return replace(self, tiles=(*kept, *row))

    def picture(self) -> Image:
        image = np.full((HEIGHT, WIDTH, 3), self.cloth, np.uint8)
        for left, top, label in self.tiles:
            draw(image, label, left, top, width=20, height=27)
        if self.arm is not None:
            x0, y0, x1, y1 = self.arm
            image[y0:y1, x0:x1] = 90  # no tile, and no cloth
        return image


def _meet(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    return abs(one[0] - other[0]) < 24 and abs(one[1] - other[1]) < 31


class Wobbling(RectangleDetector):
    """Ends each box elsewhere in each piece, by up to two pixels, as a network does."""

    def detect(self, image: Image) -> Detections:
        seen = super().detect(image)
        off = np.random.default_rng(crc32(image.tobytes())).uniform(-2, 2, (len(seen), 4))
        return Detections((seen.xyxy + off).astype(np.float32), seen.score)


class Watch:
    """One reader that sees picture after picture."""

    def __init__(self, eyes: type[RectangleDetector] = RectangleDetector) -> None:
        self.detector = eyes(INPUT, smallest=8, largest=120)
        self._reader = Reader(self.detector, ColourRecogniser(), limits=Limits.alike(0.6))
        self.live = self._fresh()
        self.t = 0.0

    def _fresh(self) -> LiveReader:
        return LiveReader(self._reader, TILE_PX)

    def show(self, table: Table, seconds: float) -> set[Thing]:
        self.t += seconds
        return told(self.live.read(table.picture(), self.t))

    def whole(self, table: Table) -> set[Thing]:
        return told(self._fresh().read(table.picture()))


def told(readings: Readings) -> set[Thing]:
    low, high = readings.polygons.min(axis=1), readings.polygons.max(axis=1)
    boxes = np.concatenate([low, high], axis=1).round().astype(int).tolist()
    return {(label, *box) for label, box in zip(readings.labels, boxes, strict=True)}


def same(seen: set[Thing], whole: set[Thing]) -> bool:
    """Whether both tell the same things, by what the reader itself takes for the same box."""
    ours, theirs = sorted(seen), sorted(whole)
    boxes = (
        np.array([each[1:] for each in of], np.float32).reshape(-1, 4) for of in (ours, theirs)
    )
    found = same_boxes(*boxes)
    return len(ours) == len(theirs) and all(
        other is not None and theirs[other][0] == one[0]
        for one, other in zip(ours, found, strict=True)
    )


def steady(watch: Watch, table: Table) -> set[Thing]:
    """What is told after five calm pictures."""
    for _ in range(CALM):
        seen = watch.show(table, CALM_S)
    return seen


lefts, tops = st.integers(4, WIDTH - 60), st.integers(4, HEIGHT - 32)
rows = st.tuples(
    st.just("row"), lefts, tops, st.lists(st.sampled_from(LABELS), min_size=1, max_size=14),
    st.integers(24, 27),
)  # fmt: skip
heaps = st.tuples(
    st.just("heap"), st.lists(st.tuples(lefts, tops, st.sampled_from(LABELS)), max_size=12)
)
areas = st.tuples(lefts, tops, st.integers(20, 400), st.integers(20, 400))
takes = st.tuples(st.just("take"), areas)
arms = st.tuples(st.just("arm"), st.none() | areas)
lamps = st.tuples(st.just("lamp"), st.sampled_from([25, 40, 40, 62]))
deeds = st.one_of(rows, rows, heaps, takes, arms, lamps)
spacings = st.sampled_from([FAST_S, FAST_S, 0.1, CALM_S])
moves = st.lists(st.tuples(deeds, spacings, st.integers(1, 14)), min_size=1, max_size=7)


def done(table: Table, deed: tuple) -> Table:  # type: ignore[type-arg]
    match deed:
        case "row", left, top, labels, apart:
            return table.laid(left, top, labels, apart)
        case "heap", thrown:
            for left, top, label in thrown:
                table = table.laid(left, top, [label], 24)
            return table
        case "take", area:
            x0, y0, x1, y1 = _box(area)
            kept = [t for t in table.tiles if not (x0 <= t[0] < x1 and y0 <= t[1] < y1)]
            return replace(table, tiles=tuple(kept))
        case "arm", area:
            return replace(table, arm=None if area is None else _box(area))
        case "lamp", cloth:
            return replace(table, cloth=cloth)
    raise AssertionError(deed)


def _box(area: tuple[int, int, int, int]) -> Box:
    left, top, width, height = area
    return left, top, min(left + width, WIDTH), min(top + height, HEIGHT)


@settings(max_examples=40)
@given(moves=moves)
def test_after_five_calm_pictures_the_readings_are_those_of_the_whole_picture(moves) -> None:  # type: ignore[no-untyped-def]
    watch, table = Watch(), Table().laid(40, 40, LABELS * 2, 26)
    watch.show(table, 1.0)
    for deed, spacing, pictures in moves:
        table = done(table, deed)
        for _ in range(pictures):
            watch.show(table, spacing)
    seen, whole = steady(watch, table), watch.whole(table)
    assert same(seen, whole), (seen - whole, whole - seen)


@pytest.mark.parametrize("left", range(190, 250, 3))
def test_what_reaches_beyond_the_piece_that_is_looked_at_once_more_stays(left: int) -> None:
    """A piece ended where the rest of a tile begins, and half of that took its place."""
    watch, table = Watch(), Table().laid(40, 40, LABELS * 2, 26)
    watch.show(table, 1.0)
    table = replace(table, arm=(left, 4, left + 105, 67))
    assert same(steady(watch, table), watch.whole(table))


@pytest.mark.parametrize("offset", range(0, 8, 2))
def test_no_tile_is_lost_beside_which_another_is_laid(offset: int) -> None:
    """What is new may touch a tile as one piece saw it, and not as another did."""
    watch = Watch(Wobbling)
    for gap in range(2, 10):
        table = Table()
        for column in range(6):
            table = table.laid(100 + 50 * column + offset, 206, ["1m"], 50)
        watch.show(table, CALM_S)
        for left, top, _ in table.tiles:
            table = replace(table, tiles=(*table.tiles, (left, top + 27 + gap, "9s")))
            for _ in range(2):
                seen = watch.show(table, CALM_S)
        for left, top, _ in table.tiles:
            assert any(abs(x - left) + abs(y - top) < 9 for _, x, y, *_ in seen)


def test_a_row_laid_where_another_lay_stays_known() -> None:
    """Blocks of the second row look as the first did: they must not bring it back."""
    watch = Watch()
    first = Table().laid(40, 200, ["1m", "5p"] * 6, 26)
    second = Table().laid(53, 200, ["5p", "1m"] * 6, 26)
    watch.show(first, CALM_S)
    for table in (Table(), second, Table(), first, second):
        for _ in range(4):
            seen = watch.show(table, CALM_S)
        assert seen == watch.whole(table)


@pytest.mark.parametrize("gap", range(1, 9))
def test_a_tile_beside_what_an_arm_leaves_is_known_again_with_it(gap: int) -> None:
    """Only its edge came to light with something new: it is looked at in the same picture."""
    for left in range(101, 108, 2):
        watch = Watch(Wobbling)
        before = Table().laid(left, 206, ["1m", "5p"], 50)
        after = replace(before, tiles=(*before.tiles, (left + 70 + gap, 206, "9s")))
        watch.show(before, CALM_S)
        for _ in range(12):
            watch.show(replace(before, arm=(150, 190, 300, 300)), FAST_S)
        seen: set[str] = set()
        while "9s" not in seen and watch.t < 2.0:
            seen = {label for label, *_ in watch.show(after, FAST_S)}
        assert seen == {"1m", "5p", "9s"}


class Nearsighted(RectangleDetector):
    """Sees one thing of three where little else is around; all of them in a whole piece."""

    def detect_part(self, image: Image) -> Detections:
        seen = super().detect_part(image)
        return Detections(seen.xyxy[:1], seen.score[:1])


def test_what_a_part_of_the_picture_does_not_tell_is_known_after_a_second_of_calm() -> None:
    watch, table = Watch(Nearsighted), Table().laid(40, 40, LABELS, 26)
    watch.show(table, CALM_S)
    table = table.laid(200, 200, ["W", "W", "W"], 26)
    assert len(watch.whole(table) - watch.show(table, CALM_S)) == 2
    for _ in range(CALM):
        seen = watch.show(table, SETTLED_S / 4)
    assert seen == watch.whole(table)


def test_what_has_changed_is_looked_at_once_more_and_noise_is_not() -> None:
    watch, table = Watch(), Table().laid(40, 40, LABELS, 26)
    watch.show(table, CALM_S)
    laid = table.laid(200, 200, ["1m"], 26)
    noisy = replace(laid, arm=(300, 300, 308, 308))
    for change, looks in ((laid, 2), (noisy, 1), (laid, 1)):
        before = watch.live.work.pieces_read
        for _ in range(2 * CALM):
            watch.show(change, CALM_S)
        assert watch.live.work.pieces_read - before == looks
    assert watch.live.healed == 0


class Blinking(RectangleDetector):
    """Finds nothing at all for a while."""

    blind = False

    def detect(self, image: Image) -> Detections:
        seen = super().detect(image)
        return Detections(seen.xyxy[:0], seen.score[:0]) if self.blind else seen


@pytest.mark.parametrize(
    ("label", "stays"), [("5p", True), ("back", False), ("P", False), ("unsure", False)]
)
def test_a_look_that_misses_what_is_plain_does_not_lose_it(label: str, stays: bool) -> None:
    """Nothing has changed there, and its face is as sure as it was. A cloth's print may be, too."""
    watch, table = Watch(Blinking), Table().laid(40, 40, [label] * 3, 26)
    watch.show(table, CALM_S)
    watch.detector.blind = True  # type: ignore[attr-defined]
    for _ in range(CALM):
        seen = watch.show(table, RECHECK_S)
    assert len(seen) == (3 if stays else 0)


def test_what_is_seen_by_looking_once_more_is_no_fault_of_what_is_remembered() -> None:
    """A second look counts what it heals; to look once more is a part of reading what is new."""
    watch, table = Watch(Blinking), Table().laid(40, 200, LABELS, 26)
    watch.show(table, CALM_S)
    laid = table.laid(40, 60, ["1m"], 26)
    watch.detector.blind = True  # type: ignore[attr-defined]
    missed = watch.show(laid, CALM_S)
    watch.detector.blind = False  # type: ignore[attr-defined]
    assert steady(watch, laid) == watch.whole(laid) != missed
    assert watch.live.healed == 0


def test_what_has_gone_is_gone_however_plain_it_was() -> None:
    watch, table = Watch(Blinking), Table().laid(40, 40, ["5p"] * 3, 26)
    watch.show(table, CALM_S)
    watch.detector.blind = True  # type: ignore[attr-defined]
    for _ in range(CALM):
        seen = watch.show(Table(), CALM_S)
    assert seen == set()


def test_a_row_that_is_pushed_is_no_second_row() -> None:
    """Where each tile lay its own face is seen as surely, for it still lies there in part."""
    watch = Watch()
    watch.show(Table().laid(40, 200, ["1m", "5p"] * 7, 30), CALM_S)
    pushed = Table().laid(48, 200, ["1m", "5p"] * 7, 30)
    for _ in range(CALM):
        assert watch.show(pushed, CALM_S) == watch.whole(pushed)


class Tall(RectangleDetector):
    """Takes a part of a thing's side for the thing, at first."""

    side = 6

    def detect(self, image: Image) -> Detections:
        seen = super().detect(image)
        return Detections(seen.xyxy + np.array([0, 0, 0, self.side], np.float32), seen.score)


def test_a_second_look_names_what_is_unsure_by_the_box_that_it_finds() -> None:
    detector = Tall(INPUT, smallest=8, largest=120)
    live = LiveReader(Reader(detector, ColourRecogniser(), limits=Limits.alike(0.6)), TILE_PX)
    picture = Table().laid(40, 40, ["5p"], 26).picture()
    picture[55:60, 40:60] = 180  # in the middle of the first box alone
    assert live.read(picture, 0.0).labels == ("?",)
    detector.side = 0
    for step in range(CALM):
        readings = live.read(picture, RECHECK_S + step)
    assert readings.labels == ("5p",)
    assert readings.polygons[0, 2].tolist() == [60, 67]
    for hidden in (True, False):  # and it is known by that box when an arm that hid it has gone
        shown = picture.copy()
        shown[20:110, 20:180] = 90 if hidden else shown[20:110, 20:180]
        step += 1
        readings = live.read(shown, RECHECK_S + step)
    assert readings.labels == ("5p",)


def test_a_doubtful_face_beside_a_sure_one_like_it_is_named_and_stays_so() -> None:
    """What others of its set have told is not forgotten when an arm lies over these."""

    class AllAlike(ColourRecogniser):
        def see(self, crops: Image) -> Seen:
            return super().see(crops)._replace(looks=[np.ones((1, 1), np.float32)] * len(crops))

    detector = RectangleDetector(INPUT, smallest=8, largest=120)
    live = LiveReader(Reader(detector, AllAlike(), limits=Limits.alike(0.6)), TILE_PX)
    alone = Table().laid(40, 40, ["unsure"], 26)
    assert live.read(alone.picture(), 0.0).labels == ("?",)
    beside = alone.laid(200, 200, ["1m"], 26)
    covered = replace(alone, arm=(180, 180, 300, 300))
    for step, table in enumerate([beside] * CALM + [covered] * CALM):
        readings = live.read(table.picture(), RECHECK_S + step)
        assert step < CALM - 1 or set(readings.labels) == {"1m"}


class Blink:
    """A recogniser that may be made to read one thing for another."""

    def __init__(self) -> None:
        self._eyes = ColourRecogniser()
        self.wrong = False

    def see(self, crops: Image) -> Seen:
        answer = self._eyes.see(crops).rows
        return Seen(np.roll(answer, 1, axis=1) if self.wrong else answer)


def blinking() -> tuple[LiveReader, Blink, Image]:
    """A reader that has read a row falsely, and the picture of it."""
    blink = Blink()
    detector = RectangleDetector(INPUT, smallest=8, largest=120)
    live = LiveReader(Reader(detector, blink, limits=Limits.alike(0.6)), TILE_PX)
    picture = Table().laid(40, 200, ["1m", "5p"] * 3, 26).picture()
    blink.wrong = True
    assert {label for label, *_ in told(live.read(picture, 0.0))} == {"2m", "6p"}
    blink.wrong = False
    return live, blink, picture


def test_a_second_look_compares_heals_and_counts() -> None:
    live, _, picture = blinking()
    assert {label for label, *_ in told(live.read(picture, RECHECK_S - 1))} == {"2m", "6p"}
    for step in range(CALM):
        readings = live.read(picture, RECHECK_S + step)
    assert {label for label, *_ in told(readings)} == {"1m", "5p"}
    assert live.work.healed == 6
    assert live.read(picture, 2 * RECHECK_S + CALM) is readings, "a good second look is nothing new"
    assert live.work.healed == 6


def test_what_is_decisive_is_read_afresh_with_the_next_picture() -> None:
    live, _, picture = blinking()
    live.read_afresh((0, 180, WIDTH, 240))
    assert {label for label, *_ in told(live.read(picture, 0.1))} == {"1m", "5p"}


def test_an_unsure_second_look_does_not_unsettle_a_sure_reading() -> None:
    def name(label: str, likeliest: str, confidence: float) -> Name:
        return Name(label, confidence, (Candidate(likeliest, confidence),))

    sure, unsure, other = name("5p", "5p", 0.97), name("?", "5p", 0.7), name("?", "6p", 0.7)
    assert settled(sure, unsure) is sure
    assert settled(unsure, sure) is sure
    assert settled(sure, other) is other, "what looks like another tile is asked about"
    assert settled(sure, name("6p", "6p", 0.9)).label == "6p"  # type: ignore[union-attr]
    assert settled(sure, None) is None
    assert differing([sure, unsure, None], [None, sure, unsure]) == 1
    back, white = (name(label, label, 0.99) for label in ("back", "P"))
    assert differing([back, None, white, None], [None, back, None, white]) == 0
    assert differing([back, sure], [sure, white]) == 2, "a face that turned into another one"
