"""What is derived from the records: disposable, and never the judge of an answer."""
