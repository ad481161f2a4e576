"""A camera in the network that speaks RTSP: GStreamer's own server, in a process of Debian's Python.

    /usr/bin/python3 rtsp_server.py FILM.mp4 PORT

serves an H.264 film in its own time at rtsp://referee:pass%40word@127.0.0.1:PORT/live, and says "ready". It needs
Debian's `gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-good gstreamer1.0-plugins-bad`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PYTHON = "/usr/bin/python3"


def installed() -> bool:
    """Whether the server can run here."""
    asks = ("import gi; gi.require_version('GstRtspServer', '1.0'); from gi.repository import Gst, GstRtspServer; "
            "Gst.init(None); assert all(map(Gst.ElementFactory.find, ('qtdemux', 'h264parse', 'rtph264pay')))")
    return (Path(PYTHON).exists()
            and subprocess.run([PYTHON, "-c", asks], capture_output=True, check=False).returncode == 0)


class RtspServer:
    """Serves one film; a context, at whose end the server is killed, as by a plug that is pulled."""

    def __init__(self, film: Path, port: int) -> None:
        self._film, self._port = film, port
        self._process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"rtsp://referee:pass%40word@127.0.0.1:{self._port}/live"

    def __enter__(self) -> RtspServer:
        self._process = process = subprocess.Popen([PYTHON, __file__, str(self._film), str(self._port)], text=True,
                                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.communicate()


def serve(film: str, port: str) -> None:
    """Serve until killed."""
    import gi  # type: ignore[import-not-found]  # Debian's

    gi.require_version("Gst", "1.0")
    gi.require_version("GstRtspServer", "1.0")
    from gi.repository import GLib, Gst, GstRtspServer  # type: ignore[import-not-found]  # as above

    Gst.init(None)
    server = GstRtspServer.RTSPServer(service=port, address="127.0.0.1")
    auth, token = GstRtspServer.RTSPAuth(), GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "referee")
    auth.add_basic(GstRtspServer.RTSPAuth.make_basic("referee", "pass@word"), token)
    server.set_auth(auth)
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(f'( filesrc location="{film}" ! qtdemux ! h264parse ! rtph264pay name=pay0 pt=96 '
                       "config-interval=1 )")
    permissions = GstRtspServer.RTSPPermissions()
    for right in ("media.factory.access", "media.factory.construct"):
        permissions.add_permission_for_role("referee", right, True)
    factory.set_permissions(permissions)
    server.get_mount_points().add_factory("/live", factory)
    assert server.attach(None)
    print("ready", flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    serve(*sys.argv[1:3])
