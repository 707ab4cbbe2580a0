"""Every question of a told hand, answered otherwise: it is refused, or pays as if it were so.

The followed hand is changed until it says the same; what does not go together there is counted.
"""

from collections.abc import Iterator
from dataclasses import replace

from table_assist.game.events import HandTold, IrregularityNoted
from table_assist.game.fold import apply
from table_assist.game.holding import is_boxed, with_seat
from table_assist.game.outcome import HandEnd, end_of_hand
from table_assist.game.side_payments import lying
from table_assist.game.state import SEATS, Robbable, TableState
from table_assist.game.told_facts import Fact, FactKind, facts_to_ask, with_implied
from table_assist.game.win import declared_hand, is_ready
from table_assist.rules.play_rules import Replaces
from table_assist.rules.settlement import Laid
from table_assist.rules.shown import Circumstance
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile

_AFTER = {
    Circumstance.AFTER_KONG_CONCEALED: "kong_concealed",
    Circumstance.AFTER_KONG_EXPOSED: "kong_exposed",
    Circumstance.AFTER_KONG_ADDED: "kong_added",
}
_BRINGS = {
    **{each: {Circumstance.AFTER_KONG} for each in _AFTER},
    Circumstance.ROBBING_KONG: {
        Circumstance.ROBBED_REGULAR_KONG,
        Circumstance.ROBBED_EGG_SUPPLEMENT,
    },
    Circumstance.ROBBED_EGG_SUPPLEMENT: {Circumstance.ROBBING_KONG},
}
_NOTES = {
    Circumstance.TILE_INTO_HAND: "winning_tile_into_hand",
    Circumstance.TRIPLETS_UNMARKED: "triplets_not_marked",
}


def answered_otherwise(told: TableState, end: TableState) -> Iterator[tuple[str, str | None]]:
    """Each question with each other answer: what is wrong, empty if nothing, None if not followed.

    Args:
        told: all is told, and nothing settled.
        end: the followed hand, all shown.
    """
    for hand in told.told:
        for fact in facts_to_ask(told, hand):
            robbed = told.robbable is not None and told.robbable.seat == hand.seat
            broken = any(each.broken for each in told.told)
            if (fact.kind is FactKind.BROKEN and robbed) or (
                fact.kind is FactKind.UNDOES and broken
            ):
                continue  # another tile was taken, too: of which egg is not followed
            for other in _others(hand, fact):
                said = with_implied(other)
                yield fact.name or fact.kind, _differ(apply(told, said), said, end)


def _others(hand: HandTold, fact: Fact) -> Iterator[HandTold]:
    low = [first for first, _ in fact.ranges]
    match fact.kind:
        case FactKind.CIRCUMSTANCE if fact.name != Circumstance.TREASURE_RUSH:
            said = set(hand.circumstances) ^ {Circumstance(fact.name)}
            if fact.name in hand.circumstances:
                said -= _BRINGS.get(Circumstance(fact.name), set())
            yield replace(hand, circumstances=tuple(sorted(said)))
        case FactKind.WALL_LEFT:
            yield from (replace(hand, wall_left=n) for n in low if n != hand.wall_left)
        case FactKind.DISCARD_ROUND:
            yield from (replace(hand, discard_round=n) for n in low if n != hand.discard_round)
        case FactKind.GIVER:
            at = int(fact.name)
            givers = [*hand.claimed_from, *[None] * len(hand.melds)][: len(hand.melds)]
            for seat in set(SEATS) - {hand.seat, givers[at]}:
                givers[at] = seat
                yield replace(hand, claimed_from=tuple(givers))
        case FactKind.BROKEN:
            yield replace(hand, broken=tuple(sorted({*hand.broken} ^ {int(fact.name)})))
        case FactKind.UNDOES:
            yield from (replace(hand, undoes=each) for each in fact.choices if each != hand.undoes)
        case FactKind.CHASED:
            yield replace(hand, chased=not hand.chased)


