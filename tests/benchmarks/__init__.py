"""Speed, always beside a baseline measured in the same run: `python -m tests.benchmarks [decode
tokens …]`.

A benchmark is a module here with a function ``measure`` that yields `line.Line`s; the runner finds
it by itself. Nothing here is a test: machines differ, and a slow one is no bug.
"""
