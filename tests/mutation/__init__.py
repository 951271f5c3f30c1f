"""Mutation testing: small faults are put into the code, and a test must notice each of them.

`python -m tests.mutation --help` lists the options. Two kinds of mutants are made:

- By hand: one for every escape, permission, limit, and expiry, and for every refusal of a proof.
  `search` finds their places in Python and in templates, and `table` says how each form is mutated.
- Seeded: ordinary operators (comparison, boolean, constant, return, arithmetic, dropped
  statement) at 600 places of the areas in `areas`, chosen by a fixed seed.

Why not a tool that is there. mutmut 3 is fast because it forks, but it mutates only bodies of
functions without decorators. Every guarded view has a decorator, most limits are constants of a
module, and escapes are in templates. It has no place for a mutant written by hand, either.
cosmic-ray mutates everything in Python and starts one command per mutant: a new process, the
migrations, and the same tests each time. With about five seconds for the start alone, a thousand
mutants take more than an hour, and it cannot choose tests by coverage.

How a mutant runs. Each worker has a copy of the tree and is a pytest process that has imported and
collected everything. For a mutant it forks; the child gives the functions that the mutant changes
their new code (`swap`) and runs the tests that execute the changed lines, up to the first failure.
What no function holds, such as a constant or a decorator, needs a process that imports the product
again (`fresh`).
"""
