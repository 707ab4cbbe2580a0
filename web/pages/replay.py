"""Hands that were played, step by step as the table showed them, and their list as a file."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from flask import Blueprint, Response
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from table_assist.game.events import HandStarted, WallBuilt
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.offered import who_won
from table_assist.game.people import Names, seated
from table_assist.game.state import TableState
from table_assist.languages.catalogue import LANGUAGES
from table_assist.languages.words import Words, words_view
from table_assist.record.export import (
    PlayedHand,
    export_lines,
    hands_table,
    played_hands,
    spreadsheet,
)
from table_assist.record.log import Entry, effective
from table_assist.record.snapshot import Snapshot
from table_assist.rules.registry import find_rules
from table_assist.tiles.melds import tile_words
from table_assist.tiles.tile import Tile
from web.access.roles import STRANGER, Role, require, viewer
from web.answers import file_answer, json_answer, the_table, to_json
from web.language import in_language, page_words
from web.pages.shell import drawn_faces, in_single_quotes
from web.refusal import refuse
from web.view.present import present
from web.view.secrecy import masked, shown_evidence
from web.view.vocabulary import person_names, with_names

blueprint = Blueprint("replay", __name__, url_prefix="/api")


@blueprint.get("/hands/<int:hand>/<int:step>")
@require(Role.SEAT)
def replayed(hand: int, step: int) -> Response:
    """The table after so many entries of a hand, as the viewer may know it.

    With the picture that was kept of the last of them and, once it is settled, the arithmetic.
    """
    source = the_table()
    before, entries = entries_of(source.entries(), hand)
    if not entries or step > len(entries):
        refuse(
            404,
            "Hand {hand} has no step {step}; it has {count}.",
            "第 {hand} 局没有第 {step} 步；共 {count} 步。",
            hand=hand,
            step=step,
            count=len(entries),
        )
    snapshot = after(source.snapshot, before, entries[:step])
    who, kept = viewer(), f"e{snapshot.seq}"
    found = shown_evidence(source, kept, who)
    settled = snapshot.state.settled
    return json_answer(
        {
            "steps": len(entries),
            "step": step,
            "view": present(masked(snapshot, who), who),
            "picture": kept if found is not None and found.jpeg else None,
            "account": [
                words_view(with_names(line, snapshot.names))
                for line in (() if settled is None else settled.steps)
            ],
        }
    )


@blueprint.get("/export.csv")
@require(Role.SEAT)
def export_csv() -> Response:
    """Every hand that is over, a line each, for a spreadsheet."""
    table = hands_table(the_table().entries(), _names())
    return file_answer(spreadsheet(table), "text/csv", "hands.csv")


@blueprint.get("/export.json")
@require(Role.SEAT)
def export_json() -> Response:
    """Every hand that is over, with its arithmetic."""
    lines = export_lines(the_table().entries(), "json", _names())
    return file_answer(f"[{','.join(lines)}]", "application/json", "hands.json")


def entries_of(log: tuple[Entry, ...], hand: int) -> tuple[TableState, list[Entry]]:
    """The state before a hand's wall was built, and the hand's entries as they count now."""
    written = {entry.seq: entry for entry in log}
    state = before = start = TableState()
    found: list[Entry] = []
    entries: list[Entry] = []
    is_it = False
    for seq, event in effective(log):
        if isinstance(event, WallBuilt):
            if is_it:
                break
            start, entries = state, []
        entries.append(replace(written[seq], event=event))
        state = apply(state, event)
        if isinstance(event, HandStarted) and event.hand == hand:
            is_it, before, found = True, start, entries
    return before, found


def after(now: Snapshot, before: TableState, entries: list[Entry]) -> Snapshot:
    """A snapshot as it would have been after these entries of a hand."""
    state = before
    for entry in entries:
        state = apply(state, entry.event)  # type: ignore[arg-type]
    rules = rules_in_force(state) if state.rules else now.rules
    made = Snapshot(
        seq=entries[-1].seq if entries else 0,
        t=entries[-1].t if entries else now.t,
        names=seated(person_names(now), state.people),
        rules=rules,
        state=replace(state, questions=()),
        entries=tuple(entries),
        health=now.health,
    )
    if not state.shown:
        return made
    try:
        settlement = who_won(rules, state)
    except ValueError:
        return made
    return replace(made, settlement=settlement, verdicts=tuple(sorted(settlement.verdicts.items())))


def _names() -> list[str]:
    """The players', or their seats where nobody gave a name."""
    return [
        name or f"Seat {seat + 1}" for seat, name in enumerate(person_names(the_table().snapshot))
    ]


WEB = Path(__file__).parents[1]
STYLES = ("base.css", "felt.css", "replay_file.css")
# In this order nothing is used before it is there.
SCRIPTS = ("draw.js", "corrected.js", "felt.js", "replay_file.js")
# The parts of a view that the drawn table needs.
DRAWN_PARTS = ("seats", "wall", "dice", "throw", "stacks", "wilds", "verdicts")
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
    """The television's view after each entry, as what differs from the one before: far smaller."""
    before, entries = entries_of(log, hand.hand)
    sitting, steps = seated(names, hand.people), []
    table = Snapshot(0, 0.0, names, find_rules(hand.rules), TableState())
    last: View = {"seats": [{}, {}, {}, {}]}
    for step in range(1, len(entries) + 1):
        shown = present(masked(after(table, before, entries[:step]), STRANGER), STRANGER)
        said = shown["events"][0]["text"] if shown["events"] else None
        view = {**{key: shown[key] for key in DRAWN_PARTS}, "said": said, "t": entries[step - 1].t}
        changed = _changed(last, view)
        if "seats" in changed:
            pairs = zip(last["seats"], view["seats"], strict=True)
            changed["seats"] = [_changed(then, now) for then, now in pairs]
        steps.append(changed)
        last = view
    return {
        "hand": hand.hand,
        "scores": list(hand.scores),
        "account": [words_view(with_names(step, sitting)) for step in hand.steps],
        "steps": steps,
    }


def _changed(then: View, now: View) -> View:
    return {key: value for key, value in now.items() if key not in then or then[key] != value}


def _text(name: str) -> str:
    return (WEB / "static" / name).read_text(encoding="utf-8")
