"""Draw the app's icons as PNG from ``web/static/icons/icon.svg``, in a headless Chromium.

Run it from the repository's root after a change of the SVG.
"""

from pathlib import Path

from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium-headless-shell"
ICONS = Path("web/static/icons")
GROUND = "#1f5a48"  # behind a maskable icon, which is cut to the device's own shape


def main() -> None:
    """Write the three PNG files."""
    drawing = (ICONS / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, size, scale in (("icon-192", 192, 1), ("icon-512", 512, 1)):
            _draw(browser, drawing, name, size, scale)
        _draw(browser, drawing, "maskable-512", 512, 0.8, GROUND)
        browser.close()


def _draw(browser, drawing, name, size, scale, ground="transparent") -> None:  # type: ignore[no-untyped-def]
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(
        f"<body style='margin:0;background:{ground};display:grid;place-items:center;height:100vh'>"
        f"<div style='width:{size * scale}px;height:{size * scale}px'>{drawing}</div>"
    )
    page.screenshot(path=ICONS / f"{name}.png", omit_background=True)
    page.close()


if __name__ == "__main__":
    main()
