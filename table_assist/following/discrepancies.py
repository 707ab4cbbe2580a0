"""Misfits: doubts that a person must look at."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from table_assist.following.seen_table import (
    DOUBTFUL_PICTURES,
    LIKELY_FACE,
    MELD_TILES,
    PUZZLING_PICTURES,
    TableSight,
    fewest,
    hand_faces,
    laid_beside,
    lie_at_their_places,
    melds_row,
    recorded_melds,
    standing_tiles,
    turned_birds,
    turned_in_wall,
)
from table_assist.game.doubt import PATIENCE_S, Doubt
from table_assist.game.in_force import rules_in_force
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.turn import on_turn, thrown
from table_assist.languages.words import Words, player_at
from table_assist.tiles.melds import tile_noted, tiles_words
from table_assist.tiles.tile import Tile
from table_assist.vision.reading.one_set import SURE_TOGETHER
from table_assist.vision.table.observation import Observation, SeenTile, apart_mm
from table_assist.vision.table.zones import ZoneKind

# How the subject of a question begins that names a discard which lies in the heap no more.
LOST = "lost-"
# A count that does not fit must not fit for so long.
COUNTED_S = 12.0
BACKS_SURELY_SEEN = 4
# People err by a tile or two: of a hand that is farther off, some are not read, or are others.
ERRED_AT_MOST = 2


def doubts_about(state: TableState, sight: TableSight) -> list[Doubt]:
    """Everything that does not fit, each with the same id as long as it is the same doubt."""
    observation = sight.observation
    found = [
        _dice_doubt(state, observation),
        _bird_doubt(state, observation),
        _gone_doubt(state, sight),
        _lost_doubt(state, sight),
        _taken_doubt(state, sight),
        _turned_doubt(state, observation),
    ]
    for seat in SEATS:
        found += [
            _count_doubt(state, sight, seat),
            _stray_meld_doubt(state, sight, seat),
            _changed_meld_doubt(state, observation, seat),
            _kong_doubt(state, observation, seat),
            _late_doubt(state, sight, seat),
            _size_doubt(state, observation, seat),
        ]
    return list(filter(None, found))


def _count_doubt(state: TableState, sight: TableSight, seat: int) -> Doubt | None:
    base = state.waiting_size(seat)
    tiles = hand_faces(sight.observation, seat, base + 1)
    if seat not in state.declared or any(hand.seat == seat for hand in state.shown):
        return None
    if len(tiles) <= base // 2 or fewest(tiles) < PUZZLING_PICTURES:
        return None
    if not sight.observation.can_see(ZoneKind.HAND, seat):
        return None
    fits = len(tiles) in (base, base + 1)
    if fits and not _is_odd(state, sight, seat):
        return None
    question = QuestionId(state.hand, QuestionKind.COUNT, seat, subject=str(len(tiles)))
    if fits:
        text = Words(
            "The hand of {seat} shows {count} tiles; it was not their turn to draw, and they "
            "did not take the last discard. Is a discard missing on record?",
            "{seat} 亮出 {count} 张，但未轮到其摸牌，也没有拿最后打出的牌。是否漏记了一张打牌？",
            seat=player_at(seat),
            count=len(tiles),
        )
        return Doubt(question, text, blocks=True)
    text = Words(
        "The hand of {seat} shows {count} tiles and should have {base} or {base_2}; please "
        "spread them out.",
        "{seat} 亮出 {count} 张，应为 {base} 或 {base_2} 张，请摊开。",
        seat=player_at(seat),
        count=len(tiles),
        base=base,
        base_2=base + 1,
    )
    return Doubt(replace(question, kind=QuestionKind.SIZE), text, ("yes",))


def _is_odd(state: TableState, sight: TableSight, seat: int) -> bool:
    """Whether the hand's last tile can neither be drawn nor be the discard on record."""
    given = state.given_up
    base = state.waiting_size(seat)
    faces = [tile.tile for tile in hand_faces(sight.observation, seat, base + 1)]
    if seat == on_turn(state):
        return False
    if given is None or given[0] == seat:
        return not state.seats[seat].ready or not state.treasures  # by which it may have won alone
    if len(faces) == base or Tile.UNKNOWN in faces:
        return False
    lies = len(sight.rivers[given[0]]) >= len(state.seats[given[0]].river) and not sight.heap
    return given[1] not in faces or (lies and state.robbable is None)


