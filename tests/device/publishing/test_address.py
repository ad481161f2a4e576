"""Where a hall is, who the table is there, and whether the link stands: one clear sentence where something is wrong."""

import importlib.util
from pathlib import Path

import pytest

from device.publishing import link_state
from device.publishing.address import PASSWORD, HallAddress, HallError, check_library, hall_address
from device.publishing.link_state import LinkState, only_publisher, read_link, write_link
from device.publishing.publisher_state import FILE, TableIdentity, table_id, table_name


@pytest.mark.parametrize(("text", "found", "shown"), [
    ("mqtt://hall.local", HallAddress("hall.local", 1883), "mqtt://hall.local:1883"),
    ("mqtts://table-3@hall.local", HallAddress("hall.local", 8883, True, "table-3"),
     "mqtts://table-3@hall.local:8883"),
    ("mqtt://[fe80::1]:1884/", HallAddress("fe80::1", 1884), "mqtt://[fe80::1]:1884"),
])
def test_an_address_is_read(text: str, found: HallAddress, shown: str) -> None:
    assert hall_address(text, environment={}) == found and str(found) == shown


@pytest.mark.parametrize("text", ["", "hall", "http://hall", "mqtt://", "mqtt://hall:0", "mqtt://hall:99999",
                                  "mqtt://hall/inkeek", "mqtt://hall?x", "mqtt://[fe80", "mqtt://hall:port"])
def test_what_is_no_address_is_named(text: str) -> None:
    with pytest.raises(HallError, match=r"is no address of a hall: mqtt://HOST or mqtts://HOST") as error:
        hall_address(text, environment={})
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("text", ["mqtt://table-3:s3cret@hall", "http://table-3:s3cret@hall", "mqtt://a:s3cret@h:0"])
def test_a_password_in_the_address_is_refused_and_not_shown(text: str) -> None:
    with pytest.raises(HallError, match="does not belong in the hall's address") as error:
        hall_address(text, environment={})
    assert "s3cret" not in str(error.value)


def test_the_password_comes_from_a_file_or_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("from a file\nnot this\n")
    found = hall_address("mqtt://t@h", password_file=str(file), environment={PASSWORD: "other"})
    assert found.password == "from a file" and "from a file" not in repr(found) + str(found)
    assert hall_address("mqtt://t@h", environment={PASSWORD: "other"}).password == "other"


@pytest.mark.parametrize(("content", "why"), [
    (None, "cannot be read from .*: No such file"), (b"", "holds no password"), (b"\nx", "holds no password"),
    (b"\xff\xfe", "is not text"), (b"x" * 5000, "holds no password")])
def test_a_file_without_a_password_is_named(tmp_path: Path, content: bytes | None, why: str) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(HallError, match=why) as error:
        hall_address("mqtt://t@h", password_file=str(file), environment={})
    assert str(file) in str(error.value)


def test_a_password_without_a_user_is_refused() -> None:
    with pytest.raises(HallError, match="but no user in 'mqtt://hall'"):
        hall_address("mqtt://hall", environment={PASSWORD: "x"})


def test_authorities_are_for_an_encrypted_link_and_must_be_some(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    with pytest.raises(HallError, match="--hall-ca is for an encrypted link"):
        hall_address("mqtt://hall", str(file), environment={})
    with pytest.raises(HallError, match=r"ca\.pem cannot be read: No such file"):
        hall_address("mqtts://hall", str(file), environment={})
    file.write_text("no certificate")
    with pytest.raises(HallError, match=r"ca\.pem holds no certificate"):
        hall_address("mqtts://hall", str(file), environment={})


def test_the_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    check_library()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(HallError, match=r"pip install 'inkeek\[hall\]'"):
        check_library()


@pytest.mark.parametrize(("host", "stem"), [
    ("Table-3.local", "table-3-"), ("raspberrypi", "raspberrypi-"), ("Ñ", "table-"), ("", "table-"),
    ("a_b", "a-b-"), ("x" * 60, "x" * 27 + "-")])
def test_an_id_is_made_of_the_machines_name_and_stays(tmp_path: Path, host: str, stem: str,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: host)
    made = table_id(tmp_path)
    assert made.startswith(stem) and len(made) == len(stem) + 4 <= 32
    assert table_id(tmp_path) == made == table_id(tmp_path, user="other")


@pytest.mark.parametrize(("user", "same"), [("table-3", True), ("Table 3", False), ("../x", False), ("x" * 33, False)])
def test_a_new_id_is_the_users_name_where_it_can_be_one(tmp_path: Path, user: str, same: bool) -> None:
    assert (table_id(tmp_path, user) == user) is same


def test_two_tables_get_two_ids(tmp_path: Path) -> None:
    for one in ("a", "b"):
        (tmp_path / one).mkdir()
    assert table_id(tmp_path / "a", host="pi") != table_id(tmp_path / "b", host="pi")


@pytest.mark.parametrize("content", [b"", b"{", b'{"table":"../x"}', b'{"table":"T"}', b'{"table":"t\\n"}'])
def test_a_spoilt_id_is_named_and_not_replaced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(HallError, match=f"{FILE} does not hold a table's id"):
        table_id(tmp_path)
    assert (tmp_path / FILE).read_bytes() == content


def test_a_folder_that_cannot_keep_the_id_is_named(tmp_path: Path) -> None:
    with pytest.raises(HallError, match="the table's id cannot be kept in"):
        table_id(tmp_path / "missing")


def test_names_are_shown_as_they_are_or_refused() -> None:
    assert table_name(" Meza ya 3 ") == "Meza ya 3" and table_name("", "pi.local") == "pi"
    for wrong in ("x\n y", "x" * 81):
        with pytest.raises(HallError, match="--table-name is "):
            table_name(wrong)


@pytest.mark.parametrize(("host", "reached_by", "page"), [
    ("::", "2001:db8::7", "http://[2001:db8::7]:8000"), ("2001:db8::7", "192.0.2.7", "http://[2001:db8::7]:8000"),
    ("0.0.0.0", "192.0.2.7", "http://192.0.2.7:8000"), ("127.0.0.1", "192.0.2.7", "")])
def test_the_hall_is_told_where_the_page_is(host: str, reached_by: str, page: str, tmp_path: Path) -> None:
    assert TableIdentity(tmp_path, "table-3", "Table 3", host, 8000).page(reached_by) == page


def test_the_link_is_known_as_long_as_its_publisher_lives(tmp_path: Path) -> None:
    state = LinkState("mqtt://h:1883", "table-3", "2026-11-25T20:00:00.000Z", True)
    assert read_link(tmp_path) is None
    with only_publisher(tmp_path):
        assert read_link(tmp_path) is None
        write_link(tmp_path, state)
        assert read_link(tmp_path) == state == read_link(tmp_path)
    assert read_link(tmp_path) is None, "it may have been killed, and its file tells of before"


def test_one_publisher_alone_has_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_state, "PATIENCE_S", 0.05)
    taken = pytest.raises(HallError, match="another program publishes")
    with only_publisher(tmp_path), taken, only_publisher(tmp_path):
        pass
    with only_publisher(tmp_path):
        pass
