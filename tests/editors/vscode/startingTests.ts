/** Which program starts, and what the user is told where none does. */

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { startEditor } from "./editor";
import { folder, PATH, PROGRAM_FOLDER, ROOT, SCRATCH, type Stage } from "./stage";
import { claim, Window } from "./window";

const NO_PROGRAM = /neither on the PATH nor in/;

/** Declare the tests. */
export function startingTests(stage: Stage): void {
  describe("starting the server", () => {
    let window: Window;

    before(async () => {
      stage.wary = await startEditor("wary", PATH, stage.many, {
        "security.workspace.trust.startupPrompt": "never",
        "security.workspace.trust.banner": "never",
      });
      window = await Window.open(stage.browser, stage.wary, folder("untrusted"));
    });
    after(() => window.close());

    claim(() => window, "where ctxls is missing, one click copies what installs it", async () => {
      await window.toast(NO_PROGRAM).waitFor();
      await window.picture("missing");
      await window.page.getByRole("button", { name: "Copy Install Command" }).click();
      await window.toast(/Run the copied command/).waitFor();
      const copied = await window.page.evaluate(() => navigator.clipboard.readText());
      assert.match(copied, /pip install/);
      const page = readFileSync(join(ROOT, "docs", "editors", "vscode.md"), "utf8");
      assert.ok(page.includes(copied), `docs/editors/vscode.md does not show: ${copied}`);
      await window.close();
    });

    claim(() => window, "an untrusted workspace chooses no program, and a trusted one does", async () => {
      const workspace = folder("tempting");
      const [named, found] = [join(workspace, "named"), join(workspace, "found")];
      folder("tempting", {
        "bin/named": script(named),
        ".venv/bin/ctxls": script(found),
        ...settings({ "ctxls.path": "bin/named" }),
      });
      window = await Window.open(stage.browser, stage.wary, workspace);
      await window.toast(NO_PROGRAM).waitFor();
      assert.deepEqual([existsSync(named), existsSync(found)], [false, false]);
      await window.command("Workspaces: Manage Workspace Trust");
      await window.page.getByRole("button", { name: "Trust", exact: true }).first().click();
      await window.openRecord("Note 1199 of the night");
      assert.deepEqual([existsSync(named), existsSync(found)], [true, false]);
    });

    claim(() => window, "without a setting, the .venv of a trusted workspace is searched", async () => {
      folder("tempting", settings({}));
      await window.until(() => existsSync(join(SCRATCH, "tempting", "found")));
      await window.openRecord("Note 1198 of the night");
    });

    claim(() => window, "a list longer than one page ends with the oldest record", async () => {
      await window.command("Context: Open Record");
      await window.input.fill("Note 0 of");
      await window.row("Note 0 of the night").first().click();
      await window.text.getByText("# Note 0 of the night").waitFor();
    });

    claim(() => window, "a program that ends at once is quoted", async () => {
      const path = folder("failing", {
        program: "#!/bin/sh\necho 'CTXLS_INDEX is banana; use on or off.' >&2\nexit 2\n",
        ...settings({ "ctxls.path": "program" }),
      });
      await window.close();
      window = await Window.open(stage.browser, stage.editor, path);
      await window.toast(/CTXLS_INDEX is banana; use on or off\./).waitFor();
      assert.equal(await window.toasts.count(), 1);
    });

    claim(() => window, "a store that is missing is said to be, until it is there", async () => {
      const path = folder("absent", settings({ "ctxls.store": "records.db" }));
      await window.close();
      window = await Window.open(stage.browser, stage.editor, path);
      await window.command("Context: Open Record");
      await window.toast(/The store does not exist/).waitFor();
      copyFileSync(stage.usual, join(path, "records.db"));
      await window.openRecord("Rollback plan");
    });

    claim(() => window, "a tab whose record is gone says so, and shows it when it is back", async () => {
      folder("absent", settings({ "ctxls.store": stage.many }));
      await window.command("Developer: Reload Window");
      await window.page.getByText("the file was not found").waitFor();
      folder("absent", settings({ "ctxls.store": "records.db" }));
      await window.text.getByText("# Rollback plan").waitFor();
    });
  });
}

/** Return a workspace's settings, as the file that holds them. */
function settings(values: Readonly<Record<string, string>>): Record<string, string> {
  return { ".vscode/settings.json": JSON.stringify(values) };
}

/** Return a program that leaves a mark, and then is ctxls. */
function script(mark: string): string {
  return `#!/bin/sh\ntouch '${mark}'\nexec '${join(PROGRAM_FOLDER, "ctxls")}' "$@"\n`;
}
