"""What people say and change afterwards: stakes, dealers, rulings, corrections in earlier hands."""

from dataclasses import replace

import pytest

from table_assist.contract.change import Change
from table_assist.contract.commands import (
    Answer,
    ChooseDealer,
    Correct,
    DeclareReady,
    DeclareWin,
    EndHand,
    Insert,
    PassLastTile,
    PlaceAntes,
    Rule,
    Settle,
    StartHand,
    TellTreasure,
    Undo,
)
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    AntesPlaced,
    BirdTurned,
    DealerChosen,
    DiceRolled,
    Discarded,
    Event,
    HandAbandoned,
    HandShown,
    HandStarted,
    IndicatorTurned,
    IrregularityNoted,
    LastTilePassed,
    Penalised,
    ReadyDeclared,
    Ruled,
    Settled,
    Throw,
    WallBuilt,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.question import QuestionId
from table_assist.game.state import Phase
from table_assist.record.log import Entry, Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.rules.rounds import DeadHand
from table_assist.rules.ruleset import RuleSet
from table_assist.session.clerk import Clerk
from table_assist.session.preview import preview
from table_assist.tiles import Tile, parse_tiles
from table_assist.words import Words
from tests.stages.both_languages import english
from tests.stages.evenings import NAMES

CHANGSHA = find_rules("changsha")
EVE = "Eve (referee)"


def clerk(rules: RuleSet = CHANGSHA, *events: Event) -> Clerk:
    """A clerk at a table where this was seen."""
    made = Clerk(plain_profile(rules), NAMES, Record(None, lambda: 1.0))
    return see(made, *events)


def see(at: Clerk, *events: Event, source: Source = Source.CAMERA) -> Clerk:
    for event in events:
        at.record.append(event, source)
    at.conclude()
    return at


def do(at: Clerk, command: object, by: str = EVE) -> str:
    """Obey and conclude, as the session does; why not, else empty."""
    why = at.obey(command, by)  # type: ignore[arg-type]
    at.conclude()
    return english(why)


def settle(at: Clerk) -> Clerk:
    assert at.accept()
    at.conclude()
    return at


def started(rules: str = "changsha", **changes: object) -> HandStarted:
    return replace(HandStarted(1, rules, 0, 55), **changes)  # type: ignore[arg-type]


def shown(seat: int = 1, tiles: str = "234m 567p 111s 555s 88p") -> HandShown:
    return HandShown(seat, parse_tiles(tiles), Tile.P8, True)


# Bo wins on the first tile drawn: a Big Win of 6, 7 from the dealer (CS-21k, CS-23).
BO_WINS = (-7, 19, -6, -6)
HAND = (
    WallBuilt(),
    started(),
    Discarded(0, Tile.M1),
    WinDeclared(1),
    shown(),
    BirdTurned(Tile.M3),
    BirdTurned(Tile.M4),
)
NEXT = (WallBuilt(), HandStarted(2, "changsha", 1, 55), Discarded(1, Tile.M9))


def seq_of(at: Clerk, kind: type, last: bool = True) -> int:
    found = [seq for seq, event in at.record.counting if isinstance(event, kind)]
    return found[-1 if last else 0]


# -- corrections in a hand that is over ------------------------------------------------------------


def earlier_hand() -> Clerk:
    """Hand 1 is settled for Bo, and hand 2 is on the table."""
    return see(settle(clerk(CHANGSHA, *HAND)), *NEXT)


def test_a_bird_put_right_in_an_earlier_hand_moves_the_standing_and_nothing_else() -> None:
    at = earlier_hand()
    assert at.record.state.scores == BO_WINS
    bird = seq_of(at, BirdTurned)
    table = at.record.state
    # The 2m names Bo: his payments are doubled (CS-26, CS-27).
    assert do(at, Correct(bird, BirdTurned(Tile.M2))) == ""
    assert at.record.history == [(1, (-14, 38, -12, -12), (-14, 38, -12, -12))]
    assert at.record.state == replace(
        table, scores=(-14, 38, -12, -12), last_transfers=(-14, 38, -12, -12)
    )
    made = at.record.entries[-2:]
    assert [entry.by for entry in made] == [EVE, EVE]
    assert [entry.source for entry in made] == [Source.PERSON, Source.RULES]
    assert made[1].cause == made[0].seq


