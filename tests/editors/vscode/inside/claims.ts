/** A list of claims, checked one after the other inside the extension host. */

import { writeFileSync } from "node:fs";

/** What came of one claim; no error: it holds. */
export interface Outcome {
  readonly claim: string;
  readonly error?: string;
}

type Check = () => Promise<void>;
const claims: [string, Check][] = [];

/** State something that a user sees, and how to check it. */
export function claim(sentence: string, check: Check): void {
  claims.push([sentence, check]);
}

/** Check every claim, and write the outcomes where the tests outside read them. */
export async function checkAll(): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const [sentence, check] of claims) {
    outcomes.push(await outcome(sentence, check));
  }
  writeFileSync(process.env["RECORD_TESTS_OUTCOMES"] ?? "", JSON.stringify(outcomes));
}

async function outcome(sentence: string, check: Check): Promise<Outcome> {
  try {
    await check();
    return { claim: sentence };
  } catch (error) {
    return { claim: sentence, error: error instanceof Error ? String(error.stack) : String(error) };
  }
}
