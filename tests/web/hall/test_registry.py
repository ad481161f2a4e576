"""What the hall makes of what its tables tell."""

from contextlib import closing
from pathlib import Path

from device.journal.chain import utc_now
from device.publishing.messages import Public
from web.hall.registry import Need, TableRegistry
from web.hall.store import Store


def test_a_table_of_which_only_what_is_public_is_heard_is_not_said_to_need_nobody(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "hall.sqlite3")) as store:
        registry = TableRegistry(store)
        table = registry.table("t1")
        assert table is not None and Need.UNHEARD not in registry.needs(table, False), "it has told nothing yet"
        table.public = Public(name="Table 1", at=utc_now(), journal="ab" * 8, seeing=True)
        assert registry.needs(table, False) == [Need.UNHEARD] == registry.needs(table, True)
