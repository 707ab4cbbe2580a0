"""An open question as JSON: its answers side by side, what each does, who has said what so far."""

from table_assist.game.acceptance import (
    is_decided,
    is_for_all,
    is_settlement,
    said_to,
    waits_for_whom,
)
from table_assist.game.events import (
    Agreed,
    Asked,
    End,
    HandShown,
    IrregularityNoted,
    Penalised,
    WallExhausted,
)
from table_assist.game.question import QuestionKind
from table_assist.game.rulings import after_refusal
from table_assist.game.state import Phase
from table_assist.languages.words import COMMA, View, Words, joined, phrase, words_view
from table_assist.record.log import Entry, Source
from table_assist.record.snapshot import Snapshot
from web.access.roles import Viewer
from web.view import sentences
from web.view.vocabulary import player, signed, with_placeholders

# The end of a hand is for the table's scorer to say, whoever it is about.
_OF_AN_END = (QuestionKind.UNSETTLED, QuestionKind.LATER)


def seats_of(asked: Asked, entries: tuple[Entry, ...]) -> set[int]:
    """The seats that a question is about; empty for a question about the table."""
    if isinstance(asked.if_yes, End) or asked.question.kind in _OF_AN_END:
        return set()
    found = {seat for seat in range(4) if f"{{{seat}}}" in asked.text.en}
    events = [asked.if_yes, *(entry.event for entry in entries if entry.seq == asked.about)]
    return found | {seat for each in events if isinstance(seat := getattr(each, "seat", None), int)}


def is_asked(asked: Asked, seat: int, snapshot: Snapshot) -> bool:
    """Whether the seat's phone shows the question: it is about that seat alone, or for all."""
    return is_for_all(asked, snapshot.state) or seats_of(asked, snapshot.entries) == {seat}


# The name of each answer to a question, and its effect: no bare yes or no.

_SHOW_AGAIN = Words("Look at it again", "重新看牌")
_SHOWN_AGAIN = Words("The hand is taken back and shown once more.", "撤回亮牌，重新亮一次。")
_SETTLE_SO = Words("Settle it like this", "就这样结算")
_AT_THE_DESK = phrase("asked_view.it_is_put_right")
_RECORD_IS_RIGHT = Words("The record is right", "记录正确")
_AS_SHOWN = Words("Settle as shown", "按所示结算")
_IT_LIES_THERE = Words("Something lies there", "有东西挡着")
_NOTHING_LIES_THERE = Words("Nothing lies there", "没有东西挡着")
_GOES_ON = Words("The hand goes on", "本局继续")
_SELF_DRAWN_WORDS, _GIVEN = Words("Drawn", "自摸"), Words("On a discard", "点炮")
_BY_TREASURE, _ON_LAST_TILE = (
    Words("By the treasure", "冲宝"),
    Words("On the last tile", "和最后一张"),
)
_JUDGED_SO = Words("The win is judged as that.", "按此判定。")

