"""Pictures from files: upright, three channels, and refused in one sentence."""

import struct
import zlib
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from table_assist.vision.pictures.heic import decode_heic
from table_assist.vision.pictures.picture import Image, PictureError, decode_frame, load_picture

HEIGHT, WIDTH = 60, 80


def scene() -> Image:
    """Red at the top left, green at the top right, blue below: no two turns look alike."""
    image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    image[:30, :40], image[:30, 40:], image[30:] = (0, 0, 255), (0, 255, 0), (255, 0, 0)
    return image


def encoded(suffix: str, image: Image | None = None) -> bytes:
    return bytes(cv2.imencode(suffix, scene() if image is None else image)[1])


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """Put an EXIF block with that orientation behind the start of a JPEG."""
    tiff = (
        b"MM\0*\0\0\0\x08\0\x01" + struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0) + b"\0" * 4
    )
    content = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(content) + 2) + content + jpeg[2:]


def write(tmp_path: Path, data: bytes, name: str = "picture.jpg") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp", ".tiff"])
def test_formats(tmp_path: Path, suffix: str) -> None:
    image = load_picture(write(tmp_path, encoded(suffix), f"a{suffix}"))
    assert image.shape == (HEIGHT, WIDTH, 3)
    assert image.dtype == np.uint8
    assert np.allclose(image[10, 10], (0, 0, 255), atol=12)


@pytest.mark.parametrize(
    ("orientation", "stored"),
    [  # how the sensor stored the upright scene, by the EXIF standard's table
        (1, lambda image: image),
        (2, lambda image: image[:, ::-1]),
        (3, lambda image: image[::-1, ::-1]),
        (4, lambda image: image[::-1]),
        (5, lambda image: image.transpose(1, 0, 2)),
        (6, lambda image: np.rot90(image, 1)),
        (7, lambda image: image.transpose(1, 0, 2)[::-1, ::-1]),
        (8, lambda image: np.rot90(image, -1)),
    ],
)
def test_exif_orientation_is_applied(tmp_path: Path, orientation: int, stored: object) -> None:
    turned = np.ascontiguousarray(stored(scene()))  # type: ignore[operator]
    jpeg = with_orientation(encoded(".jpg", turned), orientation)
    image = load_picture(write(tmp_path, jpeg))
    assert image.shape == (HEIGHT, WIDTH, 3)
    for row, column in [(10, 10), (10, 70), (50, 40)]:
        assert np.abs(image[row, column].astype(int) - scene()[row, column]).max() < 30


def test_a_path_in_any_script(tmp_path: Path) -> None:
    folder = tmp_path / "牌桌 ü"
    folder.mkdir()
    assert load_picture(write(folder, encoded(".jpg"), "一万 é.jpg")).shape == (HEIGHT, WIDTH, 3)


@pytest.mark.parametrize(
    "image",
    [
        np.full((20, 30), 200, np.uint8),
        np.full((20, 30, 4), 200, np.uint8),
        np.full((20, 30, 3), 200 * 257, np.uint16),
        np.full((20, 30), 200 * 257, np.uint16),
        np.full((20, 30, 4), 200 * 257, np.uint16),
    ],
    ids=["grey", "alpha", "16 bit", "16-bit grey", "16-bit alpha"],
)
def test_grey_alpha_and_16_bits_become_three_channels_of_8(
    tmp_path: Path, image: np.ndarray
) -> None:
    loaded = load_picture(write(tmp_path, encoded(".png", image), "a.png"))
    assert loaded.shape == (20, 30, 3)
    assert loaded.dtype == np.uint8
    assert (np.abs(loaded.astype(int) - 200) <= 1).all()


def png_that_declares(width: int, height: int) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        check = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" * 10_000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    )


def jpeg_that_declares(width: int, height: int) -> bytes:
    jpeg = bytearray(encoded(".jpg"))
    frame = jpeg.index(b"\xff\xc0")
    jpeg[frame + 5 : frame + 9] = struct.pack(">HH", height, width)
    return bytes(jpeg)


