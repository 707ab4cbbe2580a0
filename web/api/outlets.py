"""Everything outside that is told of a table, as its settings say: a broker, a webhook.

Nothing at the table waits for any of them. What is wrong with one is said among the sources.
"""

import logging
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from table_assist.languages.words import NOTHING, View, Words, joined, phrase, words_view
from table_assist.live.live_table import LiveTable
from table_assist.parts import VERSION
from table_assist.record.commands import NotKeptError, Settle
from table_assist.record.export import PlayedHand, played_hands
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.settings.config import Config, MqttConfig
from web.access.roles import STRANGER
from web.answers import to_json
from web.api.webhook import WebhookOutlet, open_key
from web.view.secrecy import masked
from web.view.sentences import headline
from web.view.vocabulary import player, signed, with_placeholders

if TYPE_CHECKING:
    import paho.mqtt.client as paho
    from paho.mqtt.reasoncodes import ReasonCode

# The things that Home Assistant is told of (MQTT discovery): a kept message for each.
#
# The templates are constants: a player's name is only ever a value, never a part of one.
# Source: Home Assistant's documentation of MQTT discovery, and of its sensor, binary_sensor and
# button over MQTT.

LONGEST_STATE = 250  # letters that a state in Home Assistant may have, nearly
_SCORE = Words("Score of {name}", "{name} 的分数")
_QUESTION = Words("Question open", "有待答问题")
_STATE = Words("Table", "牌桌")


@dataclass(frozen=True, slots=True)
class Topics:
    """Where everything is told.

    >>> Topics("club/table-2").state
    'club/table-2/state'
    """

    base: str

    @property
    def state(self) -> str:
        """How the table stands, as JSON; kept."""
        return f"{self.base}/state"

    @property
    def availability(self) -> str:
        """``online`` or ``offline``; kept, and the broker says the last by itself."""
        return f"{self.base}/availability"

    @property
    def command(self) -> str:
        """Where commands are taken, if they are."""
        return f"{self.base}/command"


def discovery(
    standing: View, topics: Topics, prefix: str, language: str, *, commands: bool
) -> dict[str, View]:
    """Topic and message of each thing; an empty message takes back what is not offered.

    Args:
        standing: as `standing.standing` made it; the players' names are taken from it.
        prefix: where Home Assistant looks.
    """
    node = topics.base.replace("/", "_")
    common: View = {
        "availability_topic": topics.availability,
        "device": {
            "identifiers": [node],
            "name": f"{_said(Words('Mahjong table', '麻将桌'), language)} ({topics.base})",
            "manufacturer": "table-assist",
            "sw_version": VERSION,
        },
        "origin": {"name": "table-assist", "sw_version": VERSION},
    }

    def thing(kind: str, id: str, name: str, **own: object) -> tuple[str, View]:
        told = {**common, "unique_id": f"{node}_{id}", "name": name, **own}
        return f"{prefix}/{kind}/{node}/{id}/config", told

    def seen(kind: str, id: str, name: str, template: str, **own: object) -> tuple[str, View]:
        return thing(kind, id, name, state_topic=topics.state, value_template=template, **own)

    text = f"value_json.{{}}.{language}[:{LONGEST_STATE}]"
    found = [
        seen("sensor", "table", _said(_STATE, language), _shown(text.format("table"))),
        seen(
            "sensor",
            "last_win",
            _said(Words("Last win", "上一次和牌"), language),
            "{{ " + text.format("last_win.text") + " if value_json.last_win else '' }}",
        ),
        seen("binary_sensor", "question_open", _said(_QUESTION, language), _flag("question_open")),
        seen(
            "binary_sensor",
            "camera_lost",
            _said(Words("Camera lost", "摄像头失联"), language),
            _flag("camera_lost"),
            device_class="problem",
        ),
    ]
    for seat, each in enumerate(standing["seats"]):
        name = _said(_SCORE, language).replace("{name}", each["name"][language])
        template = _shown(f"value_json.seats[{seat}].score")
        found.append(seen("sensor", f"score_{seat}", name, template, state_class="measurement"))
    accept = thing(
        "button",
        "settle",
        _said(Words("Accept the settlement", "确认结算"), language),
        command_topic=topics.command,
        payload_press="settle",
    )
    return {**dict(found), accept[0]: accept[1] if commands else {}}


