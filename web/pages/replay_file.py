"""An evening in one HTML file: every hand that is over, step by step, without a server.

The page is made of the dashboard's own parts, put into the file; it loads nothing. It shows what
the television showed: what stayed hidden there stays hidden here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.view import words_view
from table_assist.game.people import Names, seated
from table_assist.game.state import TableState
from table_assist.languages.tags import LANGUAGES
from table_assist.languages.words import Words
from table_assist.record.history import PlayedHand, played_hands
from table_assist.record.log import Entry
from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import Tile
from table_assist.tiles.tile_words import tile_words
from web.access.roles import STRANGER
from web.answers import to_json
from web.language import in_language
from web.page_words import page_words
from web.pages.replay import after, entries_of
from web.pages.shell import drawn_faces, in_single_quotes
from web.secrecy.secrecy import masked
from web.view.present import present
from web.view.vocabulary import with_names

WEB = Path(__file__).parents[1]
STYLES = ("base.css", "felt.css", "replay_file.css")
# In this order nothing is used before it is there.
SCRIPTS = ("draw.js", "corrected.js", "felt.js", "replay_file.js")
# The parts of a view that the drawn table needs.
DRAWN = ("seats", "wall", "dice", "throw", "stacks", "wilds", "verdicts")
_IMPORT = re.compile(r"^import\s[^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)

View = dict[str, Any]


def replay_file(log: Sequence[Entry], names: Sequence[str], language: str = "en") -> str:
    """The whole page.

    Args:
        log: of a table, whole.
        names: the players', by the seats in which they began.
        language: ``en`` or ``zh``, to begin with; the page has a switch.

    Raises:
        ValueError: no hand of the log is over.
    """
    hands = played_hands(log)
    if not hands:
        raise ValueError("no hand of this log is over; there is nothing to show")
    first, second, third, fourth = names
    sitting = (first, second, third, fourth)
    evening = {
        "hands": [_hand(tuple(log), hand, sitting) for hand in hands],
        "faces": drawn_faces(),
    }
    pages = Environment(loader=FileSystemLoader(WEB / "templates"), autoescape=True)
    tile_names = _both({str(tile): tile_words(tile) for tile in Tile})
    # The modules one after the other: what they import from each other is there already
    return pages.get_template("replay_file.html").render(
        language=LANGUAGES[language],
        words=in_language(page_words("table"), language),
        page_words=in_single_quotes(to_json(_both(page_words("table")))),
        tile_names=in_single_quotes(to_json(tile_names)),
        players=" · ".join(name for name in names if name),
        styles=Markup("\n".join(_text(name) for name in STYLES)),
        script=Markup("\n".join(_EXPORT.sub("", _IMPORT.sub("", _text(name))) for name in SCRIPTS)),
        evening=Markup(to_json(evening).replace("<", "\\u003c")),
    )


def _both(words: Mapping[str, Words]) -> dict[str, dict[str, str]]:
    return {tag: in_language(words, tag) for tag in ("en", "zh")}


def _hand(log: tuple[Entry, ...], hand: PlayedHand, names: Names) -> View:
    sitting = seated(names, hand.people)
    return {
        "hand": hand.hand,
        "scores": list(hand.scores),
        "account": [words_view(with_names(step, sitting)) for step in hand.steps],
        "steps": list(_changes(_views(log, hand, names))),
    }


def _views(log: tuple[Entry, ...], hand: PlayedHand, names: Names) -> Iterator[View]:
    """The television's view after each entry of the hand."""
    before, entries = entries_of(log, hand.hand)
    table = Snapshot(0, 0.0, names, find_rules(hand.rules), TableState())
    for step in range(1, len(entries) + 1):
        shown = present(masked(after(table, before, entries[:step]), STRANGER), STRANGER)
        said = shown["events"][0]["text"] if shown["events"] else None
        yield {**{key: shown[key] for key in DRAWN}, "said": said, "t": entries[step - 1].t}


def _changes(views: Iterator[View]) -> Iterator[View]:
    """Each view as what differs from the one before: a hundredth of an evening's size."""
    last: View = {"seats": [{}, {}, {}, {}]}
    for view in views:
        changed = _changed(last, view)
        if "seats" in changed:
            pairs = zip(last["seats"], view["seats"], strict=True)
            changed["seats"] = [_changed(then, now) for then, now in pairs]
        yield changed
        last = view


def _changed(then: View, now: View) -> View:
    return {key: value for key, value in now.items() if key not in then or then[key] != value}


def _text(name: str) -> str:
    return (WEB / "static" / name).read_text(encoding="utf-8")
