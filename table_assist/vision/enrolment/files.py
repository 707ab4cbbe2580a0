"""Own tile sets on disk: one file each, in the user's folder for the program's data.

A file holds what was learnt, and the labelled patches from which it was, so that it can be learnt
again when the recogniser changes.
"""

import io
import json
import os
import re
import sys
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.trust.installation import key_folder
from table_assist.vision.enrolment.learn import Sample
from table_assist.vision.enrolment.patches import Patch
from table_assist.vision.enrolment.report import EnrolReport
from table_assist.vision.pictures.picture import PictureError, decode_frame
from table_assist.vision.reading.own_set import OwnSet, OwnSetError
from table_assist.vision.reading.recognise import CLASSES, NOTHING_CLASS

SET_FORMAT = 1
SET_SUFFIX = ".npz"
PATCH_QUALITY = 95  # of a patch's JPEG: 5 kB each
# Letters and digits of any language; nothing that leads out of the folder or hides the file.
SET_NAME = re.compile(r"\w[\w .+-]{0,39}")

MOST_SET_BYTES = 256_000_000  # unpacked
DAMAGED_SET = (
    EOFError,
    KeyError,
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    zlib.error,
)


@dataclass(frozen=True, slots=True)
class KeptSet:
    """A set as the list of sets tells it."""

    name: str
    date: str
    faces: int
    tiles: int
    pictures: int


