"""The snapshot as JSON: a pure function, the only way in which the dashboard sees the table.

Words come as ``{"en": ..., "zh": ...}``, tiles as their text (``5p``, ``?``, ``#`` face down).
"""

from collections import Counter
from contextlib import suppress

from table_assist.game.course import next_step
from table_assist.game.events import (
    Answered,
    Asked,
    BoardSaid,
    Called,
    Claimed,
    Discarded,
    EggAppended,
    End,
    Event,
    HandLaidDown,
    KongDeclared,
    Melded,
    Questioning,
)
from table_assist.game.people import Names
from table_assist.game.question import QuestionId
from table_assist.game.state import Phase
from table_assist.game.step import Act, Step, seats_are_due
from table_assist.game.turn import may_pass
from table_assist.health.checks import unrecorded
from table_assist.languages.words import Changed, View, Words, capitalised, words_view
from table_assist.record.json_rows import to_row
from table_assist.record.log import Amended, Inserted, Retracted
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.rules.shown import SEAT_COUNT
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, Tiles
from web.access.roles import Viewer
from web.view import sentences
from web.view.asked_view import acceptance_view, question_view
from web.view.claims_view import claims_view
from web.view.outcome import settlement_view, treasure_view, verdict_views
from web.view.vocabulary import (
    HEALTH,
    PLACE_WORDS,
    SOURCE_WORDS,
    STATUSES,
    THROWS,
    WIND_OF,
    WIND_WORDS,
    happened,
    in_order,
    meld_view,
    player,
    with_names,
    with_placeholders,
)
from web.view.wall_view import wall_view

# The tiles before one player, as they are drawn.


def seat_views(snapshot: Snapshot) -> list[View]:
    """The four seats."""
    turned = _turned_tiles(snapshot)
    # For (seat, its meld's number): the entry that laid it, and its event as the log has it
    claims = {}
    for seat in range(SEAT_COUNT):
        laid = [
            (seq, event)
            for seq, event in happened(snapshot)
            if isinstance(event, Melded) and event.seat == seat
        ]
        for number, meld in enumerate(snapshot.state.seats[seat].melds):
            at = next(
                (
                    (seq, event)
                    for seq, event in laid
                    if event.kind is meld.kind
                    and (
                        event.tile in meld.tiles
                        if isinstance(event, KongDeclared)
                        else event.tiles == meld.tiles
                    )
                ),
                None,
            )
            if at is not None:
                laid.remove(at)
                claims[seat, number] = {"seq": at[0], "event": to_row(at[1])}
    # For each seat the entries of the discards that still lie in its river
    discards: list[list[int]] = [[], [], [], []]
    for seq, event in happened(snapshot):
        match event:
            case Discarded(seat, _):
                discards[seat].append(seq)
            case Claimed(_, _, _, giver) if discards[giver]:
                discards[giver].pop()
            case _:
                pass
    views = [_seat(snapshot, seat, turned, discards[seat]) for seat in range(SEAT_COUNT)]
    for seat, view in enumerate(views):
        for number, meld in enumerate(view["melds"]):
            meld["event"] = claims.get((seat, number))
    return views


