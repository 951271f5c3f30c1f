"""Evidence packs: files that prove packets to somebody outside (docs/design/evidence-pack.md)."""
