"""Evidence packs and reports on pages and in the API (docs/design/evidence-pack.md)."""
