"""Files that unpack to far more than they are: refused in one sentence, without the memory."""

import io
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_assist.evidence.dispute.file import LOG, MANIFEST
from table_assist.upkeep.backup.packing import MANIFEST as BACKUP_MANIFEST

MB = 1_000_000
# A process that has the program loaded, and may have so much more and no more.
LIMITED = """
import resource, sys
from pathlib import Path
from table_assist.cli.main import main
import table_assist.evidence.dispute.verify, table_assist.upkeep.backup.restore
import table_assist.photos.judge_photo, table_assist.vision.reading.overlay
import table_assist.cli.errors, table_assist.vision.enrolment.files as files
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 300_000_000, used + 300_000_000))
if sys.argv[1] == "set":
    try:
        files.load_samples("bomb", Path(sys.argv[2]))
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}")
if sys.argv[1] == "picture":
    from table_assist.vision.pictures.picture import load_picture
    sys.exit(load_picture(Path(sys.argv[2])).shape != (5000, 9000, 3))
sys.exit(main(sys.argv[1:]))
"""


def bomb(path: Path, members: dict[str, Callable[[], bytes] | bytes]) -> Path:
    """A small archive; a member that is a function gives a MB of itself 350 times."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members.items():
            if isinstance(content, bytes):
                archive.writestr(name, content)
                continue
            with archive.open(name, "w", force_zip64=True) as target:
                for _ in range(350):
                    target.write(content())
    assert path.stat().st_size < 5 * MB
    return path


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LIMITED, *arguments], capture_output=True, text=True, timeout=120
    )


def zeros() -> bytes:
    return b"0" * MB


def brackets() -> bytes:
    return b"[" * MB


def rows() -> bytes:
    return b"0 {}\n" * (MB // 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    "members",
    [
        {MANIFEST: zeros, LOG: b""},
        {MANIFEST: b"{}", LOG: zeros},
        {MANIFEST: b"{}", LOG: rows},
        {MANIFEST: b"[" * 2 * MB, LOG: b""},
        {MANIFEST: b'{"format": 1}', LOG: b"0 " + b"[" * MB + b"\n"},
    ],
)
def test_a_dispute_that_unpacks_to_350_mb_is_one_sentence(
    members: dict[str, Callable[[], bytes] | bytes], tmp_path: Path
) -> None:
    done = run("verify", str(bomb(tmp_path / "d.zip", members)))
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("table-assist: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_large_picture_in_a_dispute_is_read_piece_by_piece(tmp_path: Path) -> None:
    members = {MANIFEST: b'{"format": 1}', LOG: b"", "evidence/e1.jpg": zeros}
    done = run("verify", str(bomb(tmp_path / "d.zip", members)))
    assert done.returncode == 1, done.stderr
    assert "evidence/e1.jpg is not what was packed" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("manifest", [zeros, brackets, b"[" * 2 * MB])
def test_a_backup_that_unpacks_to_350_mb_is_one_sentence(
    manifest: Callable[[], bytes] | bytes, tmp_path: Path
) -> None:
    done = run("restore", str(bomb(tmp_path / "b.zip", {BACKUP_MANIFEST: manifest})))
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("table-assist: ")


@pytest.mark.slow
def test_a_tile_set_that_unpacks_to_350_mb_is_one_sentence(tmp_path: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "|u1", "fortran_order": False, "shape": (350 * MB,)}
    )
    bomb(tmp_path / "bomb.npz", {"tiles.npy": zeros})
    done = run("set", str(tmp_path))
    assert "OwnSetError: the tile set" in done.stderr
    lying = {"tiles.npy": header.getvalue() + b"0" * 100}  # says 350 MB, and has 100 bytes
    bomb(tmp_path / "bomb.npz", lying)
    assert "OwnSetError: the tile set" in run("set", str(tmp_path)).stderr
    assert resource.getpagesize()


@pytest.mark.slow
def test_a_large_picture_is_not_held_twice_while_it_is_decoded(tmp_path: Path) -> None:
    path = str(tmp_path / "plain.png")
    cv2.imwrite(path, np.zeros((5000, 9000, 3), np.uint8))  # 45 megapixels: 180 MB and 135 MB
    assert run("picture", path).returncode == 0
