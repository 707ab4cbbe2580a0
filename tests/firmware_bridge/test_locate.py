"""Which port is meant: by path, by URL, by USB id; and which is not, though it looks alike."""

from pathlib import Path

import pytest

from firmware_bridge.ports import FoundPort, Locator, PortError, read_selector

UNO, CLONE = "2341:0043", "1a86:7523"


class Computer:
    """A computer with ports that come and go."""

    def __init__(self, *ports: FoundPort) -> None:
        self.ports = ports

    def list_ports(self) -> tuple[FoundPort, ...]:
        return self.ports


def port(path: str | Path, serial: str | None = None, usb_id: str | None = UNO) -> FoundPort:
    return FoundPort(str(path), "", usb_id, serial)


def test_a_selector_is_read_in_any_case() -> None:
    selector = read_selector("usb:1A86:7523:Ab")
    assert selector is not None
    assert (selector.usb_id, selector.serial) == (CLONE, "Ab")
    assert read_selector("/dev/ttyACM0") is None
    assert read_selector("socket://host:1") is None


@pytest.mark.parametrize(
    "url", ["usb:", "usb:2341", "usb:2341:43", "usb:xyzw:0043", "usb:2341:0043:"]
)
def test_what_only_looks_like_a_selector_is_refused(url: str) -> None:
    with pytest.raises(PortError, match=r"is no USB port: write usb:VENDOR:PRODUCT"):
        Locator(url, Computer().list_ports).find()
    assert not Locator(url, Computer().list_ports).is_findable()


def test_a_selector_finds_the_one_port_that_it_means() -> None:
    computer = Computer(port("/dev/ttyACM3", "A"), port("/dev/ttyUSB0", None, CLONE))
    assert Locator("usb:2341:0043", computer.list_ports).find() == "/dev/ttyACM3"
    assert Locator("usb:1a86:7523", computer.list_ports).find() == "/dev/ttyUSB0"
    with pytest.raises(PortError, match="No port is usb:2341:0043:B: is the board plugged in"):
        Locator("usb:2341:0043:B", computer.list_ports).find()


def test_two_ports_of_the_same_kind_are_told_apart_by_their_serial_numbers() -> None:
    computer = Computer(port("/dev/ttyACM0", "A"), port("/dev/ttyACM1", "B"))
    assert Locator("usb:2341:0043:B", computer.list_ports).find() == "/dev/ttyACM1"
    with pytest.raises(PortError) as raised:
        Locator("usb:2341:0043", computer.list_ports).find()
    assert str(raised.value) == (
        "Several ports are usb:2341:0043: /dev/ttyACM0 (serial A), /dev/ttyACM1 (serial B); "
        "name one by path or serial."
    )


def test_a_path_that_was_a_board_is_known_by_its_serial_number_wherever_it_is() -> None:
    computer = Computer(port("/dev/ttyACM0", "A"), port("/dev/ttyACM1", "B"))
    locator = Locator("/dev/ttyACM0", computer.list_ports)
    assert locator.find() == "/dev/ttyACM0"
    locator.opened("/dev/ttyACM0")
    computer.ports = (port("/dev/ttyACM1", "B"),)
    assert locator.find() == "/dev/ttyACM0"  # not there: that is said when it is opened
    computer.ports = (port("/dev/ttyACM0", "B"), port("/dev/ttyACM1", "A"))
    assert locator.find() == "/dev/ttyACM1"  # the names were swapped


def test_a_board_without_a_serial_number_is_not_taken_for_the_other_tables() -> None:
    computer = Computer(port("/dev/ttyUSB0", None, CLONE), port("/dev/ttyUSB1", None, CLONE))
    locator = Locator("/dev/ttyUSB0", computer.list_ports)
    locator.opened("/dev/ttyUSB0")
    computer.ports = (port("/dev/ttyUSB1", None, CLONE),)
    assert locator.find() == "/dev/ttyUSB0"
    computer.ports = (port("/dev/ttyUSB1", None, CLONE), port("/dev/ttyUSB2", None, CLONE))
    assert locator.find() == "/dev/ttyUSB2"
    computer.ports = (*computer.ports, port("/dev/ttyUSB3", None, CLONE))
    assert locator.find() == "/dev/ttyUSB0"  # either of two: rather none than the wrong one


def test_a_link_to_a_device_is_followed(tmp_path: Path) -> None:
    (tmp_path / "ttyACM0").touch()
    by_id = tmp_path / "by-id"
    by_id.symlink_to(tmp_path / "ttyACM0")
    computer = Computer(port(tmp_path / "ttyACM0", "A"))
    locator = Locator(str(by_id), computer.list_ports)
    locator.opened(str(by_id))
    assert locator.find() == str(by_id)
    assert locator.is_findable()
    assert not locator.is_gone(str(by_id))
    (tmp_path / "ttyACM0").rename(tmp_path / "ttyACM1")
    computer.ports = (port(tmp_path / "ttyACM1", "A"),)
    assert locator.is_gone(str(by_id))
    assert locator.find() == str(tmp_path / "ttyACM1")


def test_a_port_that_is_not_on_usb_stays_where_it_is() -> None:
    computer = Computer(port("/dev/ttyS0", None, None), port("/dev/ttyS1", None, None))
    locator = Locator("/dev/ttyS0", computer.list_ports)
    locator.opened("/dev/ttyS0")
    computer.ports = (port("/dev/ttyS2", None, None),)
    assert locator.find() == "/dev/ttyS0"


def test_a_port_of_windows_is_there_when_it_is_listed() -> None:
    computer = Computer(port("COM3"))
    assert Locator("COM3", computer.list_ports).is_findable()
    assert not Locator("COM4", computer.list_ports).is_findable()
    assert not Locator("COM4", computer.list_ports).is_gone("COM4")


def test_a_url_is_always_there() -> None:
    locator = Locator("socket://host:7", Computer().list_ports)
    assert locator.is_findable()
    assert locator.find() == "socket://host:7"
    assert not locator.is_gone("socket://host:7")
