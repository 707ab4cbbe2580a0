"""What the Debian package puts beside the program holds together; `make packages` lives with it."""

import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest

from firmware_bridge.flashing import KNOWN
from table_assist.cli.arguments import parse_arguments
from table_assist.settings.config import load_config

DEB = Path(__file__).parents[2] / "tools" / "deb"
MOST_EXPOSED = 3.0


def unit(name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (DEB / name).read_text(encoding="utf-8").splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def test_the_unit_is_hardened() -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", str(DEB / "table-assist.service")],
        capture_output=True,
        text=True,
    )
    said = re.search(r"Overall exposure level for table-assist\.service: ([\d.]+)", done.stdout)
    assert said is not None, done.stderr
    assert float(said[1]) <= MOST_EXPOSED


@pytest.mark.parametrize("name", ["table-assist.service", "table-assist-kiosk.service"])
def test_systemd_understands_every_line_of_a_unit(name: str) -> None:
    """What is installed beside it is not here; nothing else may be complained of."""
    done = subprocess.run(
        ["systemd-analyze", "verify", str(DEB / name)], capture_output=True, text=True
    )
    absent = re.compile(r"Command (\S+ is not executable: No such file|'man .*' failed)")
    said = [line for line in done.stderr.splitlines() if not absent.search(line)]
    assert said == []


def test_systemd_complains_of_a_line_that_it_does_not_know(tmp_path: Path) -> None:
    """So that the test above could fail."""
    text = (DEB / "table-assist.service").read_text(encoding="utf-8")
    wrong = tmp_path / "table-assist.service"
    wrong.write_text(text.replace("ProtectHome=yes", "ProtectHom=yes"), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(wrong)], capture_output=True, text=True)
    assert "ProtectHom" in done.stderr


def test_the_unit_reaches_camera_and_board_and_no_other_device() -> None:
    found = unit("table-assist.service")
    assert found["SupplementaryGroups"] == ["video dialout"]
    assert found["DevicePolicy"] == ["closed"]
    devices = {each.split()[0] for each in found["DeviceAllow"]}
    assert devices == {"char-video4linux", "char-ttyUSB", "char-ttyACM"}


def test_the_units_command_is_understood() -> None:
    words = shlex.split(unit("table-assist.service")["ExecStart"][0])
    options = parse_arguments([word for word in words[1:] if word != "$OPTIONS"])
    assert (options.command, str(options.config)) == ("run", "/etc/table-assist/table.toml")


def test_the_first_settings_are_good_and_keep_the_record_under_var(tmp_path: Path) -> None:
    settings = tmp_path / "table.toml"
    settings.write_bytes((DEB / "table.toml").read_bytes())
    config = load_config(settings)
    assert config.log.path.startswith("/var/lib/table-assist/")
    assert config.backup.folder.startswith("/var/lib/table-assist/")
    assert tomllib.loads(settings.read_text()).keys() == {"log", "backup"}


def test_udev_names_the_boards_that_flash_finds() -> None:
    text = (DEB / "70-table-assist.rules").read_text(encoding="utf-8")
    named = set()
    for vendor, products in re.findall(r'idVendor}=="(\w+)", ATTRS{idProduct}=="([\w|]+)"', text):
        named |= {f"{vendor}:{product}" for product in products.split("|")}
    assert named == set(KNOWN)
    assert text.count('SYMLINK+="table-assist-board"') == text.count("idVendor")


@pytest.mark.parametrize("script", ["postinst", "prerm", "postrm"])
def test_the_scripts_are_sound_and_ask_nothing(script: str) -> None:
    path = DEB / script
    assert subprocess.run(["sh", "-n", str(path)]).returncode == 0
    text = path.read_text(encoding="utf-8")
    assert text.startswith("#!/bin/sh\nset -e\n")
    assert "debconf" not in text
    assert not re.search(r"^\s*read\b", text, re.MULTILINE)


def test_only_a_purge_deletes_the_record() -> None:
    for script in ("prerm", "postinst"):
        assert "rm -rf /var" not in (DEB / script).read_text(encoding="utf-8")
    purge = (DEB / "postrm").read_text(encoding="utf-8")
    before, _, after = purge.partition("  purge)\n")
    assert "rm -rf" not in before
    assert "rm -rf /etc/table-assist /var/lib/table-assist" in after
