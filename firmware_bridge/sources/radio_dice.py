"""Bluetooth dice, through the packages of their makers' friends: extra ``dice``.

A thread with an event loop of its own follows each die for as long as it is wanted, and finds it
again when it was out of reach. GoDice are found by their Bluetooth address, Pixels by their name.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from firmware_bridge.events import DiceReport
from firmware_bridge.receiver import Reading
from firmware_bridge.sources.dice_set import DiceSet, Die, DieMotion
from firmware_bridge.sources.numbered import Numbered

logger = logging.getLogger(__name__)

BATTERY_EVERY_S = 60.0
ANSWER_S = 10.0
RETRY_S = 5.0


@dataclass(frozen=True, slots=True)
class Hearer:
    """The hearer of a die's adapter: how it lies, its battery, whether it is in reach."""

    move: Callable[[DieMotion, int | None], None]
    battery: Callable[[int], None]
    connected: Callable[[bool], None]


# Follows one die until it is out of reach, which it tells by returning or raising.
Follow = Callable[[str, Hearer], Awaitable[None]]


class RadioDice:
    """The Bluetooth dice of one table; throws go to ``deliver``, on the dice's own thread."""

    def __init__(
        self,
        dice: dict[str, Follow],
        deliver: Callable[[Reading], None],
        *,
        side: int = 0,
        retry_s: float = RETRY_S,
    ) -> None:
        """Know the dice.

        Args:
            dice: each die's address or name, and how it is followed.
            deliver: takes the readings; should be quick.
            side: what the readings say; radio dice do not know who has thrown them.
            retry_s: after so long, a die out of reach is looked for again.
        """
        self._follow = dice
        self._deliver = deliver
        self._retry_s = retry_s
        self._set = DiceSet(tuple(dice), side=side)
        self._numbered = Numbered(steady=time.monotonic, wall_clock=time.time)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="radio dice", daemon=True)
        self._stop = asyncio.Event()

    def start(self) -> None:
        """Begin to look for the dice."""
        self._thread.start()

    def stop(self) -> None:
        """Let the dice go."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()

    @property
    def dice(self) -> tuple[Die, ...]:
        """How they lie, and their batteries. From any thread."""
        return self._set.dice

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._follow_all())
        finally:
            self._loop.close()

    async def _follow_all(self) -> None:
        tasks = [
            asyncio.create_task(self._follow_one(name, follow))
            for name, follow in self._follow.items()
        ]
        await self._stop.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow_one(self, name: str, follow: Follow) -> None:
        hearer = Hearer(
            move=lambda motion, value: self._move(name, motion, value),
            battery=lambda percent: self._set.tell_battery(name, percent),
            connected=lambda is_there: self._set.connect(name, is_connected=is_there),
        )
        while True:
            try:
                await follow(name, hearer)
            except Exception as error:  # whatever a radio's driver raises: it is tried again
                logger.info("The die %s is not in reach: %s", name, error)
            finally:
                self._set.connect(name, is_connected=False)
            await asyncio.sleep(self._retry_s)

    def _move(self, name: str, motion: DieMotion, value: int | None) -> None:
        thrown = self._set.move(name, motion, value, time.monotonic())
        if isinstance(thrown, DiceReport):
            try:
                self._deliver(self._numbered.reading(thrown))
            except Exception:
                logger.exception("The program could not take %s", thrown)


async def follow_godice(address: str, hearer: Hearer) -> None:
    """Follow a GoDice with a six-sided shell, through the package ``godice``."""
    import godice

    gone = asyncio.Event()
    motions = {
        godice.StabilityDescriptor.ROLLING: DieMotion.ROLLING,
        godice.StabilityDescriptor.STABLE: DieMotion.SETTLED,
        godice.StabilityDescriptor.MOVE_STABLE: DieMotion.SETTLED,  # pushed, perhaps by another die
        godice.StabilityDescriptor.TILT_STABLE: DieMotion.CROOKED,
        godice.StabilityDescriptor.FAKE_STABLE: DieMotion.HANDLED,
    }

    async def move(value: int, descriptor: object) -> None:
        hearer.move(motions.get(descriptor, DieMotion.UNKNOWN), value)

    def lose(client: object) -> None:
        gone.set()

    async with godice.create(address, godice.Shell.D6, disconnect_cb=lose) as die:
        await die.subscribe_number_notification(move)
        hearer.connected(True)
        while not gone.is_set():
            hearer.battery(await asyncio.wait_for(die.get_battery_level(), ANSWER_S))
            await _wait(gone, BATTERY_EVERY_S)


async def follow_pixels(name: str, hearer: Hearer) -> None:
    """Follow a Pixels die with six faces, through the package ``nat20``."""
    gone = asyncio.Event()
    # The protocol's numbers, of which the package names 0 to 4: unknown, rolled, handling, rolling,
    # crooked, on a face without having been rolled.
    motions = {
        1: DieMotion.SETTLED,
        2: DieMotion.HANDLED,
        3: DieMotion.ROLLING,
        4: DieMotion.CROOKED,
    }

    def move(pixel: object, told: Any) -> None:
        hearer.move(motions.get(int(told.state), DieMotion.UNKNOWN), told.face + 1)

    def lose(*_: object) -> None:
        gone.set()

    die = (await _find_pixels(name)).hydrate()
    die.got_roll_state.handler(move)
    die.disconnected.handler(lose)
    await die.connect()
    try:
        hearer.connected(True)
        while not gone.is_set():
            told = await asyncio.wait_for(die.get_battery_level(), ANSWER_S)
            hearer.battery(told.level)
            await _wait(gone, BATTERY_EVERY_S)
    finally:
        await die.disconnect()


async def _find_pixels(name: str) -> Any:
    import nat20

    async for found in nat20.scan_for_dice():
        if found.name == name:
            return found
    raise LookupError(f"the search for the die {name} has ended")


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return
