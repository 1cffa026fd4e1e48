/** Which program starts, and what the user is told where none does. */

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { startEditor } from "./editor";
import { alter, folder, PATH, PROGRAM_FOLDER, ROOT, SCRATCH, type Stage } from "./stage";
import { claimsIn, Window } from "./window";

const NO_PROGRAM = /neither on the PATH nor in/;
const DISTRUSTED = /The program ctxls is only inside a folder that you do not trust: .*ctxls\./;

/** Declare the tests. */
export function startingTests(stage: Stage): void {
  describe("starting the server", () => {
    let window: Window;
    const claim = claimsIn(() => window);

    before(async () => {
      stage.wary = await startEditor("wary", PATH, stage.many, {
        "security.workspace.trust.startupPrompt": "never",
        "security.workspace.trust.banner": "never",
      });
      window = await Window.open(stage.browser, stage.wary, folder("untrusted"));
    });
    after(() => window.close());

    claim("where ctxls is missing, one click copies what installs it", async () => {
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

    claim("an untrusted workspace chooses no program, and a trusted one does", async () => {
      const workspace = folder("tempting");
      const [named, found] = [join(workspace, "named"), join(workspace, "found")];
      folder("tempting", {
        "bin/named": script(named),
        ".venv/bin/ctxls": script(found),
        ...settings({ "ctxls.path": "bin/named" }),
      });
      window = await Window.open(stage.browser, stage.wary, workspace);
      await window.toast(DISTRUSTED).waitFor();
      assert.deepEqual([existsSync(named), existsSync(found)], [false, false]);
      await window.page.getByRole("button", { name: "Manage Trust" }).click();
      await window.page.getByRole("button", { name: "Trust", exact: true }).first().click();
      await window.openRecord("Note 1199 of the night");
      assert.deepEqual([existsSync(named), existsSync(found)], [true, false]);
    });

    claim("without a setting, the .venv of a trusted workspace is searched", async () => {
      folder("tempting", settings({}));
      await window.until(() => existsSync(join(SCRATCH, "tempting", "found")));
      await window.openRecord("Note 1198 of the night");
    });

    claim("a list longer than one page ends with the oldest record", async () => {
      await window.command("Context: Open Record");
      await window.input.fill("Note 0 of");
      await window.row("Note 0 of the night").first().click();
      await window.text.getByText("# Note 0 of the night").waitFor();
    });

    claim("an untrusted workspace chooses no store", async () => {
      folder("wary-home", { ".local/bin/ctxls": script(join(SCRATCH, "home-found")) });
      const path = folder("luring", settings({ "ctxls.store": stage.usual }));
      await window.close();
      window = await Window.open(stage.browser, stage.wary, path);
      await window.command("Context: Open Record");
      await window.row("Note 1199 of the night").first().waitFor();
      assert.equal(await window.row("Rollback plan").count(), 0);
    });

    claim("a program that ends at once is quoted, and nothing that it says is a link", async () => {
      const said = "CTXLS_INDEX is banana; use on or off. [Why](command:ctxls.openRecord)";
      const path = folder("failing", {
        program: `#!/bin/sh\necho '${said}' >&2\nexit 2\n`,
        ...settings({ "ctxls.path": "program" }),
      });
      await window.close();
      window = await Window.open(stage.browser, stage.editor, path);
      await window.toast(/CTXLS_INDEX is banana; use on or off\./).waitFor();
      assert.equal(await window.toasts.count(), 1);
      assert.match(await window.toasts.innerText(), /\[Why\] \(command:/);
      assert.equal(await window.toasts.locator("a[href]").count(), 0);
    });

    claim("a program that never answers is given up, and another one can start", async () => {
      const program = "#!/bin/sh\nsleep 120\n";
      const path = folder("hanging", { program, ...settings({ "ctxls.path": "program" }) });
      await window.close();
      window = await Window.open(stage.browser, stage.editor, path);
      await window.toast(/program did not start\. It gave no answer for 15 seconds\./).waitFor();
      assert.equal(await window.toasts.count(), 1);
      folder("hanging", settings({}));
      await window.openRecord("Rollback plan");
    });

    claim("a program that has not answered yet makes way for another one at once", async () => {
      const mark = join(SCRATCH, "waiting", "mark");
      const program = `#!/bin/sh\ntouch '${mark}'\nexec sleep 120\n`;
      const path = folder("waiting", { program, ...settings({ "ctxls.path": "program" }) });
      await window.close();
      window = await Window.open(stage.browser, stage.editor, path);
      await window.until(() => existsSync(mark));
      const begun = Date.now();
      folder("waiting", settings({}));
      await window.openRecord("Rollback plan");
      assert.ok(Date.now() - begun < 12_000, `it took ${Date.now() - begun} ms`);
      assert.equal(await window.toasts.count(), 0);
    });

    claim("a store that is missing is said to be, until it is there", async () => {
      const path = folder("absent", settings({ "ctxls.store": "records.db" }));
      await window.close();
      window = await Window.open(stage.browser, stage.editor, path);
      await window.command("Context: Open Record");
      await window.toast(/The store does not exist/).waitFor();
      copyFileSync(stage.usual, join(path, "records.db"));
      await window.openRecord("Rollback plan");
    });

    claim("a tab whose record is gone says so, and shows it when it is back", async () => {
      folder("absent", settings({ "ctxls.store": stage.many }));
      await window.command("Developer: Reload Window");
      await window.page.getByText("the file was not found").waitFor();
      folder("absent", settings({ "ctxls.store": "records.db" }));
      await window.text.getByText("# Rollback plan").waitFor();
    });

    claim("a record that changes is read again when the server says so", async () => {
      const path = folder("relayed");
      folder("relayed", {
        program: relayed(path),
        ...settings({ "ctxls.path": "program", "ctxls.store": "records.db" }),
      });
      copyFileSync(stage.usual, join(path, "records.db"));
      await window.close();
      window = await Window.open(stage.browser, stage.editor, path);
      await window.openRecord("Seat map");
      alter(join(path, "records.db"), "UPDATE context_entries SET text_content = '# New seats'");
      refresh(path);
      await window.text.getByText("# New seats").waitFor();
      await window.crumbs.getByText("New seats").waitFor();
    });

    claim("many changes in a row end with the newest text", async () => {
      const path = join(SCRATCH, "relayed");
      for (let number = 0; number < 20; number++) {
        const text = `# Seats, take ${number}`;
        alter(join(path, "records.db"), `UPDATE context_entries SET text_content = '${text}'`);
        await window.until(() => !existsSync(join(path, "relay.say")));
        refresh(path);
      }
      await window.text.getByText("# Seats, take 19").waitFor();
      await window.crumbs.getByText("Seats, take 19").waitFor();
    });

    claim("a record that changed while its server was gone is read again by the next", async () => {
      const path = join(SCRATCH, "relayed");
      alter(join(path, "records.db"), "UPDATE context_entries SET text_content = '# Later'");
      process.kill(Number(readFileSync(join(path, "relay.pid"), "utf8")), "SIGKILL");
      await window.text.getByText("# Later").waitFor();
    });
  });
}

/** Return a program that is ctxls behind a relay, through which a test can speak to the editor. */
function relayed(path: string): string {
  const python = join(PROGRAM_FOLDER, "python");
  const relay = join(ROOT, "tests", "editors", "neovim", "relay.py");
  const words = [python, relay, join(path, "relay.log"), join(PROGRAM_FOLDER, "ctxls")];
  return `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(" ")} "$@"\n`;
}

/** Send the editor what a server sends when an open record has changed. */
function refresh(path: string): void {
  const heard = readFileSync(join(path, "relay.log"), "utf8").trimEnd().split("\n");
  const opened = heard.map((line) => JSON.parse(line) as Opening).findLast(
    (message) => message.method === "textDocument/didOpen",
  );
  const method = "workspace/textDocumentContent/refresh";
  const params = { uri: opened?.params.textDocument.uri };
  const message = JSON.stringify({ jsonrpc: "2.0", id: "relay", method, params });
  writeFileSync(join(path, "relay.new"), message);
  renameSync(join(path, "relay.new"), join(path, "relay.say"));
}

interface Opening {
  readonly method?: string;
  readonly params: { readonly textDocument: { readonly uri: string } };
}

/** Return a workspace's settings, as the file that holds them. */
function settings(values: Readonly<Record<string, string>>): Record<string, string> {
  return { ".vscode/settings.json": JSON.stringify(values) };
}

/** Return a program that leaves a mark, and then is ctxls. */
function script(mark: string): string {
  return `#!/bin/sh\ntouch '${mark}'\nexec '${join(PROGRAM_FOLDER, "ctxls")}' "$@"\n`;
}
