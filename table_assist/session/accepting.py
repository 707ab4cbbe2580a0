"""A player accepts what is shown, or takes that back."""

from table_assist.contract.commands import AcceptSettlement
from table_assist.game.acceptance import Acceptance, is_settlement
from table_assist.game.events import (
    Agreed,
    Answered,
    Asked,
    BirdTurned,
    HandShown,
    HandTold,
    Settled,
    WallExhausted,
    WinDeclared,
)
from table_assist.game.question import QuestionKind
from table_assist.game.state import SEATS, Phase
from table_assist.languages.words import Words
from table_assist.record.log import Source
from table_assist.session.command_transaction import CommandTransaction
from table_assist.session.corrections import no_seat, undo
from table_assist.vision.table.zones import ZoneKind

CHANGED = Words(
    "what is shown has changed since you looked: look at it again",
    "您看过之后，所示结果已有变化：请再看一次",
)
_NOT_ASKED = Words(
    "this settlement waits for others: who pays accepts it",
    "这次结算等的是别人：由付分者确认",
)
_NOTHING_ACCEPTED = Words(
    "there is nothing accepted that could be taken back", "没有可以撤回的确认"
)


def accept(
    transaction: CommandTransaction, command: AcceptSettlement, shown: Acceptance
) -> Words | None:
    """Write it down; why not, in one sentence."""
    seat = command.seat
    if seat not in SEATS:
        return no_seat(seat)
    if command.seen != shown.settlement:
        return CHANGED
    if seat not in shown.seats:
        return _NOT_ASKED
    if seat not in shown.accepted:
        transaction.write(Agreed(seat, command.seen))
    return None


def withdraw(transaction: CommandTransaction, seat: int) -> Words | None:
    """Take the seat's word back, and the settlement of this hand that rests on it.

    A draw that people told is taken back by any player: nobody is asked to accept one.
    """
    if seat not in SEATS:
        return no_seat(seat)
    record = transaction.record
    given = ended = 0
    for entry in record.hand_entries():
        if isinstance(entry.event, Agreed) and is_settlement(entry.event, record.state.hand, seat):
            given = entry.seq
        drawn = isinstance(entry.event, WallExhausted) and entry.source is Source.PERSON
        if drawn or (isinstance(entry.event, Settled) and given):
            ended = entry.seq
    found = [seq for seq in (ended, given) if seq]  # the settlement first: it followed
    if not found or (ended and record.state.phase is not Phase.SETTLED):
        return _NOTHING_ACCEPTED
    refused = (undo(transaction, seq) for seq in found)
    return next((why for why in refused if why is not None), None)


def show_again(transaction: CommandTransaction, asked: Asked) -> Words | None:
    """Take back the hands that are doubted: they are laid open, or photographed, once more.

    The question has lost its ground: of the next showing it is asked anew. A win that was declared
    by telling the hand goes with it, and birds with the last win: who told what was none need not
    come back for the table to go on.
    """
    kind = asked.question.kind
    seat = asked.question.seat if kind is QuestionKind.REFUSE else None
    record = transaction.record
    doubted = [hand.seat for hand in record.state.shown if seat in (None, hand.seat)]
    transaction.write(Answered(asked.question, ""))
    entries = record.hand_entries()
    shown = [entry for entry in entries if _shows_a_win(entry.event, doubted)]
    told = {entry.cause or entry.seq for entry in shown if isinstance(entry.event, HandTold)}
    declared = [
        entry
        for entry in entries
        if isinstance(entry.event, WinDeclared) and (entry.cause or entry.seq) in told
    ]
    birds = [entry for entry in entries if isinstance(entry.event, BirdTurned)]
    left = {hand.seat for hand in record.state.shown} - set(doubted)
    takes_birds = kind.zone is ZoneKind.BIRDS or (declared and not left)
    goes = [*shown, *declared, *(birds if takes_birds else ())]
    for entry in sorted(goes, key=lambda each: -each.seq):
        if record.stands(entry.seq):
            why = undo(transaction, entry.seq)
            if why is not None:
                return why
    return None


def _shows_a_win(event: object, seats: list[int]) -> bool:
    if isinstance(event, HandTold) and event.winning_tile is None:
        return False  # of kongs that were told
    return isinstance(event, HandShown | HandTold) and event.seat in seats
