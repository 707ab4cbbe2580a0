"""The virtual board in stepped time: no thread, no port, and the same bytes every time.

It is moved and read as the simulated chip is (``simavr.SteppedBoard``), so that one scenario can be
played to both.
"""

from collections.abc import Callable

from firmware_bridge.board import Board
from firmware_bridge.events import Fault
from firmware_bridge.sensors import Sensors
from firmware_bridge.table_side import TableSide

WIRE_BYTES_PER_MS = 11.52  # 115200 baud, ten bits a byte
WATCHDOG_MS = 1000


class SteppedVirtualBoard(TableSide):
    """One board, which runs only while ``run`` does.

    Attributes:
        now_us: microseconds since it was made, those without power included.
    """

    def __init__(self, *, boot_id: str = "A1B2C3D4", millis: int = 0) -> None:
        """Switch the power on.

        Args:
            boot_id: of the first start.
            millis: what the millisecond counter starts from.
        """
        self.now_us = 0
        self._millis = millis
        self._board = Board(boot_id, self._now_ms())
        self._powered = True
        self._hangs_until_ms: int | None = None
        self._arriving = b""
        self._sending = b""
        self._room_to_send = self._room_to_receive = 0.0  # bytes that the wire has carried less

    @property
    def boot_id(self) -> str:
        """The boot id of the present start."""
        return self._board.boot_id

    def run(self, milliseconds: float, *, to_line_end: bool = False) -> bytes:
        """Let it run; what it has sent since the last call.

        Args:
            milliseconds: of the board's time, whole ones.
            to_line_end: stop earlier if it sends a line end.
        """
        sent = b""
        for _ in range(round(milliseconds)):
            self.now_us += 1000
            sent += self._step()
            if to_line_end and b"\n" in sent:
                break
        return sent

    def skip(self, milliseconds: int) -> None:
        """Let the millisecond counter jump forward, as if the board had run for so long."""
        self._millis += milliseconds

    def send(self, data: bytes) -> None:
        """Put bytes on the line to the board; they arrive at the line's speed."""
        self._arriving += data

    def reset(self) -> None:
        """Press the reset button."""
        self._restart()

    def power(self, *, is_on: bool) -> None:
        """Switch the supply; what was in RAM is lost."""
        if is_on and not self._powered:
            self._restart()
        self._powered = is_on

    def hang(self) -> None:
        """Let the firmware hang where it is, until the watchdog resets it."""
        self._hangs_until_ms = self._now_ms() + WATCHDOG_MS

    def _move(self, move: Callable[[Sensors, int], None]) -> None:
        move(self._board.sensors, self._now_ms())

    def _step(self) -> bytes:
        """One millisecond."""
        if not self._powered:
            self._arriving = b""
            return b""
        self._receive()
        if self._hangs_until_ms is not None:
            if self._now_ms() < self._hangs_until_ms:
                return b""
            self._restart()
            self._board.happen(Fault("WATCHDOG"), self._now_ms())
        return self._send()

    def _receive(self) -> None:
        self._room_to_receive = min(self._room_to_receive, 1.0) + WIRE_BYTES_PER_MS
        size = int(self._room_to_receive)
        data, self._arriving = self._arriving[:size], self._arriving[size:]
        self._room_to_receive -= len(data)
        self._board.receive(data)

    def _send(self) -> bytes:
        self._room_to_send = min(self._room_to_send, 1.0) + WIRE_BYTES_PER_MS
        sent = b""
        while self._room_to_send >= 1:
            if not self._sending:
                if self._board.wants_restart:
                    self._restart()
                self._sending = self._board.step(self._now_ms()) or b""
                if not self._sending:
                    break
            size = int(self._room_to_send)
            piece, self._sending = self._sending[:size], self._sending[size:]
            self._room_to_send -= len(piece)
            sent += piece
        return sent

    def _restart(self) -> None:
        self._board = self._board.restarted(self._now_ms())
        self._hangs_until_ms = None
        self._sending = b""

    def _now_ms(self) -> int:
        return self._millis + self.now_us // 1000
