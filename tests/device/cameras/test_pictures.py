"""Pictures of any form of colour are read as all are."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from device.cameras.pictures import load_picture


@pytest.mark.parametrize("name", ["cmyk.jpg", "16.png", "16.tif", "grey.jpg", "clear.png"])
def test_pictures_of_other_colours_are_read_as_all_are(tmp_path: Path, name: str) -> None:
    """CMYK, 16 bits a colour, grey, and with a channel for what is transparent."""
    path = tmp_path / name
    image = np.zeros((48, 64, 3), np.uint8) + np.array([40, 90, 200], np.uint8)
    match path.stem:
        case "cmyk":
            Image.fromarray(image[:, :, ::-1].copy()).convert("CMYK").save(path, quality=95)
        case "16":
            cv2.imwrite(str(path), image.astype(np.uint16) * 257)
        case "grey":
            image = np.repeat(image[:, :, 2:], 3, axis=2)
            cv2.imwrite(str(path), image[:, :, 0])
        case _:
            cv2.imwrite(str(path), np.dstack([image, np.full((48, 64), 255, np.uint8)]))
    read = load_picture(path).image
    assert read.dtype == np.uint8 and read.shape == image.shape
    assert np.abs(read.mean(axis=(0, 1)) - image.mean(axis=(0, 1))).max() < 6
