"""Chinese Classical mahjong. The numbers (CL-01 ...) are those of the rules specification.

The document collects laws of play from several authors, whose numbers stand in brackets, and ends
before its scoring: what a hand is worth is in ``_classical_scoring``, and is not from it. Where the
authors differ, the reading with a worked example or the more of them is the default, and the others
are options. The sentence on settlement (CL-09) names differences alone, by which a losing hand
could be paid by the winner; so the winner is paid in full, unless ``settlement`` says otherwise.

Terms: the Kong Box is the dead wall; loose tiles are the replacement tiles on it; a standing hand
(Original Call) waits from its first discard on; a sacred discard is one's own earlier one.
"""

from itertools import combinations

from table_assist.languages.words import Words, WordsError
from table_assist.rules import win as patterns
from table_assist.rules.calls import default_rank
from table_assist.rules.judge import readings
from table_assist.rules.options import Options, read_asked, read_book
from table_assist.rules.play_rules import (
    FOURS,
    BreachRule,
    ClaimCondition,
    DeadHand,
    HandResult,
    HandValues,
    LyingTile,
    MarkedTile,
    ReadyCondition,
    ReadyRule,
    Replacement,
    Replaces,
    RoundNext,
    RoundResult,
    WallEnd,
    WallPlan,
)
from table_assist.rules.ruleset import RuleSet, Total
from table_assist.rules.sets.classical import scoring
from table_assist.rules.sets.classical.limits import (
    LIMIT_HANDS,
    SPECIAL_OPTIONS,
    explain,
    irregularities,
    scores_a_double,
    value,
)
from table_assist.rules.settlement import Owed, Payment, collect, together
from table_assist.rules.shown import (
    SEAT_COUNT,
    Call,
    Circumstance,
    Claim,
    Completes,
    Offer,
    ReadyHand,
    ShownHand,
    Since,
    TileSource,
)
from table_assist.rules.verdict import NO_TRANSFERS, Refusal
from table_assist.rules.waiting import legal_waits
from table_assist.rules.wall import stays_or_passes
from table_assist.rules.win import Condition, Shape, Win
from table_assist.tiles.divide import Division, SetKind, pairs_counted
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import BONUS, HONOURS, SUITED, Tile

_ASKED = read_asked("classical")

# East's wins in a row of which the last is a limit hand and passes East on (CL-71).
STREAK = 13
# A hand is drawn with so many tiles left where the box says nothing else (CL-72).
DRAWN_AT = 14


# --- Shapes and what a win must have (CL-64, CL-65)


def _orphans(shown: ShownHand, counts: int, options: Options) -> tuple[Division, ...]:
    if shown.melds or not scoring.divides_as_orphans(counts, options):
        return ()
    return (Division(scoring.ORPHANS, (), 0),)


def _twins(shown: ShownHand, counts: int, options: Options) -> tuple[Division, ...]:
    if shown.melds or not options["special_heavenly_twins"]:
        return ()
    return pairs_counted(counts)


def _is_cleared(win: Win) -> bool:
    """One suit, or terminals alone, or neither: with or without honours (CL-65)."""
    return scoring.suits_in(win) <= 1 or scoring.terminals_and_honours(win)


_SACRED = Words(
    "The player discarded this tile and has not drawn since.",
    "自己打过这张牌，再摸牌之前不得和。",
)


_CONDITIONS = (
    Condition("sacred_discard", patterns.no_tiles, _SACRED, "Classical > Ending a Round 10",
              needs_reading=False, only_if=("sacred_discard", True),
              unless=lambda won, options: (not options["sacred_discard"]
                                           or not won.came_by(Circumstance.SACRED_DISCARD))),
    Condition("cleared_hand", _is_cleared, *_ASKED["cleared_hand"], needs_reading=False,
              unless=lambda won, options: options["game_variant"] != "cleared_hand",
              only_if=("game_variant", "cleared_hand")),
    Condition("one_double", scores_a_double, *_ASKED["one_double"],
              unless=lambda won, options: options["game_variant"] != "one_double",
              only_if=("game_variant", "one_double")),
)  # fmt: skip


# --- Settlement (CL-09, CL-38, CL-68, CL-70, CL-72, CL-75)


def _pay(win: Win, total: Total) -> Payment:
    """The winner's hand alone: all three pay, East double."""
    shown = win.shown
    others = [seat for seat in range(SEAT_COUNT) if seat != shown.winner]

    def owed(payer: int) -> Owed:
        factor = 2 if shown.dealer in (payer, shown.winner) else 1
        return Owed(total.points * factor, (total.points, factor))

    return collect(shown.winner, others, owed)


