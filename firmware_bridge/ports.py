"""Serial ports by any pyserial URL: listed, found again, opened, or why they cannot be."""

import contextlib
import errno
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import serial
from serial.tools import list_ports

# The errors of opening a port; pyserial lets the terminal's own error through on POSIX.
_ERRORS: tuple[type[Exception], ...] = (OSError, ValueError)
try:
    import termios
except ImportError:  # Windows
    HAS_MODEM_SETTINGS = False
else:
    HAS_MODEM_SETTINGS = True
    _ERRORS += (termios.error,)

RESET_PULSE_S = 0.1  # the boards' reset circuits need a few microseconds


class Port(Protocol):
    """The link's needs of an open port; pyserial's own ports meet them.

    Attributes:
        dtr: the modem line that restarts an Arduino when it goes up; setting it may raise OSError.
    """

    dtr: bool

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read at once."""

    def read(self, size: int, /) -> bytes:
        """Read up to size bytes; fewer or none after the timeout."""

    def write(self, data: bytes, /) -> int | None:
        """Write all of it."""

    def close(self) -> None:
        """Give the port back."""


class PortError(Exception):
    """A port that cannot be opened; the message is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class FoundPort:
    """A serial port of this computer.

    Attributes:
        path: what to open.
        description: as the system gives it.
        usb_id: vendor and product, such as ``2341:0043``; None where it is not on USB.
        usb_serial: the adapter's serial number, where it has one.
    """

    path: str
    description: str
    usb_id: str | None
    usb_serial: str | None


def find_ports() -> tuple[FoundPort, ...]:
    """The serial ports that the system knows, those on USB first."""
    found = [
        FoundPort(
            path=port.device,
            description=port.description or "",
            usb_id=None if port.vid is None else f"{port.vid:04x}:{port.pid:04x}",
            usb_serial=port.serial_number,
        )
        for port in list_ports.comports()
    ]
    return tuple(sorted(found, key=lambda port: (port.usb_id is None, port.path)))


def open_port(url: str, baud: int, poll_s: float) -> Port:
    """Open a port for this program alone.

    Args:
        url: a device path or any pyserial URL (``socket://host:port``, ``loop://``, ...).
        baud: bits a second; 8 data bits, no parity, one stop bit.
        poll_s: how long a read waits for the first byte.

    Raises:
        PortError: it is not there, is in use, is not allowed, or is no port.
    """
    try:
        # pyserial sets the modem lines itself and knows that pseudo-terminals have none.
        port: Port = serial.serial_for_url(
            url, baudrate=baud, timeout=poll_s, write_timeout=1.0, exclusive=True
        )
    except _ERRORS as error:
        raise PortError(_why_closed(url, error)) from error
    # Ask the system to leave DTR up when the port is closed, even by a crash. An Arduino restarts
    # when DTR goes up. So only the first opening after it was plugged in restarts it, and what it
    # keeps for us outlives this program.
    if HAS_MODEM_SETTINGS and isinstance(port, serial.Serial):
        with contextlib.suppress(*_ERRORS):
            attributes = termios.tcgetattr(port.fileno())
            attributes[2] &= ~termios.HUPCL
            termios.tcsetattr(port.fileno(), termios.TCSANOW, attributes)
    return port


def restart_board(port: Port) -> None:
    """Restart an Arduino by its DTR line; nothing happens where there is no such line."""
    with contextlib.suppress(OSError):
        port.dtr = False
        time.sleep(RESET_PULSE_S)
        port.dtr = True


def _why_closed(url: str, error: Exception) -> str:
    match getattr(error, "errno", None):
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return f"Port {url} is not there: is the board plugged in?"
        case errno.EACCES | errno.EPERM:
            return (
                f"Port {url} may not be opened by this user: "
                "add the user to the group that owns it (often dialout) and log in again."
            )
        case errno.EBUSY | errno.EAGAIN:
            return f"Port {url} is in use by another program."
        case _:
            return f"Port {url} cannot be opened: {str(error).splitlines()[0].rstrip('.')}."


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
            ports = [
                port
                for port in self._list_ports()
                if port.usb_id == selector.usb_id and selector.serial in (None, port.usb_serial)
            ]
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
        own = known.usb_id, known.usb_serial
        same = {port.path for port in self._list_ports() if (port.usb_id, port.usb_serial) == own}
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
