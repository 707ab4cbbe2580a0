"""How a hand ends by the rules, from what is recorded of it."""

from dataclasses import dataclass, replace

from table_assist.game.choices import TREASURE_UNKNOWN
from table_assist.game.course import birds_due
from table_assist.game.events import Settled, WallExhausted
from table_assist.game.in_force import rules_in_force
from table_assist.game.outcome import end_of_hand, exhausted_event, settled_event
from table_assist.game.state import Phase, TableState
from table_assist.languages.words import Words, phrase, player_at, words_of
from table_assist.tiles.tile import Tile

NOTHING = Words("", "")


@dataclass(frozen=True, slots=True)
class Due:
    """The result of a hand.

    Attributes:
        end: None where it cannot be settled.
        unsure: what is not known of it, though it can be settled as it stands.
        why: what stands in the way where it cannot.
    """

    end: Settled | WallExhausted | None
    unsure: tuple[Words, ...] = ()
    why: Words = NOTHING


def due_end(state: TableState, *, drawn: bool) -> Due:
    """The end of a hand that is running.

    Args:
        state: just before the hand ends.
        drawn: it ended without a win if none is declared.
    """
    if state.phase is Phase.PLAYING:
        if drawn:
            ended = end_of_hand(replace(state, shown=()))
            return Due(exhausted_event(ended), ended.unsure)
        return _open(Words("No win is declared.", "无人报和。"))
    if state.phase is not Phase.SHOWING:
        return _open(Words("The hand is not running.", "牌局未进行。"))
    return _won(state)


def _won(state: TableState) -> Due:
    hidden = set(state.declared) - {hand.seat for hand in state.shown}
    if hidden:
        return _open(phrase("hand_result.hand", seats=_seats(hidden)))
    if any(Tile.UNKNOWN in (*hand.concealed, hand.winning_tile) for hand in state.shown):
        return _open(Words("A tile of a hand is not known.", "有手牌未能辨认。"))
    if Tile.UNKNOWN in state.birds:
        return _open(Words("A bird is not known.", "有鸟牌未能辨认。"))
    try:
        ended = end_of_hand(state)
    except ValueError as error:
        why = words_of(error)
        return _open(phrase("hand_result.these_wins_cannot", why=why))
    for hand in state.shown:
        refusals = ended.verdicts[hand.seat].refusals
        if refusals and refusals[0] is TREASURE_UNKNOWN:
            return _open(
                phrase(
                    "hand_result.hand_of_cannot", seat=player_at(hand.seat), words=refusals[0].words
                )
            )
        if refusals:
            why = refusals[0].words
            return _open(phrase("hand_result.hand_of_does", seat=player_at(hand.seat), why=why))
    if len(state.birds) < birds_due(rules_in_force(state), state):
        return _open(Words("Not all birds are recorded.", "鸟牌没有记全。"))
    if ended.missing:
        missing = _seats(set(ended.missing))
        return _open(phrase("hand_result.hands", missing=missing))
    return Due(settled_event(ended), ended.unsure)


def _open(words: Words) -> Due:
    return Due(None, (), words)


def _seats(seats: set[int]) -> str:
    return ", ".join(f"{{{seat}}}" for seat in sorted(seats))
