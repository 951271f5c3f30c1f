"""Take what a page shows away as a file: JSON, Markdown, Mermaid, SVG, and PNG."""