# The name of an answer, and its effect.
_ANSWERS: dict[tuple[QuestionKind, str], tuple[Words, Words]] = {
    (QuestionKind.REFUSE, "no"): (_SHOW_AGAIN, _SHOWN_AGAIN),
    (QuestionKind.OBJECTION, "yes"): (
        Words("It stands", "牌没有错"),
        Words("The objection is over; who pays accepts.", "异议结束；由付分者确认。"),
    ),
    (QuestionKind.OBJECTION, "no"): (_SHOW_AGAIN, _SHOWN_AGAIN),
    (QuestionKind.PLAYED_ON, "yes"): (
        Words("It was a false win", "是诈和"),
        Words("It is refused, with what that costs here.", "判为无效，并按规则赔付。"),
    ),
    (QuestionKind.PLAYED_ON, "no"): (
        Words("No false win", "不是诈和"),
        Words("Nothing is paid for it.", "不赔付。"),
    ),
    (QuestionKind.TOGETHER, "no"): (
        _SHOW_AGAIN,
        Words("All of them are taken back.", "全部撤回。"),
    ),
    (QuestionKind.OPEN, "yes"): (_SETTLE_SO, Words("The hand is over.", "本局结束。")),
    (QuestionKind.OPEN, "no"): (_SHOW_AGAIN, _SHOWN_AGAIN),
    (QuestionKind.SETTLE, "yes"): (_SETTLE_SO, Words("The hand is over.", "本局结束。")),
    (QuestionKind.SETTLE, "no"): (_SHOW_AGAIN, _SHOWN_AGAIN),
    (QuestionKind.UNSETTLED, "yes"): (
        Words("It was given up", "作废"),
        Words("No win is paid.", "不计和牌。"),
    ),
    (QuestionKind.UNSETTLED, "no"): (
        Words("Settle it", "结算"),
        Words("It is settled as it is recorded.", "按记录结算。"),
    ),
    (QuestionKind.COUNT, "yes"): (
        Words("One is missing", "漏记了一张"),
        Words("It is put in at the desk; then answer again.", "请在记分台补记，然后再回答。"),
    ),
    (QuestionKind.COUNT, "no"): (
        Words("Nothing is missing", "没有漏记"),
        Words("The hand is judged as it lies.", "按现在的牌判定。"),
    ),
    (QuestionKind.MELD, "yes"): (
        Words("No meld", "不是副露"),
        Words("Nothing is recorded for them.", "不作记录。"),
    ),
    (QuestionKind.MELD, "no"): (Words("It is a meld", "是副露"), _AT_THE_DESK),
    (QuestionKind.CHANGED, "yes"): (
        _RECORD_IS_RIGHT,
        Words("The melds stay as they are recorded.", "副露保持原记录。"),
    ),
    (QuestionKind.CHANGED, "no"): (Words("The record is wrong", "记录有误"), _AT_THE_DESK),
    (QuestionKind.GONE, "yes"): (
        Words("The discard stands", "算打出"),
        Words("It stays on record.", "保留记录。"),
    ),
    (QuestionKind.GONE, "no"): (
        Words("It was taken back", "收回了"),
        Words("The discard is taken off the record.", "从记录中撤回这张打牌。"),
    ),
    (QuestionKind.LATE, "yes"): (
        _AS_SHOWN,
        Words("The tile that lies there changes nothing.", "那张牌不影响结算。"),
    ),
    (QuestionKind.UNREAD_DISCARDS, "yes"): (
        _AS_SHOWN,
        Words("What was not read counts for nothing.", "未认出的牌不计。"),
    ),
    (QuestionKind.CORRECTED, "yes"): (
        Words("It is right", "正确"),
        Words("The hand is judged as recorded.", "按记录的牌判定。"),
    ),
    (QuestionKind.TURNED, "yes"): (
        _RECORD_IS_RIGHT,
        Words("The turned tile stays as it is recorded.", "翻牌保持原记录。"),
    ),
    (QuestionKind.BIRDS, "yes"): (
        _RECORD_IS_RIGHT,
        Words("The birds stay as they are recorded.", "鸟牌保持原记录。"),
    ),
    (QuestionKind.SURPLUS, "yes"): (
        Words("The first ones count", "按先翻的算"),
        Words("The other tiles are no birds.", "其余的牌不是鸟。"),
    ),
    (QuestionKind.IRREGULAR, "yes"): (
        Words("It happened", "确实如此"),
        Words("It stays on record.", "保留记录。"),
    ),
    (QuestionKind.IRREGULAR, "no"): (
        Words("It did not happen", "没有发生"),
        Words("It is taken off the record.", "从记录中撤回。"),
    ),
    (QuestionKind.HIDDEN, "yes"): (
        _IT_LIES_THERE,
        Words("The hand is read once it can be seen.", "移开后即可识别手牌。"),
    ),
    (QuestionKind.HIDDEN, "no"): (
        _NOTHING_LIES_THERE,
        Words("Show the hand by a photograph if it is not read soon.", "若仍未识别，请拍照亮牌。"),
    ),
    (QuestionKind.HIDDEN_BIRDS, "yes"): (
        _IT_LIES_THERE,
        Words("The birds are read once they can be seen.", "移开后即可识别鸟牌。"),
    ),
    (QuestionKind.HIDDEN_BIRDS, "no"): (
        _NOTHING_LIES_THERE,
        Words("Tell the birds by hand if they are not read soon.", "若仍未识别，请手动报鸟。"),
    ),
    (QuestionKind.WASHED, "yes"): (
        Words("The hand is over", "本局结束"),
        Words("It was given up: no win is paid.", "本局作废，不计和牌。"),
    ),
    (QuestionKind.WASHED, "no"): (_GOES_ON, Words("Play is recorded again.", "继续记录。")),
    (QuestionKind.ENDED, "yes"): (
        Words("It was given up", "作废"),
        Words("No win is paid.", "不计和牌。"),
    ),
    (QuestionKind.ENDED, "no"): (
        _GOES_ON,
        Words("Nothing is recorded for the dome.", "机盖打开不作记录。"),
    ),
    (QuestionKind.DRAWN, "yes"): (
        Words("A draw", "流局"),
        Words("Nobody won: the hand is over.", "无人和牌，本局结束。"),
    ),
    (QuestionKind.DRAWN, "no"): (
        Words("No draw", "不是流局"),
        Words("The hand stays open.", "本局不结束。"),
    ),
    (QuestionKind.DEALER, "yes"): (
        Words("As the dice say", "按掷骰"),
        Words("Who threw the dice deals.", "由掷骰者坐庄。"),
    ),
    (QuestionKind.DEALER, "no"): (
        Words("As the rules say", "按规则"),
        Words("The dealer stays the one by the rules.", "仍由规则所定的庄家坐庄。"),
    ),
    (QuestionKind.TREASURE, "yes"): (
        Words("The first one stands", "以先报的为准"),
        Words("The treasure stays as it was named first.", "宝牌保持先报的。"),
    ),
    (QuestionKind.READY, "yes"): (
        Words("It stands", "算数"),
        Words("The declaration stays on record.", "保留这条记录。"),
    ),
    (QuestionKind.READY, "no"): (
        Words("It does not stand", "不算数"),
        Words("The declaration is taken off the record.", "撤回这条记录。"),
    ),
    (QuestionKind.SEEK, "yes"): (
        Words("For another treasure", "另定宝牌"),
        Words("The next treasure is sought with this throw.", "按这次掷骰定下一张宝牌。"),
    ),
    (QuestionKind.SEEK, "no"): (
        Words("Not for that", "不是"),
        Words("The throw counts for nothing.", "这次掷骰不算。"),
    ),
    (QuestionKind.LATER, "yes"): (
        _SETTLE_SO,
        Words("Everybody's points change to this.", "按此更改各家得分。"),
    ),
    (QuestionKind.LATER, "no"): (
        Words("Leave it", "保持不变"),
        Words("The points stay as they are.", "得分保持不变。"),
    ),
    # Said and not asked: nothing follows.
    **dict.fromkeys(
        (
            (QuestionKind.SIZE, "yes"),
            (QuestionKind.WALL, "yes"),
            (QuestionKind.DICE, "yes"),
            (QuestionKind.EXCHANGE, "yes"),
            (QuestionKind.RESTART, "yes"),
            (QuestionKind.LOST, "yes"),
        ),
        (Words("Seen", "知道了"), Words("", "")),
    ),
    **dict.fromkeys(
        (
            (QuestionKind.CORRECTED, "no"),
            (QuestionKind.LATE, "no"),
            (QuestionKind.UNREAD_DISCARDS, "no"),
        ),
        (_SHOW_AGAIN, _SHOWN_AGAIN),
    ),
    **dict.fromkeys(
        ((QuestionKind.BIRDS, "no"), (QuestionKind.SURPLUS, "no")),
        (
            Words("Turn them up again", "重新翻鸟"),
            Words("Hand and birds are taken back and read anew.", "撤回亮牌和鸟牌，重新识别。"),
        ),
    ),
    (QuestionKind.TURNED, "no"): (
        Words("Read it again", "重新识别"),
        Words("The record of the turned tile is taken back.", "撤回翻牌的记录。"),
    ),
    (QuestionKind.TREASURE, "no"): (
        Words("Name it again", "重新报宝"),
        Words("What was named first is taken back.", "撤回先报的宝牌。"),
    ),
    (QuestionKind.KONG, "yes"): (
        Words("A mistake", "误按"),
        Words("Nothing is recorded for the key.", "按键不作记录。"),
    ),
    (QuestionKind.KONG, "no"): (
        Words("There was a kong", "确有杠"),
        Words("It is not on record: put it in at the desk.", "杠尚未记录：请在记分台补记。"),
    ),
}