def _settle(hands: HandValues, options: Options) -> Payment:
    """Every two seats settle, East double; nothing after a draw."""
    if hands.winner is None:
        return Payment(NO_TRANSFERS)
    limit = int(options["limit"]) if hands.limit is None else hands.limit
    values = [min(limit, value) for value in hands.values]
    paid = together(
        _settle_two(hands, values, one, other, options)
        for one, other in combinations(range(SEAT_COUNT), 2)
    )
    said = tuple(_dead_words(seat, hands.dead[seat], options) for seat in sorted(hands.dead))
    return paid._replace(notes=(*said, *paid.notes))


def _dead_words(seat: int, dead: DeadHand, options: Options) -> Words:
    """That a hand is dead, and what that makes it pay (CL-38, CL-68)."""
    less = dead is DeadHand.SHORT and options["dead_hand_payment"] == "by_tile_count"
    en, zh = (" less its own value", "，但扣除自己的分") if less else (" in full", "全数")
    return Words(
        "The hand of seat {seat} is dead: it pays{said} and collects nothing.",
        "座位 {seat} 手牌作废：照付{said}，不收分。",
        seat=seat,
        said=Words(en, zh),
    )


def _settle_two(
    hands: HandValues, values: list[int], one: int, other: int, options: Options
) -> Payment:
    """The second seat's payment to the first, or the other way round."""
    payer, winner = (one, other) if _owes(hands, values, one, other, options) else (other, one)
    formula = _difference(hands, values, winner, payer, options)
    factor = 2 if hands.east in (one, other) else 1
    points = formula.points * factor
    if points == 0:
        return Payment(NO_TRANSFERS)
    return collect(winner, [payer], lambda _: Owed(points, _doubled(formula, factor)))


def _doubled(formula: Owed, factor: int) -> str:
    """The formula with East's double; nothing where an amount is paid as such."""
    if factor > 1:
        return f"{formula.formula} × {factor}"
    return formula.words.strip("()") if "-" in formula.words else ""


def _owes(hands: HandValues, values: list[int], one: int, other: int, options: Options) -> bool:
    """Whether the first of two seats pays the second, if anything is paid."""
    if (one in hands.dead) != (other in hands.dead):
        return one in hands.dead
    if options["settlement"] == "winner_full" and hands.winner in (one, other):
        return other == hands.winner
    return values[one] < values[other]


def _difference(
    hands: HandValues, values: list[int], winner: int, payer: int, options: Options
) -> Owed:
    """The payment between two seats before East's double."""
    gain, loss = values[winner], values[payer]
    if winner in hands.dead:
        return Owed(0, "0")
    if payer in hands.dead:
        short = hands.dead[payer] is DeadHand.SHORT
        if not (short and options["dead_hand_payment"] == "by_tile_count"):
            return Owed(gain, f"{gain}")
    elif options["settlement"] == "winner_full" and winner == hands.winner:
        return Owed(gain, f"{gain}")
    return Owed(max(0, gain - loss), f"({gain} - {loss})")


# --- Calls (CL-32, CL-43, CL-48 to CL-50, CL-63, CL-69)


def _missed(offer: Offer, claim: Claim, options: Options) -> bool:
    return claim.call is Call.PUNG and claim.passed


_CLAIM_CONDITIONS = (
    ClaimCondition("discard_dead", lambda offer, claim, options: offer.since is Since.DISCARDED,
                   *_ASKED["discard_dead"]),
    ClaimCondition("claim_too_late",
                   lambda offer, claim, options: offer.since is Since.TOOK_REPLACEMENT,
                   *_ASKED["claim_too_late"]),
    ClaimCondition("missed_pong_wait_a_turn", _missed, *_ASKED["missed_pong_wait_a_turn"]),
    ClaimCondition(
        "sacred_discard",
        lambda offer, claim, options: (
            claim.call is Call.WIN and claim.sacred and bool(options["sacred_discard"])
        ),
        _SACRED,
        "Classical > Ending a Round 10",
        only_if=("sacred_discard", True),
    ),
)  # fmt: skip

# Which win goes first on one tile (CL-48).
_WIN_ORDER = (Completes.PAIR, Completes.CHOW, Completes.PUNG, Completes.SPECIAL)
_COMPLETES = {
    SetKind.PAIR: Completes.PAIR,
    SetKind.CHOW: Completes.CHOW,
    SetKind.PUNG: Completes.PUNG,
}


