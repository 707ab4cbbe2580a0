"""Whatever a table's doctor and health page look at has a name on the page, in both languages."""

import tomllib

from table_assist.parts import part
from web.page_words import page_words

OF_A_HUB = {"database", "alarms", "hubs", "servers", "clocks", "standby", "primary", "tls"}
ON_THE_PAGE = {"detector", "session"}


def test_everything_that_is_looked_at_has_a_name() -> None:
    looked_at = set(tomllib.loads(part("table_assist/health/findings.toml").read_text("utf-8")))
    named = {name for name in page_words("frame", "admin") if name.startswith("check_")}
    assert {f"check_{thing}" for thing in looked_at - OF_A_HUB} == named
