"""A pit that looks as when it was known what it holds."""

import numpy as np
import pytest

from vision.reading import COUNTS
from vision.seeds.knowledge.known_counts import with_unchanged_counts
from vision.seeds.parameters import KNOWN


@pytest.mark.parametrize("lead", [0.5, KNOWN.reader_sure_nats - 0.1, KNOWN.reader_sure_nats + 0.1, 9.0])
def test_of_few_seeds_and_where_it_is_sure_the_camera_is_believed_about_as_much_as_a_picture_that_has_not_changed(
    lead: float) -> None:
    same = np.ones(1, np.bool_)
    for held in range(6):
        loglik = np.full((1, COUNTS), -12.0, np.float32)
        loglik[0, held], loglik[0, held + 1] = -lead, 0.0
        told = with_unchanged_counts(loglik, same, np.array([held]))
        picture = (
            0.0
            if held <= KNOWN.few
            else KNOWN.unchanged_beside_sure_nats
            if lead > KNOWN.reader_sure_nats
            else KNOWN.unchanged_nats
        )
        assert told[0, held] - told[0, held + 1] == pytest.approx(picture)
        loglik[0, held] = 0.5
        agrees = with_unchanged_counts(loglik, same, np.array([held]))
        assert agrees[0, held] - agrees[0, held + 1] == pytest.approx(KNOWN.unchanged_nats)


def test_the_next_likeliest_count_is_still_the_camera_s_and_of_others_nothing_is_told() -> None:
    loglik = np.full((3, COUNTS), -6.0, np.float32)
    loglik[:, 8] = 0.0
    told = with_unchanged_counts(loglik, np.array([True, True, False]), np.array([9, -1, 9]))
    assert np.argsort(-told[0])[:2].tolist() == [9, 8]
    assert (told[1:] == loglik[1:]).all()
