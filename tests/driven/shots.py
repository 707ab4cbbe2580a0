"""Pictures of every view of a running evening, in both languages and at every size."""

from pathlib import Path

from tests.driven.evening import Evening
from tests.driven.people import LAPTOP, PHONE, TELEVISION, Person

TABLET, WALL_SIZED = (820, 1180), (3840, 2160)
SIZES = {
    "phone": PHONE,
    "tablet": TABLET,
    "laptop": LAPTOP,
    "1080p": TELEVISION,
    "4k": WALL_SIZED,
}
LANGUAGES = ("en", "zh")
DRAWN_MS = 500
# Each view in the sizes that it is looked at in, and who looks.
LIVE = {
    "tv": ("laptop", "1080p", "4k"),
    "overlay": ("1080p",),
    "seat/1": ("phone", "tablet"),
    "scorer": ("phone", "tablet", "laptop", "1080p"),
}
STILL = {"pair/code": ("phone",)}


class Shots:
    """Takes them at the moments that an evening tells.

    Args:
        folder: made if it is not there.
    """

    def __init__(self, evening: Evening, folder: Path) -> None:
        self._evening = evening
        self._folder = folder
        self._taken: set[str] = set()
        folder.mkdir(parents=True, exist_ok=True)

    def take(self, moment: str) -> None:
        """All views as they are at this moment, the first time that it comes."""
        if moment in self._taken:
            return
        self._taken.add(moment)
        people = self._evening.people
        if moment == "disputed":
            page = people.referee.page
            for language in LANGUAGES:
                page.goto(f"{people.network}referee?lang={language}")
                self._sizes(people.referee, f"referee-{language}", ("phone", "tablet", "laptop"))
            page.goto(f"{people.network}referee?lang=en")
            page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
            return
        views = dict(LIVE) if moment != "mid" else {**LIVE, **STILL}
        for view, sizes in views.items():
            for language in LANGUAGES:
                self._look(view, language, sizes, moment)

    def _look(self, view: str, language: str, sizes: tuple[str, ...], moment: str) -> None:
        people = self._evening.people
        is_local = view == "scorer"
        if view.startswith("seat"):
            context = people.phones[int(view[-1])].page.context
            visitor = Person(view, context.new_page())
        else:
            visitor = people.open(view, LAPTOP, is_local=is_local)
        url = people.local if is_local else people.network
        visitor.page.goto(f"{url}{view}?lang={language}")
        if view in LIVE:
            visitor.page.locator("body:not(.connecting)").wait_for()
        self._sizes(visitor, f"{view.replace('/', '-')}-{language}-{moment}", sizes)
        if view.startswith("seat"):
            visitor.page.goto(f"{url}{view}?lang=en")
            visitor.page.close()
        else:
            people.leave(visitor)

    def _sizes(self, person: Person, name: str, sizes: tuple[str, ...]) -> None:
        for size in sizes:
            wide, high = SIZES[size]
            person.page.set_viewport_size({"width": wide, "height": high})
            person.page.wait_for_timeout(DRAWN_MS)
            person.page.screenshot(path=self._folder / f"{name}-{size}.png")
