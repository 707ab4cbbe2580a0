"""A host in stepped time: what ``Link`` does, at the moments that the caller tells."""

from collections.abc import Callable

from firmware_bridge.frames import encode
from firmware_bridge.link import DEFAULT_TIMING
from firmware_bridge.orders import Order, OrderDone, OrdersInFlight, acknowledge_frame
from firmware_bridge.receiver import Position, Reading, Receiver


class SteppedHost:
    """Receives, stores and acknowledges without a port and without a clock of its own.

    Attributes:
        receiver: the host's half of the protocol.
        reopenings: how often the line was given up and opened anew, for its silence.
    """

    def __init__(
        self,
        store: Callable[[Reading], None],
        *,
        resume: Position | None = None,
        done: Callable[[OrderDone], None] = lambda done: None,
    ) -> None:
        """Make a host whose line is just open.

        Args:
            store: takes every reading; an event counts as stored when it returns.
            resume: the last event that an earlier host has stored.
            done: is told what became of the orders.
        """
        self.receiver = Receiver(resume)
        self.reopenings = 0
        self._store = store
        self._done = done
        self._orders = OrdersInFlight()
        self._asked_at_s = float("-inf")
        self._heard_at_s: float | None = None

    def order(self, order: Order) -> None:
        """Give the board an order, when it is its turn."""
        self._orders.put(order)

    def reopened(self, now_s: float) -> None:
        """The line was opened anew."""
        self.receiver.reopened()
        self._heard_at_s = now_s
        for done in self._orders.give_up("The line was opened anew.", now_s):
            self._done(done)

    def take(self, data: bytes, now_s: float) -> bytes:
        """Take what has arrived, perhaps nothing; what is to be sent now."""
        if self._heard_at_s is None:
            self._heard_at_s = now_s
        elif now_s - self._heard_at_s > DEFAULT_TIMING.silent_s:
            self.reopenings += 1
            self.reopened(now_s)
        good = self.receiver.counters.good
        for item in self.receiver.feed(data, now_s=now_s, received_s=now_s):
            if isinstance(item, Reading):
                self._store(item)
                self.receiver.stored(item)
            else:
                for done in self._orders.finish(item, now_s):
                    self._done(done)
        if self.receiver.counters.good > good:
            self._heard_at_s = now_s
        frames = []
        acknowledgement = self.receiver.take_acknowledgement()
        if acknowledgement is not None:
            frames.append(acknowledge_frame(acknowledgement))
        for done in self._orders.expire(now_s, DEFAULT_TIMING.answer_s):
            self._done(done)
        if self.receiver.board is not None:
            frames += self._orders.due(now_s)
        if self.receiver.wants_greeting and now_s - self._asked_at_s >= DEFAULT_TIMING.ask_s:
            self._asked_at_s = now_s
            frames.append(self._orders.ask_greeting(now_s))
        return b"".join(encode(frame) for frame in frames)
