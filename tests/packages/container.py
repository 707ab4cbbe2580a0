"""The container image: built from the wheel, started without root on a read-only root.

`python -m tests.packages.container` needs root, mmdebstrap, buildah, podman and runc; part of
`make packages` where these are. The base is a bookworm of mmdebstrap, so no registry is asked. No
network is in the container: the page and the health check are asked for from inside.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.packages.wheels import ROOT, build

CONTAINERFILE = ROOT / "tools" / "container" / "Containerfile"
NEEDED = ("mmdebstrap", "buildah", "podman", "runc")
START_S = 90.0
INCLUDE = "--include=python3,python3-venv"
ASK = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8000/').read().decode()[:200])"


class Store:
    """Images and containers in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._storage = ["--storage-driver", "vfs", "--root", str(folder / "store")]
        self._storage += ["--runroot", str(folder / "run")]

    def buildah(self, *words: str) -> str:
        """What buildah says."""
        return self._run("buildah", *self._storage, *words)

    def podman(self, *words: str, code: int | None = 0) -> str:
        """What podman says."""
        own = ["--runtime", "runc", "--cgroup-manager", "cgroupfs", "--events-backend", "file"]
        return self._run("podman", *self._storage, *own, *words, code=code)

    def _run(self, *command: str, code: int | None = 0) -> str:
        done = subprocess.run(command, capture_output=True, text=True, timeout=900)
        assert code is None or done.returncode == code, (command, done.stdout, done.stderr)
        return done.stdout


def lives(store: Store, dist: Path, folder: Path) -> dict[str, object]:
    """Build the image, start it, look at it, end it."""
    base, began_s = folder / "bookworm.tar", time.monotonic()
    command = ["mmdebstrap", "-q", "--variant=minbase", INCLUDE, "bookworm", str(base)]
    subprocess.run(command, check=True)
    store.podman("import", str(base), "localhost/bookworm:here")
    store.buildah(
        "bud", "--isolation", "chroot", "--format", "docker", "-t", "table-assist",
        "--build-arg", "BASE=localhost/bookworm:here", "--env", "PIP_NO_INDEX=1",
        "-f", str(CONTAINERFILE), str(dist),
    )  # fmt: skip
    built_s = time.monotonic() - began_s
    size = json.loads(store.podman("image", "inspect", "table-assist"))[0]["Size"]
    bare = json.loads(store.podman("image", "inspect", "localhost/bookworm:here"))[0]["Size"]
    store.podman(
        "run", "-d", "--name", "table", "--network", "none", "--read-only", "--tmpfs", "/tmp",
        "--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096", "table-assist",
    )  # fmt: skip
    try:
        end_s = time.monotonic() + START_S
        while not _is_healthy(store):
            assert time.monotonic() < end_s, store.podman("logs", "table")
            time.sleep(1)
        who = store.podman("exec", "table", "id", "-u").strip()
        assert who != "0"
        store.podman("exec", "table", "touch", "/usr/written", code=1)
        store.podman("exec", "table", "touch", "/var/lib/table-assist/written")
        page = store.podman("exec", "table", "/opt/table-assist/bin/python3", "-c", ASK)
        assert "<html" in page, page
        began_s = time.monotonic()
        store.podman("stop", "-t", "30", "table")
        stopped_s = time.monotonic() - began_s
        state = json.loads(store.podman("inspect", "table"))[0]["State"]
        assert state["ExitCode"] == 0, state
    finally:
        store.podman("rm", "-f", "table", code=None)
    return {
        "image_mb": round(size / 1e6),
        "base_mb": round(bare / 1e6),
        "build_s": round(built_s, 1),
        "stop_s": round(stopped_s, 1),
    }


def _is_healthy(store: Store) -> bool:
    store.podman("healthcheck", "run", "table", code=None)  # nobody's timer does it here
    found = json.loads(store.podman("inspect", "table"))[0]["State"]
    health = found.get("Health") or found.get("Healthcheck") or {}
    return bool(health.get("Status") == "healthy")


def main() -> None:
    """Build and try; one JSON line."""
    absent = [name for name in NEEDED if shutil.which(name) is None]
    if absent:
        sys.exit(f"The container was not tried: {', '.join(absent)} is not here.")
    with tempfile.TemporaryDirectory(prefix="container-") as name:
        folder = Path(name)
        dist = build(folder / "built").wheel.parent
        lock = ["--require-hashes", "-r", str(ROOT / "requirements" / "light.txt")]
        pip = [sys.executable, "-m", "pip", "download", "-q", "--python-version", "3.11"]
        subprocess.run([*pip, "--only-binary", ":all:", "-d", str(dist), *lock], check=True)
        print(json.dumps({"container": "bookworm", **lives(Store(folder), dist, folder)}))


if __name__ == "__main__":
    main()
