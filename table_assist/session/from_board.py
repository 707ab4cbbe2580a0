"""The board's words become entries of the record, or a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from firmware_bridge.events import RADIO_DICE, Dome, EventContent, WallReady, write_event
from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.frames import SEQ_MODULUS
from firmware_bridge.messages import BoardSnapshot as BoardSnapshot
from firmware_bridge.messages import Hello
from firmware_bridge.receiver import EventsLost, Reading
from table_assist.following.dice import dice_due
from table_assist.game.doubt import Doubt
from table_assist.game.events import BoardSaid, WallExhausted
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import TableState
from table_assist.languages.words import Words
from table_assist.record.log import Source
from table_assist.session.command_handler import CommandHandler
from table_assist.session.kong_keys import KongKeys
from table_assist.session.signals import SignalEffect, drawn, drawn_as_told, read_signal

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
    return Doubt(QuestionId(state.hand, QuestionKind.RESTART, subject=boot_id), text, ("yes",))


def may_come_again(origins: Sequence[str]) -> frozenset[str]:
    """The signals that a board may send again after a crash: the last recorded and those before it.

    Those before it were taken in too, though not every signal needs an entry.
    """
    if not origins:
        return frozenset()
    board, seq = origins[-1].rsplit(" ", 1)
    return frozenset(f"{board} {(int(seq) - back) % SEQ_MODULUS}" for back in range(MOST_PENDING))
