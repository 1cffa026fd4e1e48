"""ctxls: stored context records as virtual documents in an editor, over LSP."""

__version__ = "0.1.0"
