"""What a settlement rests on: unread tiles are weighed, and asked about where it pays.

A player who declares a win knows the hand, a face has four copies, and most faces that an unread
tile may have pay alike: if all but one in a thousand of the weight does, the tile is filled in. A
discard is asked about where its face, or whether it was one, moves points.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from table_assist.following.claimed_tiles import as_many_as_left, likely_kongs, likely_melds
from table_assist.following.seen_table import LIKELY_FACE, faces_of, is_last_apart
from table_assist.following.told_scale import chances, chances_unread, told_scale
from table_assist.game.course import birds_due
from table_assist.game.events import (
    Beside,
    BirdTurned,
    BonusLaid,
    Claimed,
    Discarded,
    Event,
    HandLaidDown,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    Melded,
    OpenHand,
    Readable,
    tiles_of,
)
from table_assist.game.irregular import visible_tiles
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import TableState
from table_assist.game.sureness import FALSE_WINS, LikelyReading, false_win
from table_assist.record.log import Amended, Retracted, Source
from table_assist.record.record import Record
from table_assist.rules.ruleset import RuleSet
from table_assist.session.questions import with_tile
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile
from table_assist.vision.table.attention import RecordedTile
from table_assist.vision.table.observation import SeenTile
from table_assist.vision.table.zones import Zone, ZoneKind

Seen = Mapping[int, tuple[SeenTile, ...]]
# What is left to chance of a settlement that nobody is asked about.
LEFT_TO_CHANCE = 0.001
# So many ways to name the unread tiles of wins are tried, the likeliest first.
MOST_WAYS = 256
# Of so many entries, some hands, is taken how well each face of the set is read here.
LATELY, ROUNDS = 600, 4
# So many copies of a face may be left although all lie open: one of those is another face.
MISREAD = 0.01


@dataclass(frozen=True, slots=True)
class _Place:
    """An unread tile, the entries that have it, how likely it is each face, and if it was won."""

    seqs: tuple[int, ...]
    chances: Mapping[Tile, float]
    is_won: bool = False


def filled_in(rules: RuleSet, record: Record, seen: Seen) -> list[tuple[int, Event, float]]:
    """Open hands, birds, the won discard and what makes wild, named where it hardly matters.

    The faces that are likeliest together must make the declared hands wins. Each other way to name
    them all, and each other face of one tile, or of all alike, counts against that where it pays
    otherwise: what decides is left to people, and the rest is named. With each entry goes the share
    of the weight that pays as this does.
    """
    places, shown = _places(rules, record, seen), record.state.shown
    if places is None or not (places or any(not hand.winning_tile.is_face for hand in shown)):
        return []
    ways = [each for each in _ways(record, places) if _are_there(rules, record, each[1])]
    tried = ((*each, _paid(rules, record, places, each[1])) for each in ways)
    first = next((each for each in tried if each[2]), None)
    if first is None or first[0] <= FALSE_WINS * ways[0][0] or len(first[2]) > 1:
        return []
    _, faces, paid = first
    others = [way for _, way, pays in tried if pays and pays.keys() != paid.keys()]
    wrong = _paid_otherwise(rules, record, places, faces, paid, others)
    named = _named(record, places, faces)
    won = {hand.seat: hand for hands in paid.values() for hand in hands}
    for seq, event in open_entries(rules, record):
        if isinstance(event, HandShown) and not event.winning_tile.is_face:
            named[seq] = won[event.seat]
    found, chance = [], 0.0
    for entry in sorted({_of(record, seq) for seq in named}, key=lambda entry: wrong[entry]):
        chance += wrong[entry]
        if chance <= LEFT_TO_CHANCE:
            own = (seq for seq in named if _of(record, seq) == entry)
            found += [(seq, named[seq], 1 / (1 + chance)) for seq in own]
    return found


def _of(record: Record, seq: int) -> int:
    """The entry; all wins, and the discard that was won, are weighed as one."""
    return 0 if isinstance(record.event(seq), HandShown | Discarded) else seq


def _paid_otherwise(
    rules: RuleSet,
    record: Record,
    places: Sequence[_Place],
    faces: Sequence[Tile],
    paid: Mapping[object, object],
    others: Iterable[Sequence[Tile]],
) -> Mapping[int, float]:
    """By entry, how likely its unread tiles pay otherwise; more than is left to chance is enough.

    Args:
        others: other ways to name all that pay otherwise.
    """
    wrong: dict[int, float] = defaultdict(float)

    def count(way: Sequence[Tile], share: float = 1.0) -> None:
        by_place = zip(places, faces, way, strict=True)
        for entry in {_of(record, place.seqs[-1]) for place, own, face in by_place if own != face}:
            wrong[entry] += share * _odds(places, faces, way)

    for way in others:
        count(way)
    false = false_win(record.state.shown)
    for at, place in enumerate(places):
        alike = tuple(n for n, own in enumerate(faces) if own is faces[at])
        for face, changed in product(place.chances, {(at,), alike} if at in alike[:1] else [(at,)]):
            if wrong[_of(record, place.seqs[-1])] > LEFT_TO_CHANCE:
                break
            way = [face if n in changed else own for n, own in enumerate(faces)]
            odds = _odds(places, faces, way)
            if face is faces[at] or odds <= 0 or not _are_there(rules, record, way):
                continue
            if odds * false < LEFT_TO_CHANCE**2:
                count(way, false)
            elif (pays := _paid(rules, record, places, way)).keys() != paid.keys():
                count(way, 1.0 if pays else false)
    return wrong


def _ways(record: Record, places: Sequence[_Place]) -> list[tuple[float, list[Tile]]]:
    """The likeliest faces of all together, the likeliest way first, with the chance of each."""
    of_wins = [isinstance(record.event(each.seqs[-1]), HandShown | Discarded) for each in places]
    most = int(MOST_WAYS ** (1 / max(sum(of_wins), 1)))
    best = [
        sorted(each.chances, key=lambda face: -each.chances[face])[: most if won else 1]
        for each, won in zip(places, of_wins, strict=True)
    ]
    ways = [
        (prod(place.chances[face] for place, face in zip(places, way, strict=True)), list(way))
        for way in product(*best)
    ]
    return sorted(ways, key=lambda each: -each[0])


def _odds(places: Sequence[_Place], faces: Sequence[Tile], way: Sequence[Tile]) -> float:
    """How likely another way is beside these faces: two that look alike err alike, as one."""
    errors: dict[tuple[Tile, Tile], float] = {}
    for place, face, other in zip(places, faces, way, strict=True):
        if face is not other:
            odds = place.chances[other] / place.chances[face]
            errors[face, other] = max(odds, errors.get((face, other), 0.0))
    return prod(errors.values())


def _paid(
    rules: RuleSet, record: Record, places: Sequence[_Place], faces: Sequence[Tile]
) -> dict[object, tuple[HandShown, ...]]:
    """What everybody is paid and who deals next, with the hands; none where one does not win.

    More than one where it depends on which tile of a hand was won, and nobody saw that.
    """
    named = _named(record, places, faces)
    state = record.state_with(*(Amended(*each) for each in named.items()))
    by_each = [
        [replace(hand, winning_tile=tile) for tile in dict.fromkeys(hand.concealed)]
        if hand.winning_tile is Tile.UNKNOWN
        else [hand]
        for hand in state.shown
    ]
    found = ((_pays(rules, replace(state, shown=hands)), hands) for hands in product(*by_each))
    return {pays: hands for pays, hands in found if pays is not None}


def _pays(rules: RuleSet, state: TableState) -> object:
    given = None if state.robbable is not None else state.last_discard
    for hand in state.shown:
        claimed = not (hand.self_drawn or hand.rush)
        if claimed and given is not None and hand.winning_tile is not given[1]:
            return None
    result = _result(rules, state)
    return result if isinstance(result, tuple) and all(result[2]) else None


def _are_there(rules: RuleSet, record: Record, faces: Sequence[Tile]) -> bool:
    """Whether the set has copies enough of these faces beside those that lie open."""
    lying = Counter(visible_tiles(record.state))
    return all(
        lying[face] + count <= rules.copies_of(face) for face, count in Counter(faces).items()
    )


def _places(rules: RuleSet, record: Record, seen: Seen) -> list[_Place] | None:
    """The unread tiles of this win; None where the camera remembers one of them no more."""
    found, illegible = [], legibility(record, seen, every_face(rules))
    left = copies_left(rules, record.state)
    last, given = record.state.last_discard, 0
    if last is not None and last[1] is Tile.UNKNOWN and record.state.robbable is None:
        given = record.discard_seq(last[0], -1) or 0
    for seq, event in open_entries(rules, record):
        is_claimed = isinstance(event, HandShown) and not (event.self_drawn or event.rush)
        if Tile.UNKNOWN not in tiles_of(event):
            if is_claimed and seen.get(given):
                chances = chances_here(seen[given][0], rules.kinds, illegible, left)
                found.append(_Place((given,), chances, is_won=True))
            continue
        if isinstance(event, IndicatorTurned) and rules.treasure is not None and seq not in seen:
            continue  # a secret, until it is turned up
        if isinstance(event, Melded):
            return None  # people are asked, and what they say may make it another hand
        unread = [tile for tile in seen.get(seq, ()) if not tile.tile.is_face]
        owed = tiles_of(event).count(Tile.UNKNOWN) - len(unread)
        is_apart = isinstance(event, HandShown) and is_last_apart(seen.get(seq, ()), event.seat)
        won = [tile for tile in unread if is_apart and tile is seen[seq][-1]]
        if is_claimed and seen.get(given):
            # The discard lies in the hand now, or in no place that is read.
            (taken,) = seen[given]
            if not (won or owed):
                won = [max(unread, key=lambda tile: faces_of(tile)[:1] == faces_of(taken)[:1])]
            chances = chances_here(taken, rules.kinds, illegible, left)
            found.append(_Place((given, seq), chances, is_won=True))
            unread, owed = [tile for tile in unread if tile not in won], owed - 1 + len(won)
        if owed:
            return None
        if isinstance(event, BonusLaid) and not all(map(_looks_like_bonus, unread)):
            continue  # it may be none at all: people are asked
        kinds = rules.bonus_tiles if isinstance(event, BonusLaid) else rules.kinds
        found += [
            _Place((seq,), chances_here(tile, kinds, illegible, left), is_won=tile in won)
            for tile in unread
        ]
    return found


def _looks_like_bonus(tile: SeenTile) -> bool:
    shares = [share if face.is_bonus else -share for face, share in tile.candidates if face.is_face]
    return sum(shares) >= 0


def are_hands_open(rules: RuleSet, state: TableState) -> bool:
    """Whether all hands that this win moves points by are known."""
    shown = {*(hand.seat for hand in state.shown), *(hand.seat for hand in state.laid_down)}
    return all(
        seat in shown or own.concealed is not None
        for seat, own in enumerate(state.seats)
        if seat in state.declared or (rules.settle_values is not None and own.dead is None)
    )


def open_entries(rules: RuleSet, record: Record) -> Iterator[tuple[int, Readable]]:
    """The open hands and birds of this win and what makes tiles wild, the newest first.

    What pays beside the hands that are not open yet is left out: nobody can tell what it moves.
    """
    state, birds = record.state, len(record.state.birds)
    is_all_open = are_hands_open(rules, state)
    for seq, event in reversed(record.counting):
        match event:
            case HandStarted():
                return
            case BirdTurned() if birds > 0:
                birds -= 1
                yield seq, event
            case HandShown() if event in state.shown:
                yield seq, event
            case HandLaidDown() if is_all_open and event in state.laid_down:
                yield seq, event
            case BonusLaid() if is_all_open:
                yield seq, event
            case IndicatorTurned() if is_all_open and (rules.wilds or rules.treasure) is not None:
                yield seq, event
            case KongDeclared(_, _, Tile.UNKNOWN):
                yield seq, event
            case Claimed(_, kind, tiles) if not Meld(kind, tiles).is_unexposed:
                yield seq, event


def _named(record: Record, places: Sequence[_Place], faces: Sequence[Tile]) -> dict[int, Event]:
    """The entries with these faces in their unread places."""
    events: dict[int, Event] = {}
    for place, face in zip(places, faces, strict=True):
        for seq in place.seqs:
            read = events.get(seq) or record.event(seq)
            assert read is not None
            event = with_tile(read, face)
            if isinstance(event, HandShown) and place.is_won and not event.winning_tile.is_face:
                event = replace(event, winning_tile=face)
            events[seq] = event
    return events


# --- Melds and discards


def _unread_claims(
    rules: RuleSet, record: Record, seen: Seen
) -> Iterator[tuple[int, Melded, Mapping[Meld, float]]]:
    """The melds of which a tile was unread, with what they may be; those asked about aside."""
    claimed = Tile.UNKNOWN
    asked = {question.about for question in record.state.questions}
    for seq, event in record.counting[record.starts[-1].index :]:
        is_open = seq in seen and seq not in asked and not record.is_corrected(seq)
        match event:
            case Discarded():
                claimed = event.tile
            # A pung whose fourth tile came is a kong, and its tiles are no other meld.
            case Claimed(tiles=laid) if is_open and len(laid) == len(seen[seq]):
                chow = (event.discarder + 1) % len(record.state.seats) == event.seat
                shares = likely_melds(seen[seq], claimed, rules.kinds, chow=chow)
                yield seq, event, as_many_as_left(shares, rules, _beside(record, event.tiles))
            case KongDeclared(_, MeldKind.KONG_CONCEALED) if is_open:
                shares = likely_kongs(seen[seq], rules.kinds)
                own = (event.tile,) * 4
                yield seq, event, as_many_as_left(shares, rules, _beside(record, own))


def _beside(record: Record, own: Sequence[Tile]) -> Counter[Tile]:
    """What lies open beside these tiles."""
    lying = Counter(visible_tiles(record.state))
    lying.subtract(own)
    return lying


def likeliest_claims(rules: RuleSet, record: Record, seen: Seen) -> list[tuple[int, Melded, float]]:
    """The claims with an unread tile as they likeliest are, with the share of that."""
    found = []
    for seq, event, shares in _unread_claims(rules, record, seen):
        if Tile.UNKNOWN in tiles_of(event) and shares:
            best = max(shares, key=shares.__getitem__)
            found.append((seq, _laid_as(event, best), shares[best]))
    return found


def claims_in_doubt(rules: RuleSet, record: Record, seen: Seen) -> list[tuple[int, Melded]]:
    """The claims that pay otherwise as another meld that they may be; as they were read."""
    found = []
    for seq, event, shares in _unread_claims(rules, record, seen):
        as_it_is = _result(rules, record.state)
        wrong = sum(
            share
            for meld, share in shares.items()
            if _laid_as(event, meld) != event
            and share > LEFT_TO_CHANCE**2
            and _result(rules, record.state_with(Amended(seq, _laid_as(event, meld)))) != as_it_is
        )
        if wrong > LEFT_TO_CHANCE and Tile.UNKNOWN not in tiles_of(event):
            found.append((seq, _as_read(event, seen[seq])))
    return found


def _laid_as(event: Melded, meld: Meld) -> Melded:
    if isinstance(event, KongDeclared):
        return replace(event, tile=meld.tiles[0])
    return replace(event, kind=meld.kind, tiles=meld.tiles)


def _as_read(event: Melded, seen: Sequence[SeenTile]) -> Melded:
    """The same without a face where one was unread; of a chow one of them."""
    if isinstance(event, KongDeclared):
        return replace(event, tile=Tile.UNKNOWN)
    read = Counter(tile.tile for tile in seen if tile.tile.is_face)
    unread = list((Counter(event.tiles) - read).elements())
    known = unread[1:] if event.kind is MeldKind.CHOW else []
    asked = len(unread) - len(known)
    tiles = (*read.elements(), *known, *(Tile.UNKNOWN,) * asked)
    return replace(event, tiles=tuple(sorted(tiles)))


def rests_on(rules: RuleSet, record: Record, seen: Seen, seq: int, face: bool) -> bool:
    """Whether a discard that is in doubt moves points, or the next dealer.

    An unread one is weighed by what it may be, and a win that it would make false as one.
    On any other entry something rests. While a tile of a won hand is unread nobody can tell.

    Args:
        face: its face alone is in doubt; else whether it was a discard at all, and an unread face.
    """
    event = record.event(seq)
    if not isinstance(event, Discarded):
        return True
    if any(Tile.UNKNOWN in hand.concealed for hand in record.state.shown):
        return False
    left = copies_left(rules, record.state)
    is_read = event.tile.is_face and not face
    shares: Mapping[Tile, float] = {t: 1.0 for t in rules.kinds if left[t] > 0 and not is_read}
    if face and event.tile is Tile.UNKNOWN and seen.get(seq):
        unread = legibility(record, seen, every_face(rules))
        shares = chances_here(seen[seq][0], rules.kinds, unread, left)
    as_it_is, wrong, rest = _result(rules, record.state), 0.0, sum(shares.values())
    for tile, share in sorted(shares.items(), key=lambda each: -each[1]):
        if wrong + rest <= LEFT_TO_CHANCE:
            break
        rest -= share
        result = _result(rules, record.state_with(Amended(seq, replace(event, tile=tile))))
        if result != as_it_is:
            wrong += share * (1.0 if isinstance(result, tuple) and all(result[2]) else FALSE_WINS)
        if wrong > LEFT_TO_CHANCE:
            return True
    gone = () if face else (seq, *_just_before(record, seq, event.seat))
    return any(_result(rules, record.state_with(Retracted(each))) != as_it_is for each in gone)


def _just_before(record: Record, seq: int, seat: int) -> Iterator[int]:
    """The same seat's discard next before an entry: one of two in a row is none."""
    for other, event in reversed(record.counting[: record.place(seq)]):
        if isinstance(event, Discarded) and event.seat == seat:
            yield other
        if not isinstance(event, Beside):
            return