def test_a_hand_that_no_longer_wins_counts_as_given_up_and_is_told() -> None:
    at = earlier_hand()
    hand = seq_of(at, HandShown)
    wrong = shown(tiles="234m 567p 111s 556s 88p")
    change = preview(at, Correct(hand, wrong))
    assert isinstance(change, Change)
    assert (change.scores_after, change.unsettled) == ((0, 0, 0, 0), (1,))
    assert any("not settled any more" in words.en for words in change.sentences)
    assert do(at, Correct(hand, wrong)) == ""
    assert at.record.state.scores == (0, 0, 0, 0)
    (question,) = at.record.state.questions
    assert "hand 1 cannot be settled" in question.text.en
    assert do(at, Correct(hand, shown())) == ""
    assert (at.record.state.scores, at.record.state.questions) == (BO_WINS, ())


def test_the_question_about_an_earlier_hand_outlives_the_next_deal() -> None:
    at = earlier_hand()
    do(at, Correct(seq_of(at, HandShown), shown(tiles="234m 567p 111s 556s 88p")))
    see(at, HandAbandoned(), WallBuilt(), HandStarted(3, "changsha", 1, 55))
    assert len(at.record.state.questions) == 1


def test_a_settlement_taken_back_in_an_earlier_hand_is_asked_for_not_made_again() -> None:
    at = earlier_hand()
    assert do(at, Undo(seq_of(at, Settled))) == ""
    assert at.record.state.scores == (0, 0, 0, 0)
    (question,) = at.record.state.questions
    assert "{1} +19" in question.text.en
    assert do(at, Answer(question.question, "yes")) == ""
    assert at.record.history == [(1, BO_WINS, BO_WINS)]
    assert at.record.state.questions == ()
    assert at.record.state.hand == 2
    assert at.record.state.phase is Phase.PLAYING


def test_the_last_hand_of_a_finished_game_can_be_taken_back() -> None:
    at = clerk(CHANGSHA, *HAND)
    see(at, Settled((1,), BO_WINS, 1, game_over=True), source=Source.RULES)
    assert at.record.state.game_over
    assert do(at, Undo(at.record.seq)) == ""
    assert (at.record.state.game_over, at.record.state.phase) == (False, Phase.SHOWING)
    assert do(at, Settle()) == ""
    assert at.record.state.scores == BO_WINS


def test_what_a_referee_settled_by_hand_is_asked_about_not_overruled() -> None:
    at = earlier_hand()
    agreed = Settled((1,), (-10, 30, -10, -10), 1)
    assert do(at, Correct(seq_of(at, Settled), agreed)) == ""
    assert do(at, Correct(seq_of(at, BirdTurned), BirdTurned(Tile.M2))) == ""
    assert at.record.state.scores == (-10, 30, -10, -10)
    (question,) = at.record.state.questions
    assert do(at, Answer(question.question, "yes")) == ""
    assert at.record.state.scores == (-14, 38, -12, -12)
    # What follows the rules again is settled again without asking.
    assert do(at, Correct(seq_of(at, BirdTurned), BirdTurned(Tile.M4))) == ""
    assert (at.record.state.scores, at.record.state.questions) == (BO_WINS, ())


def test_a_hand_abandoned_before_its_settlement_is_settled_once_it_is_recorded() -> None:
    """The dome was opened before the camera could read the hand."""
    at = clerk(CHANGSHA, *HAND[:4])
    see(at, HandAbandoned(), WallBuilt(), source=Source.BOARD)
    see(at, *NEXT[1:])
    abandoned = seq_of(at, HandAbandoned)
    assert do(at, Insert(abandoned, shown())) == ""
    assert at.record.state.scores == (0, 0, 0, 0)
    assert "Not all birds" in do(at, Settle(1))
    assert do(at, Insert(abandoned, BirdTurned(Tile.M3))) == ""
    assert do(at, Insert(abandoned, BirdTurned(Tile.M4))) == ""
    assert at.record.history == [(1, BO_WINS, BO_WINS)]
    assert do(at, Undo(at.record.seq - 1)) == ""
    assert at.record.history == [(1, (0, 0, 0, 0), (0, 0, 0, 0))]


