"""Everything outside that is told of a table, as its settings say: a broker, a webhook.

Nothing at the table waits for any of them. What is wrong with one is said among the sources.
"""

import logging
import threading
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from table_assist.contract.health import SourceHealth
from table_assist.contract.snapshot import Snapshot
from table_assist.contract.view import View, words_view
from table_assist.languages.words import NOTHING, Words, joined, phrase
from table_assist.live.live_table import LiveTable
from table_assist.record.history import PlayedHand, played_hands
from table_assist.settings.config import Config
from web.access.roles import STRANGER
from web.outside.webhook import WebhookOutlet, open_key
from web.secrecy.secrecy import masked
from web.view.sentences import headline
from web.view.vocabulary import player, signed, with_placeholders

if TYPE_CHECKING:
    from web.outside.mqtt import MqttOutlet

# How the table stands, for machines outside: what the television shows, in few words.
#
# It is made of the television's view and of nothing else: a treasure that is hidden from anybody,
# and what nobody but a player may see of a hand, are not in it.

UNSEEN = ("stale", "covered", "lost", "unread")


def standing(snapshot: Snapshot, last_win: PlayedHand | None) -> View:
    """The table's standing as everybody may know it.

    Args:
        snapshot: as the session has it; what is hidden is taken out here.
        last_win: the last hand that somebody won; None where nobody has.
    """
    shown = masked(snapshot, STRANGER)
    state, names = shown.state, shown.names
    camera = next((each for each in shown.health if each.name == "camera"), None)
    asked = [(each.question, with_placeholders(each.text, names)) for each in state.questions]
    return {
        "table": words_view(headline(shown)),
        "rules": words_view(shown.rules.names),
        "hand": state.hand,
        "phase": state.phase.value,
        "seats": [
            {"name": words_view(player(names, seat)), "score": state.scores[seat]}
            for seat in range(len(names))
        ],
        "question_open": bool(asked),
        "questions": [{"id": str(id), "text": words_view(text)} for id, text in asked],
        "camera": "none" if camera is None else camera.status,
        "camera_lost": camera is not None and camera.status in UNSEEN,
        "camera_says": words_view(NOTHING if camera is None else camera.says),
        "last_win": None if last_win is None else last_win_view(shown, last_win),
    }


def last_win_view(snapshot: Snapshot, played: PlayedHand) -> View:
    """The winners and the transfers, by the names that the players have now."""
    seats = [snapshot.state.people.index(person) for person in played.winners]
    won = [
        Words("{who} {points}", "{who} {points}", who=who, points=signed(points))
        for seat in seats
        for who, points in [
            (player(snapshot.names, seat), played.transfers[snapshot.state.people[seat]])
        ]
    ]
    return {
        "hand": played.hand,
        "text": words_view(joined(won)),
        "winners": [words_view(player(snapshot.names, seat)) for seat in seats],
        "t": played.ended_s,
    }


logger = logging.getLogger(__name__)

LOOK_S = 0.5
KEY, TOLD = ".webhook-key", ".webhook-told"  # behind the log's name
NO_LIBRARY = phrase("outlets.package_paho_mqtt")


class Outlets:
    """All of one table's.

    Args:
        tell: takes how each is doing, whenever that changes.
    """

    def __init__(
        self, config: Config, source: LiveTable, tell: Callable[[SourceHealth], None]
    ) -> None:
        self._source = source
        self._tell = tell
        self._told: dict[str, SourceHealth] = {}
        self._broker = self._open_broker(config)
        webhook = self._open_webhook(config)
        self._all = [each for each in (self._broker, webhook) if each is not None]
        self._last_win: tuple[object, PlayedHand | None] = (None, None)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="outlets", daemon=True)

    def start(self) -> None:
        """Begin; nothing, where nobody is to be told."""
        for each in self._all:
            each.start()
        if self._all:
            self._thread.start()

    def stop(self) -> None:
        """End all of them."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        for each in self._all:
            each.stop()

    def _open_broker(self, config: Config) -> "MqttOutlet | None":
        if not config.mqtt.broker:
            return None
        if find_spec("paho") is None:
            self._say(SourceHealth("mqtt", "lost", NO_LIBRARY))
            return None
        from web.outside.mqtt import MqttOutlet

        try:
            return MqttOutlet(config.mqtt, self._source)
        except ValueError as error:
            self._say(_unusable("mqtt", error))
            return None

    def _open_webhook(self, config: Config) -> WebhookOutlet | None:
        address, log = config.webhook.address, config.log.path
        if not address:
            return None
        try:
            key = open_key(Path(config.webhook.key or log + KEY))
        except (OSError, ValueError) as error:
            self._say(_unusable("webhook", error))
            return None
        return WebhookOutlet(address, key, Path(log + TOLD), self._source)

    def _run(self) -> None:
        version = -1
        while not self._stop.is_set():
            try:
                version = self._look(version)
            except Exception:
                logger.exception("what is outside could not be told")
                self._stop.wait(LOOK_S)

    def _look(self, version: int) -> int:
        seen = self._source.version  # read first: its snapshot may be newer, never older
        snapshot = self._source.wait(version, LOOK_S)
        for each in self._all:
            self._say(each.health)
        if snapshot is None:
            return version
        if self._broker is not None:
            if self._last_win[0] != snapshot.history:
                self._last_win = snapshot.history, last_win(self._source)
            self._broker.show(standing(snapshot, self._last_win[1]))
        return max(seen, version)

    def _say(self, health: SourceHealth) -> None:
        if self._told.get(health.name) != health:
            self._told[health.name] = health
            self._tell(health)


def last_win(source: LiveTable) -> PlayedHand | None:
    """The last hand that somebody won, as it is recorded now."""
    return next((each for each in reversed(played_hands(source.entries())) if each.winners), None)


def _unusable(name: str, error: Exception) -> SourceHealth:
    return SourceHealth(name, "lost", Words("{error}.", "设置无法使用：{error}。", error=error))
