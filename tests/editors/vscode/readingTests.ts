/** What a user sees of a record that is open. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe } from "node:test";
import { folder, type Stage } from "./stage";
import { claimsIn, Window } from "./window";

/** Declare the tests. */
export function readingTests(stage: Stage): void {
  describe("reading a record in the window", () => {
    let window: Window;
    const claim = claimsIn(() => window);

    before(async () => {
      window = await Window.open(stage.browser, stage.editor, folder("reading"));
      await window.command("Explorer: Focus on Outline View");
    });
    beforeEach(() => window.closeEditors());
    after(() => window.close());

    claim("Open Record lists titles and threads, the newest record first", async () => {
      await window.command("Context: Open Record");
      await window.row("broke the build").waitFor();
      await window.picture("open-record");
      assert.deepEqual(await window.rowLabels.allInnerTexts(), [
        "Rollback plan",
        "Seat map",
        "Seats sold twice",
        "検索が遅い",
        "How $(date) broke the build",
      ]);
      await window.input.fill("incid");
      await window.row("Seat map").waitFor({ state: "detached" });
      assert.equal(await window.row("incidents").count(), 2);
      await window.page.keyboard.press("Escape");
    });

    claim("the outline shows each heading once", async () => {
      await window.openRecord("Rollback plan");
      await window.outline.getByText("Who to call").waitFor();
      await window.picture("outline");
      assert.deepEqual(await window.outline.allInnerTexts(), [
        "Rollback plan",
        "When to roll back",
        "Steps",
        "Check afterwards",
        "Who to call",
      ]);
    });

    claim("the breadcrumbs name the thread and the sections at the cursor", async () => {
      await window.openRecord("Rollback plan");
      await window.goTo(24, 3);
      await window.crumbs.getByText("Check afterwards").waitFor();
      const crumbs = await window.crumbs.allInnerTexts();
      assert.match(String(crumbs.splice(2, 1)), /^rollback-plan\.[0-9a-f]{32}\.md$/);
      assert.deepEqual(crumbs, ["deploy", "night", "Rollback plan", "Steps", "Check afterwards"]);
    });

    claim("tabs show titles, in every script, and on a second visit", async () => {
      await window.openRecord("検索が遅い");
      assert.equal(await window.tab.innerText(), "検索が遅い");
      await window.openRecord("Rollback plan");
      await window.openRecord("Rollback plan");
      assert.equal(await window.tab.innerText(), "rollback-plan");
    });

    claim("a record is read again after a reload, with its title and outline", async () => {
      await window.openRecord("Seat map");
      await window.command("Developer: Reload Window");
      await window.text.getByText("Every coach has").waitFor();
      await window.outline.getByText("The number of seats").waitFor();
      assert.equal(await window.outline.count(), 4);
      assert.equal(await window.tab.innerText(), "seat-map");
    });

    claim("headings, lists and code are highlighted as in any Markdown", async () => {
      await window.openRecord("Rollback plan");
      await window.goTo(1, 1);
      const colours = await Promise.all(
        ["# Rollback plan", "Written by", "def", "# never"].map((text) => window.colour(text)),
      );
      assert.equal(new Set(colours).size, 4, colours.join(" "));
    });

    claim("the preview shows the record as it is meant to look", async () => {
      await window.openRecord("Rollback plan");
      await window.page.getByRole("button", { name: "Open Preview to the Side" }).click();
      const preview = window.page.frameLocator("iframe.webview").frameLocator("#active-frame");
      await preview.getByRole("heading", { name: "Check afterwards" }).waitFor();
      await preview.locator("td strong", { hasText: "on duty" }).waitFor();
      await window.command("View: Focus First Editor Group");
      await window.outline.getByText("Who to call").waitFor();
      await window.picture("preview");
    });

    claim("typing changes nothing, and says why", async () => {
      await window.openRecord("Seat map");
      await window.goTo(1, 1);
      await window.page.keyboard.type("x");
      await window.page.getByText("Records can be read here, not edited.").first().waitFor();
      assert.equal(await window.text.first().innerText(), "# Seat map".replaceAll(" ", "\u00a0"));
    });
  });
}
