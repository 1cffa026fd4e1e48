/** One window of VS Code in a headless browser, and what a user does and sees in it. */

import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import type { Editor } from "./editor";
import { CACHE, ROOT } from "./stage";

const PICTURES = resolve(ROOT, process.env["PICTURES"] ?? join(CACHE, "pictures"));

/** Start the browser that all windows are opened in, so that it loads VS Code's code once. */
export async function startBrowser(): Promise<BrowserContext> {
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  context.setDefaultTimeout(60_000);
  return context;
}

type Claim = (name: string, steps: () => Promise<void>) => void;

/** Return what declares tests in a window; what it showed when one failed is kept in the cache. */
export function claimsIn(window: () => Window): Claim {
  return (name, steps) => {
    test(name, async () => {
      try {
        await steps();
      } catch (error) {
        await window().page.screenshot({ path: join(CACHE, "failures", `${name}.png`) });
        throw error;
      }
    });
  };
}

/** A window on a folder. */
export class Window {
  private constructor(readonly page: Page) {}

  static async open(browser: BrowserContext, editor: Editor, path: string): Promise<Window> {
    const origin = `http://${editor.authority}`;
    await browser.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    const page = await browser.newPage();
    await page.goto(`${origin}/?folder=${path}`);
    await page.locator(".explorer-folders-view").waitFor();
    return new Window(page);
  }

  /** Run a command by its title. */
  async command(title: string): Promise<void> {
    // The palette shows the commands there were when it opened, and it may lose the focus while
    // the window still loads: so it is opened again until it shows this one.
    for (let tries = 0; tries < 30; tries++) {
      await this.page.keyboard.press("F1");
      if (await this.typed(`>${title}`, title)) {
        return;
      }
      await this.page.keyboard.press("Escape");
    }
    throw new Error(`The palette has no command ${title}.`);
  }

  private async typed(query: string, wanted: string): Promise<boolean> {
    try {
      await this.input.fill(query, { timeout: 2_000 });
      const label = this.page.locator(".label-name").getByText(wanted, { exact: true });
      await this.row("").filter({ has: label }).first().click({ timeout: 2_000 });
      return true;
    } catch {
      return false; // no such command yet: the caller tries again
    }
  }

  /** Open a record through the extension's quick pick. */
  async openRecord(title: string): Promise<void> {
    await this.command("Context: Open Record");
    await this.choose(title);
    await this.text.first().waitFor();
  }

  /** Choose a row of the quick pick that is open. */
  async choose(text: string): Promise<void> {
    await this.row(text).first().waitFor();
    await this.input.fill(text.slice(0, 12));
    await this.row(text).first().click();
  }

  /** Type a query into the search over symbols, and wait for a row. */
  async symbols(query: string, wanted: string): Promise<void> {
    await this.started();
    await this.page.keyboard.press("Control+T");
    await this.input.fill(`#${query}`);
    await this.row(wanted).first().waitFor();
  }

  /** Wait until the server answers: its list of records is the first thing that shows it. */
  private async started(): Promise<void> {
    await this.command("Context: Open Record");
    await this.row("").first().waitFor();
    await this.page.keyboard.press("Escape");
  }

  async closeEditors(): Promise<void> {
    if ((await this.page.locator(".tab").count()) === 0) {
      return; // then the palette does not have the command
    }
    await this.command("View: Close All Editors");
    await this.page.locator(".tab").first().waitFor({ state: "detached" });
  }

  /** Put the cursor at a place, numbers from 1; here an emoji counts two columns. */
  async goTo(line: number, column: number): Promise<void> {
    await this.page.keyboard.press("Control+G");
    await this.input.fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.input.waitFor({ state: "hidden" });
  }

  /** Wait until the status bar says that the cursor is there; here an emoji counts one column. */
  async at(line: number, column: number): Promise<void> {
    const place = `Ln ${line}, Col ${column}`;
    await this.page.locator("#status\\.editor\\.selection").getByText(place).waitFor();
  }

  /** Keep what the window shows, for the documentation. */
  async picture(name: string): Promise<void> {
    await this.page.mouse.move(640, 650);
    await this.page.waitForTimeout(500); // what slides or fades in is there by then
    await this.page.screenshot({ path: join(PICTURES, `vscode-${name}.png`) });
  }

  /** Wait for something that the window does not show. */
  async until(happened: () => boolean): Promise<void> {
    for (let tries = 0; !happened(); tries++) {
      assert.ok(tries < 600, "it did not happen within a minute");
      await this.page.waitForTimeout(100);
    }
  }

  get input(): Locator {
    return this.page.locator(".quick-input-widget input[type=text]");
  }

  row(text: string): Locator {
    return this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text });
  }

  get rowLabels(): Locator {
    return this.page.locator(".quick-input-list .label-name");
  }

  get text(): Locator {
    return this.page.locator(".editor-group-container.active .view-line");
  }

  /** The rows of the Outline view. */
  get outline(): Locator {
    return this.page.locator(".outline-tree .monaco-list-row .label-name");
  }

  get crumbs(): Locator {
    return this.page.locator(".editor-group-container.active .monaco-breadcrumb-item");
  }

  get tab(): Locator {
    return this.page.locator(".tab.active .label-name");
  }

  get toasts(): Locator {
    return this.page.locator(".notifications-toasts .notification-list-item");
  }

  toast(text: RegExp): Locator {
    return this.toasts.filter({ hasText: text });
  }

  /** Return the colour and weight that a piece of the text is shown in. */
  colour(text: string): Promise<string> {
    const piece = this.text.locator("span span", { hasText: text.replaceAll(" ", "\u00a0") });
    return piece.first().evaluate((span) => {
      const style = getComputedStyle(span);
      return `${style.color} ${style.fontWeight}`;
    });
  }

  close(): Promise<void> {
    return this.page.close();
  }
}
