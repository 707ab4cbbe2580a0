"""Faces on record that the camera reads otherwise later, or for the first time.

What was unread, or read while something lay over it, is filled in; what was read clearly and is
seen otherwise now becomes a question, and so does what stays unread. A discard that its player
takes back for another one, before anybody has acted on it, has the other face from then on.
"""

from collections.abc import MutableMapping, Sequence
from dataclasses import replace

from table_assist.following.infer import Inferred, step
from table_assist.following.legible import Legibility
from table_assist.following.proposed import (
    Exposed,
    FlowerRead,
    LastDiscard,
    Proposed,
    Reread,
    Reveal,
)
from table_assist.game.doubt import PATIENCE_S, Doubt
from table_assist.game.events import (
    Beside,
    BonusLaid,
    Claimed,
    Discarded,
    Event,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    StartingHandShown,
)
from table_assist.game.irregular import irregularities
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.languages.words import Words, player_at
from table_assist.record.log import Amended, Retracted, Source
from table_assist.record.record import Record
from table_assist.session.bindings import Bindings
from table_assist.session.command_handler import CommandHandler
from table_assist.session.questions import (
    TOOK_BACK,
    TOOK_BACK_WRONGLY,
    about_reread,
    about_unread,
    with_tile,
)
from table_assist.session.told import is_told
from table_assist.tiles.melds import Meld, MeldKind, tile_noted
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import Observation, SeenTile

# Its place must be seen empty for so long: a tile that is missed for a moment was not taken.
LIFTED_S = 0.4


class FaceCorrections:
    """Puts recorded faces right by what is seen later.

    Args:
        candidates: the likeliest faces of what could not be read, by entry.
        seen: the tiles of entries as they were read.

    Attributes:
        makeshift: entries whose face was read with something over it: a clear look replaces it.
        legibility: advice where hardly a discard can be read.
    """

    def __init__(
        self,
        handler: CommandHandler,
        candidates: MutableMapping[int, tuple[Tile, ...]],
        seen: MutableMapping[int, tuple[SeenTile, ...]],
    ) -> None:
        self._handler, self._record = handler, handler.record
        self._candidates = candidates
        self._seen = seen
        self.makeshift: set[int] = set()
        self.legibility = Legibility()

    @property
    def _state(self) -> TableState:
        return self._record.state

    def reread(self, reread: Reread) -> Doubt | None:
        """The camera sees another face than is recorded: a doubt once the settlement rests on it.

        What was unread, or read while something lay over it, is filled in.
        """
        seq = self._record.discard_seq(reread.seat, reread.index)
        if seq is None or self._record.is_corrected(seq):
            return None  # a person has said what it is
        filled = Discarded(reread.seat, reread.tile)
        is_better = not reread.recorded.is_face or seq in self.makeshift
        if not is_better or filled in self._record.rejected():
            is_asked = reread.recorded.is_face and self._state.shown
            if not is_asked or not self._handler.rests_on(seq, face=True):
                return None
            return replace(about_reread(self._state.hand, seq, reread), after_s=PATIENCE_S)
        self.makeshift.discard(seq)
        self.fill_in(seq, filled)
        return None

    def unread(self) -> list[Doubt]:
        """The unread discards on which the settlement of what is shown rests; others nobody asks.

        In play none is asked about: what is read later is filled in.
        """
        state = self._state
        self.legibility.update(state)
        down = self._handler.rules.lying(self._handler.rules.chosen).discards_down
        if down or state.phase is not Phase.SHOWING or not state.shown:
            return []
        rivers = ((seat, *each) for seat in SEATS for each in enumerate(state.seats[seat].river))
        found = (self._about(seat, index) for seat, index, tile in rivers if not tile.is_face)
        return [each for each in found if each and self._handler.rests_on(each.about, face=True)]

    def _about(self, seat: int, index: int) -> Doubt | None:
        """The question about an unread discard."""
        seq = self._record.discard_seq(seat, index)
        event = None if seq is None else self._record.event(seq)
        if seq is None or event is None:
            return None
        likely, kinds = self._candidates.get(seq, ()), self._handler.rules.kinds
        return about_unread(self._state.hand, seq, event, likely, kinds)

    def reveal(self, reveal: Reveal) -> None:
        """A secret now lies open, or an unread tile is read; if not, what it may be is kept."""
        entries = self._record.counting[self._record.starts[-1].index :]
        turned = [each for each in entries if isinstance(each[1], IndicatorTurned)]
        for seq, event in turned[reveal.number :][:1]:
            if reveal.unread is not None:
                self._seen[seq] = (reveal.unread,)
            else:
                self.fill_in(seq, with_tile(event, reveal.tile))

    def read_flower(self, read: FlowerRead) -> None:
        """A flower that was recorded unread is read now."""
        index = read.index
        for seq, event in self._record.counting[self._record.starts[-1].index :]:
            if not isinstance(event, BonusLaid) or event.seat != read.seat:
                continue
            if index < len(event.tiles):
                tiles = (*event.tiles[:index], read.tile, *event.tiles[index + 1 :])
                if not self._record.is_corrected(seq):
                    self.fill_in(seq, replace(event, tiles=tiles))
                return
            index -= len(event.tiles)

    def expose(self, exposed: Exposed) -> None:
        """A chow that was claimed before is laid down."""
        for seq, event in reversed(self._record.counting):
            if isinstance(event, Claimed) and event.seat == exposed.seat:
                if Meld(event.kind, event.tiles).is_unexposed:
                    self.fill_in(seq, replace(event, tiles=exposed.tiles))
                    return
            elif isinstance(event, HandStarted):
                return

    def see_again(self, lying: Event) -> None:
        """It lies there: what a player told is seen now, and a dealt hand may be read better."""
        for seq, event in self._record.counting[self._record.starts[-1].index :]:
            if event == lying:
                if is_told(self._record.last_word(seq)):
                    self.fill_in(seq, lying)
            elif (
                isinstance(event, StartingHandShown)
                and isinstance(lying, StartingHandShown)
                and event.seat == lying.seat
                and not self._record.is_corrected(seq)
            ):
                self.fill_in(seq, lying)

    def fill_in(self, seq: int, event: Event) -> None:
        """The entry says this now, and what was asked about it is answered."""
        self._record.append(Amended(seq, event), Source.CAMERA)
        for question in self._state.questions:
            if question.about == seq:
                self._record.withdraw(question.question, Source.CAMERA)


