"""Sentences for what only some rule sets have: stakes, flowers, eggs, turned tiles, rulings."""

from collections.abc import Callable
from typing import assert_never

from table_assist.game.events import (
    Agreed,
    AntesPlaced,
    Attested,
    BoardSaid,
    BonusLaid,
    ClockSet,
    DealerChosen,
    Drew,
    EggAppended,
    EggLaid,
    GameBegun,
    HandLaidDown,
    HandTold,
    IndicatorTurned,
    IrregularityNoted,
    LastTilePassed,
    Penalised,
    PlayerNamed,
    Ruled,
    SeatsChanged,
    StartingHandShown,
    TilesExchanged,
)
from table_assist.languages.words import COMMA, Plural, Words, joined
from table_assist.tiles.tile import Tile
from table_assist.tiles.tile_words import tile_words
from web.view.vocabulary import ANSWERS, signed

SpecialEvent = (
    Agreed
    | AntesPlaced
    | BoardSaid
    | BonusLaid
    | DealerChosen
    | ClockSet
    | Drew
    | EggAppended
    | EggLaid
    | GameBegun
    | HandLaidDown
    | HandTold
    | IndicatorTurned
    | IrregularityNoted
    | LastTilePassed
    | Penalised
    | PlayerNamed
    | Ruled
    | SeatsChanged
    | StartingHandShown
    | TilesExchanged
)
_PASSED_TO = {
    1: Words("to the right", "下家"),
    2: Words("across", "对家"),
    3: Words("to the left", "上家"),
}


def _clock(event: ClockSet) -> Words:
    if not event.running:
        return Words("The clock stands.", "计时暂停。")
    parts = [
        (event.evening_s, 60, Words("{n} min for the evening", "整场 {n} 分钟")),
        (event.round_s, 60, Words("{n} min a round", "每圈 {n} 分钟")),
        (event.think_s, 1, Words("{n} s to think", "每手 {n} 秒")),
    ]
    said = [words.filled(n=round(seconds / unit)) for seconds, unit, words in parts if seconds]
    if not said:
        return Words("No clock any more.", "不再计时。")
    return Words("The clock: {said}.", "计时：{said}。", said=joined(said, COMMA))


