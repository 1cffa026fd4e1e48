"""What the server can do, one file a feature: in, ask, out."""
