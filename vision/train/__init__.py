"""Training of the three small networks: `python -m vision.train --help`. Needs the extra `train`, never needed to run.

Pictures are rendered into shards on disk first (`boards` for the finder of pits, `fine` for the counter and for the
finder of seeds' middles), each shard from its own seed, so that an interrupted run goes on where it stopped; then
the networks are fitted (`fit`) and exported to ONNX (`export`, `compression`). No network weighs the evidence for a
board and its size; `python -m vision.train.board_odds` fits those weights.
"""