def _differ(told: TableState, said: HandTold, end: TableState) -> str | None:
    """Between the hand as it is told now, and the followed one that is as told."""
    supposed = _supposed(end, told, said)
    if supposed is None:
        return None
    by_phone, followed = _end(told), _end(supposed)
    if isinstance(by_phone, str) or isinstance(followed, str):
        return "" if type(by_phone) is type(followed) else f"told {by_phone}, followed {followed}"
    is_refused = False
    for seat, verdict in by_phone.verdicts.items():
        if verdict.valid is not followed.verdicts[seat].valid:
            why = [each.id for each in (*verdict.refusals, *followed.verdicts[seat].refusals)]
            if "contradiction" in why and not verdict.valid:
                is_refused = True  # what others win is paid without it
                continue
            return f"told {verdict.valid}, followed {not verdict.valid} {why}: {said}"
        if not verdict.valid and not verdict.refusals:
            return f"refused without a reason: {said}"
    if by_phone.final and by_phone.winners and not is_refused and by_phone.total != followed.total:
        return f"told {by_phone.total}, followed {followed.total}: {said}"
    return ""


def _end(state: TableState) -> HandEnd | str:
    try:
        return end_of_hand(state)
    except ValueError as error:
        return str(error)


def _supposed(end: TableState, told: TableState, said: HandTold) -> TableState | None:
    """The followed hand with what is said of it; None if its other facts contradict that."""
    state = _of_the_table(end, told)
    for hand in told.told:
        state = _noted(_laid_as(state, hand), hand)
        if hand.winning_tile is not None:
            state = _won_as(state, hand)
    for shown in state.shown:
        wanted = next(hand for hand in told.shown if hand.seat == shown.seat)
        one, two = declared_hand(state, shown), declared_hand(told, wanted)
        is_late = one.wall_remaining == 0 and two.discard_round is None
        if Circumstance.FIRST_TURN in one.circumstances ^ two.circumstances or (
            is_late and one.discard_round == 1  # nobody has told the round
        ):
            return None
        for asked, so in (
            (two.wall_remaining, one.wall_remaining),
            (two.discard_round, one.discard_round),
        ):
            if asked is not None and asked != so:
                return None
    return state


def _of_the_table(end: TableState, told: TableState) -> TableState:
    """Whose tile was won, and the first discards."""
    robbed, laid = told.robbable, list(end.laid)
    state = replace(
        end,
        kong_discarder=told.kong_discarder,
        indicators=told.indicators,
        treasures=told.treasures,
    )
    if robbed is None and told.last_discard is not None:
        state = replace(_as_it_lies(state), robbable=None, last_discard=told.last_discard)
    elif robbed is not None and (end.robbable is None or robbed != replace(end.robbable, egg=None)):
        state = replace(state, robbable=robbed, last_discard=None)
    undoes = next((hand.undoes for hand in reversed(told.told) if hand.undoes), None)
    if undoes:
        laid.sort(key=lambda each: lying(each) == tuple(sorted(undoes)))
        state = replace(state, laid=tuple(laid), robbable=_same_egg(state.robbable, laid, undoes))
    chased = any(hand.chased for hand in told.told)
    tiles = {tile for _, tile in end.first_discards}
    if chased is not (len(tiles) == 1 and len(end.first_discards) == len(SEATS)):
        discards = tuple((seat, Tile.EAST) for seat in SEATS) if chased else ()
        state = replace(state, first_discards=discards)
    return state


def _as_it_lies(state: TableState) -> TableState:
    """Without the tile that was robbed of an added kong: it was told as a pung."""
    robbed = state.robbable
    if robbed is None or robbed.kind is not MeldKind.KONG_ADDED:
        return state
    own = state.seats[robbed.seat]
    melds = tuple(
        Meld(MeldKind.PUNG, meld.tiles[:3])
        if meld.kind is robbed.kind and robbed.tile in meld.tiles
        else meld
        for meld in own.melds
    )
    return with_seat(state, robbed.seat, replace(own, melds=melds))


def _same_egg(
    robbed: Robbable | None, laid: list[Laid], undoes: tuple[Tile, ...]
) -> Robbable | None:
    if robbed is None or robbed.kind is not MeldKind.LUCKY_EGG:
        return robbed
    eggs = [each for each in laid if each.seat == robbed.seat and each.is_egg]
    such = [at for at, egg in enumerate(eggs) if lying(egg) == tuple(sorted(undoes))]
    return replace(robbed, egg=such[-1] if such else robbed.egg)


