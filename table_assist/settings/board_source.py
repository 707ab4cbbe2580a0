"""Substitutes for the board where there is none: bought sensors, radio dice."""

from pathlib import Path

from firmware_bridge.sources.choose import MakeSource, SourceError, dice_source, modbus_source
from table_assist.settings.config import BoardConfig, ConfigError


def source_of(config: BoardConfig) -> tuple[MakeSource, bool]:
    """How a source that is no board is made, and whether it tells dice.

    Raises:
        ConfigError: its map or its dice are missing or wrong, or an extra is not installed.
    """
    key = "map" if config.kind == "modbus" else "dice"
    try:
        if config.kind == "modbus":
            if not config.map:
                raise SourceError("the file that says which input is which sensor is missing")
            return modbus_source(Path(config.map))
        if not config.dice:
            raise SourceError("no die is named: write godice:ADDRESS or pixels:NAME")
        return dice_source(list(config.dice))
    except SourceError as error:
        raise ConfigError(f"board.{key}: {str(error).rstrip('.')}") from error
