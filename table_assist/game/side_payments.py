"""A hand's payments beside its wins: kongs and eggs, dealt hands, the chase.

`side_payments(rules, state, winners, over=...)`: at the end of a hand, or what is paid at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from table_assist.game.fold_win import all_laid, told_otherwise
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import SEATS, TableState
from table_assist.languages.words import Words, joined, phrase, player_at, words_of
from table_assist.rules.play_rules import Appended
from table_assist.rules.reckoning import instant_wins, pay_laid
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import Laid, LaidIn, LaidKind, Payment, together
from table_assist.rules.verdict import NO_TRANSFERS, Refusal, Transfers
from table_assist.tiles.melds import MeldKind, tile_noted, tiles_words
from table_assist.tiles.tile import Tile, Tiles


def could_be_undone(state: TableState, laid: Sequence[Laid], winner: int) -> list[Laid]:
    """The kongs and eggs of which the told win of the seat undoes one."""
    return [laid[at] for at in _places(state, laid, winner)]


def lying(laid: Laid) -> Tiles:
    """The tiles of a kong or egg as they are on record, sorted."""
    return tuple(sorted((*laid.tiles, *laid.supplements)))


def _places(state: TableState, laid: Sequence[Laid], winner: int) -> list[int]:
    robbed, shooter = state.robbable, state.kong_discarder
    seat = shooter if robbed is None else robbed.seat
    own = [at for at, each in enumerate(laid) if each.seat == seat and seat != winner]
    if robbed is None:
        return [at for at in own if not laid[at].is_egg]
    if robbed.kind is not MeldKind.LUCKY_EGG:
        kind = LaidKind(robbed.kind)
        return [at for at in own if laid[at].kind is kind and robbed.tile in laid[at].tiles]
    eggs = [at for at in own if laid[at].is_egg]
    if robbed.egg is not None:
        return eggs[robbed.egg : robbed.egg + 1]
    # Told as it lay, or as it lies now, without the tile; one that has lost a tile lost this one.
    return [at for at in eggs if _fits(state, laid[at], robbed.tile)] or eggs


def _fits(state: TableState, egg: Laid, tile: Tile) -> bool:
    rules = rules_in_force(state)
    if rules.eggs is None:
        return False
    return rules.eggs.refuse(Appended(egg.tiles, tile), rules.chosen) is None


def _undone(state: TableState, laid: Laid, winner: int) -> tuple[Laid, ...]:
    """The meld afterwards; two ways where it is not said which tiles of an egg are left."""
    robbed = state.robbable
    if robbed is None:
        return (replace(laid, won_on_next_discard_by=winner),)
    if robbed.kind is not MeldKind.LUCKY_EGG:
        return (replace(laid, robbed_by=winner),)
    left, taken = replace(laid, robbed=True), laid.broken(robbed.tile)
    appended = (*laid.supplements, *(tile for tile, _ in laid.not_allowed[-1:]))
    if robbed.tile not in appended:
        return (left,)
    if not any(
        sorted(hand.melds[at].tiles) == sorted(laid.tiles)
        for hand in state.told
        if hand.seat == laid.seat
        for at in hand.broken
    ):
        return (taken,)
    # Told after the win it lies as it was left; told before, another tile may have been meant.
    return (left,) if laid.seat not in told_before_the_win(state) else (taken, left)


def told_before_the_win(state: TableState) -> tuple[int, ...]:
    """Seats whose melds were told before a win was, if any was, and not since."""
    wins = [at for at, hand in enumerate(state.told) if hand.winning_tile is not None]
    first = wins[0] if wins else len(state.told)
    return tuple(hand.seat for hand in state.told[:first])


_LAID_NAMES = {
    LaidKind.LUCKY_EGG: Words("Lucky egg", "蛋"),
    LaidKind.KONG_CONCEALED: Words("Concealed kong", "暗杠"),
    LaidKind.KONG_EXPOSED: Words("Exposed kong", "明杠"),
    LaidKind.KONG_ADDED: Words("Added kong", "补杠"),
    LaidKind.GOLDEN_KONG: Words("Golden Kong", "金杠"),
}
_WHICH_UNDONE = phrase("side_payments.it_is_not_said")
_CHASE = Words("Everyone discarded the dealer's first tile:", "首轮四家同张（跟庄）：")
_NO_PAYMENT = Payment(NO_TRANSFERS)


@dataclass(frozen=True, slots=True)
class SidePayments:
    """The payments beside the hands' own points.

    Attributes:
        laid: kongs and eggs.
        opening: what dealt hands scored.
        steps: the arithmetic in words, every part named.
        unsure: what is not known, so that the amounts are not final.
    """

    laid: Transfers = NO_TRANSFERS
    opening: Transfers = NO_TRANSFERS
    chase: Transfers = NO_TRANSFERS
    steps: tuple[Words, ...] = ()
    unsure: tuple[Words, ...] = ()


def side_payments(
    rules: RuleSet, state: TableState, winners: tuple[int, ...], *, over: bool
) -> SidePayments:
    """All of it, in the order in which it was earned.

    Args:
        winners: who has won, the nearest after the discarder first.
        over: the hand has ended; else only what is paid at once counts.
    """
    unsure: list[Words] = []
    opening = _openings(rules, state, unsure)
    chase = _chase(rules, state, unsure)
    laid = _NO_PAYMENT
    if rules.laid is not None and (over or rules.laid.at_once):
        where = LaidIn(state.dealer, state.antes, drawn=over and not winners)
        ways = _ways_laid(rules, state, winners)
        laid = together(_pay_one(rules, each, where, unsure) for each in ways[0])
        others = [together(_pay_one(rules, each, where, []) for each in way) for way in ways[1:]]
        if any(other.transfers != laid.transfers for other in others):
            unsure.append(_WHICH_UNDONE)
        unsure += _unread_wilds(rules, state) + _told_otherwise(state)
    steps = opening.steps + chase.steps + laid.steps
    return SidePayments(laid.transfers, opening.transfers, chase.transfers, steps, tuple(unsure))


def what_was_laid(rules: RuleSet, state: TableState, winners: tuple[int, ...]) -> tuple[Laid, ...]:
    """Kongs and eggs in the order laid, with what the wins made of them."""
    return _ways_laid(rules, state, winners)[0]


def told_before(state: TableState, winners: tuple[int, ...]) -> tuple[Words, ...]:
    """A question for each paid egg that was told before the hand ended: it may have changed."""
    rules, seats = rules_in_force(state), told_before_the_win(state)
    where = LaidIn(state.dealer, state.antes, drawn=not winners)
    return tuple(
        phrase(
            "side_payments.egg_of_was_told",
            tiles=tiles_words((*egg.tiles, *egg.supplements)),
            seat=player_at(egg.seat),
        )
        for egg in what_was_laid(rules, state, winners)
        if egg.is_egg and egg.seat in seats
        if _pay_one(rules, egg, where, []).transfers != NO_TRANSFERS
    )


def _ways_laid(
    rules: RuleSet, state: TableState, winners: tuple[int, ...]
) -> tuple[tuple[Laid, ...], ...]:
    """The same, in every way that is left open; the likeliest first."""
    laid = all_laid(state)
    ways: tuple[tuple[Laid, ...], ...] = (laid,)
    claimed = {hand.seat for hand in state.shown if not (hand.self_drawn or hand.rush)}
    if winners and winners[0] in claimed:
        winner = winners[0]
        places = _places(state, laid, winner)
        if any(hand.winning_tile is not None for hand in state.told):
            said = next((hand.undoes for hand in reversed(state.told) if hand.undoes), ())
            places = [at for at in places if lying(laid[at]) == tuple(sorted(said))] or places
        else:  # it was followed: of what events say the last
            places = [at for at in places if at < len(state.laid)][-1:] or places
        undone = tuple(
            (*laid[:at], meld, *laid[at + 1 :])
            for at in reversed(places)
            for meld in _undone(state, laid[at], winner)
        )
        ways = undone or ways
    return tuple(tuple(_golden(rules, state, each) for each in way) for way in ways)


def _golden(rules: RuleSet, state: TableState, laid: Laid) -> Laid:
    """A concealed kong of wild tiles has a name and a price of its own."""
    wild = rules.wilds is not None and laid.tiles[:1] and laid.tiles[0] in state.wilds
    if wild and laid.kind is LaidKind.KONG_CONCEALED:
        return replace(laid, kind=LaidKind.GOLDEN_KONG)
    return laid


def _pay_one(rules: RuleSet, laid: Laid, where: LaidIn, unsure: list[Words]) -> Payment:
    """One kong or egg, named; what the rules cannot pay is paid nothing, and said."""
    name, tiles = _LAID_NAMES[laid.kind], tiles_words((*laid.tiles, *laid.supplements))
    for tile, refusal in laid.not_allowed:
        unsure.append(_not_paid(tile, laid, refusal))
    if laid.forbidden is not None:
        unsure.append(_not_paid(None, laid, laid.forbidden))
        return Payment(NO_TRANSFERS, (unsure[-1],))
    try:
        paid = pay_laid(rules, (laid,), where)
    except ValueError as error:
        words = Words(
            "{name} {tiles} of seat {seat} cannot be paid: {words_of}.",
            "座位 {seat} 的{name} {tiles} 无法计分：{words_of}。",
            name=name,
            tiles=tiles,
            seat=laid.seat,
            words_of=words_of(error),
        )
        unsure.append(words)
        return Payment(NO_TRANSFERS, (words,))
    heading = phrase("side_payments.of_seat", name=name, tiles=tiles, seat=laid.seat)
    return Payment(paid.transfers, (heading, *paid.steps))


def _not_paid(put: Tile | None, laid: Laid, why: Refusal) -> Words:
    """The reason why tiles laid against the rules are not paid."""
    name, tiles = _LAID_NAMES[laid.kind], tiles_words(laid.tiles)
    said = Words(
        "{name} {tiles} of seat {seat} is not paid: {why}",
        "座位 {seat} 的{name} {tiles}不计分：{why}",
        name=name.map(str.lower),
        tiles=tiles,
        seat=laid.seat,
        why=why.words,
    )
    if put is None:
        return Words("The {said}", "{said}", said=said)
    return phrase("side_payments.tile_put", tile=tile_noted(put), said=said)


def _unread_wilds(rules: RuleSet, state: TableState) -> list[Words]:
    kongs = [laid for laid in all_laid(state) if laid.kind is LaidKind.KONG_CONCEALED]
    if rules.wilds is None or not kongs:
        return []
    if state.wilds:
        unread = [laid for laid in kongs if not laid.tiles or not laid.tiles[0].is_face]
        return [phrase("side_payments.concealed_kong_of_seat", seat=laid.seat) for laid in unread]
    return [phrase("side_payments.it_is_not_known")]


def _told_otherwise(state: TableState) -> list[Words]:
    found = []
    for each, told in told_otherwise(state):
        seen, said, tiles = _LAID_NAMES[each.kind], _LAID_NAMES[told.kind], tiles_words(each.tiles)
        found.append(
            Words(
                "{seen} {tiles} of seat {seat} is on record, and was told as {map}.",
                "座位 {seat} 的 {tiles} 记录为{seen}，所报为{map}。",
                seen=seen,
                tiles=tiles,
                seat=each.seat,
                map=said.map(str.lower),
            )
        )
    return found


def _openings(rules: RuleSet, state: TableState, unsure: list[Words]) -> Payment:
    """Every dealt hand that was revealed; shown again, it takes the place of what was read."""
    if not rules.opening:
        return _NO_PAYMENT
    late = dict.fromkeys(state.late_openings)
    unsure += [phrase("side_payments.seat_showed_its_dealt", seat=seat) for seat in late]
    hands = {shown.seat: shown.tiles for shown in state.openings if shown.seat not in late}
    return together(_opening(rules, state, seat, hands[seat], unsure) for seat in hands)


def _opening(
    rules: RuleSet, state: TableState, seat: int, tiles: Tiles, unsure: list[Words]
) -> Payment:
    start = instant_wins(rules, tiles, seat=seat, dealer=state.dealer)
    for refusal in start.refusals:
        unsure.append(phrase("side_payments.dealt_hand_of_seat", seat=seat, words=refusal.words))
    if not start.wins:
        return _NO_PAYMENT
    heading = Words(
        "Dealt hand of seat {seat}: {said}.",
        "座位 {seat} 起手：{said}。",
        seat=seat,
        said=joined([win.names for win in start.wins]),
    )
    return Payment(start.payments, (heading, *start.steps))


def _chase(rules: RuleSet, state: TableState, unsure: list[Words]) -> Payment:
    """The first discard of each player, from the dealer on."""
    tiles = tuple(tile for _, tile in state.first_discards)
    if rules.chase is None:
        return _NO_PAYMENT
    if len(tiles) < len(SEATS) and any(hand.chased for hand in state.told):
        tiles = rules.kinds[:1] * len(SEATS)  # people say that they were the same, not which
    if len(tiles) < len(SEATS) or len({tile for tile in tiles if tile.is_face}) > 1:
        return _NO_PAYMENT
    if not all(tile.is_face for tile in tiles):
        unsure.append(phrase("side_payments.first_discard_could"))
        return _NO_PAYMENT
    paid = rules.chase(tiles, state.dealer, state.antes, rules.chosen)
    return _NO_PAYMENT if paid is None else Payment(paid.transfers, (_CHASE, *paid.steps))
