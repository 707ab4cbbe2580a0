"""How a phone learns to trust this table's own certificates: once, before it speaks TLS."""

from flask import Blueprint, Response, request
from markupsafe import Markup

from table_assist.languages.words import phrase
from web.access.guard import code_svg, trust_url
from web.access.roles import Role, Secured, https_url, require, secured
from web.language import page_words
from web.pages.shell import render
from web.refusal import refuse

blueprint = Blueprint("trust", __name__)

TRUST_STEPS = {
    "android": (
        "Android",
        phrase("trust_page.settings_security_and_privacy"),
    ),
    "ios": (
        "iPhone, iPad",
        phrase("trust_page.open_this_page"),
    ),
    "windows": (
        "Windows",
        phrase("trust_page.open_the_file_install"),
    ),
    "mac": (
        "macOS",
        phrase("trust_page.open_the_file"),
    ),
    "linux": (
        "Linux, Firefox",
        phrase("trust_page.settings_privacy_and_security"),
    ),
}


@blueprint.get("/trust")
@require(Role.TELEVISION)
def page() -> str:
    """How to trust this table, for the reader's own system first."""
    found = _with_authority()
    here = trust_url() or request.url
    system = next(
        (
            system
            for sign, system in (
                (
                    ("Android", "android"),
                    ("iPhone", "ios"),
                    ("iPad", "ios"),
                    ("Windows", "windows"),
                    ("Mac OS", "mac"),
                    ("Linux", "linux"),
                )
            )
            if sign in request.user_agent.string
        ),
        "android",
    )
    return render(
        "trust.html",
        words=page_words("trust")
        | {f"trust_{key}": words for key, (_, words) in TRUST_STEPS.items()},
        view="trust",
        steps=sorted(
            ((key, name) for key, (name, _) in TRUST_STEPS.items()), key=lambda s: s[0] != system
        ),
        system=system,
        fingerprint=found.fingerprint,
        code=Markup(code_svg(here)),
        url=here,
        onward=https_url("/join"),
    )


@blueprint.get("/authority.crt")
@require(Role.TELEVISION)
def authority() -> Response:
    """The authority's certificate, which is no secret."""
    return Response(
        _with_authority().authority,
        mimetype="application/x-x509-ca-cert",
        headers={"Content-Disposition": 'attachment; filename="table-assist.crt"'},
    )


def _with_authority() -> Secured:
    found = secured()
    if found is None or not found.authority:
        refuse(404, "This table has no certificates of its own.", "本牌桌没有自己的证书。")
    return found
