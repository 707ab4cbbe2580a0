"""People who have come to themselves: they finish the hand, from wherever they have got to."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from playwright.sync_api import Error, Page

from table_assist.game.events import Settled
from table_assist.game.state import SEATS, Phase
from table_assist.tiles.tile import parse_tiles
from tests.driven.careless import NAMES, Careless
from tests.web.test_photo import HANDS

LOST = "147m258p369sESWN"
PATIENCE = 80  # so many looks at the four phones until a hand is over
TAP_MS = 5_000


@dataclass(frozen=True, slots=True)
class Finishing:
    """Hand after hand, whatever lies open.

    Attributes:
        random: which birds turn.
        check: what must always hold, looked at after each step.
    """

    table: Careless
    rules: str
    random: Random
    check: Callable[[], None]

    def finish(self) -> None:
        """Everybody opens the page anew; the hand that is open, or a new one, is settled.

        Raises:
            AssertionError: somebody is stuck.
        """
        for seat in SEATS:
            self._come_back(seat)
        before = self._settled()
        for look in range(PATIENCE):
            if self._settled() > before:
                return
            did = False
            with suppress(Error):  # the page changed under the finger
                did = self._one_step(look)
            if not did:
                self.table.phones[0].wait_for_timeout(100)
            self.check()
        state = self.table.live.snapshot.state
        asked = [str(each.question.kind) for each in state.questions]
        raise AssertionError(f"nobody can finish the hand: {state.phase}, asked {asked}")

    def _settled(self) -> int:
        return sum(
            isinstance(entry.event, Settled) and bool(entry.event.winners)
            for entry in self.table.live.entries()
        )

    def _come_back(self, seat: int) -> None:
        context = self.table.phones[seat].context
        context.set_offline(False)
        self.table.phones[seat].close()
        page = self.table.phones[seat] = context.new_page()
        self.table.listen(self.table, page)
        self._go_home(page, seat)

    def _one_step(self, look: int) -> bool:
        """Whether somebody found something sensible to do."""
        for seat, page in enumerate(self.table.phones):  # a picture that was kept led somebody away
            if "/seat/" not in page.url:
                self._go_home(page, seat)
        return (
            self._answer_what_is_asked(look)
            or self._tap_what_invites()
            or self._lay_down_what_counts()
            or self._win(look)
        )

    def _answer_what_is_asked(self, look: int) -> bool:
        for page in self.table.phones:
            answers = page.locator("#asked .choices button:visible:enabled")
            if answers.count():
                answers.nth(look % answers.count()).tap(timeout=TAP_MS)
                page.wait_for_timeout(200)
                return True
        return False

    def _tap_what_invites(self) -> bool:
        for what in (".turn-birds", ".accept", ".next-game"):
            for seat, page in enumerate(self.table.phones):
                button = page.locator(f"#mine {what}:visible")
                if button.count():
                    button.first.tap(timeout=TAP_MS)
                    if what == ".turn-birds":
                        self._turn_birds(page, seat)
                    return True
        return False

    def _lay_down_what_counts(self) -> bool:
        """Where the others' hands count, too, once one has won."""
        told = {each.seat for each in self.table.live.snapshot.state.told}
        if self.table.live.snapshot.rules.settle_values is None or not told:
            return False
        left = [seat for seat in SEATS if seat not in told]
        if left:
            self._lay_down(left[0])
        return bool(left)

    def _win(self, look: int) -> bool:
        if self.table.live.snapshot.state.phase is Phase.SHOWING:
            return False
        self._show(2 if look % 2 else 3)
        return True

    def _show(self, seat: int) -> None:
        """A win, tile by tile, and what the page asks about it."""
        page = self.table.phones[seat]
        tiles, wins_on = HANDS[self.rules]
        self._tap_tiles(page, tiles + wins_on)
        last = page.locator(f"[data-group=hand] .piece:has(img[data-tile='{wins_on}'])").last
        if not page.locator(f".piece.won img[data-tile='{wins_on}']").count():
            last.tap(timeout=TAP_MS)
            won = page.locator("#faces .won:visible")
            if won.count():
                won.tap(timeout=TAP_MS)
        self._send(page)
        birds = page.locator("#birds:visible")
        for _ in range(PATIENCE):
            if "/photo" not in page.url or birds.count():
                break
            page.wait_for_timeout(50)
        if "/photo" in page.url:
            self._turn_birds(page, seat)

    def _lay_down(self, seat: int) -> None:
        """A hand that did not win, where it counts."""
        self._tap_tiles(self.table.phones[seat], LOST)
        self._send(self.table.phones[seat])
        self._go_home(self.table.phones[seat], seat)

    def _tap_tiles(self, page: Page, tiles: str) -> None:
        """From wherever the page is: a picture that was kept may have led it away."""
        by_hand = page.locator("#take .by-hand:visible")
        for _ in range(PATIENCE):
            if by_hand.count():
                break
            way = page.locator("#mine .links a:visible, #hand .again:visible")
            with suppress(Error):
                way.first.tap(timeout=TAP_MS) if way.count() else page.wait_for_timeout(100)
        by_hand.tap(timeout=TAP_MS)
        for tile in parse_tiles(tiles):
            page.locator(f"#pad .face[data-key='{tile}']").tap(timeout=TAP_MS)

    def _send(self, page: Page) -> None:
        send = page.locator("#worth .send:visible:enabled")
        for _ in range(6):
            if send.count():
                break
            self._answer(page)
        send.tap(timeout=TAP_MS)

    def _answer(self, page: Page) -> None:
        """The first answer that is no other player's tile; an east wind where a face is asked."""
        for ask in page.locator("#asks .ask:visible").all():
            faces = ask.locator(".face[data-face='E']")
            choice = faces if faces.count() else ask.get_by_role("button")
            if choice.count() and not ask.locator("[aria-pressed=true]").count():
                choice.first.tap(timeout=TAP_MS)
        page.wait_for_timeout(200)

    def _turn_birds(self, page: Page, seat: int) -> None:
        page.wait_for_url("**/photo", timeout=TAP_MS)
        faces = page.locator("#birds .face:visible")
        faces.first.wait_for(timeout=TAP_MS)
        for _ in range(12):
            if not page.locator("#birds:visible").count():
                break
            if page.locator("#birds .send:visible:enabled").count():
                page.locator("#birds .send").tap(timeout=TAP_MS)
                page.wait_for_timeout(300)
                break
            faces.nth(self.random.randrange(faces.count())).tap(timeout=TAP_MS)
        self._go_home(page, seat)

    def _go_home(self, page: Page, seat: int) -> None:
        """To the own page, where the page does not lead there by itself."""
        for _ in range(3):
            with suppress(Error):  # a picture that was kept leads to its own page first
                page.wait_for_url(f"**/seat/{seat}", timeout=1000)
                return
            with suppress(Error):
                page.goto(f"{self.table.url}seat/{seat}")
        raise AssertionError(f"{NAMES[seat]} does not get to the own page from {page.url}")
