/** Which program is started: the one that the settings name, or the first one found. */

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

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
  return resolve(around.folders[0] ?? around.home, fromHome(path, around));
}

function fromHome(path: string, around: Surroundings): string {
  return path.replace(/^~(?=$|[/\\])/, around.home);
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
  const isSpeltOut = isAbsolute(fromHome(around.named, around));
  return around.trusted || isSpeltOut || !around.folders.some((folder) => isInside(path, folder));
}

/** Tell whether a program is inside a folder by its name, by that of its folder, or by its own. */
function isInside(path: string, folder: string): boolean {
  const paths = [path, join(real(dirname(path)), basename(path)), real(path)];
  return paths.some((one) => isBelow(one, folder) || isBelow(one, real(folder)));
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Return a path without symbolic links, or as it is where nothing is there. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // absent, or not for this user to run: the next place's turn
  }
}
