/** The language client of one server process. */

import { homedir } from "node:os";
import type { LogOutputChannel, Uri } from "vscode";
import {
  CloseAction,
  type ErrorHandler,
  LanguageClient,
  State,
  TextDocumentContentRefreshRequest,
} from "vscode-languageclient/node";
import type { LastWords } from "./stderr";

/** The scheme of records' URIs. */
export const SCHEME = "context";

/** How long, in ms, a server may take until it answers for the first time. */
export const PATIENCE = 15_000;

/** What a client tells of its server. */
export interface Listener {
  /** A record's text is another one now; without a record, any may be. */
  changed(record?: Uri): void;
  /** The server did not start, or not again: it ended, or gave no answer and was ended. */
  failed(error: unknown, late: boolean): void;
}

/** Make a client that starts the program when it is started itself. */
export function makeClient(
  program: string,
  args: string[],
  log: LogOutputChannel,
  words: LastWords,
  listener: Listener,
): RecordClient {
  // Not in the workspace's folder, where a file could stand in for a part of the program.
  const server = { command: program, args, options: { cwd: homedir() } };
  const client: RecordClient = new RecordClient("ctxls", "ctxls", server, {
    documentSelector: [{ scheme: SCHEME }],
    outputChannel: log,
    stdioOptions: { stdout: () => undefined, stderr: (stream) => words.listen(stream) },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: (...error) => client.usually.error(...error),
      closed: () => (client.serves ? client.usually.closed() : GIVE_UP),
    },
  });
  client.listener = listener;
  return client;
}

/** A server that ended as it started is not started again: it would end as it did. */
const GIVE_UP = { action: CloseAction.DoNotRestart, handled: true };

/** A language client that is quiet about a server that does not start: what that said is shown. */
export class RecordClient extends LanguageClient {
  /** Whether the server has answered since it was started. */
  serves = false;
  /** Starts a server that ended again, a few times. */
  readonly usually: ErrorHandler = this.createDefaultErrorHandler();
  listener: Listener | undefined;

  /** Start the server; the base class calls this too, for one that has ended. */
  override async start(): Promise<void> {
    this.serves = false;
    let late = false;
    const patience = setTimeout(() => {
      late = true;
      this.end();
    }, PATIENCE);
    try {
      await super.start();
    } catch (error) {
      this.listener?.failed(error, late);
      throw error;
    } finally {
      clearTimeout(patience);
    }
    this.serves = true;
    // After the start, in which the base class takes this request for documents that are no files.
    this.onRequest(TextDocumentContentRefreshRequest.type, ({ uri }) => {
      this.listener?.changed(this.protocol2CodeConverter.asUri(uri));
    });
    this.listener?.changed();
  }

  /** End the process, and with it a start that still waits for its answer. */
  end(): void {
    this.serves = false;
    const process = this.serverProcess;
    if (process === undefined && this.state === State.Starting) {
      setTimeout(() => this.end(), 50); // it will be there in a moment
    }
    process?.kill("SIGKILL");
    process?.stdin?.destroy();
    process?.stdout?.destroy(); // a program that it started may hold the other end
  }

  override error(message: string, data?: unknown, show: boolean | "force" = true): void {
    super.error(message, data, this.serves && show);
  }
}
