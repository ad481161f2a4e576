"""Whole random games of every ruleset as records: verdicts, rulings, faults that stood, moves taken back; and hostile
texts, which get one sentence each in bounded time and memory.
"""

import random
import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.board import Side
from engine.position import Position
from engine.records.reader import RecordError, read
from engine.records.record import BACK, LONGEST, RACE, SET, UNREAD, Item, Record, plain_text
from engine.records.replay import replay
from engine.rules import Rules
from tests.engine.games.test_machines import ALL, rearrangement, start

SAID = ("legal 0.9991", "illegal 0.93: North sowed D? \"two\" into \\f", "retracted by the opponents: cheat caught",
        "let stand – they agreed", "Naisiae: (1-0) [sic] 3. c< ~ *", "1,2/3,4 S 0-0", "牛 é \U0001f402", "?", "*")


class Game:
    """A game as people play it: mostly by the rules, with all else that a record can hold."""

    def __init__(self, rules: Rules, seed: int, longest: int) -> None:
        self.rules, self.rng, self.longest = rules, random.Random(seed), longest
        self.start = self.position = start(rules, self.rng)
        self.items: list[Item] = []
        self.positions = [self.start]
        self.before: list[Position] = []
        self.arranged: set[Side] = set()

    def record(self) -> Record:
        """Play it."""
        rng = self.rng
        if self.rules.races and rng.random() < 0.3:
            self.race()
        while len(self.items) < self.longest and self.rules.over(self.position) is None:
            chance = rng.random()
            if chance < 0.05 and self.before:
                self.back()
            elif chance < 0.1:
                self.lies(rng.choice((UNREAD, SET, self.pit() + "?")))
            elif chance < 0.15 and self.rules.game == "enkeshui" and self.rearranged():
                continue
            elif not self.legal():
                break
        over = self.rules.over(self.position)
        tags = {"Event": rng.choice(SAID), "South": plain_text(rng.choice(SAID))}
        if over is None:
            return Record.of(self.rules, self.start, self.items, tags=tags, ended=rng.choice(("", "rain")))
        return Record.of(self.rules, self.start, self.items, tags=tags, result=over.result, winner=over.winner)

    def comments(self) -> tuple[str, ...]:
        return tuple(self.rng.choices(SAID, k=self.rng.choice((0, 0, 0, 1, 2))))

    def pit(self) -> str:
        return self.position.board.name(self.rng.randrange(self.position.board.pits))

    def add(self, word: str, after: Position, written: Position | None = None) -> None:
        item = Item(word, written, self.comments())
        self.items.append(item)
        if item.play:
            self.before.append(self.position)
        self.position = after
        self.positions.append(after)

    def legal(self) -> bool:
        moves = self.rules.moves(self.position).moves
        if moves:
            move = self.rng.choice(moves)
            self.add(move.name, move.position)
        return bool(moves)

    def lies(self, word: str) -> None:
        """A seed lies elsewhere than the rules have it, and the board is taken as it lies."""
        free = [p for p, n in enumerate(self.position.counts) if n and self.position.bulls[p] is None]
        counts = list(self.position.counts)
        counts[self.rng.choice(free)] -= 1
        counts[self.rng.choice(free)] += 1
        after = self.position.with_counts(tuple(counts))
        if word != SET:
            after = replace(after, to_move=after.to_move.other, ply=after.ply + 1)
        self.add(word, after, after)

    def rearranged(self) -> bool:
        setup, side = self.rules.values["rearrange"] == "setup", self.position.to_move
        name = rearrangement(self.position, self.rng)
        if not name or (setup and (self.position.ply or self.arranged or len(self.items))):
            return False
        self.add(name, self.rules.play(self.position, name).position)
        self.arranged.add(side)
        return True

    def race(self) -> None:
        counts = list(self.position.counts)
        self.rng.shuffle(counts)
        after = replace(self.position, counts=tuple(counts), ply=2, to_move=self.rng.choice(list(Side)))
        self.add(RACE, after, after)

    def back(self) -> None:
        self.items.append(Item(BACK, None, self.comments()))
        self.position = self.before.pop()
        self.positions.append(self.position)


def holds(game: Game) -> int:
    """Write it, read it, write it again, replay it; how many items it had."""
    record = game.record()
    text = str(record)
    (again,) = read(text)
    assert again == record
    assert str(again) == text
    done = replay(again)
    assert done.wrong is None, done.wrong.sentence
    assert done.positions == tuple(game.positions)
    return len(record.items)


@pytest.mark.parametrize("rules", ALL, ids=lambda r: f"{r.game}-{r.name}-{ALL.index(r)}")
def test_whole_games_with_rulings_and_faults_replay_from_their_records(rules: Rules) -> None:
    assert sum(holds(Game(rules, seed, 60)) for seed in range(4)) > 40


# ---- hostile texts -----------------------------------------------------------------------------------------

GAME = '[Game "enkeshui"]\n'
LONG = 2_000_000


HOSTILE: dict[str, tuple[Callable[[], str], str]] = {
    "a million moves": (lambda: GAME + "f ~ " * 500_000, "line 2, column 10001: the game has more than 5000 moves"),
    "a line of 10 MB": (lambda: GAME + "f" * 10_000_000, "line 1, column 1: the text has 10000018 characters, 8388"),
    "a word of 2 MB": (lambda: GAME + "f" * LONG, "line 2, column 1: 'ffff"),
    "a comment of 2 MB": (lambda: f"{GAME}f {{{'x' * LONG}}}", "line 2, column 3: the comment has 2000000 characters"),
    "a tag of 2 MB": (lambda: f'{GAME}[South "{"x" * LONG}"]', "line 2, column 1: tag South has 2000000 characters"),
    "an open tag of 2 MB": (lambda: f'{GAME}[South "{"x" * LONG}', "line 2, column 1: '[South' is no tag"),
    "a tag of escapes": (lambda: f'{GAME}[South "{chr(92) * LONG}"]', "line 2, column 1: '[South' is no tag"),
    "spaces in a tag": (lambda: "[" + " " * LONG, "line 1, column 1: '[' is no tag"),
    "a NUL": (lambda: f"{GAME}f \0 C", "line 2, column 3: the control character U+0000"),
    "all NUL": (lambda: "\0" * LONG, "line 1, column 1: the control character U+0000"),
    "nested comments": (lambda: f"{GAME}f {{a {{b}} c}}", "line 2, column 3: a comment begins here and is not"),
    "many nested comments": (lambda: GAME + "f " + "{" * LONG, "line 2, column 3: a comment begins here"),
    "nested brackets": (lambda: GAME + "f? " + "(" * LONG + ")" * LONG, "line 2, column 4: a position begins here"),
    "directions": (lambda: GAME + "f" + "<" * LONG, "line 2, column 1: 'f<<<"),
    "numbers": (lambda: GAME + "1. " * (LONG // 2), "line 2, column 1: number 1 is not followed by a move"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_text_is_one_sentence_in_little_memory(what: str) -> None:
    make, said = HOSTILE[what]
    text = make()
    tracemalloc.start()
    try:
        with pytest.raises(RecordError) as e:
            list(read(text))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert str(e.value).startswith(said)
    assert "\n" not in str(e.value)
    assert len(str(e.value)) < 400
    assert most < 5 * len(text) + (4 << 20)


def test_a_long_tag_of_quotes_reads_back() -> None:
    record = Record.of(ALL[0], ALL[0].setup(), tags={"South": '"\\' * (LONGEST // 2)})
    assert list(read(str(record))) == [record]
