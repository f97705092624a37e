"""The frozen part: a change here is a change of the protocol.

Nothing in this package reads a clock, a file, the network or the environment. A change lands together with
a changed or added vector, or with a proof that no vector moves (see `CONTRIBUTING.md`).
"""
