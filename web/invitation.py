"""The invitation to the page: its address for others, and the same as a picture that a phone scans."""

from __future__ import annotations

import io
from dataclasses import dataclass
from urllib.parse import urlsplit

import segno
from flask import current_app, request
from markupsafe import Markup

from web.addresses import Reach, only_here


@dataclass(frozen=True)
class Invitation:
    """url: for others' browsers; picture: an SVG that says the same to a phone's camera."""

    url: str
    picture: Markup


def invitation() -> Invitation | None:
    """By the address that this visitor came by; for one at the machine itself by its first in the network. None where
    nobody else reaches the page."""
    url = request.host_url
    if only_here(urlsplit(url).hostname or ""):
        reach: Reach = current_app.extensions["reach"]
        if not reach.urls:
            return None
        url = reach.urls[0]
    out = io.BytesIO()
    segno.make(url, error="l").save(out, kind="svg", xmldecl=False, svgns=False, border=4, omitsize=True,
                                    dark="#1d0d06", light="#fff", svgclass="qr", lineclass=None)
    return Invitation(url, Markup(out.getvalue().decode()))
