"""Events, and the present state, as sentences in English and Chinese."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import assert_never

from table_assist.game.events import (
    Agreed,
    Answered,
    AntesPlaced,
    Asked,
    Attested,
    BirdTurned,
    BoardSaid,
    BonusLaid,
    Claimed,
    ClockSet,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    Event,
    GameBegun,
    HandAbandoned,
    HandLaidDown,
    HandShown,
    HandStarted,
    HandTold,
    IndicatorTurned,
    IrregularityNoted,
    KongDeclared,
    LastTilePassed,
    Penalised,
    PlayerNamed,
    ReadyDeclared,
    Ruled,
    SeatsChanged,
    Settled,
    StartingHandShown,
    TilesExchanged,
    WallBuilt,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.people import Names
from table_assist.game.state import Phase
from table_assist.languages.words import (
    AND,
    COMMA,
    SEMICOLON,
    Plural,
    Words,
    joined,
    phrase,
    same,
    unended,
)
from table_assist.record.snapshot import Snapshot
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import UNREADABLE, MeldKind, tile_words
from table_assist.tiles.tile import Tile, parse_tile
from web.view.vocabulary import ANSWERS, MELD_WORDS, is_open, player, signed, with_placeholders

# Sentences for what only some rule sets have: stakes, flowers, eggs, turned tiles, rulings.

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
            return Words("{face} is turned up.", "翻出{face}。", face=tile_words(tile))
        case IndicatorTurned():
            return Words("A tile was looked at and stays hidden.", "已看宝牌，暂不公开。")
        case BonusLaid(seat, tiles):
            return phrase("sentences.lays_out", who=who(seat), faces=joined(map(tile_words, tiles)))
        case StartingHandShown(seat):
            return Words("{who} shows the dealt hand.", "{who}亮起手牌。", who=who(seat))
        case EggLaid(seat, tiles):
            faces = joined(map(tile_words, tiles))
            return phrase("sentences.lays_an_egg", who=who(seat), faces=faces)
        case EggAppended(seat, _, tile):
            return phrase("sentences.adds_to_an_egg", who=who(seat), face=tile_words(tile))
        case Drew(seat):
            return Words("{who} draws.", "{who}摸牌。", who=who(seat))
        case LastTilePassed(seat):
            return Words("{who} passes on the last tile.", "{who}不要最后一张。", who=who(seat))
        case HandLaidDown(seat):
            return Words("{who} lays down the hand.", "{who}亮出手牌。", who=who(seat))
        case HandTold(seat):
            return phrase("sentences.shows_the_hand_told", who=who(seat))
        case IrregularityNoted(seat, what, dead):
            named = what.replace("_", " ")
            fate = Words("", "") if dead is None else Words("; the hand is dead", "，此牌作废")
            return phrase("sentences.noted", who=who(seat), named=named, fate=fate)
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
            return phrase("sentences.ruling_about", who=who(seat), said=Words(en or zh, zh or en))
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
        said.append(phrase("sentences.it_ends_when_somebody", floor=event.floor))
    if event.length:
        said.append(Plural(event.length, "it lasts {n} hand", "it lasts {n} hands", "共打{n}局"))
    return Words("{both}.", "{both}。", both=joined(said, Words("{one}; {next}", "{one}，{next}")))


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
    return Words("{said}.", "{said}。", said=joined(stakes, COMMA))


def sentence(  # noqa: C901 - one arm per event
    event: Event, names: Names, rules: RuleSet, refused: Mapping[str, Words] = MappingProxyType({})
) -> Words:
    """The event as one sentence.

    Args:
        event: any of the closed union.
        names: the players' names, by seat.
        rules: the hand's.
        refused: what a verdict says of its refusals, by their codes; else the rules say it.
    """

    def who(seat: int) -> Words:
        return player(names, seat)

    match event:
        case WallBuilt():
            return Words("A new wall stands.", "新牌墙已砌好。")
        case DiceRolled(seat, values):
            each, total = " + ".join(str(value) for value in values), sum(values)
            if len(values) < 2:
                return Words("{who} rolls {each}.", "{who}掷出{each}点。", who=who(seat), each=each)
            return phrase("sentences.rolls", who=who(seat), each=each, total=total)
        case HandStarted(hand, _, dealer, wall_left):
            dealt = who(dealer)
            return phrase("sentences.hand_deals_tiles", hand=hand, dealt=dealt, wall_left=wall_left)
        case Discarded(seat, tile):
            actor, face = who(seat), tile_words(tile)
            return Words("{actor} discards {face}.", "{actor}打出{face}。", actor=actor, face=face)
        case Claimed(seat, kind, _, discarder):
            actor, giver, meld = who(seat), who(discarder), MELD_WORDS[kind]
            return phrase("sentences.claims", actor=actor, giver=giver, meld=meld)
        case KongDeclared(seat, kind, tile):
            return _kong(who(seat), kind, tile)
        case ReadyDeclared(seat):
            return phrase("sentences.who_ready", who=who(seat), ready=rules.ready_names)
        case WinDeclared(seat):
            return Words("{who} declares a win.", "{who}宣布和牌。", who=who(seat))
        case HandShown(seat, _, tile, self_drawn):
            face = UNREADABLE if tile is Tile.UNKNOWN else tile_words(tile)
            if self_drawn:
                return phrase("sentences.shows_the_hand_drew", who=who(seat), face=face)
            return phrase("sentences.shows_the_hand_won", who=who(seat), face=face)
        case WinRefused(seat, refusals):
            known = {each.id: each.words for each in rules.conditions} | dict(refused)
            reasons = [known.get(code, same(code.replace("_", " "))) for code in refusals]
            why = unended(joined(reasons, SEMICOLON))
            return phrase("sentences.has_not_won", who=who(seat), why=why)
        case BirdTurned(tile):
            return Words("A bird: {tile}.", "翻鸟：{tile}。", tile=tile_words(tile))
        case Settled(winners, transfers):
            return _settled(names, winners, transfers)
        case WallExhausted():
            return Words("The wall is empty: nobody won.", "牌墙已空，流局。")
        case HandAbandoned():
            return phrase("sentences.tiles_went_back_before")
        case Asked(_, text):
            return with_placeholders(text, names)
        case Answered(_, answer):
            return Words("Answer: {said}.", "回答：{said}。", said=answer_words(answer))
        case _:
            return special_sentence(event, who)


def answer_words(choice: str) -> Words:
    """A question's choice: a tile's name, yes, no, or as it was written."""
    if choice in ANSWERS:
        return ANSWERS[choice]
    tile = choice_tile(choice)
    return Words(choice, choice) if tile is None else tile_words(tile)


def choice_tile(choice: str) -> Tile | None:
    """The tile that a choice names, if it names one."""
    try:
        return parse_tile(choice)
    except ValueError:
        return None


def headline(snapshot: Snapshot) -> Words:
    """The present state, short enough to be read across a room."""
    state = snapshot.state
    if is_unfollowed(snapshot) and state.phase in _TOLD_LATER:
        number = state.hand + (state.phase is not Phase.PLAYING)
        return phrase("sentences.hand_who_wins_photographs", number=number)
    match state.phase:
        case Phase.WAITING:
            return Words("Waiting for a wall", "等待砌牌")
        case Phase.WALL_READY:
            if state.hand and state.dealer_next is None:
                return Words("The wall is ready: agree who deals", "牌墙已好：请商定庄家")
            if state.dice is not None:
                return Words("The dice have fallen: deal", "骰子已掷：请起牌")
            return Words("The wall is ready: roll the dice", "牌墙已好：请掷骰")
        case Phase.PLAYING:
            state = snapshot.state
            if state.holder is not None:
                who = player(snapshot.names, state.holder)
                return Words("{who} discards", "{who}打牌", who=who)
            if state.wall_left <= 0:
                return Words("The wall is empty", "牌墙已空")
            return Words("{who} draws", "{who}摸牌", who=player(snapshot.names, state.turn))
        case Phase.SHOWING:
            return _showing(snapshot)
        case Phase.SETTLED:
            won = state.settled is not None and bool(state.settled.winners)
            if won:
                return Words("Hand {hand} is settled", "第{hand}局已结算", hand=state.hand)
            return Words("Hand {hand}: nobody won", "第{hand}局无人和牌", hand=state.hand)
        case _:
            assert_never(state.phase)


# Nobody sees these phases then: the hand is told when somebody wins.
_TOLD_LATER = (Phase.WAITING, Phase.WALL_READY, Phase.PLAYING)


def is_unfollowed(snapshot: Snapshot) -> bool:
    """Whether neither a camera nor a board follows this table: people tell what happened."""
    return not snapshot.is_followed


def _showing(snapshot: Snapshot) -> Words:
    state = snapshot.state
    shown = {hand.seat for hand in state.shown}
    waiting = _players(snapshot, [seat for seat in state.declared if seat not in shown])
    if waiting.en:
        return phrase("sentences.declared_a_win_show", waiting=waiting)
    if not snapshot.verdicts:
        return Words("The hand is shown: judging", "手牌已亮：判定中")
    if snapshot.settlement is None or not snapshot.settlement.winners:
        if any(is_open(verdict, state) for _, verdict in snapshot.verdicts):
            return Words("A tile cannot be read: not decided", "有牌看不清：尚未判定")
        refused = _players(
            snapshot, [seat for seat, verdict in snapshot.verdicts if not verdict.valid]
        )
        return Words("{refused} has not won", "{refused}的和牌不成立", refused=refused)
    winners = _players(snapshot, list(snapshot.settlement.winners))
    count = len(snapshot.settlement.winners)
    left = 0 if snapshot.rules.birds is None else snapshot.rules.birds.count - len(state.birds)
    if left <= 0:
        return Plural(count, "{winners} wins", "{winners} win", "{winners}和牌", winners=winners)
    return Plural(
        count,
        "{winners} wins: turn {birds}",
        "{winners} win: turn {birds}",
        "{winners}和牌：请翻{birds}",
        winners=winners,
        birds=Plural(left, "{n} bird", "{n} birds", "{n}只鸟"),
    )


def _players(snapshot: Snapshot, seats: list[int]) -> Words:
    return joined([player(snapshot.names, seat) for seat in seats], AND)


def _kong(who: Words, kind: MeldKind, tile: Tile) -> Words:
    face, meld = tile_words(tile), MELD_WORDS[kind]
    if kind is MeldKind.KONG_ADDED:
        return Words("{who} adds {face} to a pung: kong.", "{who}加杠{face}。", who=who, face=face)
    return phrase("sentences.declares", who=who, meld=meld, face=face)


def _settled(names: Names, winners: tuple[int, ...], transfers: tuple[int, ...]) -> Words:
    moved = [
        Words(
            "{player} {points}",
            "{player}{points}",
            player=player(names, seat),
            points=signed(points),
        )
        for seat, points in enumerate(transfers)
        if points
    ]
    if not moved:
        return Words("Settled: nothing is paid.", "结算：没有输赢。")
    change = joined(moved, COMMA)
    if not winners:
        return Words("Settled: {change}.", "结算：{change}。", change=change)
    won = joined([player(names, seat) for seat in winners], AND)
    return Words("{won} won. {change}.", "{won}和牌。{change}。", won=won, change=change)