def _stray_meld_doubt(state: TableState, sight: TableSight, seat: int) -> Doubt | None:
    fresh = unexplained_beside(state, sight, seat)
    if not fresh or fewest(fresh) < 2 * PUZZLING_PICTURES:
        return None
    if any(tile.age_s > 0 or not tile.is_clear for tile in fresh):
        return None
    pays = seat in state.declared or rules_in_force(state).settle_values is not None
    if state.declared and not pays and len(fresh) < MELD_TILES:
        return None  # nothing depends on it
    faces = " ".join(str(tile.tile) for tile in fresh)
    text = Words(
        "These tiles among the melds of {seat} fit no meld: {each}.",
        "{seat} 副露处的这些牌不成副：{each}。",
        seat=player_at(seat),
        each=tiles_words(tile.tile for tile in fresh),
    )
    question = QuestionId(state.hand, QuestionKind.MELD, seat, subject=faces)
    return Doubt(question, text, blocks=True, after_s=PATIENCE_S)


def unexplained_beside(state: TableState, sight: TableSight, seat: int) -> tuple[SeenTile, ...]:
    """What lies beside recorded melds and may be tiles, and not chips or boxes on the rim.

    Of a meld more than two tiles are seen. What is none is asked about by nobody, and holds
    nothing back.
    """
    laid = laid_beside(state, sight, seat)
    fresh = laid.fresh
    if len(fresh) < MELD_TILES and _is_hand_whole(state, sight.observation, seat):
        fresh = tuple(tile for tile in fresh if not tile.tile.is_face or tile.tile.is_bonus)
    if len(fresh) < MELD_TILES and not any(_is_of_a_meld(tile, fresh, sight) for tile in fresh):
        fresh = ()
    return (*(tile for _, tile in laid.added), *fresh)


def _is_hand_whole(state: TableState, observation: Observation, seat: int) -> bool:
    """Whether the seat holds as many tiles as its melds on record leave: it has no other meld."""
    base = state.waiting_size(seat)
    held = len(hand_faces(observation, seat, base + 1)) or standing_tiles(observation, seat)
    return held in (base, base + 1) and observation.can_see(ZoneKind.HAND, seat)


def _is_of_a_meld(tile: SeenTile, fresh: Sequence[SeenTile], sight: TableSight) -> bool:
    """Whether it shows a face, or may have been put to a meld: a chip on the rim does neither."""
    if tile.tile.is_face:
        return True
    if tile.tile is Tile.BACK:
        return False
    reach = 1.5 * sight.observation.tile_mm  # one upright beside one sideways, and a gap
    return any(
        other not in fresh and apart_mm(tile, other) < reach
        for other in sight.observation.in_zone(ZoneKind.MELDS, tile.zone.seat)
    )


def _changed_meld_doubt(state: TableState, observation: Observation, seat: int) -> Doubt | None:
    """All tiles of the recorded melds are there, but not with the recorded faces."""
    lying = (tile for _, tiles in recorded_melds(state, seat) for tile in tiles)
    recorded: Counter[Tile] = Counter(tile for tile in lying if tile is not Tile.UNKNOWN)
    row = melds_row(state, observation, seat)
    seen = [tile for tile in row if tile.pictures >= PUZZLING_PICTURES and tile.is_clear]
    if not observation.can_see(ZoneKind.MELDS, seat) or any(tile.age_s > 0 for tile in row):
        return None
    sure: Counter[Tile] = Counter(tile.tile for tile in seen if tile.tile is not Tile.UNKNOWN)
    if len(seen) < recorded.total() or sure.total() < recorded.total() or not recorded - sure:
        return None
    if lie_at_their_places(state, row, seat):
        return None  # what is not seen there is one that is not read, beside melds not on record
    was, now = _told(recorded - sure), _told(sure - recorded)
    text = Words(
        "Among the melds of {seat} {was} is recorded, and {now} is seen. Is {was} right?",
        "{seat} 的副露记为 {was}，现在看像 {now}。记录的 {was} 对吗？",
        seat=player_at(seat),
        was=was,
        now=now,
    )
    question = QuestionId(state.hand, QuestionKind.CHANGED, seat, subject=f"{was}-{now}")
    return Doubt(question, text, blocks=True, after_s=PATIENCE_S)