def _laid_as(state: TableState, hand: HandTold) -> TableState:
    """Givers, and eggs that lost a tile."""
    laid = list(state.laid)
    givers = [*hand.claimed_from, *[None] * len(hand.melds)]
    own = [at for at, each in enumerate(laid) if each.seat == hand.seat]
    for number, meld in enumerate(hand.melds):
        tiles = tuple(sorted(meld.tiles + meld.supplements))
        at = next((at for at in own if lying(laid[at]) == tiles), None)
        if at is None and meld.kind is MeldKind.LUCKY_EGG and state.robbable is None:
            # Told as it was left: then the tile is gone, however it was.
            at = next(at for at in own if laid[at].is_egg)
            laid[at] = replace(laid[at], tiles=meld.tiles, supplements=meld.supplements)
        if at is None:
            continue
        own.remove(at)
        if laid[at].is_egg:
            laid[at] = replace(laid[at], robbed=number in hand.broken)
        elif meld.kind is MeldKind.KONG_EXPOSED and givers[number] is not None:
            laid[at] = replace(laid[at], discarder=givers[number])
    return replace(state, laid=tuple(laid))


def _won_as(state: TableState, hand: HandTold) -> TableState:
    """How the win came about."""
    said, seat, drawn = set(hand.circumstances), hand.seat, hand.discarder is None
    own = state.seats[seat]
    early = own.melds[: own.ready_melds]
    is_so = Circumstance.READY_AFTER_KONG not in said or _before(early, set()) < len(early)
    if Circumstance.READY_DECLARED in said and not (is_ready(state, seat) and is_so):
        before = _before(own.melds, said)
        own = replace(own, ready=True, changed=False, ready_discard=1, ready_melds=before)
    elif Circumstance.READY_DECLARED not in said:
        own = replace(own, ready=False)
    assert hand.winning_tile is not None
    own = replace(own, thrown=(hand.winning_tile,) if Circumstance.SACRED_DISCARD in said else ())
    state = with_seat(state, seat, own)
    state = _in_round(state, hand, drawn=drawn)
    kongs = [kind for each, kind in _AFTER.items() if each in said]
    if drawn and (kongs or Circumstance.AFTER_KONG not in said):
        laid = sorted(state.laid, key=lambda each: (each.seat, each.kind) == (seat, *kongs[:1]))
        state = replace(state, laid=tuple(laid), after_kong=seat if kongs else None, owed=None)
    if drawn and (Circumstance.AFTER_BONUS in said or not kongs):
        boxed = Circumstance.AFTER_BONUS in said and is_boxed(state, Replaces.BONUS)
        state = replace(state, wall=replace(state.wall, boxed=boxed))
    is_so = next((declared_hand(state, each) for each in state.shown if each.seat == seat), None)
    if hand.wall_left is not None and is_so is not None:
        left = max(0, state.wall.left + hand.wall_left - (is_so.wall_remaining or 0))
        state = replace(state, wall=replace(state.wall, left=left))
    return state


def _noted(state: TableState, hand: HandTold) -> TableState:
    """How the hand was laid down."""
    told = {IrregularityNoted(hand.seat, note): each for each, note in _NOTES.items()}
    kept = [note for note in state.noted if note not in told]
    said = [note for note, each in told.items() if each in hand.circumstances]
    return replace(state, noted=(*kept, *said))


def _before(melds: tuple[Meld, ...], said: set[Circumstance]) -> int:
    """How many melds lay there at the declaration."""
    concealed = [at for at, meld in enumerate(melds) if meld.kind is MeldKind.KONG_CONCEALED]
    return concealed[0] if concealed and Circumstance.READY_AFTER_KONG not in said else len(melds)


def _in_round(state: TableState, hand: HandTold, *, drawn: bool) -> TableState:
    """The first turn, or another one; the round of discards as it is said."""
    first, seats = Circumstance.FIRST_TURN in hand.circumstances, list(state.seats)
    number = hand.discard_round
    for seat in SEATS:
        discards = seats[seat].discards
        if seat == hand.seat:
            discards = 0 if first else max(1, discards)
        elif first and (hand.seat == state.dealer or (not drawn and seat != state.dealer)):
            discards = 0
        elif first and seat == state.dealer and not drawn:
            discards = 1
        if number is not None:
            most = number - (drawn and seat == hand.seat)
            discards = min(discards, most)
            if seat == (hand.seat if drawn else hand.discarder):
                discards = most
        seats[seat] = replace(seats[seat], discards=discards)
    a, b, c, d = seats
    return replace(state, seats=(a, b, c, d))
