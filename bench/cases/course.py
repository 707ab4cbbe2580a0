"""Worked examples of the course of a hand: events in, what is flagged and what it comes to out.

A case of the kind ``course`` gives ``options`` (house rules that differ) and ``events``, oldest
first, as the log writes them (`record.log`): ``{"type": "Discarded", "seat": 0, "tile": "1m"}``.
One tile is a text, several are a list. ``HandStarted`` needs ``dealer`` and ``wall_left`` (tiles to
draw after the deal), and ``dead`` where there is a dead wall. Draws may be left out.

Only the keys that ``expect`` names are compared:

- ``flags``: by the number of the event, from 0, the rules that it breaks (`Irregularity`)
- ``payments``: what the whole hand moves, by seat; a hand that nobody has won counts as drawn
- ``hand_payments``, ``side_payments``: the part from winning hands; from kongs and eggs
- ``paid_at_once``: what kongs and openings have moved so far
- ``hands``: by seat ``{"valid": true, "patterns": {id: value}}`` or
  ``{"valid": false, "failed": id}``
- ``winners``: who is paid
- ``final``: false if something is unknown or against the rules
- ``next``, ``next_seats``: the next step (`game.step`), and whose
- ``next_dealers``, ``game_over``: what follows the hand
- ``wall_left``, ``dead``: live and dead tiles
- ``treasures``, ``may_seek_again``: the treasure in force; whether another may be sought
- ``scores``, ``dealer``, ``prevailing``: after the last event
- ``people``: by seat, the seat in which its player began
"""

from table_assist.game.course import may_seek_again, next_step
from table_assist.game.events import Event, HandStarted
from table_assist.game.fold import apply
from table_assist.game.irregular import irregularities
from table_assist.game.outcome import HandEnd, due_now, end_of_hand
from table_assist.game.state import TableState
from table_assist.record.log import event_from_dict
from table_assist.rules.house.given import Given
from table_assist.rules.profile import differing
from table_assist.rules.ruleset import RuleSet


def run_course(rules: RuleSet, given: Given) -> dict[str, object]:
    """The program's answer on a hand: event by event, then on its end.

    Raises:
        ValueError: the events are no list of events, or the hand cannot be settled.
    """
    rows = given.everything.get("events")
    if not isinstance(rows, list) or not rows:
        raise ValueError("a course has a list of events")
    state = TableState()
    flags: dict[str, list[str]] = {}
    for number, row in enumerate(rows):
        event = _read(rules, state, row)
        wrong = [str(each) for each in irregularities(state, event)]
        if wrong:
            flags[str(number)] = wrong
        state = apply(state, event)
    return {"flags": flags, **_standing(rules, state), **_end(state)}


def _read(rules: RuleSet, state: TableState, row: object) -> Event:
    if not isinstance(row, dict) or not isinstance(row.get("type"), str):
        raise ValueError(f"{row!r} is no event: it has no type")
    if row["type"] == HandStarted.__name__:
        known = {
            "hand": state.hand + 1,
            "rules": rules.id,
            "options": [list(each) for each in sorted(differing(rules))],
        }
        row = known | row
    try:
        event: Event = event_from_dict(row)
    except (TypeError, KeyError) as error:
        raise ValueError(f"{row['type']} cannot be read: {error}") from error
    return event


def _standing(rules: RuleSet, state: TableState) -> dict[str, object]:
    """How the table stands after the last event."""
    step = next_step(rules, state)
    return {
        "next": str(step.act),
        "next_seats": list(step.seats),
        "wall_left": state.wall_left,
        "dead": state.wall.dead,
        "treasures": [str(tile) for tile in state.treasures],
        "may_seek_again": may_seek_again(rules, state),
        "scores": list(state.scores),
        "people": list(state.people),
        "dealer": state.dealer,
        "prevailing": str(state.prevailing),
        "paid_at_once": list(due_now(state).transfers) if state.rules else [0, 0, 0, 0],
    }


def _end(state: TableState) -> dict[str, object]:
    """The hand's result as it stands, drawn if nobody has shown a hand."""
    if not state.rules or not state.is_running:
        return {}
    ended = end_of_hand(state)
    return {
        "payments": list(ended.total),
        "hand_payments": list(ended.wins),
        "side_payments": list(ended.laid),
        "final": ended.final,
        "winners": list(ended.winners),
        "next_dealers": list(ended.dealer_next),
        "game_over": ended.game_over,
        "hands": {str(seat): _verdict(ended, seat) for seat in sorted(ended.verdicts)},
    }


def _verdict(ended: HandEnd, seat: int) -> dict[str, object]:
    verdict = ended.verdicts[seat]
    if not verdict.valid:
        return {"valid": False, "failed": verdict.refusals[0].id}
    return {"valid": True, "patterns": {each.id: each.value for each in verdict.patterns}}
