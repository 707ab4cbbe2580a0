"""The fold, at the end of a hand: wins, shown hands and told ones, refusals, points."""

from table_assist.game.events import (
    HandLaidDown,
    HandShown,
    HandTold,
    IrregularityNoted,
    Penalised,
    Settled,
    Transfers,
    WinRefused,
)
from table_assist.game.holding import give, is_late, next_turn, undrawn, with_seat, without
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import SEATS, Phase, Robbable, TableState, replace
from table_assist.rules.play_rules import Consequences
from table_assist.rules.settlement import Laid, LaidKind
from table_assist.rules.shown import Circumstance
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile


def declare(state: TableState, seat: int) -> TableState:
    """A win is declared, and nothing is judged yet."""
    declared = (*(other for other in state.declared if other != seat), seat)
    return replace(state, phase=Phase.SHOWING, declared=declared)


def show(state: TableState, event: HandShown) -> TableState:
    """A hand lies open; shown again, it takes the place of what was read before."""
    if is_late(state) and state.holder != event.seat:
        state = undrawn(state)
    shown = (*(hand for hand in state.shown if hand.seat != event.seat), event)
    return replace(state, shown=shown)


def lay_down(state: TableState, event: HandLaidDown) -> TableState:
    """A hand that has not won lies open."""
    kept = tuple(hand for hand in state.laid_down if hand.seat != event.seat)
    return replace(state, laid_down=(*kept, event))


def refuse(state: TableState, event: WinRefused) -> TableState:
    """The hand does not win; play goes on unless others have declared, too."""
    declared = tuple(seat for seat in state.declared if seat != event.seat)
    told = tuple(  # the melds of a told win are paid for all the same
        replace(
            hand,
            concealed=(),
            winning_tile=None,
            discarder=None,
            circumstances=(),
            wall_left=None,
            discard_round=None,
            undoes=(),
        )
        if hand.seat == event.seat
        else hand
        for hand in state.told
    )
    state = replace(state, told=told) if told != state.told else state
    state = state if declared else without_birds(state)
    return replace(
        state,
        declared=declared,
        shown=tuple(hand for hand in state.shown if hand.seat != event.seat),
        refused=(*state.refused, event),
        phase=Phase.SHOWING if declared else Phase.PLAYING,
    )


def without_birds(state: TableState) -> TableState:
    """Birds belong to the win that they were turned for."""
    if not state.birds:
        return state
    return replace(state, birds=(), old_birds=(*state.old_birds, *state.birds))


def note(state: TableState, event: IrregularityNoted) -> TableState:
    """Something against the rules of play is on record; the hand may be dead by it."""
    state = replace(state, noted=(*state.noted, event))
    follows = _consequences(state, event)
    if follows.get("second_claimable") is False:
        state = _second_taken_back(state, event.seat)
    if follows.get("turn_lost") is True:
        state = replace(state, turns_lost=(*state.turns_lost, event.seat))
    was_to_draw = state.holder is None and state.turn == event.seat
    if was_to_draw and (follows.get("turn_forfeited") or follows.get("turn_lost")):
        state = replace(state, turn=next_turn(state, event.seat))
    if event.dead is None:
        return state
    return with_seat(state, event.seat, replace(state.seats[event.seat], dead=event.dead))


def _consequences(state: TableState, event: IrregularityNoted) -> Consequences:
    """The rule set's consequences; nothing where it does not know the irregularity."""
    if not state.rules:
        return {}
    rules = rules_in_force(state)
    known = () if rules.irregularities is None else rules.irregularities(rules.chosen)
    said = (each.consequences for each in known if each.id == event.irregularity)
    return next(said, {})


def _second_taken_back(state: TableState, seat: int) -> TableState:
    """Of two tiles discarded at once the first is the discard (Classical > Irregularities 5)."""
    first, last = state.first_of_two, state.last_discard
    if first is None or last is None or last[0] != seat:
        return state
    own = state.seats[seat]
    # It was counted as drawn and discarded; it was neither.
    seats = [replace(other, seen=other.seen[:-1]) for other in state.seats]
    seats[seat] = replace(
        own,
        concealed=without(give(state, seat, (last[1],)).seats[seat].concealed, (Tile.UNKNOWN,)),
        river=own.river[:-1],
        discards=own.discards - 1,
        thrown=(first,),
    )
    wall = replace(state.wall, left=state.wall.left + 1, from_front=state.wall.from_front - 1)
    return replace(
        state,
        seats=tuple(seats),
        wall=wall,
        last_discard=(seat, first),
        first_of_two=None,
    )


def penalise(state: TableState, event: Penalised) -> TableState:
    """Points move beside any hand; between two hands that may end the game."""
    scores = _moved(state.scores, event.transfers)
    over = state.phase is Phase.SETTLED and state.game.is_over(scores)
    return replace(state, scores=scores, game_over=state.game_over or over)


def settle(state: TableState, event: Settled, *, is_played: bool = True) -> TableState:
    """The hand is over and points move.

    Args:
        is_played: it was won or drawn, and counts among those that the game may last.
    """
    if state.phase is Phase.SETTLED:
        return state  # a hand is settled once, whatever was answered later
    scores = _moved(state.scores, event.transfers)
    game = replace(state.game, played=state.game.played + is_played)
    first_east = state.first_east
    if event.prevailing not in (None, state.prevailing) and event.dealer_next is not None:
        first_east = event.dealer_next
    east_wins = state.east_wins + (state.dealer in event.winners)
    if event.winners and state.dealer not in event.winners:
        east_wins = 0  # a draw does not break the dealer's run
    return replace(
        state,
        phase=Phase.SETTLED,
        declared=(),
        agreed=(),
        settled=event,
        scores=scores,
        last_transfers=event.transfers,
        dealer_next=event.dealer_next,
        prevailing_next=event.prevailing or state.prevailing,
        first_east_next=first_east,
        game_over=event.game_over or game.is_over(scores),
        game=game,
        east_wins=east_wins,
    )


