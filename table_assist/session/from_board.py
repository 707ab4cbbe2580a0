"""The board's words become entries of the record, or a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from firmware_bridge.events import (
    RADIO_DICE,
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
from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.frames import SEQ_MODULUS
from firmware_bridge.messages import BoardSnapshot as BoardSnapshot
from firmware_bridge.messages import Hello
from firmware_bridge.receiver import EventsLost, Reading
from table_assist.following.dice import dice_due
from table_assist.game.allowed import refuse
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    BoardSaid,
    HandAbandoned,
    LastTilePassed,
    ReadyDeclared,
    WallBuilt,
    WallExhausted,
    WinDeclared,
)
from table_assist.game.in_force import rules_in_force
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import TableState
from table_assist.game.turn import may_pass
from table_assist.languages.words import Words, player_at
from table_assist.record.log import Source
from table_assist.rules.profile import Profile
from table_assist.session.command_handler import CommandHandler
from table_assist.session.dice_thrown import SignalEffect, read_dice
from table_assist.session.kong_keys import KongKeys
from table_assist.session.told import drawn, drawn_as_told, is_played_out

# A board keeps at most so many signals that are not acknowledged.
MOST_PENDING = 256


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


class BoardInput:
    """Tells the command handler what the board says.

    What it says is acknowledged once it is on disk; what comes again after a crash is known.

    Args:
        kong_keys: keys after which a kong must lie on the table; noted here.
        is_wall_gone: whether the wall is seen to be drawn, though by the record it is not.
    """

    def __init__(
        self, handler: CommandHandler, kong_keys: KongKeys, is_wall_gone: Callable[[], bool]
    ) -> None:
        self._handler = handler
        self._kong_keys = kong_keys
        self._is_wall_gone = is_wall_gone
        self._stored: list[Callable[[], None]] = []
        self._resumed = may_come_again(handler.record.last_origins)
        # The board that the last recorded signal came from; empty if there was none
        origins = handler.record.last_origins
        self._boot_id = origins[-1].split(" ")[1] if origins else ""
        self._firmware = ""

    def handle(self, signal: BoardSignal) -> Words | None:
        """Record what follows from the signal; what was odd, for everybody to read."""
        content = signal.content
        if self._firmware == RADIO_DICE and isinstance(content, BoardDice):
            # They do not know who throws them: it is who is to throw
            seat, _ = dice_due(self._handler.profile.rules, self._handler.record.state)
            content = replace(content, side=seat)
        if isinstance(content, Hello):
            self._greet(content)
            return None
        self._stored.append(signal.stored)
        if signal.origin in self._resumed:
            return None
        self._resumed = frozenset()
        self._kong_keys.hear(content, is_running=self._handler.record.state.is_running)
        if isinstance(content, WallReady | BoardDice) or content == Dome(True):
            self._handler.accept()  # who goes on has accepted what was shown
        record = self._handler.record
        if content == Dome(True) and self._is_wall_gone():
            meaning = drawn(record.state)
        else:
            meaning = read_signal(record.state, content, self._handler.profile)
        ends = [each for each in meaning.events if isinstance(each, WallExhausted)]
        if ends and self._handler.waits_for_payers:
            meaning = SignalEffect((), (drawn_as_told(record.state, ends[0]),))
        seq, origin = 0, signal.origin
        for event in meaning.events:
            seq = record.append(event, Source.BOARD, origin=origin)
            origin = ""  # the first entry stands for the signal
        if not meaning.events:
            record.append(said(content), Source.BOARD, origin=origin)
        for doubt in meaning.doubts:
            if isinstance(content, EventsLost):
                often = f"{doubt.question.subject}-{record.seq}"
                doubt = replace(doubt, question=replace(doubt.question, subject=often))
            self._handler.ask(replace(doubt, about=seq))
        return meaning.told

    def saved(self) -> None:
        """All that was taken is on disk: the board need not keep it any more."""
        for stored in self._stored:
            stored()
        self._stored.clear()

    def _greet(self, board: Hello) -> None:
        """A board that starts anew in a hand has forgotten what it kept; dice keep nothing."""
        known, self._boot_id = self._boot_id, board.boot_id
        self._firmware = board.firmware
        if board.firmware == RADIO_DICE:
            return
        doubt = restart_doubt(self._handler.record.state, board.boot_id)
        if known not in ("", board.boot_id) and doubt is not None:
            self._handler.ask(doubt)


def said(content: EventContent | EventsLost) -> BoardSaid:
    """The board's words, as they are kept where nothing else follows from them."""
    if isinstance(content, EventsLost):
        return BoardSaid("LOST", (str(content.count),))
    kind, *fields = write_event(content)
    return BoardSaid(kind, tuple(fields))


def restart_doubt(state: TableState, boot_id: str) -> Doubt | None:
    """The board has started anew in the middle of a hand: what it kept is gone."""
    if not state.is_running:
        return None
    text = Words(
        "The board restarted during hand {hand}: a key pressed just before may be missing.",
        "控制板在第 {hand} 局中重启：此前按下的键可能没有记录。",
        hand=state.hand,
    )
    return Doubt(QuestionId(state.hand, QuestionKind.RESTART, subject=boot_id), text)


