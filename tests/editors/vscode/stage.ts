/** Where the tests run: folders, the program under test, and stores with records. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { BrowserContext } from "playwright-core";
import type { Editor } from "./editor";
import type { Written } from "./records";

/** What all tests share. */
export interface Stage {
  browser: BrowserContext;
  /** A VS Code that trusts every folder, and finds the program on its PATH. */
  editor: Editor;
  /** A VS Code that trusts none, and finds no program. */
  wary: Editor;
  /** Stores: records as people write them, the hard ones too, and more than a page of them. */
  usual: string;
  all: string;
  many: string;
}

export const ROOT = resolve(process.env["RECORD_TESTS_ROOT"] ?? ".");
export const CACHE = join(ROOT, ".cache", "vscode");
/** Where the program is that the extension starts. */
export const PROGRAM_FOLDER = join(ROOT, ".venv", "bin");

/** A folder of this run alone, gone when it ends. */
export const SCRATCH = mkdtempSync(join(tmpdir(), "ctxls-vscode-"));
process.once("exit", () => rmSync(SCRATCH, { recursive: true, force: true, maxRetries: 3 }));
/** This machine's PATH without any ctxls that may be installed on it. */
export const PATH = (process.env["PATH"] ?? "")
  .split(":")
  .filter((place) => !existsSync(join(place, "ctxls")))
  .join(":");

/** Where the tests inside the extension host, which inherits this, leave their outcomes. */
export const OUTCOMES = join(SCRATCH, "outcomes.json");
process.env["RECORD_TESTS_OUTCOMES"] = OUTCOMES;

/** Make a folder of this run, with files in it. */
export function folder(name: string, files: Readonly<Record<string, string>> = {}): string {
  const path = join(SCRATCH, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(path, file, ".."), { recursive: true });
    writeFileSync(join(path, file), text, { mode: 0o755 });
  }
  return path;
}

/** Make a store that holds these records, the last one the newest; return its path. */
export function store(name: string, records: readonly Written[]): string {
  const lines = join(SCRATCH, `${name}.jsonl`);
  const json = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(lines, json.replaceAll("\\u0000", "\uf000")); // an import refuses NUL
  const path = join(SCRATCH, `${name}.db`);
  run("ctxls", "import", lines, "--store", path);
  const text = "replace(text_content, char(0xf000), char(0))";
  alter(path, `UPDATE context_entries SET text_content = ${text}`);
  return path;
}

/** Change a store as another program would. */
export function alter(path: string, statement: string): void {
  const program = "import sqlite3, sys; a = sys.argv; s = sqlite3.connect(a[1]); s.execute(a[2])";
  run("python", "-c", `${program}; s.commit()`, path, statement);
}

function run(program: string, ...words: string[]): void {
  execFileSync(join(PROGRAM_FOLDER, program), words, { stdio: ["ignore", "ignore", "pipe"] });
}
