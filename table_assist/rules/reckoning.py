"""A hand's reckoning beyond one verdict: all winners, birds, dealt hands, the next dealer.

``settle_wins(rules, wins, birds=None) -> Settlement``, ``bird_hits(...) -> Birds``,
``instant_wins(rules, hand, *, seat, dealer) -> StartingHand``, ``pay_laid(...) -> Payment``,
``false_win(...) -> Payment``, ``next_dealer(rules, result) -> tuple[int, ...]``.
"""

from collections.abc import Sequence
from dataclasses import replace

from table_assist.languages.words import WordsError
from table_assist.rules.judge import judge
from table_assist.rules.play_rules import HandResult
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import Laid, LaidIn, Payment, add
from table_assist.rules.shown import SEAT_COUNT, ShownHand, check_seat
from table_assist.rules.shown_hand_validity import strange_tiles, too_many_copies
from table_assist.rules.verdict import (
    NO_TRANSFERS,
    Birds,
    Counted,
    Refusal,
    Settlement,
    StartingHand,
)
from table_assist.tiles.melds import tile_noted, tiles_words
from table_assist.tiles.tile import Tile, Tiles


def settle_wins(rules: RuleSet, wins: Sequence[ShownHand], birds: Tiles | None) -> Settlement:
    """Judge every hand shown on one tile and add up what the winners are paid.

    A hand that is no win is paid nothing and takes nothing from the others; its verdict says why.

    Args:
        rules: with the options in force.
        wins: one hand a seat; none at all is a draw.
        birds: tiles turned after the win. Winners that share them all get these; where each draws
            its own, they are dealt out in turn from the discarder on. Without, each hand's own
            ``birds`` count.

    Raises:
        ValueError: the hands cannot have been won on one tile.
    """
    _check_together(wins)
    in_turn = sorted(wins, key=_turn)
    bare = {shown.winner: judge(rules, replace(shown, birds=None)) for shown in in_turn}
    valid = [shown for shown in in_turn if bare[shown.winner].valid]
    if not rules.settles_together(rules.chosen):
        valid = valid[:1]
    # Put the birds with the hands that they count for
    if birds is None or rules.birds is None:
        paid = valid
    elif len(valid) < 2 or rules.birds.shared(rules.chosen):
        paid = [replace(shown, birds=birds) for shown in valid]
    else:
        each = rules.birds.count
        paid = [
            replace(shown, birds=birds[place * each : (place + 1) * each])
            for place, shown in enumerate(valid)
        ]
    verdicts = bare | {shown.winner: judge(rules, shown) for shown in paid}
    winners = tuple(shown.winner for shown in paid if verdicts[shown.winner].valid)
    return Settlement(
        payments=add(verdicts[seat].payments for seat in winners),
        verdicts=verdicts,
        winners=winners,
        birds={
            shown.winner: bird_hits(
                rules,
                shown.birds,
                dealer=shown.dealer,
                winner=shown.winner,
                discarder=shown.discarder,
            )
            for shown in paid
            if shown.winner in winners and shown.birds is not None and rules.birds is not None
        },
        steps=tuple(step for seat in winners for step in verdicts[seat].steps),
    )


def bird_hits(
    rules: RuleSet, birds: Tiles, *, dealer: int, winner: int, discarder: int | None
) -> Birds:
    """Name the seats of turned tiles and count those that hit.

    Raises:
        ValueError: the rules turn no such tiles or fewer, one is unread, or a seat is none.
    """
    if rules.birds is None:
        raise ValueError(f"{rules.id} turns no birds")
    for what, seat in (("dealer", dealer), ("winner", winner)):
        check_seat(what, seat)
    if discarder is not None:
        check_seat("discarder", discarder)
    if len(birds) > rules.birds.count:
        raise WordsError.told("birds", count=len(birds), id=rules.id, count_2=rules.birds.count)
    for bird in birds:
        if bird not in rules.kinds:
            raise WordsError.told("no_bird", value=tile_noted(bird), id=rules.id)
    return rules.birds.reckon(
        birds, dealer=dealer, winner=winner, discarder=discarder, options=rules.chosen
    )


