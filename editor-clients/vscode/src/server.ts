/** The server of this window: found, started, and started again. */

import { setTimeout } from "node:timers/promises";
import { type Disposable, EventEmitter, type LogOutputChannel, type Uri } from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";
import { makeClient } from "./client";
import { sayFailed, sayMissing } from "./notices";
import { findProgram } from "./program";
import { programArguments, surroundings } from "./settings";
import { LastWords } from "./stderr";

/** How long, in ms, a window may take to learn its settings: those of a remote one come late. */
const SETTLING = 3_000;

/** One process of `ctxls serve`, and the language client that talks to it. */
export class Server implements Disposable {
  private client: LanguageClient | undefined;
  private work: Promise<void> = Promise.resolve();
  private readonly changes = new EventEmitter<Uri | undefined>();
  /** Fires with a record whose text has changed, and with undefined when every one may have. */
  readonly onDidChange = this.changes.event;

  constructor(private readonly log: LogOutputChannel) {}

  /** Start with the settings as they are now; a server that runs is stopped first. */
  restart(grace = 0): Promise<void> {
    this.work = this.work.then(() => this.stop()).then(() => this.start(grace));
    return this.work;
  }

  /** Start as the window opens, or as its settings change: complain only when they have settled. */
  restartQuietly(): Promise<void> {
    return this.restart(SETTLING);
  }

  /** Return the client as soon as it runs; undefined where none does. */
  async running(): Promise<LanguageClient | undefined> {
    await this.work;
    return this.client;
  }

  /** Return the client; where none runs, try again and tell the user what is wrong. */
  async runningOrStarted(): Promise<LanguageClient | undefined> {
    const state = (await this.running())?.state ?? State.Stopped;
    if (state === State.Stopped || state === State.StartFailed) {
      await this.restart();
    }
    return this.client;
  }

  /** End the process. */
  dispose(): Promise<void> {
    this.work = this.work.then(() => this.stop());
    return this.work;
  }

  private async start(grace: number): Promise<void> {
    const around = surroundings();
    const program = findProgram(around);
    if (program === undefined) {
      void this.complain(around.named, grace);
      return;
    }
    const args = programArguments(around);
    this.log.info(`Starting ${[program, ...args].join(" ")}`);
    const words = new LastWords(this.log);
    const changed = (record: Uri): void => this.changes.fire(record);
    const client = makeClient(program, args, this.log, words, changed);
    try {
      await client.start();
      this.client = client;
      this.changes.fire(undefined);
    } catch (error) {
      void sayFailed(program, await words.or(String(error)), this.log);
    }
  }

  private async complain(named: string, grace: number): Promise<void> {
    const work = this.work;
    await setTimeout(grace);
    if (work === this.work) {
      await sayMissing(named);
    }
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      this.log.warn(`It was gone before it was stopped: ${error}`);
    }
  }
}
