/** The language of records: Markdown in looks, and ours alone in what answers for it. */

import { type Disposable, languages, type TextDocument, workspace } from "vscode";
import { SCHEME } from "./client";

/** Has Markdown's grammar, but none of the built-in Markdown features, which list headings too. */
const RECORD = "ctxls-markdown";

/** Give every record that is opened the language of records. */
export function recordsHaveTheirLanguage(): Disposable {
  workspace.textDocuments.forEach(giveLanguage);
  return workspace.onDidOpenTextDocument(giveLanguage);
}

/** The editor goes by a path's suffix, or a setting's pattern; no rule of it names a scheme. */
function giveLanguage(document: TextDocument): void {
  if (document.uri.scheme === SCHEME && document.languageId !== RECORD) {
    void languages.setTextDocumentLanguage(document, RECORD);
  }
}