def test_a_hand_that_people_gave_up_is_not_settled_behind_their_backs() -> None:
    at = clerk(CHANGSHA, *HAND[:-1])
    assert do(at, EndHand()) == ""
    see(at, *NEXT)
    assert do(at, Insert(seq_of(at, HandAbandoned), BirdTurned(Tile.M4))) == ""
    assert at.record.state.scores == (0, 0, 0, 0)
    (question,) = at.record.state.questions
    assert do(at, Answer(question.question, "no")) == ""
    assert at.record.state.scores == (0, 0, 0, 0)
    assert do(at, Settle(1)) == ""
    assert at.record.state.scores == BO_WINS
    assert "is settled" in do(at, Settle(1))
    assert "no hand 7" in do(at, Settle(7))


def test_a_tile_put_right_on_the_table_opens_a_hand_that_no_longer_wins() -> None:
    at = settle(clerk(CHANGSHA, *HAND))
    wrong = shown(tiles="234m 567p 111s 556s 88p")
    assert do(at, Correct(seq_of(at, HandShown), wrong)) == ""
    assert (at.record.state.phase, at.record.state.scores) == (Phase.SHOWING, (0, 0, 0, 0))
    (question,) = at.record.state.questions
    assert "does not win" in question.text.en


# -- false wins ------------------------------------------------------------------------------------


@pytest.fixture
def refused() -> Clerk:
    """Bo's win is refused, and costs what the house agreed."""
    agreed = CHANGSHA.with_options({"false_win_penalty": "custom", "false_win_amount": 5})
    profile = plain_profile(agreed).identity
    first = started(hash=profile.hash, options=profile.options)
    at = clerk(agreed, WallBuilt(), first, *HAND[2:4], shown(tiles="234m 567p 111s 556s 88p"))
    assert do(at, Answer(at.record.state.questions[0].question, "yes")) == ""
    assert at.record.state.scores == (5, -15, 5, 5)
    return at


def test_a_refusal_taken_back_takes_its_penalty_and_its_answer_along(refused: Clerk) -> None:
    assert do(refused, Undo(seq_of(refused, WinRefused))) == ""
    assert refused.record.state.scores == (0, 0, 0, 0)
    assert [str(q.question)[:14] for q in refused.record.state.questions] == ["hand-1-refuse-"]
    taken_back = refused.record.seq - 2
    assert do(refused, Undo(taken_back)) == ""
    assert refused.record.state.scores == (5, -15, 5, 5)


def test_in_a_log_of_an_earlier_version_the_penalty_goes_with_its_refusal(refused: Clerk) -> None:
    old = [replace(entry, cause=0, by="") for entry in refused.record.entries]
    at = Clerk(refused.profile, NAMES, Record(None, lambda: 1.0, old))
    assert do(at, Undo(seq_of(at, WinRefused))) == ""
    assert at.record.state.scores == (0, 0, 0, 0)


def test_a_refusal_that_was_forgotten_costs_what_it_costs_at_the_table(refused: Clerk) -> None:
    at = Clerk(refused.profile, NAMES, Record(None, lambda: 1.0, refused.record.entries[:4]))
    see(at, Discarded(1, Tile.M9))
    assert do(at, Insert(at.record.seq, WinRefused(1, ("structure",)))) == ""
    assert at.record.state.scores == (5, -15, 5, 5)


# -- rulings ---------------------------------------------------------------------------------------


def test_a_ruling_moves_points_says_why_and_can_be_taken_back_whole() -> None:
    at = clerk(CHANGSHA, *HAND[:3])
    ruling = Rule(2, "long_hand", (4, 4, -12, 4), Words("Fifteen tiles", "十五张"), DeadHand.LONG)
    assert do(at, ruling) == ""
    state = at.record.state
    assert (state.scores, state.seats[2].dead) == ((4, 4, -12, 4), DeadHand.LONG)
    said = [event for _, event in at.record.counting[-2:]]
    assert said == [
        IrregularityNoted(2, "long_hand", DeadHand.LONG),
        Penalised((4, 4, -12, 4), Words("Fifteen tiles", "十五张")),
    ]
    assert do(at, Undo(at.record.seq - 1)) == ""
    assert (at.record.state.scores, at.record.state.seats[2].dead) == ((0, 0, 0, 0), None)


