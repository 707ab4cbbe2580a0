"""The table's settings: one TOML file becomes frozen records; an unknown key is an error.

Every message names the key. Relative paths are taken from the file's own folder.
"""

import codecs
import os
import re
import time
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any, NewType, get_type_hints
from zoneinfo import ZoneInfo

from table_assist.game.acceptance import AcceptedBy
from table_assist.game.people import alike
from table_assist.languages.words import UNSHOWN, UserError, clean_name
from table_assist.trust.installation import (
    BOARD_SCHEMES,
    BROKER_SCHEMES,
    CAMERA_SCHEMES,
    Address,
    without_secrets,
)

Corners = tuple[tuple[float, float], ...]
# How discards lie: rows before each seat, or all of them anywhere in the middle.
RIVER_STYLES = ("rows", "heap")


NO_ADDRESS = Address()
# Of something on the table, mm; 0: there is none, or nobody knows.
Length = NewType("Length", float)
NONE_MM = Length(0.0)
_WORTH = re.compile(r"\d{1,6}(\.\d{1,6})?", re.ASCII)
_TOPIC = re.compile(r"[\w-]+(/[\w-]+)*", re.ASCII)
# Changes when a file can no longer be read as before; it stands at the file's top.
CONFIG_FORMAT = 1


class ConfigFault(StrEnum):
    """What is wrong with the settings."""

    UNREADABLE = "unreadable"
    NO_TOML = "no_toml"
    UNKNOWN_KEY = "unknown_key"
    VALUE = "value"
    MISSING = "missing"


