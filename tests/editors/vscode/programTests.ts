/** Which program is found, asked of the extension's own rule on folders of every kind. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { expand, findProgram, type Surroundings } from "../../../editor-clients/vscode/src/program";
import { folder } from "./stage";

const PROGRAM = { ctxls: "#!/bin/sh\n" };
const HOME = folder("home", { ".local/bin/ctxls": "", "own/ctxls": "" });
const BARE_HOME = folder("bare-home");
const ON_PATH = folder("on-path", PROGRAM);
const PROJECT = folder("with-venv", { ".venv/bin/ctxls": "", "bin/ctxls": "", "notes.md": "" });
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
