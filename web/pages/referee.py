"""The referee's desk: a hand with everything that speaks for it, rulings, and its file."""

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response

from table_assist.game.events import BoardSaid, Decision
from table_assist.game.people import Names, seated
from table_assist.languages.words import View, Words, phrase, words_view
from table_assist.record.dispute.file import (
    DisputedHand,
    NoSuchHandError,
    disputed_hand,
    hands_of,
    laws_of,
    verdicts_of,
)
from table_assist.record.json_rows import to_row
from table_assist.record.log import Amended, Entry, Inserted, Retracted
from table_assist.record.seal import SHOWN_LETTERS, sealed
from table_assist.rules.profile import profile_hash
from table_assist.rules.verdict import Verdict
from web.access.roles import Role, require, viewer
from web.answers import file_answer, json_answer, the_table
from web.language import page_words
from web.pages.dispute_page import drawn, packed
from web.pages.shell import render
from web.refusal import RefusedRequest, refuse
from web.view import sentences
from web.view.secrecy import shown_evidence
from web.view.vocabulary import SOURCE_WORDS, in_order, meld_view, person_names, player, with_names

# A hand as the referee's desk shows it, as JSON.

# Events that change an entry after the fact.
CHANGES = Retracted | Amended | Inserted


def dispute_view(log: Sequence[Entry], hand: int, names: Names) -> dict[str, Any]:
    """Everything about one hand.

    Args:
        log: all entries.
        hand: its number.
        names: the players', by the seats in which they began.

    Raises:
        NoSuchHandError: the log has no such hand.
    """
    disputed = disputed_hand(log, hand)
    seqs = {entry.seq for entry in disputed.entries}
    changes = changes_of(log, disputed)
    seal = list(sealed(log[: disputed.last_seq]))[-1][0]
    rules, state = disputed.rules, disputed.before_end
    names = seated(names, state.people)
    steps = disputed.ended.steps if disputed.ended else ()
    same = not disputed.hash or disputed.hash == profile_hash(rules, disputed.profile or rules.id)
    return {
        "hand": hand,
        "seal": seal[:SHOWN_LETTERS],
        "rules": {
            "id": rules.id,
            "name": words_view(rules.names),
            "profile": disputed.profile,
            "hash": disputed.hash,
            "same": same,
            "options": {name: value for name, value in state.options},
        },
        "seats": [words_view(player(names, seat)) for seat in range(4)],
        "dealer": state.dealer,
        "entries": [_entry(disputed, entry, names) for entry in disputed.entries],
        "seqs": sorted(seqs),
        "changes": [_change(disputed, entry, names) for entry in changes],
        "verdicts": [_verdict(disputed, seat, each) for seat, each in verdicts_of(disputed)],
        "steps": [words_view(with_names(step, names)) for step in steps],
        "total": list(disputed.ended.total) if disputed.ended else None,
        "why_not": disputed.why_not,
        # The entry that ended the hand, before which a ruling on it counts; 0 while it is running
        "ends": next((each.seq for each in disputed.entries if each.event is disputed.end), 0),
        "laws": [
            {"number": law.number, "words": words_view(law.words), "source": law.source}
            for law in laws_of(disputed)
        ],
        "irregularities": [
            {
                "id": each.id,
                "words": words_view(each.words),
                "consequences": dict(each.consequences),
                "source": each.source,
            }
            for each in (rules.irregularities(rules.chosen) if rules.irregularities else ())
        ],
    }


def _verdict(hand: DisputedHand, seat: int, verdict: Verdict) -> View:
    shown = next(each for each in hand.before_end.shown if each.seat == seat)
    return {
        "seat": seat,
        "valid": verdict.valid,
        "tiles": in_order(shown.concealed, shown.winning_tile),
        "winning": str(shown.winning_tile),
        "melds": [meld_view(meld) for meld in hand.before_end.seats[seat].melds],
        "patterns": [
            {"name": words_view(each.names), "value": each.value} for each in verdict.patterns
        ],
        "total": verdict.total,
        "refusals": [words_view(refusal.words) for refusal in verdict.refusals],
        "steps": [words_view(step) for step in verdict.steps],
    }


