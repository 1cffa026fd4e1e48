"""What can be asked, free of any protocol.

LSP and the command line share these, so that the two never differ. Threads, time budgets and
cancelling live here.
"""
