"""Settings: which place wins, what is refused, and in which words."""

from pathlib import Path

import pytest

from ctxls.errors import SettingsError
from ctxls.settings import NAMES, SETTINGS, Setting, Settings, default_store


def load(
    tmp_path: Path,
    flags: dict[str, str] | None = None,
    environ: dict[str, str] | None = None,
    toml: str | None = None,
) -> Settings:
    config = tmp_path / "ctxls.toml"
    if toml is not None:
        config.write_text(toml, encoding="utf-8")
    return Settings.load(flags or {}, environ or {}, config)


def test_without_any_setting_the_defaults_are_those_of_the_contract(tmp_path: Path) -> None:
    assert load(tmp_path).public() == {
        "ENABLE_GREP_CONTEXT": True,
        "ENABLE_CONTEXT_NAVIGATION": True,
        "ENABLE_CONTEXT_RANGE": True,
        "GREP_MAX_MATCHES_CAP": 1000,
        "GREP_MAX_CONTEXT_LINES": 20,
        "GREP_MAX_ENTRIES_SCANNED": 0,
        "GREP_AGGREGATE_BYTES_BUDGET": 67108864,
        "GREP_REGEX_TIMEOUT_S": 5.0,
        "GREP_REGEX_TOTAL_TIMEOUT_S": 30.0,
        "CTXLS_SCAN_BUDGET_S": 2.0,
        "CTXLS_INDEX": True,
        "CTXLS_MAX_RECORD_BYTES": 67108864,
        "CTXLS_BUSY_TIMEOUT_S": 5.0,
    }


def test_the_store_lies_in_the_data_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert load(tmp_path).store == default_store() == tmp_path / "ctxls" / "ctxls.db"


def test_the_command_line_wins_over_the_environment_over_the_file(tmp_path: Path) -> None:
    name = "GREP_MAX_MATCHES_CAP"
    toml = f"{name} = 3"
    assert load(tmp_path, {name: "1"}, {name: "2"}, toml).grep_max_matches_cap == 1
    assert load(tmp_path, {}, {name: "2"}, toml).grep_max_matches_cap == 2
    assert load(tmp_path, {}, {}, toml).grep_max_matches_cap == 3


def test_a_blank_value_counts_as_left_out(tmp_path: Path) -> None:
    environ = {"GREP_MAX_MATCHES_CAP": " "}
    assert load(tmp_path, {}, environ, "GREP_MAX_MATCHES_CAP = 3").grep_max_matches_cap == 3


def test_the_file_takes_the_types_of_toml(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        toml='ENABLE_GREP_CONTEXT = false\nCTXLS_SCAN_BUDGET_S = 0.5\nCTXLS_STORE = "a b.db"\n',
    )
    assert (settings.enable_grep_context, settings.scan_budget_s) == (False, 0.5)
    assert settings.store == Path("a b.db")


