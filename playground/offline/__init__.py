"""Decoding in the browser: the same Python, with the same templates, where no server is asked.

`build` packs Pyodide, the libraries, and our own packages into files that the server delivers;
`browser` is the part that runs there.
"""
