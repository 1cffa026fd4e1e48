/** Finding records, and going from one to another, in the window. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe } from "node:test";
import { folder, type Stage } from "./stage";
import { claimsIn, Window } from "./window";

/** Declare the tests. */
export function searchingTests(stage: Stage): void {
  describe("searching in the window", () => {
    let window: Window;
    const claim = claimsIn(() => window);

    before(async () => {
      window = await Window.open(stage.browser, stage.editor, folder("searching"));
    });
    beforeEach(() => window.closeEditors());
    after(() => window.close());

    claim("Ctrl+T finds a line with no record open, and lands after the emoji", async () => {
      await window.symbols("seat", "Seats sold twice");
      await window.input.fill("#coaches");
      await window.row("Seats sold twice").first().waitFor({ state: "detached" });
      await window.row("sum over all coaches").click();
      await window.at(15, 35);
      assert.equal(await window.tab.innerText(), "seat-map");
    });

    claim("Ctrl+T shows a record whose title is typed, blanks and all", async () => {
      await window.openRecord("Rollback plan");
      await window.symbols("seat", "Seats sold twice");
      await window.picture("search");
      await window.input.fill("#seats sold");
      await window.row("sum over all coaches").waitFor({ state: "detached" });
      await window.row("Seats sold twice").first().click();
      await window.text.getByText("Two people held a ticket").waitFor();
    });

    claim("F12 on a title in brackets opens that record", async () => {
      await window.openRecord("Rollback plan");
      await window.goTo(8, 36);
      await window.page.keyboard.press("F12");
      await window.text.getByText("Every coach has").waitFor();
    });

    claim("F12 on a word lands on the character after the emoji, in the other record", async () => {
      await window.openRecord("Rollback plan");
      await window.goTo(8, 8);
      await window.page.keyboard.press("F12");
      await window.text.getByText("sum over all coaches").waitFor();
      await window.at(15, 4);
    });

    claim("F12 where nothing matches says so", async () => {
      await window.openRecord("検索が遅い");
      await window.goTo(3, 2);
      await window.page.keyboard.press("F12");
      await window.page.getByText(/No definition found/).first().waitFor();
    });
  });
}
