"""`table-assist record`: as `run --record`."""

from table_assist.commands.run import command

__all__ = ["command"]