@pytest.mark.parametrize("irregularity", ["", "long_hand"])
def test_a_ruling_without_points_is_a_ruling_and_no_penalty_of_nothing(irregularity: str) -> None:
    at = clerk(CHANGSHA, *HAND[:3])
    before = at.record.state
    assert do(at, Rule(2, irregularity, (0, 0, 0, 0), Words("Play goes on", "继续"))) == ""
    said = [event for _, event in at.record.counting[3:]]
    noted = [IrregularityNoted(2, irregularity)] if irregularity else []
    assert said == [*noted, Ruled(2, Words("Play goes on", "继续"))]
    assert at.record.state.scores == before.scores
    assert do(at, Undo(4)) == ""
    assert at.record.state == before


def test_a_ruling_on_an_earlier_hand_counts_there() -> None:
    at = earlier_hand()
    end = seq_of(at, Settled)
    assert do(at, Rule(3, "", (3, 3, 3, -9), Words("Late", "迟"), before=end)) == ""
    assert at.record.history == [(1, BO_WINS, (-4, 22, -3, -15))]


@pytest.mark.parametrize(
    ("ruling", "why"),
    [
        (Rule(2, "juggling", (0, 0, 0, 0), Words("so", "是")), "no irregularity 'juggling'"),
        (Rule(2, "", (1, 0, 0, 0), Words("so", "是")), "do not add up"),
        (Rule(4, "", (0, 0, 0, 0), Words("so", "是")), "no seat 4"),
        (Rule(2, "", (1, -1, 0, 0), Words(" ", "")), "needs a reason"),
        (Rule(2, "", (0, 0, 0, 0), Words("so", "是"), DeadHand.LONG), "say which"),
        (Rule(2, "", (1, -1, 0, 0), Words("so", "是"), before=99), "entry 99 does not count"),
    ],
)
def test_a_ruling_that_says_nothing_clear_is_refused(ruling: Rule, why: str) -> None:
    at = clerk(CHANGSHA, *HAND[:3])
    assert why in do(at, ruling)
    assert at.record.seq == 3


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (Correct(99, Discarded(0, Tile.M1)), "entry 99 does not count"),
        (Correct(3, Discarded(0, Tile.M1)), "says so already"),
        (Correct(3, Discarded(5, Tile.M1)), "no seat 5"),
        (Correct(3, Settled((0,), (1, 0, 0, 0), 0)), "do not add up"),
        (Insert(0, WallExhausted(0, (0, 0, 2, -1))), "do not add up"),
        (Insert(0, Penalised((1, 0, 0, 0), Words("so", "是"))), "do not add up"),
        (Insert(0, Discarded(9, Tile.M1)), "no seat 9"),
        (Insert(77, Discarded(0, Tile.M1)), "entry 77 does not count"),
        (Undo(0), "entry 0 does not count"),
    ],
)
def test_a_change_that_cannot_be_is_refused(command: object, why: str) -> None:
    at = clerk(CHANGSHA, *HAND[:3])
    assert why in do(at, command)
    assert preview(at, command) == at.obey(command)  # type: ignore[arg-type]
    assert at.record.seq == 3


def test_a_preview_names_what_the_rules_forbid() -> None:
    at = clerk(CHANGSHA, *HAND[:3])
    change = preview(at, Insert(0, Discarded(3, Tile.M2)))
    assert isinstance(change, Change)
    assert Words("By the rules this cannot be: out of turn.", "按规则不应如此：未轮到。") in (
        change.sentences
    )


# -- what only people know -------------------------------------------------------------------------


