"""Makes ``zh-Hant.po``: OpenCC's Traditional of the code's Chinese, put right by ``zh-Hant.txt``.

`setup.py` does it for whatever is built or installed, ``make`` and the tests for a checkout.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

from opencc import OpenCC
from said import ROOT, wanted

CORRECTIONS = Path(__file__).with_name("zh-Hant.txt")
MADE = ROOT / "table_assist" / "languages" / "zh-Hant.po"
HEAD = {
    "Plural-Forms": "nplurals=1; plural=0;",
    "X-Browsers": "zh-TW zh-HK zh-MO",
    "X-Fallback": "zh",
    "X-Name": "繁體中文",
}


def main() -> None:
    """Write it."""
    to_traditional, corrections = OpenCC("s2twp"), list(_corrections())
    head = "".join(f"{name}: {said}\n" for name, said in HEAD.items())
    blocks = [_block(msgid="", msgstr=head)]
    for (context, en, many), found in wanted().items():
        said = to_traditional.convert("\n".join(dict.fromkeys(each.zh for each in found)))
        for wrong, right in corrections:
            said = right if wrong == f"={said}" else said.replace(wrong, right)
        key = {"msgctxt": context, "msgid": en, "msgid_plural": many}
        form = "msgstr[0]" if many else "msgstr"
        blocks.append(_block(**{name: text for name, text in key.items() if text}, **{form: said}))
    unfinished = MADE.with_suffix(f".{os.getpid()}")
    unfinished.write_text("\n".join(blocks), encoding="utf-8")
    unfinished.replace(MADE)


def _block(**fields: str) -> str:
    return "".join(f"{key} {json.dumps(it, ensure_ascii=False)}\n" for key, it in fields.items())


def _corrections() -> Iterator[tuple[str, str]]:
    """OpenCC's words, and ours instead; with ``=`` where that is all of a sentence."""
    for line in CORRECTIONS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            wrong, right = line.split(maxsplit=1)
            yield wrong, right


if __name__ == "__main__":
    main()
