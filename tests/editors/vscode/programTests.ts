/** Which program is found, asked of the extension's own rule on folders of every kind. */

import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { expand, findProgram, type Surroundings } from "../../../editor-clients/vscode/src/program";
import { folder } from "./stage";

const PROGRAM = { ctxls: "#!/bin/sh\n" };
const HOME = folder("home", { ".local/bin/ctxls": "", "own/ctxls": "" });
const BARE_HOME = folder("bare-home");
const ON_PATH = folder("on-path", PROGRAM);
const PROJECT = folder("with-venv", { ".venv/bin/ctxls": "", "bin/ctxls": "", "notes.md": "" });
const DOTTED = folder("with-dots", { "..bin/ctxls": "" });
const LINKED = join(folder("links", { "bin/own": "" }), "project");
symlinkSync(PROJECT, LINKED);
symlinkSync(`${PROJECT}/.venv/bin/ctxls`, join(folder("links"), "bin", "ctxls"));
const BORROWING = folder("borrowing", { "bin/own": "" });
symlinkSync(`${ON_PATH}/ctxls`, `${BORROWING}/bin/ctxls`);
const PLAIN = { named: "", path: "", home: BARE_HOME, folders: [], trusted: true, windows: false };

interface Case {
  readonly claim: string;
  readonly around: Partial<Surroundings>;
  readonly found: string | undefined;
}

const CASES: readonly Case[] = [
  { claim: "nowhere", around: {}, found: undefined },
  {
    claim: "on the PATH before any other place",
    around: { path: `/nowhere:${ON_PATH}`, home: HOME, folders: [PROJECT] },
    found: `${ON_PATH}/ctxls`,
  },
  {
    claim: "in ~/.local/bin, which a desktop's PATH may lack",
    around: { path: "/nowhere", home: HOME, folders: [PROJECT] },
    found: `${HOME}/.local/bin/ctxls`,
  },
  {
    claim: "in the .venv of a trusted workspace",
    around: { folders: [PROJECT] },
    found: `${PROJECT}/.venv/bin/ctxls`,
  },
  {
    claim: "not in the .venv of another one",
    around: { folders: [PROJECT], trusted: false },
    found: undefined,
  },
  {
    claim: "not in a folder on the PATH that is inside an untrusted workspace",
    around: { path: `${PROJECT}/bin`, folders: [PROJECT], trusted: false },
    found: undefined,
  },
  {
    claim: "not in a folder of an untrusted workspace whose name begins with two dots",
    around: { path: `${DOTTED}/..bin`, folders: [DOTTED], trusted: false },
    found: undefined,
  },
  {
    claim: "not in an untrusted workspace that is opened through a link",
    around: { path: `${PROJECT}/bin:${PROJECT}/.venv/bin`, folders: [LINKED], trusted: false },
    found: undefined,
  },
  {
    claim: "not in a folder on the PATH that is a link into an untrusted workspace",
    around: { path: `${LINKED}/.venv/bin`, folders: [PROJECT], trusted: false },
    found: undefined,
  },
  {
    claim: "not as a link into an untrusted workspace",
    around: { path: `${folder("links")}/bin`, folders: [PROJECT], trusted: false },
    found: undefined,
  },
  {
    claim: "not as a link in an untrusted workspace, wherever it leads",
    around: { path: `${BORROWING}/bin`, folders: [BORROWING], trusted: false },
    found: undefined,
  },
  {
    claim: "beside an untrusted workspace whose name it begins with",
    around: { path: ON_PATH, folders: [ON_PATH.slice(0, -1)], trusted: false },
    found: `${ON_PATH}/ctxls`,
  },
  {
    claim: "not in a relative folder on the PATH",
    around: { path: ".:bin", folders: [PROJECT] },
    found: `${PROJECT}/.venv/bin/ctxls`,
  },
  {
    claim: "where the setting says, and nowhere else",
    around: { named: "/nowhere/ctxls", path: ON_PATH },
    found: undefined,
  },
  {
    claim: "where the setting says, from home",
    around: { named: "~/own/ctxls", home: HOME },
    found: `${HOME}/own/ctxls`,
  },
  {
    claim: "where the setting says, from the folder of a trusted workspace",
    around: { named: "bin/ctxls", folders: [PROJECT] },
    found: `${PROJECT}/bin/ctxls`,
  },
  {
    claim: "not in an untrusted workspace, whose folder decides what a relative path is",
    around: { named: "bin/ctxls", folders: [PROJECT], trusted: false },
    found: undefined,
  },
  {
    claim: "in an untrusted workspace where the user's own setting spells it out",
    around: { named: `${PROJECT}/bin/ctxls`, folders: [PROJECT], trusted: false },
    found: `${PROJECT}/bin/ctxls`,
  },
  {
    claim: "in an untrusted workspace where the user's own setting says it from home",
    around: { named: "~/own/ctxls", home: HOME, folders: [HOME], trusted: false },
    found: `${HOME}/own/ctxls`,
  },
  {
    claim: "not in the ~/.local/bin of a home folder that is itself untrusted",
    around: { home: HOME, folders: [HOME], trusted: false },
    found: undefined,
  },
  { claim: "never as a folder", around: { named: PROJECT }, found: undefined },
];

/** Declare the tests. */
export function programTests(): void {
  describe("the program is found", () => {
    for (const { claim, around, found } of CASES) {
      test(claim, () => assert.equal(findProgram({ ...PLAIN, ...around }), found));
    }
  });

  test("a path of the settings is taken from home, from the workspace, or as it is", () => {
    const around = { ...PLAIN, home: HOME, folders: [PROJECT] };
    assert.equal(expand("~/notes.db", around), `${HOME}/notes.db`);
    assert.equal(expand("notes.db", around), `${PROJECT}/notes.db`);
    assert.equal(expand("/notes.db", around), "/notes.db");
  });
}
