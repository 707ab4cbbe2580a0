"""`table-assist export`: the hands of a log as JSON lines or as a table for a spreadsheet."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from table_assist.record.history import PlayedHand, evening_of, fewest_payments, played_hands
from table_assist.record.log import Entry
from table_assist.record.store import Store, StoreError

_BEGINS = tuple("=+-@＝＋－＠")  # with these begins a formula


def read_log(path: Path) -> tuple[Entry, ...]:
    """The entries of a log file, which stays as it is.

    Raises:
        StoreError: there is no such file, or it is no log.
    """
    if not path.is_file():
        raise StoreError(f"there is no log {path}")
    with Store(path, reads_only=True) as store:
        return store.load()


def export_lines(entries: Sequence[Entry], form: str, names: Sequence[str]) -> Iterator[str]:
    """The hands that are over, oldest first.

    Args:
        entries: of a log.
        form: ``json``: an object a line; ``csv``: a header, then a line a hand.
        names: the players', by the seats in which they began.
    """
    if form == "json":
        for hand in played_hands(entries):
            yield json.dumps(
                asdict(hand),
                ensure_ascii=False,
                default=lambda words: {"en": words.en, "zh": words.zh},
            )
        return
    header, *rows = map(spreadsheet_line, hands_table(entries, names))
    yield "\ufeff" + header  # spreadsheets take it for text of any script
    yield from rows


def hands_table(entries: Sequence[Entry], names: Sequence[str]) -> list[list[str]]:
    """A header, then a row a hand that is over."""
    # Every seat has the points of the hand and the score after it
    fixed = ["hand", "started (UTC)", "minutes", "rules", "profile", "dealer", "end", "winners"]
    return [
        [*fixed, *(f"{name} points" for name in names), *(f"{name} score" for name in names)],
        *(_cells(hand, names) for hand in played_hands(entries)),
    ]


def payment_lines(
    entries: Sequence[Entry], names: Sequence[str], amount: Callable[[int], str]
) -> Iterator[str]:
    """A header, then a line for each payment after which everybody is even.

    Args:
        amount: the money for so many points; empty where none was agreed.
    """
    yield spreadsheet_line(["pays", "to", "points", "money"])
    for payer, payee, points in fewest_payments(evening_of(entries).balance):
        yield spreadsheet_line([names[payer], names[payee], str(points), amount(points)])


def _cells(hand: PlayedHand, names: Sequence[str]) -> list[str]:
    started = datetime.fromtimestamp(hand.started_s, UTC).strftime("%Y-%m-%d %H:%M:%S")
    points = [hand.transfers[seat] + hand.penalties[seat] for seat in range(4)]
    return [
        str(hand.hand),
        started,
        f"{(hand.ended_s - hand.started_s) / 60:.1f}",
        hand.rules,
        hand.profile,
        names[hand.dealer],
        hand.end,
        ", ".join(names[seat] for seat in hand.winners),
        *map(str, points),
        *map(str, hand.scores),
    ]


def spreadsheet(rows: Iterable[Sequence[object]]) -> str:
    r"""A file of CSV; without the mark at its begin a spreadsheet shows other letters for Chinese.

    >>> spreadsheet([("name",), ("=1+1",)])
    "\ufeffname\r\n'=1+1\r\n"
    """
    return "\ufeff" + "".join(f"{spreadsheet_line(row)}\r\n" for row in rows)


def spreadsheet_line(cells: Sequence[object]) -> str:
    """A row; what people wrote is no formula there."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(
        [_harmless("" if cell is None else str(cell)) for cell in cells]
    )
    return text.getvalue()


def _harmless(cell: str) -> str:
    """A spreadsheet would take a name that begins like a formula for one.

    >>> _harmless("=1+1"), _harmless("-12"), _harmless("Ada")
    ("'=1+1", '-12', 'Ada')
    """
    number = cell.removeprefix("-").replace(".", "", 1).isdecimal()
    return f"'{cell}" if cell.lstrip()[:1] in _BEGINS and not number else cell
