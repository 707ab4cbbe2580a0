"""The snapshot as the dashboard's JSON."""

import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from table_assist.game.events import (
    Agreed,
    Answered,
    Asked,
    Attested,
    BoardSaid,
    Claimed,
    ClockSet,
    DiceRolled,
    Discarded,
    Event,
    HandShown,
    IndicatorTurned,
    Penalised,
    PlayerNamed,
    Ruled,
    WinDeclared,
    WinRefused,
)
from table_assist.game.irregular import Irregularity
from table_assist.game.question import QuestionId
from table_assist.game.state import Phase
from table_assist.languages.words import Words
from table_assist.record.log import Source
from table_assist.record.snapshot import SourceHealth
from table_assist.rules.registry import find_rules
from table_assist.session.questions import why_irregular
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.course_table import COURSES, course_events
from tests.stages.web_fakes import (
    NAMES,
    asked,
    empty_snapshot,
    healthy,
    opened,
    played,
    settled,
    won,
)
from web.language import page_words
from web.view.present import EVENTS_SHOWN, health, present, table
from web.view.sentences import sentence
from web.view.vocabulary import MELD_WORDS, with_names

CHINESE = re.compile(r"[\u4e00-\u9fff]")
EVENTS: list[Event] = [
    *dict.fromkeys(event for row in COURSES for event in course_events(row)),
    DiceRolled(1, (6,)),
    BoardSaid("KEY", ("2", "KONG")),
    Attested("names", ("Ann", "Bo", "Chen", "Du")),
    IndicatorTurned(Tile.UNKNOWN, 7),
    Penalised((0, 0, 0, 0), Words("Talking", "说话")),
    Ruled(2, Words("Talking", "说话")),
    WinRefused(1, ("structure", "general_pair")),
    Asked(QuestionId.parse("q1"), Words("Is this a pung?", "这是碰吗？"), ("yes", "no")),
    Answered(QuestionId.parse("q1"), "6s"),
    Answered(QuestionId.parse("q1"), ""),
    Agreed(1, "q1=yes"),
    Agreed(1, "3 0 +6-2-2-2"),
    PlayerNamed(1, "Ana"),
    ClockSet(7200, 3000, 20),
    ClockSet(7200, running=False),
    ClockSet(),
]


def test_every_event_type_is_among_the_tested_ones() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(Event))


def test_every_event_is_a_sentence_in_both_languages() -> None:
    for event in EVENTS:
        said = sentence(event, ("Ana", "Ben", "Cleo", "Dai"), find_rules("wanzhou"))
        assert said.en[-1] in ".?", event
        assert said.zh[-1] in "。？", event
        assert CHINESE.search(said.zh), event
        assert not CHINESE.search(said.en), event


def test_every_word_of_the_page_is_used() -> None:
    web = Path(__file__).parents[2] / "web"
    files = [*web.glob("templates/*.html"), *web.glob("static/*.js"), web / "pages" / "pages.py"]
    used = "".join(path.read_text(encoding="utf-8") for path in files)
    unused = [
        key
        for key in page_words("table")
        if f'"{key}"' not in used
        and f"words.{key}" not in used
        and f"`{key.split('_')[0]}_${{" not in used
    ]
    assert unused == []


def test_every_kind_of_meld_and_irregularity_has_words() -> None:
    assert set(MELD_WORDS) == set(MeldKind)
    for irregularity in Irregularity:
        assert why_irregular(irregularity).zh


def test_the_last_discard_is_marked_only_while_it_can_be_claimed() -> None:
    evening = opened().do(Discarded(0, Tile.P5))
    assert [seat["last"] for seat in present(evening.snapshot())["seats"]] == [True] + [False] * 3
    evening.do(Claimed(1, MeldKind.CHOW, parse_tiles("456p"), 0))
    assert not any(seat["last"] for seat in present(evening.snapshot())["seats"])


def test_a_concealed_kong_shows_its_outer_tiles_face_down() -> None:
    melds = present(played(opened()).snapshot())["seats"][0]["melds"]
    assert [meld["tiles"] for meld in melds] == [["8p"] * 3, ["#", "5m", "5m", "#"]]


def test_events_come_newest_first_with_their_tiles() -> None:
    events = present(opened().do(Discarded(0, Tile.P5)).snapshot())["events"]
    assert [event["type"] for event in events] == [
        "Discarded",
        "HandStarted",
        "DiceRolled",
        "WallBuilt",
    ]
    assert events[0]["tiles"] == ["5p"]
    assert events[0]["undo"]


def test_what_nobody_could_read_is_marked_and_asked() -> None:
    view = present(asked(opened()).snapshot())
    doubtful = [event for event in view["events"] if event["doubtful"]]
    assert [event["type"] for event in doubtful] == ["Discarded"]
    assert view["questions"][0]["about"] == doubtful[0]["seq"]
    assert [choice["tile"] for choice in view["questions"][0]["choices"]] == ["6s", "8s", None]
    assert view["seats"][0]["river"] == ["?"]


def test_an_answer_is_told_with_its_question() -> None:
    evening = asked(opened()).do(Answered(QuestionId.parse("tile-1"), "6s"), Source.PERSON)
    event = present(evening.snapshot())["events"][0]
    assert event["text"]["en"].endswith("The camera sees 6 or 8 bamboo. Answer: 6 bamboo.")


