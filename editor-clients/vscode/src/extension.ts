/** The extension's two ends: what is set up with the window, and what ends with it. */

import { commands, type ExtensionContext, window, workspace } from "vscode";
import { openRecord } from "./openRecord";
import { showPreview, showPreviewToSide } from "./preview";
import { recordsHaveTheirLanguage } from "./recordLanguage";
import { recordsAsFiles } from "./recordFiles";
import { Server } from "./server";

/** Start the server, and say which commands there are. */
export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel("Context Records", { log: true });
  const server = new Server(log);
  context.subscriptions.push(
    log,
    server,
    recordsAsFiles(server),
    recordsHaveTheirLanguage(),
    commands.registerCommand("ctxls.openRecord", () => openRecord(server, log)),
    commands.registerCommand("ctxls.restart", () => server.restart()),
    commands.registerCommand("ctxls.showLog", () => log.show()),
    commands.registerCommand("ctxls.showPreview", showPreview),
    commands.registerCommand("ctxls.showPreviewToSide", showPreviewToSide),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("ctxls")) {
        void server.restartQuietly();
      }
    }),
    workspace.onDidGrantWorkspaceTrust(() => void server.restartQuietly()),
  );
  await server.restartQuietly();
}
