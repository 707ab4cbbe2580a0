"""How the wheel is put together; everything else about the package is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from traditional import main as make_traditional  # noqa: E402
from wheel_contents import contents  # noqa: E402

from table_assist.parts import COMMIT, commit  # noqa: E402


class BuildPy(build_py):
    """Copies what `tools/wheel_contents.py` names; an editable install stays as it is."""

    def run(self) -> None:
        """Build."""
        if self.editable_mode:
            super().run()
            return
        for shipped in contents(ROOT):
            self._write(str(shipped.target), shipped.content())
        self._write(f"table_assist/{COMMIT}", f"{commit()}\n".encode())

    def _write(self, target: str, content: bytes) -> None:
        path = Path(self.build_lib, target)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """The files that `run` writes."""
        targets = [str(shipped.target) for shipped in contents(ROOT)]
        return [str(Path(self.build_lib, each)) for each in [*targets, f"table_assist/{COMMIT}"]]


class EggInfo(egg_info):
    """Says which packages others meet: the house alone."""

    def run(self) -> None:
        """Write what is known of the package."""
        super().run()
        Path(self.egg_info, "top_level.txt").write_text("table_assist\n", encoding="ascii")


class Sdist(sdist):
    """The sources know their commit, so that a wheel made of them does too."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Lay the files out."""
        super().make_release_tree(base_dir, files)
        Path(base_dir, "table_assist", COMMIT).write_text(f"{commit()}\n", encoding="ascii")


make_traditional()
setup(cmdclass={"build_py": BuildPy, "egg_info": EggInfo, "sdist": Sdist})
