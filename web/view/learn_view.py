"""For who learns: what the seat may do now, why not, and what the rules say of it.

The rules' words are those of the printed sheet. Nobody's concealed tiles are looked at.
"""

from collections.abc import Iterator

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.view import View, words_view
from table_assist.game.allowed import refuse_ready
from table_assist.game.choices import refuse_replacement
from table_assist.game.offered import offer_now
from table_assist.game.state import Phase
from table_assist.languages.words import Words
from table_assist.rules.offer import Call, Offer
from table_assist.rules.profile import plain_profile
from table_assist.rules.sheet.rows import SheetRow
from table_assist.rules.sheet.sheet import make_sheet
from table_assist.rules.verdict import Refusal
from table_assist.tiles.tile_words import tile_words
from web.view.claims_view import why_not
from web.view.names import player, with_names
from web.view.sentences import is_unfollowed

May = tuple[bool, Words]
_NEEDS = {
    Call.CHOW: Words(
        "You may chow {tile}, with two tiles that make a run with it.",
        "可以吃 {tile}：手里要有能与它连成顺子的两张。",
    ),
    Call.PUNG: Words("You may pung {tile}, with two of it.", "可以碰 {tile}：手里要有两张相同的。"),
    Call.KONG: Words(
        "You may kong {tile}, with three of it; then you draw a replacement.",
        "可以杠 {tile}：手里要有三张相同的，之后补摸一张。",
    ),
    Call.WIN: Words(
        "You may win on {tile}, if it completes your hand.", "可以和 {tile}：它要能凑成你的和牌。"
    ),
}
_NO = {
    Call.CHOW: Words("No chow: {why}", "不能吃：{why}"),
    Call.PUNG: Words("No pung: {why}", "不能碰：{why}"),
    Call.KONG: Words("No kong: {why}", "不能杠：{why}"),
    Call.WIN: Words("No win: {why}", "不能和：{why}"),
}
_DISCARD = Words(
    "It is your turn: discard one tile. Before that you may say that you win.",
    "轮到你：打出一张牌。打牌前可以宣布和牌。",
)
_DRAW = Words("It is your turn: draw a tile from the wall.", "轮到你：从牌墙摸一张。")
_MAY_KONG = Words(
    "With four alike, or the fourth of your pung, you may lay a kong and draw a replacement.",
    "有四张相同的，或摸到碰过的第四张，可以开杠并补摸一张。",
)
_READY = Words(
    "You may say “{ready}” once your hand waits for a win: then it does not change any more.",
    "听牌后可以{ready}；{ready}后手牌不再变动。",
)
_WAIT = Words("{who} has the turn: watch the discard.", "轮到 {who}：注意打出的牌。")
_SHOWN = Words(
    "The hand lies open: look at the sum. Whoever pays accepts it; who disagrees objects.",
    "牌已亮出：看看算分。付分者确认，有异议者提出。",
)
_BETWEEN = Words("No hand is played: nothing is to be decided.", "现在没有牌局：不用做决定。")
_ALONE = Words(
    "The phone does not see what is played. Photograph your hand: it says what you wait for.",
    "手机看不到牌局。拍下你的手牌，它会告诉你听什么。",
)
_ALL = ("patterns", "conditions", "claims", "ready", "opening")  # what a moment may be about


def learn_view(snapshot: Snapshot, seat: int) -> View:
    """The seat's choices now, and the sheet's rows of all that matters now.

    Args:
        snapshot: as the viewer may know it.
    """
    said = list(_now(snapshot, seat))
    ids = {refusal.id for _, _, refusal in said if refusal is not None}
    for _, verdict in snapshot.verdicts:
        ids |= {each.id for each in verdict.patterns} | {each.id for each in verdict.refusals}
    return {
        "now": [{"may": may, "words": words_view(words)} for may, words, _ in said],
        "rules": [_row_view(row) for row in _rows(snapshot, ids)],
    }


def _now(snapshot: Snapshot, seat: int) -> Iterator[tuple[bool, Words, Refusal | None]]:
    state = snapshot.state
    if state.phase is Phase.SHOWING:
        yield True, _SHOWN, None
        return
    if state.phase is not Phase.PLAYING or is_unfollowed(snapshot):
        yield False, _ALONE if is_unfollowed(snapshot) else _BETWEEN, None
        return
    offer = offer_now(state)
    if offer is not None and offer.tile.is_face and offer.seat != seat:
        yield from _calls(snapshot, offer, seat)
        return
    turn = state.turn if state.holder is None else state.holder
    if turn != seat:
        who = player(snapshot.names, turn)
        yield False, _WAIT.filled(who=who), None
        return
    if state.holder is None:
        yield True, _DRAW, None
        return
    yield True, _DISCARD, None
    refused = refuse_replacement(state)
    yield refused is None, _MAY_KONG if refused is None else _no(Call.KONG, refused), refused
    if not state.seats[seat].ready and refuse_ready(state, seat) is None:
        yield True, _READY.filled(ready=snapshot.rules.ready_names), None


def _calls(
    snapshot: Snapshot, offer: Offer, seat: int
) -> Iterator[tuple[bool, Words, Refusal | None]]:
    face = tile_words(offer.tile)
    for call, words in _NEEDS.items():
        refused = why_not(snapshot.state, offer, seat, call)
        if refused is None:
            said = words.filled(tile=face)
        else:
            said = with_names(_no(call, refused), snapshot.names)
        yield refused is None, said, refused


def _no(call: Call, refused: Refusal) -> Words:
    return _NO[call].filled(why=refused.words)


def _rows(snapshot: Snapshot, ids: set[str]) -> Iterator[SheetRow]:
    if ids:
        for section in make_sheet(plain_profile(snapshot.rules)).sections:
            if section.id in _ALL:
                yield from (row for row in section.rows if row.id in ids and row.words)


def _row_view(row: SheetRow) -> View:
    return {
        "id": row.id,
        "name": None if row.names is None else words_view(row.names),
        "value": None if row.value is None else words_view(row.value),
        "words": [words_view(each) for each in row.words],
    }