def _seat(
    snapshot: Snapshot, seat: int, turned: dict[tuple[int, int], int], discards: list[int]
) -> View:
    state = snapshot.state
    own = state.seats[seat]
    score = state.scores[seat]
    shown = next((hand for hand in state.shown if hand.seat == seat), None)
    laid = next((hand for hand in state.laid_down if hand.seat == seat), None)
    last = state.last_discard
    wind = WIND_WORDS[(seat - state.dealer) % SEAT_COUNT] if state.hand else Words("", "")
    place = 1 + sum(other > score for other in state.scores)
    # The entry of the hand that the seat has laid down, and its event as the log has it
    found = [
        {"seq": seq, "event": to_row(event)}
        for seq, event in happened(snapshot)
        if isinstance(event, HandLaidDown) and event.seat == seat
    ]
    return {
        "number": seat,
        "name": snapshot.names[seat],
        "who": words_view(player(snapshot.names, seat)),
        "wind": words_view(wind),
        "dealer": state.hand > 0 and seat == state.dealer,
        "turn": _has_turn(snapshot, seat),
        "declared": seat in state.declared,
        "ready": own.ready,
        "dead": own.dead is not None,
        "score": score,
        "change": state.last_transfers[seat],
        "place": place,
        "rank": words_view(PLACE_WORDS[place - 1]) if len(set(state.scores)) > 1 else None,
        "river": [str(tile) for tile in own.river],
        "entries": discards if len(discards) == len(own.river) else [],
        "last": last is not None and last[0] == seat and bool(own.river),
        "melds": [
            _as_laid(meld, turned.get((seat, number))) for number, meld in enumerate(own.melds)
        ],
        "bonus": [str(tile) for tile in own.bonus],
        "holds": state.hand_size(seat) if (state.phase in (Phase.PLAYING, Phase.SHOWING)) else 0,
        "drew": state.holder == seat and state.owed is None and not state.claimed,
        "shown": None if shown is None else in_order(shown.concealed, shown.winning_tile),
        "winning": None if shown is None else str(shown.winning_tile),
        "laid": None if laid is None else in_order(laid.concealed, Tile.BACK),
        "laid_entry": found[-1] if found else None,
    }


def _as_laid(meld: Meld, claimed_at: int | None) -> View:
    """The meld with the claimed tile lying across; a chow's lies first, where its giver sits."""
    view = {**meld_view(meld), "turned": claimed_at}
    if claimed_at is None or meld.kind is not MeldKind.CHOW:
        return view
    claimed = meld.tiles[claimed_at]
    rest = sorted(meld.tiles[:claimed_at] + meld.tiles[claimed_at + 1 :])
    return {**view, "tiles": [str(claimed), *map(str, rest)], "turned": 0}


def _turned_tiles(snapshot: Snapshot) -> dict[tuple[int, int], int]:
    """For (seat, its meld's number): which of the meld's tiles was claimed, where it lies.

    As at the table: left for a tile from the left, in the middle from across, right from the right.
    """
    taken: dict[int, list[tuple[Tiles, int]]] = {seat: [] for seat in range(SEAT_COUNT)}
    offered = Tile.UNKNOWN
    for _, event in happened(snapshot):
        match event:
            case Discarded(_, tile) | EggAppended(_, _, tile) | KongDeclared(_, _, tile):
                offered = tile
            case Claimed(seat, kind, tiles, giver):
                lies = {3: 0, 2: 1, 1: len(tiles) - 1}.get((giver - seat) % SEAT_COUNT, 0)
                if kind is MeldKind.CHOW:
                    lies = tiles.index(offered) if offered in tiles else 0
                taken[seat].append((tiles, lies))
            case _:
                pass
    found = {}
    for seat, claims in taken.items():
        for number, meld in enumerate(snapshot.state.seats[seat].melds):
            at = next((each for each in claims if each[0] == meld.tiles[: len(each[0])]), None)
            if meld.kind.is_claimed and at is not None:
                claims.remove(at)
                found[seat, number] = at[1]
    return found


def _has_turn(snapshot: Snapshot, seat: int) -> bool:
    """As far as it is known: at a table that nobody follows a turn is not."""
    state = snapshot.state
    match state.phase:
        case Phase.PLAYING if not sentences.is_unfollowed(snapshot):
            return seat == (state.turn if state.holder is None else state.holder)
        case Phase.SHOWING:
            return seat in state.declared
        case _:
            return False


EVENTS_SHOWN = 120  # a long hand has about 90; more would only make every message heavier
NOTICES_SHOWN = 4
USUAL_POINTS = 100  # to begin with, where the books name an amount
_SOURCE_ORDER = {name: place for place, name in enumerate(HEALTH)}
DOUBTFUL_BELOW = 0.8  # an entry whose source was less sure than this is marked


def present(snapshot: Snapshot, viewer: Viewer | None = None) -> View:
    """The whole view: the table, and under ``health`` and ``t`` what changes without it.

    Args:
        snapshot: as the viewer may know it, see `secrecy.masked`.
        viewer: whose page it is for.
    """
    return {**table(snapshot, viewer), **health(snapshot)}


