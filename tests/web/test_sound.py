"""Sound: off until it is switched on; every language has its clips, made beforehand."""

import wave

import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from tests.web.sounds import COUNT, FOLDER, RATE, SAID
from tests.web.stage import Stage
from tests.web.visits import Open, until
from web.words import LANGUAGES


@pytest.mark.parametrize("name", [*SAID, *COUNT])
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_says_it(client: FlaskClient, code: str, name: str) -> None:
    with wave.open(str(FOLDER / code / f"{name}.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 1, RATE)
        heard = np.frombuffer(file.readframes(file.getnframes()), np.uint8).astype(float) - 128
    assert 0.2 * RATE < len(heard) < 3 * RATE and heard.std() > 5, "no silence, and no speech of its own"
    with client.get(f"/static/now/sound/{code}/{name}.wav") as answer:
        assert answer.status_code == 200 and "media-src 'self'" in answer.headers["Content-Security-Policy"]


@pytest.mark.browser
def test_sound_is_off_until_switched_on(stage: Stage, visit: Open) -> None:
    stage.begin("omweso", "4x8")
    stage.live()
    page = visit(language="sw", alone=True)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url[one.url.index("/sound/") + 1:]) if ".wav" in one.url else None)
    switch = page.locator("#sound")
    expect(switch).not_to_be_checked()
    stage.cheat()
    expect(page.locator("#feed .illegal")).to_have_count(1)
    assert asked == []
    switch.check()
    stage.live(why="omu")
    stage.live(why="omu, ebiri")
    stage.cheat()
    expect(page.locator("#feed .illegal")).to_have_count(2)
    wanted = {"sound/sw/illegal.wav", "sound/sw/ebiri.wav"}  # each from a stream of its own, so in either order
    until(page, "0", lambda _: wanted <= set(asked))
    page.reload()
    expect(switch).to_be_checked()
