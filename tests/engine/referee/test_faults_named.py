"""Every fault of the list is named with its pit, lap and number, on boards played by hand (`by_hand`)."""

import pytest

from engine.drawing import steps
from engine.explain import sentence
from engine.position import Position
from engine.rules import ruleset
from tests.engine.referee.by_hand import MIDDLE, NORTHS, SOUTHS, by_hand, judged, names, seen
from tests.engine.trace_applied import apply

LATE = "0,1,4,0,6,0,2,1/5,0,0,4,0,1,0,3 S 12-9 ply=17"
SLEEPS = "1,1,5,6,0,0,0,1/0,0,4,4,4,4,4,0 S 10-0 ply=4"
"""Enkeshui: South's c ends in g, is sown on, and ends in D."""
BULLS = "1,6n,0,0,0,0,0,2/1,0,2,0,2,0,2,4s S 26-2 ply=16"
FACING = "3,1,0,5,0,2,0,1/0,2,0,0,4,0,0,2 S 14-14 ply=12"
NORTHS_BULL = "3,1,0,5n,0,2,0,1/0,0,1,0,4,0,0,2 S 14-15 ply=12"
CAPTOR = "0,3,1,4,0,0,0,2/1,4,1,1,0,0,0,3 N 26-2 ply=11"
ALONE = "1,1,3,0,0,10,4,4/0,1,1,0,1,0,1,0 S 14-7 ply=7"
DUE = "4,1,3,3,3,0,2,3/5,3,3,1,5,5,0,5/0,0,1,0,2,1,0,0/0,3,4,0,5,1,0,1 S 0-0 ply=16 caps=2-2"
"""Omweso: South's e ends in c; F and N have to be taken and sown on from e."""
FREE = "6,6,0,0,5,5,5,0/2,2,1,0,0,0,0,0/0,0,0,1,1,1,2,2/4,4,4,4,4,0,5,0 S 0-0 ply=4"
"""South's h ends in f: K alone is occupied across, so f has to be sown on."""
EMPTY = "6,6,0,0,5,5,5,0/2,2,1,0,0,0,0,0/0,0,0,1,1,0,2,2/4,4,4,4,5,0,5,0 S 0-0 ply=4"
"""The same with f empty: there the move ends."""
TWICE = "1,5,1,5,0,5,5,0/2,0,3,3,0,1,1,1/0,1,1,1,0,3,4,4/0,0,6,0,1,0,2,8 N 0-0 ply=5 caps=1-1"
"""North's H captures c and k, and sown on their seeds end in A, where h and p have to be taken."""

FAULTS = [
    ("enkeshui", MIDDLE, "^e f h A B C D ^D E F", ("skip", "g", 1, 1), "skipped g"),
    ("enkeshui", MIDDLE, "^e f f g h A B ^B C D E ^E F G H ^H a b c d e xeD", ("double", "f", 1, 1),
     "two seeds into f"),
    ("enkeshui", MIDDLE, "^e-1 f g h A B ^B C D E ^E F G H ^H a b c d e ^e f g ^g h A B C D E F G H",
     ("left-seed", "e", 1, 1), "left one seed in e"),
    ("enkeshui", MIDDLE, "^e d c b a H G ^G H a b ^b c d e f g ^g h A B C D E F G", ("wrong-way", "e", 1, 1),
     "clockwise from e"),
    ("enkeshui", MIDDLE, "^b c d e", ("stopped-short", "e", 1, 0), "stopped in e"),
    ("enkeshui", MIDDLE, "^e f g h A B C ^C D ^D E F", ("ran-on", "C", 1, 0), "sowed on from C"),
    ("enkeshui", MIDDLE, "^c d", ("short-capture", "E", 1, 3), "captured three more seeds at E"),
    ("enkeshui", CAPTOR, "^F G ^G H a b c ^c d e", ("bull-missed", "G", 1, 0), "sowed on from G after lap 1"),
    ("enkeshui", MIDDLE, "^e ~-1 f g h A B ^B C D E ^E F G H ^H a b c d e xeD", ("palmed", "e", 1, 1),
     "disappeared from the hand"),
    ("enkeshui", MIDDLE, "^e ~+1 f g h A B C D ^D E F", ("smuggled", "e", 1, 1), "one seed more"),
    ("enkeshui", MIDDLE, "^E F G ^G H a b", ("wrong-side", "E", 1, 0), "North's pit"),
    ("enkeshui", BULLS, "^h A B C D", ("bull-lifted", "h", 1, 0), "must never be emptied"),
    ("enkeshui", NORTHS_BULL, "^c d xdE", ("bull-lifted", "E", 1, 5), "captured from the bull E"),
    ("enkeshui", MIDDLE, "^D E ^E F G H ^H a b c d e ^e f g h A B C D", ("out-of-turn", "D", 0, 0), "it was South's"),
    ("enkeshui", MIDDLE, "^c d xdE ^e f g h A B C", ("double-move", "e", 0, 0), "before North had moved"),
    ("enkeshui", ALONE, "^c e ^e f g ^g h A ^A B C D E F", ("ran-on", "d", 1, 0), "sowed on from d"),
    ("enkeshui", FACING, "^b c d xd", ("short-capture", "E", 1, 5), "captured five more seeds at E"),
    ("enkeshui", SLEEPS, "^c ~-2 d e ^e f g h A B", ("palmed", "c", 1, 2), "two seeds disappeared from the hand"),
    ("enkeshui", SLEEPS, "^c ~-3 d ^d e f g h A ^A B C", ("palmed", "c", 1, 3), "three seeds disappeared from"),
    ("enkeshui", SLEEPS, "^c ~2 d e f g h A ^A B C", ("smuggled", "c", 1, 2), "two seeds more than were picked up"),
    ("enkeshui", SLEEPS, "^c d e D g ^g h A B C D ^D E F ^F G H a b c d ^d e f g h A B ^B C D",
     ("wrong-pit", "D", 1, 1), "which was not the next pit"),
    ("enkeshui", SLEEPS, "^c ^e d e f g h A B C", ("two-pits", "e", 1, 4), "lifted e as well"),
    ("omweso", DUE, "^e d c xFN", ("kept", "F", 1, 6), "kept the six seeds captured at F"),
    ("omweso", DUE, "^e d c +FN b a i j k l", ("wrong-pit", "c", 1, 6), "sowed the captured seeds on from c"),
    ("omweso", DUE, "^e d c", ("short-capture", "F", 1, 6), "captured six more seeds at F"),
    ("omweso", DUE, "^e d c ^c b a", ("short-capture", "F", 1, 6), "captured six more seeds at F"),
    ("omweso", DUE, "^e d c +N d c b", ("short-capture", "F", 1, 3), "captured three more seeds at F"),
    ("omweso", DUE, "^e d c +F d c b", ("short-capture", "N", 1, 3), "captured three more seeds at N"),
    ("omweso", FREE, "^h g f +K g f e d c", ("false-capture", "K", 1, 5), "took five seeds from K"),
    ("omweso", EMPTY, "^h g f +K g f e d c", ("false-capture", "K", 1, 5), "took five seeds from K"),
    ("omweso", TWICE, "^H G F +ck G F E D C B A +p G F E D C B A I", ("short-capture", "h", 2, 4),
     "captured four more seeds at h"),
    ("omweso", FREE, "^h g f", ("stopped-short", "f", 1, 0), "stopped in f after lap 1; it held seeds"),
]