def _result(rules: RuleSet, state: TableState) -> object:
    try:
        ended = end_of_hand(state, rules)
    except ValueError as error:
        return str(error)
    valid = tuple(verdict.valid for verdict in ended.settlement.verdicts.values())
    beside = ended.dealer_next, ended.game_over, ended.unsure
    return ended.total, ended.winners, valid, birds_due(rules, state), *beside


# --- How the tiles of a win were read; what people said of them is sure


def legibility(record: Record, seen: Seen, kinds: Sequence[Tile]) -> Mapping[Tile, float]:
    """How often each face of this table's set lies there unread, by what lay open of late.

    Unread ones are shared out among the faces that they may be, by the record if it knows them, the
    more to those that are read seldom (Dempster, Laird and Rubin 1977); a face that was hardly met
    is as all others.
    """
    read: Counter[Tile] = Counter()
    unread = []
    for entry in record.entries[-LATELY:]:
        event = record.event(entry.seq) if entry.source is Source.CAMERA else None
        if not isinstance(event, Readable):
            continue
        here, is_said = seen.get(entry.seq, ()), record.is_corrected(entry.seq)
        if not is_said and (not here or (isinstance(event, Discarded) and event.tile.is_face)):
            if not isinstance(event, OpenHand):  # of before a restart
                read.update(tile for tile in tiles_of(event) if tile.is_face)
            continue
        own = Counter(tile.tile for tile in here if tile.tile.is_face)
        left = Counter(tile for tile in tiles_of(event) if tile.is_face) - own
        read.update(own)
        for tile in here:
            if not tile.tile.is_face:
                shares = chances_unread(tile, kinds)
                known = {face: share for face, share in shares.items() if left[face]}
                unread.append(known or shares)
    usual = (len(unread) + 0.5) / (len(unread) + read.total() + 1)
    found = dict.fromkeys(kinds, usual)
    for _ in range(ROUNDS):
        lost: Counter[Tile] = Counter()
        for shares in unread:
            weights = {face: share * found[face] for face, share in shares.items()}
            total = sum(weights.values()) or 1.0
            lost.update({face: weight / total for face, weight in weights.items()})
        found = {face: (lost[face] + usual) / (read[face] + lost[face] + 1) for face in kinds}
    return found