def _kong_doubt(state: TableState, observation: Observation, seat: int) -> Doubt | None:
    """Of a kong, which is paid, one tile has gone, or a fifth is surely read elsewhere."""
    robbed = None if state.robbable is None else state.robbable.tile
    melds = observation.in_zone(ZoneKind.MELDS, seat)
    kongs = (meld.tiles[0] for meld in state.seats[seat].melds if meld.kind.is_kong)
    for face in kongs:
        own = [seen for seen in melds if seen.tile is Tile.BACK or _may_show(seen, face)]
        # A back is missed where the cloth is like it; nothing is won by taking one of two away.
        is_back_gone = sum(seen.tile is Tile.BACK for seen in own) == 1
        is_one_gone = len(own) == 3 and not is_back_gone
        is_one_gone = is_one_gone and observation.sees_all(ZoneKind.MELDS, seat)
        fifth = (
            seen.is_clear
            and min(seen.confidence, seen.pictures / PUZZLING_PICTURES) > SURE_TOGETHER
            for seen in observation.tiles
            if seen not in melds and face in (seen.tile, *(each for each, _ in seen.candidates[:1]))
        )
        if face.is_face and face is not robbed and (is_one_gone or any(fifth)):
            text = Words(
                "{seat} has a kong of {value}, and more or fewer than four are seen. Is it right?",
                "记录中 {seat} 有{value}的杠，而看到的不是四张。这个杠对吗？",
                seat=player_at(seat),
                value=tile_noted(face),
            )
            question = QuestionId(state.hand, QuestionKind.CHANGED, seat, subject=str(face))
            return Doubt(question, text, blocks=True, after_s=PATIENCE_S)
    return None


def _late_doubt(state: TableState, sight: TableSight, seat: int) -> Doubt | None:
    """A discard that was not recorded when the hand was shown."""
    rivers = sight.rivers
    extra = rivers[seat][len(state.seats[seat].river) :]
    if sight.heap:
        recorded = sum(len(each.river) for each in state.seats)
        extra = sight.thrown[recorded:] if seat == 0 else ()
    if not state.shown or not extra or extra[-1].pictures < DOUBTFUL_PICTURES:
        return None
    if not extra[-1].is_clear:
        return None
    text = Words(
        "In the river of {seat} lies a tile that was not recorded before the hand was shown. "
        "Is the win to be settled as shown all the same?",
        "{seat} 的牌河里有一张亮牌前没有记录的牌。仍按所示结算吗？",
        seat=player_at(seat),
    )
    if sight.heap:
        text = Words(
            "Among the discards lies a tile that was not recorded before the hand was shown. "
            "Is the win to be settled as shown all the same?",
            "弃牌中有一张亮牌前没有记录的牌。仍按所示结算吗？",
        )
    question = QuestionId(state.hand, QuestionKind.LATE, seat, subject=str(len(rivers[seat])))
    return Doubt(question, text, blocks=True)


def _bird_doubt(state: TableState, observation: Observation) -> Doubt | None:
    """As many birds lie there as are recorded, but they look otherwise."""
    turned = turned_birds(observation)
    known = Counter((*state.birds, *state.old_birds))
    seen: Counter[Tile] = Counter(
        tile.tile for tile in turned if tile.pictures >= DOUBTFUL_PICTURES
    )
    if state.phase is not Phase.SHOWING or seen[Tile.UNKNOWN] or known[Tile.UNKNOWN]:
        return None
    if not observation.can_see(ZoneKind.BIRDS):
        return None
    if not state.birds or seen.total() < known.total() or not known - seen:
        return None
    was, now = _told(known - seen), _told(seen - known)
    text = Words(
        "The birds are recorded with {was}, and {now} is seen. Is {was} right?",
        "鸟牌记为 {was}，现在看像 {now}。记录的 {was} 对吗？",
        was=was,
        now=now,
    )
    question = QuestionId(state.hand, QuestionKind.BIRDS, subject=f"{was}-{now}")
    return Doubt(question, text, blocks=True)


