/** Runs inside the extension host: what other code in the editor sees of records. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { Range, Uri, window, workspace, WorkspaceEdit } from "vscode";
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
      const hits = (await found(word)).filter((hit) => `${hit.location.uri}` === `${document.uri}`);
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
  assert.equal(`${target?.uri}`, `${document.uri}`);
  assert.equal(document.getText(target?.range), "seat_count");
});

claim("a record that is unknown, or not named, is not found: it is no blank document", async () => {
  for (const uri of [`context://local/x.${"01".repeat(16)}.md`, "context://local/x.md"]) {
    assert.match(await refusal(workspace.openTextDocument(Uri.parse(uri))), /nonexistent file/);
  }
});

claim("a URI reaches no file of this machine", async () => {
  await refusal(workspace.openTextDocument(Uri.parse("context:///etc/hostname")));
});

claim("no extension can edit a record", async () => {
  const document = await record("Plain");
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(0, 0, 0, 1), "x");
  const applied = await workspace.applyEdit(edit).then((done) => done && document.save());
  assert.equal(applied, false);
  assert.equal(workspace.fs.isWritableFileSystem("context"), false);
  const bytes = new Uint8Array([120]);
  assert.match(await refusal(workspace.fs.writeFile(document.uri, bytes)), /read.?only|permission/i);
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
  await until(async () => {
    const [next] = servers();
    return next !== undefined && next !== server && (await found("needle")).length > 0;
  });
});

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
