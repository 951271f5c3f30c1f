"""Reference pages of protocols, made from the codecs and the tests."""
