"""What the page says to those who do not know the games: how each is played, and its words. Part of `web.messages`."""

from __future__ import annotations

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
    "help.foul": "What is a foul",
    "help.move.enkeshui": "Lift all seeds of one of your pits and drop one into each pit that follows, anticlockwise. "
                          "If the last seed falls into a pit with seeds, lift them all and sow on. If it falls into an "
                          "empty pit, the move ends.",
    "help.capture.enkeshui": "If the last seed falls into an empty pit of your own and the pit opposite holds seeds "
                             "and is no bull, you capture them and that last seed. The next pits of your row capture "
                             "too, as long as they are empty and seeds lie opposite.",
    "help.bull.enkeshui": "If the last seed makes four of three, that pit becomes your bull and the move ends. So it "
                          "does with two pits if the last two seeds make a three and a four. A bull is never emptied; "
                          "a move that reaches one ends there.",
    "help.overlay": "To show the game in a livestream, add {address} to OBS as a browser source, 1920 × 1080 or "
                    "1280 × 720. Its ground is transparent.",
    "help.end.enkeshui": "The game ends when the player to move has no seed outside bulls in his row. The seeds left "
                         "in a row go to its owner, and a bull’s seeds to the bull’s owner. More seeds win.",
    "help.move.endodoi": "Lift all seeds of one of your pits, even a single one, and drop one into each pit that "
                         "follows, anticlockwise. If the last seed falls into a pit with seeds, lift them all and sow "
                         "on. If it falls into an empty pit, the move ends.",
    "help.capture.endodoi": "If the last seed falls into an empty pit of your own and the pit opposite holds seeds, "
                            "you capture them and that last seed.",
    "help.end.endodoi": "The game ends when the player to move has no seed in his row. Whoever moved last gets all "
                        "seeds that are left. More seeds win.",
    "help.move.omweso": "Each player sows round his own two rows. Lift a pit of at least two seeds and drop one into "
                        "each pit that follows, anticlockwise. If the last seed falls into a pit with seeds and "
                        "nothing is captured, lift them all and sow on. If it falls into an empty pit, the move ends.",
    "help.capture.omweso": "If the last seed falls into a pit with seeds of your inner row and both opposite pits hold "
                           "seeds, you capture both. The captured seeds are sown on from where that lap began. From "
                           "the four leftmost pits you may sow clockwise if that captures.",
    "help.end.omweso": "Whoever has no pit of two or more seeds at his turn loses. Captures at both ends of the board "
                       "in one move win at once.",
    "help.foul.text": "Whatever breaks the rules is a foul: skipping a pit, dropping two seeds into one, stopping too "
                      "early, sowing on from an empty pit, capturing too much or too little, or playing out of turn. "
                      "The referee says what happened; the people at the board decide what follows.",
    "term.lap": "lap",
    "term.lap.text": "One sowing: seeds are lifted from a pit and dropped one by one into the pits that follow. A move "
                     "has one lap or more.",
    "term.slept": "slept",
    "term.slept.text": "A move sleeps when it ends: its last seed fell into an empty pit or a bull. Then it is the "
                       "other side’s turn.",
    "term.bull": "bull",
    "term.bull.text": "In Enkeshui, a pit that one side has made its own by bringing it to four seeds. It is never "
                      "emptied again, and its seeds count for its owner.",
    "term.inkeek": "inkeek",
    "term.inkeek.text": "The small sticks, inkeek e-nkeshui, with which the Maasai keep a match’s score: one for each "
                        "game won.",
    "demo.text": "This is a demo: hands drawn by a program play here, and now and then they cheat.",
    "demo.camera": "Connect a camera",
    "demo.foul": "Show me a foul",
}
