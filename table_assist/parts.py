"""Parts that are not code: where they lie in a clone and in a package, and which build this is.

In a clone, `models/`, `docs/` and `firmware_bridge/` lie beside this package; the wheel has them
inside it (`tools/wheel_contents.py`), so that nothing else lands among other people's packages.
"""

from pathlib import Path

VERSION = "1.0.0"  # the one place; pyproject.toml reads it
PACKAGE = Path(__file__).parent
COMMIT = "commit.txt"  # written into the wheel when it is built
ASK_GIT_S = 5.0


def part(*names: str) -> Path:
    """A file or folder by its path in the repository."""
    inside = PACKAGE.joinpath(*names)
    return inside if inside.exists() else PACKAGE.parent.joinpath(*names)


def commit() -> str:
    """The commit that this was built from, ``+`` after it where files were changed; or ""."""
    try:
        return (PACKAGE / COMMIT).read_text(encoding="ascii").strip()
    except OSError:
        # The commit of a clone; "" where it is none, or git is missing
        clone = PACKAGE.parent
        if not (clone / ".git").exists():
            return ""
        import subprocess  # only here: reading a picture starts without it

        command = ["git", "-C", str(clone), "describe", "--always", "--abbrev=12", "--exclude=*"]
        try:
            told = subprocess.run(
                [*command, "--dirty=+"], capture_output=True, text=True, timeout=ASK_GIT_S
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return told.stdout.strip() if told.returncode == 0 else ""