def _way(other: HandShown, is_other: bool) -> Words:
    """How the win came about: in the other way, or as it is recorded."""
    if other.rush:
        return _BY_TREASURE if is_other else _ON_LAST_TILE
    return _SELF_DRAWN_WORDS if other.self_drawn == is_other else _GIVEN


_NO_REMARK = Words("", "")
_REFUSE = Words("Refuse the win", "判为无效")
_COSTS_NOTHING = Words("it costs nothing here, and play goes on", "本规则不赔付，继续打牌")


def question_view(snapshot: Snapshot, viewer: Viewer | None, asked: Asked) -> View:
    """One question; ``said``: who has given which answer, where it takes more than one."""
    own = None if viewer is None else viewer.seat
    for_all = is_for_all(asked, snapshot.state)
    said = said_to(asked.question, snapshot.state.agreed) if for_all else {}
    return {
        "id": str(asked.question),
        "evidence": dict(snapshot.evidence).get(asked.question),
        "mine": own is None or is_asked(asked, own, snapshot),
        "for_all": for_all,
        "blocks": asked.blocks,
        "text": words_view(with_placeholders(asked.text, snapshot.names)),
        "about": asked.about,
        "choices": [_choice(snapshot, asked, choice, said, own) for choice in asked.choices],
    }


