/**
 * Records as read-only files of the scheme `context:`.
 *
 * Files, and not the documents that the language client can offer by itself: only of files does
 * the editor keep the tabs over a reload and the labels on a second visit, and only of them does it
 * say that they are read-only.
 */

import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  FilePermission,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  MarkdownString,
  TabInputText,
  type Uri,
  window,
  workspace,
} from "vscode";
import { SCHEME } from "./client";
import { readRecord, recordFacts } from "./requests";
import type { Server } from "./server";

/** Serve every `context:` URI. */
export function recordsAsFiles(server: Server): Disposable {
  const files = new RecordFiles(server);
  return Disposable.from(
    workspace.registerFileSystemProvider(SCHEME, files, {
      isCaseSensitive: true,
      isReadonly: new MarkdownString("Records can be read here, not edited."),
    }),
    server.onDidChange((record) => files.readAgain(record === undefined ? inTabs() : [record])),
  );
}

class RecordFiles implements FileSystemProvider {
  private readonly changes = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;
  /** When the server last said that a record's text had changed, in ms, by the record's URI. */
  private readonly changed = new Map<string, number>();
  private last = 0;

  constructor(private readonly server: Server) {}

  async stat(uri: Uri): Promise<FileStat> {
    const record = await recordFacts(await this.server.running(), uri);
    return {
      type: FileType.File,
      ctime: Date.parse(record.createdAt),
      mtime: Math.max(Date.parse(record.updatedAt), this.changed.get(`${uri}`) ?? 0),
      size: record.totalChars,
      permissions: FilePermission.Readonly,
    };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return encoded(await readRecord(await this.server.running(), uri));
  }

  /** Have the editor read records again, also those that it could not read before. */
  readAgain(records: readonly Uri[]): void {
    // The editor reads a file again only when its time has changed, and records know theirs by the
    // second at worst.
    records.forEach((uri) => this.changed.set(`${uri}`, this.nextTime()));
    this.changes.fire(records.map((uri) => ({ type: FileChangeType.Changed, uri })));
  }

  /** Return the time, in ms, or a later one: no two changes may have the same. */
  private nextTime(): number {
    this.last = Math.max(Date.now(), this.last + 1);
    return this.last;
  }

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  readDirectory(uri: Uri): never {
    throw FileSystemError.FileNotADirectory(uri);
  }

  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }
}

/** Return the records that the window has tabs of. */
function inTabs(): Uri[] {
  const inputs = window.tabGroups.all.flatMap((group) => group.tabs).map((tab) => tab.input);
  const uris = inputs.flatMap((input) => (input instanceof TabInputText ? [input.uri] : []));
  return uris.filter((uri) => uri.scheme === SCHEME);
}

/**
 * Encode a text so that the editor reads it back, whatever its encoding settings are.
 *
 * A byte order mark says UTF-8 louder than a setting does. A NUL would make the editor refuse the
 * file as binary, so its picture U+2400 stands in, which is as long and moves no position.
 */
function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(`\ufeff${text.replaceAll("\0", "\u2400")}`);
}
