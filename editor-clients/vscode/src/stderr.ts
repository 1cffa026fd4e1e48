/** What the program writes to its standard error: it is logged, and the last of it is kept. */

import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { LogOutputChannel } from "vscode";

/** How long, in ms, a program that ends may take to say why. */
const PATIENCE = 2_000;

/** The last line that a program wrote: the sentence that says why it ended. */
export class LastWords {
  private words = "";
  private end: Promise<unknown> = Promise.resolve();

  constructor(private readonly log: LogOutputChannel) {}

  /** Follow the stream of a program that starts to its end. */
  listen(stream: Readable): void {
    this.words = "";
    const lines = createInterface({ input: stream });
    lines.on("line", (line) => {
      this.words = line.trim() || this.words;
      this.log.error(line);
    });
    this.end = once(lines, "close");
  }

  /** Return the last line that was not blank once the program is done, or what stands in for it. */
  async or(other: string): Promise<string> {
    await Promise.race([this.end, setTimeout(PATIENCE)]);
    return this.words || other;
  }
}
