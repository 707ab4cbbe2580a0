"""The tests make keys and tile sets; none of it is kept in the home of whoever runs them."""

import subprocess
import sys
from pathlib import Path

from table_assist.trust.installation import KEY_FILE, key_folder, open_key
from table_assist.vision.enrolment.files import sets_folder


def test_a_key_that_a_test_makes_is_not_the_developer_s() -> None:
    made = open_key()
    folder = key_folder()
    assert (folder / KEY_FILE).is_file()
    assert not folder.is_relative_to(Path.home())
    assert not sets_folder().is_relative_to(Path.home())
    ask = "from table_assist.trust.installation import open_key; print(open_key().public)"
    started = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True)
    assert started.stdout.strip() == made.public  # a program that a test starts, too
