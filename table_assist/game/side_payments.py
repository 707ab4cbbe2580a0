"""A hand's payments beside its wins: kongs and eggs, dealt hands, the chase.

`side_payments(rules, state, winners, over=...)`: at the end of a hand, or what is paid at once.
"""

from dataclasses import dataclass, replace

from table_assist.game.fold_told import all_laid, told_otherwise
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import SEATS, TableState
from table_assist.game.undone import told_before_the_win, ways_undone
from table_assist.languages.words import Words, joined, player_at, words_of
from table_assist.rules.laid import Laid, LaidIn, LaidKind
from table_assist.rules.reckoning import instant_wins, pay_laid
from table_assist.rules.ruleset import Payment, RuleSet
from table_assist.rules.settlement import together
from table_assist.rules.verdict import NO_TRANSFERS, Refusal, Transfers
from table_assist.tiles.tile import Tile
from table_assist.tiles.tile_words import tile_noted, tiles_words

_NAMES = {
    LaidKind.LUCKY_EGG: Words("Lucky egg", "蛋"),
    LaidKind.KONG_CONCEALED: Words("Concealed kong", "暗杠"),
    LaidKind.KONG_EXPOSED: Words("Exposed kong", "明杠"),
    LaidKind.KONG_ADDED: Words("Added kong", "补杠"),
    LaidKind.GOLDEN_KONG: Words("Golden Kong", "金杠"),
}
_WHICH_UNDONE = Words(
    "It is not said which kong or egg the win robs or follows, or which tiles of it are left.",
    "没有说明被抢的，或打牌前所开的，是哪一个杠或蛋，或者它还剩哪些牌。",
)
_CHASE = Words("Everyone discarded the dealer's first tile:", "首轮四家同张（跟庄）：")
_NOTHING = Payment(NO_TRANSFERS)


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
    laid = _NOTHING
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
        _still_so(each)
        for each in what_was_laid(rules, state, winners)
        if each.is_egg and each.seat in seats
        if _pay_one(rules, each, where, []).transfers != NO_TRANSFERS
    )


def _still_so(egg: Laid) -> Words:
    tiles = tiles_words((*egg.tiles, *egg.supplements))
    return Words(
        "The egg {tiles} of {seat} was told earlier: does it still lie so, and has nobody "
        "taken a tile that was put to it?",
        "{seat} 的蛋 {tiles} 是早先报的：现在还是这样，补的牌也没有被别人要走吗？",
        tiles=tiles,
        seat=player_at(egg.seat),
    )


def _ways_laid(
    rules: RuleSet, state: TableState, winners: tuple[int, ...]
) -> tuple[tuple[Laid, ...], ...]:
    """The same, in every way that is left open; the likeliest first."""
    laid = all_laid(state)
    ways: tuple[tuple[Laid, ...], ...] = (laid,)
    claimed = {hand.seat for hand in state.shown if not (hand.self_drawn or hand.rush)}
    if winners and winners[0] in claimed:
        ways = ways_undone(state, laid, winners[0])
    return tuple(tuple(_golden(rules, state, each) for each in way) for way in ways)


def _golden(rules: RuleSet, state: TableState, laid: Laid) -> Laid:
    """A concealed kong of wild tiles has a name and a price of its own."""
    wild = rules.wilds is not None and laid.tiles[:1] and laid.tiles[0] in state.wilds
    if wild and laid.kind is LaidKind.KONG_CONCEALED:
        return replace(laid, kind=LaidKind.GOLDEN_KONG)
    return laid


def _pay_one(rules: RuleSet, laid: Laid, where: LaidIn, unsure: list[Words]) -> Payment:
    """One kong or egg, named; what the rules cannot pay is paid nothing, and said."""
    name, tiles = _NAMES[laid.kind], tiles_words((*laid.tiles, *laid.supplements))
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
    heading = Words(
        "{name} {tiles} of seat {seat}:",
        "座位 {seat} 的{name} {tiles}：",
        name=name,
        tiles=tiles,
        seat=laid.seat,
    )
    return Payment(paid.transfers, (heading, *paid.steps))


def _not_paid(put: Tile | None, laid: Laid, why: Refusal) -> Words:
    """The reason why tiles laid against the rules are not paid."""
    name, tiles = _NAMES[laid.kind], tiles_words(laid.tiles)
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
    return Words(
        "The tile {tile} put to the {said}", "补上的{tile}，{said}", tile=tile_noted(put), said=said
    )


def _unread_wilds(rules: RuleSet, state: TableState) -> list[Words]:
    kongs = [laid for laid in all_laid(state) if laid.kind is LaidKind.KONG_CONCEALED]
    if rules.wilds is None or not kongs:
        return []
    if state.wilds:
        unread = [laid for laid in kongs if not laid.tiles or not laid.tiles[0].is_face]
        return [
            Words(
                "The concealed kong of seat {seat} could not be read: it may be a golden one.",
                "座位 {seat} 的暗杠未能辨认，可能是金杠。",
                seat=laid.seat,
            )
            for laid in unread
        ]
    return [
        Words(
            "It is not known which tiles are wild, so a concealed kong may be a golden one.",
            "混儿未知，暗杠可能是金杠。",
        )
    ]


def _told_otherwise(state: TableState) -> list[Words]:
    found = []
    for each, told in told_otherwise(state):
        seen, said, tiles = _NAMES[each.kind], _NAMES[told.kind], tiles_words(each.tiles)
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
        return _NOTHING
    late = dict.fromkeys(state.late_openings)
    unsure += [
        Words(
            "Seat {seat} showed its dealt hand too late: not paid.",
            "座位 {seat} 亮起手牌过迟：不计分。",
            seat=seat,
        )
        for seat in late
    ]
    hands = {shown.seat: shown.tiles for shown in state.openings if shown.seat not in late}
    return together(_opening(rules, state, seat, hands[seat], unsure) for seat in hands)


def _opening(
    rules: RuleSet, state: TableState, seat: int, tiles: tuple[Tile, ...], unsure: list[Words]
) -> Payment:
    start = instant_wins(rules, tiles, seat=seat, dealer=state.dealer)
    for refusal in start.refusals:
        unsure.append(
            Words(
                "The dealt hand of seat {seat}: {words}",
                "座位 {seat} 的起手牌：{words}",
                seat=seat,
                words=refusal.words,
            )
        )
    if not start.wins:
        return _NOTHING
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
        return _NOTHING
    if len(tiles) < len(SEATS) and any(hand.chased for hand in state.told):
        tiles = rules.kinds[:1] * len(SEATS)  # people say that they were the same, not which
    if len(tiles) < len(SEATS):
        return _NOTHING
    known = {tile for tile in tiles if tile.is_face}
    if len(known) > 1:
        return _NOTHING
    if not all(tile.is_face for tile in tiles):
        unsure.append(
            Words(
                "A first discard could not be read: it may be that all four were the same.",
                "首轮打出的牌有未辨认的，可能四家同张。",
            )
        )
        return _NOTHING
    paid = rules.chase(tiles, state.dealer, state.antes, rules.chosen)
    return _NOTHING if paid is None else Payment(paid.transfers, (_CHASE, *paid.steps))
