/** The editor's own Markdown preview, for records. */

import { commands, type Uri, window } from "vscode";

/** Open the preview in place of the record. */
export function showPreview(uri?: Uri): Thenable<void> {
  return preview("markdown.showPreview", uri);
}

/** Open the preview beside the record. */
export function showPreviewToSide(uri?: Uri): Thenable<void> {
  return preview("markdown.showPreviewToSide", uri);
}

/** Pass on the record that the button stands above, or the one that has the focus. */
function preview(command: string, uri: Uri | undefined): Thenable<void> {
  return commands.executeCommand(command, uri ?? window.activeTextEditor?.document.uri);
}
