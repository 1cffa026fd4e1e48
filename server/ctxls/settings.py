"""Settings: a table of name, default and meaning, read once at the edge and passed as values.

Command line over environment over `ctxls.toml` in the user's config folder over defaults. A wrong
value stops the start with its name and what is allowed. Only wiring, daemon and cli read settings;
everything below them is handed numbers, switches and paths.
"""

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Self

from platformdirs import user_cache_path, user_config_path, user_data_path, user_log_path

from ctxls.errors import SettingsError

APP: Final = "ctxls"
CONFIG_NAME: Final = "ctxls.toml"
A_DAY: Final = 86_400
LARGEST_TEXT: Final = 1_000_000_000
"""SQLite's own limit on one value, in bytes."""
LONGEST_SHOWN: Final = 80


@dataclass(frozen=True, slots=True)
class Kind:
    """What may be written for a setting, in words, and how it is read; None means it may not."""

    allowed: str
    read: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table; `read` gives the value of `field` in Settings."""

    name: str
    default: str | Callable[[], Path]
    kind: Kind
    meaning: str

    @property
    def field(self) -> str:
        """The attribute of Settings, for example `scan_budget_s` for CTXLS_SCAN_BUDGET_S."""
        return self.name.lower().removeprefix("ctxls_")

    def read(self, text: str | None, where: str) -> Any:
        """Read what was written in `where`, or the default where nothing was."""
        if text is None:
            text = self.default if isinstance(self.default, str) else str(self.default())
        value = self.kind.read(text.strip())
        if value is None:
            raise SettingsError(
                f"{self.name} is {_shown(text)} in {where}; use {self.kind.allowed}."
            )
        return value


def default_store() -> Path:
    """Return where the store of this user is unless a setting says otherwise."""
    return user_data_path(APP, appauthor=False) / "ctxls.db"


def default_log() -> Path:
    """Return where the log of this user is unless a setting says otherwise."""
    return user_log_path(APP, appauthor=False) / "ctxls.log"


def default_index_dir() -> Path:
    """Return where what is derived from stores is kept unless a setting says otherwise."""
    return user_cache_path(APP, appauthor=False) / "index"


def default_config() -> Path:
    """Return where this user's ctxls.toml is."""
    return user_config_path(APP, appauthor=False) / CONFIG_NAME


def _whole(least: int, most: int | None = None) -> Kind:
    def read(text: str) -> int | None:
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else -1
        return number if number >= least and (most is None or number <= most) else None

    bound = f"of {least} or more" if most is None else f"from {least} to {most}"
    return Kind(f"a whole number {bound}", read)