def special_sentence(  # noqa: C901 - one arm per event
    event: SpecialEvent, who: Callable[[int], Words]
) -> Words:
    """The event as one sentence."""
    match event:
        case Agreed(seat, to):
            return _agreed(who(seat), to)
        case PlayerNamed(_, name):
            return Words("{name} sits down.", "{name}入座。", name=name)
        case ClockSet():
            return _clock(event)
        case AntesPlaced():
            return _antes(event, who)
        case Attested(kind):
            return Words("The log vouches for: {kind}.", "日志为证：{kind}。", kind=kind)
        case BoardSaid(kind, fields):
            said = " ".join((kind, *fields))
            return Words("The board said: {said}.", "控制板：{said}。", said=said)
        case SeatsChanged(_, east):
            if east is None:
                return Words("New seats were taken.", "已重新定座。")
            return Words("New seats: {who} is East.", "已重新定座：{who}为东。", who=who(east))
        case GameBegun():
            return _game(event)
        case DealerChosen(seat):
            return Words("{who} is to deal.", "由{who}坐庄。", who=who(seat))
        case TilesExchanged(seats_on):
            way = _PASSED_TO.get(
                seats_on, Words("{seats_on} seats on", "第{seats_on}家", seats_on=seats_on)
            )
            return Words("Tiles are passed {way}.", "换牌：给{way}。", way=way)
        case IndicatorTurned(tile) if tile.is_face:
            face = tile_words(tile)
            return Words("{face} is turned up.", "翻出{face}。", face=face)
        case IndicatorTurned():
            return Words("A tile was looked at and stays hidden.", "已看宝牌，暂不公开。")
        case BonusLaid(seat, tiles):
            faces = _faces(tiles)
            return Words(
                "{who} lays out {faces}.", "{who}补花：{faces}。", who=who(seat), faces=faces
            )
        case StartingHandShown(seat):
            return Words("{who} shows the dealt hand.", "{who}亮起手牌。", who=who(seat))
        case EggLaid(seat, tiles):
            faces = _faces(tiles)
            return Words(
                "{who} lays an egg: {faces}.", "{who}下蛋：{faces}。", who=who(seat), faces=faces
            )
        case EggAppended(seat, _, tile):
            face = tile_words(tile)
            return Words(
                "{who} adds {face} to an egg.", "{who}长蛋{face}。", who=who(seat), face=face
            )
        case Drew(seat):
            return Words("{who} draws.", "{who}摸牌。", who=who(seat))
        case LastTilePassed(seat):
            return Words("{who} passes on the last tile.", "{who}不要最后一张。", who=who(seat))
        case HandLaidDown(seat):
            return Words("{who} lays down the hand.", "{who}亮出手牌。", who=who(seat))
        case HandTold(seat):
            return Words(
                "{who} shows the hand: told by people, not followed.",
                "{who}亮牌（由人报出，未经跟踪）。",
                who=who(seat),
            )
        case IrregularityNoted(seat, what, dead):
            named = what.replace("_", " ")
            fate = Words("", "") if dead is None else Words("; the hand is dead", "，此牌作废")
            return Words(
                "Noted for {who}: {named}{fate}.",
                "{who}违例（{named}）{fate}。",
                who=who(seat),
                named=named,
                fate=fate,
            )
        case Penalised(transfers, Words(en, zh)):
            moves = [
                Words("{who} {move}", "{who}{move}", who=who(seat), move=signed(move))
                for seat, move in enumerate(transfers)
                if move
            ]
            if not moves:
                return Words("{said}: no points move.", "{said}：分数不变。", said=Words(en, zh))
            moved = joined(moves, COMMA)
            return Words("{said}: {moved}.", "{said}：{moved}。", said=Words(en, zh), moved=moved)
        case Ruled(seat, Words(en, zh)):
            return Words(
                "Ruling about {who}: {said}.",
                "对{who}的裁定：{said}。",
                who=who(seat),
                said=Words(en or zh, zh or en),
            )
        case _:
            assert_never(event)


def _agreed(who: Words, to: str) -> Words:
    """A word to a settlement, or to an answer."""
    _, is_answer, answer = to.rpartition("=")
    if not is_answer:
        return Words("{who} accepts it.", "{who}确认。", who=who)
    said = ANSWERS.get(answer, Words(answer, answer))
    return Words("{who} answers: {said}.", "{who}回答：{said}。", who=who, said=said)


def _game(event: GameBegun) -> Words:
    said = [
        Words("A game begins from {points} points", "开新一场，起始{points}分", points=event.points)
    ]
    if event.floor is not None:
        said.append(
            Words(
                "it ends when somebody is below {floor}",
                "有人低于{floor}分即结束",
                floor=event.floor,
            )
        )
    if event.length:
        said.append(Plural(event.length, "it lasts {n} hand", "it lasts {n} hands", "共打{n}局"))
    both = joined(said, Words("{one}; {next}", "{one}，{next}"))
    return Words("{both}.", "{both}。", both=both)


def _antes(event: AntesPlaced, who: Callable[[int], Words]) -> Words:
    stakes = [
        Words("{who} challenges with {tokens}", "{who}拉庄{tokens}", who=who(seat), tokens=tokens)
        for seat, tokens in enumerate(event.challenges)
        if tokens
    ]
    if event.double_down:
        stakes.append(Words("the dealer doubles down", "庄家加倍"))
    if not stakes:
        return Words("Nobody stakes anything.", "无人加注。")
    said = joined(stakes, COMMA)
    return Words("{said}.", "{said}。", said=said)


def _faces(tiles: tuple[Tile, ...]) -> Words:
    return joined([tile_words(tile) for tile in tiles])
