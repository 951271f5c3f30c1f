"""Protocol reference pages, generated from the codecs and the tests."""
