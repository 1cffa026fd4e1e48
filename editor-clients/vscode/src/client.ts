/** The language client of one server process. */

import { homedir } from "node:os";
import type { LogOutputChannel, Uri } from "vscode";
import {
  CloseAction,
  type ErrorHandler,
  LanguageClient,
  TextDocumentContentRefreshRequest,
} from "vscode-languageclient/node";
import type { LastWords } from "./stderr";

/** The scheme of records' URIs. */
export const SCHEME = "context";

/** Make a client that starts the program when it is started itself, and passes on what changed. */
export function makeClient(
  program: string,
  args: string[],
  log: LogOutputChannel,
  words: LastWords,
  changed: (record: Uri) => void,
): LanguageClient {
  // Not in the workspace's folder, where a file could stand in for a part of the program.
  const server = { command: program, args, options: { cwd: homedir() } };
  const client: RecordClient = new RecordClient("ctxls", "ctxls", server, {
    documentSelector: [{ scheme: SCHEME }],
    outputChannel: log,
    stdioOptions: { stdout: () => undefined, stderr: (stream) => words.listen(stream) },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: (...error) => client.usually.error(...error),
      closed: () => (client.ran ? client.usually.closed() : GIVE_UP),
    },
  });
  client.changed = changed;
  return client;
}

/** A server that never served is not started again: it would end as it did. */
const GIVE_UP = { action: CloseAction.DoNotRestart, handled: true };

/** A language client that is quiet about a server that never served: what that said is shown. */
class RecordClient extends LanguageClient {
  /** Whether the server has ever served. */
  ran = false;
  /** Starts a server that ended again, a few times. */
  readonly usually: ErrorHandler = this.createDefaultErrorHandler();
  /** Is told which record's text the server says is another one now. */
  changed: (record: Uri) => void = () => undefined;

  override async start(): Promise<void> {
    await super.start();
    this.ran = true;
    // After the start, in which the base class takes this request for documents that are no files.
    this.onRequest(TextDocumentContentRefreshRequest.type, ({ uri }) => {
      this.changed(this.protocol2CodeConverter.asUri(uri));
    });
  }

  override error(message: string, data?: unknown, show: boolean | "force" = true): void {
    super.error(message, data, this.ran && show);
  }
}
