"""The board's firmware, pass by pass, without a wire: the device's half of the protocol.

The limits are those of the small microcontroller that the firmware is for.
"""

from collections import deque
from dataclasses import dataclass

from firmware_bridge.events import (
    DiceReport,
    Dome,
    EventContent,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    WallReady,
)
from firmware_bridge.frames import SEQ_MODULUS, BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.messages import (
    COUNTER_MAX,
    DOME_BIT,
    LIFT_BIT,
    LIFT_KEY_BIT,
    MS_MODULUS,
    PROTOCOL,
    TRAY_BIT,
    WALL_BIT,
    BoardSnapshot,
    Event,
    Hello,
    Inputs,
    UnknownMessage,
    dice_key_bit,
    key_bit,
    to_frame,
)
from firmware_bridge.orders import (
    ORDER_LINE,
    Accepted,
    Acknowledge,
    Answer,
    Ping,
    Refused,
    Reset,
    StatusRequest,
    answer_frame,
    parse_order,
)

# The inputs that go with the events of the virtual board.

HELD_MS = 120  # how long a pressed key stays down


class ToldInputs:
    """Levels that follow from events, so that snapshots agree with them."""

    def __init__(self) -> None:
        self._levels = 0
        self._held_until_ms: dict[int, int] = {}

    def follow(self, content: EventContent, now_ms: int) -> None:
        """Move the inputs as this event says."""
        match content:
            case DiceReport(side):
                self._held_until_ms[dice_key_bit(side)] = now_ms + HELD_MS
            case KeyPressed(seat, key):
                self._held_until_ms[key_bit(seat, key)] = now_ms + HELD_MS
            case LiftKeyPressed(lift_key):
                self._held_until_ms[LIFT_KEY_BIT + lift_key] = now_ms + HELD_MS
            case WallReady():
                self._levels |= 1 << WALL_BIT
            case LiftMoved(side, is_up):
                self._set(LIFT_BIT + side, is_up)
            case TrayWeighed(seat):
                self._levels |= 1 << TRAY_BIT + seat
            case Dome(is_open):
                self._set(DOME_BIT, is_open)
                if is_open:  # the tiles go in: the wall that stood is used up
                    self._set(WALL_BIT, False)
            case _:
                pass

    def levels(self, now_ms: int) -> int:
        """The bits of a snapshot."""
        held = [bit for bit, until_ms in self._held_until_ms.items() if now_ms < until_ms]
        return self._levels | sum(1 << bit for bit in held)

    def _set(self, bit: int, level: bool) -> None:
        self._levels = self._levels & ~(1 << bit) | level << bit


KEPT_EVENTS = 32  # a minute of hurried players; 32 x 10 bytes of 2048
RECEIVE_BUFFER = 64  # bytes, as in the Arduino core for this chip
FIRMWARE = "virtual-1"
CAPABILITIES = ("DICE", "WALL", "DOME", "KEY", "LIFT", "LIFTKEY", "TRAY", "FAULT")


@dataclass(frozen=True, slots=True)
class BoardTiming:
    """The periods of repetition; the defaults are the protocol's."""

    resend_ms: int = 250
    snapshot_ms: int = 500


