/** An editor that cannot be installed is no test that passes. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, ROOT } from "./stage";

const INSTALL = "tests/editors/vscode/install";

/** Declare the test. */
export function installTests(): void {
  test("where VS Code cannot be installed, it is said why, and that nothing was tested", () => {
    const npm = "#!/bin/sh\necho 'npm error network' >&2\nexit 1\n";
    const project = folder("no-network", { [INSTALL]: "", "bin/npm": npm });
    copyFileSync(join(ROOT, INSTALL), join(project, INSTALL));
    const path = `${project}/bin:${process.env["PATH"]}`;
    const ran = spawnSync(join(project, INSTALL), { env: { PATH: path }, encoding: "utf8" });
    assert.deepEqual([ran.status, ran.stderr.split("\n")], [
      2,
      ["npm error network", "VS Code could not be installed, so its client was not tested.", ""],
    ]);
  });
}
