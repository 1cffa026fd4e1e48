/** VS Code itself, with the packaged extension: its window, and its extension host. */

import { after, before } from "node:test";
import { startEditor } from "./editor";
import { insideTests } from "./insideTests";
import { installTests } from "./installTests";
import { programTests } from "./programTests";
import { readingTests } from "./readingTests";
import { MANY, ODD, USUAL } from "./records";
import { searchingTests } from "./searchingTests";
import { PATH, PROGRAM_FOLDER, type Stage, store } from "./stage";
import { startingTests } from "./startingTests";
import { startBrowser } from "./window";

const stage = {} as Stage;

before(async () => {
  const odd = ODD.map(({ text }) => ({ threadId: "odd", source: "agent" as const, text }));
  stage.usual = store("usual", USUAL);
  stage.all = store("all", [...odd, ...USUAL]);
  stage.many = store("many", MANY);
  stage.browser = await startBrowser();
  const path = `${PROGRAM_FOLDER}:${PATH}`;
  stage.editor = await startEditor("trusting", path, stage.usual, {
    "security.workspace.trust.enabled": false,
  });
});

after(async () => {
  await stage.browser?.browser()?.close();
  stage.editor?.close();
  stage.wary?.close();
});

installTests();
programTests();
readingTests(stage);
searchingTests(stage);
startingTests(stage);
insideTests(stage);
