"""Where the page's frame leads: all tables, languages, help; and the messages for errors."""

from flask import Blueprint

from web.hall.views import drawn, tables
from web.hall.views.desk import director
from web.players import player
from web.readmodel.drawing import PAINTS
from web.readmodel.games import ruleset_of
from web.views import help as helping
from web.views import page as of_table
from web.views.games import history
from web.words import LANGUAGES, catalog, language, say, sentences, spoken_of

blueprint = Blueprint("page", __name__)
blueprint.add_url_rule("/", "index", tables.index)
blueprint.add_url_rule("/manifest.webmanifest", "manifest", of_table.manifest)
blueprint.add_url_rule("/language/<code>", "choose_language", of_table.choose_language)

help_blueprint = Blueprint("help", __name__)
help_blueprint.add_url_rule("/help", "page", helping.page)
help_blueprint.add_url_rule("/help/<name>", "game", helping.game)

DRAWING = ("board_svg", "photo_svg", "caption_of", "odds_of", "local", "step_text", "sentence_of", "reason_of",
           "ending_of", "answer_of", "asked_of", "message", "retraction_of", "who", "withdrawn_by", "withdrawn_for")
"""Template helpers of a table's page that the hall's templates use too."""


@blueprint.app_context_processor
def words() -> dict[str, object]:
    """Return what every template can use."""
    drawing = history.helpers()
    return {"t": sentences(), "spoken": spoken_of(), "say": say, "language": language(), "languages": LANGUAGES,
            "player": player, "ruleset_of": ruleset_of,
            "role": "watch" if director() is None else "referee", "hall": True, "count_part": drawn.count_part,
            "linked": drawn.linked(), "paints": PAINTS,
            **{name: drawing[name] for name in DRAWING}}


SCRIPTED = ("clip.", "photo.", "path.", "verdict.", "line.", "hall.evidence", "side.", "list.", "fault.")
"""How the keys of messages that scripts show begin."""


@blueprint.app_template_global("scripted")
def scripted() -> dict[str, str]:
    """Return the messages for a page's scripts."""
    own = f"{spoken_of()}."
    return {key: text for key, text in catalog(language()).items() if key.removeprefix(own).startswith(SCRIPTED)}
