"""Which language a page speaks to a browser that has not chosen."""

import json
import tomllib

import pytest

from table_assist.parts import part
from tests.stages.web_fakes import Evening, FakeTable, opened, played, settled, won
from web import create_app
from web.access.roles import LOCAL_VIEWER
from web.api.stream import Viewers
from web.language import page_words


@pytest.mark.parametrize(
    ("wants", "speaks"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("zh-Hant-TW", "zh-Hant"),
        ("zh-TW,zh;q=0.9,en;q=0.8", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-Hans-SG,zh", "zh-Hans"),
        ("ja-JP,ja;q=0.9,en;q=0.8", "ja"),
        ("fr,ja;q=0.5,en;q=0.1", "ja"),
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
    assert f'value="{speaks.replace("-Hans", "")}"' in page
    chosen = client.get(f"/tv?lang={other}", headers={"Accept-Language": wants})
    assert f'<html lang="{speaks}"' not in chosen.get_data(as_text=True)


def test_an_answer_says_its_words_in_the_readers_language_beside_english_and_chinese() -> None:
    client = create_app(FakeTable()).test_client()
    said = {}
    for wants in ("en", "zh-CN", "ja", "zh-TW"):
        answer = client.get("/api/nothing", headers={"Accept-Language": wants})
        said[wants] = answer.get_json()["error"]
    assert list(said["en"]) == list(said["zh-CN"]) == ["en", "zh"]
    assert said["ja"] == {**said["en"], "ja": "ここには何もありません。"}
    assert said["zh-TW"] == {**said["en"], "zh-Hant": "這裡沒有這樣的內容。"}
    after = client.get("/api/nothing", headers={"Accept-Language": "en"})
    assert after.get_json()["error"] == said["en"], "nothing of the last reader's stays"


def test_a_view_is_made_once_for_each_language_that_is_read() -> None:
    viewers, table = Viewers(FakeTable()), FakeTable()
    plain = viewers.texts(table.snapshot, LOCAL_VIEWER, "en")
    assert viewers.texts(table.snapshot, LOCAL_VIEWER, "zh")[0] is plain[0]
    japanese = viewers.texts(table.snapshot, LOCAL_VIEWER, "ja")
    assert viewers.texts(table.snapshot, LOCAL_VIEWER, "ja")[0] is japanese[0]
    view = json.loads(japanese[0])
    assert list(view["headline"]) == ["en", "zh", "ja"]
    assert {**view["headline"], "ja": None} == {**json.loads(plain[0])["headline"], "ja": None}


@pytest.mark.parametrize("language", ["ja", "zh-Hant"])
def test_every_page_is_there_in_every_language(language: str) -> None:
    app = create_app(FakeTable(settled(won(played(opened(Evening())), "2p 8s")).snapshot()))
    client = app.test_client()
    pages = [
        rule.rule
        for rule in app.url_map.iter_rules()
        if not rule.arguments and "GET" in (rule.methods or ()) and "stream" not in rule.rule
    ]
    assert len(pages) > 20
    broken = {}
    for page in pages:
        with client.get(page, headers={"Accept-Language": language}) as answer:
            if answer.status_code >= 500:
                broken[page] = answer.status_code
    assert broken == {}


OF_A_HUB = {"database", "alarms", "hubs", "servers", "clocks", "standby", "primary", "tls"}


def test_everything_that_is_looked_at_has_a_name() -> None:
    looked_at = set(tomllib.loads(part("table_assist/health/findings.toml").read_text("utf-8")))
    named = {name for name in page_words("frame", "admin") if name.startswith("check_")}
    assert {f"check_{thing}" for thing in looked_at - OF_A_HUB} == named