class Board:
    """One board. Time is told by the caller, in milliseconds of any steady clock.

    Attributes:
        boot_id: eight hexadecimal digits, the start counted in the last four.
        overruns: bytes that the receive buffer had no room for.
        wants_restart: it was told to; the caller goes on with ``restarted`` when its last line is
            sent.
    """

    def __init__(self, boot_id: str, now_ms: int, timing: BoardTiming | None = None) -> None:
        self.boot_id = boot_id
        self.overruns = 0
        self.wants_restart = False
        self._timing = timing or BoardTiming()
        self._started_ms = now_ms
        self._seq = 0
        self._events: deque[Event] = deque()
        self._sent = 0  # how many of the kept events were sent in this round
        self._repeats = False
        self._resend_at_ms = now_ms
        self._snapshot_at_ms = now_ms
        self._hello_due = True
        self._snapshot_due = False
        self._told = ToldInputs()
        self._received = b""
        self._decoder = FrameDecoder(ORDER_LINE)
        self._bad_lines = 0

    def restarted(self, now_ms: int) -> "Board":
        """The board after a power failure or reset: all is lost, and the boot id is the next."""
        board, start = self.boot_id[:4], int(self.boot_id[4:], 16)
        boot_id = f"{board}{(start + 1) & 0xFFFF:04X}"
        return Board(boot_id, now_ms, self._timing)

    def happen(self, content: EventContent, now_ms: int) -> None:
        """Something happens at the table."""
        self._told.follow(content, now_ms)
        self._seq = (self._seq + 1) % SEQ_MODULUS
        if len(self._events) == KEPT_EVENTS:
            self._forget_oldest()
        self._events.append(Event(self._seq, self.boot_id, self._clock(now_ms), content))

    def receive(self, data: bytes) -> None:
        """Bytes arrive: as many as there is room for are kept, the rest is counted and lost."""
        room = RECEIVE_BUFFER - len(self._received)
        self._received += data[:room]
        self.overruns = min(self.overruns + len(data[room:]), COUNTER_MAX)

    def step(self, now_ms: int) -> bytes | None:
        """One pass of the main loop: the next line to send, or None if there is nothing to say.

        The firmware waits until a line is sent. So the caller steps again only then, and meanwhile
        what arrives fills the receive buffer.
        """
        answer = self._obey()
        if answer is not None:
            return encode(answer_frame(answer))
        if self._hello_due:
            self._hello_due = False
            self._snapshot_due = True
            return encode(to_frame(self._hello(now_ms)))
        if self._snapshot_due:
            return self._snapshot_line(now_ms)
        return self._event_line(now_ms) or self._snapshot_line(now_ms)

    @property
    def pending(self) -> int:
        """How many events it keeps."""
        return len(self._events)

    def next_step_ms(self, now_ms: int) -> int:
        """When step has something to do at the latest, if nothing arrives and nothing happens."""
        if (
            self._received
            or self.wants_restart
            or self._hello_due
            or self._snapshot_due
            or self._sent < len(self._events)
        ):
            return now_ms
        return min([self._snapshot_at_ms, *([self._resend_at_ms] if self._events else [])])

    def _obey(self) -> Answer | None:
        """Read what has arrived, up to the first order that wants an answer."""
        while self._received:
            line, end, self._received = self._received.partition(b"\n")
            for frame in self._decoder.feed(line + end):
                answer = self._obey_one(frame)
                if answer is not None:
                    return answer
        return None

    def _obey_one(self, frame: Frame | BadFrame) -> Answer | None:
        order = frame if isinstance(frame, BadFrame) else parse_order(frame)
        match order:
            case BadFrame():
                self._bad_lines = min(self._bad_lines + 1, COUNTER_MAX)
                return None
            case UnknownMessage(unknown):
                self._bad_lines = min(self._bad_lines + 1, COUNTER_MAX)
                return Refused(unknown.seq, "TYPE")
            case Acknowledge(seq, boot_id):
                self._forget_stored(seq, boot_id)
                return None
            case Reset():
                self.wants_restart = True
            case StatusRequest():
                self._hello_due = True
                self._repeat()
            case Ping():
                pass
        assert isinstance(frame, Frame)
        return Accepted(frame.seq)

    def _forget_stored(self, seq: int, boot_id: str) -> None:
        # A number that is not among the kept ones is of another time: it must not count.
        if boot_id == self.boot_id and any(event.seq == seq for event in self._events):
            while self._events and self._events[0].seq != seq:
                self._forget_oldest()
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        self._events.popleft()
        self._sent = max(0, self._sent - 1)

    def _event_line(self, now_ms: int) -> bytes | None:
        if self._sent == len(self._events) and now_ms >= self._resend_at_ms:
            self._repeat()
        if self._sent == len(self._events):
            return None
        # Counted from the end of a repetition: on a slow line, too, it comes to its last event, and
        # snapshots find their time between. But a new event does not put it off: hurried players
        # would do so until there is no room for the older ones.
        if self._sent == 0 or self._repeats:
            self._resend_at_ms = now_ms + self._timing.resend_ms
        self._sent += 1
        self._repeats = self._repeats and self._sent < len(self._events)
        return encode(to_frame(self._events[self._sent - 1]))

    def _repeat(self) -> None:
        self._sent = 0
        self._repeats = True

    def _snapshot_line(self, now_ms: int) -> bytes | None:
        if now_ms < self._snapshot_at_ms and not self._snapshot_due:
            return None
        self._snapshot_due = False
        self._snapshot_at_ms = now_ms + self._timing.snapshot_ms
        return encode(to_frame(self._snapshot(now_ms)))

    def _hello(self, now_ms: int) -> Hello:
        return Hello(
            seq=self._seq,
            boot_id=self.boot_id,
            board_ms=self._clock(now_ms),
            pending=len(self._events),
            protocol=PROTOCOL,
            firmware=FIRMWARE,
            capabilities=CAPABILITIES,
        )

    def _snapshot(self, now_ms: int) -> BoardSnapshot:
        return BoardSnapshot(
            seq=self._seq,
            boot_id=self.boot_id,
            board_ms=self._clock(now_ms),
            pending=len(self._events),
            inputs=Inputs(self._told.levels(now_ms)),
            bad_lines=self._bad_lines,
            overruns=self.overruns,
        )

    def _clock(self, now_ms: int) -> int:
        return (now_ms - self._started_ms) % MS_MODULUS
