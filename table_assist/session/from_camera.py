"""The camera's observations become entries of the record, or a question.

It remembers only what takes time: doubts that must stand for a while before they are
asked, kong keys that nothing has followed yet, and where the dice lay last. Faces that are read
otherwise later, or laid down instead, are in `late_faces`.
"""

from collections.abc import Callable, Container, MutableMapping, Sequence
from dataclasses import replace

from firmware_bridge.events import Key
from table_assist.following.as_it_lies import pays_as_it_came
from table_assist.following.clutter import PLAYED_S
from table_assist.following.decisive import decisive_zones, hidden_doubts, question_of
from table_assist.following.dice import DiceWatch, dice_due
from table_assist.following.discrepancies import LOST
from table_assist.following.infer import Inferred, step
from table_assist.following.melds import may_be_from_egg
from table_assist.following.opening import unread_hands
from table_assist.following.proposed import Proposed
from table_assist.following.wall_count import WallCount
from table_assist.following.washing import UnbegunWatch, WashWatch, over_doubt
from table_assist.game.course import birds_due
from table_assist.game.doubt import PATIENCE_S, Doubt, Patience
from table_assist.game.events import (
    Beside,
    BirdTurned,
    BoardSaid,
    BonusLaid,
    Claimed,
    DiceRolled,
    Discarded,
    EggAppended,
    Event,
    HandLaidDown,
    HandShown,
    IndicatorTurned,
    KongDeclared,
    LastTilePassed,
    Melded,
    OpenHand,
    ReadyDeclared,
    StartingHandShown,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import Irregularity, irregularities
from table_assist.game.question import Lifetime, QuestionKind
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.turn import may_pass, on_turn
from table_assist.languages.words import NOTHING, Words, player_at
from table_assist.record.log import Inserted, Source
from table_assist.record.record import Record
from table_assist.session.bindings import Bindings
from table_assist.session.command_handler import CommandHandler
from table_assist.session.kong_keys import KongKeys
from table_assist.session.late_faces import FaceCorrections, TakenBack, claimed_as_kong, put_right
from table_assist.session.questions import (
    ASTRAY,
    BY_ORDER,
    INSTEAD,
    OUT_OF_TURN,
    about_corrected,
    about_found_claim,
    about_irregular,
    about_other_way,
    about_played_on,
    about_surplus_birds,
    about_unread,
    about_won,
    found_running,
    missing_before,
    why_irregular,
)
from table_assist.session.signals import read_dice
from table_assist.session.weighing import faces_found
from table_assist.tiles.melds import MeldKind, tile_noted
from table_assist.tiles.tile import Tile
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.zones import Zone, ZoneKind, to_seat


class Withdrawal:
    """Takes back what is seen to be as it is recorded."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler
        self._answered = Patience()

    def update(
        self, standing: list[Doubt], observation: Observation, unexplained: Container[int | None]
    ) -> None:
        """Ask no more what the camera has answered since: all is seen to be as it is recorded.

        Args:
            unexplained: as in `Inferred`: a row that is no more understood answers nothing.
        """
        state = self._handler.record.state
        stands = {doubt.question for doubt in standing}
        answered = []
        for question in state.questions:
            kind = question.question.kind
            # Once tiles are gathered up, that they are gone says nothing.
            is_sight = kind.lifetime is Lifetime.SIGHT and (
                state.phase is Phase.PLAYING or self._is_read_so(question.about, observation)
            )
            if not (is_sight or kind.lifetime is Lifetime.VIEW) or kind.zone is None:
                continue
            if kind.zone is ZoneKind.MELDS and question.question.seat in unexplained:
                continue
            if observation.can_see(kind.zone) and question.question not in stands:
                answered.append(Doubt(question.question, question.text, after_s=PATIENCE_S))
        for doubt in self._answered.ripe(answered, observation.t):
            self._handler.record.withdraw(doubt.question, Source.CAMERA)

    def _is_read_so(self, seq: int, observation: Observation) -> bool:
        """Whether a discard's face is read in its river as often as it is recorded there."""
        record = self._handler.record
        event = record.event(seq)
        if not isinstance(event, Discarded):
            return False
        river = [seen.tile for seen in observation.in_zone(ZoneKind.RIVER, event.seat)]
        recorded = record.state.seats[event.seat].river
        return river.count(event.tile) >= recorded.count(event.tile) > 0


# Nobody has dealt and laid a flower so soon after a wall was built, or after the dice were thrown.
BUILT_S, THROWN_S = 10.0, 3.0


def is_undealt(record: Record, now: float) -> bool:
    """Whether the newest wall was built a moment ago, and nobody can have a tile yet.

    What a person says of it may be said at any time later.
    """
    phase, seats = record.state.phase, record.state.seats
    if phase not in (Phase.WALL_READY, Phase.PLAYING) or any(seat.discards for seat in seats):
        return False
    built = next(
        (seq for seq, event in reversed(record.counting) if isinstance(event, WallBuilt)), None
    )
    if built is None:
        return False
    entry = record.entries[built - 1]
    soon = BUILT_S if phase is Phase.WALL_READY else THROWN_S
    return entry.source is not Source.PERSON and 0 <= now - entry.t < soon


# A win key is at most so much faster than the camera.
EARLY_S = 3.0
_OWN_TURN = (KongDeclared, EggAppended, BonusLaid)
_IN_PLAY = (*_OWN_TURN, Discarded, Claimed)
# Events that may stand between a key that was too fast and the present view.
_BESIDE_PLAY = Beside | DiceRolled | IndicatorTurned


class CameraInput:
    """Tells the command handler what is seen.

    Args:
        candidates: the likeliest faces of what could not be read, by entry; filled here.
        heap: discards are thrown into the middle.
        kong_keys: keys after which a kong must lie on the table.
        bindings: which piece on the table is which tile of an entry.
        seen: by entry, the tiles of open hands and birds as they were read; filled here.

    Attributes:
        covered: the last observation lacked much of what must lie on the table.
        idle: why nothing of what is seen is recorded, and what to do; nothing: it is.
        sees_dice: nothing else tells the dice.
    """

    def __init__(
        self,
        handler: CommandHandler,
        candidates: MutableMapping[int, tuple[Tile, ...]],
        *,
        now: Callable[[], float],
        heap: bool = False,
        kong_keys: KongKeys | None = None,
        bindings: Bindings | None = None,
        seen: MutableMapping[int, tuple[SeenTile, ...]] | None = None,
    ) -> None:
        self._handler, self._record = handler, handler.record
        self._candidates = candidates
        self._now = now
        self._heap = heap
        self._bindings = Bindings(handler.record) if bindings is None else bindings
        self._seen = {} if seen is None else seen
        self._patience = Patience()
        self._waiting = Patience()
        self._faces = FaceCorrections(handler, candidates, self._seen)
        self._taken_back = TakenBack(handler, self._faces, self._bindings.instead)
        self._withdrawal = Withdrawal(handler)
        self._kong_keys = KongKeys(now) if kong_keys is None else kong_keys
        self._dice = DiceWatch()
        self._washing, self._unbegun = WashWatch(), UnbegunWatch()
        self._wall = WallCount()
        self._dealt_open: frozenset[Zone] = frozenset()
        self._partly: frozenset[Zone] = frozenset()
        self._is_order_open = False
        self.covered = self._is_each_read = False
        self.idle = NOTHING
        self.sees_dice = False

    @property
    def _state(self) -> TableState:
        return self._record.state

    def handle(self, observation: Observation) -> Words | None:
        """Record what the observation adds, and ask what does not fit; what people are told."""
        if self.sees_dice:
            self._see_dice(observation)
        clutter = self._bindings.clutter
        dealt_t, is_dealt = self._dealt()
        observation = clutter.without(observation, self._state.hand, dealt_t, is_dealt=is_dealt)
        inferred = step(self._state, observation, self._bindings.now, heap=self._heap)
        if claimed_as_kong(self._record, inferred.proposed):
            kong = inferred.proposed[0]
            self._kong_keys.see(kong.event, self._record, kong.seen)
            return None
        if not self._heap and put_right(self._record, self._bindings, observation, inferred):
            return None  # the next look tells the rest
        self._bindings.saw(inferred.pieces)
        self.covered, self._is_each_read = inferred.covered, inferred.each_read
        self.idle = self._unbegun.update(self._state, observation)
        if self._washing.update(
            self._state, observation, washed=inferred.washed, covered=inferred.covered
        ):
            inferred = self._left_alone(observation)
        if inferred.revealed:
            self._faces.reveal(inferred.revealed)
        for flower in inferred.flowers:
            self._faces.read_flower(flower)
        if inferred.exposed:
            self._faces.expose(inferred.exposed)
        for lying in inferred.lying:
            self._faces.see_again(lying)
        told = None
        for proposed in inferred.proposed:
            is_known = not (inferred.running or self._is_order_open)
            told = self._take(proposed, is_known=is_known) or told
            self._is_order_open &= not isinstance(proposed.event, Discarded)
        if inferred.running:
            self._is_order_open = True  # whoever discards next was on turn
            self._bindings.running = self._state.hand
            return found_running([each.event for each in inferred.proposed])
        news = self._taken_back.update(inferred.last, observation.t)
        reread = [] if news else [self._faces.reread(reread) for reread in inferred.reread]
        faces = [*filter(None, reread), *self._faces.unread()]
        hidden = hidden_doubts(self._handler.rules, self._state, observation)
        wall = self._wall.doubt(self._state, observation)
        seen = map(self._of_entry, filter(None, (*inferred.doubts, wall)))
        doubts = [*seen, *self._kong_keys.doubts(self._record, observation.tiles), *faces, *hidden]
        if not (inferred.covered or inferred.washed):
            ripe = self._patience.ripe(doubts, observation.t)
            self._handler.soon = [each for each in doubts if each.blocks and each not in ripe]
            for doubt in ripe:
                self._handler.ask(doubt)
            self._withdrawal.update(doubts, observation, inferred.unexplained)
        self._dealt_open = unread_hands(self._state, observation)
        self._partly = frozenset(Zone(ZoneKind.MELDS, seat) for seat in inferred.partly)
        return news or told

    def _dealt(self) -> tuple[float | None, bool]:
        """When the walls of the hand that runs stood, or its first dice fell; and if they did.

        A tap by which a hand begins builds a wall on record, and tells nothing of when.
        """
        if not self._state.is_running or not self._record.starts:
            return None, False
        start = self._record.starts[-1]
        found, is_dealt = self._record.entries[start.seq - 1].t - PLAYED_S, False
        for seq, event in reversed(self._record.counting[: start.index]):
            entry = self._record.entries[seq - 1]
            is_wall = isinstance(event, WallBuilt) and entry.source is not Source.PERSON
            if is_wall or isinstance(event, DiceRolled):
                found, is_dealt = entry.t, True
            elif not isinstance(event, _BESIDE_PLAY):
                break
        return found, is_dealt

    @property
    def is_wall_gone(self) -> bool:
        """As `WallCount.is_gone`."""
        return self._wall.is_gone(self._state, self._now())

    @property
    def hopeless(self) -> Words:
        """Advice where hardly a discard can be read; nothing where all is well."""
        return self._faces.legibility.words

    @property
    def attention(self) -> Attention:
        """The places of the table that must be seen now."""
        wanted = decisive_zones(self._handler.rules, self._state) | self._dealt_open | self._partly
        told = (
            each
            for each in self._bindings.seen
            if each.is_said or each.key[0] not in self._seen  # what it likely is teaches nothing
        )
        recorded = (*told, *faces_found(self._record, self._seen))
        if not wanted:
            undealt = is_undealt(self._record, self._now())
            return Attention(is_undealt=undealt, recorded=recorded)
        asked = {zone: question_of(self._state.hand, zone) for zone in wanted}
        bare = frozenset(zone for zone in wanted if self._record.answered(asked[zone]) == "no")
        return Attention(wanted, bare, recorded=recorded)

    def _left_alone(self, observation: Observation) -> Inferred:
        """Tiles are being washed while a hand is thought to run: that alone is asked."""
        if self._washing.asks(observation.t) and self._state.is_running:
            doubt = over_doubt(self._state.hand)
            self.idle = doubt.text
            self._handler.ask(doubt)
        return Inferred(washed=True)

    def wait(self) -> None:
        """Ask what still stands in the way of a settlement, once people have had time for it."""
        unknown = missing_before(self._state) if self._state.hand == self._bindings.running else ()
        waiting, seq = (*self._handler.outcome.waiting, *unknown), self._record.seq
        for doubt in self._waiting.ripe(waiting, self._now()):
            self._handler.ask(doubt)
        if self._record.seq > seq:
            self._handler.conclude()  # it may hold the settlement up

    def _see_dice(self, observation: Observation) -> None:
        """At a table without a board the dice are read by the camera alone."""
        seat, due = dice_due(self._handler.profile.rules, self._state)
        values = self._dice.thrown(observation, due)
        if not values:
            return
        meaning = read_dice(self._state, seat, values, self._handler.profile)
        seq = 0
        for event in meaning.events:
            seq = self._record.append(event, Source.CAMERA)
        for doubt in meaning.doubts:
            self._handler.ask(replace(doubt, about=seq))

    # -- events --------------------------------------------------------------------------------

    def _take(self, proposed: Proposed, *, is_known: bool) -> Words | None:
        """Record it, and ask what does not fit; what people are told of it.

        Args:
            is_known: it was seen in its order; else whose turn it was says nothing.
        """
        event = self._not_again(proposed.event)
        if event is None:
            return None
        before = self._before(event, proposed.seen)
        is_unread = isinstance(event, Discarded) and not event.tile.is_face
        if is_unread and proposed.seen and not self._is_due(event):
            return None  # what cannot be read may be no discard at all, and nobody is to discard
        wrong = irregularities(self._state if before is None else before[1], event)
        logged = event if before is None else Inserted(before[0], event)
        declarer = self._plays_on(event) if before is None else None
        is_from_egg = isinstance(event, Claimed) and self._may_be_from_egg(event)
        seq = self._record.append(logged, Source.CAMERA, confidence=proposed.confidence)
        self._candidates[seq] = proposed.candidates
        self._bindings.bind(seq, proposed.seen)
        if isinstance(event, Discarded):
            self._take_early_passes()
        is_unread |= any(tile.tile is Tile.UNKNOWN for tile in proposed.seen)
        if is_unread or isinstance(event, OpenHand | BirdTurned):
            self._seen[seq] = proposed.seen
        if proposed.is_makeshift:
            self._faces.makeshift.add(seq)
        hand = self._state.hand
        told = None
        if is_known and isinstance(event, Discarded) and wrong == (Irregularity.OUT_OF_TURN,):
            # By a discard alone nobody pays: whose turn it was is asked once it is won.
            told = OUT_OF_TURN.filled(seat=player_at(event.seat), value=tile_noted(event.tile))
        elif (
            wrong
            and is_known
            and not (
                # Who threw it into a heap only its order tells: who takes it puts that right.
                self._heap
                and wrong == (Irregularity.CHOW_NOT_FROM_LEFT,)
                and isinstance(event, Claimed)
                and not pays_as_it_came(self._state, event)
            )
        ):
            ready = rules_in_force(self._state).ready_names
            self._handler.ask(about_irregular(hand, seq, event, wrong, ready))
        if isinstance(event, Claimed) and (
            is_from_egg or (not is_known and pays_as_it_came(self._state, event))
        ):
            self._handler.ask(about_found_claim(hand, seq, event))
        is_open = not is_known and any(tile.is_between for tile in proposed.seen)
        if is_open and isinstance(event, Discarded):
            self._handler.ask(replace(about_won(hand, seq, event, ASTRAY), blocks=False))
        if declarer is not None:
            self._handler.ask(about_played_on(hand, seq, declarer))
        if isinstance(event, HandShown):
            self._ask_who_gave(event)
        if isinstance(proposed.otherwise, HandShown):
            given = self._state.given_up
            by = proposed.otherwise.seat if given is None else given[0]
            self._handler.ask(about_other_way(hand, seq, proposed.otherwise, by))
        # An event that a person has rejected will not be read otherwise by looking on.
        if isinstance(event, StartingHandShown) or event is not proposed.event:
            doubt = about_unread(hand, seq, event, proposed.candidates, self._handler.rules.kinds)
            if doubt:
                self._handler.ask(doubt)
        self._kong_keys.see(event, self._record, proposed.seen)
        return told

    def _may_be_from_egg(self, claim: Claimed) -> bool:
        """Whether nobody saw the claimed tile, and it may have been put to an egg (CC-13)."""
        last = self._state.last_discard
        if last is None or last[1].is_face or claim.kind is MeldKind.CHOW:
            return False
        is_seen = self._seen.get(self._record.discard_seq(last[0], -1) or 0)
        return not is_seen and may_be_from_egg(self._state, last[0], claim.tiles[0])

    def _take_early_passes(self) -> None:
        """Who passed the last tile on before this discard was read: keys are faster."""
        said = [
            (entry.event.kind, *entry.event.fields)
            for entry in self._record.hand_entries()
            if isinstance(entry.event, BoardSaid) and self._now() - entry.t <= EARLY_S
        ]
        while may_pass(self._state) and ("KEY", str(self._state.turn), Key.PASS.name) in said:
            said.remove(("KEY", str(self._state.turn), Key.PASS.name))
            self._record.append(LastTilePassed(self._state.turn), Source.BOARD)

    def _ask_who_gave(self, shown: HandShown) -> None:
        """Whether the discard that was won was made so: before another player, or after another.

        In a heap its place tells nothing, and one that is missed makes it the next player's. A tile
        for which another one was laid down may have been taken by who has it now.
        """
        given = self._state.last_discard
        if given is None:
            return
        seat = given[0]
        seq, instead = self._record.discard_seq(seat, -1) or 0, self._bindings.instead
        piece, made = self._bindings.now.pieces.get((seq, 0)), None
        if instead.get(seq) in shown.concealed and seat != shown.seat:
            made = INSTEAD
        elif shown.self_drawn or self._is_each_read:
            return
        elif self._heap:
            for entry in self._record.hand_entries():
                if isinstance(entry.event, Melded) and self._record.stands(entry.seq):
                    made = None  # who melds is seen: from there on the order is known again
                elif isinstance(entry.event, Discarded) and not entry.event.tile.is_face:
                    made = BY_ORDER
        elif piece and seat != max(SEATS, key=lambda s: to_seat(piece.x_mm, piece.y_mm, s)[1]):
            made = ASTRAY
        elif seq in instead and self._handler.rules.chosen.get("discard_takeback") == "never":
            made = INSTEAD
        elif on_turn(self._record.state_before(self._record.place(seq) or 0)) != seat:
            made = why_irregular(Irregularity.OUT_OF_TURN)
        if made:
            self._handler.ask(about_won(self._state.hand, seq, Discarded(*given), made))

    def _is_due(self, event: Event) -> bool:
        """Whether nobody has declared a win, or others while its seat was on turn: by this tile."""
        declared = self._state.declared
        seat = event.seat if isinstance(event, Discarded) else None
        return not declared or (on_turn(self._state) == seat and seat not in declared)

    def _plays_on(self, event: Event) -> int | None:
        """The seat that declared a win and discards, its hand not read; None for anything else."""
        if not isinstance(event, Discarded) or event.seat not in self._state.declared:
            return None
        read = any(hand.seat == event.seat for hand in self._state.shown)
        return None if read else event.seat

    def _not_again(self, event: Event) -> Event | None:
        """A proposal as it may be recorded: people's corrections stick, and birds are counted."""
        state = self._state
        if isinstance(event, HandShown | HandLaidDown):
            own = [old for old in state.shown + state.laid_down if old.seat == event.seat]
            known = [seq for seq, old in self._record.counting if old in own]
            won = dict(self._handler.outcome.verdicts).get(event.seat)
            is_other = known and sorted(own[0].concealed) != list(event.concealed)
            if (is_other and won and won.valid) or any(map(self._record.is_corrected, known)):
                if isinstance(event, HandShown):
                    self._handler.ask(about_corrected(state.hand, event))
                return None
        if isinstance(event, BirdTurned) and len(state.birds) >= birds_due(
            self._handler.rules, state
        ):
            self._handler.ask(about_surplus_birds(state.hand))
            return None
        if event in self._record.rejected():
            unread = Discarded(event.seat, Tile.UNKNOWN) if isinstance(event, Discarded) else None
            return None if unread in self._record.rejected() else unread
        return event

    def _before(self, event: Event, seen: Sequence[SeenTile]) -> tuple[int, TableState] | None:
        """A key, or its own discard, was faster than the camera: what lay there belongs before it.

        Returns:
            The later entry and the state before it; None where none was too fast.
        """
        if not isinstance(event, _IN_PLAY):
            return None
        found, is_late = None, isinstance(event, _OWN_TURN) and irregularities(self._state, event)
        for index in reversed(range(len(self._record.counting))):
            seq, old = self._record.counting[index]
            if (
                isinstance(old, WinDeclared)
                and self._now() - self._record.entries[seq - 1].t <= EARLY_S
            ):
                found = index
            elif isinstance(old, ReadyDeclared) and old.seat != event.seat:
                state = self._record.state_before(index)
                last = state.last_discard
                early = on_turn(state) != old.seat and (last is None or last[0] != old.seat)
                if not early or event.seat != on_turn(state):
                    break
                found = index
            elif isinstance(old, Discarded) and is_late and found is None:
                if old.seat == event.seat:
                    piece = self._bindings.now.pieces.get((seq, 0))
                    lay_there = piece and 0 < max(tile.id for tile in seen) < piece.id
                    found = index if lay_there else None
                    break
            elif not isinstance(old, _BESIDE_PLAY):
                break
        if found is None:
            return None
        return self._record.counting[found][0], self._record.state_before(found)

    # -- questions -------------------------------------------------------------------------------

    def _of_entry(self, doubt: Doubt) -> Doubt:
        """With the entry that it is about: who compares picture and state knows no entries."""
        if doubt.question.kind is QuestionKind.TURNED:
            turned = (seq for seq, event in reversed(self._record.counting)
                      if isinstance(event, IndicatorTurned))  # fmt: skip
            return replace(doubt, about=next(turned, 0))
        if doubt.question.kind is not QuestionKind.GONE:
            return doubt
        lost = doubt.question.subject.removeprefix(LOST)
        is_any = lost == doubt.question.subject  # the last one of all
        discards = [
            seq
            for seq, event in reversed(self._record.counting)
            if isinstance(event, Discarded)
            and (is_any or (event.seat == doubt.question.seat and str(event.tile) == lost))
        ]
        if not is_any:
            discards.sort(key=lambda seq: not self._bindings.is_missed(seq))
        return replace(doubt, about=next(iter(discards), 0))
