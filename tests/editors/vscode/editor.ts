/** A VS Code of its own: its server process, with user settings and the packaged extension. */

import { execFile, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { CACHE, folder, ROOT } from "./stage";

const MAIN = join(CACHE, "server", "out", "server-main.js");
const EXTENSION = join(ROOT, "editor-clients", "vscode", "ctxls-0.1.0.vsix");

/** A VS Code that serves windows. */
export interface Editor {
  /** Host and port. */
  readonly authority: string;
  close(): void;
}

/** Start a VS Code whose home, settings and extensions are its own, on a PATH and a store. */
export async function startEditor(
  name: string,
  path: string,
  store: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<Editor> {
  const home = folder(`${name}-home`);
  const data = folder(`${name}-data`, {
    "data/User/settings.json": JSON.stringify({ ...QUIET, ...settings }),
    // Of the machine, as it is for every window whose files and programs are elsewhere.
    "data/Machine/settings.json": JSON.stringify({ "ctxls.store": store }),
  });
  const folders = ["--server-data-dir", data, "--extensions-dir", folder(`${name}-extensions`)];
  const env = { ...process.env, ...FROM_A_TERMINAL, HOME: home, PATH: path };
  await promisify(execFile)("node", [MAIN, ...folders, "--install-extension", EXTENSION], { env });
  const authority = `127.0.0.1:${await freePort()}`;
  const server = spawn("sh", [...GUARDED, "node", MAIN, ...folders, ...listening(authority)], {
    env,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  await answering(authority);
  return { authority, close: () => void server.stdin.end() };
}

/** Runs a program, and ends it with all that it started when the tests end, even killed ones. */
const GUARDED = ["-c", '"$@" & cat; kill -KILL 0', "guard"];

/** Has VS Code take its environment as it is, instead of asking a login shell for one. */
const FROM_A_TERMINAL = { VSCODE_CLI: "1" };

const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.reduceMotion": "on",
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "update.showReleaseNotes": false,
};

function listening(authority: string): string[] {
  const [host, port] = authority.split(":");
  return [
    ...["--host", String(host), "--port", String(port)],
    ...["--without-connection-token", "--accept-server-license-terms", "--telemetry-level", "off"],
  ];
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer().on("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => found(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function answering(authority: string): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 100) {
    const answer = await fetch(`http://${authority}/version`).catch(() => undefined);
    if (answer?.ok) {
      return;
    }
    await setTimeout(100);
  }
  throw new Error("VS Code did not answer within a minute.");
}
