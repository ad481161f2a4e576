"""The sentences that a tournament says to people, by key: refusals, and why one entry ranks ahead of another.

They are separate from `engine.messages`, whose texts are part of a table's page scripts.
"""

from collections.abc import Mapping

from engine.messages import Message

TOURNAMENTS: Mapping[str, str] = {
    # ---- why one entry ranks ahead of another
    "tournament.ahead.points": "ahead of {other}: {mine} match points to {theirs}",
    "tournament.ahead.direct": "ahead of {other}: won their match against each other",
    "tournament.ahead.several": "ahead of {other}: {mine} match points to {theirs} in their matches against each other",
    "tournament.ahead.among": "ahead of {other}: {mine} match points to {theirs} in the matches among the {n} who are "
                              "level",
    "tournament.ahead.difference": "ahead of {other}: the difference of the scores is {mine} to {theirs}",
    "tournament.ahead.score": "ahead of {other}: a score of {mine} to {theirs}",
    "tournament.ahead.games": "ahead of {other}: {mine} games won to {theirs}",
    "tournament.ahead.third": "ahead of {other}: won the match for the third place",
    "tournament.ahead.seed": "ahead of {other}: level by every criterion, and higher in the seeding",

    # ---- why a round has become invalid
    "tournament.stale": "the result of round {last} has changed, so {name} no longer belongs where it is in round "
                        "{round}: undo round {round} and make it again",
    "tournament.stale-away": "the result of round {last} has changed, so {name} is missing in round {round}: undo "
                             "round {round} and make it again",

    # ---- why an event no longer counts
    "tournament.undone": "undone by event {event}",
    "tournament.rested": "its round no longer counts",

    # ---- what is refused
    "tournament.not-begun": "no tournament has begun",
    "tournament.begun": "the tournament has begun already: {name}",
    "tournament.no-event": "{kind} is no event of a tournament",
    "tournament.what.name": "the tournament's name",
    "tournament.what.entry": "the name of an entry",
    "tournament.what.member": "the name of a member of {name}",
    "tournament.what.by": "the name of who ruled",
    "tournament.what.table": "the name of a table",
    "tournament.what.cycles": "how often every two meet",
    "tournament.what.round": "the number of the round",
    "tournament.what.sitting": "the number of the sitting",
    "tournament.what.score": "the score",
    "tournament.what.games": "the number of games won",
    "tournament.what.drawn": "the number of drawn games",
    "tournament.cycles": "every two meet {n} times: {most} times at the most",
    "tournament.third": "only a knock-out has a match for the third place",
    "tournament.once": "only in a round robin do two meet more than once",
    "tournament.by-score": "only a round robin is won by the score of all matches",
    "tournament.long": "{text} is longer than {most} characters, or cannot be printed",
    "tournament.taken": "{name} is entered already",
    "tournament.member-taken": "{name} plays for {entry} already",
    "tournament.members": "{name} has {n} members: {most} at the most",
    "tournament.full": "{name} cannot enter: there are {most} entries already",
    "tournament.closed": "{name} cannot enter: the first round is made",
    "tournament.no-entry": "no entry has the number {number}",
    "tournament.withdrawn": "{name} has withdrawn already",
    "tournament.table-twice": "table {table} is named twice",
    "tournament.tables": "{n} tables are named: {most} at the most",
    "tournament.none-left": "round {round} cannot be made: all who were left have withdrawn",
    "tournament.few": "no round can be made of {n} entries: two at the least",
    "tournament.few.one": "no round can be made of one entry: two at the least",
    "tournament.next": "round {round} cannot be made: the next is round {next}",
    "tournament.all-made": "all {n} rounds are made",
    "tournament.all-made.one": "the only round is made",
    "tournament.undecided": "round {round} cannot be made: {south} and {north} have no winner in round {last}",
    "tournament.stale-first": "round {round} cannot be made: {why}",
    "tournament.twice": "{name} is paired twice in round {round}",
    "tournament.itself": "{name} is paired with itself in round {round}",
    "tournament.met": "{name} and {other} meet more often than agreed if they are paired in round {round}",
    "tournament.missing": "{name} is not paired in round {round}",
    "tournament.bracket": "round {round} has {n} pairings: {due} are due",
    "tournament.table-taken": "table {table} is taken in round {round}, sitting {sitting}",
    "tournament.no-pairing": "there is no pairing {number} in the round that event {made} made",
    "tournament.bye": "{name} has no opponent in round {round}, so there is no result",
    "tournament.winner": "the winner does not fit the score of {score}",
    "tournament.no-winner": "a match that ended by {how} has a winner",
    "tournament.nobody": "a match that nobody came to has no winner",
    "tournament.unplayed": "a match that nobody played has the score 0-0",
    "tournament.level": "a lot decides a level score only, and only in a knock-out",
    "tournament.why": "a correction says why",
    "tournament.by": "a correction says who made it",
    "tournament.no-undo": "there is no event {event} to undo: the tournament has {n}",
    "tournament.gone": "event {event} no longer counts: {why}",
    "tournament.first": "event {event} cannot be undone: it began the tournament",
    "tournament.rests": "event {event} cannot be undone: event {other}, {kind}, rests on it",
    "tournament.not-over": "the match is not over",
    "tournament.how.forfeit": "forfeit",
    "tournament.how.walkover": "walkover",
    "tournament.how.lot": "lot",
}


def said(key: str, **values: int | str | Message | list[Message]) -> Message:
    """Return the message of `key` with its values."""
    return Message.of(TOURNAMENTS, key, values)
