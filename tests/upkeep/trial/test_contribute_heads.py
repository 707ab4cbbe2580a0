"""In what is given to the project nobody's head is left, whoever leans over the table's edge."""

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table_assist.live.replay_folder import start_recording
from table_assist.twin.demo.demo import demo_config
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.places import on_table
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene
from table_assist.upkeep.contribute import pack
from table_assist.vision.pictures.camera import Picture
from table_assist.vision.pictures.picture import Image, load_picture
from tests.stages.laid_trial import rules_named, script

LENS = Lens((1280, 720), px_per_mm=0.84)
# Skin and hair, BGR: light and dark, and a bald head.
HEADS = (
    ((150, 180, 225), (25, 25, 30)),
    ((70, 100, 150), (20, 22, 25)),
    ((160, 190, 230), (110, 180, 210)),
    ((140, 165, 210), (140, 165, 210)),
)
EDGE_MM = 400.0
LEANS_MM = 60.0  # the head's middle, inwards from the edge
WIDE_MM, LONG_MM = 80.0, 105.0  # half of what is seen of a head
LEFT = 12  # levels that JPEG may leave of black


def leaning(image: Image, seat: int, rng: np.random.Generator) -> tuple[Image, NDArray[np.bool_]]:
    """The picture with a head that leans over a seat's edge, and which pixels the head has."""
    skin, hair = HEADS[seat]
    x, y = LENS.project(*on_table(seat, 40.0, EDGE_MM - LEANS_MM), 0.0)
    axes = (round(WIDE_MM * LENS.px_per_mm), round(LONG_MM * LENS.px_per_mm))
    middle, turn = (round(x), round(y)), 90.0 * (seat % 2)
    head = np.zeros(image.shape[:2], np.uint8)
    cv2.ellipse(head, middle, axes, turn, 0, 360, 255, -1)
    found = image.copy()
    locks = rng.integers(-12, 13, (*image.shape[:2], 1))
    found[head > 0] = np.clip(np.array(hair) + locks, 0, 255).astype(np.uint8)[head > 0]
    inward = on_table(seat, 40.0, EDGE_MM - LEANS_MM - 45.0)
    fx, fy = LENS.project(*inward, 0.0)
    face = (round(fx), round(fy))
    cv2.ellipse(found, face, (axes[0] - 18, axes[1] // 2), turn, 0, 360, skin, -1)
    for aside in (-14, 14):
        eye = (face[0] + aside, face[1]) if seat % 2 == 0 else (face[0], face[1] + aside)
        cv2.circle(found, eye, 4, (40, 30, 30), -1)
    cv2.ellipse(head, face, (axes[0] - 18, axes[1] // 2), turn, 0, 360, 255, -1)
    return found, head > 0


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[NDArray[np.bool_]]]:
    """The pictures of a trial in which each in turn leans over the table, as they are packed.

    The first is without a head, then one with each.
    """
    folder = tmp_path_factory.mktemp("heads")
    rules, rng = rules_named("wanzhou"), np.random.default_rng(5)
    renderer = Renderer(load_faces(), look_of(2), LENS, 2)
    scene = script("wanzhou").steps[8].look.scene
    heads = [leaning(renderer.picture(scene), seat, rng) for seat in range(4)]
    config = demo_config(LENS, port="", log=folder / "log.sqlite", rules=rules)
    trial = folder / "trial"
    trial.mkdir()
    recorder = start_recording(config, trial / "recording-1")
    recorder.begin(())
    seq = 0

    def looked(image: Image) -> None:
        nonlocal seq
        for _ in range(2):
            seq += 1
            recorder.looked(Picture(image, float(seq), seq))

    looked(renderer.picture(scene))
    for image, _ in heads:
        looked(image)
        looked(renderer.picture(scene))
    looked(renderer.picture(Scene()))
    recorder.close()
    out = folder / "trial.zip"
    pack(trial, out, "CC0-1.0")
    shutil.unpack_archive(out, folder / "inside")
    return folder / "inside", [mask for _, mask in heads]


def test_in_the_recorded_pictures_nothing_of_a_head_is_left(
    packed: tuple[Path, list[NDArray[np.bool_]]],
) -> None:
    inside, heads = packed
    pictures = sorted((inside / "recording-1" / "pictures").glob("*.jpg"))
    assert len(pictures) == 2 * len(heads) + 2, "before each head and after the last there is none"
    for path, head in zip(pictures[1::2], heads, strict=False):
        image = load_picture(path)
        assert image[head].max() <= LEFT, path.name
        assert image.max() > 100