def test_stakes_stand_for_the_next_deal_only_and_only_where_there_are_some() -> None:
    tianjin = find_rules("tianjin")
    at = clerk(tianjin)
    assert "not yet said who deals" in do(at, PlaceAntes(False, (0, 1, 0, 0)))
    see(at, DealerChosen(0))
    assert "lacks 9997 tokens" in do(at, PlaceAntes(False, (0, 9999, 0, 0)))
    assert "dealer cannot challenge" in do(at, PlaceAntes(False, (1, 0, 0, 0)))
    assert do(at, PlaceAntes(True, (0, 1, 0, 0))) == ""
    assert at.record.event(at.record.seq) == AntesPlaced(True, (0, 1, 0, 0))
    assert do(at, StartHand(0)) == ""
    assert at.record.state.antes.challenges == (0, 1, 0, 0)
    assert "dealt already" in do(at, PlaceAntes(False, (0, 1, 0, 0)))
    assert "no stakes" in do(clerk(CHANGSHA), PlaceAntes(False, (0, 0, 0, 0)))


def test_the_dealer_is_chosen_where_the_rules_leave_it_open() -> None:
    at = clerk(CHANGSHA)
    assert "no seat 4" in do(at, ChooseDealer(4))
    assert do(at, ChooseDealer(2)) == ""
    assert "Chen deals the next hand by the rules" in do(at, ChooseDealer(1))
    see(at, *HAND[:3])
    assert "is running" in do(at, ChooseDealer(1))


def test_the_dealer_after_two_winners_is_one_of_them() -> None:
    at = clerk(CHANGSHA, *HAND[:3], Settled((1, 3), (-2, 1, 0, 1), None))
    assert do(at, ChooseDealer(0)) == "one of these deals the next hand: Bo, Du"
    assert do(at, ChooseDealer(3)) == ""
    assert at.record.state.dealer_next == 3


def changchun(*events: Event) -> Clerk:
    first = started("changchun", wall_left=83)
    return clerk(find_rules("changchun"), WallBuilt(), first, Discarded(0, Tile.M1), *events)


def test_the_treasure_is_told_by_who_is_ready_and_named_to_nobody() -> None:
    at = changchun(ReadyDeclared(1), DiceRolled(1, (2, 3), Throw.INDICATOR))
    refused = {do(at, TellTreasure(seat, Tile.M5)) for seat in (0, 2, 3, 7)}
    assert refused == {"only who has declared ready may look at the treasure"}
    assert do(at, TellTreasure(1, Tile.M5)) == ""
    assert at.record.state.indicators == (IndicatorTurned(Tile.M5, 5),)
    see(at, Discarded(1, Tile.M9), ReadyDeclared(2))
    assert do(at, TellTreasure(2, Tile.M5)) == ""
    assert at.record.state.questions == ()
    assert do(at, TellTreasure(2, Tile.M6)) == ""
    (question,) = at.record.state.questions
    assert question.blocks
    assert "5m" not in (question.text.en + question.text.zh)
    assert "6m" not in (question.text.en + question.text.zh)
    assert at.record.state.indicators == (IndicatorTurned(Tile.M5, 5),)


def test_a_treasure_that_the_camera_could_not_read_is_filled_in() -> None:
    at = changchun(ReadyDeclared(1), IndicatorTurned(Tile.UNKNOWN, 5))
    assert do(at, TellTreasure(1, Tile.M5)) == ""
    assert at.record.state.indicators == (IndicatorTurned(Tile.M5, 5),)
    assert "no treasure" in do(clerk(CHANGSHA, *HAND[:3]), TellTreasure(0, Tile.M5))


# -- settling --------------------------------------------------------------------------------------


def test_settle_accepts_what_is_shown_and_says_why_when_nothing_can_be() -> None:
    at = clerk(CHANGSHA, *HAND[:4])
    assert do(at, Settle()) == "no hand is shown that could be settled"
    see(at, *HAND[4:6])
    assert "cannot be settled yet" in do(at, Settle())
    see(at, HAND[6])
    assert do(at, Settle()) == ""
    assert at.record.state.scores == BO_WINS
    assert at.record.entries[-1].by == EVE


