/** What the user is told where there is no server, and what they can do with one click. */

import { commands, env, type OutputChannel, window } from "vscode";

/** Installs ctxls for this user; typed in the folder that holds ctxls's README. */
export const INSTALL_COMMAND = [
  "python3 -m venv ~/.local/share/ctxls-venv",
  "~/.local/share/ctxls-venv/bin/pip install .",
  "mkdir -p ~/.local/bin",
  "ln -sf ~/.local/share/ctxls-venv/bin/ctxls ~/.local/bin/ctxls",
].join(" && ");

const COPY = "Copy Install Command";
const SETTING = "Open Setting";
const LOG = "Show Log";
const TRUST = "Manage Trust";

/** Return a text of others so that the editor makes no link of it, which could run a command. */
export function inert(text: string): string {
  return text.replaceAll("](", "] (");
}

/** Say that no program was found, and offer the command that installs it. */
export async function sayMissing(named: string): Promise<void> {
  const chosen = await window.showWarningMessage(inert(missing(named)), COPY, SETTING);
  if (chosen === COPY) {
    await env.clipboard.writeText(INSTALL_COMMAND);
    void window.showInformationMessage(
      "Run the copied command in the folder of ctxls, then Context: Open Record.",
    );
  } else if (chosen === SETTING) {
    await commands.executeCommand("workbench.action.openSettings", "ctxls.path");
  }
}

/** Say that the only program is one that the folder brings, and offer to trust that. */
export async function sayDistrusted(program: string): Promise<void> {
  const sentence = `The program ctxls is only inside a folder that you do not trust: ${program}.`;
  if ((await window.showWarningMessage(inert(sentence), TRUST)) === TRUST) {
    await commands.executeCommand("workbench.trust.manage");
  }
}

/** Say why a program does not serve. */
export function sayFailed(program: string, why: string, log: OutputChannel): Promise<void> {
  return sayError(`${program} did not start. ${why}`, log);
}

/** Say what went wrong; the button also has the editor show the whole sentence. */
export async function sayError(sentence: string, log: OutputChannel): Promise<void> {
  if ((await window.showErrorMessage(inert(sentence), LOG)) === LOG) {
    log.show();
  }
}

function missing(named: string): string {
  return named === ""
    ? "ctxls, the program that opens context records, is neither on the PATH nor in ~/.local/bin."
    : `The setting ctxls.path names ${named}, which is no program that can be started.`;
}
