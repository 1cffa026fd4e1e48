"""The documentation says what is there, and nothing that is not."""

import argparse
import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ctxls import errors
from ctxls.cli import COMMANDS
from ctxls.cli.arguments import Parser, add_store
from ctxls.lsp.extensions import METHODS
from ctxls.lsp.server import DOCUMENTS, FEATURES
from ctxls.lsp.wire_errors import wire_error
from ctxls.records.operators import OPERATORS
from ctxls.settings import SETTINGS, Settings
from ctxls.text.outline import Outline, parse_outline

ROOT: Final = Path(__file__).parent.parent
DOCS: Final = ROOT / "docs"
PAGES: Final = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]


def outline(name: str) -> Outline:
    return parse_outline((DOCS / name).read_text(encoding="utf-8"))


def titles(name: str, parent: str | None = None) -> set[str]:
    """Return the titles on a page, or those right below one of its headings."""
    page = outline(name)
    under = [None if s.parent is None else page.sections[s.parent].title for s in page.sections]
    return {
        section.title
        for section, above in zip(page.sections, under, strict=True)
        if parent is None or above == parent
    }


def section(name: str, title: str) -> str:
    text = (DOCS / name).read_text(encoding="utf-8")
    span = next(s.span for s in outline(name).sections if s.title == title)
    return text[span.start : span.end]


KINDS: Final[dict[str, type[errors.CtxlsError]]] = {
    vars(error)["kind"]: error
    for error in vars(errors).values()
    if isinstance(error, type) and "kind" in vars(error)
}


def fences(page: Path, language: str) -> list[str]:
    tokens = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
    return [token.content for token in tokens if token.type == "fence" and token.info == language]


def test_every_own_method_has_its_heading_and_every_heading_its_method() -> None:
    assert titles("protocol.md", "Methods of ctxls's own") == set(METHODS)


def test_every_lsp_method_has_its_heading_and_every_heading_its_method() -> None:
    answered = {name for name in FEATURES if name not in METHODS}
    beside = {"initialize", "textDocument/didOpen", "$/cancelRequest"}
    assert titles("protocol.md", "LSP methods") == answered | beside


def test_every_notification_about_a_document_is_described() -> None:
    text = section("protocol.md", "textDocument/didOpen")
    named = {*re.findall(r"`(\w+)`", text), "didOpen"}
    assert {name for name in DOCUMENTS if name.removeprefix("textDocument/") not in named} == set()


def test_every_setting_has_its_heading_and_every_heading_its_setting() -> None:
    assert {title for title in titles("settings.md") if "_" in title} == {
        setting.name for setting in SETTINGS
    }


@pytest.mark.parametrize(
    ("name", "default"),
    [(row.name, row.default) for row in SETTINGS if isinstance(row.default, str)],
)
def test_a_setting_is_described_with_its_default(name: str, default: str) -> None:
    assert f"default `{default}`" in section("settings.md", name).replace("\n", " ")


def test_every_command_has_its_heading_and_every_heading_its_command() -> None:
    headings = titles("commands.md", "Commands")
    assert headings == {f"ctxls {name}" for name in COMMANDS}


def parser_of(name: str) -> argparse.ArgumentParser:
    parser = Parser(prog=f"ctxls {name}", description="", epilog="")
    import_module(COMMANDS[name].module).add_arguments(parser)
    add_store(parser)
    return parser


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_described(name: str) -> None:
    for_all = section("commands.md", "Commands").split("\n## ")[0]
    described = set(re.findall(r"`(--?\w+)", for_all + section("commands.md", f"ctxls {name}")))
    described.add("--help")
    for action in parser_of(name)._actions:
        assert not action.option_strings or described & set(action.option_strings), action


def test_every_kind_of_error_has_its_heading_and_every_heading_its_kind() -> None:
    assert titles("protocol.md", "Errors") == set(KINDS)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {errors.SettingsError.kind}))
def test_a_kind_of_error_is_described_with_its_code(kind: str) -> None:
    assert section("protocol.md", kind).rstrip().endswith(f"{wire_error(KINDS[kind]('')).code}.")


def test_every_filter_operator_is_described() -> None:
    named = set(re.findall(r"`(\w+)`", section("protocol.md", "Filters")))
    assert set(OPERATORS) <= named


def links(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        for name in ("href", "src"):
            if name in token.attrs:
                yield str(token.attrs[name])
        yield from links(token.children or [])


def anchors(page: Path) -> set[str]:
    """Return the anchors that a forge makes from a page's headings."""
    found = parse_outline(page.read_text(encoding="utf-8")).sections
    return {re.sub(r"[^\w\- ]", "", s.title.lower()).replace(" ", "-") for s in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_within_the_project_leads_somewhere(page: Path) -> None:
    tokens = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
    missing = []
    for link in links(tokens):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            missing.append(link)
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_in_an_example_exists(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE))
    for example in fences(page, "console"):
        for line in example.splitlines():
            assert line.startswith("$ "), line
            program, first, *rest = shlex.split(line.removeprefix("$ "))
            if program == "make":
                assert first in targets, line
            if program == "ctxls" and first != "--help":
                parser_of(first).parse_args(rest)


def test_the_settings_file_in_the_example_is_accepted(tmp_path: Path) -> None:
    (example,) = fences(DOCS / "settings.md", "toml")
    assert tomllib.loads(example)
    config = tmp_path / "ctxls.toml"
    config.write_text(example, encoding="utf-8")
    assert Settings.load({}, {}, config).grep_max_matches_cap == 500
