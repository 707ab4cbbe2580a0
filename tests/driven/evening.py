"""Hands at the simulated table, with people who tap what has to be tapped."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import hypot
from random import Random

from playwright.sync_api import expect

from firmware_bridge.events import EventContent, Key, KeyPressed
from table_assist.game.events import (
    Claimed,
    Discarded,
    Event,
    HandShown,
    HandStarted,
    IndicatorTurned,
    Penalised,
    Settled,
    WallExhausted,
    WinDeclared,
)
from table_assist.game.state import Phase, TableState
from table_assist.record.commands import ChooseDealer, Command, Insert, PlaceAntes, TellTreasure
from table_assist.record.json_rows import to_row
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.evening import play_one
from table_assist.twin.holdings import PieceSet
from table_assist.twin.staging import stage_hand
from table_assist.twin.table import Manners, SimulatedTable, TableStep
from table_assist.vision.table.observation import Observation
from tests.driven import desk, game
from tests.driven.adventures import Adventure, PlayedOne
from tests.driven.people import PATIENCE_MS, People, Person, number
from tests.driven.table import DrivenTable
from tests.stages.recorded_table import NAMES

CALLS = {MeldKind.CHOW: "chow", MeldKind.PUNG: "pung", MeldKind.KONG_EXPOSED: "kong"}
NAMED_MS = 5_000  # people who claim do not wait for longer
CUT_OFF = 3  # the seat whose phone loses the network


class Evening:
    """Some hands of one rule set, driven through the pages.

    Args:
        reading_s: how long the scorer looks at a settlement before the tap.

    Attributes:
        watch: told when it is a good moment to look at the pages: mid, won, disputed.
        expected: the standing as the play has it, rulings included.
        secrets_checked: views of phones that were looked through for the treasure.
        pages_equal: how often a page's standing was compared.
        done: how often each thing was done besides the play.
    """

    def __init__(
        self,
        people: People,
        table: DrivenTable,
        rules: RuleSet,
        seed: int,
        *,
        reading_s: float = 0.0,
    ) -> None:
        self.people = people
        self.table = table
        self.rules = rules
        self.expected = [0, 0, 0, 0]
        self.hands: list[PlayedOne] = []
        self.secrets_checked = 0
        self.pages_equal = 0
        self.done: Counter[str] = Counter()
        self._reading_s = reading_s
        self._random = Random(seed)
        self._twin = SimulatedTable(Random(f"table-{seed}"), Manners(), len(PieceSet(rules)))
        self._state = TableState()
        self._secrets: Iterator[Tile] = iter(())
        self._secret: Tile | None = None

    # -- a game ------------------------------------------------------------------------------------

    def begin_game(self, points: int, hands: int) -> None:
        """The game is played from so many points, and over after so many hands."""
        game.begin_game(self.people, self.table, points=points, hands=hands)
        self.expected = [points] * 4
        self.compare()

    def reopen_game(self) -> None:
        """The last hand of the finished game is taken back, and accepted again."""
        last = self.hands[-1]
        if last.settled_s is None:
            return
        whole = self.expected
        if Adventure.DISPUTE in last.adventure:  # its ruling stands before the undone score, too
            return
        game.undo_the_end(self.people, self.table)
        self.expected = [a - b for a, b in zip(whole, last.transfers, strict=True)]
        self.compare()
        game.accept_again(self.people, self.table)
        self.expected = whole
        self.compare()
        self.done["finished games reopened"] += 1

    # -- a hand ------------------------------------------------------------------------------------

    def play(self, adventure: Adventure) -> PlayedOne:
        """Play a hand to its end, and compare every page with the ledger."""
        played, self._state = play_one(self.rules, self._state, self._random)
        turned = [each.tile for each in played.events if isinstance(each, IndicatorTurned)]
        self._secrets, self._secret = iter(turned), None
        one = PlayedOne(self.rules.id, len(self.hands) + 1, adventure)
        self.hands.append(one)
        self._forget()
        steps = list(stage_hand(played, self._twin, hand=one.hand))
        calm = _calm(steps)
        for index, step in enumerate(steps):
            self._step(step, one, index == calm)
        return one

    def _step(self, step: TableStep, one: PlayedOne, calm: bool) -> None:
        if any(isinstance(event, WinDeclared) for event in step.events):
            self._check_secret()
        for command in step.commands:
            self._say(command)
        for event in step.events:
            if isinstance(event, Claimed):
                self._may_claim(event, one)
        if calm and Adventure.CORRECT in one.adventure:
            self._taps_kept(one, lambda one: self._misread(step))
        else:
            self._signal(step, one)
            self.table.show(step.scene)
        for event in step.events:
            self._follow(event, one)
        if calm:
            self.table.catch_up()
            self._taps_kept(one, self._go_wrong)
        if step.text == "The dome opens.":
            self._end(one)

    def _follow(self, event: Event, one: PlayedOne) -> None:
        """What people do when it has happened."""
        if isinstance(event, IndicatorTurned) and not event.tile.is_face:
            self._secret = next(self._secrets)
            self._tell_treasure(one)
        if isinstance(event, HandStarted):
            one.before = sum(self._taps().values())
        if isinstance(event, Settled | WallExhausted | Penalised):
            self.expected = [a + b for a, b in zip(self.expected, event.transfers, strict=True)]
        if isinstance(event, Settled):
            self._accept(one)
        if isinstance(event, Settled | WallExhausted):
            one.transfers = event.transfers
            self._come_back(one)
            one.taps = self._taps()

    def _signal(self, step: TableStep, one: PlayedOne) -> None:
        """Keys are pressed on the board, or on the phones."""
        for signal in step.signals:
            if Adventure.PHONES in one.adventure and self._by_phone(signal, one):
                continue
            self.table.happen(signal)
        self.table.catch_up()

    def _by_phone(self, signal: EventContent, one: PlayedOne) -> bool:
        if not isinstance(signal, KeyPressed) or signal.key not in (Key.WIN, Key.READY):
            return False
        phone = self.people.phones[signal.seat]
        if Adventure.OFFLINE in one.adventure and signal.seat == CUT_OFF:
            return False
        if signal.key is Key.WIN:
            phone.tap_twice(
                phone.page.locator("#mine .win"),
                lambda: signal.seat in self.table.snapshot.state.declared,
            )
            self.done["wins by phone"] += 1
        else:
            phone.tap("#mine .ready")
            self.done["ready by phone"] += 1
            self._until(lambda: self.table.snapshot.state.seats[signal.seat].ready)
        return True

    def _may_claim(self, event: Claimed, one: PlayedOne) -> None:
        """Whether, before a tile is claimed, the claimer's phone has said that it may be."""
        if Adventure.OFFLINE in one.adventure and event.seat == CUT_OFF:
            return
        phone = self.people.phones[event.seat]
        said = phone.page.locator("#mine .told")
        named = phone.comes_to(lambda: CALLS[event.kind] in (said.text_content() or ""), NAMED_MS)
        self.done["claims named on the phone" if named else "claims not named on the phone"] += 1

    def _tell_treasure(self, one: PlayedOne) -> None:
        """Who is ready has looked, and says so on the own phone."""
        self.table.catch_up()
        seats = self.table.snapshot.state.seats
        ready = [phone for phone, seat in zip(self.people.phones, seats, strict=True) if seat.ready]
        if Adventure.PHONES not in one.adventure or not ready:
            return
        assert self._secret is not None
        self._tell(ready[0], self._secret)

    def _tell(self, phone: Person, tile: Tile) -> None:
        phone.tap("#mine .tell")
        phone.tap(f'#picker .face[data-key="{tile}"]')
        phone.tap("#picker .accept")
        expect(phone.page.locator("#mine .peek")).to_be_visible(timeout=PATIENCE_MS)

    def _say(self, command: Command) -> None:
        """What only people know, told on a page."""
        scorer, refused = self.people.scorer, None
        self.table.catch_up()
        match command:
            case ChooseDealer(seat):
                scorer.tap(scorer.page.locator("#before .seats button").nth(seat))
                self._until(lambda: self.table.snapshot.state.dealer_next == seat)
            case PlaceAntes(double_down, challenges):
                self._stake(double_down, challenges)
            case TellTreasure(seat, tile):
                self._tell(self.people.phones[seat], tile)
            case Insert(before, event):
                refused = scorer.post("/api/insert", {"before": before, "event": to_row(event)})
            case _:
                raise AssertionError(f"nobody says {command}")
        assert refused is None, refused

    def _stake(self, double_down: bool, challenges: tuple[int, int, int, int]) -> None:
        scorer = self.people.scorer
        boxes = scorer.page.locator("#before [type=number]:visible")
        expect(boxes).to_have_count(4, timeout=PATIENCE_MS)
        for box, stake in zip(boxes.all(), challenges, strict=True):
            box.fill(str(stake))
        if double_down:
            scorer.tap("#before [name=double_down]")
        scorer.tap("#before form:not(#seating) [type=submit]")
        self._until(lambda: self.table.snapshot.state.antes_placed)

    def _accept(self, one: PlayedOne) -> None:
        """The scorer looks at the settlement and taps, or lets the time run."""
        scorer = self.people.scorer
        if Adventure.COUNTDOWN not in one.adventure:
            expect(scorer.page.locator("#settle .accept")).to_be_visible(timeout=PATIENCE_MS)
        shown_t = self._time_of(HandShown)
        if Adventure.COUNTDOWN in one.adventure:
            expect(scorer.page.locator("#settle .until")).to_contain_text(
                "Accepted in", timeout=PATIENCE_MS
            )
            self.done["accepted by the clock"] += 1
        else:
            scorer.page.wait_for_timeout(1000 * self._reading_s)
            scorer.tap_until(
                "#settle .accept", lambda: self.table.snapshot.state.phase is Phase.SETTLED
            )
            self.done["accepted by a tap"] += 1
        self._until(lambda: self.table.snapshot.state.phase is Phase.SETTLED)
        one.settled_s = self._time_of(Settled) - shown_t

    def _end(self, one: PlayedOne) -> None:
        """The hand is over: every page tells the ledger's standing."""
        self.table.catch_up()
        self._until(lambda: self.table.snapshot.state.phase is not Phase.SHOWING)
        self.compare()
        if Adventure.DISPUTE in one.adventure:
            self._taps_kept(one, self._dispute)
            self.compare()

    def compare(self) -> None:
        """Every page's standing, and the ledger's, is the truth.

        Raises:
            AssertionError: one is not.
        """
        ledger = list(self.table.snapshot.state.scores)
        assert ledger == self.expected, f"hand {len(self.hands)}: {self.hands[-1]}"
        for person in self.people.all:
            if person is not self.people.referee:
                person.shows(self.expected)
                self.pages_equal += 1
        for seat, phone in enumerate(self.people.phones):
            own = phone.page.locator("#mine .points").text_content() or ""
            assert number(own) == self.expected[seat], (seat, own)

    # -- adventures --------------------------------------------------------------------------------

    def _go_wrong(self, one: PlayedOne) -> None:
        """In the middle of the hand."""
        if Adventure.UNDO in one.adventure:
            self._win_by_mistake()
        if Adventure.OFFLINE in one.adventure:
            self.people.phones[CUT_OFF].lose_network()
        if Adventure.SLEEP in one.adventure:
            self.people.television.fall_asleep()

    def _come_back(self, one: PlayedOne) -> None:
        """At the end of the hand."""
        if Adventure.OFFLINE in one.adventure:
            phone = self.people.phones[CUT_OFF]
            expect(phone.page.locator("body.lost")).to_have_count(1, timeout=PATIENCE_MS)
            phone.find_network()
            expect(phone.page.locator("body.lost")).to_have_count(0, timeout=PATIENCE_MS)
            self.done["networks lost and found"] += 1
        if Adventure.SLEEP in one.adventure:
            self.people.television.wake()
            self.done["televisions slept and woke"] += 1

    def _win_by_mistake(self) -> None:
        """A phone says "I win" too early; the scorer takes it back."""
        seat = next(each for each in range(4) if each not in self.table.snapshot.state.declared)
        phone, scorer = self.people.phones[seat], self.people.scorer
        phone.tap_twice(
            phone.page.locator("#mine .win"),
            lambda: self.table.snapshot.state.phase is Phase.SHOWING,
        )
        newest = scorer.page.locator("#events ol li").first
        expect(newest).to_contain_text("declares a win", timeout=PATIENCE_MS)
        scorer.tap_twice(
            newest.locator("button.undo"),
            lambda: self.table.snapshot.state.phase is Phase.PLAYING,
        )
        self.done["wins taken back"] += 1

    def _misread(self, step: TableStep) -> None:
        """A discard is read as another tile; the scorer sees it and puts it right."""
        discard = next(event for event in step.events if isinstance(event, Discarded))
        wrong = Tile.S5 if discard.tile is not Tile.S5 else Tile.P5
        reach = step.reach
        assert reach is not None

        def misread(seen: Observation) -> Observation:
            return replace(
                seen,
                tiles=tuple(
                    replace(each, tile=wrong, candidates=((wrong, 1.0),))
                    if hypot(each.x_mm - reach.x_mm, each.y_mm - reach.y_mm) < 8
                    else each
                    for each in seen.tiles
                ),
            )

        self.table.misread = misread
        self.table.show(step.scene)
        self.table.catch_up()
        assert self._last_discard(discard.seat) is wrong
        scorer, seat = self.people.scorer, discard.seat
        river = scorer.page.locator(f'#table .seat[data-seat="{seat}"] .river .tile')
        expect(river).to_have_count(
            len(self.table.snapshot.state.seats[seat].river), timeout=PATIENCE_MS
        )
        scorer.tap(river.last)
        scorer.tap(f'#picker .face[data-key="{discard.tile}"]')
        expect(scorer.page.locator("#picker .accept")).to_be_enabled(timeout=PATIENCE_MS)
        assert scorer.page.locator("#picker .changes p").all_text_contents()
        scorer.tap("#picker .accept")
        self._until(lambda: self._last_discard(seat) is discard.tile)
        self.table.misread = None
        self.done["discards put right"] += 1

    def _last_discard(self, seat: int) -> Tile:
        return self.table.snapshot.state.seats[seat].river[-1]

    def _dispute(self, one: PlayedOne) -> None:
        """The referee sees what another tile would change, leaves it, and moves two points."""
        referee = self.people.referee
        desk.open_hand(referee, self.people.network, one.hand)
        referee.until(lambda: desk.total(referee) == list(one.transfers))
        if one.settled_s is not None:
            desk.look_into(referee)
        desk.rule(referee, "The wall was knocked over.")
        self.expected = [a + b for a, b in zip(self.expected, desk.POINTS, strict=True)]
        self._until(lambda: list(self.table.snapshot.state.scores) == self.expected)
        self.done["rulings"] += 1
        desk.verify_file(referee, self.table.folder)
        self.done["dispute files verified"] += 1

    def compare_desk(self) -> None:
        """What the referee's list says that each hand moved is what it moved.

        Raises:
            AssertionError: it is not.
        """
        page = self.people.referee.page
        page.goto(f"{self.people.network}referee")
        expect(page.locator("#hands option")).to_have_count(len(self.hands), timeout=PATIENCE_MS)
        for one in self.hands:
            page.locator("#hands").select_option(str(one.hand))
            names = [f"{NAMES[seat]} " for seat in range(4)]
            texts = [
                f"{name}{_signed(moved)}" for name, moved in zip(names, one.transfers, strict=True)
            ]
            expect(page.locator("#judged .total span")).to_have_text(texts, timeout=PATIENCE_MS)
            self.pages_equal += 1

    # -- secrets -----------------------------------------------------------------------------------

    def _forget(self) -> None:
        for person in self.people.phones:
            person.page.evaluate("window.heard.length = 0")

    def _check_secret(self) -> None:
        """Until somebody wins, no phone but those that are ready was told the treasure."""
        if self.rules.treasure is None or self._secret is None:
            return
        for seat, phone in enumerate(self.people.phones):
            if self.table.snapshot.state.seats[seat].ready:
                continue
            for view in phone.views():
                assert not (view["treasure"] or {}).get("tiles"), f"phone {seat} knows the treasure"
                self.secrets_checked += 1

    # -- small things ------------------------------------------------------------------------------

    def _until(self, holds: Callable[[], bool]) -> None:
        self.people.scorer.until(holds)

    def _time_of(self, kind: type) -> float:
        return next(each.t for each in reversed(self.table.entries()) if type(each.event) is kind)

    def _taps(self) -> dict[str, int]:
        taps = {person.name: person.taps for person in self.people.all if person.taps}
        for person in self.people.all:
            person.taps = 0
        return taps

    def _taps_kept(self, one: PlayedOne, adventure: Callable[[PlayedOne], None]) -> None:
        """Let it happen; its taps count as extra."""
        before = {person.name: person.taps for person in self.people.all}
        adventure(one)
        for person in self.people.all:
            one.extra += person.taps - before[person.name]
            person.taps = before[person.name]


def _calm(steps: list[TableStep]) -> int:
    """A discard in the middle of the hand that nobody claims."""
    discards = [i for i, step in enumerate(steps) if _discards(step)]
    calm = [
        i for i, then in pairwise(discards)
        if not any(step.events for step in steps[i + 1 : then])
    ]  # fmt: skip
    return calm[len(calm) // 2]


def _signed(points: int) -> str:
    """As pages write what moved."""
    return f"+{points}" if points > 0 else str(points).replace("-", "\u2212")


def _discards(step: TableStep) -> bool:
    return any(isinstance(event, Discarded) for event in step.events)