def _moved(scores: Transfers, transfers: Transfers) -> Transfers:
    a, b, c, d = (scores[seat] + transfers[seat] for seat in SEATS)
    return a, b, c, d


def tell(state: TableState, event: HandTold) -> TableState:
    """The hand lies open as told; told again, it takes the place of what was said before."""
    told = (*(hand for hand in state.told if hand.seat != event.seat), event)
    state = replace(state, told=told)
    own = state.seats[event.seat]
    declared = own.ready and own.ready_discard > 0  # it was followed, and not told before
    ready = declared or Circumstance.READY_DECLARED in event.circumstances
    own = replace(own, melds=event.melds, bonus=event.bonus, ready=ready)
    state = with_seat(state, event.seat, own)
    if event.winning_tile is None:
        state = _won_with(state)
        if not event.concealed:
            return state  # a kong or an egg, told when it was laid
        return lay_down(state, HandLaidDown(event.seat, event.concealed))
    rush = Circumstance.TREASURE_RUSH in event.circumstances
    shown = HandShown(
        event.seat,
        event.concealed,
        event.winning_tile,
        self_drawn=event.discarder is None and not rush,
        rush=rush,
    )
    return show(_won_with(state), shown)


def _won_with(state: TableState) -> TableState:
    """Whose tile the told wins were won with, and whose kong they rob or follow."""
    wins = [hand for hand in state.told if hand.winning_tile is not None]
    if not wins:
        return state
    claimed = [
        (hand.discarder, hand.winning_tile)
        for hand in wins
        if hand.discarder is not None and hand.winning_tile is not None
    ]
    robbed = next((found for hand in wins if (found := _robbed(state, hand))), None)
    after = Circumstance.AFTER_KONG_DISCARD
    shooter = next((hand.discarder for hand in wins if after in hand.circumstances), None)
    return replace(
        state,
        robbable=robbed,
        kong_discarder=shooter,
        last_discard=claimed[-1] if claimed and robbed is None else None,
        holder=None if claimed else state.holder,
    )


def _robbed(state: TableState, hand: HandTold) -> Robbable | None:
    if hand.discarder is None or hand.winning_tile is None:
        return None
    if Circumstance.ROBBED_EGG_SUPPLEMENT in hand.circumstances:
        told = Robbable(hand.discarder, hand.winning_tile, MeldKind.LUCKY_EGG)
        seen = state.robbable  # which egg it was, where the table was followed so far
        return seen if seen is not None and replace(seen, egg=None) == told else told
    if Circumstance.ROBBING_KONG not in hand.circumstances:
        return None
    # An added kong, unless a concealed one of that tile is on record.
    concealed = any(
        laid.seat == hand.discarder
        and laid.kind is LaidKind.KONG_CONCEALED
        and hand.winning_tile in laid.tiles
        for laid in all_laid(state)
    )
    kind = MeldKind.KONG_CONCEALED if concealed else MeldKind.KONG_ADDED
    return Robbable(hand.discarder, hand.winning_tile, kind)


def all_laid(state: TableState) -> tuple[Laid, ...]:
    """Kongs and eggs on record, and behind them those that only a told hand shows."""
    if not state.told:
        return state.laid
    found = list(state.laid)
    for hand in state.told:
        own = [at for at, each in enumerate(state.laid) if each.seat == hand.seat]
        for told in _of(hand):
            # Which of the seat's own it is: one with the same tiles, else one that an egg once
            # was
            same = [
                at
                for at in own
                if state.laid[at].is_egg is told.is_egg
                and sorted(state.laid[at].tiles) == sorted(told.tiles)
            ]
            exact = (
                at for at in same if sorted(state.laid[at].supplements) == sorted(told.supplements)
            )
            at = next(exact, same[0] if same else None)
            if at is None:
                found.append(told)
            else:
                own.remove(at)
                found[at] = _told_too(found[at], told)
    return tuple(found)


def told_otherwise(state: TableState) -> tuple[tuple[Laid, Laid], ...]:
    """Kongs on record, each with that which was told of the same tiles as another kind."""
    found = []
    for told in (each for hand in state.told for each in _of(hand)):
        for each in state.laid:
            same = (each.seat, each.tiles) == (told.seat, told.tiles)
            if same and not told.is_egg and each.kind is not told.kind:
                found.append((each, told))
    return tuple(found)


def _told_too(recorded: Laid, told: Laid) -> Laid:
    """The recorded kongs and eggs, with all that only people can say of them."""
    if not told.is_egg:
        giver = told.discarder if recorded.discarder is None else recorded.discarder
        exposed = recorded.kind is LaidKind.KONG_EXPOSED
        return replace(recorded, discarder=giver) if exposed else recorded
    lying = list(told.supplements)
    for tile, _ in recorded.not_allowed:
        if tile in lying:
            lying.remove(tile)
    robbed = recorded.robbed or told.robbed
    return replace(recorded, supplements=tuple(lying), robbed=robbed)


def _of(event: HandTold) -> tuple[Laid, ...]:
    """The melds that are paid for beside the hand."""
    givers = (*event.claimed_from, *(None for _ in event.melds))
    return tuple(
        Laid(
            LaidKind(meld.kind),
            event.seat,
            giver if meld.kind is MeldKind.KONG_EXPOSED else None,
            meld.tiles,
            meld.supplements,
            robbed=at in event.broken,
        )
        for at, (meld, giver) in enumerate(zip(event.melds, givers, strict=False))
        if meld.kind.is_kong or meld.kind is MeldKind.LUCKY_EGG
    )
