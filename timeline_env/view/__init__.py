"""Pictures of a position: text, SVG, pixels. A view reads a record and never writes one."""
