/** What is asked of the server beside what the language client asks by itself. */

import { type CancellationToken, FileSystemError, type Uri } from "vscode";
import {
  type LanguageClient,
  ResponseError,
  TextDocumentContentRequest,
} from "vscode-languageclient/node";
import { inert } from "./notices";

/** A record without its text, in the fields that are shown here. */
export interface RecordFacts {
  readonly uri: string;
  readonly title: string;
  readonly threadId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly totalChars: number;
}

/** Some records, newest first, and where the next ones begin. */
export interface RecordPage {
  readonly items: readonly RecordFacts[];
  readonly nextCursor?: string;
}

/** Return a record's text; a FileSystemError says why there is none. */
export async function readRecord(client: LanguageClient | undefined, uri: Uri): Promise<string> {
  const type = TextDocumentContentRequest.type;
  return (await asked(client, uri, (one, spelt) => one.sendRequest(type, { uri: spelt }))).text;
}

/** Return all of a record but its text; a FileSystemError says why there is none. */
export function recordFacts(client: LanguageClient | undefined, uri: Uri): Promise<RecordFacts> {
  return asked(client, uri, (one, spelt) => one.sendRequest("context/get", { uri: spelt }));
}

/** Return one page of the store's records. */
export function listRecords(
  client: LanguageClient,
  limit: number,
  cursor: string | undefined,
  token: CancellationToken,
): Promise<RecordPage> {
  const params = { what: "records", limit, ...(cursor !== undefined && { cursor }) };
  return client.sendRequest<RecordPage>("context/list", params, token);
}

async function asked<Answer>(
  client: LanguageClient | undefined,
  uri: Uri,
  ask: (client: LanguageClient, uri: string) => Promise<Answer>,
): Promise<Answer> {
  if (client === undefined) {
    throw FileSystemError.FileNotFound("ctxls, which would read this record, is not running.");
  }
  try {
    return await ask(client, client.code2ProtocolConverter.asUri(uri));
  } catch (error) {
    throw readably(error);
  }
}

/** Make an error that the editor can show; what is not found it tries again when that changes. */
function readably(error: unknown): FileSystemError {
  const message = inert(error instanceof Error ? error.message : String(error));
  return isNotFound(error)
    ? FileSystemError.FileNotFound(message)
    : FileSystemError.Unavailable(message);
}

function isNotFound(error: unknown): boolean {
  const data: unknown = error instanceof ResponseError ? error.data : undefined;
  const kind = typeof data === "object" && data !== null && "kind" in data ? data.kind : undefined;
  return kind === "not-found" || kind === "invalid-params";
}
