"""The nouns: record, caller, filter, document, hit, URI, and the port to the store."""
