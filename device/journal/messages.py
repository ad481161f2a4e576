"""The table's messages to people, by key: answers to orders, what it is doing, why it sees nothing.

The table writes its journal in English, and beside each sentence its key and values; the page shows them in the
visitor's language. Values stand in braces; a key ending in `.one` is used where its `{n}` is 1.
"""

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
    "camera.folder": "folder {folder}",
    "camera.network": "camera at {host}",

    # ---- why the table sees nothing, and what is to be done
    "reason.lost": "the board is not in the picture",
    "reason.lost.todo": "Move the camera or the board until every pit is visible.",
    "reason.dark": "it is too dark to see the seeds",
    "reason.dark.todo": "Turn on a lamp.",
    "reason.hidden": "something hides the board, or it is gone",
    "reason.hidden.todo": "Clear the view from the camera to the board.",
    "reason.lies": "a hand or a shadow has covered part of the board for {seconds} s, so what was played there is "
                   "unknown",
    "reason.lies.todo": "Take hands and things off the board; it is then read again.",
    "reason.restless": "the picture has not settled for {seconds} s, so what was played is unknown",
    "reason.restless.todo": "Keep the light and the camera still.",
    "reason.moved": "the board moved",
    "reason.moved.todo": "Leave it still; it is being looked for again.",
    "reason.blurred": "the picture is blurred",
    "reason.blurred.todo": "Wipe the lens and focus the camera.",
    "reason.no-camera": "the camera does not answer",
    "reason.no-camera.todo": "Check its cable; it reconnects by itself.",
    "reason.not-found": "no board was found in the picture",
    "reason.not-found.todo": "Place it so that the camera sees every pit from above.",
    "reason.hole": "the camera gave no pictures for {seconds} s, so what was played then is unknown",
    "reason.hole.todo": "Check the camera's cable, and whether the computer is too busy.",
    "reason.mirrored": "the picture shows the board in a mirror",
    "reason.flipped": "the picture shows the board upside down in a mirror",
    "reason.turned": "the picture shows the board turned round",
    "reason.turned-now": "The picture is turned the right way now; moves until here are open.",
    "reason.frozen": "the camera keeps repeating the same picture",
    "reason.silent": "the {camera} gives no pictures",
    "reason.other-camera": "another camera is being opened",
    "reason.other-camera.todo": "Nothing needs to be done; it takes a few seconds.",
    "reason.other-size": "the {camera} is being set up for a board of another size",
    "reason.other-size.todo": "Nothing needs to be done; it takes a few seconds.",
    "reason.ended": "the recording has ended",
    "reason.ended-early": "the recording ends at {at} of {length} s: the rest is missing or damaged",
    "reason.ended-early.todo": "Copy it from the camera again.",
    "reason.ended.todo": "Choose another recording, or a camera.",

    # ---- what is wrong with a camera
    "reason.torn": "the {camera} gives only torn pictures: check its cable",
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
    "reason.pi-group": "add the user to the group 'video' and log in again",
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
    "reason.network-missing": "cameras with an address need PyAV: pip install 'inkeek[clips]'",
    "reason.network-closed": "the camera with an address is not open",
    "reason.network-silent": "nothing answers at {host}",
    "reason.network-silent.todo": "Check that the camera is on and in this network, and its address; it reconnects by "
                                  "itself.",
    "reason.network-refused": "the camera at {host} refuses the user or the password",
    "reason.network-refused.todo": "Put the right ones into its address: rtsp://USER:PASSWORD@HOST/PATH.",
    "reason.network-path": "there are no pictures at this address of {host}",
    "reason.network-path.todo": "Check what follows the host in its address; the camera's manual names it.",
    "reason.network-no-video": "what comes from {host} is no video",
    "reason.network-no-video.todo": "Use the address of its video, not that of its page; the camera's manual names it.",
    "reason.network-one-picture": "the address at {host} gives a single picture and no video",
    "reason.network-one-picture.todo": "Use the address of its video; the camera's manual or app names it.",
    "reason.network-gone": "the camera at {host} gives no more pictures",
    "reason.network-gone.todo": "Check that it is on and in this network; it reconnects by itself.",
    "reason.folder-none": "there is no folder {folder}: make it, or choose another with --camera folder:PATH",
    "reason.folder-gone": "the folder {folder} is gone: is its drive still there?",
    "reason.folder-unread": "the folder {folder} cannot be read: {error}",
    "reason.folder-heic": "the folder {folder} gets HEIC pictures, which cannot be read here",
    "reason.folder-heic.todo": "Set the telephone to JPEG. On an iPhone: Settings, Camera, Formats, Most Compatible.",
    "reason.folder-unfed": "no new picture comes into the folder {folder}",
    "reason.folder-unfed.todo": "Check that something still puts pictures there, several a second.",
    "reason.folder-closed": "the folder of pictures is not open",
    "reason.sim-missing": "the simulated table cannot be drawn without {module}: pip install 'inkeek[sim]'",
    "reason.sim-unopened": "the simulated table is not open: open it first",
    "reason.sim-closed": "the simulated table was closed",

    # ---- what the table is doing
    "why.opening": "getting the {camera} ready",
    "why.waiting": "waiting for the {camera}",
    "why.remembered": "looking where the board was",
    "why.searching": "looking for the board",
    "why.lay-back": "put the board back as it was before the move",
    "why.still": "not yet back as before: {pits}",
    "why.still.pit": "{pit} (has {there}, needs {due})",
    "why.read": "{right} of {pits} pits are right",
    "why.read.look": "{right} of {pits} pits are right; check {names}",
    "why.read.far": "{right} of {pits} pits are right: the board is too far away, its pits are {wide} pixels wide and "
                    "{needed} are needed; bring the camera nearer",
    "why.steal": "{side} has not started within {seconds} s; {other} may play",
    "list.more": "{some} and others",

    # ---- why nothing is written down
    "disk.memory": "{why}; the game goes on in memory and is not being saved. Waiting: entries {entries}, pictures "
                   "{pictures}",
    "disk.pictures": "{why}; moves and results are saved, pictures wait in memory: {pictures}",
    "disk.full": "the disk is full",
    "disk.read-only": "the disk is read-only",
    "disk.denied": "this user may not write there",
    "disk.damaged": "{error}: look at it with 'inkeek verify', restore a backup or move it away",

    # ---- why the game goes on from another board
    "set.begins": "the game starts from the board as it lies",
    "set.as-it-lies": "the board is taken as it lies",
    "set.before-doubt": "the board is back as it was before the doubtful move",
    "set.follows": "later moves showed how the board lay",
    "set.who-moves": "it was unclear whose turn it was, so whoever moves has it",
    "set.stolen": "the turn was not started in time, so the other side took it",
    "set.people": "pit {pit} holds {count}: corrected by the referee",
    "set.not-as-read": "counts corrected by the referee",
    "set.captured": "captured seeds corrected by the referee: South {south}, North {north}",

    # ---- answers to orders
    "answer.new": "A new game of {game} on {board} starts.",
    "answer.stands": "The move stands; play goes on from the board as it lies.",
    "answer.stands-after": "The move stands after all; play goes on from the board as it lies.",
    "answer.stands-past": "That move stands; later moves stay as they were.",
    "answer.no-move": "Event {event} is not a valid move of this game: it was withdrawn or judged again.",
    "answer.withdrawing": "The move is already being taken back. Put the board back as it was.",
    "answer.lay-back": "Put the board back as it was before {whose}. Then the game goes on.",
    "answer.lay-back-all": "Put the board back as it was before {whose}. The {n} moves after it are withdrawn too. "
                           "Then the game goes on.",
    "answer.lay-back-all.one": "Put the board back as it was before {whose}. The move after it is withdrawn too. Then "
                               "the game goes on.",
    "answer.whose": "{side}'s move",
    "answer.the-move": "the move",
    "answer.taken-to-hold": "Pit {pit} is counted as {count}.",
    "answer.holds": "Pit {pit} holds {count}.",
    "answer.holds-not": "Pit {pit} holds {count}. Now the total is wrong: {why}.",
    "answer.cannot-hold": "pit {pit} cannot hold {count} seeds; 0 to {most} are possible",
    "answer.counts": "{count} counts were given for the {pits} pits of a {board} board",
    "answer.captured": "captured seeds are given for South and for North, each from 0 to {most}",
    "answer.captured-total": "{lying} seeds in the pits and {captured} captured ones make {total}; this game has {due}",
    "answer.judged": "Counts corrected by the referee. The move is judged again.",
    "answer.judged-all": "Counts corrected by the referee. The move and the {n} after it are judged again.",
    "answer.judged-all.one": "Counts corrected by the referee. The move and the one after it are judged again.",
    "answer.counted": "Counts corrected by the referee.",
    "answer.counted-all": "Counts corrected by the referee. The {n} moves after it are judged again.",
    "answer.counted-all.one": "Counts corrected by the referee. The move after it is judged again.",
    "answer.too-far": "more than {most} later moves would have to be judged again, and the table cannot wait that long",
    "answer.over": "The game is already over.",
    "answer.forfeit": "{side} resigns; {other} wins the game.",
    "answer.agreed": "Both sides agree: the game is over.",
    "answer.no-agreed": "A game of {game} cannot end by agreement.",
    "answer.no-ruling": "There is no such ruling in this game, or it is undone already.",
    "answer.undone": "Ruling undone. Put the board back as it was.",
    "answer.undone-kept": "Ruling undone. The board stays as it is.",
    "answer.lies-seeds": "{lying} seeds are on the board, but {game} on {board} starts with {due}: add or remove "
                         "seeds, then try again",
    "answer.unclear": "the board cannot be read clearly just now: take your hands away, or check the doubtful pits",
    "answer.other-board": "the position is for a {lies} board, but the game is played on {board}",

    # ---- why an order that came from a hall is not taken
    "hall.no-pin": "no PIN is set at this table, so nobody can rule from the hall",
    "hall.forged": "the PIN is not this table's",
    "hall.wait": "too many wrong PINs: wait {n} seconds",
    "hall.wait.one": "too many wrong PINs: wait 1 second",
    "hall.journal": "the order is for another journal of this table",
    "hall.old": "order {sequence} is old: the table has taken order {last} already",
    "hall.kind": "that is no ruling",
    "hall.no-game": "no game has begun at this table",
    "hall.no-verdict": "there is no verdict {number} at this table",
    "hall.twice": "an order on this verdict is already waiting for the table",
    "hall.too-many": "{n} orders are already waiting for the table",
    "hall.not-held": "verdict {number} is not held back",
    "hall.not-written": "the order could not be written down: {why}",
    "hall.lost": "the table's link ended before the order was written down: give it again",

    # ---- answers to those about camera and board
    "edge.bottom": "bottom",
    "edge.top": "top",
    "edge.left": "left",
    "edge.right": "right",
    "answer.camera": "Opening the {camera}.",
    "answer.no-camera": "there is no camera '{word}' at this table",
    "answer.south": "South sits at the {edge} of the picture.",
    "answer.mirrored": "Left and right are exchanged in the picture now.",
    "answer.flipped": "Up and down are exchanged in the picture now.",
    "answer.turned": "The picture is turned round now.",
    "answer.placed": "Board position saved.",
    "answer.sought": "Looking for the board again.",
    "answer.no-picture": "there is no picture yet to place the board in",
    "answer.places": "{count} positions were given for the {pits} pits of a {board} board",
    "answer.place": "pit {pit} cannot lie at {x}, {y} with a radius of {r}: it must be inside the picture",
    "answer.round": "the pits must follow the board round: South's row from his left, then North's row back",
    "answer.unread": "the board cannot be read just now: it must be in the picture, with no hand over it",
    "answer.empty": "{right} of {pits} pits look empty.",
    "answer.empty-look": "{right} of {pits} pits look empty; check {names}.",
    "answer.not-empty": "{wrong} of {pits} pits do not look empty, such as {names}: take the seeds out",
    "answer.foul": "The players of the demo break the rules in one of their next moves.",
    "answer.no-demo": "only the simulated table plays by itself, and can be asked for a foul",
    "answer.pit": "{pit} ({count})",
    "answer.pit-unseen": "{pit} (not seen)",
}


def message(key: str, **values: int | str | Message | list[Message]) -> Message:
    """The message of `key`, filled in."""
    return Message.of(MESSAGES, key, values)