def table(snapshot: Snapshot, viewer: Viewer | None = None) -> View:
    """Everything about the game itself; equal for snapshots that differ in health alone."""
    state = snapshot.state
    step = None
    with suppress(ValueError, LookupError):  # corrected events need not make sense together
        step = next_step(snapshot.rules, state)
    unfollowed = sentences.is_unfollowed(snapshot)
    told_later = unfollowed and (step is None or step.act not in _FOR_PEOPLE)
    dealt = state.hand > 0 and state.phase not in (Phase.WAITING, Phase.WALL_READY)
    return {
        "unfollowed": unfollowed,
        "you": None if viewer is None else {"role": viewer.role.value, "seat": viewer.seat},
        "seq": snapshot.seq,
        "hand": state.hand,
        "rules": {
            "id": snapshot.rules.id,
            "name": words_view(snapshot.rules.names),
            "ready": snapshot.rules.ready and words_view(snapshot.rules.ready.names),
            "eggs": snapshot.rules.eggs is not None,
            "opening": bool(snapshot.rules.opening),
            "rush": snapshot.rules.treasure is not None,
        },
        "phase": state.phase.value,
        "headline": words_view(sentences.headline(snapshot)),
        "guidance": None if step is None or told_later else words_view(_guidance(snapshot, step)),
        "act": None if step is None else step.act.value,
        "act_by": [] if step is None else list(step.seats),
        "round": _round(snapshot),
        "wall": state.wall_left if dealt and not state.told else None,  # who tells counts none
        "stacks": None if state.told else wall_view(snapshot, step.spot if step else None),
        "dice": list(state.dice.values) if state.dice else [],
        "throw": None
        if state.dice is None
        else {"seat": state.dice.seat, "for": words_view(THROWS[state.dice.throw])},
        "seats": seat_views(snapshot),
        "may_pass": state.turn if state.phase is Phase.PLAYING and may_pass(state) else None,
        "claims": claims_view(state, snapshot.names),
        "wilds": [str(tile) for tile in state.wilds],
        "treasure": treasure_view(snapshot),
        "questions": [question_view(snapshot, viewer, asked) for asked in state.questions],
        "verdicts": verdict_views(snapshot),
        "settlement": settlement_view(snapshot),
        "settles_at": snapshot.settles_at,
        "acceptance": acceptance_view(snapshot),
        "new_seats": seats_are_due(snapshot.rules, state),
        "game": _game(snapshot),
        "game_over": state.game_over,
        "events": _events(snapshot),
        "history": [
            {"hand": hand, "transfers": list(moved), "scores": list(scores)}
            for hand, moved, scores in reversed(snapshot.history)
        ],
        "notices": [words_view(each) for each in _notices(snapshot)],
    }


def health(snapshot: Snapshot) -> View:
    """How the sources are doing."""
    in_order = sorted(snapshot.health, key=lambda source: _SOURCE_ORDER.get(source.name, 9))
    return {"t": snapshot.t, "health": [_source(source, snapshot.names) for source in in_order]}


def _source(source: SourceHealth, names: Names) -> View:
    name = HEALTH.get(source.name, Words(source.name, source.name))
    status = STATUSES.get(source.status, Words(source.status, source.status))
    why = unrecorded(source)
    return {
        "name": source.name,
        "label": words_view(name),
        "status": source.status,
        "word": words_view(status),
        "message": source.says.en,
        "said": words_view(source.says),
        "unrecorded": words_view(why) if why else None,
        "zones": [
            {"words": words_view(with_placeholders(zone.words, names)), "since": zone.since_t}
            for zone in source.zones
        ],
        "last_t": source.last_t,
        "counters": dict(source.counters),
    }


# Steps that people are told also where nobody follows them.
_FOR_PEOPLE = (
    Act.CHOOSE_DEALER,
    Act.PLACE_ANTES,
    Act.SHOW_HANDS,
    Act.REFUSE_WIN,
    Act.TURN_BIRDS,
    Act.SETTLE,
    Act.GAME_OVER,
)


