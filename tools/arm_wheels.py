"""Asks the index for each locked library's wheel for 64-bit Arm, and lists their fingerprints.

`python tools/arm_wheels.py > requirements/arm64.txt`, as `make lock` does. The tests compare the
list with the lock without a network: a library that lost its wheel for Arm, or a lock that was
renewed without asking, is found there.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from build_deb import install_for

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.13")


def wheels(lock: Path, python: str) -> dict[str, str]:
    """Name and sha256 of each library's wheel for 64-bit Arm.

    Raises:
        subprocess.CalledProcessError: one has none.
    """
    with tempfile.TemporaryDirectory(prefix="arm-wheels-") as folder:
        report = Path(folder) / "report.json"
        command = [*install_for("arm64", python), "--dry-run", "--ignore-installed"]
        command += ["--target", folder, "--require-hashes", "-r", str(lock)]
        subprocess.run([*command, "--report", str(report)], check=True, stdout=sys.stderr)
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {
        each["metadata"]["name"].lower().replace("_", "-"): each["download_info"]["archive_info"][
            "hashes"
        ]["sha256"]
        for each in found
    }


def main() -> None:
    """Print one line for each Python and library."""
    for python in PYTHONS:
        for name, sha256 in sorted(wheels(ROOT / "requirements" / "light.txt", python).items()):
            print(f"cp{python.replace('.', '')} {name} {sha256}")


if __name__ == "__main__":
    main()
