"""Builds the Debian package from a wheel: `python tools/build_deb.py WHEEL --out DIR`.

The libraries are those of the lock, as wheels for bookworm's Python, in an environment below
/usr/lib/table-assist: nothing is compiled, so a package for arm64 is built anywhere
(`--architecture arm64`). Everything is laid out here and packed by dpkg-deb; `tools/deb` has
what goes beside: unit files, udev rule, scripts.
"""

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEB = ROOT / "tools" / "deb"
PYTHON = "3.11"  # bookworm's
HOME = "usr/lib/table-assist"
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
GLIBC = (5, 12, 17, 24, 26, 27, 28, 31, 34, 35, 36)  # 2.36 is bookworm's; wheels name an older one
LAUNCHER = f"""#!/{HOME}/bin/python3
import sys
from table_assist.cli.main import main
sys.exit(main())
"""
EXTRAS = ("paho-mqtt",)  # nobody can add it later: there is no pip in the package
# Where each file of tools/deb goes, and its mode.
PLACES = {
    "table-assist.service": ("lib/systemd/system/table-assist.service", 0o644),
    "table-assist-kiosk.service": ("lib/systemd/system/table-assist-kiosk.service", 0o644),
    "70-table-assist.rules": ("lib/udev/rules.d/70-table-assist.rules", 0o644),
    "table.toml": ("usr/share/table-assist/table.toml", 0o644),
    "default": ("etc/default/table-assist", 0o644),
    "copyright": ("usr/share/doc/table-assist/copyright", 0o644),
    "conffiles": ("DEBIAN/conffiles", 0o644),
    "postinst": ("DEBIAN/postinst", 0o755),
    "prerm": ("DEBIAN/prerm", 0o755),
    "postrm": ("DEBIAN/postrm", 0o755),
}


def build(
    wheel: Path, out: Path, architecture: str, version: str = "", compression: str = "xz"
) -> Path:
    """The package of a wheel.

    Args:
        version: of the package; default: the wheel's.
        compression: "none" is quick, for trying it out.

    Raises:
        subprocess.CalledProcessError: a library has no wheel for that machine.
    """
    version = version or wheel.name.split("-")[1]
    with tempfile.TemporaryDirectory(prefix="deb-") as name:
        root = Path(name) / "root"
        root.mkdir(mode=0o755)
        _libraries(root, wheel, architecture)
        _beside(root)
        _control(root, version, architecture)
        package = out / f"table-assist_{version}_{architecture}.deb"
        out.mkdir(parents=True, exist_ok=True)
        command = ["dpkg-deb", "--root-owner-group", f"-Z{compression}", "--build", str(root)]
        subprocess.run([*command, str(package)], check=True, stdout=subprocess.DEVNULL)
    return package


def install_for(architecture: str, python: str = PYTHON) -> list[str]:
    """Pip's words that take wheels of another machine's Python, and nothing else."""
    machine = MACHINES[architecture]
    tags = [f"manylinux_2_{minor}_{machine}" for minor in GLIBC]
    tags.append(f"manylinux2014_{machine}")
    platforms = [word for tag in tags for word in ("--platform", tag)]
    pip = [sys.executable, "-I", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    wheels = ["--no-deps", "--only-binary", ":all:", "--implementation", "cp"]
    return [*pip, *wheels, "--python-version", python, *platforms]


def _libraries(root: Path, wheel: Path, architecture: str) -> None:
    """The environment: bookworm's Python by a link, the lock's wheels, ours."""
    home = root / HOME
    packages = home / "lib" / f"python{PYTHON}" / "site-packages"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "python3").symlink_to(f"/usr/bin/python{PYTHON}")
    (home / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {PYTHON}\n"
    )
    pip = [*install_for(architecture), "--no-compile", "--target", str(packages)]
    lock = str(ROOT / "requirements" / "light.txt")
    subprocess.run([*pip, "--require-hashes", "-r", lock], check=True)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as more:
        more.write("\n".join(_locked(name) for name in EXTRAS))
        more.flush()
        subprocess.run([*pip, "--require-hashes", "-r", more.name], check=True)
    subprocess.run([*pip, "--upgrade", str(wheel)], check=True)
    _forget_origin(packages)
    share = packages / "share"
    manual = (share / "man" / "man1" / "table-assist.1").read_bytes()
    for left in (share, packages / "bin"):
        shutil.rmtree(left, ignore_errors=True)
    _put(root / "usr/share/man/man1/table-assist.1.gz", gzip.compress(manual, mtime=0))
    _put(home / "bin" / "table-assist", LAUNCHER.encode(), 0o755)
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / "table-assist").symlink_to("../lib/table-assist/bin/table-assist")


def _forget_origin(packages: Path) -> None:
    """Where our wheel lay when it was installed is nobody's business."""
    for origin in packages.glob("*.dist-info/direct_url.json"):
        record = origin.with_name("RECORD")
        rows = record.read_text(encoding="utf-8").splitlines(keepends=True)
        record.write_text("".join(row for row in rows if "direct_url.json" not in row), "utf-8")
        origin.unlink()


def _locked(name: str) -> str:
    """A library of an extra, with its hashes: the tests' lock has it."""
    text = (ROOT / "requirements" / "test.txt").read_text(encoding="utf-8")
    rows = text.replace("\\\n", " ").splitlines()
    return next(row for row in rows if re.match(rf"{re.escape(name)}(\[.+?\])?==", row))


def _beside(root: Path) -> None:
    for name, (place, mode) in PLACES.items():
        _put(root / place, (DEB / name).read_bytes(), mode)
    docs = root / "usr/share/doc/table-assist"
    for path in (ROOT / "LICENSE", ROOT / "docs" / "table.example.toml"):
        _put(docs / path.name, path.read_bytes())
    changes = (ROOT / "CHANGELOG.md").read_bytes()
    _put(docs / "changelog.gz", gzip.compress(changes, mtime=0))
    script = subprocess.run(
        [sys.executable, "-m", "table_assist", "completion", "bash"],
        cwd=ROOT, capture_output=True, check=True,
    ).stdout  # fmt: skip
    _put(root / "usr/share/bash-completion/completions/table-assist", script)


def _control(root: Path, version: str, architecture: str) -> None:
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
    own = [path for path in files if "DEBIAN" not in path.parts]
    size = sum(path.stat().st_size for path in own) // 1024
    values = {"VERSION": version, "ARCHITECTURE": architecture, "SIZE": str(size)}
    text = (DEB / "control").read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    _put(root / "DEBIAN" / "control", text.encode())
    sums = (f"{hashlib.md5(p.read_bytes()).hexdigest()}  {p.relative_to(root)}\n" for p in own)
    _put(root / "DEBIAN" / "md5sums", "".join(sums).encode())
    for path in root.rglob("*"):
        if path.is_dir():
            path.chmod(0o755)
        elif not path.is_symlink():
            path.chmod(0o755 if os.access(path, os.X_OK) else 0o644)


def _put(path: Path, content: bytes, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)


def main() -> None:
    """Build the package that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--out", type=Path, default=Path("build"))
    parser.add_argument("--architecture", choices=tuple(MACHINES), default="amd64")
    parser.add_argument("--version", default="", help="default: the wheel's")
    parser.add_argument("--compression", choices=("xz", "none"), default="xz")
    options = parser.parse_args()
    print(
        build(
            options.wheel.resolve(),
            options.out,
            options.architecture,
            options.version,
            options.compression,
        )
    )


if __name__ == "__main__":
    main()
