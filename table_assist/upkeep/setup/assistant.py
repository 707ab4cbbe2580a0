"""The assistant that sets a table up: what its page shows, checks and writes."""

import hashlib
import threading
import time
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from table_assist.languages.words import View, Words, WordsError, words_view
from table_assist.live.camera_service import kept_calibrations, placed_at
from table_assist.live.phones import PhoneError, Phones
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sheet.sheet import make_sheet
from table_assist.settings.config import Config, ConfigError, parse_config, with_calibration
from table_assist.settings.edit import (
    REMOVED,
    SET_HERE,
    EditError,
    calibration_of,
    check,
    differing,
    edit,
    is_placed,
    layout_of,
    profile_of,
    read_text,
    write,
)
from table_assist.settings.trouble import trouble_of
from table_assist.trust.installation import without_secrets
from table_assist.upkeep.setup.trials import BoardTrial, CalibrationTrial, CameraTrial, EnrolTrial
from table_assist.upkeep.shelf import trouble_view
from table_assist.upkeep.table_service import Mode, RefusedError, TableService
from table_assist.vision.enrolment.files import list_sets, sets_folder
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import PHONE, CameraError, find_source
from table_assist.vision.reading.own_set import OwnSetError

# The assistant's choices: the values there are now, rule sets with their options, sheets.


def digest_of(text: str) -> str:
    """By which a page tells that the file was changed behind its back."""
    return hashlib.sha256(text.encode("utf-8", errors="replace")).hexdigest()[:16]


def values_view(config: Config, tell: Callable[[str], str]) -> View:
    """The settings' values that a form may change.

    Args:
        config: the settings.
        tell: makes of an address what may be shown.
    """
    try:
        chosen = dict(profile_of(config).rules.chosen)
    except ConfigError:
        chosen = {}
    return {
        "seats": {"names": list(config.seats.names)},
        "rules": {
            "id": config.rules.id,
            "profile": config.rules.profile,
            "name": config.rules.name,
            "house": config.rules.house,
            "options": dict(config.rules.options),
            "chosen": chosen,
        },
        "camera": {
            "source": tell(config.camera.source.whole),
            "corners": bool(config.camera.corners),
        },
        "eyes": {"set": config.eyes.set, "learns": config.eyes.learns},
        "board": {"port": tell(config.board.port.whole)},
    }


def rules_view(rules: RuleSet) -> View:
    """A rule set with what a house may agree on."""
    options = []
    for option in rules.options_as_asked:
        least, most = option.values[0], option.values[-1]
        listed = () if isinstance(option.values, range) else option.values
        options.append(
            {
                "name": option.name,
                "default": option.default,
                "values": list(listed) or None,
                "said": [words_view(option.say(value)) for value in listed],
                "least": None if listed else least,
                "most": None if listed else most,
                "words": words_view(option.words),
                "source": option.source,
            }
        )
    return {
        "id": rules.id,
        "names": words_view(rules.names),
        "options": options,
        "argued": len(rules.argued),
    }


# The keys that a page may change: the rest is changed in the file, by people who know why.
FORM = {
    ("seats", "names"),
    ("rules", "id"),
    ("rules", "options"),
    ("rules", "profile"),
    ("rules", "name"),
    ("rules", "house"),
    ("camera", "source"),
    ("camera", "corners"),
    ("camera", "side_mm"),
    ("eyes", "set"),
    ("eyes", "learns"),
    ("board", "port"),
}


Changed = Mapping[str, Mapping[str, object]]  # by section and key; null takes a key out


def _edited(text: str, changes: Changed, *, at_machine: bool) -> str:
    flat: dict[tuple[str, str], object] = {}
    for section, keys in changes.items():
        for key, value in keys.items():
            if (section, key) not in FORM:
                raise EditError(f"no form changes {section}.{key}")
            flat[section, key] = REMOVED if value is None else value
    edited = edit(text, flat)
    was, now = tomllib.loads(text), tomllib.loads(edited)
    for section, key in () if at_machine else [each for each in flat if each in SET_HERE]:
        if was.get(section, {}).get(key) != now.get(section, {}).get(key):
            raise EditError(f"{section}.{key} is set at the table's own machine only")
    return edited


