"""Builds sdist and wheel into dist/: `python tools/build.py`. Needs setuptools alone."""

import os
import sys
from pathlib import Path

from setuptools import build_meta

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Build both."""
    os.chdir(ROOT)
    sys.argv = ["setup.py"]
    Path("dist").mkdir(exist_ok=True)
    for build in (build_meta.build_sdist, build_meta.build_wheel):
        print(Path("dist", build("dist")))


if __name__ == "__main__":
    main()
