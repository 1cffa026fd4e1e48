/** Which program is started: the one that the settings name, or the first one found. */

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, resolve } from "node:path";

/** What decides which program is found. */
export interface Surroundings {
  /** The setting `ctxls.path`; empty when it is not set. */
  readonly named: string;
  /** The variable PATH. */
  readonly path: string;
  readonly home: string;
  /** The folders of the workspace, as absolute paths. */
  readonly folders: readonly string[];
  /** Whether the user trusts the workspace: one that they do not trust chooses no program. */
  readonly trusted: boolean;
  readonly windows: boolean;
}

/** Return the program's absolute path, or undefined where there is none. */
export function findProgram(around: Surroundings): string | undefined {
  const places = around.named === "" ? found(around) : [expand(around.named, around)];
  return places.find((path) => isAllowed(path, around) && isProgram(path));
}

/** Return a path with its leading `~` made the home folder; a relative one is the workspace's. */
export function expand(path: string, around: Surroundings): string {
  const whole = path.replace(/^~(?=$|[/\\])/, around.home);
  return resolve(around.folders[0] ?? around.home, whole);
}

function found(around: Surroundings): string[] {
  const venv = around.windows ? join(".venv", "Scripts") : join(".venv", "bin");
  const places = [
    ...around.path.split(delimiter).filter(isAbsolute),
    join(around.home, ".local", "bin"),
    ...around.folders.map((folder) => join(folder, venv)),
  ];
  return places.map((place) => join(place, around.windows ? "ctxls.exe" : "ctxls"));
}

/** Tell whether the user, and not a workspace that they do not trust, chose what is started. */
function isAllowed(path: string, around: Surroundings): boolean {
  return around.trusted || path === around.named || !around.folders.some((f) => isInside(path, f));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // absent, or not for this user to run: the next place's turn
  }
}
