"""Modules that take the place of others in the browser, under the names of those.

There is no tiktoken and no toktok for Pyodide: a JavaScript tokenizer counts there, see
`static/offline/tokenizer.js`. Of requests only the name is needed: nothing is asked of a network.
"""
