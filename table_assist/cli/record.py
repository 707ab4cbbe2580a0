"""`table-assist record`: as `run --record`."""

from table_assist.cli.run import command

__all__ = ["command"]