# --- Discards that what follows shows to be none, or made by another
#
# A crumb, a chip or a shadow at the next place of a river is recorded as the discard of whose turn
# it is. If the tile before it is claimed after all, it was none, or came after the claim; and if it
# was never read and its seat discards again before anybody else acts, it is clutter. A tile that is
# laid before the next player looks like that one's, until they discard, too.


def put_right(
    record: Record, bindings: Bindings, observation: Observation, inferred: Inferred
) -> bool:
    """Whether something on record was put right by what this look adds to it."""
    if not inferred.proposed and not inferred.unexplained:
        return False
    was_none = _take_back(record, bindings, observation, inferred)
    return was_none or _was_laid_astray(record, bindings, observation, inferred)


def _take_back(
    record: Record, bindings: Bindings, observation: Observation, inferred: Inferred
) -> bool:
    """Whether the last discard was taken back, since the table is explained without it alone."""
    entry = _last_discard(record)
    piece = None if entry is None else bindings.now.pieces.get((entry[0], 0))
    if entry is None or piece is None or _is_explained(record.state, inferred.proposed):
        return False
    tiles = tuple(tile for tile in observation.tiles if tile.id != piece.id)
    if len(tiles) == len(observation.tiles):
        return False
    seq, index, discarded = entry
    before, bound = record.state_before(index), bindings.now
    bound = replace(bound, slots=tuple(slot for slot in bound.slots if slot.key[0] != seq))
    without = step(before, replace(observation, tiles=tiles), bound).proposed
    if not _is_explained(before, without):
        return False
    event = without[0].event
    is_instead = isinstance(event, Discarded) and event.seat == discarded.seat
    has_nobody_acted = not discarded.tile.is_face and inferred.unexplained <= {discarded.seat}
    if not isinstance(event, Claimed) and not (is_instead and has_nobody_acted):
        return False
    record.append(Retracted(seq), Source.CAMERA)
    if is_instead:
        bindings.clutter.add(piece.id, (piece.x_mm, piece.y_mm))
    return True


