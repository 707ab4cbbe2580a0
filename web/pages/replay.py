"""Hands that were played, step by step as the table showed them, and their list as a file."""

from dataclasses import replace

from flask import Blueprint, Response

from table_assist.contract.snapshot import Snapshot
from table_assist.contract.view import words_view
from table_assist.game.events import HandStarted, WallBuilt
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.people import seated
from table_assist.game.state import TableState
from table_assist.game.winners import who_won
from table_assist.record.export import export_lines, hands_table, spreadsheet
from table_assist.record.log import Entry, effective
from web.access.roles import Role, require, viewer
from web.answers import json_answer
from web.refusal import refuse
from web.secrecy.secrecy import masked
from web.secrecy.secrecy_served import shown_evidence
from web.table import the_table
from web.view.present import present
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
    return _file(spreadsheet(hands_table(the_table().entries(), _names())), "hands.csv")


@blueprint.get("/export.json")
@require(Role.SEAT)
def export_json() -> Response:
    """Every hand that is over, with its arithmetic."""
    lines = export_lines(the_table().entries(), "json", _names())
    return _file(f"[{','.join(lines)}]", "hands.json")


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


def _file(content: str, name: str) -> Response:
    kind = "text/csv" if name.endswith(".csv") else "application/json"
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    return Response(content, 200, headers, kind)
