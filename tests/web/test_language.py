"""Which language a page speaks to a browser that has not chosen."""

import pytest

from tests.stages.web_fakes import FakeTable
from web import create_app


@pytest.mark.parametrize(
    ("wants", "speaks"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("zh-Hant-TW", "zh-Hans"),
        ("fr-FR,zh;q=0.5", "zh-Hans"),
        ("zh-TW;q=0.4,en-US;q=0.6", "en"),
        ("de-DE,de;q=0.9", "en"),
        ("en-GB", "en"),
        ("*", "en"),
        ("", "en"),
        ("zh_CN;q=x,,;;", "en"),
    ],
)
def test_the_browsers_own_language_counts(wants: str, speaks: str) -> None:
    client = create_app(FakeTable()).test_client()
    page = client.get("/tv", headers={"Accept-Language": wants}).get_data(as_text=True)
    assert f'<html lang="{speaks}"' in page
    other = "en" if speaks != "en" else "zh"
    chosen = client.get(f"/tv?lang={other}", headers={"Accept-Language": wants})
    assert f'<html lang="{speaks}"' not in chosen.get_data(as_text=True)
