"""The tree of a log, as other people's programs read it: checkpoints, tiles, and entry bundles."""
