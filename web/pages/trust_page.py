"""How a phone learns to trust this table's own certificates: once, before it speaks TLS."""

from flask import Blueprint, Response, request
from markupsafe import Markup

from table_assist.languages.words import Words
from web.access.guard import code_svg, trust_url
from web.access.roles import Role, Secured, https_url, require, secured
from web.page_words import page_words
from web.pages.shell import render
from web.refusal import refuse

blueprint = Blueprint("trust", __name__)

STEPS = {
    "android": (
        "Android",
        Words(
            "Settings, Security and privacy, More, Encryption and credentials, Install a "
            "certificate, CA certificate: choose table-assist.crt.",
            "设置 → 安全与隐私 → 更多安全设置 → 加密与凭据 → 安装证书 → CA 证书：选择 "
            "table-assist.crt。",
        ),
    ),
    "ios": (
        "iPhone, iPad",
        Words(
            "Open this page in Safari and allow the profile. Settings, General, VPN and device "
            "management: install it. Then Settings, General, About, Certificate trust settings: "
            "switch it on.",
            "请用 Safari 打开本页并允许下载描述文件。设置 → 通用 → VPN 与设备管理：安装。"
            "然后 设置 → 通用 → 关于本机 → 证书信任设置：打开开关。",
        ),
    ),
    "windows": (
        "Windows",
        Words(
            "Open the file, Install certificate, Current user, place it in Trusted root "
            "certification authorities.",
            "打开文件 → 安装证书 → 当前用户 → 放入“受信任的根证书颁发机构”。",
        ),
    ),
    "mac": (
        "macOS",
        Words(
            "Open the file: it goes into Keychain Access. Open it there, Trust: Always trust.",
            "打开文件，导入“钥匙串访问”。在其中打开该证书 → 信任 → 始终信任。",
        ),
    ),
    "linux": (
        "Linux, Firefox",
        Words(
            "Settings, Privacy and security, Certificates, Authorities, Import: for websites.",
            "设置 → 隐私与安全 → 证书 → 证书颁发机构 → 导入：用于识别网站。",
        ),
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
        words=page_words("trust") | {f"trust_{key}": words for key, (_, words) in STEPS.items()},
        view="trust",
        steps=sorted(
            ((key, name) for key, (name, _) in STEPS.items()), key=lambda s: s[0] != system
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
