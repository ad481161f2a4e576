"""The sentences of the help pages: how each game is played, and its words. Part of `web.messages`."""

HELP: dict[str, str] = {
    "help.title": "How the games are played",
    "help.lead": "Each game on a page of its own, with a move drawn lap by lap.",
    "help.words": "Words",
    "help.more": "More words",
    "help.setup": "The set-up",
    "help.move": "A move, lap by lap",
    "help.bull": "Bulls",
    "help.capture": "Capture",
    "help.end": "How it ends",
    "help.follows": "This page follows {rules}.",
    "help.rules": "Other rules",
    "help.foul": "What is a foul",
    "help.overlay": "To show the game in a livestream, add {address} to OBS as a browser source, 1920 × 1080 or "
                    "1280 × 720. Its background is transparent.",
    "help.foul.text": "Whatever breaks the rules is a foul: skipping a pit, dropping two seeds into one, stopping too "
                      "early, sowing on from an empty pit, capturing too much or too little, or playing out of turn. "
                      "The referee says what happened; the people at the board decide what follows.",
    "term.ask": "What do these words mean?",
    "term.lap": "lap",
    "term.lap.text": "One sowing: seeds are lifted from a pit and dropped one by one into the pits that follow. A move "
                     "has one lap or more.",
    "term.slept": "slept",
    "term.slept.text": "A move sleeps when it ends: its last seed fell into an empty pit. Then it is the other side’s "
                       "turn.",
    "term.bull": "bull",
    "term.bull.text": "In Enkeshui, a pit that one side has made its own by bringing it to four seeds. It is never "
                      "emptied again, a move that ends in it is over, and its seeds count for its owner.",
    "term.inkeek": "inkeek",
    "term.inkeek.text": "The small sticks, inkeek e-nkeshui, with which the Maasai keep a match’s score: one for each "
                        "game won.",
    "demo.text": "This is a demo: hands drawn by a program play here, and now and then they cheat.",
    "demo.camera": "Connect a camera",
    "demo.foul": "Show me a foul",
}
