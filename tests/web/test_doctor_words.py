"""Whatever the doctor looks at has a name on the admin's page, in both languages."""

import re
from pathlib import Path

from table_assist.upkeep import doctor
from web.page_words import page_words


def test_everything_that_the_doctor_looks_at_has_a_name() -> None:
    (folder,) = doctor.__path__
    text = "".join(path.read_text(encoding="utf-8") for path in Path(folder).glob("*.py"))
    looked_at = set(re.findall(r'Finding\(\s*"([a-z_]+)"', text))
    assert len(looked_at) > 9
    assert {
        what for what in looked_at if not page_words("frame", "admin").get(f"what_{what}")
    } == set()