class ConfigError(UserError, ValueError):
    """The settings cannot be used; the message is one sentence naming the key.

    Attributes:
        key: as ``camera.source``; empty where no key is to blame.
        option: of the rules, that the key's value names.
        line: of the file, from 1; 0 where it is not known.
        wanted: what the value must be, and what it is.
    """

    def __init__(
        self,
        sentence: str,
        key: str = "",
        fault: ConfigFault = ConfigFault.VALUE,
        *,
        option: str = "",
        line: int = 0,
        wanted: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.key, self.fault, self.option = key, fault, option
        self.line, self.wanted = line, wanted


def no_toml(sentence: str, error: Exception) -> ConfigError:
    """The error of a text that is no TOML; `tomllib` tells the line in its sentence alone."""
    at = re.search(r"at line (\d+)", str(error))
    return ConfigError(sentence, fault=ConfigFault.NO_TOML, line=int(at[1]) if at else 0)


def _not_wanted(key: str, wanted: str, got: str) -> ConfigError:
    return ConfigError(f"{key} must be {wanted}, got {got}", key, wanted=(wanted, got))


def _refuse_scheme(key: str, address: Address, known: tuple[str, ...]) -> None:
    if address.scheme and address.scheme not in known:
        raise ConfigError(f"{key} is {address}; an address there may be {', '.join(known)}", key)


def _refuse_other(key: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise ConfigError(f"{key} is {value!r}; it is one of {', '.join(known)}", key)


@dataclass(frozen=True, slots=True)
class RulesConfig:
    """Which rules are played.

    Attributes:
        profile: a house profile's file, which names rule set and options itself; empty for none.
        options: house rules by name; each rule set says which it has.
        name: what the house calls its rules; empty for the rule set's own name.
        house: the id that goes with the name; empty for one that is made of it.
        settle_after_s: a settlement that is sure, and about which nothing is asked, is accepted by
            itself after so many seconds; 0: at once.
        accepted_by: who accepts one that waits for people, each on the own phone: ``payers`` (all
            of them), ``two`` (any two, one of whom does not gain), or ``seen`` (everybody has had
            it in view for a while, and nobody objected).
    """

    profile: str = ""
    id: str = "changsha"
    options: Mapping[str, bool | int | str] = field(default_factory=dict)
    name: str = ""
    house: str = ""
    settle_after_s: float = 8.0
    accepted_by: str = AcceptedBy.PAYERS.value

    def __post_init__(self) -> None:
        _refuse_other("rules.accepted_by", self.accepted_by, [each.value for each in AcceptedBy])


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Where pictures come from.

    Attributes:
        source: a camera's number, a video file, a folder of pictures, an rtsp:// or http:// URL;
            ``phone`` for phones that are let in as cameras; empty for no camera.
        corners: the table's corners in the picture as [x, y]: near left, near right, far right,
            far left, as seat 0 sees them.
        side_mm: the length of the table's side between the corners.
        stale_s: without a new picture for this long, what is shown is called stale.
        mirrored: it looks into a mirror; its pictures are turned round before they are read.
        calibration: the file that `calibrate` keeps the corners in; they count when ``corners``
            is empty. It lies beside the settings if not said.
    """

    source: Address = NO_ADDRESS
    corners: Corners = ()
    side_mm: float = 800.0
    stale_s: float = 1.5
    mirrored: bool = False
    calibration: str = ""

    def __post_init__(self) -> None:
        _refuse_scheme("camera.source", self.source, CAMERA_SCHEMES)


@dataclass(frozen=True, slots=True)
class EyesConfig:
    """How tiles are read.

    Attributes:
        set: the tile set on the table, as it was called in `enrol`; empty for none.
        learns: the table learns its set while it is played with; small pictures of single tiles
            are kept beside the log.
        tile_mm: how wide a tile of it is, on a table of ``camera.side_mm``; 0: as it is measured.
    """

    set: str = ""
    learns: bool = True
    tile_mm: Length = NONE_MM


@dataclass(frozen=True, slots=True)
class BoardConfig:
    """The source of keys, dice and wall.

    Attributes:
        kind: a ``serial`` board, or the name of a source that an installed package brings.
        port: a device, any serial URL, or ``usb:VENDOR:PRODUCT``; empty for no board.
        silent_s: a board that says nothing for this long is lost (it reports twice a second).
    """

    port: Address = NO_ADDRESS
    baud: int = 115200
    silent_s: float = 3.0
    kind: str = "serial"

    @property
    def is_there(self) -> bool:
        """Whether the table has one, or what stands for it."""
        return bool(self.port) or self.kind != "serial"

    def __post_init__(self) -> None:
        _refuse_scheme("board.port", self.port, BOARD_SCHEMES)


@dataclass(frozen=True, slots=True)
class SeatsConfig:
    """The players' names, counter-clockwise from seat 0."""

    names: tuple[str, ...] = ("Seat 1", "Seat 2", "Seat 3", "Seat 4")


@dataclass(frozen=True, slots=True)
class ZonesConfig:
    """Borders between the zones, in mm from the table's centre, growing outwards.

    Attributes:
        river_style: ``rows`` of discards before each seat, or one ``heap`` of all in the middle.
        well: the radius of the window in the table's middle under which its dice lie, mm; 0: they
            are thrown on the cloth.
    """

    centre: float = 76.0
    river: float = 226.0
    wall: float = 274.0
    melds: float = 331.0
    edge: float = 400.0
    river_style: str = "rows"
    well: Length = NONE_MM

    def __post_init__(self) -> None:
        _refuse_other("zones.river_style", self.river_style, RIVER_STYLES)


@dataclass(frozen=True, slots=True)
class LogConfig:
    """Where the record of the evening is kept.

    Attributes:
        evidence_mb: of pictures of what was decided or doubted, kept in a file beside the log.
        evidence_days: how long they are kept; disputed hands' until somebody deletes them.
        zone: where the table stands, as ``Europe/Berlin``; empty for this machine's own zone.
    """

    path: str = "table-assist.sqlite"
    zone: str = ""
    evidence_mb: int = 1000
    evidence_days: int = 90

    def __post_init__(self) -> None:
        try:
            ZoneInfo(self.zone or "UTC")
        except (KeyError, ValueError, OSError) as error:
            raise ConfigError(
                f"log.zone is no zone such as Europe/Berlin: {self.zone!r}"
            ) from error


@dataclass(frozen=True, slots=True)
class BackupConfig:
    """Copies that are made by themselves: every day, after a game, before an upgrade.

    Attributes:
        folder: where they are kept; empty for none.
        keep: how many of each occasion.
        evidence: with the pictures that were kept of doubts and decisions.
    """

    folder: str = "backups"
    keep: int = 10
    evidence: bool = False


@dataclass(frozen=True, slots=True)
class MqttConfig:
    """A broker that is told how the table stands, as for Home Assistant.

    Attributes:
        broker: its mqtt:// or mqtts:// address, with user and password; empty: nobody is told.
        ca: a PEM file with the certificate that speaks for it; empty for those of the system.
        topic: everything is told below it; another one for each table at the broker.
        discovery: where Home Assistant looks for what there is; empty: it is not told.
        language: of what Home Assistant shows, ``en`` or ``zh``.
        commands: whether the broker's clients may accept a settlement.
    """

    broker: Address = NO_ADDRESS
    ca: str = ""
    topic: str = "table-assist"
    discovery: str = "homeassistant"
    language: str = "en"
    commands: bool = False

    def __post_init__(self) -> None:
        if self.broker and self.broker.scheme not in BROKER_SCHEMES:
            raise ConfigError(
                f"mqtt.broker is {self.broker}; it begins with mqtts:// or mqtt://", "mqtt.broker"
            )
        for key, topic in (("topic", self.topic), ("discovery", self.discovery)):
            if not _TOPIC.fullmatch(topic) and (key == "topic" or topic):
                raise ConfigError(
                    f"mqtt.{key} is {topic!r}; it may hold letters, digits, _ and -, parted by /",
                    f"mqtt.{key}",
                )
        _refuse_other("mqtt.language", self.language, ("en", "zh"))


@dataclass(frozen=True, slots=True)
class WebhookConfig:
    """The address that is told of each settled hand.

    Attributes:
        address: an https:// or http:// address; empty: nobody is told.
        key: the file with the key by which messages are signed; it is made beside the log if not
            said.
    """

    address: Address = NO_ADDRESS
    key: str = ""

    def __post_init__(self) -> None:
        if self.address and self.address.scheme not in ("http", "https"):
            raise ConfigError(
                f"webhook.address is {self.address}; it begins with https:// or http://",
                "webhook.address",
            )


@dataclass(frozen=True, slots=True)
class ClubConfig:
    """The club's permissions beside the log.

    Attributes:
        pictures: of won hands, where the club asks for one: the camera's, of the hand alone.
    """

    pictures: bool = False


@dataclass(frozen=True, slots=True)
class MoneyConfig:
    """The money that a point is worth, where the house plays for some.

    Attributes:
        point_worth: a decimal such as ``0.05``, as text, so that every sum is exact; empty: none.
        currency: stands behind every sum.
    """

    point_worth: str = ""
    currency: str = ""

    def __post_init__(self) -> None:
        if self.point_worth and not _WORTH.fullmatch(self.point_worth):
            raise ConfigError(
                f'money.point_worth is {self.point_worth!r}; it is a decimal in quotes, as "0.05"',
                "money.point_worth",
            )

    def amount(self, points: int) -> str:
        """The exact sum: nothing is rounded.

        >>> MoneyConfig("0.05", "€").amount(133), MoneyConfig().amount(133)
        ('6.65 €', '')
        """
        if not self.point_worth:
            return ""
        return f"{Decimal(self.point_worth) * points:f} {self.currency}".strip()


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of one table."""

    rules: RulesConfig = RulesConfig()
    camera: CameraConfig = CameraConfig()
    eyes: EyesConfig = EyesConfig()
    board: BoardConfig = BoardConfig()
    seats: SeatsConfig = SeatsConfig()
    zones: ZonesConfig = ZonesConfig()
    log: LogConfig = LogConfig()
    backup: BackupConfig = BackupConfig()
    mqtt: MqttConfig = MqttConfig()
    webhook: WebhookConfig = WebhookConfig()
    club: ClubConfig = ClubConfig()
    money: MoneyConfig = MoneyConfig()


def decoded(data: bytes, errors: str = "strict") -> str:
    """A text as an editor keeps it: UTF-8, or what its first bytes say, as Windows has it."""
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if is_wide else "utf-8-sig", errors)


def load_config(path: Path) -> Config:
    """Read the file.

    Raises:
        ConfigError: it cannot be read, is no TOML, or a key is unknown or wrong.
    """
    try:
        table = tomllib.loads(decoded(path.read_bytes()))
    except OSError as error:
        raise ConfigError(
            f"the settings {path} cannot be read: {error.strerror}", fault=ConfigFault.UNREADABLE
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise no_toml(f"the settings {path} are no TOML: {error}", error) from error
    config = parse_config(table, folder=path.parent)
    if config.log.zone and hasattr(time, "tzset"):  # Windows has its own setting alone
        os.environ["TZ"] = config.log.zone
        time.tzset()
    return with_calibration(config, path)


def with_calibration(config: Config, settings: Path) -> Config:
    """The settings with the place of the corners that `calibrate` keeps."""
    if config.camera.calibration:
        return config
    beside = str(settings.with_suffix(".calibration.json"))
    return replace(config, camera=replace(config.camera, calibration=beside))


def parse_config(table: Mapping[str, Any], folder: Path = Path()) -> Config:
    """Settings from a parsed TOML table.

    >>> parse_config({"seats": {"names": ["A", "B", "C", "D"]}}).seats.names
    ('A', 'B', 'C', 'D')

    Raises:
        ConfigError: a key is unknown or its value is of the wrong kind.
    """
    sections = get_type_hints(Config)
    version = table.get("format", CONFIG_FORMAT)
    if version != CONFIG_FORMAT:
        raise ConfigError(
            f"format is {version!r}; this program knows {CONFIG_FORMAT}: install the newer",
            "format",
        )
    _refuse_unknown(table, {*sections, "format"}, "")
    config = Config(
        **{name: _section(kind, table.get(name, {}), name) for name, kind in sections.items()}
    )
    names = config.seats.names
    if len(names) != 4:
        raise _not_wanted("seats.names", "four names", ", ".join(names))
    for seat, name in enumerate(names):
        if not clean_name(name):
            raise ConfigError(f"seats.names has {name!a}: {UNSHOWN.en}", "seats.names")
        if alike(name, seat, names):
            raise ConfigError(f"seats.names has {name!a}, as another is called", "seats.names")
    if config.camera.corners and len(config.camera.corners) != 4:
        raise _not_wanted("camera.corners", "four [x, y] pairs", str(len(config.camera.corners)))
    rules = config.rules
    if rules.profile:
        beside = sorted(set(table["rules"]) - {"profile", "settle_after_s", "accepted_by"})
        if beside:
            raise ConfigError(
                f"rules.{beside[0]} cannot stand beside rules.profile", f"rules.{beside[0]}"
            )
        rules = replace(rules, profile=str(folder / rules.profile))
    return _beside(replace(config, rules=rules), folder)


def _beside(config: Config, folder: Path) -> Config:
    """The settings with every file and folder as it is found from here."""

    def found(name: str) -> str:
        return str(folder / name) if name else ""

    return replace(
        config,
        camera=replace(config.camera, calibration=found(config.camera.calibration)),
        log=replace(config.log, path=found(config.log.path)),
        backup=replace(config.backup, folder=found(config.backup.folder)),
        mqtt=replace(config.mqtt, ca=found(config.mqtt.ca)),
        webhook=replace(config.webhook, key=found(config.webhook.key)),
    )


def _section(kind: type, table: object, name: str) -> Any:
    if not isinstance(table, Mapping):
        raise _not_wanted(name, "a table", without_secrets(repr(table)))
    hints = get_type_hints(kind)
    _refuse_unknown(table, {f.name for f in fields(kind)}, f"{name}.")
    return kind(**{key: _value(hints[key], value, f"{name}.{key}") for key, value in table.items()})


def _refuse_unknown(table: Mapping[str, Any], known: set[str], prefix: str) -> None:
    for key in table:
        if key not in known:
            raise ConfigError(
                f"there is no setting {prefix}{key}; there are {', '.join(sorted(known))}",
                f"{prefix}{key}",
                ConfigFault.UNKNOWN_KEY,
            )


def _value(hint: Any, value: Any, key: str) -> Any:
    """The value as the record's field wants it."""
    if hint == Corners:
        try:
            return tuple((float(x), float(y)) for x, y in value)
        except (TypeError, ValueError) as error:
            raise _not_wanted(key, "four [x, y] pairs", repr(value)) from error
    if key == "camera.source" and type(value) is int:
        return Address(str(value))
    if key == "rules.settle_after_s" and type(value) in (int, float) and value == 0:
        return 0.0
    wanted, fits, convert = _FIELD_KINDS.get(hint, _TABLE_FIELD)
    if not fits(value):
        raise _not_wanted(key, wanted, without_secrets(repr(value)))
    return convert(value)


_TABLE_FIELD: tuple[str, Callable[[Any], bool], Callable[[Any], Any]] = (
    "a table",
    lambda value: isinstance(value, dict),
    dict,
)
# Each kind of field: its name, the values that it accepts, and how a value is kept.
_FIELD_KINDS: dict[Any, tuple[str, Callable[[Any], bool], Callable[[Any], Any]]] = {
    str: ("text", lambda value: isinstance(value, str), str),
    Address: ("text", lambda value: isinstance(value, str), Address),
    bool: ("true or false", lambda value: isinstance(value, bool), bool),
    int: ("a whole number above 0", lambda value: type(value) is int and value > 0, int),
    Length: (
        "a number from 0 on",
        lambda value: type(value) in (int, float) and value >= 0,
        Length,
    ),
    float: ("a number above 0", lambda value: type(value) in (int, float) and value > 0, float),
    tuple[str, ...]: (
        "a list of texts",
        lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
        tuple,
    ),
}