def test_who_goes_on_with_the_next_hand_has_accepted_what_was_shown() -> None:
    at = clerk(CHANGSHA, *HAND)
    assert "already" in do(at, DeclareWin(1))
    assert do(at, StartHand(1)) == ""
    assert at.record.history == [(1, BO_WINS, BO_WINS)]
    assert at.record.state.hand == 2


def test_a_question_about_an_entry_that_was_taken_back_is_withdrawn() -> None:
    at = clerk(CHANGSHA, *HAND[:2], Discarded(0, Tile.UNKNOWN))
    at.ask(
        Doubt(QuestionId.parse("hand-1-unread-3"), Words("What?", "什么？"), ("7s", "9s"), about=3)
    )
    assert len(at.record.state.questions) == 1
    assert do(at, Undo(3)) == ""
    assert at.record.state.questions == ()


def test_who_corrects_an_entry_has_answered_what_was_asked_about_it() -> None:
    at = clerk(CHANGSHA, *HAND[:2], Discarded(0, Tile.UNKNOWN))
    at.ask(
        Doubt(QuestionId.parse("hand-1-unread-3"), Words("What?", "什么？"), ("7s", "9s"), about=3)
    )
    assert do(at, Correct(3, Discarded(0, Tile.S7))) == ""
    assert at.record.state.questions == ()
    assert do(at, Undo(at.record.seq - 1)) == ""
    assert len(at.record.state.questions) == 1


def test_a_correction_in_two_hands_at_once_flags_who_would_have_dealt() -> None:
    """By the corrected settlement another deals: the hand was dealt by whom it was dealt."""
    at = earlier_hand()
    change = preview(at, Correct(seq_of(at, Settled), Settled((2,), (0, -5, 5, 0), 2)))
    assert isinstance(change, Change)
    told = "After hand 1 Chen would have dealt; Bo did, and that stays."
    assert told in [words.en for words in change.sentences]
    assert at.record.state.dealer == 1


def test_entries_say_who_gave_the_command() -> None:
    at = clerk(CHANGSHA, *HAND[:3])
    do(at, Correct(3, Discarded(0, Tile.M2)), by="Bo (seat 1)")
    entry = at.record.entries[-1]
    assert isinstance(entry, Entry)
    assert (entry.by, entry.source) == ("Bo (seat 1)", Source.PERSON)


def test_ready_is_declared_in_play_once_and_where_the_rules_have_it() -> None:
    at = changchun()
    assert do(at, DeclareReady(1)) == ""
    assert at.record.entries[-1].event == ReadyDeclared(1)
    assert at.record.entries[-1].source is Source.PERSON
    assert do(at, DeclareReady(1)) == "Bo has declared ready already"
    assert do(at, Undo(at.record.seq)) == ""
    assert do(at, DeclareReady(1)) == ""
    see(at, WinDeclared(2))
    assert "no hand is being played" in do(at, DeclareReady(3))
    assert "no hand is being played" in do(clerk(CHANGSHA), DeclareReady(0))
    assert "nobody declares ready" in do(clerk(CHANGSHA, *HAND[:3]), DeclareReady(0))


def test_the_last_tile_is_left_by_whose_turn_it_is_and_by_nobody_else() -> None:
    # CS-16: a player may leave the last tile of the wall to the next.
    last = clerk(CHANGSHA, WallBuilt(), started("changsha", wall_left=1), Discarded(0, Tile.P6))
    refused = [do(last, PassLastTile(seat)) for seat in (0, 2, 3)]
    assert refused == [
        f"there is no last tile that {who} may leave now" for who in ("Ann", "Chen", "Du")
    ]
    assert do(last, PassLastTile(1)) == ""
    assert last.record.entries[-1].event == LastTilePassed(1)
    assert "no last tile" in do(last, PassLastTile(1))
    more = clerk(CHANGSHA, WallBuilt(), started("changsha", wall_left=2), Discarded(0, Tile.P6))
    assert "no last tile" in do(more, PassLastTile(1))
    other = clerk(find_rules("tianjin"), WallBuilt(), started("tianjin", wall_left=1))
    see(other, Discarded(0, Tile.P6))
    assert "no last tile" in do(other, PassLastTile(1))
