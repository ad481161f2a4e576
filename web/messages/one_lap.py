"""How the page words the moves of games without relays: `one-lap.KEY` replaces `KEY` for all of them
(`web.words.catalog`)."""

ONE_LAP = {
    "one-lap.help.move": "A move",
    "one-lap.help.foul.text": "Whatever breaks the rules is a foul: skipping a pit, dropping two seeds into one, "
                              "capturing too much or too little, or playing out of turn. The referee says what "
                              "happened; the people at the board decide what follows.",
    "one-lap.fault.wrong-way": "sowed the wrong way from {pit}",
    "one-lap.fault.left-seed": "left {n} seeds in {pit}",
    "one-lap.fault.left-seed.one": "left one seed in {pit}",
    "one-lap.fault.skip": "skipped {pit}",
    "one-lap.fault.double": "dropped {n} seeds too many into {pit}",
    "one-lap.fault.double.one": "dropped one seed too many into {pit}",
    "one-lap.fault.ran-on": "sowed on from the empty pit {pit}",
    "one-lap.fault.false-capture": "took {n} seeds from {pit}, which were not theirs to capture",
    "one-lap.fault.false-capture.one": "took one seed from {pit}, which was not theirs to capture",
    "one-lap.fault.short-capture": "should have captured {n} more seeds at {pit}",
    "one-lap.fault.short-capture.one": "should have captured one more seed at {pit}",
    "one-lap.fault.wrong-pit": "went to the wrong pit, {pit}",
    "one-lap.path.lift": "{n} lifted from {pit}",
    "one-lap.path.lift.one": "1 lifted from {pit}",
    "one-lap.path.drop": "{n} into {pit}",
    "one-lap.path.capture": "{n} captured from {pit}",
    "one-lap.replay.lap": "Sowing",
}