def _said(words: Words, language: str) -> str:
    return words.zh if language == "zh" else words.en


def _shown(value: str) -> str:
    return "{{ " + value + " }}"


def _flag(name: str) -> str:
    return f"{{{{ 'ON' if value_json.{name} else 'OFF' }}}}"


PORTS = {"mqtt": 1883, "mqtts": 8883}
BROKER_SOONEST_S, BROKER_LATEST_S = 1, 60  # until it is tried again
KEEPALIVE_S = 30  # the broker notices within 1.5 of these that we are gone
BROKER_LEAVE_S = 2.0
MQTT_COMMANDS = {"settle": Settle()}
BY_MQTT = "MQTT"


class MqttOutlet:
    """One broker that is told.

    Args:
        source: for the commands, where they are wanted.

    Raises:
        ValueError: the address, or the certificate's file, cannot be used.
    """

    def __init__(
        self,
        config: MqttConfig,
        source: LiveTable,
        *,
        soonest_s: int = BROKER_SOONEST_S,
        latest_s: int = BROKER_LATEST_S,
    ) -> None:
        self._config = config
        self._source = source
        self._topics = Topics(config.topic)
        self._lock = threading.Lock()
        self._obeying = threading.Lock()  # one command at a time
        self._standing: View | None = None
        self._told: dict[str, str] = {}
        self._trouble = _no_answer(config)
        parts = urlsplit(config.broker.whole)
        self._host, self._port = parts.hostname or "", parts.port or PORTS[parts.scheme]
        if not self._host:
            raise ValueError(f"mqtt.broker names no machine: {config.broker}")
        from paho.mqtt.client import Client  # only where a broker is told: it is an extra
        from paho.mqtt.enums import CallbackAPIVersion

        client = Client(CallbackAPIVersion.VERSION2)
        client.reconnect_delay_set(soonest_s, latest_s)
        if parts.username is not None:
            client.username_pw_set(unquote(parts.username), unquote(parts.password or ""))
        client.will_set(self._topics.availability, "offline", qos=1, retain=True)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_connect_fail = self._on_connect_fail
        client.on_message = self._on_message
        self._client = client
        if parts.scheme == "mqtts":
            try:
                self._client.tls_set(config.ca or None)
            except (OSError, ssl.SSLError) as error:
                raise ValueError(f"mqtt.ca {config.ca} cannot be used: {error}") from error

    @property
    def health(self) -> SourceHealth:
        """For the people at the table."""
        return SourceHealth("mqtt", "lost" if self._trouble else "live", self._trouble)

    def start(self) -> None:
        """Begin; without an answer it is tried again and again."""
        self._client.connect_async(self._host, self._port, KEEPALIVE_S)
        self._client.loop_start()

    def stop(self) -> None:
        """Say goodbye, and end."""
        if self._client.is_connected():
            told = self._client.publish(self._topics.availability, "offline", qos=1, retain=True)
            try:
                told.wait_for_publish(BROKER_LEAVE_S)
            except (RuntimeError, ValueError):
                logger.warning("the MQTT broker was not told that the table is left")
        self._client.disconnect()
        self._client.loop_stop()

    def show(self, standing: View) -> None:
        """How the table stands now; only what differs from what the broker has is sent."""
        with self._lock:
            self._standing = standing
            self._tell_what_differs()

    # -- the library's thread ------------------------------------------------------------------

    def _on_connect(
        self, client: "paho.Client", _: Any, __: Any, reason: "ReasonCode", ___: Any
    ) -> None:
        if reason.is_failure:
            config = self._config
            said = config.broker.hide(str(reason))
            self._trouble = phrase(
                "outlets.mqtt_broker_refuses_check", broker=config.broker, said=said
            )
            return
        with self._lock:
            self._trouble = NOTHING
            self._told = {}
            if self._config.commands:
                client.subscribe(self._topics.command, qos=0)
            self._tell_what_differs()

    def _on_disconnect(self, _: Any, __: Any, ___: Any, reason: "ReasonCode", ____: Any) -> None:
        if reason.is_failure and not self._trouble:
            self._trouble = _no_answer(self._config)

    def _on_connect_fail(self, *_: Any) -> None:
        self._trouble = _no_answer(self._config)

    def _on_message(self, _: Any, __: Any, message: "paho.MQTTMessage") -> None:
        """A command, as somebody gives it now: one that a broker has kept is none."""
        command = MQTT_COMMANDS.get(message.payload.decode("utf-8", "replace"))
        if message.retain or command is None or not self._config.commands:
            logger.warning("what came by MQTT is no command: %d bytes", len(message.payload))
            return
        # The session may take seconds; the broker must hear from us meanwhile.
        if self._obeying.acquire(blocking=False):
            threading.Thread(target=self._obey, args=(command,), daemon=True).start()

    def _obey(self, command: Settle) -> None:
        try:
            why_not = self._source.submit(command, by=BY_MQTT)
        except NotKeptError as error:
            why_not = error.words
        finally:
            self._obeying.release()
        if why_not is not None:
            logger.warning("a command by MQTT was refused: %s", why_not.en)

    # -- telling ---------------------------------------------------------------------------------

    def _tell_what_differs(self) -> None:
        if self._standing is None or not self._client.is_connected():
            return
        wanted = {self._topics.state: to_json(self._standing)}
        if self._config.discovery:
            things = discovery(
                self._standing,
                self._topics,
                self._config.discovery,
                self._config.language,
                commands=self._config.commands,
            )
            said = {topic: to_json(thing) if thing else "" for topic, thing in things.items()}
            wanted = {**said, **wanted}
        wanted[self._topics.availability] = "online"  # last: what is kept is of now
        for topic, text in wanted.items():
            if self._told.get(topic) != text:
                # Unacknowledged: what is lost is told anew at the next connection, and the library
                # would send what waits for an acknowledgement again, after what is newer.
                self._client.publish(topic, text, qos=0, retain=True)
                self._told[topic] = text


