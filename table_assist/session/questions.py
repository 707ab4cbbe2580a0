"""Questions to people, and the corrections that their answers make.

In texts ``{2}`` stands for the name of the player in seat 2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from table_assist.following.proposed import Reread
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    BirdTurned,
    BonusLaid,
    Claimed,
    Deal,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    Event,
    HandLaidDown,
    HandShown,
    HandTold,
    IndicatorTurned,
    KongDeclared,
    LastTilePassed,
    OneTile,
    OpenHand,
    Play,
    ReadyDeclared,
    Showing,
    StartingHandShown,
    TilesExchanged,
    WinRefused,
    tiles_of,
)
from table_assist.game.holding import with_seat
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import Irregularity
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import NO_ANTES, TableState
from table_assist.languages.words import Words, joined, player_at
from table_assist.rules.play_rules import READY
from table_assist.rules.shown import Antes
from table_assist.session.told import comes_to
from table_assist.tiles.melds import Meld, MeldKind, meld_words, tile_noted, tiles_words
from table_assist.tiles.tile import Tile, format_tiles

_IRREGULAR: dict[Irregularity, Words] = {
    Irregularity.OUT_OF_TURN: Words("out of turn", "未轮到"),
    Irregularity.NOTHING_TO_CLAIM: Words("with nothing to claim", "无牌可吃碰"),
    Irregularity.CHOW_NOT_FROM_LEFT: Words("a chow not from the player before", "非上家牌不能吃"),
    Irregularity.CALL_FORBIDDEN: Words("a call that the rules forbid", "规则不许的吃碰杠"),
    Irregularity.MELD_INVALID: Words("tiles that form no meld", "不成副"),
    Irregularity.NO_EXPOSED_PUNG: Words("a kong without an exposed pung", "没有可加杠的碰"),
    Irregularity.FIFTH_COPY: Words("more copies of a tile than there are", "同一张牌多于实有张数"),
    Irregularity.NO_HAND_RUNNING: Words("while no hand was running", "牌局未开始"),
    Irregularity.DREW_TWICE: Words("a second draw in one turn", "一轮摸了两张"),
    Irregularity.WALL_EMPTY: Words("with the wall empty", "牌墙已空"),
    Irregularity.TRANSFERS_UNBALANCED: Words("points that do not add up to 0", "分数之和不为零"),
    Irregularity.NO_REPLACEMENT: Words("no tile is left to replace it", "已无牌可补"),
    Irregularity.KONG_UNDRAWN: Words("a kong straight after a claim", "吃碰后未摸牌即开杠"),
    Irregularity.EGG_FORBIDDEN: Words("an egg against the rules", "违规下蛋或补蛋"),
    Irregularity.READY_FORBIDDEN: Words(
        "ready with a hand that may not declare it", "手牌不符合条件"
    ),
    Irregularity.READY_CHANGED: Words("a hand that may not change is changed", "不得换牌而换牌"),
    Irregularity.BONUS_DISCARDED: Words("a flower or season is discarded", "打出花牌"),
    Irregularity.LAST_TILE_KEPT: Words("the last tile is kept", "未打出海底牌"),
    Irregularity.SEATS_IMPOSSIBLE: Words("seats that cannot be taken", "座位有误"),
    Irregularity.CHOW_NOT_EXPOSED: Words(
        "the chow claimed before is not laid down", "先前吃的牌尚未亮出"
    ),
    Irregularity.PASS_FORBIDDEN: Words("nothing that may be passed on", "此时不能让牌"),
    Irregularity.OPENING_FORBIDDEN: Words("a dealt hand shown too late", "起手牌亮得过迟或重复"),
    Irregularity.EXCHANGE_FORBIDDEN: Words(
        "tiles exchanged another way than the die says, or not three of one suit",
        "换牌方向与骰子不符，或非同花色三张",
    ),
    Irregularity.INDICATOR_FORBIDDEN: Words("a tile turned when none may be", "此时不得翻牌"),
}


def why_irregular(irregularity: Irregularity) -> Words:
    """The irregularity in a few words."""
    return _IRREGULAR[irregularity]


def about_irregular(
    hand: int, seq: int, event: Event, wrong: tuple[Irregularity, ...], ready: Words = READY
) -> Doubt:
    """Something was seen that the rules forbid: was it so?"""
    why = [why_irregular(each) for each in wrong]
    return _was_it_so(hand, seq, _told(event).filled(ready=ready), joined(why))


# What people are told of a discard that was taken back for another one.
TOOK_BACK = Words(
    "{seat} took {value} back and discarded {value_2}.", "{seat} 收回{value}，改打{value_2}。"
)
TOOK_BACK_WRONGLY = Words(
    "{seat} took {value} back and discarded {value_2}; the rules forbid it.",
    "{seat} 收回{value}，改打{value_2}；规则不允许。",
)
# What they are told of one that comes where another was due; once it is won they are asked.
OUT_OF_TURN = Words(
    "{seat} discarded {value} out of turn, or a discard before it was not seen.",
    "{seat} 未轮到就打出{value}，或者之前有一张打牌没有看到。",
)
# How a discard was made that people are asked about once it is won: who made it pays.
ASTRAY = Words("before another player", "在别家面前")
BY_ORDER = Words(
    "as the order of the heap tells, and a discard in it was not read at once",
    "按牌堆顺序推定，其中有弃牌未能即时认出",
)
INSTEAD = Words("instead of another tile that lay there", "换下了先前的另一张牌")


def about_won(hand: int, seq: int, event: Discarded, made: Words) -> Doubt:
    """Whether a discard that was won was made in this odd way."""
    return replace(_was_it_so(hand, seq, _told(event), made), blocks=True)


def _was_it_so(hand: int, seq: int, told: Words, why: Words) -> Doubt:
    return Doubt(
        QuestionId(hand, QuestionKind.IRREGULAR, entry=seq),
        Words(
            "{told} ({said}). Is that what happened?",
            "{told}（{said}）。确实如此吗？",
            told=told,
            said=why,
        ),
        about=seq,
    )


def about_found_claim(hand: int, seq: int, claim: Claimed) -> Doubt:
    """A claimed meld was found lying of which it matters how it was made."""
    return Doubt(
        QuestionId(hand, QuestionKind.IRREGULAR, entry=seq),
        Words(
            "Found lying before {seat}: {meld}. Did {giver} discard its tile?",
            "{seat} 面前的{meld}是接续时发现的。是 {giver} 打出的牌吗？",
            seat=player_at(claim.seat),
            meld=meld_words(Meld(claim.kind, claim.tiles)),
            giver=player_at(claim.discarder),
        ),
        about=seq,
        blocks=True,
    )


def found_running(events: Sequence[Event]) -> Words:
    """What people are told of a hand that was taken as it lies."""
    discards = [event for event in events if isinstance(event, Discarded)]
    return Words(
        "The hand was found running and is taken as it lies: the order of {count} discards is not "
        "known, and {unread} of them are not read.",
        "发现本局已在进行，按现状接续：{count} 张打牌的先后不明，其中 {unread} 张未读出。",
        count=len(discards),
        unread=sum(not event.tile.is_face for event in discards),
    )


def missing_before(state: TableState) -> Iterator[Doubt]:
    """What nobody saw before the hand was found running, and moves what is shown now."""
    if not state.shown:
        return
    now = comes_to(state)
    for seat, own in enumerate(state.seats):
        called = with_seat(state, seat, replace(own, ready=True, ready_discard=1))
        if not own.ready and comes_to(called) != now:
            text = Words(
                "The hand was found running. Is it missing on record that {seat} declared: "
                "{ready}?",
                "发现本局时已在进行。是否漏记了 {seat} {ready}？",
                seat=player_at(seat),
                ready=rules_in_force(state).ready_names,
            )
            question = QuestionId(state.hand, QuestionKind.COUNT, seat, subject="ready")
            yield Doubt(question, text, blocks=True)
    staked = replace(state, antes=Antes(double_down=True))
    if state.antes == NO_ANTES and comes_to(staked) != now:
        text = Words(
            "The hand was found running. Is it missing on record what was staked?",
            "发现本局时已在进行。是否漏记了下注？",
        )
        question = QuestionId(state.hand, QuestionKind.COUNT, state.dealer, subject="stakes")
        yield Doubt(question, text, blocks=True)


def about_played_on(hand: int, seq: int, seat: int) -> Doubt:
    """A win was declared, no hand could be read, and its player goes on: was it a false win?"""
    return Doubt(
        QuestionId(hand, QuestionKind.PLAYED_ON, seat, seq),
        Words(
            "{seat} declared a win, showed no hand that was read, and plays on. Was it a "
            "false win?",
            "{seat} 报和后没有读到亮牌，又继续打牌。算诈和吗？",
            seat=player_at(seat),
        ),
        if_yes=WinRefused(seat, ("hand_not_shown",)),
        blocks=True,
    )


def _told(event: Event) -> Words:
    """The seen event in a few words."""
    if isinstance(event, Deal | Showing):
        return _told_beside_play(event)
    if not isinstance(event, Play):
        return Words("it was recorded so", "有此记录")
    match event:
        case Discarded(seat, tile):
            return Words(
                "{seat} discarded {value}",
                "{seat} 打出{value}",
                seat=player_at(seat),
                value=tile_noted(tile),
            )
        case Claimed(seat, kind, tiles):
            faces = format_tiles(tiles)
            return Words(
                "{seat} claimed a {kind} {faces}",
                "{seat} 副露 {tiles}",
                seat=player_at(seat),
                kind=kind,
                faces=faces,
                tiles=tiles_words(tiles),
            )
        case KongDeclared(seat, _, tile):
            return Words(
                "{seat} declared a kong of {value}",
                "{seat} 杠{value}",
                seat=player_at(seat),
                value=tile_noted(tile),
            )
        case Drew(seat):
            return Words("{seat} drew a tile", "{seat} 摸了一张牌", seat=player_at(seat))
        case LastTilePassed(seat):
            return Words(
                "{seat} left the last tile", "{seat} 放弃了最后一张牌", seat=player_at(seat)
            )
        case ReadyDeclared(seat):
            return Words("{seat} declared: {ready}", "{seat} {ready}", seat=player_at(seat))
        case _:
            assert_never(event)


def _told_beside_play(event: Deal | Showing) -> Words:
    match event:
        case BonusLaid(seat, tiles):
            return Words(
                "{seat} laid out {tiles}",
                "{seat} 补花 {tiles}",
                seat=player_at(seat),
                tiles=tiles_words(tiles),
            )
        case TilesExchanged():
            return Words("tiles were passed on", "换了牌")
        case IndicatorTurned(tile):
            return Words("{value} was turned up", "翻出{value}", value=tile_noted(tile))
        case StartingHandShown(seat):
            return Words("{seat} showed the dealt hand", "{seat} 亮出起手牌", seat=player_at(seat))
        case EggLaid(seat, tiles):
            return Words(
                "{seat} laid an egg {tiles}",
                "{seat} 下蛋 {tiles}",
                seat=player_at(seat),
                tiles=tiles_words(tiles),
            )
        case EggAppended(seat, _, tile):
            return Words(
                "{seat} put {value} to an egg",
                "{seat} 补蛋{value}",
                seat=player_at(seat),
                value=tile_noted(tile),
            )
        case HandShown(seat) | HandLaidDown(seat) | HandTold(seat):
            return Words("{seat} laid the hand open", "{seat} 亮牌", seat=player_at(seat))
        case WinRefused(seat):
            return Words(
                "the win of {seat} was refused", "{seat} 的和牌被判无效", seat=player_at(seat)
            )
        case BirdTurned(tile):
            return Words("the bird {value} was turned", "翻鸟{value}", value=tile_noted(tile))
        case _:
            assert_never(event)


def about_other_way(hand: int, seq: int, other: HandShown, given_by: int) -> Doubt:
    """A hand that can have been won in two ways: its owner says which.

    Args:
        given_by: the seat whose tile may have been won.
    """
    seat = other.seat
    text = Words(
        "{seat} may have won on the tile of {given_by}, or on a drawn one. Was it drawn?",
        "{seat} 可能是和 {given_by} 的牌，也可能是自摸。是自摸吗？",
        seat=player_at(seat),
        given_by=player_at(given_by),
    )
    if other.rush:
        text = Words(
            "{seat} may have won on the last tile or by the treasure alone. Was it the treasure?",
            "{seat} 可能是和最后一张，也可能是冲宝。是冲宝吗？",
            seat=player_at(seat),
        )
    elif not other.self_drawn:
        text = Words(
            "{seat} may have drawn the winning tile, or won on that of {given_by}. Was it "
            "that of {given_by}?",
            "{seat} 可能是自摸，也可能是和 {given_by} 的牌。是 {given_by} 的牌吗？",
            seat=player_at(seat),
            given_by=player_at(given_by),
        )
    question = QuestionId(hand, QuestionKind.WAY, entry=seq)
    return Doubt(question, text, about=seq, if_yes=other)


# Without these faces nothing can be settled.
_UNREAD_IN = {
    Claimed: QuestionKind.SHOW,
    KongDeclared: QuestionKind.SHOW,
    HandShown: QuestionKind.SHOW,
    HandLaidDown: QuestionKind.SHOW,
    BirdTurned: QuestionKind.BIRD,
}


def about_unread(
    hand: int, seq: int, event: Event, candidates: tuple[Tile, ...], kinds: tuple[Tile, ...]
) -> Doubt | None:
    """The event has a tile that could not be read; None when it has none.

    The choices are the likeliest faces first, then all others of the set: people can see the tile.
    """
    position = unread_in(event)
    if position is None:
        return None
    left = tiles_of(event).count(Tile.UNKNOWN)
    choices = tuple(dict.fromkeys(str(tile) for tile in (*candidates, *kinds)))
    kind = _UNREAD_IN.get(type(event), QuestionKind.UNREAD)
    match event:
        case HandShown(seat, concealed) if position == len(concealed):
            text = Words(
                "Which tile did {seat} win on?", "{seat} 和的是哪张？", seat=player_at(seat)
            )
            choices = tuple(dict.fromkeys(str(tile) for tile in concealed))
        case Discarded(seat):
            text = Words("What did {seat} discard?", "{seat} 打的是什么？", seat=player_at(seat))
        case HandShown(seat) | HandLaidDown(seat) | StartingHandShown(seat):
            text = Words(
                "Which tile of the hand of {seat} is this?",
                "{seat} 的这张牌是什么？",
                seat=player_at(seat),
            )
        case Claimed(seat) | KongDeclared(seat):
            text = Words(
                "Which tile of the melds of {seat} is this?",
                "{seat} 副露中的这张牌是什么？",
                seat=player_at(seat),
            )
        case BonusLaid(seat):
            text = Words(
                "Which flower of {seat} is this?", "{seat} 的这张花牌是什么？", seat=player_at(seat)
            )
        case IndicatorTurned():
            text = Words("Which tile is turned up in the wall?", "牌墙上翻开的是什么牌？")
        case _:
            text = Words("Which bird tile is this?", "翻出的鸟牌是什么？")
    question = QuestionId(hand, kind, entry=seq, subject=f"{position}-{left}")
    return Doubt(question, text, choices, about=seq)


def about_reread(hand: int, seq: int, reread: Reread) -> Doubt:
    """A discard is recorded as one tile and seen as another."""
    return Doubt(
        QuestionId(hand, QuestionKind.REREAD, entry=seq),
        Words(
            "{seat} discarded {value}, as recorded; it now looks like {value_2}. Which is it?",
            "{seat} 打的牌记为{value}，现在看像{value_2}，是哪张？",
            seat=player_at(reread.seat),
            value=tile_noted(reread.recorded),
            value_2=tile_noted(reread.tile),
        ),
        (str(reread.recorded), str(reread.tile)),
        about=seq,
    )


def about_corrected(hand: int, seen: HandShown) -> Doubt:
    """The camera sees another hand than the one that won, or that a person has corrected."""
    tiles = format_tiles(seen.concealed)
    text = Words(
        "The camera now reads the hand of {seat} as {concealed}. Is it right as recorded?",
        "摄像头现在把 {seat} 的手牌读作 {concealed}。按记录的结算吗？",
        seat=player_at(seen.seat),
        concealed=tiles_words(seen.concealed),
    )
    question = QuestionId(hand, QuestionKind.CORRECTED, seen.seat, subject=tiles)
    return Doubt(question, text, blocks=True)


def about_surplus_birds(hand: int) -> Doubt:
    """More tiles lie face up where birds are turned than birds are due."""
    text = Words(
        "More tiles are turned up than there are birds; the first ones count. Is that right?",
        "翻开的牌比应翻的鸟多，按先翻的算，对吗？",
    )
    return Doubt(QuestionId(hand, QuestionKind.SURPLUS), text, blocks=True)


# --- What is asked for, and what an answer makes of it


def unread_in(event: Event) -> int | None:
    """Where the event's first unread tile is; for a hand's winning tile the hand's length."""
    tiles = tiles_of(event)
    if Tile.UNKNOWN in tiles:
        return tiles.index(Tile.UNKNOWN)
    if isinstance(event, HandShown) and event.winning_tile is Tile.UNKNOWN:
        return len(tiles)
    return None


def with_tile(event: Event, tile: Tile) -> Event:
    """The event with its first unread tile named, or its only tile replaced."""
    left = list(tiles_of(event))
    if Tile.UNKNOWN in left:
        left[left.index(Tile.UNKNOWN)] = tile
    named = tuple(sorted(left))
    if isinstance(event, HandShown) and unread_in(event) in (None, len(left)):
        return replace(event, winning_tile=tile)
    if isinstance(event, OpenHand):
        return replace(event, concealed=named)
    if isinstance(event, Claimed) and event.kind is not MeldKind.CHOW:
        return replace(event, tiles=(tile,) * len(left))
    if isinstance(event, BonusLaid):
        return replace(event, tiles=tuple(left))
    if isinstance(event, Claimed | StartingHandShown):
        return replace(event, tiles=named)
    return replace(event, tile=tile) if isinstance(event, OneTile) else event