def changes_of(log: Sequence[Entry], hand: DisputedHand) -> list[Entry]:
    """The later changes of a hand, changes of changes too, oldest first."""
    about = {
        entry.seq
        for entry in log[hand.first_seq - 1 : hand.last_seq]
        if not isinstance(entry.event, CHANGES)
    }
    found = []
    for entry in log:
        match entry.event:
            case Retracted(target) | Amended(target) | Inserted(target) if target in about:
                about.add(entry.seq)
                found.append(entry)
            case _:
                pass
    return found


def _entry(hand: DisputedHand, entry: Entry, names: Names) -> View:
    event = entry.event
    return {
        "seq": entry.seq,
        "t": entry.t,
        "by": entry.by,
        "source": words_view(SOURCE_WORDS[entry.source]),
        "confidence": entry.confidence,
        "type": type(event).__name__,
        "decides": isinstance(event, Decision),
        "text": words_view(_words(hand, event, names)),
        "event": to_row(event),
    }


def _change(hand: DisputedHand, entry: Entry, names: Names) -> View:
    match entry.event:
        case Retracted(seq):
            words = Words("Entry {seq} was taken back.", "第 {seq} 条已撤回。", seq=seq)
        case Amended(seq, event):
            said = _words(hand, event, names)
            words = phrase("referee.entry_was_put_right", seq=seq, said=said)
        case Inserted(before, event):
            said = _words(hand, event, names)
            words = phrase("referee.before_entry_was_added", before=before, said=said)
        case _:
            words = Words("", "")
    return {
        "seq": entry.seq,
        "t": entry.t,
        "by": entry.by,
        "source": words_view(SOURCE_WORDS[entry.source]),
        "text": words_view(words),
    }


def _words(hand: DisputedHand, event: object, names: Names) -> Words:
    if isinstance(event, BoardSaid):
        said = f"{event.kind} {' '.join(event.fields)}"
        return Words("The board said {said}.", "控制板报告 {said}。", said=said)
    return sentences.sentence(event, names, hand.rules)  # type: ignore[arg-type]


blueprint = Blueprint("referee", __name__)


@blueprint.get("/referee")
@require(Role.REFEREE)
def desk() -> str:
    """Hands to look into, with what was decided in each."""
    return render("referee.html", view="referee", words=page_words("referee"))


@blueprint.get("/api/disputes")
@require(Role.REFEREE)
def hands() -> Response:
    """The numbers of the hands that were begun, the latest first."""
    return json_answer({"hands": list(reversed(hands_of(the_table().entries())))})


@blueprint.get("/api/disputes/<int:hand>")
@require(Role.REFEREE)
def dispute(hand: int) -> Response:
    """Everything about a hand: decisions, evidence, verdicts, rules, and who changed what."""
    source = the_table()
    try:
        view = dispute_view(source.entries(), hand, person_names(source.snapshot))
    except NoSuchHandError as error:
        raise RefusedRequest(404, error.words) from error
    pictures = {f"e{seq}" for seq in view["seqs"] if source.evidence(f"e{seq}") is not None}
    for entry in view["entries"]:
        id = f"e{entry['seq']}"
        entry["evidence"] = id if id in pictures else None
    del view["seqs"]
    return json_answer(view)


@blueprint.get("/api/disputes/<int:hand>/file")
@require(Role.REFEREE)
def dispute_file(hand: int) -> Response:
    """The hand in one file, which `table-assist verify` judges again; its pictures are kept."""
    content = packed(the_table(), hand, overlay=drawn, hold=True)
    return file_answer(content, "application/zip", f"dispute-hand-{hand}.zip")


@blueprint.get("/api/evidence/<id>/overlay.jpg")
@require(Role.SEAT)
def overlay(id: str) -> Response:
    """The picture that was kept as evidence, with what was read in it."""
    found = shown_evidence(the_table(), id, viewer())
    if found is None or not found.jpeg:
        refuse(404, "There is no picture to be seen here now.", "现在没有可看的画面。")
    return file_answer(drawn(found), "image/jpeg")
