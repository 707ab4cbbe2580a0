"""Where a board is now: a USB port may come back under another name."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.ports import FoundPort, PortError, find_ports

_SELECTOR = re.compile(r"usb:([0-9a-f]{4}:[0-9a-f]{4})(?::(.+))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UsbSelector:
    """``usb:2341:0043`` or ``usb:2341:0043:SERIAL``: a port by its vendor, product and number.

    Attributes:
        usb_id: as in ``FoundPort``.
        serial: the adapter's serial number; None for any.
    """

    usb_id: str
    serial: str | None

    def is_of(self, port: FoundPort) -> bool:
        """Whether the port is one that this means."""
        is_serial_right = self.serial is None or self.serial == port.usb_serial
        return port.usb_id == self.usb_id and is_serial_right


def read_selector(url: str) -> UsbSelector | None:
    """Read a USB selector; None where the text is something else, such as a path.

    >>> read_selector("usb:2341:0043")
    UsbSelector(usb_id='2341:0043', serial=None)

    Raises:
        PortError: it begins like one and is none.
    """
    match = _SELECTOR.fullmatch(url)
    if match is not None:
        return UsbSelector(match[1].lower(), match[2])
    if url.startswith("usb:"):
        raise PortError(f"'{url}' is no USB port: write usb:VENDOR:PRODUCT, as in usb:2341:0043.")
    return None


class Locator:
    """Finds the port that is meant, again and again."""

    def __init__(self, url: str, list_ports: Callable[[], tuple[FoundPort, ...]] = find_ports):
        self._url = url
        self._list_ports = list_ports
        self._known: FoundPort | None = None  # what a path was when it was last opened
        self._others: frozenset[str] = frozenset()  # what else there was then

    def find(self) -> str:
        """The path or URL to open now.

        Raises:
            PortError: it is not there, or could be several.
        """
        selector = read_selector(self._url)
        if selector is not None:
            ports = [port for port in self._list_ports() if selector.is_of(port)]
            if not ports:
                raise PortError(f"No port is {self._url}: is the board plugged in?")
            if len(ports) > 1:
                names = ", ".join(
                    f"{port.path} (serial {port.usb_serial or 'none'})" for port in ports
                )
                raise PortError(
                    f"Several ports are {self._url}: {names}; name one by path or serial."
                )
            return ports[0].path
        known = self._known
        if known is None or known.usb_id is None:
            return self._url
        same = {port.path for port in self._list_ports() if _is_same(port, known)}
        if self._url in same or os.path.realpath(self._url) in same:
            return self._url
        # Without serial numbers, one that was there all the time is another table's board.
        renamed = same if known.usb_serial is not None else same - self._others
        return renamed.pop() if len(renamed) == 1 else self._url

    def opened(self, path: str) -> None:
        """Note that a board was found at this path: it is to be known again under another."""
        ports = {port.path: port for port in self._list_ports()}
        self._known = ports.get(os.path.realpath(path)) or ports.get(path)
        self._others = frozenset(ports) - {path, os.path.realpath(path)}

    def is_findable(self) -> bool:
        """Whether there is something to open, as far as one can see without opening it."""
        try:
            path = self.find()
            if os.path.isabs(path):
                return os.path.exists(path)
            return "://" in path or path in [port.path for port in self._list_ports()]
        except PortError:
            return False

    def is_gone(self, path: str) -> bool:
        """Whether an opened device has vanished; a URL never has, as far as one can see."""
        return os.path.isabs(path) and not os.path.exists(path)


def _is_same(port: FoundPort, known: FoundPort) -> bool:
    return (port.usb_id, port.usb_serial) == (known.usb_id, known.usb_serial)