def _rank(offer: Offer, claim: Claim, options: Options) -> int:
    rank = default_rank(claim) * len(_WIN_ORDER)
    if claim.call is not Call.WIN or options["mahjong_precedence"] == "nearest":
        return rank
    stated = claim.completes
    completed = [stated] if stated is not None else _completed_by(offer, claim, options)
    return rank + max((_WIN_ORDER.index(each) for each in completed), default=0)


def _completed_by(offer: Offer, claim: Claim, options: Options) -> list[Completes]:
    """The sets that the tile completes, in every reading of the hand."""
    own = offer.source is TileSource.OWN_DRAW
    shown = ShownHand(
        concealed=(*claim.hand, offer.tile),
        winning_tile=offer.tile,
        winner=claim.seat,
        dealer=offer.dealer,
        melds=claim.melds,
        self_drawn=own,
        discarder=None if own else offer.seat,
        circumstances=claim.circumstances,
    )
    return [
        Completes.SPECIAL
        if win.filled is None or win.division.shape != "sets_and_pair"
        else _COMPLETES[win.filled.kind]
        for win in readings(RULES.with_options(options), shown)
    ]


# --- Standing hands (CL-28)

_STANDING = "Classical > Special starts 2"
_ONE_WAIT = Refusal.of("one_wait_only")


def _is_later(hand: ReadyHand) -> bool:
    """It is declared after the first discard: that is an announcement, and binds to nothing."""
    return hand.discard_number not in (None, 1)


def _waits_for_one(hand: ReadyHand, options: Options) -> bool:
    if options["standing_wait"] == "any_tile" or _is_later(hand):
        return True
    return len(legal_waits(RULES.with_options(options), hand)) <= 1


def _void_standing(shown: ShownHand, options: Options) -> tuple[Refusal, ...]:
    """Why the winner did not stand: what it held waited for more than one kind of tile."""
    faces = all(tile.is_face for tile in shown.tiles)
    if options["standing_hand"] == "none" or not faces:
        return ()
    if shown.winning_tile not in shown.concealed:
        return ()
    return () if _waits_for_one(shown.before_the_win, options) else (_ONE_WAIT,)


_READY = ReadyRule(
    on_hand=(
        ReadyCondition(
            "no_standing_hand",
            lambda hand, options: (
                options["standing_hand"] == "allowed" or bool(options["announce_fishing"])
            ),
            *_ASKED["no_standing_hand"],
            first=True,
            only_if=("standing_hand", "none"),
        ),
        ReadyCondition(
            "after_first_discard_only",
            lambda hand, options: not _is_later(hand) or bool(options["announce_fishing"]),
            *_ASKED["after_first_discard_only"],
            first=True,
            only_if=("announce_fishing", False),
        ),
        ReadyCondition(
            _ONE_WAIT.id,
            _waits_for_one,
            _ONE_WAIT.words,
            _STANDING,
            needs_tiles=True,
            only_if=("standing_wait", "one_kind"),
        ),
    ),
    locks=False,
    until=1,
    void=_void_standing,
    names=Words("A standing hand", "立牌"),
)


# --- Rounds and wall (CL-02 to CL-04, CL-16 to CL-24, CL-71 to CL-74)


def _next_round(result: RoundResult, options: Options) -> RoundNext:
    """The wind passes on when East comes back to where the round began."""
    limit_hand = result.winner == result.east and result.streak + 1 >= STREAK
    winners = () if result.winner is None else (result.winner,)
    east = stays_or_passes(HandResult(result.east, winners), options)[0]
    if limit_hand:
        east = (result.east + 1) % SEAT_COUNT
    if east == result.east or east != result.first_east:
        return RoundNext(east, result.prevailing, limit_hand)
    played = result.prevailing - Tile.EAST + 1
    if played >= int(options["rounds"]):
        return RoundNext(None, result.prevailing, limit_hand)
    return RoundNext(east, Tile(result.prevailing + 1), limit_hand)


def _count(first: int, second: int, options: Options) -> int:
    return second if options["break_second_throw"] == "number_rolled_only" else first + second


def _loose(options: Options) -> tuple[int, int]:
    return (2, 4) if options["loose_placement"] == "second_and_fourth" else (1, 2)


_BOXES = {"14_plus_2": 16, "14_total": 14, "12_total": 12, "none": 0}


def _box(counted: int | None, options: Options) -> int:
    """The dead wall with its loose tiles; the other two games have none [18]."""
    if options["game_variant"] != "mixed_hand":
        return 0
    if options["kong_box"] != "as_rolled":
        return _BOXES[str(options["kong_box"])]
    if counted is None:
        raise WordsError.told("box")
    return 2 * counted


