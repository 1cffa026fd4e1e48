/** What the user's settings and the window say about the program to start. */

import { homedir } from "node:os";
import { workspace } from "vscode";
import { expand, type Surroundings } from "./program";

/** Collect what decides which program is started, at this moment. */
export function surroundings(): Surroundings {
  return {
    named: setting("path"),
    path: process.env["PATH"] ?? "",
    home: homedir(),
    folders: (workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === "file")
      .map((folder) => folder.uri.fsPath),
    trusted: workspace.isTrusted,
    windows: process.platform === "win32",
  };
}

/** Return the arguments that the program is started with. */
export function programArguments(around: Surroundings): string[] {
  const store = setting("store");
  return store === "" ? ["serve"] : ["serve", "--store", storePlace(store, around)];
}

function storePlace(store: string, around: Surroundings): string {
  return /^[a-z]+:\/\//.test(store) ? store : expand(store, around);
}

function setting(name: string): string {
  return workspace.getConfiguration("ctxls").get(name, "").trim();
}