def instant_wins(rules: RuleSet, hand: Sequence[Tile], *, seat: int, dealer: int) -> StartingHand:
    """The payment for a dealt hand before play; the hand goes on with the same tiles.

    Raises:
        ValueError: a seat is none.
    """
    check_seat("seat", seat)
    check_seat("dealer", dealer)
    expected = rules.starting_tiles(seat == dealer, rules.chosen)
    found = []
    unread = sum(not tile.is_face for tile in hand)
    if unread:
        found.append(Refusal.of("unknown_tile-several", unread=unread))
    strange = sorted({tile for tile in hand if tile.is_face and tile not in rules.kinds})
    if strange:
        found.append(strange_tiles(strange))
    if len(hand) != expected:
        found.append(Refusal.of("tile_count-dealt", count=len(hand), expected=expected))
    refusals = (*found, *too_many_copies(rules, hand))
    if refusals or rules.pay_opening is None:
        return StartingHand((), NO_TRANSFERS, refusals)
    met = tuple(
        Counted(opening.id, opening.names, 1)
        for opening in rules.opening
        if opening.predicate(hand, rules.chosen)
    )
    payment = rules.pay_opening(len(met), seat, dealer, rules.chosen)
    return StartingHand(met, payment.transfers, steps=payment.steps)


def pay_laid(rules: RuleSet, laid: Sequence[Laid], where: LaidIn) -> Payment:
    """The payment for the kongs and eggs of a hand, whoever won it.

    Raises:
        ValueError: the rules pay nothing for such, or cannot pay one of them.
    """
    if rules.laid is None:
        raise ValueError(f"{rules.id} pays nothing for kongs")
    return rules.laid.pay(tuple(laid), where, rules.chosen)


def false_win(rules: RuleSet, *, seat: int, dealer: int) -> Payment:
    """The cost of a false win; nothing where the rules leave it to the referee.

    Raises:
        ValueError: a seat is none.
    """
    check_seat("seat", seat)
    check_seat("dealer", dealer)
    if rules.false_win is None:
        return Payment(NO_TRANSFERS)
    return rules.false_win(seat, dealer, rules.chosen)


def next_dealer(rules: RuleSet, result: HandResult) -> tuple[int, ...]:
    """The seats of which one deals next; one alone unless it is left to chance or consent.

    Raises:
        ValueError: a seat is none, or the rules need to know more of how the hand ended.
    """
    check_seat("dealer", result.dealer)
    for seat in (*result.winners, result.discarder, result.last_drawer, result.last_offered):
        if seat is not None:
            check_seat("seat", seat)
    return rules.next_dealer(result, rules.chosen)


def _turn(shown: ShownHand) -> int:
    """How far the winner sits after the discarder."""
    return 0 if shown.discarder is None else (shown.winner - shown.discarder) % SEAT_COUNT


def _check_together(wins: Sequence[ShownHand]) -> None:
    winners = sorted(shown.winner for shown in wins)
    if len(set(winners)) < len(winners):
        raise WordsError.told("one_a_seat", winners=winners)
    if len({shown.dealer for shown in wins}) > 1:
        dealers = sorted({shown.dealer for shown in wins})
        raise WordsError.told("dealers", dealers=dealers)
    if len(wins) > 1:
        if any(shown.self_drawn for shown in wins):
            raise WordsError("nobody else wins on a self-drawn tile", "自摸的牌别家不能和")
        if len({shown.discarder for shown in wins}) > 1:
            discarders = [shown.discarder for shown in wins]
            raise WordsError.told("discarders", discarders=discarders)
        tiles = {shown.winning_tile for shown in wins if shown.winning_tile.is_face}
        if len(tiles) > 1:
            raise WordsError.told("tiles", tiles=tiles_words(tiles))
