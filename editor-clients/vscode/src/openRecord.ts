/** The command Open Record: a quick pick over the store's records, newest first. */

import {
  type CancellationToken,
  CancellationTokenSource,
  type OutputChannel,
  type QuickPick,
  Uri,
  window,
} from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { sayError } from "./notices";
import { listRecords, type RecordFacts } from "./requests";
import type { Server } from "./server";

const PAGE = 500;
/** Above this the list is slow to filter, and Ctrl+T, which searches all, the better way. */
const MOST = 10_000;

interface Choice {
  readonly label: string;
  readonly description: string;
  readonly uri: string;
}

/** Let the user choose a record, and open it. */
export async function openRecord(server: Server, log: OutputChannel): Promise<void> {
  const client = await server.runningOrStarted();
  const uri = client && (await chosenIn(client, log));
  if (uri !== undefined) {
    await window.showTextDocument(Uri.parse(uri, true));
  }
}

async function chosenIn(client: LanguageClient, log: OutputChannel): Promise<string | undefined> {
  const pick = makePick();
  const hidden = new CancellationTokenSource();
  const chosen = new Promise<string | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]?.uri));
    pick.onDidHide(() => resolve(undefined));
  });
  pick.show();
  fill(pick, client, hidden.token).catch((error: unknown) => {
    if (!hidden.token.isCancellationRequested) {
      pick.hide();
      void sayError(error instanceof Error ? error.message : String(error), log);
    }
  });
  const uri = await chosen;
  hidden.cancel();
  pick.dispose();
  return uri;
}

function makePick(): QuickPick<Choice> {
  const pick = window.createQuickPick<Choice>();
  pick.placeholder = "Type a part of a title or thread";
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  return pick;
}

/** Add the records page by page, so that the newest can be chosen while others still arrive. */
async function fill(
  pick: QuickPick<Choice>,
  client: LanguageClient,
  hidden: CancellationToken,
): Promise<void> {
  pick.busy = true;
  let cursor: string | undefined;
  do {
    const page = await listRecords(client, PAGE, cursor, hidden);
    if (hidden.isCancellationRequested) {
      return;
    }
    pick.items = [...pick.items, ...page.items.map(choice)];
    cursor = page.nextCursor;
  } while (cursor !== undefined && pick.items.length < MOST);
  pick.busy = false;
  pick.placeholder = pick.items.length ? pick.placeholder : "This store has no records yet";
  pick.title = cursor && `The newest ${MOST.toLocaleString()}; Ctrl+T searches all`;
}

function choice(record: RecordFacts): Choice {
  return { label: plain(record.title), description: plain(record.threadId), uri: record.uri };
}

/** Keep `$(name)` in a title from being shown as an icon. */
function plain(text: string): string {
  return text.replaceAll("$(", "\\$(");
}
