"""The only way into a store: what becomes a record, and how records are handed to the port."""
