"""Our own methods as JSON: what their params mean, and what their answers look like.

Free of any protocol library, so that the command line's `--json` shares it: one file a method
family, each with `request` (params to a query's request) and `answer` (its answer to JSON).
"""

from typing import Final

GREP: Final = "context/grep"
NAVIGATE: Final = "context/navigate"
READ_RANGE: Final = "context/readRange"
LIST: Final = "context/list"
GET: Final = "context/get"
STATUS: Final = "context/status"

METHODS: Final = (GREP, NAVIGATE, READ_RANGE, LIST, GET, STATUS)