def test_of_a_settled_hand_only_the_settlement_is_taken_back() -> None:
    events = present(settled(won(opened(), birds="2m 3m")).snapshot())["events"]
    assert [event["type"] for event in events if event["undo"]] == ["Settled"]


def test_a_long_hand_sends_only_its_latest_events() -> None:
    evening = opened()
    for number in range(150):
        evening.do(Discarded(number % 4, Tile.P5))
    assert len(present(evening.snapshot())["events"]) == EVENTS_SHOWN


def test_a_win_shows_patterns_arithmetic_and_payments() -> None:
    # Changsha, CS-23: a small win that the dealer pays is 2 (before birds).
    view = present(won(opened()).snapshot())
    verdict = view["verdicts"][0]
    assert verdict["valid"]
    assert verdict["winning"] == "6p"
    assert len(verdict["tiles"]) == 13
    assert [pattern["name"]["en"] for pattern in verdict["patterns"]] == ["Small Win"]
    assert view["settlement"]["payments"] == [{"from": 0, "to": 1, "points": 2}]
    assert view["headline"]["en"] == "Ben wins: turn 2 birds"


def test_a_refused_win_gives_every_reason() -> None:
    evening = opened().do(Discarded(0, Tile.P6)).do(WinDeclared(1), Source.BOARD)
    evening.do(HandShown(1, parse_tiles("234m678m456p222p44s"), Tile.P6, self_drawn=False))
    view = present(evening.snapshot())
    assert not view["verdicts"][0]["valid"]
    assert "2, 5 or 8" in view["verdicts"][0]["refusals"][0]["en"]
    assert view["settlement"] is None
    assert view["headline"]["en"] == "Ben has not won"


def test_an_unread_tile_says_what_would_make_it_a_win() -> None:
    evening = opened().do(Discarded(0, Tile.P6)).do(WinDeclared(1), Source.BOARD)
    evening.do(HandShown(1, parse_tiles("234m678m456p222p5s?"), Tile.P6, self_drawn=False))
    verdict = present(evening.snapshot())["verdicts"][0]
    assert not verdict["valid"]
    assert verdict["open"]
    assert [completion["tiles"] for completion in verdict["completions"]] == [["5s"]]
    assert "?" in verdict["tiles"]
    assert present(evening.snapshot())["headline"]["en"] == "A tile cannot be read: not decided"


def test_a_logged_refusal_is_told_in_the_rules_words() -> None:
    snapshot = opened().do(WinDeclared(1)).snapshot()
    condition = snapshot.rules.conditions[0]
    evening = opened().do(WinDeclared(1)).do(WinRefused(1, (condition.id, "made_up")))
    text = present(evening.snapshot())["events"][0]["text"]
    assert condition.words.en.rstrip(".") in text["en"]
    assert "made up" in text["en"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (Words("", ""), Words("", "")),
        (
            Words("Seat 0 pays seat 3: 2 × 2.", "座位 0 付座位 3：2 × 2。"),
            Words("Ana pays Dai: 2 × 2.", "Ana付Dai：2 × 2。"),
        ),
        (
            Words("name seats 1, 3: 1 hit", "对应座位 1, 3：中 1 只"),
            Words("name Ben, Dai: 1 hit", "对应Ben、Dai：中 1 只"),
        ),
        (Words("seat 7 and 14 tiles", "座位 1 14 分"), Words("seat 7 and 14 tiles", "Ben 14 分")),
    ],
)
def test_seats_in_the_rules_words_become_names(words: Words, expected: Words) -> None:
    assert with_names(words, NAMES) == expected


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_has_a_headline(phase: Phase) -> None:
    snapshot = opened().snapshot()
    view = present(replace(snapshot, state=replace(snapshot.state, phase=phase)))
    assert view["headline"]["en"]
    assert CHINESE.search(view["headline"]["zh"])


def test_health_alone_does_not_change_the_table() -> None:
    first = opened().snapshot()
    lost = SourceHealth(
        "board", "lost", Words("The board is gone.", "电路板已断开。"), None, (("bad frames", 3),)
    )
    second = replace(first, t=first.t + 1, health=(healthy(first.t)[0], lost))
    assert table(first) == table(second)
    assert health(second)["health"][1] == {
        "name": "board",
        "label": {"en": "Board", "zh": "电路板"},
        "status": "lost",
        "word": {"en": "lost", "zh": "已断开"},
        "message": "The board is gone.",
        "said": {"en": "The board is gone.", "zh": "电路板已断开。"},
        "unrecorded": None,
        "zones": [],
        "last_t": None,
        "counters": {"bad frames": 3},
    }


def test_a_source_or_status_nobody_foresaw_is_shown_as_it_is() -> None:
    snapshot = replace(empty_snapshot(), health=(SourceHealth("scale", "dusty"),))
    assert health(snapshot)["health"][0]["word"] == {"en": "dusty", "zh": "dusty"}


def test_the_seats_around_the_dealer_get_their_winds() -> None:
    view = present(opened(dealer=2).snapshot())
    assert [seat["wind"]["en"] for seat in view["seats"]] == ["West", "North", "East", "South"]
    assert [seat["dealer"] for seat in view["seats"]] == [False, False, True, False]
    assert view["headline"] == {"en": "陈德 discards", "zh": "陈德打牌"}
    assert view["wall"] == 55
    assert [seat["holds"] for seat in view["seats"]] == [13, 13, 14, 13]
