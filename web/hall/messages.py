"""The sentences of the hall's page. Part of `web.messages`."""

HALL: dict[str, str] = {
    "nav.hall": "Tables",
    "nav.queue": "Rulings",
    "nav.projector": "Projector",
    "nav.director": "Director",

    "hall.title": "inkeek – the hall",
    "hall.none": "No table has reported yet. Start each with “inkeek run --hall {broker} --hall-password-file FILE”.",
    "hall.down": "The broker at {broker} does not answer. What is shown here may be old.",
    "hall.refused": "The broker at {broker} refuses the hall’s name or password. Start the hall again with those that "
                    "the broker knows. What is shown here may be old.",
    "hall.need.gone": "Link broken",
    "hall.need.unheard": "Its journal does not arrive",
    "hall.need.silent": "Silent for a minute",
    "hall.need.forked": "Its journal contradicts the hall’s copy",
    "hall.need.elsewhere": "Two tables use this name",
    "hall.need.blind": "Not watching",
    "hall.need.held": "Review first",
    "hall.need.unsure": "Not sure",
    "hall.need.contested": "Objection",
    "hall.need.fouls": "Not ruled on",
    "hall.odd": "This table’s report cannot be shown.",
    "hall.calm": "Needs no referee",
    "hall.own-page": "The table’s own page",
    "hall.see": "See the verdict",
    "hall.anew": "Copy its journal anew",
    "hall.anew.lead": "A table that was restored from a backup goes on from there. The hall’s old copy is then set "
                      "aside, and the journal is copied from its beginning.",
    "hall.dismiss": "Dismiss this table",
    "hall.dismiss.lead": "Only the broker’s memory may be left of it. The hall shows it again as soon as it speaks; "
                         "what was copied stays.",
    "hall.evidence.gone": "The table has not sent this picture; it may be off, or may have deleted it.",

    "queue.title": "Waiting for a ruling",
    "queue.lead": "The oldest first. Open one to see its pictures and rule on it.",
    "queue.none": "Nothing waits for a ruling.",
    "queue.n": "{n} waiting",
    "queue.back": "All that are waiting",
    "queue.sign-in": "Sign in to rule.",
    "queue.sent": "The table is carrying it out.",
    "queue.unlinked": "The broker does not answer, so no order reaches a table. Try again in a moment.",
    "queue.no-pin": "No PIN is set at this table, so it takes no orders from here. Set one on its own page.",
    "queue.no-answer": "The table has not answered. See here whether it ruled before you try again.",
    "queue.not-kept": "The hall could not save the order. Is its disk full?",

    "director.title": "The director",
    "director.lead": "Anyone may watch. To rule at all tables, sign in once with the PIN that is set at them.",
    "director.none": "No PIN is set yet. To set one, open the link that the hall has printed in the terminal where it "
                     "runs.",
    "director.same": "Set the same PIN as at the tables: each order is signed with it, and a table with another PIN "
                     "refuses it.",
    "director.elsewhere": "To set the first PIN, open the link that the hall has printed in the terminal where it "
                          "runs.",
    "director.forgotten": "Forgotten? Delete the file page.pin in the hall’s data folder, then set a new PIN on the "
                          "hall’s machine.",

    "projector.title": "The tables in turn",
    "projector.stop": "Stay with this table",
    "projector.next": "Next table",
}
