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
from table_assist.hand.tile_words import tile_words
from table_assist.tiles import Tile
from table_assist.words import Words
from web.view.vocabulary import ANSWERS, joined, signed

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
    said = [(round(seconds / unit), words) for seconds, unit, words in parts if seconds]
    if not said:
        return Words("No clock any more.", "不再计时。")
    en = ", ".join(words.en.replace("{n}", str(n)) for n, words in said)
    zh = "，".join(words.zh.replace("{n}", str(n)) for n, words in said)
    return Words(f"The clock: {en}.", f"计时：{zh}。")


def special_sentence(  # noqa: C901 - one arm per event
    event: SpecialEvent, who: Callable[[int], Words]
) -> Words:
    """The event as one sentence."""
    match event:
        case Agreed(seat, to):
            return _agreed(who(seat), to)
        case PlayerNamed(_, name):
            return Words(f"{name} sits down.", f"{name}入座。")
        case ClockSet():
            return _clock(event)
        case AntesPlaced():
            return _antes(event, who)
        case Attested(kind):
            return Words(f"The log vouches for: {kind}.", f"日志为证：{kind}。")
        case BoardSaid(kind, fields):
            said = " ".join((kind, *fields))
            return Words(f"The board said: {said}.", f"控制板：{said}。")
        case SeatsChanged(_, east):
            deals = None if east is None else who(east)
            return Words(
                "New seats were taken." if deals is None else f"New seats: {deals.en} is East.",
                "已重新定座。" if deals is None else f"已重新定座：{deals.zh}为东。",
            )
        case GameBegun():
            return _game(event)
        case DealerChosen(seat):
            return Words(f"{who(seat).en} is to deal.", f"由{who(seat).zh}坐庄。")
        case TilesExchanged(seats_on):
            way = _PASSED_TO.get(seats_on, Words(f"{seats_on} seats on", f"第{seats_on}家"))
            return Words(f"Tiles are passed {way.en}.", f"换牌：给{way.zh}。")
        case IndicatorTurned(tile) if tile.is_face:
            face = tile_words(tile)
            return Words(f"{face.en} is turned up.", f"翻出{face.zh}。")
        case IndicatorTurned():
            return Words("A tile was looked at and stays hidden.", "已看宝牌，暂不公开。")
        case BonusLaid(seat, tiles):
            faces = _faces(tiles)
            return Words(
                f"{who(seat).en} lays out {faces.en}.", f"{who(seat).zh}补花：{faces.zh}。"
            )
        case StartingHandShown(seat):
            return Words(f"{who(seat).en} shows the dealt hand.", f"{who(seat).zh}亮起手牌。")
        case EggLaid(seat, tiles):
            faces = _faces(tiles)
            return Words(
                f"{who(seat).en} lays an egg: {faces.en}.", f"{who(seat).zh}下蛋：{faces.zh}。"
            )
        case EggAppended(seat, _, tile):
            face = tile_words(tile)
            return Words(
                f"{who(seat).en} adds {face.en} to an egg.", f"{who(seat).zh}长蛋{face.zh}。"
            )
        case Drew(seat):
            return Words(f"{who(seat).en} draws.", f"{who(seat).zh}摸牌。")
        case LastTilePassed(seat):
            return Words(
                f"{who(seat).en} passes on the last tile.", f"{who(seat).zh}不要最后一张。"
            )
        case HandLaidDown(seat):
            return Words(f"{who(seat).en} lays down the hand.", f"{who(seat).zh}亮出手牌。")
        case HandTold(seat):
            return Words(
                f"{who(seat).en} shows the hand: told by people, not followed.",
                f"{who(seat).zh}亮牌（由人报出，未经跟踪）。",
            )
        case IrregularityNoted(seat, what, dead):
            named = what.replace("_", " ")
            fate = Words("", "") if dead is None else Words("; the hand is dead", "，此牌作废")
            return Words(
                f"Noted for {who(seat).en}: {named}{fate.en}.",
                f"{who(seat).zh}违例（{named}）{fate.zh}。",
            )
        case Penalised(transfers, Words(en, zh)):
            moves = [
                Words(f"{who(seat).en} {signed(move)}", f"{who(seat).zh}{signed(move)}")
                for seat, move in enumerate(transfers)
                if move
            ]
            if not moves:
                return Words(f"{en}: no points move.", f"{zh}：分数不变。")
            moved = joined(moves, ", ", "，")
            return Words(f"{en}: {moved.en}.", f"{zh}：{moved.zh}。")
        case Ruled(seat, Words(en, zh)):
            return Words(
                f"Ruling about {who(seat).en}: {en or zh}.", f"对{who(seat).zh}的裁定：{zh or en}。"
            )
        case _:
            assert_never(event)


def _agreed(who: Words, to: str) -> Words:
    """A word to a settlement, or to an answer."""
    _, is_answer, answer = to.rpartition("=")
    if not is_answer:
        return Words(f"{who.en} accepts it.", f"{who.zh}确认。")
    said = ANSWERS.get(answer, Words(answer, answer))
    return Words(f"{who.en} answers: {said.en}.", f"{who.zh}回答：{said.zh}。")


def _game(event: GameBegun) -> Words:
    said = [Words(f"A game begins from {event.points} points", f"开新一场，起始{event.points}分")]
    if event.floor is not None:
        said.append(
            Words(f"it ends when somebody is below {event.floor}", f"有人低于{event.floor}分即结束")
        )
    if event.length:
        hands = "1 hand" if event.length == 1 else f"{event.length} hands"
        said.append(Words(f"it lasts {hands}", f"共打{event.length}局"))
    both = joined(said, "; ", "，")
    return Words(f"{both.en}.", f"{both.zh}。")


def _antes(event: AntesPlaced, who: Callable[[int], Words]) -> Words:
    stakes = [
        Words(f"{who(seat).en} challenges with {tokens}", f"{who(seat).zh}拉庄{tokens}")
        for seat, tokens in enumerate(event.challenges)
        if tokens
    ]
    if event.double_down:
        stakes.append(Words("the dealer doubles down", "庄家加倍"))
    if not stakes:
        return Words("Nobody stakes anything.", "无人加注。")
    said = joined(stakes, ", ", "，")
    return Words(f"{said.en}.", f"{said.zh}。")


def _faces(tiles: tuple[Tile, ...]) -> Words:
    return joined([tile_words(tile) for tile in tiles], ", ", "、")