def _told(tiles: Counter[Tile]) -> str:
    return " ".join(map(str, sorted(tiles.elements())))


def _dice_doubt(state: TableState, observation: Observation) -> Doubt | None:
    dice = tuple(sorted(state.dice.values)) if state.dice else ()
    begun = any(seat.discards for seat in state.seats) and not state.seeking
    if begun or len(observation.dice) != len(dice):
        return None
    if observation.dice == dice or not observation.can_see(ZoneKind.DICE):
        return None
    seen, said = (" ".join(map(str, values)) for values in (observation.dice, dice))
    text = Words(
        "The board reports the dice as {said}, the camera sees {seen}.",
        "控制板报骰子 {said}，摄像头看到 {seen}。",
        said=said,
        seen=seen,
    )
    number = "" if len(state.throws) <= 1 else str(len(state.throws))
    question = QuestionId(state.hand, QuestionKind.DICE, subject=number)
    return Doubt(question, text, ("yes",), after_s=PATIENCE_S)


def _gone_doubt(state: TableState, sight: TableSight) -> Doubt | None:
    """The last discard has left the river, and nobody has laid it down: was it taken back?"""
    last = state.last_discard
    if last is None or state.declared or state.shown or sight.heap:
        return None
    seat = last[0]
    river, recorded = sight.rivers[seat], state.seats[seat].river
    if (
        len(river) >= len(recorded)
        or (seat, len(recorded) - 1) in sight.known
        or not sight.observation.can_see(ZoneKind.RIVER, seat)
    ):
        return None
    text = Words(
        "{seat} discarded {last}, and it has gone from the river without being claimed. Does "
        "the discard stand?",
        "{seat} 打出的 {last} 已不在牌河，也无人吃碰。这张算打出吗？",
        seat=player_at(seat),
        last=last[1],
    )
    number = state.seats[seat].discards
    question = QuestionId(state.hand, QuestionKind.GONE, seat, subject=str(number))
    return Doubt(question, text, after_s=PATIENCE_S)


def _lost_doubt(state: TableState, sight: TableSight) -> Doubt | None:
    """In a heap: fewer lie there than are recorded, and one of those before the last is gone.

    Whose a discard is follows from turn order there. If one was seen late, another may be on record
    for a wrong seat, and may have been claimed.
    """
    recorded = thrown(state)
    if not sight.heap or len(sight.thrown) >= len(recorded):
        return None
    if not sight.observation.can_see(ZoneKind.RIVER):
        return None
    lost = Counter(tile for tile in recorded if tile.is_face)
    lost.subtract(tile.tile for tile in sight.thrown)
    if state.last_discard is not None:
        lost[state.last_discard[1]] -= 1
    gone = [
        ((seat, index) in sight.known, seat, tile)
        for seat in SEATS
        for index, tile in enumerate(state.seats[seat].river)
        if lost[tile] > 0
    ]
    if not gone:
        return None
    # Of equal tiles it is the one whose own piece is not seen.
    _, seat, tile = min(gone, key=lambda each: each[0])
    text = Words(
        "{seat} discarded {value} by the record, and it does not lie among the discards, nor "
        "was it claimed. Is the record right?",
        "记录显示 {seat} 打出{value}，但弃牌中没有这张牌，也无人吃碰。记录对吗？",
        seat=player_at(seat),
        value=tile_noted(tile),
    )
    question = QuestionId(state.hand, QuestionKind.GONE, seat, subject=f"{LOST}{tile}")
    return Doubt(question, text, after_s=PATIENCE_S)