def drawn_again(scans: int) -> bytes:
    """A small file that is drawn over and over."""
    grey, so = np.full((2000, 2000), 99, np.uint8), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    whole = bytes(cv2.imencode(".jpg", grey, so)[1])[:-2]
    return whole + whole[whole.rindex(b"\xff\xc4") :] * scans + b"\xff\xd9"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"hello, this is text", "is not a picture"),
        (b"\0" * 5000, "is not a picture"),
        (b"%PDF-1.7", "is not a picture"),
        (b"\0\0\0\x18ftypheic\0\0", "damaged"),
        (b"\xff\xd8\xff", "is damaged or cut short"),
        (b"\x89PNG\r\n\x1a\n", "is damaged or cut short"),
        (b"\xff\xd8\xff\xe0\0\x04ab\x00\x00", "is damaged or cut short"),
        (png_that_declares(30_000, 30_000), "is 30000 × 30000 pixels, more than 110 megapixels"),
        (drawn_again(1000), "is 2000 × 2000 pixels, more than 2 megapixels"),
        (jpeg_that_declares(60_000, 60_000), "is 60000 × 60000 pixels"),
        (png_that_declares(500, 500), "is damaged"),
        (png_that_declares(0, 0), "is damaged|cannot be decoded"),
    ],
)
def test_bad_files_are_refused_in_one_sentence(tmp_path: Path, data: bytes, message: str) -> None:
    path = write(tmp_path, data)
    with pytest.raises(PictureError, match=message) as refusal:
        load_picture(path)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def as_heic(image: Image | NDArray[np.uint16], mode: str = "RGB") -> bytes:
    height, width = image.shape[:2]
    made = pillow_heif.from_bytes(mode=mode, size=(width, height), data=image.tobytes())
    file = BytesIO()
    made.save(file, quality=90)
    return file.getvalue()


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp", ".tiff", ".heic"])
@pytest.mark.parametrize("share", [0.05, 0.15, 0.25, 0.35, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98])
def test_a_file_cut_short_is_refused(tmp_path: Path, suffix: str, share: float) -> None:
    image = np.random.default_rng(0).integers(0, 255, (200, 200, 3), np.uint8)
    made = [as_heic(image) if suffix == ".heic" else encoded(suffix, image)]
    if suffix == ".jpg":  # a camera closes what it could not finish
        for option in (cv2.IMWRITE_JPEG_PROGRESSIVE, cv2.IMWRITE_JPEG_RST_INTERVAL):
            made.append(bytes(cv2.imencode(suffix, image, [option, 1])[1]))
    for data in made:
        cut = data[: int(len(data) * share)]
        for kept in {cut, cut + b"\xff\xd9" if suffix == ".jpg" else cut}:
            with pytest.raises(PictureError, match=r"cut short|damaged"):
                load_picture(write(tmp_path, kept, f"a{suffix}"))
        assert load_picture(write(tmp_path, data, f"a{suffix}")).shape == image.shape


def test_a_grid_of_cells_cut_short_is_refused(tmp_path: Path) -> None:
    """As a phone writes it: a decoder fills the cells that are missing with green."""
    data = as_heic(scene())
    free = b"\0\0\0\x10free12345678"
    assert load_picture(write(tmp_path, data + free, "a.heic")).shape == scene().shape
    for share in (0.3, 0.5, 0.9):
        with pytest.raises(ValueError, match="cut short"):
            decode_heic(data[: int(len(data) * share)])


@pytest.mark.parametrize("stray", [b"\0" * 18, b"\0\x80"])
def test_stray_bytes_between_a_camera_s_segments_do_no_harm(tmp_path: Path, stray: bytes) -> None:
    jpeg = encoded(".jpg")
    after = 4 + struct.unpack_from(">H", jpeg, 4)[0]
    data = jpeg[:after] + stray + jpeg[after:]
    plain = load_picture(write(tmp_path, jpeg))
    assert np.array_equal(load_picture(write(tmp_path, data)), plain)
    assert np.array_equal(decode_frame(data, "phone", 10), plain)


def test_grey_of_ten_bits_is_grey(tmp_path: Path) -> None:
    levels = np.tile(np.linspace(0, 65472, 256).astype(np.uint16), (64, 1))
    image = load_picture(write(tmp_path, as_heic(levels, "I;16"), "a.heic"))
    assert np.abs(image[:, :, 0].mean(0) - np.linspace(0, 255, 256)).max() < 8


def test_a_phone_s_108_megapixels_are_decoded_at_half_their_size(tmp_path: Path) -> None:
    data = cv2.imencode(".jpg", np.full((9000, 12000, 3), 90, np.uint8))[1].tobytes()
    assert load_picture(write(tmp_path, data)).shape == (4500, 6000, 3)


def test_a_thumbnail_s_end_is_not_the_picture_s(tmp_path: Path) -> None:
    """A JPEG cut short still holds the whole thumbnail of its EXIF block."""
    thumbnail = b"Exif\0\0" + encoded(".jpg")
    jpeg = encoded(".jpg", np.random.default_rng(0).integers(0, 255, (200, 200, 3), np.uint8))
    data = jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(thumbnail) + 2) + thumbnail + jpeg[2:]
    assert load_picture(write(tmp_path, data)).shape == (200, 200, 3)
    with pytest.raises(PictureError, match="cut short"):
        load_picture(write(tmp_path, data[:-500]))


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="there is no picture"):
        load_picture(tmp_path / "none.jpg")
    with pytest.raises(PictureError, match="is a folder"):
        load_picture(tmp_path)
    with pytest.raises(PictureError, match=r"cannot be read|there is no picture"):
        load_picture(Path("a\0b.jpg"))


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.jpg"
    with path.open("wb") as file:
        file.truncate(300_000_000)  # sparse: takes no room
    with pytest.raises(PictureError, match="has 300000000 bytes"):
        load_picture(path)


@settings(max_examples=150)
@given(
    suffix=st.sampled_from([".jpg", ".png", ".webp", ".bmp", ".tiff"]),
    changes=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), min_size=1, max_size=8),
    keep=st.integers(1, 400),
)
def test_a_damaged_header_is_refused_or_read_but_never_anything_else(
    tmp_path_factory: pytest.TempPathFactory,
    suffix: str,
    changes: list[tuple[int, int]],
    keep: int,
) -> None:
    data = bytearray(encoded(suffix))
    for position, value in changes:
        data[position % len(data)] = value
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(bytes(data[: len(data) if keep > 200 else keep]))
    try:
        image = load_picture(path)
    except PictureError:
        return
    assert image.ndim == 3
    assert image.size <= 3 * 100_000_000
