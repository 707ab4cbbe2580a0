"""The board's clock, seen from the host: how long ago was that board time?"""

from collections import deque

from firmware_bridge.messages import MS_MODULUS

# Snapshots come twice a second: the estimate looks back eight seconds, in which a board's ceramic
# resonator (0.5 %) drifts by 40 ms.
WINDOW = 16


class BoardClock:
    """Maps board milliseconds to host seconds by the fastest of the last messages.

    A message is never early, but a busy line or host makes it late: so the smallest difference
    between the two clocks is the truest.
    """

    def __init__(self) -> None:
        self._offsets: deque[float] = deque(maxlen=WINDOW)
        self._reference_ms = 0  # the last board time, without its modulus

    def observe(self, board_ms: int, now_s: float) -> None:
        """Note that a message just now told the board's time."""
        self._reference_ms += _difference(board_ms, self._reference_ms)
        self._offsets.append(now_s - self._reference_ms / 1000)

    def has_gone_back(self, board_ms: int, *, by_ms: int) -> bool:
        """Whether this board time lies before the latest one, as after a restart."""
        return bool(self._offsets) and _difference(board_ms, self._reference_ms) < -by_ms

    def age_s(self, board_ms: int, now_s: float) -> float:
        """Seconds from that board time to now; 0 at least, and 0 before the first message.

        Right for times up to 24 days ago, half the range of the board's counter.
        """
        if not self._offsets:
            return 0.0
        then_ms = self._reference_ms + _difference(board_ms, self._reference_ms)
        return max(0.0, now_s - (then_ms / 1000 + min(self._offsets)))


def _difference(board_ms: int, reference_ms: int) -> int:
    """The shortest way from the reference to the board time, around the counter's end."""
    half = MS_MODULUS // 2
    return (board_ms - reference_ms + half) % MS_MODULUS - half
