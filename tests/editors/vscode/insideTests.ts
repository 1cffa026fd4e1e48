/** Runs the suite inside the extension host, and reports each of its claims as a test. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Outcome } from "./inside/claims";
import { CACHE, folder, OUTCOMES, ROOT, type Stage } from "./stage";

const LONGEST = 120_000;

/** Declare the test, whose parts are the claims. */
export function insideTests(stage: Stage): void {
  describe("inside the extension host", () => {
    test("the suite runs", async (context) => {
      await runSuite(stage);
      const outcomes = JSON.parse(readFileSync(OUTCOMES, "utf8")) as Outcome[];
      assert.ok(outcomes.length > 0);
      for (const { claim, error } of outcomes) {
        await context.test(claim, () => assert.ok(error === undefined, error));
      }
    });
  });
}

/** Open a window that runs the suite, as VS Code's own test runner for the browser does. */
async function runSuite(stage: Stage): Promise<void> {
  const workspace = folder("inside", {
    ".vscode/settings.json": JSON.stringify({ "ctxls.store": stage.all }),
  });
  const page = await stage.browser.newPage();
  let exit: number | undefined;
  await page.exposeFunction("codeAutomationExit", (code: number) => (exit = code));
  await page.exposeFunction("codeAutomationLog", () => undefined);
  const remote = `vscode-remote://${stage.editor.authority}`;
  const payload = JSON.stringify([
    ["extensionDevelopmentPath", `${remote}${join(ROOT, "tests/editors/vscode/inside")}`],
    ["extensionTestsPath", `${remote}${join(CACHE, "tests", "suite.js")}`],
  ]);
  const query = new URLSearchParams({ folder: workspace, payload });
  await page.goto(`http://${stage.editor.authority}/?${query}`);
  for (let waited = 0; exit === undefined && waited < LONGEST; waited += 100) {
    await setTimeout(100);
  }
  await page.close();
  assert.equal(exit, 0, "the suite did not end by itself");
}