def chances_here(
    tile: SeenTile,
    kinds: Sequence[Tile],
    unread: Mapping[Tile, float],
    left: Mapping[Tile, int],
) -> Mapping[Tile, float]:
    """How likely an unread tile is each face, by how often each lies unread at this table.

    What something lies over is unread whatever it is; and to a face that it hardly resembles it is
    no nearer because that one is never read.

    Args:
        left: how many of each face lie nowhere else; what lies elsewhere may be misread.
    """
    found = chances_unread(tile, kinds)
    best = max(found, key=found.__getitem__, default=Tile.UNKNOWN)
    weights = {
        face: share
        * max(left[face], MISREAD)
        * (unread[face if share >= LIKELY_FACE else best] if tile.is_clear else 1.0)
        for face, share in found.items()
    }
    total = sum(weights.values()) or 1.0
    return {face: weight / total for face, weight in weights.items()}


def copies_left(rules: RuleSet, state: TableState) -> Mapping[Tile, int]:
    """How many of each face do not lie open."""
    lying = Counter(visible_tiles(state))
    return {face: rules.copies_of(face) - lying[face] for face in every_face(rules)}


def every_face(rules: RuleSet) -> tuple[Tile, ...]:
    """Flowers and seasons among them."""
    return (*rules.kinds, *rules.bonus_tiles)


