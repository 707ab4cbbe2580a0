"""The running table, as the pages reach it."""

from flask import current_app

from table_assist.live.live_table import LiveTable


def the_table() -> LiveTable:
    """The table that this app serves."""
    found: LiveTable = current_app.extensions["table"]
    return found


def any_table() -> LiveTable | None:
    """The same; None while none is followed, as in the assistant."""
    found: LiveTable | None = current_app.extensions.get("table")
    return found
