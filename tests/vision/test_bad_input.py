"""Pictures that are no photographs of tiles, or bad ones: no crash and no invented tiles."""

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_assist.cli.main import main
from table_assist.vision.pictures.picture import Image, load_picture
from table_assist.vision.reading.read import Reader
from table_assist.vision.table.advice import PictureFault, advise
from tests.stages.drawn_hands import draw_row

HAND = ("1m", "2m", "3m", "4m", "5m", "6m", "7s", "8s", "9s", "5p", "5p", "5p", "8s", "8s")


@pytest.fixture(scope="module")
def hand() -> Image:
    return draw_row("123456m 789s 555p 88s")


def named(reader: Reader, image: Image) -> list[str]:
    return [label for label in reader.read(image).labels if label != "?"]


def felt(seed: int) -> Image:
    """An empty table: cloth with a weave, a stain and a shadow."""
    random = np.random.default_rng(seed)
    cloth = np.full((540, 960, 3), random.integers(30, 130, 3), np.float32)
    cloth += random.normal(0, 8, (540, 960, 1)).astype(np.float32)
    shade = cv2.GaussianBlur(random.normal(0, 1, (540, 960)).astype(np.float32), (0, 0), 40)
    return np.clip(cloth * (1 + 6 * shade[..., None]), 0, 255).astype(np.uint8)


def wood(seed: int) -> Image:
    """Boards with grain and dark joints."""
    random = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(
        random.normal(0, 1, (540, 960)).astype(np.float32), (0, 0), 60, None, 1
    )
    image = np.array((60, 100, 150)) + 240 * grain[..., None]
    image[::90] *= 0.4
    return np.clip(image, 0, 255).astype(np.uint8)


def cat(seed: int) -> Image:
    """A striped animal on a sofa: an oval body, a head with two ears and two eyes."""
    random = np.random.default_rng(seed)
    image = np.full((540, 960, 3), (120, 150, 170), np.uint8)
    fur = (60, 110, 170)
    cv2.ellipse(image, (560, 330), (260, 140), 0, 0, 360, fur, -1)
    cv2.circle(image, (280, 250), 110, fur, -1)
    for x in (210, 350):
        cv2.fillConvexPoly(image, np.array([(x - 45, 190), (x, 90), (x + 45, 190)]), fur)
        cv2.ellipse(image, (x, 240), (22, 30), 0, 0, 360, (60, 200, 190), -1)
        cv2.ellipse(image, (x, 240), (6, 26), 0, 0, 360, (10, 10, 10), -1)
    for x in range(360, 800, 45):
        cv2.line(image, (x, 200), (x + 30, 450), (30, 60, 100), 14)
    noise = random.normal(0, 12, image.shape)
    blurred = cv2.GaussianBlur(np.clip(image + noise, 0, 255).astype(np.uint8), (5, 5), 0)
    return np.asarray(blurred, np.uint8)


def text(seed: int) -> Image:
    """A printed page."""
    random = np.random.default_rng(seed)
    image = np.full((540, 960, 3), 235, np.uint8)
    for row in range(12):
        words = "".join(chr(int(code)) for code in random.integers(97, 123, 48))
        place = (30, 50 + 42 * row)
        cv2.putText(image, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.9, (40, 40, 40), 2)
    return image


def noise(seed: int) -> Image:
    """A sensor in the dark, turned up."""
    return np.random.default_rng(seed).integers(0, 255, (540, 960, 3), np.uint8)


@pytest.mark.parametrize("scene", [felt, wood, cat, text, noise])
def test_no_tile_is_invented_where_there_is_none(reader: Reader, scene: object) -> None:
    assert callable(scene)
    readings = reader.read(image := scene(1))
    assert {*readings.labels} <= {"?"}
    assert PictureFault.NO_TILES in [each.trouble for each in advise(image, readings)]


def test_a_hand_is_read_upside_down_as_upright(reader: Reader, hand: Image) -> None:
    upright = named(reader, hand)
    assert sorted(upright) == sorted(HAND)
    turned = named(reader, np.ascontiguousarray(hand[::-1, ::-1]))
    assert sorted(turned) == sorted(upright)


