"""What one picture's noise hides, the mean of several shows; what has moved is in none of them."""

import numpy as np

from table_assist.vision.pictures.motion import BLOCK, watch
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.named_boxes import NAMED_WITH, CropAverager
from table_assist.vision.reading.read import Reader
from table_assist.vision.reading.rechecks import RECHECK_S
from table_assist.vision.reading.recognise import (
    CLASSES,
    LABELS,
    NOTHING_CLASS,
    UNKNOWN,
    Candidate,
    Name,
    Seen,
)
from tests.stages.vision_networks import RectangleDetector, draw

SIZE, FELT = (320, 320, 3), 40
NOISE = 9.0  # grey levels; below half of it and a little the stub is sure
STEP_S = 0.35


class NoiseShyRecogniser:
    """Sure of what it sees where a crop's middle has little noise; counts the crops."""

    def __init__(self, seen: str = "7s", sure: float = 0.98) -> None:
        self.crops = 0
        self._seen, self._sure = seen, sure

    def see(self, crops: Image) -> Seen:
        self.crops += len(crops)
        answer = np.full((len(crops), CLASSES), 0.02 / NOTHING_CLASS, np.float32)
        index = NOTHING_CLASS if self._seen == "nothing" else LABELS.index(self._seen)
        for row, crop in zip(answer, crops, strict=True):
            is_clear = float(crop[24:40, 24:40].std(axis=(0, 1)).mean()) < 0.62 * NOISE
            row[index] = self._sure if is_clear else 0.45
            row[LABELS.index("9s")] = 0.99 - self._sure if is_clear else 0.47
        return Seen(answer)


def picture(seed: int, *, noise: float = NOISE) -> Image:
    """A thing of which a crop shows each pixel, noise and all."""
    image = np.full(SIZE, FELT, np.uint8)
    draw(image, "5p", 120, 120, width=36, height=46)
    grain = noise * np.random.default_rng(seed).standard_normal(image.shape, np.float32)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def live(recogniser: NoiseShyRecogniser) -> LiveReader:
    return LiveReader(
        Reader(RectangleDetector(320, smallest=30), recogniser, limits=Limits.alike(0.88))
    )


def labels_of(reader: LiveReader, pictures: int, *, first: int = 0) -> list[tuple[str, ...]]:
    times = range(first, first + pictures)
    return [reader.read(picture(seed), seed * STEP_S).labels for seed in times]


def test_what_is_unsure_is_named_by_the_mean_of_some_pictures() -> None:
    reader = live(NoiseShyRecogniser())
    told = labels_of(reader, 2 + max(NAMED_WITH))
    assert told[0] == (UNKNOWN,)
    assert told[-1] == ("7s",)


def test_what_one_picture_shows_hardly_surely_is_named_by_more() -> None:
    """Of a noisy picture the wrong face may be the sure one."""

    class Misled(NoiseShyRecogniser):
        def see(self, crops: Image) -> Seen:
            answer = super().see(crops).rows
            misled = answer[:, LABELS.index("9s")] > 0.4
            answer[np.ix_(misled, [LABELS.index("9s"), LABELS.index("7s")])] = 0.93, 0.05
            return Seen(answer)

    told = labels_of(live(Misled()), 2 + max(NAMED_WITH))
    assert (told[0], told[-1]) == (("9s",), ("7s",))


def test_what_stays_unsure_is_looked_at_no_more() -> None:
    recogniser = NoiseShyRecogniser(sure=0.6)
    reader = live(recogniser)
    assert set(labels_of(reader, 2 + max(NAMED_WITH))) == {(UNKNOWN,)}
    before = recogniser.crops
    assert before == 1 + len(NAMED_WITH)
    labels_of(reader, int(0.5 * RECHECK_S / STEP_S), first=10)
    assert recogniser.crops == before


def test_what_has_changed_is_no_view() -> None:
    """Its pixels in the mean would be those of what lies over it."""
    more = CropAverager(
        Reader(RectangleDetector(320), NoiseShyRecogniser(), limits=Limits.alike(0.88))
    )
    box = np.array([[120, 120, 156, 166]], np.float32)
    unsure = Name(UNKNOWN, 0.47, (Candidate("9s", 0.47), Candidate("7s", 0.45)))
    found = []
    for number, is_changed in enumerate([False, True, True, True, False, False, False]):
        now = watch(picture(number))
        changed = np.full(tuple(side // BLOCK for side in now.grey.shape), is_changed)
        looks = more.add_views(picture(number), now, box, [unsure], changed, number * STEP_S)
        found += [(number, name.label) for _, name in looks if name is not None]
    assert [number for number, _ in found] == [4, 6]
    assert found[-1] == (6, "7s")


def test_what_turns_out_to_be_none_is_none() -> None:
    told = labels_of(live(NoiseShyRecogniser("nothing")), 2 + max(NAMED_WITH))
    assert told[-1] == ()
