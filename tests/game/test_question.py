"""Questions are values; their texts, in logs of any version, are read and written unchanged."""

from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.game.question import Lifetime, QuestionId, QuestionKind

KINDS = [kind for kind in QuestionKind if kind is not QuestionKind.OTHER]
# As they stand in logs of this version and of earlier ones.
KNOWN = {
    "hand-1-count-1-10": QuestionId(1, QuestionKind.COUNT, 1, subject="10"),
    "hand-2-size-0": QuestionId(2, QuestionKind.SIZE, 0),
    "hand-1-meld-2-1m 2m": QuestionId(1, QuestionKind.MELD, 2, subject="1m 2m"),
    "hand-1-changed-1-1m-1s": QuestionId(1, QuestionKind.CHANGED, 1, subject="1m-1s"),
    "hand-3-kong-2-17": QuestionId(3, QuestionKind.KONG, 2, 17),
    "hand-3-late-2-1": QuestionId(3, QuestionKind.LATE, 2, subject="1"),
    "hand-3-gone-1-4": QuestionId(3, QuestionKind.GONE, 1, subject="4"),
    "hand-3-reread-40": QuestionId(3, QuestionKind.REREAD, entry=40),
    "hand-3-wall": QuestionId(3, QuestionKind.WALL),
    "hand-3-turned-1m-2m": QuestionId(3, QuestionKind.TURNED, subject="1m-2m"),
    "hand-3-dice": QuestionId(3, QuestionKind.DICE),
    "hand-3-dice-2": QuestionId(3, QuestionKind.DICE, subject="2"),
    "hand-3-birds-1m-2m": QuestionId(3, QuestionKind.BIRDS, subject="1m-2m"),
    "hand-3-surplus": QuestionId(3, QuestionKind.SURPLUS),
    "hand-3-corrected-1-1m2m": QuestionId(3, QuestionKind.CORRECTED, 1, subject="1m2m"),
    "hand-3-hidden-2": QuestionId(3, QuestionKind.HIDDEN, 2),
    "hand-3-hiddenbirds": QuestionId(3, QuestionKind.HIDDEN_BIRDS),
    "hand-3-unread-17-0-1": QuestionId(3, QuestionKind.UNREAD, entry=17, subject="0-1"),
    "hand-3-unreaddiscards-40": QuestionId(3, QuestionKind.UNREAD_DISCARDS, subject="40"),
    "hand-3-irregular-17": QuestionId(3, QuestionKind.IRREGULAR, entry=17),
    "hand-3-playedon-1-17": QuestionId(3, QuestionKind.PLAYED_ON, 1, 17),
    "hand-3-objection-1-17": QuestionId(3, QuestionKind.OBJECTION, 1, 17),
    "hand-3-way-17": QuestionId(3, QuestionKind.WAY, entry=17),
    "hand-3-washed": QuestionId(3, QuestionKind.WASHED),
    "hand-3-dealer": QuestionId(3, QuestionKind.DEALER),
    "hand-3-exchange-4 2": QuestionId(3, QuestionKind.EXCHANGE, subject="4 2"),
    "hand-3-treasure-1": QuestionId(3, QuestionKind.TREASURE, subject="1"),
    "hand-3-ready-2": QuestionId(3, QuestionKind.READY, 2),
    "hand-3-seek-2": QuestionId(3, QuestionKind.SEEK, subject="2"),
    "hand-3-restart-A-1": QuestionId(3, QuestionKind.RESTART, subject="A-1"),
    "hand-0-lost-3-17": QuestionId(0, QuestionKind.LOST, subject="3-17"),
    "hand-3-ended": QuestionId(3, QuestionKind.ENDED),
    "hand-3-drawn": QuestionId(3, QuestionKind.DRAWN),
    "hand-3-unsettled": QuestionId(3, QuestionKind.UNSETTLED),
    "hand-3-show-17-5-1": QuestionId(3, QuestionKind.SHOW, entry=17, subject="5-1"),
    "hand-3-bird-17-0-1": QuestionId(3, QuestionKind.BIRD, entry=17, subject="0-1"),
    "hand-3-refuse-2-1m2m": QuestionId(3, QuestionKind.REFUSE, 2, subject="1m2m"),
    "hand-3-together-2": QuestionId(3, QuestionKind.TOGETHER, subject="2"),
    "hand-3-settle-1-(0,)-(3, -1, -1, -1)": QuestionId(
        3, QuestionKind.SETTLE, subject="1-(0,)-(3, -1, -1, -1)"
    ),
    "hand-3-open-(1, 2)": QuestionId(3, QuestionKind.OPEN, subject="(1, 2)"),
    "hand-3-later-17-(3, -1, -1, -1)": QuestionId(
        3, QuestionKind.LATER, entry=17, subject="(3, -1, -1, -1)"
    ),
    "hand-3-rush-17": QuestionId(3, QuestionKind.OTHER, subject="rush-17"),
}


@given(
    st.sampled_from(["", *(f"hand-3-{kind.value.word}-" for kind in KINDS)]),
    st.text() | st.from_regex(r"hand-\d+-[a-z]*(-[0-9]*)*(-.*)?"),
)
@settings(max_examples=200)
def test_a_text_is_written_as_it_was_read(start: str, text: str) -> None:
    assert str(QuestionId.parse(start + text)) == start + text


def test_every_kind_has_a_text_in_logs() -> None:
    assert {question.kind for question in KNOWN.values()} == set(QuestionKind)


@given(
    st.integers(1, 999),
    st.sampled_from(KINDS),
    st.integers(0, 3),
    st.integers(1, 10**9),
    st.from_regex(r"(\(.*)?", fullmatch=True),
)
def test_a_question_is_read_as_it_was_written(
    hand: int, kind: QuestionKind, seat: int, entry: int, subject: str
) -> None:
    asked = QuestionId(
        hand,
        kind,
        seat if kind.value.by_seat else None,
        entry if kind.value.by_entry else 0,
        subject,
    )
    assert QuestionId.parse(str(asked)) == asked


def test_what_the_camera_answers_by_itself_lies_somewhere() -> None:
    seen = [kind for kind in QuestionKind if kind.lifetime is Lifetime.SIGHT]
    assert seen
    assert all(kind.zone is not None for kind in seen)
