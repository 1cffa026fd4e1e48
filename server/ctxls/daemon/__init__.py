"""How clients reach the server: listeners, framing, and what ends a connection."""
