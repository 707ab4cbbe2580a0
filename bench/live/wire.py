"""The serial line on simulated time: the virtual board's half and the host's half, and faults.

The same bytes as over a real port, and nothing waits: what takes a quarter of a second at a table
takes none here. Everything is drawn from the seed.
"""

from collections.abc import Callable
from random import Random

from firmware_bridge.events import EventContent
from firmware_bridge.faults import FaultyLine, LineFault
from firmware_bridge.frames import encode
from firmware_bridge.orders import StatusRequest, acknowledge_frame, order_frame
from firmware_bridge.receiver import Reading, Receiver
from firmware_bridge.simulator import Board

STEP_S = 0.04
LINES_A_STEP = 8


class SimulatedWire:
    """A board and what listens to it.

    Args:
        clock: simulated seconds.
        deliver: takes each reading once; acknowledges with `acknowledge` when it is stored.
        faults: the share of signals around which the line does harm.
    """

    def __init__(
        self,
        seed: int,
        clock: Callable[[], float],
        deliver: Callable[[Reading], None],
        *,
        faults: float = 0.0,
    ) -> None:
        self._rng = Random(f"wire-{seed}")
        self._clock = clock
        self._deliver = deliver
        self._faults = faults
        self._served_t = clock()
        self._board = Board(f"{seed & 0xFFFF:04X}0001", self._ms())
        self._line, self._orders = FaultyLine(seed), FaultyLine(seed + 1)
        self._receiver = Receiver()
        self._unplugged_until = 0.0
        self._asked_at = -1.0

    def happen(self, content: EventContent) -> None:
        """Something happens at the board."""
        if self._rng.random() < self._faults:
            fault = self._rng.choice(list(LineFault))
            self._line.harm(fault, self._rng.randint(1, 4))
            if self._rng.random() < 0.3:
                self._orders.harm(LineFault.DROP, 2)
            if self._rng.random() < 0.15:
                self._unplugged_until = self._clock() + self._rng.uniform(0.5, 3.0)
        self._board.happen(content, self._ms())

    def serve(self) -> None:
        """Bring over whatever the time since the last call had room for."""
        while self._served_t < self._clock():
            self._served_t = min(self._served_t + STEP_S, self._clock())
            self._move()

    def acknowledge(self, reading: Reading) -> None:
        """The reading is on disk."""
        self._receiver.stored(reading)

    @property
    def pending(self) -> int:
        """Events that the board keeps because nobody has acknowledged them."""
        return self._board.pending

    def _move(self) -> None:
        if self._served_t < self._unplugged_until:
            self._receiver.reopened()
            return
        for _ in range(LINES_A_STEP):
            line = self._board.step(self._ms())
            if line is None:
                break
            data = self._line.carry(line)
            for item in self._receiver.feed(data, now_s=self._served_t, received_s=self._served_t):
                if isinstance(item, Reading):
                    self._deliver(item)
        if self._receiver.wants_greeting and self._served_t - self._asked_at >= 0.5:
            self._asked_at = self._served_t
            self._board.receive(self._orders.carry(encode(order_frame(StatusRequest(), 1))))
        due = self._receiver.take_acknowledgement()
        if due is not None:
            self._board.receive(self._orders.carry(encode(acknowledge_frame(due))))

    def _ms(self) -> int:
        return int(self._served_t * 1000)