def _notices(snapshot: Snapshot) -> list[Words]:
    """The latest ones, each once, with how often it was said where that was more than once."""
    often = Counter(snapshot.notices)
    latest = list(dict.fromkeys(reversed(snapshot.notices)))[:NOTICES_SHOWN]
    return [
        each
        if often[each] == 1
        else Words("{said} (× {n})", "{said} (× {n})", said=each, n=often[each])
        for each in reversed(latest)
    ]


def _guidance(snapshot: Snapshot, step: Step) -> Words:
    """The advice, without what the headline says already."""
    said, head = with_names(step.words, snapshot.names), sentences.headline(snapshot)
    return capitalised(Changed(said, lambda text, language: _without(text, head.said(language))))


def _without(text: str, head: str) -> str:
    rest = text.removeprefix(head)
    return rest if rest == text else rest.lstrip(".。:： ")


def _round(snapshot: Snapshot) -> View:
    """Round, dealer and streak, as they stand in the hand on the table."""
    state, rules = snapshot.state, snapshot.rules
    winds = rules.next_round is not None
    return {
        "wind": words_view(WIND_OF[state.prevailing]) if winds and state.hand else None,
        "dealer": state.dealer if state.hand else None,
        "streak": state.streak,
        "antes": list(state.antes.challenges),
        "double_down": state.antes.double_down,
        "limit": rules.chosen.get("limit"),
    }


def _game(snapshot: Snapshot) -> View:
    """The game's bounds, and whether another may begin now.

    ``suggested`` is what the rule set says of the points to begin with.
    """
    state, game = snapshot.state, snapshot.state.game
    agreed = snapshot.rules.chosen.get("starting_points")
    return {
        "points": game.points,
        "floor": game.floor,
        "length": game.length,
        "since": game.since,
        "played": game.played,
        "may_begin": not state.is_running,
        "fresh": state.hand == game.since,
        "suggested": game.points or agreed or (0 if agreed is None else USUAL_POINTS),
    }


def _events(snapshot: Snapshot) -> list[View]:
    questions = {
        entry.event.question: entry.event
        for entry in snapshot.entries
        if isinstance(entry.event, Asked)
    }
    asked_about = {question.about for question in snapshot.state.questions if question.about}
    refused = {each.id: each.words for _, verdict in snapshot.verdicts for each in verdict.refusals}
    ended = max(
        (entry.seq for entry in snapshot.entries if isinstance(entry.event, End)), default=0
    )  # what came before is taken back only after it
    views = []
    for entry in reversed(snapshot.entries[-EVENTS_SHOWN:]):
        event = entry.event
        if isinstance(event, Retracted | Amended | Inserted | BoardSaid):
            continue  # what counts has been applied to the other entries already
        tiles = event_tiles(event)
        views.append(
            {
                "seq": entry.seq,
                "t": entry.t,
                "type": type(event).__name__,
                "source": words_view(SOURCE_WORDS[entry.source]),
                "text": words_view(_text(event, snapshot, refused, questions)),
                "tiles": [str(tile) for tile in tiles],
                "doubtful": (
                    entry.confidence < DOUBTFUL_BELOW
                    or Tile.UNKNOWN in tiles
                    or entry.seq in asked_about
                ),
                "undo": entry.seq >= ended and not isinstance(event, Questioning),
                "called": isinstance(event, Called),
            }
        )
    return views


def _text(
    event: Event,
    snapshot: Snapshot,
    refused: dict[str, Words],
    questions: dict[QuestionId, Asked],
) -> Words:
    """The event's sentence; an answer together with what was asked."""
    said = sentences.sentence(event, snapshot.names, snapshot.rules, refused)
    asked = questions.get(event.question) if isinstance(event, Answered) else None
    if asked is None:
        return said
    question = with_placeholders(asked.text, snapshot.names)
    return Words("{question} {said}", "{question}{said}", question=question, said=said)


def event_tiles(event: object) -> Tiles:
    """The tiles that an event is about, to be drawn beside its sentence."""
    for name in ("tiles", "concealed"):
        if (several := getattr(event, name, None)) is not None:
            return tuple(sorted(several, key=lambda tile: (not tile.is_face, tile)))
    tile = getattr(event, "tile", None)
    return () if tile is None else (tile,)