def _choice(
    snapshot: Snapshot, asked: Asked, answer: str, said: dict[int, str], own: int | None
) -> View:
    tile = sentences.choice_tile(answer)
    # The answer's name, and what follows from it; a tile's name for a tile
    if isinstance(asked.if_yes, HandShown) and asked.question.kind is QuestionKind.WAY:
        label, does = _way(asked.if_yes, answer == "yes"), _JUDGED_SO
    else:
        named = (sentences.answer_words(answer), _NO_REMARK)
        label, does = _ANSWERS.get((asked.question.kind, answer), named)
    if (asked.question.kind, answer) == (QuestionKind.REFUSE, "yes"):
        # The effect of refusing a win here: it is a false win, with its cost
        cost = false_win_cost(snapshot, (asked.question.seat or 0))
        label, does = (_REFUSE, Words("A false win: {cost}.", "诈和：{cost}。", cost=cost))
    others = [seat for seat, word in said.items() if word == answer]
    alone = own is None or not is_for_all(asked, snapshot.state)
    decided = alone or is_decided(asked, answer, {*others, own or 0}, snapshot.state)
    waits_for = None if decided else waits_for_whom(asked, answer, snapshot.state)
    return {
        "answer": answer,
        "tile": None if tile is None else str(tile),
        "label": words_view(label),
        "does": words_view(does),
        "said": [words_view(player(snapshot.names, seat)) for seat in others],
        "waits_for": None if waits_for is None else words_view(waits_for),
    }


def false_win_cost(snapshot: Snapshot, seat: int) -> Words:
    """The cost of a false win of the seat by the rules in force, in a few words."""
    said = []
    for event in after_refusal(snapshot.state, seat, snapshot.rules):
        if isinstance(event, Penalised):
            said += [
                Words("{who} {points}", "{who} {points}", who=who, points=signed(points))
                for at, points in enumerate(event.transfers)
                if points and (who := player(snapshot.names, at))
            ]
        if isinstance(event, IrregularityNoted) and event.dead is not None:
            said.append(Words("the hand is dead", "手牌作废"))
    return joined(said, COMMA) if said else _COSTS_NOTHING


def acceptance_view(snapshot: Snapshot) -> View | None:
    """Whose word the settlement shown waits for, who has given it, and how many are missing."""
    waits = snapshot.acceptance
    if waits is None:
        # Of a hand that is over: whose word it rests on, who may take it back
        state = snapshot.state
        if state.phase is not Phase.SETTLED:
            return None
        given = {
            entry.event.seat
            for entry in snapshot.entries
            if isinstance(entry.event, Agreed)
            and is_settlement(entry.event, state.hand, entry.event.seat)
        }
        drawn = any(
            isinstance(entry.event, WallExhausted) and entry.source is Source.PERSON
            for entry in snapshot.entries
        )
        nobody = words_view(_NO_REMARK)
        return {
            "done": True,
            "drawn": drawn,
            "seen": "",
            "by": "",
            "seats": [],
            "accepted": sorted(given),
            "missing": 0,
            "words": nobody,
        }
    open_seats = [seat for seat in waits.seats if seat not in waits.accepted]
    names = joined([player(snapshot.names, seat) for seat in open_seats])
    done = len(waits.accepted)
    return {
        "done": False,
        "drawn": False,
        "seen": waits.settlement,
        "by": waits.by.value,
        "seats": list(waits.seats),
        "accepted": list(waits.accepted),
        "missing": waits.missing,
        "words": words_view(
            phrase("asked_view.accepted_more", done=done, missing=waits.missing, names=names)
            if waits.missing < len(open_seats)
            else phrase("asked_view.accepted_waits", done=done, names=names)
        ),
    }