def sets_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where this user's sets are.

    >>> str(sets_folder({"XDG_DATA_HOME": "/data"}, "linux"))
    '/data/table-assist/sets'
    """
    return key_folder(environment, platform) / "sets"


def path_of(name: str, folder: Path) -> Path:
    """The file of a set, whether it is there or not.

    Raises:
        OwnSetError: no set can have that name.
    """
    # Refuse what cannot be a file's name everywhere
    if not SET_NAME.fullmatch(name) or name.endswith((" ", ".")):
        raise OwnSetError(
            "a tile set's name has up to 40 letters, digits, spaces, dots, + and -, not {name}",
            "牌套名称至多 40 个字母、数字、空格、点、+ 和 -，{name} 不行",
            name=f"{name!r}",
        )
    return folder / f"{name}{SET_SUFFIX}"


def save_set(
    own: OwnSet, samples: Sequence[Sample], report: EnrolReport, *, folder: Path, date: str
) -> Path:
    """Write the set; one that is there under its name is replaced, wholly or not at all.

    Raises:
        OwnSetError: the place cannot be written to.
    """
    path = path_of(own.name, folder)
    manifest = {
        "version": SET_FORMAT,
        "name": own.name,
        "date": date,
        "recogniser": own.recogniser,
        "alike_from": own.alike_from,
        "sharpness": own.sharpness,
        "tiles": report.tiles,
        "faces": sum(label < NOTHING_CLASS for label in {sample.label for sample in samples}),
        "pictures": report.pictures,
        "tested": report.tested,
        "right": report.right,
        "asked": report.asked,
        "wrong": list(report.wrong),
    }
    patches = [_packed(sample.patch) for sample in samples]
    unfinished = path.with_suffix(".part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with unfinished.open("wb") as file:
            np.savez(
                file,
                manifest=np.frombuffer(json.dumps(manifest).encode(), np.uint8),
                correction=own.correction.astype(np.float32),
                known=own.known.astype(np.float16),
                taught=own.taught,
                labels=np.array([sample.label for sample in samples], np.int16),
                pictures=np.array([sample.picture for sample in samples], np.int16),
                boxes=np.array([sample.patch.box_wh for sample in samples], np.float32),
                ends=np.cumsum([len(patch) for patch in patches], dtype=np.int64),
                patches=np.frombuffer(b"".join(patches), np.uint8),
            )
        unfinished.replace(path)
    except OSError as error:
        raise OwnSetError(
            "the tile set {path} cannot be written: {strerror}",
            "牌套 {path} 无法写入：{strerror}",
            path=path,
            strerror=error.strerror,
        ) from error
    return path


def find_set(name: str | None) -> OwnSet | None:
    """This user's set of that name; None where none is named.

    Raises:
        OwnSetError: as `load_set`.
    """
    return load_set(name, sets_folder()) if name else None


def load_set(name: str, folder: Path) -> OwnSet:
    """Read what was learnt.

    Raises:
        OwnSetError: there is no such set, or the file is damaged or of another version.
    """
    arrays, manifest = _read(name, folder)
    path = path_of(name, folder)
    try:
        own = OwnSet(
            name=name,
            recogniser=str(manifest["recogniser"]),
            correction=arrays["correction"].astype(np.float32),
            known=arrays["known"].astype(np.float32),
            alike_from=float(manifest["alike_from"]),
            sharpness=float(manifest["sharpness"]),
            taught=arrays.get("taught", np.ones(arrays["correction"].shape[1], np.bool_)),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise OwnSetError(
            "the tile set {path} is damaged: {error}",
            "牌套 {path} 已损坏：{error}",
            path=path,
            error=error,
        ) from error
    # A set that was learnt when parts were no class yet is told to be learnt again (`check`).
    if (
        own.correction.shape[1] not in (CLASSES - 1, CLASSES)
        or not np.isfinite(own.correction).all()
    ):
        raise OwnSetError(
            "the tile set {path} is damaged: its correction cannot be used",
            "牌套 {path} 已损坏：其校正无法使用",
            path=path,
        )
    return own


def load_samples(name: str, folder: Path) -> list[Sample]:
    """Read what the set was learnt from.

    Raises:
        OwnSetError: as `load_set`.
    """
    arrays, _ = _read(name, folder)
    try:
        ends, packed = arrays["ends"].tolist(), arrays["patches"].tobytes()
        rows = zip(
            [0, *ends[:-1]],
            ends,
            arrays["boxes"].tolist(),
            arrays["labels"].tolist(),
            arrays["pictures"].tolist(),
            strict=True,
        )
        return [
            Sample(Patch(np.ascontiguousarray(bgr[:, :, ::-1]), (width, height)), label, picture)
            for start, end, (width, height), label, picture in rows
            for bgr in (decode_frame(packed[start:end], "its file", least_side=1),)
        ]
    except (KeyError, TypeError, ValueError, PictureError) as error:
        raise OwnSetError(
            "the tile set {path_of} is damaged: {error}",
            "牌套 {path_of} 已损坏：{error}",
            path_of=path_of(name, folder),
            error=error,
        ) from error


def list_sets(folder: Path) -> list[KeptSet]:
    """Every set that can be read, by name."""
    found: list[KeptSet] = []
    for path in sorted(folder.glob(f"*{SET_SUFFIX}")):
        try:
            _, manifest = _read(path.stem, folder)
            counts = (int(manifest[key]) for key in ("faces", "tiles", "pictures"))
            found.append(KeptSet(path.stem, str(manifest["date"]), *counts))
        except (OwnSetError, KeyError, TypeError, ValueError):
            continue  # something else lies in the folder; loading it by name says what is wrong
    return found


def _read(name: str, folder: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    path = path_of(name, folder)
    if not path.is_file():
        there = ", ".join(sorted(other.stem for other in folder.glob(f"*{SET_SUFFIX}"))) or "none"
        raise OwnSetError(
            "there is no tile set {name}; there are: {there} (table-assist enrol NAME PICTURE)",
            "没有牌套 {name}；现有：{there}（table-assist enrol 名称 照片）",
            name=f"{name!r}",
            there=there,
        )
    try:
        # Refuse what unpacks to more than any set: a backup may bring anybody's
        with zipfile.ZipFile(path) as archive:
            size = sum(info.file_size for info in archive.infolist())
        if size > MOST_SET_BYTES:
            raise ValueError(f"it unpacks to {size} bytes, more than {MOST_SET_BYTES}")
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        manifest = json.loads(arrays["manifest"].tobytes())
        version = manifest["version"]
    except (*DAMAGED_SET, OSError, ValueError, TypeError, MemoryError) as error:
        raise OwnSetError(
            "the tile set {path} is damaged: {error}",
            "牌套 {path} 已损坏：{error}",
            path=path,
            error=error,
        ) from error
    if version != SET_FORMAT:
        raise OwnSetError(
            "the tile set {path} has version {version}, expected {version_2}",
            "牌套 {path} 的版本为 {version}，应为 {version_2}",
            path=path,
            version=f"{version!r}",
            version_2=SET_FORMAT,
        )
    return arrays, manifest


def _packed(patch: Patch) -> bytes:
    bgr = np.ascontiguousarray(patch.image[:, :, ::-1])
    done, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, PATCH_QUALITY])
    if not done:
        raise ValueError("a patch cannot be encoded")
    return data.tobytes()