def may_come_again(origins: Sequence[str]) -> frozenset[str]:
    """The signals that a board may send again after a crash: the last recorded and those before it.

    Those before it were taken in too, though not every signal needs an entry.
    """
    if not origins:
        return frozenset()
    board, seq = origins[-1].rsplit(" ", 1)
    return frozenset(f"{board} {(int(seq) - back) % SEQ_MODULUS}" for back in range(MOST_PENDING))


def read_signal(
    state: TableState, content: EventContent | EventsLost, profile: Profile
) -> SignalEffect:
    """The events and doubts that follow from one signal of the board."""
    match content:
        case WallReady():
            # A new wall is proof that the hand is over, settled or not: what is missing is asked
            if not state.is_running:
                return SignalEffect((WallBuilt(),))
            if is_played_out(state):
                ending = drawn(state)
                if ending.events:
                    return replace(ending, events=(*ending.events, WallBuilt()))
            standing = _standing(state)
            text = Words(
                "Hand {hand} ended without a settlement ({standing}). Was it given up?",
                "第 {hand} 局没有结算（{standing}）就结束了。这一局作废吗？",
                hand=state.hand,
                standing=standing,
            )
            doubt = Doubt(QuestionId(state.hand, QuestionKind.UNSETTLED), text, ("yes", "no"))
            return SignalEffect((HandAbandoned(), WallBuilt()), (doubt,))
        case BoardDice():
            return read_dice(state, content.side, content.values, profile)
        case Dome(is_open):
            return _dome(state) if is_open else SignalEffect()
        case KeyPressed(seat, key):
            return _key(state, seat, key)
        case LiftMoved() | LiftKeyPressed() | TrayWeighed():
            return SignalEffect()
        case EventsLost(count):
            text = Words(
                "The board lost {count} of its signals: please check what was recorded last.",
                "控制板丢失了 {count} 个信号，请核对最近的记录。",
                count=count,
            )
            question = QuestionId(state.hand, QuestionKind.LOST, subject=str(count))
            return SignalEffect((), (Doubt(question, text),))
        case Fault(kind):
            return SignalEffect(
                told=Words(
                    "The board reports a fault: {kind}.", "控制板报告故障：{kind}。", kind=kind
                )
            )
        case UnreadableEvent(kind, _, reason):
            return SignalEffect(
                told=Words(
                    "The board said {kind}, which was not understood: {reason}.",
                    "控制板发来 {kind}，无法理解：{reason}。",
                    kind=kind,
                    reason=reason,
                )
            )


# --- The wall


def _dome(state: TableState) -> SignalEffect:
    if is_played_out(state):
        return drawn(state)
    is_asked = any(asked.question.hand == state.hand for asked in state.questions)
    if not state.is_running or (state.shown and is_asked):
        return SignalEffect()  # whoever shows a hand has not given it up
    standing = _standing(state)
    text = Words(
        "The dome opened while hand {hand} was running ({standing}). Was the hand given up?",
        "第 {hand} 局尚未结束（{standing}），机盖已打开。这一局作废吗？",
        hand=state.hand,
        standing=standing,
    )
    question = QuestionId(state.hand, QuestionKind.ENDED)
    doubt = Doubt(question, text, ("yes", "no"), if_yes=HandAbandoned())
    return SignalEffect((), (doubt,))


def _standing(state: TableState) -> Words:
    if state.declared:
        winner = f"{{{state.declared[0]}}}"
        return Words("the win of {winner} is not settled", "{winner}的和牌尚未结算", winner=winner)
    left = state.wall_left
    return Words("{left} tiles left in the wall", "牌墙剩 {left} 张", left=left)


# --- Keys


_KEYS = {
    Key.WIN: Words("win", "和"),
    Key.READY: Words("ready", "听"),
    Key.PASS: Words("pass", "过"),
    Key.KONG: Words("kong", "杠"),
}


def _key(state: TableState, seat: int, key: Key) -> SignalEffect:
    if not state.is_running:
        return SignalEffect(
            told=Words(
                "{seat} pressed {key} while no hand was running.",
                "没有进行中的牌局，{seat} 却按了“{key}”键。",
                seat=player_at(seat),
                key=_KEYS[key],
            )
        )
    match key:
        case Key.WIN:
            return (
                SignalEffect((WinDeclared(seat),)) if seat not in state.declared else SignalEffect()
            )
        case Key.READY:
            return _ready(state, seat)
        case Key.PASS:
            passes = may_pass(state) and seat == state.turn
            return SignalEffect((LastTilePassed(seat),)) if passes else SignalEffect()
        case Key.KONG:
            return SignalEffect()  # what lies on the table says which; the camera looks for it


def _ready(state: TableState, seat: int) -> SignalEffect:
    """A key pressed before the discard is judged with it: what it was claimed with comes first."""
    if state.seats[seat].ready:
        return SignalEffect()
    declared = ReadyDeclared(seat)
    refusal = refuse(state, declared)
    has_discarded = state.last_discard is not None and state.last_discard[0] == seat
    if refusal is None or not has_discarded:
        return SignalEffect((declared,))
    text = Words(
        "{seat} declared: {ready}. {words} Does the declaration stand?",
        "{seat} {ready}。{words}仍然算数吗？",
        seat=player_at(seat),
        ready=rules_in_force(state).ready_names,
        words=refusal.words,
    )
    question = QuestionId(state.hand, QuestionKind.READY, seat)
    return SignalEffect((declared,), (Doubt(question, text, ("yes", "no")),))
