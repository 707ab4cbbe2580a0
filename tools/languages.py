"""The catalogues of `table_assist/languages/`: brought up to what the code says, or begun.

    python tools/languages.py               every catalogue anew; says what each still lacks
    python tools/languages.py --begin TAG   and a new one

What was translated stays; sentences that the code no longer has go.
Needs ``pip install .[languages]``.
"""

import argparse

import polib
from babel import Locale
from babel.messages.plurals import get_plural
from said import ROOT, Key, Sentence, wanted
from traditional import MADE

CATALOGUE_FOLDER = ROOT / "table_assist" / "languages"
WIDTH = 100


def main() -> None:
    """As the command line asks."""
    parser = argparse.ArgumentParser(description="Bring the catalogues up to what the code says.")
    parser.add_argument("--begin", metavar="TAG", help="a language as HTML writes it: fr, pt-BR")
    begun = parser.parse_args().begin
    if begun:
        begin(begun).save(str(CATALOGUE_FOLDER / f"{begun}.po"))
    for path in sorted(CATALOGUE_FOLDER.glob("*.po")):
        if path == MADE:
            continue
        old = polib.pofile(str(path), wrapwidth=WIDTH)
        catalogue = polib.POFile(wrapwidth=WIDTH)
        catalogue.metadata = old.metadata
        before = {(each.msgctxt or "", each.msgid, each.msgid_plural): each for each in old}
        for key, said in wanted().items():
            catalogue.append(_entry(key, said, before.get(key)))
        catalogue.save(str(path))
        lacking = sum(not entry.translated() for entry in catalogue)
        print(f"{path.stem}: {len(catalogue)} sentences, {lacking} of them not translated")


def begin(tag: str) -> polib.POFile:
    """An empty catalogue; its head says how the language counts and what it is called."""
    locale = Locale.parse(tag, sep="-")
    empty = polib.POFile(wrapwidth=WIDTH)
    empty.metadata = {
        "Language": tag,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": f"{get_plural(str(locale))};",
        "X-Name": locale.get_display_name() or tag,
        "X-Browsers": tag,
        "X-Fallback": "en",
    }
    return empty


def _entry(key: Key, said: list[Sentence], before: polib.POEntry | None) -> polib.POEntry:
    context, en, many = key
    entry = polib.POEntry(
        msgid=en,
        msgid_plural=many,
        msgctxt=context or None,
        comment="\n".join(dict.fromkeys(each.zh for each in said)),
    )
    if before is not None:
        entry.msgstr, entry.msgstr_plural = before.msgstr, before.msgstr_plural
    elif many:
        entry.msgstr_plural = {0: ""}
    return entry


if __name__ == "__main__":
    main()