class Assistant:
    """Sets one table up, as its page sees it. Every public member may be used from any thread."""

    def __init__(
        self, table_service: TableService, phones: Phones, *, now: Callable[[], float] = time.time
    ) -> None:
        self._table_service = table_service
        self._phones = phones
        self._lock = threading.RLock()
        self.camera = CameraTrial(phones, now)
        self.calibration = CalibrationTrial()
        self.enrolment = EnrolTrial()
        self.board = BoardTrial()

    @property
    def _settings(self) -> Path:
        return self._table_service.settings

    # -- what the page shows -------------------------------------------------------------------

    def view(self, *, at_machine: bool) -> View:
        """Everything on the page that does not change by itself.

        Args:
            at_machine: who looks sits at the table's own machine.
        """
        tell = str if at_machine else without_secrets
        text = read_text(self._settings)
        config, trouble = self._looked_at(text)
        if trouble is None and self._table_service.trouble is not None:
            trouble = trouble_view(self._table_service.trouble)  # of camera, log or networks
        is_kept = False
        with suppress(ConfigError):
            if config is not None and config.camera.source.whole == PHONE:
                is_kept = any(kept_calibrations(config))
            elif config is not None:
                is_kept = bool(calibration_of(config))
        return {
            "mode": str(self._table_service.mode),
            "file": str(self._settings),
            "is_new": not self._settings.exists(),
            "base": digest_of(text),
            "trouble": trouble,
            "values": values_view(config or Config(), tell),
            "readable": config is not None,
            "kept": is_kept,
            "rules": [rules_view(rules) for rules in rule_sets()],
            "sets": [kept.name for kept in list_sets(sets_folder())],
        }

    def sheet(self, rules: str, options: Mapping[str, object]) -> View:
        """The rule sheet with these options.

        Raises:
            ValueError: no such rule set or option.
        """
        # The rule sheet with these options
        sheet = make_sheet(plain_profile(find_rules(rules).with_options(options)))
        return {
            "title": words_view(sheet.title),
            "lead": [words_view(each) for each in sheet.lead],
            "sections": [
                {
                    "title": words_view(section.title),
                    "rows": [
                        {
                            "id": row.id,
                            "names": None if row.names is None else words_view(row.names),
                            "value": None if row.value is None else words_view(row.value),
                            "words": [words_view(each) for each in row.words],
                            "changed": row.is_changed,
                            "off": row.is_off,
                        }
                        for row in section.rows
                    ],
                }
                for section in sheet.sections
            ],
        }

    # -- changing the file ---------------------------------------------------------------------

    def preview(self, base: str, changes: Changed, *, at_machine: bool) -> View:
        """How the file would differ with these keys changed, and whether it could be used.

        Raises:
            EditError: no form may change such a key, or not from elsewhere; or the file is no TOML.
            WordsError: the file is another one than the page shows.
        """
        before = self._current(base)
        after = _edited(before, changes, at_machine=at_machine)
        _, trouble = self._looked_at(after)
        return {
            "diff": list(differing(before, after, self._settings.name)),
            "trouble": trouble,
        }

    def save(self, base: str, changes: Changed, *, at_machine: bool) -> View:
        """Write the file with these keys changed; what was there is kept.

        Raises:
            ConfigError: these settings cannot be used; nothing is written.
            EditError: as `preview`; or the file cannot be written.
            WordsError: the file is another one than the page shows.
        """
        with self._lock:
            text = _edited(self._current(base), changes, at_machine=at_machine)
            check(text, self._settings.parent)
            write(self._settings, text)
            self._table_service.trouble = None
        return self.view(at_machine=at_machine)

    def start(self, *, by_phones: bool = False) -> None:
        """Follow the table with what is set up now.

        Args:
            by_phones: people keep the score with their phones, which may ask to join.
        """
        self.close()
        self._table_service.by_phones = self._table_service.by_phones or by_phones
        self._table_service.switch(Mode.TABLE)

    def pause(self) -> None:
        """Leave the table and set it up; camera and board are free then."""
        self._table_service.switch(Mode.SETUP)

    def close(self) -> None:
        """Let camera and board go."""
        self.camera.stop()
        self.board.stop()
        self.calibration.stop()
        self.enrolment.clear()

    def devices(self) -> View:
        """Cameras and ports."""
        self._refuse_while_followed()
        return {
            "cameras": [
                {"source": str(number), "name": name}
                for number, name in self.camera.devices().items()
            ],
            "ports": self.board.ports(),
        }

    def try_camera(self, source: str) -> View:
        """Open a camera, file or address, in a mirror where the settings say so.

        Raises:
            CameraError: there is no such file or folder.
        """
        self._refuse_while_followed()
        self._table_service.refuse_while_hidden()
        is_mirrored = False
        with suppress(ConfigError):
            is_mirrored = self.config().camera.mirrored
        self.camera.start(source, is_mirrored=is_mirrored)
        return self.trials()

    def picture(self) -> bytes | None:
        """The newest picture."""
        return None if self._table_service.hides_treasure else self.camera.picture()

    def advise(self) -> View:
        """The advice."""
        self._table_service.refuse_while_hidden()
        calibration = None
        with suppress(ConfigError):  # nobody has shown yet where the table lies
            calibration, _ = calibration_of(self.config())
        return self.camera.advice(calibration)

    def calibrate(self) -> View:
        """Begin a calibration with the camera's picture.

        Raises:
            ConfigError: the settings cannot be used.
            CameraError: the camera has given no picture yet.
        """
        self._refuse_while_followed()
        self._table_service.refuse_while_hidden()
        config = self.config()
        image = self.camera.image()
        self._settings.parent.mkdir(parents=True, exist_ok=True)  # of a table that is new
        if self.camera.is_phone and self._phones.watching:
            config = placed_at(config, self._phones.watching[0].device)
        self.calibration.begin(config, image)
        return self.trials()

    def add_picture(self) -> View:
        """Keep the newest picture for the enrolment of a tile set.

        Raises:
            CameraError: the camera has given no picture yet.
            OwnSetError: there are enough.
        """
        self._table_service.refuse_while_hidden()
        self.enrolment.add(self.camera.image())
        return self.trials()

    def add_photograph(self, data: bytes) -> View:
        """Keep a photograph of tiles from a phone or a file."""
        self.enrolment.add_file(data)
        return self.trials()

    def clear_pictures(self) -> View:
        """Forget them."""
        self.enrolment.clear()
        return self.trials()

    def enrol(self, name: str) -> View:
        """Read them."""
        self._refuse_while_followed()
        self.enrolment.begin(name)
        return self.trials()

    def try_board(self, at: str) -> View:
        """Listen to the board at this port; nowhere ends it.

        Raises:
            ConfigError: the settings cannot be used.
        """
        self._refuse_while_followed()
        if at:
            self.board.start(at, self.config().board.baud)
        else:
            self.board.stop()
        return self.trials()

    def trials(self) -> View:
        """How they are doing."""
        return {
            "camera": self.camera.view(),
            "corners": self.calibration.view(),
            "tiles": self.enrolment.view(),
            "board": self.board.view(),
        }

    def add_from_phone(self, image: Image) -> int:
        """Keep a phone's picture of tiles; how many there are.

        Raises:
            PhoneError: it is not kept.
        """
        try:
            self._table_service.refuse_while_hidden()
            return self.enrolment.add(image)
        except (RefusedError, OwnSetError) as error:
            said = getattr(error, "words", None) or Words("{error}.", "{error}。", error=error)
            raise PhoneError.of(said) from error

    def config_for_phones(self) -> Config:
        """The settings as they are now.

        Raises:
            PhoneError: they cannot be used.
        """
        try:
            return self.config()
        except ConfigError as error:
            raise PhoneError("{error}.", "{error}。", error=error) from error

    def _refuse_while_followed(self) -> None:
        if self._table_service.mode is Mode.TABLE:
            raise RefusedError(
                Words("The table is being followed: pause it first.", "牌桌正在运行：请先暂停。")
            )

    def _current(self, base: str) -> str:
        text = read_text(self._settings)
        if digest_of(text) != base:
            raise WordsError(
                "{settings} was changed by somebody else meanwhile: load the page again",
                "{settings} 已被别人修改：请重新载入页面",
                settings=self._settings,
            )
        return text

    def _looked_at(self, text: str) -> tuple[Config | None, View | None]:
        """The settings, as far as they can be read, and what keeps a table from being followed."""
        if not self._settings.exists() and not text:
            return Config(), None
        try:
            config = self._parsed(text)
        except ConfigError as error:
            return None, trouble_view(trouble_of(error, self._settings, text))
        try:
            profile_of(config)
            layout_of(config)
            if config.camera.source:
                find_source(config.camera.source)
                # Each phone is shown on its own screen; what nobody has shown yet may come later.
                if config.camera.source.whole != PHONE and is_placed(config):
                    calibration_of(config)
        except (ConfigError, CameraError) as error:
            return config, trouble_view(trouble_of(error, self._settings, text))
        return config, None

    def _parsed(self, text: str) -> Config:
        return with_calibration(check(text, self._settings.parent), self._settings)

    def config(self) -> Config:
        """The settings as they are now.

        Raises:
            ConfigError: they cannot be used.
        """
        text = read_text(self._settings)
        if not text:
            return with_calibration(parse_config({}, self._settings.parent), self._settings)
        return self._parsed(text)