def _dead(counted: int | None, options: Options) -> int:
    """At how many tiles a hand is drawn (CL-22, CL-72); cards have no box beside them (CL-15)."""
    if options["game_variant"] != "mixed_hand" or options["draw_point"] == "all_drawn":
        return 0
    if options["equipment"] == "cards":
        return DRAWN_AT
    return _box(counted, options) or DRAWN_AT


def _replacement(replacement: Replacement, options: Options) -> tuple[int, int]:
    """From the box as long as it lasts, which may be filled up from the wall (CL-10, CL-23).

    The loose cards are made up from the bottom of the pack (CL-15).
    """
    live, dead = replacement.live, replacement.dead
    if options["equipment"] == "cards":
        return live - 1, dead
    if _replaced_from(replacement.what, options) is WallEnd.FRONT or not dead:
        return live - 1, dead
    match options["kong_box_replenish"]:
        case "keep_14" if dead <= DRAWN_AT:
            return live - 1, dead
        case "loose_pair" if replacement.drawn % 2:
            return live - 2, dead + 1
        case _:
            return live, dead - 1


def _replaced_from(what: Replaces, options: Options) -> WallEnd:
    if what is Replaces.BONUS and options["bonus_replacement"] == "live_wall":
        return WallEnd.FRONT
    return WallEnd.BOX


def _robs_concealed(options: Options) -> frozenset[str]:
    allowed = options["concealed_kong_robbed_by"] == "thirteen_orphans"
    return frozenset({scoring.ORPHANS}) if allowed else frozenset()


def _lying(options: Options) -> LyingTile:
    """CL-37, CL-44, CL-67."""
    return LyingTile(
        claimed_kong_tile_down=options["kong_from_discard_mark"] == "claimed_tile_down",
        discards_down=options["discard_face"] == "down",
        marked=MarkedTile(str(options["concealed_marking"])),
    )


_WINNING = "Classical > Ending a Round 4"


_OPTIONS, _LAWS = read_book("classical")

RULES = RuleSet(
    id="classical",
    names=Words("Chinese Classical", "中国古典麻将"),
    source="Classical",
    kinds=SUITED + HONOURS,
    melds=frozenset(MeldKind) - {MeldKind.LUCKY_EGG},
    shapes=(
        Shape(
            "sets_and_pair",
            Words("four sets and a pair", "四组一对"),
            patterns.four_sets_in,
            _WINNING,
        ),
        Shape(
            scoring.ORPHANS,
            Words("thirteen unique wonders", "十三幺"),
            _orphans,
            _WINNING,
            only_if=("special_thirteen_unique_wonders", True),
        ),
        Shape(
            "seven_pairs",
            Words("seven pairs", "七对"),
            _twins,
            _WINNING,
            only_if=("special_heavenly_twins", True),
        ),
    ),
    conditions=_CONDITIONS,
    patterns=(*scoring.DOUBLES, *LIMIT_HANDS),
    total=value,
    explain_total=explain,
    pay=_pay,
    next_dealer=stays_or_passes,
    wall=WallPlan(
        stacks=lambda dealer, options: (
            (18, 18, 18, 18) if options["bonus_tiles"] else (17, 17, 17, 17)
        ),
        first_side=lambda options: 0,
        deal=(*FOURS, (0, 2), (1, 1), (2, 1), (3, 1)),
        dealer_jumps=lambda options: options["equipment"] == "tiles",
        is_built=lambda options: options["equipment"] == "tiles",
        handed_out=lambda options: options["deal_by"] == "east_deals",
        breach=BreachRule(_count, _loose, _box),
        dead_by=_dead,
        replacement=_replacement,
        replaced_from=_replaced_from,
    ),
    starting_tiles=lambda is_dealer, options: 14 if is_dealer else 13,
    settles_together=lambda options: False,
    places_winning_tile=True,
    ready=_READY,
    claim_conditions=_CLAIM_CONDITIONS,
    late_claims=True,
    kongs_after_draw=True,
    claim_rank=_rank,
    bonus=lambda options: BONUS if options["bonus_tiles"] else (),
    settle_values=_settle,
    lost_value=scoring.lost_value,
    next_round=_next_round,
    irregularities=irregularities,
    dead_by_false_win=lambda options: "false_mahjong_exposed",
    robs_concealed=_robs_concealed,
    lying=_lying,
    unit=Words("doubles", "番"),
    laws=_LAWS,
    options=(*_OPTIONS, *SPECIAL_OPTIONS),
    argued=(
        "limit",
        "rounds",
        "bonus_tiles",
        "settlement",
        "draw_dealer",
        "mahjong_precedence",
    ),
)
