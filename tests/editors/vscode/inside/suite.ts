/** Runs inside the extension host: what other code in the editor sees of records. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { commands, ConfigurationTarget, Position, Uri, window, workspace, WorkspaceEdit } from "vscode";
import { ODD } from "../records";
import { found, leadsTo, outline, record, recordUri, refusal, started } from "./asking";
import { checkAll, claim } from "./claims";

/** The editor calls this. */
export async function run(): Promise<void> {
  await checkAll();
}

claim("the extension starts, and finds the records of the store", started);

for (const odd of ODD) {
  claim(`${odd.title}: the editor shows every line of the record`, async () => {
    assert.equal((await record(odd.title)).getText(), odd.shown);
  });

  claim(`${odd.title}: the outline selects the headings`, async () => {
    const document = await record(odd.title);
    const [top, ...more] = await outline(document);
    const second = top?.children[0];
    assert.deepEqual([top?.name, second?.name, more.length], [odd.title, "Second", 0]);
    assert.equal(document.getText(second?.selectionRange), "## Second");
  });

  claim(`${odd.title}: every match of a search lands on its word`, async () => {
    const document = await record(odd.title);
    for (const word of ["needle", "distant"]) {
      const hits = (await found(word)).filter((hit) => same(hit.location.uri, document.uri));
      assert.equal(hits.length, odd.shown.split(word).length - 1);
      assert.ok(hits.every((hit) => document.getText(hit.location.range) === word));
    }
  });
}

claim("a match on the first line lands one character late after a byte order mark", async () => {
  // The editor drops the mark, and positions outside open texts count it (docs/editors/vscode.md).
  const [hit] = (await found("Byte")).filter((one) => one.name === "Byte order mark");
  const document = await record("Byte order mark");
  assert.equal(document.getText(hit?.location.range), "yte ");
});

claim("a record has the language of records", async () => {
  assert.equal((await record("Plain")).languageId, "ctxls-markdown");
});

claim("a record has that language whatever a setting makes of files that end as it does", async () => {
  const files = workspace.getConfiguration("files");
  await files.update("associations", { "*.md": "plaintext" }, ConfigurationTarget.Workspace);
  const document = await record("Seats sold twice");
  await until(async () => document.languageId === "ctxls-markdown");
  await files.update("associations", undefined, ConfigurationTarget.Workspace);
});

claim("a record is found under its URI in any spelling that editors make of it", async () => {
  const uri = await recordUri("Rollback plan");
  const id = uri.path.split(".").at(-2) ?? "";
  for (const spelling of [
    `context://local/deploy/night/rollback-plan.${id}.md`,
    `context://LOCAL/Deploy%2FNight/Rollback%20plan.${id.toUpperCase()}.md`,
    `context:///x.${id}.md`,
    `context://local/a&b=c('!*+@,;$).${id}.md`,
  ]) {
    const document = await workspace.openTextDocument(Uri.parse(spelling));
    assert.match(document.getText(), /^# Rollback plan\n/, spelling);
  }
});

claim("F12 on a title in brackets opens that record", async () => {
  const targets = await leadsTo(await record("Rollback plan"), "Seat map]]");
  assert.deepEqual(
    targets.map((target) => `${target.uri}`),
    [`${await recordUri("Seat map")}`],
  );
});

claim("F12 on a word lands on it after emoji in another record", async () => {
  const [target] = await leadsTo(await record("Rollback plan"), "seat_count");
  const document = await record("Seat map");
  assert.ok(target && same(target.uri, document.uri));
  assert.equal(document.getText(target.range), "seat_count");
});

claim("a record that is unknown, or not named, is not found, and no blank document", async () => {
  for (const uri of [`context://local/x.${"01".repeat(16)}.md`, "context://local/x.md"]) {
    const said = await refusal(workspace.openTextDocument(Uri.parse(uri)));
    assert.match(said, /nonexistent file/);
  }
});

claim("a URI reaches no file of this machine", async () => {
  await refusal(workspace.openTextDocument(Uri.parse("context:///etc/hostname")));
});

claim("what an extension edits in a record is not stored, and can be undone", async () => {
  // The editor lets extensions edit the open text of a read-only file, and refuses to save it.
  const document = await record("Plain");
  await window.showTextDocument(document);
  const before = [document.getText(), await workspace.fs.readFile(document.uri)];
  const edit = new WorkspaceEdit();
  edit.insert(document.uri, new Position(0, 0), "x");
  await workspace.applyEdit(edit);
  assert.equal(await document.save().then(undefined, () => false), false);
  await commands.executeCommand("workbench.action.files.revert");
  assert.deepEqual([document.getText(), await workspace.fs.readFile(document.uri)], before);
});

claim("no extension can write a record's file", async () => {
  const { uri } = await record("Plain");
  assert.equal(workspace.fs.isWritableFileSystem("context"), false);
  const writing = workspace.fs.writeFile(uri, new Uint8Array([120]));
  assert.match(await refusal(writing), /read.?only|permission/i);
});

claim("a second visit shows the same record, in the same document", async () => {
  const first = await window.showTextDocument(await record("Seat map"));
  await window.showTextDocument(await record("Plain"));
  const second = await window.showTextDocument(await record("Seat map"));
  assert.equal(second.document, first.document);
  assert.equal((await outline(second.document)).length, 1);
});

claim("one server serves all documents, and is started again when it dies", async () => {
  const [server, ...more] = servers();
  assert.equal(more.length, 0, "more than one server");
  process.kill(Number(server), "SIGKILL");
  await until(async () => !servers().includes(String(server)) && (await anyFound()));
});

claim("a server that died too often is started again by Open Record", async () => {
  await until(async () => {
    servers().forEach((server) => process.kill(Number(server), "SIGKILL"));
    return (await silence()) && !(await anyFound());
  });
  void commands.executeCommand("ctxls.openRecord");
  await until(anyFound);
  await commands.executeCommand("workbench.action.closeQuickOpen");
});

/** Tell whether no server comes within two seconds. */
async function silence(): Promise<boolean> {
  for (let tries = 0; tries < 20 && servers().length === 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return servers().length === 0;
}

async function anyFound(): Promise<boolean> {
  return (await found("needle")).length > 0;
}

function same(one: Uri, other: Uri): boolean {
  return one.toString() === other.toString();
}

/** Return the ids of the server processes that this extension host has started. */
function servers(): string[] {
  return readdirSync("/proc").filter((id) => /^\d+$/.test(id) && isServer(id));
}

function isServer(id: string): boolean {
  try {
    const parent = /^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1];
    const words = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
    return parent === String(process.pid) && words.includes("serve");
  } catch {
    return false; // it ended while it was looked at
  }
}

async function until(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await check()) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail("it did not happen within 30 seconds");
}
