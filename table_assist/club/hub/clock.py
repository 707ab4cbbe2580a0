"""The hall's clock at the hub: started, stopped, lengthened, and told to the tables."""

from collections.abc import Sequence

from sqlalchemy import Engine

from table_assist.club.acts import ActKind
from table_assist.club.clock import HallClock, clock_of
from table_assist.club.hub.acts import act, all_acts
from table_assist.club.hub.base import now_at
from table_assist.club.hub.desk import check_table, forget_waiting, hall, order_in
from table_assist.club.hub.people import PeopleError
from table_assist.club.orders import OrderKind
from table_assist.trust.installation import InstallationKey


def hall_clock(base: Engine) -> HallClock:
    """As it is now."""
    return clock_of(all_acts(base, (ActKind.CLOCK, ActKind.EXTRA)))


def start(base: Engine, key: InstallationKey, minutes: int, by: str) -> None:
    """All tables have so many minutes from now on; extra time of before is over."""
    content = {"left_s": 60 * minutes, "running": True, "starts": True}
    act(base, ActKind.CLOCK, content, by)
    tell_clock(base, key, by)


def pause(base: Engine, key: InstallationKey, by: str, *, running: bool) -> None:
    """Stop the clock, or let it go on.

    Raises:
        PeopleError: it does so already.
    """
    clock = hall_clock(base)
    if clock.running == running:
        said = ("the clock runs already", "计时已在进行") if running else _STANDS
        raise PeopleError(*said)
    content = {"left_s": round(clock.left(now_at(base))), "running": running, "starts": False}
    act(base, ActKind.CLOCK, content, by)
    tell_clock(base, key, by)


def lengthen(base: Engine, key: InstallationKey, table: int, minutes: int, by: str) -> None:
    """One table has more time.

    Raises:
        PeopleError: there is no such table.
    """
    check_table(base, table)
    act(base, ActKind.EXTRA, {"table": table, "seconds": 60 * minutes}, by)
    tell_clock(base, key, by, [table])


def tell_clock(
    base: Engine, key: InstallationKey, by: str, to: Sequence[int] | None = None
) -> None:
    """Tell tables (all of them by default) what the clock says; only the newest word waits."""
    clock, now = hall_clock(base), now_at(base)
    told = [each.id for each in hall(base)] if to is None else to
    with base.begin() as connection:
        forget_waiting(connection, told, OrderKind.CLOCK)
        for table in told:
            order_in(connection, key, [table], OrderKind.CLOCK, clock.order(now, table), by)


_STANDS = ("the clock stands already", "计时已停止")
