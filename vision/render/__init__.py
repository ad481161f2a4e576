"""Pictures of boards that never were: for training the eye, and for the simulated table.

`tracer` is the ray tracer (compiled by numba), `pile` lets seeds settle in a pit, `materials` and `textures` say what
things
look like, `styles` draws a whole table by lot, `scene` puts it together.
"""
