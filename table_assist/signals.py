"""What the board's signals mean at this state of the table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_bridge.events import DiceRolled as BoardDice
from firmware_bridge.events import (
    Dome,
    EventContent,
    Fault,
    Key,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    UnreadableEvent,
    WallReady,
    write_event,
)
from firmware_bridge.frames import SEQ_MODULUS
from firmware_bridge.messages import Hello
from firmware_bridge.messages import Snapshot as BoardSnapshot
from firmware_bridge.receiver import EventsLost, Reading
from table_assist.doubts import Doubt
from table_assist.game.events import (
    BoardSaid,
    DiceRolled,
    Event,
    HandAbandoned,
    ReadyDeclared,
    WallBuilt,
    WallExhausted,
    WinDeclared,
)
from table_assist.game.start import hand_started
from table_assist.game.state import Phase, TableState
from table_assist.rules.profile import Profile
from table_assist.snapshot import DeclareWin, EndHand, StartHand

# A board keeps at most so many signals that are not acknowledged.
MOST_PENDING = 256
RUNNING = (Phase.PLAYING, Phase.SHOWING)


@dataclass(frozen=True, slots=True)
class Signal:
    """What a signal adds to the record.

    Attributes:
        doubts: each is about the last of the events, if there is one. ``{2}`` in a text stands for
            the name of the player in seat 2.
        notice: what was odd, in a sentence, likewise; empty for nothing.
    """

    events: tuple[Event, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """What signals need to know besides the state.

    Attributes:
        profile: the rules of the next hand.
        drawn: how the hand ends if nobody wins it.
    """

    profile: Profile
    drawn: WallExhausted


@dataclass(frozen=True, slots=True)
class BoardSignal:
    """Something the board said.

    Attributes:
        origin: the same for the same signal however often it is delivered.
        stored: called once the signal's consequences are on disk.
    """

    content: EventContent | EventsLost | Hello
    origin: str = ""
    stored: Callable[[], None] = lambda: None


def board_signal(reading: Reading, acknowledge: Callable[[Reading], None]) -> BoardSignal | None:
    """A reading as the session takes it; None for what says nothing of the game."""
    content = reading.content
    if isinstance(content, BoardSnapshot):
        return None
    if isinstance(content, Hello):
        return BoardSignal(content)
    return BoardSignal(
        content,
        origin=f"board {reading.boot_id} {reading.seq}",
        stored=lambda: acknowledge(reading),
    )


def said(content: EventContent | EventsLost) -> BoardSaid:
    """What the board said, as it is kept where nothing else follows from it."""
    if isinstance(content, EventsLost):
        return BoardSaid("LOST", (str(content.count),))
    kind, *fields = write_event(content)
    return BoardSaid(kind, tuple(fields))


def restart_doubt(state: TableState, boot_id: str) -> Doubt | None:
    """The board has started anew in the middle of a hand: what it kept is gone."""
    if state.phase not in RUNNING:
        return None
    text = (
        f"The board restarted during hand {state.hand}: a key pressed just before may be missing.",
        f"控制板在第 {state.hand} 局中重启：此前按下的键可能没有记录。",
    )
    return Doubt(f"hand-{state.hand}-restart-{boot_id}", text)


def boot_id_of(origins: Sequence[str]) -> str:
    """The board that the last recorded signal came from; empty if there was none."""
    return origins[-1].split(" ")[1] if origins else ""


def may_come_again(origins: Sequence[str]) -> frozenset[str]:
    """What a board may send again after a crash: the last recorded signal and those before it.

    Those before it were taken in too, though not every signal needs an entry.
    """
    if not origins:
        return frozenset()
    board, seq = origins[-1].rsplit(" ", 1)
    return frozenset(f"{board} {(int(seq) - back) % SEQ_MODULUS}" for back in range(MOST_PENDING))


def read_signal(state: TableState, content: EventContent | EventsLost, table: Table) -> Signal:
    """The events and doubts that follow from one signal of the board."""
    match content:
        case WallReady():
            return _wall_ready(state)
        case BoardDice():
            return _dice(state, content, table)
        case Dome(is_open):
            return _dome(state, table) if is_open else Signal()
        case KeyPressed(seat, key):
            return _key(state, seat, key)
        case LiftMoved() | LiftKeyPressed() | TrayWeighed():
            return Signal()
        case EventsLost(count):
            text = (
                f"The board lost {count} of its signals: please check what was recorded last.",
                f"控制板丢失了 {count} 个信号,请核对最近的记录。",
            )
            return Signal((), (Doubt(f"hand-{state.hand}-lost-{count}", text),))
        case Fault(kind):
            return Signal(notice=f"The board reports a fault: {kind}.")
        case UnreadableEvent(kind, _, reason):
            return Signal(notice=f"The board said {kind}, which was not understood: {reason}.")


def read_command(
    state: TableState, command: StartHand | DeclareWin | EndHand, table: Table
) -> Signal:
    """What a person at a table without a board says; the notice is why nothing follows from it."""
    running = state.phase in RUNNING
    match command:
        case StartHand(dealer):
            if running:
                return Signal(notice=f"hand {state.hand} is still running")
            return Signal((WallBuilt(), hand_started(table.profile, state, dealer)))
        case DeclareWin(seat):
            if not running:
                return Signal(notice="no hand is running")
            if seat in state.declared:
                return Signal(notice=f"{{{seat}}} has already declared a win")
            return Signal((WinDeclared(seat),))
        case EndHand():
            if not running:
                return Signal(notice="no hand is running")
            if state.phase is Phase.PLAYING and state.wall_left == 0:
                return Signal((table.drawn,))
            return Signal((HandAbandoned(),))


def _wall_ready(state: TableState) -> Signal:
    """A new wall is proof that the hand is over, settled or not: what is missing is asked."""
    if state.phase not in RUNNING:
        return Signal((WallBuilt(),))
    text = (
        f"Hand {state.hand} ended without a settlement ({_standing(state)}). Was it given up?",
        f"第 {state.hand} 局没有结算(牌墙剩 {state.wall_left} 张)就结束了。这一局作废吗?",
    )
    doubt = Doubt(f"hand-{state.hand}-unsettled", text)
    return Signal((HandAbandoned(), WallBuilt()), (doubt,))


def _dice(state: TableState, dice: BoardDice, table: Table) -> Signal:
    rolled = DiceRolled(dice.side, dice.values)
    if state.phase in RUNNING:
        return Signal((rolled,))
    expected = dice.side if state.dealer_next is None else state.dealer_next
    started = hand_started(table.profile, state, expected)
    if expected == dice.side:
        return Signal((rolled, started))
    other = hand_started(table.profile, state, dice.side)
    text = (
        f"{{{dice.side}}} rolled the dice, but by the rules {{{expected}}} deals: "
        f"does {{{dice.side}}} deal?",
        f"{{{dice.side}}} 掷了骰子,但按规则应由 {{{expected}}} 坐庄。由 {{{dice.side}}} 坐庄吗?",
    )
    doubt = Doubt(f"hand-{started.hand}-dealer", text, ("yes", "no"), if_yes=other)
    return Signal((rolled, started), (doubt,))


def _dome(state: TableState, table: Table) -> Signal:
    if state.phase is Phase.PLAYING and state.wall_left == 0:
        return Signal((table.drawn,))
    if state.phase not in RUNNING:
        return Signal()
    text = (
        f"The dome opened while hand {state.hand} was running ({_standing(state)}). "
        "Was the hand given up?",
        f"第 {state.hand} 局尚未结束(牌墙剩 {state.wall_left} 张),机盖已打开。这一局作废吗?",
    )
    doubt = Doubt(f"hand-{state.hand}-ended", text, ("yes", "no"), if_yes=HandAbandoned())
    return Signal((), (doubt,))


def _standing(state: TableState) -> str:
    if state.declared:
        return f"the win of {{{state.declared[0]}}} is not settled"
    return f"{state.wall_left} tiles left in the wall"


def _key(state: TableState, seat: int, key: Key) -> Signal:
    if state.phase not in RUNNING:
        return Signal(notice=f"{{{seat}}} pressed {key} while no hand was running.")
    match key:
        case Key.WIN:
            return Signal((WinDeclared(seat),)) if seat not in state.declared else Signal()
        case Key.READY:
            return Signal((ReadyDeclared(seat),)) if not state.seats[seat].ready else Signal()
        case Key.KONG | Key.PASS:
            return Signal()  # what lies on the table says it
