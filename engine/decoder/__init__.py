"""The decoder: which moves explain what was seen since the board was known, and where one ends and the next begins."""

from engine.decoder.decode import Decoded, decode, odds
from engine.decoder.first_moves import FirstMove
from engine.decoder.looks import Looks

__all__ = ["Decoded", "FirstMove", "Looks", "decode", "odds"]
