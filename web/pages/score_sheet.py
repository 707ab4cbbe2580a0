"""The evening's score sheet to print: every hand, who moved what, and its seal."""

from collections.abc import Sequence
from datetime import datetime

from table_assist.evidence.evenings import date_of_evening, zone_said
from table_assist.languages.words import Words
from table_assist.record.evening import evening_of, fewest_payments
from table_assist.record.history import PlayedHand, played_hands
from table_assist.record.log import Entry
from table_assist.record.seal import SHOWN, sealed
from table_assist.settings.config import MoneyConfig
from table_assist.trust.installation import fingerprint_here
from web.pages.printing import Grid, Line, Part, Signatures, printed
from web.view.vocabulary import signed

NO_MONEY = MoneyConfig()
_TITLE = Words("Score sheet", "计分单")
_HEAD = (Words("Hand", "局"), Words("Ended", "结束"), Words("Dealer", "庄"), Words("Won", "和"))
_START, _BETWEEN = Words("Start", "起始"), Words("Between hands", "局间")
_END = Words("Final", "终局")
_EVEN = (Words("Pays", "付"), Words("To", "给"), Words("Points", "分"), Words("Money", "金额"))
_SEAL = Words("Seal", "封印")
_DRAWN, _LEFT = Words("draw", "流局"), Words("given up", "作废")
_INSTALLATION = Words("Kept by the installation", "记录安装")
_NOTE = Words(
    "A seal changes with any entry of the record before it: table-assist verify compares.",
    "此前记录有任何改动，封印就会不同：可用 table-assist verify 核对。",
)


def score_sheet(
    entries: Sequence[Entry],
    names: Sequence[str],
    rules: Words,
    language: str,
    money: MoneyConfig = NO_MONEY,
) -> str:
    """The page of every hand that is over.

    Args:
        entries: the whole log.
        names: the players', by seat.
        rules: what the rule set is called.
        money: what a point is worth.
    """
    hands = played_hands(entries)
    seals = [seal for seal, _ in sealed(entries)]
    head = [*(words.said(language) for words in _HEAD), *names, _SEAL.said(language)]
    rows: list[list[object]] = []
    known = (0, 0, 0, 0)
    for hand in hands:
        before = tuple(
            after - moved - fined
            for after, moved, fined in zip(hand.scores, hand.transfers, hand.penalties, strict=True)
        )
        if before != known:
            label = _BETWEEN if hand.begun_with is None else _START
            rows.append([label.said(language), "", "", "", *before, ""])
        known = hand.scores
        moved = [
            f"{signed(hand.transfers[seat] + hand.penalties[seat])} ({hand.scores[seat]})"
            for seat in range(4)
        ]
        ended = f"{datetime.fromtimestamp(hand.ended_s):%H:%M}"
        won = _won(hand, names, language)
        seal = seals[hand.seq - 1][:SHOWN]
        rows.append([hand.hand, ended, names[hand.dealer], won, *moved, seal])
    rows.append([_END.said(language), "", "", "", *known, ""])
    parts: list[Part] = [
        Line(f"{rules.said(language)}, {_when(hands, language)}"),
        Grid(head, rows, left=(0, 1, 2, 3), has_sum=True),
        _to_be_even(entries, names, money, language),
        Signatures(names),
        Line(_NOTE.said(language), "small"),
        Line(f"{_INSTALLATION.said(language)} {fingerprint_here() or '-'}", "small"),
    ]
    return printed(_TITLE.said(language), parts)


def _to_be_even(
    entries: Sequence[Entry], names: Sequence[str], money: MoneyConfig, language: str
) -> Grid:
    """Who pays whom, in points and, where a point is worth some, in money."""
    rows = [
        [names[payer], names[payee], points, money.amount(points)]
        for payer, payee, points in fewest_payments(evening_of(entries).balance)
    ]
    head = [words.said(language) for words in _EVEN]
    return Grid(head, rows, left=(0, 1), is_whole=True)


def _won(hand: PlayedHand, names: Sequence[str], language: str) -> str:
    if hand.winners:
        return ", ".join(names[seat] for seat in hand.winners)
    return (_DRAWN if hand.end == "drawn" else _LEFT).said(language)


def _when(hands: Sequence[PlayedHand], language: str) -> str:
    if not hands:
        return "-"
    day = date_of_evening(hands[0].started_s)
    at = f"{datetime.fromtimestamp(hands[0].started_s):%H:%M}{zone_said()}"
    english = f"{day.day} {day:%B %Y}, {at}"
    return Words(english, f"{day.year}年{day.month}月{day.day}日 {at}").said(language)
