"""A discard that its player takes back for another one before anybody has acted on it."""

from table_assist.following.proposed import LastDiscard
from table_assist.game.events import Discarded
from table_assist.languages.words import Words, player_at
from table_assist.session.command_handler import CommandHandler
from table_assist.session.late_faces import FaceCorrections
from table_assist.tiles.tile_words import tile_noted

# Its place must be seen empty for so long: a tile that is missed for a moment was not taken.
LIFTED_S = 0.4


class TakenBack:
    """Puts the last discard right that was seen to be lifted, with another tile laid down instead.

    Where its place was not seen empty, or the rules forbid it, the other face is a question.
    """

    def __init__(self, handler: CommandHandler, faces: FaceCorrections) -> None:
        self._handler = handler
        self._faces = faces
        self._seq: int | None = None
        self._empty_since: float | None = None
        self._was_lifted = False

    def update(self, last: LastDiscard, t: float) -> Words | None:
        """The message to people, where a discard was taken back.

        Args:
            t: of the observation, in seconds.
        """
        seq = self._last_seq()
        if seq != self._seq or last.lies:
            self._seq, self._empty_since, self._was_lifted = seq, None, False
        if last.is_lifted:
            self._empty_since = t if self._empty_since is None else self._empty_since
            self._was_lifted = self._was_lifted or t - self._empty_since >= LIFTED_S
        elif seq is not None and last.instead is not None and self._was_lifted:
            instead = last.instead
            record, event = self._handler.record, Discarded(instead.seat, instead.tile)
            is_forbidden = self._handler.rules.chosen.get("discard_takeback") == "never"
            if is_forbidden or record.is_corrected(seq) or event in record.rejected():
                return None
            self._faces.fill_in(seq, event)
            return Words(
                "{seat} took {value} back and discarded {value_2}.",
                "{seat} 收回{value}，改打{value_2}。",
                seat=player_at(instead.seat),
                value=tile_noted(instead.recorded),
                value_2=tile_noted(instead.tile),
            )
        return None

    def _last_seq(self) -> int | None:
        state = self._handler.record.state
        if state.last_discard is None:
            return None
        seat = state.last_discard[0]
        return self._handler.record.discard_seq(seat, len(state.seats[seat].river) - 1)
