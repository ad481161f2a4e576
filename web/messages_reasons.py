"""What the table writes into its journal in English, as reasons: why it is blind, how a game ended.

The English text is the table's own, so that it can be found again; other languages translate it.
"""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "reason.lost": "the board is not in the picture",
    "reason.lost.todo": "Move the camera or the board until every pit can be seen.",
    "reason.dark": "it is too dark to see the seeds",
    "reason.dark.todo": "Turn on a lamp.",
    "reason.hidden": "something hides the board, or it is gone",
    "reason.hidden.todo": "Clear the view from the camera to the board.",
    "reason.moved": "the board moved",
    "reason.moved.todo": "Let it lie still; it is looked for again.",
    "reason.blurred": "the picture is blurred",
    "reason.blurred.todo": "Wipe the lens and focus the camera.",
    "reason.no-camera": "the camera does not answer",
    "reason.no-camera.todo": "Check its cable; it is tried again by itself.",
    "reason.not-found": "no board was found in the picture",
    "reason.not-found.todo": "Lay it so that the camera sees every pit from above.",
    "reason.unplugged": "the USB camera is unplugged: plug it in again",
    "reason.no-move": "{side} cannot move",
    "reason.forfeited": "{side} forfeited",
    "reason.no-pit": "{side} has no pit of two or more",
    "reason.both-ends": "{side} captured at both ends of the board in one move",
    "reason.all": "{side} captured all that {other} had",
    "reason.two-moves": "{side} captured in two moves before {other}'s first capture",
}