def test_a_grey_picture_is_read_without_a_wrong_face(reader: Reader, hand: Image) -> None:
    grey = np.asarray(cv2.cvtColor(cv2.cvtColor(hand, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR))
    labels = named(reader, grey)
    assert len(labels) >= 8
    assert set(labels) <= set(HAND)


def test_an_overexposed_picture_asks_and_says_why(reader: Reader, hand: Image) -> None:
    white = np.clip(hand.astype(np.float32) * 3, 0, 255).astype(np.uint8)
    readings = reader.read(white)
    assert set(readings.labels) <= {*HAND, "?"}
    assert PictureFault.TOO_BRIGHT in [each.trouble for each in advise(white, readings)]


def test_a_screen_that_shows_tiles_shows_those_tiles(reader: Reader, hand: Image) -> None:
    """Its pixels' stripes and its bluish light name no other face."""
    screen = hand.astype(np.float32) * np.array((1.1, 1.0, 0.9), np.float32)
    screen[::3] *= 0.8
    screen[:, ::3] *= 0.85
    labels = named(reader, np.clip(screen, 0, 255).astype(np.uint8))
    assert set(labels) <= set(HAND)


def test_half_a_hand_names_no_tile_that_is_cut_in_two(reader: Reader, hand: Image) -> None:
    readings = reader.read(hand)
    boxes = readings.polygons
    for index in (3, 9):  # a character and a dot
        cut = round(float(boxes[index, :, 0].mean()))
        half = reader.read(np.ascontiguousarray(hand[:, :cut]))
        at_border = half.polygons[:, :, 0].max(axis=1) >= cut - 2
        assert {label for label, at in zip(half.labels, at_border, strict=True) if at} <= {"?"}


def test_a_portrait_of_twelve_megapixels_is_read(reader: Reader, hand: Image) -> None:
    large = np.full((4032, 3024, 3), (70, 110, 60), np.uint8)
    scaled = np.asarray(cv2.resize(hand, (2560, 1440), interpolation=cv2.INTER_CUBIC), np.uint8)
    large[1300:2740, 200:2760] = scaled
    labels = reader.read(large).labels
    assert len(labels) >= 12
    assert set(labels) <= {*HAND, "?"}


def test_a_thumbnail_asks_for_a_closer_camera(reader: Reader, hand: Image) -> None:
    small = np.asarray(cv2.resize(hand, (300, 169), interpolation=cv2.INTER_AREA), np.uint8)
    readings = reader.read(small)
    assert set(readings.labels) <= {*HAND, "?"}
    told = [each.trouble for each in advise(small, readings)]
    assert told in (
        [PictureFault.TOO_SMALL],
        [PictureFault.NO_TILES],
        [PictureFault.NO_TILES, PictureFault.TOO_SMALL],
    )


def test_sixteen_bits_transparency_and_grey_files_are_read_alike(
    tmp_path: Path, reader: Reader, hand: Image
) -> None:
    clear = np.dstack([hand, np.full(hand.shape[:2], 255, np.uint8)])
    for name, image in (
        ("deep.png", hand.astype(np.uint16) * 257),
        ("clear.png", clear),
        ("one.png", cv2.cvtColor(hand, cv2.COLOR_BGR2GRAY)),
    ):
        cv2.imwrite(str(tmp_path / name), image)
        loaded = load_picture(tmp_path / name)
        assert (loaded.shape, loaded.dtype) == (hand.shape, np.uint8)
        if name != "one.png":
            assert np.array_equal(loaded, hand)


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """A JPEG whose EXIF block says how the camera was held."""
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    block = b"Exif\0\0" + b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", 1) + entry + bytes(4)
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


@pytest.mark.parametrize(("orientation", "turns"), [(3, 2), (6, 3), (8, 1)])
def test_a_picture_lies_as_the_camera_was_held(
    tmp_path: Path, hand: Image, orientation: int, turns: int
) -> None:
    _, data = cv2.imencode(".jpg", hand, [cv2.IMWRITE_JPEG_QUALITY, 95])
    path = tmp_path / "phone.jpg"
    path.write_bytes(with_orientation(data.tobytes(), orientation))
    expected = np.rot90(cv2.imdecode(data, cv2.IMREAD_COLOR), turns)
    assert np.array_equal(load_picture(path), expected)


def test_read_tells_the_advice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "empty.png"
    cv2.imwrite(str(picture), felt(3))
    assert main(["read", str(picture)]) == 0
    assert "Advice: no tile could be read" in capsys.readouterr().out
    assert main(["read", str(picture), "--json"]) == 0
    assert (
        '"advice": [{"trouble": "no_tiles", "en": "no tile could be read' in capsys.readouterr().out
    )