def _taken_doubt(state: TableState, sight: TableSight) -> Doubt | None:
    """A discard lies there no more, and such a tile is in what is paid: nobody has claimed it.

    What is unread there may be such a tile: a settlement that finds its face comes before a look.
    """
    paid = [hand.concealed for hand in state.shown]
    for seat in SEATS if paid else ():
        melds = state.seats[seat].melds
        paid += [meld.tiles for meld in melds if meld.kind.is_kong or seat in state.declared]
    held = {tile for tiles in paid for tile in tiles}
    known = sight.known.values()
    nobodys = [each for each in sight.thrown if not any(each is piece for piece in known)]
    last = () if state.last_discard is None else (state.last_discard[0], -1)  # is won, or may be
    for seat in SEATS if held else ():
        gone, river = [], state.seats[seat].river
        for index, tile in enumerate(river):
            piece = sight.known.get((seat, index))
            there = nobodys if piece is None else [piece]
            lies = next((each for each in there if _may_show(each, tile)), None)
            if lies in nobodys:
                nobodys.remove(lies)
            may_be_held = tile in held or Tile.UNKNOWN in {tile, *held}
            if lies is None and may_be_held and (seat, index - len(river)) != last:
                gone.append(tile)
        if gone and sight.observation.sees_all(ZoneKind.RIVER, seat):
            text = Words(
                "{seat} discarded {value}; it lies there no more, and may be in an open hand or a "
                "meld. Is the win to be settled as shown all the same?",
                "{seat} 打出的{value}已不在牌河，可能在亮出的手牌或副露里。仍按所示结算吗？",
                seat=player_at(seat),
                value=tile_noted(gone[0]),
            )
            question = QuestionId(state.hand, QuestionKind.LATE, seat, subject=f"{LOST}{gone[0]}")
            return Doubt(question, text, blocks=True, after_s=PATIENCE_S)
    return None


def _may_show(seen: SeenTile, tile: Tile) -> bool:
    """Whether it is read as that tile, or so badly that it may well be."""
    likely = [face for face, share in seen.candidates if face.is_face and share >= LIKELY_FACE]
    is_unread = seen.tile is Tile.UNKNOWN and (not likely or tile in likely)
    return seen.pictures > 0 and (tile in (seen.tile, Tile.UNKNOWN) or is_unread)


def _size_doubt(state: TableState, observation: Observation, seat: int) -> Doubt | None:
    """A standing hand with too many or too few tiles, where their backs are surely seen."""
    count = standing_tiles(observation, seat)
    base = state.waiting_size(seat)
    if state.phase is not Phase.PLAYING or not observation.can_see(ZoneKind.HAND, seat):
        return None
    least = max(BACKS_SURELY_SEEN, base - ERRED_AT_MOST)
    if count is None or not least <= count <= base + 1 + ERRED_AT_MOST:
        return None
    if count in (base, base + 1) or not any(each.discards for each in state.seats):
        return None
    text = Words(
        "{seat} holds {count} tiles and should hold {base} or {base_2}.",
        "{seat} 手里有 {count} 张，应为 {base} 或 {base_2} 张。",
        seat=player_at(seat),
        count=count,
        base=base,
        base_2=base + 1,
    )
    return Doubt(QuestionId(state.hand, QuestionKind.SIZE, seat), text, ("yes",), after_s=COUNTED_S)


def _turned_doubt(state: TableState, observation: Observation) -> Doubt | None:
    """The turned tile looks otherwise than it is recorded."""
    known = [each.tile for each in state.indicators if each.tile.is_face]
    if len(known) != 1 or len(state.indicators) != 1:
        return None
    lying = [
        t for t in turned_in_wall(observation) if t.pictures >= PUZZLING_PICTURES and t.is_clear
    ]
    if len(lying) != 1 or not lying[0].tile.is_face or lying[0].tile is known[0]:
        return None
    was, now = known[0], lying[0].tile
    text = Words(
        "The turned tile is recorded as {was}, and {now} is seen. Is {was} right?",
        "翻牌记为 {was}，现在看像 {now}。记录的 {was} 对吗？",
        was=was,
        now=now,
    )
    question = QuestionId(state.hand, QuestionKind.TURNED, subject=f"{was}-{now}")
    return Doubt(question, text, blocks=True, after_s=PATIENCE_S)