def _no_answer(config: MqttConfig) -> Words:
    return phrase("outlets.mqtt_broker_does", broker=config.broker)


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
    people, names = snapshot.state.people, snapshot.names
    won = [(player(names, people.index(who)), played.transfers[who]) for who in played.winners]
    said = [
        Words("{who} {points}", "{who} {points}", who=who, points=signed(points))
        for who, points in won
    ]
    return {
        "hand": played.hand,
        "text": words_view(joined(said)),
        "winners": [words_view(who) for who, _ in won],
        "t": played.ended_s,
    }


logger = logging.getLogger(__name__)

OUTLET_LOOK_S = 0.5
KEY_SUFFIX, TOLD_SUFFIX = ".webhook-key", ".webhook-told"  # behind the log's name


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

    def _open_broker(self, config: Config) -> MqttOutlet | None:
        if not config.mqtt.broker:
            return None
        if find_spec("paho") is None:
            self._say(SourceHealth("mqtt", "lost", phrase("outlets.package_paho_mqtt")))
            return None
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
            key = open_key(Path(config.webhook.key or log + KEY_SUFFIX))
        except (OSError, ValueError) as error:
            self._say(_unusable("webhook", error))
            return None
        return WebhookOutlet(address, key, Path(log + TOLD_SUFFIX), self._source)

    def _run(self) -> None:
        version = -1
        while not self._stop.is_set():
            try:
                version = self._look(version)
            except Exception:
                logger.exception("what is outside could not be told")
                self._stop.wait(OUTLET_LOOK_S)

    def _look(self, version: int) -> int:
        seen = self._source.version  # read first: its snapshot may be newer, never older
        snapshot = self._source.wait(version, OUTLET_LOOK_S)
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