def tiles_read(rules: RuleSet, record: Record, seen: Seen) -> tuple[LikelyReading, ...]:
    """Of the open hands and birds of this win each tile that the camera read.

    Args:
        seen: by entry, as long as it is remembered; an entry of before a restart is as sure as it
            was written down.
    """
    state = record.state
    open_now = (*state.shown, *state.laid_down)
    birds = len(state.birds)
    found: list[LikelyReading] = []
    unread = legibility(record, seen, every_face(rules))
    left = copies_left(rules, state)
    for entry in reversed(record.hand_entries()):
        event = entry.event
        if entry.source is not Source.CAMERA or record.is_corrected(entry.seq):
            birds -= isinstance(event, BirdTurned)
            continue
        is_bird = isinstance(event, BirdTurned) and birds > 0
        if is_bird or (isinstance(event, OpenHand) and event in open_now):
            if (tiles := seen.get(entry.seq)) is None:
                sure, nowhere = entry.confidence, Zone(ZoneKind.HAND, None)
                tiles = tuple(SeenTile(x, sure, 0.0, 0.0, 0.0, nowhere) for x in tiles_of(event))
            found += _readings(rules, event, tiles, unread, left)
            birds -= is_bird
    return tuple(found)


def faces_found(record: Record, seen: Seen) -> Iterator[RecordedTile]:
    """Of the open hands and birds the unread tiles of which the record knows the face.

    What is left of a hand beside what was read is the face of a tile that may be one of those.
    """
    for entry in record.hand_entries():
        event = record.event(entry.seq) if entry.seq in seen else None
        if not isinstance(event, OpenHand | BirdTurned):
            continue
        left = Counter(tiles_of(event)) - Counter(each.tile for each in seen[entry.seq])
        unread = [each for each in seen[entry.seq] if not each.tile.is_face]
        for part, each in enumerate(unread if len(unread) <= left.total() else []):
            may_be = {face for face, _ in each.candidates if face.is_face and left[face]}
            if len(may_be) == 1:
                yield RecordedTile((entry.seq, part), each.x_mm, each.y_mm, may_be.pop())


def _readings(
    rules: RuleSet,
    event: object,
    seen: Sequence[SeenTile],
    unread: Mapping[Tile, float],
    spare: Mapping[Tile, int],
) -> Iterator[LikelyReading]:
    """Of the recorded tiles those that were read as they are recorded, or weighed and named."""
    seat = event.seat if isinstance(event, OpenHand) else None
    left = Counter(tiles_of(event))
    for each in sorted(seen, key=lambda tile: not tile.tile.is_face):
        if each.tile.is_face and left[each.tile] > 0:
            left[each.tile] -= 1
            yield LikelyReading(seat, each.tile, chances(each, rules.kinds, told_scale()))
        elif not each.tile.is_face:
            elsewhere = {face: count + left[face] for face, count in spare.items()}
            may_be = chances_here(each, rules.kinds, unread, elsewhere)
            named = max(
                (face for face in left if face.is_face and left[face] > 0),
                key=lambda face: may_be.get(face, 0.0),
                default=None,
            )
            if named is not None:
                left[named] -= 1
                yield LikelyReading(seat, named, may_be)
