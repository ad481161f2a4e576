"""The journal: what the table saw and said and what people ordered, in one chain that shows any later change."""

from device.journal.chain import BadEvent
from device.journal.store import Journal, JournalError, JournalTrouble

__all__ = ["BadEvent", "Journal", "JournalError", "JournalTrouble"]
