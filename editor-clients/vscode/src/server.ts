/** The server of this window: found, started, and started again. */

import { setTimeout } from "node:timers/promises";
import { type Disposable, EventEmitter, type LogOutputChannel, type Uri } from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";
import { makeClient, PATIENCE, type RecordClient } from "./client";
import { sayDistrusted, sayFailed, sayMissing } from "./notices";
import { findProgram, type Surroundings } from "./program";
import { programArguments, surroundings } from "./settings";
import { LastWords } from "./stderr";

/** How long, in ms, a window may take to learn its settings: those of a remote one come late. */
const SETTLING = 3_000;

/** One process of `ctxls serve`, and the language client that talks to it. */
export class Server implements Disposable {
  private client: RecordClient | undefined;
  /** The client whose server has not answered yet. */
  private starting: RecordClient | undefined;
  private work: Promise<void> = Promise.resolve();
  private readonly changes = new EventEmitter<Uri | undefined>();
  /** Fires with a record whose text has changed, and with undefined when every one may have. */
  readonly onDidChange = this.changes.event;

  constructor(private readonly log: LogOutputChannel) {}

  /** Start with the settings as they are now; a server that runs, or starts, is ended first. */
  restart(grace = 0): Promise<void> {
    return this.renew((isLast) => this.start(grace, isLast));
  }

  /** Start as the window opens, or as its settings change: complain only when they have settled. */
  restartQuietly(): Promise<void> {
    return this.restart(SETTLING);
  }

  /** Return the client as soon as it runs; undefined where none does. */
  async running(): Promise<LanguageClient | undefined> {
    let work;
    do {
      work = this.work;
      await work;
    } while (work !== this.work);
    return this.client;
  }

  /** Return the client; where none runs, try again and tell the user what is wrong. */
  async runningOrStarted(): Promise<LanguageClient | undefined> {
    const state = (await this.running())?.state ?? State.Stopped;
    if (state === State.Stopped || state === State.StartFailed) {
      await this.restart();
    }
    return this.running();
  }

  /** End the process. */
  dispose(): Promise<void> {
    return this.renew(() => Promise.resolve());
  }

  /** Queue the end of what runs, and what comes after it unless something else is wanted by then. */
  private renew(next: (isLast: () => boolean) => Promise<void>): Promise<void> {
    this.starting?.end();
    const isLast = (): boolean => work === this.work;
    const work: Promise<void> = this.work
      .then(() => this.stop())
      .then(() => (isLast() ? next(isLast) : undefined));
    this.work = work;
    return work;
  }

  private async start(grace: number, isLast: () => boolean): Promise<void> {
    const around = surroundings();
    const program = findProgram(around);
    if (program === undefined) {
      void this.complain(around, grace, isLast);
      return;
    }
    const args = programArguments(around);
    this.log.info(`Starting ${[program, ...args].join(" ")}`);
    const words = new LastWords(this.log);
    const client = makeClient(program, args, this.log, words, {
      changed: (record) => this.changes.fire(record),
      failed: (error, late) => isLast() && void this.sayWhy(program, words, error, late),
    });
    this.starting = client;
    try {
      await client.start();
      this.client = client;
    } catch {
      // The listener has heard it, as it hears of a server that is started again.
    }
    this.starting = undefined;
  }

  private async sayWhy(
    program: string,
    words: LastWords,
    error: unknown,
    late: boolean,
  ): Promise<void> {
    const why = late
      ? `It gave no answer for ${PATIENCE / 1_000} seconds.`
      : `It said: ${await words.or(String(error))}`;
    await sayFailed(program, why, this.log);
  }

  private async complain(
    around: Surroundings,
    grace: number,
    isLast: () => boolean,
  ): Promise<void> {
    await setTimeout(grace);
    if (!isLast()) {
      return;
    }
    const distrusted = findProgram({ ...around, trusted: true });
    await (distrusted === undefined ? sayMissing(around.named) : sayDistrusted(distrusted));
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      this.log.warn(`It could not be stopped, and is ended: ${error}`);
      client?.end();
    }
  }
}
