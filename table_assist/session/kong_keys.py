"""Kong keys, and the kongs that must lie on the table with them."""

from collections.abc import Callable, Iterable

from firmware_bridge.events import Key, KeyPressed
from table_assist.game.doubt import LAID_DOWN_S, Doubt
from table_assist.game.events import Claimed, Discarded, EggAppended, EggLaid, Event, KongDeclared
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.languages.words import Words, player_at
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.vision.table.observation import SeenTile


class KongKeys:
    """Joins what the board hears and what the camera sees: keys that nothing has followed yet.

    Args:
        now: seconds since the epoch.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._pressed: dict[int, float] = {}
        self._seen: dict[int, float] = {}
        self._asked: dict[QuestionId, int] = {}  # with the newest piece that lay there then

    def hear(self, content: object, *, is_running: bool) -> None:
        """A signal of the board; a key is noted unless its kong was seen just now."""
        if not is_running:
            self._pressed.clear()
        elif isinstance(content, KeyPressed) and content.key is Key.KONG:
            last = self._seen.get(content.seat)
            if last is None or self._now() - last > LAID_DOWN_S:
                self._pressed[content.seat] = self._now()

    def see(self, event: Event, record: Record, seen: Iterable[SeenTile]) -> None:
        """An event that was seen; a kong is what its key has announced, also long before.

        Args:
            seen: the event's tiles: what came after its player's next discard is another kong.
        """
        match event:
            case KongDeclared(seat) | EggAppended(seat):
                pass
            case Claimed(seat, kind) if kind.is_kong:
                pass
            case EggLaid(seat, tiles) if len(tiles) > 3:
                pass
            case _:
                return
        if self._pressed.pop(seat, None) is None:
            for asked in (each.question for each in record.state.questions):
                if asked.kind is not QuestionKind.KONG or asked.seat != seat:
                    continue
                later = [event for seq, event in record.counting if seq > asked.entry]
                has_played_on = any(isinstance(e, Discarded) and e.seat == seat for e in later)
                if not has_played_on or _newest(seen) <= self._asked.get(asked, 0):
                    record.withdraw(asked, Source.CAMERA)
        self._seen[seat] = self._now()

    def doubts(self, record: Record, lying: Iterable[SeenTile]) -> list[Doubt]:
        """Keys after which no kong was seen; each is doubted once.

        Args:
            lying: all tiles on the table.
        """
        if not record.state.is_running:
            self._pressed.clear()
        found = []
        for seat in [seat for seat, t in self._pressed.items() if self._now() - t >= LAID_DOWN_S]:
            del self._pressed[seat]
            text = Words(
                "{seat} pressed the kong key, and no kong is seen. Was the key a mistake?",
                "{seat} 按了杠键，但没有看到杠。是误按吗？",
                seat=player_at(seat),
            )
            question = QuestionId(record.state.hand, QuestionKind.KONG, seat, record.seq)
            self._asked[question] = _newest(lying)
            found.append(Doubt(question, text, blocks=True))
        return found


def _newest(tiles: Iterable[SeenTile]) -> int:
    return max((tile.id for tile in tiles), default=0)
