"""Adapters to databases: SQL on records lives here alone, one folder a database."""
