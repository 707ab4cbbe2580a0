"""Builds a release: `make release`, or `python tools/release.py --out DIR`.

Everything is built twice from the newest commit, in two clones, and both must have the same bytes:
sdist, wheel, the list of what is inside (SBOM), the notes, and SHA256SUMS of all. `--image BASE`
adds a container's image, built once, since Debian's packages in it change from day to day.
"""

import argparse
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import figures

ROOT = Path(__file__).parents[1]
SUMS = "SHA256SUMS"


class ReleaseError(Exception):
    """A release cannot be built so; the message is one sentence."""


def notes(changelog: str) -> str:
    """CHANGELOG.md's words on the newest version.

    Raises:
        ReleaseError: it names none.
    """
    parts = changelog.split("\n## ")
    if len(parts) < 2:
        raise ReleaseError("CHANGELOG.md has no section of a version")
    return "## " + parts[1].rstrip() + "\n"


def repacked(sdist: bytes, time_s: int) -> bytes:
    """A source archive with the files' names and contents, and nothing of who built it when."""
    packed = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(sdist)) as old,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda each: each.name):
            plain = tarfile.TarInfo(member.name)
            plain.type, plain.size, plain.mtime = member.type, member.size, time_s
            plain.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            new.addfile(plain, old.extractfile(member) if member.isfile() else None)
    return gzip.compress(packed.getvalue(), mtime=time_s)


def build(folder: Path, commit: str) -> Path:
    """All files of a release of that commit but the image, in `folder/dist`.

    Raises:
        ReleaseError: CHANGELOG.md has no version.
        subprocess.CalledProcessError: something could not be built.
    """
    clone, dist = folder / "clone", folder / "dist"
    _run("git", "clone", "-q", "--shared", "--no-checkout", str(ROOT), str(clone))
    _run("git", "-C", str(clone), "checkout", "-q", "--detach", commit)
    time_s = _run("git", "-C", str(clone), "log", "-1", "--format=%ct").strip()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": time_s, "PYTHONHASHSEED": "0"}
    _run(sys.executable, "tools/build.py", cwd=clone, env=environment)
    shutil.move(clone / "dist", dist)
    (sdist,) = dist.glob("*.tar.gz")
    sdist.write_bytes(repacked(sdist.read_bytes(), int(time_s)))
    shutil.copyfile(clone / "requirements" / "sbom.cdx.json", dist / "sbom.cdx.json")
    changelog = (clone / "CHANGELOG.md").read_text(encoding="utf-8")
    (dist / "NOTES.md").write_text(notes(changelog), encoding="utf-8")
    return dist


def sums(dist: Path) -> str:
    """The SHA-256 of each file, as `sha256sum --check` reads them."""
    files = sorted(path for path in dist.iterdir() if path.name != SUMS)
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files
    )


def release(out: Path, image: str = "") -> None:
    """Build twice, compare, and put the files and their sums into `out`.

    Args:
        image: the base of a container's image, as `debian:bookworm-slim`; "": none is built.

    Raises:
        ReleaseError: files have changed since the commit, figures are old, two builds differ, or
            `out` has files.
        subprocess.CalledProcessError: something could not be built.
    """
    if _run("git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=no").strip():
        raise ReleaseError("files have changed since the newest commit: commit them first")
    old = [each.name for each in figures.of_readme() if not each.is_fresh]
    if old:
        raise ReleaseError(
            f"README's figures {', '.join(old)} are of another program: make figures"
        )
    if out.exists() and any(out.iterdir()):
        raise ReleaseError(f"the folder {out} is not empty")
    commit = _run("git", "-C", str(ROOT), "rev-parse", "HEAD").strip()
    with tempfile.TemporaryDirectory(prefix="release-") as name:
        first, second = (build(Path(name) / turn, commit) for turn in ("first", "second"))
        told = sums(first)
        other = dict(line.split()[::-1] for line in sums(second).splitlines())
        differ = [
            file for digest, file in map(str.split, told.splitlines()) if other.get(file) != digest
        ]
        if differ:
            raise ReleaseError(f"built twice, these differ: {', '.join(differ)}")
        shutil.copytree(first, out, dirs_exist_ok=True)
    if image:
        (wheel,) = out.glob("*.whl")
        tag = f"table-assist:{wheel.name.split('-')[1]}"
        words = ["--build-arg", f"BASE={image}", "-t", tag]
        _run("podman", "build", "-f", str(ROOT / "tools/container/Containerfile"), *words, str(out))
        archive = out / f"{tag.replace(':', '-')}-image.tar"
        _run("podman", "save", "--format", "oci-archive", "-o", str(archive), tag)
    (out / SUMS).write_text(sums(out), encoding="utf-8")


def _run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def main() -> int:
    """As the command line says; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--image", default="", metavar="BASE", help="as debian:bookworm-slim")
    options = parser.parse_args()
    try:
        release(options.out, options.image)
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    print((options.out / SUMS).read_text(encoding="utf-8"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
