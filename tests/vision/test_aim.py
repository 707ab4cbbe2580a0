"""A picture to set a camera up by: the first thing that is wrong is said."""

import cv2
import numpy as np
import pytest

from table_assist.rules.registry import find_rules
from table_assist.twin.evening import play_evening
from table_assist.twin.table import Manners
from table_assist.upkeep.demo import make_renderer
from table_assist.vision.pictures.picture import Image
from table_assist.vision.table.aim import Amiss, aim_of


@pytest.fixture(scope="module", params=[11, 12])
def pictures(request: pytest.FixtureRequest) -> tuple[Image, Image]:
    """A table in play, twice."""
    rules = find_rules("changsha")
    renderer = make_renderer(rules, seed=request.param)
    steps = play_evening(request.param, rules, hands=1, manners=Manners())
    scene = [step.scene for _, step in zip(range(40), steps, strict=False)][-1]
    return renderer.picture(scene), renderer.picture(scene)


def blurred(image: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 2.5), np.uint8)


def lit(image: Image, by: float) -> Image:
    return np.asarray(np.clip(image * by, 0, 255), np.uint8)


def mirrored_lamp(image: Image) -> Image:
    glare = image.copy()
    glare[: image.shape[0] // 2, : image.shape[1] * 2 // 3] = 255
    return glare


def pushed(image: Image) -> Image:
    return np.asarray(np.roll(image, 12, axis=1), np.uint8)


def test_a_sharp_still_lit_picture_is_good(pictures: tuple[Image, Image]) -> None:
    first, second = pictures
    aim = aim_of(second, first)
    assert aim.amiss is None
    assert not aim.words


def test_what_is_wrong_is_said(pictures: tuple[Image, Image]) -> None:
    first, second = pictures
    for change, amiss in (
        (blurred, Amiss.BLURRED),
        (lambda image: lit(image, 0.3), Amiss.DARK),
        (mirrored_lamp, Amiss.GLARE),
    ):
        aim = aim_of(change(second), change(first))
        assert aim.amiss is amiss
        assert aim.words.en
        assert aim.words.zh
    assert aim_of(pushed(second), first).amiss is Amiss.MOVING
    assert aim_of(second, None).amiss is Amiss.MOVING, "one picture does not tell that it is still"