@pytest.mark.parametrize(("game", "line", "play", "fault", "words"), FAULTS,
                         ids=[f"{f[3][0]} {f[2][:18]}" for f in FAULTS])
def test_a_fault_is_named_with_its_pit_lap_and_number(
    game: str, line: str, play: str, fault: tuple[str, str, int, int], words: str
) -> None:
    """The board is that which lies there, its trace leads to it, the sentence tells the fault, one step is marked."""
    before, after = Position.parse(line), by_hand(line, play)
    norths = fault[0] == "out-of-turn" or " N " in line
    said = judged(ruleset(game), before, seen(after.counts, NORTHS if norths else SOUTHS))
    assert (said.kind, names(said)) == ("illegal", [fault]), said.best
    assert said.position.counts == after.counts == apply(before, said.trace, said.player).counts
    assert said.position.total == before.total, "what vanished is the captor's"
    assert said.player is not None and said.position.to_move is said.player.other
    assert words in sentence(said) and said.player.title in sentence(said)
    assert said.confidence + sum(other.p for other in said.alike) > 0.97, "somebody did wrong"
    assert sum(step.wrong for step in steps(before.board, said.trace, said.faults)) == 1


FOLLOWED = [
    ("enkeshui", MIDDLE, "^e f h A B C D ^D E F", "D held 2 seeds and was sown on; the move should have ended in C."),
    ("enkeshui", SLEEPS, "^c d e D g ^g h A B C D ^D E F ^F G H a b c d ^d e f g h A B ^B C D",
     "D held 2 seeds and was sown on; the move should have ended there."),
    ("enkeshui", SLEEPS, "^c ~-2 d e ^e f g h A B",
     "e held 5 seeds and was sown on; g should have been sown on instead."),
    ("enkeshui", SLEEPS, "^c ^e d e f g h A B C", "the move ended in C; g should have been sown on instead."),
    ("oware", "4,4,4,4,4,4/1,4,1,4,4,4 S 0-6 ply=4", "^d e f B C", ""),
]
"""Slips of the hand, and what the sentence says of the rest of the move: nothing where it ended anyway."""


@pytest.mark.parametrize(("game", "line", "play", "words"), FOLLOWED, ids=[one[2][:18] for one in FOLLOWED])
def test_the_sentence_says_what_a_slip_changed_in_the_rest_of_the_move(
    game: str, line: str, play: str, words: str
) -> None:
    said = judged(ruleset(game), Position.parse(line), seen(by_hand(line, play).counts, SOUTHS))
    assert said.kind == "illegal"
    assert sentence(said).partition(" As a result, ")[2] == words


TWO_FAULTS = [
    ("enkeshui", LATE, "^d ~-1 e f g xgF"),
    ("endodoi", "0,1,2,0,1,3/2,1,0,3,1,0 S 17-17 ply=8", "^d e f B ^B C D ^D E F F ^F a b ^b c d xdC"),
]


@pytest.mark.parametrize(("game", "line", "play"), TWO_FAULTS, ids=[t[2] for t in TWO_FAULTS])
def test_of_two_faults_in_one_move_people_are_asked(game: str, line: str, play: str) -> None:
    """No one fault explains the board, and two are not looked for."""
    said = judged(ruleset(game), Position.parse(line), seen(by_hand(line, play).counts, SOUTHS))
    assert (said.kind, said.faults, said.position) == ("not-sure", (), said.before)