def _seconds(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and 0 < number <= A_DAY else None


def _file(text: str) -> Path | None:
    if not text or "\0" in text or "://" in text:
        return None
    try:
        return Path(text).expanduser()
    except RuntimeError:  # a user whom this machine does not know
        return None


SWITCH: Final = Kind(
    "auto, true or false",
    lambda text: {"auto": True, "true": True, "false": False}.get(text.lower()),
)
ON_OR_OFF: Final = Kind("on or off", lambda text: {"on": True, "off": False}.get(text.lower()))
SECONDS: Final = Kind(f"a number of seconds over 0 and up to {A_DAY}", _seconds)
FILE: Final = Kind("the path of a file", _file)
FOLDER: Final = Kind("the path of a folder", _file)
STORE_FILE: Final = Kind("the path of a SQLite file", _file)

LOG: Final = Setting(
    "CTXLS_LOG", default_log, FILE, "The file that `ctxls serve` writes its log to."
)
SETTINGS: Final = (
    Setting("ENABLE_GREP_CONTEXT", "auto", SWITCH, "Whether grep is offered."),
    Setting("ENABLE_CONTEXT_NAVIGATION", "auto", SWITCH, "Whether outlines are offered."),
    Setting("ENABLE_CONTEXT_RANGE", "auto", SWITCH, "Whether partial reads are offered."),
    Setting("GREP_MAX_MATCHES_CAP", "1000", _whole(1), "Ceiling on a grep's maxMatches."),
    Setting("GREP_MAX_CONTEXT_LINES", "20", _whole(0), "Ceiling on a grep's contextLines."),
    Setting(
        "GREP_MAX_ENTRIES_SCANNED",
        "0",
        _whole(0),
        "Ceiling on the records that one grep decides; 0 is none.",
    ),
    Setting(
        "GREP_AGGREGATE_BYTES_BUDGET",
        str(64 << 20),
        _whole(1),
        "Bytes of text that one scan may hold at a time.",
    ),
    Setting(
        "GREP_REGEX_TIMEOUT_S",
        "5.0",
        SECONDS,
        "Seconds that a regular expression may take over one record.",
    ),
    Setting(
        "GREP_REGEX_TOTAL_TIMEOUT_S",
        "30.0",
        SECONDS,
        "Seconds that a regular expression may take over one whole grep.",
    ),
    Setting(
        "CTXLS_SCAN_BUDGET_S",
        "2.0",
        SECONDS,
        "Seconds that an interactive scan may take: symbol search and go-to-match.",
    ),
    Setting(
        "CTXLS_MAX_RECORD_BYTES",
        str(64 << 20),
        _whole(1, LARGEST_TEXT),
        "Bytes of UTF-8 that the text of a stored record may have.",
    ),
    Setting(
        "CTXLS_BUSY_TIMEOUT_S",
        "5.0",
        SECONDS,
        "Seconds that ctxls waits for a store that another program has locked.",
    ),
    Setting("CTXLS_INDEX", "on", ON_OR_OFF, "Whether searches use an index."),
    Setting(
        "CTXLS_INDEX_DIR",
        default_index_dir,
        FOLDER,
        "The folder for what is derived from stores; it can be deleted at any time.",
    ),
    Setting("CTXLS_STORE", default_store, STORE_FILE, "The SQLite file that holds the records."),
    LOG,
)
NAMES: Final = tuple(setting.name for setting in SETTINGS)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting's value, checked; an attribute is the setting's name in lower case."""

    enable_grep_context: bool
    enable_context_navigation: bool
    enable_context_range: bool
    grep_max_matches_cap: int
    grep_max_context_lines: int
    grep_max_entries_scanned: int
    grep_aggregate_bytes_budget: int
    grep_regex_timeout_s: float
    grep_regex_total_timeout_s: float
    scan_budget_s: float
    max_record_bytes: int
    busy_timeout_s: float
    index: bool
    index_dir: Path
    store: Path
    log: Path

    @classmethod
    def load(cls, flags: Mapping[str, str], environ: Mapping[str, str], config_file: Path) -> Self:
        """Read every setting from the first place that has it; a blank one counts as left out.

        `flags` holds what the command line says, by the names of the settings.
        """
        written = _written(config_file)
        places = (
            ("the command line", flags),
            ("the environment", environ),
            (CONFIG_NAME, written),
        )
        _refuse_unknown("the command line", flags)
        _refuse_unknown(CONFIG_NAME, written)
        return cls(**{setting.field: _first(setting, places) for setting in SETTINGS})

    def public(self) -> dict[str, bool | float]:
        """Return the settings that a client may see, by name: no paths."""
        return {
            setting.name: getattr(self, setting.field)
            for setting in SETTINGS
            if setting.kind not in {FILE, FOLDER, STORE_FILE}
        }


def _shown(text: str) -> str:
    """Quote a value for a message: of bounded length, and nothing of an address but its scheme."""
    scheme, is_address, _ = text.partition("://")  # what follows may hold a password
    short = f"{scheme}://..." if is_address else text
    return repr(short if len(short) <= LONGEST_SHOWN else short[: LONGEST_SHOWN - 1] + "…")


def _first(setting: Setting, places: tuple[tuple[str, Mapping[str, str]], ...]) -> Any:
    for where, values in places:
        if values.get(setting.name, "").strip():
            return setting.read(values[setting.name], where)
    return setting.read(None, "the defaults")


def _refuse_unknown(where: str, values: Mapping[str, str]) -> None:
    for name in values:
        if name not in NAMES:
            nearest = get_close_matches(name.upper(), NAMES, 1, cutoff=0.5)
            hint = f"; did you mean {nearest[0]}?" if nearest else "."
            raise SettingsError(f"{where} sets {name}, which is no setting of ctxls{hint}")


def _written(config_file: Path) -> dict[str, str]:
    """Read ctxls.toml into the text that each setting's value would have elsewhere."""
    try:
        with config_file.open("rb") as opened:
            table = tomllib.load(opened)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SettingsError(f"{config_file} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise SettingsError(f"{config_file} is not TOML: {error}.") from None
    except RecursionError:
        raise SettingsError(f"{config_file} is not TOML: it is nested too deeply.") from None
    return {name: _text(name, value) for name, value in table.items()}


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    raise SettingsError(f"{name} is {value!r} in {CONFIG_NAME}; write a string, number or boolean.")
