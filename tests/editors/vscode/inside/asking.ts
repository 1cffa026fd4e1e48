/** What the tests inside the extension host ask the editor. */

import assert from "node:assert/strict";
import {
  commands,
  type DocumentSymbol,
  extensions,
  type Location,
  Position,
  type SymbolInformation,
  type TextDocument,
  Uri,
  workspace,
} from "vscode";

/** Wait until the extension runs and its server has answered. */
export async function started(): Promise<void> {
  await extensions.getExtension("ctxls.ctxls")?.activate();
  assert.ok((await found("")).length > 0, "no record was found");
}

/** Return what Ctrl+T gets for a query. */
export function found(query: string): Thenable<SymbolInformation[]> {
  return commands.executeCommand("vscode.executeWorkspaceSymbolProvider", query);
}

/** Return the URI of the record with a title. */
export async function recordUri(title: string): Promise<Uri> {
  const word = title.split(" ")[0] ?? title;
  const hits = (await found(word)).filter((hit) => hit.name === title);
  assert.equal(hits.length, 1, `${title}: ${hits.length} symbols of that name`);
  return hits[0]?.location.uri ?? Uri.parse("context:");
}

/** Open the record with a title, as a user's click would. */
export async function record(title: string): Promise<TextDocument> {
  return workspace.openTextDocument(await recordUri(title));
}

/** Return what the outline shows. */
export async function outline(document: TextDocument): Promise<DocumentSymbol[]> {
  const command = "vscode.executeDocumentSymbolProvider";
  return (await commands.executeCommand<DocumentSymbol[] | undefined>(command, document.uri)) ?? [];
}

/** Return where F12 leads from the first character of some text. */
export function leadsTo(document: TextDocument, text: string): Thenable<Location[]> {
  const at = document.positionAt(document.getText().indexOf(text));
  const command = "vscode.executeDefinitionProvider";
  return commands.executeCommand(command, document.uri, new Position(at.line, at.character + 1));
}

/** Return the message of the error that a promise ends with. */
export async function refusal(promise: Thenable<unknown>): Promise<string> {
  const said = await promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  assert.ok(said !== undefined, "it was not refused");
  return said;
}
