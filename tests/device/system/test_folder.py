"""The data folder: where it is, what its settings may say, and that one table holds it."""

from pathlib import Path

import pytest

from device.system.folder import DataFolder, FolderError, Settings
from tests.device.disks import small_disk


@pytest.mark.parametrize(("environment", "path"), [
    ({"STATE_DIRECTORY": "/var/lib/inkeek", "HOME": "/home/a"}, "/var/lib/inkeek"),
    ({"STATE_DIRECTORY": "/var/lib/one:/var/lib/two"}, "/var/lib/one"),
    ({"XDG_DATA_HOME": "/data", "HOME": "/home/a"}, "/data/inkeek"),
    ({"XDG_DATA_HOME": "relative", "HOME": "/home/a"}, "/home/a/.local/share/inkeek"),
    ({"HOME": "/home/a"}, "/home/a/.local/share/inkeek")])
def test_the_usual_folder(environment: dict[str, str], path: str) -> None:
    assert DataFolder.default(environment).path == Path(path)


def test_a_person_without_a_folder_means_the_services(tmp_path: Path) -> None:
    own, services = tmp_path / "home/.local/share/inkeek", tmp_path / "services"
    home = {"HOME": str(tmp_path / "home")}
    assert DataFolder.at_hand(home, services).path == own, "none are installed"
    services.mkdir()
    assert DataFolder.at_hand(home, services).path == services
    own.mkdir(parents=True)
    assert DataFolder.at_hand(home, services).path == own


def test_settings_have_defaults_and_can_be_written(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    assert folder.settings() == Settings()
    (tmp_path / "inkeek.toml").write_text('camera = "usb:1"\nport = 9000\nsouth = "left"\n')
    assert folder.settings() == Settings(camera="usb:1", port=9000, south="left")


@pytest.mark.parametrize(("text", "word"), [
    ("port = 70000", "port"), ('port = "x"', "port"), ('south = "up"', "south"), ("colour = 3", "colour"),
    ("port = ", "inkeek.toml"), ("\x00", "inkeek.toml")])
def test_settings_that_cannot_be_name_file_and_field(tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / "inkeek.toml").write_text(text)
    with pytest.raises(FolderError, match=word) as caught:
        DataFolder(tmp_path).settings()
    assert "inkeek.toml" in str(caught.value) and "\n" not in str(caught.value)


def test_one_table_holds_a_folder(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.make()
    with folder.held(), pytest.raises(FolderError, match="another table"), DataFolder(tmp_path).held():
        pass
    with folder.held():
        pass


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderError, match="cannot be used"):
        DataFolder(tmp_path / "file").make()


def test_the_live_folder_is_made_kept_and_taken_away(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    live = folder.make_live()
    (live / "frame.jpg").write_bytes(b"x")
    target = live.resolve()
    assert DataFolder(tmp_path).make_live().resolve() == target, "what a killed table left is used again"
    folder.drop_live()
    assert not live.exists() and not target.exists()
    folder.drop_live()


def test_a_live_link_to_nowhere_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "live").symlink_to(tmp_path / "gone")
    folder = DataFolder(tmp_path)
    assert folder.make_live().is_dir()
    folder.drop_live()


def test_a_folder_that_can_only_be_read_will_do(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        folder = DataFolder(disk.path / "data")
        folder.make()
        disk.only_read(True)
        folder.make()
        assert folder.only_read
        with folder.held(), pytest.raises(FolderError, match="another table"), DataFolder(folder.path).held():
            pass
        assert not folder.make_live().exists()
        disk.only_read(False)
        assert not folder.only_read
