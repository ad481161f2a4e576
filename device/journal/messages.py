"""What the table says to people, by key: answers to orders, what it is doing, why it sees nothing.

The table writes its journal in English, and beside each sentence the key and the values that it was made of; the page
says them in the visitor's language. Values stand in braces; a key ending in `.one` is used where its `{n}` is 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine import rules
from engine.messages import Message

MESSAGES: Mapping[str, str] = {
    **rules.messages(),

    # ---- cameras by their names
    "camera.sim": "simulated table",
    "camera.pi": "Raspberry Pi camera",
    "camera.usb": "USB camera",
    "camera.usb-number": "USB camera {number}",
    "camera.recording": "recording {file}",
    "camera.pictures": "pictures in {file}",
    "camera.folder": "newest picture in {folder}",

    # ---- why the table sees nothing, and what is to be done
    "reason.lost": "the board is not in the picture",
    "reason.lost.todo": "Move the camera or the board until every pit can be seen.",
    "reason.dark": "it is too dark to see the seeds",
    "reason.dark.todo": "Turn on a lamp.",
    "reason.hidden": "something hides the board, or it is gone",
    "reason.hidden.todo": "Clear the view from the camera to the board.",
    "reason.lies": "something, a hand or a shade, has lain still over part of the board for {seconds} s: what was "
                   "played there cannot be told",
    "reason.lies.todo": "Take hands and things off the board; what lies there then is looked at anew.",
    "reason.restless": "the picture has not come to rest for {seconds} s: what was played cannot be told",
    "reason.restless.todo": "Keep the light and the camera still.",
    "reason.moved": "the board moved",
    "reason.moved.todo": "Let it lie still; it is looked for again.",
    "reason.blurred": "the picture is blurred",
    "reason.blurred.todo": "Wipe the lens and focus the camera.",
    "reason.no-camera": "the camera does not answer",
    "reason.no-camera.todo": "Check its cable; it is tried again by itself.",
    "reason.not-found": "no board was found in the picture",
    "reason.not-found.todo": "Lay it so that the camera sees every pit from above.",
    "reason.frozen": "the camera gives the same picture again and again",
    "reason.silent": "the {camera} gives no pictures",
    "reason.other-camera": "another camera is being opened",
    "reason.other-size": "the {camera} is being set to a board of another size",
    "reason.ended": "the recording has ended",

    # ---- what is wrong with a camera
    "reason.torn": "the {camera} gives torn pictures only: check its cable",
    "reason.unplugged": "the USB camera is unplugged: plug it in again",
    "reason.usb-busy": "the USB camera {node} does not answer: is another program using it?",
    "reason.usb-closed": "the USB camera is not open",
    "reason.usb-none": "there is no camera {node}: plug it in, or choose another with --camera usb:N, or --camera sim "
                       "for the simulated table",
    "reason.usb-no": "no USB camera was found: plug one in, or use --camera sim for the simulated table",
    "reason.usb-denied": "{node} may not be read by this user: add the user to the group 'video'",
    "reason.usb-gone": "the USB camera gives no more pictures: is it still plugged in?",
    "reason.pi-list": "the Raspberry Pi's cameras cannot be listed: {error}",
    "reason.pi-none": "no camera was found on the Raspberry Pi: check the ribbon cable and switch the Pi off and on, "
                      "or use --camera usb or --camera sim",
    "reason.pi-denied": "{node} may not be used by this user: {group}",
    "reason.pi-group": "add the user to the group 'video' and log in anew",
    "reason.pi-busy": "the Raspberry Pi's camera does not open: is another program using it?",
    "reason.pi-start": "the Raspberry Pi's camera does not start: {error}",
    "reason.pi-closed": "the Raspberry Pi's camera is not open",
    "reason.pi-form": "the camera gives pictures as {main} and {small} only, which inkeek does not read: use another "
                      "camera",
    "reason.pi-gone": "the Raspberry Pi's camera gives no more pictures: check its ribbon cable",
    "reason.pi-failed": "the Raspberry Pi's camera failed: {error}",
    "reason.pi-unread": "the Raspberry Pi's camera gave a picture that cannot be read: {error}",
    "reason.pi-missing": "picamera2 cannot be loaded here: on a Raspberry Pi run 'sudo apt install python3-picamera2' "
                         "and then 'make venv' again; elsewhere use --camera usb or --camera sim",
    "reason.folder-none": "there is no folder {folder}: make it, or choose another with --camera folder:PATH",
    "reason.folder-gone": "the folder {folder} is gone: is its drive still there?",
    "reason.folder-unread": "the folder {folder} cannot be read: {error}",
    "reason.folder-closed": "the folder of pictures is not open",
    "reason.sim-missing": "the simulated table cannot be drawn without {module}: pip install 'inkeek[sim]'",
    "reason.sim-unopened": "the simulated table is not open: open it first",
    "reason.sim-closed": "the simulated table was closed",

    # ---- what the table is doing
    "why.opening": "the {camera} is being made ready",
    "why.waiting": "waiting for the {camera}",
    "why.searching": "looking for the board",
    "why.lay-back": "the board is to be laid as it was before the move",
    "why.still": "still to be laid as before: {pits}",
    "why.still.pit": "{pit} ({there} there, {due} due)",
    "why.read": "{right} of {pits} pits read right",
    "why.read.look": "{right} of {pits} pits read right; look at {names}",
    "why.read.far": "{right} of {pits} pits read right: the board is too far off, bring the camera nearer",
    "why.steal": "{side} has not begun within {seconds} s: {other} may play",
    "list.more": "{some} and others",

    # ---- why nothing is written down
    "disk.memory": "{why}; the game goes on in memory and is not written down",
    "disk.full": "the disk is full",
    "disk.read-only": "the disk can only be read",
    "disk.denied": "this user may not write there",
    "disk.damaged": "{error}: look at it with 'inkeek verify', restore a backup or move it away",

    # ---- why the game goes on from another board
    "set.begins": "the game begins from the board as it lies",
    "set.as-it-lies": "the board is taken as it lies",
    "set.before-doubt": "the board lies as it was before the move in doubt",
    "set.follows": "what was played since shows how the board lay",
    "set.who-moves": "whose turn it is was not known: who moves, moves",
    "set.stolen": "the turn had not begun in time, and the other side has taken it",
    "set.people": "pit {pit} holds {count}, as people say",
    "set.not-as-read": "not as it was read: the board lies as people say",

    # ---- answers to orders
    "answer.new": "A new game of {game} on {board} begins.",
    "answer.stands": "The move stands; play goes on from the board as it lies.",
    "answer.stands-after": "The move stands after all; play goes on from the board as it lies.",
    "answer.stands-past": "That move stands; what was played after it is as it was.",
    "answer.no-move": "Event {event} is no move of this game that stands: it was withdrawn, or judged again.",
    "answer.withdrawing": "The move is being withdrawn already: lay the board as it was before.",
    "answer.lay-back": "Lay the board as it was before {whose}; the game goes on when it lies so.",
    "answer.lay-back-all": "Lay the board as it was before {whose}; the {n} moves made after it are withdrawn with it; "
                           "the game goes on when it lies so.",
    "answer.lay-back-all.one": "Lay the board as it was before {whose}; the move made after it is withdrawn with it; "
                               "the game goes on when it lies so.",
    "answer.whose": "{side}'s move",
    "answer.the-move": "the move",
    "answer.taken-to-hold": "Pit {pit} is taken to hold {count}.",
    "answer.holds": "Pit {pit} holds {count}.",
    "answer.holds-not": "Pit {pit} holds {count}. Now it does not add up: {why}.",
    "answer.cannot-hold": "pit {pit} cannot hold {count} seeds: 0 to {most}",
    "answer.counts": "{count} counts for the {pits} pits of a {board} board",
    "answer.judged": "Judged again from what people counted.",
    "answer.judged-all": "Judged again from what people counted, and so are the {n} moves after it.",
    "answer.judged-all.one": "Judged again from what people counted, and so is the move after it.",
    "answer.counted": "The board is taken as people counted it.",
    "answer.counted-all": "The board is taken as people counted it, and so are the {n} moves after it.",
    "answer.counted-all.one": "The board is taken as people counted it, and so is the move after it.",
    "answer.too-far": "more than {most} of the moves made since would have to be judged again, and the table cannot "
                      "wait for that",
    "answer.over": "The game is over already.",
    "answer.forfeit": "{side} gives up the game; {other} wins it.",
    "answer.last-only": "Only the last ruling can be undone, as long as nobody has moved since.",
    "answer.undone": "The ruling is undone; the board is to lie as it was before it.",
    "answer.lies-seeds": "{lying} seeds are read on the board, and {game} on {board} begins with {due}: lay what is "
                         "missing, or take away what is too much, and order it again",
    "answer.unclear": "the board cannot be read clearly just now: take the hands away, or look at the pits in doubt",
    "answer.other-board": "the position is one of a {lies} board, the game is to be played on {board}",

    # ---- answers to those about camera and board
    "edge.bottom": "bottom",
    "edge.top": "top",
    "edge.left": "left",
    "edge.right": "right",
    "answer.camera": "The {camera} is opened.",
    "answer.no-camera": "there is no camera '{word}' at this table",
    "answer.south": "South sits at the {edge} of the picture.",
    "answer.placed": "The board lies where you say.",
    "answer.sought": "The board is looked for anew.",
    "answer.no-picture": "there is no picture yet in which the board could lie",
    "answer.places": "{count} places for the {pits} pits of a {board} board",
    "answer.place": "pit {pit} cannot lie at {x}, {y} with a radius of {r}: it is to be in the picture",
    "answer.round": "the pits are to go round as the board does: South's row from his left, then North's back",
    "answer.unread": "the board is not read just now: it is to lie in the picture, with no hand over it",
    "answer.empty": "{right} of {pits} pits read empty.",
    "answer.empty-look": "{right} of {pits} pits read empty; look at {names}.",
    "answer.not-empty": "{wrong} of {pits} pits do not read empty, such as {names}: take the seeds out",
    "answer.pit": "{pit} ({count})",
    "answer.pit-unseen": "{pit} (not seen)",
}


def message(key: str, **values: int | str | Message | list[Message]) -> Message:
    """The message of `key`, filled in."""
    return Message.of(MESSAGES, key, values)

