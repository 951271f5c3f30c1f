"""Witnesses: this installation cosigns the checkpoints of other logs, and others cosign its own.

C2SP tlog-witness and tlog-cosignature. A witness has seen each tree of a log grow out of the one
before, so a log cannot show different trees to different people without being found out.
"""
