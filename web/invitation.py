"""The invitation to the page: its address for other machines, as text and as a QR code."""

import io
from dataclasses import dataclass
from urllib.parse import urlsplit

import segno
from flask import current_app, request
from markupsafe import Markup

from web.addresses import Reach, only_here


@dataclass(frozen=True)
class Invitation:
    """url: the page's address for other people's browsers; picture: the address as a QR code, in SVG."""

    url: str
    picture: Markup


def invitation() -> Invitation | None:
    """Return the invitation with the address by which this visitor came; for a visitor at this machine, with its first
    address in the network. None if no other machine can reach the page."""
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