def _last_discard(record: Record) -> tuple[int, int, Discarded] | None:
    """The entry and its place among those that count, if it was seen and nothing has followed."""
    for index in reversed(range(len(record.counting))):
        seq, event = record.counting[index]
        if isinstance(event, Beside):
            continue
        is_seen = record.last_word(seq).source is Source.CAMERA
        return (seq, index, event) if is_seen and isinstance(event, Discarded) else None
    return None


def _is_explained(state: TableState, proposed: tuple[Proposed, ...]) -> bool:
    """Whether something has happened that the rules let happen."""
    return bool(proposed) and not irregularities(state, proposed[0].event)


def claimed_as_kong(record: Record, proposed: Sequence[Proposed]) -> bool:
    """Whether the pung that was just claimed proves to be a kong: nobody has drawn since.

    Its own three tiles were laid down first, and the claimed one was pushed to them.
    """
    kong = proposed[0].event if proposed else None
    if not isinstance(kong, KongDeclared):
        return False
    seq, claim = next(each for each in reversed(record.counting) if not isinstance(each[1], Beside))
    if not isinstance(claim, Claimed) or (claim.seat, claim.tiles) != (kong.seat, (kong.tile,) * 3):
        return False
    whole = replace(claim, kind=MeldKind.KONG_EXPOSED, tiles=(kong.tile,) * 4)
    record.append(Amended(seq, whole), Source.CAMERA)
    return True


def _was_laid_astray(
    record: Record, bindings: Bindings, observation: Observation, inferred: Inferred
) -> bool:
    """Whether the last discard was the one of the player before, whose own nobody sees.

    It lies in the row of who discards now, and would have discarded twice.
    """
    entry = _last_discard(record)
    again = inferred.proposed[0].event if inferred.proposed else None
    if entry is None or not isinstance(again, Discarded) or again.seat != entry[2].seat:
        return False
    seq, index, laid = entry
    before = next(((n, old) for n, old in reversed(record.counting[:index])
                   if not isinstance(old, Beside)), None)  # fmt: skip
    if before is None or not isinstance(before[1], Discarded) or before[1].tile.is_face:
        return False
    own, owner = before[0], before[1].seat
    piece, moved = (bindings.now.pieces.get((each, 0)) for each in (own, seq))
    if moved is None or piece is not None or (owner + 1) % len(SEATS) != laid.seat:
        return False
    seen = [tile for tile in observation.tiles if tile.id == moved.id]
    if len(seen) != 1:
        return False
    sure = record.last_word(seq).confidence
    record.append(Retracted(seq), Source.CAMERA)
    record.append(Amended(own, Discarded(owner, laid.tile)), Source.CAMERA, confidence=sure)
    bindings.bind(own, seen)
    return True


class TakenBack:
    """Puts the last discard right that was seen to be lifted, with another tile laid down instead.

    Where the rules forbid it people are told so, and asked if that tile is won. Where its place was
    not seen empty, the other face is a question.

    Args:
        instead: by the entries of such discards, the tile that lay there before; filled here.
    """

    def __init__(
        self, handler: CommandHandler, faces: FaceCorrections, instead: MutableMapping[int, Tile]
    ) -> None:
        self._handler = handler
        self._faces = faces
        self._instead = instead
        self._seq: int | None = None
        self._empty_since: float | None = None
        self._was_lifted = False

    def update(self, last: LastDiscard, t: float) -> Words | None:
        """The message to people, where a discard was taken back.

        Args:
            t: of the observation, in seconds.
        """
        record = self._handler.record
        given = record.state.last_discard
        seq = None if given is None else record.discard_seq(given[0], -1)
        if seq != self._seq or last.lies:
            self._seq, self._empty_since, self._was_lifted = seq, None, False
        if last.is_lifted:
            self._empty_since = t if self._empty_since is None else self._empty_since
            self._was_lifted = self._was_lifted or t - self._empty_since >= LIFTED_S
        elif seq is not None and last.instead is not None and self._was_lifted:
            instead = last.instead
            event = Discarded(instead.seat, instead.tile)
            if record.is_corrected(seq) or event in record.rejected():
                return None
            self._faces.fill_in(seq, event)
            self._instead[seq] = instead.recorded
            is_forbidden = self._handler.rules.chosen.get("discard_takeback") == "never"
            return (TOOK_BACK_WRONGLY if is_forbidden else TOOK_BACK).filled(
                seat=player_at(instead.seat),
                value=tile_noted(instead.recorded),
                value_2=tile_noted(instead.tile),
            )
        return None
