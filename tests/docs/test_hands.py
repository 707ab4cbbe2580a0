"""The example of docs/HANDS.md does what its comments say."""

import contextlib
import io
import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "HANDS.md").read_text(encoding="utf-8")


def test_the_example_prints_what_it_says() -> None:
    code = "".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
    said = re.findall(r"^print\(.*?\)  # (.*)$", code, re.MULTILINE)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "docs/HANDS.md", "exec"), {})
    assert len(said) == 3
    assert printed.getvalue().splitlines() == said


def test_what_it_says_to_call_is_there() -> None:
    """`module.name` in code type is a name in that module of the game."""
    game = Path(__file__).parents[2] / "table_assist" / "game"
    called = re.findall(r"`([a-z_]+)\.([a-z_]+)(?=[(`])", PAGE)
    assert len(called) > 20
    for module, name in called:
        text = (game / f"{module}.py").read_text(encoding="utf-8")
        assert re.search(rf"^ *(def {name}\(|{name}:)", text, re.MULTILINE), (module, name)