@pytest.mark.parametrize(
    ("text", "value"), [("auto", True), ("true", True), ("TRUE", True), ("false", False)]
)
def test_a_switch_is_auto_true_or_false(tmp_path: Path, text: str, value: bool) -> None:
    assert load(tmp_path, {"ENABLE_CONTEXT_RANGE": text}).enable_context_range is value


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load(tmp_path, {"CTXLS_STORE": "~/notes.db"}).store == tmp_path / "notes.db"


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("ENABLE_GREP_CONTEXT", "yes", "auto, true or false"),
        ("GREP_MAX_MATCHES_CAP", "0", "a whole number of 1 or more"),
        ("GREP_MAX_MATCHES_CAP", "-5", "a whole number of 1 or more"),
        ("GREP_MAX_MATCHES_CAP", "1e3", "a whole number of 1 or more"),
        ("GREP_MAX_CONTEXT_LINES", "two", "a whole number of 0 or more"),
        ("GREP_MAX_ENTRIES_SCANNED", "1.5", "a whole number of 0 or more"),
        ("GREP_REGEX_TIMEOUT_S", "0", "a number of seconds over 0 and up to 86400"),
        ("GREP_REGEX_TOTAL_TIMEOUT_S", "nan", "a number of seconds over 0 and up to 86400"),
        ("CTXLS_SCAN_BUDGET_S", "inf", "a number of seconds over 0 and up to 86400"),
        ("CTXLS_BUSY_TIMEOUT_S", "5s", "a number of seconds over 0 and up to 86400"),
        ("CTXLS_MAX_RECORD_BYTES", "1000000001", "a whole number from 1 to 1000000000"),
        ("CTXLS_INDEX", "auto", "on or off"),
        ("CTXLS_INDEX_DIR", "a\0b", "the path of a folder"),
        ("CTXLS_STORE", "a\0b", "the path of a SQLite file"),
        ("CTXLS_LOG", "a\0b", "the path of a file"),
        ("CTXLS_STORE", "~nobody-here/x.db", "the path of a SQLite file"),
        ("CTXLS_LOG", "~nobody-here/x.log", "the path of a file"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(
    tmp_path: Path, name: str, text: str, allowed: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, environ={name: text})
    assert caught.value.message == f"{name} is {text!r} in the environment; use {allowed}."


def test_a_wrong_value_shows_no_password_and_no_page_of_text(tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"is 'postgresql://\.\.\.' in the environment"
    ) as caught:
        load(tmp_path, environ={"CTXLS_STORE": "postgresql://me:secret@db/ctxls"})
    assert "secret" not in caught.value.message
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, environ={"GREP_MAX_MATCHES_CAP": "9" * 5000})
    assert len(caught.value.message) < 200


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        (
            "GREP_MAX_MATCHS_CAP = 5",
            (
                "ctxls.toml sets GREP_MAX_MATCHS_CAP, which is no setting of ctxls;"
                " did you mean GREP_MAX_MATCHES_CAP?"
            ),
        ),
        (
            "ctxls_store = 'a.db'",
            "ctxls.toml sets ctxls_store, which is no setting of ctxls; did you mean CTXLS_STORE?",
        ),
        ("zzz = 1", "ctxls.toml sets zzz, which is no setting of ctxls."),
        (
            "CTXLS_LOG = ['a']",
            "CTXLS_LOG is ['a'] in ctxls.toml; write a string, number or boolean.",
        ),
        (
            "GREP_MAX_CONTEXT_LINES = true",
            "GREP_MAX_CONTEXT_LINES is 'true' in ctxls.toml; use a whole number of 0 or more.",
        ),
    ],
)
def test_a_wrong_line_of_the_file_is_named(tmp_path: Path, toml: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, toml=toml)
    assert caught.value.message == message


@pytest.mark.parametrize("content", [b"= nothing", b"\xff\xfe", b"a = " + b"[" * 20_000])
def test_a_file_that_is_not_toml_is_named(tmp_path: Path, content: bytes) -> None:
    config = tmp_path / "ctxls.toml"
    config.write_bytes(content)
    with pytest.raises(SettingsError, match=r"ctxls\.toml is not TOML: "):
        Settings.load({}, {}, config)


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read: "):
        Settings.load({}, {}, tmp_path)


def test_an_unknown_flag_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="the command line sets STORE, which is no setting"):
        load(tmp_path, {"STORE": "a.db"})


def test_what_else_the_environment_holds_does_not_matter(tmp_path: Path) -> None:
    assert load(tmp_path, environ={"PATH": "/bin", "CTXLS_OTHER": "1"}) == load(tmp_path)


def test_no_path_is_shown_to_clients(tmp_path: Path) -> None:
    shown = load(tmp_path).public()
    assert set(NAMES) - set(shown) == {"CTXLS_INDEX_DIR", "CTXLS_STORE", "CTXLS_LOG"}


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_row_of_the_table_has_its_attribute(tmp_path: Path, setting: Setting) -> None:
    assert getattr(load(tmp_path), setting.field) is not None
