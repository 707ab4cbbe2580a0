"""What the board's signals mean at this state of the table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

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
from table_assist.contract.commands import (
    DeclareReady,
    DeclareWin,
    EndHand,
    PassLastTile,
    StartHand,
)
from table_assist.game.course import next_step
from table_assist.game.doubt import Doubt
from table_assist.game.due import due_end
from table_assist.game.events import (
    BoardSaid,
    HandAbandoned,
    LastTilePassed,
    ReadyDeclared,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.start import hand_started
from table_assist.game.state import Phase, TableState
from table_assist.game.step import Act
from table_assist.game.turn import may_pass
from table_assist.session.dice_thrown import (
    Signal,
    Table,
    read_dice,
)
from table_assist.words import Words, words_of

# A board keeps at most so many signals that are not acknowledged.
MOST_PENDING = 256
NO_HAND = Words("no hand is running", "没有进行中的牌局")


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
    if not state.is_running:
        return None
    text = Words(
        f"The board restarted during hand {state.hand}: a key pressed just before may be missing.",
        f"控制板在第 {state.hand} 局中重启：此前按下的键可能没有记录。",
    )
    return Doubt(QuestionId(state.hand, QuestionKind.RESTART, subject=boot_id), text)


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
            return read_dice(state, content.side, content.values, table)
        case Dome(is_open):
            return _dome(state) if is_open else Signal()
        case KeyPressed(seat, key):
            return _key(state, seat, key)
        case LiftMoved() | LiftKeyPressed() | TrayWeighed():
            return Signal()
        case EventsLost(count):
            text = Words(
                f"The board lost {count} of its signals: please check what was recorded last.",
                f"控制板丢失了 {count} 个信号,请核对最近的记录。",
            )
            question = QuestionId(state.hand, QuestionKind.LOST, subject=str(count))
            return Signal((), (Doubt(question, text),))
        case Fault(kind):
            return Signal(
                told=Words(f"The board reports a fault: {kind}.", f"控制板报告故障：{kind}。")
            )
        case UnreadableEvent(kind, _, reason):
            return Signal(
                told=Words(
                    f"The board said {kind}, which was not understood: {reason}.",
                    f"控制板发来 {kind}，无法理解：{reason}。",
                )
            )


# What a key or the dome says where there is a board.
Said = StartHand | DeclareWin | DeclareReady | PassLastTile | EndHand


def read_command(state: TableState, command: Said, table: Table) -> Signal:
    """What a person at a table without a board says; the notice is why nothing follows from it."""
    match command:
        case StartHand(dealer):
            return _dealt_by(state, dealer, table)
        case DeclareWin(seat):
            if not state.is_running:
                return Signal(notice=NO_HAND)
            if seat in state.declared:
                return Signal(
                    notice=Words(f"{{{seat}}} has already declared a win", f"{{{seat}}} 已经报和")
                )
            return Signal((WinDeclared(seat),))
        case DeclareReady(seat):
            return _declares_ready(state, seat)
        case PassLastTile(seat):
            return _passes(state, seat)
        case EndHand():
            if not state.is_running:
                return Signal(notice=NO_HAND)
            if is_played_out(state):
                return drawn(state)
            return Signal((HandAbandoned(),))


def _declares_ready(state: TableState, seat: int) -> Signal:
    """A hand is declared ready where the rules have that, and once."""
    if state.phase is not Phase.PLAYING:
        return Signal(
            notice=Words("no hand is being played that could be ready", "没有进行中的牌局可以报听")
        )
    if rules_in_force(state).ready is None:
        return Signal(notice=Words("nobody declares ready in these rules", "本规则不报听"))
    if state.seats[seat].ready:
        return Signal(
            notice=Words(f"{{{seat}}} has declared ready already", f"{{{seat}}} 已经报听")
        )
    return Signal((ReadyDeclared(seat),))


def _passes(state: TableState, seat: int) -> Signal:
    """Whoever is to draw the last tile leaves it to the next, where the rules allow that."""
    if state.phase is Phase.PLAYING and may_pass(state) and state.turn == seat:
        return Signal((LastTilePassed(seat),))
    return Signal(
        notice=Words(
            f"there is no last tile that {{{seat}}} may leave now",
            f"现在没有 {{{seat}}} 可以放弃的最后一张牌",
        )
    )


def _dealt_by(state: TableState, dealer: int, table: Table) -> Signal:
    """A hand is dealt, with the dice as far as they are known."""
    if state.is_running:
        return Signal(
            notice=Words(f"hand {state.hand} is still running", f"第 {state.hand} 局还在进行")
        )
    built = () if state.phase is Phase.WALL_READY else (WallBuilt(),)
    try:
        started = hand_started(table.profile, replay(built, state), dealer)
    except ValueError:
        why = Words(
            "the size of the wall rests on the dice: roll them where they are seen",
            "牌墙大小取决于骰子：请在看得见的地方掷骰",
        )
        return Signal(notice=why)
    return Signal((*built, started))


# --- The wall


def _wall_ready(state: TableState) -> Signal:
    """A new wall is proof that the hand is over, settled or not: what is missing is asked."""
    if not state.is_running:
        return Signal((WallBuilt(),))
    if is_played_out(state):
        ending = drawn(state)
        if ending.events:
            return replace(ending, events=(*ending.events, WallBuilt()))
    text = Words(
        f"Hand {state.hand} ended without a settlement ({_standing(state)}). Was it given up?",
        f"第 {state.hand} 局没有结算(牌墙剩 {state.wall_left} 张)就结束了。这一局作废吗?",
    )
    doubt = Doubt(QuestionId(state.hand, QuestionKind.UNSETTLED), text)
    return Signal((HandAbandoned(), WallBuilt()), (doubt,))


def is_played_out(state: TableState) -> bool:
    """Whether the wall is empty, or nobody wanted its last tile, and nobody has won."""
    if state.phase is not Phase.PLAYING:
        return False
    return next_step(rules_in_force(state), state).act is Act.NOBODY_WINS


def drawn(state: TableState) -> Signal:
    """Nobody wins; where not all is known that is paid all the same, people say so first."""
    try:
        due = due_end(state, drawn=True)
    except ValueError as error:  # who deals next cannot be told
        why = words_of(error)
        text = Words(f"Nobody has won, but {why.en}.", f"无人和牌，但{why.zh}。")
        return Signal((), (Doubt(QuestionId(state.hand, QuestionKind.DRAWN), text),))
    if due.end is None:
        return Signal()
    if not due.unsure:
        return Signal((due.end,))
    english = " ".join(words.en for words in due.unsure)
    chinese = "".join(words.zh for words in due.unsure)
    text = Words(
        f"Nobody has won. {english} Is the hand drawn as shown?",
        f"无人和牌。{chinese}按所示流局吗?",
    )
    question = QuestionId(state.hand, QuestionKind.DRAWN)
    return Signal((), (Doubt(question, text, ("yes", "no"), if_yes=due.end),))


def _dome(state: TableState) -> Signal:
    if is_played_out(state):
        return drawn(state)
    if not state.is_running:
        return Signal()
    text = Words(
        f"The dome opened while hand {state.hand} was running ({_standing(state)}). "
        "Was the hand given up?",
        f"第 {state.hand} 局尚未结束(牌墙剩 {state.wall_left} 张),机盖已打开。这一局作废吗?",
    )
    question = QuestionId(state.hand, QuestionKind.ENDED)
    doubt = Doubt(question, text, ("yes", "no"), if_yes=HandAbandoned())
    return Signal((), (doubt,))


def _standing(state: TableState) -> str:
    if state.declared:
        return f"the win of {{{state.declared[0]}}} is not settled"
    return f"{state.wall_left} tiles left in the wall"


# --- Keys


_KEYS = {Key.WIN: "和", Key.READY: "听", Key.PASS: "过", Key.KONG: "杠"}


def _key(state: TableState, seat: int, key: Key) -> Signal:
    if not state.is_running:
        return Signal(
            told=Words(
                f"{{{seat}}} pressed {key} while no hand was running.",
                f"没有进行中的牌局，{{{seat}}} 却按了“{_KEYS[key]}”键。",
            )
        )
    match key:
        case Key.WIN:
            return Signal((WinDeclared(seat),)) if seat not in state.declared else Signal()
        case Key.READY:
            return Signal((ReadyDeclared(seat),)) if not state.seats[seat].ready else Signal()
        case Key.PASS:
            passes = may_pass(state) and seat == state.turn
            return Signal((LastTilePassed(seat),)) if passes else Signal()
        case Key.KONG:
            return Signal()  # what lies on the table says which; the onlooker looks for it
